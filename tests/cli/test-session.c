/* A session from a program in memory to a report: its numbers on cases small enough for closed forms, its
 * refusals, and every allocation failing in turn. */
#include "tests/settings.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#include "replay/session/session.h"
#include "tests/fail-alloc.h"
#include "tests/traces/memory.h"

/* Two ranks compute 1000 ns; rank 0 sends `bytes` to rank 1. */
static struct trace_program *one_message(uint64_t bytes)
{
    struct trace_memory *memory = trace_memory_new(2);
    const struct trace_op compute = {.kind = TRACE_COMPUTE, .duration_ns = 1000};
    const struct trace_op send = {.kind = TRACE_SEND, .peer = 1, .bytes = bytes};
    const struct trace_op receive = {.kind = TRACE_RECEIVE, .peer = 0, .bytes = bytes};

    if (memory == NULL)
        return NULL;
    if (trace_memory_add(memory, 0, &compute) != 0 || trace_memory_add(memory, 1, &compute) != 0 ||
        trace_memory_add(memory, 0, &send) != 0 || trace_memory_add(memory, 1, &receive) != 0) {
        trace_close(trace_memory_program(memory));
        return NULL;
    }
    return trace_memory_program(memory);
}

static int run_message(const char *topology_text, const char *option, const char *value,
                       struct report_run **run, struct base_error *error)
{
    struct trace_program *program = one_message(800);
    struct net_topology *topology = program == NULL ? NULL : net_topology_new(topology_text, error);
    struct replay_setup setup = {0};
    struct replay_settings settings;
    int status = replay_settings_init(&settings, error);

    *run = NULL;
    if (status == 0 && option != NULL)
        status = set_named(&settings, option, value, error);
    if (status == 0 && topology != NULL &&
        replay_setup_init(&setup, REPLAY_TO_RUN, topology, &settings, error) == 0)
        *run = replay_session_run(program, &setup, NULL, error);
    replay_setup_free(&setup);
    replay_settings_free(&settings);
    net_topology_free(topology);
    trace_close(program);
    return *run == NULL ? -1 : 0;
}

static struct report_run *run_well(const char *topology, const char *option, const char *value)
{
    struct base_error error = {0};
    struct report_run *run;

    if (run_message(topology, option, value, &run, &error) != 0)
        fail_msg("%s", error.text);
    return run;
}

/* 800 bytes are 100 flits, in 7 packets; over one link the last flit arrives after 1 + 100 cycles of 1 ns.
 * The packets leave one after the other, so no two of them have the same latency. */
static void numbers_are_those_of_the_closed_form(void **state)
{
    struct report_run *run = run_well("mesh:4x1", "mapping", "identity");
    (void)state;

    assert_int_equal(run->ideal_ns, 1000);
    assert_int_equal(run->simulated_ns, 1000 + 1 + 100);
    assert_int_equal(run->packets, 7);
    assert_int_equal(run->flits, 100);
    assert_int_equal(run->flit_hops, 100);
    assert_int_equal(run->busiest_count, 1);
    assert_string_equal(run->busiest[0].name, "(0) X+");
    assert_true(fabs(run->max_channel_load - 100.0 / 1101) < 1e-12);
    assert_true(fabs(run->mean_channel_load - 100.0 / 1101 / 6) < 1e-12);
    assert_true(fabs(report_run_slowdown(run) - 1.101) < 1e-12);
    assert_int_equal(run->rank[1].compute_ns, 1000);
    assert_int_equal(run->rank[1].wait_ns, 101);
    assert_int_equal(run->rank[1].ideal_wait_ns, 0);
    assert_int_equal(run->rank[0].bytes_sent, 800);
    assert_int_equal(run->hop_bytes, 800);
    assert_int_equal(run->latency_count, 7);
    assert_int_equal(run->p50_latency_cycles, run->latencies[3].latency_cycles);
    assert_int_equal(run->max_latency_cycles, run->latencies[6].latency_cycles);
    report_run_free(run);
}

static void options_reach_the_replay(void **state)
{
    struct report_run *slow = run_well("mesh:2x1", "clock-ghz", "0.5");
    struct report_run *wide = run_well("mesh:2x1", "flit-bytes", "80");
    struct report_run *half = run_well("mesh:2x1", "compute", "scale=0.5");
    struct report_run *zero = run_well("mesh:2x1", "compute", "zero");
    struct report_run *eager = run_well("mesh:2x1", "eager-limit", "800");
    struct report_run *rendezvous = run_well("mesh:2x1", "eager-limit", "799");
    (void)state;

    assert_int_equal(slow->simulated_ns, 1000 + 2 * 101);
    assert_int_equal(wide->simulated_ns, 1000 + 1 + 10);
    assert_int_equal(half->ideal_ns, 500);
    assert_int_equal(zero->ideal_ns, 0);
    assert_int_equal(zero->simulated_ns, 101);
    assert_true(isnan(report_run_slowdown(zero)));
    /* The message has 800 bytes: at that limit it is eager, below it asks and is answered first. */
    assert_int_equal(eager->control_messages, 0);
    assert_int_equal(rendezvous->control_messages, 2);
    report_run_free(slow);
    report_run_free(wide);
    report_run_free(half);
    report_run_free(zero);
    report_run_free(eager);
    report_run_free(rendezvous);
}

