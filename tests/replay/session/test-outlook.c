/* What work of several parts is expected to take beside what it takes: several jobs, comparisons and traffic, within
 * FACTOR of processor time and MEMORY_FACTOR of memory; on recorded traces where they are (FLITREPLAY_SHARED), on
 * bundled and generated ones everywhere, and on networks of all kinds of engines. What is left of a comparison is all
 * that counts; what cannot fit is refused before anything is done, in the words of a run. Some of the work has threads,
 * so that no allocation is made to fail here. */
#include <config.h>

#include "tests/settings.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/process-memory.h"
#include "replay/compare/outlook.h"
#include "replay/compare/queue.h"
#include "replay/session/session.h"
#include "replay/system/host.h"
#include "replay/traffic/sweep.h"
#include "tests/replay/session/told.h"
#include "tests/replay/support.h"

#define PATH 4096

/* ---- what is told, and what is taken ---- */

/* Of short work, too. */
static struct replay_watch watch_of(struct told *told)
{
    return (struct replay_watch){
        .expect = told->is_deaf ? NULL : hear, .context = told, .expects_short = true, .stop = &told->stop};
}

/* At the end of the work. Seconds of the processor are those of all threads. */
static bool agrees(const char *what, const struct told *told, double threads)
{
    struct replay_stopwatch stopwatch;
    double taken = process_seconds() - told->begun, expected = told->seconds * threads;

    replay_stopwatch_start(&stopwatch);
    double peak = (double)replay_stopwatch_read(&stopwatch, 0).peak_memory_bytes;
    printf("%s: %.2f s, expected %.2f s; %.1f MiB, expected %.1f MiB\n", what, taken, expected,
           peak / 1048576, (double)told->memory_bytes / 1048576);
    fflush(stdout);
    return told->times == 1 && expected < taken * FACTOR && expected > taken / FACTOR &&
           (double)told->memory_bytes < peak * MEMORY_FACTOR &&
           (double)told->memory_bytes > peak / MEMORY_FACTOR;
}

static void alone(bool (*ends)(const void *context), const void *context, const char *what)
{
    if (!agrees_alone(ends, context))
        fail_msg("%s: not as expected", what);
}

static bool is_brief(void)
{
    return getenv("FLITREPLAY_BRIEF") != NULL;
}

/* Settings of NAME=VALUE pairs, up to NULL. */
static void set_all(struct replay_settings *settings, const char *const *pairs)
{
    struct base_error error;

    ASSERT_OK(replay_settings_init(settings, &error));
    for (; pairs[0] != NULL; pairs += 2)
        if (set_named(settings, pairs[0], pairs[1], &error) != 0)
            fail_msg("%s", error.text);
}

/* A trace below FLITREPLAY_SHARED; NULL: it is not there. */
static const char *shared_trace(const char *name, char path[PATH])
{
    const char *shared = getenv("FLITREPLAY_SHARED");

    if (shared == NULL || *shared == '\0')
        return NULL;
    snprintf(path, PATH, "%s/traces/%s", shared, name);
    return access(path, R_OK) == 0 ? path : NULL;
}

/* One of tests/data/. */
static const char *bundled_trace(const char *name, char path[PATH])
{
    const char *source = getenv("srcdir");

    snprintf(path, PATH, "%s/tests/data/%s", source == NULL ? "." : source, name);
    return path;
}

/* ---- several jobs ---- */

struct company {
    const char *topology;
    const char *jobs[4]; /* up to NULL */
};

static struct report_jobs *run_jobs(const struct company *company, const char *const *pairs,
                                    struct told *told, struct base_error *error)
{
    const struct replay_watch watch = watch_of(told);
    struct replay_settings settings;
    struct net_topology *topology = net_topology_new(company->topology, error);
    struct replay_setup setup;

