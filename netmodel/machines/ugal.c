/* UGAL (A. Singh, Load-balanced routing in interconnection networks, Stanford 2005, chapter 4): a packet goes
 * minimally or by an intermediate router, by what its source sees (rule 14 of doc/flit-engine.md). In the words of
 * Kim et al. 2008 it is UGAL-L, since it sees its own router alone. */
#include "netmodel/machines/detours.h"
#include "netmodel/specification.h"

#define THRESHOLD_MAX (UINT64_C(1) << 20)

static const char *const keys[] = {"threshold", NULL};

static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t threshold = 0;
    if (net_specification_unsigned(specification, "threshold", 0, THRESHOLD_MAX, &threshold, error) != 0)
        return -1;
    return net_detour_prepare(routing, false, threshold, error);
}

/* The minimal way where it costs no more. */
static uint64_t choose(const struct net_routing *routing, uint64_t header,
                       const struct net_occupancy *occupancy)
{
    uint64_t costs[2];
    if (!net_detour_compare(routing, header, occupancy, costs))
        return header;
    return costs[0] <= costs[1] ? net_detour_refused(header) : net_detour_taken(routing, header);
}

const struct net_routing_kind net_routing_ugal = {
    .name = "ugal",
    .chooses = net_detour_chooses,
    .summary = "minimally or by an intermediate router, whichever queue times length is less at the source",
    .reference =
        "A. Singh, Load-balanced routing in interconnection networks, Stanford 2005, chapter 4; Kim, "
        "Dally, Scott and Abts, ISCA 2008, section 4.2 (UGAL-L); doc/flit-engine.md, rule 14",
    .deadlock_argument = "classes of virtual channels rise along both ways, and links of one class are "
                         "crossed in an order",
    .parameters = "[,threshold=FLITS]",
    .keys = keys,
    .virtual_channels = 4,
    .needs = net_detour_needs,
    .minimal = false,
    .serves = &net_family_detours,
    .prepare = prepare,
    .variants = net_detour_variants,
    .start = net_detour_start_undecided,
    .route = net_detour_route,
    .detour = net_detour_taken,
    .choose = choose,
    .step = net_detour_step,
};
