/* Maps that are judged several at a time are settled as those of a plain search are, one after the other: the same best
 * map, its time, the number of evaluations, and the failure. The plain search stands here, and asks for every time.
 * And searches end in the middle of a simulation. */
#include <config.h>

#include "tests/suite.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "mappers/placement.h"
#include "mappers/searches/trials.h"

#define RANKS 6
#define STREAM 77
#define SECONDS 300 /* far more than all of this takes: a search that does not end */
#define FIXED 4     /* maps that come first, and depend on nothing */

static const uint32_t threads[] = {1, 2, 3, 5, 16};

/* A landscape of times, drawn from a seed. */
struct world {
    uint64_t seed;
    uint64_t kinds;    /* times are below it: few make ties */
    uint64_t failures; /* one in so many maps fails; 0: none */
    bool tells_all;    /* times above the bound are told, too */
    uint32_t proposed; /* of the fixed ones */
    atomic_uint judged;
    /* Searches that end in the middle. */
    uint64_t time_ms;  /* of the budget; 0: none */
    uint32_t going;    /* judgements up to the first that waits for whoever stops it; 0: none does */
    bool is_stopped;   /* by the first of those */
    uint32_t first_ms; /* that the first judgement takes */
    atomic_uint begun;
    atomic_bool stop;
};

static uint64_t hash_of(const struct world *world, const uint32_t *slot)
{
    uint64_t hash = world->seed;

    for (uint32_t rank = 0; rank < RANKS; rank++)
        hash = base_hash(hash, slot[rank]);
    return hash;
}

/* Near maps have near times, so that searches find better ones for a while. */
static uint64_t time_of(const struct world *world, const uint32_t *slot)
{
    uint64_t time = 1;

    for (uint32_t rank = 0; rank + 1 < RANKS; rank++)
        time += base_hash(world->seed + rank, slot[rank] * 64 + slot[rank + 1]) % world->kinds;
    return time;
}

static int fails(const struct world *world, const uint32_t *slot, struct base_error *error)
{
    uint64_t hash = hash_of(world, slot);

    if (world->failures == 0 || hash % world->failures != 0)
        return 0;
    return base_error_set(error, BASE_DEADLOCK, "map %llu", (unsigned long long)hash);
}

static void sleep_ms(uint32_t ms)
{
    nanosleep(&(struct timespec){ms / 1000, ms % 1000 * 1000000L}, NULL);
}

/* Without whose time there is no answer. */
static bool is_first(const uint32_t *slot)
{
    for (uint32_t rank = 0; rank < RANKS; rank++)
        if (slot[rank] != rank)
            return false;
    return true;
}

/* Those of a search that ends in the middle. */
static void go(struct world *world, const struct map_trial *asked)
{
    uint32_t number = atomic_fetch_add(&world->begun, 1);

    if (number == 0 && world->first_ms > 0)
        sleep_ms(world->first_ms);
    if (world->going == 0 || number < world->going - 1 || (world->going > 1 && is_first(asked->terminal)))
        return;
    atomic_store(&world->stop, world->is_stopped);
    while (!atomic_load(asked->stop))
        sleep_ms(1);
}

/* Takes another time each, so that threads overtake each other. */
static int judge(void *context, const struct map_trial *asked, uint64_t *time_ns, struct base_error *error)
{
    struct world *world = context;
    uint64_t time = time_of(world, asked->terminal);

    for (uint64_t i = hash_of(world, asked->terminal) % 8; i > 0 && !atomic_load(asked->stop); i--)
        sched_yield();
    go(world, asked);
    atomic_fetch_add(&world->judged, 1);
    *time_ns = time > asked->most_ns && !world->tells_all ? MAP_SLOWER : time;
    return fails(world, asked->terminal, error);
}

static int share(void *context, struct base_error *error)
{
    (void)context, (void)error;
    return 1;
}

