/* The ideal network: terminals without routers and links. Messages take no time in it; a replay on it is the
 * time to which every other network is compared (doc/networks.md). With a latency it is a network that never contends,
 * as the models of LogP's family have it. */
#include "netmodel/topologies/ideal.h"

#include "netmodel/specification.h"
#include "netmodel/topology.h"

#define LATENCY_MAX 1000000000 /* a second, of nanoseconds */

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
    struct net_ideal *ideal = base_arena_alloc(&topology->arena, sizeof *ideal);
    if (ideal == NULL)
        return base_error_memory(error, "the ideal network");
    ideal->latency = 0;
    topology->terminals = specification->sides[0];
    topology->concentration = 1;
    topology->shape = ideal;
    return net_specification_unsigned(specification, "latency", 0, LATENCY_MAX, &ideal->latency, error);
}

static const char *write_parameters(struct net_topology *topology, const char *text)
{
    const struct net_ideal *ideal = topology->shape;
    return net_specification_append(topology, text, "latency", (uint32_t)ideal->latency, 0);
}

/* Asked for by mappers, which count dilation on every topology alike. */
static uint32_t distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    (void)topology;
    (void)a;
    (void)b;
    return 0;
}

static const char *const keys[] = {"latency", NULL};

const struct net_topology_kind net_topology_ideal = {
    .name = "ideal",
    .chance = BASE_EXACT,
    .summary = "no network at all: zero latency, or one of so many cycles; unlimited bandwidth",
    .parameters = "N[,latency=CYCLES]",
    .examples = "9,latency=5 1 7 64",
    .keys = keys,
    .write = write_parameters,
    .build = build,
    .distance = distance,
};