    assert_non_null(topology);
    set_all(&settings, pairs);
    for (unsigned i = 0; i < 4 && company->jobs[i] != NULL; i++)
        ASSERT_OK(set_named(&settings, "job", company->jobs[i], error));
    ASSERT_OK(replay_setup_init(&setup, REPLAY_TO_RUN, topology, &settings, error));
    struct report_jobs *jobs = replay_session_jobs(&setup, &watch, NULL, error);
    replay_setup_free(&setup);
    net_topology_free(topology);
    replay_settings_free(&settings);
    return jobs;
}

#define NOTHING ((const char *const[]){NULL})

static bool jobs_agree(const void *context)
{
    const struct company *company = context;
    struct told told = {0};
    struct base_error error = {0};
    struct report_jobs *jobs = run_jobs(company, NOTHING, &told, &error);
    bool is_right = jobs != NULL && agrees(company->topology, &told, 1);

    if (jobs == NULL)
        printf("%s\n", error.text);
    fflush(stdout);
    report_jobs_free(jobs);
    return is_right;
}

static void test_jobs(void **state)
{
    static const struct company companies[] = {
        {"mesh:8x8", {"generate:ft,class=S,ranks=16,partition=row", "generate:cg,class=W,ranks=16"}},
        {"torus:8x8",
         {"generate:mg,class=S,ranks=16", "generate:ft,class=S,ranks=16", "traffic:uniform,load=0.05"}},
        {"dragonfly:2,4,2", {"generate:lu,class=S,ranks=16,start=2000000", "generate:ft,class=W,ranks=16"}},
        {"fat-tree:4,3", {"generate:cg,class=W,ranks=16", "generate:ft,class=S,ranks=32"}},
        {"ideal:64", {"generate:cg,class=W,ranks=32", "generate:ft,class=S,ranks=32"}},
    };
    (void)state;

    for (unsigned i = 0; i < (is_brief() ? 2 : sizeof companies / sizeof *companies); i++)
        alone(jobs_agree, &companies[i], companies[i].topology);
}

static void test_recorded_jobs(void **state)
{
    char first[PATH], second[PATH];
    struct company company = {.topology = "torus:4x8"};
    (void)state;

    company.jobs[0] = shared_trace("otf2-cpuclock/cg.A.16/traces.otf2", first);
    company.jobs[1] = shared_trace("otf2-scorep-layout/cg.S.16/traces.otf2", second);
    if (company.jobs[0] == NULL || company.jobs[1] == NULL)
        skip();
    alone(jobs_agree, &company, "recorded jobs");
}

/* ---- comparisons ---- */

struct comparison {
    const char *traces[4], *topologies[8]; /* each up to NULL */
    const char *threads;
    const char *thresholds[4]; /* of compute times, likewise: a trace is read once for each */
};

static int take(void *context, uint32_t number, const struct report_outcome *outcome,
                struct base_error *error)
{
    uint32_t *failed = context;

    (void)number, (void)error;
    *failed += outcome->state != REPORT_DONE;
    return 0;
}

/* A comparison that can begin, and what it is made of. */
struct planned {
    struct replay_values values;
    struct replay_settings settings;
    struct replay_plan *plan;
    uint32_t numbers[64]; /* of all runs, in their order */
    struct replay_todo todo;
};

