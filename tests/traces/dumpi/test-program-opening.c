/* Opening DUMPI traces: by which paths, what is refused and how, what goes on with options.defects, the
 * ranks' clocks, and memory: how much is needed, and what happens when there is none. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fail-alloc.h"
#include "tests/suite.h"
#include "tests/traces/dumpitrace/dumpi-files.h"
#include "tests/traces/dumpi/scripts.h"
#include "traces/doctor/defect.h"

static const char *const two[] = {"@10-20 MPI_Init\n@20-21 MPI_Send count=1 datatype=9 dest=1 tag=1 comm=2\n"
                                  "@30-31 MPI_Finalize\n",
                                  "@500-560 MPI_Init\n"
                                  "@570-571 MPI_Recv count=1 datatype=9 source=0 tag=1 comm=2 status=4/0/1\n"
                                  "@580-581 MPI_Finalize\n"};

/* A directory of this test, with the files of a trace in it. */
static char directory[4096];

static void fill_directory(const char *const *ranks, uint32_t count, const char *name)
{
    const char *prefix = script_write(ranks, count);
    char from[4200], to[4400];

    snprintf(directory, sizeof directory, "%s", temporary_path(1, "-directory"));
    mkdir(directory, 0700);
    for (uint32_t i = 0; i < count; i++) {
        snprintf(from, sizeof from, "%s-%04u.bin", prefix, i);
        snprintf(to, sizeof to, "%s/%s-%04u.bin", directory, name, i);
        assert_int_equal(rename(from, to), 0);
    }
}

static const char *in_directory(const char *name)
{
    static char path[4400];

    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void empty_directory(void)
{
    static const char *const names[] = {"run-0000.bin",    "run-0001.bin", "run.meta",      "other.meta",
                                        "run-0000.bin.gz", "one-0000.bin", "other-0000.bin"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_directory(names[i]));
    rmdir(directory);
}

static void opens(const char *path, uint32_t ranks)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);

    if (program == NULL)
        fail_msg("%s", error.text);
    assert_int_equal(trace_program_ranks(program), ranks);
    assert_string_equal(trace_program_format(program), "dumpi");
    trace_close(program);
}

static void refused(const char *path, const char *why)
{
    struct base_error error = {0};

    assert_null(trace_open(path, NULL, &error));
    assert_int_equal(error.status, BASE_INPUT);
    if (strstr(error.text, why) == NULL)
        fail_msg("\"%s\" does not say \"%s\"", error.text, why);
}

static void paths_that_mean_a_trace(void **state)
{
    static const char meta[] = "numprocs=2\nfileprefix=elsewhere/run\n";

    (void)state;
    fill_directory(two, 2, "run");
    opens(directory, 2);
    opens(in_directory("run"), 2);
    write_file(in_directory("run.meta"), meta, sizeof meta - 1);
    opens(directory, 2);
    opens(in_directory("run"), 2);
    opens(in_directory("run.meta"), 2);
    refused(in_directory("run-0001.bin"), "one rank of a trace of 2; give all of them as ");
    write_file(in_directory("other.meta"), meta, sizeof meta - 1);
    refused(directory, "the directory holds 2 DUMPI traces; give one of them, as ");
    unlink(in_directory("other.meta"));
    unlink(in_directory("run-0001.bin"));
    refused(directory, "the files of 1 of 2 ranks are missing");
    unlink(in_directory("run.meta"));
    write_file(in_directory("other-0000.bin"), "", 0);
    refused(directory, "the directory holds several DUMPI traces");
    refused(in_directory("nothing"), "No such file");
    empty_directory();
}

static void a_rank_alone_and_compressed(void **state)
{
    static const char *const alone[] = {"MPI_Barrier comm=2\nMPI_Finalize\n"};
    struct bytes bytes;

    (void)state;
    fill_directory(alone, 1, "run");
    opens(in_directory("run-0000.bin"), 1);
    bytes = read_file(in_directory("run-0000.bin"));
    write_compressed(in_directory("run-0000.bin.gz"), bytes.data, bytes.size);
    free(bytes.data);
    unlink(in_directory("run-0000.bin"));
    opens(in_directory("run-0000.bin.gz"), 1);
    opens(in_directory("run"), 1);
    opens(directory, 1);
    empty_directory();
}

static const struct trace_defect *only_defect(const struct trace_defects *defects)
{
    assert_int_equal(trace_defects_count(defects), 1);
    return trace_defects_get(defects, 0);
}

