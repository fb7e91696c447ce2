/* What the survey counts of a rank, most of it in one go (traces/dumpi/survey-plain.c), against the operations that
 * cursors give, which come by the handlers of functions: recorded traces, and thousands of damaged ones that can be
 * opened. */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/traces/dumpi/scripts.h"
#include "tests/traces/dumpitrace/dumpi-files.h"
#include "traces/program.h"

/* The sums over all ranks. */
struct sums {
    uint64_t sends, bytes_sent, receives, bytes_received, wildcards, compute_ns, collectives;
};

static struct sums sum_up(struct trace_program *program)
{
    struct sums sums = {0};
    struct base_error error = {.text = ""};
    struct trace_op op;

    for (uint32_t rank = 0; rank < trace_program_ranks(program); rank++) {
        struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
        int more;
        assert_non_null(cursor);
        while ((more = trace_cursor_next(cursor, &op, &error)) == 1) {
            sums.compute_ns += op.kind == TRACE_COMPUTE ? op.duration_ns : 0;
            sums.collectives += op.kind == TRACE_COLLECTIVE_CALL && (op.flags & TRACE_IMPLIED) == 0;
            if (op.kind == TRACE_SEND && (op.flags & TRACE_IMPLIED) == 0) {
                sums.sends++;
                sums.bytes_sent += op.bytes;
            }
            if (op.kind == TRACE_RECEIVE && (op.flags & TRACE_IMPLIED) == 0) {
                sums.receives++;
                sums.wildcards += op.peer == TRACE_ANY_SOURCE;
                sums.bytes_received += op.peer == TRACE_ANY_SOURCE ? 0 : op.bytes;
            }
        }
        if (more < 0)
            fail_msg("%s", error.text);
        trace_cursor_free(cursor);
    }
    return sums;
}

/* Implied messages are counted by the survey alone, and bytes of wildcards by what their senders say. */
static bool is_comparable(const struct trace_program *program)
{
    const struct trace_summary *summary = trace_program_summary(program);

    for (size_t i = 0; i < summary->coverage_count; i++)
        if (strcmp(summary->coverage[i].record, "MPI_Intercomm_create") == 0)
            return false;
    return true;
}

/* Bytes received of a damaged trace may be those of receives without a send. */
static void compare(struct trace_program *program, bool is_whole)
{
    const struct trace_summary *summary = trace_program_summary(program);
    uint64_t messages = 0, bytes = 0, calls = 0;
    struct sums sums;

    if (!is_comparable(program))
        return;
    sums = sum_up(program);
    for (size_t i = 0; i < summary->pair_count; i++) {
        messages += summary->pairs[i].messages;
        bytes += summary->pairs[i].bytes;
    }
    for (int i = 0; i < TRACE_COLLECTIVES; i++)
        calls += summary->collectives[i].calls;
    assert_int_equal(summary->sends, sums.sends);
    assert_int_equal(summary->bytes_sent, sums.bytes_sent);
    assert_int_equal(messages, sums.sends);
    assert_int_equal(bytes, sums.bytes_sent);
    assert_int_equal(summary->receives, sums.receives);
    if (is_whole && sums.wildcards == 0)
        assert_int_equal(summary->bytes_received, sums.bytes_received);
    assert_int_equal(summary->compute_ns, sums.compute_ns);
    assert_int_equal(calls, sums.collectives);
}

static void recorded_traces(void **state)
{
    static const char *const traces[] = {"cover.S.4", "cover.W.4.persist",
                                         "dt.S.5.WH", "ft.S.4",
                                         "is.S.4",    "lu.S.4",
                                         "mg.S.4",    "sp.S.4",
                                         "bt.S.4",    "cg.S.4",
                                         "mg.S.16"};
    unsigned compared = 0;
    (void)state;

    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        struct base_error error = {.text = ""};
        struct trace_program *program;
        char path[1024];

        snprintf(path, sizeof path, "%s/%s", traces_directory(), traces[i]);
        if (access(path, F_OK) != 0)
            continue;
        program = trace_open(path, NULL, &error);
        if (program == NULL)
            fail_msg("%s", error.text);
        compare(program, true);
        trace_close(program);
        compared++;
    }
    assert_true(compared >= 3);
}

