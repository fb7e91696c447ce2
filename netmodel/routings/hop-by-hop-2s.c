/* Hop-by-hop routing of king networks in two stages (doc/networks.md; the king thesis, section 2.4, "2S
 * hop-by-hop"): as hop-by-hop, but the hops of Knaive's record from here are asked for first, and the
 * diagonal detours only when those have no room. So the load is as even as Knaive's while there is little of
 * it, and avoids what is crowded when there is more. */
#include "netmodel/routings/king-hops.h"
#include "netmodel/routings/families.h"

/* The tier of detours is left out where there is none, without a branch: the escape overwrites it. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_king_hops *hops = routing->data;
    struct net_king_hop hop = hops->hops[header];
    uint32_t borders = hops->borders[router & hops->mask];
    uint32_t record = hop.record & borders, detours = hop.nearer & ~hop.record & borders;
    uint32_t adaptive = (UINT32_MAX >> (32 - routing->virtual_channels)) & ~UINT32_C(1);
    uint32_t last = 1 + (detours != 0);
    route->ports[0] = record;
    route->virtual_channels[0] = adaptive;
    route->ports[1] = detours;
    route->virtual_channels[1] = adaptive;
    route->ports[last] = record & -record;
    route->virtual_channels[last] = 1;
    return record != 0 ? last + 1 : 0;
}

const struct net_routing_kind net_routing_hop_by_hop_2s = {
    .name = "hop-by-hop-2s",
    .chooses = net_routing_chooses_always,
    .summary = "hop-by-hop in two stages: the hops of Knaive first, then those that lead around",
    .reference = "E. Stafford, thesis on king topologies, 2015: section 2.4; doc/networks.md, Routings",
    .deadlock_argument = "channel 0 is an escape that every waiting packet may take: Knaive's way from "
                         "wherever it is, straight before diagonal, each ring under the bubble rule",
    .virtual_channels = 2,
    .minimal = true,
    .escape = true,
    .serves = &net_family_king,
    .prepare = net_king_hops_prepare,
    .variants = net_king_hops_variants,
    .start = net_king_hops_start,
    .route = route,
    .step = net_king_hops_step,
};
