/* The options of reading, and collectives that complete later than they start. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"
#include "traces/doctor/defect.h"

static void expect_with(const struct archive_spec *spec, const struct trace_options *options,
                        const char *expected)
{
    struct archive opened = archive_open_with(spec, options);
    archive_expect(&opened, 0, expected);
    archive_close(&opened);
}

static void test_clock(void **state)
{
    const struct archive_spec spec = {.ranks = 1, .events = {"Call MPI_Init\n"}};
    struct trace_options options = {.clock = TRACE_CLOCK_CPU};
    char *directory = archive_directory();
    struct base_error error = {0};

    (void)state;
    archive_write(directory, &spec);
    assert_null(trace_open(directory, &options, &error));
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "one clock only"));
    archive_remove(directory);
}

static void test_threshold(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"Send 1 0 0 1\nSend 1 0 0 2\n@2000\nSend 1 0 0 3\n@2120\nSend 1 0 0 4\n",
                   "Recv 0 0 0 1\nRecv 0 0 0 2\nRecv 0 0 0 3\nRecv 0 0 0 4\n"}};
    const struct trace_options options = {.compute_threshold_ns = 100};

    (void)state;
    /* Gaps of 10, 950 and 100 ns: the limit itself stays. */
    expect_with(&spec, &options,
                "send 1 0 0 1\nsend 1 0 0 2\ncompute 950\nsend 1 0 0 3\ncompute 100\nsend 1 0 0 4\nend\n");
}

static void test_polling(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"Irecv 1\n@2000\nenter MPI_Test\nrequest_test 1\nleave MPI_Test\n@3000\n"
                   "enter MPI_Test\nirecv 1 0 1 10 1\nleave MPI_Test\n",
                   "Send 0 0 1 10\n"}};
    const struct trace_options keep = {.keep_polling = true};

    (void)state;
    expect_with(&spec, NULL, "receive 1 0 1 10 #0\ncompute 980\nwait 0 repaired\nend\n");
    expect_with(&spec, &keep, "receive 1 0 1 10 #0\ncompute 1960\nwait 0\nend\n");
}

/* What is wrong with a trace is told, and the rest is read. */
static void test_defects(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"Send 1 0 0 1\nleave MPI_Recv\nsend 7 0 0 1\nSend 1 0 0 2\nenter MPI_Barrier\n",
                   "Recv 0 0 0 1\nRecv 0 0 0 2\n"}};
    struct trace_options options = {.defects = trace_defects_new(0)};
    struct archive opened = archive_open_with(&spec, &options);
    static const char *const kinds[] = {"unmatched-leave", "impossible-record", "truncated-rank"};

    (void)state;
    archive_expect(&opened, 0, "send 1 0 0 1\ncompute 30\nsend 1 0 0 2\ncompute 10\nend\n");
    archive_expect(&opened, 1, "receive 0 0 0 1\ncompute 10\nreceive 0 0 0 2\nend\n");
    assert_int_equal(trace_defects_kinds(options.defects), 3);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(trace_defects_kind(options.defects, i)->kind, kinds[i]);
    assert_int_equal(trace_defects_get(options.defects, 0)->event, 4);
    assert_int_equal(trace_defects_get(options.defects, 0)->rank, 0);
    archive_close(&opened);
    trace_defects_free(options.defects);
}

/* A rank whose events are missing has none. */
static void test_missing_file(void **state)
{
    const struct archive_spec spec = {.ranks = 2, .events = {"Send 1 0 0 1\n", "Recv 0 0 0 1\n"}};
    struct trace_options options = {.defects = trace_defects_new(0)};
    struct archive opened = {.directory = archive_directory()};
    struct base_error error = {0};
    char path[4096];

    (void)state;
    archive_write(opened.directory, &spec);
    snprintf(path, sizeof path, "%s/traces/200.evt", opened.directory);
    assert_int_equal(unlink(path), 0);
    assert_null(trace_open(opened.directory, NULL, &error));
    opened.program = trace_open(opened.directory, &options, &error);
    assert_non_null(opened.program);
    archive_expect(&opened, 0, "send 1 0 0 1\nend\n");
    archive_expect(&opened, 1, "end\n");
    assert_int_equal(trace_defects_count(options.defects), 1);
    assert_string_equal(trace_defects_get(options.defects, 0)->kind, "unreadable-rank");
    assert_int_equal(trace_defects_get(options.defects, 0)->rank, 1);
    archive_close(&opened);
    trace_defects_free(options.defects);
}

