/* Making a mapping problem: slots with their coordinates, the graph in rows, the table of distances.
 *
 * Everything is built once and never changed. The graph's rows come from a counting pass, so that building is
 * linear in the pairs but for the sorting within a row; the table asks the topology once per pair of routers,
 * or searches once per router where distances have no closed form.
 *
 *      lay_slots          terminals of the partition that are free, or all: slot ─► terminal
 *      lay_coordinates    of grids: slot ─► coordinates of its router
 *      build_graph        rank ─► neighbours with weights, both directions of a pair as one; for searches only
 *      build_table        slot, slot ─► distance in links, if that fits; for searches only */
#include <config.h>

#include "mappers/problem.h"

#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "netmodel/topologies/mway.h"

/* Sums of 2^32 weights of 64 bits, times distances of 16. */
#define COST_MAX ((UINT64_C(1) << 61) - 1) /* twice a cost still fits a signed 64-bit number */

struct map_problem_edge { /* while rows are put together */
    uint32_t neighbour;
    uint64_t out, in; /* weights as the graph has them, before the shift */
};

/* ---- Slots ---- */

/* Ascending, each once, and existing. */
static int check_partition(const struct map_place *place, struct base_error *error)
{
    for (uint32_t i = 0; i < place->terminal_count; i++) {
        if (place->terminals[i] >= place->topology->terminals)
            return base_error_set(error, BASE_USAGE, "a partition with terminal %u, but %s has %u",
                                  place->terminals[i], place->topology->text, place->topology->terminals);
        if (i > 0 && place->terminals[i] <= place->terminals[i - 1])
            return base_error_set(error, BASE_USAGE,
                                  "a partition must list its terminals in ascending order");
    }
    return 0;
}

/* Every terminal as often as ranks may share it: the first slots of a rank order fill one terminal. */
static int lay_slots(struct map_problem *problem, const struct map_place *place, struct base_error *error)
{
    uint32_t share = place->ranks_per_terminal == 0 ? 1 : place->ranks_per_terminal;
    uint32_t count = place->terminals == NULL ? place->topology->terminals : place->terminal_count;
    uint32_t *terminal;

    if (place->terminals != NULL && check_partition(place, error) != 0)
        return -1;
    if ((uint64_t)count * share > UINT32_MAX / 2)
        return base_error_set(error, BASE_USAGE, "%u ranks on each of %u terminals are too many", share,
                              count);
    problem->slots = count * share;
    terminal = base_arena_array(&problem->arena, (size_t)problem->slots + 1, sizeof *terminal);
    if (terminal == NULL)
        return base_error_memory(error, "the slots of a mapping");
    for (uint32_t slot = 0; slot < problem->slots; slot++)
        terminal[slot] = place->terminals == NULL ? slot / share : place->terminals[slot / share];
    problem->terminal = terminal;
    return 0;
}

/* Those of the slots' routers. An ideal network has no routers. */
static int lay_coordinates(struct map_problem *problem, struct base_error *error)
{
    const struct net_topology *topology = problem->topology;
    uint32_t *coordinate;

    if (topology->grid == NULL || topology->grid->dimensions == 0)
        return 0;
    problem->dimensions = topology->grid->dimensions;
    problem->wraps = topology->grid->wraps;
    memcpy(problem->sides, topology->grid->sides, sizeof problem->sides);
    coordinate = base_arena_array(&problem->arena, (size_t)problem->slots * problem->dimensions + 1,
                                  sizeof *coordinate);
    if (coordinate == NULL)
        return base_error_memory(error, "the coordinates of a mapping");
    for (uint32_t slot = 0; slot < problem->slots; slot++)
        net_topology_coordinates(topology, net_topology_router_of(topology, problem->terminal[slot]),
                                 coordinate + (size_t)slot * problem->dimensions);
    problem->coordinate = coordinate;
    return 0;
}

/* ---- The graph ---- */

