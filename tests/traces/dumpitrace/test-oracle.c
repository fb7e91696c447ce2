/* The original libundumpi as an oracle, where configure found it (--with-libdumpi): both libraries read every
 * recorded trace, and must agree record by record in their times, in the arguments of the calls that most
 * traces are made of, and in what the footer counts. */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <dumpi/libundumpi/libundumpi.h>

#include "tests/traces/dumpitrace/dumpi-files.h"

/* Both readers are read in step: each call back of the oracle takes the next record of ours. */
struct comparison {
    struct dpt_stream *stream;
    const char *path;
    int64_t records;
    int64_t wall_base_ns, cpu_base_ns; /* ours minus theirs: the bases of the clocks are kept differently */
};

static int64_t nanoseconds(dumpi_clock clock)
{
    return (int64_t)clock.sec * INT64_C(1000000000) + clock.nsec;
}

/* The distance of the two readers' times must be the same for all records. */
static void compare_clock(const struct comparison *comparison, const char *clock, int64_t base_ns,
                          const struct dpt_interval *ours, const dumpi_time *theirs)
{
    if (ours->start_ns - nanoseconds(theirs->start) == base_ns &&
        ours->stop_ns - nanoseconds(theirs->stop) == base_ns)
        return;
    fail_msg("%s, record %" PRId64 ": %s time %" PRId64 " to %" PRId64 ", the oracle has %" PRId64
             " to %" PRId64,
             comparison->path, comparison->records, clock, ours->start_ns, ours->stop_ns,
             nanoseconds(theirs->start), nanoseconds(theirs->stop));
}

static const struct dpt_record *next_of_ours(struct comparison *comparison, const dumpi_time *cpu,
                                             const dumpi_time *wall)
{
    const struct dpt_record *record;

    if (dpt_next(comparison->stream, &record) != 1)
        fail_msg("%s: the oracle has a record %" PRId64 ", we have none: %s", comparison->path,
                 comparison->records, dpt_geterr(comparison->stream));
    if (comparison->records == 0) {
        comparison->wall_base_ns = record->wall.start_ns - nanoseconds(wall->start);
        comparison->cpu_base_ns = record->cpu.start_ns - nanoseconds(cpu->start);
    }
    if (record->mask & DPT_MASK_WALL)
        compare_clock(comparison, "wall", comparison->wall_base_ns, &record->wall, wall);
    if (record->mask & DPT_MASK_CPU)
        compare_clock(comparison, "CPU", comparison->cpu_base_ns, &record->cpu, cpu);
    comparison->records++;
    return record;
}

static void expect(const struct comparison *comparison, const struct dpt_record *record, const char *function,
                   const enum dpt_name *names, const int64_t *values, size_t count)
{
    assert_string_equal(record->layout->name, function);
    for (size_t i = 0; i < count; i++)
        if (dpt_number(record, names[i], INT64_MIN) != values[i])
            fail_msg("%s, record %" PRId64 ", %s: %s is %" PRId64 ", the oracle has %" PRId64,
                     comparison->path, record->index, function, dpt_field_name(names[i]),
                     dpt_number(record, names[i], INT64_MIN), values[i]);
}

#define EXPECT(function, names, values)                                                                      \
    expect(user, next_of_ours(user, cpu, wall), function, names, values, sizeof(values) / sizeof *(values))

#define CALLBACK(name, type)                                                                                 \
    static int name(const type *call, uint16_t thread, const dumpi_time *cpu, const dumpi_time *wall,        \
                    const dumpi_perfinfo *counters, void *user)

/* Every other function: only the times. */
CALLBACK(on_any, void)
{
    (void)call, (void)thread, (void)counters;
    next_of_ours(user, cpu, wall);
    return 1;
}

CALLBACK(on_send, dumpi_send)
{
    static const enum dpt_name names[] = {DPT_COUNT, DPT_DATATYPE, DPT_DEST, DPT_TAG, DPT_COMM};
    const int64_t values[] = {call->count, call->datatype, call->dest, call->tag, call->comm};

    (void)thread, (void)counters;
    EXPECT("MPI_Send", names, values);
    return 1;
}

CALLBACK(on_recv, dumpi_recv)
{
    static const enum dpt_name names[] = {DPT_COUNT, DPT_DATATYPE, DPT_SOURCE, DPT_TAG, DPT_COMM};
    const int64_t values[] = {call->count, call->datatype, call->source, call->tag, call->comm};

    (void)thread, (void)counters;
    EXPECT("MPI_Recv", names, values);
    return 1;
}

