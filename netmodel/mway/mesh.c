/* The k-ary m-way mesh of the m-way paper: doc/networks.md, Shared channels. Channels
 * on the border of the grid have fewer m-way routers than inner ones. */
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/topologies/mway.h"

/* Without wraps; see netmodel/topologies/mway.h for what is built. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_shared_build(topology, specification, false, error);
}

const struct net_topology_kind net_topology_mway_mesh = {
    .name = "mway-mesh",
    .chance = BASE_DRAWS,
    .summary = "grid of shared channels that m-way routers join; processors on "
               "the channels or in the routers",
    .parameters = "S[xS...][,processors=P|,attach=router]",
    .routing = "mway-dimension-order",
    .examples = "1 2 5 4x4 3x4x2 4x3,processors=3 3x3,attach=router",
    .build = build,
    NET_SHARED_GRID,
    .bisection = net_bisection_mesh,
};
