/* The Slim Fly (slim-fly.h). */
#include "netmodel/machines/slim-fly.h"

#include <inttypes.h>
#include <stdio.h>

#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/machines/detours.h"
#include "netmodel/topologies/wires.h"

const struct net_slim_fly *net_slim_fly_of(const struct net_topology *topology)
{
    extern const struct net_topology_kind net_topology_slim_fly;
    return topology->kind == &net_topology_slim_fly ? topology->shape : NULL;
}

/* By trial: ports bound the numbers to some hundreds. */
static bool is_prime(uint32_t number)
{
    for (uint32_t divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return false;
    return number > 1;
}

/* The number whose powers are all but 0; of a prime there is one. */
static uint32_t primitive_root(uint32_t q)
{
    for (uint32_t root = 2;; root++) {
        uint32_t power = root, order = 1;
        for (; power != 1; order++)
            power = power * root % q;
        if (order == q - 1)
            return root;
    }
}

/* Products stay far below 32 bits, as q does below 256. */
static uint32_t power_of(uint32_t root, uint32_t exponent, uint32_t q)
{
    uint32_t power = 1;
    for (uint32_t i = 0; i < exponent; i++)
        power = power * root % q;
    return power;
}

/* X, and X' with its powers one higher. */
static int fill_sets(struct net_topology *topology, struct net_slim_fly *fly, struct base_error *error)
{
    uint32_t root = primitive_root(fly->q), evens = fly->q % 4 == 1 ? fly->locals : fly->locals / 2;
    for (uint32_t s = 0; s < 2; s++) {
        uint32_t *set = base_arena_array(&topology->arena, fly->locals, sizeof *set);
        if (set == NULL)
            return base_error_memory(error, "a Slim Fly");
        for (uint32_t i = 0; i < fly->locals; i++)
            set[i] = power_of(root, s + (i < evens ? 2 * i : 2 * i - 1), fly->q);
        fly->sets[s] = set;
    }
    return 0;
}

/* (s, x, y): the half, the group in it, and the place in the group. */
static uint32_t router_at(const struct net_slim_fly *fly, uint32_t s, uint32_t x, uint32_t y)
{
    return (s * fly->q + x) * fly->q + y;
}

/* Within a group, (s, x, y) and (s, x, y') are linked if y' - y is in the set of the half. Between the halves,
 * (0, x, y) and (1, m, c) are linked if y = m x + c: every group with every group of the other half, by a link of
 * each of its routers. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t name)
{
    const struct net_slim_fly *fly = topology->shape;
    uint32_t q = fly->q, s = router / (q * q), x = router / q % q, y = router % q;
    if (name < fly->locals)
        return router_at(fly, s, x, (y + fly->sets[s][name]) % q);
    uint32_t other = name - fly->locals, product = x * other % q;
    return router_at(fly, !s, other, (y + (s == 0 ? q - product : product)) % q);
}

/* Links within a group are short, those between the halves cross the machine. */
static uint32_t class_of(const struct net_topology *topology, uint32_t name)
{
    const struct net_slim_fly *fly = topology->shape;
    return name >= fly->locals;
}

/* As target has them: first those of the set, then one for each group of the other half. */
static int name_ports(struct net_topology *topology, const struct net_slim_fly *fly, struct net_wires *wires,
                      struct base_error *error)
{
    uint32_t next = 0;
    wires->names = fly->locals + fly->q;
    const char **texts = base_arena_array(&topology->arena, wires->names, sizeof *texts);
    if (texts == NULL)
        return base_error_memory(error, "the names of ports");
    wires->texts = texts;
    if (net_wires_add_names(topology, texts, &next, "local ", fly->locals, error) != 0)
        return -1;
    return net_wires_add_names(topology, texts, &next, "global ", fly->q, error);
}

/* The only size. The degree is checked before products are made. */
static int read_size(struct net_slim_fly *fly, const struct net_specification *specification,
                     struct base_error *error)
{
    fly->q = specification->side_count == 1 ? specification->sides[0] : 0;
    if (specification->side_count != 1)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a Slim Fly takes one size, a prime, as in slim-fly:5",
                              specification->text);
    if (fly->q / 2 * 3 > NET_PORTS_MAX)
        return base_error_set(
            error, BASE_USAGE,
            "topology '%.80s': routers of more than %d ports; that is the most a router may have",
            specification->text, NET_PORTS_MAX);
    if (fly->q < 3 || !is_prime(fly->q))
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': %u is not an odd prime; Slim Flies of powers of primes, "
                              "such as 4 and 9, are not built",
                              specification->text, fly->q);
    fly->locals = (fly->q - (fly->q % 4 == 1 ? 1 : 0) + (fly->q % 4 == 3 ? 1 : 0)) / 2;
    return 0;
}

