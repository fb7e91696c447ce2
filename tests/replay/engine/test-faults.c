/* What goes wrong, and the words for it: deadlocks, unmatched calls, members that disagree, damaged
 * operations, options, and memory that is out. */
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "tests/replay/support.h"

#define EAGER 64
#define LONG 2048
#define MESH "mesh:4x4"

/* Replays on a mesh and closes; must fail with the status, and its text hold all of the parts (up to a NULL),
 * in order. */
static void expect(struct trace_memory *memory, enum base_status status, const char *const *parts)
{
    struct replay_semantics options = test_options();
    struct replay_result result = {0};
    struct base_error error = {0};
    int outcome = replay_on(MESH, trace_memory_program(memory), &options, &result, &error);
    const char *at = error.text;
    assert_int_equal(outcome, -1);
    assert_null(result.rank);
    for (; *parts != NULL; parts++) {
        const char *found = strstr(at, *parts);
        if (found == NULL)
            fail_msg("\"%s\" is missing in:\n%s", *parts, error.text);
        at = found + strlen(*parts);
    }
    assert_int_equal(error.status, status);
    trace_close(trace_memory_program(memory));
}

#define EXPECT(memory, status, ...) expect(memory, status, (const char *const[]){__VA_ARGS__, NULL})

/* ---- deadlocks */

static void head_to_head_rendezvous_is_a_cycle(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        add_compute(m, rank, 100);
        add_send(m, rank, 1 - rank, 7, LONG);
        add_receive(m, rank, 1 - rank, 7, LONG);
    }
    EXPECT(m, BASE_DEADLOCK, "memory: the replay cannot go on after", "2 of 3 ranks wait",
           "\n  rank 0 waits in MPI_Send (event 2): 2048 bytes to rank 1, tag 7, on MPI_COMM_WORLD",
           "\n  rank 1 waits in MPI_Send (event 2): 2048 bytes to rank 0, tag 7, on MPI_COMM_WORLD",
           "\n  cycle: rank 0 -> rank 1 -> rank 0");
}

static void head_to_head_eager_is_none(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        add_send(m, rank, 1 - rank, 7, EAGER);
        add_receive(m, rank, 1 - rank, 7, EAGER);
    }
    assert_int_equal(finish_on(MESH, m, 0), 9);
}

static void a_missing_send_names_the_rank_that_has_ended(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    add_receive(m, 0, 1, 1, EAGER);
    add_receive(m, 1, 2, 3, EAGER);
    add_send(m, 1, 0, 1, EAGER);
    EXPECT(m, BASE_DEADLOCK, "2 of 3 ranks wait",
           "\n  rank 0 waits in MPI_Recv (event 1): 64 bytes from rank 1, tag 1",
           "\n  rank 1 waits in MPI_Recv (event 1): 64 bytes from rank 2, tag 3",
           "\n  cause: rank 1 waits for a message from rank 2, tag 3, on MPI_COMM_WORLD; rank 2 has ended "
           "without "
           "sending it");
}

static void a_missing_receive_too_and_what_was_meant(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_ssend(m, 0, 1, 1, EAGER);
    add_ireceive(m, 1, 0, 2, EAGER);
    EXPECT(m, BASE_DEADLOCK, "1 of 2 ranks waits",
           "\n  rank 0 waits in MPI_Ssend (event 1): 64 bytes to rank 1, tag 1",
           "\n  cause: rank 0 waits for a message to be received by rank 1",
           "; rank 1 has ended without receiving it", "\n  unmatched besides:",
           "\n  rank 1, MPI_Irecv (event 1): 64 bytes from rank 0, tag 2, on MPI_COMM_WORLD: never sent");
}

static void a_wait_names_its_first_open_request(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t set[3];
    (void)state;
    set[0] = add_ireceive(m, 0, 1, 1, EAGER);
    set[1] = add_ireceive(m, 0, 1, 2, 16);
    set[2] = add_ireceive(m, 0, 1, 3, 24);
    add_wait_all(m, 0, set, 3);
    add_send(m, 1, 0, 1, EAGER);
    EXPECT(m, BASE_DEADLOCK,
           "rank 0 waits in MPI_Waitall (event 4) for MPI_Irecv (event 2): 16 bytes from rank 1, tag 2, on "
           "MPI_COMM_WORLD, and 1 more");
}

