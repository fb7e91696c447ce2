/* Measures the OTF2 reader against libotf2 itself, on one core.
 *
 *     bench-otf2 [ANCHOR [TIMES]]
 *
 * Reads an archive TIMES times (3) in three ways: with libotf2 and callbacks that do nothing, by the survey
 * that opens a program, and by its cursors. Without ANCHOR it writes one of 8 ranks and 4 million events
 * below $TMPDIR: messages to a neighbour and back, non-blocking and blocking, an allreduce now and then. */
#define _POSIX_C_SOURCE 200809L
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "traces/program.h"

#define RANKS 8
#define TURNS 35000

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp post_flush(void *user, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)user, (void)type, (void)location;
    return 0;
}

static const char *const names[] = {"",         "MPI_Irecv", "MPI_Isend",     "MPI_Send",
                                    "MPI_Recv", "MPI_Wait",  "MPI_Allreduce", "work"};

/* One turn is 14 events of calls, and 4 messages. */
static void write_rank(OTF2_EvtWriter *writer, uint32_t rank)
{
    uint32_t next = (rank + 1) % RANKS, last = (rank + RANKS - 1) % RANKS;
    uint64_t time = 1000;

    for (uint64_t i = 0; i < TURNS; i++) {
        OTF2_EvtWriter_Enter(writer, NULL, time += 50, 1);
        OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time += 50, 2 * i);
        OTF2_EvtWriter_Leave(writer, NULL, time += 50, 1);
        OTF2_EvtWriter_Enter(writer, NULL, time += 900, 3);
        OTF2_EvtWriter_MpiSend(writer, NULL, time += 50, next, 0, 7, 4096);
        OTF2_EvtWriter_Leave(writer, NULL, time += 50, 3);
        OTF2_EvtWriter_Enter(writer, NULL, time += 900, 5);
        OTF2_EvtWriter_MpiIrecv(writer, NULL, time += 50, last, 0, 7, 4096, 2 * i);
        OTF2_EvtWriter_Leave(writer, NULL, time += 50, 5);
        OTF2_EvtWriter_Enter(writer, NULL, time += 900, 7);
        OTF2_EvtWriter_Leave(writer, NULL, time += 50, 7);
        if (i % 20 != 0)
            continue;
        OTF2_EvtWriter_Enter(writer, NULL, time += 900, 6);
        OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time += 50, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                        OTF2_UNDEFINED_UINT32, 8 * RANKS, 8 * RANKS);
        OTF2_EvtWriter_Leave(writer, NULL, time += 50, 6);
    }
}

static void write_definitions(OTF2_GlobalDefWriter *writer)
{
    uint64_t members[RANKS], ranks[RANKS];

    OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, 1000000000, OTF2_UNDEFINED_TIMESTAMP);
    for (uint32_t i = 0; i < sizeof names / sizeof *names; i++)
        OTF2_GlobalDefWriter_WriteString(writer, i, names[i]);
    OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, 0, 0, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    for (uint32_t i = 1; i < sizeof names / sizeof *names; i++)
        OTF2_GlobalDefWriter_WriteRegion(writer, i, i, i, 0, OTF2_REGION_ROLE_FUNCTION,
                                         i == 7 ? OTF2_PARADIGM_USER : OTF2_PARADIGM_MPI,
                                         OTF2_REGION_FLAG_NONE, 0, 0, 0);
    for (uint32_t i = 0; i < RANKS; i++) {
        OTF2_GlobalDefWriter_WriteLocationGroup(writer, i, 0, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                OTF2_UNDEFINED_LOCATION_GROUP);
        OTF2_GlobalDefWriter_WriteLocation(writer, i, 0, OTF2_LOCATION_TYPE_CPU_THREAD, 0, i);
        members[i] = ranks[i] = i;
    }
    OTF2_GlobalDefWriter_WriteGroup(writer, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, RANKS, members);
    OTF2_GlobalDefWriter_WriteGroup(writer, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                    OTF2_GROUP_FLAG_NONE, RANKS, ranks);
    OTF2_GlobalDefWriter_WriteComm(writer, 0, 0, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE);
}

static void write_sample(const char *directory)
{
    static const OTF2_FlushCallbacks flush = {pre_flush, post_flush};
    OTF2_Archive *archive =
        OTF2_Archive_Open(directory, "bench", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                          OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);

    if (archive == NULL)
        exit(1);
    OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (uint32_t i = 0; i < RANKS; i++) {
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, i);
        write_rank(writer, i);
        OTF2_Archive_CloseEvtWriter(archive, writer);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    write_definitions(OTF2_Archive_GetGlobalDefWriter(archive));
    OTF2_Archive_Close(archive);
}

/* What write_sample has made, and nothing else. */
static void remove_sample(const char *directory)
{
    char path[4300];

    for (unsigned i = 0; i < RANKS; i++) {
        snprintf(path, sizeof path, "%s/bench/%u.evt", directory, i);
        unlink(path);
    }
    snprintf(path, sizeof path, "%s/bench", directory);
    rmdir(path);
    snprintf(path, sizeof path, "%s/bench.def", directory);
    unlink(path);
    snprintf(path, sizeof path, "%s/bench.otf2", directory);
    unlink(path);
    rmdir(directory);
}

