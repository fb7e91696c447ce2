/* What a run is expected to take beside what it takes: within FACTOR of processor time, and within MEMORY_FACTOR of
 * memory. Of recorded traces where they are (FLITREPLAY_SHARED), and of generated ones everywhere; what cannot fit is
 * refused, and long runs are told of before they begin. Some replays have threads, so that no allocation is made to
 * fail here: tests/cli/test-session does that. */
#include <config.h>

#include "tests/settings.h"
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/process-memory.h"
#include "replay/session/estimate.h"
#include "replay/session/session.h"
#include "replay/session/setup.h"
#include "replay/session/stages.h"
#include "replay/system/host.h"
#include "tests/replay/session/told.h"
#include "tests/replay/support.h"

#define PATH 4096

struct fixture {
    struct replay_settings settings;
    struct net_topology *topology;
    struct replay_setup setup;
    struct trace_program *program;
    struct replay_placement placement;
    struct base_error error;
};

/* Settings of NAME=VALUE pairs, up to NULL. */
static void begin(struct fixture *fixture, const char *trace, const char *topology, const char *const *pairs)
{
    *fixture = (struct fixture){0};
    ASSERT_OK(replay_settings_init(&fixture->settings, &fixture->error));
    for (; pairs[0] != NULL; pairs += 2)
        ASSERT_OK(set_named(&fixture->settings, pairs[0], pairs[1], &fixture->error));
    fixture->topology = net_topology_new(topology, &fixture->error);
    assert_non_null(fixture->topology);
    ASSERT_OK(replay_setup_init(&fixture->setup, REPLAY_TO_RUN, fixture->topology, &fixture->settings,
                                &fixture->error));
    fixture->program = replay_session_keep(trace, &fixture->settings, &fixture->error);
    if (fixture->program == NULL)
        fail_msg("%s", fixture->error.text);
    ASSERT_OK(replay_place(&fixture->placement, &fixture->setup, fixture->program, "identity", NULL,
                           &fixture->error));
}

static void end(struct fixture *fixture)
{
    replay_placement_free(&fixture->placement);
    trace_close(fixture->program);
    replay_setup_free(&fixture->setup);
    net_topology_free(fixture->topology);
    replay_settings_free(&fixture->settings);
}

static uint64_t peak_bytes(void)
{
    struct replay_stopwatch stopwatch;

    replay_stopwatch_start(&stopwatch);
    return replay_stopwatch_read(&stopwatch, 0).peak_memory_bytes;
}

/* The replays of a run beside their estimate. */
static bool agrees(struct fixture *fixture)
{
    struct replay_results results;
    struct replay_estimate estimate = replay_estimate_of(&fixture->placement);

    if (replay_estimate_measure(&estimate, fixture->program, &fixture->placement, REPLAY_MOMENT, NULL,
                                &fixture->error) != 0)
        return false;
    double before = process_seconds();
    if (replay_measure(&results, fixture->program, &fixture->placement, NULL, NULL, &fixture->error) != 0)
        return false;
    double taken = process_seconds() - before, bytes = (double)peak_bytes();
    printf("%s on %s: %.2f s, expected %.2f s; %.1f MiB, expected %.1f MiB\n",
           trace_program_path(fixture->program), fixture->topology->text, taken, estimate.seconds,
           bytes / 1048576, (double)estimate.memory_bytes / 1048576);
    fflush(stdout);
    return estimate.seconds < taken * FACTOR && estimate.seconds > taken / FACTOR &&
           (double)estimate.memory_bytes < bytes * MEMORY_FACTOR &&
           (double)estimate.memory_bytes > bytes / MEMORY_FACTOR;
}

static bool is_as_expected(const void *context)
{
    struct fixture *const *fixture = context;

    return agrees(*fixture);
}

static void compare(const char *trace, const char *topology, const char *const *pairs)
{
    struct fixture fixture;
    struct fixture *tried = &fixture;

    begin(&fixture, trace, topology, pairs);
    bool is_right = agrees_alone(is_as_expected, &tried);
    end(&fixture);
    if (!is_right)
        fail_msg("%s on %s: not as expected", trace, topology);
}

#define ALONE ((const char *const[]){"attribution", "none", NULL})
#define EXPLAINED ((const char *const[]){NULL})

static void test_generated(void **state)
{
    (void)state;
    compare("generate:ft,class=S,ranks=256", "torus:16x16", ALONE);
    compare("generate:cg,class=S,ranks=64", "torus:8x8", ALONE);
    compare("generate:mg,class=S,ranks=64", "mesh:8x8", EXPLAINED);
    if (getenv("FLITREPLAY_BRIEF") != NULL)
        return;
    compare("generate:lu,class=W,ranks=64", "dragonfly:2,4,2", ALONE);
    compare("generate:ft,class=S,ranks=256", "ideal:256", ALONE);
}

