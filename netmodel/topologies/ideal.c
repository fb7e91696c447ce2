/* The ideal network: terminals without routers and links. Messages take no time in it; a replay on it is the
 * time to which every other network is compared (doc/networks.md). */
#include "netmodel/specification.h"
#include "netmodel/topology.h"

/* Neither routers nor links: what is left is a number of terminals, any two of which are next to each
 * other. Code that asks for routers has to allow for none. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    if (specification->side_count != 1)
        return base_error_set(
            error, BASE_USAGE,
            "topology '%.80s': an ideal network takes one size, its terminals, as in ideal:64",
            specification->text);
    topology->terminals = specification->sides[0];
    topology->concentration = 1;
    return 0;
}

/* Asked for by mappers, which count dilation on every topology alike. */
static uint32_t distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    (void)topology;
    (void)a;
    (void)b;
    return 0;
}

const struct net_topology_kind net_topology_ideal = {
    .name = "ideal",
    .chance = BASE_EXACT,
    .summary = "no network at all: zero latency, unlimited bandwidth",
    .parameters = "N",
    .examples = "1 7 64",
    .build = build,
    .distance = distance,
};
