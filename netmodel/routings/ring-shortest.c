/* The shortest path round a ring (topologies/ring.c), on two classes of virtual channels: a packet that has the link
 * between the last router and the first still ahead of it takes the lower class, every other one the upper
 * class. So channels can be ordered: lower ones up to that link, then upper ones from there on (W. J. Dally and C. L.
 * Seitz, IEEE Trans. Comput. C-36(5), 1987).
 *
 * The header is the hops to go and the direction:
 *
 *      … │ 1: back │ hops 24 bits */
#include "netmodel/routing.h"
#include "netmodel/routings/families.h"
#include "netmodel/routings/plain.h"

#define HOPS UINT64_C(0xffffff)
#define BACK (UINT64_C(1) << 24)

static bool is_ring(const struct net_topology *topology)
{
    extern const struct net_topology_kind net_topology_ring;
    return topology->kind == &net_topology_ring;
}

/* Half of an even ring is as short either way. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    uint32_t routers = routing->topology->routers, on = (b + routers - a) % routers;
    return on > 0 && 2 * on == routers ? 2 : 1;
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    uint32_t routers = routing->topology->routers, on = (b + routers - a) % routers;
    return 2 * on + variant > routers ? BACK | (routers - on) : on;
}

/* Whether the way from here leads from the last router to the first, or back from the first to the last. */
static bool has_dateline_ahead(uint32_t routers, uint32_t router, uint64_t header)
{
    uint64_t hops = header & HOPS;
    return header & BACK ? hops > router : router + hops >= routers;
}

/* One output, on the lower half of the virtual channels while the dateline is ahead, and on the upper half from
 * there on. Within its half a packet may take any. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    uint32_t lower = (UINT32_C(1) << routing->virtual_channels / 2) - 1;
    uint32_t all = UINT32_MAX >> (32 - routing->virtual_channels);
    if ((header & HOPS) == 0)
        return 0;
    route->ports[0] = header & BACK ? 2 : 1;
    route->virtual_channels[0] =
        has_dateline_ahead(routing->topology->routers, router, header) ? lower : all & ~lower;
    return 1;
}

static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header - 1;
}

static bool chooses(const struct net_routing *routing)
{
    return routing->topology->routers > 1 &&
           (routing->topology->routers % 2 == 0 || routing->virtual_channels > 2);
}

static const struct net_family family = {"ring", is_ring};

const struct net_routing_kind net_routing_ring_shortest = {
    .name = "ring-shortest",
    .chooses = chooses,
    .summary = "the shorter way round a ring, with a dateline",
    .reference =
        "W. J. Dally and C. L. Seitz, Deadlock-free message routing in multiprocessor interconnection "
        "networks, IEEE Trans. Comput. C-36(5), 1987; doc/networks.md, Routings",
    .deadlock_argument =
        "packets take the upper virtual channels from the dateline on and the lower ones before it, "
        "so that the channels of each direction are ordered",
    .virtual_channels = 2,
    .minimal = true,
    .serves = &family,
    .prepare = net_plain_prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};
