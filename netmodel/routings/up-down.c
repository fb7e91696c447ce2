/* Up-down routing (up*, then down*), for any network whose links lead both ways: routers have levels, their
 * distances from a root; a link leads up when it comes nearer to the root, or at equal distance to a lower
 * number. A packet goes up, then down, never up again; of all such ways to its destination it may take the
 * shortest ones, by whatever hop has room.
 *
 * The header is the destination and whether the packet has gone down. Two tables, looked up by router and
 * destination, hold the ports of the shortest legal ways: for packets that may still go up, and for those
 * that may not. In both directions the levels make an order, so each table is filled in one pass for a
 * destination. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/graph.h"
#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/routings/families.h"
#include "netmodel/routings/plain.h"
#include "netmodel/routings/port-table.h"

#define TABLE_BYTES_MAX (UINT64_C(1) << 29)
#define GONE_DOWN (UINT64_C(1) << 32)
#define FAR UINT32_MAX

struct tables {
    const bool *dead; /* [link], or NULL; the routing's */
    uint64_t *down;   /* [router * words + word]: mask of the ports that lead down */
    uint32_t words;
    struct net_port_table ports[2]; /* [gone down] */
};

/* Scratch of prepare. */
struct levels {
    uint32_t *level, *order; /* order: routers from the root downwards, by level, then number */
    uint32_t *rank;          /* [router]: its place in order */
    uint32_t *far[2];        /* [gone down][router]: hops to the destination at hand */
};

/* The live link by a port, or NET_NONE: everything here is of the network that is left. */
static uint32_t link_of(const struct net_topology *topology, const bool *dead, uint32_t router, uint32_t port)
{
    uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
    return link != NET_NONE && dead != NULL && dead[link] ? NET_NONE : link;
}

/* Distance from the root over links either way; links of one direction only serve those who can use them. */
static void find_levels(const struct net_topology *topology, const bool *dead, uint32_t root,
                        struct levels *levels)
{
    uint32_t head = 0, tail = 0;
    memset(levels->level, 0xff, topology->routers * sizeof *levels->level);
    levels->level[root] = 0;
    levels->order[tail++] = root;
    while (head < tail) {
        uint32_t router = levels->order[head++];
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t link = link_of(topology, dead, router, port);
            uint32_t next = link != NET_NONE ? topology->links[link].target : router;
            if (levels->level[next] == FAR) {
                levels->level[next] = levels->level[router] + 1;
                levels->order[tail++] = next;
            }
        }
    }
    for (uint32_t r = 0; r < topology->routers; r++)
        if (levels->level[r] == FAR)
            levels->order[tail++] = r;
}

