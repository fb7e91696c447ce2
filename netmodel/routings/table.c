/* Table routing: the routes that a graph's file declares, hop by hop, each hop on a virtual channel. Several
 * routes of a pair are equally likely.
 *
 * The file may declare ranks of its links; then every route rises in (virtual channel, rank), which the
 * reader has checked, and the ranks are the order that makes the routes free of deadlock. Without ranks an
 * order is looked for: taking away channels that wait for none of the rest, until none is left, or a circle
 * is.
 *
 * A header is a place in one list of all hops, each route ended by a mark: a step goes on by one. */
#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/graph.h"
#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/routings/families.h"

#define END UINT16_MAX
#define PAIRS_MAX (UINT64_C(1) << 27)
#define SHOWN 12 /* channels of a circle that an error names */

struct table {
    uint32_t routers;      /* with terminals */
    const uint32_t *first; /* [source * routers + target]: the first of its routes; one more at the end */
    const uint32_t *start; /* [route]: its place in hops */
    const uint16_t *hops;  /* virtual channel << 8 | port; place 0 is an end */
};

/* A channel that a packet may hold while it waits for the next. */
struct wait {
    uint32_t held, wanted;
};

/* Virtual channels of a link are channels of their own, with neighbouring numbers. */
static uint32_t channel_of(const struct net_graph *graph, const struct net_graph_hop *hop)
{
    return hop->link * graph->virtual_channels + hop->virtual_channel;
}

/* By the channel that is waited for: those that wait for it lie next to each other. */
static int compare_waits(const void *left, const void *right)
{
    const struct wait *a = left, *b = right;
    if (a->wanted != b->wanted)
        return a->wanted < b->wanted ? -1 : 1;
    return a->held < b->held ? -1 : a->held > b->held;
}

/* Every two hops that follow each other, by the one that is waited for. */
static uint32_t list_waits(const struct net_graph *graph, struct wait *waits)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < graph->route_count; i++)
        for (uint32_t h = 1; h < graph->routes[i].count; h++) {
            const struct net_graph_hop *hop = &graph->hops[graph->routes[i].first + h];
            waits[count++] = (struct wait){channel_of(graph, hop - 1), channel_of(graph, hop)};
        }
    qsort(waits, count, sizeof *waits, compare_waits);
    return count;
}

