/* Searches: swaps against recomputed costs, optima by enumeration and from QAPLIB, hidden grids, partitions, shared
 * terminals, threads and seeds, symmetries, channel loads. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mappers/channel-load.h"
#include "mappers/placement.h"
#include "mappers/searches/search.h"
#include "tests/fail-alloc.h"
#include "tests/mappers/searches/qap.h"

extern const struct map_mapper map_mapper_portfolio;

static struct net_topology *topology(const char *text)
{
    struct base_error error = {0};
    struct net_topology *made = net_topology_new(text, &error);
    if (made == NULL)
        fail_msg("%s", error.text);
    return made;
}

/* ---- Costs ---- */

/* Small random matrices; asymmetric ones when asked for. */
static struct map_problem *random_problem(uint32_t ranks, uint32_t slots, bool symmetric, uint64_t seed)
{
    struct base_random random;
    uint64_t *weights = calloc((size_t)ranks * ranks, sizeof *weights);
    uint16_t *distances = calloc((size_t)slots * slots, sizeof *distances);
    struct map_problem *problem;

    base_random_seed(&random, seed, 9);
    for (uint32_t i = 0; i < ranks * ranks; i++)
        weights[i] = base_random_below(&random, 3) == 0 ? base_random_below(&random, 1000) : 0;
    for (uint32_t a = 0; a < slots; a++)
        for (uint32_t b = 0; b < slots; b++)
            if (a != b)
                distances[a * slots + b] = symmetric && b < a ? distances[b * slots + a]
                                                              : (uint16_t)(1 + base_random_below(&random, 9));
    problem = map_problem_from(ranks, weights, slots, distances, NULL);
    assert_non_null(problem);
    assert_true((problem->out == NULL) == symmetric);
    free(weights);
    free(distances);
    return problem;
}

static void swaps_change_the_cost_by_what_they_say(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct map_problem *problem = random_problem(9, 12, seed % 2 == 0, seed);
        uint32_t slot[12], all[12], occupant[12];
        struct base_random random;
        base_random_seed(&random, seed, 1);
        for (uint32_t i = 0; i < 12; i++)
            all[i] = i;
        base_random_shuffle(&random, all, 12);
        memcpy(slot, all, sizeof slot);
        for (uint32_t i = 0; i < 12; i++)
            occupant[all[i]] = i;
        for (int i = 0; i < 50; i++) {
            uint32_t rank = (uint32_t)base_random_below(&random, 9);
            uint32_t to = (uint32_t)base_random_below(&random, 12);
            uint32_t other = occupant[to], from = slot[rank];
            int64_t before = map_problem_cost(problem, slot);
            int64_t growth;
            if (to == from)
                continue;
            growth = map_problem_swap(problem, slot, rank, other, to);
            slot[rank] = to;
            slot[other] = from;
            occupant[to] = rank;
            occupant[from] = other;
            assert_int_equal(map_problem_cost(problem, slot), before + growth);
        }
        map_problem_free(problem);
    }
}

/* The least cost of all maps of `ranks` ranks, by enumeration. */
static int64_t least_cost(const struct map_problem *problem, uint32_t *slot, uint32_t rank, uint32_t taken)
{
    int64_t best = INT64_MAX;

    if (rank == problem->ranks)
        return map_problem_cost(problem, slot);
    for (uint32_t at = 0; at < problem->slots; at++) {
        int64_t cost;
        if ((taken >> at & 1) != 0)
            continue;
        slot[rank] = at;
        cost = least_cost(problem, slot, rank + 1, taken | UINT32_C(1) << at);
        best = cost < best ? cost : best;
    }
    return best;
}

static void small_problems_are_solved(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct map_problem *problem = random_problem(6, seed % 3 == 0 ? 8 : 6, seed % 2 == 0, seed);
        uint32_t slot[8];
        uint32_t given[8] = {0, 1, 2, 3, 4, 5, 6, 7};
        int64_t least = least_cost(problem, slot, 0, 0);
        struct base_random random;
        struct map_budget budget;
        base_random_seed(&random, seed, 2);
        map_budget_start(&budget, 200000, 0);
        memcpy(slot, given, sizeof slot);
        assert_int_equal(map_tabu_search(problem, &budget, &random, slot, NULL), 0);
        assert_int_equal(map_problem_cost(problem, slot), least);
        assert_in_range(budget.used, 199900, 200000);
        map_budget_start(&budget, 0, 0);
        memcpy(slot, given, sizeof slot);
        assert_int_equal(map_anneal_search(problem, 100, 200000, &budget, &random, slot, NULL), 0);
        assert_int_equal(map_problem_cost(problem, slot), least);
        map_problem_free(problem);
    }
}