/* `count` times the same line at the end of a text. */
static void repeat(char *text, const char *line, int count)
{
    text += strlen(text);
    for (int i = 0; i < count; i++)
        text = stpcpy(text, line);
}

/* A receive that is held up by more operations than a window has leaves as it was posted; one of fewer does not. */
static void receives_are_held_up(void **state)
{
    static char texts[2][4200 * 80];
    const char *const ranks[] = {texts[0], texts[1]};
    (void)state;

    for (int more = 4090; more <= 4100; more++) {
        struct trace_program *program;

        strcpy(texts[0], "MPI_Irecv count=9 datatype=9 source=1 tag=7 comm=2 request=5\n"
                         "MPI_Irecv count=9 datatype=9 source=-1 tag=-1 comm=2 request=6\n");
        repeat(texts[0], "MPI_Send count=1 datatype=9 dest=1 tag=1 comm=2\n", more);
        strcat(texts[0], "MPI_Wait request=6 status=12/1/3\nMPI_Wait request=5 status=8/1/7\n");
        strcpy(texts[1], "MPI_Send count=2 datatype=9 dest=0 tag=7 comm=2\n"
                         "MPI_Send count=3 datatype=9 dest=0 tag=3 comm=2\n");
        repeat(texts[1], "MPI_Recv count=1 datatype=9 source=0 tag=1 comm=2 status=4/0/1\n", more);
        program = script_program(ranks, 2, NULL);
        compare(program, true);
        assert_int_equal(trace_program_summary(program)->bytes_received, 8 + 12 + 4 * more);
        assert_int_equal(sum_up(program).wildcards, 0);
        trace_close(program);
        script_clean();
    }
}

/* A cancelled receive is none, and a plain one under the number of a persistent request ends that. */
static void requests_that_are_not_plain(void **state)
{
    static const char *const ranks[] = {"MPI_Irecv count=9 datatype=9 source=1 tag=7 comm=2 request=5\n"
                                        "MPI_Wait request=5 status=36/1/7\n"
                                        "MPI_Irecv count=9 datatype=9 source=1 tag=8 comm=2 request=5\n"
                                        "MPI_Cancel request=5\n"
                                        "MPI_Wait request=5 status=0/1/8/1\n"
                                        "MPI_Send_init count=1 datatype=9 dest=1 tag=1 comm=2 request=6\n"
                                        "MPI_Irecv count=9 datatype=9 source=1 tag=9 comm=2 request=6\n"
                                        "MPI_Wait request=6 status=36/1/9\n"
                                        "MPI_Start request=6\n",
                                        "MPI_Send count=9 datatype=9 dest=0 tag=7 comm=2\n"
                                        "MPI_Send count=9 datatype=9 dest=0 tag=9 comm=2\n"};
    struct trace_program *program = script_program(ranks, 2, NULL);
    (void)state;

    compare(program, true);
    assert_int_equal(trace_program_summary(program)->receives, 2);
    assert_int_equal(trace_program_summary(program)->sends, 2);
    assert_int_equal(repairs_of(program, "cancelled-receive"), 1);
    assert_int_equal(repairs_of(program, "unknown-request"), 1);
    trace_close(program);
    script_clean();
}

/* The number of calls of a function in the footer of a file: 4 bytes, behind the footer's 8. */
static void set_calls(const char *path, unsigned function, uint8_t calls)
{
    static const uint8_t magic[] = {0, 0, 0, 0, 0xf0, 0x07, 0xfe, 0xe7};
    struct bytes bytes = read_file(path);
    size_t at = 0;

    while (at + sizeof magic < bytes.size && memcmp(bytes.data + at, magic, sizeof magic) != 0)
        at++;
    assert_true(at + 8 + 4 * (size_t)function + 4 < bytes.size);
    bytes.data[at + 8 + 4 * (size_t)function + 3] = calls;
    write_file(path, bytes.data, bytes.size);
    free(bytes.data);
}

