/* What calls imply: the table is in order, and the operations of a rule are those of the call in this place.
 */
#include <config.h>

#include "tests/suite.h"

#include "traces/communicators/implied.h"

/* The rule, which must be there and say how coverage names it. */
static const struct trace_implied_call *rule_of(const char *call)
{
    const struct trace_implied_call *rule = trace_implied_find(call);

    if (rule == NULL)
        fail_msg("%s implies nothing", call);
    assert_string_equal(rule->call, call);
    assert_non_null(rule->how);
    return rule;
}

/* A table out of order would lose some of them. */
static void every_rule_is_found(void **state)
{
    static const char *const calls[] = {"MPI_Cart_create",
                                        "MPI_Cart_sub",
                                        "MPI_Comm_create",
                                        "MPI_Comm_dup",
                                        "MPI_Comm_dup_with_info",
                                        "MPI_Comm_split",
                                        "MPI_Comm_split_type",
                                        "MPI_Dist_graph_create",
                                        "MPI_Dist_graph_create_adjacent",
                                        "MPI_File_close",
                                        "MPI_File_delete",
                                        "MPI_File_iread",
                                        "MPI_File_iread_at",
                                        "MPI_File_iread_shared",
                                        "MPI_File_iwrite",
                                        "MPI_File_iwrite_at",
                                        "MPI_File_iwrite_shared",
                                        "MPI_File_open",
                                        "MPI_File_preallocate",
                                        "MPI_File_read",
                                        "MPI_File_read_all",
                                        "MPI_File_read_all_begin",
                                        "MPI_File_read_all_end",
                                        "MPI_File_read_at",
                                        "MPI_File_read_at_all",
                                        "MPI_File_read_at_all_begin",
                                        "MPI_File_read_at_all_end",
                                        "MPI_File_read_ordered",
                                        "MPI_File_read_ordered_begin",
                                        "MPI_File_read_ordered_end",
                                        "MPI_File_read_shared",
                                        "MPI_File_seek",
                                        "MPI_File_seek_shared",
                                        "MPI_File_set_atomicity",
                                        "MPI_File_set_info",
                                        "MPI_File_set_size",
                                        "MPI_File_set_view",
                                        "MPI_File_sync",
                                        "MPI_File_write",
                                        "MPI_File_write_all",
                                        "MPI_File_write_all_begin",
                                        "MPI_File_write_all_end",
                                        "MPI_File_write_at",
                                        "MPI_File_write_at_all",
                                        "MPI_File_write_at_all_begin",
                                        "MPI_File_write_at_all_end",
                                        "MPI_File_write_ordered",
                                        "MPI_File_write_ordered_begin",
                                        "MPI_File_write_ordered_end",
                                        "MPI_File_write_shared",
                                        "MPI_Graph_create",
                                        "MPI_Intercomm_create",
                                        "MPI_Intercomm_merge",
                                        "MPI_Win_allocate",
                                        "MPI_Win_allocate_shared",
                                        "MPI_Win_complete",
                                        "MPI_Win_create",
                                        "MPI_Win_create_dynamic",
                                        "MPI_Win_fence",
                                        "MPI_Win_flush",
                                        "MPI_Win_flush_all",
                                        "MPI_Win_flush_local",
                                        "MPI_Win_flush_local_all",
                                        "MPI_Win_free",
                                        "MPI_Win_unlock",
                                        "MPI_Win_unlock_all"};
    (void)state;

    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
        rule_of(calls[i]);
    assert_null(trace_implied_find("MPI_Comm_free"));
    assert_null(trace_implied_find("MPI_Comm_rank"));
    assert_null(trace_implied_find("MPI_Bcast"));
    assert_null(trace_implied_find(""));
}

/* A collective on the communicator of the place, 7 in all tests. */
static void check_collective(const struct trace_op *op, enum trace_collective collective, uint64_t bytes,
                             unsigned flags)
{
    assert_int_equal(op->kind, TRACE_COLLECTIVE_CALL);
    assert_int_equal(op->collective, collective);
    assert_int_equal(op->bytes, bytes);
    assert_int_equal(op->flags, flags);
    assert_int_equal(op->communicator, 7);
}

/* One collective each, and no work for the recorded time: what the call took is what is replaced. */
static void creations_agree_on_the_parent(void **state)
{
    struct trace_implied_place place = {.communicator = 7, .duration_ns = 1000};
    struct trace_implied_steps steps;
    (void)state;

    trace_implied_steps(rule_of("MPI_Comm_split"), &place, &steps);
    assert_int_equal(steps.count, 1);
    check_collective(&steps.ops[0], TRACE_ALLGATHER, 8, TRACE_IMPLIED);
    assert_int_equal(steps.ops[0].root, UINT32_MAX);
    assert_int_equal(rule_of("MPI_Comm_split")->treatment, TRACE_DECOMPOSED);
    trace_implied_steps(rule_of("MPI_Cart_sub"), &place, &steps);
    assert_int_equal(steps.count, 1);
    check_collective(&steps.ops[0], TRACE_BARRIER, 0, TRACE_IMPLIED);
    trace_implied_steps(rule_of("MPI_Intercomm_merge"), &place, &steps);
    assert_int_equal(steps.count, 1);
    check_collective(&steps.ops[0], TRACE_BARRIER, 0, TRACE_IMPLIED);
    trace_implied_steps(rule_of("MPI_Win_create"), &place, &steps);
    assert_int_equal(steps.count, 1);
    check_collective(&steps.ops[0], TRACE_ALLGATHER, 16, TRACE_IMPLIED | TRACE_APPROXIMATED);
    assert_int_equal(rule_of("MPI_Win_create")->object, TRACE_IMPLIED_PARENT);
    assert_int_equal(rule_of("MPI_Win_fence")->object, TRACE_IMPLIED_WINDOW);
}

