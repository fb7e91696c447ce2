/* Laws of every mapper of kinds.def: one, two and three ranks on any machine, bijections, claims that are
 * borne out, the same map from the same seed with any number of threads, costs that the symmetries of a
 * torus leave alone; and what tells maps of equal cost apart. Mappers that ask a simulator ask one of a
 * few lines. */
#include <config.h>

#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mappers/placement.h"

#define SECONDS 120 /* no search of this file takes a tenth of it: it is a search that does not end */

static struct net_topology *topology(const char *text)
{
    struct net_topology *made = net_topology_new(text, NULL);
    assert_non_null(made);
    return made;
}

static struct trace_comm_graph *random_graph(uint32_t ranks, size_t count, uint64_t seed)
{
    struct trace_pair pairs[256];
    struct base_random random;

    base_random_seed(&random, seed, 4);
    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct trace_pair){(uint32_t)base_random_below(&random, ranks),
                                       (uint32_t)base_random_below(&random, ranks), 1,
                                       base_random_below(&random, 100)};
    return trace_comm_graph_from(ranks, pairs, count, NULL);
}

/* A simulator: ranks on distant terminals are slow, and the time is that of the slowest pair. */
static int judge(void *context, const struct map_trial *asked, uint64_t *time_ns, struct base_error *error)
{
    const struct trace_comm_graph *graph = context;
    struct trace_comm_place place = {0};
    struct trace_pair pair;
    (void)error;

    *time_ns = 1;
    while (trace_comm_graph_next(graph, &place, &pair)) {
        uint32_t from = asked->terminal[pair.source], to = asked->terminal[pair.target];
        uint64_t time = pair.bytes * (from > to ? from - to : to - from);
        if (time > *time_ns)
            *time_ns = time;
    }
    return 0;
}

/* The text of a mapper; NULL for one that is not there, or that reads a file. */
static const char *text_of(const struct map_mapper *mapper)
{
#ifndef HAVE_SCOTCH
    if (strcmp(mapper->name, "scotch") == 0)
        return NULL;
#endif
    if (mapper->argument == NULL)
        return mapper->name;
    return strcmp(mapper->argument, "DEGREES") == 0 ? "rotation:90" : NULL;
}

static struct map_placement *place(const char *text, const struct map_place *where,
                                   struct trace_comm_graph *graph, struct map_effort effort,
                                   enum map_objective objective)
{
    const struct map_judge judging = {.judge = judge, .context = graph};
    struct map_request request = {.place = *where,
                                  .ranks = graph->ranks,
                                  .graph = graph,
                                  .objective = objective,
                                  .effort = effort,
                                  .judge = &judging};
    struct base_error error = {0};
    struct map_placement *made;

    alarm(SECONDS);
    made = map_placement_new(text, &request, &error);
    alarm(0);
    /* The one refusal that is right here: its tables would not fit. */
    if (made == NULL && strncmp(error.text, "tabu search is for at most", 26) != 0)
        fail_msg("%s: %s", text, error.text);
    return made;
}

static void is_injective(const struct map_placement *placement, uint32_t terminals)
{
    bool *taken = calloc(terminals, sizeof *taken);

    for (uint32_t rank = 0; rank < placement->ranks; rank++) {
        assert_true(placement->terminal[rank] < terminals);
        assert_false(taken[placement->terminal[rank]]);
        taken[placement->terminal[rank]] = true;
    }
    free(taken);
}

/* ---- few ranks ---- */

