/* O1TURN: half of the packets go first along X, the other half first along Y, each half on its own virtual
 * channels. With one turn at most it comes near the best worst case of all minimal routings of a plane.
 *
 * The header is a record of two fields in 16-bit lanes; the topmost bit, that of a lane no port uses, is
 * cleared in packets that go along Y first. */
#include "netmodel/topologies/grid.h"
#include "netmodel/routings/record.h"
#include "netmodel/routings/families.h"

#define X_FIRST (UINT64_C(1) << 63)

/* Two orders are all there are in a plane. With more dimensions there would be many, each with channels of
 * its own, and the bound that the paper proves does not hold. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    if (routing->topology->grid->dimensions > 2)
        return base_error_set(error, BASE_USAGE,
                              "routing 'o1turn' knows two orders of X and Y; '%s' has %u "
                              "dimensions",
                              routing->topology->text, routing->topology->grid->dimensions);
    return net_record_prepare(routing, true, error);
}

/* The lowest bit of a variant is the order. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    return 2 * net_grid_variants(routing->topology, a, b);
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    return net_record_start(routing, a, b, variant / 2) ^ (variant & 1 ? X_FIRST : 0);
}

/* The lowest port that is still to go is along X if there is one, the highest along Y. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    uint64_t ports = net_record_ports(routing, header | X_FIRST), x = ports & 3, y = ports & ~UINT64_C(3);
    uint32_t half = (UINT32_C(1) << (routing->virtual_channels / 2)) - 1;
    uint32_t all = UINT32_MAX >> (32 - routing->virtual_channels);
    bool x_first = (header & X_FIRST) != 0;
    (void)router;
    route->ports[0] = x_first ? (x != 0 ? x : y) : (y != 0 ? y : x);
    route->virtual_channels[0] = x_first ? half : all & ~half;
    return ports != 0;
}

const struct net_routing_kind net_routing_o1turn = {
    .name = "o1turn",
    .chooses = net_routing_chooses_always,
    .summary = "shortest paths of one turn: half of the packets along X first, half along Y first",
    .reference =
        "D. Seo et al., Near-optimal worst-case throughput routing for two-dimensional mesh networks, "
        "ISCA 2005; doc/networks.md, Routings",
    .deadlock_argument =
        "each order has its half of the virtual channels, and each alone is dimension order, "
        "rings under the bubble rule",
    .virtual_channels = 2,
    .minimal = true,
    .serves = &net_family_orthogonal,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = net_record_next,
};
