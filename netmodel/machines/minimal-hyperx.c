/* Minimal routing on a HyperX: dimension order, one hop in each dimension whose coordinate differs, by any of
 * the parallel links. The header is the destination. */
#include "netmodel/routing.h"
#include "netmodel/routings/families.h"
#include "netmodel/routings/plain.h"
#include "netmodel/machines/hyperx.h"

/* Dimensions in order, the lowest that differs first: each takes one link, since the routers of a row are all
 * linked to each other. Parallel links are alike: whichever is free is taken. Channels need no order. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t target = (uint32_t)header, d = 0;
    if (target == router)
        return 0;
    while (net_hyperx_coordinate(hyperx, router, d) == net_hyperx_coordinate(hyperx, target, d))
        d++;
    uint32_t name = net_hyperx_name(hyperx, router, target, d);
    net_route_only(topology, route, 0, net_hyperx_port(hyperx, router, name));
    for (uint32_t k = 1; k < hyperx->width; k++)
        net_route_add(route, 0, net_hyperx_port(hyperx, router, name + k));
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return 1;
}

static bool chooses(const struct net_routing *routing)
{
    const struct net_hyperx *hyperx = routing->topology->shape;
    return (hyperx->width > 1 || routing->virtual_channels > 1) && routing->topology->routers > 1;
}

const struct net_routing_kind net_routing_minimal_hyperx = {
    .name = "minimal",
    .chooses = chooses,
    .summary = "HyperX: one hop in each dimension, in their order",
    .reference =
        "J. H. Ahn, N. Binkert, A. Davis, M. McLaren and R. S. Schreiber, HyperX: topology, routing, and "
        "packaging of efficient large-scale networks, SC 2009; doc/networks.md, Routings",
    .deadlock_argument = "dimensions are taken in a fixed order, and a hop ends in its dimension",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_free,
    .prepare = net_plain_prepare,
    .variants = net_plain_variants,
    .start = net_plain_start,
    .route = route,
    .step = net_plain_step,
};