static void is_placed(const char *network, uint32_t ranks, size_t pairs, struct map_effort effort,
                      bool judged)
{
    struct net_topology *where = topology(network);
    struct net_routing routing = {0};
    bool routed = !net_topology_is_ideal(where);
    struct map_place all = {.topology = where, .routing = routed ? &routing : NULL};
    struct trace_comm_graph *graph = random_graph(ranks, pairs, 7 + ranks);
    size_t count;
    const struct map_mapper *const *mappers = map_mappers(&count);

    if (routed)
        assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
    for (size_t m = 0; m < count; m++)
        for (enum map_objective objective = MAP_HOP_BYTES; objective <= MAP_TIME; objective++) {
            const char *text = text_of(mappers[m]);
            /* A mapper that asks the simulator has one objective, which the simulator knows; others go to
             * it for time. */
            bool asks = mappers[m]->needs_judge || objective == MAP_TIME;
            if (text == NULL || (asks && !judged) ||
                (asks && strcmp(text, objective == MAP_TIME ? "portfolio" : "replay") != 0))
                continue;
            struct map_placement *made = place(text, &all, graph, effort, objective);
            if (made != NULL)
                is_injective(made, where->terminals);
            assert_true(made != NULL || where->terminals > 1024);
            map_placement_free(made);
        }
    trace_comm_graph_free(graph);
    net_routing_free(&routing);
    net_topology_free(where);
}

/* Nothing to say, something to say, and to oneself; with a budget, and with each mapper's own. */
static void few_ranks_are_placed_anywhere(void **state)
{
    static const char *const networks[] = {"mesh:2x2", "king-torus:3x3", "ideal:4",
                                           "mesh:2x1,concentration=2", "torus:2x2x2"};
    (void)state;

    for (size_t n = 0; n < sizeof networks / sizeof *networks; n++)
        for (uint32_t ranks = 1; ranks <= 3; ranks++)
            for (size_t pairs = 0; pairs <= 3; pairs += 3)
                is_placed(networks[n], ranks, pairs, (struct map_effort){.seed = 1, .evaluations = 500},
                          true);
    is_placed("mesh:1x1", 1, 2, (struct map_effort){.seed = 1}, true);
    is_placed("mesh:2x2", 1, 2, (struct map_effort){.seed = 1, .evaluations = 64}, true);
    is_placed("mesh:3x1", 3, 3, (struct map_effort){.seed = 1, .time_ms = 5}, true);
}

/* More slots than there is a table of distances for: searches ask for each, and have nothing to be sure of. Those that
 * make maps for the simulator search long before it is asked: they are left out. */
static void few_ranks_are_placed_on_a_large_machine(void **state)
{
    (void)state;
    for (uint32_t ranks = 1; ranks <= 3; ranks += 2)
        is_placed("mesh:65x64", ranks, 3, (struct map_effort){.seed = 1, .evaluations = 200}, false);
}

/* ---- what is claimed, what is repeated ---- */

static void every_mapper_keeps_its_word(void **state)
{
    struct net_topology *where = topology("torus:4x4");
    struct net_routing routing;
    struct map_place all = {.topology = where, .routing = &routing};
    struct trace_comm_graph *graph = random_graph(14, 60, 3);
    struct map_effort effort = {.seed = 9, .evaluations = 20000, .threads = 1};
    struct map_problem *problem;
    size_t count;
    size_t searches = 0;
    const struct map_mapper *const *mappers = map_mappers(&count);
    (void)state;

    assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
    problem = map_problem_new(&all, 14, graph, MAP_HOP_BYTES, true, NULL);
    for (size_t m = 0; m < count; m++) {
        const char *text = text_of(mappers[m]);
        struct map_cost cost;
        if (text == NULL)
            continue;
        struct map_placement *one = place(text, &all, graph, effort, MAP_HOP_BYTES);
        is_injective(one, 16);
        assert_int_equal(map_placement_cost(one, graph, &routing, &cost, NULL), 0);
        assert_int_equal(map_problem_cost(problem, one->terminal), cost.hop_bytes);
        if (one->claims)
            assert_int_equal(one->claimed_cost, cost.hop_bytes);
        assert_true(one->claims || !mappers[m]->searches);
        searches += mappers[m]->searches;
        for (uint32_t threads = 1; threads <= 3; threads++) {
            struct map_effort again = effort;
            again.threads = threads;
            struct map_placement *other = place(text, &all, graph, again, MAP_HOP_BYTES);
            assert_memory_equal(one->terminal, other->terminal, 14 * sizeof *one->terminal);
            assert_int_equal(one->evaluations, other->evaluations);
            map_placement_free(other);
        }
        map_placement_free(one);
    }
#ifdef HAVE_SCOTCH
    assert_true(searches >= 7);
#else
    assert_true(searches >= 6);
#endif
    map_problem_free(problem);
    net_routing_free(&routing);
    trace_comm_graph_free(graph);
    net_topology_free(where);
}

