/* Iterations: a program that is left with some of its iterations is, operation by operation, the one that is made with
 * fewer of them, wherever each rank's period begins and whatever is under way between two iterations. */
#include <config.h>

#include "tests/suite.h"

#include <string.h>

#include "base/random.h"
#include "tests/fail-alloc.h"
#include "tests/traces/memory.h"
#include "traces/windows/iterations.h"
#include "traces/windows/repeats.h"
#include "traces/windows/window.h"

#define RANKS 4
#define BODY 30
#define PROGRAMS 150

/* ---- the period of a list of names ---- */

/* A prologue, a body some times, a part of it, and an epilogue; all of names that are drawn. */
static void periods_are_found(void **state)
{
    struct base_random random;
    uint64_t names[4000];

    (void)state;
    base_random_seed(&random, 5, 0);
    for (unsigned i = 0; i < 300; i++) {
        uint64_t before = base_random_below(&random, 40), body = 1 + base_random_below(&random, 60);
        uint64_t times = 3 + base_random_below(&random, 20), behind = base_random_below(&random, 40);
        size_t count = 0;
        for (; count < before; count++)
            names[count] = base_random_next(&random);
        for (size_t j = 0; j < body; j++)
            names[count++] = base_random_next(&random);
        for (size_t j = 0; j < body * (times - 1); j++, count++)
            names[count] = names[count - body];
        for (size_t j = 0; j < behind; j++)
            names[count++] = base_random_next(&random);
        struct trace_repeat found = trace_repeat_search(names, count);
        if (body * times < (before + behind) * 2) /* it may miss what is not most */
            continue;
        assert_int_equal(found.period, body);
        assert_int_equal(found.first, before);
        assert_int_equal(found.covered, body * times);
    }
}

/* The inner loop is shorter, and covers less. */
static void outer_loops_are_preferred(void **state)
{
    static const uint64_t outer[] = {9, 1, 2, 1, 2, 1, 2, 7};
    uint64_t names[800];
    struct trace_repeat found;

    (void)state;
    for (size_t i = 0; i < 800; i++)
        names[i] = outer[i % 8];
    found = trace_repeat_search(names, 800);
    assert_int_equal(found.period, 8);
    assert_int_equal(found.covered, 800);
    for (size_t i = 0; i < 800; i++)
        names[i] = i * i;
    assert_int_equal(trace_repeat_search(names, 800).period, 0);
    assert_int_equal(trace_repeat_search(names, 0).period, 0);
}

/* ---- programs ---- */

/* An action, the same in every iteration. */
struct action {
    enum action_kind { MESSAGE, EXCHANGE, MEETING, CARRY } kind;
    uint32_t source, target, tag;
    uint64_t bytes, work_ns;
};

static void add(struct trace_memory *memory, uint32_t rank, struct trace_op op)
{
    assert_int_equal(trace_memory_add(memory, rank, &op), 0);
}

static void add_wait(struct trace_memory *memory, uint32_t rank, uint64_t request)
{
    add(memory, rank, (struct trace_op){.kind = TRACE_WAIT, .requests = &request, .request_count = 1});
}

/* One side of the message of an action. The request's number. */
static uint64_t add_side(struct trace_memory *memory, const struct action *action, bool receives,
                         unsigned flags)
{
    uint32_t rank = receives ? action->target : action->source;
    uint64_t request = trace_memory_next_request(memory, rank);

    add(memory, rank,
        (struct trace_op){.kind = receives ? TRACE_RECEIVE : TRACE_SEND,
                          .peer = receives ? action->source : action->target,
                          .tag = action->tag,
                          .bytes = action->bytes,
                          .flags = flags});
    return request;
}

