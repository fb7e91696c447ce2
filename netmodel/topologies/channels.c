/* Channels by number and name. */
#include <inttypes.h>
#include <stdio.h>

#include "netmodel/topologies/channels.h"

uint32_t net_channel_count(const struct net_topology *topology)
{
    return topology->shared != NULL ? topology->routers : topology->link_count;
}

/* As long as the coordinates are: those of a shared channel, or of a link's router with its direction. */
const char *net_channel_name(const struct net_topology *topology, struct base_arena *arena, uint32_t channel)
{
    const struct net_link *link = topology->shared != NULL ? NULL : &topology->links[channel];
    uint32_t coordinates[NET_DIMENSIONS_MAX];
    char text[NET_DIMENSIONS_MAX * 11 + 32] = "(";
    size_t used = 1;

    net_topology_coordinates(topology, link == NULL ? channel : link->source, coordinates);
    for (uint32_t i = 0; i < topology->dimensions; i++)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu32, i == 0 ? "" : ",",
                                 coordinates[i]);
    snprintf(text + used, sizeof text - used, ")%s%s", link == NULL ? "" : " ",
             link == NULL ? "" : topology->kind->port_name(topology, link->port));
    return base_arena_text(arena, text);
}
