/* The records that are read without libotf2, against libotf2: the same events, to the last bit, from files with
 * fields of every width, attributes, records that are no events, several chunks, and from the recorded traces. */
#include <config.h>

#include <fcntl.h>
#include <glob.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"
#include "traces/otf2-archive/files.h"
#include "traces/otf2-archive/records.h"

#define EVENTS ((size_t)1 << 20) /* more than any of the files has */
#define TURNS 12000              /* several chunks of 256 KiB */

/* A number of any width, or "undefined", or 0. */
static uint64_t any(struct base_random *random)
{
    unsigned bits = (unsigned)base_random_below(random, 66);

    return bits == 65  ? UINT64_MAX
           : bits == 0 ? 0
                       : base_random_next(random) >> (64 - (bits == 64 ? 63 : bits));
}

/* One of each kind, in any order. Regions and communicators stand for themselves here. */
static void write_one(OTF2_EvtWriter *writer, struct base_random *random, uint64_t time)
{
    uint32_t a = (uint32_t)any(random), b = (uint32_t)any(random), c = (uint32_t)any(random);
    uint64_t bytes = any(random), request = any(random);
    OTF2_AttributeList *attributes = NULL;

    if (base_random_below(random, 50) == 0) {
        attributes = OTF2_AttributeList_New();
        OTF2_AttributeList_AddUint64(attributes, 3, bytes);
    }
    switch (base_random_below(random, 22)) {
#define CASE(number, name, ...)                                                                              \
    case number:                                                                                             \
        OTF2_EvtWriter_##name(writer, attributes, time, __VA_ARGS__);                                        \
        break;
        CASE(0, Enter, a)
        CASE(1, Leave, a)
        CASE(2, MpiSend, a, b, c, bytes)
        CASE(3, MpiIsend, a, b, c, bytes, request)
        CASE(4, MpiIsendComplete, request)
        CASE(5, MpiIrecvRequest, request)
        CASE(6, MpiRecv, a, b, c, bytes)
        CASE(7, MpiIrecv, a, b, c, bytes, request)
        CASE(8, MpiRequestTest, request)
        CASE(9, MpiRequestCancelled, request)
        CASE(10, MpiCollectiveEnd, (uint8_t)c, a, b, bytes, request)
        CASE(11, NonBlockingCollectiveRequest, request)
        CASE(12, NonBlockingCollectiveComplete, (uint8_t)c, a, b, bytes, ~bytes, request)
        CASE(13, CommCreate, a)
        CASE(14, BufferFlush, time + 3)
        CASE(15, MeasurementOnOff, OTF2_MEASUREMENT_OFF)
        CASE(16, ThreadBegin, a, bytes)
        CASE(17, ThreadEnd, a, bytes)
        CASE(18, ParameterUnsignedInt, a, bytes)
        CASE(19, ThreadTaskComplete, a, b, c)
        CASE(20, ThreadFork, OTF2_PARADIGM_OPENMP, a)
#undef CASE
    default:
        OTF2_EvtWriter_MpiCollectiveBegin(writer, attributes, time);
    }
    if (attributes != NULL)
        OTF2_AttributeList_Delete(attributes);
}

static void write_random(OTF2_EvtWriter *writer, uint32_t rank, uint32_t turns)
{
    struct base_random random;
    uint64_t time = 77;

    base_random_seed(&random, rank + 1, 0);
    for (uint32_t i = 0; i < turns; i++)
        write_one(writer, &random, time += base_random_below(&random, 3));
}

/* Unused fields are zero in both. */
static struct trace_otf2_batch new_batch(void)
{
    struct trace_otf2_batch batch = {.events = calloc(EVENTS, sizeof *batch.events), .capacity = EVENTS};

    assert_non_null(batch.events);
    return batch;
}

/* All events of one location, as libotf2 has them. */
static uint64_t read_by_library(const char *anchor, uint64_t location, struct trace_otf2_batch *batch)
{
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    OTF2_EvtReaderCallbacks *callbacks = trace_otf2_event_callbacks();
    OTF2_EvtReader *events;
    uint64_t records = 0;

    assert_non_null(reader);
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    assert_int_equal(OTF2_Reader_SelectLocation(reader, location), OTF2_SUCCESS);
    OTF2_Reader_OpenEvtFiles(reader);
    events = OTF2_Reader_GetEvtReader(reader, location);
    assert_non_null(events);
    OTF2_EvtReader_ApplyMappingTables(events, false);
    batch->next = batch->events;
    batch->end = batch->events + batch->capacity;
    OTF2_Reader_RegisterEvtCallbacks(reader, events, callbacks, batch);
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    assert_int_equal(OTF2_Reader_ReadLocalEvents(reader, events, EVENTS, &records), OTF2_SUCCESS);
    assert_in_range(records, 1, EVENTS - 1);
    batch->count = (size_t)(batch->next - batch->events);
    OTF2_Reader_CloseEvtReader(reader, events);
    OTF2_Reader_CloseEvtFiles(reader);
    OTF2_Reader_Close(reader);
    return records;
}

