/* Inter-communicators in OTF2 archives: their definitions, what is said on them, and how they are made. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/archive.h"

/* Ranks 0 and 1 on one side, 3 and 2 on the other; communicators 1 and 2 are the sides, 3 is of both. */
#define SIDES "4<0: 0 1; 5<0: 3 2; 6<0: inter 0 1 / 3 2"

/* A peer's number counts in the group that the process is not in. */
static void test_messages(void **state)
{
    const struct archive_spec spec = {.ranks = 4,
                                      .communicators = SIDES,
                                      .events = {"Send 0 6 1 10\nSend 1 6 2 20\nIrecv 7\n"
                                                 "enter MPI_Wait\nirecv 1 6 3 30 7\nleave MPI_Wait\n",
                                                 "", "Recv 0 6 2 20\nSend 0 6 3 30\n", "Recv 0 6 1 10\n"}};
    struct archive opened = archive_open(&spec);
    const struct trace_communicator *inter = trace_program_communicator(opened.program, 3);

    (void)state;
    assert_int_equal(inter->size, 2);
    assert_int_equal(inter->remote_size, 2);
    assert_int_equal(inter->members[1], 1);
    assert_int_equal(inter->remote_members[0], 3);
    archive_expect(&opened, 0,
                   "send 3 3 1 10\ncompute 10\nsend 2 3 2 20\ncompute 10\nreceive 2 3 3 30 #0\n"
                   "compute 10\nwait 0\nend\n");
    archive_expect(&opened, 2, "receive 0 3 2 20\ncompute 10\nsend 0 3 3 30\nend\n");
    archive_expect(&opened, 3, "receive 0 3 1 10\nend\n");
    archive_close(&opened);
}

/* Roots are ranks of the other group, the process itself (-2), or somebody in its own group (-3), which is
 * then known from the others. Sizes are multiplied by the ranks of the other group. */
