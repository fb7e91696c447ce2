/* The trace doctor finds each kind of defect in a program that has exactly that one, at its place, and
 * nothing in sound programs; its memory follows what is unmatched. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "traces/doctor/doctor.h"
#include "tests/traces/memory.h"
#include "traces/program-internal.h"

/* ---- programs, an operation a line */

static void add(struct trace_memory *memory, uint32_t rank, struct trace_op op)
{
    assert_int_equal(trace_memory_add(memory, rank, &op), 0);
}

static uint64_t message(struct trace_memory *memory, enum trace_op_kind kind, uint32_t rank, uint32_t peer,
                        uint32_t tag, uint64_t bytes, unsigned flags)
{
    uint64_t request = trace_memory_next_request(memory, rank);
    add(memory, rank,
        (struct trace_op){.kind = kind, .peer = peer, .tag = tag, .bytes = bytes, .flags = flags});
    return request;
}

static void send(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    message(memory, TRACE_SEND, rank, peer, tag, bytes, 0);
}

static void receive(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    message(memory, TRACE_RECEIVE, rank, peer, tag, bytes, 0);
}

static void wait_for(struct trace_memory *memory, uint32_t rank, const uint64_t *requests, size_t count)
{
    add(memory, rank, (struct trace_op){.kind = TRACE_WAIT, .requests = requests, .request_count = count});
}

static void call(struct trace_memory *memory, uint32_t rank, enum trace_collective collective, uint32_t root,
                 uint64_t bytes)
{
    add(memory, rank,
        (struct trace_op){
            .kind = TRACE_COLLECTIVE_CALL, .collective = collective, .root = root, .bytes = bytes});
}

/* ---- the doctor's answer */

/* Examines and closes the program. */
static struct trace_defects *examine_with(struct trace_program *program, const struct trace_options *options)
{
    struct trace_defects *defects = trace_defects_new(0);
    struct base_error error = {0};

    assert_non_null(defects);
    if (trace_doctor(program, options, defects, &error) != 0)
        fail_msg("%s", error.text);
    trace_close(program);
    return defects;
}

static struct trace_defects *examine(struct trace_memory *memory)
{
    return examine_with(trace_memory_program(memory), NULL);
}

static uint64_t count_of(const struct trace_defects *defects, const char *kind)
{
    for (size_t i = 0; i < trace_defects_kinds(defects); i++)
        if (strcmp(trace_defects_kind(defects, i)->kind, kind) == 0)
            return trace_defects_kind(defects, i)->count;
    return 0;
}

static void print_all(const struct trace_defects *defects)
{
    for (size_t i = 0; i < trace_defects_count(defects); i++) {
        const struct trace_defect *defect = trace_defects_get(defects, i);
        print_message("%s, rank %u, event %llu: %s\n", defect->kind, defect->rank,
                      (unsigned long long)defect->event, defect->text);
    }
}

/* Exactly one kind, that many times; the first is at rank and event, and its sentence has `text`. */
static void assert_only(struct trace_defects *defects, const char *kind, enum trace_severity severity,
                        uint64_t count, uint32_t rank, uint64_t event, const char *text)
{
    const struct trace_defect *first;

    if (trace_defects_kinds(defects) != 1 || count_of(defects, kind) != count) {
        print_all(defects);
        fail_msg("not just %llu of %s", (unsigned long long)count, kind);
    }
    first = trace_defects_get(defects, 0);
    assert_int_equal(first->severity, severity);
    assert_int_equal(first->rank, rank);
    assert_int_equal(first->event, event);
    if (strstr(first->text, text) == NULL)
        fail_msg("no '%s' in '%s'", text, first->text);
    trace_defects_free(defects);
}

static void assert_sound(struct trace_defects *defects)
{
    if (trace_defects_kinds(defects) != 0) {
        print_all(defects);
        fail_msg("defects in a sound program");
    }
    trace_defects_free(defects);
}

/* ---- sound programs */

