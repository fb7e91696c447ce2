/* Windows against brute force: random programs whose messages and collectives are written down as they are made, with
 * the number of every call, and random borders, other ones for each rank. What must be played then follows from the
 * list, without counting envelopes. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "tests/fail-alloc.h"
#include "tests/traces/memory.h"
#include "traces/windows/internal.h"

#define RANKS 5
#define ACTIONS 160
#define PROGRAMS 400

/* A message by the numbers of its calls at either end. No two have as many bytes, by which streams show them. */
struct message {
    uint32_t source, target;
    uint64_t sent, received, bytes;
};

/* A collective: member[i] calls it with its call number call[i]. The bytes are its name, as of a message. */
struct meeting {
    uint32_t members;
    uint32_t member[RANKS];
    uint64_t call[RANKS];
    uint64_t bytes;
};

/* A request: started by a call, and waited for by another. */
struct request {
    uint32_t rank;
    uint64_t started, waited;
};

struct truth {
    struct trace_memory *memory;
    struct base_random random;
    uint64_t calls[RANKS];
    struct message messages[ACTIONS];
    struct meeting meetings[ACTIONS];
    struct request requests[2 * ACTIONS];
    size_t message_count, meeting_count, request_count;
    uint32_t pair; /* a communicator of some ranks */
    uint64_t from[RANKS], to[RANKS];
};

static uint32_t below(struct truth *truth, uint32_t bound)
{
    return (uint32_t)base_random_below(&truth->random, bound);
}

/* Appends a call, sometimes behind a computation; its number. */
static uint64_t add(struct truth *truth, uint32_t rank, struct trace_op op)
{
    if (below(truth, 3) == 0) {
        const struct trace_op work = {.kind = TRACE_COMPUTE, .duration_ns = 1 + below(truth, 50)};
        assert_int_equal(trace_memory_add(truth->memory, rank, &work), 0);
    }
    assert_int_equal(trace_memory_add(truth->memory, rank, &op), 0);
    return truth->calls[rank]++;
}

static void add_wait(struct truth *truth, uint32_t rank, uint64_t number, uint64_t started)
{
    const struct trace_op wait = {.kind = TRACE_WAIT, .requests = &number, .request_count = 1};
    uint64_t waited = add(truth, rank, wait);

    truth->requests[truth->request_count++] = (struct request){rank, started, waited};
}

/* Messages of few envelopes, so that several of one are under way at a time: bytes tell them apart. */
static void add_message(struct truth *truth)
{
    uint32_t source = below(truth, RANKS), target = below(truth, RANKS), tag = below(truth, 2);
    bool starts = below(truth, 2) == 0;
    struct message *message = &truth->messages[truth->message_count++];
    uint64_t number = trace_memory_next_request(truth->memory, source);
    struct trace_op op = {.kind = TRACE_SEND,
                          .peer = target,
                          .tag = tag,
                          .bytes = 1000 + truth->message_count,
                          .flags = starts ? TRACE_NONBLOCKING : 0};

    *message = (struct message){.source = source, .target = target, .bytes = op.bytes};
    message->sent = add(truth, source, op);
    if (starts && below(truth, 4) > 0)
        add_wait(truth, source, number, message->sent);
    number = trace_memory_next_request(truth->memory, target);
    op.kind = TRACE_RECEIVE;
    op.peer = source;
    op.flags = below(truth, 2) == 0 ? TRACE_NONBLOCKING : 0;
    message->received = add(truth, target, op);
    for (uint32_t i = below(truth, 3); i > 0; i--) /* the wait comes later, sometimes */
        add(truth, target, (struct trace_op){.kind = TRACE_PUT, .peer = source, .bytes = 1});
    if (op.flags != 0)
        add_wait(truth, target, number, message->received);
}

static void add_meeting(struct truth *truth)
{
    bool of_all = below(truth, 2) == 0;
    struct meeting *meeting = &truth->meetings[truth->meeting_count++];

    meeting->bytes = 1000000 + truth->meeting_count;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        if (!of_all && rank % 2 != 0)
            continue;
        meeting->member[meeting->members] = rank;
        meeting->call[meeting->members++] = add(truth, rank,
                                                (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                                                  .collective = TRACE_ALLREDUCE,
                                                                  .communicator = of_all ? 0 : truth->pair,
                                                                  .root = UINT32_MAX,
                                                                  .bytes = meeting->bytes});
    }
}

