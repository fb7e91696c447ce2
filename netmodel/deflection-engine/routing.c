/* Deflection routing: a packet that does not get a port on a shortest path takes another one, and none ever
 * waits (doc/deflection.md). What is said here is the way of a packet that meets nobody, by any port that
 * brings it nearer; who is deflected is decided in choice.c, since only this engine moves packets under
 * it.
 *
 * The header is the state of netmodel/topologies/one-way.h. */
#include "netmodel/deflection-engine/internal.h"

#include <string.h>

#include "base/names.h"
#include "netmodel/topologies/one-way.h"

/* In the order of enum net_deflection_rule, and of net_deflection_parameters.equal: false, true. */
static const char *const rules[NET_DEFLECT_RULES] = {"oldest", "random", "straight-through", "closest",
                                                     "preferential"};
static const char *const entries[] = {"after", "equal"};

/* The index of a key's value among `names`; `choice` stays as it is if the key is not given. -1: the value is none
 * of them, and the error names the nearest. */
static int read_choice(const struct net_specification *specification, const char *key,
                       const struct base_names *names, size_t *choice, struct base_error *error)
{
    for (uint32_t i = 0; i < specification->parameter_count; i++)
        if (strcmp(specification->parameters[i].key, key) == 0) {
            *choice = base_names_find(names, specification->parameters[i].value, SIZE_MAX, error);
            return *choice == names->count ? -1 : 0;
        }
    return 0;
}

/* A note to the user, or NULL. Without a table of steps (`next`) it is a D-ARM with an odd side (one-way.h). */
static const char *describe(const struct net_topology *topology)
{
    return topology->one_way->next != NULL
               ? NULL
               : "two neighbouring rings run the same way at the border of an odd side";
}

/* Parameters live in the routing's arena. Virtual channels are of buffers, which there are none of. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct base_names rule_names =
        BASE_NAMES_OF_TEXTS("deflection rule", rules, sizeof rules / sizeof *rules);
    const struct base_names entry_names =
        BASE_NAMES_OF_TEXTS("choice of new packets", entries, sizeof entries / sizeof *entries);
    struct net_deflection_parameters *parameters = base_arena_alloc(&routing->arena, sizeof *parameters);
    size_t rule = NET_DEFLECT_OLDEST, entry = 0;
    if (parameters == NULL)
        return base_error_memory(error, "the parameters of deflection");
    if (routing->virtual_channels > 1)
        return base_error_set(error, BASE_USAGE,
                              "--vcs %u does not apply to routing 'deflection': packets are never stored",
                              routing->virtual_channels);
    if (read_choice(specification, "rule", &rule_names, &rule, error) != 0 ||
        read_choice(specification, "new", &entry_names, &entry, error) != 0)
        return -1;
    *parameters = (struct net_deflection_parameters){(enum net_deflection_rule)rule, entry == 1};
    routing->data = parameters;
    routing->bubble_channels = 0;
    routing->note = describe(routing->topology);
    return 0;
}

/* The four functions of every routing (netmodel/routing.h), for a packet that meets nobody: one tier, of all ports
 * that lead nearer, one virtual channel, and no tier at the target. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    (void)routing, (void)a, (void)b;
    return 1;
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)variant;
    return net_one_way_state(routing->topology->one_way, a, b);
}

static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    (void)router;
    route->ports[0] = routing->topology->one_way->good[header];
    route->virtual_channels[0] = 1;
    return route->ports[0] != 0;
}

static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct net_topology *topology = routing->topology;
    uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
    return net_one_way_step(topology->one_way, (uint32_t)header, port, router, topology->links[link].target);
}

static bool serves(const struct net_topology *topology)
{
    return topology->one_way != NULL;
}

static const struct net_family family = {"darm, manhattan, shufflenet", serves};
static const char *const keys[] = {"rule", "new", NULL};

const struct net_routing_kind net_routing_deflection = {
    .name = "deflection",
    .chooses = net_routing_chooses_always,
    .summary = "one-way networks without buffers: shortest paths, and another one where they are taken",
    .reference =
        "L. L. Ling, A. J. Centeno Filho, D-ARM: a new proposal for multi-dimensional interconnection "
        "networks, 4; doc/deflection.md",
    .deadlock_argument = "no packet is ever stored or waits for another; under rule oldest all are delivered",
    .parameters = "[,rule=R][,new=after|equal]",
    .keys = keys,
    .virtual_channels = 1,
    .minimal = true,
    .never_waits = true,
    .serves = &family,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};

const struct net_deflection_parameters *net_deflection_parameters(const struct net_routing *routing)
{
    return routing != NULL && routing->kind == &net_routing_deflection ? routing->data : NULL;
}