/* ---- symmetries ---- */

/* A map moved, mirrored or turned on a torus costs what it did. */
static void is_symmetric(const struct map_problem *problem, const uint32_t *terminal, uint32_t ranks)
{
    uint32_t moved[36], mirrored[36], turned[36];
    int64_t cost = map_problem_cost(problem, terminal);

    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t x = terminal[rank] % 6, y = terminal[rank] / 6;
        moved[rank] = (x + 2) % 6 + (y + 1) % 6 * 6;
        mirrored[rank] = 5 - x + y * 6;
        turned[rank] = y + (5 - x) * 6;
    }
    assert_int_equal(map_problem_cost(problem, moved), cost);
    assert_int_equal(map_problem_cost(problem, mirrored), cost);
    assert_int_equal(map_problem_cost(problem, turned), cost);
}

static void symmetries_leave_every_map_s_cost(void **state)
{
    static const char *const networks[] = {"torus:6x6", "king-torus:6x6"};
    size_t count;
    const struct map_mapper *const *mappers = map_mappers(&count);
    (void)state;

    for (size_t n = 0; n < 2; n++) {
        struct net_topology *where = topology(networks[n]);
        struct map_place all = {.topology = where};
        struct trace_comm_graph *graph = random_graph(36, 200, 11);
        struct map_problem *problem = map_problem_new(&all, 36, graph, MAP_HOP_BYTES, true, NULL);
        for (size_t m = 0; m < count; m++) {
            const char *text = text_of(mappers[m]);
            if (text == NULL)
                continue;
            struct map_placement *made =
                place(text, &all, graph, (struct map_effort){.seed = 2, .evaluations = 2000}, MAP_HOP_BYTES);
            is_symmetric(problem, made->terminal, 36);
            map_placement_free(made);
        }
        map_problem_free(problem);
        trace_comm_graph_free(graph);
        net_topology_free(where);
    }
}

/* ---- the tie-break ---- */

/* A hub that sends as much to each of nine others on a 4x4 torus: every best map has four of them a link
 * away and five of them two links, and shares the two links among ways of equal length. How evenly the
 * hub's links are used then is all that differs: the first best map that is found has 350 bytes on one of
 * them, the one that portfolio must find 300. */
static void equal_costs_are_told_apart_by_the_busiest_channel(void **state)
{
    struct trace_pair pairs[9];
    struct net_topology *where = topology("torus:4x4");
    struct net_routing routing;
    struct map_place all = {.topology = where, .routing = &routing};
    struct trace_comm_graph *graph;
    struct map_cost cost;
    (void)state;

    for (uint32_t i = 0; i < 9; i++)
        pairs[i] = (struct trace_pair){0, i + 1, 1, 100};
    graph = trace_comm_graph_from(10, pairs, 9, NULL);
    assert_int_equal(net_routing_init(&routing, where, NULL, 0, NULL), 0);
    struct map_placement *made = place("portfolio", &all, graph,
                                       (struct map_effort){.seed = 1, .evaluations = 1000000}, MAP_HOP_BYTES);
    assert_int_equal(map_placement_cost(made, graph, &routing, &cost, NULL), 0);
    assert_int_equal(cost.hop_bytes, (4 * 1 + 5 * 2) * 100);
    assert_true(cost.max_channel_load_bytes < 301);
    map_placement_free(made);
    trace_comm_graph_free(graph);
    net_routing_free(&routing);
    net_topology_free(where);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_ranks_are_placed_anywhere),
        cmocka_unit_test(few_ranks_are_placed_on_a_large_machine),
        cmocka_unit_test(every_mapper_keeps_its_word),
        cmocka_unit_test(symmetries_leave_every_map_s_cost),
        cmocka_unit_test(equal_costs_are_told_apart_by_the_busiest_channel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
