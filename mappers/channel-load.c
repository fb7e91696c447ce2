/* Loads of links, all at once and swap by swap. A swap of two ranks moves only the routes of their own pairs, so
 * that it is weighed by taking these away and adding them again, in a copy of the loads:
 *
 *     load ─► trial ─► minus the routes of both ranks ─► exchange ─► plus the routes ─► busiest link
 *
 * The copy and the search for the busiest link take time in proportion to the links of the machine, which is why
 * an attempt is refused by its cost first, where it must not cost. */
#include <config.h>

#include "mappers/channel-load.h"

#include <stdlib.h>
#include <string.h>

struct loads {
    const struct map_problem *problem; /* with its graph, routing and topology */
    double *load, *trial;              /* [link] */
    uint32_t *slot;
    bool may_cost; /* whether a lighter map may cost more */
};

/* What one pair of ranks puts on the links; sign -1 takes it away. */
static void add_pair(const struct map_problem *problem, const struct trace_pair *pair, const uint32_t *slot,
                     double sign, double *load)
{
    if (pair->bytes > 0)
        net_routing_load_between(problem->routing, problem->terminal[slot[pair->source]],
                                 problem->terminal[slot[pair->target]], sign * (double)pair->bytes, load);
}

/* In the order of the graph, so that sums are rounded alike everywhere. */
static void add_all(const struct map_problem *problem, const uint32_t *slot, double *load)
{
    struct trace_comm_place place = {0};
    struct trace_pair pair;

    while (trace_comm_graph_next(problem->graph, &place, &pair))
        add_pair(problem, &pair, slot, 1, load);
}

/* Rounding may leave a little less than nothing on a link that carries nothing: no maximum. */
static double largest(const double *load, uint32_t links)
{
    double most = 0;

    for (uint32_t link = 0; link < links; link++)
        if (load[link] > most)
            most = load[link];
    return most;
}

/* Problems made of matrices, and ideal networks, have no links. */
static bool has_loads(const struct map_problem *problem)
{
    return problem->routing != NULL && problem->graph != NULL && !net_topology_is_ideal(problem->topology);
}

/* All anew: for the few maps that are compared. */
int map_channel_load(const struct map_problem *problem, const uint32_t *slot, double *load,
                     struct base_error *error)
{
    double *loads;

    *load = 0;
    if (!has_loads(problem))
        return 0;
    loads = calloc((size_t)problem->topology->link_count + 1, sizeof *loads);
    if (loads == NULL)
        return base_error_memory(error, "the loads of the links");
    add_all(problem, slot, loads);
    *load = largest(loads, problem->topology->link_count);
    free(loads);
    return 0;
}

/* ---- Searching ---- */

/* Adds (or takes away) every pair of a rank, but those with `without`. The rows of the symmetric graph name
 * the partners; the pairs themselves are found by their order. */
static void add_rank(const struct loads *loads, uint32_t rank, uint32_t without, double sign)
{
    const struct trace_comm_graph *graph = loads->problem->graph;
    struct trace_comm_place place = {.run = graph->begin[rank], .source = rank};
    struct trace_pair pair;

    while (trace_comm_graph_next(graph, &place, &pair) && pair.source == rank)
        if (pair.target != without)
            add_pair(loads->problem, &pair, loads->slot, sign, loads->trial);
}

/* Pairs that come in: found through the neighbours of the rank. */
static void add_incoming(const struct loads *loads, uint32_t rank, uint32_t without, double sign)
{
    const struct map_problem *problem = loads->problem;
    struct trace_pair pair;

    for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++) {
        uint32_t from = problem->neighbour[edge];
        if (from != without && trace_comm_graph_pair(problem->graph, from, rank, &pair))
            add_pair(problem, &pair, loads->slot, sign, loads->trial);
    }
}

/* Both ranks, each pair once: those between the two are counted with the first. */
static void add_both(const struct loads *loads, uint32_t rank, uint32_t other, double sign)
{
    add_rank(loads, rank, rank, sign);
    add_incoming(loads, rank, rank, sign);
    if (other < loads->problem->ranks) {
        add_rank(loads, other, rank, sign);
        add_incoming(loads, other, rank, sign);
    }
}

/* Undone by the same call with the old slot. */
static void exchange(uint32_t *slot, uint32_t ranks, uint32_t *occupant, uint32_t rank, uint32_t to)
{
    uint32_t from = slot[rank], other = occupant[to];

    slot[rank] = to;
    occupant[to] = rank;
    occupant[from] = other;
    if (other < ranks)
        slot[other] = from;
}

/* One random swap; kept when the busiest link gains, or stays and the cost does not grow. Loads are sums of
 * fractions, hence the tolerance: a difference of rounding is no gain. */
static void attempt(struct loads *loads, struct base_random *random, uint32_t *occupant, double *most)
{
    const struct map_problem *problem = loads->problem;
    uint32_t links = problem->topology->link_count;
    uint32_t rank = (uint32_t)base_random_below(random, problem->ranks);
    uint32_t to = (uint32_t)base_random_below(random, problem->slots), from = loads->slot[rank];
    uint32_t other = occupant[to];
    double load;
    int64_t growth;

    if (to == from)
        return;
    growth = map_problem_swap(problem, loads->slot, rank, other, to);
    if (growth > 0 && !loads->may_cost)
        return;
    memcpy(loads->trial, loads->load, links * sizeof *loads->load);
    add_both(loads, rank, other, -1);
    exchange(loads->slot, problem->ranks, occupant, rank, to);
    add_both(loads, rank, other, 1);
    load = largest(loads->trial, links);
    if (load < *most * (1 - 1e-9) || (load <= *most * (1 + 1e-9) && growth <= 0)) {
        memcpy(loads->load, loads->trial, links * sizeof *loads->load);
        *most = load;
    } else {
        exchange(loads->slot, problem->ranks, occupant, rank, from);
    }
}

/* Random swaps only: the objective has no slope to follow, as most swaps leave the busiest link alone. */
static void search(struct loads *loads, struct map_budget *budget, struct base_random *random,
                   uint32_t *occupant)
{
    const struct map_problem *problem = loads->problem;
    double most;
    bool left = map_budget_left(budget);

    for (uint32_t slot = 0; slot < problem->slots; slot++)
        occupant[slot] = problem->ranks;
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        occupant[loads->slot[rank]] = rank;
    add_all(problem, loads->slot, loads->load);
    most = largest(loads->load, problem->topology->link_count);
    while (left) {
        attempt(loads, random, occupant, &most);
        left = map_budget_spend(budget, 1);
    }
}

int map_channel_load_search(const struct map_problem *problem, bool may_cost, struct map_budget *budget,
                            struct base_random *random, uint32_t *slot, struct base_error *error)
{
    struct loads loads = {.problem = problem, .slot = slot, .may_cost = may_cost};
    struct base_arena arena = {0};
    uint32_t *occupant;

    if (!has_loads(problem) || problem->ranks == 0 || problem->slots < 2)
        return 0;
    loads.load = base_arena_array(&arena, problem->topology->link_count, sizeof *loads.load);
    loads.trial = base_arena_array(&arena, problem->topology->link_count, sizeof *loads.trial);
    occupant = base_arena_array(&arena, problem->slots, sizeof *occupant);
    if (loads.load == NULL || loads.trial == NULL || occupant == NULL) {
        base_arena_free(&arena);
        return base_error_memory(error, "the loads of the links");
    }
    search(&loads, budget, random, occupant);
    base_arena_free(&arena);
    return 0;
}
