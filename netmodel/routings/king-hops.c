/* The table is made from distances, not from the case analysis of the thesis (section 2.4), so that it
 * holds where that does not: half-way round a ring both ways are near, and in a rectangular torus hops along
 * the short side are free while the long one is far from done, so that a packet may go round it. */
#include "netmodel/routings/king-hops.h"

#include "netmodel/topologies/grid.h"
#include "netmodel/routings/record.h"

#define TABLE_BITS_MAX 26

static const int32_t vector[8][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1}, {1, -1}, {-1, 1}};

/* The displacement the nearest way round. */
static int32_t nearest(const struct net_topology *topology, uint32_t d, int32_t displacement)
{
    int32_t side = (int32_t)topology->grid->sides[d];
    if (!topology->grid->wraps)
        return displacement;
    displacement %= side;
    if (2 * displacement > side)
        return displacement - side;
    return 2 * displacement <= -side ? displacement + side : displacement;
}

/* King distance: the largest of the displacements, each the nearest way round. Of a displacement, not of
 * two routers, since the table has one entry for each and no routers. */
static int32_t distance(const struct net_topology *topology, const int32_t *displacements)
{
    int32_t largest = 0;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        int32_t apart = nearest(topology, d, displacements[d]);
        apart = apart < 0 ? -apart : apart;
        largest = apart > largest ? apart : largest;
    }
    return largest;
}

/* Ports of the record; where both ways round are equally long, those of either. */
static uint8_t record_ports(const struct net_topology *topology, const int32_t *displacements)
{
    uint32_t ports = 0;
    for (uint32_t variant = 0; variant < 4; variant++) {
        int32_t way[2] = {0, 0};
        int32_t record[4];
        for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
            bool tied = topology->grid->wraps &&
                        2 * nearest(topology, d, displacements[d]) == (int32_t)topology->grid->sides[d];
            way[d] = nearest(topology, d, displacements[d]);
            way[d] = tied && (variant >> d & 1) ? -way[d] : way[d];
        }
        net_record_of(topology, way, record);
        for (uint32_t i = 0; i < topology->ports / 2; i++)
            ports |= (record[i] != 0 ? 1u : 0u) << (2 * i + (record[i] < 0));
    }
    return (uint8_t)ports;
}

/* Which ports help is tried out, port by port. An entry that no header can reach (beyond a mesh) is filled
 * all the same: it costs nothing, and a bound to check would be one more thing to get wrong. */
static struct net_king_hop make_hop(const struct net_topology *topology, const int32_t *displacements)
{
    struct net_king_hop hop = {0, record_ports(topology, displacements)};
    int32_t here = distance(topology, displacements);
    for (uint32_t port = 0; port < topology->ports; port++) {
        int32_t after[2] = {displacements[0] - vector[port][0], displacements[1] - vector[port][1]};
        if (distance(topology, after) < here)
            hop.nearer = (uint8_t)(hop.nearer | 1u << port);
    }
    return hop;
}

/* A field for each dimension: -side … side - 1 in a mesh, 0 … side - 1 in a torus. */
static uint32_t lay_out(struct net_routing *routing)
{
    const struct net_topology *topology = routing->topology;
    uint32_t bit = 0;
    for (uint32_t d = 0; d < 2; d++) {
        routing->shift[d] = bit;
        while (d < topology->grid->dimensions &&
               UINT64_C(1) << (bit - routing->shift[d]) < topology->grid->sides[d])
            bit++;
        if (topology->grid->wraps)
            continue;
        routing->arrived |= UINT64_C(1) << bit;
        bit++;
    }
    routing->shift[2] = bit;
    return bit;
}

/* The header counts through the table, so entries are made in its order. A table of more than a few
 * hundred megabytes is refused: only a king network of many millions of routers would need it. */