/* For qsort. Differences of unsigned numbers would wrap. */
static int by_neighbour(const void *a, const void *b)
{
    const struct map_problem_edge *one = a, *other = b;
    return (one->neighbour > other->neighbour) - (one->neighbour < other->neighbour);
}

/* Sorts a row and adds up what goes out to a neighbour and what comes in from it. */
static size_t merge_row(struct map_problem_edge *row, size_t count)
{
    size_t kept = 0;

    qsort(row, count, sizeof *row, by_neighbour);
    for (size_t i = 0; i < count; i++) {
        if (kept > 0 && row[kept - 1].neighbour == row[i].neighbour) {
            row[kept - 1].out += row[i].out;
            row[kept - 1].in += row[i].in;
        } else {
            row[kept++] = row[i];
        }
    }
    return kept;
}

/* Messages where dilation counts, bytes everywhere else. */
static uint64_t weight_of(const struct trace_pair *pair, enum map_objective objective)
{
    return objective == MAP_DILATION ? pair->messages : pair->bytes;
}

/* Pairs that count: of two ranks, with something to say. */
static bool counts(const struct trace_pair *pair, enum map_objective objective)
{
    return pair->source != pair->target && weight_of(pair, objective) > 0;
}

/* Every pair once in the row of its source and once in that of its target; begin[rank] ends as the row's end. */
static void deal(const struct trace_comm_graph *graph, enum map_objective objective, size_t *begin,
                 struct map_problem_edge *edges)
{
    struct trace_comm_place place = {0};
    struct trace_pair pair;

    while (trace_comm_graph_next(graph, &place, &pair)) {
        uint64_t weight = weight_of(&pair, objective);
        if (!counts(&pair, objective))
            continue;
        edges[begin[pair.source]++] = (struct map_problem_edge){pair.target, weight, 0};
        edges[begin[pair.target]++] = (struct map_problem_edge){pair.source, 0, weight};
    }
}

/* How far weights must be shifted so that no cost passes COST_MAX, whatever the map. */
static uint32_t shift_for(const struct trace_comm_graph *graph, enum map_objective objective)
{
    struct trace_comm_place place = {0};
    struct trace_pair pair;
    base_wide total = base_wide_of(graph->count);
    uint32_t shift = 0;

    while (trace_comm_graph_next(graph, &place, &pair))
        total = base_wide_add(total, base_wide_of(weight_of(&pair, objective)));
    /* Every weight rounds up to 1 at least (store_rows), hence the count; no distance has more than 16 bits. */
    total = base_wide_shift_left(total, 16);
    while (base_wide_less(base_wide_of(COST_MAX), total)) {
        total = base_wide_shift_right(total, 1);
        shift++;
    }
    return shift;
}

/* Copies the merged rows into the problem's arrays. Rows lie behind each other in three arrays, first[rank] being
 * where a row begins. `out` is the part of the weight that the rank itself sends; only asymmetric distances ask
 * for it. */
static int store_rows(struct map_problem *problem, const size_t *begin, const size_t *count,
                      const struct map_problem_edge *edges, struct base_error *error)
{
    uint32_t *first = base_arena_array(&problem->arena, (size_t)problem->ranks + 1, sizeof *first);
    uint32_t *neighbour;
    int64_t *weight, *out;
    size_t total = 0;

    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        total += count[rank];
    if (total >= UINT32_MAX)
        return base_error_set(error, BASE_USAGE, "more pairs of ranks communicate than a mapping can weigh");
    neighbour = base_arena_array(&problem->arena, total + 1, sizeof *neighbour);
    weight = base_arena_array(&problem->arena, total + 1, sizeof *weight);
    out = base_arena_array(&problem->arena, total + 1, sizeof *out);
    if (first == NULL || neighbour == NULL || weight == NULL || out == NULL)
        return base_error_memory(error, "the graph of a mapping");
    total = 0;
    for (uint32_t rank = 0; rank < problem->ranks; rank++) {
        for (size_t i = begin[rank]; i < begin[rank] + count[rank]; i++, total++) {
            /* Who speaks at all keeps a weight: a pair that a shift made silent would be placed anywhere. */
            uint64_t sum = (edges[i].out + edges[i].in) >> problem->weight_shift;
            neighbour[total] = edges[i].neighbour;
            weight[total] = sum == 0 ? 1 : (int64_t)sum;
            out[total] = (int64_t)(edges[i].out >> problem->weight_shift);
        }
        first[rank + 1] = (uint32_t)total;
    }
    problem->first = first;
    problem->neighbour = neighbour;
    problem->weight = weight;
    problem->out = out;
    return 0;
}

