/* Traces that a plan has read are there for those who come later, as long as there is room and they read them alike,
 * and for several at the same time; so a comparison decodes each trace once, on as many threads as it may. */
#include <config.h>

#include "tests/settings.h"
#include "tests/suite.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "replay/compare/kept.h"
#include "replay/compare/outlook.h"
#include "replay/compare/plan.h"
#include "replay/compare/queue.h"
#include "tests/replay/support.h"
#include "traces/kept.h"

#define PATH 4096
#define TRACES 2

static const char *path_of(unsigned trace, char path[PATH])
{
    static const char *const names[TRACES] = {"otf2-scorep-layout/mg.S.4", "dumpi/ft.S.4"};
    const char *source = getenv("top_srcdir");

    snprintf(path, PATH, "%s/tests/data/%s", source == NULL ? "." : source, names[trace]);
    return path;
}

static void begin(struct replay_settings *settings, const char *threshold)
{
    struct base_error error;

    ASSERT_OK(replay_settings_init(settings, &error));
    ASSERT_OK(set_named(settings, "compute-threshold", threshold, &error));
}

/* The traces, and whether a path still leads there: what is open is not opened again. */
struct fixture {
    char path[TRACES][PATH];
    const char *traces[TRACES];
    struct replay_settings settings, others;
    struct replay_kept *kept;
};

static void set_up(struct fixture *fixture, uint64_t room_bytes)
{
    for (unsigned i = 0; i < TRACES; i++)
        fixture->traces[i] = path_of(i, fixture->path[i]);
    begin(&fixture->settings, "0");
    begin(&fixture->others, "1000");
    fixture->kept = replay_kept_new(fixture->traces, room_bytes);
    assert_non_null(fixture->kept);
}

static void tear_down(struct fixture *fixture)
{
    replay_kept_free(fixture->kept);
    replay_settings_free(&fixture->settings);
    replay_settings_free(&fixture->others);
}

static void lead_nowhere(struct fixture *fixture)
{
    for (unsigned i = 0; i < TRACES; i++)
        fixture->traces[i] = "/nonexistent";
}

static struct trace_program *open_for(struct fixture *fixture, uint32_t trace, bool is_for_several)
{
    struct base_error error = {0};
    struct trace_program *program =
        replay_kept_open(fixture->kept, trace, &fixture->settings, is_for_several, &error);

    if (program == NULL)
        fail_msg("%s", error.text);
    return program;
}

/* Every option of reading, and no other, whatever kind of value it has. */
static void readings_differ_by_their_options(void **state)
{
    struct replay_settings settings, changed;
    unsigned of_reading = 0;
    (void)state;

    begin(&settings, "0");
    begin(&changed, "0");
    assert_true(replay_reads_alike(&settings, &changed));
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const char *text = changed.text[option];
        bool is_of_reading = replay_option_row(option)->group == REPLAY_GROUP_READING;
        changed.text[option] = "another";
        if (replay_reads_alike(&settings, &changed) == is_of_reading)
            fail_msg("--%s", replay_option_row(option)->name);
        changed.text[option] = text;
        of_reading += is_of_reading;
    }
    assert_true(of_reading >= 6); /* clock, compute-threshold, polling, from, to, iterations */
    replay_settings_free(&settings);
    replay_settings_free(&changed);
}

/* What is open is found again, by whoever reads it alike; also a part of a trace. */
static void what_rests_is_not_read_again(void **state)
{
    struct fixture fixture;
    struct base_error error = {0};
    (void)state;

    for (unsigned has_window = 0; has_window < 2; has_window++) {
        set_up(&fixture, UINT64_MAX);
        if (has_window)
            ASSERT_OK(set_named(&fixture.settings, "from", "call:4", &error));
        struct trace_program *program = open_for(&fixture, 0, false);
        lead_nowhere(&fixture);
        for (unsigned i = 0; i < 3; i++) {
            replay_kept_close(fixture.kept, program);
            assert_ptr_equal(open_for(&fixture, 0, i == 1), program);
        }
        assert_null(replay_kept_open(fixture.kept, 1, &fixture.settings, false, &error));
        assert_int_equal(error.status, BASE_INPUT);
        assert_null(replay_kept_open(fixture.kept, 0, &fixture.others, false, &error));
        replay_kept_close(fixture.kept, program);
        replay_kept_close(fixture.kept, NULL);
        tear_down(&fixture);
    }
    replay_kept_free(NULL);
}

