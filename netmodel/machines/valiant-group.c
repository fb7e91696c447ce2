/* Valiant's routing on dragonflies, by a group that is drawn for each packet: from wherever the packet enters that
 * group it goes on. So it crosses a local link less than by a drawn router, and local links need a class less. */
#include "netmodel/machines/detours.h"

static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    return net_detour_prepare(routing, true, error);
}

const struct net_routing_kind net_routing_valiant_group = {
    .name = "valiant-group",
    .chooses = net_routing_chooses_always,
    .summary = "dragonflies: by a group drawn for each packet, through which it goes the shortest path",
    .reference = "J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven, highly-scalable dragonfly "
                 "topology, ISCA 2008, section 4; doc/networks.md, Routings",
    .deadlock_argument = "classes of virtual channels rise along the way: local links by the global links "
                         "behind them",
    .virtual_channels = 3,
    .minimal = false,
    .serves = &net_family_group_detours,
    .prepare = prepare,
    .variants = net_detour_variants,
    .start = net_detour_start,
    .route = net_detour_route,
    .step = net_detour_step,
};
