/* DOR of the m-way paper: the lowest dimension in which there is still
 * to go, any buffer of the set. For meshes and hypercubes; on rings see
 * mway-ring. Nothing is chosen but the buffer: a message has one way, and buffers of a set are alike. */
#include "netmodel/mway/routing.h"
#include "netmodel/routings/families.h"

/* All buffers are of one class. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    uint64_t ports = net_record_ports(routing, header);
    (void)router;
    route->ports[0] = ports & -ports;
    route->virtual_channels[0] = net_mway_lowest(routing->virtual_channels);
    return ports != 0;
}

const struct net_routing_kind net_routing_mway_dimension_order = {
    .name = "mway-dimension-order",
    .chooses = net_routing_chooses_never,
    .summary = "shared channels: shortest path in dimension order, any buffer (DOR)",
    .reference = "k-ary m-way networks, the dual of k-ary n-cubes: DOR; "
                 "doc/networks.md, Shared channels",
    .deadlock_argument = "a message never returns to an earlier dimension or "
                         "turns round in one, so buffer sets are ordered",
    .virtual_channels = 1,
    .serves = &net_family_mway_mesh,
    NET_MWAY_RECORDS,
    .prepare = net_mway_prepare,
    .route = route,
};
