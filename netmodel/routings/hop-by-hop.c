/* Hop-by-hop routing of king networks (doc/networks.md; the king thesis, section 2.4): a packet knows only
 * where to, and every router offers all hops that bring it nearer. That is every shortest path, also those
 * with straight hops turned into pairs of diagonal ones. The escape is the first such hop in the order of
 * ports: a straight one while the displacements differ, which is Knaive's way. */
#include "netmodel/routings/king-hops.h"
#include "netmodel/routings/families.h"

/* A table look-up, and the border that the displacement does not know. The escape needs no look at borders:
 * Knaive stays between a packet and its destination. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_king_hops *hops = routing->data;
    uint32_t nearer = hops->hops[header].nearer & hops->borders[router & hops->mask];
    route->ports[0] = nearer;
    route->virtual_channels[0] = (UINT32_MAX >> (32 - routing->virtual_channels)) & ~UINT32_C(1);
    route->ports[1] = nearer & -nearer;
    route->virtual_channels[1] = 1;
    return nearer != 0 ? 2 : 0;
}

const struct net_routing_kind net_routing_hop_by_hop = {
    .name = "hop-by-hop",
    .chooses = net_routing_chooses_always,
    .summary = "all shortest paths on king networks: any hop that brings nearer, escaping by Knaive",
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
