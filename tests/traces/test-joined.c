/* Programs side by side: every operation of every part, with its numbers moved by what stands before. */
#include <config.h>

#include "tests/suite.h"

#include <string.h>

#include "tests/fail-alloc.h"
#include "traces/joined.h"
#include "tests/traces/memory.h"

/* Ranks in a ring with a second communicator, a wildcard, a request, and a collective with a vector. */
static struct trace_program *make_part(uint32_t ranks)
{
    struct trace_memory *memory = trace_memory_new(ranks);
    const uint32_t pair[] = {ranks - 1, 0};
    const uint64_t blocks[] = {5, 7};
    uint32_t two = trace_memory_communicator(memory, "two", pair, 2);

    for (uint32_t rank = 0; rank < ranks; rank++) {
        struct trace_op ops[] = {
            {.kind = TRACE_COMPUTE, .duration_ns = 10 + rank},
            {.kind = TRACE_SEND,
             .peer = (rank + 1) % ranks,
             .tag = 3,
             .bytes = 8,
             .flags = TRACE_NONBLOCKING},
            {.kind = TRACE_RECEIVE, .peer = rank == 0 ? TRACE_ANY_SOURCE : rank - 1, .tag = 3, .bytes = 8},
            {.kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_BCAST, .root = 1, .bytes = 64}};
        for (size_t i = 0; i < sizeof ops / sizeof *ops; i++)
            assert_int_equal(trace_memory_add(memory, rank, &ops[i]), 0);
        if (rank == 0 || rank == ranks - 1) {
            struct trace_op gather = {.kind = TRACE_COLLECTIVE_CALL,
                                      .collective = TRACE_ALLGATHERV,
                                      .communicator = two,
                                      .root = UINT32_MAX};
            assert_int_equal(trace_memory_add(memory, rank, &gather), 0);
        }
    }
    assert_int_equal(trace_memory_vector(memory, two, 0, blocks, blocks), 0);
    return trace_memory_program(memory);
}

/* The operation of the part, as it has to be in the whole. */
static void compare(const struct trace_op *whole, const struct trace_op *part, uint32_t ranks_before,
                    uint32_t communicators_before)
{
    bool talks = part->kind == TRACE_SEND || part->kind == TRACE_RECEIVE;

    assert_int_equal(whole->kind, part->kind);
    if (talks)
        assert_int_equal(whole->peer,
                         part->peer == TRACE_ANY_SOURCE ? TRACE_ANY_SOURCE : part->peer + ranks_before);
    if (talks || part->kind == TRACE_COLLECTIVE_CALL)
        assert_int_equal(whole->communicator, part->communicator + communicators_before);
    assert_int_equal(whole->bytes, part->bytes);
    assert_int_equal(whole->tag, part->tag);
    assert_int_equal(whole->flags, part->flags);
    assert_int_equal(whole->request, part->request);
    assert_int_equal(whole->root, part->root);
    assert_int_equal(whole->instance, part->instance);
    assert_int_equal(whole->duration_ns, part->duration_ns);
    assert_int_equal(whole->vector != NULL, part->vector != NULL);
    if (part->vector != NULL)
        assert_memory_equal(whole->vector->sent, part->vector->sent,
                            part->vector->size * sizeof *part->vector->sent);
}

static void compare_rank(struct trace_program *joined, struct trace_program *part, uint32_t rank,
                         uint32_t ranks_before, uint32_t communicators_before)
{
    struct trace_cursor *a = trace_cursor_new(joined, ranks_before + rank, NULL);
    struct trace_cursor *b = trace_cursor_new(part, rank, NULL);
    struct trace_op whole, own;
    int more;

    while ((more = trace_cursor_next(b, &own, NULL)) > 0) {
        assert_int_equal(trace_cursor_next(a, &whole, NULL), 1);
        compare(&whole, &own, ranks_before, communicators_before);
        assert_string_equal(trace_program_region_name(joined, whole.region),
                            trace_program_region_name(part, own.region));
    }
    assert_int_equal(more, 0);
    assert_int_equal(trace_cursor_next(a, &whole, NULL), 0);
    trace_cursor_free(a);
    trace_cursor_free(b);
}

static void parts_are_as_they_were(void **state)
{
    struct trace_program *parts[] = {make_part(3), make_part(5), make_part(2)};
    const struct trace_join_part join[] = {{parts[0], 0}, {parts[1], 700}, {parts[2], 9}};
    struct trace_program *joined = trace_join(join, 3, NULL);
    uint32_t ranks = 0, communicators = 0;

    (void)state;
    assert_non_null(joined);
    assert_int_equal(trace_program_ranks(joined), 10);
    assert_int_equal(trace_program_communicators(joined), 6);
    for (uint32_t i = 0; i < 3; i++) {
        uint32_t own = trace_program_ranks(parts[i]);
        for (uint32_t rank = 0; rank < own; rank++) {
            compare_rank(joined, parts[i], rank, ranks, communicators);
            assert_int_equal(trace_program_origin_ns(joined, ranks + rank), join[i].start_ns);
        }
        for (uint32_t c = 0; c < 2; c++) {
            const struct trace_communicator *whole = trace_program_communicator(joined, communicators + c);
            const struct trace_communicator *part = trace_program_communicator(parts[i], c);
            assert_int_equal(whole->size, part->size);
            for (uint32_t member = 0; member < part->size; member++)
                assert_int_equal(whole->members[member], part->members[member] + ranks);
        }
        assert_non_null(trace_program_vector(joined, communicators + 1, 0));
        assert_int_equal(trace_program_vector(joined, communicators + 1, 0)->sent[1], 7);
        ranks += own;
        communicators += 2;
    }
    /* A name is one region, whichever parts have it. */
    struct trace_cursor *first = trace_cursor_new(joined, 0, NULL), *last = trace_cursor_new(joined, 9, NULL);
    struct trace_op a, b;
    for (unsigned i = 0; i < 4; i++) {
        assert_int_equal(trace_cursor_next(first, &a, NULL), 1);
        assert_int_equal(trace_cursor_next(last, &b, NULL), 1);
    }
    assert_int_equal(a.region, b.region);
    trace_cursor_free(first);
    trace_cursor_free(last);
    trace_close(joined);
    for (uint32_t i = 0; i < 3; i++)
        trace_close(parts[i]);
}

static int attempt(void *state)
{
    struct trace_program **parts = state;
    const struct trace_join_part join[] = {{parts[0], 0}, {parts[1], 5}};
    struct base_error error = {0};
    struct trace_program *joined = trace_join(join, 2, &error);
    struct trace_cursor *cursor = joined == NULL ? NULL : trace_cursor_new(joined, 4, &error);
    int status = cursor == NULL ? -1 : 0;

    if (status != 0)
        assert_int_equal(error.status, BASE_SYSTEM);
    trace_cursor_free(cursor);
    trace_close(joined);
    return status;
}

static void memory_runs_out(void **state)
{
    struct trace_program *parts[] = {make_part(3), make_part(2)};

    (void)state;
    assert_in_range(fail_alloc_each(attempt, parts), 5, 100);
    trace_close(parts[0]);
    trace_close(parts[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(parts_are_as_they_were),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("joined", tests, NULL, NULL);
}
