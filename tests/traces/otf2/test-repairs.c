/* What the reader repairs, and what it makes of the sizes of collectives, in small archives written for the
 * purpose. */
#include <config.h>

#include <string.h>

#include "tests/suite.h"
#include "tests/traces/archive.h"

/* All receives on MPI_COMM_WORLD, with the sender's number in the true communicator, as EZTrace records them.
 */
static void test_whole_channels(void **state)
{
    const struct archive_spec spec = {
        .ranks = 3,
        .communicators = "4: 2 0 1",
        /* Rank 0 of communicator 4 is world rank 2: the receives seem to come from rank 0 of the world. */
        .events = {
            "Irecv 1\nIrecv 2\nenter MPI_Waitall\nirecv 0 0 5 10 1\nirecv 2 0 5 30 2\nleave MPI_Waitall\n",
            "Send 1 4 5 30\n", "Send 1 4 5 10\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "receive 2 1 5 10 #0 repaired\ncompute 10\nreceive 1 1 5 30 #1 repaired\ncompute 10\n"
                   "wait 0 1\nend\n");
    assert_int_equal(archive_repairs(&opened, "receive-communicator"), 2);
    assert_int_equal(trace_program_summary(opened.program)->receives, 2);
    archive_close(&opened);
}

/* One recorded channel holds receives of two true ones: they are told apart by order and size. */
static void test_mixed_channels(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .communicators = "4: 0 1; 5: 0 1",
        .events = {
            "Irecv 1\nIrecv 2\nIrecv 3\nIrecv 4\nenter MPI_Waitall\nirecv 1 0 7 20 1\nirecv 1 0 7 10 2\n"
            "irecv 1 0 7 30 3\nirecv 1 0 7 40 4\nleave MPI_Waitall\n",
            "Send 0 0 7 10\nSend 0 4 7 20\nSend 0 5 7 30\nSend 0 4 7 40\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "receive 1 1 7 20 #0 repaired\ncompute 10\nreceive 1 0 7 10 #1\ncompute 10\n"
                   "receive 1 2 7 30 #2 repaired\ncompute 10\nreceive 1 1 7 40 #3 repaired\ncompute 10\n"
                   "wait 0 1 2 3\nend\n");
    assert_int_equal(archive_repairs(&opened, "receive-communicator"), 3);
    archive_close(&opened);
}

/* What matches strictly is left alone, whatever else would fit. */
static void test_strict_first(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .communicators = "4: 0 1",
        .events = {"Irecv 1\nenter MPI_Wait\nirecv 1 0 7 10 1\nleave MPI_Wait\nIrecv 1\nenter MPI_Wait\n"
                   "irecv 1 0 8 20 1\nleave MPI_Wait\n",
                   "Send 0 4 8 20\nSend 0 0 7 10\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "receive 1 0 7 10 #0\ncompute 10\nwait 0\ncompute 10\nreceive 1 1 8 20 #1 repaired\n"
                   "compute 10\nwait 1\nend\n");
    assert_int_equal(archive_repairs(&opened, "receive-communicator"), 1);
    archive_close(&opened);
}

/* Receives and sends without completions, as EZTrace records C programs: they complete in the waits that
 * follow, the oldest first in a wait for one. */
static void test_missing_completions(void **state)
{
    const struct archive_spec spec = {
        .ranks = 3,
        .events = {"Irecv 100\nIrecv 108\nIsend 1 0 9 90 116\nCall MPI_Wait\nCall MPI_Waitall\nIrecv 100\n"
                   "Call MPI_Wait\n",
                   "Recv 0 0 9 90\nSend 0 0 1 10\nSend 0 0 3 30\n", "Send 0 0 2 20\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "receive 2 0 2 20 #0 repaired\ncompute 10\nreceive 1 0 1 10 #1 repaired\ncompute 10\n"
                   "send 1 0 9 90 #2\ncompute 10\nwait 0 repaired\ncompute 10\nwait 1 2 repaired\n"
                   "compute 10\nreceive 1 0 3 30 #3 repaired\ncompute 10\nwait 3 repaired\nend\n");
    assert_int_equal(archive_repairs(&opened, "missing-completion"), 3);
    assert_int_equal(archive_repairs(&opened, "missing-send-completion"), 1);
    assert_int_equal(trace_program_summary(opened.program)->receives, 4);
    assert_int_equal(trace_program_summary(opened.program)->bytes_received, 150);
    archive_close(&opened);
}

/* An identifier that is used again must have been completed, and at the end everything is. */
static void test_used_again(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"Isend 1 0 1 10 100\nIsend 1 0 2 20 100\nIsend 1 0 3 30 108\n",
                   "Recv 0 0 1 10\nRecv 0 0 2 20\nRecv 0 0 3 30\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "send 1 0 1 10 #0\ncompute 10\nwait 0 repaired\nsend 1 0 2 20 #1\ncompute 10\n"
                   "send 1 0 3 30 #2\nwait 1 2 repaired\nend\n");
    archive_close(&opened);
}

/* A receive that nobody sends anything for was for MPI_PROC_NULL; it takes its turn in the waits. Before a
 * rank has made a communicator its receives are on the world's. */
static void test_no_message(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .communicators = "4: 1 0",
        .events = {"Irecv 100\nCall MPI_Wait\nCall MPI_Comm_split\nIrecv 100\nCall MPI_Wait\nRecv 1 0 1 10\n",
                   "Call MPI_Comm_split\nSend 1 4 5 50\nSend 0 0 1 10\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "compute 30\nreceive 1 1 5 50 #0 repaired\ncompute 10\nwait 0 repaired\ncompute 10\n"
                   "receive 1 0 1 10\nend\n");
    assert_int_equal(archive_repairs(&opened, "receive-without-message"), 1);
    assert_int_equal(archive_repairs(&opened, "missing-completion"), 1);
    archive_close(&opened);
}

/* The pairing must not make a deadlock of long messages: the receive that was posted first takes the message
 * that comes first although the wait for another would be served sooner. */
static void test_no_deadlock(void **state)
{
    const struct archive_spec spec = {.ranks = 2,
                                      .events = {"Irecv 100\nSend 1 0 1 1000000\nCall MPI_Wait\n",
                                                 "Irecv 100\nSend 0 0 1 1000000\nCall MPI_Wait\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "receive 1 0 1 1000000 #0 repaired\ncompute 10\nsend 1 0 1 1000000\ncompute 10\n"
                   "wait 0 repaired\nend\n");
    archive_close(&opened);
}

/* Here the message that leaves first, that of rank 1, can only leave first when sends do not wait: rank 2
 * takes rank 1's other message after it has heard of rank 0. So the first receive of rank 0 is for the slow
 * rank 3. */
static void test_no_deadlock_of_sends(void **state)
{
    const struct archive_spec spec = {
        .ranks = 5,
        .events = {"Irecv 100\nCall MPI_Wait\nSend 2 0 5 50\nIrecv 100\nCall MPI_Wait\n",
                   "Send 2 0 6 60\nSend 0 0 1 10\n", "Recv 0 0 5 50\nRecv 1 0 6 60\n",
                   "Recv 4 0 9 1\nRecv 4 0 9 2\nRecv 4 0 9 3\nSend 0 0 2 20\n",
                   "Send 3 0 9 1\nSend 3 0 9 2\nSend 3 0 9 3\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "receive 3 0 2 20 #0 repaired\ncompute 10\nwait 0 repaired\ncompute 10\nsend 2 0 5 50\n"
                   "compute 10\nreceive 1 0 1 10 #1 repaired\ncompute 10\nwait 1 repaired\nend\n");
    archive_close(&opened);
}

#define NONE " -1 "

/* Multiplied sizes, as Score-P records them, and what MPI_IN_PLACE leaves out of them. */
static void test_multiplied_sizes(void **state)
{
    const struct archive_spec spec = {
        .ranks = 3,
        .events = {"collective 1 0 1 0 40\ncollective 12 0 2 8 0\ncollective 11 0" NONE "24 24\n"
                   "collective 11 0" NONE "16 16\ncollective 2 0 0 0 20\ncollective 14 0" NONE "21 7\n"
                   "collective 15 0" NONE "14 0\ncollective 16 0" NONE "15 15\ncollective 0 0" NONE "0 0\n",
                   "collective 1 0 1 120 40\ncollective 12 0 2 8 0\ncollective 11 0" NONE "24 24\n"
                   "collective 11 0" NONE "16 16\ncollective 2 0 0 10 0\ncollective 14 0" NONE "14 14\n"
                   "collective 15 0" NONE "7 7\ncollective 16 0" NONE "15 15\ncollective 0 0" NONE "0 0\n",
                   "collective 1 0 1 0 40\ncollective 12 0 2 8 24\ncollective 11 0" NONE "24 24\n"
                   "collective 11 0" NONE "16 16\ncollective 2 0 0 10 0\ncollective 14 0" NONE "7 21\n"
                   "collective 15 0" NONE "0 14\ncollective 16 0" NONE "15 15\ncollective 0 0" NONE "0 0\n"}};
    const char *expected = "bcast 0 40 root 1\ncompute 10\nreduce 0 8 root 2\ncompute 10\nallreduce 0 8\n"
                           "compute 10\nallreduce 0 8\ncompute 10\ngather 0 10 root 0\ncompute 10\nscan 0 7\n"
                           "compute 10\nexscan 0 7\ncompute 10\nreduce_scatter_block 0 5\ncompute 10\n"
                           "barrier 0 0\nend\n";
    struct archive opened = archive_open(&spec);

    (void)state;
    for (uint32_t rank = 0; rank < 3; rank++)
        archive_expect(&opened, rank, expected);
    assert_int_equal(archive_repairs(&opened, "collective-size"), 0);
    archive_close(&opened);
}

/* Plain sizes by a recorder that marks its regions as MPI: the sizes themselves tell. */
static void test_plain_sizes(void **state)
{
    const char *events =
        "enter MPI_Bcast\ncollective 1 0 1 40 40\nleave MPI_Bcast\ncollective 11 0" NONE "24 24\n"
        "collective 8 0" NONE "12 12\n";
    const struct archive_spec spec = {.ranks = 3, .events = {events, events, events}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "bcast 0 40 root 1\ncompute 10\nallreduce 0 24\ncompute 10\nalltoall 0 12\nend\n");
    archive_close(&opened);
}

/* One operation whose totals are no products, in a trace that multiplies otherwise. */
static void test_indivisible_sizes(void **state)
{
    const char *others =
        "enter MPI_Bcast\ncollective 1 0 0 0 40\nleave MPI_Bcast\ncollective 11 0" NONE "7 7\n"
        "collective 8 0" NONE "12 12\n";
    const struct archive_spec spec = {
        .ranks = 3,
        .events = {"enter MPI_Bcast\ncollective 1 0 0 120 40\nleave MPI_Bcast\ncollective 11 0" NONE "7 7\n"
                   "collective 8 0" NONE "12 12\n",
                   others, others}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 1,
                   "bcast 0 40 root 0\ncompute 10\nallreduce 0 7\ncompute 10\nalltoall 0 4\nend\n");
    archive_close(&opened);
}

static void expect_vector(const struct archive *opened, uint64_t instance, const uint64_t sent[3],
                          const uint64_t received[3])
{
    const struct trace_vector *vector = trace_program_vector(opened->program, 0, instance);

    assert_non_null(vector);
    assert_int_equal(vector->size, 3);
    assert_memory_equal(vector->sent, sent, 3 * sizeof *sent);
    assert_memory_equal(vector->received, received, 3 * sizeof *received);
}

/* gatherv of 1, 2, 3 bytes to rank 1; scatterv of the same from it; allgatherv and reduce_scatter of the same
 * as totals over the communicator; alltoallv. */
static void test_vectors(void **state)
{
    const struct archive_spec spec = {
        .ranks = 3,
        .events = {"collective 3 0 1 1 0\ncollective 5 0 1 0 1\ncollective 7 0" NONE
                   "3 6\ncollective 9 0" NONE "5 6\n"
                   "collective 13 0" NONE "6 3\ncollective 0 0" NONE "0 0\n",
                   "collective 3 0 1 2 6\ncollective 5 0 1 6 2\ncollective 7 0" NONE
                   "6 6\ncollective 9 0" NONE "4 3\n"
                   "collective 13 0" NONE "6 6\ncollective 0 0" NONE "0 0\n",
                   "collective 3 0 1 3 0\ncollective 5 0 1 0 3\ncollective 7 0" NONE
                   "9 6\ncollective 9 0" NONE "1 1\n"
                   "collective 13 0" NONE "6 9\ncollective 0 0" NONE "0 0\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 2,
                   "gatherv 0 0 root 1\ncompute 10\nscatterv 0 0 root 1\ncompute 10\n"
                   "allgatherv 0 0\ncompute 10\nalltoallv 0 0 approximated\ncompute 10\n"
                   "reduce_scatter 0 0\ncompute 10\nbarrier 0 0\nend\n");
    expect_vector(&opened, 0, (uint64_t[]){1, 2, 3}, (uint64_t[]){0, 6, 0});
    expect_vector(&opened, 1, (uint64_t[]){0, 6, 0}, (uint64_t[]){1, 2, 3});
    expect_vector(&opened, 2, (uint64_t[]){1, 2, 3}, (uint64_t[]){6, 6, 6});
    expect_vector(&opened, 3, (uint64_t[]){5, 4, 1}, (uint64_t[]){6, 3, 1});
    expect_vector(&opened, 4, (uint64_t[]){6, 6, 6}, (uint64_t[]){1, 2, 3});
    assert_null(trace_program_vector(opened.program, 0, 5));
    archive_close(&opened);
}

/* One allgatherv and one reduce_scatter of blocks of 10, 20 and 30 bytes, or what is made of nonsense. */
static void check_blocks(const char *const events[3], const uint64_t blocks[3], uint64_t conventions,
                         uint64_t guesses)
{
    const struct archive_spec spec = {.ranks = 3, .events = {events[0], events[1], events[2]}};
    struct archive opened = archive_open(&spec);
    const struct trace_summary *summary = trace_program_summary(opened.program);
    uint64_t total = blocks[0] + blocks[1] + blocks[2];
    uint64_t all[3] = {total, total, total};
    struct trace_cursor *cursor;
    struct base_error error = {0};
    struct trace_op op;

    expect_vector(&opened, 0, blocks, all);
    expect_vector(&opened, 1, all, blocks);
    assert_int_equal(archive_repairs(&opened, "collective-size-convention"), conventions);
    assert_int_equal(archive_repairs(&opened, "collective-blocks"), guesses);
    assert_int_equal(summary->collectives[TRACE_ALLGATHERV].bytes, total);
    assert_int_equal(summary->collectives[TRACE_REDUCE_SCATTER].bytes, 3 * total);
    cursor = trace_cursor_new(opened.program, 2, &error);
    assert_int_equal(trace_cursor_next(cursor, &op, &error), 1);
    assert_int_equal(op.bytes_sent, blocks[2]);
    assert_int_equal(op.bytes_received, total);
    assert_int_equal((op.flags & TRACE_APPROXIMATED) != 0, guesses > 0);
    trace_cursor_free(cursor);
    archive_close(&opened);
}

#define BLOCKS(sent, received, all, own)                                                                     \
    "collective 7 0" NONE sent " " received "\ncollective 13 0" NONE all " " own "\n"

/* What each member sends to all others, and receives from all of them, by the recorders' conventions. The
 * last is Score-P's reduce_scatter in place, whose total lacks an element and not the own block. */
static void test_block_conventions(void **state)
{
    static const uint64_t blocks[3] = {10, 20, 30}, even[3] = {20, 20, 20};
    const char *const plain[3] = {BLOCKS("10", "60", "60", "10"), BLOCKS("20", "60", "60", "20"),
                                  BLOCKS("30", "60", "60", "30")};
    const char *const totals[3] = {BLOCKS("30", "60", "60", "30"), BLOCKS("60", "60", "60", "60"),
                                   BLOCKS("90", "60", "60", "90")};
    const char *const in_place[3] = {BLOCKS("20", "50", "50", "20"), BLOCKS("40", "40", "40", "40"),
                                     BLOCKS("60", "30", "30", "60")};
    const char *const element[3] = {BLOCKS("30", "60", "50", "20"), BLOCKS("60", "60", "50", "40"),
                                    BLOCKS("90", "60", "50", "60")};
    const char *const either[3] = {BLOCKS("60", "60", "60", "60"), BLOCKS("60", "60", "60", "60"),
                                   BLOCKS("60", "60", "60", "60")};
    const char *const nothing[3] = {BLOCKS("0", "60", "60", "0"), BLOCKS("0", "60", "60", "0"),
                                    BLOCKS("0", "60", "60", "0")};

    (void)state;
    check_blocks(plain, blocks, 0, 0);
    check_blocks(totals, blocks, 6, 0);
    check_blocks(in_place, blocks, 6, 0);
    check_blocks(element, blocks, 6, 0);
    check_blocks(nothing, even, 0, 6);
    check_blocks(either, even, 6, 0); /* of 30 bytes in place, or of 20 */
}

/* A root in place: Score-P leaves its own block out, which moves nowhere; a recorder of arguments has it in
 * the sum of all. An alltoallv in place sends as much as it receives; its arguments of sending mean nothing.
 */
static void test_sides_in_place(void **state)
{
    const struct archive_spec spec = {
        .ranks = 3,
        .events = {"collective 3 0 1 1 0\ncollective 5 0 1 0 1\ncollective 3 0 1 1 0\n"
                   "collective 9 0" NONE "0 3\n",
                   "collective 3 0 1 0 4\ncollective 5 0 1 4 0\ncollective 3 0 1 0 6\n"
                   "collective 9 0" NONE "0 5\n",
                   "collective 3 0 1 3 0\ncollective 5 0 1 0 3\ncollective 3 0 1 3 0\n"
                   "collective 9 0" NONE "0 1\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    expect_vector(&opened, 0, (uint64_t[]){1, 0, 3}, (uint64_t[]){0, 4, 0});
    expect_vector(&opened, 1, (uint64_t[]){0, 4, 0}, (uint64_t[]){1, 0, 3});
    expect_vector(&opened, 2, (uint64_t[]){1, 2, 3}, (uint64_t[]){0, 6, 0});
    expect_vector(&opened, 3, (uint64_t[]){3, 5, 1}, (uint64_t[]){3, 5, 1});
    archive_close(&opened);
}

/* A root that recorded nothing of its own: the members agree on the largest size. */
static void test_unequal_sizes(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .user_regions = true,
        .events = {"Call MPI_Init\ncollective 11 0" NONE "8 8\ncollective 11 0" NONE "0 0\n",
                   "Call MPI_Init\ncollective 11 0" NONE "8 8\ncollective 11 0" NONE "64 64\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "compute 10\nallreduce 0 8\ncompute 10\nallreduce 0 64 repaired\nend\n");
    archive_expect(&opened, 1, "compute 10\nallreduce 0 8\ncompute 10\nallreduce 0 64\nend\n");
    assert_int_equal(archive_repairs(&opened, "collective-size"), 1);
    assert_int_equal(trace_program_summary(opened.program)->collectives[TRACE_ALLREDUCE].bytes, 144);
    archive_close(&opened);
}

/* Members that call different collectives cannot be replayed: the first difference is named. */
static void test_disagreement(void **state)
{
    struct archive_spec spec = {.ranks = 2,
                                .events = {"collective 0 0" NONE "0 0\ncollective 1 0 0 8 4\n",
                                           "collective 0 0" NONE "0 0\ncollective 1 0 1 8 4\n"}};

    (void)state;
    archive_refuse(&spec,
                   "rank 1, event 2: collective 2 on communicator \"communicator 0\" is bcast (root 1), but "
                   "rank 0 calls bcast (root 0)");
    spec.events[1] = "collective 0 0" NONE "0 0\n";
    archive_refuse(&spec, "rank 1: collective 2 on communicator \"communicator 0\" is nothing more");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_whole_channels),    cmocka_unit_test(test_mixed_channels),
        cmocka_unit_test(test_strict_first),      cmocka_unit_test(test_missing_completions),
        cmocka_unit_test(test_used_again),        cmocka_unit_test(test_no_message),
        cmocka_unit_test(test_no_deadlock),       cmocka_unit_test(test_no_deadlock_of_sends),
        cmocka_unit_test(test_multiplied_sizes),  cmocka_unit_test(test_plain_sizes),
        cmocka_unit_test(test_indivisible_sizes), cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_block_conventions), cmocka_unit_test(test_sides_in_place),
        cmocka_unit_test(test_unequal_sizes),     cmocka_unit_test(test_disagreement),
    };
    return cmocka_run_group_tests_name("repairs of OTF2 traces", tests, NULL, NULL);
}
