/* Dimension order on the records of diagonal networks (doc/networks.md; the king thesis, Algorithm 1): straight
 * hops along X, then along Y, then the diagonal ones. A record has at most two parts.
 *
 * The header holds what is still to go, dx and dy, each biased in a half of the word. Where the diagonal
 * leads the right way, the longer one goes first until both are equal, and the rest is diagonal; elsewhere X
 * goes first, then Y. */
#include "netmodel/topologies/grid.h"
#include "netmodel/routing.h"
#include "netmodel/routings/families.h"

#define BIAS UINT32_C(0x80000000)
#define BOTH_BIASED (((uint64_t)BIAS << 32) | BIAS)

enum { X_PLUS, X_MINUS, Y_PLUS, Y_MINUS, DIAGONAL_PLUS, DIAGONAL_MINUS };

/* What a hop by each port takes off the header: (dy << 32) + dx, modulo 2^64. */
#define HOP(dx, dy) (((uint64_t)(int64_t)(dy) << 32) + (uint64_t)(int64_t)(dx))
static const uint64_t straight[] = {HOP(1, 0), HOP(-1, 0), HOP(0, 1), HOP(0, -1)};
static const uint64_t north_east[] = {HOP(1, 1), HOP(-1, -1)}, south_east[] = {HOP(1, -1), HOP(-1, 1)};

/* Nothing depends on the topology's size: half a word holds any displacement. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    (void)error;
    routing->arrived = BOTH_BIASED;
    routing->uniform = true;
    for (uint32_t bit = 0; bit < 64; bit++)
        routing->dimension_of_bit[bit] = bit >= 32;
    for (uint32_t d = 0; d <= 2; d++)
        routing->shift[d] = 32 * d;
    return 0;
}

/* Displacements of equal length: on a torus there may be several ways around. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    return net_grid_diagonal_variants(routing->topology, a, b);
}

/* The variant picks the displacement once and for all: on the way there is nothing left to choose. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    int32_t displacements[2];
    net_grid_diagonal_displacements(routing->topology, a, b, variant, displacements);
    return BOTH_BIASED + HOP(displacements[0], displacements[1]);
}

/* Left or down is the odd port of a pair. The sign of a diagonal is that of its x part. */
static uint32_t next_port(int32_t dx, int32_t dy, bool north_east_links)
{
    uint32_t left = dx < 0, down = dy < 0;
    int32_t across = left ? -dx : dx, along = down ? -dy : dy;
    bool helps = dx != 0 && dy != 0 && (left == down) == north_east_links;
    if (helps && across == along)
        return DIAGONAL_PLUS + left;
    if (helps ? across > along : dx != 0)
        return X_PLUS + left;
    return Y_PLUS + down;
}

/* One port, and any virtual channel of it. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    (void)router;
    if (header == BOTH_BIASED)
        return 0;
    int32_t dx = (int32_t)((uint32_t)header ^ BIAS), dy = (int32_t)((uint32_t)(header >> 32) ^ BIAS);
    bool north_east_links = routing->topology->grid->diagonals == NET_DIAGONAL_Z;
    route->ports[0] = UINT64_C(1) << next_port(dx, dy, north_east_links);
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return 1;
}

/* A subtraction: the biased halves never carry into each other, as displacements are far below the bias. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)router;
    if (port < DIAGONAL_PLUS)
        return header - straight[port];
    return header - (routing->topology->grid->diagonals == NET_DIAGONAL_Z ? north_east
                                                                          : south_east)[port - DIAGONAL_PLUS];
}

const struct net_routing_kind net_routing_diagonal_order = {
    .name = "diagonal-order",
    .chooses = net_routing_chooses_in_order,
    .summary = "shortest path on diagonal networks: X, then Y, then diagonal hops",
    .reference = "E. Stafford, thesis on king topologies, 2015: Algorithm 1, records in dimension order; "
                 "doc/networks.md, Routings",
    .deadlock_argument = "diagonal mesh: X channels are followed by any, Y channels by Y and diagonal ones, "
                         "diagonal ones only by "
                         "their own line; diagonal torus: each ring is entered under the bubble rule",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_diagonal,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};
