/* Links in the order that topology.h promises, from a function of router and port. */
#include "netmodel/topologies/wires.h"

#include <string.h>

#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/topologies/graph.h"
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
    return net_wires_size_ends(topology, specification, routers, routers, concentration, error);
}

/* `ends` of the routers have terminals, as of those of a fat tree the lowest level. */
int net_wires_size_ends(struct net_topology *topology, const struct net_specification *specification,
                        uint64_t routers, uint64_t ends, uint64_t terminals, struct base_error *error)
{
    if (routers > NET_TERMINALS_MAX || terminals > NET_TERMINALS_MAX || ends * terminals > NET_TERMINALS_MAX)
        return base_error_set(
            error, BASE_USAGE, "topology '%.80s': %llu routers of %llu terminals are more than %u",
            specification->text, (unsigned long long)ends, (unsigned long long)terminals, NET_TERMINALS_MAX);
    topology->routers = (uint32_t)routers;
    topology->concentration = (uint32_t)terminals;
    topology->terminals = (uint32_t)(ends * terminals);
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

/* By router and port, which is the order that topology.h wants. Room is made for as many links as there are ports.
 * What links do not take of the room stays in the arena, unused. */
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

/* A list of links and their ports, before links are sorted by these. */
struct listing {
    const struct net_wires *wires; /* borrowed */
    uint32_t count;
    uint32_t (*ends)[2]; /* [link] in the order of routers and names */
    uint32_t *ports, *names;
    bool named; /* port numbers are those of the names */
};

/* Names of ports can be numbers at both ends of a link only if no two links come to one input: then they are kept as
 * names, and ports are numbered by the order of links. Two links of one name that enter the same router would need
 * the same input. */
static int list_links(const struct net_topology *topology, struct listing *listing,
                      struct base_arena *scratch, struct base_error *error)
{
    size_t slots = (size_t)topology->routers * listing->wires->names;
    uint8_t *taken = base_arena_array(scratch, slots, sizeof *taken);
    listing->ends = base_arena_array(scratch, slots, sizeof *listing->ends);
    listing->ports = base_arena_array(scratch, slots, sizeof *listing->ports);
    listing->names = base_arena_array(scratch, slots, sizeof *listing->names);
    if (taken == NULL || listing->ends == NULL || listing->ports == NULL || listing->names == NULL)
        return base_error_memory(error, "the topology's links");
    listing->named = true;
    for (uint32_t router = 0; router < topology->routers; router++)
        for (uint32_t name = 0; name < listing->wires->names; name++) {
            uint32_t to = listing->wires->target(topology, router, name);
            if (to == NET_NONE)
                continue;
            size_t input = (size_t)to * listing->wires->names + name;
            listing->named = listing->named && taken[input] == 0;
            taken[input] = 1;
            listing->ends[listing->count][0] = router;
            listing->ends[listing->count][1] = to;
            listing->names[listing->count] = name;
            listing->ports[listing->count++] = name;
        }
    return 0;
}

/* Sorted by source and port: link_at is filled with places of the list first. A counting sort by slots. */
static int place_links(struct net_topology *topology, const struct listing *listing, struct base_error *error)
{
    size_t slots = (size_t)topology->routers * topology->ports;
    size_t names = (size_t)topology->routers * listing->wires->names;
    struct net_link *links = base_arena_array(&topology->arena, listing->count, sizeof *links);
    uint32_t *link_at = base_arena_array(&topology->arena, slots, sizeof *link_at);
    uint32_t *named_at = base_arena_array(&topology->arena, names, sizeof *named_at);
    uint16_t *of_link = base_arena_array(&topology->arena, listing->count, sizeof *of_link);
    struct net_named_ports *named = base_arena_alloc(&topology->arena, sizeof *named);
    if (links == NULL || link_at == NULL || named_at == NULL || of_link == NULL || named == NULL)
        return base_error_memory(error, "the topology's links");
    memset(link_at, 0xff, slots * sizeof *link_at);
    memset(named_at, 0xff, names * sizeof *named_at);
    for (uint32_t i = 0; i < listing->count; i++)
        link_at[(size_t)listing->ends[i][0] * topology->ports + listing->ports[i]] = i;
    for (size_t slot = 0; slot < slots; slot++) {
        uint32_t i = link_at[slot], link = topology->link_count;
        if (i == NET_NONE)
            continue;
        uint32_t name = listing->names[i], source = listing->ends[i][0];
        links[link] = (struct net_link){
            .source = source,
            .target = listing->ends[i][1],
            .port = listing->ports[i],
            .class_number =
                (uint16_t)(listing->wires->class_of == NULL ? 0 : listing->wires->class_of(topology, name))};
        link_at[slot] = named_at[(size_t)source * listing->wires->names + name] = link;
        of_link[link] = (uint16_t)name;
        topology->link_count++;
    }
    *named = (struct net_named_ports){listing->wires->names, listing->wires->texts, named_at, of_link};
    topology->links = links;
    topology->link_at = link_at;
    topology->named = named;
    return 0;
}

/* What only serves the numbering is in the scratch. */
static int number_and_place(struct net_topology *topology, const struct net_specification *specification,
                            struct listing *listing, struct base_arena *scratch, struct base_error *error)
{
    if (list_links(topology, listing, scratch, error) != 0)
        return -1;
    topology->ports = listing->count > 0 ? listing->wires->names : 0;
    if (!listing->named)
        topology->ports =
            net_graph_number_ports(topology->routers, listing->count, listing->ends, listing->ports);
    if (!listing->named && topology->ports == 0)
        return base_error_memory(error, "the ports of a topology");
    if (check_ports(topology, specification, error) != 0)
        return -1;
    return place_links(topology, listing, error);
}

/* The bound is on names, since ports are not known yet. */
int net_wires_build_named(struct net_topology *topology, const struct net_specification *specification,
                          const struct net_wires *wires, struct base_error *error)
{
    struct listing listing = {.wires = wires};
    struct base_arena scratch = {0};
    if ((uint64_t)topology->routers * wires->names > NET_PORT_SLOTS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': %u routers of %u ports need more than %u links",
                              specification->text, topology->routers, wires->names, NET_PORT_SLOTS_MAX);
    int status = number_and_place(topology, specification, &listing, &scratch, error);
    base_arena_free(&scratch);
    return status;
}

/* *next is where the next text goes. */
int net_wires_add_names(struct net_topology *topology, const char **texts, uint32_t *next, const char *word,
                        uint32_t count, struct base_error *error)
{
    for (uint32_t i = 0; i < count; i++) {
        texts[*next] = base_arena_format(&topology->arena, "%s%u", word, i);
        if (texts[(*next)++] == NULL)
            return base_error_memory(error, "the names of ports");
    }
    return 0;
}

/* "p0" to "p255": ten names a row. */
#define TEN(t)                                                                                               \
    "p" t "0", "p" t "1", "p" t "2", "p" t "3", "p" t "4", "p" t "5", "p" t "6", "p" t "7", "p" t "8",       \
        "p" t "9"

/* Static texts, so that nobody has to free them. */
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
