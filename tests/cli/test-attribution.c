/* Why a run is slow, on programs small enough to be worked out by hand: times on every rung, shares, waits for
 * channels, the critical path. Then the laws on every trace there is: sums, and a path without a gap.
 *
 * By hand: every rank computes 1000 ns, then messages of 128 bytes are sent, 16 flits, one packet; a cycle is
 * a nanosecond. In cycle c such a message enters; alone over d links its header is at its target's router in
 * c + d, its tail is ejected in c + d + 15, and it is usable in c + d + 16 (doc/flit-engine.md, rules 1, 2). */
#include <config.h>

#include "tests/settings.h"
#include "tests/suite.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "replay/session/session.h"
#include "tests/traces/memory.h"

#define COMPUTE_NS 1000
#define BYTES 128

struct message {
    uint32_t from, to;
};

/* All compute, then send what they have to send, then receive, both in the order of the list. */
static struct trace_program *make_program(uint32_t ranks, const struct message *messages, size_t count)
{
    struct trace_memory *memory = trace_memory_new(ranks);
    const struct trace_op compute = {.kind = TRACE_COMPUTE, .duration_ns = COMPUTE_NS};

    assert_non_null(memory);
    for (uint32_t rank = 0; rank < ranks; rank++)
        assert_int_equal(trace_memory_add(memory, rank, &compute), 0);
    for (size_t i = 0; i < count; i++) {
        const struct trace_op send = {.kind = TRACE_SEND, .peer = messages[i].to, .bytes = BYTES};
        assert_int_equal(trace_memory_add(memory, messages[i].from, &send), 0);
    }
    for (size_t i = 0; i < count; i++) {
        const struct trace_op receive = {.kind = TRACE_RECEIVE, .peer = messages[i].from, .bytes = BYTES};
        assert_int_equal(trace_memory_add(memory, messages[i].to, &receive), 0);
    }
    return trace_memory_program(memory);
}

/* The caller frees the run. */
static struct report_run *replay(struct trace_program *program, const char *topology_text, const char *option,
                                 const char *value)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(topology_text, &error);
    struct replay_settings settings;
    struct replay_setup setup;
    struct report_run *run = NULL;

    assert_non_null(topology);
    assert_int_equal(replay_settings_init(&settings, &error), 0);
    if (option != NULL)
        assert_int_equal(set_named(&settings, option, value, &error), 0);
    if (replay_setup_init(&setup, REPLAY_TO_RUN, topology, &settings, &error) == 0)
        run = replay_session_run(program, &setup, NULL, &error);
    if (run == NULL)
        fail_msg("%s on %s: %s", trace_program_path(program), topology_text, error.text);
    replay_setup_free(&setup);
    replay_settings_free(&settings);
    net_topology_free(topology);
    return run;
}

static struct report_run *replay_messages(const char *topology, uint32_t ranks,
                                          const struct message *messages, size_t count)
{
    struct trace_program *program = make_program(ranks, messages, count);
    struct report_run *run = replay(program, topology, NULL, NULL);

    trace_close(program);
    return run;
}

static void expect_rungs(const struct report_run *run, const uint64_t expected[REPORT_RUNGS])
{
    assert_non_null(run->attribution);
    for (unsigned rung = 0; rung < REPORT_RUNGS; rung++)
        assert_int_equal(run->attribution->simulated_ns[rung], expected[rung]);
}

/* The shares that a reader of the answer gets, as they stand in the JSON: here of the 1000 ns that all compute. */
static void expect_shares(const struct report_run *run, const double expected[REPORT_EFFECTS])
{
    struct base_error error = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    json_t *top, *shares;

    assert_non_null(stream);
    assert_int_equal(report_run_json(run, stream, &error), 0);
    assert_int_equal(fclose(stream), 0);
    top = json_loadb(text, size, 0, NULL);
    shares = json_object_get(top, "attribution");
    assert_true(json_is_object(shares));
    for (unsigned effect = 1; effect <= REPORT_EFFECTS; effect++) {
        double share = json_number_value(json_object_get(shares, report_effect_name(effect)));
        if (!(fabs(share - expected[effect - 1]) < 1e-12))
            fail_msg("%s: %.15g, not %.15g", report_effect_name(effect), share, expected[effect - 1]);
    }
    json_decref(top);
    free(text);
}

