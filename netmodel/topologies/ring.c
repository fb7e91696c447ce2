/* The ring: each router linked to the next and to the one before (doc/networks.md). The kind to copy: a network
 * without a grid, of one size. */
#include "netmodel/specification.h"
#include "netmodel/topologies/wires.h"

/* Port 0 leads on, port 1 back. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    return (router + (port == 0 ? 1 : topology->routers - 1)) % topology->routers;
}

/* One router has no links. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    if (specification->side_count != 1)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a ring takes one size, its routers, as in ring:8",
                              specification->text);
    topology->ports = specification->sides[0] > 1 ? 2 : 0;
    if (net_wires_size(topology, specification, specification->sides[0], error) != 0)
        return -1;
    return net_wires_build(topology, specification, target, error);
}

/* The shorter way round. */
static uint32_t distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    uint32_t on = a < b ? b - a : a - b, back = topology->routers - on;
    return on < back ? on : back;
}

/* Half of the ring, rounded down. */
static uint32_t diameter(const struct net_topology *topology)
{
    return topology->routers / 2;
}

/* Two routers at every distance, but one at half of an even ring. */
static void histogram(const struct net_topology *topology, uint64_t *pairs)
{
    for (uint32_t a = 0; a < topology->routers; a++)
        pairs[distance(topology, 0, a)] += topology->routers;
}

/* Directions, as a ring has no axis. */
static const char *port_name(const struct net_topology *topology, uint32_t port)
{
    (void)topology;
    return port == 0 ? "on" : "back";
}

/* A ring is cut in two places, a link each way in each of them. Of two routers, all four links are between them. */
static int bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                     struct base_error *error)
{
    (void)error;
    *channels = topology->routers > 1 ? 4 : 0;
    *exact = true;
    return 0;
}

/* Folded: 0, the last one, 1, the last but one ... in a row. */
static bool lay(const struct net_topology *topology, uint32_t router, double place[2])
{
    uint32_t last = topology->routers - 1;
    place[0] = 2 * router <= last ? 2 * router : 2 * (last - router) + 1;
    place[1] = 0;
    return true;
}

const struct net_topology_kind net_topology_ring = {
    .name = "ring",
    .chance = BASE_EXACT,
    .summary = "a ring: each router linked to the next and to the one before",
    .parameters = "N[,concentration=C]",
    .routing = "ring-shortest",
    .keys = net_wires_keys,
    .examples = "1 2 3 8 9 5,concentration=3",
    .build = build,
    .lay = lay,
    .distance = distance,
    .diameter = diameter,
    .histogram = histogram,
    .port_name = port_name,
    .bisection = bisection,
};
