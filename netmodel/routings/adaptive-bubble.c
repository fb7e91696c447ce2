/* The adaptive bubble router (doc/networks.md; the router of the king thesis's simulations): shortest paths, in
 * whatever order there is room for. Channels 1 and up take any hop of the record that is still to go; channel
 * 0 is the escape, in dimension order and under the bubble rule. On king networks the record is Knaive's, on
 * diagonal ones that of Algorithm 1: taking any part of such a record leaves the record of the rest, so a
 * header is a record. */
#include "netmodel/routings/record.h"
#include "netmodel/routings/families.h"

/* Only the escape closes rings of packets that must move on: adaptive channels need no bubble. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    routing->bubble_channels = 1;
    routing->uniform = true;
    return net_record_prepare(routing, false, error);
}

const struct net_routing_kind net_routing_adaptive_bubble = {
    .name = "adaptive-bubble",
    .chooses = net_routing_chooses_always,
    .summary =
        "shortest paths of any order, with an escape in dimension order (king networks: adaptive Knaive)",
    .reference =
        "V. Puente et al., The adaptive bubble router, JPDC 61(9), 2001; E. Stafford, thesis on king "
        "topologies, 2015: the router of its simulations; doc/networks.md, Routings",
    .deadlock_argument =
        "channel 0 is an escape that every waiting packet may take: dimension order over the "
        "record, each ring under the bubble rule",
    .virtual_channels = 2,
    .minimal = true,
    .escape = true,
    .serves = &net_family_grid,
    .prepare = prepare,
    .variants = net_record_variants,
    .start = net_record_start,
    .route = net_record_adaptive_route,
    .step = net_record_next,
};