/* The link's waiting by name; 0 for one that is not listed. */
static uint64_t wait_of(const struct report_run *run, const char *name)
{
    for (uint32_t i = 0; i < run->wait_count; i++)
        if (strcmp(run->waits[i].name, name) == 0)
            return run->waits[i].wait_cycles;
    return 0;
}

/* The path is a computation and the message behind it. */
static void expect_path(const struct report_run *run, uint32_t from, uint32_t to, uint64_t distance_ns,
                        uint64_t contention_ns)
{
    const struct report_path *path = run->path;

    assert_non_null(path);
    assert_int_equal(path->step_count, 2);
    assert_int_equal(path->steps[0].kind, REPORT_STEP_COMPUTE);
    assert_int_equal(path->steps[0].rank, from);
    assert_int_equal(path->steps[0].end_ns, COMPUTE_NS);
    assert_int_equal(path->steps[1].kind, REPORT_STEP_MESSAGE);
    assert_int_equal(path->steps[1].rank, from);
    assert_int_equal(path->steps[1].peer, to);
    assert_int_equal(path->steps[1].bytes, BYTES);
    assert_int_equal(path->part_ns[REPORT_PATH_COMPUTE], COMPUTE_NS);
    assert_int_equal(path->part_ns[REPORT_PATH_DISTANCE], distance_ns);
    assert_int_equal(path->part_ns[REPORT_PATH_SERIALISATION], 16);
    assert_int_equal(path->part_ns[REPORT_PATH_CONTENTION], contention_ns);
}

/* One link, nobody in the way: the header's cycle, then 16 flits. */
static void test_one_message(void **state)
{
    const struct message messages[] = {{0, 1}};
    struct report_run *run = replay_messages("mesh:2x1", 2, messages, 1);

    (void)state;
    expect_rungs(run, (const uint64_t[]){1000, 1000, 1001, 1017, 1017, 1017, 1017});
    expect_shares(run, (const double[]){0, 0.001, 0.016, 0, 0, 0});
    assert_int_equal(run->wait_count, 0);
    expect_path(run, 0, 1, 1, 0);
    assert_null(run->path->steps[1].channel);
    report_run_free(run);
}

/* The same with a host: what it costs comes first, and all of the rest on top. On the path there are its two steps. */
static void test_host(void **state)
{
    const struct message messages[] = {{0, 1}};
    struct trace_program *program = make_program(2, messages, 1);
    struct report_run *run =
        replay(program, "mesh:2x1", "host", "send-overhead=20ns,receive-overhead=30ns,nic-gap=5ns");

    (void)state;
    assert_true(run->attribution->has_host);
    expect_rungs(run, (const uint64_t[]){1000, 1050, 1051, 1067, 1067, 1067, 1067});
    expect_shares(run, (const double[]){0.05, 0.001, 0.016, 0, 0, 0});
    assert_int_equal(run->path->part_ns[REPORT_PATH_HOST], 50);
    assert_int_equal(run->path->part_ns[REPORT_PATH_SERIALISATION], 16);
    assert_int_equal(run->path->step_count, 4);
    assert_int_equal(run->path->steps[1].kind, REPORT_STEP_HOST);
    assert_int_equal(run->path->steps[3].kind, REPORT_STEP_HOST);
    assert_int_equal(run->path->steps[3].rank, 1);
    report_run_free(run);
    trace_close(program);
}

/* 0 -> 2 and 1 -> 3 on a line share the link from router 1 to 2 and nothing else. Rank 1's packet has it in
 * cycles 1000 to 1015; rank 0's header is there in 1001 and must wait until 1016: 15 cycles. */
