/* Headers and halves of rings for the routings of k-ary m-way networks. A header on rings is a record as on
 * meshes: a field for each dimension with the hops that are left, biased so that it is never negative. Routes are
 * asked for so often that all of it is arithmetic on whole words and look-ups of bytes:
 *
 *     struct ring     a dimension: its field, what a hop adds, what is known of each coordinate and displacement
 *     struct halves   all of them, with the coordinates of every channel */
#include "netmodel/mway/routing.h"

#include "netmodel/specification.h"

/* The ring of a dimension, as a header sees it. */
struct ring {
    uint32_t split, side, shift;
    int32_t bias, tie; /* of the header's field; displacement that is half of an even ring, else INT32_MAX */
    uint64_t field;    /* mask of the field, from bit 0 on */
    uint64_t mask, tied; /* of a header: the field; what is there of a tie, all bits if there is none */
    /* [back][tied] what a hop adds to a header; back, a tied one is a ring less than it was */
    uint64_t hop[2][2];
    /* [coordinate + displacement], -side .. 2 side - 1: in bits 0 and 1 whether the next and the last
     * coordinate are in the upper half; in bits 2 and 3 twice whether this one is in the lower half, to be
     * compared with those */
    const uint8_t *half;
};

/* Coordinates are kept, since a division takes longer than all the rest of a route, and so are halves by
 * displacement, since going round the ring by comparisons does, too. */
struct halves {
    struct net_mway_classes classes;
    const uint32_t *coordinates; /* [channel * dimensions + d] */
    size_t dimensions;
    uint64_t ties; /* the header that has half of every even ring to go */
    struct ring rings[NET_DIMENSIONS_MAX];
};

const char *const net_mway_ring_keys[] = {"split", NULL};

/* Meshes have nothing of their own to prepare: records are laid out by the sides alone. */
int net_mway_prepare(struct net_routing *routing, const struct net_specification *specification,
                     struct base_error *error)
{
    (void)specification;
    routing->bubble_channels = 0;
    routing->uniform = true;
    return net_record_prepare(routing, false, error);
}

/* A routing that needs three buffers at least has three classes, one that needs
 * two has no adaptive ones (mway.h). Once and for all, since every
 * header asks. */
static struct net_mway_classes divide(const struct net_routing *routing)
{
    uint32_t buffers = routing->virtual_channels;
    uint32_t all = net_mway_lowest(buffers);
    uint32_t low = (buffers + 1) / 2;
    uint32_t high = buffers - low;
    if (routing->kind->virtual_channels == 3)
        low = high = buffers < 8 ? 1 : buffers / 4;
    return (struct net_mway_classes){.low = net_mway_lowest(low),
                                     .high = net_mway_lowest(low + high) & ~net_mway_lowest(low),
                                     .adaptive = all & ~net_mway_lowest(low + high)};
}

/* Half of the side unless it is said. Halves of very different size are legal
 * here, but deadlock: that is what the static check is for. */
static int read_split(const struct net_topology *topology, const struct net_specification *specification,
                      struct halves *halves, struct base_error *error)
{
    uint64_t split = 0;
    if (net_specification_unsigned(specification, "split", 1, NET_TERMINALS_MAX, &split, error) != 0)
        return -1;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t at = split != 0 ? (uint32_t)split : topology->grid->sides[d] / 2;
        if (at >= topology->grid->sides[d])
            return base_error_set(error, BASE_USAGE,
                                  "routing '%.80s': split=%u leaves no upper half of %u channels",
                                  specification->text, at, topology->grid->sides[d]);
        halves->rings[d].split = at;
    }
    return 0;
}

/* What is looked up of a coordinate on a ring: see struct ring. */
static uint8_t half_of(uint32_t coordinate, uint32_t side, uint32_t split)
{
    uint32_t next = (coordinate + 1) % side >= split, last = (coordinate + side - 1) % side >= split;
    return (uint8_t)(next | last << 1 | (coordinate % side < split ? 12 : 0));
}

