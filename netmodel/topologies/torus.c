/* The torus (k-ary n-cube): doc/networks.md. Every router has every port; a side of 2 gives
 * X+ and X- the same neighbour over two links of their own. */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"

/* Wraps, no diagonals. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_grid_build(topology, specification, true, 0, error);
}

const struct net_topology_kind net_topology_torus = {
    .name = "torus",
    .chance = BASE_EXACT,
    .summary = "mesh whose lines are closed to rings; sides of 2 have two parallel links",
    .parameters = "S[xS...][,concentration=C][,widths=W...]",
    .routing = "dimension-order",
    .keys = net_grid_keys,
    .examples = "1 2 5 1x8 4x4 7x3 2x2 3x4x2 2x2x2x2x2 4x5,concentration=2 4x4,widths=1/2x1",
    .build = build,
    .write = net_grid_write,
    .distance = net_grid_sum_distance,
    .diameter = net_grid_sum_diameter,
    .histogram = net_grid_sum_histogram,
    .port_name = net_grid_port_name,
    .bisection = net_bisection_torus,
};