static void a_receive_from_oneself_is_a_cycle_of_one(void **state)
{
    struct trace_memory *m = trace_memory_new(1);
    (void)state;
    add_receive(m, 0, 0, 1, EAGER);
    EXPECT(m, BASE_DEADLOCK, "rank 0 waits in MPI_Recv", "\n  cycle: rank 0 -> rank 0");
}

static void a_missing_member_of_a_collective_is_the_cause(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        add_collective(m, rank, TRACE_ALLREDUCE, 0, UINT32_MAX, 8);
        add_collective(m, rank, TRACE_ALLREDUCE, 0, UINT32_MAX, 8);
    }
    add_collective(m, 2, TRACE_ALLREDUCE, 0, UINT32_MAX, 8);
    EXPECT(m, BASE_DEADLOCK,
           "rank 0 waits in MPI_Allreduce (event 2): 8 bytes from rank 2 in allreduce, collective 2 on "
           "MPI_COMM_WORLD",
           "rank 1 waits in MPI_Allreduce (event 2): 8 bytes from rank 0",
           "cause: rank 0 waits for a message from rank 2; rank 2 has ended without sending it");
}

static void a_long_list_is_cut(void **state)
{
    struct trace_memory *m = trace_memory_new(16);
    (void)state;
    for (uint32_t rank = 0; rank < 16; rank++)
        add_receive(m, rank, (rank + 1) % 16, 1, EAGER);
    EXPECT(m, BASE_DEADLOCK, "rank 0 waits", "rank 11 waits", "and 4 more ranks",
           "cycle: rank 0 -> rank 1 -> rank 2 -> ", "rank 15 -> rank 0");
}

/* A chain of waits leads into a cycle that the first rank is no part of. */
static void the_cycle_leaves_out_who_only_waits_for_it(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    add_receive(m, 0, 2, 1, EAGER);
    add_receive(m, 2, 3, 1, EAGER);
    add_receive(m, 3, 2, 1, EAGER);
    EXPECT(m, BASE_DEADLOCK, "3 of 4", "cycle: rank 2 -> rank 3 -> rank 2");
}

/* ---- unmatched at the end */

static void unmatched_calls_are_listed(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    add_send(m, 2, 1, 9, EAGER);
    add_send(m, 0, 1, 5, 8);
    add_ireceive(m, 0, 2, 4, 16);
    EXPECT(m, BASE_INPUT, "memory: the replay has ended with 3 unmatched calls",
           "\n  rank 0, MPI_Send (event 1): 8 bytes to rank 1, tag 5, on MPI_COMM_WORLD: never received",
           "\n  rank 0, MPI_Irecv (event 2): 16 bytes from rank 2, tag 4, on MPI_COMM_WORLD: never sent",
           "\n  rank 2, MPI_Send (event 1): 64 bytes to rank 1, tag 9, on MPI_COMM_WORLD: never received");
}

static void many_unmatched_calls_are_cut(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (int i = 0; i < 100; i++)
        add_send(m, 0, 1, 5, 8);
    EXPECT(m, BASE_INPUT, "100 unmatched calls", "(event 12)", "and 88 more");
}

/* ---- inconsistent traces */

static void a_receive_too_short_is_truncation(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_compute(m, 0, 1);
    add_send(m, 0, 1, 5, 1024);
    add_receive(m, 1, 0, 5, 512);
    EXPECT(m, BASE_INPUT,
           "memory: rank 1, event 1: receive of 512 bytes with tag 5 from rank 0, but the matching send "
           "(event 2) "
           "has 1024");
}

static void members_must_agree_on_the_collective(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_collective(m, 0, TRACE_BARRIER, 0, UINT32_MAX, 0);
    add_collective(m, 0, TRACE_ALLREDUCE, 0, UINT32_MAX, 8);
    add_compute(m, 1, 5);
    add_collective(m, 1, TRACE_BARRIER, 0, UINT32_MAX, 0);
    add_collective(m, 1, TRACE_REDUCE, 0, 1, 8);
    EXPECT(m, BASE_INPUT, "memory: rank ", " is collective 2 on MPI_COMM_WORLD, but rank ", " calls ",
           " there");
    m = trace_memory_new(2);
    add_collective(m, 0, TRACE_BARRIER, 0, UINT32_MAX, 0);
    add_compute(m, 1, 5);
    add_collective(m, 1, TRACE_REDUCE, 0, 1, 8);
    EXPECT(m, BASE_INPUT,
           "memory: rank 1, event 2: reduce with root 1 is collective 1 on MPI_COMM_WORLD, but rank 0 (event "
           "1) calls "
           "barrier there");
}

