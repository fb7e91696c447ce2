/* Collectives of DUMPI traces, the making of communicators, one-sided calls and MPI-IO: what each call
 * becomes. The calls and the operations are text, see scripts.h. Datatype 9 has 4 bytes, 14 has 8. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/dumpi/scripts.h"
#include "traces/doctor/defect.h"
#include "traces/dumpitrace/dumpitrace.h"

#define SCRIPT(name) static const char *const name[]

static void collectives_of_one_size(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Barrier comm=2\nMPI_Bcast count=3 datatype=9 root=1 comm=2\n"
        "MPI_Reduce count=2 datatype=14 op=3 root=0 comm=2\nMPI_Allreduce count=5 datatype=9 op=3 comm=2\n"
        "MPI_Scan count=1 datatype=9 op=3 comm=2\nMPI_Exscan count=2 datatype=9 op=3 comm=2\n"
        "MPI_Gather commrank=0 sendcount=3 sendtype=9 root=0 comm=2 recvcount=3 recvtype=9\n"
        "MPI_Scatter commrank=0 recvcount=3 recvtype=9 root=0 comm=2 sendcount=3 sendtype=9\n"
        "MPI_Allgather sendcount=0 sendtype=1 recvcount=4 recvtype=9 comm=2\n"
        "MPI_Alltoall sendcount=0 sendtype=1 recvcount=5 recvtype=9 comm=2\n"
        "MPI_Gather commrank=0 sendcount=0 sendtype=1 root=0 comm=2 recvcount=3 recvtype=9\nMPI_Finalize\n",
        "MPI_Barrier comm=2\nMPI_Bcast count=12 datatype=5 root=1 comm=2\n"
        "MPI_Reduce count=2 datatype=14 op=3 root=0 comm=2\nMPI_Allreduce count=5 datatype=9 op=3 comm=2\n"
        "MPI_Scan count=1 datatype=9 op=3 comm=2\nMPI_Exscan count=2 datatype=9 op=3 comm=2\n"
        "MPI_Gather commrank=1 sendcount=3 sendtype=9 root=0 comm=2\n"
        "MPI_Scatter commrank=1 recvcount=3 recvtype=9 root=0 comm=2\n"
        "MPI_Allgather sendcount=4 sendtype=9 recvcount=4 recvtype=9 comm=2\n"
        "MPI_Alltoall sendcount=5 sendtype=9 recvcount=5 recvtype=9 comm=2\n"
        "MPI_Gather commrank=1 sendcount=3 sendtype=9 root=0 comm=2\nMPI_Finalize\n"};
    static const char expected[] =
        "barrier; bcast 12 root 1; reduce 16 root 0; allreduce 20; scan 4; exscan 8; gather 12 root 0; "
        "scatter 12 root 0; allgather 16; alltoall 20; gather 12 root 0; end";
    struct trace_program *program = script_program(ranks, 2, NULL);

    (void)state;
    assert_ops(program, 0, expected);
    assert_ops(program, 1, expected);
    assert_int_equal(trace_program_summary(program)->collectives[TRACE_GATHER].calls, 4);
    assert_int_equal(trace_program_summary(program)->collectives[TRACE_ALLTOALL].bytes, 40);
    trace_close(program);
}

static void collectives_with_vectors(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Gatherv commrank=0 commsize=2 sendcount=1 sendtype=9 root=0 comm=2 recvcounts=1,2 displs=0,1 "
        "recvtype=9\n"
        "MPI_Scatterv commrank=0 commsize=2 sendtype=9 recvcount=3 recvtype=9 root=1 comm=2\n"
        "MPI_Allgatherv commsize=2 sendcount=1 sendtype=9 recvcounts=1,2 displs=0,1 recvtype=9 comm=2\n"
        "MPI_Reduce_scatter commsize=2 recvcounts=3,5 datatype=9 op=3 comm=2\n"
        "MPI_Alltoallv commsize=2 sendcounts=1,2 senddispls=0,1 sendtype=9 recvcounts=1,3 recvdispls=0,1 "
        "recvtype=9 comm=2\n"
        "MPI_Alltoallw commsize=2 sendcounts=1,2 senddispls=0,1 sendtypes=9,14 recvcounts=1,3 recvdispls=0,1 "
        "recvtypes=9,14 comm=2\n"
        "MPI_Alltoallv commsize=2 sendtype=1 recvcounts=1,3 recvdispls=0,1 recvtype=9 comm=2\nMPI_Finalize\n",
        "MPI_Gatherv commrank=1 commsize=2 sendcount=2 sendtype=9 root=0 comm=2 recvtype=0\n"
        "MPI_Scatterv commrank=1 commsize=2 sendtype=9 recvcount=4 recvtype=9 root=1 comm=2 sendcounts=3,4 "
        "displs=0,1\n"
        "MPI_Allgatherv commsize=2 sendcount=2 sendtype=9 recvcounts=1,2 displs=0,1 recvtype=9 comm=2\n"
        "MPI_Reduce_scatter commsize=2 recvcounts=3,5 datatype=9 op=3 comm=2\n"
        "MPI_Alltoallv commsize=2 sendcounts=3,4 senddispls=0,1 sendtype=9 recvcounts=2,4 recvdispls=0,1 "
        "recvtype=9 comm=2\n"
        "MPI_Alltoallw commsize=2 sendcounts=3,0 senddispls=0,1 sendtypes=14,1 recvcounts=2,0 recvdispls=0,1 "
        "recvtypes=14,1 comm=2\n"
        "MPI_Alltoallv commsize=2 sendtype=1 recvcounts=3,2 recvdispls=0,1 recvtype=9 "
        "comm=2\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 2, NULL);
    const struct trace_summary *summary = trace_program_summary(program);

    (void)state;
    assert_ops(program, 0,
               "gatherv root 0 [4 8|12 0]; scatterv 12 root 1; allgatherv [4 8|12 12]; "
               "reduce_scatter [32 32|12 20]; alltoallv pairs[4 8|4 12]; alltoallw pairs[4 16|4 24]; "
               "alltoallv pairs[4 12|4 12]; end");
    assert_ops(program, 1,
               "gatherv 8 root 0; scatterv root 1 [0 28|12 16]; allgatherv [4 8|12 12]; "
               "reduce_scatter [32 32|12 20]; alltoallv pairs[12 16|8 16]; alltoallw pairs[24 0|16 0]; "
               "alltoallv pairs[12 8|12 8]; end");
    assert_int_equal(summary->collectives[TRACE_GATHERV].bytes, 12);
    assert_int_equal(summary->collectives[TRACE_REDUCE_SCATTER].bytes, 64);
    trace_close(program);
}

/* Handles are numbers of one rank, and are given again. */
static void communicators_and_what_they_imply(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Comm_split oldcomm=2 color=0 key=1 newcomm=4\nMPI_Send count=1 datatype=9 dest=0 tag=1 comm=4\n"
        "MPI_Comm_dup oldcomm=4 newcomm=5\nMPI_Comm_free comm=4\n"
        "MPI_Comm_dup oldcomm=2 newcomm=4\nMPI_Barrier comm=4\nMPI_Barrier comm=5\nMPI_Finalize\n",
        "MPI_Comm_split oldcomm=2 color=-32766 key=0 newcomm=1\nMPI_Comm_dup oldcomm=2 newcomm=4\n"
        "MPI_Barrier comm=4\nMPI_Finalize\n",
        "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=9\n"
        "MPI_Recv count=1 datatype=9 source=1 tag=1 comm=9 status=4/1/1\nMPI_Comm_dup oldcomm=9 newcomm=10\n"
        "MPI_Comm_dup oldcomm=2 newcomm=11\nMPI_Barrier comm=11\nMPI_Barrier comm=10\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 3, NULL);

    (void)state;
    assert_int_equal(trace_program_communicators(program), 4);
    assert_int_equal(trace_program_communicator(program, 2)->size, 2);
    assert_int_equal(trace_program_communicator(program, 2)->members[0], 2);
    assert_int_equal(trace_program_communicator(program, 2)->members[1], 0);
    assert_ops(program, 0,
               "(allgather 8); send 2 1 4 c2; (barrier c2); (barrier); barrier c1; barrier c3; end");
    assert_ops(program, 1, "(allgather 8); (barrier); barrier c1; end");
    assert_ops(program, 2,
               "(allgather 8); recv 0 1 4 c2; (barrier c2); (barrier); barrier c1; barrier c3; end");
    assert_int_equal(trace_program_summary(program)->collectives[TRACE_BARRIER].calls, 5);
    assert_int_equal(trace_program_summary(program)->collectives[TRACE_ALLGATHER].calls, 0);
    assert_int_equal(coverage_of(program, "MPI_Comm_split")->treatment, TRACE_DECOMPOSED);
    trace_close(program);
}

