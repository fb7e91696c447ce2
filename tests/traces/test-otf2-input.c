/* Our reader of events against libotf2's, field by field: of every recorded trace, and of files with all kinds of
 * records, random numbers in them, attributes, clocks that are corrected and identifiers that are translated. */
#include <config.h>

#include "tests/suite.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/traces/archive.h"
#include "tests/traces/otf2-oracle.h"
#include "tests/traces/recorded.h"
#include "traces/otf2-archive.h"

#define MOST_EVENTS 600000
#define RANDOM_EVENTS 40000
#define LOCATION 100 /* of rank 0 in archive_generate */

/* ---- Comparison ---- */

static struct trace_otf2_batch new_batch(size_t capacity)
{
    struct trace_otf2_batch batch = {.capacity = capacity};

    batch.events = malloc(capacity * sizeof *batch.events);
    assert_non_null(batch.events);
    return batch;
}

/* Which fields mean something for which kind is in otf2-events.h; the others are not compared. */
static bool equal(const struct trace_otf2_event *a, const struct trace_otf2_event *b)
{
    bool same = a->position == b->position && a->time == b->time && a->kind == b->kind;

    switch (a->kind) {
    case TRACE_OTF2_SEND:
    case TRACE_OTF2_RECV:
    case TRACE_OTF2_ISEND:
    case TRACE_OTF2_IRECV:
    case TRACE_OTF2_COLLECTIVE_END:
    case TRACE_OTF2_NONBLOCKING_COMPLETE:
        return same && a->peer == b->peer && a->communicator == b->communicator && a->tag == b->tag &&
               a->bytes == b->bytes && a->received == b->received && a->request == b->request;
    case TRACE_OTF2_PUT:
    case TRACE_OTF2_GET:
        return same && a->peer == b->peer && a->communicator == b->communicator && a->bytes == b->bytes &&
               a->request == b->request;
    case TRACE_OTF2_TRANSFERRED:
        return same && a->communicator == b->communicator && a->request == b->request;
    case TRACE_OTF2_COMMUNICATOR_CREATED:
        return same && a->communicator == b->communicator;
    case TRACE_OTF2_FLUSH:
        return same && a->bytes == b->bytes;
    case TRACE_OTF2_ENTER:
    case TRACE_OTF2_LEAVE:
    case TRACE_OTF2_RMA_WINDOW:
    case TRACE_OTF2_FILE:
    case TRACE_OTF2_SKIPPED:
        return same && a->peer == b->peer;
    case TRACE_OTF2_TIME:
        return same;
    default:
        return same && a->request == b->request;
    }
}

static void compare_batch(const char *anchor, const struct trace_otf2_batch *ours,
                          const struct trace_otf2_event *theirs)
{
    for (size_t i = 0; i < ours->count; i++)
        if (!equal(&ours->events[i], &theirs[i]))
            fail_msg("%s: record %" PRIu64 " at %" PRIu64 " of kind %" PRIu32 ", but %" PRIu64 " at %" PRIu64
                     " of kind %" PRIu32 " by libotf2",
                     anchor, ours->events[i].position, ours->events[i].time, ours->events[i].kind,
                     theirs[i].position, theirs[i].time, theirs[i].kind);
}

/* In batches of ours, which are small. Returns the number of records. */
static uint64_t compare(const char *anchor, const struct trace_otf2_archive *archive,
                        const struct trace_otf2_location *location)
{
    struct trace_otf2_batch theirs = new_batch(MOST_EVENTS), ours = new_batch(100);
    uint64_t expected = oracle_read(anchor, location->id, &theirs), total = 0, records = 100;
    struct base_error error = {0};
    struct trace_otf2_input input;
    size_t events = 0;

    assert_int_equal(trace_otf2_archive_input(archive, location, &input, &error), 0);
    while (records == 100) {
        if (trace_otf2_input_read(&input, &ours, &records, &error) != 0)
            fail_msg("%s", error.text);
        assert_true(events + ours.count <= theirs.count);
        compare_batch(anchor, &ours, theirs.events + events);
        events += ours.count;
        total += records;
    }
    assert_int_equal(total, expected);
    assert_int_equal(events, theirs.count);
    trace_otf2_input_free(&input);
    free(ours.events);
    free(theirs.events);
    return total;
}

