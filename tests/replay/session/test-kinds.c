/* The rules of doc/replay.md for what is no plain message: collectives that do not block, wildcards, probes,
 * one-sided and buffered calls, implied collectives, two groups. Times are worked out by hand as in
 * test-rules.c: a message of n flits that crosses d links of an empty mesh is there d + n cycles after it was
 * sent; flits have 8 bytes, the eager limit is 1024. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"
#include "tests/replay/support.h"

#define EAGER 64  /* bytes: 8 flits */
#define LONG 2048 /* bytes: 256 flits, rendezvous */
#define LONG_FLITS 256
#define MESH "mesh:4x4" /* ranks 0 and 1 are neighbours, 0 and 3 three links apart */
#define ANYBODY TRACE_ANY_SOURCE
#define ANYTHING TRACE_ANY_TAG

/* ---- helpers */

/* The request of a collective that does not block. */
static uint64_t add_icollective(struct trace_memory *m, uint32_t rank, enum trace_collective kind,
                                uint32_t communicator, uint32_t root, uint64_t bytes)
{
    uint64_t request = trace_memory_next_request(m, rank);
    add_op(m, rank,
           (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                             .flags = TRACE_NONBLOCKING,
                             .collective = kind,
                             .communicator = communicator,
                             .root = root,
                             .bytes = bytes});
    return request;
}

/* On MPI_COMM_WORLD. */
static void add_probe(struct trace_memory *m, uint32_t rank, uint32_t peer, uint32_t tag)
{
    add_op(m, rank, (struct trace_op){.kind = TRACE_PROBE, .peer = peer, .tag = tag});
}

/* The request of a put or a get. */
static uint64_t add_one_sided(struct trace_memory *m, uint32_t rank, enum trace_op_kind kind, uint32_t peer,
                              uint64_t bytes)
{
    uint64_t request = trace_memory_next_request(m, rank);
    add_op(m, rank,
           (struct trace_op){.kind = kind, .flags = TRACE_NONBLOCKING, .peer = peer, .bytes = bytes});
    return request;
}

/* Replays on the mesh, and closes. */
static struct replay_result result_of(struct trace_memory *m)
{
    struct replay_semantics options = test_options();
    struct replay_result result;
    struct base_error error = {0};
    if (replay_on(MESH, trace_memory_program(m), &options, &result, &error) < 0)
        fail_msg("%s", error.text);
    trace_close(trace_memory_program(m));
    return result;
}

/* "1@0:5 " for every match, in the order they happen: event 5 at rank 1 gets what rank 0 sent. */
struct log {
    char text[512];
    size_t length;
};

static void note_match(void *context, const struct replay_observation *now)
{
    struct log *log = context;
    if (now->what == REPLAY_MATCHED)
        log->length +=
            (size_t)snprintf(log->text + log->length, sizeof log->text - log->length,
                             "%" PRIu64 "<%" PRIu32 ":%" PRIu32 " ", now->event, now->peer, now->tag);
    assert_true(log->length < sizeof log->text);
}

/* The matches of a program in which one rank receives: "EVENT<SOURCE:TAG ". */
static void expect_matches(struct trace_memory *m, const char *expected, uint32_t rank, uint64_t finish)
{
    struct log log = {{0}, 0};
    struct replay_semantics options = test_options();
    options.observe = note_match;
    options.observe_context = &log;
    assert_int_equal(finish_with(MESH, m, &options, rank), finish);
    assert_string_equal(log.text, expected);
}

/* The text must hold all the parts, in order. */
static void expect_deadlock(struct trace_memory *m, const char *const *parts)
{
    struct replay_semantics options = test_options();
    struct replay_result result = {0};
    struct base_error error = {0};
    assert_int_equal(replay_on(MESH, trace_memory_program(m), &options, &result, &error), -1);
    assert_int_equal(error.status, BASE_DEADLOCK);
    for (const char *at = error.text; *parts != NULL; parts++) {
        const char *found = strstr(at, *parts);
        if (found == NULL)
            fail_msg("\"%s\" is missing in:\n%s", *parts, error.text);
        at = found + strlen(*parts);
    }
    trace_close(trace_memory_program(m));
}

