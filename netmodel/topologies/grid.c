/* One builder for the whole family: a kind says whether it wraps and whether it has diagonals, the rest
 * follows from the list of directions in the model's port order. Distances need no search either: the
 * shortest path along one dimension does not depend on the others, so a network's distances are the sum
 * (straight links) or the maximum (a diagonal hop serves two dimensions at once) of one-dimensional ones, and
 * the same holds for their histograms.
 *
 * A router's number counts its coordinates with the first dimension fastest. Where both ways round a torus
 * are equally long (a tie), each combination of choices is a variant, numbered by one bit for each tied
 * dimension. */
#include "netmodel/topologies/grid.h"

#include <string.h>

#include "netmodel/specification.h"

#define RECIPROCAL_BITS 40

const char *const net_grid_keys[] = {"concentration", "widths", NULL};
const char *const net_grid_diagonal_keys[] = {"concentration", "diagonal", "widths", NULL};

/* Where a port leads: one step along one dimension, or along two at once. */
struct direction {
    uint32_t dimensions[2];
    uint32_t count;
    int32_t steps[2];
};

/* A number n below 2^24 times the rounded reciprocal of a side is above n * 2^40 / side by n at most: as long as
 * n * side stays below 2^40 the digits before the point are those of n / side. */
static void set_reciprocals(struct net_grid *grid, uint32_t routers)
{
    for (uint32_t d = 0; d < grid->dimensions; d++)
        if ((uint64_t)routers * grid->sides[d] < UINT64_C(1) << RECIPROCAL_BITS)
            grid->reciprocals[d] = (UINT64_C(1) << RECIPROCAL_BITS) / grid->sides[d] + 1;
}

/* Sides of 1 add neither routers nor links, so they are dropped here and nothing behind this sees them. The
 * product is checked after every factor: before the next multiplication it is at most 2^24, so 64 bits cannot
 * overflow. A kind knows terminals of a router by one of two names, or by none. */
static int set_shape(struct net_topology *topology, struct net_grid *grid,
                     const struct net_specification *specification, struct base_error *error)
{
    uint64_t routers = 1, concentration = 1;
    for (uint32_t i = 0; i < specification->side_count; i++) {
        routers *= specification->sides[i];
        if (specification->sides[i] > 1 && routers <= NET_TERMINALS_MAX)
            grid->sides[grid->dimensions++] = specification->sides[i];
        if (routers > NET_TERMINALS_MAX)
            return base_error_set(error, BASE_USAGE, "topology '%.80s': more than %u routers",
                                  specification->text, NET_TERMINALS_MAX);
    }
    if (net_specification_unsigned(specification, "concentration", 1, NET_TERMINALS_MAX, &concentration,
                                   error) != 0 ||
        net_specification_unsigned(specification, "processors", 1, NET_TERMINALS_MAX, &concentration,
                                   error) != 0)
        return -1;
    if (routers * concentration > NET_TERMINALS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': %llu routers of %llu terminals are more than %u",
                              specification->text, (unsigned long long)routers,
                              (unsigned long long)concentration, NET_TERMINALS_MAX);
    topology->routers = (uint32_t)routers;
    topology->concentration = (uint32_t)concentration;
    topology->terminals = (uint32_t)(routers * concentration);
    set_reciprocals(grid, topology->routers);
    return 0;
}

/* The model's port order. Diagonals need a plane: without two dimensions a king network is a line or a ring.
 */
static uint32_t list_directions(const struct net_topology *topology,
                                struct direction directions[2 * NET_DIMENSIONS_MAX])
{
    static const struct direction diagonal[] = {
        {{0, 1}, 2, {1, 1}}, {{0, 1}, 2, {-1, -1}}, {{0, 1}, 2, {1, -1}}, {{0, 1}, 2, {-1, 1}}};
    uint32_t count = 0;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        for (int32_t step = 1; step >= -1; step -= 2)
            directions[count++] = (struct direction){{d, 0}, 1, {step, 0}};
    for (uint32_t i = 0; i < 4; i++)
        if (topology->grid->diagonals & (i < 2 ? NET_DIAGONAL_Z : NET_DIAGONAL_T))
            directions[count++] = diagonal[i];
    return count;
}

