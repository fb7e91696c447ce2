/* A graph from a file: routers, links and routes as its owner has them (graph.h; doc/networks.md, Networks of
 * one's own). The file's routers are numbered anew, those with terminals first, and its links sorted and
 * given port numbers; everything else is read off links, so that any topology can be tried. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/graph-reader.h"
#include "netmodel/topologies/grid.h"
#include "netmodel/topologies/wires.h"
#include "netmodel/routing.h"

/* What becomes of the file's numbers. */
struct numbering {
    uint32_t *router;    /* [as in the file] */
    uint32_t *link;      /* [arc] */
    uint32_t (*ends)[2]; /* [arc]: renumbered routers */
    uint32_t *ports;     /* [arc] */
    uint32_t terminal_routers;
};

/* Two passes over the file: routers with terminals get the first numbers, each group in the order of the
 * file.
 * So a terminal's router is its number over the concentration, as in all other topologies, though routers
 * without terminals have numbers, too. */
static void number_routers(const struct net_graph_text *text, struct numbering *numbering)
{
    uint32_t next = 0;
    for (uint32_t pass = 0; pass < 2; pass++) {
        for (uint32_t r = 0; r < text->router_count; r++)
            if ((text->routers[r].terminals == 0) == (pass == 1))
                numbering->router[r] = next++;
        if (pass == 0)
            numbering->terminal_routers = next;
    }
    for (uint32_t i = 0; i < text->arc_count; i++)
        for (uint32_t side = 0; side < 2; side++)
            numbering->ends[i][side] = numbering->router[text->arcs[i].ends[side]];
}

/* The first router with more links one way than ports can number.
 * Out and in are counted apart: a port number stands for one link that leaves and one that enters, and of
 * each there are at most NET_PORTS_MAX. */
static int check_degrees(const struct net_graph_text *text, const char *file, struct base_error *error)
{
    uint32_t *degrees = calloc(2 * (size_t)text->router_count, sizeof *degrees);
    int status = 0;
    if (degrees == NULL)
        return base_error_memory(error, "the ports of a graph");
    for (uint32_t i = 0; i < text->arc_count && status == 0; i++)
        for (uint32_t side = 0; side < 2 && status == 0; side++) {
            uint32_t router = text->arcs[i].ends[side];
            if (++degrees[2 * (size_t)router + side] > NET_PORTS_MAX)
                status = base_error_set(error, BASE_INPUT, "%s: router '%s' has more than %d links %s", file,
                                        text->routers[router].name, NET_PORTS_MAX, side == 0 ? "out" : "in");
        }
    free(degrees);
    return status;
}

/* By source, then port: the place of a link is where link_at leads, filled first.
 * So links are numbered in the order of their sources and ports. link_at holds arcs of the file at first,
 * and slot by slot becomes what it is for: links, or NET_NONE where a router has no such port. Counting and
 * placing rather than sorting: the order is by source and port, and ports are known. */
static int place_links(struct net_topology *topology, const struct net_graph_text *text,
                       const struct numbering *numbering, struct base_error *error)
{
    size_t slots = (size_t)topology->routers * topology->ports;
    struct net_link *links = base_arena_array(&topology->arena, text->arc_count, sizeof *links);
    uint32_t *link_at = base_arena_array(&topology->arena, slots, sizeof *link_at);
    if (links == NULL || link_at == NULL)
        return base_error_memory(error, "the topology's links");
    memset(link_at, 0xff, slots * sizeof *link_at);
    for (uint32_t i = 0; i < text->arc_count; i++)
        link_at[(size_t)numbering->ends[i][0] * topology->ports + numbering->ports[i]] = i;
    for (size_t s = 0; s < slots; s++) {
        uint32_t arc = link_at[s];
        if (arc == NET_NONE)
            continue;
        numbering->link[arc] = topology->link_count;
        link_at[s] = topology->link_count;
        links[topology->link_count++] =
            (struct net_link){.source = numbering->ends[arc][0],
                              .target = numbering->ends[arc][1],
                              .port = numbering->ports[arc],
                              .latency = (uint16_t)text->arcs[arc].latency,
                              .flit_cycles = (uint16_t)text->arcs[arc].flit_cycles,
                              .class_number = (uint16_t)text->arcs[arc].class_number,
                              .length = text->arcs[arc].length};
    }
    topology->links = links;
    topology->link_at = link_at;
    return 0;
}

