/* Transpose: (x, y) sends to (y, x). All messages cross the diagonal, so dimension order piles them up there.
 *
 * Needs two dimensions of equal sides. On 2^b routers it is Dally and Towles' transpose, which exchanges the
 * two halves of the address. Routers on the diagonal send nothing. */
#include "netmodel/traffic/pattern.h"

/* Cubes have no single transpose: their coordinates can change places in several ways. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_topology *topology = pattern->topology;

    (void)specification;
    if (net_pattern_grid(pattern, error) != 0)
        return -1;
    if (topology->grid->dimensions == 2 && topology->grid->sides[0] == topology->grid->sides[1])
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "pattern 'transpose' exchanges x and y, so it needs two equal sides; those of '%s' differ",
        topology->text);
}

/* Coordinates change, the place on the router stays. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint32_t place[NET_DIMENSIONS_MAX], exchanged[2];

    (void)key, (void)state;
    net_topology_coordinates(pattern->topology, net_topology_router_of(pattern->topology, source), place);
    exchanged[0] = place[1];
    exchanged[1] = place[0];
    return net_pattern_at(pattern, source, exchanged);
}

const struct net_pattern_kind net_pattern_transpose = {
    .name = "transpose",
    .chance = BASE_EXACT,
    .summary = "(x, y) sends to (y, x); two equal sides",
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