/* ---- Dense problems ---- */

#define SIDE 9
#define NODES (SIDE * SIDE)

/* Nine of ten pairs talk, on a mesh: more slots than tabu search has for itself (mappers/searches/portfolio.c). */
static struct map_problem *dense_problem(uint64_t seed)
{
    static uint64_t weights[NODES * NODES];
    static uint16_t distances[NODES * NODES];
    struct base_random random;
    struct map_problem *problem;

    base_random_seed(&random, seed, 11);
    for (int a = 0; a < NODES; a++)
        for (int b = 0; b < NODES; b++) {
            weights[a * NODES + b] = a < b ? base_random_below(&random, 10) : 0;
            distances[a * NODES + b] = (uint16_t)(abs(a % SIDE - b % SIDE) + abs(a / SIDE - b / SIDE));
        }
    problem = map_problem_from(NODES, weights, NODES, distances, NULL);
    assert_non_null(problem);
    return problem;
}

/* The round of a slow annealing is as long as what is left of the budget, on any number of threads. */
static void a_dense_portfolio_keeps_to_its_budget(void **state)
{
    struct map_problem *problem = dense_problem(1);
    uint32_t slot[2][NODES];
    uint64_t used[2];
    (void)state;

    for (uint32_t i = 0; i < 2; i++) {
        struct map_budget budget;
        struct map_call call = {.problem = problem,
                                .budget = &budget,
                                .effort = {.seed = 3, .evaluations = 9000000, .threads = i == 0 ? 1 : 3}};
        map_budget_start(&budget, call.effort.evaluations, 0);
        assert_int_equal(map_mapper_portfolio.map(&call, slot[i], NULL), 0);
        used[i] = budget.used;
    }
    assert_memory_equal(slot[0], slot[1], sizeof slot[0]);
    assert_int_equal(used[0], used[1]);
    assert_in_range(used[0], 8500000, 9000000);
    map_problem_free(problem);
}

/* ---- QAPLIB ---- */

static void known_optima_are_found(void **state)
{
    static const char *const names[] = {"nug12", "nug15", "nug20", "nug25", "nug30", "tho30"};
    const char *shared = getenv("FLITREPLAY_SHARED");
    char directory[4096];
    static struct qap qap;
    (void)state;

    snprintf(directory, sizeof directory, "%s/qap", shared == NULL ? "" : shared);
    if (qap_read(&qap, directory, names[0]) != 0) {
        print_message("skipped: no instances in %s\n", directory);
        skip();
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        uint32_t slot[QAP_SIZE_MAX];
        struct map_problem *problem;
        struct map_budget budget;
        struct map_call call = {.budget = &budget, .effort = {.seed = 7, .evaluations = 60000000}};
        assert_int_equal(qap_read(&qap, directory, names[i]), 0);
        problem = map_problem_from(qap.size, qap.weights, qap.size, qap.distances, NULL);
        map_budget_start(&budget, call.effort.evaluations, 0);
        call.problem = problem;
        assert_int_equal(map_mapper_portfolio.map(&call, slot, NULL), 0);
        assert_int_equal(map_problem_cost(problem, slot), qap.best);
        map_problem_free(problem);
    }
}

/* ---- Hidden grids ---- */

/* A five-point stencil of side x side points, numbered at random. */
static struct trace_comm_graph *hidden_stencil(uint32_t side, bool periodic, uint64_t seed)
{
    uint32_t points = side * side;
    uint32_t *label = malloc(points * sizeof *label);
    struct trace_pair *pairs = malloc(4 * (size_t)points * sizeof *pairs);
    struct trace_comm_graph *graph;
    struct base_random random;
    size_t count = 0;