/* The line makes the order total, since qsort() need not be stable. */
static int compare_routes(const void *left, const void *right)
{
    const struct net_graph_route *a = left, *b = right;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->target != b->target)
        return a->target < b->target ? -1 : 1;
    return a->line < b->line ? -1 : a->line > b->line;
}

/* Sorted by pair, so that a routing finds the routes of a pair next to each other; within a pair the order
 * of the file stays, since the number of a variant is part of a result. Links change their numbers as well as
 * routers. */
static int keep_routes(struct net_topology *topology, struct net_graph *graph,
                       const struct net_graph_text *text, const struct numbering *numbering,
                       struct base_error *error)
{
    struct net_graph_route *routes = base_arena_array(&topology->arena, text->route_count, sizeof *routes);
    struct net_graph_hop *hops = base_arena_array(&topology->arena, text->hop_count, sizeof *hops);
    if (routes == NULL || hops == NULL)
        return base_error_memory(error, "the routes of a graph");
    for (uint32_t i = 0; i < text->route_count; i++) {
        routes[i] = text->routes[i];
        routes[i].source = numbering->router[routes[i].source];
        routes[i].target = numbering->router[routes[i].target];
    }
    for (uint32_t i = 0; i < text->hop_count; i++)
        hops[i] = (struct net_graph_hop){numbering->link[text->hops[i].link], text->hops[i].virtual_channel};
    if (text->route_count > 1)
        qsort(routes, text->route_count, sizeof *routes, compare_routes);
    graph->routes = routes;
    graph->hops = hops;
    graph->route_count = text->route_count;
    return 0;
}

/* Names and places by the new numbers. Places count only when all routers have one.
 * Names are pointers into texts that the topology's arena keeps. A picture with some routers placed by the
 * file and others by us would be neither's. */
static int keep_routers(struct net_topology *topology, struct net_graph *graph,
                        const struct net_graph_text *text, const struct numbering *numbering,
                        struct base_error *error)
{
    const char **names = base_arena_array(&topology->arena, text->router_count, sizeof *names);
    double(*places)[2] = base_arena_array(&topology->arena, text->router_count, sizeof *places);
    uint32_t *ranks = base_arena_array(&topology->arena, text->arc_count, sizeof *ranks);
    bool all = true;
    if (names == NULL || places == NULL || ranks == NULL)
        return base_error_memory(error, "the routers of a graph");
    for (uint32_t r = 0; r < text->router_count; r++) {
        names[numbering->router[r]] = text->routers[r].name;
        memcpy(places[numbering->router[r]], text->routers[r].place, sizeof *places);
        all = all && text->routers[r].placed;
    }
    for (uint32_t i = 0; i < text->arc_count; i++)
        ranks[numbering->link[i]] = text->arcs[i].rank;
    graph->names = names;
    graph->places = all ? (const double(*)[2])places : NULL;
    graph->ranks = ranks;
    graph->ranked = text->ranked;
    graph->terminal_routers = numbering->terminal_routers;
    graph->virtual_channels = text->virtual_channels;
    return 0;
}

/* Names of link classes, in the order of the file. */
static int keep_classes(struct net_topology *topology, const struct net_graph_text *text,
                        struct base_error *error)
{
    const char **classes = base_arena_array(&topology->arena, text->class_count, sizeof *classes);
    if (classes == NULL)
        return base_error_memory(error, "the classes of links");
    for (uint32_t i = 0; i < text->class_count; i++)
        classes[i] = text->classes[i];
    topology->link_classes = classes;
    topology->link_class_count = text->class_count;
    return 0;
}

