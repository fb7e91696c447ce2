/* The walk of the check for deadlock: all headers on their way to one target.
 *
 * Headers to different targets never meet, so one target at a time is walked, which keeps memory at a square
 * root of the time. A header at a router is one node however many packets come there: what it may do next
 * depends on nothing else. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/random.h"
#include "netmodel/deadlock/dependency-internal.h"

/* Headers and moves of all targets, which bounds the time, and headers to one target, which bounds the
 * memory at a gigabyte. */
#define WORK_MAX (UINT64_C(1) << 30)
#define NODES_MAX (UINT32_C(1) << 23)

/* Says that the check would take too long, or too much. */
static int too_large(const struct net_walk *walk, struct base_error *error)
{
    return base_error_set(error, BASE_USAGE,
                          "%s is too large to check routing '%s' for deadlock: its packets have more than "
                          "%" PRIu64 " headers and moves in all, or %" PRIu32
                          " headers to one router; try a smaller network of the same kind",
                          walk->routing->topology->text, walk->routing->text, WORK_MAX, NODES_MAX);
}

/* Whether some router has two links that leave, or two that enter, by this port and the next. Rings have both
 * everywhere, and are known by their ports. */
static bool has_both(const struct net_topology *topology, uint32_t port, uint8_t *seen)
{
    memset(seen, 0, topology->routers);
    if (net_topology_in_ring(topology, port) || net_topology_in_ring(topology, port + 1))
        return true;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        if (link->port != port && link->port != port + 1)
            continue;
        if ((seen[link->source] & 1) != 0 || (seen[link->target] & 2) != 0)
            return true;
        seen[link->source] |= 1;
        seen[link->target] |= 2;
    }
    return false;
}

/* Gives every port its place, in their order. -1: memory. */
static int number_places(struct net_walk *walk)
{
    const struct net_topology *topology = walk->routing->topology;
    uint8_t *seen = calloc((size_t)topology->routers + 1, sizeof *seen);
    if (seen == NULL)
        return -1;
    for (uint32_t port = 0; port < walk->ports; port++) {
        walk->place[port] = walk->places++;
        if (port % 2 == 0 && port + 1 < walk->ports && !has_both(topology, port, seen)) {
            walk->place[port + 1] = walk->place[port];
            port++;
        }
    }
    free(seen);
    return 0;
}

/* An input is named by the port of its link, so two links that enter a router have different ports. -1: memory.
 * One array, outgoing behind incoming, NET_NONE where a place has no link. */
static int list_links(struct net_walk *walk)
{
    const struct net_topology *topology = walk->routing->topology;
    size_t count = (size_t)topology->routers * walk->places;
    walk->incoming = calloc(2 * count + 1, sizeof *walk->incoming);
    if (walk->incoming == NULL)
        return -1;
    walk->outgoing = walk->incoming + count;
    for (size_t i = 0; i < 2 * count; i++)
        walk->incoming[i] = NET_NONE;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        walk->incoming[(size_t)link->target * walk->places + walk->place[link->port]] = l;
        walk->outgoing[(size_t)link->source * walk->places + walk->place[link->port]] = l;
    }
    return 0;
}

/* Channels of rings in which the bubble rule holds. -1: memory. */
static int set_bubble(struct net_walk *walk)
{
    const struct net_routing *routing = walk->routing;
    uint32_t channels = (UINT32_C(1) << walk->virtual_channels) - 1;
    walk->bubble = calloc((size_t)walk->words + 1, sizeof *walk->bubble);
    if (walk->bubble == NULL)
        return -1;
    for (uint32_t port = 0; port < walk->ports; port++)
        if (net_topology_in_ring(routing->topology, port))
            net_walk_add(walk, walk->bubble, port, (uint32_t)routing->bubble_channels & channels);
    return 0;
}

/* The pairs of routers are the least that walks to all targets have to look at: where those are too many, it is refused
 * before memory is asked for. */