#define EXPECT_DEADLOCK(memory, ...) expect_deadlock(memory, (const char *const[]){__VA_ARGS__, NULL})

/* ---- collectives that do not block */

/* When a rank has passed a barrier that both start, rank 1 later by `before`, and work `during`. */
static uint64_t barrier_finish(uint64_t before, uint64_t during, uint32_t rank)
{
    struct trace_memory *m = trace_memory_new(2);
    add_compute(m, 1, before);
    for (uint32_t i = 0; i < 2; i++) {
        uint64_t request = add_icollective(m, i, TRACE_BARRIER, 0, UINT32_MAX, 0);
        add_compute(m, i, during);
        add_wait(m, i, request);
    }
    return finish_on(MESH, m, rank);
}

/* The centre of the star answers while it computes: a rank that has called may be as late as it likes. */
static void a_collective_progresses_while_its_ranks_compute(void **state)
{
    (void)state;
    assert_int_equal(barrier_finish(0, 0, 0), 2);
    assert_int_equal(barrier_finish(0, 0, 1), 4);
    assert_int_equal(barrier_finish(0, 1000, 0), 1000);
    assert_int_equal(barrier_finish(0, 1000, 1), 1000);
    assert_int_equal(barrier_finish(0, 3, 1), 4);
    assert_int_equal(barrier_finish(500, 0, 0), 502);
    assert_int_equal(barrier_finish(500, 1, 1), 504);
}

/* RTS and CTS cross while both compute; rank 1 ends with the last flit. */
static void a_long_collective_progresses_by_rendezvous(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        uint64_t request = add_icollective(m, rank, TRACE_BCAST, 0, 0, LONG);
        add_compute(m, rank, 100);
        add_wait(m, rank, request);
    }
    assert_int_equal(finish_on(MESH, m, 1), 2 + 2 + 1 + LONG_FLITS);
}

/* Blocking ones and others count on one communicator, in the order of the calls; waits in any order. */
static void several_collectives_are_under_way(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t first, second;
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        first = add_icollective(m, rank, TRACE_BCAST, 0, 0, EAGER);
        second = add_icollective(m, rank, TRACE_REDUCE, 0, 1, EAGER);
        add_collective(m, rank, TRACE_BCAST, 0, 0, 8);
        add_wait(m, rank, second);
        add_wait(m, rank, first);
    }
    /* Rank 1 gets 8 flits of the first, 8 of the reduction and 1 of the last, which leaves the queue last. */
    assert_int_equal(finish_on(MESH, m, 1), 1 + 8 + 8 + 1);
    m = trace_memory_new(2);
    add_collective(m, 0, TRACE_BARRIER, 0, UINT32_MAX, 0);
    add_icollective(m, 0, TRACE_BCAST, 0, 0, 8);
    add_compute(m, 1, 70);
    add_collective(m, 1, TRACE_BARRIER, 0, UINT32_MAX, 0);
    add_wait(m, 1,
             add_icollective(m, 1, TRACE_BCAST, 0, 0, 8)); /* sent at 72, behind the answer of the barrier */
    assert_int_equal(finish_on(MESH, m, 1), 72 + 3);
}

/* As a message that nobody waits for. */
static void a_collective_nobody_waits_for_completes_all_the_same(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++) {
        add_icollective(m, rank, TRACE_ALLREDUCE, 0, UINT32_MAX, LONG);
        add_compute(m, rank, 5);
    }
    assert_int_equal(finish_on(MESH, m, 0), 5);
    m = trace_memory_new(2); /* no steps at all: complete at once */
    add_wait(m, 0, add_icollective(m, 0, TRACE_EXSCAN, 0, UINT32_MAX, 8));
    assert_int_equal(finish_on(MESH, m, 0), 0);
}