/* memory: a text of --memory; NULL: what the machine has. */
static void plan(struct planned *planned, const struct comparison *comparison, const char *memory)
{
    struct replay_values *values = &planned->values;
    struct replay_settings *settings = &planned->settings;
    uint32_t count = 0;
    struct base_error error;

    *values = (struct replay_values){0};
    set_all(settings, (const char *const[]){"threads", comparison->threads, memory == NULL ? NULL : "memory",
                                            memory, NULL});
    for (unsigned i = 0; i < 4 && comparison->traces[i] != NULL; i++)
        ASSERT_OK(replay_values_add_trace(values, comparison->traces[i], &error));
    for (unsigned i = 0; i < 8 && comparison->topologies[i] != NULL; i++) {
        ASSERT_OK(replay_values_add(values, REPLAY_TOPOLOGY, comparison->topologies[i], &error));
        ASSERT_OK(replay_settings_set(settings, REPLAY_TOPOLOGY, comparison->topologies[i], &error));
    }
    for (unsigned i = 0; i < 4 && comparison->thresholds[i] != NULL; i++)
        ASSERT_OK(replay_values_add(values, REPLAY_COMPUTE_THRESHOLD, comparison->thresholds[i], &error));
    planned->plan = replay_plan_new(values, settings, &error);
    if (planned->plan == NULL)
        fail_msg("%s", error.text);
    for (uint32_t i = 0; i < report_comparison_places(&planned->plan->comparison); i++)
        if (planned->plan->comparison.outcomes[i].state == REPORT_MISSING)
            planned->numbers[count++] = i;
    planned->todo =
        (struct replay_todo){planned->numbers, count, (uint32_t)settings->number[REPLAY_THREADS], 1, 1};
}

static void free_planned(struct planned *planned)
{
    replay_plan_free(planned->plan);
    replay_values_free(&planned->values);
    replay_settings_free(&planned->settings);
}

static bool comparison_agrees(const void *context)
{
    const struct comparison *comparison = context;
    struct told told = {0}, half = {0};
    const struct replay_watch watch = watch_of(&told), half_watch = watch_of(&half);
    struct planned planned;
    uint32_t failed = 0;
    struct base_error error = {0};

    plan(&planned, comparison, NULL);
    const struct replay_todo *todo = &planned.todo;
    uint32_t threads = todo->threads;
    uint32_t every_second[32];
    const struct replay_todo rest = {every_second, todo->count / 2, threads, 1, 1};
    const struct replay_queue queue = {.plan = planned.plan,
                                       .todo = planned.numbers,
                                       .count = todo->count,
                                       .threads = threads,
                                       .finished = take,
                                       .context = &failed};
    for (uint32_t i = 0; i < rest.count; i++)
        every_second[i] = planned.numbers[2 * i + 1];
    bool is_right = replay_plan_expect(planned.plan, &rest, &half_watch, &error) == 0 &&
                    replay_plan_expect(planned.plan, todo, &watch, &error) == 0 &&
                    replay_queue_run(&queue, &error) == 0 && failed == 0 &&
                    agrees(comparison->topologies[0], &told, threads);
    if (half.seconds > 0.9 * told.seconds) {
        printf("half of it: %.2f s\n", half.seconds);
        is_right = false;
    }
    if (error.status != BASE_OK)
        printf("%s\n", error.text);
    fflush(stdout);
    free_planned(&planned);
    return is_right;
}

static void test_comparisons(void **state)
{
    char cg[PATH];
    const struct comparison comparisons[] = {
        {{"generate:ft,class=S,ranks=64", "generate:cg,class=W,ranks=64"},
         {"mesh:8x8", "dragonfly:2,4,2", "fat-tree:4,3", "ideal:64"},
         "1",
         {NULL}},
        {{bundled_trace("otf2-scorep-layout/is.S.16/traces.otf2", cg), "generate:ft,class=W,ranks=16"},
         {"mesh:4x4", "manhattan:4x4", "omega:2,4", "mway-mesh:4x4"},
         "2",
         {NULL}},
    };
    (void)state;

    if (access(cg, R_OK) != 0)
        skip();
    for (unsigned i = is_brief() ? 1 : 0; i < sizeof comparisons / sizeof *comparisons; i++)
        alone(comparison_agrees, &comparisons[i], comparisons[i].topologies[0]);
}