static const char *option_of(const struct report_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->option_count; i++)
        if (strcmp(run->options[i].name, name) == 0)
            return run->options[i].value;
    return "(absent)";
}

static void options_are_recorded_as_they_were_used(void **state)
{
    struct report_run *run = run_well("mesh:2x1", "eager-limit", "64k");
    struct report_run *ideal = run_well("ideal:2", "strict", "yes");
    (void)state;

    assert_string_equal(option_of(run, "eager-limit"), "65536");
    assert_string_equal(option_of(run, "routing"), "dimension-order");
    assert_string_equal(option_of(run, "vcs"), "1");
    assert_string_equal(option_of(run, "buffer-flits"), "32");
    assert_string_equal(option_of(run, "strict"), "no");
    assert_string_equal(option_of(run, "json"), "(absent)");
    assert_string_equal(option_of(ideal, "routing"), "none");
    assert_string_equal(option_of(ideal, "strict"), "yes");
    assert_null(ideal->routing);
    assert_true(report_run_slowdown(ideal) == 1);
    report_run_free(run);
    report_run_free(ideal);
}

static void refusals_name_what_is_wrong(void **state)
{
    static const struct {
        const char *topology, *option, *value, *text;
        enum base_status status;
    } rows[] = {
        {"mesh:1x1", NULL, NULL, "--topology mesh:2x1 would do", BASE_USAGE},
        {"mesh:2x1", "mapping", "nearest", "unknown mapping 'nearest'", BASE_USAGE},
        {"mesh:2x1", "mapping", "file:/nowhere/at/all", "/nowhere/at/all", BASE_INPUT},
        {"mesh:2x1", "routing", "knaive", "does not serve", BASE_USAGE},
        {"mesh:2x1", "arbiter", "oldest", "unknown arbiter 'oldest'", BASE_USAGE},
        {"mesh:2x1", "collectives", "mine", "unknown table of collective algorithms 'mine'", BASE_USAGE},
        {"torus:4x1", "buffer-flits", "16", "--buffer-flits 16 is too small", BASE_USAGE}};
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct base_error error = {0};
        struct report_run *run;
        assert_int_equal(run_message(rows[i].topology, rows[i].option, rows[i].value, &run, &error), -1);
        assert_int_equal(error.status, rows[i].status);
        if (strstr(error.text, rows[i].text) == NULL)
            fail_msg("'%s' does not say '%s'", error.text, rows[i].text);
    }
}

static void watched(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    unsigned *seen = context;

    assert_true(thousandths <= 1000);
    assert_true(simulated_ns <= 1101);
    *seen |= strcmp(what, "ideal network") == 0 ? 1 : strcmp(what, "mesh:2x1") == 0 ? 2 : 0;
    *seen |= strcmp(what, "attribution: distance") == 0   ? 4
             : strcmp(what, "attribution: channels") == 0 ? 8
                                                          : 0;
}

static void all_replays_are_watched(void **state)
{
    struct trace_program *program = one_message(800);
    struct net_topology *topology = net_topology_new("mesh:2x1", NULL);
    struct replay_settings settings;
    struct replay_setup setup;
    unsigned seen = 0;
    struct replay_watch watch = {.progress = watched, .context = &seen};
    (void)state;

    assert_int_equal(replay_settings_init(&settings, NULL), 0);
    assert_int_equal(replay_setup_init(&setup, REPLAY_TO_RUN, topology, &settings, NULL), 0);
    report_run_free(replay_session_run(program, &setup, &watch, NULL));
    assert_int_equal(seen, 15);
    replay_setup_free(&setup);
    replay_settings_free(&settings);
    net_topology_free(topology);
    trace_close(program);
}

static int attempt(void *state)
{
    struct base_error error = {0};
    struct report_run *run;
    int status = run_message("mesh:2x2", "mapping", "random", &run, &error);

    (void)state;
    report_run_free(run);
    return status;
}

static void every_failed_allocation_is_told(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(attempt, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_those_of_the_closed_form),
        cmocka_unit_test(options_reach_the_replay),
        cmocka_unit_test(options_are_recorded_as_they_were_used),
        cmocka_unit_test(refusals_name_what_is_wrong),
        cmocka_unit_test(all_replays_are_watched),
        cmocka_unit_test(every_failed_allocation_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