/* Everything that is allowed and could be taken for wrong: messages in another order than their receives,
 * zero bytes, to itself, probes, requests completed one by one, a communicator of its own. */
static void a_sound_program_has_no_defects(void **state)
{
    struct trace_memory *memory = trace_memory_new(4);
    const uint32_t odd[] = {3, 1};
    uint32_t part = trace_memory_communicator(memory, "odd", odd, 2);
    uint64_t requests[3];
    (void)state;

    send(memory, 0, 1, 7, 100);
    send(memory, 0, 1, 8, 200);
    message(memory, TRACE_PROBE, 1, 0, 8, 0, 0);
    receive(memory, 1, 0, 8, 200);
    receive(memory, 1, 0, 7, 100);
    requests[0] = message(memory, TRACE_RECEIVE, 2, 3, 1, 0, TRACE_NONBLOCKING);
    requests[1] = message(memory, TRACE_RECEIVE, 2, 2, 5, 64, TRACE_NONBLOCKING);
    requests[2] = message(memory, TRACE_SEND, 2, 2, 5, 64, TRACE_NONBLOCKING);
    wait_for(memory, 2, requests + 1, 2);
    send(memory, 3, 2, 1, 0);
    wait_for(memory, 2, requests, 1);
    for (uint32_t rank = 0; rank < 4; rank++) {
        call(memory, rank, TRACE_BARRIER, UINT32_MAX, 0);
        call(memory, rank, TRACE_BCAST, 2, 4096);
    }
    for (uint32_t rank = 1; rank < 4; rank += 2)
        add(memory, rank,
            (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                              .collective = TRACE_ALLREDUCE,
                              .communicator = part,
                              .root = UINT32_MAX,
                              .bytes = 8});
    assert_sound(examine(memory));
}

/* Both send first: only with eager sends, and receives posted later, does anyone get on. */
static void head_to_head_sends_are_not_unmatched(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    (void)state;

    for (uint32_t rank = 0; rank < 2; rank++)
        for (uint32_t i = 0; i < 1000; i++)
            send(memory, rank, 1 - rank, i, 1 << 20);
    for (uint32_t rank = 0; rank < 2; rank++)
        for (uint32_t i = 0; i < 1000; i++)
            receive(memory, rank, 1 - rank, 999 - i, 1 << 20);
    assert_sound(examine(memory));
}

static void wildcards_take_what_there_is(void **state)
{
    struct trace_memory *memory = trace_memory_new(3);
    uint64_t request;
    (void)state;

    request = message(memory, TRACE_RECEIVE, 0, TRACE_ANY_SOURCE, TRACE_ANY_TAG, 8, TRACE_NONBLOCKING);
    message(memory, TRACE_PROBE, 0, TRACE_ANY_SOURCE, 4, 0, 0);
    receive(memory, 0, 1, 4, 800);
    receive(memory, 0, TRACE_ANY_SOURCE, 9, 8);
    wait_for(memory, 0, &request, 1);
    send(memory, 1, 0, 4, 800);
    send(memory, 2, 0, 9, 16);
    send(memory, 2, 0, 5, 16);
    assert_sound(examine(memory));
}

/* The wildcard may take the message that the later receive names: what is left then is no defect. */
static void what_wildcards_leave_over_is_weighed_up(void **state)
{
    struct trace_memory *memory = trace_memory_new(3);
    (void)state;

    receive(memory, 0, TRACE_ANY_SOURCE, 1, 8);
    receive(memory, 0, 1, 1, 8);
    send(memory, 1, 0, 1, 8);
    receive(memory, 2, 0, 0, 8);
    send(memory, 0, 2, 0, 8);
    send(memory, 2, 0, 1, 8);
    assert_sound(examine(memory));
}

/* ---- messages */

