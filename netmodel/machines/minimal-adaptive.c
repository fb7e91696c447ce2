/* Minimal adaptive routing on a HyperX: one hop in each dimension whose coordinate differs, in any order, by
 * whichever has room; and dimension order on virtual channel 0 as the escape (J. Duato, A necessary and sufficient
 * condition for deadlock-free routing in cut-through and store-and-forward networks, IEEE Trans. Parallel Distrib.
 * Syst. 7(8), 1996). The header is the destination. */
#include <string.h>

#include "netmodel/routing.h"
#include "netmodel/machines/hyperx.h"
#include "netmodel/routings/plain.h"

/* A full mesh has the same links, but one dimension only. */
static bool is_hyperx(const struct net_topology *topology)
{
    return strcmp(topology->kind->name, "hyperx") == 0;
}

static const struct net_family family = {"hyperx", is_hyperx};

/* In one dimension there is nothing to choose, and the second channel would be idle. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_hyperx *hyperx = net_hyperx_of(routing->topology);
    uint32_t dimensions = 0;

    (void)specification;
    for (uint32_t d = 0; d < hyperx->dimensions; d++)
        dimensions += hyperx->sides[d] > 1;
    if (dimensions < 2)
        return base_error_set(
            error, BASE_USAGE,
            "routing minimal-adaptive chooses among dimensions, and %s has one; minimal serves it",
            routing->topology->text);
    routing->bubble_channels = 0;
    return 0;
}

/* Two tiers. The first has all links that come nearer to the target, in every dimension that still differs, on all
 * channels but channel 0. The second is the escape: the lowest such dimension alone, in order, on channel 0, which
 * is free of circles by itself. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t target = (uint32_t)header;
    bool first = true;
    if (target == router)
        return 0;
    net_hyperx_no_ports(topology, route, 0);
    net_hyperx_no_ports(topology, route, 1);
    for (uint32_t d = 0; d < hyperx->dimensions; d++) {
        if (net_hyperx_coordinate(hyperx, router, d) == net_hyperx_coordinate(hyperx, target, d))
            continue;
        net_hyperx_add(topology, router, target, d, route, 0, hyperx->width);
        if (first)
            net_hyperx_add(topology, router, target, d, route, 1, 1);
        first = false;
    }
    route->virtual_channels[0] = (UINT32_MAX >> (32 - routing->virtual_channels)) & ~UINT32_C(1);
    route->virtual_channels[1] = 1;
    return 2;
}

const struct net_routing_kind net_routing_minimal_adaptive = {
    .name = "minimal-adaptive",
    .chooses = net_routing_chooses_always,
    .summary = "HyperX: one hop in each dimension, in any order, with dimension order as the escape",
    .reference =
        "J. H. Ahn, N. Binkert, A. Davis, M. McLaren and R. S. Schreiber, HyperX: topology, routing, and "
        "packaging of efficient large-scale networks, SC 2009; doc/networks.md, Routings",
    .deadlock_argument = "virtual channel 0 is in dimension order, and every packet may always wait for it",
    .virtual_channels = 2,
    .minimal = true,
    .escape = true,
    .serves = &family,
    .prepare = prepare,
    .variants = net_plain_variants,
    .start = net_plain_start,
    .route = route,
    .step = net_plain_step,
};
