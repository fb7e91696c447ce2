/* GLO, the omega network with globally shared bus-like links beside those between its stages
 * (stages/multistage.h). Sizes are S, M, A, B: stages, ports of a cell, and the cells on either side of a bus; A
 * and B divide M. */
#include "netmodel/specification.h"
#include "netmodel/stages/multistage.h"

static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_multistage_build(topology, specification, true, error);
}

static const char *const keys[] = {"input", "link", "output", "bus", "bus-cycles", NULL};

const struct net_topology_kind net_topology_glo = {
    .name = "glo",
    .summary = "omega network with buses beside its links, each from A cells to B",
    .parameters = "S,M,A,B[,input=52,link=26,output=52,bus=26,bus-cycles=2]",
    .keys = keys,
    .examples = "2,2,1,1 3,2,2,2 4,2,1,2 2,4,2,4,input=9,link=5,output=7,bus=3,bus-cycles=3 3,3,3,1",
    .build = build,
    NET_MULTISTAGE_KIND,
};