static void unmatched_sends_are_listed_by_channel(void **state)
{
    struct trace_memory *memory = trace_memory_new(4);
    (void)state;

    for (int i = 0; i < 5; i++)
        send(memory, 3, 1, 7, 1024);
    receive(memory, 1, 3, 7, 1024);
    for (uint32_t rank = 0; rank < 4; rank += 2)
        call(memory, rank, TRACE_BARRIER, UINT32_MAX, 0);
    call(memory, 1, TRACE_BARRIER, UINT32_MAX, 0);
    call(memory, 3, TRACE_BARRIER, UINT32_MAX, 0);
    assert_only(examine(memory), "unmatched-send", TRACE_FAULT, 4, 3, 2,
                "4 messages (4.0 KiB) to rank 1, tag 7, on MPI_COMM_WORLD: no receive");
}

static void unmatched_receives_do_not_stop_the_rest(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    (void)state;

    receive(memory, 0, 1, 3, 8); /* never sent: rank 0 must get on all the same */
    for (uint32_t i = 0; i < 100; i++) {
        send(memory, 0, 1, 1, 8);
        receive(memory, 1, 0, 1, 8);
        send(memory, 1, 0, 1, 8);
        receive(memory, 0, 1, 1, 8);
    }
    assert_only(examine(memory), "unmatched-receive", TRACE_FAULT, 1, 0, 1, "from rank 1, tag 3");
}

static void unmatched_probes_are_found(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    (void)state;

    send(memory, 1, 0, 2, 8);
    receive(memory, 0, 1, 2, 8);
    message(memory, TRACE_PROBE, 0, 1, 2, 0, 0); /* the message has been taken */
    assert_only(examine(memory), "unmatched-probe", TRACE_FAULT, 1, 0, 2, "1 probe");
}

/* Everyone gives up at what rank 1 waits for; the message that the probe waited for comes after that. */
static void a_message_may_come_late(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    (void)state;

    message(memory, TRACE_PROBE, 0, 1, 2, 0, 0);
    receive(memory, 0, 1, 2, 8);
    receive(memory, 1, 0, 9, 8); /* never sent */
    send(memory, 1, 0, 2, 8);
    assert_only(examine(memory), "unmatched-receive", TRACE_FAULT, 1, 1, 1, "from rank 0, tag 9");
}

static void another_communicator_is_another_channel(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    const uint32_t both[] = {0, 1};
    uint32_t other = trace_memory_communicator(memory, "copy", both, 2);
    struct trace_defects *defects;
    (void)state;

    add(memory, 0, (struct trace_op){.kind = TRACE_SEND, .peer = 1, .communicator = other, .bytes = 8});
    receive(memory, 1, 0, 0, 8);
    defects = examine(memory);
    assert_int_equal(count_of(defects, "unmatched-send"), 1);
    assert_int_equal(count_of(defects, "unmatched-receive"), 1);
    assert_non_null(strstr(trace_defects_get(defects, 0)->text, "on MPI_COMM_WORLD"));
    assert_non_null(strstr(trace_defects_get(defects, 1)->text, "on copy"));
    trace_defects_free(defects);
}

static void sizes_are_compared(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    (void)state;

    send(memory, 0, 1, 0, 100);
    receive(memory, 1, 0, 0, 99);
    assert_only(examine(memory), "receive-too-small", TRACE_WARNING, 1, 1, 1,
                "receives 99 bytes, but the matching send (MPI_Send of rank 0, event 1) has 100");
    memory = trace_memory_new(2);
    receive(memory, 1, 0, 0, 101);
    send(memory, 0, 1, 0, 100);
    assert_only(examine(memory), "receive-size", TRACE_WARNING, 1, 1, 1, "receives 101 bytes");
}

/* ---- requests */

