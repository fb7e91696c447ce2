/* The HyperX (hyperx.h). */
#include "netmodel/machines/hyperx.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/machines/detours.h"
#include "netmodel/topologies/wires.h"

/* A full mesh is a HyperX of one dimension. */
const struct net_hyperx *net_hyperx_of(const struct net_topology *topology)
{
    extern const struct net_topology_kind net_topology_hyperx, net_topology_full_mesh;
    bool is = topology->kind == &net_topology_hyperx || topology->kind == &net_topology_full_mesh;
    return is ? topology->shape : NULL;
}

/* Names of ports are dealt out dimension by dimension. */
static uint32_t dimension_of(const struct net_hyperx *hyperx, uint32_t name)
{
    uint32_t d = 0;
    while (name >= hyperx->first_name[d + 1])
        d++;
    return d;
}

/* Words behind the first are only there, and only read, where routers have more than 64 ports. */
void net_hyperx_no_ports(const struct net_topology *topology, struct net_route *route, uint32_t tier)
{
    route->ports[tier] = 0;
    for (uint32_t word = 1; topology->ports > 64 && word < NET_PORT_WORDS; word++)
        route->more[tier][word - 1] = 0;
}

/* All parallel links to the router with another coordinate in one dimension, as ports of a tier. */
void net_hyperx_add(const struct net_topology *topology, uint32_t router, uint32_t to, uint32_t d,
                    struct net_route *route, uint32_t tier, uint32_t count)
{
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t name = net_hyperx_name(hyperx, router, to, d);
    for (uint32_t k = 0; k < count; k++)
        net_route_add(route, tier, net_hyperx_port(hyperx, router, name + k));
}

/* A name says how many places on round the line its link leads; `width` names in a row lead to the same router. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t name)
{
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t d = dimension_of(hyperx, name), from = net_hyperx_coordinate(hyperx, router, d);
    uint32_t to = (from + (name - hyperx->first_name[d]) / hyperx->width + 1) % hyperx->sides[d];
    return router - from * hyperx->strides[d] + to * hyperx->strides[d];
}

static uint32_t class_of(const struct net_topology *topology, uint32_t name)
{
    const struct net_hyperx *hyperx = topology->shape;
    return hyperx->class_of[dimension_of(hyperx, name)];
}

/* "X", "Y", "Z", "D4" …, as dimensions of grids are called. */
static const char *letter_of(struct net_topology *topology, uint32_t d)
{
    static const char *const letters[] = {"X", "Y", "Z"};
    return d < 3 ? letters[d] : base_arena_format(&topology->arena, "D%u", d + 1);
}

/* A side of 1 has no links, and so no class. */
static int name_classes(struct net_topology *topology, struct net_hyperx *hyperx, struct base_error *error)
{
    const char **classes = base_arena_array(&topology->arena, hyperx->dimensions, sizeof *classes);
    if (classes == NULL)
        return base_error_memory(error, "the classes of links");
    for (uint32_t d = 0; d < hyperx->dimensions; d++) {
        if (hyperx->sides[d] == 1)
            continue;
        hyperx->class_of[d] = topology->link_class_count;
        classes[topology->link_class_count] = letter_of(topology, d);
        if (classes[topology->link_class_count++] == NULL)
            return base_error_memory(error, "the classes of links");
    }
    topology->link_classes = classes;
    return 0;
}

/* "X+2": two places on along X; "X+2.1": the second link to there. */
static int name_ports(struct net_topology *topology, const struct net_hyperx *hyperx, struct net_wires *wires,
                      struct base_error *error)
{
    const char **texts = base_arena_array(&topology->arena, wires->names, sizeof *texts);
    struct base_arena *arena = &topology->arena;
    wires->texts = texts;
    for (uint32_t name = 0; texts != NULL && name < wires->names; name++) {
        uint32_t d = dimension_of(hyperx, name), at = name - hyperx->first_name[d];
        const char *letter = topology->link_classes[hyperx->class_of[d]];
        texts[name] = hyperx->width == 1 ? base_arena_format(arena, "%s+%u", letter, at + 1)
                                         : base_arena_format(arena, "%s+%u.%u", letter,
                                                             at / hyperx->width + 1, at % hyperx->width);
        if (texts[name] == NULL)
            return base_error_memory(error, "the names of ports");
    }
    return texts != NULL ? 0 : base_error_memory(error, "the names of ports");
}

