/* See shared-tree.h. */
#include "netmodel/shared-tree.h"

#include <string.h>

/* The port of the first hop from one place to another in the order of dimensions; NET_NONE: they are the
 * same. Ports of a grid are X+, X-, Y+, Y- and so on. */
static uint32_t first_port(const struct net_topology *topology, const uint32_t *at, const uint32_t *to)
{
    for (uint32_t d = 0; d < topology->dimensions; d++) {
        uint32_t side = topology->sides[d];
        if (at[d] == to[d])
            continue;
        if (!topology->wraps)
            return 2 * d + (to[d] < at[d]);
        uint32_t up = (to[d] + side - at[d]) % side;
        return 2 * d + (up > side - up);
    }
    return NET_NONE;
}

/* Every way is walked from the source; where two begin alike they set the same bits. */
void net_shared_plant(const struct net_topology *topology, uint32_t source, const bool *members,
                      uint32_t *ports)
{
    uint32_t at[NET_DIMENSIONS_MAX], to[NET_DIMENSIONS_MAX];
    memset(ports, 0, topology->routers * sizeof *ports);
    for (uint32_t member = 0; member < topology->routers; member++) {
        uint32_t channel = source, port;
        if (!members[member])
            continue;
        net_topology_coordinates(topology, member, to);
        for (;;) {
            net_topology_coordinates(topology, channel, at);
            port = first_port(topology, at, to);
            if (port == NET_NONE)
                break;
            ports[channel] |= UINT32_C(1) << port;
            channel = topology->links[topology->link_at[(size_t)channel * topology->ports + port]].target;
        }
    }
}