static void requests_are_followed(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    const uint64_t unknown = 77;
    (void)state;

    message(memory, TRACE_RECEIVE, 0, 1, 0, 8, TRACE_NONBLOCKING);
    send(memory, 1, 0, 0, 8);
    assert_only(examine(memory), "request-not-completed", TRACE_WARNING, 1, 0, 1, "no wait");

    memory = trace_memory_new(2);
    message(memory, TRACE_SEND, 0, 1, 0, 8, TRACE_NONBLOCKING);
    receive(memory, 1, 0, 0, 8);
    assert_only(examine(memory), "request-not-completed", TRACE_NOTE, 1, 0, 1, "no wait");

    memory = trace_memory_new(1);
    wait_for(memory, 0, &unknown, 1);
    assert_only(examine(memory), "unknown-request", TRACE_WARNING, 1, 0, 1, "request 77");
}

/* ---- collectives */

static void other_operations_and_roots_are_found(void **state)
{
    struct trace_memory *memory = trace_memory_new(3);
    (void)state;

    for (uint32_t rank = 0; rank < 3; rank++) {
        call(memory, rank, TRACE_BARRIER, UINT32_MAX, 0);
        call(memory, rank, rank == 2 ? TRACE_ALLREDUCE : TRACE_BCAST, rank == 2 ? UINT32_MAX : 0, 8);
    }
    assert_only(examine(memory), "collective-order", TRACE_FAULT, 1, 2, 2,
                "calls allreduce as collective 2 on MPI_COMM_WORLD, where rank 0 (event 2) calls bcast");

    memory = trace_memory_new(3);
    for (uint32_t rank = 0; rank < 3; rank++)
        call(memory, rank, TRACE_BCAST, rank == 1, 8);
    assert_only(examine(memory), "collective-root", TRACE_FAULT, 1, 1, 1, "has root 1 in collective 1");
}

/* One lost call makes all that follow disagree: that is told once, and counted. */
static void a_lost_call_is_told_once(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    struct trace_defects *defects;
    (void)state;

    for (int i = 0; i < 50; i++)
        for (uint32_t rank = 0; rank < 2; rank++) {
            if (i > 0 || rank == 0)
                call(memory, rank, TRACE_BCAST, 0, 8);
            call(memory, rank, TRACE_BARRIER, UINT32_MAX, 0);
        }
    defects = examine(memory);
    assert_int_equal(count_of(defects, "collective-order"), 99);
    assert_int_equal(count_of(defects, "collective-missing"), 1);
    assert_int_equal(trace_defects_count(defects), 3);
    trace_defects_free(defects);
}

static void members_that_miss_a_collective_are_named(void **state)
{
    struct trace_memory *memory = trace_memory_new(4);
    (void)state;

    for (int i = 0; i < 3; i++)
        for (uint32_t rank = 0; rank < 4; rank++)
            if (i == 0 || rank % 2 == 0)
                call(memory, rank, TRACE_BARRIER, UINT32_MAX, 0);
    assert_only(examine(memory), "collective-missing", TRACE_FAULT, 2, 0, 2,
                "collective 2 on MPI_COMM_WORLD is not called by 2 of its 4 ranks (1, 3), nor 1 later one");
}

static void sizes_of_collectives_are_compared(void **state)
{
    struct trace_memory *memory = trace_memory_new(3);
    (void)state;

    for (uint32_t rank = 0; rank < 3; rank++)
        call(memory, rank, TRACE_ALLREDUCE, UINT32_MAX, rank == 1 ? 80 : 8);
    assert_only(examine(memory), "collective-size", TRACE_WARNING, 1, 1, 1,
                "names 80 bytes in collective 1 on MPI_COMM_WORLD, where rank 0 (event 1) names 8");
}