/* Only the leader has the messages; the bcast goes on from it. */
static void leaders_exchange_messages(void **state)
{
    struct trace_implied_place place = {.communicator = 7,
                                        .root = 2,
                                        .leader = true,
                                        .peer = 11,
                                        .peer_communicator = 5,
                                        .tag = 99,
                                        .next_request = 40};
    struct trace_implied_steps steps;
    (void)state;

    trace_implied_steps(rule_of("MPI_Intercomm_create"), &place, &steps);
    assert_int_equal(steps.count, 4);
    assert_int_equal(steps.started, 2);
    for (unsigned i = 0; i < 2; i++) {
        const struct trace_op *op = &steps.ops[i];

        assert_int_equal(op->kind, i == 0 ? TRACE_RECEIVE : TRACE_SEND);
        assert_int_equal(op->flags, TRACE_NONBLOCKING | TRACE_IMPLIED);
        assert_int_equal(op->peer, 11);
        assert_int_equal(op->communicator, 5);
        assert_int_equal(op->tag, 99);
        assert_int_equal(op->bytes, 8);
        assert_int_equal(op->request, 40 + i);
        assert_int_equal(steps.ops[2].requests[i], 40 + i);
    }
    assert_int_equal(steps.ops[2].kind, TRACE_WAIT);
    assert_int_equal(steps.ops[2].request_count, 2);
    check_collective(&steps.ops[3], TRACE_BCAST, 8, TRACE_IMPLIED);
    assert_int_equal(steps.ops[3].root, 2);
    place.leader = false;
    trace_implied_steps(rule_of("MPI_Intercomm_create"), &place, &steps);
    assert_int_equal(steps.count, 1);
    assert_int_equal(steps.started, 0);
    check_collective(&steps.ops[0], TRACE_BCAST, 8, TRACE_IMPLIED);
}

/* A fence is a barrier in any case; an unlock with nothing to complete is nothing. */
static void epochs_end_in_waits(void **state)
{
    static const uint64_t pending[] = {3, 4, 8};
    struct trace_implied_place place = {.communicator = 7, .pending = pending, .pending_count = 3};
    struct trace_implied_steps steps;
    (void)state;

    trace_implied_steps(rule_of("MPI_Win_fence"), &place, &steps);
    assert_int_equal(steps.count, 2);
    assert_int_equal(steps.ops[0].kind, TRACE_WAIT);
    assert_int_equal(steps.ops[0].flags, TRACE_IMPLIED | TRACE_APPROXIMATED);
    assert_ptr_equal(steps.ops[0].requests, pending);
    assert_int_equal(steps.ops[0].request_count, 3);
    check_collective(&steps.ops[1], TRACE_BARRIER, 0, TRACE_IMPLIED | TRACE_APPROXIMATED);
    trace_implied_steps(rule_of("MPI_Win_unlock"), &place, &steps);
    assert_int_equal(steps.count, 1);
    place.pending_count = 0;
    trace_implied_steps(rule_of("MPI_Win_fence"), &place, &steps);
    assert_int_equal(steps.count, 1);
    trace_implied_steps(rule_of("MPI_Win_unlock"), &place, &steps);
    assert_int_equal(steps.count, 0);
}

/* Collective calls meet first; all of them take the time that was recorded. */
static void files_take_their_recorded_time(void **state)
{
    struct trace_implied_place place = {.communicator = 7, .duration_ns = 1000};
    struct trace_implied_steps steps;
    (void)state;

    trace_implied_steps(rule_of("MPI_File_write_at_all"), &place, &steps);
    assert_int_equal(steps.count, 2);
    check_collective(&steps.ops[0], TRACE_BARRIER, 0, TRACE_IMPLIED | TRACE_APPROXIMATED);
    assert_int_equal(steps.ops[1].kind, TRACE_COMPUTE);
    assert_int_equal(steps.ops[1].duration_ns, 1000);
    assert_int_equal(steps.ops[1].flags, TRACE_APPROXIMATED);
    trace_implied_steps(rule_of("MPI_File_read_at"), &place, &steps);
    assert_int_equal(steps.count, 1);
    assert_int_equal(steps.ops[0].kind, TRACE_COMPUTE);
    place.duration_ns = 0;
    trace_implied_steps(rule_of("MPI_File_read_at"), &place, &steps);
    assert_int_equal(steps.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_rule_is_found),
        cmocka_unit_test(creations_agree_on_the_parent),
        cmocka_unit_test(leaders_exchange_messages),
        cmocka_unit_test(epochs_end_in_waits),
        cmocka_unit_test(files_take_their_recorded_time),
    };

    return cmocka_run_group_tests_name("what calls imply", tests, NULL, NULL);
}
