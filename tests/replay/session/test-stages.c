/* Setups and stages: options are decoded as they were given, what is in force is the network's word, no stage changes
 * what it is handed, the stages one by one are the session's run, and a run can start in the middle. Some replays
 * have threads, so that no allocation is made to fail here: tests/cli/test-session does that. */
#include <config.h>

#include "tests/settings.h"
#include "tests/suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/session/session.h"
#include "replay/session/setup.h"
#include "replay/session/stages.h"
#include "replay/system/host.h"
#include "tests/replay/support.h"
#include "traces/kept.h"
#include "traces/program-internal.h"

#define RANKS 4

struct fixture {
    struct replay_settings settings;
    struct net_topology *topology;
    struct replay_setup setup;
    struct base_error error;
};

/* Every rank computes, sends to the next and takes part in a collective. */
static struct trace_program *make_program(void)
{
    struct trace_memory *memory = trace_memory_new(RANKS);

    assert_non_null(memory);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint64_t request = add_ireceive(memory, rank, (rank + RANKS - 1) % RANKS, 1, 4000);
        add_compute(memory, rank, 500 + 100 * rank);
        add_send(memory, rank, (rank + 1) % RANKS, 1, 4000);
        add_wait(memory, rank, request);
        add_collective(memory, rank, TRACE_ALLREDUCE, 0, 0, 64);
    }
    return trace_memory_program(memory);
}

/* Settings of NAME=VALUE pairs, up to NULL. */
static void set(struct fixture *fixture, const char *const *pairs)
{
    ASSERT_OK(replay_settings_init(&fixture->settings, &fixture->error));
    for (; pairs[0] != NULL; pairs += 2)
        if (set_named(&fixture->settings, pairs[0], pairs[1], &fixture->error) != 0)
            fail_msg("%s", fixture->error.text);
}

static int begin(struct fixture *fixture, const char *topology, enum replay_purpose purpose,
                 const char *const *pairs)
{
    *fixture = (struct fixture){0};
    set(fixture, pairs);
    fixture->topology = net_topology_new(topology, &fixture->error);
    assert_non_null(fixture->topology);
    return replay_setup_init(&fixture->setup, purpose, fixture->topology, &fixture->settings,
                             &fixture->error);
}

static void end(struct fixture *fixture)
{
    replay_setup_free(&fixture->setup);
    net_topology_free(fixture->topology);
    replay_settings_free(&fixture->settings);
}

#define NO_OPTIONS ((const char *const[]){NULL})

/* ---- decoding ---- */

/* Every option of the network, with a value that is not its default, is where networks are made from. */
static void test_decoding(void **state)
{
    static const char *const pairs[] = {"vcs",
                                        "6",
                                        "buffer-flits",
                                        "200",
                                        "packet-flits",
                                        "24",
                                        "injectors",
                                        "2",
                                        "consumers",
                                        "3",
                                        "link-cycles",
                                        "4",
                                        "router-cycles",
                                        "5",
                                        "credit-cycles",
                                        "6",
                                        "seed",
                                        "77",
                                        "flow-control",
                                        "wormhole",
                                        "arbiter",
                                        "oldest-first",
                                        "eager-limit",
                                        "123",
                                        "clock-ghz",
                                        "2",
                                        "ranks-per-terminal",
                                        "3",
                                        "evaluations",
                                        "9",
                                        "partition",
                                        "row",
                                        NULL};
    struct fixture fixture;
    (void)state;

    ASSERT_OK(begin(&fixture, "mesh:4x4", REPLAY_TO_RUN, pairs));
    const struct net_options *options = &fixture.setup.options;
    assert_int_equal(options->virtual_channels, 6);
    assert_int_equal(options->buffer_flits, 200);
    assert_int_equal(options->packet_flits, 24);
    assert_int_equal(options->injectors, 2);
    assert_int_equal(options->consumers, 3);
    assert_int_equal(options->link_cycles, 4);
    assert_int_equal(options->router_cycles, 5);
    assert_int_equal(options->credit_cycles, 6);
    assert_int_equal(options->seed, 77);
    assert_int_equal(options->flow_control, NET_WORMHOLE);
    assert_int_equal(options->arbiter, NET_OLDEST_FIRST);
    assert_int_equal(fixture.setup.semantics.eager_limit_bytes, 123);
    assert_int_equal(fixture.setup.semantics.clock_khz, 2000000);
    assert_int_equal(fixture.setup.semantics.ranks_per_terminal, 3);
    assert_int_equal(fixture.setup.effort.evaluations, 9);
    assert_int_equal(fixture.setup.effort.seed, 77);
    assert_string_equal(fixture.setup.partition_text, "row");
    end(&fixture);
}