int net_walk_init(struct net_walk *walk, const struct net_routing *routing,
                  const struct net_deadlock_faults *faults, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    *walk = (struct net_walk){.routing = routing,
                              .faults = faults,
                              .ports = topology->ports,
                              .virtual_channels = routing->virtual_channels,
                              .alike = faults == NULL && net_walk_is_alike(routing)};
    if (!walk->alike && (uint64_t)topology->routers * topology->routers > WORK_MAX)
        return too_large(walk, error);
    if (number_places(walk) < 0)
        return base_error_memory(error, "the check for deadlock");
    walk->words = (walk->places * walk->virtual_channels + 63) / 64;
    if (list_links(walk) < 0 || set_bubble(walk) < 0)
        return base_error_memory(error, "the check for deadlock");
    return 0;
}

/* outgoing lies behind incoming. */
void net_walk_free(struct net_walk *walk)
{
    free(walk->incoming);
    free(walk->nodes);
    free(walk->sets);
    free(walk->bubble);
    free(walk->moves);
    free(walk->slots);
}

/* ---- the table of nodes ---- */

/* Where (router, header) is in the table, or the empty slot where it belongs.
 * Slots hold numbers plus one, so that zeroed memory is an empty table. It is never more than half full,
 * hence a linear search ends soon. The hash never decides what is found, only how fast. */
static uint32_t find_slot(const struct net_walk *walk, uint32_t router, uint64_t header)
{
    uint32_t mask = walk->slot_count - 1, slot = (uint32_t)base_hash(header, router) & mask;
    for (; walk->slots[slot] != 0; slot = (slot + 1) & mask) {
        const struct net_walk_node *node = &walk->nodes[walk->slots[slot] - 1];
        if (node->header == header && node->router == router)
            break;
    }
    return slot;
}

/* Nodes and a table of twice as many slots grow together. The table is built anew, since places in it follow from
 * its size. */
static int grow_nodes(struct net_walk *walk, struct base_error *error)
{
    uint32_t capacity = walk->capacity != 0 ? 2 * walk->capacity : 1024;
    if (capacity > NODES_MAX)
        return too_large(walk, error);
    struct net_walk_node *nodes = realloc(walk->nodes, capacity * sizeof *nodes);
    if (nodes == NULL)
        return base_error_memory(error, "the check for deadlock");
    walk->nodes = nodes;
    uint64_t *sets = realloc(walk->sets, ((size_t)capacity * NET_WALK_SETS * walk->words + 1) * sizeof *sets);
    if (sets == NULL)
        return base_error_memory(error, "the check for deadlock");
    walk->sets = sets;
    uint32_t *slots = calloc((size_t)2 * capacity, sizeof *slots);
    if (slots == NULL)
        return base_error_memory(error, "the check for deadlock");
    free(walk->slots);
    walk->slots = slots;
    walk->slot_count = 2 * capacity;
    walk->capacity = capacity;
    for (uint32_t i = 0; i < walk->count; i++)
        slots[find_slot(walk, nodes[i].router, nodes[i].header)] = i + 1;
    return 0;
}

/* The node of a header at a router, made when it is new. NET_NONE: memory, or too many. */
static uint32_t take_node(struct net_walk *walk, uint32_t router, uint64_t header, uint32_t source,
                          struct base_error *error)
{
    if (walk->count == walk->capacity && grow_nodes(walk, error) < 0)
        return NET_NONE;
    uint32_t slot = find_slot(walk, router, header);
    if (walk->slots[slot] != 0)
        return walk->slots[slot] - 1;
    walk->nodes[walk->count] = (struct net_walk_node){.header = header, .router = router, .source = source};
    for (uint32_t w = 0; w < NET_WALK_SETS * walk->words; w++)
        net_walk_set(walk, walk->count, NET_WALK_INPUTS)[w] = 0;
    walk->slots[slot] = ++walk->count;
    return walk->count - 1;
}

/* ---- moves ---- */