static void cut_files(void **state)
{
    struct trace_options options = {.defects = trace_defects_new(0)};
    struct trace_program *program;
    struct bytes bytes;

    (void)state;
    fill_directory(two, 2, "run");
    bytes = read_file(in_directory("run-0001.bin"));
    write_file(in_directory("run-0001.bin"), bytes.data, 120);
    free(bytes.data);
    refused(directory, "run-0001.bin: byte ");
    program = trace_open(directory, &options, NULL);
    assert_non_null(program);
    assert_ops(program, 0, "send 1 1 4; compute 9; end");
    assert_ops(program, 1, "compute 10; recv 0 1 4; end");
    assert_string_equal(trace_defects_get(options.defects, 0)->kind, "truncated-file");
    assert_int_equal(trace_defects_get(options.defects, 0)->rank, 1);
    assert_int_equal(repairs_of(program, "cut-rank"), 1);
    trace_close(program);
    trace_defects_free(options.defects);
    empty_directory();
}

static void missing_files(void **state)
{
    static const char meta[] = "numprocs=2\nfileprefix=run\n";
    struct trace_options options = {.defects = trace_defects_new(0)};
    struct trace_program *program;

    (void)state;
    fill_directory(two, 2, "run");
    write_file(in_directory("run.meta"), meta, sizeof meta - 1);
    unlink(in_directory("run-0001.bin"));
    program = trace_open(directory, &options, NULL);
    assert_non_null(program);
    assert_ops(program, 0, "send 1 1 4; compute 9; end");
    assert_ops(program, 1, "end");
    assert_string_equal(only_defect(options.defects)->kind, "missing-file");
    trace_close(program);
    trace_defects_free(options.defects);
    empty_directory();
}

/* Each is an error by itself, and a defect that is left out. */
static void records_that_cannot_be_true(void **state)
{
    static const struct {
        const char *record, *kind, *why;
    } cases[] = {
        {"MPI_Send count=1 datatype=9 dest=7 tag=1 comm=2", "rank-out-of-range",
         "rank 0, event 2: MPI_Send: destination 7 in communicator \"MPI_COMM_WORLD\", which has 1 members"},
        {"MPI_Recv count=1 datatype=9 source=7 tag=1 comm=2", "rank-out-of-range", "source 7 in"},
        {"MPI_Send count=-1 datatype=9 dest=0 tag=1 comm=2", "negative-count", "a count of -1"},
        {"MPI_Send count=1 datatype=9 dest=0 tag=-9 comm=2", "negative-tag", "the tag -9 of a send"},
        {"MPI_Bcast count=1 datatype=9 root=5 comm=2", "rank-out-of-range", "root 5 in"},
        {"MPI_Bcast count=-4 datatype=9 root=0 comm=2", "negative-count", "a count of -4"},
        {"MPI_Probe source=9 tag=1 comm=2", "rank-out-of-range", "a probe for rank 9"},
        {"MPI_Barrier comm=2 thread=3", "several-threads", "threads 0 and 3 of this process"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_options options = {.defects = trace_defects_new(0)};
        char text[512];
        const char *ranks[] = {text};
        struct trace_program *program;

        snprintf(text, sizeof text, "MPI_Barrier comm=2\n%s\nMPI_Finalize\n", cases[i].record);
        refused(script_write(ranks, 1), cases[i].why);
        program = script_program(ranks, 1, &options);
        assert_ops(program, 0, "barrier; end");
        assert_string_equal(only_defect(options.defects)->kind, cases[i].kind);
        assert_int_equal(only_defect(options.defects)->event, 2);
        trace_close(program);
        trace_defects_free(options.defects);
    }
}

static void long_messages_are_damage(void **state)
{
    static const char *const ranks[] = {"MPI_Bcast count=100 datatype=9 root=0 comm=2\nMPI_Finalize\n"};
    struct trace_options options = {.message_limit_bytes = 399};
    struct base_error error = {0};
    const char *prefix = script_write(ranks, 1);

    (void)state;
    assert_null(trace_open(prefix, &options, &error));
    assert_non_null(strstr(error.text, "100 elements of 4 bytes are over the limit of 399 bytes"));
    options.message_limit_bytes = 400;
    trace_close(script_program(ranks, 1, &options));
}

/* Wall clocks count from the start of the node. */
static void ranks_of_one_node_have_one_clock(void **state)
{
    static const char *const here[] = {"host a\n@10-20 MPI_Init\n@30-40 MPI_Finalize\n",
                                       "host a\n@500-560 MPI_Init\n@570-580 MPI_Finalize\n"};
    static const char *const there[] = {"host a\n@10-20 MPI_Init\n", "host b\n@500-560 MPI_Init\n"};
    struct trace_program *program = script_program(here, 2, NULL);

    (void)state;
    assert_int_equal(trace_program_origin_ns(program, 0), 0);
    assert_int_equal(trace_program_origin_ns(program, 1), 490);
    trace_close(program);
    program = script_program(there, 2, NULL);
    assert_int_equal(trace_program_origin_ns(program, 0), UINT64_MAX);
    assert_int_equal(repairs_of(program, "missing-finalize"), 2);
    trace_close(program);
}

/* ---- Memory ---- */

/* A ring of messages received without blocking, statuses ignored by odd ranks. */
static char *ring(uint32_t rank, unsigned turns)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);

    assert_non_null(stream);
    for (unsigned i = 0; i < turns; i++) {
        fprintf(stream, "MPI_Irecv count=9 datatype=9 source=%u tag=%u comm=2 request=2\n", (rank + 1) % 2,
                i);
        fprintf(stream, "MPI_Isend count=9 datatype=9 dest=%u tag=%u comm=2 request=3\n", (rank + 1) % 2, i);
        fprintf(stream, "MPI_Waitall count=2 requests=2,3 statuses=%s\n",
                rank == 0 ? "36/1/0,0/0/0" : "none");
        fprintf(stream, "MPI_Allreduce count=1 datatype=9 op=3 comm=2\n");
        fprintf(stream, "MPI_Alltoallv commsize=2 sendcounts=1,2 senddispls=0,0 sendtype=9 recvcounts=1,2 "
                        "recvdispls=0,0 recvtype=9 comm=2\n");
    }
    fprintf(stream, "MPI_Finalize\n");
    fclose(stream);
    return text;
}