static void test_collectives(void **state)
{
    const struct archive_spec spec = {
        .ranks = 4,
        .communicators = SIDES,
        .events = {"collective 1 6 -3 0 0\nenter MPI_Barrier\ncollective 0 6 -1 0 0\nleave MPI_Barrier\n"
                   "collective 6 6 -1 80 80\n"
                   "collective 12 6 1 8 0\n",
                   "collective 1 6 -2 200 0\ncollective 0 6 -1 0 0\ncollective 6 6 -1 80 80\n"
                   "collective 12 6 1 8 0\n",
                   "collective 1 6 1 0 100\ncollective 0 6 -1 0 0\ncollective 6 6 -1 80 80\n"
                   "collective 12 6 -2 0 16\n",
                   "collective 1 6 1 0 100\ncollective 0 6 -1 0 0\ncollective 6 6 -1 80 80\n"
                   "collective 12 6 -3 0 0\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    for (uint32_t rank = 0; rank < 4; rank++)
        archive_expect(&opened, rank,
                       "bcast 3 100 root 1\ncompute 10\nbarrier 3 0\ncompute 10\nallgather 3 40\n"
                       "compute 10\nreduce 3 8 root 3\nend\n");
    assert_int_equal(archive_repairs(&opened, "collective-size"), 0);
    archive_close(&opened);
}

/* Blocks of unequal sizes: rank 3 has all, the others' are theirs. */
static void test_vectors(void **state)
{
    const struct archive_spec spec = {.ranks = 4,
                                      .communicators = SIDES,
                                      .events = {"collective 3 6 0 10 0\n", "collective 3 6 0 30 0\n",
                                                 "collective 3 6 -3 0 0\n", "collective 3 6 -2 0 40\n"}};
    struct archive opened = archive_open(&spec);
    struct base_error error = {0};
    struct trace_cursor *cursor = trace_cursor_new(opened.program, 2, &error);
    struct trace_op op;

    (void)state;
    assert_int_equal(trace_cursor_next(cursor, &op, &error), 1);
    assert_int_equal(op.root, 2);
    assert_non_null(op.vector);
    assert_int_equal(op.vector->size, 4);
    assert_int_equal(op.vector->sent[0], 10);
    assert_int_equal(op.vector->sent[1], 30);
    assert_int_equal(op.vector->sent[3], 0);
    assert_int_equal(op.vector->received[2], 40);
    trace_cursor_free(cursor);
    archive_close(&opened);
}

/* Rank 0 against ranks 1 and 2: an allgatherv of blocks of 10 against 20 and 30 bytes, and a reduce_scatter
 * that leaves 50 bytes in each group. */
static void check_blocks(const char *const events[3])
{
    static const uint64_t sent[3] = {10, 20, 30}, received[3] = {50, 10, 10}, left[3] = {50, 20, 30};
    const struct archive_spec spec = {.ranks = 3,
                                      .communicators = "4<0: 0; 5<0: 1 2; 6<0: inter 0 / 1 2",
                                      .events = {events[0], events[1], events[2]}};
    struct archive opened = archive_open(&spec);
    const struct trace_vector *vector = trace_program_vector(opened.program, 3, 0);

    assert_non_null(vector);
    assert_memory_equal(vector->sent, sent, sizeof sent);
    assert_memory_equal(vector->received, received, sizeof received);
    vector = trace_program_vector(opened.program, 3, 1);
    assert_non_null(vector);
    assert_memory_equal(vector->received, left, sizeof left);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(vector->sent[i], 50);
    assert_int_equal(archive_repairs(&opened, "collective-blocks"), 0);
    archive_close(&opened);
}

/* A block as it is, once for each rank of the other group, and, as Score-P counts, of the own one. */
static void test_blocks(void **state)
{
    static const char *const arguments[3] = {"collective 7 6 -1 10 50\ncollective 13 6 -1 50 50\n",
                                             "collective 7 6 -1 20 10\ncollective 13 6 -1 50 20\n",
                                             "collective 7 6 -1 30 10\ncollective 13 6 -1 50 30\n"};
    static const char *const others[3] = {"collective 7 6 -1 20 50\ncollective 13 6 -1 50 100\n",
                                          "collective 7 6 -1 20 10\ncollective 13 6 -1 50 20\n",
                                          "collective 7 6 -1 30 10\ncollective 13 6 -1 50 30\n"};
    static const char *const own[3] = {"collective 7 6 -1 10 50\ncollective 13 6 -1 50 50\n",
                                       "collective 7 6 -1 40 10\ncollective 13 6 -1 50 40\n",
                                       "collective 7 6 -1 60 10\ncollective 13 6 -1 50 60\n"};

    (void)state;
    check_blocks(arguments);
    check_blocks(others);
    check_blocks(own);
}

/* What cannot be is refused. */
static void test_refusals(void **state)
{
    struct archive_spec spec = {.ranks = 4,
                                .communicators = SIDES,
                                .events = {"collective 1 6 -3 0 0\n", "collective 1 6 -3 0 0\n",
                                           "collective 1 6 -3 0 0\n", "collective 1 6 -3 0 0\n"}};

    (void)state;
    archive_refuse(&spec, "no rank says who is the root of 1 collectives on inter-communicators");
    spec.events[0] = "collective 1 6 -2 0 0\n";
    spec.events[2] = "collective 1 6 1 0 0\n";
    archive_refuse(&spec,
                   "rank 2, event 1: bcast 1 on inter-communicator \"communicator 6\" has root 1, but for "
                   "another rank 0");
    spec.events[2] = "collective 1 6 2 0 0\n";
    archive_refuse(&spec, "root 2 of bcast in a communicator with 2 members");
    spec.events[2] = "Send 2 6 0 0\n";
    archive_refuse(&spec, "rank 2 in communicator \"communicator 6\", which has 4 members");
    spec.events[2] = "collective 0 6 -1 0 0\n";
    archive_refuse(&spec, "is barrier (root -1), but rank 0 calls bcast (root 0)");
    spec.communicators = "6: inter 0 1 / 1 2";
    archive_refuse(&spec, "rank 1 as a member twice, or the other group of its communicator has it");
    spec.communicators = "6: inter 0 1 / 4";
    archive_refuse(&spec, "has member 4, but there are only 4 ranks");
}

/* The leaders meet on the communicator in common, and tell their sides; merging is agreed on by both. The
 * record inside the call names the new communicator, as that of a new one does. */
static void test_creation(void **state)
{
    const char *made = "Call MPI_Comm_split\nenter MPI_Intercomm_create\ncollective 17 6 -1 0 0\n"
                       "leave MPI_Intercomm_create\nCall MPI_Intercomm_merge\ncollective 0 7 -1 0 0\n";
    const char *noted = "Call MPI_Comm_split\nenter MPI_Intercomm_create\ncomm_create 6\n"
                        "leave MPI_Intercomm_create\nCall MPI_Intercomm_merge\ncollective 0 7 -1 0 0\n";
    const struct archive_spec spec = {
        .ranks = 4, .communicators = SIDES "; 7<6: 0 1 3 2", .events = {made, made, noted, noted}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "allgather 0 8 implied\ncompute 10\nreceive 3 0 2147483647 8 #0 implied\n"
                   "send 3 0 2147483647 8 #1 implied\nwait 0 1 implied\nbcast 1 8 root 0 implied\n"
                   "compute 10\nbarrier 3 0 implied\ncompute 10\nbarrier 4 0\nend\n");
    archive_expect(&opened, 2,
                   "allgather 0 8 implied\ncompute 10\nbcast 2 8 root 0 implied\n"
                   "compute 10\nbarrier 3 0 implied\ncompute 10\nbarrier 4 0\nend\n");
    assert_int_equal(archive_coverage(&opened, "MPI_Intercomm_create")->treatment, TRACE_DECOMPOSED);
    assert_int_equal(archive_coverage(&opened, "MPI_Intercomm_merge")->treatment, TRACE_DECOMPOSED);
    archive_close(&opened);
}

/* Without a record nothing says what the call made. */
static void test_creation_unknown(void **state)
{
    const struct archive_spec spec = {.ranks = 4,
                                      .communicators = SIDES,
                                      .events = {"Call MPI_Intercomm_create\n", "Call MPI_Intercomm_create\n",
                                                 "Call MPI_Intercomm_create\n",
                                                 "Call MPI_Intercomm_create\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "end\n");
    assert_int_equal(archive_coverage(&opened, "MPI_Intercomm_create (no record)")->treatment, TRACE_IGNORED);
    archive_close(&opened);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages),         cmocka_unit_test(test_collectives),
        cmocka_unit_test(test_vectors),          cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_refusals),         cmocka_unit_test(test_creation),
        cmocka_unit_test(test_creation_unknown),
    };
    return cmocka_run_group_tests_name("inter-communicators", tests, NULL, NULL);
}
