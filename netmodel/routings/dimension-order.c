/* Dimension-order routing (doc/networks.md, after the king thesis): the displacements are walked
 * off in the order X, Y, Z, …, never going back to an earlier dimension.
 *
 * The header packs one biased field per dimension, X lowest:
 *
 *        … | dy + bias_y | dx + bias_x |        bias = 1 << (width - 1), width = ceil(log2(side)) + 1
 *
 * A field that holds its bias is done; the bit of the bias itself tells the sign of the others. So the first
 * dimension still to go is that of the lowest bit in which the header differs from the arrived one, and a
 * step is one addition. Displacements are at most side - 1, hence a field never runs over; 2^24 routers need
 * at most 48 bits. */
#include "netmodel/topologies/grid.h"
#include "netmodel/routing.h"
#include "netmodel/routings/families.h"

/* ceil(log2(side)) + 1: one bit for the sign, the rest for up to side - 1. */
static uint32_t field_width(uint32_t side)
{
    uint32_t width = 1;
    while ((UINT64_C(1) << (width - 1)) < side)
        width++;
    return width;
}

/* dimension_of_bit turns the lowest bit that differs into a dimension without a loop. Every field's bias
 * is its highest bit, and all biases together are the header of a packet that has arrived. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    const struct net_topology *topology = routing->topology;
    uint32_t bit = 0;
    (void)error;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t end = bit + field_width(topology->grid->sides[d]);
        routing->shift[d] = bit;
        routing->arrived |= UINT64_C(1) << (end - 1);
        while (bit < end)
            routing->dimension_of_bit[bit++] = (uint8_t)d;
    }
    routing->shift[topology->grid->dimensions] = bit;
    routing->uniform = true;
    routing->legs = topology->grid->dimensions <= NET_LEGS_MAX;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        routing->legs = routing->legs && topology->grid->sides[d] - 1 <= NET_LEG_HOPS_MAX;
    return 0;
}

static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    return net_grid_variants(routing->topology, a, b);
}

/* Once a packet: the only place that needs coordinates, and divisions. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    int32_t displacements[NET_DIMENSIONS_MAX];
    uint64_t header = routing->arrived;
    net_grid_displacements(routing->topology, a, b, variant, displacements);
    for (uint32_t d = 0; d < routing->topology->grid->dimensions; d++)
        header += (uint64_t)(int64_t)displacements[d] << routing->shift[d];
    return header;
}

/* Per hop: an exclusive or, a count of trailing zeros, a table of bytes and shifts. No division and no loop;
 * the engine calls this for every packet at every router. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    (void)router;
    uint64_t to_go = header ^ routing->arrived;
    if (to_go == 0)
        return 0;
    uint32_t d = routing->dimension_of_bit[__builtin_ctzll(to_go)];
    uint32_t positive = header >> (routing->shift[d + 1] - 1) & 1;
    route->ports[0] = UINT64_C(2) >> positive << (2 * d);
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return 1;
}

/* Going on by the positive port (an even number) takes one off the displacement, by the negative one adds
 * one. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)router;
    uint64_t one = UINT64_C(1) << routing->shift[port >> 1];
    return port & 1 ? header + one : header - one;
}

/* A leg for each dimension that has something to go. */
static uint64_t legs(const struct net_routing *routing, uint64_t header)
{
    uint64_t all = 0;
    for (uint32_t d = routing->topology->grid->dimensions; d-- > 0;) {
        uint32_t width = routing->shift[d + 1] - routing->shift[d];
        int32_t field = (int32_t)(header >> routing->shift[d] & ((UINT64_C(1) << width) - 1));
        int32_t left = field - (int32_t)(UINT32_C(1) << (width - 1));
        all = net_leg_before(all, 2 * d + (left < 0), (uint32_t)(left < 0 ? -left : left));
    }
    return all;
}

const struct net_routing_kind net_routing_dimension_order = {
    .name = "dimension-order",
    .chooses = net_routing_chooses_in_order,
    .summary = "shortest path, one dimension after the other: X, then Y, then Z ...",
    .reference = "E. Stafford, thesis on king topologies, 2015: records in dimension order; "
                 "doc/networks.md, Routings",
    .deadlock_argument =
        "mesh: a packet never returns to an earlier dimension or turns round in one, so channels "
        "are ordered; torus: each ring is entered under the bubble rule",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_orthogonal,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
    .legs = legs,
};