static void test_recorded(void **state)
{
    static const char *const rows[][2] = {{"otf2-cpuclock/cg.A.16/traces.otf2", "torus:4x4"},
                                          {"otf2-cpuclock/mg.A.64/traces.otf2", "torus:8x8"},
                                          {"otf2-cpuclock/ft.A.64/traces.otf2", "mesh:8x8"},
                                          {"otf2-scorep-layout/cg.S.16/traces.otf2", "king-torus:4x4"}};
    const char *shared = getenv("FLITREPLAY_SHARED");
    char path[PATH];
    (void)state;

    if (shared == NULL || *shared == '\0')
        skip();
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        snprintf(path, sizeof path, "%s/traces/%s", shared, rows[i][0]);
        if (access(path, R_OK) == 0 && (getenv("FLITREPLAY_BRIEF") == NULL || i % 2 == 1))
            compare(path, rows[i][1], i == 0 ? EXPLAINED : ALONE);
    }
}

/* ---- telling ---- */

static void run(const char *trace, const char *const *pairs, struct told *told, struct base_error *error)
{
    const struct replay_watch watch = {.expect = hear, .context = told, .stop = &told->stop};
    struct fixture fixture;

    begin(&fixture, trace, "mesh:2x2", pairs);
    struct report_run *made = replay_session_run(fixture.program, &fixture.setup, &watch, error);
    report_run_free(made);
    end(&fixture);
}

/* Messages of a gibibyte, which take long and no memory. */
#define LONG "generate:all-to-all,ranks=4,bytes=1073741824,iterations=20"

#define SEARCH(number, threads)                                                                              \
    "mapping", "replay", "evaluations", number, "threads", threads, "attribution", "none"

static bool is_about(double told, double seconds)
{
    return told > seconds / FACTOR && told < seconds * FACTOR;
}

static void test_told(void **state)
{
    struct told told = {.stops = true};
    struct base_error error = {0};
    (void)state;

    run(LONG, ALONE, &told, &error);
    assert_int_equal(told.times, 1);
    assert_true(told.seconds >= 10 && told.seconds < 3600);
    assert_true(told.memory_bytes > 0);
    assert_int_equal(error.status, BASE_INTERRUPTED);
    double seconds = told.seconds;
    /* Told before it searches, of both. */
    told = (struct told){.stops = true};
    error = (struct base_error){0};
    run(LONG, (const char *const[]){SEARCH("64", "1"), NULL}, &told, &error);
    assert_int_equal(told.times, 1);
    assert_true(is_about(told.seconds, 65 * seconds));
    assert_int_equal(error.status, BASE_INTERRUPTED);
    told = (struct told){.stops = true};
    error = (struct base_error){0};
    run("generate:cg,class=S,ranks=4", ALONE, &told, &error);
    assert_int_equal(told.times, 0);
    assert_int_equal(error.status, BASE_OK);
}

/* How often searches replay, of each mapping and objective. */
static void test_replays(void **state)
{
    static const struct {
        const char *mapping, *objective;
        const char *evaluations;
        uint64_t replays;
    } rows[] = {{"replay", "hop-bytes", "0", MAP_REPLAY_EVALUATIONS},
                {"replay", "hop-bytes", "7", 7},
                {"portfolio", "time", "0", MAP_REPLAY_EVALUATIONS},
                {"portfolio", "time", "9", 9},
                {"portfolio", "hop-bytes", "9", 0},
                {"identity", "hop-bytes", "0", 0}};
    (void)state;

    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct replay_settings settings;
        struct base_error error = {0};
        ASSERT_OK(replay_settings_init(&settings, &error));
        ASSERT_OK(set_named(&settings, "mapping", rows[i].mapping, &error));
        ASSERT_OK(set_named(&settings, "objective", rows[i].objective, &error));
        ASSERT_OK(set_named(&settings, "evaluations", rows[i].evaluations, &error));
        assert_int_equal(replay_estimate_search(&settings), rows[i].replays);
        assert_int_equal(replay_search_replays(&settings), rows[i].replays != 0);
        replay_settings_free(&settings);
    }
}

/* What is told of a search of FT on 16 ranks, under the settings; each: nothing is told. */
static struct told told_of(const char *const *pairs, double *each, uint64_t *network_bytes)
{
    struct told told = {.stops = true};
    const struct replay_watch watch = {.expect = hear, .context = &told, .stop = &told.stop};
    struct fixture fixture;

