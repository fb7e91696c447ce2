/* Channels by number and name. */
#include "netmodel/topologies/channels.h"

/* A shared channel is a router of the topology that describes it; elsewhere each link is a channel. */
uint32_t net_channel_count(const struct net_topology *topology)
{
    return topology->shared != NULL ? topology->routers : topology->link_count;
}

/* Ports of a graph have numbers that say nothing: its links are named by where they lead. */
const char *net_channel_name(const struct net_topology *topology, struct base_arena *arena, uint32_t channel)
{
    const struct net_link *link = topology->shared != NULL ? NULL : &topology->links[channel];
    char from[NET_NAME_TEXT], to[NET_NAME_TEXT];

    net_router_name(topology, link == NULL ? channel : link->source, from);
    if (link == NULL)
        return base_arena_text(arena, from);
    if (topology->graph != NULL)
        return base_arena_format(arena, "%s to %s", from, net_router_name(topology, link->target, to));
    return base_arena_format(arena, "%s %s", from, net_port_name(topology, link->source, link->port));
}