/* Rotations first, then two slots of the best map change places. */
static int propose(void *context, struct base_random *random, const uint32_t *best, uint32_t *slot,
                   bool *depends, struct base_error *error)
{
    struct world *world = context;
    uint32_t one, other;
    (void)error;

    *depends = world->proposed >= FIXED;
    if (!*depends) {
        for (uint32_t rank = 0; rank < RANKS; rank++)
            slot[rank] = (rank + world->proposed) % RANKS;
        world->proposed++;
        return 1;
    }
    one = (uint32_t)base_random_below(random, RANKS);
    other = (uint32_t)base_random_below(random, RANKS);
    memcpy(slot, best, RANKS * sizeof *slot);
    slot[one] = best[other];
    slot[other] = best[one];
    return 1;
}

/* What a search comes to. */
struct outcome {
    uint32_t best[RANKS];
    struct map_times times;
    uint64_t used;
    int status;
    char text[sizeof((struct base_error *)NULL)->text];
};

static void search_plainly(struct world *world, const struct map_problem *problem, uint64_t limit,
                           struct outcome *outcome)
{
    struct base_random random;
    struct base_error error = {0};
    uint32_t slot[RANKS];
    bool depends;

    base_random_seed(&random, world->seed, STREAM);
    outcome->times = (struct map_times){MAP_SLOWER, MAP_SLOWER};
    while (outcome->used < limit && outcome->status == 0) {
        propose(world, &random, outcome->best, slot, &depends, &error);
        uint64_t time = time_of(world, slot);
        outcome->status = fails(world, slot, &error);
        if (outcome->status != 0)
            break;
        if (outcome->used++ == 0)
            outcome->times.first_ns = time;
        if (time > outcome->times.found_ns ||
            (time == outcome->times.found_ns &&
             map_problem_cost(problem, slot) > map_problem_cost(problem, outcome->best)))
            continue;
        outcome->times.found_ns = time;
        memcpy(outcome->best, slot, sizeof slot);
    }
    snprintf(outcome->text, sizeof outcome->text, "%s", outcome->status == 0 ? "" : error.text);
}

static void search_together(struct world *world, const struct map_problem *problem, uint64_t limit,
                            uint32_t count, struct outcome *outcome)
{
    const struct map_judge simulator = {judge, share, world};
    const struct map_proposer proposer = {propose, world};
    struct map_budget budget;
    const struct map_call call = {
        .problem = problem, .effort = {.threads = count}, .judge = &simulator, .budget = &budget};
    struct base_random random;
    struct base_error error = {0};

    map_budget_start(&budget, limit, world->time_ms);
    budget.look_every = 1;
    budget.stop = &world->stop;
    base_random_seed(&random, world->seed, STREAM);
    outcome->status = map_trials_run(&call, &proposer, &random, outcome->best, &outcome->times, &error);
    outcome->used = budget.used;
    snprintf(outcome->text, sizeof outcome->text, "%s", outcome->status == 0 ? "" : error.text);
}

/* Costs are those of a ring, so that ties are decided by them. */
static struct map_problem *make_problem(void)
{
    static const uint32_t terminals[RANKS] = {0, 1, 2, 3, 4, 5};
    uint64_t weights[RANKS * RANKS] = {0};
    uint16_t distances[RANKS * RANKS];
    struct map_problem *problem;

    for (uint32_t i = 0; i < RANKS; i++)
        for (uint32_t j = 0; j < RANKS; j++) {
            weights[i * RANKS + j] = (i + 1) % RANKS == j || (j + 1) % RANKS == i;
            distances[i * RANKS + j] = (uint16_t)(i > j ? i - j : j - i);
        }
    problem = map_problem_from(RANKS, weights, RANKS, distances, NULL);
    assert_non_null(problem);
    problem->terminal = terminals;
    return problem;
}