/* An action that carries sends, and receives what the iteration before has sent; a request is open in between. */
static void act(struct trace_memory *memory, const struct action *action, uint64_t *carried)
{
    uint64_t request;

    add(memory, action->source, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = action->work_ns});
    switch (action->kind) {
    case MESSAGE:
        add_side(memory, action, false, 0);
        add_side(memory, action, true, 0);
        break;
    case EXCHANGE:
        request = add_side(memory, action, true, TRACE_NONBLOCKING);
        add_side(memory, action, false, 0);
        add_wait(memory, action->target, request);
        break;
    case MEETING:
        for (uint32_t rank = 0; rank < RANKS; rank++)
            add(memory, rank,
                (struct trace_op){
                    .kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_BARRIER, .root = UINT32_MAX});
        break;
    case CARRY:
        add_wait(memory, action->target, *carried);
        add_side(memory, action, true, 0);
        add_side(memory, action, false, 0);
        add_side(memory, action, false, 0);
        *carried = add_side(memory, action, true, TRACE_NONBLOCKING);
    }
}

/* The program of a seed with so many iterations. The last rank meets the others several times in each and does nothing
 * else, so that its period is a part of theirs. */
static struct trace_program *make(uint64_t seed, unsigned iterations)
{
    struct trace_memory *memory = trace_memory_new(RANKS);
    struct base_random random;
    struct action body[BODY];
    uint64_t carried = UINT64_MAX;

    base_random_seed(&random, seed, 0);
    for (unsigned i = 0; i < BODY; i++)
        body[i] =
            (struct action){.kind = i == BODY / 2 ? CARRY
                                    : i % 13 == 5 ? MEETING
                                                  : (enum action_kind)base_random_below(&random, 2),
                            .source = i < RANKS - 1 ? i : (uint32_t)base_random_below(&random, RANKS - 1),
                            .target = (uint32_t)base_random_below(&random, RANKS - 1),
                            .tag = i == BODY / 2 ? 99 : (uint32_t)base_random_below(&random, 3),
                            .bytes = i == BODY / 2 ? 1 : base_random_below(&random, 5),
                            .work_ns = 1 + base_random_below(&random, 900)};
    for (uint32_t rank = 0; rank < RANKS; rank++)
        add(memory, rank,
            (struct trace_op){
                .kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_BCAST, .root = 0, .bytes = 77});
    add_side(memory, &body[BODY / 2], false, 0);
    add_side(memory, &body[BODY / 2], false, 0);
    carried = add_side(memory, &body[BODY / 2], true, TRACE_NONBLOCKING);
    for (unsigned i = 0; i < iterations; i++)
        for (unsigned j = 0; j < BODY; j++)
            act(memory, &body[j], &carried);
    add_wait(memory, body[BODY / 2].target, carried);
    add_side(memory, &body[BODY / 2], true, 0);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        add(memory, rank,
            (struct trace_op){
                .kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_REDUCE, .root = 0, .bytes = 78});
    return trace_memory_program(memory);
}

/* What tells two operations apart, their places in a recording aside. */
static void compare_ops(const struct trace_op *one, const struct trace_op *other)
{
    assert_int_equal(one->kind, other->kind);
    assert_int_equal(one->flags & ~(unsigned)TRACE_ITERATES, other->flags);
    assert_int_equal(one->duration_ns, other->duration_ns);
    assert_int_equal(one->peer, other->peer);
    assert_int_equal(one->tag, other->tag);
    assert_int_equal(one->bytes, other->bytes);
    assert_int_equal(one->request, other->request);
    assert_int_equal(one->instance, other->instance);
    assert_int_equal(one->request_count, other->request_count);
    for (size_t i = 0; i < one->request_count; i++)
        assert_int_equal(one->requests[i], other->requests[i]);
}

/* The marks of iterations: of a rank that has calls in them, one for each and one behind them. */
static void compare_rank(struct trace_program *shortened, struct trace_program *made, uint32_t rank,
                         uint64_t played)
{
    struct trace_cursor *a = trace_cursor_new(shortened, rank, NULL);
    struct trace_cursor *b = trace_cursor_new(made, rank, NULL);
    struct trace_op one, other;
    uint64_t marks = 0;
    int more;

    while ((more = trace_cursor_next(b, &other, NULL)) > 0) {
        assert_int_equal(trace_cursor_next(a, &one, NULL), 1);
        marks += (one.flags & TRACE_ITERATES) != 0;
        if (other.kind != TRACE_END)
            compare_ops(&one, &other);
        else
            assert_int_equal(one.kind, TRACE_END);
    }
    assert_int_equal(more, 0);
    assert_int_equal(trace_cursor_next(a, &one, NULL), 0);
    assert_int_equal(marks, played + 1);
    trace_cursor_free(a);
    trace_cursor_free(b);
}