/* Routers and ports, checked while they are multiplied. */
static int fill(struct net_hyperx *hyperx, const struct net_specification *specification,
                struct base_error *error)
{
    uint64_t routers = 1, ports = 0;
    hyperx->dimensions = specification->side_count;
    hyperx->strides[0] = 1;
    for (uint32_t d = 0; d < hyperx->dimensions; d++) {
        hyperx->sides[d] = specification->sides[d];
        routers *= hyperx->sides[d];
        ports += (uint64_t)(hyperx->sides[d] - 1) * hyperx->width;
        if (ports > NET_PORTS_MAX)
            return base_error_set(error, BASE_USAGE,
                                  "topology '%.80s': a router would have more than %d ports",
                                  specification->text, NET_PORTS_MAX);
        if (routers > NET_TERMINALS_MAX)
            return base_error_set(error, BASE_USAGE, "topology '%.80s': more than %u routers",
                                  specification->text, NET_TERMINALS_MAX);
        hyperx->strides[d + 1] = (uint32_t)routers;
        hyperx->first_name[d + 1] = (uint32_t)ports;
    }
    return 0;
}

/* Of all names of all routers, once there are links. */
static int list_ports(struct net_topology *topology, struct net_hyperx *hyperx, struct base_error *error)
{
    uint32_t names = hyperx->first_name[hyperx->dimensions];
    size_t count = (size_t)topology->routers * names;
    hyperx->ports = base_arena_alloc(&topology->arena, (count + 1) * sizeof *hyperx->ports);
    if (hyperx->ports == NULL)
        return base_error_memory(error, "a HyperX");
    for (uint32_t router = 0; router < topology->routers; router++)
        for (uint32_t name = 0; name < names; name++)
            hyperx->ports[(size_t)router * names + name] =
                (uint16_t)net_named_link(topology, router, name)->port;
    return 0;
}

/* Every router has terminals. A group is a line of the first dimension. */
int net_hyperx_build(struct net_topology *topology, const struct net_specification *specification,
                     uint64_t terminals, uint64_t width, struct base_error *error)
{
    struct net_hyperx *hyperx = base_arena_alloc(&topology->arena, sizeof *hyperx);
    struct net_wires wires = {.target = target, .class_of = class_of};
    if (hyperx == NULL)
        return base_error_memory(error, "a HyperX");
    hyperx->width = (uint32_t)width;
    if (fill(hyperx, specification, error) != 0)
        return -1;
    uint64_t routers = hyperx->strides[hyperx->dimensions];
    if (net_wires_size_ends(topology, specification, routers, routers, terminals, error) != 0)
        return -1;
    topology->shape = hyperx;
    topology->group_terminals = hyperx->sides[0] * topology->concentration;
    wires.names = hyperx->first_name[hyperx->dimensions];
    if (name_classes(topology, hyperx, error) != 0 || name_ports(topology, hyperx, &wires, error) != 0)
        return -1;
    if (net_wires_build_named(topology, specification, &wires, error) != 0)
        return -1;
    return list_ports(topology, hyperx, error);
}

/* The sizes are the sides; width is the number of parallel links between two routers of a row. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    uint64_t terminals = 1, width = 1;
    if (net_specification_unsigned(specification, "terminals", 1, NET_TERMINALS_MAX, &terminals, error) !=
            0 ||
        net_specification_unsigned(specification, "width", 1, NET_PORTS_MAX, &width, error) != 0)
        return -1;
    return net_hyperx_build(topology, specification, terminals, width, error);
}

/* What is not the default. */
static const char *write_parameters(struct net_topology *topology, const char *text)
{
    const struct net_hyperx *hyperx = topology->shape;
    text = net_specification_append(topology, text, "terminals", topology->concentration, 1);
    return net_specification_append(topology, text, "width", hyperx->width, 1);
}

/* A hop for each coordinate that differs. */
uint32_t net_hyperx_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t hops = 0;
    for (uint32_t d = 0; d < hyperx->dimensions; d++)
        hops += net_hyperx_coordinate(hyperx, a, d) != net_hyperx_coordinate(hyperx, b, d);
    return hops;
}

