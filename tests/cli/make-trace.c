/* make-trace DIRECTORY matched|unmatched|regions|hostile|scorep: writes an OTF2 archive of two ranks with
 * libotf2's writer.
 *
 *      rank 0   MPI_Send to 1, tag 5                     matched: and another, tag 7
 *      rank 1   MPI_Recv from 0, tag 5; MPI_Recv from 0, tag 7
 *
 * In "unmatched" the second receive waits for a message that nobody sends, as in a trace that was cut off; so it does
 * in "regions", where functions of the program are around the calls: solve around both, and in it setup around the
 * first, and exchange_halo around the second. In
 * "hostile" the receive is called by what no call is called: markup, quotes, bytes that are no UTF-8, control
 * characters, 10 kB of them. "scorep" is "matched" with what Score-P 8 records besides: MPI_Init makes the predefined
 * communicators, MPI_Finalize destroys them, and there are locations of two GPUs and of a metric. */
#include <config.h>

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STRING_EMPTY,
    STRING_SEND,
    STRING_RECV,
    STRING_WORLD,
    STRING_NODE,
    STRING_RANK,
    STRING_SOLVE,
    STRING_SETUP,
    STRING_EXCHANGE,
    STRING_INIT,
    STRING_FINALIZE,
    STRING_GPU,
    STRING_METRIC,
    STRINGS
};
enum { REGION_SEND, REGION_RECV, REGION_SOLVE, REGION_SETUP, REGION_EXCHANGE, REGION_INIT, REGION_FINALIZE };

static uint64_t clock_ns; /* of the rank that is written */

static void check(OTF2_ErrorCode code)
{
    if (code == OTF2_SUCCESS)
        return;
    fprintf(stderr, "make-trace: %s\n", OTF2_Error_GetDescription(code));
    exit(1);
}

static OTF2_FlushType before_flush(void *data, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                   bool final)
{
    (void)data, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

static uint64_t after_flush(void *data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)data, (void)type, (void)location;
    return clock_ns;
}

static void write_call(OTF2_EvtWriter *writer, uint32_t region, uint32_t peer, uint32_t tag)
{
    check(OTF2_EvtWriter_Enter(writer, NULL, clock_ns += 1000, region));
    if (region == REGION_SEND)
        check(OTF2_EvtWriter_MpiSend(writer, NULL, clock_ns += 10, peer, 0, tag, 256));
    else
        check(OTF2_EvtWriter_MpiRecv(writer, NULL, clock_ns += 10, peer, 0, tag, 256));
    check(OTF2_EvtWriter_Leave(writer, NULL, clock_ns += 10, region));
}

/* Enters a region of the program, or leaves it, where the trace has them. */
static void cross(OTF2_EvtWriter *writer, bool has_regions, bool enters, uint32_t region)
{
    if (has_regions && enters)
        check(OTF2_EvtWriter_Enter(writer, NULL, clock_ns += 5, region));
    else if (has_regions)
        check(OTF2_EvtWriter_Leave(writer, NULL, clock_ns += 5, region));
}

static bool is_scorep;

/* The predefined communicators come, or go, by records inside a call. */
static void write_predefined(OTF2_EvtWriter *writer, bool comes)
{
    uint32_t region = comes ? REGION_INIT : REGION_FINALIZE;

    if (!is_scorep)
        return;
    check(OTF2_EvtWriter_Enter(writer, NULL, clock_ns += 5, region));
    check(OTF2_EvtWriter_MpiCollectiveBegin(writer, NULL, clock_ns += 5));
    check(OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, clock_ns += 5,
                                          comes ? OTF2_COLLECTIVE_OP_CREATE_HANDLE
                                                : OTF2_COLLECTIVE_OP_DESTROY_HANDLE,
                                          0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
    if (comes)
        check(OTF2_EvtWriter_CommCreate(writer, NULL, clock_ns += 5, 0));
    else
        check(OTF2_EvtWriter_CommDestroy(writer, NULL, clock_ns += 5, 0));
    check(OTF2_EvtWriter_Leave(writer, NULL, clock_ns += 5, region));
}

static void write_events(OTF2_Archive *archive, bool is_matched, bool has_regions)
{
    check(OTF2_Archive_OpenEvtFiles(archive));
    for (OTF2_LocationRef rank = 0; rank < 2; rank++) {
        OTF2_EvtWriter *writer = OTF2_Archive_GetEvtWriter(archive, rank);
        clock_ns = 0;
        write_predefined(writer, true);
        cross(writer, has_regions, true, REGION_SOLVE);
        cross(writer, has_regions, true, REGION_SETUP);
        write_call(writer, rank == 0 ? REGION_SEND : REGION_RECV, rank == 0, 5);
        cross(writer, has_regions, false, REGION_SETUP);
        cross(writer, has_regions, true, REGION_EXCHANGE);
        if (rank == 1 || is_matched)
            write_call(writer, rank == 0 ? REGION_SEND : REGION_RECV, rank == 0, 7);
        cross(writer, has_regions, false, REGION_EXCHANGE);
        cross(writer, has_regions, false, REGION_SOLVE);
        write_predefined(writer, false);
        check(OTF2_Archive_CloseEvtWriter(archive, writer));
    }
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_OpenDefFiles(archive));
    for (OTF2_LocationRef rank = 0; rank < 2; rank++)
        check(OTF2_Archive_CloseDefWriter(archive, OTF2_Archive_GetDefWriter(archive, rank)));
    check(OTF2_Archive_CloseDefFiles(archive));
}