/* The same limits as for grids: a text file must not be able to ask for more memory than they can. */
static int set_size(struct net_topology *topology, const struct net_graph_text *text,
                    const struct numbering *numbering, const char *file, struct base_error *error)
{
    uint64_t terminals = (uint64_t)text->terminals * numbering->terminal_routers;
    if (terminals > NET_TERMINALS_MAX || (uint64_t)topology->ports * text->router_count > NET_PORT_SLOTS_MAX)
        return base_error_set(error, BASE_INPUT, "%s: %llu terminals at %u routers of %u ports are too many",
                              file, (unsigned long long)terminals, text->router_count, topology->ports);
    topology->routers = text->router_count;
    topology->concentration = text->terminals;
    topology->terminals = (uint32_t)terminals;
    return 0;
}

/* A single router needs no link, but an engine a port: one that leads nowhere. The order matters: ports need
 * renumbered ends, places of links need ports, routes need links. */
static int fill(struct net_topology *topology, const struct net_graph_text *text, struct numbering *numbering,
                struct net_graph *graph, struct base_error *error)
{
    if (check_degrees(text, graph->file, error) != 0)
        return -1;
    number_routers(text, numbering);
    topology->ports =
        net_graph_number_ports(text->router_count, text->arc_count, numbering->ends, numbering->ports);
    if (topology->ports == 0)
        return base_error_memory(error, "the ports of a graph");
    if (set_size(topology, text, numbering, graph->file, error) != 0 ||
        place_links(topology, text, numbering, error) != 0 || keep_classes(topology, text, error) != 0 ||
        keep_routers(topology, graph, text, numbering, error) != 0 ||
        keep_routes(topology, graph, text, numbering, error) != 0)
        return -1;
    topology->graph = graph;
    return 0;
}

/* What only serves the numbering goes when it is done; the topology keeps names, places, ranks and routes. The
 * file has been opened by net_topology_new, which also keeps its digest. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    struct net_graph_text text = {.arena = &topology->arena};
    struct net_graph *graph = base_arena_alloc(&topology->arena, sizeof *graph);
    struct base_arena scratch = {0};
    struct numbering numbering = {0};
    int status = -1;
    if (graph == NULL)
        return base_error_memory(error, "a graph");
    graph->file = specification->input->path;
    if (net_graph_text_read(&text, specification->input, error) == 0) {
        numbering.router = base_arena_array(&scratch, text.router_count, sizeof *numbering.router);
        numbering.link = base_arena_array(&scratch, text.arc_count, sizeof *numbering.link);
        numbering.ends = base_arena_array(&scratch, text.arc_count, sizeof *numbering.ends);
        numbering.ports = base_arena_array(&scratch, text.arc_count, sizeof *numbering.ports);
        if (numbering.router == NULL || numbering.link == NULL || numbering.ends == NULL ||
            numbering.ports == NULL)
            base_error_memory(error, "a graph");
        else
            status = fill(topology, &text, &numbering, graph, error);
    }
    base_arena_free(&scratch);
    net_graph_text_free(&text);
    return status;
}

/* A few routers' names are searched once a run. */
uint32_t net_graph_router(const struct net_topology *topology, const char *name)
{
    for (uint32_t r = 0; r < topology->routers; r++)
        if (strcmp(topology->graph->names[r], name) == 0)
            return r;
    return NET_NONE;
}

/* Where the file says. */
static bool place(const struct net_topology *topology, uint32_t router, double at[2])
{
    if (topology->graph->places != NULL)
        memcpy(at, topology->graph->places[router], sizeof *topology->graph->places);
    return topology->graph->places != NULL;
}

const struct net_topology_kind net_topology_graph = {
    .name = "graph",
    .chance = BASE_EXACT,
    .summary = "routers, links and routes from a file",
    .parameters = "FILE",
    .routing = "minimal",
    .reads_file = true,
    .build = build,
    .place = place,
    .port_name = net_wires_port_name,
};