static void compare(const struct world *world, const struct map_problem *problem, uint64_t limit)
{
    struct world plain = *world;
    struct outcome expected = {.used = 0};

    search_plainly(&plain, problem, limit, &expected);
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct world own = *world;
        struct outcome found = {.used = 0};
        search_together(&own, problem, limit, threads[i], &found);
        assert_int_equal(found.status, expected.status);
        assert_string_equal(found.text, expected.text);
        assert_int_equal(found.used, expected.used);
        if (expected.used == 0)
            continue;
        assert_memory_equal(found.best, expected.best, sizeof expected.best);
        assert_int_equal(found.times.found_ns, expected.times.found_ns);
        assert_int_equal(found.times.first_ns, expected.times.first_ns);
        if (threads[i] == 1)
            assert_true(own.judged <= expected.used + 1);
    }
}

/* Many searches: few times and many, failures soon, late and never, and bounds that are used or not. */
static void a_search_is_that_of_one_thread(void **state)
{
    static const uint64_t kinds[] = {2, 6, 1000}, failures[] = {0, 9, 70}, limits[] = {1, 3, 5, 40, 200};
    struct map_problem *problem = make_problem();
    (void)state;

    for (uint64_t seed = 1; seed <= 12; seed++)
        for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
            for (size_t f = 0; f < sizeof failures / sizeof *failures; f++)
                for (size_t l = 0; l < sizeof limits / sizeof *limits; l++) {
                    const struct world world = {.seed = seed,
                                                .kinds = kinds[k],
                                                .failures = failures[f],
                                                .tells_all = (seed & 1) != 0};
                    compare(&world, problem, limits[l]);
                }
    map_problem_free(problem);
}

/* What has been settled is that of a search of so many maps. 0: nothing has, of a search that was stopped while its
 * first map was judged, beside others. */
static uint64_t end_early(const struct world *world, uint32_t count)
{
    struct map_problem *problem = make_problem();
    struct world own = *world, plain = *world;
    struct outcome found = {.used = 0}, expected = {.used = 0};

    search_together(&own, problem, 1000, count, &found);
    if (found.status != 0 && world->is_stopped && count > 1) {
        assert_int_equal(found.used, 0);
        map_problem_free(problem);
        return 0;
    }
    assert_int_equal(found.status, 0);
    search_plainly(&plain, problem, found.used, &expected);
    assert_memory_equal(found.best, expected.best, sizeof expected.best);
    assert_int_equal(found.times.found_ns, expected.times.found_ns);
    assert_int_equal(found.times.first_ns, expected.times.first_ns);
    map_problem_free(problem);
    return found.used;
}

/* A simulation may take minutes: nobody waits for its end. */
static void a_search_ends_in_the_middle_of_a_simulation(void **state)
{
    (void)state;

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct world world = {
            .seed = 3, .kinds = 1000, .tells_all = true, .going = threads[i] + 4, .is_stopped = true};
        assert_in_range(end_early(&world, threads[i]), threads[i] == 1 ? 4 : 0, 999);
        world.is_stopped = false;
        world.time_ms = 50;
        assert_in_range(end_early(&world, threads[i]), 1, 999);
    }
}

/* A budget of time is too short for any: there is an answer all the same. */
static void the_first_simulation_is_ended_by_no_clock(void **state)
{
    const struct world world = {.seed = 3, .kinds = 1000, .tells_all = true, .time_ms = 1, .first_ms = 100};
    (void)state;

    assert_int_equal(end_early(&world, 1), 1);
}

static void a_search_is_stopped_before_it_has_an_answer(void **state)
{
    (void)state;

    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct map_problem *problem = make_problem();
        struct world world = {.seed = 3, .kinds = 1000, .going = 1, .is_stopped = true};
        struct outcome found = {.used = 0};
        search_together(&world, problem, 1000, threads[i], &found);
        assert_int_equal(found.status, -1);
        assert_string_equal(found.text, "interrupted before there was a result");
        map_problem_free(problem);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_search_is_that_of_one_thread),
        cmocka_unit_test(a_search_ends_in_the_middle_of_a_simulation),
        cmocka_unit_test(the_first_simulation_is_ended_by_no_clock),
        cmocka_unit_test(a_search_is_stopped_before_it_has_an_answer),
    };

    alarm(SECONDS);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
