/* Networks in which every router stands where any other might: tori of all kinds. A routing that looks at displacements
 * alone (net_routing.uniform) sends packets to one router as to another, and the walk to one target, moved by as
 * much as the targets are apart, is the walk to the other. What packets wait for at a router is then the union over
 * the routers of what those on their way to one target wait for, and one walk takes the place of as many as there are
 * routers. */
#include "netmodel/deadlock/dependency-internal.h"

/* The coordinates of a router that many hops further along, round the ends of the grid. */
static void add_coordinates(const struct net_grid *grid, const uint32_t *from, const uint32_t *by,
                            uint32_t *sum)
{
    for (uint32_t d = 0; d < grid->dimensions; d++)
        sum[d] = (from[d] + by[d]) % grid->sides[d];
}

/* Whether the link leads as far, and the same way, as that of router 0 by the same port. Router 0 has only zeros as
 * coordinates, so that those of its neighbour are the displacement. */
static bool leads_alike(const struct net_topology *topology, const struct net_link *link)
{
    uint32_t source[NET_DIMENSIONS_MAX], target[NET_DIMENSIONS_MAX], by[NET_DIMENSIONS_MAX];
    uint32_t expected[NET_DIMENSIONS_MAX];
    uint32_t first = topology->link_at[link->port];
    if (first == NET_NONE)
        return false;
    net_topology_coordinates(topology, topology->links[first].target, by);
    net_topology_coordinates(topology, link->source, source);
    net_topology_coordinates(topology, link->target, target);
    add_coordinates(topology->grid, source, by, expected);
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        if (target[d] != expected[d])
            return false;
    return true;
}

/* Whether the grid has all routers, and as many links leave every router, by the same ports, as router 0. Dead links,
 * and routings that wrap one which would be uniform (net_routing.inner), make routers differ. */
bool net_walk_is_alike(const struct net_routing *routing)
{
    const struct net_topology *topology = routing->topology;
    uint64_t routers = 1, degree = 0;
    if (!routing->uniform || routing->inner != NULL || routing->dead != NULL || routing->kind->failing ||
        !net_topology_wraps(topology) || topology->shared != NULL || topology->routers == 0)
        return false;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        routers *= topology->grid->sides[d];
    for (uint32_t port = 0; port < topology->ports; port++)
        degree += topology->link_at[port] != NET_NONE;
    if (routers != topology->routers || topology->link_count != degree * routers)
        return false;
    for (uint32_t i = 0; i < topology->link_count; i++)
        if (!leads_alike(topology, &topology->links[i]))
            return false;
    return true;
}

/* In two passes, through the channel of the first router's link by that port: all of them into it, then it to all. */
void net_walk_spread(const struct net_walk *walk, uint64_t *waits, uint64_t *wholly, uint32_t *numbers)
{
    const struct net_topology *topology = walk->routing->topology;
    const size_t words = walk->words;
    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t c = 0; c < topology->link_count * walk->virtual_channels; c++) {
            uint32_t port = topology->links[c / walk->virtual_channels].port;
            size_t one =
                (size_t)topology->link_at[port] * walk->virtual_channels + c % walk->virtual_channels;
            size_t from = pass == 0 ? c : one, to = pass == 0 ? one : c;
            net_set_unite(waits + to * words, waits + from * words, walk->words);
            net_set_unite(wholly + to * words, wholly + from * words, walk->words);
            if (numbers[from] == 0)
                numbers[to] = 0;
        }
}