/* A program, of actions that each complete before the next begins: any order of ranks plays it. */
static void make(struct truth *truth, uint64_t seed)
{
    static const uint32_t some[] = {0, 2, 4};

    *truth = (struct truth){.memory = trace_memory_new(RANKS)};
    base_random_seed(&truth->random, seed, 0);
    truth->pair = trace_memory_communicator(truth->memory, "some", some, 3);
    for (unsigned i = 0; i < ACTIONS; i++) {
        if (below(truth, 5) == 0)
            add_meeting(truth);
        else
            add_message(truth);
    }
}

/* Borders that every rank has for itself; some windows are empty, some whole on one side. */
static struct trace_view *make_view(struct truth *truth)
{
    struct base_error error;
    struct trace_view *view = trace_view_new(trace_memory_program(truth->memory), &error);

    assert_non_null(view);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        uint64_t one = below(truth, (uint32_t)truth->calls[rank] + 1);
        uint64_t other = below(truth, (uint32_t)truth->calls[rank] + 1);
        struct trace_part *part = &view->parts[rank];
        truth->from[rank] = below(truth, 6) == 0 ? 0 : one < other ? one : other;
        truth->to[rank] = one < other ? other : one;
        part->border[TRACE_BACK] = truth->from[rank];
        part->border[TRACE_LAST] = truth->to[rank];
        if (below(truth, 6) == 0) {
            truth->to[rank] = truth->calls[rank];
            part->border[TRACE_LAST] = UINT64_MAX;
            part->is_open = true;
        }
    }
    assert_int_equal(trace_crossings_find(view, &error), 0);
    return view;
}

/* By the borders as they were drawn, not as the view has them. */
static bool is_inside(const struct truth *truth, uint32_t rank, uint64_t call)
{
    return call >= truth->from[rank] && call < truth->to[rank];
}

/* ---- what is played ---- */

/* Counts operations of a kind and of so many bytes on a rank. */
static unsigned played(struct trace_view *view, uint32_t rank, enum trace_op_kind kind, uint64_t bytes)
{
    struct trace_cursor *cursor = trace_cursor_new(&view->base, rank, NULL);
    struct trace_op op;
    unsigned count = 0;
    int more;

    while ((more = trace_cursor_next(cursor, &op, NULL)) > 0)
        count += op.kind == kind && op.bytes == bytes;
    assert_int_equal(more, 0);
    trace_cursor_free(cursor);
    return count;
}

/* Both sides, or neither. */
static void check_messages(const struct truth *truth, struct trace_view *view)
{
    uint64_t sends = 0, receives = 0;

    for (size_t i = 0; i < truth->message_count; i++) {
        const struct message *message = &truth->messages[i];
        bool sent = is_inside(truth, message->source, message->sent);
        bool received = is_inside(truth, message->target, message->received);
        sends += sent && !received;
        receives += received && !sent;
        assert_int_equal(played(view, message->source, TRACE_SEND, message->bytes), sent && received);
        assert_int_equal(played(view, message->target, TRACE_RECEIVE, message->bytes), sent && received);
    }
    assert_int_equal(view->window.sends, sends);
    assert_int_equal(view->window.receives, receives);
}

/* All members, or none. */
static void check_meetings(const struct truth *truth, struct trace_view *view)
{
    uint64_t straddling = 0, calls = 0;

    for (size_t i = 0; i < truth->meeting_count; i++) {
        const struct meeting *meeting = &truth->meetings[i];
        uint32_t inside = 0;
        for (uint32_t m = 0; m < meeting->members; m++)
            inside += is_inside(truth, meeting->member[m], meeting->call[m]);
        if (inside > 0 && inside < meeting->members) {
            straddling++;
            calls += inside;
        }
        for (uint32_t m = 0; m < meeting->members; m++)
            assert_int_equal(played(view, meeting->member[m], TRACE_COLLECTIVE_CALL, meeting->bytes),
                             inside == meeting->members);
    }
    assert_int_equal(view->window.collectives, straddling);
    assert_int_equal(view->window.collective_calls, calls);
}

/* Nothing is waited for that was not started, and nothing that was is forgotten. */
static void check_requests(const struct truth *truth, struct trace_view *view)
{
    uint64_t before = 0;

    for (size_t i = 0; i < truth->request_count; i++) {
        const struct request *request = &truth->requests[i];
        before +=
            is_inside(truth, request->rank, request->waited) && request->started < truth->from[request->rank];
    }
    assert_int_equal(view->window.requests_before, before);
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        struct trace_cursor *cursor = trace_cursor_new(&view->base, rank, NULL);
        struct trace_op op;
        bool started[4 * ACTIONS] = {false};
        while (trace_cursor_next(cursor, &op, NULL) > 0) {
            if ((op.flags & TRACE_NONBLOCKING) != 0)
                started[op.request] = true;
            for (size_t i = 0; op.kind == TRACE_WAIT && i < op.request_count; i++)
                assert_true(op.requests[i] < 4 * ACTIONS && started[op.requests[i]]);
        }
        trace_cursor_free(cursor);
    }
}

