/* The full mesh: every router linked to every other (doc/networks.md). It is the HyperX of one dimension, by
 * its own name. */
#include "netmodel/specification.h"
#include "netmodel/machines/hyperx.h"
#include "netmodel/topologies/wires.h"

/* One size and the concentration are all that is read here; sizes are checked and links made by the HyperX. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    uint64_t concentration = 1;
    if (specification->side_count != 1)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a full mesh takes one size, its routers, as in full-mesh:8",
                              specification->text);
    if (net_specification_unsigned(specification, "concentration", 1, NET_TERMINALS_MAX, &concentration,
                                   error) != 0)
        return -1;
    return net_hyperx_build(topology, specification, concentration, 1, error);
}

const struct net_topology_kind net_topology_full_mesh = {
    .name = "full-mesh",
    .chance = BASE_EXACT,
    .summary = "every router linked to every other: a HyperX of one dimension",
    .parameters = "N[,concentration=C]",
    .routing = "minimal",
    .forms = net_hyperx_forms,
    .keys = net_wires_keys,
    .examples = "1 2 3 6 9 4,concentration=2",
    .build = build,
    .distance = net_hyperx_distance,
    .diameter = net_hyperx_diameter,
    .histogram = net_hyperx_histogram,
    .bisection = net_hyperx_bisection,
};
