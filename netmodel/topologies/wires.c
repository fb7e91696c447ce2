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
                    (struct net_link){.source = router, .target = to, .port = port};
        }
    return 0;
}

const char *net_wires_port_name(const struct net_topology *topology, uint32_t port)
{
    static const char names[NET_PORTS_MAX + 2][4] = {
        "p0",  "p1",  "p2",  "p3",  "p4",  "p5",  "p6",  "p7",  "p8",  "p9",  "p10", "p11", "p12",
        "p13", "p14", "p15", "p16", "p17", "p18", "p19", "p20", "p21", "p22", "p23", "p24", "p25",
        "p26", "p27", "p28", "p29", "p30", "p31", "p32", "p33", "p34", "p35", "p36", "p37", "p38",
        "p39", "p40", "p41", "p42", "p43", "p44", "p45", "p46", "p47", "p48", "p49", "p50", "p51",
        "p52", "p53", "p54", "p55", "p56", "p57", "p58", "p59", "p60", "p61"};
    (void)topology;
    return names[port];
}
