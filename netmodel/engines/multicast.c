/* Messages to many terminals, whatever the engine: whether there are any, who has a copy, what is refused. */
#include <inttypes.h>

#include "netmodel/engines/engine.h"
#include "netmodel/multicasts/king-tree.h"
#include "netmodel/routings/confinement.h"
#include "netmodel/topologies/mway.h"

/* One with some effects only has those of the network that it stands for. */
enum net_multicasts net_multicasts_of(const struct net_topology *topology, const struct net_routing *routing,
                                      const struct net_options *options, const char **obstacle)
{
    struct net_options all = *options;
    const struct net_engine *engine;
    const char *none = NULL;
    enum net_multicasts result = NET_NO_MULTICASTS;

    all.effects = NET_ALL_EFFECTS;
    engine = net_engine_for(topology, routing, &all);
    if (routing != NULL && routing->dead != NULL)
        none = "its trees know no ways around dead links";
    else if (engine != NULL && engine->multicasts != NULL)
        result = engine->multicasts(topology, routing, &all, &none);
    else
        none = "its engine has none";
    if (obstacle != NULL)
        *obstacle = none;
    return result;
}

/* For lists and refusals: whether the options could ever be right, not whether they are. */
bool net_multicasts_ever(const struct net_topology *topology, const struct net_routing *routing,
                         const struct net_options *options)
{
    struct net_options all = *options;
    all.effects = NET_ALL_EFFECTS;
    const struct net_engine *engine = net_engine_for(topology, routing, &all);
    return engine != NULL && engine->multicasts != NULL;
}

/* The tree of king networks is defined for links that a packet holds to its tail, and is proved free of deadlocks
 * where room for the whole packet is reserved ahead (doc/flit-engine.md has two broadcasts that wait for each other
 * under wormhole). */
enum net_multicasts net_multicasts_by_flits(const struct net_topology *topology,
                                            const struct net_routing *routing,
                                            const struct net_options *options, const char **obstacle)
{
    if (routing != NULL && routing->kind->failing)
        *obstacle = "its trees know no ways around dead links";
    else if (!net_topology_is_king(topology))
        *obstacle = net_king_tree_obstacle(topology, routing);
    else if (options->flow_control == NET_WORMHOLE)
        *obstacle = "under wormhole the copies of two multicasts could wait for each other for ever";
    else
        *obstacle = "a copy holds its links until its tail has crossed, as with --multiplexing packet";
    return NET_NO_MULTICASTS;
}

/* Of the engine that the network has, whatever others could do. */
enum net_multicasts net_network_multicasts(const struct net_network *network)
{
    if (network->engine->multicast == NULL)
        return NET_NO_MULTICASTS;
    return net_multicasts_of(network->topology, network->routing, &network->options, NULL);
}

/* Corners of the box where the multicast goes, all routers by default; on a torus the second may come before
 * the first, round the end of the ring. -1: it is none. */
static int box_of(const struct net_topology *topology, const struct net_multicast *multicast, uint32_t *low,
                  uint32_t *high, struct base_error *error)
{
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        low[d] = multicast->low != NULL ? multicast->low[d] : 0;
        high[d] = multicast->high != NULL ? multicast->high[d] : topology->grid->sides[d] - 1;
        if ((low[d] > high[d] && !topology->grid->wraps) || low[d] >= topology->grid->sides[d] ||
            high[d] >= topology->grid->sides[d])
            return base_error_set(error, BASE_USAGE,
                                  "a multicast to %" PRIu32 " .. %" PRIu32 " of dimension %" PRIu32
                                  ", but that has 0 .. %" PRIu32,
                                  low[d], high[d], d, topology->grid->sides[d] - 1);
    }
    return 0;
}

/* Whether the router is in the multicast's box; without corners that is the network. */
static bool in_box(const struct net_topology *topology, const struct net_multicast *multicast,
                   uint32_t router)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    bool inside = true;
    net_topology_coordinates(topology, router, at);
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++) {
        uint32_t low = multicast->low != NULL ? multicast->low[d] : 0;
        uint32_t high = multicast->high != NULL ? multicast->high[d] : topology->grid->sides[d] - 1;
        bool after = at[d] >= low, before = at[d] <= high;
        inside = inside && (low <= high ? after && before : after || before);
    }
    return inside;
}

/* The source never has a copy of its own message. */
void net_multicast_members(const struct net_topology *topology, const struct net_multicast *multicast,
                           bool *members)
{
    for (uint32_t i = 0; i < topology->terminals; i++)
        members[i] =
            multicast->targets == NULL && in_box(topology, multicast, net_topology_router_of(topology, i));
    for (uint32_t i = 0; multicast->targets != NULL && i < multicast->target_count; i++)
        members[multicast->targets[i]] = true;
    members[multicast->source] = false;
}

