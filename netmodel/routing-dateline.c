/* Rings without bubbles: the order routing of a torus (its topology's default), with the virtual channels of
 * each link in two classes and a dateline on every ring (Dally and Seitz 1987; doc/flit-engine.md, Wormhole on
 * rings). It needs no room for whole packets, which is what wormhole asks for.
 *
 * The links by one port close rings: following them from any router leads back to it. Each ring's dateline is
 * the link that leaves its highest-numbered router. As long as a header's way along a ring is still to cross
 * it, it uses the lower half of the virtual channels, the dateline itself included; else the upper half. A
 * header that is on the way shows its way to anybody who walks it, and an order routing never comes back to a
 * ring, so that the class needs no memory. */
#include "netmodel/routing.h"

#include <string.h>

struct dateline {
    struct net_routing order;
    const bool *crosses; /* [router * ports + port]: the link is its ring's dateline */
};

static const struct net_routing *order_of(const struct net_routing *routing)
{
    return &((const struct dateline *)routing->data)->order;
}

/* From the highest router down, each that no ring of this port has led through yet is the highest of its own. */
static void mark_datelines(const struct net_topology *topology, uint32_t port, bool *crosses, bool *seen)
{
    for (uint32_t router = topology->routers; router-- > 0;) {
        size_t at = (size_t)router * topology->ports + port;
        if (topology->link_at[at] == NET_NONE || seen[at])
            continue;
        crosses[at] = true;
        for (; !seen[at]; at = (size_t)topology->links[topology->link_at[at]].target * topology->ports + port)
            seen[at] = true;
    }
}

/* The routing whose ways these are, whatever the topology's default may be. */
static const char *order_name(const struct net_topology *topology)
{
    if (strcmp(topology->kind->name, "torus") == 0)
        return "dimension-order";
    return strcmp(topology->kind->name, "king-torus") == 0 ? "knaive" : "diagonal-order";
}

/* The way is the order routing's own; only the virtual channels are new. No bubbles are kept, which is
 * what lets wormhole take this routing on rings. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    const struct net_topology *topology = routing->topology;
    struct dateline *dateline = base_arena_alloc(&routing->arena, sizeof *dateline);
    size_t marks = (size_t)topology->routers * topology->ports;
    bool *crosses = base_arena_array(&routing->arena, marks, sizeof *crosses);
    bool *seen = base_arena_array(&routing->arena, marks, sizeof *seen);
    if (dateline == NULL || crosses == NULL || seen == NULL)
        return base_error_memory(error, "the datelines");
    routing->data = dateline;
    /* The order routings keep nothing in memory of their own. */
    if (net_routing_init(&dateline->order, topology, order_name(topology), routing->virtual_channels, error) < 0)
        return -1;
    for (uint32_t port = 0; port < topology->ports; port++)
        if (topology->ring_port[port])
            mark_datelines(topology, port, crosses, seen);
    dateline->crosses = crosses;
    routing->arrived = dateline->order.arrived;
    routing->bubble_channels = 0;
    return 0;
}

/* Headers are those of the order routing. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_routing *order = order_of(routing);
    return order->kind->variants(order, a, b);
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct net_routing *order = order_of(routing);
    return order->kind->start(order, a, b, variant);
}

static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct net_routing *order = order_of(routing);
    return order->kind->step(order, router, header, port);
}

/* Whether the way along the ring of its next port is still to cross the dateline. */
static bool is_before_dateline(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct dateline *dateline = routing->data;
    const struct net_topology *topology = routing->topology;
    struct net_route route = {{UINT64_C(1) << port}, {0}};
    uint32_t tiers = 1;
    while (tiers != 0 && route.ports[0] == UINT64_C(1) << port) {
        size_t at = (size_t)router * topology->ports + port;
        if (dateline->crosses[at])
            return true;
        header = step(routing, router, header, port);
        router = topology->links[topology->link_at[at]].target;
        tiers = dateline->order.kind->route(&dateline->order, router, header, &route);
    }
    return false;
}

/* One port, and half of its virtual channels; all of them where the port closes no rings. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_routing *order = order_of(routing);
    uint32_t tiers = order->kind->route(order, router, header, route);
    if (tiers == 0)
        return 0;
    uint32_t port = (uint32_t)__builtin_ctzll(route->ports[0]);
    uint32_t all = route->virtual_channels[0], lower = all >> (routing->virtual_channels / 2);
    if (routing->topology->ring_port[port])
        route->virtual_channels[0] =
            is_before_dateline(routing, router, header, port) ? lower : all & ~lower;
    return tiers;
}

static const char *const topologies[] = {"torus", "diagonal-torus", "king-torus", NULL};

const struct net_routing_kind net_routing_dateline = {
    .name = "dateline",
    .summary = "order routing on rings in two classes of virtual channels: for wormhole",
    .reference = "W. Dally and C. Seitz, Deadlock-free message routing in multiprocessor interconnection networks, "
                 "1987; doc/flit-engine.md, Wormhole on rings",
    .deadlock_argument = "on each ring, lower channels are only used up to the dateline, upper ones never "
                         "over it; rings follow each other in the order of the routing",
    .virtual_channels = 2,
    .minimal = true,
    .topologies = topologies,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};
