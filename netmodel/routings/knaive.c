/* Knaive routing of king networks (doc/networks.md; the king thesis, Definition 1, with T+ = (1,-1), where it
 * is misprinted). Its record for a displacement (dx, dy) has at most two parts: ||dx| - |dy|| orthogonal hops
 * along the longer one, and min(|dx|, |dy|) diagonal hops. Records are walked off in the order X, Y, Z, T, so
 * the orthogonal part comes first.
 *
 * The header needs no record: it holds what is still to go, dx and dy, each biased in a half of the word.
 * While one is the longer, the record's next hop is orthogonal along it; once they are equal, all that is
 * left is diagonal. The law that this walks the explicit record is in the tests. */
#include "netmodel/topologies/grid.h"
#include "netmodel/routing.h"
#include "netmodel/routings/families.h"

#define BIAS UINT32_C(0x80000000)
#define BOTH_BIASED (((uint64_t)BIAS << 32) | BIAS)

enum { X_PLUS, X_MINUS, Y_PLUS, Y_MINUS, Z_PLUS, Z_MINUS, T_PLUS, T_MINUS };

/* What a hop by each port takes off the header: (dy << 32) + dx, modulo 2^64. */
#define HOP(dx, dy) (((uint64_t)(int64_t)(dy) << 32) + (uint64_t)(int64_t)(dx))
static const uint64_t hop[] = {HOP(1, 0), HOP(-1, 0),  HOP(0, 1),  HOP(0, -1),
                               HOP(1, 1), HOP(-1, -1), HOP(1, -1), HOP(-1, 1)};

/* Nothing depends on the topology's size: half a word holds any displacement. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    (void)error;
    routing->arrived = BOTH_BIASED;
    routing->uniform = true;
    routing->legs = true;
    for (uint32_t d = 0; d < routing->topology->grid->dimensions; d++)
        routing->legs = routing->legs && routing->topology->grid->sides[d] - 1 <= NET_LEG_HOPS_MAX;
    for (uint32_t bit = 0; bit < 64; bit++)
        routing->dimension_of_bit[bit] = bit >= 32;
    for (uint32_t d = 0; d <= 2; d++)
        routing->shift[d] = 32 * d;
    return 0;
}

/* Only half-way around a ring of even length there are two shortest paths. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    return net_grid_variants(routing->topology, a, b);
}

/* A line or a ring (a side of 1) has one displacement; the other stays zero and all hops are along X. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    int32_t displacements[NET_DIMENSIONS_MAX] = {0};
    net_grid_displacements(routing->topology, a, b, variant, displacements);
    return BOTH_BIASED + HOP(displacements[0], displacements[1]);
}

/* The signs number the ports: left or down is the odd one of a pair. Equal signs make a Z, opposite ones a T,
 * whose number follows the sign of its x part. */
static uint32_t next_port(int32_t dx, int32_t dy)
{
    uint32_t left = dx < 0, down = dy < 0;
    int32_t across = left ? -dx : dx, along = down ? -dy : dy;
    if (across > along)
        return X_PLUS + left;
    if (along > across)
        return Y_PLUS + down;
    return (left == down ? Z_PLUS : T_PLUS) + left;
}

/* One port, and any virtual channel of it: the routing needs none for itself. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    (void)router;
    if (header == BOTH_BIASED)
        return 0;
    int32_t dx = (int32_t)((uint32_t)header ^ BIAS), dy = (int32_t)((uint32_t)(header >> 32) ^ BIAS);
    route->ports[0] = UINT64_C(1) << next_port(dx, dy);
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return 1;
}

/* The same in every router: the header alone knows what is left. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)router;
    (void)routing;
    return header - hop[port];
}

/* The record: at most one straight part, then at most one diagonal one. */
static uint64_t legs(const struct net_routing *routing, uint64_t header)
{
    (void)routing;
    int32_t dx = (int32_t)((uint32_t)header ^ BIAS), dy = (int32_t)((uint32_t)(header >> 32) ^ BIAS);
    uint32_t left = dx < 0, down = dy < 0;
    uint32_t across = (uint32_t)(left ? -dx : dx), along = (uint32_t)(down ? -dy : dy);
    uint32_t both = across < along ? across : along;
    uint64_t diagonal = net_leg_before(0, (left == down ? Z_PLUS : T_PLUS) + left, both);
    return across > along ? net_leg_before(diagonal, X_PLUS + left, across - both)
                          : net_leg_before(diagonal, Y_PLUS + down, along - both);
}

const struct net_routing_kind net_routing_knaive = {
    .name = "knaive",
    .chooses = net_routing_chooses_in_order,
    .summary = "shortest path on king networks: orthogonal hops first, then diagonal ones",
    .reference = "E. Stafford, thesis on king topologies, 2015: Definition 1 with T+ = (1,-1); "
                 "doc/networks.md, Routings",
    .deadlock_argument =
        "king mesh: orthogonal channels are only followed by their own line or by diagonal ones, "
        "diagonal ones only by their own line; king torus: each ring is entered under the bubble rule",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_king,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
    .legs = legs,
};