static void what_is_left_is_a_shorter_program(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
        unsigned all = 5 + (unsigned)seed % 7, played = 1 + (unsigned)seed % 4;
        struct base_error error;
        struct trace_program *shortened = trace_iterations_new(make(seed, all), played, &error);
        if (shortened == NULL)
            print_error("seed %u: %s\n", (unsigned)seed, error.text);
        assert_non_null(shortened);
        const struct trace_iterations *found = trace_program_iterations(shortened);
        /* The first receives nothing of one before, the last is followed by something else: one may be missing. */
        assert_in_range(found->found, all - 2, all);
        assert_int_equal(found->played, played);
        assert_int_equal(found->sends + found->receives + found->probes + found->collective_calls, 0);
        assert_null(trace_program_window(shortened));
        struct trace_program *made = make(seed, all - (unsigned)(found->found - played));
        for (uint32_t rank = 0; rank < RANKS; rank++)
            compare_rank(shortened, made, rank, played);
        trace_close(made);
        trace_close(shortened);
    }
}

/* Iterations are looked for in the window, and both are told of. */
static void iterations_of_a_window(void **state)
{
    struct base_error error;
    struct trace_program *ring = trace_open("generate:ring,ranks=3,iterations=12", NULL, &error);
    struct trace_program *window = ring == NULL ? NULL : trace_window_new(ring, "call:4", "call:28", &error);
    struct trace_program *shortened = window == NULL ? NULL : trace_iterations_new(window, 1, &error);

    (void)state;
    assert_non_null(shortened);
    assert_non_null(trace_program_window(shortened));
    assert_string_equal(trace_program_window(shortened)->from, "call:4");
    assert_int_equal(trace_program_iterations(shortened)->found, 8);
    assert_int_equal(trace_program_iterations(shortened)->calls, 9);
    trace_close(shortened);
}

/* ---- what cannot be ---- */

static void programs_without_iterations_are_refused(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    struct base_error error;

    (void)state;
    for (uint64_t i = 0; i < 40; i++) { /* no two messages are alike */
        const struct action action = {.source = 0, .target = 1, .bytes = i * i, .work_ns = 1};
        add_side(memory, &action, false, 0);
        add_side(memory, &action, true, 0);
    }
    assert_null(trace_iterations_new(trace_memory_program(memory), 2, &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "the trace has no iterations"));
    assert_null(trace_iterations_new(make(3, 6), 7, &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "the trace has "));
    /* Rank 0 repeats sends that rank 1 receives one by one, between others. */
    memory = trace_memory_new(2);
    for (uint64_t i = 0; i < 40; i++) {
        const struct action action = {.source = 0, .target = 1, .bytes = 1, .work_ns = 1};
        add_side(memory, &action, false, 0);
        add_side(memory, &action, true, 0);
        add(memory, 1, (struct trace_op){.kind = TRACE_PUT, .peer = 0, .bytes = i * i});
    }
    assert_null(trace_iterations_new(trace_memory_program(memory), 2, &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "does not fit together"));
}

/* Every allocation of a ring, opened, searched and played. */
static int attempt(void *state)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(state, NULL, &error);

    if (program != NULL)
        program = trace_iterations_new(program, 2, &error);
    if (program == NULL)
        assert_int_equal(error.status, BASE_SYSTEM);
    trace_close(program);
    return program == NULL ? -1 : 0;
}

static void memory_runs_out(void **state)
{
    char program[] = "generate:ring,ranks=3";

    (void)state;
    assert_in_range(fail_alloc_each(attempt, program), 10, 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(periods_are_found),
        cmocka_unit_test(outer_loops_are_preferred),
        cmocka_unit_test(what_is_left_is_a_shorter_program),
        cmocka_unit_test(iterations_of_a_window),
        cmocka_unit_test(programs_without_iterations_are_refused),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("iterations", tests, NULL, NULL);
}
