#include "tests/netmodel/engines/adaptive-routings.h"

#include "netmodel/routings/families.h"

static int prepare_nothing(struct net_routing *routing, const struct net_specification *specification,
                           struct base_error *error)
{
    (void)routing, (void)specification, (void)error;
    return 0;
}

static uint32_t one_variant(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    (void)routing, (void)a, (void)b;
    return 1;
}

static uint64_t header_of(uint32_t here, uint32_t target)
{
    return here == target ? 0 : (uint64_t)(here + 1) << 32 | (target + 1);
}

static uint64_t start_pair(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)variant;
    return header_of(a, b);
}

static uint32_t link_by(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    return topology->link_at[router * topology->ports + port];
}

static uint64_t step_pair(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)router;
    uint32_t link = link_by(routing->topology, (uint32_t)(header >> 32) - 1, port);
    return header_of(routing->topology->links[link].target, (uint32_t)header - 1);
}

/* Mask of the ports on a shortest path. */
static uint64_t shortest_ports(const struct net_topology *topology, uint64_t header)
{
    uint32_t here = (uint32_t)(header >> 32) - 1, target = (uint32_t)header - 1;
    uint32_t distance = net_topology_distance(topology, here, target);
    uint64_t ports = 0;
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t link = link_by(topology, here, port);
        if (link != NET_NONE &&
            net_topology_distance(topology, topology->links[link].target, target) < distance)
            ports |= UINT64_C(1) << port;
    }
    return ports;
}

static uint32_t route_tiers(const struct net_routing *routing, uint32_t router, uint64_t header,
                            struct net_route *route)
{
    (void)router;
    if (header == 0)
        return 0;
    uint64_t ports = shortest_ports(routing->topology, header);
    uint32_t tiers = routing->virtual_channels;
    for (uint32_t tier = 0; tier < tiers; tier++) {
        bool last = tier + 1 == tiers && tiers > 1;
        route->ports[tier] = last ? ports & -ports : ports;
        route->virtual_channels[tier] = UINT32_C(1) << (tiers - 1 - tier);
    }
    return tiers;
}

static uint32_t route_wide(const struct net_routing *routing, uint32_t router, uint64_t header,
                           struct net_route *route)
{
    (void)router;
    if (header == 0)
        return 0;
    uint64_t ports = shortest_ports(routing->topology, header);
    uint32_t all = (UINT32_C(1) << routing->virtual_channels) - 1;
    route->ports[0] = ports;
    route->virtual_channels[0] = all > 1 ? all - 1 : 1;
    route->ports[1] = ports & -ports;
    route->virtual_channels[1] = 1;
    return all > 1 ? 2 : 1;
}

/* By what it sees: the escape alone where few channels are free; else first the port with most room in all its virtual
 * channels, for some amounts of room that port and the escape alone. */
static uint32_t look_around(const struct net_routing *routing, uint64_t header, const struct net_view *view,
                            struct net_route *route, uint32_t tiers)
{
    uint32_t best = 0, most = 0, free_channels = 0;
    uint64_t all = route->ports[0];
    (void)header;
    for (uint64_t ports = all; ports != 0; ports &= ports - 1) {
        uint32_t port = (uint32_t)__builtin_ctzll(ports), room = 1;
        for (uint32_t v = 0; v < routing->virtual_channels; v++) {
            room += view->room(view, port, v);
            free_channels += view->is_free(view, port, v);
        }
        if (room > most)
            best = port;
        most = room > most ? room : most;
    }
    if (tiers == 1)
        return 1;
    if (2 * free_channels < routing->virtual_channels) {
        route->ports[0] = route->ports[1];
        route->virtual_channels[0] = route->virtual_channels[1];
        route->ports[1] = 0;
        return 1;
    }
    route->ports[0] = UINT64_C(1) << best;
    if (most % 3 == 0) /* an odd taste: it shows when a flit of room was missed */
        return tiers;
    route->ports[2] = route->ports[1];
    route->virtual_channels[2] = route->virtual_channels[1];
    route->ports[1] = all;
    route->virtual_channels[1] = route->virtual_channels[0];
    return 3;
}

