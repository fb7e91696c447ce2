/* Searches by replays: with any number of threads they settle the maps of a plain search, which stands here and replays
 * every map to its end, one after the other. And a replay that is ended since it takes longer than a bound does take
 * longer; one that does not is the replay without a bound. */
#include <config.h>

#include "tests/settings.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "mappers/problem.h"
#include "replay/session/session.h"
#include "replay/session/stages.h"

#define SECONDS 600 /* far more than all of this takes: a search that does not end */
#define RANKS_MOST 64
#define STREAM UINT64_C(0x72657079) /* of the mapper's swaps */

struct fixture {
    struct replay_settings settings;
    struct net_topology *topology;
    struct replay_setup setup;
    struct trace_program *program;
    struct trace_comm_graph *graph;
    uint32_t ranks, terminals;
};

#define ASSERT_OK(status)                                                                                    \
    do {                                                                                                     \
        if ((status) != 0)                                                                                   \
            fail_msg("%s", error.text);                                                                      \
    } while (0)

static void begin(struct fixture *fixture, const char *source, const char *topology, const char *const *pairs)
{
    struct base_error error = {0};

    *fixture = (struct fixture){0};
    ASSERT_OK(replay_settings_init(&fixture->settings, &error));
    for (; pairs[0] != NULL; pairs += 2)
        ASSERT_OK(set_named(&fixture->settings, pairs[0], pairs[1], &error));
    fixture->topology = net_topology_new(topology, &error);
    assert_non_null(fixture->topology);
    ASSERT_OK(
        replay_setup_init(&fixture->setup, REPLAY_TO_RUN, fixture->topology, &fixture->settings, &error));
    fixture->program = replay_session_keep(source, &fixture->settings, &error);
    ASSERT_OK(fixture->program == NULL);
    fixture->graph = trace_comm_graph_new(fixture->program, fixture->setup.tuning, &error);
    ASSERT_OK(fixture->graph == NULL);
    fixture->ranks = trace_program_ranks(fixture->program);
    fixture->terminals = fixture->topology->terminals;
}

static void end(struct fixture *fixture)
{
    trace_comm_graph_free(fixture->graph);
    trace_close(fixture->program);
    replay_setup_free(&fixture->setup);
    net_topology_free(fixture->topology);
    replay_settings_free(&fixture->settings);
}

/* ---- the plain search ---- */

/* As mappers/searches/replay.c has them; on a whole network with a rank a terminal, slots are terminals. */
static const char *const candidates[] = {"identity",  "portfolio", "scotch", "snake",
                                         "hilbert",   "transpose", "row",    "cartesian",
                                         "bisection", "portfolio", "greedy", "portfolio"};
#define CANDIDATES (sizeof candidates / sizeof *candidates)

struct plain {
    const struct fixture *fixture;
    struct map_problem *problem;
    uint32_t best[RANKS_MOST], trial[RANKS_MOST], seen[CANDIDATES][RANKS_MOST];
    uint32_t seen_count;
    uint64_t best_ns, first_ns, used;
};

static void judge_plainly(struct plain *plain)
{
    const struct fixture *fixture = plain->fixture;
    struct base_error error = {0};
    uint64_t time_ns;

    ASSERT_OK(replay_time(&fixture->setup, fixture->program, plain->trial, NULL, &time_ns, &error));
    if (plain->used++ == 0)
        plain->first_ns = time_ns;
    if (time_ns > plain->best_ns ||
        (time_ns == plain->best_ns &&
         map_problem_cost(plain->problem, plain->trial) > map_problem_cost(plain->problem, plain->best)))
        return;
    plain->best_ns = time_ns;
    memcpy(plain->best, plain->trial, sizeof plain->best);
}

/* False: refused, or known. */
static bool make_candidate(struct plain *plain, size_t which, uint64_t seed)
{
    const struct fixture *fixture = plain->fixture;
    uint64_t most = (uint64_t)fixture->ranks * fixture->terminals * 100000;
    struct map_request request = {.place = replay_setup_place(&fixture->setup),
                                  .ranks = fixture->ranks,
                                  .graph = fixture->graph,
                                  .effort = {seed, most < 20000000 ? most : 20000000, 0, 1, NULL}};
    struct map_placement *made;

    for (size_t i = 0; i < which; i++)
        request.effort.seed += strcmp(candidates[i], candidates[which]) == 0;
    made = map_placement_new(candidates[which], &request, NULL);
    if (made == NULL)
        return false;
    memcpy(plain->trial, made->terminal, fixture->ranks * sizeof *plain->trial);
    map_placement_free(made);
    for (uint32_t i = 0; i < plain->seen_count; i++)
        if (memcmp(plain->seen[i], plain->trial, sizeof plain->trial) == 0)
            return false;
    memcpy(plain->seen[plain->seen_count++], plain->trial, sizeof plain->trial);
    return true;
}