/* The measure: everything that a reader of these archives has to have libotf2 do. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter"
#define COMMON                                                                                               \
    OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *user,                           \
        OTF2_AttributeList *attributes
static OTF2_CallbackCode on_region(COMMON, OTF2_RegionRef region)
{
    return OTF2_CALLBACK_SUCCESS;
}
static OTF2_CallbackCode on_message(COMMON, uint32_t peer, OTF2_CommRef communicator, uint32_t tag,
                                    uint64_t length)
{
    return OTF2_CALLBACK_SUCCESS;
}
static OTF2_CallbackCode on_request_message(COMMON, uint32_t peer, OTF2_CommRef communicator, uint32_t tag,
                                            uint64_t length, uint64_t request)
{
    return OTF2_CALLBACK_SUCCESS;
}
static OTF2_CallbackCode on_request(COMMON, uint64_t request)
{
    return OTF2_CALLBACK_SUCCESS;
}
static OTF2_CallbackCode on_collective(COMMON, OTF2_CollectiveOp operation, OTF2_CommRef communicator,
                                       uint32_t root, uint64_t sent, uint64_t received)
{
    return OTF2_CALLBACK_SUCCESS;
}
static OTF2_CallbackCode on_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                     OTF2_LocationType type, uint64_t events, OTF2_LocationGroupRef process)
{
    return OTF2_Reader_SelectLocation(user, self) == OTF2_SUCCESS ? OTF2_CALLBACK_SUCCESS
                                                                  : OTF2_CALLBACK_INTERRUPT;
}
#pragma GCC diagnostic pop

static OTF2_EvtReaderCallbacks *empty_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();

    OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, on_region);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, on_region);
    OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, on_message);
    OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, on_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, on_request_message);
    OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, on_request);
    OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, on_request);
    OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, on_collective);
    return callbacks;
}

static uint64_t read_empty(const char *anchor, const struct trace_program *program, uint64_t limit)
{
    OTF2_Reader *reader = OTF2_Reader_Open(anchor);
    OTF2_GlobalDefReader *definitions;
    OTF2_GlobalDefReaderCallbacks *locations = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_EvtReaderCallbacks *callbacks = empty_callbacks();
    uint64_t events = 0;
    uint64_t read;

    if (reader == NULL) { /* a directory, for one: libotf2 opens anchors alone */
        fprintf(stderr, "bench-otf2: libotf2 cannot open %s; give the anchor file\n", anchor);
        exit(1);
    }
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(locations, on_location);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, locations, reader);
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &read);
    OTF2_Reader_OpenDefFiles(reader);
    OTF2_Reader_OpenEvtFiles(reader);
    for (uint64_t i = 0; i < limit; i++) {
        OTF2_DefReader *local = OTF2_Reader_GetDefReader(reader, i);
        OTF2_EvtReader *location;
        if (local != NULL) {
            OTF2_Reader_ReadAllLocalDefinitions(reader, local, &read);
            OTF2_Reader_CloseDefReader(reader, local);
        }
        location = OTF2_Reader_GetEvtReader(reader, i);
        OTF2_Reader_RegisterEvtCallbacks(reader, location, callbacks, NULL);
        OTF2_Reader_ReadAllLocalEvents(reader, location, &read);
        OTF2_Reader_CloseEvtReader(reader, location);
        events += read;
    }
    (void)program;
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    OTF2_GlobalDefReaderCallbacks_Delete(locations);
    OTF2_Reader_Close(reader);
    return events;
}

static struct trace_program *open_or_exit(const char *path)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);

    if (program == NULL) {
        fprintf(stderr, "%s\n", error.text);
        exit(1);
    }
    return program;
}

static uint64_t read_cursors(struct trace_program *program)
{
    struct base_error error = {0};
    struct trace_op op;
    uint64_t ops = 0;

    for (uint32_t rank = 0; rank < trace_program_ranks(program); rank++) {
        struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
        while (cursor != NULL && trace_cursor_next(cursor, &op, &error) == 1)
            ops++;
        trace_cursor_free(cursor);
    }
    return ops;
}

/* The best of all times counts: the machine may be shared. */
int main(int count, char **arguments)
{
    const char *temporary = getenv("TMPDIR");
    char directory[4096], anchor[4200];
    int times = count > 2 ? atoi(arguments[2]) : 3;
    double empty = 1e9, survey = 1e9, cursors = 1e9;
    double start;
    uint64_t events = 0, ops = 0;

    snprintf(directory, sizeof directory, "%s/bench-otf2-XXXXXX", temporary == NULL ? "/tmp" : temporary);
    snprintf(anchor, sizeof anchor, "%s", count > 1 ? arguments[1] : "");
    if (count < 2) {
        if (mkdtemp(directory) == NULL)
            return 1;
        write_sample(directory);
        snprintf(anchor, sizeof anchor, "%s/bench.otf2", directory);
    }
    for (int i = 0; i < times; i++) {
        struct trace_program *program;
        start = seconds();
        program = open_or_exit(anchor);
        survey = seconds() - start < survey ? seconds() - start : survey;
        start = seconds();
        ops = read_cursors(program);
        cursors = seconds() - start < cursors ? seconds() - start : cursors;
        start = seconds();
        events = read_empty(anchor, program, trace_program_ranks(program));
        empty = seconds() - start < empty ? seconds() - start : empty;
        trace_close(program);
    }
    printf("%" PRIu64 " events, %" PRIu64 " operations, seconds of CPU time (share of libotf2's speed):\n",
           events, ops);
    printf("libotf2, empty callbacks  %.3f  %.2f million events/s\n", empty, (double)events / empty * 1e-6);
    printf("survey (trace_open)       %.3f  %3.0f %%\n", survey, empty / survey * 100);
    printf("cursors                   %.3f  %3.0f %%\n", cursors, empty / cursors * 100);
    if (count < 2)
        remove_sample(directory);
    return 0;
}
