/* The full mesh: every router linked to every other (doc/networks.md). */
#include "netmodel/specification.h"
#include "netmodel/topologies/wires.h"

/* Port p leads p + 1 routers on, and is the only one there to come from so far back. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t port)
{
    return (router + port + 1) % topology->routers;
}

static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    if (specification->side_count != 1)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a full mesh takes one size, its routers, as in full-mesh:8",
                              specification->text);
    topology->ports = specification->sides[0] - 1;
    if (net_wires_size(topology, specification, specification->sides[0], error) != 0)
        return -1;
    return net_wires_build(topology, specification, target, error);
}

static uint32_t distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    (void)topology;
    return a != b;
}

static uint32_t diameter(const struct net_topology *topology)
{
    return topology->routers > 1;
}

static void histogram(const struct net_topology *topology, uint64_t *pairs)
{
    pairs[0] = topology->routers;
    if (topology->routers > 1)
        pairs[1] = (uint64_t)topology->routers * (topology->routers - 1);
}

/* Every router of one half is linked both ways to every router of the other. */
static int bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                     struct base_error *error)
{
    uint64_t half = topology->routers / 2;
    (void)error;
    *channels = 2 * half * (topology->routers - half);
    *exact = true;
    return 0;
}

const struct net_topology_kind net_topology_full_mesh = {
    .name = "full-mesh",
    .chance = BASE_EXACT,
    .summary = "every router linked to every other",
    .parameters = "N[,concentration=C]",
    .routing = "minimal",
    .keys = net_wires_keys,
    .examples = "1 2 3 6 9 4,concentration=2",
    .build = build,
    .distance = distance,
    .diameter = diameter,
    .histogram = histogram,
    .port_name = net_wires_port_name,
    .bisection = bisection,
};
