/* Measures how many DUMPI records a second are read on one core, and how many become operations.
 *
 *     bench-dumpi [FILE [TIMES]]
 *
 * Reads one rank's file TIMES times (20). Without FILE it writes one of two million records of the kinds that
 * NPB programs have most (MPI_Isend, MPI_Irecv, MPI_Wait, MPI_Send), below $TMPDIR, and also streams it as a
 * program. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "traces/dumpitrace.h"
#include "traces/program.h"

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

static int64_t read_all(const char *path)
{
    struct dpt_error error;
    struct dpt_stream *stream = dpt_open_file(path, &error);
    const struct dpt_record *record;
    int64_t records = 0;
    int more = -1;

    if (stream == NULL) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    while ((more = dpt_next(stream, &record)) == 1)
        records++;
    if (more < 0) {
        fprintf(stderr, "%s\n", dpt_geterr(stream));
        exit(1);
    }
    dpt_close_rank(stream);
    return records;
}

/* Opens the file as a program of one rank, which reads it twice, and streams its operations once. */
static void bench_program(const char *path, int64_t records)
{
    struct base_error error = {0};
    double begin = seconds(), middle;
    struct trace_program *program = trace_open(path, NULL, &error);
    struct trace_cursor *cursor = program == NULL ? NULL : trace_cursor_new(program, 0, &error);
    struct trace_op op;
    int64_t operations = 0;

    middle = seconds();
    while (cursor != NULL && trace_cursor_next(cursor, &op, &error) == 1)
        operations++;
    if (operations == 0)
        fprintf(stderr, "%s\n", error.text);
    printf("dumpi as a program: %.1f million records a second, %.1f million operations a second; opening at "
           "%.1f million records a second\n",
           (double)records / (seconds() - middle) * 1e-6, (double)operations / (seconds() - middle) * 1e-6,
           (double)records / (middle - begin) * 1e-6);
    trace_cursor_free(cursor);
    trace_close(program);
}

int main(int count, char **arguments)
{
    char sample[4096];
    const char *path = count > 1 ? arguments[1] : sample, *directory = getenv("TMPDIR");
    int times = count > 2 ? atoi(arguments[2]) : 20;
    int64_t records = 0;
    double begin;

    snprintf(sample, sizeof sample, "%s/bench-dumpi-%ld.bin", directory != NULL ? directory : "/tmp",
             (long)getpid());
    if (count < 2 && write_sample(sample) != 0)
        return 1;
    records = read_all(path); /* warms the cache of the disk */
    begin = seconds();
    for (int i = 0; i < times; i++)
        records += read_all(path);
    records -= records / (times + 1);
    printf("dumpi: %" PRId64 " records, %.1f million records a second\n", records,
           (double)records / (seconds() - begin) * 1e-6);
    if (count < 2) {
        bench_program(sample, records / times);
        unlink(sample);
    }
    return 0;
}
