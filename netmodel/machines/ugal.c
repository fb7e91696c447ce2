/* UGAL (A. Singh, Load-balanced routing in interconnection networks, Stanford 2005): a packet goes
 * minimally or by an intermediate router, by what its source sees (rule 14 of doc/flit-engine.md). It sees its own
 * router alone: in the words of Kim et al. 2008, UGAL-L, and where virtual channels are told apart UGAL-L_VC and
 * UGAL-L_VCH. Their UGAL-G, which sees other routers, and UGAL-L_CR, which delays credits, need more than rule 14
 * shows. */
#include "netmodel/machines/detours.h"
#include "netmodel/specification.h"

#include <string.h>

#define THRESHOLD_MAX (UINT64_C(1) << 20)

static const char *const keys[] = {"threshold", "queue", "allocator", NULL};

/* In the order of enum net_detour_queue. */
static const char *const queues[] = {"link", "channel", "hybrid"};
static const char *const allocators[] = {"greedy", "sequential"};

/* Which of some names a parameter has; *choice is left alone where it is not given. -1: BASE_USAGE. */
static int read_name(const struct net_specification *specification, const char *key, const char *const *names,
                     uint32_t count, const char *all, uint32_t *choice, struct base_error *error)
{
    const char *name = net_specification_value(specification, key);
    for (uint32_t i = 0; name != NULL && i < count; i++)
        if (strcmp(name, names[i]) == 0) {
            *choice = i;
            return 0;
        }
    return name == NULL
               ? 0
               : base_error_set(error, BASE_USAGE, "routing 'ugal': %s=%s is none of %s", key, name, all);
}

/* The default queue is hybrid, the only one that stays near the better of both ways under uniform and adverse traffic
 * (doc/reproduce/dragonfly). */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t threshold = 0;
    uint32_t queue = NET_QUEUE_HYBRID, sequential = 0;
    if (net_specification_unsigned(specification, "threshold", 0, THRESHOLD_MAX, &threshold, error) != 0 ||
        read_name(specification, "queue", queues, 3, "link, channel, hybrid", &queue, error) != 0 ||
        read_name(specification, "allocator", allocators, 2, "greedy, sequential", &sequential, error) != 0 ||
        net_detour_prepare(routing, false, error) != 0)
        return -1;
    net_detour_weigh(routing, (struct net_detour_scale){.queue = (enum net_detour_queue)queue,
                                                        .waiting = sequential == 1,
                                                        .threshold = threshold});
    return 0;
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
        "A. Singh, Load-balanced routing in interconnection networks, Stanford 2005; Kim, "
        "Dally, Scott and Abts, ISCA 2008, section 4 (UGAL-L, _VC, _VCH); doc/flit-engine.md, rule 14",
    .deadlock_argument = "classes of virtual channels rise along both ways, and links of one class are "
                         "crossed in an order",
    .parameters = "[,threshold=FLITS][,queue=link|channel|hybrid][,allocator=greedy|sequential]",
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
