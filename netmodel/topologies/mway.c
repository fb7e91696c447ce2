/* What a k-ary m-way network has besides the grid of channels that describes it: its m-way routers, and which
 * channels a processor is on. Model: the m-way paper, section 2; doc/networks.md. */
#include "netmodel/topologies/mway.h"

#include <string.h>

#include "base/random.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/specification.h"

const char *const net_shared_keys[] = {"processors", "attach", NULL};

/* Whether a parameter was given, and its text. */
static const char *parameter(const struct net_specification *specification, const char *key)
{
    for (uint32_t i = 0; i < specification->parameter_count; i++)
        if (strcmp(specification->parameters[i].key, key) == 0)
            return specification->parameters[i].value;
    return NULL;
}

/* A router has one processor or none, so that a number of them would be a misunderstanding. Channel is the
 * default, and may be said. */
static int read_attachment(const struct net_specification *specification, enum net_attachment *attachment,
                           struct base_error *error)
{
    const char *value = parameter(specification, "attach");
    *attachment = NET_ON_CHANNELS;
    if (value == NULL || strcmp(value, "channel") == 0)
        return 0;
    if (strcmp(value, "router") != 0)
        return base_error_set(error, BASE_USAGE, "topology '%.80s': attach is channel or router, not '%.80s'",
                              specification->text, value);
    *attachment = NET_INSIDE_ROUTERS;
    if (parameter(specification, "processors") == NULL)
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "topology '%.80s': there is one processor inside each m-way router; processors=P is for "
        "attach=channel",
        specification->text);
}

/* One m-way router for each link of a positive port; the link back is the same router's other buffer set. */
static void list_routers(const struct net_topology *topology, struct net_way_router *routers,
                         uint32_t *router_of_link)
{
    for (uint32_t l = 0, next = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        if (link->port % 2 != 0)
            continue;
        uint32_t down = topology->link_at[(size_t)link->target * topology->ports + link->port + 1];
        router_of_link[l] = router_of_link[down] = next;
        routers[next++] = (struct net_way_router){
            .dimension = link->port / 2, .lower = link->source, .upper = link->target, .up = l, .down = down};
    }
}

/* m: every device of the channel that has most. An inner channel has two m-way routers in each dimension. */
static uint32_t count_devices(const struct net_topology *topology, uint32_t processors)
{
    uint32_t devices = processors;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        devices += topology->grid->wraps || topology->grid->sides[d] > 2 ? 2 : 1;
    return devices;
}

/* Terminals inside routers have the numbers of their routers. No channel has a fixed number of them, so
 * concentration is 1: what comes in groups of that many terminals comes one by one here. */
static int set_terminals(struct net_topology *topology, const struct net_shared *shared,
                         struct base_error *error)
{
    if (shared->attachment == NET_ON_CHANNELS)
        return 0;
    if (shared->router_count == 0)
        return base_error_set(
            error, BASE_USAGE,
            "topology '%.80s': one channel has no m-way router for a processor to be inside", topology->text);
    topology->terminals = shared->router_count;
    return 0;
}

/* The grid is the ordinary one; links come in pairs, one pair for each m-way router. m-way routers are half of the
 * grid's links: each joins two channels and is a link in both directions. */
int net_shared_build(struct net_topology *topology, const struct net_specification *specification, bool wraps,
                     struct base_error *error)
{
    struct net_shared *shared = base_arena_alloc(&topology->arena, sizeof *shared);
    if (shared == NULL)
        return base_error_memory(error, "a network of shared channels");
    if (read_attachment(specification, &shared->attachment, error) != 0 ||
        net_grid_build(topology, specification, wraps, 0, error) != 0)
        return -1;
    shared->router_count = topology->link_count / 2;
    shared->processors = shared->attachment == NET_ON_CHANNELS ? topology->concentration : 0;
    shared->sharing = count_devices(topology, shared->processors);
    struct net_way_router *routers =
        base_arena_array(&topology->arena, shared->router_count, sizeof *routers);
    uint32_t *router_of_link =
        base_arena_array(&topology->arena, topology->link_count, sizeof *router_of_link);
    if (routers == NULL || router_of_link == NULL)
        return base_error_memory(error, "a network of shared channels");
    list_routers(topology, routers, router_of_link);
    shared->routers = routers;
    shared->router_of_link = router_of_link;
    topology->shared = shared;
    return set_terminals(topology, shared, error);
}

/* What is at its default is left out. */
const char *net_shared_write(struct net_topology *topology, const char *text)
{
    text = net_specification_append(topology, text, "processors", topology->concentration, 1);
    if (text == NULL || !net_shared_inside_routers(topology))
        return text;
    return base_arena_format(&topology->arena, "%s,attach=router", text);
}

/* A processor inside an m-way router is on both of the channels that this joins. */
uint32_t net_shared_channels(const struct net_topology *topology, uint32_t terminal, uint32_t channels[2])
{
    if (topology->shared->attachment == NET_ON_CHANNELS) {
        channels[0] = terminal / topology->concentration;
        return 1;
    }
    channels[0] = topology->shared->routers[terminal].lower;
    channels[1] = topology->shared->routers[terminal].upper;
    return 2;
}

/* At most four pairs. The draw is among the shortest of them in their order, so that it is the same wherever
 * it is asked. A pair of the same channel is 0 links apart: one transfer. */
uint32_t net_shared_nearest(const struct net_topology *topology, uint32_t source, uint32_t target,
                            const uint64_t *key, uint32_t ends[2])
{
    uint32_t from[2], to[2], pairs[4][2];
    uint32_t count = 0, shortest = NET_NONE;
    uint32_t sources = net_shared_channels(topology, source, from);
    uint32_t targets = net_shared_channels(topology, target, to);
    for (uint32_t i = 0; i < sources * targets; i++) {
        uint32_t a = from[i / targets], b = to[i % targets], links = net_topology_distance(topology, a, b);
        if (links > shortest)
            continue;
        count = links < shortest ? 0 : count;
        shortest = links;
        pairs[count][0] = a;
        pairs[count++][1] = b;
    }
    memcpy(ends, pairs[key == NULL ? 0 : base_scale(base_hash(*key, UINT64_MAX - 1), count)],
           sizeof pairs[0]);
    return shortest + 1;
}

/* Of equally near ones the first. */
uint32_t net_shared_nearer(const struct net_topology *topology, uint32_t channel, uint32_t terminal)
{
    uint32_t channels[2];
    if (net_shared_channels(topology, terminal, channels) == 1)
        return channels[0];
    bool second = net_topology_distance(topology, channel, channels[1]) <
                  net_topology_distance(topology, channel, channels[0]);
    return channels[second];
}