/* Level and number in one word make the order a plain comparison. */
static int compare_ranks(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

/* Routers by level, then number. */
static int order_routers(const struct net_topology *topology, struct levels *levels,
                         struct base_arena *scratch)
{
    uint64_t *keys = base_arena_array(scratch, topology->routers, sizeof *keys);
    if (keys == NULL)
        return -1;
    for (uint32_t r = 0; r < topology->routers; r++)
        keys[r] = (uint64_t)levels->level[r] << 32 | r;
    qsort(keys, topology->routers, sizeof *keys, compare_ranks);
    for (uint32_t i = 0; i < topology->routers; i++) {
        levels->order[i] = (uint32_t)keys[i];
        levels->rank[levels->order[i]] = i;
    }
    return 0;
}

static bool leads_down(const struct tables *tables, uint32_t router, uint32_t port)
{
    return (tables->down[(size_t)router * tables->words + port / 64] >> port % 64 & 1) != 0;
}

/* Hops to the destination by a port; FAR: there is no legal way. A packet that has gone down may not go up. */
static uint32_t hops_by(const struct net_topology *topology, const struct tables *tables,
                        const struct levels *levels, uint32_t router, uint32_t port, uint32_t gone_down)
{
    uint32_t link = link_of(topology, tables->dead, router, port);
    bool down = leads_down(tables, router, port);
    if (link == NET_NONE || (gone_down && !down))
        return FAR;
    uint32_t rest = levels->far[down][topology->links[link].target];
    return rest == FAR ? FAR : rest + 1;
}

/* What a router has for the destination: the hops of the shortest legal ways, and their ports. */
static void fill_router(const struct net_topology *topology, const struct tables *tables,
                        const struct levels *levels, uint32_t router, uint32_t destination,
                        uint32_t gone_down)
{
    uint32_t best = FAR;
    for (uint32_t port = 0; port < topology->ports && router != destination; port++) {
        uint32_t hops = hops_by(topology, tables, levels, router, port, gone_down);
        best = hops < best ? hops : best;
    }
    levels->far[gone_down][router] = router == destination ? 0 : best;
    for (uint32_t port = 0; port < topology->ports && best != FAR; port++)
        if (hops_by(topology, tables, levels, router, port, gone_down) == best)
            net_port_table_add(&tables->ports[gone_down], router, destination, port);
}

/* Downward ways from the bottom up, then all ways from the root down: what each looks at is done before. */
static void fill_destination(const struct net_topology *topology, const struct tables *tables,
                             const struct levels *levels, uint32_t destination)
{
    for (uint32_t i = topology->routers; i-- > 0;)
        fill_router(topology, tables, levels, levels->order[i], destination, 1);
    for (uint32_t i = 0; i < topology->routers; i++)
        fill_router(topology, tables, levels, levels->order[i], destination, 0);
}

/* "router 3", or the name that a file gives it. */
static const char *name_of(const struct net_topology *topology, uint32_t router, char text[32])
{
    if (topology->graph != NULL)
        return topology->graph->names[router];
    int used = 0;
    char digits[12];
    do
        digits[used++] = (char)('0' + router % 10);
    while ((router /= 10) != 0);
    for (int i = 0; i < used; i++)
        text[i] = digits[used - 1 - i];
    text[used] = '\0';
    return text;
}

/* Only routers with terminals must reach each other: a switch that cannot be left again harms nobody. */
static int fill_tables(const struct net_routing *routing, const struct tables *tables, struct levels *levels,
                       struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint32_t with_terminals = topology->terminals / topology->concentration;
    for (uint32_t destination = 0; destination < topology->routers; destination++) {
        fill_destination(topology, tables, levels, destination);
        for (uint32_t source = 0; source < with_terminals && destination < with_terminals; source++) {
            char from[32], to[32];
            if (levels->far[0][source] == FAR)
                return base_error_set(
                    error, BASE_USAGE,
                    "routing 'up-down': '%s' has no way from router %s to router %s that goes "
                    "up, then down, as links of both directions would give%s",
                    topology->text, name_of(topology, source, from), name_of(topology, destination, to),
                    topology->graph != NULL && topology->graph->route_count != 0
                        ? "; --routing table takes the file's routes"
                    : topology->grid == NULL ? "; --routing minimal goes the shortest paths"
                                             : "");
        }
    }
    return 0;
}

/* The parameter root: a router's number, or its name in a graph. Else the router with most links, the first
 * of them. */
static int find_root(const struct net_routing *routing, const struct net_specification *specification,
                     uint32_t *root, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint32_t most = 0;
    uint64_t number = NET_NONE;
    *root = 0;
    if (specification->parameter_count > 0 && topology->graph != NULL) {
        *root = net_graph_router(topology, specification->parameters[0].value);
        if (*root != NET_NONE)
            return 0;
    }
    if (net_specification_unsigned(specification, "root", 0, topology->routers - 1, &number, error) != 0)
        return -1;
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t links = 0;
        for (uint32_t port = 0; port < topology->ports; port++)
            links += link_of(topology, routing->dead, r, port) != NET_NONE;
        *root = links > most ? r : *root;
        most = links > most ? links : most;
    }
    *root = number != NET_NONE ? (uint32_t)number : *root;
    return 0;
}

/* Two tables of routers x routers. Half a gigabyte is the limit: 16 000 routers of few ports, 5800 of
 * many. */
static int make_tables(struct net_routing *routing, struct tables *tables, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    if (2 * net_port_table_bytes(topology) > TABLE_BYTES_MAX)
        return base_error_set(error, BASE_USAGE, "routing 'up-down': %u routers are too many for its tables",
                              topology->routers);
    tables->words = net_port_table_words(topology);
    tables->down =
        base_arena_array(&routing->arena, (size_t)topology->routers * tables->words, sizeof *tables->down);
    if (tables->down == NULL || net_port_table_init(&tables->ports[0], topology, &routing->arena) != 0 ||
        net_port_table_init(&tables->ports[1], topology, &routing->arena) != 0)
        return base_error_memory(error, "the tables of up-down routing");
    return 0;
}