static void test_recorded_comparisons(void **state)
{
    char cg[PATH], mg[PATH];
    struct comparison comparison = {{NULL}, {"torus:8x8", "king-mesh:8x8", "fat-tree:4,3"}, "1", {NULL}};
    (void)state;

    comparison.traces[0] = shared_trace("otf2-cpuclock/mg.A.64/traces.otf2", mg);
    comparison.traces[1] = shared_trace("otf2-cpuclock/cg.A.16/traces.otf2", cg);
    if (comparison.traces[0] == NULL || comparison.traces[1] == NULL)
        skip();
    alone(comparison_agrees, &comparison, "a recorded comparison");
}

/* Of two ranks that compute again and again: its operations are nearly all that a replay needs. */
static void write_long_trace(const char *path)
{
    enum { OPERATIONS = 400000 };
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    fprintf(file, "num_ranks 2\n");
    for (int rank = 0; rank < 2; rank++) {
        fprintf(file, "rank %d {\nl0: calc 1000000\n", rank);
        for (int i = 1; i < OPERATIONS; i++)
            fprintf(file, "l%d: calc %d\nl%d requires l%d\n", i, 1000000 + i, i, i - 1);
        fprintf(file, "}\n");
    }
    assert_int_equal(fclose(file), 0);
}

/* The memory that is told of a comparison: in a process of its own, since what others have used counts. */
static double told_of(const struct comparison *comparison)
{
    int ends[2];
    uint64_t bytes = 0;

    assert_int_equal(pipe(ends), 0);
    fflush(stdout);
    if (fork() == 0) {
        struct told told = {0};
        const struct replay_watch watch = watch_of(&told);
        struct base_error error = {0};
        struct planned planned;
        plan(&planned, comparison, NULL);
        ASSERT_OK(replay_plan_expect(planned.plan, &planned.todo, &watch, &error));
        _exit(told.times == 1 && write(ends[1], &told.memory_bytes, sizeof bytes) > 0 ? 0 : 1);
    }
    close(ends[1]);
    assert_int_equal(read(ends[0], &bytes, sizeof bytes), sizeof bytes);
    close(ends[0]);
    assert_true(wait(NULL) > 0);
    return (double)bytes / 1048576;
}

/* Runs at a time that read a trace in as many ways need it as often; those that read it in one way need it once. */
static void test_readings(void **state)
{
    char path[] = "/tmp/flitreplay-long-XXXXXX";
    int descriptor = mkstemp(path);
    (void)state;

    assert_true(descriptor >= 0);
    close(descriptor);
    if (!NETWORKS_COUNT) {
        unlink(path);
        skip();
    }
    write_long_trace(path);
    double alike = told_of(&(struct comparison){{path}, {"ideal:2", "ideal:3", "ideal:4"}, "3", {NULL}});
    double twice = told_of(&(struct comparison){{path}, {"ideal:2"}, "3", {"0", "1"}}) -
                   told_of(&(struct comparison){{path}, {"ideal:2", "ideal:3"}, "3", {NULL}});
    double thrice = told_of(&(struct comparison){{path}, {"ideal:2"}, "3", {"0", "1", "2"}}) - alike;
    /* Of a reading the smaller network is visited first, and the larger one counts. */
    double larger = told_of(&(struct comparison){{path}, {"mesh:2", "mesh:32x32"}, "2", {"0", "1"}}) -
                    told_of(&(struct comparison){{path}, {"mesh:32x32", "mesh:32x31"}, "2", {NULL}});
    unlink(path);
    printf("a trace once: %.1f MiB; a second time %.1f MiB more, a third time %.1f; on networks of two sizes "
           "%.1f\n",
           alike, twice, thrice, larger);
    fflush(stdout);
    assert_true(twice > 3);
    assert_true(thrice > 1.7 * twice && thrice < 2.3 * twice);
    assert_true(larger > 0.7 * twice && larger < 1.5 * twice);
}

/* ---- traffic ---- */

struct traffic {
    const char *topologies[3]; /* up to NULL */
    const char *pairs[12];     /* likewise */
};