/* The router that a step from `router` (at the given coordinates) reaches; NET_NONE when it leaves a mesh. */
static uint32_t neighbour(const struct net_topology *topology, const uint32_t *strides, uint32_t router,
                          const uint32_t *coordinates, const struct direction *direction)
{
    for (uint32_t i = 0; i < direction->count; i++) {
        uint32_t d = direction->dimensions[i], last = topology->grid->sides[d] - 1, at = coordinates[d];
        bool forward = direction->steps[i] > 0;
        if (at != (forward ? last : 0))
            router = forward ? router + strides[d] : router - strides[d];
        else if (!topology->grid->wraps)
            return NET_NONE;
        else
            router = forward ? router - last * strides[d] : router + last * strides[d];
    }
    return router;
}

/* Counts like an odometer, so that walking all routers needs no division. */
static void next_coordinates(const struct net_topology *topology, uint32_t *coordinates)
{
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        if (++coordinates[d] < topology->grid->sides[d])
            return;
        coordinates[d] = 0;
    }
}

/* A dimension is a class of links, and so are the diagonals together: what is alike in length and in use. */
static void name_classes(struct net_topology *topology)
{
    static const char *const straight[NET_DIMENSIONS_MAX] = {
        "X",   "Y",   "Z",   "D4",  "D5",  "D6",  "D7",  "D8",  "D9",  "D10", "D11", "D12",
        "D13", "D14", "D15", "D16", "D17", "D18", "D19", "D20", "D21", "D22", "D23", "D24"};
    static const char *const plane[] = {"X", "Y", "diagonal"};
    bool diagonals = topology->grid->diagonals != 0;
    topology->link_classes = diagonals ? plane : straight;
    topology->link_class_count = topology->grid->dimensions + diagonals;
}

/* Diagonals of both directions are one class, numbered behind the dimensions. */
static uint16_t class_of(const struct net_topology *topology, const struct direction *direction)
{
    return (uint16_t)(direction->count > 1 ? topology->grid->dimensions : direction->dimensions[0]);
}

/* Routers in rising order and ports in rising order: the links come out sorted, as topology.h promises. One pass
 * over routers and ports, without a division. */
static void connect(struct net_topology *topology, const struct direction *directions, struct net_link *links,
                    uint32_t *link_at)
{
    uint32_t coordinates[NET_DIMENSIONS_MAX] = {0};
    uint32_t strides[NET_DIMENSIONS_MAX];
    uint32_t stride = 1;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        strides[d] = stride;
        stride *= topology->grid->sides[d];
    }
    for (uint32_t router = 0; router < topology->routers; router++) {
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint16_t class = class_of(topology, &directions[port]);
            uint32_t target = neighbour(topology, strides, router, coordinates, &directions[port]);
            *link_at++ = target == NET_NONE ? NET_NONE : topology->link_count;
            if (target != NET_NONE)
                links[topology->link_count++] =
                    (struct net_link){.source = router,
                                      .target = target,
                                      .port = port,
                                      .flit_cycles = topology->grid->flit_cycles[class],
                                      .class_number = class};
        }
        next_coordinates(topology, coordinates);
    }
}

/* The limit on routers x ports is checked before anything is allocated: a text of fifty characters must not
 * be able to ask for gigabytes. All ports of a wrapping network close rings, also those of a side of 2 (there
 * and back again). Directions are listed first: their number is that of the ports. */
int net_grid_build(struct net_topology *topology, const struct net_specification *specification, bool wraps,
                   uint32_t diagonals, struct base_error *error)
{
    struct direction directions[2 * NET_DIMENSIONS_MAX];
    struct net_grid *grid = base_arena_alloc(&topology->arena, sizeof *grid);
    if (grid == NULL)
        return base_error_memory(error, "a topology");
    if (set_shape(topology, grid, specification, error) != 0)
        return -1;
    grid->wraps = wraps;
    grid->diagonals = grid->dimensions == 2 ? diagonals : 0;
    grid->family_diagonals = diagonals;
    topology->grid = grid;
    if (net_grid_read_widths(topology, grid, specification, error) != 0)
        return -1;
    topology->ports = list_directions(topology, directions);
    size_t slots = (size_t)topology->routers * topology->ports;
    if (slots > NET_PORT_SLOTS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': %u routers of %u ports need more than %u links",
                              specification->text, topology->routers, topology->ports, NET_PORT_SLOTS_MAX);

    struct net_link *links = base_arena_array(&topology->arena, slots, sizeof *links);
    uint32_t *link_at = base_arena_array(&topology->arena, slots, sizeof *link_at);
    bool *ring_port = base_arena_array(&topology->arena, topology->ports, sizeof *ring_port);
    if (links == NULL || link_at == NULL || ring_port == NULL)
        return base_error_memory(error, "the topology's links");
    name_classes(topology);
    connect(topology, directions, links, link_at);
    memset(ring_port, wraps, topology->ports * sizeof *ring_port);
    topology->links = links;
    topology->link_at = link_at;
    grid->ring_port = ring_port;
    return 0;
}