/* `wrong` is added to what rank 0 expects of rank 1. */
static struct trace_defects *examine_blocks(uint64_t wrong)
{
    static const uint64_t sent[3][3] = {{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
    struct trace_memory *memory = trace_memory_new(3);
    uint64_t received[3][3];
    struct trace_vector vectors[3];

    for (uint32_t rank = 0; rank < 3; rank++) {
        for (uint32_t i = 0; i < 3; i++)
            received[rank][i] = sent[i][rank] + (rank == 0 && i == 1 ? wrong : 0);
        vectors[rank] = (struct trace_vector){sent[rank], received[rank], 3, true};
        add(memory, rank,
            (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                              .collective = TRACE_ALLTOALLV,
                              .root = UINT32_MAX,
                              .vector = &vectors[rank]});
    }
    return examine(memory);
}

static void blocks_of_pairs_are_compared(void **state)
{
    (void)state;
    assert_sound(examine_blocks(0));
    assert_only(examine_blocks(1), "collective-size", TRACE_WARNING, 1, 0, 1,
                "are not those that they receive");
}

static void strangers_are_found(void **state)
{
    struct trace_memory *memory = trace_memory_new(3);
    const uint32_t two[] = {0, 1};
    uint32_t part = trace_memory_communicator(memory, "two", two, 2);
    (void)state;

    for (uint32_t rank = 0; rank < 3; rank++)
        add(memory, rank,
            (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                              .collective = TRACE_BARRIER,
                              .communicator = part,
                              .root = UINT32_MAX});
    assert_only(examine(memory), "not-a-member", TRACE_FAULT, 1, 2, 1, "on two");

    memory = trace_memory_new(2);
    send(memory, 0, 5, 0, 8);
    call(memory, 0, TRACE_BARRIER, UINT32_MAX, 0);
    call(memory, 1, TRACE_BARRIER, UINT32_MAX, 0);
    assert_only(examine(memory), "unknown-rank", TRACE_FAULT, 1, 0, 1, "names rank 5");

    memory = trace_memory_new(1);
    message(memory, TRACE_SEND, 0, 0, 0, 8, TRACE_NONBLOCKING);
    add(memory, 0, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 5});
    trace_defects_free(examine(memory));
    memory = trace_memory_new(2);
    call(memory, 0, TRACE_BARRIER, UINT32_MAX, 0);
    call(memory, 1, TRACE_BARRIER, UINT32_MAX, 0);
    add(memory, 1, (struct trace_op){.kind = TRACE_SEND, .peer = 0, .communicator = 9});
    assert_only(examine(memory), "unknown-communicator", TRACE_FAULT, 1, 1, 2, "communicator 9");
}

/* ---- times */

/* The memory's class with times from a table: the memory's own clock cannot go wrong. */
static const struct trace_program_class *plain_class;
static uint64_t times_ns[2][8]; /* [rank][event] */

static int timed_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    int result = plain_class->cursor_next(cursor, op, error);
    if (result == 1)
        op->time_ns = times_ns[cursor->rank][op->event];
    return result;
}

static struct trace_defects *examine_timed(struct trace_memory *memory, const uint64_t *origins)
{
    static struct trace_program_class timed;
    struct trace_program *program = trace_memory_program(memory);

    plain_class = program->class;
    timed = *plain_class;
    timed.cursor_next = timed_next;
    program->class = &timed;
    program->origins_ns = origins;
    return examine_with(program, NULL);
}

/* Rank 1 receives at 100 to 110 ns of its own clock what rank 0 sends at 500, whose clock began `origin`
 * earlier or later. */
static struct trace_defects *examine_clock(const uint64_t *origins)
{
    struct trace_memory *memory = trace_memory_new(2);

    times_ns[0][1] = 500;
    times_ns[1][1] = 100;
    send(memory, 0, 1, 0, 8);
    add(memory, 1, (struct trace_op){.kind = TRACE_RECEIVE, .peer = 0, .bytes = 8, .duration_ns = 10});
    return examine_timed(memory, origins);
}

static void messages_against_the_clock_are_found(void **state)
{
    static const uint64_t equal[] = {0, 0}, late[] = {0, 390}, later[] = {7, 396}, none[] = {0, UINT64_MAX};
    (void)state;

    assert_only(examine_clock(equal), "clock-violation", TRACE_NOTE, 1, 1, 1,
                "1 of 1 messages are received before they are sent, by up to 390 ns");
    assert_only(examine_clock(later), "clock-violation", TRACE_NOTE, 1, 1, 1, "by up to 1 ns");
    assert_sound(examine_clock(late));
    assert_sound(examine_clock(none));
    assert_sound(examine_clock(NULL));
}

