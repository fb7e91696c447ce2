/* Rings without bubbles: the order routing of a torus (its topology's default), with the virtual channels of
 * each link in two classes and a dateline on every ring (Dally and Seitz 1987; doc/flit-engine.md, rule 11).
 * It needs no room for whole packets, which is what wormhole asks for.
 *
 * The links by one port close rings: following them from any router leads back to it. Each ring's dateline is
 * the link that leaves its highest-numbered router. What a header may take depends on its way along the ring:
 *
 *     the dateline is farther ahead    │ the lower class
 *     the dateline is the next link    │ any channel
 *     the way never comes to it (more) │ any channel; the upper class is what it relies on
 *
 * So the channels that packets rely on are ordered: lower ones up to the dateline, both at it, upper ones
 * behind it. Whoever takes a lower one behind the dateline relies on upper ones from there on, which come
 * later (Duato 1995). A header that is on the way shows its way to anybody who walks it, and an order routing
 * never comes back to a ring, so that the class needs no memory. */
#include "netmodel/routing.h"
#include "netmodel/routings/families.h"

#include <string.h>

/* ahead: of each link of a ring those up to its dateline, which is 1 itself; 0: no ring. */
struct dateline {
    struct net_routing order;
    const uint32_t *ahead; /* [router * ports + port] */
};

static const struct net_routing *order_of(const struct net_routing *routing)
{
    return &((const struct dateline *)routing->data)->order;
}

/* From the highest router down, each that no ring of this port has led through yet is the highest of its own: round
 * the ring from there, each link has one less ahead of it than the one before. */
static void mark_datelines(const struct net_topology *topology, uint32_t port, uint32_t *ahead)
{
    for (uint32_t router = topology->routers; router-- > 0;) {
        size_t first = (size_t)router * topology->ports + port, at = first;
        uint32_t length = 0;
        if (topology->link_at[first] == NET_NONE || ahead[first] != 0)
            continue;
        do {
            at = (size_t)topology->links[topology->link_at[at]].target * topology->ports + port;
            length++;
        } while (at != first);
        ahead[first] = 1;
        for (; length > 1; length--) {
            at = (size_t)topology->links[topology->link_at[at]].target * topology->ports + port;
            ahead[at] = length;
        }
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
    uint32_t *ahead = base_arena_array(&routing->arena, marks, sizeof *ahead);
    if (dateline == NULL || ahead == NULL)
        return base_error_memory(error, "the datelines");
    routing->data = dateline;
    /* The order routings keep nothing in memory of their own. */
    if (net_routing_init(&dateline->order, topology, order_name(topology), routing->virtual_channels, error) <
        0)
        return -1;
    for (uint32_t port = 0; port < topology->ports; port++)
        if (topology->grid->ring_port[port])
            mark_datelines(topology, port, ahead);
    dateline->ahead = ahead;
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

/* Whether the way goes on for that many links by its next port, walked where the order routing has no legs. */
static bool goes_on(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port,
                    uint32_t links)
{
    const struct net_routing *order = order_of(routing);
    const struct net_topology *topology = routing->topology;
    struct net_route route = {.ports = {0}};
    if (order->legs)
        return links <= (order->kind->legs(order, header) / NET_LEG_HOP & NET_LEG_HOPS_MAX);
    while (--links > 0) {
        header = step(routing, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
        if (order->kind->route(order, router, header, &route) == 0 || route.ports[0] != UINT64_C(1) << port)
            return false;
    }
    return true;
}

/* Links on the way along the ring of its next port up to the dateline, this one included; 0: it is not on the
 * way. */
static uint32_t links_to_dateline(const struct net_routing *routing, uint32_t router, uint64_t header,
                                  uint32_t port)
{
    const struct dateline *dateline = routing->data;
    uint32_t links = dateline->ahead[(size_t)router * routing->topology->ports + port];
    return goes_on(routing, router, header, port, links) ? links : 0;
}

/* One port. Two tiers where the header relies on less than it may take: those of the second are in the first
 * as well. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct net_routing *order = order_of(routing);
    uint32_t tiers = order->kind->route(order, router, header, route);
    if (tiers == 0)
        return 0;
    uint32_t port = (uint32_t)__builtin_ctzll(route->ports[0]);
    uint32_t all = route->virtual_channels[0], lower = all >> (routing->virtual_channels / 2);
    if (!routing->topology->grid->ring_port[port])
        return 1;
    uint32_t links = links_to_dateline(routing, router, header, port);
    if (links > 1)
        route->virtual_channels[0] = lower;
    if (links > 0)
        return 1;
    route->ports[1] = route->ports[0];
    route->virtual_channels[1] = all & ~lower;
    return 2;
}

const struct net_routing_kind net_routing_dateline = {
    .name = "dateline",
    .chooses = net_routing_chooses_always,
    .summary = "order routing on rings in two classes of virtual channels: for wormhole",
    .reference =
        "W. Dally and C. Seitz, Deadlock-free message routing in multiprocessor interconnection networks, "
        "1987; doc/flit-engine.md, rule 11",
    .deadlock_argument =
        "on each ring, packets rely on lower channels up to the dateline, on upper ones behind "
        "it; rings follow each other in the order of the routing",
    .virtual_channels = 2,
    .minimal = true,
    .escape = true,
    .serves = &net_family_torus,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};