/* Two groups: messages name ranks of the other one; rooted collectives know their root by its raw value. */
static void inter_communicators(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=4\n"
        "MPI_Intercomm_create localcomm=4 localleader=0 remotecomm=2 remoteleader=2 tag=7 newcomm=5\n"
        "MPI_Send count=1 datatype=9 dest=0 tag=1 comm=5\nMPI_Bcast count=2 datatype=9 root=-3 comm=5\n"
        "MPI_Intercomm_merge comm=5 high=0 newcomm=6\nMPI_Barrier comm=6\nMPI_Finalize\n",
        "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=4\n"
        "MPI_Intercomm_create localcomm=4 localleader=0 remotecomm=2 remoteleader=2 tag=7 newcomm=5\n"
        "MPI_Bcast count=2 datatype=9 root=-1 comm=5\n"
        "MPI_Intercomm_merge comm=5 high=0 newcomm=6\nMPI_Barrier comm=6\nMPI_Finalize\n",
        "MPI_Comm_split oldcomm=2 color=1 key=0 newcomm=4\n"
        "MPI_Intercomm_create localcomm=4 localleader=0 remotecomm=2 remoteleader=0 tag=7 newcomm=5\n"
        "MPI_Recv count=1 datatype=9 source=0 tag=1 comm=5 status=4/0/1\n"
        "MPI_Bcast count=2 datatype=9 root=0 comm=5\n"
        "MPI_Intercomm_merge comm=5 high=1 newcomm=6\nMPI_Barrier comm=6\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 3, NULL);
    char *ops = script_ops(program, 0);

    (void)state;
    assert_string_equal(ops, "(allgather 8); (irecv 2 7 8 r0); (isend 2 7 8 r1); (wait 0 1); "
                             "(bcast 8 root 0 c1); send 2 1 4 c2; bcast 8 root 0 c2; (barrier c2); "
                             "barrier c3; end");
    free(ops);
    assert_ops(program, 1,
               "(allgather 8); (bcast 8 root 0 c1); bcast 0 root 0 c2; (barrier c2); barrier c3; end");
    assert_ops(program, 2,
               "(allgather 8); (irecv 0 7 8 r0); (isend 0 7 8 r1); (wait 0 1); (bcast 8 root 0 c4); "
               "recv 0 1 4 c2; bcast 8 root 0 c2; (barrier c2); barrier c3; end");
    assert_int_equal(trace_program_communicator(program, 2)->remote_size, 1);
    assert_int_equal(trace_program_communicator(program, 3)->size, 3);
    trace_close(program);
}