/* Room for one: another is closed, and has the room while the first is used. */
static void what_has_no_room_is_closed(void **state)
{
    struct fixture fixture;
    struct base_error error = {0};
    (void)state;

    set_up(&fixture, UINT64_MAX);
    uint64_t bytes[TRACES];
    for (unsigned i = 0; i < TRACES; i++) {
        struct trace_program *program = open_for(&fixture, i, false);
        bytes[i] = trace_kept_size(program).memory_bytes;
        assert_true(bytes[i] > 0);
        replay_kept_close(fixture.kept, program);
    }
    tear_down(&fixture);
    for (unsigned i = 0; i < TRACES; i++)
        for (unsigned lack = 0; lack < 2; lack++) {
            set_up(&fixture, bytes[i] - lack);
            replay_kept_close(fixture.kept, open_for(&fixture, i, false));
            lead_nowhere(&fixture);
            for (unsigned times = 0; times < 3; times++) { /* its room is its own again, each time */
                struct trace_program *again =
                    replay_kept_open(fixture.kept, i, &fixture.settings, false, &error);
                assert_int_equal(again == NULL, lack);
                replay_kept_close(fixture.kept, again);
            }
            tear_down(&fixture);
        }
    set_up(&fixture, bytes[0] > bytes[1] ? bytes[0] : bytes[1]);
    struct trace_program *first = open_for(&fixture, 0, false), *second = open_for(&fixture, 1, false);
    lead_nowhere(&fixture);
    replay_kept_close(fixture.kept, first);
    replay_kept_close(fixture.kept, second);
    assert_null(replay_kept_open(fixture.kept, 1, &fixture.settings, false, &error));
    assert_ptr_equal(open_for(&fixture, 0, false), first);
    replay_kept_close(fixture.kept, first);
    tear_down(&fixture);
}

/* Who wants it alone has it alone, and one of the two stays. */
static void who_shares_has_the_same(void **state)
{
    struct fixture fixture;
    (void)state;

    set_up(&fixture, UINT64_MAX);
    struct trace_program *alone = open_for(&fixture, 0, false), *shared = open_for(&fixture, 0, true);
    assert_ptr_not_equal(alone, shared);
    assert_ptr_equal(open_for(&fixture, 0, true), shared);
    lead_nowhere(&fixture);
    replay_kept_close(fixture.kept, shared);
    assert_ptr_equal(open_for(&fixture, 0, true), shared);
    replay_kept_close(fixture.kept, shared);
    replay_kept_close(fixture.kept, shared);
    replay_kept_close(fixture.kept, alone);
    struct trace_program *one = open_for(&fixture, 0, true);
    assert_ptr_equal(open_for(&fixture, 0, true), one);
    replay_kept_close(fixture.kept, one);
    replay_kept_close(fixture.kept, one);
    tear_down(&fixture);
}

/* ---- by several threads ---- */

#define THREADS 8
#define TIMES 25

struct reader {
    struct fixture *fixture;
    pthread_barrier_t *start;
    unsigned opened;
    uint64_t operations;
    struct trace_program *program; /* of the first time */
};

static void *read_along(void *context)
{
    struct reader *reader = context;
    struct replay_kept *kept = reader->fixture->kept;
    struct base_error error = {0};
    struct trace_op op;

    pthread_barrier_wait(reader->start);
    for (unsigned i = 0; i < TIMES; i++) {
        struct trace_program *program = replay_kept_open(kept, 0, &reader->fixture->settings, true, &error);
        struct trace_cursor *cursor = program == NULL ? NULL : trace_cursor_new(program, i % 4, &error);
        while (cursor != NULL && trace_cursor_next(cursor, &op, &error) > 0)
            reader->operations++;
        trace_cursor_free(cursor);
        reader->opened += program != NULL;
        if (i == 0)
            reader->program = program;
        if (i == 0 && program != NULL)
            pthread_barrier_wait(reader->start); /* all have it now */
        replay_kept_close(kept, program);
    }
    return NULL;
}

