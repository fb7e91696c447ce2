/* Channels by number and name. */
#include "netmodel/topologies/channels.h"

#include <stdio.h>

/* A shared channel is a router of the topology that describes it; elsewhere each link is a channel. */
uint32_t net_channel_count(const struct net_topology *topology)
{
    return topology->shared != NULL ? topology->routers : topology->link_count;
}

/* Ports of a graph have numbers that say nothing: its links are named by where they lead. */
char *net_channel_text(const struct net_topology *topology, uint32_t channel, char text[NET_CHANNEL_TEXT])
{
    const struct net_link *link = topology->shared != NULL ? NULL : &topology->links[channel];
    char from[NET_NAME_TEXT], to[NET_NAME_TEXT];

    net_router_name(topology, link == NULL ? channel : link->source, from);
    if (link == NULL)
        snprintf(text, NET_CHANNEL_TEXT, "%s", from);
    else if (topology->graph != NULL)
        snprintf(text, NET_CHANNEL_TEXT, "%s to %s", from, net_router_name(topology, link->target, to));
    else
        snprintf(text, NET_CHANNEL_TEXT, "%s %s", from, net_port_name(topology, link->source, link->port));
    return text;
}

const char *net_channel_name(const struct net_topology *topology, struct base_arena *arena, uint32_t channel)
{
    char text[NET_CHANNEL_TEXT];

    return base_arena_text(arena, net_channel_text(topology, channel, text));
}
