/* From trees, which routers know by their ports, to rings. */
#include "netmodel/faults/rings.h"

#include "netmodel/faults/control-internal.h"

struct walk {
    const struct net_control *control;
    const struct net_topology *topology;
    bool before_pruning;
    struct net_rings *rings;
};

/* Whether the router belongs to a tree. One that has left belonged to the one before pruning: had its parent, which is
 * faulty, joined another wave since, it would have been asked to join, too. */
static bool belongs(const struct walk *walk, uint32_t router)
{
    const struct net_control_router *state = &walk->control->router[router];
    return state->member || (walk->before_pruning && state->left);
}

/* Whether the link leads to a child that belongs to the tree. */
static bool leads_down(const struct walk *walk, uint32_t link)
{
    uint8_t mask = walk->control->link[link];

    if (mask & NET_LINK_CHILD)
        return true;
    return walk->before_pruning && (mask & NET_LINK_LEFT) &&
           belongs(walk, walk->topology->links[link].target);
}

/* The link to the first child behind a port; NET_NONE: there is none. */
static uint32_t child_from(const struct walk *walk, uint32_t router, uint32_t from)
{
    for (uint32_t port = from; port < walk->topology->ports; port++) {
        uint32_t link = walk->topology->link_at[(size_t)router * walk->topology->ports + port];
        if (link != NET_NONE && leads_down(walk, link))
            return link;
    }
    return NET_NONE;
}

/* Where a packet that has come over a link of the tree goes on. */
static uint32_t after(const struct walk *walk, uint32_t link)
{
    uint32_t back = walk->control->faults->cables.back[link], router = walk->topology->links[back].source;
    uint32_t parent = walk->control->router[router].parent;
    uint32_t child;

    child = child_from(walk, router, back == parent ? 0 : walk->topology->links[back].port + 1);
    if (child != NET_NONE)
        return child;
    return parent != NET_NONE ? parent : child_from(walk, router, 0);
}

uint32_t net_ring_after(const struct net_control *control, uint32_t link)
{
    const struct walk walk = {.control = control, .topology = control->faults->topology};

    return after(&walk, link);
}

bool net_ring_uses(const struct net_control *control, uint32_t link)
{
    const struct net_control_router *state = &control->router[control->faults->topology->links[link].source];

    return state->member && (state->parent == link || (control->link[link] & NET_LINK_CHILD) != 0);
}

/* Goes round once from the root. The walk ends: every link of the tree has one successor and one predecessor. */
static void add_ring(const struct walk *walk, uint32_t root)
{
    struct net_rings *rings = walk->rings;
    struct net_ring *ring = &rings->ring[rings->count];
    uint32_t link = child_from(walk, root, 0);

    *ring = (struct net_ring){root, 1, link};
    rings->of[root] = rings->count;
    while (link != NET_NONE && rings->next[link] == NET_NONE) {
        uint32_t target = walk->topology->links[link].target;
        ring->routers += rings->of[target] != rings->count;
        rings->of[target] = rings->count;
        rings->next[link] = after(walk, link);
        link = rings->next[link];
    }
    rings->count++;
}

/* A ring for each tree that is left: its root is a router that belongs to one and has no parent. */
int net_rings_init(struct net_rings *rings, const struct net_control *control, bool before_pruning,
                   struct base_error *error)
{
    const struct net_topology *topology = control->faults->topology;
    const struct walk walk = {control, topology, before_pruning, rings};

    *rings = (struct net_rings){0};
    rings->ring = base_arena_array(&rings->arena, (size_t)topology->routers + 1, sizeof *rings->ring);
    rings->of = base_arena_array(&rings->arena, (size_t)topology->routers + 1, sizeof *rings->of);
    rings->next = base_arena_array(&rings->arena, (size_t)topology->link_count + 1, sizeof *rings->next);
    if (rings->ring == NULL || rings->of == NULL || rings->next == NULL)
        return base_error_memory(error, "the rings");
    for (uint32_t router = 0; router < topology->routers; router++)
        rings->of[router] = NET_NONE;
    for (uint32_t link = 0; link < topology->link_count; link++)
        rings->next[link] = NET_NONE;
    for (uint32_t router = 0; router < topology->routers; router++)
        if (belongs(&walk, router) && control->router[router].parent == NET_NONE)
            add_ring(&walk, router);
    return 0;
}

/* Both ends of a dead link must be in one ring, or else nobody can go around it. */
int net_rings_check(const struct net_rings *rings, const struct net_control *control,
                    struct base_error *error)
{
    const struct net_topology *topology = control->faults->topology;
    char from[NET_NAME_TEXT], to[NET_NAME_TEXT];

    for (uint32_t i = 0; i < control->next_fault; i++) {
        const struct net_link *link = net_fault_link(control->faults, i);
        if (rings->of[link->source] != NET_NONE && rings->of[link->source] == rings->of[link->target])
            continue;
        return base_error_set(error, BASE_USAGE,
                              "fault routing '%s' finds no way around the dead link between %s and %s of "
                              "topology '%s'",
                              control->options.routing->name, net_router_name(topology, link->source, from),
                              net_router_name(topology, link->target, to), topology->text);
    }
    return 0;
}

void net_rings_free(struct net_rings *rings)
{
    base_arena_free(&rings->arena);
}
