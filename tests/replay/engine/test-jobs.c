/* Several programs on one network: times by hand where they meet, none where they do not, and what leaves a
 * partition. Flits have 8 bytes, the clock 1 GHz; a message of n flits over d links of an empty mesh is there d + n
 * cycles after it was sent (netmodel/network.h). The command line's side is in tests/cli/test-jobs. */
#include <config.h>

#include "tests/suite.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netmodel/traffic/pattern.h"
#include "mappers/partitions/partition.h"
#include "replay/engine/background.h"
#include "replay/jobs.h"
#include "traces/generate/generate.h"
#include "tests/fail-alloc.h"
#include "tests/replay/support.h"

#define BYTES 64 /* 8 flits */
#define FLITS 8

/* A row of terminals with programs on some of them. */
struct machine {
    struct net_topology *topology;
    struct net_routing routing;
    struct net_network *network;
    struct net_options options;
};

static void start(struct machine *machine, const char *topology, const uint32_t *owner, uint32_t owners)
{
    struct base_error error;
    machine->topology = net_topology_new(topology, &error);
    machine->routing = (struct net_routing){0};
    ASSERT_OK(net_routing_init(&machine->routing, machine->topology, NULL, 0, &error));
    machine->options.owner = owner;
    machine->options.owners = owners;
    machine->network = net_network_new(machine->topology, &machine->routing, &machine->options, &error);
    assert_non_null(machine->network);
}

static void stop(struct machine *machine)
{
    net_network_free(machine->network);
    net_routing_free(&machine->routing);
    net_topology_free(machine->topology);
}

/* Rank 0 sends `count` messages to rank 1. */
static struct trace_memory *sender(uint32_t count)
{
    struct trace_memory *m = trace_memory_new(2);
    for (uint32_t i = 0; i < count; i++) {
        add_send(m, 0, 1, i, BYTES);
        add_receive(m, 1, 0, i, BYTES);
    }
    return m;
}

static void run(struct machine *machine, struct replay_job *jobs, uint32_t count)
{
    struct replay_semantics options = test_options();
    struct base_error error = {0};
    if (replay_run_jobs(jobs, count, NULL, 0, machine->network, &options, &error) != 0)
        fail_msg("%s", error.text);
}

static void finish(struct replay_job *jobs, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        replay_result_free(&jobs[i].result);
        trace_close(jobs[i].program);
    }
}

/* ---- times */

/* On a row of four, the jobs 0 -> 2 and 1 -> 3 share the link from 1 to 2; the job that comes second waits for the
 * eight flits of the first. */
static void jobs_meet_where_their_ways_do(void **state)
{
    static const uint32_t first[] = {0, 2}, second[] = {1, 3};
    struct replay_job jobs[] = {{.program = trace_memory_program(sender(1)), .terminal = first},
                                {.program = trace_memory_program(sender(1)), .terminal = second}};
    struct machine machine = {0};
    (void)state;
    start(&machine, "mesh:4x1", NULL, 0);
    run(&machine, jobs, 2);
    assert_int_equal(jobs[1].result.simulated_ns, 2 + FLITS);
    /* Its header is at router 1 after one cycle, behind the other's, which has had the link since cycle 0. */
    assert_int_equal(jobs[0].result.simulated_ns, FLITS + 1 + FLITS);
    finish(jobs, 2);
    stop(&machine);
}

/* The same two, the second of them later than the first is gone: nobody waits, and times count from the start. */
static void jobs_apart_in_time_do_not_meet(void **state)
{
    static const uint32_t first[] = {0, 2}, second[] = {1, 3};
    struct replay_job jobs[] = {
        {.program = trace_memory_program(sender(1)), .terminal = first, .start_ns = 0},
        {.program = trace_memory_program(sender(1)), .terminal = second, .start_ns = 100}};
    struct machine machine = {0};
    (void)state;
    start(&machine, "mesh:4x1", NULL, 0);
    run(&machine, jobs, 2);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(jobs[i].result.simulated_ns, 2 + FLITS);
        assert_int_equal(jobs[i].result.rank[1].wait_ns, 2 + FLITS);
        assert_int_equal(jobs[i].result.rank[1].compute_ns, 0);
    }
    finish(jobs, 2);
    stop(&machine);
}

