/* The omega network: stages of cells, and one link from each to the next (stages/multistage.h). */
#include "netmodel/specification.h"
#include "netmodel/stages/multistage.h"

static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_multistage_build(topology, specification, false, error);
}

static const char *const keys[] = {"input", "link", "output", NULL};

const struct net_topology_kind net_topology_omega = {
    .name = "omega",
    .summary = "omega network: S stages of M x M cells between M^S processors",
    .parameters = "S,M[,input=52,link=41,output=52]",
    .keys = keys,
    .examples = "1,2 1,5 2,3 3,2 4,2 2,4,input=3,link=5,output=4 3,3",
    .build = build,
    NET_MULTISTAGE_KIND,
};
