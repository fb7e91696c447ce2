/* What a run is expected to take beside what it takes: within FACTOR of processor time, and within MEMORY_FACTOR of
 * memory. Of recorded traces where they are (FLITREPLAY_SHARED), and of generated ones everywhere; what cannot fit is
 * refused, and long runs are told of before they begin. Some replays have threads, so that no allocation is made to
 * fail here: tests/cli/test-session does that. */
#include <config.h>

#include "tests/settings.h"
#include "tests/suite.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process-memory.h"
#include "replay/session/estimate.h"
#include "replay/session/session.h"
#include "replay/session/setup.h"
#include "replay/session/stages.h"
#include "replay/system/host.h"
#include "tests/replay/support.h"

#define FACTOR 3.0
#ifdef __SANITIZE_ADDRESS__
#define MEMORY_FACTOR 1e9 /* freed memory is kept aside for a while: the peak is another program's */
#else
#define MEMORY_FACTOR 2.5
#endif
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

static double process_seconds(void)
{
    struct timespec now = {0};

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
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

    if (replay_estimate_measure(&estimate, fixture->program, &fixture->placement, NULL, &fixture->error) != 0)
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

/* Peaks of memory are those of a process, which each case therefore has for itself. */
static void compare(const char *trace, const char *topology, const char *const *pairs)
{
    struct fixture fixture;
    int status;

    begin(&fixture, trace, topology, pairs);
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(agrees(&fixture) ? 0 : 1);
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    end(&fixture);
    if (status != 0)
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

struct told {
    atomic_bool stop;
    unsigned times;
    double seconds;
    uint64_t memory_bytes;
};

static void hear(void *context, double seconds, uint64_t memory_bytes)
{
    struct told *told = context;

    told->times++;
    told->seconds = seconds;
    told->memory_bytes = memory_bytes;
    atomic_store(&told->stop, true);
}

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

static void test_told(void **state)
{
    struct told told = {0};
    struct base_error error = {0};
    (void)state;

    run(LONG, ALONE, &told, &error);
    assert_int_equal(told.times, 1);
    assert_true(told.seconds >= 10 && told.seconds < 3600);
    assert_true(told.memory_bytes > 0);
    assert_int_equal(error.status, BASE_INTERRUPTED);
    told = (struct told){0};
    error = (struct base_error){0};
    run("generate:cg,class=S,ranks=4", ALONE, &told, &error);
    assert_int_equal(told.times, 0);
    assert_int_equal(error.status, BASE_OK);
}

/* A search of so many replays takes about as many times what each takes; short ones are not measured. */
static void test_search(void **state)
{
    struct told told = {0};
    const struct replay_watch watch = {.expect = hear, .context = &told, .stop = &told.stop};
    struct fixture fixture;
    double each;
    (void)state;

    begin(&fixture, "generate:ft,class=S,ranks=16", "mesh:4x4", ALONE);
    ASSERT_OK(replay_expect_search(fixture.program, &fixture.placement, 3, &watch, &fixture.error));
    assert_int_equal(told.times, 0);
    double before = process_seconds();
    for (int i = 0; i < 20; i++) {
        uint64_t time_ns;
        ASSERT_OK(replay_time(&fixture.placement.setup, fixture.program, fixture.placement.map->terminal,
                              NULL, &time_ns, &fixture.error));
    }
    each = (process_seconds() - before) / 20;
    ASSERT_OK(replay_expect_search(fixture.program, &fixture.placement, 1000000, &watch, &fixture.error));
    assert_int_equal(told.times, 1);
    printf("a search of a million replays: %.4g s expected, each of %.4g s\n", told.seconds, each);
    assert_true(told.seconds > 1e6 * each / FACTOR && told.seconds < 1e6 * each * FACTOR);
    fixture.settings.number[REPLAY_MEMORY] = 1 << 20;
    assert_int_equal(replay_expect_search(fixture.program, &fixture.placement, 3, &watch, &fixture.error),
                     -1);
    assert_int_equal(fixture.error.status, BASE_SYSTEM);
    end(&fixture);
}

/* ---- refusing ---- */

static void test_refused(void **state)
{
    struct told told = {0};
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
        cmocka_unit_test(test_search),    cmocka_unit_test(test_refused),  cmocka_unit_test(test_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
