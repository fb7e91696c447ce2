/* Point-to-point calls, requests, polling and compute time of DUMPI traces: what each call becomes, one
 * subject a test. The calls and the operations are text, see scripts.h. Datatype 5 has 1 byte, 9 has 4,
 * 14 has 8. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"
#include "tests/traces/dumpi/scripts.h"
#include "traces/doctor/defect.h"

#define SCRIPT(name) static const char *const name[]

static void all_modes_of_sends(void **state)
{
    SCRIPT(ranks) = {"MPI_Send count=1 datatype=9 dest=1 tag=1 comm=2\n"
                     "MPI_Bsend count=2 datatype=9 dest=1 tag=2 comm=2\n"
                     "MPI_Ssend count=3 datatype=9 dest=1 tag=3 comm=2\n"
                     "MPI_Rsend count=4 datatype=9 dest=1 tag=4 comm=2\n"
                     "MPI_Isend count=5 datatype=14 dest=1 tag=5 comm=2 request=2\n"
                     "MPI_Ibsend count=6 datatype=9 dest=1 tag=6 comm=2 request=3\n"
                     "MPI_Issend count=7 datatype=9 dest=1 tag=7 comm=2 request=4\n"
                     "MPI_Irsend count=0 datatype=9 dest=0 tag=8 comm=2 request=5\n"
                     "MPI_Irecv count=0 datatype=9 source=0 tag=8 comm=2 request=6\n"
                     "MPI_Waitall count=5 requests=2,3,4,5,6\n"
                     "MPI_Finalize\n",
                     "MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 2, NULL);
    const struct trace_summary *summary = trace_program_summary(program);

    (void)state;
    assert_ops(program, 0,
               "send 1 1 4; bsend 1 2 8; ssend 1 3 12; send 1 4 16; isend 1 5 40 r0; ibsend 1 6 24 r1; "
               "issend 1 7 28 r2; isend 0 8 0 r3; irecv 0 8 0 r4; wait 0 1 2 3 4; end");
    assert_ops(program, 1, "end");
    assert_int_equal(summary->sends, 8);
    assert_int_equal(summary->bytes_sent, 4 + 8 + 12 + 16 + 40 + 24 + 28);
    assert_int_equal(summary->pair_count, 2);
    assert_int_equal(summary->pairs[1].messages, 7);
    assert_int_equal(summary->repair_count, 0);
    assert_int_equal(coverage_of(program, "MPI_Isend")->bytes, 40);
    trace_close(program);
}

static void receives_are_resolved_by_statuses(void **state)
{
    SCRIPT(ranks) = {"MPI_Recv count=9 datatype=9 source=-1 tag=-1 comm=2 status=16/1/5\n"
                     "MPI_Irecv count=100 datatype=5 source=-1 tag=7 comm=2 request=2\n"
                     "MPI_Irecv count=100 datatype=5 source=1 tag=-1 comm=2 request=3\n"
                     "MPI_Barrier comm=2\n"
                     "MPI_Waitany count=2 requests=2,3 index=1 status=10/1/8\n"
                     "MPI_Wait request=2 status=20/1/7\n"
                     "MPI_Finalize\n",
                     "MPI_Send count=4 datatype=9 dest=0 tag=5 comm=2\n"
                     "MPI_Send count=20 datatype=5 dest=0 tag=7 comm=2\n"
                     "MPI_Send count=10 datatype=5 dest=0 tag=8 comm=2\n"
                     "MPI_Barrier comm=2\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 2, NULL);

    (void)state;
    assert_ops(program, 0, "recv 1 5 16; irecv 1 7 20 r0; irecv 1 8 10 r1; barrier; wait 1; wait 0; end");
    assert_int_equal(trace_program_summary(program)->bytes_received, 46);
    assert_int_equal(trace_program_summary(program)->repair_count, 0);
    trace_close(program);
}

/* The values of Open MPI and of MPICH. */
static void nothing_comes_from_no_process(void **state)
{
    SCRIPT(ranks) = {"MPI_Send count=1 datatype=9 dest=-2 tag=1 comm=2\n"
                     "MPI_Recv count=1 datatype=9 source=-2 tag=1 comm=2\n"
                     "MPI_Recv count=1 datatype=9 source=-1 tag=1 comm=2 status=0/-2/-1\n"
                     "MPI_Isend count=1 datatype=9 dest=-1 tag=1 comm=2 request=2\n"
                     "MPI_Irecv count=1 datatype=9 source=-1 tag=1 comm=2 request=3\n"
                     "MPI_Irecv count=1 datatype=9 source=0 tag=1 comm=2 request=4\n"
                     "MPI_Isend count=1 datatype=9 dest=0 tag=1 comm=2 request=2\n"
                     "MPI_Waitall count=4 requests=2,3,4,2 statuses=0/0/0,0/-1/-1,4/0/1,0/0/0\n"
                     "MPI_Sendrecv sendcount=1 sendtype=9 dest=-2 sendtag=1 recvcount=1 recvtype=9 source=-2 "
                     "recvtag=1 comm=2\n"
                     "MPI_Probe source=-2 tag=1 comm=2 status=0/-2/-1\n"
                     "MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "irecv 0 1 4 r0; isend 0 1 4 r1; wait 0 1; end");
    trace_close(program);
}

static void sendrecv_starts_its_receive_first(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Sendrecv sendcount=2 sendtype=9 dest=0 sendtag=1 recvcount=9 recvtype=9 source=-1 recvtag=1 "
        "comm=2 "
        "status=8/0/1\n"
        "MPI_Sendrecv_replace count=3 datatype=9 dest=0 sendtag=4 source=0 recvtag=4 comm=2 status=12/0/4\n"
        "MPI_Sendrecv_replace count=3 datatype=9 dest=-2 sendtag=4 source=0 recvtag=5 comm=2 status=12/0/5\n"
        "MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0,
               "irecv 0 1 8 r0; isend 0 1 8 r1; wait 0 1; irecv 0 4 12 r2; isend 0 4 12 r3; wait 2 3; "
               "irecv 0 5 12 r4; wait 4; end");
    trace_close(program);
}