/* What is in force is what a network of the setup says, whatever was left open. */
static void test_in_force(void **state)
{
    static const char *const topologies[] = {"mesh:4x4",      "torus:4x4", "darm:4x4x4",
                                             "mway-mesh:4x4", "omega:4,2", "ideal:16"};
    (void)state;

    for (size_t i = 0; i < sizeof topologies / sizeof *topologies; i++) {
        struct fixture fixture;
        struct net_network *network;
        ASSERT_OK(begin(&fixture, topologies[i], REPLAY_TO_RUN, NO_OPTIONS));
        network = replay_setup_network(&fixture.setup, &fixture.error);
        assert_non_null(network);
        assert_memory_equal(&fixture.setup.in_force, net_network_options(network),
                            sizeof fixture.setup.in_force);
        assert_int_equal(fixture.setup.options.packet_flits, 0);
        net_network_free(network);
        end(&fixture);
    }
}

/* ---- purposes ---- */

/* What each purpose refuses, and that it says BASE_USAGE. */
static void test_purposes(void **state)
{
    static const struct {
        const char *topology, *option, *value;
        bool refused[REPLAY_TO_REPEAT + 1]; /* by purpose */
    } rows[] = {
        {"mesh:4x4", "mapping", "identiy", {true, true, false, false, false}},
        {"mesh:4x4", "arbiter", "nobody", {true, true, true, true, false}},
        {"omega:4,2", "flit-bytes", "4", {true, false, true, false, false}},
        {"mesh:4x4", "buffer-flits", "1", {true, false, true, true, false}},
        {"mesh:4x4", "technology", "none-such", {true, false, false, false, false}},
        {"omega:4,2", "collectives", "hardware", {true, false, false, false, false}},
        {"mesh:4x4", "routing", "ring-shortest", {true, true, true, true, true}},
    };
    (void)state;

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (int purpose = REPLAY_TO_RUN; purpose <= (int)REPLAY_TO_REPEAT; purpose++) {
            const char *const pairs[] = {rows[i].option, rows[i].value, NULL};
            struct fixture fixture;
            int status = begin(&fixture, rows[i].topology, (enum replay_purpose)purpose, pairs);
            if ((status != 0) != rows[i].refused[purpose])
                fail_msg("%s %s for purpose %d: %s", rows[i].option, rows[i].value, purpose,
                         status == 0 ? "taken" : fixture.error.text);
            if (status != 0)
                assert_int_equal(fixture.error.status, BASE_USAGE);
            end(&fixture);
        }
}

/* ---- stages ---- */

static void place(struct fixture *fixture, struct replay_placement *placement, struct trace_program *program,
                  const char *mapping)
{
    if (replay_place(placement, &fixture->setup, program, mapping, NULL, &fixture->error) != 0)
        fail_msg("%s", fixture->error.text);
}

static uint64_t time_at(const struct replay_setup *setup, struct trace_program *program,
                        const uint32_t *terminal, enum replay_level level, struct base_digest *digest)
{
    struct base_error error;
    struct replay_trial trial;
    uint64_t time_ns;

    if (replay_try(&trial, setup, program, terminal, level, &(struct replay_onlooker){0}, &error) != 0)
        fail_msg("%s", error.text);
    assert_null(trial.network);
    time_ns = trial.result.simulated_ns;
    *digest = trial.result.digest;
    replay_trial_free(&trial);
    return time_ns;
}