/* What routes look up of a dimension. Headers must have been laid out. -1: memory. `half` has three sides of
 * entries, and the pointer stands behind the first: a coordinate plus a displacement may be up to a ring below 0
 * or above the last. */
static int prepare_ring(struct net_routing *routing, struct halves *halves, uint32_t d)
{
    uint32_t side = routing->topology->grid->sides[d], width = routing->shift[d + 1] - routing->shift[d];
    struct ring *ring = &halves->rings[d];
    uint8_t *half = base_arena_array(&routing->arena, 3 * (size_t)side, sizeof *half);
    if (half == NULL)
        return -1;
    for (uint32_t i = 0; i < 3 * side; i++)
        half[i] = half_of(i, side, ring->split);
    ring->half = half + side;
    ring->side = side;
    ring->shift = routing->shift[d];
    ring->field = UINT64_MAX >> (64 - width);
    ring->bias = (int32_t)(UINT32_C(1) << (width - 1));
    ring->tie = side % 2 == 0 ? (int32_t)(side / 2) : INT32_MAX;
    /* Of an odd ring no field is tied: 0 would be more than a ring to go. */
    uint64_t tied = side % 2 == 0 ? (uint64_t)ring->bias + side / 2 : 0, one = UINT64_C(1) << ring->shift;
    ring->mask = ring->field << ring->shift;
    ring->tied = side % 2 == 0 ? tied << ring->shift : UINT64_MAX;
    ring->hop[0][0] = ring->hop[0][1] = 0 - one;
    ring->hop[1][0] = one;
    ring->hop[1][1] = one - (uint64_t)side * one;
    halves->ties = (halves->ties & ~ring->mask) | tied << ring->shift;
    return 0;
}

/* Coordinates of all channels are kept, since every header asks for those of two; a tie between the halves of a ring is
 * broken by the split, which is the same for all packets of a pair. All is in the routing's arena, and goes with
 * it. */
int net_mway_prepare_rings(struct net_routing *routing, const struct net_specification *specification,
                           struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    struct halves *halves = base_arena_alloc(&routing->arena, sizeof *halves);
    uint32_t *coordinates = base_arena_array(
        &routing->arena, (size_t)topology->routers * topology->grid->dimensions, sizeof *coordinates);
    if (halves == NULL || coordinates == NULL)
        return base_error_memory(error, "the halves of rings");
    for (uint32_t channel = 0; channel < topology->routers; channel++)
        net_topology_coordinates(topology, channel,
                                 coordinates + (size_t)channel * topology->grid->dimensions);
    *halves = (struct halves){.coordinates = coordinates,
                              .dimensions = topology->grid->dimensions,
                              .classes = divide(routing),
                              .ties = UINT64_MAX};
    routing->data = halves;
    if (read_split(topology, specification, halves, error) != 0 ||
        net_mway_prepare(routing, specification, error) != 0)
        return -1;
    routing->uniform = false;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        if (prepare_ring(routing, halves, d) < 0)
            return base_error_memory(error, "the halves of rings");
    return 0;
}

/* ---- ways of equal length round a ring ---- */

/* One header for both ways: what is half of a ring away is so in the positive direction. */
uint32_t net_mway_ring_variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    (void)routing;
    (void)a;
    (void)b;
    return 1;
}

/* The shorter way round each ring: no division and no branch, of which a processor would foresee few. */
uint64_t net_mway_ring_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct halves *halves = routing->data;
    uint32_t dimensions = routing->topology->grid->dimensions;
    const uint32_t *from = halves->coordinates + (size_t)a * dimensions;
    const uint32_t *to = halves->coordinates + (size_t)b * dimensions;
    uint64_t header = routing->arrived;
    (void)variant;
    for (uint32_t d = 0; d < dimensions; d++) {
        int32_t side = (int32_t)halves->rings[d].side, away = (int32_t)to[d] - (int32_t)from[d];
        away += side & -(int32_t)(2 * away <= -side);
        away -= side & -(int32_t)(2 * away > side);
        header += (uint64_t)(int64_t)away << halves->rings[d].shift;
    }
    return header;
}