/* begin and count have an entry for every rank and one more; edges, two for every pair of the graph. */
static int build_rows(struct map_problem *problem, const struct trace_comm_graph *graph, size_t *begin,
                      size_t *count, struct map_problem_edge *edges, struct base_error *error)
{
    struct trace_comm_place place = {0};
    struct trace_pair pair;

    while (trace_comm_graph_next(graph, &place, &pair)) {
        if (!counts(&pair, problem->objective))
            continue;
        count[pair.source]++;
        count[pair.target]++;
    }
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        begin[rank + 1] = begin[rank] + count[rank];
    /* deal moves each begin to the end of its row, from where it is taken back. */
    deal(graph, problem->objective, begin, edges);
    for (uint32_t rank = 0; rank < problem->ranks; rank++) {
        begin[rank] -= count[rank];
        count[rank] = merge_row(edges + begin[rank], count[rank]);
    }
    return store_rows(problem, begin, count, edges, error);
}

/* Ranks without a graph get empty rows. */
static int build_graph(struct map_problem *problem, const struct trace_comm_graph *graph,
                       struct base_error *error)
{
    const struct trace_comm_graph none = {.ranks = problem->ranks};
    size_t *begin, *count;
    struct map_problem_edge *edges;
    int status;

    if (graph == NULL)
        graph = &none;
    problem->weight_shift = shift_for(graph, problem->objective);
    begin = calloc((size_t)problem->ranks + 1, sizeof *begin);
    count = calloc((size_t)problem->ranks + 1, sizeof *count);
    edges = malloc((2 * graph->count + 1) * sizeof *edges);
    status = begin == NULL || count == NULL || edges == NULL
                 ? base_error_memory(error, "the graph of a mapping")
                 : build_rows(problem, graph, begin, count, edges, error);
    free(begin);
    free(count);
    free(edges);
    return status;
}

/* ---- Distances ---- */

/* A minimal routing goes as far as the topology says, which is asked in closed form; others are walked. */
static uint32_t links_between(const struct map_problem *problem, uint32_t from, uint32_t to)
{
    if (from == to)
        return 0;
    if (problem->routing != NULL && !problem->routing->kind->minimal)
        return net_routing_hops(problem->routing, from, to);
    return net_topology_distance(problem->topology, from, to);
}

/* Beyond MAP_TABLE_SLOTS_MAX there is no table, and the routing is asked: slower, but in constant memory.
 * On an ideal network nothing is far from anything. */
uint32_t map_problem_distance(const struct map_problem *problem, uint32_t from, uint32_t to)
{
    uint32_t ends[2];
    if (problem->table != NULL)
        return problem->table[(size_t)from * problem->slots + to];
    if (problem->topology == NULL || net_topology_is_ideal(problem->topology))
        return 0;
    net_topology_ends(problem->topology, problem->terminal[from], problem->terminal[to], ends);
    return links_between(problem, ends[0], ends[1]);
}

/* One row of the table: from the router of a slot to those of all slots. distances: room for a search. */
static int fill_row(const struct map_problem *problem, uint32_t slot, uint32_t *distances, uint16_t *row,
                    struct base_error *error)
{
    const struct net_topology *topology = problem->topology;
    /* Graphs have no closed form: one breadth-first search for a row costs less than a search for each of its
     * slots. */
    bool walk =
        topology->kind->distance != NULL || (problem->routing != NULL && !problem->routing->kind->minimal);