/* Half of the degree, rounded up: as many terminals as a network of diameter 2 can keep busy. */
static uint32_t default_terminals(const struct net_slim_fly *fly)
{
    return (fly->locals + fly->q + 1) / 2;
}

/* Two times q x q routers. Those of a set of q are linked by local links, those of the two halves by global ones;
 * the terminals of a router are half of its links, rounded up, where they are not given. The group of a partition
 * is a set of q. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    static const char *const classes[] = {"local", "global"};
    struct net_slim_fly *fly = base_arena_alloc(&topology->arena, sizeof *fly);
    struct net_wires wires = {.target = target, .class_of = class_of};
    if (fly == NULL)
        return base_error_memory(error, "a Slim Fly");
    if (read_size(fly, specification, error) != 0)
        return -1;
    uint64_t terminals = default_terminals(fly), routers = 2 * (uint64_t)fly->q * fly->q;
    if (net_specification_unsigned(specification, "terminals", 1, NET_TERMINALS_MAX, &terminals, error) !=
            0 ||
        net_wires_size_ends(topology, specification, routers, routers, terminals, error) != 0 ||
        fill_sets(topology, fly, error) != 0 || name_ports(topology, fly, &wires, error) != 0)
        return -1;
    topology->shape = fly;
    topology->group_terminals = fly->q * topology->concentration;
    topology->link_classes = classes;
    topology->link_class_count = 2;
    return net_wires_build_named(topology, specification, &wires, error);
}

static const char *write_parameters(struct net_topology *topology, const char *text)
{
    return net_specification_append(topology, text, "terminals", topology->concentration,
                                    default_terminals(topology->shape));
}

/* All that are not linked have a neighbour in common. */
static uint32_t distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    const struct net_slim_fly *fly = topology->shape;
    for (uint32_t name = 0; name < fly->locals + fly->q; name++)
        if (target(topology, a, name) == b)
            return 1;
    return a == b ? 0 : 2;
}

/* Of all sizes: that is what the sets are chosen for. */
static uint32_t diameter(const struct net_topology *topology)
{
    (void)topology;
    return 2;
}

/* No two links join the same routers, and whatever is not linked is two hops away. */
static void histogram(const struct net_topology *topology, uint64_t *pairs)
{
    uint64_t routers = topology->routers;
    pairs[0] = routers;
    pairs[1] = topology->link_count;
    pairs[2] = routers * (routers - 1) - topology->link_count;
}

/* (s,x,y): which of the two halves, then its set of Q routers, and its place in that. */
static void router_name(const struct net_topology *topology, uint32_t router, char *text)
{
    const struct net_slim_fly *fly = topology->shape;
    snprintf(text, NET_NAME_TEXT, "(%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")", router / (fly->q * fly->q),
             router / fly->q % fly->q, router % fly->q);
}

/* Racks of Q routers, those of (0,x) and (1,x) side by side. */
static bool lay(const struct net_topology *topology, uint32_t router, double at[2])
{
    const struct net_slim_fly *fly = topology->shape;
    uint32_t column = 2 * (router / fly->q % fly->q) + router / (fly->q * fly->q);
    at[0] = column;
    at[1] = router % fly->q;
    return true;
}

/* The two halves as two rows, s = 0 above, by x and then y, a router's room between two x. */
static bool place(const struct net_topology *topology, uint32_t router, double at[2])
{
    const struct net_slim_fly *fly = topology->shape;
    uint32_t half = fly->q * fly->q;
    uint32_t column = router % half + router % half / fly->q;
    at[0] = column;
    at[1] = router < half ? half / 3.0 : 0;
    return true;
}

static const char *const keys[] = {"terminals", NULL};

/* Of minimal (netmodel/routings/minimal.c). */
extern const struct net_routing_kind net_routing_minimal_drawn;
static const struct net_routing_kind *const forms[] = {&net_routing_minimal_drawn,
                                                       &net_routing_valiant_detours, NULL};

const struct net_topology_kind net_topology_slim_fly = {
    .name = "slim-fly",
    .chance = BASE_EXACT,
    .summary = "2 Q x Q routers, Q a prime; any two are at most two hops apart",
    .parameters = "Q[,terminals=P]",
    .routing = "minimal",
    .forms = forms,
    .keys = keys,
    .examples = "3 3,terminals=1 5,terminals=1 5",
    .build = build,
    .write = write_parameters,
    .place = place,
    .lay = lay,
    .distance = distance,
    .diameter = diameter,
    .histogram = histogram,
    .router_name = router_name,
};
