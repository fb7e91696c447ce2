/* Measures how many DUMPI records a second are read on one core, and how many become operations.
 *
 *     bench-dumpi [TRACE [TIMES]]
 *
 * Reads all ranks of a trace (a metafile, a prefix or one rank's file) TIMES times (9), as records and as a
 * program, and prints the best and the median of each. Without TRACE it writes one rank's file of two million
 * records of the kinds that NPB programs have most (MPI_Isend, MPI_Irecv, MPI_Wait, MPI_Send), below
 * $TMPDIR. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "traces/dumpitrace/dumpitrace.h"
#include "traces/program.h"

#define MOST_RUNS 100

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static int write_sample(const char *path)
{
    static const unsigned functions[] = {DPT_MPI_Irecv, DPT_MPI_Isend, DPT_MPI_Send,
                                         DPT_MPI_Wait,  DPT_MPI_Wait,  DPT_MPI_Send};
    static const int requests[] = {2, 3, 0, 2, 3, 0};
    static const struct dpt_receive_status status = {4096, 0, 0, 0, 0};
    struct dpt_file_info info = {0};
    struct dpt_writer *writer = dpt_writer_open(path, &info, NULL);
    struct dpt_record record;

    for (int64_t i = 0; writer != NULL && i < 2000000; i++) {
        dpt_record_init(&record, functions[i % 6]);
        dpt_set_number(&record, DPT_COUNT, 512);
        dpt_set_number(&record, DPT_DATATYPE, 14);
        dpt_set_number(&record, DPT_COMM, DPT_COMM_WORLD);
        dpt_set_number(&record, DPT_REQUEST, requests[i % 6]);
        dpt_set_statuses(&record, DPT_STATUS, &status, 1);
        record.cpu = record.wall = (struct dpt_interval){i * 3000, i * 3000 + 900, 0, 0};
        dpt_write(writer, &record);
    }
    return writer == NULL ? -1 : dpt_writer_close(writer, &info, NULL);
}

/* All records of all ranks, without what they mean. */
static int64_t read_all(const char *path)
{
    struct dpt_error error;
    struct dpt_trace *trace = dpt_open(path, &error);
    const struct dpt_record *record;
    int64_t records = 0;
    int more = -1;

    for (int32_t rank = 0; trace != NULL && rank < dpt_rank_count(trace); rank++) {
        struct dpt_stream *stream = dpt_open_rank(trace, rank, &error);

        while (stream != NULL && (more = dpt_next(stream, &record)) == 1)
            records++;
        if (stream == NULL || more < 0) {
            fprintf(stderr, "%s\n", stream == NULL ? error.text : dpt_geterr(stream));
            exit(1);
        }
        dpt_close_rank(stream);
    }
    if (trace == NULL) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    dpt_close(trace);
    return records;
}

/* The operations of all ranks, one rank after the other. */
static int64_t stream_all(struct trace_program *program)
{
    struct base_error error = {0};
    struct trace_op op;
    int64_t operations = 0;

    for (uint32_t rank = 0; rank < trace_program_ranks(program); rank++) {
        struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
        int more = cursor == NULL ? -1 : 1;

        while (more == 1 && (more = trace_cursor_next(cursor, &op, &error)) == 1)
            operations++;
        if (more < 0) {
            fprintf(stderr, "%s\n", error.text);
            exit(1);
        }
        trace_cursor_free(cursor);
    }
    return operations;
}

static int compare_seconds(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* Sorts the times, and prints the rates of the best and of the middle one. */
static void print_rate(const char *what, int64_t count, double *times, int runs)
{
    qsort(times, (size_t)runs, sizeof *times, compare_seconds);
    printf("%s %.1f million records a second (median %.1f)\n", what, (double)count / times[0] * 1e-6,
           (double)count / times[runs / 2] * 1e-6);
}

static struct trace_program *open_program(const char *path)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);

    if (program == NULL) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return program;
}

/* Everything once without the clock, so that the files are in memory. */
static void measure(const char *path, int runs)
{
    double reading[MOST_RUNS], opening[MOST_RUNS], streaming[MOST_RUNS];
    int64_t records = read_all(path), operations = 0;

    for (int i = 0; i < runs; i++) {
        double begin = seconds();
        double opened;
        struct trace_program *program;

        read_all(path);
        reading[i] = seconds() - begin;
        begin = seconds();
        program = open_program(path);
        opened = seconds();
        operations = stream_all(program);
        streaming[i] = seconds() - opened;
        opening[i] = opened - begin;
        trace_close(program);
    }
    printf("dumpi: %" PRId64 " records, %" PRId64 " operations\n", records, operations);
    print_rate("  read as records    ", records, reading, runs);
    print_rate("  read as a program  ", records, streaming, runs);
    print_rate("  opened as a program", records, opening, runs);
}

int main(int count, char **arguments)
{
    char sample[4096];
    const char *path = count > 1 ? arguments[1] : sample, *directory = getenv("TMPDIR");
    int runs = count > 2 ? atoi(arguments[2]) : 9;

    snprintf(sample, sizeof sample, "%s/bench-dumpi-%ld.bin", directory != NULL ? directory : "/tmp",
             (long)getpid());
    if (count < 2 && write_sample(sample) != 0)
        return 1;
    measure(path, runs < 1 ? 1 : runs > MOST_RUNS ? MOST_RUNS : runs);
    if (count < 2)
        unlink(sample);
    return 0;
}