/* A single job is what replay_run makes of it, digest apart, which is then the network's as well. */
static void one_job_is_a_run(void **state)
{
    static const uint32_t terminal[] = {0, 3};
    struct replay_job job = {.program = trace_memory_program(sender(20)), .terminal = terminal};
    struct replay_semantics options = test_options();
    struct machine machine = {0};
    struct replay_result result;
    struct base_error error;
    struct base_digest sum;
    (void)state;
    start(&machine, "mesh:4x1", NULL, 0);
    run(&machine, &job, 1);
    sum = net_network_statistics(machine.network)->digest;
    base_digest_merge(&sum, &job.result.digest);
    stop(&machine);
    start(&machine, "mesh:4x1", NULL, 0);
    ASSERT_OK(replay_run(job.program, terminal, machine.network, &options, &result, &error));
    assert_memory_equal(&sum, &result.digest, sizeof sum);
    replay_result_free(&result);
    finish(&job, 1);
    stop(&machine);
}

/* ---- what leaves a partition */

/* Job 0 has the ends of a row, job 1 its middle: each message of job 0 crosses three links, none of them its own;
 * those of job 1 stay at home. In both kinds of engines, and by packets of a message. */
static void leaks_are_counted_by_owner(void **state)
{
    static const uint32_t ends[] = {0, 3}, middle[] = {1, 2}, owner[] = {0, 1, 1, 0};
    (void)state;
    for (int wormhole = 0; wormhole < 2; wormhole++) {
        struct replay_job jobs[] = {{.program = trace_memory_program(sender(5)), .terminal = ends},
                                    {.program = trace_memory_program(sender(7)), .terminal = middle}};
        struct machine machine = {.options = {.packet_flits = 3}};
        machine.options.flow_control = wormhole ? NET_WORMHOLE : NET_CUT_THROUGH;
        start(&machine, "mesh:4x1", owner, 2);
        run(&machine, jobs, 2);
        const struct net_statistics *statistics = net_network_statistics(machine.network);
        assert_int_equal(statistics->outside_flit_hops[0], 5 * 3 * FLITS);
        assert_int_equal(statistics->outside_flit_hops[1], 0);
        assert_int_equal(statistics->flit_hops, (5 * 3 + 7) * FLITS);
        finish(jobs, 2);
        stop(&machine);
    }
}

/* Without owners nobody counts. */
static void leaks_of_nobody_are_not_counted(void **state)
{
    struct machine machine = {0};
    (void)state;
    start(&machine, "mesh:4x1", NULL, 0);
    assert_null(net_network_statistics(machine.network)->outside_flit_hops);
    stop(&machine);
}

/* ---- background traffic */

static struct replay_background_options traffic_on(const uint32_t *terminal, uint32_t count, uint64_t load,
                                                   uint64_t number)
{
    return (struct replay_background_options){.pattern = "uniform",
                                              .lengths = {.kind = NET_LENGTH_FIXED, .flits = FLITS},
                                              .load_millionths = load,
                                              .seed = 1,
                                              .terminal = terminal,
                                              .count = count,
                                              .injectors = 1,
                                              .tag = number << REPLAY_TAG_BITS};
}

/* A job that computes for 20000 ns while others send: what they send is what they were asked for, within the noise
 * of 2500 messages, and no terminal of the job sees any of it. Overload is held back by the links, not by memory. */
static void background_sends_until_the_job_ends(void **state)
{
    static const uint32_t own[] = {0, 1}, others[] = {2, 3};
    const uint64_t loads[] = {100000, 500000, 1000000};
    (void)state;
    for (size_t i = 0; i < sizeof loads / sizeof *loads; i++) {
        struct trace_memory *m = sender(1);
        struct replay_job job = {.program = trace_memory_program(m), .terminal = own};
        struct replay_background_options traffic = traffic_on(others, 2, loads[i], 1);
        struct replay_semantics options = test_options();
        struct machine machine = {0};
        struct base_error error;
        struct replay_background *background = replay_background_new(&traffic, &error);
        add_compute(m, 1, 20000);
        start(&machine, "mesh:4x1", NULL, 0);
        ASSERT_OK(replay_run_jobs(&job, 1, &background, 1, machine.network, &options, &error));
        struct replay_background_result result = replay_background_result(background);
        assert_int_equal(job.result.simulated_ns, 1 + FLITS + 20000);
        assert_in_range(result.cycles, 20000, 20100);
        assert_in_range(result.flits, 20000 * 2 * loads[i] / 1000000 * 9 / 10,
                        20000 * 2 * loads[i] / 1000000 * 11 / 10);
        assert_int_equal(result.flits, result.messages * FLITS);
        assert_int_equal(net_network_statistics(machine.network)->messages, result.messages + 1);
        replay_background_free(background);
        finish(&job, 1);
        stop(&machine);
    }
}

