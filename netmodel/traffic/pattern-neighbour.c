/* Neighbour: x sends to x + 1 modulo the side, the friendliest of the permutations.
 *
 * Dally and Towles' neighbor, which applies to every digit; here the first dimension alone is the default, as
 * for tornado, and dimensions=N takes N of them. On a mesh the last router of a row sends to the first. */
#include "netmodel/traffic/pattern.h"
#include "netmodel/specification.h"

/* A side of 1 is no dimension of a topology, so everybody moves. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t dimensions = 1;

    if (net_pattern_grid(pattern, error) != 0 ||
        net_specification_unsigned(specification, "dimensions", 1, pattern->topology->grid->dimensions,
                                   &dimensions, error) != 0)
        return -1;
    pattern->dimensions = (uint32_t)dimensions;
    return 0;
}

/* On a mesh the last of a line goes all the way back. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    const struct net_topology *topology = pattern->topology;
    uint32_t place[NET_DIMENSIONS_MAX];

    (void)key, (void)state;
    net_topology_coordinates(topology, net_topology_router_of(topology, source), place);
    for (uint32_t i = 0; i < pattern->dimensions; i++)
        place[i] = (place[i] + 1) % topology->grid->sides[i];
    return net_pattern_at(pattern, source, place);
}

static const char *const keys[] = {"dimensions", NULL};

const struct net_pattern_kind net_pattern_neighbour = {
    .name = "neighbour",
    .chance = BASE_EXACT,
    .summary = "x sends to x + 1 modulo the side; dimensions=N: in N dimensions",
    .parameters = "[,dimensions=N]",
    .keys = keys,
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