/* The routing has named a port of a router that has no link. */
static int no_link(const struct net_walk *walk, uint32_t router, uint32_t port, struct base_error *error)
{
    return base_error_set(error, BASE_SYSTEM,
                          "routing '%s' on %s asks for port %" PRIu32 " of router %" PRIu32
                          ", which has no link: this is a defect of flitreplay",
                          walk->routing->kind->name, walk->routing->topology->text, port, router);
}

/* Adds the outputs of a tier to a node's, and to its escapes if they are. -1: one of them has no link. */
static int add_tier(const struct net_walk *walk, uint32_t index, const struct net_route *route, uint32_t tier,
                    bool escapes, struct base_error *error)
{
    const struct net_topology *topology = walk->routing->topology;
    uint32_t router = walk->nodes[index].router, all = (UINT32_C(1) << walk->virtual_channels) - 1;
    uint32_t channels = route->virtual_channels[tier] & all;
    for (uint32_t port = net_route_next(topology, route, tier, 0); port < walk->ports;
         port = net_route_next(topology, route, tier, port + 1)) {
        if (channels != 0 && topology->link_at[(size_t)router * walk->ports + port] == NET_NONE)
            return no_link(walk, router, port, error);
        net_walk_add(walk, net_walk_set(walk, index, NET_WALK_OUTPUTS), port, channels);
        if (escapes)
            net_walk_add(walk, net_walk_set(walk, index, NET_WALK_ESCAPES), port, channels);
    }
    return 0;
}

/* Outputs of all tiers; the escapes are those of the last one, or all where the routing declares none. -1: there
 * is no such link. */
static int ask_routing(struct net_walk *walk, uint32_t index, struct base_error *error)
{
    const struct net_routing *routing = walk->routing;
    const struct net_walk_node *node = &walk->nodes[index];
    struct net_route route;
    uint32_t tiers = routing->kind->route(routing, node->router, node->header, &route);
    for (uint32_t tier = 0; tier < tiers; tier++)
        if (add_tier(walk, index, &route, tier, !routing->kind->escape || tier + 1 == tiers, error) < 0)
            return -1;
    if (walk->faults != NULL)
        net_walk_fail(walk, index);
    for (uint32_t w = 0; w < walk->words && !walk->adaptive; w++)
        walk->adaptive =
            net_walk_set(walk, index, NET_WALK_ESCAPES)[w] != net_walk_set(walk, index, NET_WALK_OUTPUTS)[w];
    return 0;
}

/* Notes the move over a link and brings the next node up to date with the way by which it is reached. -1: memory.
 * The node is copied, since taking a new one may move them all. The first source that comes to a node
 * stays with it, as the witness that some packet does. */
static int move(struct net_walk *walk, uint32_t index, const struct net_link *link, struct base_error *error)
{
    const struct net_walk_node node = walk->nodes[index];
    if (base_grow_32(&walk->moves, &walk->move_capacity, (size_t)walk->move_count + 1, sizeof *walk->moves) !=
        0)
        return base_error_memory(error, "the check for deadlock");
    uint64_t header = walk->routing->kind->step(walk->routing, node.router, node.header, link->port);
    uint32_t next = take_node(walk, link->target, header, node.source, error);
    if (next == NET_NONE)
        return -1;
    net_walk_add(walk, net_walk_set(walk, next, NET_WALK_INPUTS), link->port,
                 net_walk_channels(walk, net_walk_set(walk, index, NET_WALK_OUTPUTS), link->port));
    walk->moves[walk->move_count++] = (struct net_walk_move){link->port, next};
    return 0;
}

/* Everything that one node may do. Moves of a node lie together, since nodes are expanded one after the
 * other. Outputs are taken port by port: one move stands for all virtual channels of a link, whose set says which. */