/* Traffic would go on for ever beside a job that waits for ever: the deadlock is found all the same. */
static void a_job_that_waits_for_ever_is_found_out(void **state)
{
    static const uint32_t own[] = {0, 1}, others[] = {2, 3};
    struct trace_memory *m = trace_memory_new(2);
    struct replay_job job = {.program = trace_memory_program(m), .terminal = own};
    struct replay_background_options traffic = traffic_on(others, 2, 100000, 1);
    struct replay_semantics options = test_options();
    struct machine machine = {0};
    struct base_error error;
    struct replay_background *background = replay_background_new(&traffic, &error);
    (void)state;
    add_receive(m, 0, 1, 5, BYTES);
    start(&machine, "mesh:4x1", NULL, 0);
    assert_int_equal(replay_run_jobs(&job, 1, &background, 1, machine.network, &options, &error), -1);
    assert_int_equal(error.status, BASE_DEADLOCK);
    replay_background_free(background);
    finish(&job, 1);
    stop(&machine);
}

/* Patterns of coordinates have none to look at. */
static void patterns_of_coordinates_are_refused(void **state)
{
    static const uint32_t others[] = {2, 3, 4, 5};
    struct replay_background_options traffic = traffic_on(others, 4, 100000, 1);
    struct base_error error;
    (void)state;
    traffic.pattern = "tornado";
    assert_null(replay_background_new(&traffic, &error));
    assert_int_equal(error.status, BASE_USAGE);
}

/* ---- the text of --job */

static void texts_are_cut_at_keys(void **state)
{
    struct base_arena arena = {0};
    struct replay_job_text job;
    struct base_error error;
    char directory[] = "test-jobs-XXXXXX";
    char trace[64], text[160];
    (void)state;
    assert_non_null(mkdtemp(directory));
    snprintf(trace, sizeof trace, "%s/a,b=c.otf2", directory);
    snprintf(text, sizeof text, "%s,mapping=file:x,y,start=5,partition=hilbert,fit=first", trace);
    assert_int_equal(replay_job_parse(&arena, text, &job, &error), -1); /* no such file: b would be a key */
    assert_int_equal(error.status, BASE_USAGE);
    close(open(trace, O_CREAT | O_WRONLY, 0600));
    ASSERT_OK(replay_job_parse(&arena, text, &job, &error));
    unlink(trace);
    rmdir(directory);
    assert_string_equal(job.trace, trace);
    assert_string_equal(job.mapping, "file:x,y");
    assert_string_equal(job.partition, "hilbert,fit=first");
    assert_int_equal(job.start_ns, 5);
    assert_null(job.pattern);
    ASSERT_OK(replay_job_parse(&arena, "generate:mg,class=S,ranks=4,start=7", &job, &error));
    assert_string_equal(job.trace, "generate:mg,class=S,ranks=4");
    ASSERT_OK(replay_job_parse(
        &arena, "traffic:hotspot,fraction=0.1,terminals=2,load=0.25,lengths=fixed,flits=4", &job, &error));
    assert_null(job.trace);
    assert_string_equal(job.pattern, "hotspot,fraction=0.1,terminals=2");
    assert_string_equal(job.lengths, "fixed,flits=4");
    assert_string_equal(job.arrivals, "bernoulli");
    assert_int_equal(job.load_millionths, 250000);
    base_arena_free(&arena);
}