/* Every program has its own borders. */
static void what_is_played_is_what_has_both_sides(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        struct truth truth;
        make(&truth, seed);
        struct trace_view *view = make_view(&truth);
        check_messages(&truth, view);
        check_meetings(&truth, view);
        check_requests(&truth, view);
        trace_close(&view->base);
    }
}

/* ---- windows that touch are the whole ---- */

/* Computation of all ranks, and calls. */
static void measure(struct trace_program *program, uint64_t *compute_ns, uint64_t *calls)
{
    *compute_ns = *calls = 0;
    for (uint32_t rank = 0; rank < RANKS; rank++) {
        struct trace_cursor *cursor = trace_cursor_new(program, rank, NULL);
        struct trace_op op;
        while (trace_cursor_next(cursor, &op, NULL) > 0) {
            *compute_ns += op.kind == TRACE_COMPUTE ? op.duration_ns : 0;
            *calls += op.kind != TRACE_COMPUTE && op.kind != TRACE_END;
        }
        trace_cursor_free(cursor);
    }
}

static struct trace_program *window_of(uint64_t seed, const char *from, const char *to)
{
    struct truth truth;
    struct base_error error;
    struct trace_program *program;

    make(&truth, seed);
    program = trace_window_new(trace_memory_program(truth.memory), from, to, &error);
    if (program == NULL)
        print_error("%s\n", error.text);
    assert_non_null(program);
    return program;
}

/* Of calls and computation; and a window from the first call on cuts nothing. */
static void windows_that_touch_are_the_whole(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 40; seed++) {
        uint64_t whole_ns, whole_calls;
        uint64_t sum_ns = 0, sum_calls = 0;
        struct trace_program *whole = window_of(seed, "call:1", "end");
        const struct trace_window *all = trace_program_window(whole);
        measure(whole, &whole_ns, &whole_calls);
        assert_int_equal(all->calls, whole_calls);
        assert_int_equal(all->all_calls, whole_calls);
        assert_int_equal(all->sends + all->receives + all->collective_calls + all->requests_before, 0);
        assert_int_equal(all->requests_after, 0);
        trace_close(whole);
        for (unsigned i = 0; i < 4; i++) {
            char from[32], to[32];
            uint64_t ns, calls;
            snprintf(from, sizeof from, "call:%u", 1 + 15 * i);
            snprintf(to, sizeof to, "call:%u", 1 + 15 * (i + 1));
            struct trace_program *part = window_of(seed, from, i == 3 ? "end" : to);
            const struct trace_window *window = trace_program_window(part);
            measure(part, &ns, &calls);
            sum_ns += ns;
            sum_calls += window->calls;
            assert_int_equal(calls,
                             window->calls - window->sends - window->receives - window->collective_calls);
            trace_close(part);
        }
        assert_int_equal(sum_ns, whole_ns);
        assert_int_equal(sum_calls, whole_calls);
    }
}

/* ---- marks ---- */