/* All networks; told: NULL: nobody asks what it takes. *text: of the answer; NULL: not wanted. */
static int send(const struct traffic *traffic, struct told *told, char **text, struct base_error *error)
{
    const struct replay_watch watch = told == NULL ? (struct replay_watch){0} : watch_of(told);
    struct replay_sweep_values topologies = {traffic->topologies, 0};
    struct replay_settings settings;

    set_all(&settings, traffic->pairs);
    const struct replay_sweep_values routings = {(const char *const *)&settings.text[REPLAY_ROUTING], 1};
    while (topologies.count < 3 && traffic->topologies[topologies.count] != NULL)
        topologies.count++;
    struct replay_sweep *sweep = replay_sweep_new(&settings, &topologies, &routings, "", error);
    int status = sweep == NULL ? -1 : replay_sweep_run(sweep, &watch, error);
    if (status == 0 && text != NULL) {
        size_t length;
        FILE *stream = open_memstream(text, &length);
        assert_non_null(stream);
        ASSERT_OK(report_traffic_csv(replay_sweep_report(sweep), stream, error));
        fclose(stream);
    }
    replay_sweep_free(sweep);
    replay_settings_free(&settings);
    return status;
}

static double threads_of(const struct traffic *traffic)
{
    for (unsigned i = 0; traffic->pairs[i] != NULL; i += 2)
        if (strcmp(traffic->pairs[i], "threads") == 0)
            return atof(traffic->pairs[i + 1]);
    return 1;
}

static bool traffic_agrees(const void *context)
{
    const struct traffic *traffic = context;
    struct told told = {0};
    struct base_error error = {0};

    if (send(traffic, &told, NULL, &error) == 0)
        return agrees(traffic->topologies[0], &told, threads_of(traffic));
    printf("%s\n", error.text);
    fflush(stdout);
    return false;
}

static void test_traffic(void **state)
{
    static const struct traffic cases[] = {
        {{"mesh:8x8"}, {"load", "0.05:0.35:0.05", "cycles", "60000"}},
        {{"dragonfly:2,4,2"}, {"load", "0.1,0.5,0.9", "cycles", "40000"}},
        {{"fat-tree:4,3", "ideal:64"},
         {"load", "0.1,0.4,0.9", "cycles", "60000", "threads", "2", "seeds", "2"}},
        {{"omega:3,4"}, {"load", "5,20,60", "cycles", "100000"}},
        {{"manhattan:8x8"}, {"load", "0.1:0.4:0.1", "cycles", "30000"}},
        {{"mway-mesh:8x8"}, {"load", "0.05:0.3:0.05", "cycles", "60000"}},
        {{"mesh:8x8"}, {"load", "0.1:0.3:0.1", "cycles", "60000", "flow-control", "wormhole"}},
        {{"torus:8x8"}, {"saturation", "yes", "cycles", "20000"}},
        {{"darm:4x4x4"}, {"load", "0.3", "settle", "yes", "cycles", "200000"}},
    };
    (void)state;

    for (unsigned i = 0; i < (is_brief() ? 3 : sizeof cases / sizeof *cases); i++)
        alone(traffic_agrees, &cases[i], cases[i].topologies[0]);
}

/* ---- telling and refusing ---- */

/* Nothing is told of short work, and long work is told of before it begins. */
static void test_told(void **state)
{
    const struct traffic traffic = {{"mesh:8x8"}, {"load", "0.3", "cycles", "200000000"}};
    struct told told = {.stops = true};
    struct base_error error = {0};
    (void)state;

    assert_int_equal(send(&traffic, &told, NULL, &error), -1);
    assert_int_equal(error.status, BASE_INTERRUPTED);
    assert_int_equal(told.times, 1);
    assert_true(told.seconds > 10 && told.memory_bytes > 0);
}

