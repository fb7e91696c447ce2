#include "tests/netmodel/routings/table-routing.h"

#include <stdlib.h>

#include "base/random.h"
#include "tests/suite.h"

static uint32_t one_variant(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    (void)routing, (void)a, (void)b;
    return 1;
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)variant;
    return a == b ? 0 : (uint64_t)b + 1;
}

static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct table_routing *table = routing->data;
    if (header == 0)
        return 0;
    const struct table_entry *entry =
        &table->entries[(size_t)router * routing->topology->routers + header - 1];
    for (uint32_t tier = 0; tier < table->tiers; tier++) {
        route->ports[tier] = entry->ports[tier];
        route->virtual_channels[tier] = table->virtual_channels[tier];
    }
    return table->tiers;
}

static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct net_topology *topology = routing->topology;
    return topology->links[topology->link_at[(size_t)router * topology->ports + port]].target + 1 == header
               ? 0
               : header;
}

void table_routing_init(struct table_routing *table, const struct net_topology *topology, bool escape,
                        uint32_t virtual_channels)
{
    *table = (struct table_routing){.kind = {.name = "test-table",
                                             .summary = "by a table",
                                             .virtual_channels = 1,
                                             .escape = escape,
                                             .variants = one_variant,
                                             .start = start,
                                             .route = route,
                                             .step = step}};
    table->routing = (struct net_routing){.kind = &table->kind,
                                          .topology = topology,
                                          .text = "test-table",
                                          .virtual_channels = virtual_channels,
                                          .bubble_channels = UINT32_MAX,
                                          .data = table};
    table->entries = calloc((size_t)topology->routers * topology->routers, sizeof *table->entries);
    assert_non_null(table->entries);
}

void table_routing_free(struct table_routing *table)
{
    free(table->entries);
}

uint64_t table_shortest_ports(const struct net_topology *topology, uint32_t router, uint32_t target)
{
    uint32_t distance = net_topology_distance(topology, router, target);
    uint64_t ports = 0;
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
        if (link != NET_NONE &&
            net_topology_distance(topology, topology->links[link].target, target) < distance)
            ports |= UINT64_C(1) << port;
    }
    return ports;
}

void table_fill(struct table_routing *table, uint32_t tier, uint32_t virtual_channels,
                uint64_t (*choose)(const struct net_topology *topology, uint32_t router, uint32_t target,
                                   uint64_t seed),
                uint64_t seed)
{
    const struct net_topology *topology = table->routing.topology;
    table->virtual_channels[tier] = virtual_channels;
    if (table->tiers <= tier)
        table->tiers = tier + 1;
    for (uint32_t router = 0; router < topology->routers; router++)
        for (uint32_t target = 0; target < topology->routers; target++)
            if (router != target)
                table->entries[(size_t)router * topology->routers + target].ports[tier] =
                    choose(topology, router, target, seed);
}

uint64_t table_all(const struct net_topology *topology, uint32_t router, uint32_t target, uint64_t seed)
{
    (void)seed;
    return table_shortest_ports(topology, router, target);
}

uint64_t table_first(const struct net_topology *topology, uint32_t router, uint32_t target, uint64_t seed)
{
    uint64_t ports = table_all(topology, router, target, seed);
    return ports & -ports;
}

uint64_t table_random_one(const struct net_topology *topology, uint32_t router, uint32_t target,
                          uint64_t seed)
{
    uint64_t ports = table_all(topology, router, target, seed);
    uint64_t draw = base_hash(seed, (uint64_t)router << 32 | target);
    for (uint32_t skip = base_scale(draw, (uint32_t)__builtin_popcountll(ports)); skip != 0; skip--)
        ports &= ports - 1;
    return ports & -ports;
}

uint64_t table_random_set(const struct net_topology *topology, uint32_t router, uint32_t target,
                          uint64_t seed)
{
    uint64_t ports = table_all(topology, router, target, seed);
    uint64_t drawn = ports & base_hash(seed + 1, (uint64_t)router << 32 | target);
    return drawn != 0 ? drawn : ports;
}
