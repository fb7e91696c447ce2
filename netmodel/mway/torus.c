/* The k-ary m-way torus of the m-way paper: doc/networks.md, Shared channels. Every
 * channel has two m-way routers in each dimension; between the two channels of
 * a ring of two there are two routers. */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/topologies/mway.h"

/* With wraps. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_shared_build(topology, specification, true, error);
}

const struct net_topology_kind net_topology_mway_torus = {
    .name = "mway-torus",
    .chance = BASE_DRAWS,
    .summary = "mway-mesh whose lines are closed to rings",
    .parameters = "S[xS...][,processors=P|,attach=router]",
    .routing = "mway-ring",
    .examples = "1 2 5 4x4 3x5x2 4x3,processors=2 4x3,attach=router",
    .build = build,
    NET_SHARED_GRID,
    .bisection = net_bisection_torus,
};