/* The same, `step` records at a time. */
static uint64_t read_directly(const char *path, uint64_t chunk_bytes, size_t step,
                              struct trace_otf2_batch *all)
{
    static unsigned char window[TRACE_OTF2_WINDOW_BYTES + TRACE_OTF2_WINDOW_MARGIN];
    struct trace_otf2_batch batch = *all;
    int file = open(path, O_RDONLY);
    uint64_t records = 1, total = 0;

    assert_true(file >= 0);
    for (all->count = 0; records > 0; total += records) {
        batch.events = all->events + all->count;
        batch.capacity = step;
        assert_true(trace_otf2_records_read(file, chunk_bytes, &batch.place, &batch, window, &records));
        assert_true(batch.count <= records && records <= step);
        all->count += batch.count;
    }
    close(file);
    return total;
}

static uint64_t chunk_bytes_of(const char *anchor)
{
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    uint64_t events = 0, definitions = 0;

    assert_non_null(reader);
    OTF2_Reader_GetChunkSize(reader, &events, &definitions);
    OTF2_Reader_Close(reader);
    return events;
}

/* One file, in steps of several sizes: windows and batches end everywhere. */
static void compare_file(const char *anchor, const char *path)
{
    static const size_t steps[] = {1, 7, 256, 4096};
    struct trace_otf2_batch library = new_batch(), direct = new_batch();
    uint64_t location = strtoull(strrchr(path, '/') + 1, NULL, 10);
    uint64_t records = read_by_library(anchor, location, &library), chunk = chunk_bytes_of(anchor);

    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        memset(direct.events, 0, (library.count + 1) * sizeof *direct.events);
        assert_int_equal(read_directly(path, chunk, steps[i], &direct), records);
        assert_int_equal(direct.count, library.count);
        for (size_t k = 0; k < library.count; k++)
            if (memcmp(&direct.events[k], &library.events[k], sizeof *library.events) != 0)
                fail_msg("%s, steps of %zu: event %zu of kind %u differs", path, steps[i], k,
                         library.events[k].kind);
    }
    free(library.events);
    free(direct.events);
}

/* Every event file below the directory of an anchor, at most `limit`. Their number. */
static size_t compare_archive(const char *anchor, size_t limit)
{
    char pattern[RECORDED_PATH + 16];
    glob_t files;
    size_t count;

    snprintf(pattern, sizeof pattern, "%.*s/*.evt", (int)(strlen(anchor) - strlen(".otf2")), anchor);
    assert_int_equal(glob(pattern, 0, NULL, &files), 0);
    for (count = 0; count < files.gl_pathc && count < limit; count++)
        compare_file(anchor, files.gl_pathv[count]);
    globfree(&files);
    return count;
}

static void fields_of_every_width(void **state)
{
    static const char *const regions[] = {"MPI_Wait", NULL};
    char *directory = archive_directory(), anchor[4096];

    (void)state;
    archive_generate(directory, 2, regions, write_random, TURNS);
    snprintf(anchor, sizeof anchor, "%s/traces.otf2", directory);
    assert_int_equal(compare_archive(anchor, 2), 2);
    archive_remove(directory);
}

static void recorded_files(void **state)
{
    const struct recorded_list *list = recorded_traces();
    size_t compared = 0;

    (void)state;
    for (size_t i = 0; i < list->count; i++) {
        char pattern[RECORDED_PATH + 16];
        glob_t anchors;
        snprintf(pattern, sizeof pattern, "%s/*.otf2", list->paths[i]);
        if (glob(pattern, 0, NULL, &anchors) == 0 && anchors.gl_pathc == 1 &&
            strstr(list->paths[i], ".S.") != NULL)
            compared += compare_archive(anchors.gl_pathv[0], 1);
        globfree(&anchors);
    }
    assert_true(compared > 0);
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

/* Such locations are libotf2's affair, and are left to it. */
static void clocks_that_are_corrected(void **state)
{
    (void)state;
    assert_int_equal(duration_of(0), 1000000000);
    assert_int_equal(duration_of(5000), 1000005000);
}

/* Some record that is left to libotf2, in the middle: what comes before and after it is read all the same. */
static void records_that_are_left(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .events = {"Send 1 0 7 100\nenter MPI_Win_create\nwindow 0\nleave MPI_Win_create\nSend 1 0 8 200\n",
                   "Recv 0 0 7 100\nenter MPI_Win_create\nwindow 0\nleave MPI_Win_create\nRecv 0 0 8 200\n"}};
    struct archive archive = archive_open(&spec);

    (void)state;
    assert_int_equal(trace_program_summary(archive.program)->sends, 2);
    assert_int_equal(trace_program_summary(archive.program)->bytes_received, 300);
    archive_close(&archive);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_of_every_width),
        cmocka_unit_test(recorded_files),
        cmocka_unit_test(clocks_that_are_corrected),
        cmocka_unit_test(records_that_are_left),
    };

    return cmocka_run_group_tests_name("events without libotf2", tests, NULL, NULL);
}