    begin(&fixture, "generate:ft,class=S,ranks=16", "mesh:4x4", pairs);
    ASSERT_OK(replay_expect_search(fixture.program, &fixture.placement, &watch, &fixture.error));
    *network_bytes = fixture.placement.setup.network_bytes;
    assert_true(*network_bytes > 0 || !NETWORKS_COUNT);
    double before = process_seconds();
    for (int i = 0; each != NULL && i < 20; i++) {
        uint64_t time_ns;
        ASSERT_OK(replay_time(&fixture.placement.setup, fixture.program, fixture.placement.map->terminal,
                              NULL, &time_ns, &fixture.error));
    }
    if (each != NULL)
        *each = (process_seconds() - before) / 20;
    fixture.settings.number[REPLAY_MEMORY] = 1 << 20;
    assert_int_equal(replay_expect_search(fixture.program, &fixture.placement, &watch, &fixture.error), -1);
    assert_int_equal(fixture.error.status, BASE_SYSTEM);
    end(&fixture);
    return told;
}

/* A search of so many replays takes about as many times what each takes, and side by side they are over sooner, and
 * each has a network; short ones are not measured. */
static void test_search(void **state)
{
    uint64_t bytes;
    double each;
    (void)state;

    struct told few = told_of((const char *const[]){SEARCH("3", "1"), NULL}, &each, &bytes);
    assert_int_equal(few.times, 0);
    struct told alone = told_of((const char *const[]){SEARCH("1000000", "1"), NULL}, NULL, &bytes);
    struct told beside = told_of((const char *const[]){SEARCH("1000000", "8"), NULL}, NULL, &bytes);
    printf("a search of a million replays: %.4g s and %.4g s expected, each of %.4g s\n", alone.seconds,
           beside.seconds, each);
    assert_int_equal(alone.times, 1);
    assert_int_equal(beside.times, 1);
    assert_true(is_about(alone.seconds, 1e6 * each) && is_about(beside.seconds, 1e6 / 8 * each));
    assert_true(beside.memory_bytes >= alone.memory_bytes + 6 * bytes || !NETWORKS_COUNT);
}

/* A search within a budget of time takes no longer. */
static void test_budget(void **state)
{
    uint64_t bytes;
    (void)state;

    struct told budget =
        told_of((const char *const[]){SEARCH("1000000", "1"), "time-budget-ms", "60000", NULL}, NULL, &bytes);
    assert_int_equal(budget.times, 1);
    assert_true(budget.seconds >= 60 && budget.seconds < 61);
    budget = told_of((const char *const[]){SEARCH("0", "8"), "time-budget-ms", "60000", NULL}, NULL, &bytes);
    assert_int_equal(budget.times, 1);
    assert_true(budget.seconds >= 60 && budget.seconds < 61);
    budget = told_of((const char *const[]){SEARCH("3", "1"), "time-budget-ms", "60000", NULL}, NULL, &bytes);
    assert_int_equal(budget.times, 0);
}

/* ---- refusing ---- */

static void test_refused(void **state)
{
    struct told told = {.stops = true};
    struct base_error error = {0};
    (void)state;

    run("generate:cg,class=S,ranks=4", (const char *const[]){"memory", "1MiB", NULL}, &told, &error);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_non_null(strstr(error.text, "--memory allows 1.0 MiB"));
    error = (struct base_error){0};
    run("generate:cg,class=S,ranks=4", (const char *const[]){"memory", "8GiB", NULL}, &told, &error);
    assert_int_equal(error.status, BASE_OK);
}

/* The limit of the address space is less what is reserved and not used: it is no more than was set. */
static void test_limits(void **state)
{
    const uint64_t limit = UINT64_C(3) << 30;
    struct base_memory before = base_memory_now();
    struct rlimit saved;
    (void)state;

    assert_true(before.used_bytes > 1000000 && before.used_bytes < before.limit_bytes);
    assert_int_equal(getrlimit(RLIMIT_AS, &saved), 0);
    assert_int_equal(setrlimit(RLIMIT_AS, &(struct rlimit){limit, saved.rlim_max}), 0);
    struct base_memory now = base_memory_now();
    assert_int_equal(setrlimit(RLIMIT_AS, &saved), 0);
    assert_true(now.limit_bytes <= limit);
    if (before.limit_bytes > limit)
        assert_string_equal(now.limit, "the limit of ulimit");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_generated), cmocka_unit_test(test_recorded), cmocka_unit_test(test_told),
        cmocka_unit_test(test_replays),   cmocka_unit_test(test_search),   cmocka_unit_test(test_budget),
        cmocka_unit_test(test_refused),   cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