static int expand(struct net_walk *walk, uint32_t index, struct base_error *error)
{
    const struct net_link *links = walk->routing->topology->links;
    uint32_t channels = walk->virtual_channels, local = 0;
    if (ask_routing(walk, index, error) < 0)
        return -1;
    walk->nodes[index].first_move = walk->move_count;
    while ((local = net_set_next(net_walk_set(walk, index, NET_WALK_OUTPUTS), walk->words, local)) !=
           NET_NONE) {
        uint32_t place = local / channels;
        size_t router = walk->nodes[index].router;
        if (move(walk, index, &links[walk->outgoing[router * walk->places + place]], error) < 0)
            return -1;
        local = (place + 1) * channels;
    }
    walk->nodes[index].moves = walk->move_count - walk->nodes[index].first_move;
    walk->work += 1 + walk->nodes[index].moves;
    return walk->work <= WORK_MAX ? 0 : too_large(walk, error);
}

/* Packets of all sources start before any is moved, by both of the ways between which a routing chooses: the order does
 * not matter for what is found. A routing that draws between two ways has both as headers; the walk is over
 * everything that may happen. */
static int start_all(struct net_walk *walk, struct base_error *error)
{
    const struct net_routing *routing = walk->routing;
    for (uint32_t source = 0; source < routing->topology->routers; source++) {
        uint32_t variants = routing->kind->variants(routing, source, walk->target);
        for (uint32_t v = 0; v < variants && source != walk->target; v++) {
            uint64_t header = routing->kind->start(routing, source, walk->target, v);
            if (take_node(walk, source, header, source, error) == NET_NONE)
                return -1;
            if (routing->kind->detour == NULL)
                continue;
            header = routing->kind->detour(routing, header);
            if (take_node(walk, source, header, source, error) == NET_NONE)
                return -1;
        }
    }
    return 0;
}

/* The list of nodes is the queue as well: it grows while it is walked. Arrays and table are kept from
 * target to target, and only the entries are forgotten. */
int net_walk_to(struct net_walk *walk, uint32_t target, struct base_error *error)
{
    walk->target = target;
    walk->count = walk->move_count = 0;
    if (walk->slots != NULL)
        memset(walk->slots, 0, walk->slot_count * sizeof *walk->slots);
    if (start_all(walk, error) < 0)
        return -1;
    for (uint32_t index = 0; index < walk->count; index++)
        if (expand(walk, index, error) < 0)
            return -1;
    return 0;
}

/* ---- order ---- */

/* Whether a move of a node counts. Escapes that are no outputs are rings around faults, on which nobody is walked. */
static bool counts(const struct net_walk *walk, uint32_t node, const struct net_walk_move *move,
                   bool escapes_only)
{
    uint32_t escapes = net_walk_channels(walk, net_walk_set(walk, node, NET_WALK_ESCAPES), move->port);
    return !escapes_only ||
           (escapes & net_walk_channels(walk, net_walk_set(walk, node, NET_WALK_OUTPUTS), move->port)) != 0;
}

/* Takes away nodes that no other leads to, until none is left but those on or behind circles (A. B. Kahn,
 * 1962). The order itself is the queue. degrees[node] ends as the number of moves that lead there from nodes left
 * over: 0 for all that were ordered. */
uint32_t net_walk_order(const struct net_walk *walk, bool escapes_only, uint32_t *order, uint32_t *degrees)
{
    uint32_t ordered = 0;
    if (walk->count == 0) /* a target that no packet travels to: there are no arrays, either */
        return 0;
    memset(degrees, 0, walk->count * sizeof *degrees);
    for (uint32_t i = 0; i < walk->count; i++)
        for (uint32_t m = 0; m < walk->nodes[i].moves; m++) {
            const struct net_walk_move *move = &walk->moves[walk->nodes[i].first_move + m];
            degrees[move->node] += counts(walk, i, move, escapes_only);
        }
    for (uint32_t i = 0; i < walk->count; i++)
        if (degrees[i] == 0)
            order[ordered++] = i;
    for (uint32_t head = 0; head < ordered; head++) {
        const struct net_walk_node *node = &walk->nodes[order[head]];
        for (uint32_t m = 0; m < node->moves; m++) {
            const struct net_walk_move *move = &walk->moves[node->first_move + m];
            if (counts(walk, order[head], move, escapes_only) && --degrees[move->node] == 0)
                order[ordered++] = move->node;
        }
    }
    return ordered;
}
