/* Events that we read ourselves (traces/otf2-archive/plain.c) against the same files read by libotf2 with the same
 * callbacks: recorded traces, archives of several chunks, numbers of every length, and damaged files. Where ours reads
 * a file to its end libotf2 does so too, and every event is the same. */
#include <config.h>

#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"
#include "traces/otf2-archive/archive.h"
#include "traces/otf2-archive/plain.h"

#define BATCH 100

struct events {
    struct trace_otf2_event *list;
    size_t count, capacity;
    uint64_t records;
};

/* Room for another batch. */
static struct trace_otf2_batch room(struct events *events)
{
    if (events->count + BATCH > events->capacity) {
        events->capacity = 2 * events->capacity + BATCH;
        events->list = realloc(events->list, events->capacity * sizeof *events->list);
        assert_non_null(events->list);
    }
    return (struct trace_otf2_batch){.events = events->list + events->count, .capacity = BATCH};
}

/* All behind the first `position` records; false: not to the end. */
static bool read_plain(const char *path, uint64_t chunk_bytes, uint64_t position, struct events *events)
{
    struct trace_otf2_plain *plain;
    uint64_t records = BATCH;
    bool reads;

    assert_int_equal(trace_otf2_plain_open(path, chunk_bytes, position, &plain), 0);
    reads = plain != NULL;
    events->count = 0;
    events->records = position;
    while (reads && records == BATCH) {
        struct trace_otf2_batch batch = room(events);
        reads = trace_otf2_plain_read(plain, &batch, &records);
        events->count += batch.count;
        events->records += records;
    }
    trace_otf2_plain_close(plain);
    return reads;
}

/* libotf2 as a peer: a reader of one archive whose locations have no definitions of their own. */
struct library {
    OTF2_Reader *reader;
    OTF2_EvtReaderCallbacks *callbacks;
    uint64_t chunk_bytes;
};

static struct library open_library(const char *anchor, const struct trace_otf2_definitions *definitions)
{
    struct library library = {.reader = OTF2_Reader_Open(anchor), .callbacks = trace_otf2_event_callbacks()};
    uint64_t ignored;

    assert_non_null(library.reader);
    assert_int_equal(OTF2_Reader_GetChunkSize(library.reader, &library.chunk_bytes, &ignored), 0);
    assert_int_equal(OTF2_Reader_SetSerialCollectiveCallbacks(library.reader), 0);
    for (uint32_t rank = 0; rank < definitions->ranks; rank++)
        OTF2_Reader_SelectLocation(library.reader, definitions->locations[rank].id);
    assert_int_equal(OTF2_Reader_OpenEvtFiles(library.reader), 0);
    return library;
}

static void close_library(struct library *library)
{
    OTF2_Reader_CloseEvtFiles(library->reader);
    OTF2_Reader_Close(library->reader);
    OTF2_EvtReaderCallbacks_Delete(library->callbacks);
}

static bool read_by_library(const struct library *library, uint64_t location, struct events *events)
{
    OTF2_EvtReader *reader = OTF2_Reader_GetEvtReader(library->reader, location);
    uint64_t records = BATCH;
    OTF2_ErrorCode code = OTF2_SUCCESS;

    assert_non_null(reader);
    OTF2_EvtReader_ApplyClockOffsets(reader, false);
    events->count = 0;
    events->records = 0;
    while (code == OTF2_SUCCESS && records == BATCH) {
        struct trace_otf2_batch batch = room(events);
        batch.next = batch.events;
        batch.end = batch.events + BATCH;
        OTF2_Reader_RegisterEvtCallbacks(library->reader, reader, library->callbacks, &batch);
        code = OTF2_Reader_ReadLocalEvents(library->reader, reader, BATCH, &records);
        events->count += (size_t)(batch.next - batch.events);
        events->records += records;
    }
    OTF2_Reader_CloseEvtReader(library->reader, reader);
    return code == OTF2_SUCCESS;
}