/* A hop for each dimension that has links, which are those that have a class. */
uint32_t net_hyperx_diameter(const struct net_topology *topology)
{
    return topology->link_class_count;
}

/* From each router as many are k hops away as there are choices of k dimensions, times what these hold. */
void net_hyperx_histogram(const struct net_topology *topology, uint64_t *pairs)
{
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t dimensions = 0;
    pairs[0] = topology->routers;
    for (uint32_t d = 0; d < hyperx->dimensions; d++) {
        if (hyperx->sides[d] == 1)
            continue;
        dimensions++;
        for (uint32_t k = dimensions; k > 0; k--)
            pairs[k] += pairs[k - 1] * (hyperx->sides[d] - 1);
    }
}

/* The place of a router among all, when the coordinate of the longest side runs fastest. */
static uint32_t rank_of(const struct net_hyperx *hyperx, const uint32_t *longest_first, uint32_t router)
{
    uint32_t rank = 0;
    for (uint32_t i = hyperx->dimensions; i-- > 0;) {
        uint32_t d = longest_first[i];
        rank = rank * hyperx->sides[d] + net_hyperx_coordinate(hyperx, router, d);
    }
    return rank;
}

/* No set of as many routers has more links inside than the first ones in that order (J. H. Lindsey,
 * Assignment of numbers to vertices, Amer. Math. Monthly 71, 1964), and so none has fewer that leave it. */
int net_hyperx_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                         struct base_error *error)
{
    const struct net_hyperx *hyperx = topology->shape;
    uint32_t longest_first[NET_DIMENSIONS_MAX];
    bool *second = malloc(topology->routers * sizeof *second);
    if (second == NULL)
        return base_error_memory(error, "the halves of a network");
    for (uint32_t d = 0; d < hyperx->dimensions; d++) {
        uint32_t i = d;
        for (; i > 0 && hyperx->sides[longest_first[i - 1]] < hyperx->sides[d]; i--)
            longest_first[i] = longest_first[i - 1];
        longest_first[i] = d;
    }
    for (uint32_t r = 0; r < topology->routers; r++)
        second[r] = rank_of(hyperx, longest_first, r) >= topology->routers / 2;
    *channels = net_bisection_cut(topology, second);
    *exact = true;
    free(second);
    return 0;
}

/* "(2,0,1)": its coordinates. */
static void router_name(const struct net_topology *topology, uint32_t router, char *text)
{
    const struct net_hyperx *hyperx = topology->shape;
    size_t used = 0;
    for (uint32_t d = 0; d < hyperx->dimensions; d++)
        used += (size_t)snprintf(text + used, NET_NAME_TEXT - used, "%c%" PRIu32 "%s", d == 0 ? '(' : ',',
                                 net_hyperx_coordinate(hyperx, router, d),
                                 d + 1 == hyperx->dimensions ? ")" : "");
}

/* As a mesh of these sides. */
static bool place(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_hyperx *hyperx = topology->shape;
    net_grid_fold(hyperx->sides, hyperx->dimensions, false, router, place);
    return true;
}

static const char *const keys[] = {"terminals", "width", NULL};

const struct net_routing_kind *const net_hyperx_forms[] = {&net_routing_minimal_hyperx,
                                                           &net_routing_valiant_detours, NULL};

const struct net_topology_kind net_topology_hyperx = {
    .name = "hyperx",
    .chance = BASE_EXACT,
    .summary = "every router linked to all others of its line in every dimension",
    .parameters = "S1[xS2...][,terminals=T][,width=K]",
    .routing = "minimal",
    .forms = net_hyperx_forms,
    .keys = keys,
    .examples = "1 4 3x3 2x3,width=2 2x2x2 3x3,terminals=2 1x3 3x2x2 2x2,terminals=3,width=3 2x1x4",
    .build = build,
    .write = write_parameters,
    .place = place,
    .lay = place,
    .distance = net_hyperx_distance,
    .diameter = net_hyperx_diameter,
    .histogram = net_hyperx_histogram,
    .router_name = router_name,
    .bisection = net_hyperx_bisection,
};