static int fill_hops(struct net_routing *routing, struct net_king_hops *hops, struct base_error *error)
{
    uint32_t bits = lay_out(routing);
    struct net_king_hop *table;
    if (bits > TABLE_BITS_MAX)
        return base_error_set(error, BASE_USAGE, "routing '%s': '%s' is too large for its table",
                              routing->kind->name, routing->topology->text);
    table = base_arena_array(&routing->arena, (size_t)1 << bits, sizeof *table);
    if (table == NULL)
        return base_error_memory(error, "a table of hops");
    for (uint64_t header = 0; header >> bits == 0; header++) {
        uint64_t x = header & ((UINT64_C(1) << routing->shift[1]) - 1), y = header >> routing->shift[1];
        uint64_t middle_x = routing->arrived & ((UINT64_C(1) << routing->shift[1]) - 1);
        int32_t displacements[2] = {(int32_t)(x - middle_x),
                                    (int32_t)(y - (routing->arrived >> routing->shift[1]))};
        table[header] = make_hop(routing->topology, displacements);
    }
    hops->hops = table;
    return 0;
}

/* Which ports have links: one entry will do for a torus. */
static int fill_borders(struct net_routing *routing, struct net_king_hops *hops, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint8_t *borders = base_arena_array(&routing->arena, topology->grid->wraps ? 1 : topology->routers, 1);
    if (borders == NULL)
        return base_error_memory(error, "the borders of a mesh");
    hops->mask = topology->grid->wraps ? 0 : UINT32_MAX;
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        borders[link->source & hops->mask] |= (uint8_t)(1u << link->port);
    }
    hops->borders = borders;
    return 0;
}

/* Taking off one is adding all but one of a round, in a torus; in a mesh one less, whatever the width. */
static void fill_steps(const struct net_topology *topology, struct net_king_hops *hops)
{
    for (uint32_t d = 0; d < 2; d++) {
        hops->round[d] = topology->grid->wraps
                             ? (d < topology->grid->dimensions ? topology->grid->sides[d] : 1)
                             : 1u << 31;
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t back = topology->grid->wraps ? hops->round[d] - 1 : UINT32_MAX;
            hops->step[port][d] = vector[port][d] == 0 ? 0 : vector[port][d] < 0 ? 1 : back;
        }
    }
}

/* Tables first, then what depends on their layout. Adaptive channels close no ring that must keep moving,
 * so only channel 0 is under the bubble rule. */
int net_king_hops_prepare(struct net_routing *routing, const struct net_specification *specification,
                          struct base_error *error)
{
    struct net_king_hops *hops = base_arena_alloc(&routing->arena, sizeof *hops);
    (void)specification;
    if (hops == NULL)
        return base_error_memory(error, "a table of hops");
    if (fill_hops(routing, hops, error) != 0 || fill_borders(routing, hops, error) != 0)
        return -1;
    hops->shift = routing->shift[1];
    hops->x_mask = (UINT32_C(1) << hops->shift) - 1;
    fill_steps(routing->topology, hops);
    routing->data = hops;
    routing->bubble_channels = 1;
    routing->uniform = routing->topology->grid->wraps;
    return 0;
}

/* No ties are drawn at the source: an adaptive router decides them hop by hop, by what has room. */
uint32_t net_king_hops_variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    (void)routing, (void)a, (void)b;
    return 1;
}

/* In a torus a negative displacement is the rest of the round, as the header counts in one direction only. */
uint64_t net_king_hops_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct net_king_hops *hops = routing->data;
    int32_t displacements[NET_DIMENSIONS_MAX] = {0};
    (void)variant;
    net_grid_displacements(routing->topology, a, b, 0, displacements);
    for (uint32_t d = 0; d < 2 && routing->topology->grid->wraps; d++)
        displacements[d] += displacements[d] < 0 ? (int32_t)hops->round[d] : 0;
    return routing->arrived + ((uint64_t)(int64_t)displacements[1] << routing->shift[1]) +
           (uint64_t)(int64_t)displacements[0];
}

/* Both fields at once, without division: after one hop a field is less than two rounds. */
uint64_t net_king_hops_step(const struct net_routing *routing, uint32_t router, uint64_t header,
                            uint32_t port)
{
    const struct net_king_hops *hops = routing->data;
    uint32_t x = ((uint32_t)header & hops->x_mask) + hops->step[port][0];
    uint32_t y = (uint32_t)(header >> hops->shift) + hops->step[port][1];
    (void)router;
    x -= x >= hops->round[0] ? hops->round[0] : 0;
    y -= y >= hops->round[1] ? hops->round[1] : 0;
    return (uint64_t)y << hops->shift | x;
}