/* What a kind does not have is not set. */
static bool are_same(const struct trace_otf2_event *a, const struct trace_otf2_event *b)
{
    if (a->position != b->position || a->time != b->time || a->kind != b->kind)
        return false;
    switch (a->kind) {
    case TRACE_OTF2_ENTER:
    case TRACE_OTF2_LEAVE:
        return a->peer == b->peer;
    case TRACE_OTF2_ISEND_COMPLETE:
    case TRACE_OTF2_IRECV_REQUEST:
    case TRACE_OTF2_REQUEST_TEST:
    case TRACE_OTF2_REQUEST_CANCELLED:
        return a->request == b->request;
    case TRACE_OTF2_SEND:
    case TRACE_OTF2_ISEND:
    case TRACE_OTF2_RECV:
    case TRACE_OTF2_IRECV:
        return a->peer == b->peer && a->communicator == b->communicator && a->tag == b->tag &&
               a->bytes == b->bytes && a->request == b->request;
    default:
        return memcmp(a, b, sizeof *a) == 0;
    }
}

/* Ours begin at one of the library's. */
static void compare(const struct events *ours, const struct events *library, const char *path)
{
    size_t first = 0;

    assert_int_equal(ours->records, library->records);
    assert_true(ours->count <= library->count);
    first = library->count - ours->count;
    for (size_t i = 0; i < ours->count; i++)
        if (!are_same(&ours->list[i], &library->list[first + i]))
            fail_msg("%s: record %" PRIu64 " (%" PRIu64 ") of kind %u (%u) at %" PRIu64 " (%" PRIu64 ")",
                     path, ours->list[i].position, library->list[first + i].position, ours->list[i].kind,
                     library->list[first + i].kind, ours->list[i].time, library->list[first + i].time);
}

/* The archive in a directory, with its definitions. */
struct opened {
    char anchor[RECORDED_PATH];
    struct trace_otf2_definitions definitions;
    struct library library;
    struct events ours, library_events;
};

static void open_archive(struct opened *opened, const char *directory)
{
    struct base_error error = {0};
    struct trace_otf2_archive *archive;

    *opened = (struct opened){.anchor = ""};
    snprintf(opened->anchor, sizeof opened->anchor, "%s/traces.otf2", directory);
    if (access(opened->anchor, F_OK) != 0)
        snprintf(opened->anchor, sizeof opened->anchor, "%s/eztrace_log.otf2", directory);
    archive = trace_otf2_archive_open(opened->anchor, &opened->definitions, &error);
    if (archive == NULL)
        fail_msg("%s", error.text);
    trace_otf2_archive_close(archive);
    opened->library = open_library(opened->anchor, &opened->definitions);
}

static void close_archive(struct opened *opened)
{
    close_library(&opened->library);
    trace_otf2_definitions_free(&opened->definitions);
    free(opened->ours.list);
    free(opened->library_events.list);
}

/* The file of a rank; its location. */
static uint64_t locate(const struct opened *opened, uint32_t rank, char *path)
{
    uint64_t location = opened->definitions.locations[rank].id;
    int stem = (int)strlen(opened->anchor) - (int)strlen(".otf2");

    snprintf(path, RECORDED_PATH, "%.*s/%" PRIu64 ".evt", stem, opened->anchor, location);
    return location;
}

/* Whole files, and from some records on. */
static void compare_all(struct opened *opened)
{
    struct base_random random;
    char path[RECORDED_PATH];

    base_random_seed(&random, 1, 0);
    for (uint32_t rank = 0; rank < opened->definitions.ranks; rank++) {
        uint64_t location = locate(opened, rank, path);
        assert_true(read_by_library(&opened->library, location, &opened->library_events));
        if (!read_plain(path, opened->library.chunk_bytes, 0, &opened->ours))
            fail_msg("%s is not plain", path);
        assert_int_equal(opened->ours.count, opened->library_events.count);
        compare(&opened->ours, &opened->library_events, path);
        for (int i = 0; i < 5; i++) {
            uint64_t position = base_random_below(&random, opened->library_events.records);
            assert_true(read_plain(path, opened->library.chunk_bytes, position, &opened->ours));
            compare(&opened->ours, &opened->library_events, path);
        }
    }
}