/* The steps are what is missing: with their call, collective and peer. */
static void a_collective_waits_for_a_member_that_never_calls(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++)
        add_wait(m, rank, add_icollective(m, rank, TRACE_ALLREDUCE, 0, UINT32_MAX, 8));
    EXPECT_DEADLOCK(m, "2 of 3 ranks wait",
                    "rank 0 waits in MPI_Wait (event 2) for MPI_Iallreduce (event 1): 8 bytes from rank 2 in "
                    "allreduce, collective 1 on MPI_COMM_WORLD",
                    "rank 1 waits in MPI_Wait (event 2) for MPI_Iallreduce (event 1): 8 bytes from rank 0",
                    "cause: rank 0 waits for a message from rank 2; rank 2 has ended without sending it");
}

/* Two communicators in another order: a deadlock when blocking, none otherwise. */
static void collectives_in_another_order_need_not_block(void **state)
{
    for (int blocking = 0; blocking < 2; blocking++) {
        struct trace_memory *m = trace_memory_new(2);
        uint32_t twin = trace_memory_communicator(m, "twin", (const uint32_t[]){0, 1}, 2);
        (void)state;
        for (uint32_t rank = 0; rank < 2; rank++) {
            uint32_t first = rank == 0 ? 0 : twin, second = rank == 0 ? twin : 0;
            if (blocking) {
                add_collective(m, rank, TRACE_BARRIER, first, UINT32_MAX, 0);
                add_collective(m, rank, TRACE_BARRIER, second, UINT32_MAX, 0);
                continue;
            }
            uint64_t set[2];
            set[0] = add_icollective(m, rank, TRACE_BARRIER, first, UINT32_MAX, 0);
            set[1] = add_icollective(m, rank, TRACE_BARRIER, second, UINT32_MAX, 0);
            add_wait_all(m, rank, set, 2);
        }
        if (blocking)
            EXPECT_DEADLOCK(
                m,
                "rank 0 waits in MPI_Barrier (event 1): 0 bytes from rank 1 in barrier, collective 1 on "
                "MPI_COMM_WORLD",
                "rank 1 waits in MPI_Barrier (event 1): 0 bytes from rank 0 in barrier, collective 1 on twin",
                "cycle: rank 0 -> rank 1 -> rank 0");
        else
            assert_int_equal(finish_on(MESH, m, 1), 5); /* both answers leave at 2 and 3 */
    }
}

/* ---- wildcards */

/* Not who sends first in the order of ranks. */
static void anybody_is_who_arrives_first(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    add_send(m, 3, 0, 7, EAGER); /* there at 11 */
    add_compute(m, 1, 20);
    add_send(m, 1, 0, 8, EAGER); /* there at 29 */
    add_receive(m, 0, ANYBODY, ANYTHING, 100);
    add_compute(m, 0, 1);
    add_receive(m, 0, ANYBODY, ANYTHING, 100);
    expect_matches(m, "1<3:7 3<1:8 ", 0, 29);
}

/* All three are there when the rank comes: in the order of arrival, as far as the receive allows. */
static void unexpected_messages_are_taken_as_they_came(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    add_send(m, 3, 0, 7, 8); /* there at 4 */
    add_send(m, 1, 0, 8, 8); /* at 2 */
    add_send(m, 2, 0, 7, 8); /* at 3 */
    add_compute(m, 0, 100);
    add_receive(m, 0, ANYBODY, 7, 8);
    add_receive(m, 0, ANYBODY, ANYTHING, 8);
    add_receive(m, 0, 3, ANYTHING, 8);
    expect_matches(m, "2<2:7 3<1:8 4<3:7 ", 0, 100);
}