    if (!walk)
        net_topology_search(topology, net_topology_router_of(topology, problem->terminal[slot]), distances,
                            distances + topology->routers);
    for (uint32_t to = 0; to < problem->slots; to++) {
        uint32_t ends[2];
        net_topology_ends(topology, problem->terminal[slot], problem->terminal[to], ends);
        uint32_t links = walk ? links_between(problem, ends[0], ends[1]) : distances[ends[1]];
        /* A ring of 131072 routers would be the first: the table is of 16 bits, since searches are bound by its
         * bandwidth. */
        if (links > UINT16_MAX)
            return base_error_set(error, BASE_USAGE, "%s is too long for a mapper: %u links from %u to %u",
                                  topology->text, links, problem->terminal[slot], problem->terminal[to]);
        row[to] = (uint16_t)links;
    }
    return 0;
}

/* Slots of one router have equal rows, unless each has a second channel of its own. */
static int fill_table(const struct map_problem *problem, uint16_t *table, struct base_error *error)
{
    const struct net_topology *topology = problem->topology;
    size_t row = problem->slots;
    uint32_t *distances = malloc((2 * (size_t)topology->routers + 1) * sizeof *distances);
    int status = 0;

    if (distances == NULL)
        return base_error_memory(error, "the distances of a mapping");
    for (uint32_t slot = 0; slot < problem->slots && status == 0; slot++) {
        if (slot > 0 && !net_shared_inside_routers(topology) &&
            net_topology_router_of(topology, problem->terminal[slot]) ==
                net_topology_router_of(topology, problem->terminal[slot - 1]))
            memcpy(table + slot * row, table + (slot - 1) * row, row * sizeof *table);
        else
            status = fill_row(problem, slot, distances, table + slot * row, error);
    }
    free(distances);
    return status;
}

/* Keeps `out` and a transpose only when they matter. The transpose doubles the memory and saves the cache: a
 * column of the table would be read a whole row apart. Finding out takes a pass over half of the table, once a
 * problem. */
static int transpose(struct map_problem *problem, struct base_error *error)
{
    size_t slots = problem->slots;
    bool symmetric = true;
    uint16_t *reverse;

    /* Routings of one-way networks, and up/down on graphs, go there another way than back. */
    for (size_t a = 0; a < slots && symmetric; a++)
        for (size_t b = 0; b < a && symmetric; b++)
            symmetric = problem->table[a * slots + b] == problem->table[b * slots + a];
    problem->reverse = problem->table;
    if (symmetric) {
        problem->out = NULL;
        return 0;
    }
    reverse = base_arena_array(&problem->arena, slots * slots + 1, sizeof *reverse);
    if (reverse == NULL)
        return base_error_memory(error, "the distances of a mapping");
    for (size_t a = 0; a < slots; a++)
        for (size_t b = 0; b < slots; b++)
            reverse[b * slots + a] = problem->table[a * slots + b];
    problem->reverse = reverse;
    return 0;
}

/* An ideal network has a table of zeros: every map costs nothing. */
static int build_table(struct map_problem *problem, struct base_error *error)
{
    uint16_t *table;

    if (problem->slots > MAP_TABLE_SLOTS_MAX)
        return 0;
    table = base_arena_array(&problem->arena, (size_t)problem->slots * problem->slots + 1, sizeof *table);
    if (table == NULL)
        return base_error_memory(error, "the distances of a mapping");
    if (!net_topology_is_ideal(problem->topology) && fill_table(problem, table, error) != 0)
        return -1;
    problem->table = table;
    return transpose(problem, error);
}

/* ---- Problems ---- */