static uint32_t choose(const struct plain *plain, struct base_random *random, uint32_t rank)
{
    const struct map_problem *problem = plain->problem;
    uint32_t degree = problem->first[rank + 1] - problem->first[rank];
    uint32_t best = (uint32_t)base_random_below(random, problem->slots);

    if (degree == 0 || base_random_below(random, 4) == 0)
        return best;
    uint32_t partner =
        plain->best[problem->neighbour[problem->first[rank] + base_random_below(random, degree)]];
    for (int i = 0; i < 8; i++) {
        uint32_t to = (uint32_t)base_random_below(random, problem->slots);
        if (to != plain->best[rank] &&
            map_problem_distance(problem, to, partner) < map_problem_distance(problem, best, partner))
            best = to;
    }
    return best;
}

static void swap(struct plain *plain, struct base_random *random)
{
    uint32_t rank = (uint32_t)base_random_below(random, plain->problem->ranks);
    uint32_t to = choose(plain, random, rank);

    memcpy(plain->trial, plain->best, sizeof plain->trial);
    for (uint32_t other = 0; other < plain->problem->ranks; other++)
        if (plain->best[other] == to)
            plain->trial[other] = plain->best[rank];
    plain->trial[rank] = to;
}

static void search_plainly(struct plain *plain, const struct fixture *fixture, uint64_t seed, uint64_t limit)
{
    struct map_place place = replay_setup_place(&fixture->setup);
    struct base_random random;

    *plain = (struct plain){.fixture = fixture, .best_ns = UINT64_MAX};
    plain->problem = map_problem_new(&place, fixture->ranks, fixture->graph, MAP_HOP_BYTES, true, NULL);
    assert_non_null(plain->problem);
    base_random_seed(&random, seed, STREAM);
    for (size_t i = 0; i < CANDIDATES && plain->used < limit; i++)
        if (make_candidate(plain, i, seed))
            judge_plainly(plain);
    while (plain->used < limit) {
        swap(plain, &random);
        judge_plainly(plain);
    }
    map_problem_free(plain->problem);
}

static void compare_search(const char *source, const char *topology, const char *const *pairs, uint64_t limit,
                           uint64_t seeds)
{
    static const uint32_t threads[] = {1, 2, 3, 5};
    struct base_error error = {0};
    struct fixture fixture;
    struct plain plain;

    begin(&fixture, source, topology, pairs);
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        search_plainly(&plain, &fixture, seed, limit);
        for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
            fixture.setup.effort =
                (struct map_effort){.seed = seed, .evaluations = limit, .threads = threads[i]};
            struct map_placement *made =
                replay_map_graph(&fixture.setup, fixture.graph, fixture.program, "replay", NULL, &error);
            ASSERT_OK(made == NULL);
            assert_memory_equal(made->terminal, plain.best, fixture.ranks * sizeof *plain.best);
            assert_int_equal(made->evaluations, plain.used);
            assert_int_equal(made->times.first_ns, plain.first_ns);
            assert_int_equal(made->times.found_ns, plain.best_ns);
            map_placement_free(made);
        }
    }
    end(&fixture);
}

/* Swaps that help and that do not, more slots than ranks, ties, hosts that cost time, and links that fail, where
 * nothing is side by side. */
static void searches_are_plain_ones(void **state)
{
    (void)state;
    compare_search("generate:is,class=S,ranks=4", "mesh:3x2", (const char *const[]){"compute", "zero", NULL},
                   40, 3);
    compare_search("generate:mg,class=S,ranks=8", "torus:2x2x2", (const char *const[]){NULL}, 25, 1);
    compare_search("generate:stencil-2d,ranks=4,iterations=3", "ring:5",
                   (const char *const[]){"host", "send-overhead=500ns", NULL}, 40, 3);
    compare_search("generate:ring,ranks=3,iterations=3", "king-torus:3x3",
                   (const char *const[]){"faults", "1", "fault-routing", "kft", NULL}, 15, 1);
}