const struct net_routing_kind test_routing_look = {
    .name = "test-look",
    .summary = "adaptive, by what it sees of its router",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_wires,
    .prepare = prepare_nothing,
    .variants = one_variant,
    .start = start_pair,
    .route = route_wide,
    .look = look_around,
    .step = step_pair,
};

/* ---- rule 14: by the lowest of the shortest ports at every router, or by the highest ---- */

#define HIGHEST (UINT64_C(1) << 63)

static uint64_t bit_of(uint64_t ports, uint64_t header)
{
    return (header & HIGHEST) == 0 ? ports & -ports : UINT64_C(1) << (63 - __builtin_clzll(ports));
}

static uint32_t route_side(const struct net_routing *routing, uint32_t router, uint64_t header,
                           struct net_route *route)
{
    (void)router;
    if ((header & ~HIGHEST) == 0)
        return 0;
    route->ports[0] = bit_of(shortest_ports(routing->topology, header & ~HIGHEST), header);
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return 1;
}

static uint64_t step_side(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    return step_pair(routing, router, header & ~HIGHEST, port) | (header & HIGHEST);
}

static uint64_t detour_side(const struct net_routing *routing, uint64_t header)
{
    (void)routing;
    return header | HIGHEST;
}

/* The fuller link, and for some numbers of flits the other one: it shows when a flit was missed. Of one link all
 * channels count, of the other all but channel 0 where there are others. Packets that wait count by what they chose,
 * and their headers for which numbers these are. */
static uint64_t choose_side(const struct net_routing *routing, uint64_t header,
                            const struct net_occupancy *occupancy)
{
    if (header == 0)
        return header;
    uint64_t ports = shortest_ports(routing->topology, header);
    uint32_t all = UINT32_MAX >> (32 - routing->virtual_channels), upper = all > 1 ? all - 1 : all;
    uint32_t low = occupancy->flits(occupancy, (uint32_t)__builtin_ctzll(bit_of(ports, 0)), all);
    uint32_t high = occupancy->flits(occupancy, (uint32_t)__builtin_ctzll(bit_of(ports, HIGHEST)), upper);
    uint64_t sum = 0, chosen = 0;
    for (uint32_t i = 0; i < occupancy->injectors; i++) {
        uint32_t length = occupancy->waiting(occupancy, i, &chosen);
        *((chosen & HIGHEST) != 0 ? &high : &low) += length;
        sum += length != 0 ? chosen & ~HIGHEST : 0;
    }
    bool other = (low + 2 * high + sum) % 3 == 1;
    return (high > low) != other ? header | HIGHEST : header;
}

const struct net_routing_kind test_routing_choose = {
    .name = "test-choose",
    .summary = "one way or another, chosen at the source",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_wires,
    .prepare = prepare_nothing,
    .variants = one_variant,
    .start = start_pair,
    .route = route_side,
    .detour = detour_side,
    .choose = choose_side,
    .step = step_side,
};

const struct net_routing_kind test_routing_tiers = {
    .name = "test-tiers",
    .summary = "adaptive, one tier a virtual channel",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_wires,
    .prepare = prepare_nothing,
    .variants = one_variant,
    .start = start_pair,
    .route = route_tiers,
    .step = step_pair,
};

const struct net_routing_kind test_routing_wide = {
    .name = "test-wide",
    .summary = "adaptive, all virtual channels but one in the first tier",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_wires,
    .prepare = prepare_nothing,
    .variants = one_variant,
    .start = start_pair,
    .route = route_wide,
    .step = step_pair,
};

void test_routing_init(struct net_routing *routing, const struct net_routing_kind *kind,
                       const struct net_topology *topology, uint32_t virtual_channels)
{
    *routing = (struct net_routing){.kind = kind,
                                    .topology = topology,
                                    .virtual_channels = virtual_channels,
                                    .bubble_channels = UINT32_MAX};
}