/* Levels, their order, then which links lead down, then the tables: each needs the one before. */
static int fill(struct net_routing *routing, struct tables *tables, uint32_t root, struct base_arena *scratch,
                struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    uint32_t *words = base_arena_array(scratch, 5 * (size_t)topology->routers, sizeof *words);
    struct levels levels;
    if (words == NULL)
        return base_error_memory(error, "the levels of routers");
    levels.level = words;
    levels.order = words + topology->routers;
    levels.rank = levels.order + topology->routers;
    levels.far[0] = levels.rank + topology->routers;
    levels.far[1] = levels.far[0] + topology->routers;
    find_levels(topology, routing->dead, root, &levels);
    if (order_routers(topology, &levels, scratch) != 0)
        return base_error_memory(error, "the levels of routers");
    for (uint32_t i = 0; i < topology->link_count; i++) {
        const struct net_link *link = &topology->links[i];
        if (levels.rank[link->target] > levels.rank[link->source])
            tables->down[(size_t)link->source * tables->words + link->port / 64] |= UINT64_C(1)
                                                                                    << link->port % 64;
    }
    return fill_tables(routing, tables, &levels, error);
}

/* All links obey one order, so a ring of a torus can never be full of packets that wait: no bubble
 * anywhere. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    struct tables *tables = base_arena_alloc(&routing->arena, sizeof *tables);
    struct base_arena scratch = {0};
    uint32_t root;
    if (tables == NULL)
        return base_error_memory(error, "the tables of up-down routing");
    tables->dead = routing->dead;
    if (find_root(routing, specification, &root, error) != 0 || make_tables(routing, tables, error) != 0)
        return -1;
    int status = fill(routing, tables, root, &scratch, error);
    base_arena_free(&scratch);
    routing->data = tables;
    routing->bubble_channels = 0;
    return status;
}

/* Per header: one look-up. The ports are all those of shortest legal ways, at least one wherever a packet
 * can be. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct tables *tables = routing->data;
    net_port_table_get(&tables->ports[header >= GONE_DOWN], router, (uint32_t)header, route, 0);
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return (uint32_t)header != router;
}

/* Once down, always down. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    const struct tables *tables = routing->data;
    return leads_down(tables, router, port) ? header | GONE_DOWN : header;
}

static const char *const keys[] = {"root", NULL};

/* Any pair with several ports, or links with several virtual channels. */
static bool chooses(const struct net_routing *routing)
{
    const struct tables *tables = routing->data;
    uint32_t routers = routing->topology->routers;

    for (uint32_t gone_down = 0; gone_down < 2; gone_down++)
        for (uint32_t a = 0; a < routers; a++)
            for (uint32_t b = 0; b < routers; b++) {
                struct net_route route;
                net_port_table_get(&tables->ports[gone_down], a, b, &route, 0);
                uint32_t port = net_route_next(routing->topology, &route, 0, 0);
                if (port != NET_NONE && net_route_next(routing->topology, &route, 0, port + 1) != NET_NONE)
                    return true;
            }
    return routing->virtual_channels > 1;
}

const struct net_routing_kind net_routing_up_down = {
    .name = "up-down",
    .chooses = chooses,
    .summary = "links that go both ways: up towards a root, then down, the shortest such ways, adaptively",
    .reference = "M. D. Schroeder et al., Autonet, IEEE J. Sel. Areas Commun. 9(8), 1991; doc/networks.md, "
                 "Routings",
    .deadlock_argument =
        "routers are ordered by distance from the root, then number: links up only wait for "
        "links nearer to the root or for links down, and these only for links farther from it",
    .parameters = "[,root=ROUTER]",
    .keys = keys,
    .virtual_channels = 1,
    .minimal = false,
    .detours = true,
    .serves = &net_family_wires,
    .prepare = prepare,
    .variants = net_plain_variants,
    .start = net_plain_start,
    .route = route,
    .step = step,
};