/* A binary search: taking channels away asks this once for each of them. */
static uint32_t first_wait_for(const struct wait *waits, uint32_t count, uint32_t wanted)
{
    uint32_t low = 0, high = count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (waits[middle].wanted < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Takes away channels that wait for nothing (pending 0), then those that waited for them only. Returns how
 * many are left, all of them before or on a circle. */
static uint32_t take_away(const struct wait *waits, uint32_t count, uint32_t channels, uint32_t *pending,
                          uint32_t *queue)
{
    uint32_t head = 0, tail = 0;
    for (uint32_t i = 0; i < count; i++)
        pending[waits[i].held]++;
    for (uint32_t channel = 0; channel < channels; channel++)
        if (pending[channel] == 0)
            queue[tail++] = channel;
    while (head < tail) {
        uint32_t gone = queue[head++];
        for (uint32_t i = first_wait_for(waits, count, gone); i < count && waits[i].wanted == gone; i++)
            if (--pending[waits[i].held] == 0)
                queue[tail++] = waits[i].held;
    }
    return channels - tail;
}

/* A channel that this one waits for and that is left as well. */
static uint32_t next_left(const struct wait *waits, uint32_t count, const uint32_t *pending, uint32_t channel)
{
    for (uint32_t i = 0; i < count; i++)
        if (waits[i].held == channel && pending[waits[i].wanted] > 0)
            return waits[i].wanted;
    return channel;
}

/* Goes on among what is left until it must be on a circle, then around it once. */
static int refuse_circle(const struct net_topology *topology, const struct wait *waits, uint32_t count,
                         uint32_t channels, const uint32_t *pending, struct base_error *error)
{
    const struct net_graph *graph = topology->graph;
    uint32_t channel = 0, shown = 0;
    while (pending[channel] == 0)
        channel++;
    for (uint32_t i = 0; i < channels; i++)
        channel = next_left(waits, count, pending, channel);
    base_error_set(
        error, BASE_INPUT,
        "%s: the routes may deadlock; channels that wait for each other in a cycle: ", graph->file);
    uint32_t begin = channel;
    do {
        const struct net_link *link = &topology->links[channel / graph->virtual_channels];
        base_error_append(error, "%s%s to %s/%u", shown > 0 ? ", " : "", graph->names[link->source],
                          graph->names[link->target], channel % graph->virtual_channels);
        channel = next_left(waits, count, pending, channel);
    } while (channel != begin && ++shown < SHOWN);
    return -1;
}

/* An order of all channels, where none is declared. */
static int check_circles(const struct net_topology *topology, struct base_error *error)
{
    const struct net_graph *graph = topology->graph;
    uint32_t channels = topology->link_count * graph->virtual_channels, hops = 0;
    int status = 0;
    for (uint32_t i = 0; i < graph->route_count; i++)
        hops += graph->routes[i].count;
    struct wait *waits = calloc((size_t)hops + 1, sizeof *waits);
    uint32_t *pending = calloc(2 * (size_t)channels + 1, sizeof *pending);
    if (waits == NULL || pending == NULL) {
        status = base_error_memory(error, "the order of channels");
    } else {
        uint32_t count = list_waits(graph, waits);
        if (take_away(waits, count, channels, pending, pending + channels) > 0)
            status = refuse_circle(topology, waits, count, channels, pending, error);
    }
    free(waits);
    free(pending);
    return status;
}

/* Routes are sorted by pair. Every pair of different routers has one. */
static int index_pairs(const struct net_topology *topology, struct table *table, uint32_t *first,
                       struct base_error *error)
{
    const struct net_graph *graph = topology->graph;
    uint32_t next = 0;
    for (uint32_t source = 0; source < table->routers; source++)
        for (uint32_t target = 0; target < table->routers; target++) {
            uint32_t begin = next;
            *first++ = next;
            while (next < graph->route_count && graph->routes[next].source == source &&
                   graph->routes[next].target == target)
                next++;
            if (next == begin && source != target)
                return base_error_set(error, BASE_INPUT, "%s: no route from '%s' to '%s'", graph->file,
                                      graph->names[source], graph->names[target]);
        }
    *first = next;
    table->first = first - (size_t)table->routers * table->routers;
    return 0;
}

/* A hop is its port and its virtual channel, which fit 16 bits: 256 ports, 32 channels. */
static int list_hops(struct net_routing *routing, struct table *table, struct base_error *error)
{
    const struct net_topology *topology = routing->topology;
    const struct net_graph *graph = topology->graph;
    size_t places = 1;
    for (uint32_t i = 0; i < graph->route_count; i++)
        places += graph->routes[i].count + 1;
    uint16_t *hops = base_arena_array(&routing->arena, places, sizeof *hops), *next = hops;
    uint32_t *start = base_arena_array(&routing->arena, graph->route_count, sizeof *start);
    if (hops == NULL || start == NULL)
        return base_error_memory(error, "the routes of a graph");
    *next++ = END;
    for (uint32_t i = 0; i < graph->route_count; i++) {
        start[i] = (uint32_t)(next - hops);
        for (uint32_t h = 0; h < graph->routes[i].count; h++) {
            const struct net_graph_hop *hop = &graph->hops[graph->routes[i].first + h];
            *next++ = (uint16_t)(hop->virtual_channel << 8 | topology->links[hop->link].port);
        }
        *next++ = END;
    }
    table->hops = hops;
    table->start = start;
    return 0;
}

/* In the order in which a user can mend things. */
static int prepare(struct net_routing *routing, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_graph *graph = routing->topology->graph;
    struct table *table = base_arena_alloc(&routing->arena, sizeof *table);
    (void)specification;
    if (table == NULL)
        return base_error_memory(error, "the routes of a graph");
    if (graph->route_count == 0 && graph->terminal_routers > 1)
        return base_error_set(error, BASE_USAGE, "routing 'table': %s declares no routes", graph->file);
    if (graph->virtual_channels > routing->virtual_channels)
        return base_error_set(error, BASE_USAGE,
                              "routing 'table': the routes of %s use %u virtual channels; give --vcs %u",
                              graph->file, graph->virtual_channels, graph->virtual_channels);
    table->routers = graph->terminal_routers;
    uint64_t pairs = (uint64_t)table->routers * table->routers;
    if (pairs > PAIRS_MAX)
        return base_error_set(error, BASE_USAGE, "routing 'table': %u routers with terminals are too many",
                              table->routers);
    uint32_t *first = base_arena_array(&routing->arena, (size_t)pairs + 1, sizeof *first);
    if (first == NULL)
        return base_error_memory(error, "the routes of a graph");
    if (index_pairs(routing->topology, table, first, error) != 0 || list_hops(routing, table, error) != 0 ||
        (!graph->ranked && check_circles(routing->topology, error) != 0))
        return -1;
    routing->data = table;
    routing->bubble_channels = 0;
    return 0;
}

/* Routers without terminals send nothing. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct table *table = routing->data;
    if (a == b || a >= table->routers || b >= table->routers)
        return 1;
    size_t pair = (size_t)a * table->routers + b;
    return table->first[pair + 1] - table->first[pair];
}

/* The place of the first hop. Routers without terminals, and a router and itself, begin at the end. */
static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    const struct table *table = routing->data;
    if (a == b || a >= table->routers || b >= table->routers)
        return 0;
    return table->start[table->first[(size_t)a * table->routers + b] + variant];
}

/* No table of pairs here: the header already points at the hop. */
static uint32_t route(const struct net_routing *routing, uint32_t router, uint64_t header,
                      struct net_route *route)
{
    const struct table *table = routing->data;
    uint32_t hop = table->hops[header];
    (void)router;
    if (hop == END)
        return 0;
    net_route_only(routing->topology, route, 0, hop & 0xff);
    route->virtual_channels[0] = UINT32_C(1) << (hop >> 8);
    return 1;
}

/* A route cannot be left, so the next place is the next hop. */
static uint64_t step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header + 1;
}

/* Each hop names its virtual channel: what is left is which of a pair's routes is taken. */
static bool chooses(const struct net_routing *routing)
{
    const struct table *table = routing->data;

    for (uint32_t pair = 0; pair < table->routers * table->routers; pair++)
        if (table->first[pair + 1] - table->first[pair] > 1)
            return true;
    return false;
}

const struct net_routing_kind net_routing_table = {
    .name = "table",
    .chooses = chooses,
    .summary = "the routes that a graph's file declares, in an order of channels that is checked",
    .reference =
        "W. J. Dally, C. L. Seitz, Deadlock-free message routing, IEEE Trans. Computers C-36(5), 1987; "
        "doc/networks.md, Networks of one's own",
    .deadlock_argument = "along every route channels rise in an order: by virtual channel, then by the ranks "
                         "that the file declares; without ranks an order is found or the routes are refused",
    .virtual_channels = 1,
    .minimal = false,
    .serves = &net_family_graph,
    .prepare = prepare,
    .variants = variants,
    .start = start,
    .route = route,
    .step = step,
};