static void recorded_traces_are_plain(void **state)
{
    static const char *const traces[] = {"otf2-scorep-layout/mg.S.4", "otf2-scorep-layout/cg.S.4",
                                         "otf2-scorep-layout/is.S.4", "otf2-eztrace/mg.S.4",
                                         "otf2-cpuclock/cg.A.16"};
    unsigned compared = 0;
    (void)state;

    for (size_t i = 0; i < sizeof traces / sizeof *traces; i++) {
        const char *directory = recorded_find(traces[i]);
        struct opened opened;
        if (directory == NULL)
            continue;
        open_archive(&opened, directory);
        compare_all(&opened);
        close_archive(&opened);
        compared++;
    }
    if (compared == 0)
        suite_skip("no recorded trace is here");
}

static const char *const regions[] = {"MPI_Send", "work", NULL};

/* A number of any length, or none. */
static uint64_t any(struct base_random *random)
{
    uint64_t bits = base_random_below(random, 66);

    return bits == 65  ? UINT64_MAX
           : bits == 0 ? 0
                       : base_random_next(random) >> (64 - (bits > 64 ? 64 : bits));
}

static void write_one(OTF2_EvtWriter *writer, struct base_random *random, uint64_t time)
{
    uint32_t peer = (uint32_t)any(random), communicator = (uint32_t)any(random), tag = (uint32_t)any(random);
    uint64_t bytes = any(random), request = any(random), received = any(random);
    OTF2_StringRef arguments[] = {peer, tag, communicator};
    OTF2_CollectiveOp operation = (OTF2_CollectiveOp)base_random_below(random, 23);

    switch (base_random_below(random, 20)) {
    case 0:
        OTF2_EvtWriter_MpiSend(writer, NULL, time, peer, communicator, tag, bytes);
        break;
    case 1:
        OTF2_EvtWriter_MpiIsend(writer, NULL, time, peer, communicator, tag, bytes, request);
        break;
    case 2:
        OTF2_EvtWriter_MpiIsendComplete(writer, NULL, time, request);
        break;
    case 3:
        OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time, request);
        break;
    case 4:
        OTF2_EvtWriter_MpiRecv(writer, NULL, time, peer, communicator, tag, bytes);
        break;
    case 5:
        OTF2_EvtWriter_MpiIrecv(writer, NULL, time, peer, communicator, tag, bytes, request);
        break;
    case 6:
        OTF2_EvtWriter_MpiRequestTest(writer, NULL, time, request);
        break;
    case 7:
        OTF2_EvtWriter_MpiRequestCancelled(writer, NULL, time, request);
        break;
    case 8:
        OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, time);
        break;
    case 9:
        OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time, operation, communicator, peer, bytes, received);
        break;
    case 10:
        OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, NULL, time, request);
        break;
    case 11:
        OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, NULL, time, operation, communicator, peer, bytes,
                                                     received, request);
        break;
    case 12:
        OTF2_EvtWriter_CommCreate(writer, NULL, time, communicator);
        break;
    case 13:
        OTF2_EvtWriter_ThreadBegin(writer, NULL, time, communicator, bytes);
        break;
    case 14:
        OTF2_EvtWriter_ThreadEnd(writer, NULL, time, communicator, bytes);
        break;
    case 15:
        OTF2_EvtWriter_ProgramBegin(writer, NULL, time, peer, tag % 4, arguments);
        break;
    case 16:
        OTF2_EvtWriter_ProgramEnd(writer, NULL, time, (int64_t)bytes);
        break;
    default:
        OTF2_EvtWriter_Enter(writer, NULL, time, peer);
        break;
    }
}

/* Times that stay, and times that go on. */
static void write_any(OTF2_EvtWriter *writer, uint32_t rank, uint32_t size)
{
    struct base_random random;
    uint64_t time = 5;

    base_random_seed(&random, 7, rank);
    for (uint32_t i = 0; i < size; i++) {
        time += base_random_below(&random, 3) == 0 ? 0 : base_random_below(&random, 100000);
        write_one(writer, &random, time);
    }
}

