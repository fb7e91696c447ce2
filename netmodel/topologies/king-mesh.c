/* The king mesh, after the moves of the chess piece: doc/networks.md. Its diameter is that of one side,
 * half a mesh's. With a side of 1 it has no diagonals and is a line. */
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
    return net_grid_build(topology, specification, false, NET_DIAGONAL_Z | NET_DIAGONAL_T, error);
}

const struct net_topology_kind net_topology_king_mesh = {
    .name = "king-mesh",
    .chance = BASE_EXACT,
    .summary = "two-dimensional mesh with links along both diagonals as well",
    .parameters = "SXxSY[,concentration=C][,widths=W...]",
    .routing = "knaive",
    .keys = net_grid_keys,
    .examples = "1x1 1x8 2x2 5x3 8x8 4x5,concentration=2 4x4,widths=1x1x1/2",
    .build = build,
    .write = net_grid_write,
    .distance = net_grid_max_distance,
    .diameter = net_grid_max_diameter,
    .histogram = net_grid_max_histogram,
    .port_name = net_grid_port_name,
    .bisection = net_bisection_king_mesh,
};
