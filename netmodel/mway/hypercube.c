/* The m-way hypercube of the m-way paper: the 2-ary m-way mesh of n dimensions
 * (doc/networks.md, Shared channels). Its one size is n, since all sides are 2.
 */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/topologies/mway.h"

/* The m-way mesh of as many sides of 2. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    struct net_specification sides = *specification;
    if (specification->side_count != 1 || specification->sides[0] > NET_DIMENSIONS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': an m-way hypercube takes one size "
                              "from 1 to %d, its dimensions, as "
                              "in mway-hypercube:9",
                              specification->text, NET_DIMENSIONS_MAX);
    sides.side_count = specification->sides[0];
    for (uint32_t d = 0; d < sides.side_count; d++)
        sides.sides[d] = 2;
    return net_shared_build(topology, &sides, false, error);
}

const struct net_topology_kind net_topology_mway_hypercube = {
    .name = "mway-hypercube",
    .chance = BASE_DRAWS,
    .summary = "mway-mesh of N dimensions with two channels in each",
    .parameters = "N[,processors=P|,attach=router]",
    .routing = "mway-dimension-order",
    .examples = "1 3 5 3,processors=2 4,attach=router",
    .build = build,
    NET_SHARED_GRID,
    .bisection = net_bisection_mesh,
};