static void persistent_requests_are_started(void **state)
{
    SCRIPT(ranks) = {"MPI_Send_init count=1 datatype=9 dest=0 tag=1 comm=2 request=2\n"
                     "MPI_Recv_init count=9 datatype=9 source=-1 tag=-1 comm=2 request=3\n"
                     "MPI_Ssend_init count=2 datatype=9 dest=0 tag=2 comm=2 request=4\n"
                     "MPI_Bsend_init count=3 datatype=9 dest=0 tag=3 comm=2 request=5\n"
                     "MPI_Rsend_init count=3 datatype=9 dest=-2 tag=3 comm=2 request=6\n"
                     "MPI_Startall count=2 requests=3,2\n"
                     "MPI_Waitall count=2 requests=2,3 statuses=9/9/9,4/0/1\n"
                     "MPI_Wait request=2\n"
                     "MPI_Start request=4\nMPI_Start request=6\n"
                     "MPI_Startall count=2 requests=5,3\n"
                     "MPI_Waitall count=4 requests=3,4,5,6 statuses=8/0/2,0/0/0,0/0/0,0/0/0\n"
                     "MPI_Request_free request=2\n"
                     "MPI_Isend count=4 datatype=9 dest=0 tag=4 comm=2 request=2\n"
                     "MPI_Wait request=2\nMPI_Start request=2\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0,
               "irecv 0 1 4 r0; isend 0 1 4 r1; wait 1 0; issend 0 2 8 r2; ibsend 0 3 12 r3; irecv 0 2 8 r4; "
               "wait 4 2 3; isend 0 4 16 r5; wait 5; end");
    assert_int_equal(repairs_of(program, "unknown-request"), 1);
    trace_close(program);
}