static void test_two_messages(void **state)
{
    const struct message messages[] = {{0, 2}, {1, 3}};
    struct report_run *run = replay_messages("mesh:4x1", 4, messages, 2);

    (void)state;
    expect_rungs(run, (const uint64_t[]){1000, 1000, 1002, 1018, 1018, 1033, 1033});
    expect_shares(run, (const double[]){0, 0.002, 0.016, 0, 0.015, 0});
    assert_int_equal(run->wait_count, 1);
    assert_int_equal(wait_of(run, "(1) X+"), 15);
    assert_int_equal(run->waits[0].flits, 32);
    expect_path(run, 0, 2, 2, 15);
    assert_string_equal(run->path->steps[1].channel, "(1) X+");
    assert_int_equal(run->path->steps[1].channel_wait_cycles, 15);
    assert_int_equal(run->path->channel_count, 1);
    assert_int_equal(run->path->channels[0].contention_ns, 15);
    report_run_free(run);
}

/* Each to the next, the last to the first: the way back over the whole line, three links, decides, and no
 * link is used twice. */
static void test_ring(void **state)
{
    const struct message messages[] = {{0, 1}, {1, 2}, {2, 3}, {3, 0}};
    struct report_run *run = replay_messages("mesh:4x1", 4, messages, 4);

    (void)state;
    expect_rungs(run, (const uint64_t[]){1000, 1000, 1003, 1019, 1019, 1019, 1019});
    expect_shares(run, (const double[]){0, 0.003, 0.016, 0, 0, 0});
    assert_int_equal(run->wait_count, 0);
    expect_path(run, 3, 0, 3, 0);
    report_run_free(run);
}

/* Three to one: the ejection channel serves 1001 to 1016, 1017 to 1032 and 1033 to 1048, which is all that
 * sharing costs: on the shared links the packets wait for what they would wait for there. Rank 2's header
 * waits for the link to router 0 from 1001 to 1016, rank 3's for the one before from 1001 to 1016; then it
 * is behind rank 2's packet in its buffer, which is no waiting for a link. */
static void test_incast(void **state)
{
    const struct message messages[] = {{1, 0}, {2, 0}, {3, 0}};
    struct report_run *run = replay_messages("mesh:4x1", 4, messages, 3);

    (void)state;
    expect_rungs(run, (const uint64_t[]){1000, 1000, 1003, 1019, 1049, 1049, 1049});
    expect_shares(run, (const double[]){0, 0.003, 0.016, 0.03, 0, 0});
    assert_int_equal(run->wait_count, 2);
    assert_int_equal(wait_of(run, "(1) X-"), 15);
    assert_int_equal(wait_of(run, "(2) X-"), 15);
    expect_path(run, 3, 0, 3, 30);
    report_run_free(run);
}

/* A long message: request, permission and data, one after the other. Rank 0 sends at 0; rank 1 computes 1000
 * and then receives: its permission leaves at 1000, so that the path begins with its computation. One flit
 * over one link takes 2 ns; 16 flits 17. */
static void test_rendezvous(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    const struct trace_op compute = {.kind = TRACE_COMPUTE, .duration_ns = COMPUTE_NS};
    const struct trace_op send = {.kind = TRACE_SEND, .peer = 1, .bytes = BYTES};
    const struct trace_op receive = {.kind = TRACE_RECEIVE, .peer = 0, .bytes = BYTES};
    struct trace_program *program;
    struct report_run *run;

    (void)state;
    assert_int_equal(trace_memory_add(memory, 0, &send), 0);
    assert_int_equal(trace_memory_add(memory, 1, &compute), 0);
    assert_int_equal(trace_memory_add(memory, 1, &receive), 0);
    program = trace_memory_program(memory);
    run = replay(program, "mesh:2x1", "eager-limit", "0");
    assert_int_equal(run->simulated_ns, 1019);
    assert_int_equal(run->path->step_count, 3);
    assert_int_equal(run->path->steps[0].rank, 1);
    assert_int_equal(run->path->steps[1].kind, REPORT_STEP_CONTROL);
    assert_int_equal(run->path->steps[1].rank, 1);
    assert_int_equal(run->path->steps[1].peer, 0);
    assert_int_equal(run->path->steps[2].kind, REPORT_STEP_MESSAGE);
    assert_int_equal(run->path->steps[2].begin_ns, 1002);
    report_run_free(run);
    trace_close(program);
}

/* One message once more: as it is, 17 ns; asking first, three times over the link, 2 + 2 + 17 ns. No placement
 * of two ranks is better than another. */