/* Ranks begin at their first events, unless their clocks cannot be the same. */
static void test_origins(void **state)
{
    struct archive_spec spec = {
        .ranks = 2,
        .events = {"@5000\nenter MPI_Barrier\ncollective 0 0 -1 0 0\nleave MPI_Barrier\n",
                   "@4000\nCall MPI_Init\n@5005\nenter MPI_Barrier\ncollective 0 0 -1 0 0\n"
                   "leave MPI_Barrier\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    assert_int_equal(trace_program_origin_ns(opened.program, 0), 1000);
    assert_int_equal(trace_program_origin_ns(opened.program, 1), 0);
    archive_close(&opened);
    spec.events[1] = "@9000000\nenter MPI_Barrier\ncollective 0 0 -1 0 0\nleave MPI_Barrier\n";
    opened = archive_open(&spec);
    assert_int_equal(trace_program_origin_ns(opened.program, 0), UINT64_MAX);
    archive_close(&opened);
}

/* Two collectives on their way at a time, completed in another order by each rank: their order is that of
 * their starts. A third is never completed. */
static void test_nonblocking(void **state)
{
    struct archive_spec spec = {
        .ranks = 2,
        .events = {"enter MPI_Iallreduce\nnbc_request 5\nleave MPI_Iallreduce\n"
                   "enter MPI_Ibarrier\nnbc_request 6\nleave MPI_Ibarrier\nSend 1 0 1 4\n"
                   "enter MPI_Wait\nnbc_complete 0 0 -1 0 0 6\nleave MPI_Wait\n"
                   "enter MPI_Wait\nnbc_complete 11 0 -1 16 16 5\nleave MPI_Wait\n"
                   "enter MPI_Ibarrier\nnbc_request 6\nleave MPI_Ibarrier\n",
                   "enter MPI_Iallreduce\nnbc_request 1\nleave MPI_Iallreduce\n"
                   "enter MPI_Ibarrier\nnbc_request 2\nleave MPI_Ibarrier\nRecv 0 0 1 4\n"
                   "enter MPI_Waitall\nnbc_complete 11 0 -1 16 16 1\nnbc_complete 0 0 -1 0 0 2\n"
                   "leave MPI_Waitall\nCall MPI_Ibcast\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "allreduce 0 8 #0\ncompute 10\nbarrier 0 0 #1\ncompute 10\nsend 1 0 1 4\ncompute 10\n"
                   "wait 1\ncompute 10\nwait 0\ncompute 10\nend\n");
    archive_expect(&opened, 1,
                   "allreduce 0 8 #0\ncompute 10\nbarrier 0 0 #1\ncompute 10\nreceive 0 0 1 4\n"
                   "compute 10\nwait 0 1\ncompute 10\nend\n");
    assert_int_equal(archive_coverage(&opened, "MPI_Iallreduce")->treatment, TRACE_DECOMPOSED);
    assert_int_equal(archive_coverage(&opened, "MPI_Ibarrier")->records, 2); /* each call is counted once */
    assert_int_equal(archive_coverage(&opened, "MPI_Ibarrier (no completion)")->records, 1);
    assert_int_equal(archive_coverage(&opened, "MPI_Ibarrier (no completion)")->treatment, TRACE_IGNORED);
    assert_int_equal(archive_coverage(&opened, "MPI_Ibcast (no record)")->treatment, TRACE_IGNORED);
    assert_int_equal(archive_coverage(&opened, "MPI_Ibcast (no record)")->of, TRACE_OF_MISSING);
    assert_int_equal(archive_coverage(&opened, "MPI_Ibarrier (no completion)")->of, TRACE_OF_MISSING);
    assert_int_equal(archive_coverage(&opened, "MPI_Iallreduce")->of, TRACE_OF_CALLS);
    archive_close(&opened);
    spec.events[0] = "nbc_request 5\nisend_complete 5\n";
    archive_refuse(&spec, "completes the request of a collective");
}

/* What one rank calls without a record, while the other calls some with one. */
static void expect_of(const char *before, const char *calls, const char *row, enum trace_coverage_of of)
{
    char mine[512];
    struct archive_spec spec = {.ranks = 2,
                                .events = {mine, "enter MPI_Recv\nrecv 0 0 1 4\nleave MPI_Recv\n"}};
    struct archive opened;

    snprintf(mine, sizeof mine, "enter MPI_Send\nsend 1 0 1 4\nleave MPI_Send\n%s%s", before, calls);
    opened = archive_open(&spec);
    assert_int_equal(archive_coverage(&opened, row)->of, of);
    archive_close(&opened);
}

/* A name that never has a record is one that the recorder does not write; where some have one, the others
 * were to nobody. Local calls have none, and calls that no table knows may communicate. */
static void test_calls_by_name(void **state)
{
    (void)state;

    expect_of("", "Call MPI_Ssend\n", "MPI_Ssend (no record)", TRACE_OF_MISSING);
    expect_of("", "Call MPI_Mrecv\n", "MPI_Mrecv (no record)", TRACE_OF_MISSING);
    expect_of("", "Call MPI_Send\n", "MPI_Send", TRACE_OF_CALLS);
    expect_of("", "Call MPI_Put\n", "MPI_Put (no record)", TRACE_OF_MISSING);
    expect_of("", "Call MPI_Win_fence\n", "MPI_Win_fence (no record)", TRACE_OF_MISSING);
    expect_of("", "Call MPI_Win_lock\n", "MPI_Win_lock (no record)", TRACE_OF_CALLS);
    expect_of("", "Call MPI_Iallgatherv\n", "MPI_Iallgatherv (no record)", TRACE_OF_MISSING);
    expect_of("", "Call MPI_Neighbor_alltoall\n", "MPI_Neighbor_alltoall (no record)", TRACE_OF_MISSING);
    expect_of("", "Call MPI_Neighbor_alltoall_init\n", "MPI_Neighbor_alltoall_init", TRACE_OF_RECORDS);
    expect_of("", "Call MPI_Bcast_init\n", "MPI_Bcast_init", TRACE_OF_RECORDS);
    expect_of("", "Call MPI_Wtime\n", "MPI_Wtime", TRACE_OF_RECORDS);
    expect_of("", "Call MPI_Wait\n", "MPI_Wait", TRACE_OF_CALLS);
    expect_of("", "Call MPI_Isendrecv\n", "MPI_Isendrecv (no record)", TRACE_OF_MISSING);
    expect_of("enter MPI_Isendrecv\nisend 1 0 2 4 9\nleave MPI_Isendrecv\n", "Call MPI_Isendrecv\n",
              "MPI_Isendrecv", TRACE_OF_CALLS);
}

/* Three persistent collectives that one call starts, and that never end, are counted by their calls, no
 * more than there are. */
static void test_endless_starts(void **state)
{
    struct archive_spec spec = {
        .ranks = 2,
        .events = {"enter MPI_Startall\nnbc_request 5\nnbc_request 6\nnbc_request 9\nleave MPI_Startall\n"
                   "enter MPI_Startall\nnbc_request 7\nleave MPI_Startall\n"
                   "enter MPI_Wait\nnbc_complete 0 0 -1 0 0 7\nleave MPI_Wait\nnbc_request 8\n",
                   "enter MPI_Barrier\ncollective 0 0 -1 0 0\nleave MPI_Barrier\n"}};
    struct archive opened = archive_open(&spec);
    (void)state;

    assert_int_equal(archive_coverage(&opened, "MPI_Startall (no completion)")->of, TRACE_OF_MISSING);
    assert_int_equal(archive_coverage(&opened, "MPI_Startall (no completion)")->records, 2);
    assert_int_equal(archive_coverage(&opened, "NonBlockingCollectiveRequest")->records, 1); /* in no call */
    archive_close(&opened);
}

/* One rank has nobody to communicate with. */
static void test_calls_of_one_rank(void **state)
{
    struct archive_spec spec = {.ranks = 1, .events = {"Call MPI_Allreduce\nCall MPI_Send\n"}};
    struct archive opened = archive_open(&spec);
    (void)state;

    assert_int_equal(archive_coverage(&opened, "MPI_Allreduce (no record)")->of, TRACE_OF_CALLS);
    assert_int_equal(archive_coverage(&opened, "MPI_Send")->of, TRACE_OF_CALLS);
    archive_close(&opened);
}

/* A Sendrecv from and to nobody has no record; but where none ever has, they were not recorded. */
static void test_missing_calls(void **state)
{
    struct archive_spec spec = {
        .ranks = 2,
        .events = {
            "enter MPI_Sendrecv\nSend 1 0 1 4\nRecv 1 0 1 4\nleave MPI_Sendrecv\nCall MPI_Sendrecv\n",
            "enter MPI_Sendrecv\nSend 0 0 1 4\nRecv 0 0 1 4\nleave MPI_Sendrecv\nCall MPI_Allreduce\n"}};
    struct archive opened = archive_open(&spec);
    (void)state;

    assert_int_equal(archive_coverage(&opened, "MPI_Sendrecv (no record)")->of, TRACE_OF_CALLS);
    assert_int_equal(archive_coverage(&opened, "MPI_Allreduce (no record)")->of, TRACE_OF_MISSING);
    archive_close(&opened);
    spec.events[0] = spec.events[1] = "Call MPI_Sendrecv\n";
    opened = archive_open(&spec);
    assert_int_equal(archive_coverage(&opened, "MPI_Sendrecv (no record)")->of, TRACE_OF_MISSING);
    archive_close(&opened);
}

/* Ranks of the recorded traces with CPU time as their clock have nothing in common. */
static void test_recorded_clocks(void **state)
{
    static const struct {
        const char *trace;
        bool common;
    } cases[] = {{"otf2-scorep-layout/cover.S.4", true},
                 {"otf2-eztrace/cover.S.4", false},
                 {"otf2-cpuclock/ft.A.64", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *path = recorded_find(cases[i].trace);
        struct trace_program *program = path == NULL ? NULL : recorded_open(path);
        if (program == NULL)
            continue;
        assert_int_equal(trace_program_origin_ns(program, 1) != UINT64_MAX, cases[i].common);
        trace_close(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock),
        cmocka_unit_test(test_threshold),
        cmocka_unit_test(test_polling),
        cmocka_unit_test(test_defects),
        cmocka_unit_test(test_missing_file),
        cmocka_unit_test(test_origins),
        cmocka_unit_test(test_nonblocking),
        cmocka_unit_test(test_calls_by_name),
        cmocka_unit_test(test_calls_of_one_rank),
        cmocka_unit_test(test_endless_starts),
        cmocka_unit_test(test_missing_calls),
        cmocka_unit_test(test_recorded_clocks),
    };
    return cmocka_run_group_tests_name("options of reading OTF2", tests, NULL, NULL);
}
