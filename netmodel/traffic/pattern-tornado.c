/* Tornado: x sends to x + ceil(k/2) - 1 modulo the side k, the farthest that has only one shortest path round
 * a ring. The adversary of minimal routing on tori: all messages turn the same way.
 *
 * Dally and Towles apply a digit permutation to every digit; the king thesis (section 3.1.3) speaks of a
 * traffic "mainly along orthogonal directions". Here the first dimension alone is the default, and
 * dimensions=N takes N of them. A side of 1 or 2 moves nothing: where nobody would send, the pattern is
 * refused. */
#include "netmodel/traffic/pattern.h"
#include "netmodel/specification.h"

/* ceil(k/2) - 1 is 0 for sides of 1 and 2: there no target has only one shortest path. */
static uint32_t offset(uint32_t side)
{
    return (side + 1) / 2 - 1;
}

/* All dimensions together must move somebody: torus:2x8 moves along Y only when asked for two. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_topology *topology = pattern->topology;
    uint64_t dimensions = 1;
    uint32_t moved = 0;

    if (net_pattern_grid(pattern, error) != 0 ||
        net_specification_unsigned(specification, "dimensions", 1, topology->grid->dimensions, &dimensions,
                                   error) != 0)
        return -1;
    pattern->dimensions = (uint32_t)dimensions;
    for (uint32_t i = 0; i < pattern->dimensions; i++)
        moved += offset(topology->grid->sides[i]);
    if (moved > 0)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "pattern '%s' moves nothing on '%s': it needs a side of 3 or more",
                          pattern->kind->name, topology->text);
}

/* Coordinates change, the place on the router stays. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    const struct net_topology *topology = pattern->topology;
    uint32_t place[NET_DIMENSIONS_MAX];

    (void)key, (void)state;
    net_topology_coordinates(topology, net_topology_router_of(topology, source), place);
    for (uint32_t i = 0; i < pattern->dimensions; i++)
        place[i] = (place[i] + offset(topology->grid->sides[i])) % topology->grid->sides[i];
    return net_pattern_at(pattern, source, place);
}

static const char *const keys[] = {"dimensions", NULL};

const struct net_pattern_kind net_pattern_tornado = {
    .name = "tornado",
    .chance = BASE_EXACT,
    .summary = "x sends to x + ceil(k/2) - 1 modulo the side k; dimensions=N: in N dimensions",
    .parameters = "[,dimensions=N]",
    .keys = keys,
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