/* A static text for each port. Z is the third dimension of a mesh, but a diagonal of a king network: the
 * model's names for both are older than this program. */
const char *net_grid_port_name(const struct net_topology *topology, uint32_t port)
{
    static const char *const straight[2 * NET_DIMENSIONS_MAX] = {
        "X+",   "X-",   "Y+",   "Y-",   "Z+",   "Z-",   "D4+",  "D4-",  "D5+",  "D5-",  "D6+",  "D6-",
        "D7+",  "D7-",  "D8+",  "D8-",  "D9+",  "D9-",  "D10+", "D10-", "D11+", "D11-", "D12+", "D12-",
        "D13+", "D13-", "D14+", "D14-", "D15+", "D15-", "D16+", "D16-", "D17+", "D17-", "D18+", "D18-",
        "D19+", "D19-", "D20+", "D20-", "D21+", "D21-", "D22+", "D22-", "D23+", "D23-", "D24+", "D24-"};
    static const char *const diagonal[] = {"Z+", "Z-", "T+", "T-"};
    uint32_t first_diagonal = 2 * topology->grid->dimensions;
    if (port < first_diagonal)
        return straight[port];
    return diagonal[port - first_diagonal + (topology->grid->diagonals & NET_DIAGONAL_Z ? 0 : 2)];
}

/* From coordinate to coordinate along a dimension, the shorter way. A torus shortens to the half-open range (-side/2,
 * side/2]: a tie is positive here, and is told apart only by is_tied. */
static int32_t displacement_along(const struct net_topology *topology, uint32_t d, uint32_t a, uint32_t b)
{
    int32_t side = (int32_t)topology->grid->sides[d], difference = (int32_t)b - (int32_t)a;
    if (!topology->grid->wraps)
        return difference;
    if (2 * difference > side)
        return difference - side;
    return 2 * difference <= -side ? difference + side : difference;
}

/* Ties come out positive from displacement_along, so that one test is enough. */
static bool is_tied(const struct net_topology *topology, uint32_t d, int32_t displacement)
{
    return topology->grid->wraps && 2 * displacement == (int32_t)topology->grid->sides[d];
}

/* Takes the coordinate along dimension d, the lowest there, off what is left of a router's number. Asked for
 * every packet: what is left at the last dimension is the coordinate itself, and before it a product takes the place
 * of the division. */
static inline uint32_t take_coordinate(const struct net_topology *topology, uint32_t d, uint32_t *rest)
{
    uint32_t all = *rest, side = topology->grid->sides[d];
    if (d + 1 == topology->grid->dimensions)
        return all;
    uint64_t reciprocal = topology->grid->reciprocals[d];
    *rest = reciprocal != 0 ? (uint32_t)(all * reciprocal >> RECIPROCAL_BITS) : all / side;
    return all - *rest * side;
}

/* Each tied dimension doubles the equally short ways. */
uint32_t net_grid_variants(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    uint32_t variants = 1;
    if (!topology->grid->wraps)
        return 1;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t from = take_coordinate(topology, d, &a), to = take_coordinate(topology, d, &b);
        uint32_t apart = from < to ? to - from : from - to;
        variants <<= 2 * apart == topology->grid->sides[d];
    }
    return variants;
}

/* Bits of the variant are used up in the order of the dimensions; packets draw theirs from their key, so
 * that half of them go each way. */
void net_grid_displacements(const struct net_topology *topology, uint32_t a, uint32_t b, uint32_t variant,
                            int32_t *displacements)
{
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t from = take_coordinate(topology, d, &a), to = take_coordinate(topology, d, &b);
        int32_t displacement = displacement_along(topology, d, from, to);
        if (is_tied(topology, d, displacement)) {
            displacement = variant & 1 ? -displacement : displacement;
            variant >>= 1;
        }
        displacements[d] = displacement;
    }
}

/* On a line, s - k pairs each way. On a ring every coordinate has two others k away, but only one at half the
 * side. */
