/* What the reader makes of single records, in small archives written for the purpose: times, calls, requests,
 * what is left out and how that is reported. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "traces/windows/window.h"

/* Opens, compares the program of rank 0, and closes. */
static void expect_program(const struct archive_spec *spec, const char *expected)
{
    struct archive opened = archive_open(spec);
    archive_expect(&opened, 0, expected);
    archive_close(&opened);
}

static void expect_ignored(const struct archive *opened, const char *record, uint64_t records)
{
    const struct trace_coverage *row = archive_coverage(opened, record);
    assert_int_equal(row->treatment, TRACE_IGNORED);
    assert_non_null(row->how);
    assert_int_equal(row->records, records);
}

static void test_blocking_messages(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"Call MPI_Init\n@1100\nSend 1 0 7 100\n@1500\nenter MPI_Ssend\n"
                   "send 1 0 8 0\nleave MPI_Ssend\n@2000\nCall MPI_Finalize\n@9000\nthread_end\n",
                   "Call MPI_Init\n@1030\nRecv 0 0 7 100\nRecv 0 0 8 0\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    /* Init returns at 1010; the calls last 20 ticks; nothing counts after Finalize. */
    archive_expect(&opened, 0,
                   "compute 90\nsend 1 0 7 100\ncompute 380\nsend 1 0 8 0 sync\ncompute 480\nend\n");
    archive_expect(&opened, 1, "compute 20\nreceive 0 0 7 100\ncompute 10\nreceive 0 0 8 0\nend\n");
    assert_int_equal(trace_program_summary(opened.program)->compute_ns, 980);
    assert_int_equal(trace_program_summary(opened.program)->mpi_ns, 2 * 10 + 4 * 20 + 10);
    assert_int_equal(archive_coverage(&opened, "MPI_Ssend")->treatment, TRACE_EXACT);
    archive_close(&opened);
}

