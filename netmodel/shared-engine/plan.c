/* Trees over shared channels that a box alone does not fix (rule 10 of doc/shared-channels.md): on rings, to
 * lists, to processors inside routers. They are planned when the multicast is injected, in place of what
 * headers would carry:
 *
 *      members ─► a channel for each ─► ways in the order of dimensions (netmodel/multicasts/mway-tree.h)
 *      ─► narrow ways on rings
 *
 * Every channel of the tree is come to by one way, so that a mask of receivers for each channel says it all:
 * each member has its bit at one channel, and so has one copy. */
#include <stdlib.h>

#include "netmodel/mway/routing.h"
#include "netmodel/shared-engine/internal.h"
#include "netmodel/multicasts/mway-tree.h"

/* Where a member is to have its copy. */
static const struct net_shared_point *point_for(const struct net_shared_engine *engine, uint32_t root,
                                                uint32_t terminal)
{
    const struct net_shared_point *point = &engine->points[engine->first_point[terminal]];
    while (point->channel != net_shared_nearer(engine->network.topology, root, terminal))
        point++;
    return point;
}

/* The receivers at which members are, and their channels. The root needs no copy: it has the message. */
static void place_members(const struct net_shared_engine *engine,
                          const struct net_shared_multicast *multicast, uint32_t root, const bool *members,
                          bool *channels)
{
    for (uint32_t t = 0; t < engine->network.topology->terminals; t++) {
        if (!members[t] || t == multicast->root)
            continue;
        const struct net_shared_point *point = point_for(engine, root, t);
        channels[point->channel] = true;
        multicast->plan[2 * (size_t)point->channel] |= UINT32_C(1) << point->slot;
    }
}

/* ports: room for two masks a channel. */
static void lay_out(struct net_shared_engine *engine, const struct net_shared_multicast *multicast,
                    const bool *members, bool *channels, uint32_t *ports)
{
    const struct net_network *network = &engine->network;
    uint32_t root = engine->points[engine->first_point[multicast->root]].channel;
    uint32_t *narrow = ports + engine->channels;
    place_members(engine, multicast, root, members, channels);
    net_shared_plant(network->topology, root, channels, ports);
    net_shared_narrow(network->routing, ports, narrow);
    for (size_t channel = 0; channel < engine->channels; channel++) {
        multicast->plan[2 * channel] |= ports[channel];
        multicast->plan[2 * channel + 1] = narrow[channel];
    }
    if (network->topology->grid->wraps)
        engine->narrow_buffers =
            net_mway_lowest(engine->buffers) & ~net_mway_classes_of(network->routing)->high;
}

/* On meshes and hypercubes the box says it all, and no plan is made. */
int net_shared_plan(struct net_shared_engine *engine, uint32_t index, const struct net_multicast *asked)
{
    const struct net_topology *topology = engine->network.topology;
    if (!topology->grid->wraps && asked->targets == NULL && !net_shared_inside_routers(topology))
        return 0;
    bool *members = calloc((size_t)topology->terminals + engine->channels, sizeof *members);
    uint32_t *ports = calloc(2 * (size_t)engine->channels, sizeof *ports);
    uint32_t *plan = calloc(2 * (size_t)engine->channels, sizeof *plan);
    engine->multicasts[index].plan = plan;
    bool complete = members != NULL && ports != NULL && plan != NULL;
    if (complete) {
        net_multicast_members(topology, asked, members);
        lay_out(engine, &engine->multicasts[index], members, members + topology->terminals, ports);
    }
    free(members);
    free(ports);
    return complete ? 0 : -1;
}