static uint64_t compare_archive(const char *anchor)
{
    struct base_error error = {0};
    struct trace_otf2_definitions definitions = {0};
    struct trace_otf2_archive *archive = trace_otf2_archive_open(anchor, &definitions, &error);
    uint64_t records = 0;

    if (archive == NULL)
        fail_msg("%s", error.text);
    for (uint32_t i = 0; i < definitions.ranks; i++)
        records += compare(anchor, archive, &definitions.locations[i]);
    for (size_t i = 0; i < definitions.thread_count; i++)
        records += compare(anchor, archive, &definitions.threads[i]);
    trace_otf2_archive_close(archive);
    trace_otf2_definitions_free(&definitions);
    return records;
}

static void recorded_events_are_equal(void **state)
{
    const struct recorded_list *list = recorded_traces();
    uint64_t records = 0;

    (void)state;
    for (size_t i = 0; i < list->count; i++) {
        struct trace_program *program = recorded_open(list->paths[i]);
        records += compare_archive(trace_program_path(program));
        trace_close(program);
    }
    print_message("%" PRIu64 " records\n", records);
    assert_true(records > 1000);
}

/* ---- Random records ---- */

/* Numbers of any length, and the undefined one. */
static uint64_t any(struct base_random *random)
{
    uint64_t length = base_random_below(random, 10);

    return length == 9 ? UINT64_MAX : length == 0 ? 0 : base_random_next(random) >> (64 - 8 * length);
}

static uint32_t any_32(struct base_random *random)
{
    return (uint32_t)any(random);
}

#define N any(random)
#define M any_32(random)

static void write_message_record(OTF2_EvtWriter *w, OTF2_AttributeList *list, uint64_t time,
                                 struct base_random *random, uint64_t kind)
{
    switch (kind) {
    case 0: OTF2_EvtWriter_MpiSend(w, list, time, M, M, M, N); break;
    case 1: OTF2_EvtWriter_MpiIsend(w, list, time, M, M, M, N, N); break;
    case 2: OTF2_EvtWriter_MpiIsendComplete(w, list, time, N); break;
    case 3: OTF2_EvtWriter_MpiIrecvRequest(w, list, time, N); break;
    case 4: OTF2_EvtWriter_MpiRecv(w, list, time, M, M, M, N); break;
    case 5: OTF2_EvtWriter_MpiIrecv(w, list, time, M, M, M, N, N); break;
    case 6: OTF2_EvtWriter_MpiRequestTest(w, list, time, N); break;
    case 7: OTF2_EvtWriter_MpiRequestCancelled(w, list, time, N); break;
    case 8: OTF2_EvtWriter_MpiCollectiveBegin(w, list, time); break;
    case 9: OTF2_EvtWriter_MpiCollectiveEnd(w, list, time, (uint8_t)M, M, M, N, N); break;
    case 10: OTF2_EvtWriter_NonBlockingCollectiveRequest(w, list, time, N); break;
    case 11: OTF2_EvtWriter_NonBlockingCollectiveComplete(w, list, time, (uint8_t)M, M, M, N, N, N); break;
    case 12: OTF2_EvtWriter_CommCreate(w, list, time, M); break;
    case 13: OTF2_EvtWriter_CommDestroy(w, list, time, M); break;
    default: OTF2_EvtWriter_Enter(w, list, time, M);
    }
}

static void write_window_record(OTF2_EvtWriter *w, OTF2_AttributeList *list, uint64_t time,
                                struct base_random *random, uint64_t kind)
{
    switch (kind) {
    case 0: OTF2_EvtWriter_RmaWinCreate(w, list, time, M); break;
    case 1: OTF2_EvtWriter_RmaWinDestroy(w, list, time, M); break;
    case 2: OTF2_EvtWriter_RmaCollectiveBegin(w, list, time); break;
    case 3: OTF2_EvtWriter_RmaCollectiveEnd(w, list, time, (uint8_t)M, M, M, M, N, N); break;
    case 4: OTF2_EvtWriter_RmaGroupSync(w, list, time, M, M, M); break;
    case 5: OTF2_EvtWriter_RmaRequestLock(w, list, time, M, M, N, 1); break;
    case 6: OTF2_EvtWriter_RmaAcquireLock(w, list, time, M, M, N, 1); break;
    case 7: OTF2_EvtWriter_RmaTryLock(w, list, time, M, M, N, 1); break;
    case 8: OTF2_EvtWriter_RmaReleaseLock(w, list, time, M, M, N); break;
    case 9: OTF2_EvtWriter_RmaSync(w, list, time, M, M, 1); break;
    case 10: OTF2_EvtWriter_RmaWaitChange(w, list, time, M); break;
    case 11: OTF2_EvtWriter_RmaPut(w, list, time, M, M, N, N); break;
    case 12: OTF2_EvtWriter_RmaGet(w, list, time, M, M, N, N); break;
    case 13: OTF2_EvtWriter_RmaAtomic(w, list, time, M, M, (uint8_t)M, N, N, N); break;
    case 14: OTF2_EvtWriter_RmaOpCompleteBlocking(w, list, time, M, N); break;
    case 15: OTF2_EvtWriter_RmaOpCompleteNonBlocking(w, list, time, M, N); break;
    case 16: OTF2_EvtWriter_RmaOpTest(w, list, time, M, N); break;
    default: OTF2_EvtWriter_RmaOpCompleteRemote(w, list, time, M, N);
    }
}