/* The stages one by one are the run of the session, rung by rung, and no stage changes what it is handed. */
static void test_composition(void **state)
{
    static const char *const pairs[] = {"mapping", "random", "seed", "5", "host", "send-overhead=100ns",
                                        NULL};
    struct trace_program *program = make_program();
    struct replay_placement placement;
    struct replay_setup before, placed;
    struct base_digest digest;
    struct fixture fixture;
    char text[BASE_DIGEST_TEXT];
    (void)state;

    ASSERT_OK(begin(&fixture, "torus:4x4", REPLAY_TO_RUN, pairs));
    struct report_run *run = replay_session_run(program, &fixture.setup, NULL, &fixture.error);
    assert_non_null(run);
    memcpy(&before, &fixture.setup, sizeof before);
    place(&fixture, &placement, program, "random");
    assert_int_equal(placement.cost.hop_bytes, run->hop_bytes);
    memcpy(&placed, &placement.setup, sizeof placed);
    for (unsigned level = REPLAY_IDEAL; level <= REPLAY_CONFIGURED; level++)
        assert_int_equal(
            time_at(&placement.setup, program, placement.map->terminal, (enum replay_level)level, &digest),
            run->attribution->simulated_ns[level]);
    base_digest_text(&digest, text);
    assert_string_equal(text, run->digest);
    assert_memory_equal(&before, &fixture.setup, sizeof before);
    assert_memory_equal(&placed, &placement.setup, sizeof placed);
    report_run_free(run);
    replay_placement_free(&placement);
    end(&fixture);
    trace_close(program);
}

