/* ROMM in two phases: randomised, oblivious, minimal. As Valiant's routing, but the intermediate router is
 * drawn among those on shortest paths, the box between source and destination: ways stay short, and adverse
 * patterns are still spread over many. */
#include "netmodel/topologies/grid.h"
#include "netmodel/routings/two-phase.h"
#include "netmodel/routings/families.h"

/* A box has at most side routers along a dimension of a mesh; round a torus half of that and one, twice. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint64_t most = 1;
    (void)specification;
    for (uint32_t d = 0; d < topology->grid->dimensions && most <= UINT32_MAX; d++)
        most *= topology->grid->sides[d] + (topology->grid->wraps ? 2 : 0);
    if (most > UINT32_MAX)
        return base_error_set(error, BASE_USAGE, "routing '%s': '%s' has too many ways by another router",
                              routing->kind->name, topology->text);
    return net_two_phase_prepare(routing, error);
}

/* Without its sign: the box reaches as far to either side. */
static uint32_t magnitude(int32_t displacement)
{
    return (uint32_t)(displacement < 0 ? -displacement : displacement);
}

/* Ways round, each with its box; all boxes of a pair are equally large. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    int32_t displacements[NET_DIMENSIONS_MAX];
    uint32_t count = net_grid_variants(routing->topology, a, b);
    net_grid_displacements(routing->topology, a, b, 0, displacements);
    for (uint32_t d = 0; d < routing->topology->grid->dimensions; d++)
        count *= magnitude(displacements[d]) + 1;
    return count;
}

/* The variant's digits say how far the intermediate router is along each dimension. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    int32_t first[NET_DIMENSIONS_MAX] = {0}, second[NET_DIMENSIONS_MAX] = {0};
    uint32_t ways = net_grid_variants(routing->topology, a, b), place = variant / ways;
    net_grid_displacements(routing->topology, a, b, variant % ways, second);
    for (uint32_t d = 0; d < routing->topology->grid->dimensions; d++) {
        uint32_t choices = magnitude(second[d]) + 1;
        first[d] = (int32_t)(place % choices) * (second[d] < 0 ? -1 : 1);
        second[d] -= first[d];
        place /= choices;
    }
    return net_two_phase_pack(routing, first, second);
}

const struct net_routing_kind net_routing_romm = {
    .name = "romm",
    .chooses = net_routing_chooses_always,
    .summary =
        "shortest paths by an intermediate router drawn for each packet between source and destination",
    .reference = "T. Nesson, S. L. Johnsson, ROMM routing on mesh and torus networks, SPAA 1995; "
                 "doc/networks.md, Routings",
    .deadlock_argument = "each phase has its half of the virtual channels, the second never waits for the "
                         "first, and each alone is in dimension order, rings under the bubble rule",
    .virtual_channels = 2,
    .minimal = true,
    .serves = &net_family_orthogonal,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = net_two_phase_route,
    .step = net_two_phase_step,
};