static void write_file_record(OTF2_EvtWriter *w, OTF2_AttributeList *list, uint64_t time,
                              struct base_random *random, uint64_t kind)
{
    switch (kind) {
    case 0: OTF2_EvtWriter_IoCreateHandle(w, list, time, M, 1, M, M); break;
    case 1: OTF2_EvtWriter_IoDestroyHandle(w, list, time, M); break;
    case 2: OTF2_EvtWriter_IoDuplicateHandle(w, list, time, M, M, M); break;
    case 3: OTF2_EvtWriter_IoSeek(w, list, time, M, (int64_t)N, 1, N); break;
    case 4: OTF2_EvtWriter_IoChangeStatusFlags(w, list, time, M, M); break;
    case 5: OTF2_EvtWriter_IoDeleteFile(w, list, time, 1, M); break;
    case 6: OTF2_EvtWriter_IoOperationBegin(w, list, time, M, 1, M, N, N); break;
    case 7: OTF2_EvtWriter_IoOperationTest(w, list, time, M, N); break;
    case 8: OTF2_EvtWriter_IoOperationIssued(w, list, time, M, N); break;
    case 9: OTF2_EvtWriter_IoOperationComplete(w, list, time, M, N, N); break;
    case 10: OTF2_EvtWriter_IoOperationCancelled(w, list, time, M, N); break;
    case 11: OTF2_EvtWriter_IoAcquireLock(w, list, time, M, 1); break;
    case 12: OTF2_EvtWriter_IoReleaseLock(w, list, time, M, 1); break;
    default: OTF2_EvtWriter_IoTryLock(w, list, time, M, 1);
    }
}

/* Old traces have records of OpenMP that new ones should not. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

/* Also what is never delivered: it counts. A program's arguments make a record longer than its length byte can
 * say. */
static void write_other_record(OTF2_EvtWriter *w, OTF2_AttributeList *list, uint64_t time,
                               struct base_random *random, uint64_t kind)
{
    static const OTF2_Type types[1] = {OTF2_TYPE_UINT64};
    const OTF2_MetricValue values[1] = {{.unsigned_int = N}};
    uint32_t arguments[100];

    for (size_t i = 0; i < 100; i++)
        arguments[i] = M | 1;
    switch (kind) {
    case 0: OTF2_EvtWriter_BufferFlush(w, list, time, time + base_random_below(random, 5000)); break;
    case 1: OTF2_EvtWriter_MeasurementOnOff(w, list, time, 1); break;
    case 2: OTF2_EvtWriter_OmpFork(w, list, time, M); break;
    case 3: OTF2_EvtWriter_OmpJoin(w, list, time); break;
    case 4: OTF2_EvtWriter_OmpTaskCreate(w, list, time, N); break;
    case 5: OTF2_EvtWriter_OmpTaskSwitch(w, list, time, N); break;
    case 6: OTF2_EvtWriter_OmpTaskComplete(w, list, time, N); break;
    case 7: OTF2_EvtWriter_OmpAcquireLock(w, list, time, M, M); break;
    case 8: OTF2_EvtWriter_Metric(w, list, time, M, 1, types, values); break;
    case 9: OTF2_EvtWriter_ParameterInt(w, list, time, M, (int64_t)N); break;
    case 10: OTF2_EvtWriter_ThreadFork(w, list, time, 1, M); break;
    case 11: OTF2_EvtWriter_ThreadTaskSwitch(w, list, time, M, M, M); break;
    case 12: OTF2_EvtWriter_ThreadBegin(w, list, time, M, N); break;
    case 13: OTF2_EvtWriter_ThreadEnd(w, list, time, M, N); break;
    case 14: OTF2_EvtWriter_CallingContextEnter(w, list, time, M, M); break;
    case 15: OTF2_EvtWriter_ProgramBegin(w, list, time, M, 100, arguments); break;
    case 16: OTF2_EvtWriter_ProgramEnd(w, list, time, (int64_t)N); break;
    default: OTF2_EvtWriter_Leave(w, list, time, M);
    }
}

