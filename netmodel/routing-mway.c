/* Headers and halves of rings for the routings of k-ary m-way networks. */
#include "netmodel/routing-mway.h"

#include "netmodel/specification.h"

/* Coordinates are kept, since a header that waits is asked for again and again,
 * and a division takes longer than all the rest of a route. */
struct halves {
    struct net_mway_classes classes;
    uint32_t split[NET_DIMENSIONS_MAX];
    uint64_t tie[NET_DIMENSIONS_MAX]; /* field of a header that has half of an even ring to go */
    const uint32_t *coordinates; /* [channel * dimensions + d] */
};

const char *const net_mway_ring_keys[] = {"split", NULL};

int net_mway_prepare(struct net_routing *routing, const struct net_specification *specification,
                     struct base_error *error)
{
    (void)specification;
    routing->bubble_channels = 0;
    routing->uniform = true;
    return net_record_prepare(routing, false, error);
}

/* A routing that needs three buffers at least has three classes, one that needs
 * two has no adaptive ones (routing-mway.h). Once and for all, since every
 * header asks. */
static struct net_mway_classes divide(const struct net_routing *routing)
{
    uint32_t buffers = routing->virtual_channels, all = net_mway_lowest(buffers), low = (buffers + 1) / 2,
             high = buffers - low;
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
    for (uint32_t d = 0; d < topology->dimensions; d++) {
        halves->split[d] = split != 0 ? (uint32_t)split : topology->sides[d] / 2;
        if (halves->split[d] >= topology->sides[d])
            return base_error_set(error, BASE_USAGE,
                                  "routing '%.80s': split=%u leaves no upper half of %u channels",
                                  specification->text, halves->split[d], topology->sides[d]);
    }
    return 0;
}

int net_mway_prepare_rings(struct net_routing *routing, const struct net_specification *specification,
                           struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    struct halves *halves = base_arena_alloc(&routing->arena, sizeof *halves);
    uint32_t *coordinates = base_arena_array(
        &routing->arena, (size_t)topology->routers * topology->dimensions, sizeof *coordinates);
    if (halves == NULL || coordinates == NULL)
        return base_error_memory(error, "the halves of rings");
    for (uint32_t channel = 0; channel < topology->routers; channel++)
        net_topology_coordinates(topology, channel, coordinates + (size_t)channel * topology->dimensions);
    halves->coordinates = coordinates;
    halves->classes = divide(routing);
    routing->data = halves;
    if (read_split(topology, specification, halves, error) != 0 ||
        net_mway_prepare(routing, specification, error) != 0)
        return -1;
    routing->uniform = false;
    for (uint32_t d = 0; d < topology->dimensions; d++) {
        uint32_t side = topology->sides[d], width = routing->shift[d + 1] - routing->shift[d];
        halves->tie[d] = side % 2 == 0 ? (UINT64_C(1) << (width - 1)) + side / 2 : UINT64_MAX;
    }
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

uint64_t net_mway_ring_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct net_topology *topology = routing->topology;
    int32_t record[NET_DIMENSIONS_MAX] = {0};
    net_record_between(topology, a, b, variant, record);
    for (uint32_t d = 0; d < topology->dimensions; d++)
        if (2 * record[d] == -(int32_t)topology->sides[d])
            record[d] = -record[d];
    return net_record_pack(routing, record);
}

/* Whether both ways round the ring of a dimension are equally long for the header. */
static inline bool is_tied(const struct net_routing *routing, uint64_t header, uint32_t dimension)
{
    const struct halves *halves = routing->data;
    uint32_t shift = routing->shift[dimension], width = routing->shift[dimension + 1] - shift;
    return (header >> shift & (UINT64_MAX >> (64 - width))) == halves->tie[dimension];
}

/* With the first hop the way is chosen: back, it is a ring less than it was. */
uint64_t net_mway_ring_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)router;
    if (port % 2 == 1 && is_tied(routing, header, port / 2))
        header -= (uint64_t)routing->topology->sides[port / 2] << routing->shift[port / 2];
    return net_record_step(routing, header, port);
}

uint64_t net_mway_ring_ports(const struct net_routing *routing, uint64_t header)
{
    uint64_t ports = net_record_ports(routing, header);
    for (uint64_t ahead = ports & UINT64_C(0x5555555555555555); ahead != 0; ahead &= ahead - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(ahead);
        ports |= (uint64_t)is_tied(routing, header, port / 2) << (port + 1);
    }
    return ports;
}

/* A coordinate moved along its ring by less than a whole round. */
static inline uint32_t moved(uint32_t coordinate, int32_t displacement, uint32_t side)
{
    int32_t to = (int32_t)coordinate + displacement;
    to += to < 0 ? (int32_t)side : 0;
    return (uint32_t)to - (to >= (int32_t)side ? side : 0);
}

/* Whether the channel that the set behind this port drives is in the half of
 * the destination. The displacement is the header's field less its bias, the
 * field's highest bit. */
static inline bool ends_in_half(const struct net_routing *routing, uint32_t channel, uint64_t header,
                                uint32_t port)
{
    const struct net_topology *topology = routing->topology;
    const struct halves *halves = routing->data;
    uint32_t d = port / 2, width = routing->shift[d + 1] - routing->shift[d], side = topology->sides[d];
    uint64_t field = header >> routing->shift[d] & (UINT64_MAX >> (64 - width));
    int32_t displacement = (int32_t)((int64_t)field - (INT64_C(1) << (width - 1)));
    uint32_t at = halves->coordinates[(size_t)channel * topology->dimensions + d];
    uint32_t next = moved(at, 1 - 2 * (int32_t)(port % 2), side), target = moved(at, displacement, side);
    return (next < halves->split[d]) == (target < halves->split[d]);
}

bool net_mway_same_half(const struct net_routing *routing, uint32_t dimension, uint32_t a, uint32_t b)
{
    const struct halves *halves = routing->data;
    return (a < halves->split[dimension]) == (b < halves->split[dimension]);
}

const struct net_mway_classes *net_mway_classes_of(const struct net_routing *routing)
{
    const struct halves *halves = routing->data;
    return &halves->classes;
}

/* In the half of its destination a message relies on high buffers alone,
 * although it may take low ones as well: with both to rely on, low ones would
 * seem to close the ring. Of two ways of equal length round a ring each has
 * the buffers that it would have alone. */
uint32_t net_mway_ring_tiers(const struct net_routing *routing, uint32_t channel, uint64_t header,
                             uint64_t ports, const struct net_mway_classes *classes, struct net_route *route,
                             uint32_t tier)
{
    uint32_t first = (uint32_t)__builtin_ctzll(ports), dimension = first / 2;
    uint64_t ways = ports & UINT64_C(3) << 2 * dimension, high = 0;
    for (uint64_t left = ways; left != 0; left &= left - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(left);
        high |= (uint64_t)ends_in_half(routing, channel, header, port) << port;
    }
    route->ports[tier] = ways;
    route->ports[tier + 1] = high;
    route->virtual_channels[tier] = classes->low;
    route->virtual_channels[tier + 1] = classes->high;
    return tier + 1 + (high != 0);
}
