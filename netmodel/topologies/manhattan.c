/* The Manhattan Street Network: the D-ARM of two dimensions by its own name (darm.c; N. F. Maxemchuk, Regular mesh
 * topologies in local and metropolitan area networks, AT&T Tech. J. 64(7), 1985). */
#include "netmodel/topologies/one-way.h"

/* Two dimensions exactly. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    return net_darm_build(topology, specification, 2, error);
}

const struct net_topology_kind net_topology_manhattan = {
    .name = "manhattan",
    .chance = BASE_EXACT,
    .summary = "streets and avenues of one direction, neighbouring ones in opposite directions",
    .parameters = "SXxSY",
    .routing = "deflection",
    .examples = "2x2 3x3 4x4 5x3 4x6 7x7 8x8",
    .build = build,
    .place = net_darm_place,
    .lay = net_darm_lay,
    .distance = net_one_way_distance,
    .diameter = net_one_way_diameter,
    .histogram = net_one_way_histogram,
    .port_name = net_darm_port_name,
    .bisection = net_darm_bisection,
};