static void members_must_agree_without_roots_too(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_collective(m, 0, TRACE_BARRIER, 0, UINT32_MAX, 0);
    add_compute(m, 1, 5);
    add_collective(m, 1, TRACE_ALLREDUCE, 0, UINT32_MAX, 0);
    EXPECT(m, BASE_INPUT, "rank 1, event 2: allreduce is collective 1",
           "but rank 0 (event 1) calls barrier there");
}

static void members_must_agree_on_the_root(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_collective(m, 0, TRACE_BCAST, 0, 0, 8);
    add_compute(m, 1, 5);
    add_collective(m, 1, TRACE_BCAST, 0, 1, 8);
    EXPECT(m, BASE_INPUT,
           "memory: rank 1, event 2: bcast with root 1 is collective 1 on MPI_COMM_WORLD, but rank 0 (event "
           "1) calls "
           "bcast with root 0 there");
}

static void an_impossible_collective_says_where(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_compute(m, 1, 5);
    add_collective(m, 1, TRACE_BCAST, 0, 2, 8);
    EXPECT(m, BASE_INPUT, "memory: rank 1, event 2: ", "bcast", "root 2");
}

/* The test's scan sends a message that nobody receives: it must not be taken for one of a later collective.
 */
static void a_wrong_schedule_is_found(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        add_collective(m, rank, TRACE_SCAN, 0, UINT32_MAX, 8);
        add_compute(m, rank, 1000); /* by then all have returned */
        add_collective(m, rank, TRACE_BCAST, 0, 0, 16);
    }
    EXPECT(m, BASE_INPUT, "1 unmatched call",
           "rank 0, MPI_Scan (event 1): 8 bytes to rank 1 in scan, collective 1 on MPI_COMM_WORLD: never "
           "received");
}

static void a_stranger_in_a_collective_is_refused(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint32_t alone = trace_memory_communicator(m, "alone", (const uint32_t[]){1}, 1);
    (void)state;
    add_collective(m, 0, TRACE_BARRIER, alone, UINT32_MAX, 0);
    EXPECT(m, BASE_INPUT, "memory: rank 0, event 1: barrier on alone, which does not contain this rank");
}

static void impossible_operations_are_refused(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint32_t wrong = trace_memory_communicator(m, "wrong", (const uint32_t[]){0, 7}, 2);
    (void)state;
    add_collective(m, 0, TRACE_BARRIER, wrong, UINT32_MAX, 0);
    EXPECT(m, BASE_INPUT, "memory: wrong contains rank 7, but the trace has 2 ranks");
    m = trace_memory_new(2);
    add_send(m, 0, 2, 5, 8);
    EXPECT(m, BASE_INPUT, "memory: rank 0, event 1: message to or from rank 2, but the trace has 2 ranks");
    m = trace_memory_new(2);
    add_op(m, 0, (struct trace_op){.kind = TRACE_SEND, .peer = 1, .communicator = 3});
    EXPECT(m, BASE_INPUT, "memory: rank 0, event 1: message on an unknown communicator (3)");
    m = trace_memory_new(2);
    add_wait(m, 1, 0);
    EXPECT(m, BASE_INPUT, "memory: rank 1, event 1: wait for request 0, which has not been started");
    m = trace_memory_new(2);
    add_compute(m, 1, UINT64_MAX);
    EXPECT(m, BASE_INPUT, "memory: rank 1, event 1: computing for 18446744073709551615 ns exceeds");
    m = trace_memory_new(2);
    add_compute(m, 1, 5);
    add_compute(m, 1, UINT64_MAX);
    EXPECT(m, BASE_INPUT, "memory: rank 1, event 2: computing for");
    m = trace_memory_new(1);
    for (int i = 0; i < 3; i++)
        add_compute(m, 0, UINT64_C(1) << 61);
    EXPECT(m, BASE_INPUT, "rank 0, event 2: computing");
}

/* ---- what is asked for */

