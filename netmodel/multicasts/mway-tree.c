/* See mway-tree.h. */
#include "netmodel/multicasts/mway-tree.h"

#include <string.h>

#include "netmodel/mway/routing.h"

/* The port of the first hop from one place to another in the order of dimensions; NET_NONE: they are the
 * same. Ports of a grid are X+, X-, Y+, Y- and so on. */
static uint32_t first_port(const struct net_topology *topology, const uint32_t *at, const uint32_t *to)
{
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t side = topology->grid->sides[d];
        if (at[d] == to[d])
            continue;
        if (!topology->grid->wraps)
            return 2 * d + (to[d] < at[d]);
        uint32_t up = (to[d] + side - at[d]) % side;
        return 2 * d + (up > side - up);
    }
    return NET_NONE;
}

/* Every way is walked from the source; where two begin alike they set the same bits. Members times the length of
 * their ways. The source is planted like any other member: its way has no hop. */
void net_shared_plant(const struct net_topology *topology, uint32_t source, const bool *members,
                      uint32_t *ports)
{
    uint32_t at[NET_DIMENSIONS_MAX], to[NET_DIMENSIONS_MAX];
    memset(ports, 0, topology->routers * sizeof *ports);
    for (uint32_t member = 0; member < topology->routers; member++) {
        uint32_t channel = source;
        uint32_t port;
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

/* By a port that has a link there, as those of the tree do. */
static uint32_t next_channel(const struct net_topology *topology, uint32_t channel, uint32_t port)
{
    return topology->links[topology->link_at[(size_t)channel * topology->ports + port]].target;
}

/* All are computed for the one: trees are planned once a multicast, not once a flit. */
static uint32_t coordinate_of(const struct net_topology *topology, uint32_t channel, uint32_t dimension)
{
    uint32_t at[NET_DIMENSIONS_MAX];
    net_topology_coordinates(topology, channel, at);
    return at[dimension];
}

/* A branch that has come by a port goes on by it, or not: its last channel in the dimension is where it does not. */
static bool is_narrow(const struct net_routing *routing, const uint32_t *ports, uint32_t channel,
                      uint32_t port)
{
    const struct net_topology *topology = routing->topology;
    uint32_t next = next_channel(topology, channel, port), last = next;
    while ((ports[last] >> port & 1) != 0)
        last = next_channel(topology, last, port);
    return !net_mway_same_half(routing, port / 2, coordinate_of(topology, next, port / 2),
                               coordinate_of(topology, last, port / 2));
}

/* Only rings have halves; on meshes and hypercubes nothing is narrow. */
void net_shared_narrow(const struct net_routing *routing, const uint32_t *ports, uint32_t *narrow)
{
    const struct net_topology *topology = routing->topology;
    memset(narrow, 0, topology->routers * sizeof *narrow);
    for (uint32_t channel = 0; channel < topology->routers && topology->grid->wraps; channel++)
        for (uint32_t left = ports[channel]; left != 0; left &= left - 1) {
            uint32_t port = (uint32_t)__builtin_ctz(left);
            if (is_narrow(routing, ports, channel, port))
                narrow[channel] |= left & -left;
        }
}