static void wrong_texts_are_refused(void **state)
{
    static const struct {
        const char *text, *sentence;
    } cases[] = {
        {"", "begins with a trace"},
        {",start=5", "begins with a trace"},
        {"traffic:,load=1", "begins with a trace, or with traffic:PATTERN"},
        {"a,start=x", "start=x: needs nanoseconds"},
        {"a,start=-1", "start=-1: needs nanoseconds"},
        {"a,start=", "start= needs a value"},
        {"a,start=1,start=2", "start= is given twice"},
        {"a,load=0.1", "load= belongs to"},
        {"a,nodes=4", "nodes= belongs to"},
        {"traffic:uniform", "load= is missing"},
        {"traffic:uniform,load=0", "load=0: needs the flits per cycle"},
        {"traffic:uniform,load=17", "load=17: needs the flits per cycle"},
        {"traffic:uniform,load=0.1,mapping=row", "traffic has no ranks"},
        {"traffic:uniform,load=0.1,partition=row", "go together"},
        {"traffic:uniform,load=0.1,nodes=4", "go together"},
        {"traffic:uniform,load=0.1,partition=row,nodes=0", "nodes=0: needs a whole number"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_arena arena = {0};
        struct replay_job_text job;
        struct base_error error = {0};
        assert_int_equal(replay_job_parse(&arena, cases[i].text, &job, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, cases[i].sentence) == NULL)
            fail_msg("'%s' instead of '%s'", error.text, cases[i].sentence);
        base_arena_free(&arena);
    }
}

static bool is_key(const char *name)
{
    for (const char *const *key = replay_job_keys(); *key != NULL; key++)
        if (strcmp(*key, name) == 0)
            return true;
    return false;
}

/* A parameter called like a key could not be given. */
static void no_parameter_is_called_like_a_key(void **state)
{
    size_t count;
    const struct map_allocator *const *allocators = map_allocators(&count);
    (void)state;
    assert_true(is_key("partition"));
    for (size_t i = 0; i < count; i++)
        for (const char *const *key = allocators[i]->keys; key != NULL && *key != NULL; key++)
            assert_false(is_key(*key));
    const struct net_pattern_kind *const *patterns = net_pattern_kinds(&count);
    for (size_t i = 0; i < count; i++)
        for (const char *const *key = patterns[i]->keys; key != NULL && *key != NULL; key++)
            assert_false(is_key(*key));
}

/* Programs from a formula are named with their parameters behind commas; which there are, each kernel's line tells. */
static void no_kernel_has_a_parameter_like_a_key(void **state)
{
    size_t count;
    const struct trace_generator *const *generators = trace_generators(&count);
    (void)state;
    for (const char *const *key = replay_job_keys(); *key != NULL; key++) {
        char named[32];
        snprintf(named, sizeof named, "%s=", *key);
        for (size_t i = 0; i < count; i++)
            assert_null(strstr(generators[i]->summary, named));
        for (size_t i = 0; i < 4; i++)
            assert_string_not_equal(*key, ((const char *const[]){"class", "ranks", "gflops", "seed"})[i]);
    }
}

/* ---- no memory */

/* Two jobs that meet, and traffic beside them; results and all are freed whether it worked or not. */
static int attempt(void *state)
{
    static const uint32_t first[] = {0, 2}, second[] = {1, 3}, others[] = {4, 5};
    struct replay_job *jobs = state;
    struct replay_background_options traffic = traffic_on(others, 2, 500000, 2);
    struct replay_semantics options = test_options();
    struct net_options net_options = {0};
    struct base_error error = {0};
    struct replay_background *background = replay_background_new(&traffic, &error);
    struct net_topology *topology = net_topology_new("ideal:6", &error);
    struct net_network *network =
        topology == NULL ? NULL : net_network_new(topology, NULL, &net_options, &error);
    int status = -1;
    jobs[0].terminal = first;
    jobs[1].terminal = second;
    if (background != NULL && network != NULL)
        status = replay_run_jobs(jobs, 2, &background, 1, network, &options, &error);
    if (status != 0)
        assert_int_equal(error.status, BASE_SYSTEM);
    for (uint32_t i = 0; i < 2; i++)
        replay_result_free(&jobs[i].result);
    replay_background_free(background);
    net_network_free(network);
    net_topology_free(topology);
    return status;
}

static void memory_may_run_out(void **state)
{
    struct replay_job jobs[] = {{.program = trace_memory_program(sender(3))},
                                {.program = trace_memory_program(sender(3))}};
    (void)state;
    assert_in_range(fail_alloc_each(attempt, jobs), 10, 1000);
    for (uint32_t i = 0; i < 2; i++)
        trace_close(jobs[i].program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jobs_meet_where_their_ways_do),
        cmocka_unit_test(jobs_apart_in_time_do_not_meet),
        cmocka_unit_test(one_job_is_a_run),
        cmocka_unit_test(leaks_are_counted_by_owner),
        cmocka_unit_test(leaks_of_nobody_are_not_counted),
        cmocka_unit_test(background_sends_until_the_job_ends),
        cmocka_unit_test(a_job_that_waits_for_ever_is_found_out),
        cmocka_unit_test(patterns_of_coordinates_are_refused),
        cmocka_unit_test(texts_are_cut_at_keys),
        cmocka_unit_test(wrong_texts_are_refused),
        cmocka_unit_test(no_parameter_is_called_like_a_key),
        cmocka_unit_test(no_kernel_has_a_parameter_like_a_key),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