/* ---- bounds ---- */

struct tally {
    unsigned ended, sooner; /* before its end, and sooner when computations are known */
};

static struct replay_result replay(const struct fixture *fixture, const uint32_t *terminal, uint64_t most_ns,
                                   const uint64_t *compute_ns)
{
    const struct replay_onlooker onlooker = {.most_ns = most_ns, .compute_ns = compute_ns};
    struct base_error error = {0};
    struct replay_trial trial;

    ASSERT_OK(replay_try(&trial, &fixture->setup, fixture->program, terminal, REPLAY_CONFIGURED, &onlooker,
                         &error));
    return trial.result;
}

/* Of one placement, under a bound. */
static void check_bound(const struct fixture *fixture, const uint32_t *terminal, uint64_t most_ns,
                        const struct replay_result *exact, const uint64_t *compute_ns, struct tally *tally)
{
    struct replay_result blind = replay(fixture, terminal, most_ns, NULL);
    struct replay_result result = replay(fixture, terminal, most_ns, compute_ns);

    if (exact->simulated_ns <= most_ns) {
        assert_false(result.is_slower || blind.is_slower || result.interrupted || blind.interrupted);
        assert_memory_equal(&result.digest, &exact->digest, sizeof exact->digest);
        assert_memory_equal(&blind.digest, &exact->digest, sizeof exact->digest);
    } else {
        assert_true(result.is_slower && blind.is_slower);
        assert_true(result.simulated_ns <= blind.simulated_ns);
        assert_true(blind.simulated_ns <= exact->simulated_ns);
        tally->ended += blind.simulated_ns < exact->simulated_ns;
        tally->sooner += result.simulated_ns < blind.simulated_ns;
    }
    replay_result_free(&result);
    replay_result_free(&blind);
}

static void check_bounds(const char *source, const char *topology, const char *const *pairs,
                         struct tally *tally)
{
    struct base_random random;
    struct fixture fixture;
    uint64_t compute_ns[RANKS_MOST];
    uint32_t terminal[RANKS_MOST];

    begin(&fixture, source, topology, pairs);
    base_random_seed(&random, 3, 4);
    for (uint32_t i = 0; i < fixture.terminals; i++)
        terminal[i] = i;
    for (unsigned round = 0; round < 4; round++) {
        struct replay_result exact = replay(&fixture, terminal, 0, NULL);
        /* Those of the first placement serve the others. */
        for (uint32_t rank = 0; round == 0 && rank < fixture.ranks; rank++)
            compute_ns[rank] = exact.rank[rank].compute_ns;
        const uint64_t bounds[] = {1,
                                   exact.simulated_ns / 3,
                                   exact.simulated_ns * 9 / 10,
                                   exact.simulated_ns - 1,
                                   exact.simulated_ns,
                                   exact.simulated_ns + 1};
        for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
            check_bound(&fixture, terminal, bounds[i], &exact, compute_ns, tally);
        replay_result_free(&exact);
        base_random_shuffle(&random, terminal, fixture.terminals);
    }
    end(&fixture);
}

static void bounds_change_no_verdict(void **state)
{
    struct tally tally = {0};
    (void)state;

    check_bounds("generate:mg,class=S,ranks=16", "mesh:4x4", (const char *const[]){NULL}, &tally);
    check_bounds("generate:is,class=S,ranks=16", "torus:5x4", (const char *const[]){"compute", "zero", NULL},
                 &tally);
    check_bounds(
        "generate:cg,class=S,ranks=16,iterations=2", "mesh:4x4",
        (const char *const[]){"host", "send-overhead=500ns,receive-overhead=300ns", "clock-ghz", "0.7", NULL},
        &tally);
    check_bounds("generate:sweep,ranks=16,iterations=1", "king-mesh:4x4",
                 (const char *const[]){"flow-control", "wormhole", "compute", "scale=2.5", NULL}, &tally);
    print_message("%u replays ended early, %u sooner by what ranks have yet to compute\n", tally.ended,
                  tally.sooner);
    assert_true(tally.ended > 20 && tally.sooner > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_are_plain_ones),
        cmocka_unit_test(bounds_change_no_verdict),
    };

    alarm(SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
