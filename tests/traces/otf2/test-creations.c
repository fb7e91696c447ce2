/* From the definitions of communicators, and what ranks do with them, to the implied collectives of the calls
 * that made them. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"

/* Every call is decomposed, or ignored for a reason. */
static void expect_treatment(const struct archive *opened, const char *call, enum trace_treatment treatment)
{
    assert_int_equal(archive_coverage(opened, call)->treatment, treatment);
    assert_non_null(archive_coverage(opened, call)->how);
}

/* Two splits of the world, one of them without a result for rank 2, and a duplicate of the first result of
 * ranks 0 and 1 in between: the definitions are in another order. */
static void test_order(void **state)
{
    const struct archive_spec spec = {
        .ranks = 3,
        .communicators = "5<7: 1 0; 6<0: 0 1; 7<0: 1 0",
        .events = {"Call MPI_Comm_split\nSend 0 7 1 10\nCall MPI_Comm_dup\ncollective 0 5 -1 0 0\n"
                   "collective 0 0 -1 0 0\nCall MPI_Comm_split\nCall MPI_Comm_free\ncollective 0 6 -1 0 0\n"
                   "collective 0 0 -1 0 0\n",
                   "Call MPI_Comm_split\nRecv 1 7 1 10\nCall MPI_Comm_dup\ncollective 0 5 -1 0 0\n"
                   "collective 0 0 -1 0 0\nCall MPI_Comm_split\nCall MPI_Comm_free\ncollective 0 6 -1 0 0\n"
                   "collective 0 0 -1 0 0\n",
                   "Call MPI_Comm_split\ncollective 0 0 -1 0 0\nCall MPI_Comm_split\n"
                   "collective 0 0 -1 0 0\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0,
                   "allgather 0 8 implied\ncompute 10\nsend 1 3 1 10\ncompute 10\nbarrier 3 0 implied\n"
                   "compute 10\nbarrier 1 0\ncompute 10\nbarrier 0 0\ncompute 10\nallgather 0 8 implied\n"
                   "compute 30\nbarrier 2 0\ncompute 10\nbarrier 0 0\nend\n");
    archive_expect(&opened, 2,
                   "allgather 0 8 implied\ncompute 10\nbarrier 0 0\ncompute 10\nallgather 0 8 implied\n"
                   "compute 10\nbarrier 0 0\nend\n");
    expect_treatment(&opened, "MPI_Comm_split", TRACE_DECOMPOSED);
    expect_treatment(&opened, "MPI_Comm_dup", TRACE_DECOMPOSED);
    assert_int_equal(archive_coverage(&opened, "MPI_Comm_free")->treatment, TRACE_EXACT);
    assert_int_equal(archive_repairs(&opened, "communicator-parent"), 6);
    assert_int_equal(trace_program_summary(opened.program)->collectives[TRACE_BARRIER].calls, 10);
    assert_int_equal(trace_program_summary(opened.program)->collectives[TRACE_ALLGATHER].calls, 0);
    archive_close(&opened);
}

/* Instances count the implied collectives too, on all members alike; the vectors stay with their records. */
static void test_instances(void **state)
{
    const char *events = "collective 9 0 -1 30 30\nCall MPI_Comm_dup\ncollective 9 0 -1 40 40\n";
    const struct archive_spec spec = {.ranks = 2, .communicators = "4<0: 0 1", .events = {events, events}};
    struct archive opened = archive_open(&spec);
    struct base_error error = {0};
    struct trace_cursor *cursor = trace_cursor_new(opened.program, 1, &error);
    struct trace_op op;
    uint64_t instance = 0;

    (void)state;
    while (trace_cursor_next(cursor, &op, &error) == 1) {
        if (op.kind != TRACE_COLLECTIVE_CALL)
            continue;
        assert_int_equal(op.instance, instance);
        assert_int_equal(op.flags & TRACE_IMPLIED, instance == 1 ? TRACE_IMPLIED : 0);
        assert_int_equal(op.vector == NULL, instance == 1);
        if (op.vector != NULL)
            assert_int_equal(op.vector->sent[0], instance == 0 ? 30 : 40);
        if (instance == 1)
            assert_int_equal(op.duration_ns, 10);
        instance++;
    }
    assert_int_equal(instance, 3);
    assert_int_equal(archive_repairs(&opened, "communicator-parent"), 0);
    trace_cursor_free(cursor);
    archive_close(&opened);
}

/* A thousand duplicates of the world, made in a loop, can only come from the world. */
static void test_loop(void **state)
{
    char *communicators = malloc(100000), *events = malloc(100000);
    struct archive_spec spec = {.ranks = 2, .communicators = communicators, .events = {events, events}};
    struct archive opened;
    size_t used = 0, written = 0;

    (void)state;
    assert_true(communicators != NULL && events != NULL);
    for (int i = 0; i < 1000; i++) {
        used += (size_t)snprintf(communicators + used, 100000 - used, "%s%d<0: 0 1", i > 0 ? "; " : "",
                                 10 + 2 * i);
        written += (size_t)snprintf(events + written, 100000 - written, "Call MPI_Comm_dup\n");
    }
    opened = archive_open(&spec);
    expect_treatment(&opened, "MPI_Comm_dup", TRACE_DECOMPOSED);
    archive_close(&opened);
    free(communicators);
    free(events);
}

/* Two communicators with the same members, each duplicated once: nothing says which came first. */
static void test_ambiguous(void **state)
{
    const char *events = "Call MPI_Comm_dup\nCall MPI_Comm_dup\nCall MPI_Comm_dup\nCall MPI_Comm_dup\n";
    const char *format = "Call MPI_Comm_dup\nCall MPI_Comm_dup\nenter MPI_Comm_dup\n%s\nleave MPI_Comm_dup\n"
                         "Call MPI_Comm_dup\n";
    char hinted[512];
    struct archive_spec spec = {
        .ranks = 2, .communicators = "4<0: 0 1; 5<0: 0 1; 6<4: 0 1; 7<5: 0 1", .events = {events, events}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 0, "compute 30\nend\n");
    expect_treatment(&opened, "MPI_Comm_dup", TRACE_IGNORED);
    archive_close(&opened);
    /* A record in a call names the parent, or the new communicator; one rank's are enough. */
    snprintf(hinted, sizeof hinted, format, "comm_create 7");
    spec.events[0] = spec.events[1] = hinted;
    opened = archive_open(&spec);
    archive_expect(&opened, 0,
                   "barrier 0 0 implied\ncompute 10\nbarrier 0 0 implied\ncompute 10\nbarrier 2 0 implied\n"
                   "compute 10\nbarrier 1 0 implied\nend\n");
    archive_close(&opened);
    snprintf(hinted, sizeof hinted, format, "collective 17 5 -1 0 0");
    opened = archive_open(&spec);
    archive_expect(&opened, 1,
                   "barrier 0 0 implied\ncompute 10\nbarrier 0 0 implied\ncompute 10\nbarrier 2 0 implied\n"
                   "compute 10\nbarrier 1 0 implied\nend\n");
    archive_close(&opened);
}

/* More calls than communicators, or calls that not all members make: nothing is assigned. */
static void test_contradictions(void **state)
{
    struct archive_spec spec = {
        .ranks = 2,
        .communicators = "4<0: 0 1",
        .events = {"Call MPI_Comm_dup\nCall MPI_Comm_dup\n", "Call MPI_Comm_dup\nCall MPI_Comm_dup\n"}};
    struct archive opened = archive_open(&spec);

    (void)state;
    expect_treatment(&opened, "MPI_Comm_dup", TRACE_IGNORED);
    archive_close(&opened);
    spec.events[0] = "Call MPI_Comm_dup\n";
    spec.events[1] = "Call MPI_Comm_split\n";
    opened = archive_open(&spec);
    expect_treatment(&opened, "MPI_Comm_dup", TRACE_IGNORED);
    archive_close(&opened);
    /* Used before any call: it was not made by one. */
    spec.events[0] = spec.events[1] = "collective 0 4 -1 0 0\nCall MPI_Comm_dup\n";
    opened = archive_open(&spec);
    expect_treatment(&opened, "MPI_Comm_dup", TRACE_IGNORED);
    archive_close(&opened);
}

/* Records inside all calls name the parents, and the definitions other ones. */
static void test_told(void **state)
{
    const char *events = "enter MPI_Comm_dup\ncollective 17 0 -1 0 0\nleave MPI_Comm_dup\n"
                         "enter MPI_Comm_split\ncollective 17 4 -1 0 0\nleave MPI_Comm_split\n";
    struct archive_spec spec = {
        .ranks = 2, .communicators = "4<0: 0 1; 5<0: 0 1", .events = {events, events}};
    struct archive opened = archive_open(&spec);

    (void)state;
    archive_expect(&opened, 1, "barrier 0 0 implied\ncompute 10\nallgather 1 8 implied\nend\n");
    archive_close(&opened);
    spec.events[1] = "enter MPI_Comm_dup\ncollective 17 4 -1 0 0\nleave MPI_Comm_dup\n"
                     "enter MPI_Comm_split\ncollective 17 0 -1 0 0\nleave MPI_Comm_split\n";
    opened = archive_open(&spec); /* each waits for the other */
    expect_treatment(&opened, "MPI_Comm_dup", TRACE_IGNORED);
    archive_close(&opened);
}

/* Every call of a program that uses most of MPI is replayed as recorded, or by an algorithm. */
static void test_cover(void **state)
{
    const char *path = recorded_find("otf2-scorep-layout/cover.S.4");
    struct trace_program *program;
    const struct trace_summary *summary;

    (void)state;
    if (path == NULL)
        suite_skip("the recorded trace is not here");
    program = recorded_open(path);
    summary = trace_program_summary(program);
    for (size_t i = 0; i < summary->coverage_count; i++)
        assert_true(summary->coverage[i].treatment == TRACE_EXACT ||
                    summary->coverage[i].treatment == TRACE_DECOMPOSED);
    trace_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_instances), cmocka_unit_test(test_loop),
        cmocka_unit_test(test_ambiguous),      cmocka_unit_test(test_told),      cmocka_unit_test(test_cover),
        cmocka_unit_test(test_contradictions),
    };
    return cmocka_run_group_tests_name("the creation of communicators", tests, NULL, NULL);
}