static void groups_make_communicators(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Comm_group comm=2 group=3\nMPI_Group_range_incl group=3 count=1 ranges=0,2,2 newgroup=4\n"
        "MPI_Comm_create oldcomm=2 group=4 newcomm=4\nMPI_Barrier comm=4\nMPI_Finalize\n",
        "MPI_Comm_group comm=2 group=3\nMPI_Group_range_incl group=3 count=1 ranges=0,2,2 newgroup=4\n"
        "MPI_Comm_create oldcomm=2 group=4 newcomm=1\nMPI_Finalize\n",
        "MPI_Comm_group comm=2 group=3\nMPI_Group_range_incl group=3 count=1 ranges=0,2,2 newgroup=4\n"
        "MPI_Comm_create oldcomm=2 group=4 newcomm=4\nMPI_Barrier comm=4\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 3, NULL);

    (void)state;
    assert_ops(program, 0, "(barrier); barrier c1; end");
    assert_ops(program, 1, "(barrier); end");
    assert_int_equal(trace_program_communicator(program, 1)->members[1], 2);
    trace_close(program);
}

/* Derived types and Fortran's: by constructors, else by the table in the file. */
static void sizes_of_datatypes(void **state)
{
    SCRIPT(ranks) = {"sizes 8 4\nMPI_Bcast count=2 datatype=28 root=0 comm=2\n"
                     "MPI_Type_vector count=3 blocklength=2 stride=9 oldtype=29 newtype=30\n"
                     "MPI_Bcast count=1 datatype=30 root=0 comm=2\nMPI_Type_free datatype=30\n"
                     "MPI_Type_contiguous count=5 oldtype=14 newtype=30\n"
                     "MPI_Bcast count=1 datatype=30 root=0 comm=2\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "bcast 16 root 0; bcast 24 root 0; bcast 40 root 0; end");
    trace_close(program);
}

static void one_sided_calls(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Win_create size=100 dispunit=1 comm=2 win=1\nMPI_Win_fence win=1\n"
        "MPI_Put origincount=4 origintype=9 targetrank=1 targetcount=4 targettype=9 win=1\n"
        "MPI_Get origincount=2 origintype=9 targetrank=1 targetcount=2 targettype=9 win=1\n"
        "MPI_Accumulate origincount=1 origintype=14 targetrank=0 targetcount=1 targettype=14 op=3 win=1\n"
        "MPI_Put origincount=4 origintype=9 targetrank=-2 targetcount=4 targettype=9 win=1\n"
        "MPI_Win_fence win=1\n"
        "MPI_Win_lock winrank=1 win=1\n"
        "MPI_Put origincount=1 origintype=9 targetrank=1 targetcount=1 targettype=9 win=1\n"
        "MPI_Put origincount=2 origintype=9 targetrank=0 targetcount=1 targettype=9 win=1\n"
        "MPI_Win_unlock winrank=1 win=1\nMPI_Win_free win=1\nMPI_Finalize\n",
        "MPI_Win_create size=100 dispunit=1 comm=2 win=3\nMPI_Win_fence win=3\nMPI_Win_fence win=3\n"
        "MPI_Win_free win=3\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 2, NULL);

    (void)state;
    assert_ops(program, 0,
               "(allgather 16); (barrier); iput 1 16 r0; iget 1 8 r1; iput 0 8 r2; (wait 0 1 2); (barrier); "
               "iput 1 4 r3; iput 0 8 r4; (wait 3); (wait 4); (barrier); end");
    assert_ops(program, 1, "(allgather 16); (barrier); (barrier); (barrier); end");
    assert_int_equal(coverage_of(program, "MPI_Put")->treatment, TRACE_APPROXIMATE);
    assert_non_null(coverage_of(program, "MPI_Win_lock")->how);
    trace_close(program);
}

static void calls_on_files(void **state)
{
    SCRIPT(ranks) = {"@0-0 MPI_Init\n@0-50 MPI_File_open comm=2 filename=out file=1\n"
                     "@50-60 MPI_File_write_at_all file=1 count=1 datatype=9\n"
                     "@60-90 MPI_File_write file=1 count=1 datatype=9\n"
                     "@90-95 MPI_File_iwrite file=1 count=1 datatype=9 request=2\n"
                     "@95-100 MPI_Wait request=10\n"
                     "@100-101 MPI_File_get_size file=1 size=4\n@101-111 MPI_File_close file=1\n"
                     "@111-112 MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "(barrier); compute 50; (barrier); compute 51; (barrier); compute 10; end");
    assert_int_equal(coverage_of(program, "MPI_File_write")->treatment, TRACE_APPROXIMATE);
    assert_int_equal(coverage_of(program, "MPI_File_write")->time_ns, 30);
    assert_int_equal(repairs_of(program, "unknown-request"), 0);
    trace_close(program);
}

/* Every function of the format goes through the decoder, and none is missing from the coverage. */
static void every_function_has_a_row(void **state)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    const char *ranks[1];
    struct trace_program *program;
    struct trace_options options = {0};
    unsigned functions = 0;

    (void)state;
    assert_non_null(stream);
    for (unsigned i = 0; i < DPT_FUNCTION_COUNT; i++)
        if (dpt_layout(i) != NULL && i != DPT_MPI_Finalize) {
            bool on_world = i == DPT_MPI_Send || i == DPT_MPI_Bcast || i == DPT_MPI_Barrier;

            fprintf(stream, "%s%s\n", dpt_function_name(i), on_world ? " comm=2" : "");
            functions++;
        }
    fprintf(stream, "MPI_Finalize\n");
    fclose(stream);
    ranks[0] = text;
    options.defects = trace_defects_new(0);
    program = script_program(ranks, 1, &options);
    assert_int_equal(trace_program_summary(program)->events, functions + 1);
    assert_int_equal(trace_program_summary(program)->coverage_count, functions + 1);
    trace_close(program);
    trace_defects_free(options.defects);
    free(text);
}

static int clean(void **state)
{
    (void)state;
    script_clean();
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(collectives_of_one_size),
        cmocka_unit_test(collectives_with_vectors),
        cmocka_unit_test(communicators_and_what_they_imply),
        cmocka_unit_test(inter_communicators),
        cmocka_unit_test(groups_make_communicators),
        cmocka_unit_test(sizes_of_datatypes),
        cmocka_unit_test(one_sided_calls),
        cmocka_unit_test(calls_on_files),
        cmocka_unit_test(every_function_has_a_row),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
