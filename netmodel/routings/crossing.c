/* One way, followed link by link: for reports, which have few of them. */
#include "netmodel/routings/crossing.h"

/* Along the first way of the first variant: a time for pairs of which all ways take the same, as in most networks. */
struct net_way_crossing net_routing_crossing(const struct net_routing *routing, uint32_t a, uint32_t b,
                                             uint32_t link_cycles)
{
    const struct net_topology *topology = routing->topology;
    struct net_way_crossing way = {.width = 1};
    uint64_t header = routing->kind->start(routing, a, b, 0);
    struct net_route route;

    for (; routing->kind->route(routing, a, header, &route) > 0; way.links++) {
        uint32_t port = net_route_next(topology, &route, 0, 0);
        const struct net_link *link = &topology->links[topology->link_at[(size_t)a * topology->ports + port]];
        way.cycles += net_link_crossing(link, link_cycles);
        way.width = net_link_width(link) > way.width ? net_link_width(link) : way.width;
        header = routing->kind->step(routing, a, header, port);
        a = link->target;
    }
    return way;
}