/* Wildcard or not: the order of posting decides among those that fit. */
static void the_first_posted_receive_has_it(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t set[2];
    (void)state;
    set[0] = add_ireceive(m, 0, ANYBODY, 7, 8);
    set[1] = add_ireceive(m, 0, 1, 7, 8);
    add_wait_all(m, 0, set, 2);
    add_send(m, 1, 0, 7, 8);
    add_send(m, 1, 0, 7, 8);
    expect_matches(m, "1<1:7 2<1:7 ", 0, 3);
    m = trace_memory_new(2);
    set[0] = add_ireceive(m, 0, 1, 7, 8);
    set[1] = add_ireceive(m, 0, ANYBODY, ANYTHING, 8);
    add_wait_all(m, 0, set, 2);
    add_send(m, 1, 0, 6, 8); /* not for the first one */
    add_send(m, 1, 0, 7, 8);
    expect_matches(m, "2<1:6 1<1:7 ", 0, 3);
}

/* Sent before the first wildcard, received after it; a receive with a tag takes its own from the middle. */
static void a_wildcard_finds_what_was_under_way(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (uint32_t tag = 1; tag <= 4; tag++)
        add_send(m, 1, 0, tag, EAGER); /* there at 9, 17, 25, 33 */
    add_compute(m, 0, 10);
    add_receive(m, 0, 1, 2, EAGER);        /* by envelope, at 17 */
    add_receive(m, 0, ANYBODY, 3, EAGER);  /* at 25 */
    add_receive(m, 0, 1, 4, EAGER);        /* at 33 */
    add_receive(m, 0, 1, ANYTHING, EAGER); /* left over */
    expect_matches(m, "2<1:2 3<1:3 4<1:4 5<1:1 ", 0, 33);
}

/* The RTS is what arrives; the answer goes to whoever it came from. */
static void a_wildcard_may_get_a_long_message(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    add_send(m, 1, 0, 7, LONG); /* RTS there at 2 */
    add_send(m, 3, 0, 8, 8);    /* at 4 */
    add_receive(m, 0, ANYBODY, ANYTHING, LONG);
    add_receive(m, 0, ANYBODY, ANYTHING, LONG);
    expect_matches(m, "1<1:7 2<3:8 ", 0, 2 + 2 + 1 + LONG_FLITS);
}

/* Posted before, or sent before and found unexpected. */
static void a_wildcard_may_get_a_message_from_oneself(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t request = add_ireceive(m, 0, ANYBODY, ANYTHING, LONG);
    (void)state;
    add_send(m, 0, 0, 3, LONG);
    add_wait(m, 0, request);
    add_send(m, 0, 0, 4, EAGER);
    add_receive(m, 0, ANYBODY, 4, EAGER);
    expect_matches(m, "1<0:3 5<0:4 ", 0, 0);
}

/* Another communicator, and the shadow context of collectives, are other worlds. */
static void wildcards_stay_on_their_communicator(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint32_t other = trace_memory_communicator(m, "other", (const uint32_t[]){1, 0}, 2);
    (void)state;
    add_op(m, 1, (struct trace_op){.kind = TRACE_SEND, .communicator = other, .tag = 1, .bytes = 8});
    add_collective(m, 1, TRACE_BCAST, 0, 1, 8); /* nor do they see messages of collectives */
    add_compute(m, 1, 100);
    add_send(m, 1, 0, 2, 8);
    add_receive(m, 0, ANYBODY, ANYTHING, 8);
    add_op(m, 0,
           (struct trace_op){.kind = TRACE_RECEIVE, .peer = 1, .communicator = other, .tag = 1, .bytes = 8});
    add_collective(m, 0, TRACE_BCAST, 0, 1, 8);
    expect_matches(m, "1<1:2 2<1:1 ", 0, 102);
}

