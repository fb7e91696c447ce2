/* The king torus: doc/networks.md. Every router has all eight ports; with a side of 2 several
 * of them are parallel links. With a side of 1 the dimension is dropped, diagonals included: a ring. */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"

/* Two sizes, since diagonals lie in a plane; one of them may be 1. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    if (specification->side_count != 2)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a king network takes two sizes, as in %s:8x8",
                              specification->text, specification->kind);
    return net_grid_build(topology, specification, true, NET_DIAGONAL_Z | NET_DIAGONAL_T, error);
}

const struct net_topology_kind net_topology_king_torus = {
    .name = "king-torus",
    .chance = BASE_EXACT,
    .summary = "two-dimensional torus with links along both diagonals as well",
    .parameters = "SXxSY[,concentration=C][,widths=W...]",
    .routing = "knaive",
    .keys = net_grid_keys,
    .examples = "1x1 1x5 2x2 3x3 5x4 4x6 3x5,concentration=3 4x4,widths=1/2x1x1",
    .build = build,
    .write = net_grid_write,
    .distance = net_grid_max_distance,
    .diameter = net_grid_max_diameter,
    .histogram = net_grid_max_histogram,
    .port_name = net_grid_port_name,
    .bisection = net_bisection_king_torus,
};