/* Hops to go along a ring, negative ones back. */
static inline int32_t displacement(const struct ring *ring, uint64_t header)
{
    return (int32_t)(header >> ring->shift & ring->field) - ring->bias;
}

/* With the first hop of a tie the way is chosen. */
uint64_t net_mway_ring_step(const struct net_routing *routing, uint32_t router, uint64_t header,
                            uint32_t port)
{
    const struct halves *halves = routing->data;
    const struct ring *ring = &halves->rings[port / 2];
    (void)router;
    return header + ring->hop[port & 1][(header & ring->mask) == ring->tied];
}

/* Fields of any width, as in net_record_ports. */
static uint64_t ties_of(const struct net_routing *routing, uint64_t header)
{
    const struct halves *halves = routing->data;
    uint64_t ports = 0;
    for (uint32_t d = 0; d < routing->topology->grid->dimensions; d++)
        ports |= (uint64_t)(displacement(&halves->rings[d], header) == halves->rings[d].tie) << (2 * d + 1);
    return ports;
}

/* A tied field is positive, so that the way back is to be added. In lanes: that of which nothing differs from
 * the tie. */
uint64_t net_mway_ring_ports(const struct net_routing *routing, uint64_t header)
{
    const struct halves *halves = routing->data;
    uint64_t ports = net_record_ports(routing, header);
    if (!routing->lanes)
        return ports | ties_of(routing, header);
    uint64_t away = header ^ halves->ties;
    uint64_t tied = ~(((away & ~NET_RECORD_MIDDLES) + ~NET_RECORD_MIDDLES) | away) & NET_RECORD_MIDDLES;
    return ports | ((tied >> 14) * UINT64_C(0x0001000400100040) >> 48 & 0xff);
}

/* Bits 2 and 3 of the byte are equal, so that shifting leaves 0 or 3. */
bool net_mway_same_half(const struct net_routing *routing, uint32_t dimension, uint32_t a, uint32_t b)
{
    const struct halves *halves = routing->data;
    return halves->rings[dimension].half[a] >> 2 == halves->rings[dimension].half[b] >> 2;
}

/* Made once, in prepare. */
const struct net_mway_classes *net_mway_classes_of(const struct net_routing *routing)
{
    const struct halves *halves = routing->data;
    return &halves->classes;
}

/* In the half of its destination a message relies on high buffers alone,
 * although it may take low ones as well: with both to rely on, low ones would
 * seem to close the ring. Of two ways of equal length round a ring each has
 * the buffers that it would have alone: high ones if the channel that the set
 * drives is in the half of the destination. The first field that differs from
 * an arrived header's is that of dimension order. */
uint32_t net_mway_ring_tiers(const struct net_routing *routing, uint32_t channel, uint64_t header,
                             struct net_route *route, uint32_t tier)
{
    const struct halves *halves = routing->data;
    uint32_t d = routing->dimension_of_bit[__builtin_ctzll(header ^ routing->arrived)];
    const struct ring *ring = &halves->rings[d];
    const uint8_t *half = ring->half + halves->coordinates[channel * halves->dimensions + d];
    int32_t away = displacement(ring, header);
    uint64_t ways = (1 + (uint32_t)(away < 0)) | (uint32_t)(away == ring->tie) << 1;
    uint64_t high = ways & (uint32_t)(half[0] ^ half[away] >> 2);
    route->ports[tier] = ways << 2 * d;
    route->ports[tier + 1] = high << 2 * d;
    route->virtual_channels[tier] = halves->classes.low;
    route->virtual_channels[tier + 1] = halves->classes.high;
    return tier + 1 + (high != 0);
}