/* Communicators are looked for as far as footers say that there are any; where these are wrong all is read again. */
static void footers_that_lie(void **state)
{
    static const char *const ranks[] = {"MPI_Comm_split oldcomm=2 color=0 key=1 newcomm=4\n"
                                        "MPI_Send count=2 datatype=9 dest=0 tag=5 comm=4\n"
                                        "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=5\n"
                                        "MPI_Send count=2 datatype=9 dest=1 tag=6 comm=5\n",
                                        "MPI_Comm_split oldcomm=2 color=0 key=0 newcomm=4\n"
                                        "MPI_Recv count=2 datatype=9 source=1 tag=5 comm=4 status=8/1/5\n"
                                        "MPI_Comm_split oldcomm=2 color=0 key=1 newcomm=5\n"
                                        "MPI_Recv count=2 datatype=9 source=0 tag=6 comm=5 status=8/0/6\n"};
    (void)state;

    for (uint8_t calls = 0; calls < 16; calls++) {
        struct base_error error = {.text = ""};
        char prefix[1024], path[1100];
        struct trace_program *program;

        snprintf(prefix, sizeof prefix, "%s", script_write(ranks, 2));
        for (unsigned rank = 0; rank < 2; rank++) {
            snprintf(path, sizeof path, "%s-000%u.bin", prefix, rank);
            set_calls(path, DPT_MPI_Comm_split, rank == 0 ? calls % 4 : calls / 4);
        }
        program = trace_open(prefix, NULL, &error);
        if (program == NULL)
            fail_msg("%s", error.text);
        compare(program, true);
        assert_int_equal(trace_program_communicators(program), 3);
        assert_ops(program, 0, "(allgather 8); send 1 5 8 c2; (allgather 8); send 1 6 8 c1; end");
        trace_close(program);
        script_clean();
    }
}

/* Copies the files of a trace's ranks to this prefix, and changes one bit of one of them, which is mostly records. */
static void copy_damaged(const char *directory, const char *prefix, unsigned damaged,
                         struct base_random *random)
{
    DIR *listing = opendir(directory);
    const struct dirent *entry;
    unsigned file = 0;

    assert_non_null(listing);
    while ((entry = readdir(listing)) != NULL) {
        const char *rank = strstr(entry->d_name, "-000");
        char from[2048], to[2048];
        struct bytes bytes;

        if (rank == NULL || strstr(entry->d_name, ".bin") == NULL)
            continue;
        snprintf(from, sizeof from, "%s/%s", directory, entry->d_name);
        snprintf(to, sizeof to, "%s%s", prefix, rank);
        bytes = read_file(from);
        if (file++ == damaged)
            bytes.data[base_random_below(random, bytes.size)] ^=
                (unsigned char)(1U << base_random_below(random, 8));
        write_file(to, bytes.data, bytes.size);
        free(bytes.data);
    }
    closedir(listing);
}

static void remove_copy(const char *prefix)
{
    for (int rank = 0; rank < 5; rank++) {
        char path[2048];
        snprintf(path, sizeof path, "%s-%04d.bin", prefix, rank);
        unlink(path);
    }
}

static void damaged_traces(void **state)
{
    static const char *const traces[] = {"cover.S.4", "cover.W.4.persist", "dt.S.5.WH"};
    unsigned cases = (unsigned)brief_count("damaged traces", 6000, 4), opened = 0;
    const char *prefix = temporary_path(0, "");
    struct base_random random;
    (void)state;

    base_random_seed(&random, 11, 0);
    for (unsigned i = 0; i < cases; i++) {
        struct base_error error = {.text = ""};
        struct trace_program *program;
        char directory[1024];

        snprintf(directory, sizeof directory, "%s/%s", source_path("tests/data/dumpi"), traces[i % 3]);
        copy_damaged(directory, prefix, (unsigned)base_random_below(&random, 4), &random);
        program = trace_open(prefix, NULL, &error);
        if (program != NULL)
            compare(program, false);
        opened += program != NULL;
        trace_close(program);
        remove_copy(prefix);
    }
    print_message("%u of %u are opened\n", opened, cases);
    assert_true(opened > cases / 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_traces),
        cmocka_unit_test(receives_are_held_up),
        cmocka_unit_test(requests_that_are_not_plain),
        cmocka_unit_test(footers_that_lie),
        cmocka_unit_test(damaged_traces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