/* The same of a receive that a wait completes, with the send read before and after that wait. */
static void completions_are_timed_by_their_wait(void **state)
{
    static const uint64_t origins[] = {0, 0};
    (void)state;

    for (uint32_t sender = 0; sender < 2; sender++) {
        struct trace_memory *memory = trace_memory_new(2);
        uint32_t receiver = 1 - sender;
        uint64_t request = message(memory, TRACE_RECEIVE, receiver, sender, 0, 8, TRACE_NONBLOCKING);
        add(memory, receiver,
            (struct trace_op){
                .kind = TRACE_WAIT, .requests = &request, .request_count = 1, .duration_ns = 100});
        send(memory, sender, receiver, 0, 8);
        times_ns[sender][1] = 500;
        times_ns[receiver][1] = 10;
        times_ns[receiver][2] = 20;
        assert_only(examine_timed(memory, origins), "clock-violation", TRACE_NOTE, 1, receiver, 1,
                    "by up to 380 ns");
    }
}

/* MPI_Sendrecv posts, sends and waits in one call, whose time one of its operations has. */
static void calls_that_post_and_wait_have_one_time(void **state)
{
    static const uint64_t origins[] = {0, 0};
    (void)state;

    for (int timed = 0; timed < 3; timed++) {
        struct trace_memory *memory = trace_memory_new(2);
        uint64_t requests[2] = {trace_memory_next_request(memory, 1)};
        send(memory, 0, 1, 0, 8);
        receive(memory, 0, 1, 0, 8);
        for (int i = 0; i < 2; i++) {
            requests[i] = trace_memory_next_request(memory, 1);
            add(memory, 1,
                (struct trace_op){.kind = i == 0 ? TRACE_RECEIVE : TRACE_SEND,
                                  .flags = TRACE_NONBLOCKING,
                                  .peer = 0,
                                  .bytes = 8,
                                  .duration_ns = timed == i ? 600 : 0});
        }
        wait_for(memory, 1, requests, 2);
        times_ns[0][1] = 500;
        times_ns[0][2] = 510;
        times_ns[1][1] = times_ns[1][2] = times_ns[1][3] = 10;
        if (timed < 2)
            assert_sound(examine_timed(memory, origins));
        else
            assert_only(examine_timed(memory, origins), "clock-violation", TRACE_NOTE, 1, 1, 1, "490 ns");
    }
}

static void times_that_go_back_are_found(void **state)
{
    struct trace_memory *memory = trace_memory_new(1);
    (void)state;

    for (uint32_t i = 0; i < 6; i++) {
        times_ns[0][i + 1] = i == 2 ? 50 : 100 + i;
        if (i < 3)
            send(memory, 0, 0, i, 8);
        else
            receive(memory, 0, 0, i - 3, 8);
    }
    assert_only(examine_timed(memory, NULL), "time-goes-back", TRACE_WARNING, 1, 0, 3,
                "1 time, by up to 51 ns");
}

/* Besides what it shows: the clock to take is the CPU's alone. */
static void a_coarse_clock_is_told(struct trace_defects *defects)
{
    assert_int_equal(trace_defects_kinds(defects), 2);
    assert_string_equal(trace_defects_kind(defects, 0)->kind, "coarse-clock");
    assert_int_equal(trace_defects_kind(defects, 0)->severity, TRACE_NOTE);
    assert_string_equal(trace_defects_kind(defects, 1)->kind, "oversubscribed");
    assert_non_null(strstr(trace_defects_get(defects, 0)->text, "in steps of 4.000 ms"));
    assert_non_null(strstr(trace_defects_get(defects, 1)->text, "take --clock cpu"));
    assert_null(strstr(trace_defects_get(defects, 1)->text, "min"));
    trace_defects_free(defects);
}

