/* The D-ARM: in every dimension rings of one direction, neighbouring ones in opposite directions
 * (doc/networks.md, One-way networks). Two dimensions are the Manhattan Street Network (manhattan.c).
 *
 * Equation (11) of the paper: the link of dimension j leads from i_j to i_j - 1 if the sum of the other
 * coordinates is even, to i_j + 1 if it is odd. All links of a ring agree in that, so that a port is its
 * dimension at both ends. */
#include "netmodel/specification.h"
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/topologies/one-way.h"
#include "netmodel/topologies/wires.h"

#define DARM_DIMENSIONS_MAX 6
#define DARM_ROUTERS_MAX (UINT32_C(1) << 20)

/* A port is a dimension, and a class of links. */
static const char *const port_names[DARM_DIMENSIONS_MAX] = {"X", "Y", "Z", "D4", "D5", "D6"};

/* Coordinate d of a router: those before it have been divided off. */
static void take_coordinates(const struct net_one_way *one_way, uint32_t router, uint32_t *at, uint32_t *sum)
{
    *sum = 0;
    for (uint32_t d = 0; d < one_way->dimensions; d++) {
        at[d] = router % one_way->sides[d];
        router /= one_way->sides[d];
        *sum += at[d];
    }
}

/* topology->one_way is the kind's own until the tables are made. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    const struct net_one_way *one_way = topology->one_way;
    uint32_t at[NET_ONE_WAY_PORTS_MAX];
    uint32_t sum;
    uint32_t stride = 1, side = one_way->sides[port];
    take_coordinates(one_way, router, at, &sum);
    for (uint32_t d = 0; d < port; d++)
        stride *= one_way->sides[d];
    uint32_t to = (at[port] + ((sum - at[port]) % 2 == 0 ? side - 1 : 1)) % side;
    return router + (to - at[port]) * stride;
}

/* Even sides: x_j becomes s_j * (x_j - u_j), where s_j = 1 if the sum of u's other coordinates is even,
 * else -1. A hop along j changes the parity of the others for every dimension but j, and by an even side
 * nothing changes at a border: so the map keeps links and ports. */
static uint32_t place_seen(const struct net_one_way *one_way, uint32_t from, uint32_t router)
{
    uint32_t at[NET_ONE_WAY_PORTS_MAX], here[NET_ONE_WAY_PORTS_MAX];
    uint32_t sum, unused;
    uint32_t seen = 0;
    take_coordinates(one_way, from, here, &sum);
    take_coordinates(one_way, router, at, &unused);
    for (uint32_t d = one_way->dimensions; d-- > 0;) {
        uint32_t side = one_way->sides[d];
        uint32_t apart = (sum - here[d]) % 2 == 0 ? at[d] + side - here[d] : here[d] + side - at[d];
        seen = seen * side + (apart >= side ? apart - side : apart);
    }
    return seen;
}

/* A street needs two ends: that its routers are linked one way is what leaves the way back to other streets. The
 * limit is two for the Manhattan Street Network, which has its own sentence. */
static int check_sides(const struct net_specification *specification, uint32_t dimensions_max,
                       struct base_error *error)
{
    uint32_t count = specification->side_count;
    if (count < 2 || count > dimensions_max)
        return base_error_set(error, BASE_USAGE,
                              dimensions_max == 2
                                  ? "topology '%.80s': a Manhattan Street Network takes two sizes, as in "
                                    "manhattan:8x8"
                                  : "topology '%.80s': a D-ARM takes two to six sizes, as in darm:4x4x4",
                              specification->text);
    for (uint32_t d = 0; d < count; d++)
        if (specification->sides[d] < 2)
            return base_error_set(error, BASE_USAGE,
                                  "topology '%.80s': a ring needs two routers: sides are at least 2",
                                  specification->text);
    return 0;
}

/* An odd side has two neighbouring rings that run the same way at the border, and so no symmetry. */
static int describe(const struct net_specification *specification, struct net_one_way *kind,
                    uint64_t *routers, struct base_error *error)
{
    kind->dimensions = specification->side_count;
    kind->place = place_seen;
    *routers = 1;
    for (uint32_t d = 0; d < kind->dimensions; d++) {
        kind->sides[d] = specification->sides[d];
        kind->place = kind->sides[d] % 2 != 0 ? NULL : kind->place;
        *routers *= kind->sides[d];
        if (*routers > DARM_ROUTERS_MAX)
            return base_error_set(error, BASE_USAGE, "topology '%.80s': more than %u routers",
                                  specification->text, DARM_ROUTERS_MAX);
    }
    return 0;
}

/* target() reads the kind's sides from the topology before its tables exist: so they are lent for that time. */
int net_darm_build(struct net_topology *topology, const struct net_specification *specification,
                   uint32_t dimensions_max, struct base_error *error)
{
    struct net_one_way kind = {0};
    uint64_t routers;
    if (check_sides(specification, dimensions_max, error) != 0 ||
        describe(specification, &kind, &routers, error) != 0 ||
        net_wires_size(topology, specification, routers, error) != 0)
        return -1;
    topology->ports = topology->link_class_count = kind.dimensions;
    topology->link_classes = port_names;
    topology->one_way = &kind;
    int status = net_wires_build(topology, specification, target, error);
    topology->one_way = NULL;
    return status != 0 ? -1 : net_one_way_build(topology, &kind, error);
}

/* Any number of dimensions that ports have names for. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_darm_build(topology, specification, DARM_DIMENSIONS_MAX, error);
}

/* Port and dimension are the same number. */
const char *net_darm_port_name(const struct net_topology *topology, uint32_t port)
{
    (void)topology;
    return port_names[port];
}

/* A plane; a third and a fourth dimension are slices side by side and below each other. */
bool net_darm_place(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_one_way *one_way = topology->one_way;
    uint32_t at[NET_ONE_WAY_PORTS_MAX] = {0};
    uint32_t sum;
    if (one_way->dimensions > 4)
        return false;
    take_coordinates(one_way, router, at, &sum);
    place[0] = at[0] + at[2] * (one_way->sides[0] + 0.6);
    place[1] = at[1] + at[3] * (one_way->sides[1] + 0.6);
    return true;
}

/* Its links are those of a torus, folded as that is. */
bool net_darm_lay(const struct net_topology *topology, uint32_t router, double place[2])
{
    net_grid_fold(topology->one_way->sides, topology->one_way->dimensions, true, router, place);
    return true;
}

/* Its links are those of a torus, each of them once, whichever way it goes. */
int net_darm_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                       struct base_error *error)
{
    (void)error;
    *channels = 2 * net_bisection_array(topology->one_way->sides, topology->one_way->dimensions);
    *exact = true;
    return 0;
}

const struct net_topology_kind net_topology_darm = {
    .name = "darm",
    .chance = BASE_EXACT,
    .summary = "rings of one direction in every dimension, neighbouring ones in opposite directions",
    .parameters = "S1xS2[xS3...]",
    .routing = "deflection",
    .examples = "2x2 3x3 4x4 3x4 2x2x2 3x2x3 4x4x4 2x4x6 2x2x2x2 3x2x2x2 2x2x2x2x2 2x2x2x2x2x2",
    .build = build,
    .place = net_darm_place,
    .lay = net_darm_lay,
    .distance = net_one_way_distance,
    .diameter = net_one_way_diameter,
    .histogram = net_one_way_histogram,
    .port_name = net_darm_port_name,
    .bisection = net_darm_bisection,
};
