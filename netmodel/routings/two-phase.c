/* Two deterministic ways in one header. */
#include "netmodel/routings/two-phase.h"

#include "netmodel/topologies/grid.h"

/* ceil(log2(side)) + 1: one bit for the sign, the rest for up to side - 1. */
static uint32_t field_width(uint32_t side)
{
    uint32_t width = 1;
    while ((UINT64_C(1) << (width - 1)) < side)
        width++;
    return width;
}

/* Straight ports come first, in pairs; then the diagonals that there are. */
static void fill_hops(const struct net_routing *routing, struct net_two_phase *phases)
{
    const struct net_topology *topology = routing->topology;
    uint32_t straight = 2 * topology->grid->dimensions;
    for (uint32_t port = 0; port < straight; port++)
        phases->hop[port] = (port & 1 ? UINT32_MAX : 1) << routing->shift[port / 2];
    for (uint32_t port = straight; port < topology->ports; port++) {
        bool z = (topology->grid->diagonals & NET_DIAGONAL_Z) != 0 && port < straight + 2;
        uint32_t x = phases->hop[port & 1], y = phases->hop[2 + (z ? port & 1 : !(port & 1))];
        phases->hop[port] = x + y;
    }
}

/* Halves of the virtual channels: with an odd number the second phase gets one more, since everything
 * passes it, while a packet whose intermediate router is its source skips the first. */
int net_two_phase_prepare(struct net_routing *routing, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    struct net_two_phase *phases = base_arena_alloc(&routing->arena, sizeof *phases);
    uint32_t bit = 0, first = routing->virtual_channels / 2;
    if (phases == NULL)
        return base_error_memory(error, "a routing of two phases");
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        routing->shift[d] = bit;
        bit += field_width(topology->grid->sides[d]);
        if (bit > 32)
            return base_error_set(error, BASE_USAGE, "routing '%s': '%s' has too many or too long sides",
                                  routing->kind->name, topology->text);
        phases->arrived |= UINT32_C(1) << (bit - 1);
        for (uint32_t i = routing->shift[d]; i < bit; i++)
            routing->dimension_of_bit[i] = (uint8_t)d;
    }
    routing->shift[topology->grid->dimensions] = bit;
    routing->arrived = (uint64_t)phases->arrived << 32 | phases->arrived;
    fill_hops(routing, phases);
    phases->channels[0] = (UINT32_C(1) << first) - 1;
    phases->channels[1] = (UINT32_MAX >> (32 - routing->virtual_channels)) & ~phases->channels[0];
    routing->data = phases;
    return 0;
}

/* Modulo 2^32: a field that goes below its bias borrows from nothing, since displacements are shorter than
 * it. */
static uint32_t pack(const struct net_routing *routing, const int32_t *displacements)
{
    const struct net_two_phase *phases = routing->data;
    uint32_t half = phases->arrived;
    for (uint32_t d = 0; d < routing->topology->grid->dimensions; d++)
        half += (uint32_t)displacements[d] << routing->shift[d];
    return half;
}

/* The first phase in the low half, which is where route and step look first. */
uint64_t net_two_phase_pack(const struct net_routing *routing, const int32_t *first, const int32_t *second)
{
    return (uint64_t)pack(routing, second) << 32 | pack(routing, first);
}

/* Along the longer displacement while there is a diagonal that will do the rest, then diagonally. Where none
 * leads the right way, X goes before Y. */
static uint32_t diagonal_port(const struct net_topology *topology, int32_t dx, int32_t dy)
{
    uint32_t left = dx < 0, down = dy < 0;
    uint32_t across = (uint32_t)(left ? -dx : dx), along = (uint32_t)(down ? -dy : dy);
    uint32_t diagonal = left == down ? NET_DIAGONAL_Z : NET_DIAGONAL_T;
    bool helps = dx != 0 && dy != 0 && (topology->grid->diagonals & diagonal) != 0;
    if (helps && across == along)
        return 4 + left + (topology->ports == 8 && diagonal == NET_DIAGONAL_T ? 2 : 0);
    if (helps ? across > along : dx != 0)
        return left;
    return 2 + down;
}

/* The next port of a displacement that is not done. */
static uint32_t next_port(const struct net_routing *routing, uint32_t half, uint32_t to_go)
{
    const uint32_t *shift = routing->shift;
    if (routing->topology->grid->diagonals == 0) {
        uint32_t d = routing->dimension_of_bit[__builtin_ctz(to_go)];
        return 2 * d + !(half >> (shift[d + 1] - 1) & 1);
    }
    int32_t bias_x = (int32_t)1 << (shift[1] - 1), bias_y = (int32_t)1 << (shift[2] - shift[1] - 1);
    return diagonal_port(routing->topology, (int32_t)(half & ((UINT32_C(1) << shift[1]) - 1)) - bias_x,
                         (int32_t)(half >> shift[1]) - bias_y);
}

/* A phase is over when its displacement is used up; the packet then asks for the other half of the
 * channels at the same router, and has arrived when both are used up. */
uint32_t net_two_phase_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    const struct net_two_phase *phases = routing->data;
    uint32_t half = (uint32_t)header, phase = half == phases->arrived;
    (void)router;
    half = phase ? (uint32_t)(header >> 32) : half;
    uint32_t to_go = half ^ phases->arrived;
    if (to_go == 0)
        return 0;
    route->ports[0] = UINT64_C(1) << next_port(routing, half, to_go);
    route->virtual_channels[0] = phases->channels[phase];
    return 1;
}

/* Takes the hop off the half in force. The low half is computed apart, so that nothing carries into the
 * high one. */
uint64_t net_two_phase_step(const struct net_routing *routing, uint32_t router, uint64_t header,
                            uint32_t port)
{
    const struct net_two_phase *phases = routing->data;
    uint32_t half = (uint32_t)header;
    (void)router;
    if (half == phases->arrived)
        return header - ((uint64_t)phases->hop[port] << 32);
    return (header >> 32 << 32) | (half - phases->hop[port]);
}
