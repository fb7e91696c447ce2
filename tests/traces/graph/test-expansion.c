/* Collectives counted by call and algorithm: what the schedules say, and nothing when memory is out. */
#include <config.h>

#include "tests/suite.h"

#include <string.h>

#include "tests/fail-alloc.h"
#include "traces/graph/expansion.h"
#include "tests/traces/memory.h"

#define RANKS 4

static struct trace_program *make_program(void)
{
    struct trace_memory *memory = trace_memory_new(RANKS);
    const uint32_t pair[] = {3, 1};
    uint32_t part = trace_memory_communicator(memory, "pair", pair, 2);

    for (uint32_t rank = 0; rank < RANKS; rank++) {
        struct trace_op op = {.kind = TRACE_COLLECTIVE_CALL, .root = UINT32_MAX};
        op.collective = TRACE_BARRIER;
        assert_int_equal(trace_memory_add(memory, rank, &op), 0);
        op.collective = TRACE_BCAST;
        op.root = 2;
        for (op.bytes = 100; op.bytes < 600; op.bytes += 100)
            assert_int_equal(trace_memory_add(memory, rank, &op), 0);
        op.communicator = part;
        op.root = 0;
        if (rank % 2 == 1)
            assert_int_equal(trace_memory_add(memory, rank, &op), 0);
    }
    return trace_memory_program(memory);
}

/* A barrier of 4 by dissemination: 2 rounds of 4 messages. A bcast tree has a message less than ranks. */
static void calls_messages_and_bytes_are_counted(void **state)
{
    struct trace_program *program = make_program();
    struct trace_expansion_list list = {0};
    (void)state;

    assert_int_equal(trace_expand(program, trace_tuning_find("mpich", NULL), &list, NULL), 0);
    assert_int_equal(list.count, 2);
    assert_string_equal(list.rows[0].record, "MPI_Barrier");
    assert_string_equal(list.rows[0].algorithm, "barrier-dissemination");
    assert_int_equal(list.rows[0].calls, 4);
    assert_int_equal(list.rows[0].messages, 8);
    assert_int_equal(list.rows[0].bytes, 0);
    assert_string_equal(list.rows[1].record, "MPI_Bcast");
    assert_string_equal(list.rows[1].algorithm, "bcast-binomial");
    assert_int_equal(list.rows[1].calls, 4 * 5 + 2);
    assert_int_equal(list.rows[1].messages, 3 * 5 + 1);
    assert_int_equal(list.rows[1].bytes, 3 * (100 + 200 + 300 + 400 + 500) + 600);
    trace_expansion_list_free(&list);
    trace_close(program);
}

static void an_impossible_collective_is_refused_with_its_place(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);
    struct trace_op op = {.kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_BCAST, .root = 7, .bytes = 8};
    struct trace_program *program;
    struct trace_expansion_list list = {0};
    struct base_error error = {0};
    (void)state;

    assert_int_equal(trace_memory_add(memory, 0, &op), 0);
    assert_int_equal(trace_memory_add(memory, 1, &op), 0);
    program = trace_memory_program(memory);
    assert_int_equal(trace_expand(program, trace_tuning_find("mpich", NULL), &list, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_non_null(strstr(error.text, "rank 0, event 1: bcast: root 7"));
    trace_expansion_list_free(&list);
    trace_close(program);
}

static int expand(void *program)
{
    struct trace_expansion_list list = {0};
    int status = trace_expand(program, trace_tuning_find("mpich", NULL), &list, NULL);

    trace_expansion_list_free(&list);
    return status;
}

static void no_memory_is_told_and_nothing_leaks(void **state)
{
    struct trace_program *program = make_program();
    (void)state;

    assert_true(fail_alloc_each(expand, program) > 3);
    trace_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_messages_and_bytes_are_counted),
        cmocka_unit_test(an_impossible_collective_is_refused_with_its_place),
        cmocka_unit_test(no_memory_is_told_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