/* Where no router has a fixed number of terminals they are counted one by one. */
static uint64_t count_in_box(const struct net_topology *topology, const struct net_multicast *multicast)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < topology->terminals; i++)
        count += in_box(topology, multicast, net_topology_router_of(topology, i));
    return count;
}

/* Terminals of the box, less the source if that is one of them. */
static uint64_t box_copies(const struct net_topology *topology, const struct net_multicast *multicast,
                           const uint32_t *low, const uint32_t *high)
{
    uint64_t routers = 1;
    bool inside = in_box(topology, multicast, net_topology_router_of(topology, multicast->source));
    if (net_shared_inside_routers(topology))
        return count_in_box(topology, multicast) - inside;
    for (uint32_t d = 0; d < net_topology_dimensions(topology); d++)
        routers *= (high[d] + topology->grid->sides[d] - low[d]) % topology->grid->sides[d] + 1;
    return routers * topology->concentration - inside;
}

/* A target that is named twice counts twice: lists are the caller's to keep clean. */
uint64_t net_network_copies(const struct net_network *network, const struct net_multicast *multicast)
{
    uint32_t low[NET_DIMENSIONS_MAX], high[NET_DIMENSIONS_MAX];
    struct base_error error;
    uint64_t copies = 0;
    if (multicast->targets == NULL)
        return multicast->source < network->topology->terminals &&
                       box_of(network->topology, multicast, low, high, &error) == 0
                   ? box_copies(network->topology, multicast, low, high)
                   : 0;
    for (uint32_t i = 0; i < multicast->target_count; i++)
        copies += multicast->targets[i] != multicast->source;
    return copies;
}

/* Whether a router is in another partition than the source's. */
static bool is_apart(const struct net_network *network, const struct net_multicast *multicast,
                     uint32_t router)
{
    uint32_t source = net_topology_router_of(network->topology, multicast->source);
    return !net_routing_joins(network->routing, source, router);
}

/* In a network cut into parts a multicast stays in that of its source: its ways are those of the routing, of
 * which that has been proved, if its members do. */
static bool leaves_part(const struct net_network *network, const struct net_multicast *multicast)
{
    const struct net_topology *topology = network->topology;
    if (network->routing == NULL || !net_routing_is_confined(network->routing))
        return false;
    for (uint32_t i = 0; multicast->targets != NULL && i < multicast->target_count; i++)
        if (is_apart(network, multicast, net_topology_router_of(topology, multicast->targets[i])))
            return true;
    for (uint32_t router = 0; multicast->targets == NULL && router < topology->routers; router++)
        if (in_box(topology, multicast, router) && is_apart(network, multicast, router))
            return true;
    return false;
}

/* Asked once for each network: the proof that trees stay in partitions takes its time. */
static const char *obstacle_of(struct net_network *network)
{
    if (!network->multicast_known)
        net_multicasts_of(network->topology, network->routing, &network->options, &network->no_multicast);
    network->multicast_known = true;
    return network->no_multicast;
}

/* A list of targets that are terminals, or a box. The source is checked with the message. Cheap questions first;
 * whether a partition is left walks all members. */
int net_multicast_check(struct net_network *network, const struct net_multicast *multicast,
                        struct base_error *error)
{
    uint32_t low[NET_DIMENSIONS_MAX], high[NET_DIMENSIONS_MAX];
    const char *why = obstacle_of(network);
    if (why != NULL || network->engine->multicast == NULL)
        return base_error_set(error, BASE_USAGE, "%s cannot multicast with these options: %s",
                              network->topology->text, why != NULL ? why : "its engine has none");
    for (uint32_t i = 0; multicast->targets != NULL && i < multicast->target_count; i++)
        if (multicast->targets[i] >= network->topology->terminals)
            return base_error_set(error, BASE_USAGE,
                                  "a multicast to terminal %" PRIu32 ", but there are %" PRIu32,
                                  multicast->targets[i], network->topology->terminals);
    if (multicast->targets == NULL && box_of(network->topology, multicast, low, high, error) < 0)
        return -1;
    if (net_network_copies(network, multicast) == 0)
        return base_error_set(error, BASE_USAGE, "a multicast of terminal %" PRIu32 " to nobody else",
                              multicast->source);
    if (leaves_part(network, multicast))
        return base_error_set(error, BASE_USAGE,
                              "a multicast of terminal %" PRIu32 " to some that are not in its partition",
                              multicast->source);
    return 0;
}