static void shared_cores_are_found(void **state)
{
    const struct trace_options cpu = {.clock = TRACE_CLOCK_CPU};
    (void)state;

    for (int i = 0; i < 6; i++) {
        struct trace_memory *memory = trace_memory_new(4);
        struct trace_program *program = trace_memory_program(memory);
        program->summary.loss =
            (struct trace_processor_loss){.gaps = 100,
                                          .wall_ns = 100000000, /* of which little is lost, in few gaps */
                                          .cpu_ns = 94000000,
                                          .lost_gaps = i == 3 ? 0 : 3,
                                          .lost_ns = i == 3   ? 0
                                                     : i == 2 ? 1000000
                                                              : 6000000,
                                          .lost_ranks = 2,
                                          .call_ns = 50000000,
                                          .call_lost_ns = i == 4 ? 400000 : 40000000,
                                          .resolution_ns = i == 5 ? 4000000 : 0,
                                          .busiest_cpu_ns = 24000000,
                                          .longest = {3, 17, 4000000, 1000}};
        for (uint32_t rank = 0; rank < 4; rank++)
            trace_memory_add(memory, rank, &(struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 1});
        if (i < 2)
            assert_only(examine_with(program, i == 0 ? NULL : &cpu), "oversubscribed",
                        i == 0 ? TRACE_WARNING : TRACE_NOTE, 3, 3, 17, "for 6.000 ms in 3 gaps of 2 ranks");
        else if (i == 4)
            assert_only(examine_with(program, NULL), "waits-between-calls", TRACE_NOTE, 3, 3, 17,
                        "such as files");
        else if (i == 5)
            a_coarse_clock_is_told(examine_with(program, NULL));
        else
            assert_sound(examine_with(program, NULL));
    }
}

/* ---- readers */

static void repairs_are_told(void **state)
{
    static const struct trace_repair repairs[] = {{"missing-completion", "Guessed.", 7}};
    struct trace_memory *memory = trace_memory_new(1);
    struct trace_program *program = trace_memory_program(memory);
    (void)state;

    program->summary.repairs = repairs;
    program->summary.repair_count = 1;
    assert_only(examine_with(program, NULL), "missing-completion", TRACE_WARNING, 7, UINT32_MAX, 0,
                "Guessed.");
}

static void an_empty_rank_is_told(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    (void)state;

    add(memory, 0, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 5});
    assert_only(examine(memory), "rank-without-operations", TRACE_WARNING, 1, 1, 0, "is empty");
}

/* A stream of the memory's class that breaks off after its first operation, with a status. */
static enum base_status broken_status;
static const struct trace_program_class *whole_class;

static int broken_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    int result = whole_class->cursor_next(cursor, op, error);
    return cursor->rank == 1 && op->event > 1 ? base_error_set(error, broken_status, "bad bytes") : result;
}

static struct trace_program *broken_program(enum base_status status)
{
    static struct trace_program_class broken;
    struct trace_memory *memory = trace_memory_new(2);
    struct trace_program *program = trace_memory_program(memory);

    for (int i = 0; i < 3; i++) {
        send(memory, 0, 1, 0, 8);
        receive(memory, 1, 0, 0, 8);
    }
    whole_class = program->class;
    broken = *whole_class;
    broken.cursor_next = broken_next;
    broken_status = status;
    program->class = &broken;
    return program;
}