/* It waits for everybody who could send: the search goes on through each. */
static void a_wildcard_that_nobody_serves_is_a_deadlock(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    add_receive(m, 0, ANYBODY, 5, 8);
    add_receive(m, 2, 0, ANYTHING, 8);
    EXPECT_DEADLOCK(m, "2 of 3 ranks wait",
                    "rank 0 waits in MPI_Recv (event 1): 8 bytes from any rank, tag 5, on MPI_COMM_WORLD",
                    "rank 2 waits in MPI_Recv (event 1): 8 bytes from rank 0, any tag, on MPI_COMM_WORLD",
                    "cycle: rank 0 -> rank 2 -> rank 0");
    m = trace_memory_new(3);
    add_receive(m, 1, ANYBODY, 5, 8);
    add_send(m, 0, 1, 6, 8);
    EXPECT_DEADLOCK(
        m,
        "cause: rank 1 waits for a message from any rank, tag 5, on MPI_COMM_WORLD; rank 0 has ended "
        "without sending one",
        "unmatched besides:", "rank 0, MPI_Send (event 1): 8 bytes to rank 1, tag 6");
}

/* The wildcard took the first message; the second, and a receive of another tag, are left. */
static void unmatched_wildcards_are_listed_at_the_end(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    struct replay_semantics options = test_options();
    struct replay_result result;
    struct base_error error = {0};
    (void)state;
    add_ireceive(m, 0, ANYBODY, ANYTHING, 8);
    add_ireceive(m, 0, 1, 4, 8);
    add_send(m, 1, 0, 3, 8);
    add_send(m, 1, 0, 3, 8);
    assert_int_equal(replay_on(MESH, trace_memory_program(m), &options, &result, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_non_null(strstr(error.text, "2 unmatched calls"));
    assert_non_null(strstr(error.text, "rank 0, MPI_Irecv (event 2): 8 bytes from rank 1, tag 4"));
    assert_non_null(strstr(error.text, "rank 1, MPI_Send (event 2): 8 bytes to rank 0, tag 3"));
    trace_close(trace_memory_program(m));
}

/* ---- probes */

/* The receive behind it gets the message, which is there by then. */
static void a_probe_waits_and_takes_nothing(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_compute(m, 1, 100);
    add_send(m, 1, 0, 5, EAGER);
    add_probe(m, 0, 1, 5);
    add_probe(m, 0, ANYBODY, ANYTHING); /* returns at once */
    add_compute(m, 0, 20);
    add_receive(m, 0, 1, 5, EAGER);
    assert_int_equal(finish_on(MESH, m, 0), 100 + 9 + 20);
}

/* Of a long message the RTS is enough; the data wait for the receive. */
static void a_probe_sees_the_announcement_of_a_long_message(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 1, 0, 5, LONG);
    add_probe(m, 0, 1, 5);
    add_compute(m, 0, 20);
    add_receive(m, 0, 1, 5, LONG);
    assert_int_equal(finish_on(MESH, m, 0), 2 + 20 + 2 + 1 + LONG_FLITS);
}

/* The first message goes to the receive that was posted; the third is the one probed for. */
static void a_probe_does_not_see_what_a_receive_has(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_ireceive(m, 0, 1, 5, EAGER);
    add_probe(m, 0, 1, 5);
    add_send(m, 1, 0, 5, EAGER);
    add_compute(m, 1, 300);
    add_send(m, 1, 0, 6, EAGER); /* another tag */
    add_send(m, 1, 0, 5, EAGER);
    add_receive(m, 0, 1, 5, EAGER);
    add_receive(m, 0, 1, 6, EAGER);
    assert_int_equal(finish_on(MESH, m, 0), 300 + 1 + 16);
}

/* Probes have peers and tags like receives. */
static void a_probe_for_nothing_is_a_deadlock(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_probe(m, 0, 1, 5);
    add_probe(m, 1, 0, ANYTHING);
    EXPECT_DEADLOCK(m, "2 of 2 ranks wait",
                    "rank 0 waits in MPI_Probe (event 1): a message from rank 1, tag 5, on MPI_COMM_WORLD",
                    "rank 1 waits in MPI_Probe (event 1): a message from rank 0, any tag, on MPI_COMM_WORLD",
                    "cycle: rank 0 -> rank 1 -> rank 0");
}

/* ---- one-sided */

/* Also above the eager limit in one crossing; who does not wait goes on at once. */
static void a_put_completes_when_it_is_there(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    add_wait(m, 0, add_one_sided(m, 0, TRACE_PUT, 3, EAGER));
    assert_int_equal(finish_on(MESH, m, 0), 3 + 8);
    m = trace_memory_new(4);
    add_wait(m, 0, add_one_sided(m, 0, TRACE_PUT, 3, LONG)); /* no protocol: the memory is there */
    assert_int_equal(finish_on(MESH, m, 0), 3 + LONG_FLITS);
    m = trace_memory_new(4);
    add_one_sided(m, 0, TRACE_PUT, 3, LONG);
    add_compute(m, 0, 4);
    assert_int_equal(finish_on(MESH, m, 0), 4);
}

/* The data are the target's: they count there, without an operation of it. */
static void a_get_is_a_question_and_an_answer(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    add_wait(m, 0, add_one_sided(m, 0, TRACE_GET, 3, EAGER));
    struct replay_result result = result_of(m);
    assert_int_equal(result.rank[0].finish_ns, 3 + 1 + 3 + 8);
    assert_int_equal(result.rank[3].finish_ns, 0);
    assert_int_equal(result.messages, 1);
    assert_int_equal(result.message_bytes, EAGER);
    assert_int_equal(result.control_messages, 1);
    assert_int_equal(result.rank[0].bytes_sent, 0);
    assert_int_equal(result.rank[3].bytes_sent, EAGER);
    replay_result_free(&result);
}

/* Counted, but not sent. */
static void ones_own_memory_is_at_hand(void **state)
{
    struct trace_memory *m = trace_memory_new(1);
    uint64_t set[2];
    (void)state;
    set[0] = add_one_sided(m, 0, TRACE_GET, 0, LONG);
    set[1] = add_one_sided(m, 0, TRACE_PUT, 0, LONG);
    add_wait_all(m, 0, set, 2);
    struct replay_result result = result_of(m);
    assert_int_equal(result.simulated_ns, 0);
    assert_int_equal(result.messages, 2);
    assert_int_equal(result.self_messages, 2);
    assert_int_equal(result.control_messages, 0);
    replay_result_free(&result);
}

/* ---- buffered sends */

/* Nor does a wait for it. The data take the way of long messages behind its back. */
static void a_buffered_send_never_waits(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    struct trace_op op = {.kind = TRACE_SEND, .flags = TRACE_BUFFERED, .peer = 1, .tag = 5, .bytes = LONG};
    (void)state;
    add_op(m, 0, op);
    op.flags |= TRACE_NONBLOCKING;
    uint64_t request = trace_memory_next_request(m, 0);
    add_op(m, 0, op);
    add_wait(m, 0, request);
    add_compute(m, 1, 1000);
    add_receive(m, 1, 0, 5, LONG);
    add_receive(m, 1, 0, 5, LONG);
    struct replay_result result = result_of(m);
    assert_int_equal(result.rank[0].finish_ns, 0);
    assert_int_equal(result.rank[1].finish_ns, 1000 + 2 * (2 + 1 + LONG_FLITS)); /* still by rendezvous */
    assert_int_equal(result.control_messages, 4);
    replay_result_free(&result);
    m = trace_memory_new(1); /* to oneself, before the receive */
    add_op(m, 0, (struct trace_op){.kind = TRACE_SEND, .flags = TRACE_BUFFERED, .bytes = LONG});
    add_compute(m, 0, 7);
    add_receive(m, 0, 0, 0, LONG);
    assert_int_equal(finish_on(MESH, m, 0), 7);
}

/* ---- implied collectives */

/* Executed alike, but in a row of their own, behind those of the program. */
static void implied_collectives_are_counted_apart(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (uint32_t rank = 0; rank < 2; rank++) {
        add_op(m, rank,
               (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                 .flags = TRACE_IMPLIED,
                                 .collective = TRACE_BARRIER,
                                 .root = UINT32_MAX});
        add_collective(m, rank, TRACE_BARRIER, 0, UINT32_MAX, 0);
        add_collective(m, rank, TRACE_BARRIER, 0, UINT32_MAX, 0);
    }
    assert_int_equal(trace_program_summary(trace_memory_program(m))->collectives[TRACE_BARRIER].calls, 4);
    struct replay_result result = result_of(m);
    assert_int_equal(result.collective_count, 2);
    assert_false(result.collectives[0].implied);
    assert_int_equal(result.collectives[0].calls, 4);
    assert_int_equal(result.collectives[0].messages, 4);
    assert_true(result.collectives[1].implied);
    assert_int_equal(result.collectives[1].calls, 2);
    assert_int_equal(result.collectives[1].messages, 2);
    replay_result_free(&result);
}

/* ---- two groups */

/* Roots and peers count on through the second group. */
static void a_collective_of_two_groups_counts_both(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    uint32_t inter = trace_memory_inter(m, "inter", (const uint32_t[]){1, 0}, 2, (const uint32_t[]){2, 3}, 2);
    (void)state;
    add_compute(m, 3, 50);
    for (uint32_t rank = 0; rank < 4; rank++)
        add_collective(m, rank, TRACE_BCAST, inter, 3, EAGER);
    struct replay_result result = result_of(m);
    /* rank 3 sends to the first of the other group, which hands it on: 2 links, then 1 */
    assert_int_equal(result.rank[1].finish_ns, 50 + 2 + 8);
    assert_int_equal(result.rank[0].finish_ns, 50 + 2 + 8 + 1 + 8);
    assert_int_equal(result.rank[2].finish_ns, 0);
    replay_result_free(&result);
}

/* Every operation that MPI defines between groups ends on all ranks; the late one holds up itself at least.
 */
static void real_algorithms_cross_between_the_groups(void **state)
{
    struct replay_semantics options = test_options();
    size_t count;
    (void)state;
    options.collectives = trace_tunings(&count)[0];
    for (int kind = 0; kind < TRACE_COLLECTIVES; kind++) {
        struct trace_memory *m = trace_memory_new(5);
        uint32_t inter =
            trace_memory_inter(m, "inter", (const uint32_t[]){0, 1}, 2, (const uint32_t[]){4, 2, 3}, 3);
        if (kind == TRACE_SCAN || kind == TRACE_EXSCAN) {
            trace_close(trace_memory_program(m)); /* not defined on inter-communicators */
            continue;
        }
        for (uint32_t rank = 0; rank < 5; rank++) {
            bool rooted = kind == TRACE_BCAST || kind == TRACE_REDUCE || kind == TRACE_GATHER ||
                          kind == TRACE_GATHERV || kind == TRACE_SCATTER || kind == TRACE_SCATTERV;
            add_compute(m, rank, rank == 1 ? 1000 : 0);
            add_collective(m, rank, (enum trace_collective)kind, inter, rooted ? 1 : UINT32_MAX, 64);
        }
        assert_true(finish_with(MESH, m, &options, 1) >= 1000);
    }
}

/* The program has world ranks for peers; the two groups only tell who could answer a wildcard. */
static void messages_name_ranks_of_the_world_in_either_group(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    uint32_t inter = trace_memory_inter(m, "inter", (const uint32_t[]){1, 0}, 2, (const uint32_t[]){2, 3}, 2);
    (void)state;
    add_op(m, 0,
           (struct trace_op){.kind = TRACE_SEND, .peer = 3, .tag = 1, .communicator = inter, .bytes = 64});
    add_op(m, 3,
           (struct trace_op){
               .kind = TRACE_RECEIVE, .peer = ANYBODY, .tag = 1, .communicator = inter, .bytes = 64});
    expect_matches(m, "1<0:1 ", 3, 3 + 8);
    m = trace_memory_new(4); /* who could help is in the other group */
    inter = trace_memory_inter(m, "inter", (const uint32_t[]){1, 0}, 2, (const uint32_t[]){2, 3}, 2);
    for (uint32_t rank = 1; rank < 3; rank++)
        add_op(m, rank, (struct trace_op){.kind = TRACE_RECEIVE, .peer = ANYBODY, .communicator = inter});
    EXPECT_DEADLOCK(m, "rank 1 waits in MPI_Recv (event 1): 0 bytes from any rank, tag 0, on inter",
                    "cycle: rank 1 -> rank 2 -> rank 1");
}

/* ---- large */

/* 600 ranks that know the totals of an alltoallv only: the time of a rank must not be the square of them. */
static void a_large_alltoallv_is_expanded_in_one_pass(void **state)
{
    enum { RANKS = 600 };
    struct trace_memory *m = trace_memory_new(RANKS);
    struct replay_semantics options = test_options();
    uint64_t totals[RANKS];
    size_t count;
    (void)state;
    options.collectives = trace_tunings(&count)[0];
    for (uint32_t rank = 0; rank < RANKS; rank++)
        totals[rank] = 8 * RANKS;
    for (uint32_t rank = 0; rank < RANKS; rank++)
        add_collective(m, rank, TRACE_ALLTOALLV, 0, UINT32_MAX, 0);
    ASSERT_OK(trace_memory_vector(m, 0, 0, totals, totals));
    struct trace_program *program = trace_memory_program(m);
    struct replay_result result;
    struct base_error error = {0};
    if (replay_on("ideal:600", program, &options, &result, &error) < 0)
        fail_msg("%s", error.text);
    assert_int_equal(result.messages, RANKS * (RANKS - 1));
    assert_int_equal(result.message_bytes, 8 * RANKS * (RANKS - 1));
    replay_result_free(&result);
    trace_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_collective_progresses_while_its_ranks_compute),
        cmocka_unit_test(a_long_collective_progresses_by_rendezvous),
        cmocka_unit_test(several_collectives_are_under_way),
        cmocka_unit_test(a_collective_nobody_waits_for_completes_all_the_same),
        cmocka_unit_test(a_collective_waits_for_a_member_that_never_calls),
        cmocka_unit_test(collectives_in_another_order_need_not_block),
        cmocka_unit_test(anybody_is_who_arrives_first),
        cmocka_unit_test(unexpected_messages_are_taken_as_they_came),
        cmocka_unit_test(the_first_posted_receive_has_it),
        cmocka_unit_test(a_wildcard_finds_what_was_under_way),
        cmocka_unit_test(a_wildcard_may_get_a_long_message),
        cmocka_unit_test(a_wildcard_may_get_a_message_from_oneself),
        cmocka_unit_test(wildcards_stay_on_their_communicator),
        cmocka_unit_test(a_wildcard_that_nobody_serves_is_a_deadlock),
        cmocka_unit_test(unmatched_wildcards_are_listed_at_the_end),
        cmocka_unit_test(a_probe_waits_and_takes_nothing),
        cmocka_unit_test(a_probe_sees_the_announcement_of_a_long_message),
        cmocka_unit_test(a_probe_does_not_see_what_a_receive_has),
        cmocka_unit_test(a_probe_for_nothing_is_a_deadlock),
        cmocka_unit_test(a_put_completes_when_it_is_there),
        cmocka_unit_test(a_get_is_a_question_and_an_answer),
        cmocka_unit_test(ones_own_memory_is_at_hand),
        cmocka_unit_test(a_buffered_send_never_waits),
        cmocka_unit_test(implied_collectives_are_counted_apart),
        cmocka_unit_test(a_collective_of_two_groups_counts_both),
        cmocka_unit_test(real_algorithms_cross_between_the_groups),
        cmocka_unit_test(messages_name_ranks_of_the_world_in_either_group),
        cmocka_unit_test(a_large_alltoallv_is_expanded_in_one_pass),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