static void write_region(OTF2_GlobalDefWriter *writer, uint32_t region, uint32_t name, bool is_mpi)
{
    check(OTF2_GlobalDefWriter_WriteRegion(writer, region, name, name, STRING_EMPTY,
                                           is_mpi ? OTF2_REGION_ROLE_POINT2POINT : OTF2_REGION_ROLE_FUNCTION,
                                           is_mpi ? OTF2_PARADIGM_MPI : OTF2_PARADIGM_USER,
                                           OTF2_REGION_FLAG_NONE, STRING_EMPTY, 0, 0));
}

static void write_places(OTF2_GlobalDefWriter *writer, const uint64_t *events)
{
    static const uint64_t locations[] = {0, 1};

    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer, 0, STRING_NODE, STRING_NODE,
                                                   OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint32_t rank = 0; rank < 2; rank++) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(
            writer, rank, STRING_RANK, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0, OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocation(writer, rank, STRING_RANK, OTF2_LOCATION_TYPE_CPU_THREAD,
                                                 events[rank], rank));
    }
    for (uint32_t i = 0; is_scorep && i < 3; i++)
        check(OTF2_GlobalDefWriter_WriteLocation(
            writer, 10 + i, i < 2 ? STRING_GPU : STRING_METRIC,
            i < 2 ? OTF2_LOCATION_TYPE_ACCELERATOR_STREAM : OTF2_LOCATION_TYPE_METRIC, 0, 0));
    check(OTF2_GlobalDefWriter_WriteGroup(writer, 0, STRING_EMPTY, OTF2_GROUP_TYPE_COMM_LOCATIONS,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, locations));
    check(OTF2_GlobalDefWriter_WriteGroup(writer, 1, STRING_EMPTY, OTF2_GROUP_TYPE_COMM_GROUP,
                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, locations));
    check(
        OTF2_GlobalDefWriter_WriteComm(writer, 0, STRING_WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
}

static void write_definitions(OTF2_Archive *archive, bool is_matched, bool has_regions, const char *receive)
{
    const char *const strings[STRINGS] = {
        "",      "MPI_Send",      receive,    "MPI_COMM_WORLD", "node",    "rank", "solve",
        "setup", "exchange_halo", "MPI_Init", "MPI_Finalize",   "CUDA[0]", "power"};
    const uint64_t crossed = has_regions ? 6 : is_scorep ? 10 : 0;
    const uint64_t events[] = {(is_matched ? 6 : 3) + crossed, 6 + crossed};
    OTF2_GlobalDefWriter *writer = OTF2_Archive_GetGlobalDefWriter(archive);

    check(OTF2_GlobalDefWriter_WriteClockProperties(writer, 1000000000, 0, 10000, OTF2_UNDEFINED_TIMESTAMP));
    for (uint32_t i = 0; i < STRINGS; i++)
        check(OTF2_GlobalDefWriter_WriteString(writer, i, strings[i]));
    write_region(writer, REGION_SEND, STRING_SEND, true);
    write_region(writer, REGION_RECV, STRING_RECV, true);
    for (uint32_t i = REGION_SOLVE; i <= REGION_EXCHANGE; i++)
        write_region(writer, i, STRING_SOLVE + i - REGION_SOLVE, false);
    write_region(writer, REGION_INIT, STRING_INIT, true);
    write_region(writer, REGION_FINALIZE, STRING_FINALIZE, true);
    write_places(writer, events);
    check(OTF2_Archive_CloseGlobalDefWriter(archive, writer));
}

/* The name of the receive in a hostile trace. */
static const char *hostile_name(char name[10001])
{
    static const char piece[] =
        "<script>alert(\"x\")</script>\" onload='x' &amp; \xff\xc0\x80 \x1b[2J\x01 -->]]>";
    strcpy(name, "MPI_Recv"); /* what does not begin so would be no call at all */
    while (strlen(name) + strlen(piece) <= 10000)
        strcat(name, piece);
    return name;
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks flush = {before_flush, after_flush};
    OTF2_Archive *archive;
    static char name[10001];
    bool is_hostile = argc == 3 && strcmp(argv[2], "hostile") == 0;
    bool is_matched = is_hostile || (argc == 3 && strcmp(argv[2], "matched") == 0);
    bool has_regions = argc == 3 && strcmp(argv[2], "regions") == 0;

    is_scorep = argc == 3 && strcmp(argv[2], "scorep") == 0;
    is_matched = is_matched || is_scorep;
    if (argc != 3 || (!is_matched && !has_regions && strcmp(argv[2], "unmatched") != 0)) {
        fprintf(stderr, "usage: make-trace DIRECTORY matched|unmatched|regions|hostile|scorep\n");
        return 2;
    }
    archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, 1 << 20, 1 << 20,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL)
        return 1;
    check(OTF2_Archive_SetFlushCallbacks(archive, &flush, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_SetCreator(archive, "flitreplay's tests"));
    write_events(archive, is_matched, has_regions);
    write_definitions(archive, is_matched, has_regions, is_hostile ? hostile_name(name) : "MPI_Recv");
    check(OTF2_Archive_Close(archive));
    return 0;
}