/* Nothing of what is begun to see how long it takes is left for what is done. */
static void test_same(void **state)
{
    static const struct traffic traffic = {{"torus:4x4", "fat-tree:2,3"},
                                           {"load", "0.1,0.6", "cycles", "2000", "saturation", "yes"}};
    static const struct company company = {
        "torus:4x8",
        {"generate:ft,class=S,ranks=16", "generate:is,class=S,ranks=4", "traffic:uniform,load=0.1"}};
    struct told told = {0}, unheard = {0};
    struct base_error error = {0};
    char *asked, *unasked;
    (void)state;

    ASSERT_OK(send(&traffic, &told, &asked, &error));
    ASSERT_OK(send(&traffic, NULL, &unasked, &error));
    assert_int_equal(told.times, 1);
    assert_string_equal(asked, unasked);
    free(asked);
    free(unasked);
    struct report_jobs *jobs = run_jobs(&company, NOTHING, &told, &error);
    unheard.is_deaf = true;
    struct report_jobs *others = run_jobs(&company, NOTHING, &unheard, &error);
    assert_true(jobs != NULL && others != NULL);
    assert_int_equal(told.times, 2);
    assert_int_equal(unheard.times, 0);
    assert_string_equal(jobs->digest, others->digest);
    report_jobs_free(jobs);
    report_jobs_free(others);
}

static void refuse_with(struct base_error *error, const char *what)
{
    assert_int_equal(error->status, BASE_SYSTEM);
    if (strstr(error->text, what) == NULL || strstr(error->text, "--memory allows 1.0 MiB") == NULL)
        fail_msg("%s", error->text);
    *error = (struct base_error){0};
}

static void test_refused(void **state)
{
    const struct company company = {"mesh:4x4",
                                    {"generate:cg,class=S,ranks=4", "generate:ft,class=S,ranks=4"}};
    const struct comparison comparison = {
        {"generate:cg,class=S,ranks=4"}, {"mesh:2x2", "mesh:4x4"}, "1", {NULL}};
    const struct traffic traffic = {{"mesh:4x4"}, {"load", "0.1", "memory", "1MiB"}};
    const char *const memory[] = {"memory", "1MiB", NULL};
    struct told told = {0};
    const struct replay_watch watch = watch_of(&told);
    struct base_error error = {0};
    struct planned planned;
    (void)state;

    assert_null(run_jobs(&company, memory, &told, &error));
    refuse_with(&error, "mesh:4x4: the jobs need about ");
    assert_int_equal(send(&traffic, &told, NULL, &error), -1);
    refuse_with(&error, "mesh:4x4: the traffic needs about ");
    plan(&planned, &comparison, "1MiB");
    assert_int_equal(replay_plan_expect(planned.plan, &planned.todo, &watch, &error), -1);
    refuse_with(&error, NETWORKS_COUNT ? "mesh:4x4: the run needs about " : ": the run needs about ");
    /* Of several processes together, which --memory says nothing of. */
    planned.plan->configurations[0].settings.number[REPLAY_MEMORY] = 0;
    const struct replay_todo shared = {planned.numbers, planned.todo.count, 1, 1 << 20, 1 << 20};
    assert_int_equal(replay_plan_expect(planned.plan, &shared, &watch, &error), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_non_null(strstr(error.text, "the runs of the processes on this machine need about "));
    assert_non_null(strstr(error.text, base_memory_now().together));
    const struct replay_todo apart = {planned.numbers, planned.todo.count, 1, 1 << 20, 1};
    ASSERT_OK(replay_plan_expect(planned.plan, &apart, &(struct replay_watch){0}, &error));
    assert_int_equal(told.times, 0);
    free_planned(&planned);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs),        cmocka_unit_test(test_recorded_jobs),
        cmocka_unit_test(test_comparisons), cmocka_unit_test(test_recorded_comparisons),
        cmocka_unit_test(test_readings),    cmocka_unit_test(test_traffic),
        cmocka_unit_test(test_told),        cmocka_unit_test(test_same),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