    base_random_seed(&random, seed, 3);
    for (uint32_t i = 0; i < points; i++)
        label[i] = i;
    base_random_shuffle(&random, label, points);
    for (uint32_t i = 0; i < 4 * points; i++) {
        uint32_t x = i / 4 % side, y = i / 4 / side, step = i % 2 == 0 ? 1 : side - 1;
        uint32_t to_x = i % 4 < 2 ? (x + step) % side : x, to_y = i % 4 < 2 ? y : (y + step) % side;
        bool wraps = (to_x > x ? to_x - x : x - to_x) > 1 || (to_y > y ? to_y - y : y - to_y) > 1;
        if (!wraps || periodic)
            pairs[count++] = (struct trace_pair){label[y * side + x], label[to_y * side + to_x], 3, 100};
    }
    graph = trace_comm_graph_from(points, pairs, count, NULL);
    assert_non_null(graph);
    free(label);
    free(pairs);
    return graph;
}

static struct map_placement *place(const char *mapping, const struct map_place *where,
                                   const struct trace_comm_graph *graph, struct map_effort effort,
                                   enum map_objective objective)
{
    struct map_request request = {
        .place = *where, .ranks = graph->ranks, .graph = graph, .effort = effort, .objective = objective};
    struct base_error error = {0};
    struct map_placement *made = map_placement_new(mapping, &request, &error);

    if (made == NULL)
        fail_msg("%s", error.text);
    return made;
}

/* Nothing is shorter than a link between all neighbours. */
static void finds_the_grid(const char *network, uint32_t side, bool periodic)
{
    struct net_topology *where = topology(network);
    struct map_place all = {.topology = where};

    for (uint64_t seed = 1; seed <= 2; seed++) {
        struct trace_comm_graph *graph = hidden_stencil(side, periodic, seed);
        struct map_placement *made =
            place("portfolio", &all, graph, (struct map_effort){.seed = seed}, MAP_HOP_BYTES);
        assert_int_equal(made->claimed_cost, 100 * graph->count);
        map_placement_free(made);
        trace_comm_graph_free(graph);
    }
    net_topology_free(where);
}

static void hidden_grids_are_recovered(void **state)
{
    (void)state;
    finds_the_grid("mesh:8x8", 8, false);
    finds_the_grid("mesh:16x16", 16, false);
    finds_the_grid("mesh:32x32", 32, false);
    finds_the_grid("torus:8x8", 8, true);
    finds_the_grid("torus:16x16", 16, true);
    finds_the_grid("torus:32x32", 32, true);
    finds_the_grid("king-mesh:8x8", 8, false);
    finds_the_grid("king-mesh:16x16", 16, false);
    finds_the_grid("king-mesh:32x32", 32, false);
    finds_the_grid("king-torus:9x9", 9, true);
    finds_the_grid("king-torus:15x15", 15, true);
    finds_the_grid("king-torus:21x21", 21, true);
    finds_the_grid("torus:4x4", 4, true);
    finds_the_grid("mesh:9x9", 8, false);
    finds_the_grid("mesh:2x2x4x4", 8, false);
    finds_the_grid("king-mesh:10x10", 8, false);
}

/* A column of two 8 x 8 halves, and terminals that routers share: the partition is what the mapper sees. */
static void partitions_are_kept_and_terminals_shared(void **state)
{
    struct net_topology *where = topology("mesh:16x8");
    uint32_t terminals[64];
    uint32_t seen[128] = {0};
    struct map_place part = {.topology = where, .terminals = terminals, .terminal_count = 64};
    struct trace_comm_graph *graph = hidden_stencil(8, false, 5);
    size_t count;
    const struct map_mapper *const *mappers = map_mappers(&count);
    (void)state;

    for (uint32_t i = 0; i < 64; i++)
        terminals[i] = i / 8 * 16 + 8 + i % 8;
    for (size_t m = 0; m < count; m++) {
        struct map_placement *made;
        bool there = mappers[m]->argument == NULL && !mappers[m]->needs_judge;
#ifndef HAVE_SCOTCH
        there = there && strcmp(mappers[m]->name, "scotch") != 0;
#endif
        if (!there)
            continue;
        made =
            place(mappers[m]->name, &part, graph, (struct map_effort){.evaluations = 20000}, MAP_HOP_BYTES);
        memset(seen, 0, sizeof seen);
        for (uint32_t rank = 0; rank < 64; rank++) {
            assert_true(made->terminal[rank] % 16 >= 8);
            assert_int_equal(seen[made->terminal[rank]]++, 0);
        }
        if (strcmp(mappers[m]->name, "cartesian") == 0)
            assert_int_equal(made->claimed_cost, 100 * graph->count);
        map_placement_free(made);
    }
    part.terminal_count = 16;
    part.ranks_per_terminal = 4;
    struct map_placement *made =
        place("portfolio", &part, graph, (struct map_effort){.evaluations = 2000000}, MAP_HOP_BYTES);
    memset(seen, 0, sizeof seen);
    for (uint32_t rank = 0; rank < 64; rank++)
        assert_true(seen[made->terminal[rank]]++ < 4);
    map_placement_free(made);
    trace_comm_graph_free(graph);
    net_topology_free(where);
}