uint64_t net_grid_pairs_apart(const struct net_topology *topology, uint32_t d, uint32_t k)
{
    uint64_t side = topology->grid->sides[d];
    if (k == 0)
        return side;
    if (!topology->grid->wraps)
        return 2 * (side - k);
    return 2 * (uint64_t)k == side ? side : 2 * side;
}

/* The largest distance along one dimension. */
uint32_t net_grid_reach(const struct net_topology *topology, uint32_t d)
{
    return topology->grid->wraps ? topology->grid->sides[d] / 2 : topology->grid->sides[d] - 1;
}

/* The shortest displacements of two routers, dimension by dimension: their sum or the largest. */
static uint32_t fold_distance(const struct net_topology *topology, uint32_t a, uint32_t b, bool sum)
{
    uint32_t distance = 0;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t from = take_coordinate(topology, d, &a), to = take_coordinate(topology, d, &b);
        int32_t displacement = displacement_along(topology, d, from, to);
        uint32_t apart = (uint32_t)(displacement < 0 ? -displacement : displacement);
        distance = sum ? distance + apart : apart > distance ? apart : distance;
    }
    return distance;
}

/* Mesh and torus: a step corrects one dimension. */
uint32_t net_grid_sum_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    return fold_distance(topology, a, b, true);
}

/* King networks: a step corrects both dimensions where both need it. */
uint32_t net_grid_max_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    return fold_distance(topology, a, b, false);
}

/* All dimensions at their farthest at once. */
uint32_t net_grid_sum_diameter(const struct net_topology *topology)
{
    uint32_t diameter = 0;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        diameter += net_grid_reach(topology, d);
    return diameter;
}

/* The farthest of the dimensions. */
uint32_t net_grid_max_diameter(const struct net_topology *topology)
{
    uint32_t diameter = 0;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        if (net_grid_reach(topology, d) > diameter)
            diameter = net_grid_reach(topology, d);
    return diameter;
}

/* Dimensions are independent: the histogram of a sum is the convolution of the histograms. In place from the
 * far end, where an entry needs only nearer ones, which are still those of the dimensions before. diameter x reach
 * for each dimension: nothing beside a search. */
void net_grid_sum_histogram(const struct net_topology *topology, uint64_t *pairs)
{
    uint32_t diameter = 0;
    pairs[0] = 1;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t reach = net_grid_reach(topology, d), before = diameter;
        diameter += reach;
        for (uint32_t k = diameter + 1; k-- > 0;) {
            uint64_t sum = 0;
            for (uint32_t j = k > before ? k - before : 0; j <= reach && j <= k; j++)
                sum += pairs[k - j] * net_grid_pairs_apart(topology, d, j);
            pairs[k] = sum;
        }
    }
}

/* Pairs whose largest displacement is at most k are a product; the histogram is its differences. Products stay
 * below routers^2, which 64 bits hold. */
void net_grid_max_histogram(const struct net_topology *topology, uint64_t *pairs)
{
    uint64_t within[NET_DIMENSIONS_MAX] = {0};
    uint64_t before = 0;
    for (uint32_t k = 0; k <= net_grid_max_diameter(topology); k++) {
        uint64_t product = 1;
        for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
            if (k <= net_grid_reach(topology, d))
                within[d] += net_grid_pairs_apart(topology, d, k);
            product *= within[d];
        }
        pairs[k] = product - before;
        before = product;
    }
}

/* ---- on a chip ---- */

/* The place of coordinate x of a folded ring of so many: 0, last, 1, last but one ... side by side. A line is
 * not folded. */
static uint32_t folded(uint32_t x, uint32_t side, bool wraps)
{
    if (!wraps || side < 3)
        return x;
    return 2 * x < side ? 2 * x : 2 * (side - 1 - x) + 1;
}

/* Dimensions are laid alternately along X and Y, each beside what is there already: planes of a third one stand
 * side by side. */
void net_grid_fold(const uint32_t *sides, uint32_t dimensions, bool wraps, uint32_t router, double place[2])
{
    double stride[2] = {1, 1};
    place[0] = place[1] = 0;
    for (uint32_t d = 0; d < dimensions; d++) {
        uint32_t side = sides[d];
        place[d % 2] += stride[d % 2] * folded(router % side, side, wraps);
        stride[d % 2] *= side;
        router /= side;
    }
}