static void a_rank_that_cannot_be_read_on_is_a_defect(void **state)
{
    struct trace_defects *defects = examine_with(broken_program(BASE_INPUT), NULL);
    struct trace_program *program;
    struct base_error error = {0};
    (void)state;

    assert_int_equal(count_of(defects, "unreadable"), 1);
    assert_int_equal(count_of(defects, "unmatched-send"), 2);
    trace_defects_free(defects);

    program = broken_program(BASE_SYSTEM); /* our own trouble, not the trace's */
    defects = trace_defects_new(0);
    assert_int_equal(trace_doctor(program, NULL, defects, &error), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    trace_close(program);
    trace_defects_free(defects);
}

/* ---- memory */

/* A long trace, tags never used twice: two ranks send as fast as they can to one that takes the messages of
 * the first before any of the second, who has to be held back. */
static struct trace_program *long_program(uint32_t length)
{
    struct trace_memory *memory = trace_memory_new(3);

    for (uint32_t sender = 0; sender < 2; sender++)
        for (uint32_t i = 0; i < length; i++) {
            send(memory, sender, 2, i, 8);
            receive(memory, 2, sender, i, 8);
        }
    return trace_memory_program(memory);
}

static int examine_short(void *state)
{
    struct trace_defects *defects = trace_defects_new(0);
    struct base_error error = {0};
    int status = defects == NULL ? -1 : trace_doctor(state, NULL, defects, &error);

    if (status != 0 && defects != NULL && error.status != BASE_SYSTEM)
        status = 1;
    trace_defects_free(defects);
    return status;
}

/* The number of allocations follows how far arrays grow: it must not follow the length. */
static void memory_does_not_follow_the_length(void **state)
{
    struct trace_program *program = long_program(2000);
    long few = fail_alloc_each(examine_short, program);
    long many;
    (void)state;

    trace_close(program);
    program = long_program(20000);
    many = fail_alloc_each(examine_short, program);
    trace_close(program);
    assert_true(few > 0);
    assert_int_equal(few, many);
}

/* Every way of growing, with defects of every kind at once. */
static void no_memory_is_told_and_nothing_leaks(void **state)
{
    struct trace_memory *memory = trace_memory_new(4);
    struct trace_program *program;
    (void)state;

    for (uint32_t i = 0; i < 40; i++) {
        send(memory, 0, 1, i, 8);
        message(memory, TRACE_RECEIVE, 2, 1, i, 8, TRACE_NONBLOCKING);
        message(memory, TRACE_RECEIVE, 3, 0, TRACE_ANY_TAG, 8, TRACE_NONBLOCKING);
        call(memory, i % 2, TRACE_BARRIER, UINT32_MAX, 0);
    }
    program = trace_memory_program(memory);
    assert_true(fail_alloc_each(examine_short, program) > 10);
    trace_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sound_program_has_no_defects),
        cmocka_unit_test(head_to_head_sends_are_not_unmatched),
        cmocka_unit_test(wildcards_take_what_there_is),
        cmocka_unit_test(what_wildcards_leave_over_is_weighed_up),
        cmocka_unit_test(unmatched_sends_are_listed_by_channel),
        cmocka_unit_test(unmatched_receives_do_not_stop_the_rest),
        cmocka_unit_test(unmatched_probes_are_found),
        cmocka_unit_test(a_message_may_come_late),
        cmocka_unit_test(another_communicator_is_another_channel),
        cmocka_unit_test(sizes_are_compared),
        cmocka_unit_test(requests_are_followed),
        cmocka_unit_test(other_operations_and_roots_are_found),
        cmocka_unit_test(a_lost_call_is_told_once),
        cmocka_unit_test(members_that_miss_a_collective_are_named),
        cmocka_unit_test(sizes_of_collectives_are_compared),
        cmocka_unit_test(blocks_of_pairs_are_compared),
        cmocka_unit_test(strangers_are_found),
        cmocka_unit_test(messages_against_the_clock_are_found),
        cmocka_unit_test(completions_are_timed_by_their_wait),
        cmocka_unit_test(calls_that_post_and_wait_have_one_time),
        cmocka_unit_test(times_that_go_back_are_found),
        cmocka_unit_test(shared_cores_are_found),
        cmocka_unit_test(repairs_are_told),
        cmocka_unit_test(an_empty_rank_is_told),
        cmocka_unit_test(a_rank_that_cannot_be_read_on_is_a_defect),
        cmocka_unit_test(memory_does_not_follow_the_length),
        cmocka_unit_test(no_memory_is_told_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