/* ---- Determinism ---- */

static struct trace_comm_graph *random_graph(uint32_t ranks, uint64_t seed)
{
    struct trace_pair pairs[256];
    struct base_random random;

    base_random_seed(&random, seed, 4);
    for (size_t i = 0; i < 256; i++)
        pairs[i] = (struct trace_pair){(uint32_t)base_random_below(&random, ranks),
                                       (uint32_t)base_random_below(&random, ranks), 1,
                                       base_random_below(&random, 10000)};
    return trace_comm_graph_from(ranks, pairs, 256, NULL);
}

/* Budgets that end in the first round, in one that is cut, and between two; with and without what tabu
 * search can do. */
static void no_budget_is_exceeded(void **state)
{
    static const char *const networks[] = {"king-torus:6x6", "mesh:17x17"};
    static const uint64_t budgets[] = {1, 1000, 70000, 3000000, 9000000};
    struct trace_comm_graph *graph = random_graph(36, 5);
    (void)state;

    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct net_topology *where = topology(networks[i]);
        struct map_place all = {.topology = where};
        for (size_t j = 0; j < sizeof budgets / sizeof *budgets; j++)
            for (int objective = MAP_HOP_BYTES; objective <= MAP_CHANNEL_LOAD; objective++) {
                struct map_effort effort = {.seed = j + 1, .evaluations = budgets[j]};
                struct map_placement *made =
                    place("portfolio", &all, graph, effort, (enum map_objective)objective);
                assert_in_range(made->evaluations, 1, budgets[j]);
                assert_true(j < 3 || made->evaluations > budgets[j] / 4 * 3);
                map_placement_free(made);
            }
        net_topology_free(where);
    }
    trace_comm_graph_free(graph);
}

static void threads_change_nothing_and_seeds_do(void **state)
{
    struct net_topology *where = topology("king-torus:6x6");
    struct map_place all = {.topology = where};
    struct trace_comm_graph *graph = random_graph(36, 8);
    struct map_effort effort = {.seed = 3, .evaluations = 3000000, .threads = 1};
    struct map_placement *one = place("portfolio", &all, graph, effort, MAP_HOP_BYTES);
    struct map_placement *many, *other;
    (void)state;

    for (effort.threads = 2; effort.threads <= 5; effort.threads++) {
        many = place("portfolio", &all, graph, effort, MAP_HOP_BYTES);
        assert_memory_equal(one->terminal, many->terminal, 36 * sizeof *one->terminal);
        assert_int_equal(one->evaluations, many->evaluations);
        map_placement_free(many);
    }
    effort.seed = 4;
    other = place("anneal", &all, graph, effort, MAP_HOP_BYTES);
    many =
        place("anneal", &all, graph, (struct map_effort){.seed = 3, .evaluations = 3000000}, MAP_HOP_BYTES);
    assert_memory_not_equal(other->terminal, many->terminal, 36 * sizeof *one->terminal);
    map_placement_free(one);
    map_placement_free(many);
    map_placement_free(other);
    trace_comm_graph_free(graph);
    net_topology_free(where);
}