/* Synchronous persistent sends keep their mode. */
static void persistent_sends_keep_their_mode(void **state)
{
    SCRIPT(ranks) = {
        "MPI_Ssend_init count=2 datatype=9 dest=0 tag=2 comm=2 request=4\n"
        "MPI_Irecv count=2 datatype=9 source=0 tag=2 comm=2 request=3\n"
        "MPI_Start request=4\nMPI_Waitall count=2 requests=3,4 statuses=8/0/2,0/0/0\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "irecv 0 2 8 r0; issend 0 2 8 r1; wait 0 1; end");
    trace_close(program);
}

/* Both MPIs give one handle to several eager sends, and handles again after their completion. */
static void shared_and_recycled_handles(void **state)
{
    SCRIPT(ranks) = {"MPI_Isend count=1 datatype=9 dest=0 tag=1 comm=2 request=2\n"
                     "MPI_Isend count=1 datatype=9 dest=0 tag=2 comm=2 request=2\n"
                     "MPI_Irecv count=1 datatype=9 source=0 tag=1 comm=2 request=3\n"
                     "MPI_Wait request=2\nMPI_Wait request=3 status=4/0/1\n"
                     "MPI_Irecv count=1 datatype=9 source=0 tag=2 comm=2 request=3\n"
                     "MPI_Waitall count=2 requests=3,2 statuses=4/0/2,0/0/0\n"
                     "MPI_Wait request=2\nMPI_Wait request=1\nMPI_Wait request=77\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(
        program, 0,
        "isend 0 1 4 r0; isend 0 2 4 r1; irecv 0 1 4 r2; wait 0; wait 2; irecv 0 2 4 r3; wait 3 1; end");
    assert_int_equal(repairs_of(program, "unknown-request"), 2);
    trace_close(program);
}

static void completions_in_part(void **state)
{
    SCRIPT(ranks) = {"MPI_Irecv count=9 datatype=9 source=-1 tag=1 comm=2 request=2\n"
                     "MPI_Irecv count=9 datatype=9 source=-1 tag=2 comm=2 request=3\n"
                     "MPI_Irecv count=9 datatype=9 source=-1 tag=3 comm=2 request=4\n"
                     "MPI_Send count=1 datatype=9 dest=0 tag=1 comm=2\n"
                     "MPI_Send count=2 datatype=9 dest=0 tag=2 comm=2\n"
                     "MPI_Send count=3 datatype=9 dest=0 tag=3 comm=2\n"
                     "MPI_Waitsome count=3 requests=2,3,4 outcount=2 indices=2,0 statuses=12/0/3,4/0/1\n"
                     "MPI_Waitsome count=3 requests=1,1,1 outcount=-32766\n"
                     "MPI_Waitany count=3 requests=1,1,1 index=-32766\n"
                     "MPI_Testsome count=3 requests=1,3,1 outcount=1 indices=1 statuses=8/0/2\n"
                     "MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0,
               "irecv 0 1 4 r0; irecv 0 2 8 r1; irecv 0 3 12 r2; send 0 1 4; send 0 2 8; send 0 3 12; "
               "wait 2 0; wait 1; end");
    trace_close(program);
}

static void freed_and_cancelled_requests(void **state)
{
    SCRIPT(ranks) = {"MPI_Isend count=1 datatype=9 dest=0 tag=1 comm=2 request=2\n"
                     "MPI_Request_free request=2\n"
                     "MPI_Irecv count=1 datatype=9 source=0 tag=9 comm=2 request=3\n"
                     "MPI_Cancel request=3\nMPI_Wait request=3 status=0/0/0/1\n"
                     "MPI_Irecv count=1 datatype=9 source=0 tag=9 comm=2 request=3\n"
                     "MPI_Cancel request=3\nMPI_Request_free request=3\n"
                     "MPI_Irecv count=1 datatype=9 source=0 tag=1 comm=2 request=3\n"
                     "MPI_Cancel request=3\nMPI_Wait request=3 status=4/0/1/0\n"
                     "MPI_Isend count=1 datatype=9 dest=0 tag=2 comm=2 request=5\n"
                     "MPI_Irecv count=7 datatype=9 source=0 tag=2 comm=2 request=6\n"
                     "MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "isend 0 1 4 r0; irecv 0 1 4 r1; wait 1; isend 0 2 4 r2; irecv 0 2 4 r3; end");
    assert_int_equal(repairs_of(program, "cancelled-receive"), 2);
    assert_int_equal(repairs_of(program, "unfinished-request"), 1);
    trace_close(program);
}

/* To free a request may be to wait for it: that is no computing. */
static void freeing_is_no_computing(void **state)
{
    SCRIPT(ranks) = {"@0-10 MPI_Init\n"
                     "@20-30 MPI_Isend count=1 datatype=9 dest=0 tag=1 comm=2 request=2\n"
                     "@40-140 MPI_Request_free request=2\n"
                     "@150-160 MPI_Barrier comm=2\n"
                     "@160-170 MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "compute 10; isend 0 1 4 r0; compute 20; barrier; end");
    trace_close(program);
}

/* What is computed between failing tests depends on the network it was recorded on. */
SCRIPT(polling) = {"@0-10 MPI_Init\n"
                   "@110-120 MPI_Irecv count=1 datatype=9 source=0 tag=1 comm=2 request=2\n"
                   "@130-140 MPI_Send count=1 datatype=9 dest=0 tag=1 comm=2\n"
                   "@150-160 MPI_Test request=2 flag=0\n"
                   "@260-270 MPI_Wtime\n"
                   "@300-310 MPI_Testall count=1 requests=2 flag=0\n"
                   "@400-410 MPI_Testany count=1 requests=2 index=0 flag=1 status=4/0/1\n"
                   "@420-430 MPI_Send count=1 datatype=9 dest=0 tag=2 comm=2\n"
                   "@440-450 MPI_Iprobe source=-1 tag=-1 comm=2 flag=0\n"
                   "@550-560 MPI_Iprobe source=-1 tag=-1 comm=2 flag=1 status=4/0/2\n"
                   "@570-580 MPI_Recv count=9 datatype=9 source=-1 tag=-1 comm=2\n"
                   "@590-600 MPI_Finalize\n"};

static void polling_is_one_wait(void **state)
{
    struct trace_program *program = script_program(polling, 1, NULL);

    (void)state;
    assert_ops(program, 0,
               "compute 100; irecv 0 1 4 r0; compute 10; send 0 1 4; compute 10; wait 0; compute 10; "
               "send 0 2 4; compute 10; probe 0 2; compute 10; recv 0 2 4; compute 10; end");
    assert_int_equal(repairs_of(program, "polling-collapsed"), 3);
    assert_int_equal(trace_program_summary(program)->compute_ns, 160);
    trace_close(program);
}

static void polling_can_be_kept(void **state)
{
    struct trace_options options = {.keep_polling = true};
    struct trace_program *program = script_program(polling, 1, &options);

    (void)state;
    assert_ops(program, 0,
               "compute 100; irecv 0 1 4 r0; compute 10; send 0 1 4; compute 240; wait 0; compute 10; "
               "send 0 2 4; compute 110; probe 0 2; compute 10; recv 0 2 4; compute 10; end");
    assert_int_equal(repairs_of(program, "polling-collapsed"), 0);
    trace_close(program);
}

static void looking_at_a_request_waits_for_it(void **state)
{
    SCRIPT(ranks) = {"MPI_Irecv count=9 datatype=9 source=-1 tag=1 comm=2 request=2\n"
                     "MPI_Request_get_status request=2 flag=0\n"
                     "MPI_Send count=1 datatype=9 dest=0 tag=1 comm=2\n"
                     "MPI_Request_get_status request=2 flag=1 status=4/0/1\n"
                     "MPI_Wait request=2 status=4/0/1\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "irecv 0 1 4 r0; send 0 1 4; wait 0; wait 0; end");
    trace_close(program);
}

/* MPI_Ibarrier is not recorded, but the wait for it is. */
static void unrecorded_calls_are_named(void **state)
{
    SCRIPT(ranks) = {"ignored MPI_Put 3\nignored MPI_Comm_rank 5\nMPI_Wait request=9\nMPI_Bcast count=1 "
                     "datatype=9 root=0 comm=7\n"
                     "MPI_Send count=1 datatype=9 dest=0 tag=1 comm=7\n"
                     "MPI_Recv count=1 datatype=99 source=0 tag=1 comm=7 status=4/0/1\n"
                     "MPI_Put origincount=1 origintype=9 targetrank=0 win=5\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_ops(program, 0, "send 0 1 4 c2; recv 0 1 4 c2; end");
    assert_int_equal(repairs_of(program, "unknown-request"), 1);
    assert_int_equal(repairs_of(program, "unknown-communicator-message"), 2);
    assert_int_equal(repairs_of(program, "unknown-communicator-collective"), 1);
    assert_int_equal(repairs_of(program, "unknown-datatype"), 1);
    assert_int_equal(repairs_of(program, "unknown-window-or-file"), 1);
    assert_int_equal(coverage_of(program, "MPI_Put (not recorded)")->records, 3);
    assert_int_equal(coverage_of(program, "MPI_Put (not recorded)")->treatment, TRACE_IGNORED);
    assert_int_equal(coverage_of(program, "MPI_Put (not recorded)")->of, TRACE_OF_MISSING);
    assert_int_equal(coverage_of(program, "MPI_Comm_rank (not recorded)")->of,
                     TRACE_OF_RECORDS); /* moves nothing */
    assert_string_equal(trace_program_communicator(program, 2)->name, "unknown communicators");
    trace_close(program);
}

/* A recorder that is told to leave out calls that only look leaves out nothing of the program. */
static void calls_that_look_may_be_left_out(void **state)
{
    SCRIPT(looks) = {"ignored MPI_Comm_rank 5\nMPI_Barrier comm=2\nMPI_Finalize\n"};
    SCRIPT(puts) = {"ignored MPI_Comm_rank 5\nignored MPI_Put 3\nMPI_Barrier comm=2\nMPI_Finalize\n"};

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct trace_options options = {.defects = trace_defects_new(0)};
        struct trace_program *program = script_program(i == 0 ? looks : puts, 1, &options);
        assert_int_equal(trace_defects_kinds(options.defects), i);
        if (i == 1) {
            assert_string_equal(trace_defects_kind(options.defects, 0)->kind, "recording-off");
            assert_int_equal(trace_defects_kind(options.defects, 0)->count, 3);
        }
        trace_close(program);
        trace_defects_free(options.defects);
    }
}

/* Statuses are ignored: room counts, until the sends say otherwise; wildcards stay. */
static void ignored_statuses_are_made_up_for(void **state)
{
    SCRIPT(ranks) = {"MPI_Irecv count=100 datatype=5 source=1 tag=1 comm=2 request=2\n"
                     "MPI_Irecv count=100 datatype=5 source=1 tag=1 comm=2 request=3\n"
                     "MPI_Waitall count=2 requests=2,3\n"
                     "MPI_Recv count=100 datatype=5 source=1 tag=2 comm=2 status=30/1/2\n"
                     "MPI_Recv count=40 datatype=5 source=1 tag=2 comm=2\n"
                     "MPI_Finalize\n",
                     "MPI_Send count=10 datatype=5 dest=0 tag=1 comm=2\n"
                     "MPI_Send count=20 datatype=5 dest=0 tag=1 comm=2\n"
                     "MPI_Send count=30 datatype=5 dest=0 tag=2 comm=2\n"
                     "MPI_Send count=40 datatype=5 dest=0 tag=2 comm=2\n"
                     "MPI_Recv count=50 datatype=5 source=-1 tag=3 comm=2\n"
                     "MPI_Send count=50 datatype=5 dest=-2 tag=3 comm=2\nMPI_Finalize\n",
                     "MPI_Send count=50 datatype=5 dest=1 tag=3 comm=2\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 3, NULL);

    (void)state;
    assert_ops(program, 0, "irecv 1 1 10 r0; irecv 1 1 20 r1; wait 0 1; recv 1 2 30; recv 1 2 40; end");
    assert_ops(program, 1, "send 0 1 10; send 0 1 20; send 0 2 30; send 0 2 40; recv * 3 50; end");
    assert_int_equal(repairs_of(program, "open-wildcard"), 1);
    assert_int_equal(trace_program_summary(program)->bytes_received, 150);
    trace_close(program);
}

/* MPICH stores MPI_PROC_NULL and MPI_ANY_SOURCE alike: what was sent decides. */
static void ambiguous_sources_are_decided(void **state)
{
    SCRIPT(ranks) = {"MPI_Recv count=1 datatype=9 source=-1 tag=1 comm=2\n"
                     "MPI_Send count=1 datatype=9 dest=-1 tag=1 comm=2\n"
                     "MPI_Send count=1 datatype=9 dest=1 tag=1 comm=2\nMPI_Finalize\n",
                     "MPI_Recv count=1 datatype=9 source=-1 tag=1 comm=2\nMPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 2, NULL);

    (void)state;
    assert_ops(program, 0, "send 1 1 4; end");
    assert_ops(program, 1, "recv * 1 4; end");
    assert_int_equal(trace_program_summary(program)->receives, 1);
    assert_int_equal(repairs_of(program, "ambiguous-source"), 2);
    trace_close(program);
}

/* A receive is held up for so long, and no longer; what it turns out to be is found by the survey. */
static void receives_far_from_their_completion(void **state)
{
    static const char begin[] = "MPI_Irecv count=100 datatype=5 source=-1 tag=-1 comm=2 request=2\n"
                                "MPI_Irecv count=100 datatype=5 source=-1 tag=6 comm=2 request=3\n"
                                "MPI_Irecv count=50 datatype=5 source=0 tag=7 comm=2 request=4\n";
    static const char pair[] = "MPI_Send count=1 datatype=9 dest=0 tag=1 comm=2\n"
                               "MPI_Recv count=1 datatype=9 source=0 tag=1 comm=2 status=4/0/1\n";
    static const char end[] = "MPI_Send count=10 datatype=5 dest=0 tag=5 comm=2\n"
                              "MPI_Send count=50 datatype=5 dest=0 tag=7 comm=2\n"
                              "MPI_Cancel request=3\n"
                              "MPI_Waitall count=3 requests=2,3,4 statuses=10/0/5,0/0/0/1,50/0/7\n"
                              "MPI_Finalize\n";
    static char text[sizeof begin + 3000 * sizeof pair + sizeof end];
    const char *ranks[] = {text};
    struct trace_program *program;
    const struct trace_summary *summary;
    char *ops;
    char *at = text;

    (void)state;
    at = stpcpy(at, begin);
    for (int i = 0; i < 3000; i++)
        at = stpcpy(at, pair);
    strcpy(at, end);
    program = script_program(ranks, 1, NULL);
    summary = trace_program_summary(program);
    ops = script_ops(program, 0);
    assert_memory_equal(ops, "irecv 0 5 10 r0; irecv 0 7 50 r1; send 0 1 4;", 45);
    assert_string_equal(strstr(ops, "send 0 5 10"), "send 0 5 10; send 0 7 50; wait 0 1; end");
    assert_int_equal(summary->receives, 3002);
    assert_int_equal(summary->bytes_received, summary->bytes_sent);
    free(ops);
    trace_close(program);
}

/* Gaps by each clock; shorter than the threshold they are nothing; local calls count. */
static void compute_time_by_the_clock_asked_for(void **state)
{
    SCRIPT(ranks) = {"@1000-1010/500-501 MPI_Init\n"
                     "@1110-1120/540-541 MPI_Barrier comm=2\n"
                     "@1121-1131/641-643 MPI_Comm_rank comm=2\n"
                     "@1125-1140/643-644 MPI_Barrier comm=2\n"
                     "@1142-1150/644-645 MPI_Barrier comm=2\n"
                     "@1150-1160/646-647 MPI_Finalize\n"
                     "@2150-2160/746-747 MPI_Initialized\n"};
    struct trace_options options = {.clock = TRACE_CLOCK_WALL};
    struct trace_program *program = script_program(ranks, 1, &options);

    (void)state;
    assert_ops(program, 0, "compute 100; barrier; compute 11; barrier; compute 2; barrier; end");
    assert_int_equal(trace_program_summary(program)->gap_wall_ns, 100 + 1 + 0 + 2);
    assert_int_equal(trace_program_summary(program)->gap_cpu_ns, 39 + 100 + 0 + 0 + 1);
    trace_close(program);
    options.clock = TRACE_CLOCK_CPU;
    program = script_program(ranks, 1, &options);
    assert_ops(program, 0, "compute 39; barrier; compute 102; barrier; barrier; compute 1; end");
    trace_close(program);
    options.clock = TRACE_CLOCK_MIN;
    program = script_program(ranks, 1, &options);
    assert_ops(program, 0, "compute 39; barrier; compute 3; barrier; barrier; end");
    trace_close(program);
    options = (struct trace_options){.compute_threshold_ns = 2};
    program = script_program(ranks, 1, &options);
    assert_ops(program, 0, "compute 100; barrier; compute 10; barrier; compute 2; barrier; end");
    trace_close(program);
}

/* Gaps, and calls that communicate, are told apart; calls that do not are computing. */
static void lost_processors_are_seen_in_files(void **state)
{
    SCRIPT(shared) = {"@1000-2000/1000-2000 MPI_Init\n"
                      "@9002000-9003000/3001-4003 MPI_Barrier comm=2\n"
                      "@9004000-9104000/5007-6011 MPI_Comm_rank comm=2\n"
                      "@9105000-9305000/7013-9017 MPI_Barrier comm=2\n"
                      "@9306000-9307000/9018-9999 MPI_Finalize\n"};
    struct trace_program *program = script_program(shared, 1, NULL);
    const struct trace_processor_loss *loss = &trace_program_summary(program)->loss;

    (void)state;
    assert_int_equal(loss->gaps, 5); /* one of them is MPI_Comm_rank */
    assert_int_equal(loss->lost_gaps, 2);
    assert_int_equal(loss->lost_ns, 9000000 - 1001 + 100000 - 1004);
    assert_int_equal(loss->longest.event, 2);
    assert_int_equal(loss->longest.cpu_ns, 1001);
    assert_int_equal(loss->call_lost_ns, 200000 - 2004);
    assert_true(trace_loss_matters(loss));
    trace_close(program);
}

/* As in a trace that was converted from one clock, which our writer gives twice. */
static void clocks_that_agree_lose_nothing(void **state)
{
    SCRIPT(ranks) = {
        "@1000-2000 MPI_Init\n@9002000-9003000 MPI_Barrier comm=2\n@9304000-9305000 MPI_Finalize\n"};
    struct trace_program *program = script_program(ranks, 1, NULL);

    (void)state;
    assert_false(trace_loss_matters(&trace_program_summary(program)->loss));
    trace_close(program);
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
        cmocka_unit_test(all_modes_of_sends),
        cmocka_unit_test(receives_are_resolved_by_statuses),
        cmocka_unit_test(nothing_comes_from_no_process),
        cmocka_unit_test(sendrecv_starts_its_receive_first),
        cmocka_unit_test(persistent_requests_are_started),
        cmocka_unit_test(persistent_sends_keep_their_mode),
        cmocka_unit_test(shared_and_recycled_handles),
        cmocka_unit_test(completions_in_part),
        cmocka_unit_test(freed_and_cancelled_requests),
        cmocka_unit_test(freeing_is_no_computing),
        cmocka_unit_test(polling_is_one_wait),
        cmocka_unit_test(polling_can_be_kept),
        cmocka_unit_test(looking_at_a_request_waits_for_it),
        cmocka_unit_test(unrecorded_calls_are_named),
        cmocka_unit_test(calls_that_look_may_be_left_out),
        cmocka_unit_test(ignored_statuses_are_made_up_for),
        cmocka_unit_test(ambiguous_sources_are_decided),
        cmocka_unit_test(receives_far_from_their_completion),
        cmocka_unit_test(lost_processors_are_seen_in_files),
        cmocka_unit_test(clocks_that_agree_lose_nothing),
        cmocka_unit_test(compute_time_by_the_clock_asked_for),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