/* Reads a whole trace with its cursors side by side. */
static int read_all(void *path)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);
    struct trace_cursor *cursors[2] = {NULL, NULL};
    struct trace_op op;
    int more = program == NULL ? -1 : 1;

    for (unsigned i = 0; i < 2 && more >= 0; i++)
        if ((cursors[i] = trace_cursor_new(program, i, &error)) == NULL)
            more = -1;
    while (more > 0) {
        int both[2] = {trace_cursor_next(cursors[0], &op, &error), 0};

        both[1] = both[0] < 0 ? -1 : trace_cursor_next(cursors[1], &op, &error);
        more = both[0] < 0 || both[1] < 0 ? -1 : both[0] | both[1];
    }
    trace_cursor_free(cursors[0]);
    trace_cursor_free(cursors[1]);
    trace_close(program);
    return more == 0 ? 0 : -1;
}

/* The peak of a child that does nothing else, in KiB. */
static long peak_of(const char *path)
{
    struct rusage usage;
    int status;
    pid_t child = fork();

    if (child == 0)
        _exit(read_all((void *)path) == 0 ? 0 : 1);
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return usage.ru_maxrss;
}

static long peak_for(unsigned turns)
{
    char *ranks[] = {ring(0, turns), ring(1, turns)};
    char path[4096];

    snprintf(path, sizeof path, "%s", script_write((const char *const *)ranks, 2));
    free(ranks[0]);
    free(ranks[1]);
    return peak_of(path);
}

/* The text of the longer script is in this process, too; so the longer one is written first. */
static void memory_does_not_grow_with_the_trace(void **state)
{
    long tenfold = peak_for(20000), once = peak_for(2000);

    (void)state;
    if (tenfold > once + 400)
        fail_msg("%ld KiB for a trace, %ld KiB for one of ten times the length", once, tenfold);
}

static void every_failed_allocation_is_told(void **state)
{
    static const char *const ranks[] = {
        "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=4\nMPI_Win_create size=1 dispunit=1 comm=4 win=1\n"
        "MPI_Irecv count=9 datatype=9 source=-1 tag=-1 comm=4 request=2\n"
        "MPI_Send_init count=1 datatype=9 dest=0 tag=1 comm=4 request=3\nMPI_Start request=3\n"
        "MPI_Put origincount=1 origintype=9 targetrank=0 targetcount=1 targettype=9 win=1\n"
        "MPI_Waitall count=2 requests=2,3 statuses=4/0/1,0/0/0\nMPI_Win_fence win=1\n"
        "MPI_Alltoallv commsize=1 sendcounts=1 senddispls=0 sendtype=9 recvcounts=1 recvdispls=0 recvtype=9 "
        "comm=4\n"
        "MPI_Irecv count=9 datatype=9 source=0 tag=2 comm=4 request=2\nMPI_Wait request=2\n"
        "MPI_Send count=2 datatype=9 dest=0 tag=2 comm=4\nMPI_Finalize\n",
        "MPI_Comm_split oldcomm=2 color=-32766 key=0 newcomm=1\nMPI_Finalize\n"};
    char path[4096];

    (void)state;
    snprintf(path, sizeof path, "%s", script_write(ranks, 2));
    assert_true(fail_alloc_each(read_all, path) > 40);
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
        cmocka_unit_test(memory_does_not_grow_with_the_trace),
        cmocka_unit_test(paths_that_mean_a_trace),
        cmocka_unit_test(a_rank_alone_and_compressed),
        cmocka_unit_test(cut_files),
        cmocka_unit_test(missing_files),
        cmocka_unit_test(records_that_cannot_be_true),
        cmocka_unit_test(long_messages_are_damage),
        cmocka_unit_test(ranks_of_one_node_have_one_clock),
        cmocka_unit_test(every_failed_allocation_is_told),
    };

    return cmocka_run_group_tests(tests, NULL, clean);
}
