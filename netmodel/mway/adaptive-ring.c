/* ADAPTIVE_RING of the m-way paper: any shortest path in adaptive
 * buffers, that of dimension order also in the low and high ones of mway-ring.
 * With B buffers in a set, B/4 are low (at least one), as many high, the rest adaptive (routing.h). Tier 0 is the
 * adaptive one, so that the escape is left to those who find nothing free there. */
#include "netmodel/mway/routing.h"
#include "netmodel/routings/families.h"

/* The escape is that of mway-ring, with a quarter of the buffers in each class.
 */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    if (header == routing->arrived)
        return 0;
    route->ports[0] = net_mway_ring_ports(routing, header);
    route->virtual_channels[0] = net_mway_classes_of(routing)->adaptive;
    return net_mway_ring_tiers(routing, router, header, route, 1);
}

const struct net_routing_kind net_routing_mway_adaptive_ring = {
    .name = "mway-adaptive-ring",
    .chooses = net_routing_chooses_of_ways,
    .summary = "shared channels closed to rings: shortest paths of any order, "
               "with mway-ring as escape "
               "(ADAPTIVE_RING)",
    .reference = "k-ary m-way networks, the dual of k-ary n-cubes: ADAPTIVE_RING; "
                 "doc/networks.md, Shared channels",
    .deadlock_argument = "low and high buffers are an escape that every "
                         "waiting message may take: mway-ring",
    .virtual_channels = 3,
    .serves = &net_family_mway_torus,
    NET_MWAY_RINGS,
    .route = route,
};
