/* DAL, dimensionally adaptive load-balanced routing on a HyperX (J. H. Ahn, N. Binkert, A. Davis, M. McLaren and
 * R. S. Schreiber, HyperX: topology, routing, and packaging of efficient large-scale networks, SC 2009): a packet
 * takes the dimensions in which it is not at its target's coordinate in any order, and in each of them it may go
 * once to another coordinate than the target's: a deroute, for when the way to that is full. Virtual channel 0 is
 * an escape in dimension order (Duato 1996).
 *
 *      y 3  T . .
 *        2  d . .        from S to T: one link, or a deroute to d and from there a link to T
 *        1  d . .
 *        0  S . .
 *
 * A deroute leaves its dimension unaligned, and only an unaligned one has any, so that a way has at most two links
 * a dimension. The header is
 *
 *      dimensions that were derouted, a bit each, 32 bits │ destination 32 bits */
#include "netmodel/machines/hyperx.h"
#include "netmodel/routings/plain.h"

#define TARGET UINT64_C(0xffffffff)
#define DEROUTED(d) (UINT64_C(1) << (32 + (d)))

enum { MINIMAL, DEROUTES, ESCAPE }; /* the tiers, where there are three */

static bool is_hyperx(const struct net_topology *topology)
{
    return net_hyperx_of(topology) != NULL;
}

static const struct net_family family = {"hyperx, full-mesh", is_hyperx};

/* All links of a dimension but those to the target's coordinate. Returns whether there are any. */
static bool add_deroutes(const struct net_topology *topology, uint32_t router, uint32_t target, uint32_t d,
                         struct net_route *route)
{
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t own = net_hyperx_coordinate(hyperx, router, d), to = net_hyperx_coordinate(hyperx, target, d);
    uint32_t first = router - own * hyperx->strides[d];
    for (uint32_t c = 0; c < hyperx->sides[d]; c++)
        if (c != own && c != to)
            net_hyperx_add(topology, router, first + c * hyperx->strides[d], d, route, DEROUTES,
                           hyperx->width);
    return hyperx->sides[d] > 2;
}

/* Three tiers, or two where nothing is left to deroute: links to the target's coordinates, deroutes, both on all
 * channels but channel 0; and dimension order on channel 0. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t target = (uint32_t)(header & TARGET), lowest = NET_NONE;
    bool deroutes = false;
    if (target == router)
        return 0;
    net_hyperx_no_ports(topology, route, MINIMAL);
    net_hyperx_no_ports(topology, route, DEROUTES);
    for (uint32_t d = 0; d < hyperx->dimensions; d++) {
        if (net_hyperx_coordinate(hyperx, router, d) == net_hyperx_coordinate(hyperx, target, d))
            continue;
        lowest = lowest == NET_NONE ? d : lowest;
        net_hyperx_add(topology, router, target, d, route, MINIMAL, hyperx->width);
        if ((header & DEROUTED(d)) == 0)
            deroutes |= add_deroutes(topology, router, target, d, route);
    }
    uint32_t escape = deroutes ? ESCAPE : DEROUTES;
    route->virtual_channels[MINIMAL] = (UINT32_MAX >> (32 - routing->virtual_channels)) & ~UINT32_C(1);
    route->virtual_channels[DEROUTES] = route->virtual_channels[MINIMAL];
    net_hyperx_no_ports(topology, route, escape);
    net_hyperx_add(topology, router, target, lowest, route, escape, 1);
    route->virtual_channels[escape] = 1;
    return escape + 1;
}

/* What a way over the dimension's links costs by a port: the flits in the next buffers, which are reserved and not
 * yet seen to have gone, and the packet's own, for each of `links` links. */
static uint64_t cost_of(const struct net_routing *routing, const struct net_view *view, uint32_t port,
                        uint32_t links)
{
    uint64_t flits = view->length;
    for (uint32_t channel = 0; channel < routing->virtual_channels; channel++)
        flits += view->capacity - view->room(view, port, channel);
    return flits * links;
}

/* The ports of least cost in the first tier, of which rule 3 takes any, then the escape. A deroute takes two links of
 * its dimension where the other way takes one. */
static uint32_t look(const struct net_routing *routing, uint64_t header, const struct net_view *view,
                     struct net_route *route, uint32_t tiers)
{
    const struct net_topology *topology = routing->topology;
    const struct net_route all = *route;
    uint32_t escape = net_route_next(topology, &all, tiers - 1, 0);
    uint64_t least = UINT64_MAX;
    (void)header;
    for (uint32_t tier = 0; tier + 1 < tiers; tier++)
        for (uint32_t port = net_route_next(topology, &all, tier, 0); port != NET_NONE;
             port = net_route_next(topology, &all, tier, port + 1)) {
            uint64_t cost = cost_of(routing, view, port, tier == MINIMAL ? 1 : 2);
            if (cost < least)
                net_route_only(topology, route, 0, port);
            else if (cost == least)
                net_route_add(route, 0, port);
            least = cost < least ? cost : least;
        }
    net_route_only(topology, route, 1, escape);
    route->virtual_channels[1] = 1;
    return 2;
}

/* A link that does not end at the target's coordinate is a deroute of its dimension. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct net_topology *topology = routing->topology;
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t next = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
    uint32_t d = 0;
    while (net_hyperx_coordinate(hyperx, router, d) == net_hyperx_coordinate(hyperx, next, d))
        d++;
    uint32_t to = net_hyperx_coordinate(hyperx, (uint32_t)(header & TARGET), d);
    return net_hyperx_coordinate(hyperx, next, d) == to ? header : header | DEROUTED(d);
}

const struct net_routing_kind net_routing_dal = {
    .name = "dal",
    .chooses = net_routing_chooses_always,
    .summary = "HyperX: dimensions in any order, in each at most one link aside where the way is full",
    .reference =
        "J. H. Ahn, N. Binkert, A. Davis, M. McLaren and R. S. Schreiber, HyperX: topology, routing, and "
        "packaging of efficient large-scale networks, SC 2009; doc/networks.md, Routings",
    .deadlock_argument = "virtual channel 0 is in dimension order, and every packet may always wait for it",
    .virtual_channels = 2,
    .minimal = false,
    .escape = true,
    .strays = true,
    .serves = &family,
    .prepare = net_plain_prepare,
    .variants = net_plain_variants,
    .start = net_plain_start,
    .route = route,
    .look = look,
    .step = step,
};
