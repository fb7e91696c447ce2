/* ADAPTIVE_RING of paper 000, section 3.4: any shortest way in adaptive buffers, that of dimension order also
 * in the low and high ones of mway-ring. */
#include "netmodel/routing-mway.h"

static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    return net_mway_prepare_rings(routing, specification, error);
}

/* The escape is that of mway-ring, with a quarter of the buffers in each class. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    uint64_t ports = net_record_ports(routing, header);
    uint32_t quarter = routing->virtual_channels < 8 ? 1 : routing->virtual_channels / 4;
    if (ports == 0)
        return 0;
    route->ports[0] = ports;
    route->virtual_channels[0] = net_mway_others(routing, 2 * quarter);
    return net_mway_ring_tiers(routing, router, header, quarter, quarter, route, 1);
}

static const char *const topologies[] = {"mway-torus", NULL};

const struct net_routing_kind net_routing_mway_adaptive_ring = {
    .name = "mway-adaptive-ring",
    .summary = "shared channels closed to rings: shortest ways of any order, with mway-ring as escape "
               "(ADAPTIVE_RING)",
    .reference =
        "paper 000 (k-ary m-way networks): section 3, ADAPTIVE_RING; doc/networks.md, Shared channels",
    .deadlock_argument = "low and high buffers are an escape that every waiting message may take: mway-ring",
    .parameters = "[,split=S]",
    .keys = net_mway_ring_keys,
    .virtual_channels = 3,
    .minimal = true,
    .escape = true,
    .topologies = topologies,
    .prepare = prepare,
    .variants = net_record_variants,
    .start = net_record_start,
    .route = route,
    .step = net_record_next,
};