/* The JSON of a run but for the host, which is nobody's; frees both. */
static void check_same(struct report_run *one, struct report_run *other)
{
    struct report_run *runs[2] = {one, other};
    char *text[2] = {NULL, NULL};
    size_t size[2];

    for (unsigned i = 0; i < 2; i++) {
        FILE *stream = open_memstream(&text[i], &size[i]);
        assert_non_null(runs[i]);
        runs[i]->host = (struct report_host){0};
        ASSERT_OK(report_run_json(runs[i], stream, NULL));
        ASSERT_OK(fclose(stream));
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(text[0], text[1], size[0]);
    for (unsigned i = 0; i < 2; i++) {
        free(text[i]);
        report_run_free(runs[i]);
    }
}

/* What was measured once can be reported again, and is the session's answer to the byte. */
static void test_reports(void **state)
{
    static const char *const pairs[] = {"mapping", "anneal", "what-if", "yes", "faults", "2", NULL};
    struct trace_program *program = make_program();
    struct replay_placement placement;
    struct replay_results results;
    struct replay_stopwatch stopwatch;
    struct fixture fixture;
    (void)state;

    replay_stopwatch_start(&stopwatch);
    ASSERT_OK(begin(&fixture, "king-mesh:4x4", REPLAY_TO_RUN, pairs));
    place(&fixture, &placement, program, "anneal");
    ASSERT_OK(replay_measure(&results, program, &placement, NULL, NULL, &fixture.error));
    assert_true(results.has_rungs);
    assert_int_equal(results.what_ifs, 4);
    assert_non_null(results.real.network);
    check_same(replay_report(program, &placement, &results, &stopwatch, &fixture.error),
               replay_report(program, &placement, &results, &stopwatch, &fixture.error));
    check_same(replay_report(program, &placement, &results, &stopwatch, &fixture.error),
               replay_session_run(program, &fixture.setup, NULL, &fixture.error));
    replay_results_free(&results);
    replay_placement_free(&placement);
    end(&fixture);
    trace_close(program);
}

/* A placement that no mapper made: the replay asks for terminals alone. */
static void test_middle(void **state)
{
    static const uint32_t near[RANKS] = {0, 1, 2, 3}, far[RANKS] = {0, 15, 3, 12};
    struct trace_program *program = make_program();
    struct base_digest digest;
    struct fixture fixture;
    uint64_t time_ns;
    (void)state;

    ASSERT_OK(begin(&fixture, "mesh:4x4", REPLAY_TO_RUN, NO_OPTIONS));
    uint64_t near_ns = time_at(&fixture.setup, program, near, REPLAY_CONFIGURED, &digest);
    ASSERT_OK(replay_time(&fixture.setup, program, far, NULL, &time_ns, &fixture.error));
    assert_true(time_ns > near_ns);
    assert_int_equal(time_at(&fixture.setup, program, near, REPLAY_IDEAL, &digest),
                     time_at(&fixture.setup, program, far, REPLAY_IDEAL, &digest));
    end(&fixture);
    trace_close(program);
}

/* A job has a setup of its own on its partition, and the machine's stays as it is: confined packets are the job's. */
static void test_allocation(void **state)
{
    static const char *const pairs[] = {"partition", "square", "confined", "yes", NULL};
    struct fixture fixture;
    struct replay_setup before, job, other;
    bool busy[16] = {false};
    (void)state;

    ASSERT_OK(begin(&fixture, "mesh:4x4", REPLAY_TO_RUN, pairs));
    memcpy(&before, &fixture.setup, sizeof before);
    ASSERT_OK(replay_setup_allocate(&job, &fixture.setup, RANKS, &fixture.error));
    assert_int_equal(job.partition->count, RANKS);
    assert_ptr_not_equal(job.routing, fixture.setup.routing);
    for (uint32_t i = 0; i < RANKS; i++)
        busy[job.partition->terminal[i]] = true;
    struct replay_setup machine = replay_setup_copy(&fixture.setup);
    machine.busy = busy;
    ASSERT_OK(replay_setup_allocate(&other, &machine, RANKS, &fixture.error));
    for (uint32_t i = 0; i < RANKS; i++)
        assert_false(busy[other.partition->terminal[i]]);
    assert_memory_equal(&before, &fixture.setup, sizeof before);
    replay_setup_free(&other);
    replay_setup_free(&job);
    end(&fixture);
}

/* ---- threads ---- */

struct worker {
    const struct replay_setup *setup;
    struct base_digest digest;
    uint64_t time_ns;
};

static void *work(void *context)
{
    static const uint32_t terminal[RANKS] = {5, 0, 10, 15};
    struct worker *worker = context;
    struct trace_program *program = make_program();

    worker->time_ns = time_at(worker->setup, program, terminal, REPLAY_CONFIGURED, &worker->digest);
    trace_close(program);
    return NULL;
}

/* Replays on one setup do not meet. */
static void test_threads(void **state)
{
    struct worker workers[3] = {{0}};
    pthread_t threads[3];
    struct fixture fixture;
    (void)state;

    ASSERT_OK(begin(&fixture, "king-torus:4x4", REPLAY_TO_RUN, NO_OPTIONS));
    workers[0].setup = &fixture.setup;
    work(&workers[0]);
    for (unsigned i = 1; i < 3; i++) {
        workers[i].setup = &fixture.setup;
        ASSERT_OK(pthread_create(&threads[i], NULL, work, &workers[i]));
    }
    for (unsigned i = 1; i < 3; i++) {
        ASSERT_OK(pthread_join(threads[i], NULL));
        assert_int_equal(workers[i].time_ns, workers[0].time_ns);
        assert_memory_equal(&workers[i].digest, &workers[0].digest, sizeof workers[0].digest);
    }
    end(&fixture);
}

/* ---- replays side by side ---- */

/* What a run has measured, with so many threads: times of all levels, waits of all ranks, the network's digest. */
static void measure_with(const char *threads, struct base_digest *measured, char digest[BASE_DIGEST_TEXT])
{
    const char *const pairs[] = {"threads", threads, "host", "send-overhead=100ns", NULL};
    struct trace_program *program = trace_keep(make_program(), 64, NULL);
    struct fixture fixture;

    ASSERT_OK(begin(&fixture, "torus:4x4", REPLAY_TO_RUN, pairs));
    struct report_run *run = replay_session_run(program, &fixture.setup, NULL, &fixture.error);
    assert_non_null(run);
    assert_non_null(run->attribution);
    *measured = (struct base_digest){0};
    for (unsigned level = REPLAY_IDEAL; level <= REPLAY_CONFIGURED; level++)
        base_digest_add(measured, (uint64_t[]){level, run->attribution->simulated_ns[level]}, 2);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        base_digest_add(measured, (uint64_t[]){rank, run->rank[rank].ideal_wait_ns}, 2);
    snprintf(digest, BASE_DIGEST_TEXT, "%s", run->digest);
    report_run_free(run);
    trace_close(program);
    end(&fixture);
}

/* Fewer threads than replays, as many, and more. */
static void test_together(void **state)
{
    static const char *const threads[] = {"2", "3", "7", "9"};
    struct base_digest alone, together;
    char alone_text[BASE_DIGEST_TEXT], text[BASE_DIGEST_TEXT];
    (void)state;

    measure_with("1", &alone, alone_text);
    for (unsigned i = 0; i < sizeof threads / sizeof *threads; i++) {
        measure_with(threads[i], &together, text);
        assert_memory_equal(&together, &alone, sizeof alone);
        assert_string_equal(text, alone_text);
    }
}

/* Asks for an end as soon as the network's replay says how far it is, and is told by one thread at a time. */
struct stopper {
    atomic_bool stop;
    atomic_int inside;
    unsigned told;
};

static void stop_it(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    struct stopper *stopper = context;
    (void)what;
    (void)thousandths;
    (void)simulated_ns;

    assert_int_equal(atomic_fetch_add(&stopper->inside, 1), 0);
    stopper->told++;
    atomic_store(&stopper->stop, true);
    atomic_fetch_sub(&stopper->inside, 1);
}

/* A stop gives a part without an attribution, or says that there is no result. */
static void test_together_stopped(void **state)
{
    static const char *const pairs[] = {"threads", "2", NULL};
    struct trace_program *program = trace_open("generate:cg,class=S,ranks=16", NULL, NULL);
    struct stopper stopper = {0};
    const struct replay_watch watch = {.progress = stop_it, .context = &stopper, .stop = &stopper.stop};
    struct fixture fixture;
    (void)state;

    assert_non_null(program);
    ASSERT_OK(begin(&fixture, "torus:4x4", REPLAY_TO_RUN, pairs));
    struct report_run *run = replay_session_run(program, &fixture.setup, &watch, &fixture.error);
    assert_true(stopper.told > 0);
    if (run == NULL)
        assert_int_equal(fixture.error.status, BASE_INTERRUPTED);
    else
        assert_null(run->attribution);
    report_run_free(run);
    trace_close(program);
    end(&fixture);
}

/* ---- decoding once ---- */

static const struct trace_program_class *plain_class;
static unsigned streams; /* that the reader was asked for */

static struct trace_cursor *counted_new(struct trace_program *program, uint32_t rank,
                                        struct base_error *error)
{
    streams++;
    return plain_class->cursor_new(program, rank, error);
}

/* Whatever a run replays, every rank is read once: with the graph, six levels, and rows of what if, one of which
 * searches for a placement. */
static void test_once(void **state)
{
    static const char *const pairs[] = {"what-if", "yes", "mapping", "replay", "evaluations", "4", NULL};
    static struct trace_program_class counted;
    struct trace_program *program = make_program();
    struct fixture fixture;
    (void)state;

    plain_class = program->class;
    counted = *plain_class;
    counted.cursor_new = counted_new;
    program->class = &counted;
    streams = 0;
    program = trace_keep(program, 64, NULL); /* most of it in a file */
    assert_non_null(program);
    ASSERT_OK(begin(&fixture, "torus:4x4", REPLAY_TO_RUN, pairs));
    struct report_run *run = replay_session_run(program, &fixture.setup, NULL, &fixture.error);
    assert_non_null(run);
    assert_non_null(run->attribution);
    assert_true(run->what_if_count >= 3);
    assert_int_equal(streams, RANKS);
    report_run_free(run);
    trace_close(program);
    end(&fixture);
}

/* Decodings of a trace that is opened for replays: the survey's is the only one. */
static void count_decodings(const char *trace, struct fixture *fixture)
{
    const char *source = getenv("top_srcdir");
    struct trace_program *program;
    char path[4096];

    snprintf(path, sizeof path, "%s/tests/data/%s", source == NULL ? "." : source, trace);
    program = replay_session_keep(path, &fixture->settings, &fixture->error);
    if (program == NULL)
        fail_msg("%s", fixture->error.text);
    struct report_run *run = replay_session_run(program, &fixture->setup, NULL, &fixture->error);
    assert_non_null(run);
    assert_non_null(run->attribution);
    assert_true(trace_kept_size(program).operations > 0);
    assert_int_equal(trace_kept_size(program).decoded, 0);
    report_run_free(run);
    trace_close(program);
}

static void test_decodings(void **state)
{
    static const char *const traces[] = {"otf2-scorep-layout/mg.S.4", "otf2-eztrace/ft.S.4", "dumpi/ft.S.4"};
    static const char *const pairs[] = {"what-if", "yes", "mapping", "replay", "evaluations", "4", NULL};
    struct fixture fixture;
    (void)state;

    ASSERT_OK(begin(&fixture, "torus:4x4", REPLAY_TO_RUN, pairs));
    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++)
        count_decodings(traces[i], &fixture);
    end(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_decoding),   cmocka_unit_test(test_in_force),
        cmocka_unit_test(test_purposes),   cmocka_unit_test(test_composition),
        cmocka_unit_test(test_reports),    cmocka_unit_test(test_middle),
        cmocka_unit_test(test_allocation), cmocka_unit_test(test_threads),
        cmocka_unit_test(test_once),       cmocka_unit_test(test_decodings),
        cmocka_unit_test(test_together),   cmocka_unit_test(test_together_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