static void test_what_if(void **state)
{
    const struct message messages[] = {{0, 1}};
    struct trace_program *program = make_program(2, messages, 1);
    struct report_run *run = replay(program, "mesh:2x1", "what-if", "yes");
    static const char *const names[] = {"all_eager", "all_rendezvous", "mapping_portfolio"};
    const uint64_t times_ns[] = {1017, 1021, 1017};

    (void)state;
    assert_int_equal(run->what_if_count, 3);
    for (unsigned i = 0; i < 3; i++) {
        assert_string_equal(run->what_ifs[i].name, names[i]);
        assert_int_equal(run->what_ifs[i].simulated_ns, times_ns[i]);
    }
    expect_rungs(run, (const uint64_t[]){1000, 1000, 1001, 1017, 1017, 1017, 1017});
    report_run_free(run);
    trace_close(program);
}

/* Shares sum to slowdown - 1, whatever the engine, the clock and the trace; the session itself refuses to
 * report rungs, waits or a path that do not sum up, so that a run is a check of them. */
static void check_trace(const char *path, const char *topology, const char *option, const char *value)
{
    struct base_error error = {0};
    struct replay_settings settings;
    struct trace_program *program;
    struct report_run *run;
    uint64_t end_ns = 0;
    int64_t cost_ns = 0;

    assert_int_equal(replay_settings_init(&settings, &error), 0);
    program = replay_session_open(path, &settings, NULL, &error);
    if (program == NULL)
        fail_msg("%s", error.text);
    run = replay(program, topology, option, value);
    for (unsigned rung = 1; rung < REPORT_RUNGS; rung++)
        cost_ns += (int64_t)(run->attribution->simulated_ns[rung] - run->attribution->simulated_ns[rung - 1]);
    assert_int_equal(cost_ns, (int64_t)(run->simulated_ns - run->ideal_ns));
    for (uint32_t i = 0; i < run->path->step_count; i++) {
        const struct report_step *step = &run->path->steps[i];
        uint64_t sum_ns = 0;
        for (unsigned part = 0; part < REPORT_PATH_PARTS; part++)
            sum_ns += step->part_ns[part];
        assert_int_equal(step->begin_ns, end_ns);
        assert_int_equal(sum_ns, step->end_ns - step->begin_ns);
        end_ns = step->end_ns;
    }
    assert_int_equal(end_ns, run->simulated_ns);
    report_run_free(run);
    trace_close(program);
    replay_settings_free(&settings);
}

static void test_traces(void **state)
{
    static const char *const traces[] = {"otf2-scorep-layout/cover.S.4/traces.otf2",
                                         "otf2-scorep-layout/mg.S.4/traces.otf2",
                                         "otf2-scorep-layout/ep.S.4/traces.otf2", "dumpi/cover.W.4.persist"};
    static const char *const networks[] = {"mesh:2x2",      "torus:4x4",      "diagonal-mesh:3x3",
                                           "king-mesh:2x2", "king-torus:4x4", "mesh:2x2x2"};
    const char *source = getenv("top_srcdir");
    char path[4096];

    (void)state;
    for (size_t i = 0; i < sizeof traces / sizeof traces[0]; i++) {
        snprintf(path, sizeof path, "%s/tests/data/%s", source == NULL ? "." : source, traces[i]);
        for (size_t j = 0; j < sizeof networks / sizeof networks[0]; j++)
            check_trace(path, networks[j], NULL, NULL);
        check_trace(path, "mesh:2x2", "flow-control", "wormhole");
        check_trace(path, "mesh:2x2", "clock-ghz", "0.7");
        check_trace(path, "mesh:2x2", "eager-limit", "0");
        check_trace(path, "mesh:2x2", "progress", "in-calls");
        check_trace(path, "torus:2x2", "host",
                    "send-overhead=300ns,receive-overhead-per-byte=7ps,nic-gap=90ns,match-per-entry=3ns");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_message),  cmocka_unit_test(test_host),
        cmocka_unit_test(test_two_messages), cmocka_unit_test(test_ring),
        cmocka_unit_test(test_incast),       cmocka_unit_test(test_rendezvous),
        cmocka_unit_test(test_what_if),      cmocka_unit_test(test_traces),
    };
    return cmocka_run_group_tests_name("attribution", tests, NULL, NULL);
}