/* All at once, before anybody has read it: one does, for all. Where it cannot be read all are told. */
static void threads_read_one_program(void **state)
{
    struct fixture fixture;
    struct reader reader[THREADS];
    pthread_t thread[THREADS];
    pthread_barrier_t start;
    (void)state;

    assert_int_equal(pthread_barrier_init(&start, NULL, THREADS), 0);
    for (unsigned fails = 0; fails < 2; fails++) {
        set_up(&fixture, fails == 0 ? UINT64_MAX : 0);
        if (fails)
            lead_nowhere(&fixture);
        for (unsigned i = 0; i < THREADS; i++) {
            reader[i] = (struct reader){.fixture = &fixture, .start = &start};
            assert_int_equal(pthread_create(&thread[i], NULL, read_along, &reader[i]), 0);
        }
        for (unsigned i = 0; i < THREADS; i++)
            pthread_join(thread[i], NULL);
        for (unsigned i = 0; i < THREADS; i++) {
            assert_int_equal(reader[i].opened, fails ? 0 : TIMES);
            assert_ptr_equal(reader[i].program, reader[0].program);
            assert_int_equal(reader[i].operations, reader[0].operations);
        }
        assert_int_equal(reader[0].operations == 0, fails);
        tear_down(&fixture);
    }
    pthread_barrier_destroy(&start);
}

/* ---- a comparison ---- */

static void hear(void *context, double seconds, uint64_t memory_bytes)
{
    unsigned *times = context;

    (void)seconds, (void)memory_bytes;
    ++*times;
}

static int take(void *context, uint32_t number, const struct report_outcome *outcome,
                struct base_error *error)
{
    (void)context, (void)number, (void)error;
    assert_int_equal(outcome->state, REPORT_DONE);
    return 0;
}

/* Of this process; 0: not known. */
static unsigned open_files(void)
{
    DIR *directory = opendir("/proc/self/fd");
    unsigned count = 0;

    while (directory != NULL && readdir(directory) != NULL)
        count++;
    if (directory != NULL)
        closedir(directory);
    return count;
}

/* Of the survey alone, and always the same programs: those that were there first. */
static void decoded_once(const struct replay_plan *plan, struct trace_program *program[TRACES], bool is_first)
{
    const struct replay_settings *read = &plan->configurations[0].settings;
    struct base_error error = {0};

    for (unsigned i = 0; i < TRACES; i++) {
        struct trace_program *there = replay_kept_open(plan->kept, i, read, false, &error);
        assert_non_null(there);
        assert_int_equal(trace_kept_size(there).decoded, 0);
        if (is_first)
            program[i] = there;
        assert_ptr_equal(there, program[i]);
        replay_kept_close(plan->kept, there);
    }
}

/* The plan keeps them, without files that are open, the look ahead gives them back, and so do the workers. */
static void a_comparison_decodes_once(void **state)
{
    static const char *const topologies[] = {"mesh:2x2", "torus:4x4"};
    (void)state;

    for (uint32_t threads = 1; threads <= 4; threads++) {
        struct replay_values values = {0};
        struct replay_settings settings;
        struct base_error error = {0};
        char path[TRACES][PATH];
        unsigned told = 0;
        begin(&settings, "0");
        for (unsigned i = 0; i < TRACES; i++)
            ASSERT_OK(replay_values_add_trace(&values, path_of(i, path[i]), &error));
        for (unsigned i = 0; i < 2; i++) {
            ASSERT_OK(replay_values_add(&values, REPLAY_TOPOLOGY, topologies[i], &error));
            ASSERT_OK(replay_settings_set(&settings, REPLAY_TOPOLOGY, topologies[i], &error));
        }
        unsigned files = open_files();
        struct replay_plan *plan = replay_plan_new(&values, &settings, &error);
        if (plan == NULL)
            fail_msg("%s", error.text);
        assert_int_equal(open_files(), files);
        struct trace_program *program[TRACES];
        decoded_once(plan, program, true);
        const uint32_t numbers[] = {0, 1, 2, 3};
        const struct replay_todo todo = {numbers, 4, threads, 1, 1};
        const struct replay_watch watch = {.expect = hear, .context = &told, .expects_short = true};
        ASSERT_OK(replay_plan_expect(plan, &todo, &watch, &error));
        assert_int_equal(told, 1);
        decoded_once(plan, program, false);
        for (unsigned i = 0; i < TRACES; i++) /* whoever read one again would be told */
            values.traces.value[i] = "/nonexistent";
        const struct replay_queue queue = {
            .plan = plan, .todo = numbers, .count = 4, .threads = threads, .finished = take};
        ASSERT_OK(replay_queue_run(&queue, &error));
        decoded_once(plan, program, false);
        replay_plan_free(plan);
        replay_values_free(&values);
        replay_settings_free(&settings);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(readings_differ_by_their_options), cmocka_unit_test(what_rests_is_not_read_again),
        cmocka_unit_test(what_has_no_room_is_closed),       cmocka_unit_test(who_shares_has_the_same),
        cmocka_unit_test(threads_read_one_program),         cmocka_unit_test(a_comparison_decodes_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
