/* The diagonal torus: a torus with links along one diagonal (doc/networks.md; the king thesis, section 2.1).
 * Every router has six ports, and looks like every other. With a side of 1 it is a ring. */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"

/* Which diagonal is a parameter: the two are mirror images, but one traffic pattern tells them apart. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_grid_build_diagonal(topology, specification, true, error);
}

const struct net_topology_kind net_topology_diagonal_torus = {
    .name = "diagonal-torus",
    .chance = BASE_EXACT,
    .summary = "two-dimensional torus with links along one diagonal as well",
    .parameters = "SXxSY[,diagonal=ne|nw][,concentration=C][,widths=W...]",
    .routing = "diagonal-order",
    .keys = net_grid_diagonal_keys,
    .examples = "1x1 1x6 2x2 5x4 6x6 4x4,diagonal=nw 3x4,concentration=2,diagonal=nw 4x4,widths=1x1/2x1",
    .build = build,
    .write = net_grid_write_diagonal,
    .distance = net_grid_diagonal_distance,
    .port_name = net_grid_port_name,
    .bisection = net_bisection_diagonal,
};
