/* Making records: once a packet, so plainly. Walking them is in record.h. */
#include "netmodel/routings/record.h"

#include <string.h>

#include "netmodel/topologies/grid.h"

/* ceil(log2(side)) + 1: one bit for the sign, the rest for up to side - 1. */
static uint32_t field_width(uint32_t side)
{
    uint32_t width = 1;
    while ((UINT64_C(1) << (width - 1)) < side)
        width++;
    return width;
}

/* Sides of 1 have been dropped; a topology of one router has none, and 1 stands for it. */
static uint32_t longest_side(const struct net_topology *topology)
{
    uint32_t longest = 1;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        if (topology->grid->sides[d] > longest)
            longest = topology->grid->sides[d];
    return longest;
}

/* A shortest record has no more diagonal hops than the shorter side; up to 2^24 routers that always fits. */
static uint32_t width_of(const struct net_topology *topology, uint32_t field)
{
    uint32_t shorter = topology->grid->sides[0] < topology->grid->sides[1] ? topology->grid->sides[0]
                                                                           : topology->grid->sides[1];
    return field_width(field < topology->grid->dimensions ? topology->grid->sides[field] : shorter);
}

/* Lanes of 16 bits hold parts of up to 2^15 - 1, and a part is at most a side, or less than twice that
 * where a routing misroutes: 2^14 is on the safe side of all of them. */
int net_record_prepare(struct net_routing *routing, bool wide, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint32_t fields = topology->ports / 2, bit = 0;
    bool fits = longest_side(topology) <= UINT32_C(1) << 14;
    routing->lanes = fields <= 4 && fits;
    if (wide && !routing->lanes)
        return base_error_set(error, BASE_USAGE, "routing '%s' takes sides of at most %u, not those of '%s'",
                              routing->kind->name, UINT32_C(1) << 14, topology->text);
    for (uint32_t field = 0; field < fields; field++) {
        uint32_t end = bit + (routing->lanes ? 16 : width_of(topology, field));
        routing->shift[field] = bit;
        routing->arrived |= UINT64_C(1) << (end - 1);
        while (bit < end)
            routing->dimension_of_bit[bit++] = (uint8_t)field;
    }
    routing->shift[fields] = bit;
    /* Lanes that no port uses are at their middle for ever. */
    if (routing->lanes)
        routing->arrived = NET_RECORD_MIDDLES;
    return 0;
}

/* The sign of a diagonal is that of its x part: Z+ = (1,1), T+ = (1,-1). */
void net_record_of(const struct net_topology *topology, const int32_t *displacements, int32_t *record)
{
    memset(record, 0, topology->ports / 2 * sizeof *record);
    memcpy(record, displacements, topology->grid->dimensions * sizeof *record);
    if (topology->grid->diagonals == 0)
        return;
    int32_t x = record[0] < 0 ? -1 : 1, y = record[1] < 0 ? -1 : 1;
    int32_t across = x * record[0], along = y * record[1], both = across < along ? across : along;
    uint32_t diagonal = x == y ? NET_DIAGONAL_Z : NET_DIAGONAL_T;
    if (both == 0 || (topology->grid->diagonals & diagonal) == 0)
        return;
    record[0] = x * (across - both);
    record[1] = y * (along - both);
    record[topology->grid->diagonals == (NET_DIAGONAL_Z | NET_DIAGONAL_T) && diagonal == NET_DIAGONAL_T ? 3
                                                                                                        : 2] =
        x * both;
}

/* An addition for each part: a biased field never carries into the next one. */
uint64_t net_record_pack(const struct net_routing *routing, const int32_t *record)
{
    uint64_t header = routing->arrived;
    for (uint32_t field = 0; field < routing->topology->ports / 2; field++)
        header += (uint64_t)(int64_t)record[field] << routing->shift[field];
    return header;
}

/* Diagonal networks choose the ways round both dimensions together, the others apart. */
static bool together(const struct net_topology *topology)
{
    return topology->grid->diagonals == NET_DIAGONAL_Z || topology->grid->diagonals == NET_DIAGONAL_T;
}

/* One question for all grids, whichever way they count their equally long ways round. */
uint32_t net_record_variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    if (together(routing->topology))
        return net_grid_diagonal_variants(routing->topology, a, b);
    return net_grid_variants(routing->topology, a, b);
}

/* Coordinates and divisions: once a packet, and never on the way. */
void net_record_between(const struct net_topology *topology, uint32_t a, uint32_t b, uint32_t variant,
                        int32_t *record)
{
    int32_t displacements[NET_DIMENSIONS_MAX] = {0};
    if (together(topology))
        net_grid_diagonal_displacements(topology, a, b, variant, displacements);
    else
        net_grid_displacements(topology, a, b, variant, displacements);
    net_record_of(topology, displacements, record);
}

/* The start function of every routing whose headers are shortest records. */
uint64_t net_record_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    int32_t record[NET_DIMENSIONS_MAX] = {0};
    net_record_between(routing->topology, a, b, variant, record);
    return net_record_pack(routing, record);
}

/* The same as in lanes, a field at a time. */
uint64_t net_record_ports_narrow(const struct net_routing *routing, uint64_t header)
{
    uint64_t ports = 0, to_go = header ^ routing->arrived;
    while (to_go != 0) {
        uint32_t field = routing->dimension_of_bit[__builtin_ctzll(to_go)], end = routing->shift[field + 1];
        ports |= UINT64_C(2) >> (header >> (end - 1) & 1) << (2 * field);
        to_go = end < 64 ? to_go >> end << end : 0;
    }
    return ports;
}

/* The lowest port of a record is the hop of dimension order, which makes it the escape. */
uint32_t net_record_adaptive_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                                   struct net_route *route)
{
    uint64_t ports = net_record_ports(routing, header);
    (void)router;
    return net_record_escape(routing, ports, ports & -ports, route);
}

/* The same in every router. */
uint64_t net_record_next(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)router;
    return net_record_step(routing, header, port);
}