/* Slots first: whether the ranks fit at all is the cheapest question. */
static int build(struct map_problem *problem, const struct map_place *place,
                 const struct trace_comm_graph *graph, bool searches, struct base_error *error)
{
    if (lay_slots(problem, place, error) != 0)
        return -1;
    if (problem->ranks > problem->slots)
        return base_error_set(
            error, BASE_USAGE, "%u ranks do not fit on the %u %s of %s", problem->ranks, problem->slots,
            problem->slots == problem->topology->terminals ? "terminals" : "admissible slots",
            problem->topology->text);
    if (lay_coordinates(problem, error) != 0)
        return -1;
    return searches && (build_graph(problem, graph, error) != 0 || build_table(problem, error) != 0) ? -1 : 0;
}

/* A half-built problem is freed like a whole one: the arena knows what there is. */
struct map_problem *map_problem_new(const struct map_place *place, uint32_t ranks,
                                    const struct trace_comm_graph *graph, enum map_objective objective,
                                    bool searches, struct base_error *error)
{
    struct map_problem *problem = calloc(1, sizeof *problem);

    if (problem == NULL) {
        base_error_memory(error, "a mapping problem");
        return NULL;
    }
    problem->ranks = ranks;
    problem->topology = place->topology;
    problem->routing = place->routing;
    problem->graph = graph;
    problem->objective = objective;
    if (build(problem, place, graph, searches, error) == 0)
        return problem;
    map_problem_free(problem);
    return NULL;
}

/* The pairs of a matrix, as a graph has them. A weight is taken as bytes and messages alike, so that the objective
 * makes no difference. Distances on the diagonal are set to 0, whatever the matrix has there. */
static int build_from(struct map_problem *problem, const uint64_t *weights, const uint16_t *distances,
                      struct base_error *error)
{
    size_t ranks = problem->ranks, slots = problem->slots, count = 0;
    struct trace_pair *pairs = malloc((ranks * ranks + 1) * sizeof *pairs);
    struct trace_comm_graph *graph;
    uint16_t *table = base_arena_array(&problem->arena, slots * slots + 1, sizeof *table);
    int status;

    if (pairs == NULL || table == NULL) {
        free(pairs);
        return base_error_memory(error, "a mapping problem");
    }
    for (size_t i = 0; i < ranks * ranks; i++)
        if (weights[i] > 0)
            pairs[count++] =
                (struct trace_pair){(uint32_t)(i / ranks), (uint32_t)(i % ranks), weights[i], weights[i]};
    graph = trace_comm_graph_from(problem->ranks, pairs, count, error);
    free(pairs);
    status = graph == NULL ? -1 : build_graph(problem, graph, error);
    trace_comm_graph_free(graph);
    memcpy(table, distances, slots * slots * sizeof *table);
    for (size_t slot = 0; slot < slots; slot++)
        table[slot * slots + slot] = 0;
    problem->table = table;
    return status == 0 ? transpose(problem, error) : -1;
}

/* For tests, benchmarks, and problems that are no network's. There is no topology behind it, and no terminals: a
 * map of it cannot become a placement. */
struct map_problem *map_problem_from(uint32_t ranks, const uint64_t *weights, uint32_t slots,
                                     const uint16_t *distances, struct base_error *error)
{
    struct map_problem *problem;

    if (ranks > slots || slots > MAP_TABLE_SLOTS_MAX) {
        base_error_set(error, BASE_USAGE, "%u ranks on %u slots are not a mapping problem of matrices", ranks,
                       slots);
        return NULL;
    }
    problem = calloc(1, sizeof *problem);
    if (problem == NULL) {
        base_error_memory(error, "a mapping problem");
        return NULL;
    }
    problem->ranks = ranks;
    problem->slots = slots;
    if (build_from(problem, weights, distances, error) == 0)
        return problem;
    map_problem_free(problem);
    return NULL;
}

/* The topology, routing and graph are the caller's, and stay. */
void map_problem_free(struct map_problem *problem)
{
    if (problem == NULL)
        return;
    base_arena_free(&problem->arena);
    free(problem);
}
