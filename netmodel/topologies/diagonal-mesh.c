/* The diagonal mesh: a mesh with links along one diagonal (doc/networks.md; the king thesis, section 2.1). Six
 * neighbours inside, as in a grid of triangles. With a side of 1 it is a line. */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"

/* Which diagonal is a parameter: the two are mirror images, but one traffic pattern tells them apart. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_grid_build_diagonal(topology, specification, false, error);
}

const struct net_topology_kind net_topology_diagonal_mesh = {
    .name = "diagonal-mesh",
    .chance = BASE_EXACT,
    .summary = "two-dimensional mesh with links along one diagonal as well",
    .parameters = "SXxSY[,diagonal=ne|nw][,concentration=C][,widths=W...]",
    .routing = "diagonal-order",
    .keys = net_grid_diagonal_keys,
    .examples = "1x1 6x1 2x2 5x4 4x4,diagonal=nw 3x5,concentration=2,diagonal=nw 4x3,widths=1x1x1/2",
    .build = build,
    .write = net_grid_write_diagonal,
    .distance = net_grid_diagonal_distance,
    .port_name = net_grid_port_name,
    .bisection = net_bisection_diagonal,
};
