/* DOR_RING of the m-way paper: dimension order, and within the rings of
 * a dimension buffers of two classes, low and high. With B buffers in a set, B/2 rounded up are low, the others
 * high (routing.h): low ones take a message to the half of its destination, high ones within it. */
#include "netmodel/mway/routing.h"
#include "netmodel/routings/families.h"

/* High buffers from where the way stays in the half of its destination. Low
 * ones will do there as well, but nobody relies on them: only what waits
 * elsewhere has no other choice. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    return header == routing->arrived ? 0 : net_mway_ring_tiers(routing, router, header, route, 0);
}

const struct net_routing_kind net_routing_mway_ring = {
    .name = "mway-ring",
    .chooses = net_routing_chooses_of_ways,
    .summary = "shared channels closed to rings: dimension order, low and high "
               "buffers (DOR_RING)",
    .reference = "k-ary m-way networks, the dual of k-ary n-cubes: DOR_RING; a "
                 "buffer's group is that of the channel it drives; "
                 "doc/networks.md, Shared channels",
    .deadlock_argument = "high buffers are used only within the destination's half of a ring, "
                         "low ones "
                         "before: neither class closes a cycle, and dimensions are ordered",
    .virtual_channels = 2,
    .serves = &net_family_mway_torus,
    NET_MWAY_RINGS,
    .route = route,
};