/* Moved by (2, 1), mirrored, and turned: the same cost on a square torus, and the same busiest channel when moved. */
static void symmetries_of_a_torus_cost_nothing(void **state)
{
    static const char *const networks[] = {"torus:6x6", "king-torus:6x6"};
    (void)state;

    for (size_t n = 0; n < 2; n++) {
        struct net_topology *where = topology(networks[n]);
        struct net_routing routing;
        struct trace_comm_graph *graph = random_graph(36, 11);
        struct map_place all = {.topology = where, .routing = &routing};
        struct map_problem *problem;
        uint32_t moved[36], mirrored[36], turned[36];
        double load, moved_load;
        assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
        struct map_placement *made =
            place("random", &all, graph, (struct map_effort){.seed = 5}, MAP_HOP_BYTES);
        problem = map_problem_new(&all, 36, graph, MAP_HOP_BYTES, true, NULL);
        for (uint32_t rank = 0; rank < 36; rank++) {
            uint32_t x = made->terminal[rank] % 6, y = made->terminal[rank] / 6;
            moved[rank] = (x + 2) % 6 + (y + 1) % 6 * 6;
            mirrored[rank] = 5 - x + y * 6;
            turned[rank] = y + (5 - x) * 6;
        }
        int64_t cost = map_problem_cost(problem, made->terminal);
        assert_int_equal(map_problem_cost(problem, moved), cost);
        assert_int_equal(map_problem_cost(problem, mirrored), cost);
        assert_int_equal(map_problem_cost(problem, turned), cost);
        assert_int_equal(map_channel_load(problem, made->terminal, &load, NULL), 0);
        assert_int_equal(map_channel_load(problem, moved, &moved_load, NULL), 0);
        assert_true(load - moved_load < 1e-6 * load && moved_load - load < 1e-6 * load);
        map_problem_free(problem);
        map_placement_free(made);
        net_routing_free(&routing);
        trace_comm_graph_free(graph);
        net_topology_free(where);
    }
}

/* ---- Objectives ---- */

static double busiest(const struct map_placement *placement, const struct trace_comm_graph *graph,
                      const struct net_routing *routing)
{
    struct map_cost cost;
    assert_int_equal(map_placement_cost(placement, graph, routing, &cost, NULL), 0);
    return cost.max_channel_load_bytes;
}

/* The search for loads keeps its own books; they must be those of the placement. */
static void channel_loads_are_made_small(void **state)
{
    struct net_topology *where = topology("mesh:6x6");
    struct net_routing routing;
    struct map_place all = {.topology = where, .routing = &routing};
    struct trace_comm_graph *graph = random_graph(36, 21);
    struct map_effort effort = {.seed = 1, .evaluations = 2000000};
    struct map_placement *by_cost, *by_load, *identity;
    (void)state;

    assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
    by_cost = place("portfolio", &all, graph, effort, MAP_HOP_BYTES);
    by_load = place("portfolio", &all, graph, effort, MAP_CHANNEL_LOAD);
    identity = place("identity", &all, graph, effort, MAP_HOP_BYTES);
    assert_true(busiest(by_load, graph, &routing) < busiest(by_cost, graph, &routing));
    assert_true(busiest(by_load, graph, &routing) < busiest(identity, graph, &routing));
    assert_true(by_cost->claimed_cost < by_load->claimed_cost);
    map_placement_free(by_cost);
    map_placement_free(by_load);
    map_placement_free(identity);
    net_routing_free(&routing);
    trace_comm_graph_free(graph);
    net_topology_free(where);
}

/* ---- Memory ---- */

static int attempt(void *state)
{
    struct map_request *request = state;
    struct base_error error = {0};
    struct map_placement *made = map_placement_new("portfolio", request, &error);

    if (made == NULL)
        assert_int_equal(error.status, BASE_SYSTEM);
    map_placement_free(made);
    return made == NULL ? -1 : 0;
}

static void memory_may_run_out(void **state)
{
    struct net_topology *where = topology("king-torus:3x3");
    struct net_routing routing;
    struct trace_comm_graph *graph = random_graph(8, 2);
    struct map_request request = {.place = {.topology = where, .routing = &routing},
                                  .ranks = 8,
                                  .graph = graph,
                                  .effort = {.evaluations = 2000},
                                  .objective = MAP_CHANNEL_LOAD};
    (void)state;

    assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
    assert_true(fail_alloc_each(attempt, &request) >= 40);
    net_routing_free(&routing);
    trace_comm_graph_free(graph);
    net_topology_free(where);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(swaps_change_the_cost_by_what_they_say),
        cmocka_unit_test(small_problems_are_solved),
        cmocka_unit_test(a_dense_portfolio_keeps_to_its_budget),
        cmocka_unit_test(known_optima_are_found),
        cmocka_unit_test(hidden_grids_are_recovered),
        cmocka_unit_test(partitions_are_kept_and_terminals_shared),
        cmocka_unit_test(no_budget_is_exceeded),
        cmocka_unit_test(threads_change_nothing_and_seeds_do),
        cmocka_unit_test(symmetries_of_a_torus_cost_nothing),
        cmocka_unit_test(channel_loads_are_made_small),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
