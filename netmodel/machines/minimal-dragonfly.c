/* Minimal routing on dragonflies, as Kim et al. 2008 define it (section 4): by one global link, that
 * between the two groups, and a local one on either side where the packet is not at its end. Two global links
 * that would be fewer than these three are not taken: a packet crosses one at most.
 *
 * A local link in the source's group is taken on the lower half of the virtual channels and one behind a
 * global link on the upper half; the global link may take all. Without the halves a circle closes: a local
 * link is before the global one of some packets and behind that of others.
 *
 * The header is
 *
 *      … │ 1: a global link is behind it │ destination 32 bits */
#include "netmodel/routing.h"
#include "netmodel/routings/families.h"
#include "netmodel/routings/plain.h"
#include "netmodel/machines/dragonfly.h"

#define CROSSED (UINT64_C(1) << 32)

/* Where only the first router of each group has global links, or there are no three groups, no local link is
 * both. */
static uint32_t needs(const struct net_topology *topology)
{
    const struct net_dragonfly *dragonfly = net_dragonfly_of(topology);
    return dragonfly->groups > 2 && dragonfly->groups - 1 > dragonfly->globals ? 2 : 1;
}

/* One way: a local link to the router that has the global link to the other group, that link, and a local link to
 * the target. Local links before the global one take the lower half of the channels and those behind it the upper
 * half, so that the latter wait for nothing but terminals. One channel cannot be divided. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    const struct net_dragonfly *dragonfly = topology->shape;
    uint32_t target = (uint32_t)header, own = router / dragonfly->routers, to = target / dragonfly->routers;
    uint32_t all = UINT32_MAX >> (32 - routing->virtual_channels), lower = all;
    uint32_t name;
    if (target == router)
        return 0;
    if (routing->virtual_channels > 1)
        lower = (UINT32_C(1) << routing->virtual_channels / 2) - 1;
    uint32_t towards = own == to ? target : net_dragonfly_gateway(dragonfly, own, to);
    if (towards == router) {
        name = net_dragonfly_global(dragonfly, own, to);
        route->virtual_channels[0] = all;
    } else {
        name = net_dragonfly_local(dragonfly, router % dragonfly->routers, towards % dragonfly->routers);
        bool upper = header >= CROSSED && lower != all;
        route->virtual_channels[0] = upper ? all & ~lower : lower;
    }
    net_route_only(topology, route, 0, net_named_link(topology, router, name)->port);
    return 1;
}

/* Behind the global link the packet is in the target's group, and on the upper half of the channels. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct net_topology *topology = routing->topology;
    const struct net_dragonfly *dragonfly = topology->shape;
    uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
    bool local = topology->named->of_link[link] + 1U < dragonfly->routers;
    return local ? header : header | CROSSED;
}

/* With one channel a packet has none; with two there is a choice on global links, with three on some local
 * ones. */
static bool chooses(const struct net_routing *routing)
{
    const struct net_dragonfly *dragonfly = routing->topology->shape;
    if (routing->topology->routers == 1 || routing->virtual_channels == 1)
        return false;
    return dragonfly->groups > 1 || routing->virtual_channels > 2;
}

const struct net_routing_kind net_routing_minimal_dragonfly = {
    .name = "minimal",
    .chooses = chooses,
    .summary = "dragonflies: by one global link, and a local one on either side",
    .reference = "J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven, highly-scalable dragonfly "
                 "topology, ISCA 2008, section 4; doc/networks.md, Routings",
    .deadlock_argument = "local links before the global one take lower virtual channels, those behind it "
                         "upper ones",
    .virtual_channels = 2,
    .needs = needs,
    .minimal = false, /* two global links may be shorter */
    .serves = &net_family_free,
    .prepare = net_plain_prepare,
    .variants = net_plain_variants,
    .start = net_plain_start,
    .route = route,
    .step = step,
};