/* Four chunks a rank, of records of all kinds. */
static void all_numbers_and_chunks(void **state)
{
    char *directory = archive_directory();
    struct opened opened;
    struct stat status;
    char path[RECORDED_PATH];
    (void)state;

    archive_generate(directory, 2, regions, write_any, 50000);
    open_archive(&opened, directory);
    locate(&opened, 0, path);
    assert_int_equal(stat(path, &status), 0);
    assert_true((uint64_t)status.st_size > 3 * opened.library.chunk_bytes);
    compare_all(&opened);
    close_archive(&opened);
    archive_remove(directory);
}

static void write_attributes(OTF2_EvtWriter *writer, uint32_t rank, uint32_t size)
{
    OTF2_AttributeList *attributes = OTF2_AttributeList_New();
    (void)rank;

    write_any(writer, 0, 40);
    OTF2_AttributeList_AddUint32(attributes, 0, 7);
    if (size == 0)
        OTF2_EvtWriter_Enter(writer, attributes, 9000000, 1);
    else
        OTF2_EvtWriter_Metric(writer, NULL, 9000000, 0, 0, NULL, NULL);
    OTF2_AttributeList_Delete(attributes);
}

/* Attributes, and records of other kinds: the batch that has them is not ours, nor is what is behind it. */
static void others_are_left_to_the_library(void **state)
{
    (void)state;

    for (uint32_t what = 0; what < 2; what++) {
        char *directory = archive_directory();
        struct opened opened;
        char path[RECORDED_PATH];
        archive_generate(directory, 1, regions, write_attributes, what);
        open_archive(&opened, directory);
        locate(&opened, 0, path);
        assert_false(read_plain(path, opened.library.chunk_bytes, 0, &opened.ours));
        assert_int_equal(opened.ours.count, 0);
        close_archive(&opened);
        archive_remove(directory);
    }
}

/* One byte anywhere is another, or the file ends there. libotf2 is asked only where ours has found nothing wrong. */
static bool damage(struct opened *opened, const char *path, const unsigned char *bytes, size_t size,
                   struct base_random *random)
{
    size_t at = (size_t)base_random_below(random, size);
    bool cuts = base_random_below(random, 4) == 0;
    FILE *file = fopen(path, "wb");
    unsigned char other = (unsigned char)(bytes[at] ^ (1 + base_random_below(random, 255)));

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, at, file), at);
    if (!cuts) {
        fputc(other, file);
        assert_int_equal(fwrite(bytes + at + 1, 1, size - at - 1, file), size - at - 1);
    }
    assert_int_equal(fclose(file), 0);
    if (!read_plain(path, opened->library.chunk_bytes, 0, &opened->ours))
        return false;
    if (!read_by_library(&opened->library, opened->definitions.locations[0].id, &opened->library_events))
        fail_msg("libotf2 refuses what was read, byte %zu of %zu", at, size);
    assert_int_equal(opened->ours.count, opened->library_events.count);
    compare(&opened->ours, &opened->library_events, path);
    return true;
}

static void damaged_files(void **state)
{
    char *directory = archive_directory();
    struct opened opened;
    struct base_random random;
    static unsigned char bytes[1 << 16];
    char path[RECORDED_PATH];
    size_t size;
    unsigned read = 0, cases = (unsigned)brief_count("damaged files", 4000, 4);
    FILE *file;
    (void)state;

    archive_generate(directory, 1, regions, write_any, 300);
    open_archive(&opened, directory);
    locate(&opened, 0, path);
    file = fopen(path, "rb");
    assert_non_null(file);
    size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    assert_true(size > 1000 && size < sizeof bytes);
    base_random_seed(&random, 2, 0);
    for (unsigned i = 0; i < cases; i++)
        read += damage(&opened, path, bytes, size, &random);
    print_message("%u of %u are read\n", read, cases);
    assert_true(read > cases / 20 && read < cases);
    close_archive(&opened);
    archive_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_traces_are_plain),
        cmocka_unit_test(all_numbers_and_chunks),
        cmocka_unit_test(others_are_left_to_the_library),
        cmocka_unit_test(damaged_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