/* Units are needed, and fractions of a nanosecond are not. */
static void marks_are_read_or_refused(void **state)
{
    static const struct {
        const char *text;
        enum trace_mark_kind kind;
        uint64_t number;
    } good[] = {{"start", TRACE_MARK_OPEN, 0},        {"call:7", TRACE_MARK_CALL, 7},
                {"7ns", TRACE_MARK_TIME, 7},          {"1.5us", TRACE_MARK_TIME, 1500},
                {"0.000001ms", TRACE_MARK_TIME, 1},   {"90s", TRACE_MARK_TIME, UINT64_C(90000000000)},
                {"region:a#2", TRACE_MARK_REGION, 2}, {"region:a#b#12", TRACE_MARK_REGION, 12}};
    static const char *const bad[] = {"",           "7",        "ns",     "1.5ns",    "-1us",
                                      "call:0",     "call:",    "call:x", "region:a", "region:#1",
                                      "region:a#0", "0.0001us", "end",    "1e3s",     "7 ns"};
    struct trace_mark mark;
    struct base_error error;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        assert_int_equal(trace_mark_parse("from", good[i].text, &mark, &error), 0);
        assert_int_equal(mark.kind, good[i].kind);
        assert_int_equal(mark.number, good[i].number);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(trace_mark_parse("from", bad[i], &mark, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        assert_non_null(strstr(error.text, "call:N or region:NAME#K"));
    }
    assert_int_equal(trace_window_check("call:3", "call:4", &error), 0);
    assert_int_equal(trace_window_check("call:3", "call:3", &error), -1);
    assert_int_equal(trace_window_check("2ms", "1999us", &error), -1);
    assert_int_equal(trace_window_check("region:a#2", "region:a#1", &error), -1);
    assert_int_equal(trace_window_check("region:a#2", "region:b#1", &error), 0);
    assert_int_equal(trace_window_check("call:3", "1ns", &error), 0);
}

/* Each sentence names what would work. */
static void windows_that_cannot_be_are_refused(void **state)
{
    static const struct {
        const char *from, *to, *says;
    } cases[] = {{"call:100000", "end", "no rank makes more than"},
                 {"start", "call:100000", "no rank makes more than"},
                 {"region:MPI_Sent#1", "end", "did you mean 'MPI_Send'?"},
                 {"region:MPI_Send#9999", "end", "no rank enters the region more than"},
                 {"100s", "end", "the last call of any rank was recorded at"},
                 {"call:30", "region:MPI_Allreduce#1", "no rank makes a call between them"}};
    struct truth truth;
    struct base_error error;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make(&truth, 1);
        struct trace_program *program =
            trace_window_new(trace_memory_program(truth.memory), cases[i].from, cases[i].to, &error);
        if (program != NULL)
            print_error("%s %s\n", cases[i].from, cases[i].to);
        assert_null(program);
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, cases[i].says) == NULL)
            print_error("%s\n", error.text);
        assert_non_null(strstr(error.text, cases[i].says));
    }
}

/* An open receive takes whichever message comes first. */
static void wildcards_are_refused(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    const struct trace_op send = {.kind = TRACE_SEND, .peer = 1, .bytes = 1};
    const struct trace_op receive = {.kind = TRACE_RECEIVE, .peer = TRACE_ANY_SOURCE, .bytes = 1};
    struct base_error error;

    (void)state;
    assert_int_equal(trace_memory_add(memory, 0, &send), 0);
    assert_int_equal(trace_memory_add(memory, 1, &receive), 0);
    assert_null(trace_window_new(trace_memory_program(memory), "call:1", "end", &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "rank 1"));
}

/* A probe is played if what it sees is. */
static void probes_go_with_their_messages(void **state)
{
    (void)state;
    for (unsigned cut = 0; cut < 3; cut++) { /* behind the send, behind the probe, behind the receive */
        struct trace_memory *memory = trace_memory_new(2);
        const struct trace_op send = {.kind = TRACE_SEND, .peer = 1, .tag = 4, .bytes = 1};
        const struct trace_op probe = {.kind = TRACE_PROBE, .peer = TRACE_ANY_SOURCE, .tag = 4};
        const struct trace_op receive = {.kind = TRACE_RECEIVE, .peer = 0, .tag = 4, .bytes = 1};
        struct base_error error;
        assert_int_equal(trace_memory_add(memory, 0, &send), 0);
        assert_int_equal(trace_memory_add(memory, 1, &probe), 0);
        assert_int_equal(trace_memory_add(memory, 1, &receive), 0);
        struct trace_view *view = trace_view_new(trace_memory_program(memory), &error);
        assert_non_null(view);
        view->parts[0].border[TRACE_LAST] = UINT64_MAX;
        view->parts[0].is_open = true;
        view->parts[0].border[TRACE_BACK] = cut == 0;
        view->parts[1].border[TRACE_LAST] = cut == 0 ? 2 : cut;
        assert_int_equal(trace_crossings_find(view, &error), 0);
        assert_int_equal(view->window.probes, cut < 2);
        assert_int_equal(played(view, 1, TRACE_PROBE, 0), cut == 2);
        trace_close(&view->base);
    }
}

/* ---- memory ---- */

static int attempt(void *state)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(state, NULL, &error);

    if (program != NULL)
        program = trace_window_new(program, "call:4", "call:9", &error);
    if (program == NULL)
        assert_int_equal(error.status, BASE_SYSTEM);
    trace_close(program);
    return program == NULL ? -1 : 0;
}

/* At every allocation once. */
static void memory_runs_out(void **state)
{
    char program[] = "generate:ring,ranks=4";

    (void)state;
    assert_in_range(fail_alloc_each(attempt, program), 10, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_played_is_what_has_both_sides),
        cmocka_unit_test(windows_that_touch_are_the_whole),
        cmocka_unit_test(marks_are_read_or_refused),
        cmocka_unit_test(windows_that_cannot_be_are_refused),
        cmocka_unit_test(wildcards_are_refused),
        cmocka_unit_test(probes_go_with_their_messages),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("windows", tests, NULL, NULL);
}