static void expect_usage(const uint32_t *terminal, const struct replay_semantics *options, const char *text)
{
    struct trace_memory *m = trace_memory_new(2);
    struct net_topology *topology = net_topology_new("ideal:2", NULL);
    struct net_options net_options = {0};
    struct net_network *network = net_network_new(topology, NULL, &net_options, NULL);
    struct replay_result result;
    struct base_error error = {0};
    assert_int_equal(replay_run(trace_memory_program(m), terminal, network, options, &result, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_string_equal(error.text, text);
    net_network_free(network);
    net_topology_free(topology);
    trace_close(trace_memory_program(m));
}

static void impossible_options_are_refused(void **state)
{
    const uint32_t apart[] = {0, 1}, together[] = {1, 1};
    struct replay_semantics options = test_options();
    (void)state;
    expect_usage(together, &options,
                 "rank 1 is placed on terminal 1, which has 1 rank already, and may have no more");
    options.clock_khz = 0;
    expect_usage(apart, &options, "the network's clock must run: clock_khz is 0");
    options = test_options();
    options.flit_bytes = 0;
    expect_usage(apart, &options, "a flit needs at least one byte");
    options = test_options();
    options.collectives = NULL;
    expect_usage(apart, &options, "no table of collective algorithms was given");
}

/* ---- no memory */

/* What takes memory of its own: several collectives under way, places for wildcards and probes, puts and
 * gets. */
static void add_all_kinds(struct trace_memory *m, uint32_t rank)
{
    uint64_t set[5];
    for (size_t i = 0; i < 5; i++) {
        set[i] = trace_memory_next_request(m, rank);
        add_op(m, rank,
               (struct trace_op){.kind = i < 3   ? TRACE_COLLECTIVE_CALL
                                         : i < 4 ? TRACE_PUT
                                                 : TRACE_GET,
                                 .flags = TRACE_NONBLOCKING,
                                 .collective = TRACE_ALLREDUCE,
                                 .root = UINT32_MAX,
                                 .peer = (rank + 1) % 4,
                                 .bytes = LONG});
    }
    add_isend(m, rank, (rank + 1) % 4, 3, 8);
    add_isend(m, rank, (rank + 1) % 4, 4, 8);
    add_wait_all(m, rank, set, 5);
    add_op(m, rank, (struct trace_op){.kind = TRACE_PROBE, .peer = TRACE_ANY_SOURCE, .tag = 4});
    add_receive(m, rank, (rank + 3) % 4, TRACE_ANY_TAG, 8);
    add_receive(m, rank, TRACE_ANY_SOURCE, 4, 8);
}

/* A bit of everything. Ends well, or with an unmatched send, or in a deadlock. */
static struct trace_memory *varied(int end)
{
    struct trace_memory *m = trace_memory_new(4);
    if (m == NULL)
        return NULL;
    for (uint32_t rank = 0; rank < 4; rank++) {
        uint64_t set[80];
        size_t count = 0;
        for (int i = 0; i < 20; i++) {
            set[count++] = add_ireceive(m, rank, (rank + 3) % 4, 1, 8);
            set[count++] = add_ireceive(m, rank, (rank + 1) % 4, 2, LONG);
            set[count++] = add_isend(m, rank, (rank + 1) % 4, 1, 8);
            set[count++] = add_isend(m, rank, (rank + 3) % 4, 2, LONG);
        }
        add_wait_all(m, rank, set, count);
        add_compute(m, rank, 10 * rank);
        for (int i = 0; i < 3; i++)
            add_collective(m, rank, TRACE_ALLREDUCE, 0, UINT32_MAX, LONG);
        add_all_kinds(m, rank);
    }
    if (end == 1)
        add_send(m, 0, 1, 5, 8);
    if (end == 2)
        add_receive(m, 0, 1, 5, 8);
    return m;
}

struct attempt {
    struct trace_program *program;
    const char *topology;
    enum base_status expected;
};

static int attempt(void *state)
{
    struct attempt *attempt = state;
    struct replay_semantics options = test_options();
    struct replay_result result;
    struct base_error error = {0};
    if (replay_on(attempt->topology, attempt->program, &options, &result, &error) == 0) {
        replay_result_free(&result);
        return 0;
    }
    return error.status == attempt->expected ? 0 : error.status == BASE_SYSTEM ? -1 : -2;
}

static void every_allocation_may_fail(void **state)
{
    static const enum base_status ends[] = {BASE_OK, BASE_INPUT, BASE_DEADLOCK};
    static const char *const topologies[] = {"ideal:4", "mesh:2x2"};
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct trace_memory *m = varied(i % 3);
        struct attempt one = {trace_memory_program(m), topologies[i / 3], ends[i % 3]};
        assert_in_range(fail_alloc_each(attempt, &one), 20, 1000);
        trace_close(one.program);
    }
}

static int build(void *state)
{
    struct trace_memory *m = trace_memory_new(3);
    const uint64_t sizes[2] = {1, 2};
    const uint64_t request = 0;
    int status = -1;
    (void)state;
    if (m == NULL)
        return -1;
    uint32_t pair = trace_memory_communicator(m, "pair", (const uint32_t[]){0, 2}, 2);
    if (pair == 1 && trace_memory_vector(m, pair, 0, sizes, sizes) == 0)
        status = 0;
    for (int i = 0; i < 100 && status == 0; i++)
        status = trace_memory_add(
            m, 2, &(struct trace_op){.kind = TRACE_WAIT, .requests = &request, .request_count = 1});
    if (status == 0)
        status =
            trace_memory_add(m, 0, &(struct trace_op){.kind = TRACE_COLLECTIVE_CALL, .communicator = pair});
    if (status == 0)
        assert_int_equal(trace_program_vector(trace_memory_program(m), pair, 0)->sent[1], 2);
    trace_close(trace_memory_program(m));
    return status;
}

static void building_a_program_may_fail_too(void **state)
{
    (void)state;
    assert_in_range(fail_alloc_each(build, NULL), 8, 1000);
}

/* One message and one collective at a time, n times. */
static struct trace_memory *one_at_a_time(int n)
{
    struct trace_memory *m = trace_memory_new(2);
    for (int i = 0; i < n; i++) {
        add_isend(m, 0, 1, (uint32_t)i, 8);
        add_receive(m, 1, 0, (uint32_t)i, 8);
        add_ssend(m, 1, 0, 1, 8);
        add_receive(m, 0, 1, 1, 8);
        add_collective(m, 0, TRACE_BARRIER, 0, UINT32_MAX, 0);
        add_collective(m, 1, TRACE_BARRIER, 0, UINT32_MAX, 0);
    }
    return m;
}

/* A program a thousand times as long makes no allocation more: memory is what is in flight. */
static void memory_does_not_grow_with_the_program(void **state)
{
    struct trace_memory *m = one_at_a_time(10);
    struct attempt one = {trace_memory_program(m), "ideal:2", BASE_OK};
    long allocations = fail_alloc_each(attempt, &one);
    (void)state;
    trace_close(one.program);
    assert_in_range(allocations, 10, 1000);
    m = one_at_a_time(10000);
    one.program = trace_memory_program(m);
    fail_alloc_arm((unsigned long)allocations + 1);
    ASSERT_OK(attempt(&one));
    assert_false(fail_alloc_disarm());
    trace_close(one.program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(head_to_head_rendezvous_is_a_cycle),
        cmocka_unit_test(head_to_head_eager_is_none),
        cmocka_unit_test(a_missing_send_names_the_rank_that_has_ended),
        cmocka_unit_test(a_missing_receive_too_and_what_was_meant),
        cmocka_unit_test(a_wait_names_its_first_open_request),
        cmocka_unit_test(a_receive_from_oneself_is_a_cycle_of_one),
        cmocka_unit_test(a_missing_member_of_a_collective_is_the_cause),
        cmocka_unit_test(a_long_list_is_cut),
        cmocka_unit_test(the_cycle_leaves_out_who_only_waits_for_it),
        cmocka_unit_test(unmatched_calls_are_listed),
        cmocka_unit_test(many_unmatched_calls_are_cut),
        cmocka_unit_test(a_receive_too_short_is_truncation),
        cmocka_unit_test(members_must_agree_on_the_collective),
        cmocka_unit_test(members_must_agree_without_roots_too),
        cmocka_unit_test(members_must_agree_on_the_root),
        cmocka_unit_test(an_impossible_collective_says_where),
        cmocka_unit_test(a_wrong_schedule_is_found),
        cmocka_unit_test(a_stranger_in_a_collective_is_refused),
        cmocka_unit_test(impossible_operations_are_refused),
        cmocka_unit_test(impossible_options_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
        cmocka_unit_test(building_a_program_may_fail_too),
        cmocka_unit_test(memory_does_not_grow_with_the_program),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
