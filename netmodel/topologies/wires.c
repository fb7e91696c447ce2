/* Links in the order that topology.h promises, from a function of router and port. */
#include "netmodel/topologies/wires.h"

#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/topologies/grid.h"

const char *const net_wires_keys[] = {"concentration", NULL};

/* All routers have the same number of terminals. */
int net_wires_size(struct net_topology *topology, const struct net_specification *specification,
                   uint64_t routers, struct base_error *error)
{
    uint64_t concentration = 1;
    if (net_specification_unsigned(specification, "concentration", 1, NET_TERMINALS_MAX, &concentration,
                                   error) != 0)
        return -1;
    if (routers > NET_TERMINALS_MAX || routers * concentration > NET_TERMINALS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': %llu routers of %llu terminals are more than %u",
                              specification->text, (unsigned long long)routers,
                              (unsigned long long)concentration, NET_TERMINALS_MAX);
    topology->routers = (uint32_t)routers;
    topology->concentration = (uint32_t)concentration;
    topology->terminals = (uint32_t)(routers * concentration);
    return 0;
}

/* Before anything is allocated: a short text must not be able to ask for gigabytes. */
static int check_ports(const struct net_topology *topology, const struct net_specification *specification,
                       struct base_error *error)
{
    if (topology->ports > NET_PORTS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': routers of %u ports; a router has at most %d",
                              specification->text, topology->ports, NET_PORTS_MAX);
    if ((uint64_t)topology->routers * topology->ports > NET_PORT_SLOTS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': %u routers of %u ports need more than %u links",
                              specification->text, topology->routers, topology->ports, NET_PORT_SLOTS_MAX);
    return 0;
}

int net_wires_build(struct net_topology *topology, const struct net_specification *specification,
                    uint32_t (*target)(const struct net_topology *topology, uint32_t router, uint32_t port),
                    struct base_error *error)
{
    if (check_ports(topology, specification, error) != 0)
        return -1;
    size_t slots = (size_t)topology->routers * topology->ports;
    struct net_link *links = base_arena_array(&topology->arena, slots, sizeof *links);
    uint32_t *link_at = base_arena_array(&topology->arena, slots, sizeof *link_at);
    if (links == NULL || link_at == NULL)
        return base_error_memory(error, "the topology's links");
    topology->links = links;
    topology->link_at = link_at;
    for (uint32_t router = 0; router < topology->routers; router++)
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t to = target(topology, router, port);
            *link_at++ = to == NET_NONE ? NET_NONE : topology->link_count;
            if (to != NET_NONE)
                links[topology->link_count++] =
                    (struct net_link){.source = router,
                                      .target = to,
                                      .port = port,
                                      .class_number = (uint16_t)(topology->link_class_count > 0 ? port : 0)};
        }
    return 0;
}

/* "p0" to "p255": ten names a row. */
#define TEN(t)                                                                                               \
    "p" t "0", "p" t "1", "p" t "2", "p" t "3", "p" t "4", "p" t "5", "p" t "6", "p" t "7", "p" t "8",       \
        "p" t "9"

const char *net_wires_port_name(const struct net_topology *topology, uint32_t port)
{
    static const char names[][5] = {
        TEN(""),   TEN("1"),  TEN("2"),  TEN("3"),  TEN("4"),  TEN("5"),  TEN("6"),  TEN("7"),  TEN("8"),
        TEN("9"),  TEN("10"), TEN("11"), TEN("12"), TEN("13"), TEN("14"), TEN("15"), TEN("16"), TEN("17"),
        TEN("18"), TEN("19"), TEN("20"), TEN("21"), TEN("22"), TEN("23"), TEN("24"), TEN("25")};
    _Static_assert(sizeof names / sizeof names[0] >= NET_PORTS_MAX, "a name for every port");
    (void)topology;
    return names[port];
}