#pragma GCC diagnostic pop

/* Several chunks of records; times that stand still too. */
static void write_random_events(OTF2_EvtWriter *writer, uint32_t rank, uint32_t size)
{
    static void (*const kinds[])(OTF2_EvtWriter *, OTF2_AttributeList *, uint64_t, struct base_random *,
                                 uint64_t) = {write_message_record, write_window_record, write_file_record,
                                              write_other_record};
    OTF2_AttributeList *list = OTF2_AttributeList_New();
    struct base_random random;
    uint64_t time = 1000;

    base_random_seed(&random, 7, rank);
    for (uint32_t i = 0; i < size; i++) {
        if (base_random_below(&random, 4) == 0)
            OTF2_AttributeList_AddUint64(list, 1, any(&random));
        time += base_random_below(&random, 3) * base_random_below(&random, 10000);
        kinds[base_random_below(&random, 4)](writer, list, time, &random, base_random_below(&random, 20));
        OTF2_AttributeList_RemoveAllAttributes(list);
    }
    OTF2_AttributeList_Delete(list);
}

/* Definitions of a location are made in an archive of their own and copied. */
static void write_tables(OTF2_DefWriter *writer)
{
    static const OTF2_MappingType types[] = {OTF2_MAPPING_REGION, OTF2_MAPPING_COMM, OTF2_MAPPING_RMA_WIN,
                                             OTF2_MAPPING_IO_HANDLE};

    for (uint32_t i = 0; i < 4; i++) {
        OTF2_IdMap *map = OTF2_IdMap_Create(i % 2 == 0 ? OTF2_ID_MAP_DENSE : OTF2_ID_MAP_SPARSE, 256);
        for (uint32_t id = 0; id < 256; id++)
            OTF2_IdMap_AddIdPair(map, id, (id * 7 + i) % 251);
        OTF2_DefWriter_WriteMappingTable(writer, types[i], map);
        OTF2_IdMap_Free(map);
    }
    OTF2_DefWriter_WriteClockOffset(writer, 5000, -700, 0);
    OTF2_DefWriter_WriteClockOffset(writer, 40000000, 123456, 0);
    OTF2_DefWriter_WriteClockOffset(writer, 90000000, 123450, 0);
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static void add_local_definitions(const char *directory)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
    char *other = archive_directory(), from[1200], to[1200];
    OTF2_Archive *archive = OTF2_Archive_Open(other, "traces", OTF2_FILEMODE_WRITE, 262144, 4194304,
                                              OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    OTF2_DefWriter *writer;

    assert_non_null(archive);
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenDefFiles(archive);
    writer = OTF2_Archive_GetDefWriter(archive, LOCATION);
    write_tables(writer);
    OTF2_Archive_CloseDefWriter(archive, writer);
    OTF2_Archive_CloseDefFiles(archive);
    OTF2_Archive_CloseGlobalDefWriter(archive, OTF2_Archive_GetGlobalDefWriter(archive));
    OTF2_Archive_Close(archive);
    snprintf(from, sizeof from, "%.1000s/traces/%d.def", other, LOCATION);
    snprintf(to, sizeof to, "%.1000s/traces/%d.def", directory, LOCATION);
    assert_int_equal(rename(from, to), 0);
    archive_remove(other);
}

/* Once with identifiers and times as they are, once translated. */
static void all_records_are_equal(void **state)
{
    static const char *const regions[] = {"MPI_Send", NULL};
    char *directory = archive_directory(), anchor[1200];

    (void)state;
    archive_generate(directory, 1, regions, write_random_events, RANDOM_EVENTS);
    snprintf(anchor, sizeof anchor, "%.1000s/traces.otf2", directory);
    assert_int_equal(compare_archive(anchor), RANDOM_EVENTS);
    add_local_definitions(directory);
    assert_int_equal(compare_archive(anchor), RANDOM_EVENTS);
    archive_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(recorded_events_are_equal),
        cmocka_unit_test(all_records_are_equal),
    };
    return cmocka_run_group_tests_name("events of OTF2, beside libotf2", tests, NULL, NULL);
}
