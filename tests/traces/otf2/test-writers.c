/* The same run recorded by two writers is the same program: operation by operation and rank by rank, up to
 * times.
 *
 * Communicators are compared by their members, since writers number them differently. Requests are numbered
 * by the reader. Where the recordings differ, by the recorder and not by the reader:
 *
 *   is.S.4      EZTrace records no completion of receives: their message is guessed, and is the right one here
 *   cover.S.4   EZTrace records no Sendrecv, no Scan, no result of tests and a message to MPI_PROC_NULL: not
 *               comparable
 *   bt.S.4      communicators that were duplicated are one for EZTrace and several for the other writer: same
 *               members */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/recorded.h"

/* The next operation that is no compute time. */
static void next_op(struct trace_cursor *cursor, struct trace_op *op)
{
    struct base_error error = {0};
    int more;

    do {
        more = trace_cursor_next(cursor, op, &error);
        if (more < 0)
            fail_msg("%s", error.text);
        assert_int_equal(more, 1);
    } while (op->kind == TRACE_COMPUTE || op->flags & TRACE_IMPLIED); /* EZTrace names no parents */
}

static void compare_communicators(const struct trace_program *a, uint32_t communicator_a,
                                  const struct trace_program *b, uint32_t communicator_b)
{
    const struct trace_communicator *left = trace_program_communicator(a, communicator_a);
    const struct trace_communicator *right = trace_program_communicator(b, communicator_b);

    assert_int_equal(left->size, right->size);
    assert_memory_equal(left->members, right->members, left->size * sizeof *left->members);
}

static void compare_vectors(const struct trace_program *a, const struct trace_op *op_a,
                            const struct trace_program *b, const struct trace_op *op_b)
{
    const struct trace_vector *left = trace_program_vector(a, op_a->communicator, op_a->instance);
    const struct trace_vector *right = trace_program_vector(b, op_b->communicator, op_b->instance);

    assert_int_equal(left == NULL, right == NULL);
    assert_int_equal(left != NULL, op_a->collective == TRACE_ALLTOALLV);
    if (left == NULL)
        return;
    assert_int_equal(left->size, right->size);
    assert_memory_equal(left->sent, right->sent, left->size * sizeof *left->sent);
    assert_memory_equal(left->received, right->received, left->size * sizeof *left->received);
}

static void compare_ops(const struct trace_program *a, const struct trace_op *op_a,
                        const struct trace_program *b, const struct trace_op *op_b)
{
    const unsigned same = TRACE_NONBLOCKING | TRACE_SYNCHRONOUS | TRACE_APPROXIMATED;

    assert_int_equal(op_a->kind, op_b->kind);
    assert_int_equal(op_a->flags & same, op_b->flags & same);
    assert_string_equal(trace_program_region_name(a, op_a->region),
                        trace_program_region_name(b, op_b->region));
    if (op_a->kind == TRACE_SEND || op_a->kind == TRACE_RECEIVE) {
        assert_int_equal(op_a->peer, op_b->peer);
        assert_int_equal(op_a->tag, op_b->tag);
        assert_int_equal(op_a->bytes, op_b->bytes);
        assert_int_equal(op_a->request, op_b->request);
        compare_communicators(a, op_a->communicator, b, op_b->communicator);
    } else if (op_a->kind == TRACE_WAIT) {
        assert_int_equal(op_a->request_count, op_b->request_count);
        assert_memory_equal(op_a->requests, op_b->requests, op_a->request_count * sizeof *op_a->requests);
    } else if (op_a->kind == TRACE_COLLECTIVE_CALL) {
        assert_int_equal(op_a->collective, op_b->collective);
        assert_int_equal(op_a->root, op_b->root);
        assert_int_equal(op_a->bytes, op_b->bytes);
        compare_communicators(a, op_a->communicator, b, op_b->communicator);
        compare_vectors(a, op_a, b, op_b);
    }
}

static void test_same_program(void **state)
{
    const char *name = *state;
    char end[64];
    const char *path_a, *path_b;
    struct trace_program *a, *b;

    snprintf(end, sizeof end, "otf2-eztrace/%s", name);
    path_a = recorded_find(end);
    snprintf(end, sizeof end, "otf2-scorep-layout/%s", name);
    path_b = recorded_find(end);
    if (path_a == NULL || path_b == NULL)
        suite_skip("no run that both recorded is here");
    a = recorded_open(path_a);
    b = recorded_open(path_b);
    assert_string_equal(trace_program_writer(a), "EZTrace");
    assert_int_equal(trace_program_ranks(a), trace_program_ranks(b));
    for (uint32_t rank = 0; rank < trace_program_ranks(a); rank++) {
        struct base_error error = {0};
        struct trace_cursor *left = trace_cursor_new(a, rank, &error);
        struct trace_cursor *right = trace_cursor_new(b, rank, &error);
        struct trace_op op_a, op_b;
        do {
            next_op(left, &op_a);
            next_op(right, &op_b);
            if (op_a.kind == TRACE_END || op_b.kind == TRACE_END)
                assert_int_equal(op_a.kind, op_b.kind);
            else
                compare_ops(a, &op_a, b, &op_b);
        } while (op_a.kind != TRACE_END);
        assert_int_equal(trace_cursor_next(left, &op_a, &error), 0);
        assert_int_equal(trace_cursor_next(right, &op_b, &error), 0);
        trace_cursor_free(left);
        trace_cursor_free(right);
    }
    trace_close(a);
    trace_close(b);
}

/* cover.S.4 has every kind of collective. The sizes are the arguments of its calls as the DUMPI recording
 * holds them, summed over all calls: those of the sender for gather, of the receiver for scatter. */
static void test_sizes(void **state)
{
    static const struct {
        enum trace_collective collective;
        uint64_t calls, bytes;
    } expected[] = {
        {TRACE_BARRIER, 12, 0},   {TRACE_ALLREDUCE, 14, 464}, {TRACE_BCAST, 8, 608},
        {TRACE_REDUCE, 4, 160},   {TRACE_GATHER, 4, 96},      {TRACE_SCATTER, 4, 96},
        {TRACE_ALLGATHER, 4, 64}, {TRACE_ALLTOALL, 4, 128},   {TRACE_ALLTOALLV, 4, 320},
        {TRACE_SCAN, 4, 64},
    };
    const char *path = recorded_find(*state);
    bool by_eztrace = strstr(*state, "eztrace") != NULL;
    struct trace_program *program = recorded_open(path);
    const struct trace_summary *summary = trace_program_summary(program);

    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++) {
        const struct trace_collective_count *count = &summary->collectives[expected[i].collective];
        bool missing = by_eztrace && expected[i].collective == TRACE_SCAN;
        assert_int_equal(count->calls, missing ? 0 : expected[i].calls);
        assert_int_equal(count->bytes, missing ? 0 : expected[i].bytes);
    }
    trace_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_same_program, "bt.S.4"),
        cmocka_unit_test_prestate(test_same_program, "cg.S.4"),
        cmocka_unit_test_prestate(test_same_program, "cg.S.16"),
        cmocka_unit_test_prestate(test_same_program, "ft.S.4"),
        cmocka_unit_test_prestate(test_same_program, "is.S.4"),
        cmocka_unit_test_prestate(test_same_program, "mg.S.4"),
        cmocka_unit_test_prestate(test_sizes, "otf2-scorep-layout/cover.S.4"),
        cmocka_unit_test_prestate(test_sizes, "otf2-eztrace/cover.S.4"),
    };
    return cmocka_run_group_tests_name("one program by two writers", tests, NULL, NULL);
}
