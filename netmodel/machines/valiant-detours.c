/* Valiant's routing on dragonflies, HyperX and Slim Flies: by an intermediate router that is drawn for each packet. */
#include "netmodel/machines/detours.h"

static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    return net_detour_prepare(routing, false, error);
}

const struct net_routing_kind net_routing_valiant_detours = {
    .name = "valiant",
    .chooses = net_detour_chooses,
    .summary = "by an intermediate router drawn for each packet, minimally to it and from it",
    .reference = "L. G. Valiant, A scheme for fast parallel communication, SIAM J. Comput. 11(2), 1982; Kim, "
                 "Dally, Scott and Abts, ISCA 2008, section 4; doc/networks.md, Routings",
    .deadlock_argument = "classes of virtual channels rise along the way, and links of one class are crossed "
                         "in an order",
    .virtual_channels = 4,
    .needs = net_detour_needs,
    .minimal = false,
    .serves = &net_family_detours,
    .prepare = prepare,
    .variants = net_detour_variants,
    .start = net_detour_start,
    .route = net_detour_route,
    .step = net_detour_step,
};
