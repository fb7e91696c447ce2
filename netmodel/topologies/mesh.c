/* The mesh (k-ary n-array): doc/networks.md. A port exists where its target is inside, so routers at a
 * border have fewer, and no port closes a ring: plain dimension order cannot deadlock. */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"

/* No wraps, no diagonals. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_grid_build(topology, specification, false, 0, error);
}

const struct net_topology_kind net_topology_mesh = {
    .name = "mesh",
    .chance = BASE_EXACT,
    .summary = "grid of any number of dimensions: each router linked to its neighbours along each axis",
    .parameters = "S[xS...][,concentration=C][,widths=W...]",
    .routing = "dimension-order",
    .keys = net_grid_keys,
    .examples =
        "1 2 8 7x7 5x3 1x8 3x4x5 2x1x3 2x3x2x4 4x6,concentration=3 4x3,widths=1x1/2 1x4x3,widths=1x1/3x1",
    .build = build,
    .write = net_grid_write,
    .distance = net_grid_sum_distance,
    .diameter = net_grid_sum_diameter,
    .histogram = net_grid_sum_histogram,
    .port_name = net_grid_port_name,
    .bisection = net_bisection_mesh,
};
