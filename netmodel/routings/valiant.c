/* Valiant's routing (doc/networks.md; the king thesis, section 3.2): by an intermediate router, drawn anew
 * for each packet among all of them, source and destination included. Any traffic looks uniform twice over:
 * adverse patterns lose their sting, and uniform traffic goes twice as far.
 *
 * Variants number the intermediate router, then the ways round to it and from it. Pairs have different
 * numbers of equally short ways, so they are counted in a common multiple: all variants are equally likely.
 * In a torus the intermediate router is counted from the source, so that all places are alike. */
#include "netmodel/topologies/grid.h"
#include "netmodel/routings/record.h"
#include "netmodel/routings/two-phase.h"
#include "netmodel/routings/families.h"

/* The common multiple of the numbers of ways from one router to another. */
static uint32_t ways_multiple(const struct net_topology *topology)
{
    uint32_t multiple = 1;
    if (!topology->grid->wraps)
        return 1;
    if (topology->grid->diagonals == NET_DIAGONAL_Z || topology->grid->diagonals == NET_DIAGONAL_T)
        return 12; /* one to four ways */
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        multiple *= topology->grid->sides[d] % 2 == 0 ? 2 : 1;
    return multiple;
}

/* Variants are numbered in 32 bits; only tori of very many dimensions have too many. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    uint64_t multiple = ways_multiple(routing->topology);
    (void)specification;
    if (routing->topology->routers * multiple * multiple > UINT32_MAX)
        return base_error_set(error, BASE_USAGE, "routing '%s': '%s' has too many ways by another router",
                              routing->kind->name, routing->topology->text);
    return net_two_phase_prepare(routing, error);
}

/* The same number for every pair, whether or not the two have ties. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    uint32_t multiple = ways_multiple(routing->topology);
    (void)a, (void)b;
    return routing->topology->routers * multiple * multiple;
}

/* The number-th router; in a torus the one that differs from a by those coordinates. */
static uint32_t intermediate(const struct net_topology *topology, uint32_t a, uint32_t number)
{
    uint32_t router = 0, stride = 1;
    if (!topology->grid->wraps)
        return number;
    for (uint32_t d = 0; d < topology->grid->dimensions; d++) {
        uint32_t side = topology->grid->sides[d], coordinate = a % side + number % side;
        router += (coordinate >= side ? coordinate - side : coordinate) * stride;
        stride *= side;
        a /= side;
        number /= side;
    }
    return router;
}

/* The way-th of the equally short ways between two routers, counted modulo their number, which divides the
 * common multiple. */
static void displace(const struct net_routing *routing, uint32_t from, uint32_t to, uint32_t way,
                     int32_t *displacements)
{
    const struct net_topology *topology = routing->topology;
    way %= net_record_variants(routing, from, to);
    if (topology->grid->diagonals == NET_DIAGONAL_Z || topology->grid->diagonals == NET_DIAGONAL_T)
        net_grid_diagonal_displacements(topology, from, to, way, displacements);
    else
        net_grid_displacements(topology, from, to, way, displacements);
}

/* Once a packet; the divisions stay out of the hops. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct net_topology *topology = routing->topology;
    int32_t first[NET_DIMENSIONS_MAX] = {0}, second[NET_DIMENSIONS_MAX] = {0};
    uint32_t multiple = ways_multiple(topology), ways = variant / topology->routers;
    uint32_t middle = intermediate(topology, a, variant % topology->routers);
    displace(routing, a, middle, ways % multiple, first);
    displace(routing, middle, b, ways / multiple, second);
    return net_two_phase_pack(routing, first, second);
}

/* Adds the load of all ways from one router to another; one phase is all that is in the header. */
static void add_load(const struct net_routing *routing, uint32_t from, uint32_t to, double weight,
                     double *load)
{
    const struct net_topology *topology = routing->topology;
    static const int32_t none[NET_DIMENSIONS_MAX] = {0};
    uint32_t ways = net_record_variants(routing, from, to);
    for (uint32_t way = 0; way < ways; way++) {
        int32_t displacements[NET_DIMENSIONS_MAX] = {0};
        uint32_t router = from;
        struct net_route route;
        displace(routing, from, to, way, displacements);
        uint64_t header = net_two_phase_pack(routing, displacements, none);
        while (net_two_phase_route(routing, router, header, &route) > 0) {
            uint32_t port = (uint32_t)__builtin_ctzll(route.ports[0]);
            uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
            load[link] += weight / ways;
            header = net_two_phase_step(routing, router, header, port);
            router = topology->links[link].target;
        }
    }
}

/* The phases are drawn apart, so their loads add up: no need to walk every pair of ways. */
static void expected_load(const struct net_routing *routing, uint32_t a, uint32_t b, double weight,
                          double *load)
{
    uint32_t routers = routing->topology->routers;
    for (uint32_t middle = 0; middle < routers; middle++) {
        add_load(routing, a, middle, weight / routers, load);
        add_load(routing, middle, b, weight / routers, load);
    }
}

/* Each phase is as short as can be. */
static struct net_way_lengths lengths(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_topology *topology = routing->topology;
    struct net_way_lengths lengths = {0, 0};
    uint64_t sum = 0;
    for (uint32_t middle = 0; middle < topology->routers; middle++) {
        uint32_t hops =
            net_topology_distance(topology, a, middle) + net_topology_distance(topology, middle, b);
        sum += hops;
        lengths.longest = hops > lengths.longest ? hops : lengths.longest;
    }
    lengths.mean = (double)sum / topology->routers;
    return lengths;
}

/* Grids, by the functions above, and networks that have a form of it (netmodel/machines/valiant-detours.c). */
static bool is_served(const struct net_topology *topology)
{
    return net_family_grid.contains(topology) || net_routing_form("valiant", topology) != NULL;
}

static const struct net_family family = {"mesh, torus, diagonal-mesh, diagonal-torus, king-mesh, king-torus, "
                                         "dragonfly, hyperx, full-mesh, slim-fly",
                                         is_served};

const struct net_routing_kind net_routing_valiant = {
    .name = "valiant",
    .chooses = net_routing_chooses_always,
    .summary = "by an intermediate router drawn for each packet, the shortest path to it and from it",
    .reference = "L. G. Valiant, A scheme for fast parallel communication, SIAM J. Comput. 11(2), 1982; E. "
                 "Stafford, thesis on king topologies, 2015: section 3.2; doc/networks.md, Routings",
    .deadlock_argument = "each phase has its half of the virtual channels, the second never waits for the "
                         "first, and each alone is in dimension order, rings under the bubble rule",
    .virtual_channels = 2,
    .minimal = false,
    .serves = &family,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = net_two_phase_route,
    .step = net_two_phase_step,
    .load = expected_load,
    .lengths = lengths,
};
