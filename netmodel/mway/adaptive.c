/* ADAPTIVE of the m-way paper: any shortest path in adaptive buffers,
 * that of dimension order also in deterministic ones. Half of the buffers, rounded up, are adaptive. The
 * deterministic ones are the escape: they alone are what a waiting message relies on, and they are in dimension
 * order. */
#include "netmodel/mway/routing.h"
#include "netmodel/routings/families.h"

/* Adaptive buffers of every way first, which leaves the deterministic ones to
 * those who find none. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    uint64_t ports = net_record_ports(routing, header);
    uint32_t deterministic = routing->virtual_channels / 2;
    (void)router;
    route->ports[0] = ports;
    route->virtual_channels[0] = net_mway_others(routing, deterministic);
    route->ports[1] = ports & -ports;
    route->virtual_channels[1] = net_mway_lowest(deterministic);
    return ports != 0 ? 2 : 0;
}

const struct net_routing_kind net_routing_mway_adaptive = {
    .name = "mway-adaptive",
    .chooses = net_routing_chooses_of_ways,
    .summary = "shared channels: shortest paths of any order, with an escape in "
               "dimension order (ADAPTIVE)",
    .reference = "k-ary m-way networks, the dual of k-ary n-cubes: ADAPTIVE; "
                 "doc/networks.md, Shared channels",
    .deadlock_argument = "deterministic buffers are an escape in dimension "
                         "order that every waiting message may take",
    .virtual_channels = 2,
    .escape = true,
    .serves = &net_family_mway_mesh,
    NET_MWAY_RECORDS,
    .prepare = net_mway_prepare,
    .route = route,
};