CALLBACK(on_isend, dumpi_isend)
{
    static const enum dpt_name names[] = {DPT_COUNT, DPT_DATATYPE, DPT_DEST, DPT_TAG, DPT_COMM, DPT_REQUEST};
    const int64_t values[] = {call->count, call->datatype, call->dest, call->tag, call->comm, call->request};

    (void)thread, (void)counters;
    EXPECT("MPI_Isend", names, values);
    return 1;
}

CALLBACK(on_irecv, dumpi_irecv)
{
    static const enum dpt_name names[] = {DPT_COUNT, DPT_DATATYPE, DPT_SOURCE,
                                          DPT_TAG,   DPT_COMM,     DPT_REQUEST};
    const int64_t values[] = {call->count, call->datatype, call->source,
                              call->tag,   call->comm,     call->request};

    (void)thread, (void)counters;
    EXPECT("MPI_Irecv", names, values);
    return 1;
}

CALLBACK(on_wait, dumpi_wait)
{
    static const enum dpt_name names[] = {DPT_REQUEST};
    const int64_t values[] = {call->request};

    (void)thread, (void)counters;
    EXPECT("MPI_Wait", names, values);
    return 1;
}

CALLBACK(on_sendrecv, dumpi_sendrecv)
{
    static const enum dpt_name names[] = {DPT_SENDCOUNT, DPT_DEST,    DPT_SENDTAG, DPT_RECVCOUNT,
                                          DPT_SOURCE,    DPT_RECVTAG, DPT_COMM};
    const int64_t values[] = {call->sendcount, call->dest,    call->sendtag, call->recvcount,
                              call->source,    call->recvtag, call->comm};

    (void)thread, (void)counters;
    EXPECT("MPI_Sendrecv", names, values);
    return 1;
}

/* ---- Files ---- */

static void compare_calls(struct comparison *comparison, dumpi_profile *profile)
{
    libundumpi_callbacks callbacks;

    libundumpi_set_callbacks(&callbacks, on_any);
    callbacks.on_send = on_send;
    callbacks.on_recv = on_recv;
    callbacks.on_isend = on_isend;
    callbacks.on_irecv = on_irecv;
    callbacks.on_wait = on_wait;
    callbacks.on_sendrecv = on_sendrecv;
    assert_int_equal(undumpi_read_stream(profile, &callbacks, comparison), 1);
}

static void compare_footers(const struct comparison *comparison, dumpi_profile *profile)
{
    const struct dpt_file_info *info = dpt_info(comparison->stream);
    dumpi_footer *footer = undumpi_read_footer(profile);

    assert_non_null(footer);
    for (uint32_t i = 0; i < info->function_count && i < DUMPI_ALL_FUNCTIONS; i++) {
        assert_int_equal(info->calls[i], footer->call_count[i]);
        assert_int_equal(info->ignored[i], footer->ignored_count[i]);
    }
    dumpi_free_footer(footer);
}

static void compare_file(const char *path)
{
    struct dpt_error error = {0};
    struct comparison comparison = {.stream = dpt_open_file(path, &error), .path = path};
    dumpi_profile *profile = undumpi_open(path);
    dumpi_header *header = profile == NULL ? NULL : undumpi_read_header(profile);
    const struct dpt_record *record;

    if (comparison.stream == NULL || header == NULL)
        fail_msg("%s: %s", path, comparison.stream == NULL ? error.text : "the oracle cannot read it");
    dumpi_free_header(header);
    compare_calls(&comparison, profile);
    assert_int_equal(dpt_next(comparison.stream, &record), 0);
    assert_true(comparison.records > 0);
    compare_footers(&comparison, profile);
    undumpi_close(profile);
    dpt_close_rank(comparison.stream);
}

/* All ranks' files of one trace; returns their number. */
static unsigned compare_directory(const char *directory)
{
    DIR *entries = opendir(directory);
    char path[8192];
    unsigned files = 0;

    if (entries == NULL)
        return 0;
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 4, ".bin") != 0)
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        compare_file(path);
        files++;
    }
    closedir(entries);
    return files;
}

static void both_libraries_read_alike(void **state)
{
    const char *directory = traces_directory();
    DIR *entries = opendir(directory);
    char path[4096];
    unsigned files = 0;

    (void)state;
    assert_non_null(entries);
    for (struct dirent *entry = readdir(entries); entry != NULL; entry = readdir(entries)) {
        if (*entry->d_name == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", directory, entry->d_name);
        files += compare_directory(path);
    }
    closedir(entries);
    assert_true(files > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(both_libraries_read_alike)};

    return cmocka_run_group_tests_name("DUMPI against libundumpi", tests, NULL, NULL);
}