/* A clock of 3 ticks a second: no rounding may add up. */
static void test_ticks(void **state)
{
    const struct archive_spec spec = {
        .ranks = 1,
        .ticks_per_second = 3,
        .events = {"@1\nCall MPI_Comm_rank\n@21\nenter MPI_Barrier\n@22\nleave MPI_Barrier\n"
                   "@23\nenter MPI_Barrier\n@25\nleave MPI_Barrier\n@26\nCall MPI_Wtime\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    /* Work from 0 to 20/3 s, from 7 to 22/3 s and from 8 to 35/3 s: each of these times is rounded down once.
     */
    archive_expect(&opened, 0, "compute 10666666665\nend\n");
    assert_int_equal(trace_program_summary(opened.program)->compute_ns +
                         trace_program_summary(opened.program)->mpi_ns,
                     UINT64_C(35000000000) / 3);
    archive_close(&opened);
}

/* Local calls do not interrupt compute time; the creation of communicators does, and is reported. */
static void test_local_calls(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {
            "Call MPI_Init\n@1100\nCall MPI_Comm_rank\n@1200\nCall MPI_Type_commit\n@1300\nSend 1 0 0 1\n"
            "@1400\nenter MPI_Comm_split\n@1900\nleave MPI_Comm_split\n@2000\nCall MPI_Finalize\n",
            "Recv 0 0 0 1\nCall MPI_Comm_split\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "compute 290\nsend 1 0 0 1\ncompute 180\nend\n");
    expect_ignored(&opened, "MPI_Comm_split", 2);
    assert_int_equal(archive_coverage(&opened, "MPI_Type_commit")->treatment, TRACE_EXACT);
    archive_close(&opened);
}

/* A flush of the recorder is no compute time. */
static void test_flush(void **state)
{
    const struct archive_spec spec = {.ranks = 2,
                                      .events = {"Call MPI_Init\n@1100\nflush 1700\n@2000\nSend 1 0 0 1\n",
                                                 "Call MPI_Init\nRecv 0 0 0 1\n"}};
    (void)state;
    expect_program(&spec, "compute 390\nsend 1 0 0 1\nend\n");
}

static void test_ranks(void **state)
{
    struct archive_spec spec = {
        .ranks = 12,
        .reverse_locations = true,
        .events = {"Send 10 0 0 5\n", "", "", "", "", "", "", "", "", "", "Recv 0 0 0 5\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "send 10 0 0 5\nend\n");
    archive_expect(&opened, 1, "end\n");
    assert_int_equal(archive_repairs(&opened, "rank-order"), 0);
    archive_close(&opened);
    /* Without the list the names of the processes tell: rank 10 comes after rank 2. */
    spec.no_rank_list = true;
    opened = archive_open(&spec);
    archive_expect(&opened, 0, "send 10 0 0 5\nend\n");
    archive_expect(&opened, 10, "receive 0 0 0 5\nend\n");
    assert_int_equal(archive_repairs(&opened, "rank-order"), 12);
    archive_close(&opened);
}

/* A location without events, in both orders of bytes: libotf2 writes such files and refuses them. */
static void test_empty_files(void **state)
{
    static const struct {
        unsigned char order;
        int place;
    } cases[] = {{'B', 2}, {'#', 9}};
    const struct archive_spec spec = {.ranks = 2, .events = {"Call MPI_Init\n", ""}};
    char path[2048];
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unsigned char bytes[20] = {3, cases[i].order, [18] = 2, 1};
        char *directory = archive_directory();
        struct base_error error = {0};
        bytes[cases[i].place] = 1;
        archive_write(directory, &spec);
        snprintf(path, sizeof path, "%s/traces/200.evt", directory);
        FILE *stream = fopen(path, "wb");
        assert_non_null(stream);
        assert_int_equal(fwrite(bytes, 1, sizeof bytes, stream), sizeof bytes);
        assert_int_equal(fclose(stream), 0);
        snprintf(path, sizeof path, "%s/traces.otf2", directory);
        struct trace_program *program = trace_open(path, NULL, &error);
        assert_non_null(program);
        char *text = archive_program(program, 1);
        assert_string_equal(text, "end\n");
        free(text);
        trace_close(program);
        archive_remove(directory);
    }
}

/* Ranks in events are ranks of the communicator. */
static void test_communicators(void **state)
{
    const struct archive_spec spec = {.ranks = 3,
                                      .communicators = "5: 2 0; 9: 1",
                                      .events = {"Send 0 5 1 10\nSend 2 0 1 20\n",
                                                 "Send 0 9 3 4\nRecv 0 9 3 4\n",
                                                 "Recv 1 5 1 10\nRecv 0 0 1 20\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    assert_int_equal(trace_program_communicators(opened.program), 3);
    archive_expect(&opened, 0, "send 2 1 1 10\ncompute 10\nsend 2 0 1 20\nend\n");
    archive_expect(&opened, 1, "compute 10\nend\n");
    archive_expect(&opened, 2, "receive 0 1 1 10\ncompute 10\nreceive 0 0 1 20\nend\n");
    expect_ignored(&opened, "messages and collectives of one rank", 2);
    archive_close(&opened);
}

/* Identifiers that a location has for itself mean the same whoever translates them: we, where the tables are
 * small and of no other kinds, or libotf2. */
static void test_tables(void **state)
{
    static const uint32_t shifts[] = {1, 200, 65000, 70000};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof shifts / sizeof *shifts; i++) {
        struct archive_spec spec = {
            .ranks = 2,
            .shift = shifts[i / 2],
            .window_table = i % 2 == 1,
            .communicators = "5: 1 0",
            .events = {"Call MPI_Init\nSend 0 5 1 10\nIrecv 7\nenter MPI_Wait\nirecv 0 5 2 20 7\n"
                       "leave MPI_Wait\nenter MPI_Barrier\ncollective 0 5 -1 0 0\nleave MPI_Barrier\n",
                       "Call MPI_Init\nRecv 1 5 1 10\nSend 1 5 2 20\nenter MPI_Barrier\n"
                       "collective 0 5 -1 0 0\nleave MPI_Barrier\n"}};
        struct archive opened = archive_open(&spec);
        archive_expect(&opened, 0,
                       "compute 10\nsend 1 1 1 10\ncompute 10\nreceive 1 1 2 20 #0\ncompute 10\nwait 0\n"
                       "compute 10\nbarrier 1 0\nend\n");
        archive_expect(&opened, 1,
                       "compute 10\nreceive 0 1 1 10\ncompute 10\nsend 0 1 2 20\ncompute 10\n"
                       "barrier 1 0\nend\n");
        archive_close(&opened);
    }
}

/* A group may say that events on its communicators name ranks of the world. */
static void test_global_members(void **state)
{
    const struct archive_spec spec = {
        .ranks = 3,
        .communicators = "5: global 2 0",
        .events = {"Send 2 5 1 10\ncollective 1 5 2 0 4\n", "", "Recv 0 5 1 10\ncollective 1 5 2 8 4\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "send 2 1 1 10\ncompute 10\nbcast 1 4 root 0\nend\n");
    archive_expect(&opened, 2, "receive 0 1 1 10\ncompute 10\nbcast 1 4 root 0\nend\n");
    archive_close(&opened);
}

/* While recording is off anything may happen; what is known goes on. */
static void test_holes(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"measurement\nleave compute\ncollective 17 0 -1 0 0\nSend 1 0 0 5\n",
                   "collective 17 0 -1 0 0\nRecv 0 0 0 5\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "compute 30\nsend 1 0 0 5\nend\n");
    expect_ignored(&opened, "MpiCollectiveEnd (handles)", 2);
    archive_close(&opened);
}

/* Score-P from 8 on records that MPI_Init makes the predefined communicators and MPI_Finalize destroys them,
 * and that others are freed. All of it is exact; a handle that is made where no call is recorded is not. */
static void test_predefined_communicators(void **state)
{
    const char *events =
        "enter MPI_Init\ncomm_create 0\ncomm_create 1\ncollective 17 0 -1 0 0\n"
        "collective 17 1 -1 0 0\nleave MPI_Init\nenter MPI_Comm_free\ncollective 18 4 -1 0 0\n"
        "comm_destroy 4\nleave MPI_Comm_free\nenter MPI_Finalize\ncollective 18 0 -1 0 0\n"
        "collective 18 1 -1 0 0\ncomm_destroy 1\ncomm_destroy 0\nleave MPI_Finalize\n";
    struct archive_spec spec = {.ranks = 2, .communicators = "4: 0 1", .events = {events, events}};
    struct archive opened = archive_open(&spec);
    const struct trace_summary *summary = trace_program_summary(opened.program);

    (void)state;
    for (size_t i = 0; i < summary->coverage_count; i++)
        if (summary->coverage[i].treatment != TRACE_EXACT)
            fail_msg("%s is not exact", summary->coverage[i].record);
    assert_int_equal(archive_coverage(&opened, "MpiCollectiveEnd (predefined, freed)")->records, 2 * 5);
    assert_int_equal(archive_coverage(&opened, "CommDestroy")->records, 2 * 3);
    archive_close(&opened);
    spec.events[0] = spec.events[1] =
        "collective 17 0 -1 0 0\nenter MPI_Init\ncollective 17 4 -1 0 0\nleave MPI_Init\n";
    opened = archive_open(&spec);
    expect_ignored(&opened, "MpiCollectiveEnd (handles)", 2 * 2);
    archive_close(&opened);
}

/* What is no thread is named, and counted by its name. */
static void test_other_locations(void **state)
{
    const struct archive_spec spec = {.ranks = 2,
                                      .other_locations =
                                          "metric power; gpu CUDA[1]; gpu CUDA[0]; gpu CUDA[1]",
                                      .events = {"Send 1 0 0 5\n", "Recv 0 0 0 5\n"}};
    struct archive opened = archive_open(&spec);
    const struct trace_summary *summary = trace_program_summary(opened.program);

    (void)state;
    archive_expect(&opened, 0, "send 1 0 0 5\nend\n");
    assert_int_equal(summary->other_location_count, 3);
    assert_string_equal(summary->other_locations[0].type, "GPU");
    assert_string_equal(summary->other_locations[0].name, "CUDA[0]");
    assert_int_equal(summary->other_locations[0].count, 1);
    assert_string_equal(summary->other_locations[1].name, "CUDA[1]");
    assert_int_equal(summary->other_locations[1].count, 2);
    assert_string_equal(summary->other_locations[2].type, "metric");
    assert_string_equal(summary->other_locations[2].name, "power");
    archive_close(&opened);
}

static void test_requests(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {
            "Irecv 70\nIrecv 71\nIsend 1 0 3 30 72\n@2000\nenter MPI_Waitany\nirecv 1 0 2 20 71\n"
            "leave MPI_Waitany\nenter MPI_Waitall\nisend_complete 72\nirecv 1 0 1 10 70\nleave MPI_Waitall\n"
            "Irecv 70\nenter MPI_Wait\nirecv 1 0 4 40 70\nleave MPI_Wait\n",
            "Send 0 0 1 10\nSend 0 0 2 20\nRecv 0 0 3 30\nSend 0 0 4 40\n"}};
    (void)state;
    expect_program(&spec,
                   "receive 1 0 1 10 #0\ncompute 10\nreceive 1 0 2 20 #1\ncompute 10\nsend 1 0 3 30 #2\n"
                   "compute 920\nwait 1\ncompute 10\nwait 2 0\ncompute 10\nreceive 1 0 4 40 #3\ncompute 10\n"
                   "wait 3\nend\n");
}

/* Records without the calls around them: each takes effect where it stands. */
static void test_without_calls(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"irecv_request 7\nirecv 1 0 1 10 7\nSend 1 0 2 20\nisend 1 0 3 30 8\nisend_complete 8\n",
                   "send 0 0 1 10\nRecv 0 0 2 20\nrecv 0 0 3 30\n"}};
    (void)state;
    expect_program(&spec, "receive 1 0 1 10 #0\ncompute 10\nwait 0\ncompute 10\nsend 1 0 2 20\ncompute 10\n"
                          "send 1 0 3 30 #1\ncompute 10\nwait 1\nend\n");
}

/* The two halves of a Sendrecv go on at the same time. */
static void test_sendrecv(void **state)
{
    const char *half = "enter MPI_Sendrecv\nsend %d 0 1 10\nrecv %d 0 1 10\nleave MPI_Sendrecv\n";
    char text[2][128];
    struct archive_spec spec = {.ranks = 2, .events = {text[0], text[1]}};

    (void)state;
    snprintf(text[0], sizeof text[0], half, 1, 1);
    snprintf(text[1], sizeof text[1], half, 0, 0);
    expect_program(&spec, "receive 1 0 1 10 #0\nsend 1 0 1 10 #1\nwait 0 1\nend\n");
}

/* Unsuccessful tests and then a successful one are one wait, at the first test. */
static void test_polling(void **state)
{
    const char *tests = "Irecv 1\n@2000\nenter MPI_Test\nrequest_test 1\nleave MPI_Test\n@3000\n"
                        "enter MPI_Test\nrequest_test 1\nleave MPI_Test\n@4000\n";
    char text[512];
    const struct archive_spec spec = {.ranks = 2, .events = {text, "Send 0 0 1 10\n"}};
    struct archive opened;

    (void)state;
    snprintf(text, sizeof text,
             "%senter MPI_Testall\nirecv 1 0 1 10 1\nleave MPI_Testall\n@5000\nCall MPI_Finalize\n", tests);
    opened = archive_open(&spec);
    archive_expect(&opened, 0, "receive 1 0 1 10 #0\ncompute 980\nwait 0 repaired\ncompute 980\nend\n");
    assert_int_equal(archive_repairs(&opened, "polling-collapsed"), 2);
    assert_int_equal(archive_coverage(&opened, "MPI_Test")->treatment, TRACE_DECOMPOSED);
    archive_close(&opened);
    /* A wait that follows was not polled for: the time between the tests counts. */
    snprintf(text, sizeof text, "%senter MPI_Wait\nirecv 1 0 1 10 1\nleave MPI_Wait\n", tests);
    opened = archive_open(&spec);
    archive_expect(&opened, 0, "receive 1 0 1 10 #0\ncompute 2940\nwait 0\nend\n");
    assert_int_equal(archive_repairs(&opened, "polling-collapsed"), 0);
    assert_int_equal(archive_coverage(&opened, "MPI_Test")->treatment, TRACE_EXACT);
    archive_close(&opened);
}

/* A receive that completes thousands of records later is known when it is posted all the same. */
static void test_far_receive(void **state)
{
    size_t size = 200000, used = 0;
    char *sender = malloc(size), *receiver = malloc(size), *expected = malloc(size);
    struct archive_spec spec = {.ranks = 2, .events = {receiver, sender}};
    size_t expected_used;

    (void)state;
    assert_true(sender != NULL && receiver != NULL && expected != NULL);
    used = (size_t)snprintf(receiver, size, "Irecv 5\nIrecv 6\n");
    expected_used =
        (size_t)snprintf(expected, size, "receive 1 0 9 90 #0\ncompute 10\nreceive 1 0 8 80 #1\n");
    for (int i = 0; i < 1000; i++) {
        used += (size_t)snprintf(receiver + used, size - used, "Recv 1 0 1 %d\n", i);
        expected_used += (size_t)snprintf(expected + expected_used, size - expected_used,
                                          "compute 10\nreceive 1 0 1 %d\n", i);
    }
    snprintf(receiver + used, size - used,
             "enter MPI_Waitall\nirecv 1 0 8 80 6\nirecv 1 0 9 90 5\nleave MPI_Waitall\n");
    snprintf(expected + expected_used, size - expected_used, "compute 10\nwait 1 0\nend\n");
    used = 0;
    for (int i = 0; i < 1000; i++)
        used += (size_t)snprintf(sender + used, size - used, "Send 0 0 1 %d\n", i);
    snprintf(sender + used, size - used, "Send 0 0 8 80\nSend 0 0 9 90\n");
    expect_program(&spec, expected);
    free(sender);
    free(receiver);
    free(expected);
}

static void test_odd_requests(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        /* A cancelled receive; a receive without its start; records of unknown requests; MPI_PROC_NULL. */
        .events = {
            "Irecv 1\nenter MPI_Wait\nrequest_cancelled 1\nleave MPI_Wait\nenter MPI_Wait\nirecv 1 0 1 10 2\n"
            "leave MPI_Wait\nenter MPI_Test\nrequest_test 9\nleave MPI_Test\nenter MPI_Wait\n"
            "isend_complete 9\nleave MPI_Wait\nSend 4294967294 0 1 10\nRecv 4294967295 0 4294967295 0\n"
            "Isend 4294967294 0 1 10 3\nenter MPI_Wait\nisend_complete 3\nleave MPI_Wait\n"
            "Irecv 4\nenter MPI_Wait\nirecv 4294967294 0 4294967295 0 4\nleave MPI_Wait\nSend 1 0 2 20\n",
            "Send 0 0 1 10\nRecv 0 0 2 20\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "compute 20\nreceive 1 0 1 10 #0\nwait 0\ncompute 90\nsend 1 0 2 20\nend\n");
    assert_int_equal(archive_repairs(&opened, "receive-without-post"), 1);
    assert_int_equal(archive_repairs(&opened, "unknown-request"), 2);
    assert_int_equal(archive_repairs(&opened, "proc-null-record"), 4);
    archive_close(&opened);
}

/* What is not replayed yet is named, and the rest of the program goes on. */
static void test_left_out(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .communicators = "3: inter / 0 1",
        .events = {"enter MPI_Iallreduce\nnbc_request 5\nleave MPI_Iallreduce\nenter MPI_Wait\n"
                   "nbc_complete 11 0 -1 8 8 5\nleave MPI_Wait\nenter MPI_Put\nput 1 5 100\nleave MPI_Put\n"
                   "enter MPI_File_write\nio 10\nleave MPI_File_write\nmeasurement\nSend 1 3 0 5\n"
                   "Call MPI_Probe\nCall MPI_Frobnicate\nSend 1 0 0 6\nthread_end\n",
                   "nbc_request 5\nnbc_complete 11 0 -1 8 8 5\nRecv 0 0 0 6\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    /* The time of File_write is compute; those of the unknown call and of Probe are not, nor is that of Put,
     * to a window that is not defined. */
    archive_expect(
        &opened, 0,
        "allreduce 0 4 #0\ncompute 10\nwait 0\ncompute 70\ncompute 20\nsend 1 0 0 6\ncompute 10\nend\n");
    expect_ignored(&opened, "messages and collectives of one rank", 2); /* and of a group without ranks */
    assert_int_equal(archive_coverage(&opened, "MPI_Put")->treatment, TRACE_APPROXIMATE);
    assert_int_equal(archive_coverage(&opened, "MPI_File_write")->treatment, TRACE_APPROXIMATE);
    expect_ignored(&opened, "MeasurementOnOff", 1);
    expect_ignored(&opened, "MPI_Probe", 1);
    expect_ignored(&opened, "MPI_Frobnicate (no record)", 1);
    archive_close(&opened);
}

/* Transfers wait for the end of their epoch, or for their own request; windows are made and left together. */
static void test_windows(void **state)
{
    const char *target = "enter MPI_Win_create\nwindow 0\nleave MPI_Win_create\n"
                         "enter MPI_Win_fence\nwindow 0\nleave MPI_Win_fence\n"
                         "enter MPI_Win_free\nwindow 0\nleave MPI_Win_free\n";
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"enter MPI_Win_create\nwindow 0\nleave MPI_Win_create\n"
                   "enter MPI_Put\nput 1 0 100 7\nleave MPI_Put\nenter MPI_Rget\nget 1 0 50 8\n"
                   "leave MPI_Rget\nenter MPI_Wait\ntransferred 0 8\nleave MPI_Wait\n"
                   "enter MPI_Win_fence\nwindow 0\nleave MPI_Win_fence\n"
                   "enter MPI_Win_free\nwindow 0\nleave MPI_Win_free\n",
                   target}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "allgather 0 16 implied approximated\ncompute 10\nput 1 0 0 100 #0 approximated\n"
                   "compute 10\nget 1 0 0 50 #1 approximated\ncompute 10\nwait 1\ncompute 10\n"
                   "wait 0 implied approximated\nbarrier 0 0 implied approximated\ncompute 10\n"
                   "barrier 0 0 implied approximated\nend\n");
    archive_expect(&opened, 1,
                   "allgather 0 16 implied approximated\ncompute 10\n"
                   "barrier 0 0 implied approximated\ncompute 10\nbarrier 0 0 implied approximated\nend\n");
    assert_int_equal(archive_coverage(&opened, "MPI_Put")->treatment, TRACE_APPROXIMATE);
    assert_int_equal(archive_coverage(&opened, "MPI_Put")->bytes, 100);
    assert_int_equal(archive_coverage(&opened, "MPI_Win_fence")->treatment, TRACE_APPROXIMATE);
    archive_close(&opened);
}

/* The receive after a probe tells what it found; a run of probes is one wait. */
static void test_probes(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"Call MPI_Probe\nCall MPI_Comm_rank\nRecv 1 0 3 40\nCall MPI_Iprobe\nCall MPI_Iprobe\n"
                   "Recv 1 0 4 50\nCall MPI_Iprobe\nSend 1 0 5 60\n",
                   "Send 0 0 3 40\nSend 0 0 4 50\nRecv 0 0 5 60\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "probe 1 0 3 40 approximated\ncompute 30\nreceive 1 0 3 40\ncompute 10\n"
                   "probe 1 0 4 50 approximated\ncompute 10\nreceive 1 0 4 50\ncompute 10\n"
                   "compute 10\nsend 1 0 5 60\nend\n");
    assert_int_equal(archive_coverage(&opened, "MPI_Probe")->treatment, TRACE_APPROXIMATE);
    archive_close(&opened);
}

/* Collective access: the ranks meet, then each computes for as long as its call took. */
static void test_files(void **state)
{
    const char *events = "@2000\nenter MPI_File_write_all\nio 10\nleave MPI_File_write_all\n@2100\n"
                         "enter MPI_File_write_at\nio 10\nleave MPI_File_write_at\n";
    const struct archive_spec spec = {.ranks = 2, .events = {events, events}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "barrier 0 0 implied approximated\ncompute 120\nend\n");
    assert_int_equal(archive_coverage(&opened, "MPI_File_write_all")->treatment, TRACE_APPROXIMATE);
    archive_close(&opened);
}

/* Other threads may do what they like but communicate. */
static void test_threads(void **state)
{
    struct archive_spec spec = {
        .ranks = 2,
        .threads = 1,
        .events = {"Send 1 0 0 5\n", "Recv 0 0 0 5\n", "Call MPI_Wtime\nthread_end\n"}};

    (void)state;
    expect_program(&spec, "send 1 0 0 5\nend\n");
    spec.events[2] = "Recv 1 0 0 5\n";
    archive_refuse(&spec, "rank 0, event 2: location 300 of this process communicates too");
}

/* The nanoseconds of an archive of one rank with two events. */
static uint64_t duration_of(int64_t clock_offset)
{
    const struct archive_spec spec = {
        .ranks = 1, .clock_offset = clock_offset, .events = {"@0\nthread_end\n@1000000000\nthread_end\n"}};
    struct archive archive = archive_open(&spec);
    uint64_t passed = trace_program_summary(archive.program)->compute_ns;

    archive_close(&archive);
    return passed;
}

/* libotf2 corrects the times of locations that say by how much; of others it is told not to look for it. */
static void test_clock_corrections(void **state)
{
    (void)state;
    assert_int_equal(duration_of(0), 1000000000);
    assert_int_equal(duration_of(5000), 1000005000);
}

/* A window from, or to, a region of the program's own: its first call since the n-th entry. Empty regions count, and so
 * do entries within one another. */
static void regions_of_the_program_are_marks(void **state)
{
    static const struct {
        const char *from, *to, *plays;
    } cases[] = {
        {"region:solve#1", "end", "send 1 0 2 8"}, {"region:solve#2", "end", "send 1 0 3 8"},
        {"region:solve#3", "end", "send 1 0 3 8"}, {"region:setup#1", "region:solve#1", "send 1 0 1 8"},
        {"region:solve#4", "end", NULL},           {"region:solv#1", "end", NULL}};
    const struct archive_spec spec = {
        .ranks = 2,
        .events =
            {"enter setup\nSend 1 0 1 8\nleave setup\nenter solve\nSend 1 0 2 8\nenter solve\nleave solve\n"
             "enter solve\nSend 1 0 3 8\nleave solve\nleave solve\n",
             "enter setup\nRecv 0 0 1 8\nleave setup\nenter solve\nRecv 0 0 2 8\nenter solve\nleave solve\n"
             "enter solve\nRecv 0 0 3 8\nleave solve\nleave solve\n"},
        .user_regions = true};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct archive opened = archive_open(&spec);
        struct base_error error = {0};
        struct trace_program *window = trace_window_new(opened.program, cases[i].from, cases[i].to, &error);
        opened.program = NULL;
        assert_int_equal(window != NULL, cases[i].plays != NULL);
        if (window == NULL)
            assert_non_null(strstr(error.text, "region"));
        if (window != NULL) {
            char *text = archive_program(window, 0);
            const char *first = strstr(text, "send");
            assert_non_null(first);
            assert_memory_equal(first, cases[i].plays, strlen(cases[i].plays));
            free(text);
            trace_close(window);
        }
        archive_remove(opened.directory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_blocking_messages),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_clock_corrections),
        cmocka_unit_test(test_local_calls),
        cmocka_unit_test(test_flush),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_empty_files),
        cmocka_unit_test(test_communicators),
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_global_members),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_predefined_communicators),
        cmocka_unit_test(test_other_locations),
        cmocka_unit_test(test_requests),
        cmocka_unit_test(test_without_calls),
        cmocka_unit_test(test_sendrecv),
        cmocka_unit_test(test_polling),
        cmocka_unit_test(test_far_receive),
        cmocka_unit_test(test_odd_requests),
        cmocka_unit_test(test_windows),
        cmocka_unit_test(test_probes),
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_left_out),
        cmocka_unit_test(regions_of_the_program_are_marks),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests_name("records of OTF2", tests, NULL, NULL);
}
