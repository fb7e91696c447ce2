/* Programs as OTF2 archives, in Score-P's layout: every operation is a call, entered and left, with its
 * records inside.
 *
 *      MPI_Isend      MpiIsend (request)                       MPI_Waitall    MpiIsendComplete, MpiIrecv,
 *      MPI_Irecv      MpiIrecvRequest                                         NonBlockingCollectiveComplete,
 *      MPI_Iallreduce NonBlockingCollectiveRequest                            RmaOpCompleteNonBlocking …
 *      MPI_Rput       RmaPut (matching id: the request)
 *
 * Sizes of collectives are Score-P's too, totals over the communicator: from those alone a reader can tell
 * which convention they follow (traces/otf2/sizes.c). The clock of a rank starts at its origin, and goes on
 * by compute times and by the duration of calls.
 *
 * A rank's file is open only while its operations come; what a later record needs of an earlier one is in the
 * table of open requests. */
#include <stdlib.h>
#include <string.h>

#include "traces/otf2-archive/anchor.h"
#include "traces/otf2-archive/errors.h"
#include "traces/writers/otf2.h"

#define EVENT_CHUNK_BYTES UINT64_C(262144) /* the least that libotf2 allows */
/* A definition must fit a chunk of the other kind: the longest is a group of all ranks. */
#define MEMBER_BYTES 8
#define DEFINITION_CHUNK_BYTES_MAX (UINT64_C(16) << 20) /* the most that libotf2 allows */

/* What libotf2 says of an error: closing a file whose last bytes could not be written returns success, and only here it
 * shows that the disk is full. The writer listens inside its own functions alone: the program that is written may be
 * read by the same library in between. */
static void listen(struct trace_write_otf2 *writer)
{
    trace_otf2_listen(writer == NULL ? NULL : &writer->code);
}

/* Without it the library would keep all events in memory. There is no post-flush callback: flushes take no
 * time in the trace that is written. */
static OTF2_FlushType pre_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller,
                                bool final)
{
    (void)user, (void)type, (void)location, (void)caller, (void) final;
    return OTF2_FLUSH;
}

/* The library says little more than that it could not write; what it said first may be that memory was out. */
static int fail(const struct trace_write_otf2 *writer, OTF2_ErrorCode code, struct base_error *error)
{
    if (trace_otf2_is_memory(code) || trace_otf2_is_memory(writer->code))
        return base_error_memory(error, "the records of an OTF2 archive");
    return base_error_set(error, BASE_SYSTEM, "%s/%s.otf2: cannot be written: %s",
                          writer->base.place.directory, writer->base.place.stem,
                          OTF2_Error_GetDescription(code));
}

/* Writes an event at a time, unless one has failed before. */
#define RECORD(writer, kind, time, ...)                                                                      \
    do {                                                                                                     \
        if ((writer)->code == OTF2_SUCCESS)                                                                  \
            (writer)->code = OTF2_EvtWriter_##kind((writer)->events, NULL, time, __VA_ARGS__);               \
    } while (0)

/* The clock stands where the call begins. After a failure the records that follow are left out, and the
 * failure is told by add. */
static void enter(struct trace_write_otf2 *writer, uint32_t region)
{
    RECORD(writer, Enter, writer->now_ns, region);
}

/* The clock stands where the call returns. */
static void leave(struct trace_write_otf2 *writer, uint32_t region)
{
    RECORD(writer, Leave, writer->now_ns, region);
}

/* What the trace that was read left open. */
static bool is_wildcard(const struct trace_op *op)
{
    return op->peer == TRACE_ANY_SOURCE || op->tag == TRACE_ANY_TAG;
}

/* A peer as events name it: its rank in the communicator, in the other group of an inter-communicator. */
static uint32_t peer_of(const struct trace_write_otf2 *writer, const struct trace_op *op)
{
    bool remote;
    return trace_writer_member(&writer->base, op->communicator, op->peer, &remote);
}

/* On an inter-communicator a root is a rank of the other group or one of two marks. */
static uint32_t root_of(const struct trace_write_otf2 *writer, const struct trace_op *op)
{
    const struct trace_communicator *group = &writer->base.program->communicators[op->communicator];
    uint32_t own;

    if (op->root == UINT32_MAX)
        return OTF2_COLLECTIVE_ROOT_NONE;
    if (group->remote_size == 0)
        return op->root;
    own = base_table_get(&writer->base.members, op->communicator, writer->base.rank);
    if (own == op->root)
        return OTF2_COLLECTIVE_ROOT_SELF;
    if ((own < group->size) == (op->root < group->size))
        return OTF2_COLLECTIVE_ROOT_THIS_GROUP;
    return op->root < group->size ? op->root : op->root - group->size;
}

/* From the arguments of the call to Score-P's totals (the table in traces/otf2/sizes.c). The other variants
 * with vectors are totals already. Without this a reader would take our archives for those of a recorder of plain
 * sizes. Nothing is changed for vectors that are totals already. */
static void multiply(const struct trace_write_otf2 *writer, const struct trace_op *op, uint64_t *sent,
                     uint64_t *received)
{
    const struct trace_communicator *group = &writer->base.program->communicators[op->communicator];
    uint32_t rank = base_table_get(&writer->base.members, op->communicator, writer->base.rank);
    /* On an inter-communicator the members of the other group count; of rooted ones every rank's part. */
    bool inter = group->remote_size != 0, root = rank == op->root;
    uint64_t size = inter && rank < group->size ? group->remote_size : group->size, bytes = op->bytes;

    /* Of variants with blocks of their own only these count a block as many times as there are members. */
    if (op->collective == TRACE_ALLGATHERV || op->collective == TRACE_REDUCE_SCATTER)
        *(op->collective == TRACE_ALLGATHERV ? sent : received) *= size;
    if (inter) {
        if (op->collective == TRACE_ALLREDUCE || op->collective == TRACE_ALLGATHER ||
            op->collective == TRACE_ALLTOALL || op->collective == TRACE_REDUCE_SCATTER_BLOCK)
            *sent = *received = size * bytes;
        return;
    }
    switch (op->collective) {
    case TRACE_BCAST:
    case TRACE_SCATTER:
        *sent = root ? size * bytes : 0;
        break;
    case TRACE_REDUCE:
    case TRACE_GATHER:
        *received = root ? size * bytes : 0;
        break;
    case TRACE_SCAN:
        *sent = (size - rank) * bytes;
        *received = (rank + 1) * bytes;
        break;
    case TRACE_EXSCAN:
        *sent = (size - rank - 1) * bytes;
        *received = rank * bytes;
        break;
    case TRACE_ALLREDUCE:
    case TRACE_ALLGATHER:
    case TRACE_ALLTOALL:
    case TRACE_REDUCE_SCATTER_BLOCK:
        *sent = *received = size * bytes;
        break;
    default:
        break;
    }
}

/* Numbers of a blocking call, or of one whose completion will need them. */
static void collective_totals(struct trace_write_otf2 *writer, const struct trace_op *op, uint64_t *sent,
                              uint64_t *received)
{
    const struct trace_vector *vector = trace_writer_vector(&writer->base, op);

    trace_writer_totals(&writer->base, op, sent, received);
    multiply(writer, op, sent, received);
    if (vector != NULL && vector->pairwise &&
        (op->collective == TRACE_ALLTOALLV || op->collective == TRACE_ALLTOALLW))
        trace_writer_lose(&writer->base, TRACE_LOSS_PAIRWISE);
}

/* The record of a blocking operation, or of the start of one that is not. A call that implies a collective
 * (MPI_Comm_split) is one that makes a handle: its name says the rest. The clock moves by the operation's duration
 * between what is recorded at its start and what at its end. */
static void record_start(struct trace_write_otf2 *writer, const struct trace_op *op, uint64_t sent,
                         uint64_t received)
{
    bool starts = (op->flags & TRACE_NONBLOCKING) != 0;
    uint32_t communicator = op->communicator;
    OTF2_CollectiveOp operation = trace_write_otf2_operation(op->collective);

    if (op->kind == TRACE_SEND && starts)
        RECORD(writer, MpiIsend, writer->now_ns, peer_of(writer, op), communicator, op->tag, op->bytes,
               op->request);
    else if (op->kind == TRACE_SEND)
        RECORD(writer, MpiSend, writer->now_ns, peer_of(writer, op), communicator, op->tag, op->bytes);
    else if (op->kind == TRACE_RECEIVE && starts)
        RECORD(writer, MpiIrecvRequest, writer->now_ns, op->request);
    else if (op->kind == TRACE_PUT)
        RECORD(writer, RmaPut, writer->now_ns, communicator, peer_of(writer, op), op->bytes, op->request);
    else if (op->kind == TRACE_GET)
        RECORD(writer, RmaGet, writer->now_ns, communicator, peer_of(writer, op), op->bytes, op->request);
    else if (op->kind == TRACE_COLLECTIVE_CALL && starts)
        RECORD(writer, NonBlockingCollectiveRequest, writer->now_ns, op->request);
    if (op->kind == TRACE_PUT || op->kind == TRACE_GET)
        writer->windows[communicator] = true;
    writer->now_ns += op->duration_ns;
    if (op->kind == TRACE_RECEIVE && !starts)
        RECORD(writer, MpiRecv, writer->now_ns, peer_of(writer, op), communicator, op->tag, op->bytes);
    if (op->kind != TRACE_COLLECTIVE_CALL || starts)
        return;
    if ((op->flags & TRACE_IMPLIED) != 0 && op->region < writer->base.program->region_count)
        operation = OTF2_COLLECTIVE_OP_CREATE_HANDLE;
    RECORD(writer, MpiCollectiveEnd, writer->now_ns, operation, communicator, root_of(writer, op), sent,
           received);
}

/* Messages between ranks of which one is no member of the communicator cannot be said in any format. */
static int check_op(const struct trace_write_otf2 *writer, const struct trace_op *op,
                    struct base_error *error)
{
    struct base_position position = trace_op_position(writer->base.program, writer->base.rank, op);
    bool remote;
    bool message = op->kind != TRACE_COLLECTIVE_CALL && op->peer != TRACE_ANY_SOURCE;

    if (trace_writer_member(&writer->base, op->communicator, message ? op->peer : writer->base.rank,
                            &remote) != UINT32_MAX)
        return 0;
    return base_error_at(error, BASE_INPUT, &position, "rank %u is not in communicator %u",
                         message ? op->peer : writer->base.rank, op->communicator);
}

/* OTF2 says what an operation was only when it completes. The totals of a collective are kept with it, as
 * its vector may be gone by then. */
static int remember(struct trace_write_otf2 *writer, const struct trace_op *op, uint64_t sent,
                    uint64_t received, struct base_error *error)
{
    struct trace_open_request *request = trace_open_requests_add(&writer->base.requests, op);

    if (request == NULL)
        return base_error_memory(error, "the open requests of a rank");
    request->sent = sent;
    request->received = received;
    return 0;
}

/* Messages, collectives and one-sided operations. What is not blocking has its completion in a later call. The
 * numbers of a record are checked before the region is entered, so that a refusal leaves no open call. */
static int add_call(struct trace_write_otf2 *writer, const struct trace_op *op, struct base_error *error)
{
    uint64_t sent = 0, received = 0;
    bool renamed;
    uint32_t region;

    if (check_op(writer, op, error) != 0)
        return -1;
    region = trace_write_otf2_region_of(writer, op, &renamed);
    if (op->kind == TRACE_COLLECTIVE_CALL)
        collective_totals(writer, op, &sent, &received);
    enter(writer, region);
    if (op->kind == TRACE_COLLECTIVE_CALL && (op->flags & TRACE_NONBLOCKING) == 0 &&
        writer->code == OTF2_SUCCESS)
        writer->code = OTF2_EvtWriter_MpiCollectiveBegin(writer->events, NULL, writer->now_ns);
    record_start(writer, op, sent, received);
    leave(writer, region);
    if (renamed)
        trace_writer_lose(&writer->base, TRACE_LOSS_CALL_NAMES);
    if (op->kind == TRACE_PROBE)
        trace_writer_lose(&writer->base, TRACE_LOSS_PROBES);
    return (op->flags & TRACE_NONBLOCKING) != 0 ? remember(writer, op, sent, received, error) : 0;
}

/* The completion of a request, at the present time. Its fields are those of the start, since OTF2 wants
 * them here. */
static void complete(struct trace_write_otf2 *writer, const struct trace_open_request *request)
{
    const struct trace_op *op = &request->op;

    if (op->kind == TRACE_SEND)
        RECORD(writer, MpiIsendComplete, writer->now_ns, op->request);
    else if (op->kind == TRACE_RECEIVE)
        RECORD(writer, MpiIrecv, writer->now_ns, peer_of(writer, op), op->communicator, op->tag, op->bytes,
               op->request);
    else if (op->kind == TRACE_COLLECTIVE_CALL)
        RECORD(writer, NonBlockingCollectiveComplete, writer->now_ns,
               trace_write_otf2_operation(op->collective), op->communicator, root_of(writer, op),
               request->sent, request->received, op->request);
    else
        RECORD(writer, RmaOpCompleteNonBlocking, writer->now_ns, op->communicator, op->request);
}

/* Completes those of a list that are open. What a wildcard receive got is not known: it is only counted. */
static size_t complete_all(struct trace_write_otf2 *writer, const uint64_t *requests, size_t count)
{
    size_t wildcards = 0;

    for (size_t i = 0; i < count; i++) {
        const struct trace_open_request *request =
            trace_open_requests_find(&writer->base.requests, requests[i]);
        if (request == NULL)
            continue;
        if (request->op.kind == TRACE_RECEIVE && is_wildcard(&request->op))
            wildcards++;
        else
            complete(writer, request);
        trace_open_requests_remove(&writer->base.requests, requests[i]);
    }
    return wildcards;
}

/* How many of a list are open and can be written as complete, and how many are open at all. */
static size_t count_known(struct trace_write_otf2 *writer, const struct trace_op *op, size_t *open)
{
    size_t known = 0;

    *open = 0;
    for (size_t i = 0; i < op->request_count; i++) {
        const struct trace_open_request *request =
            trace_open_requests_find(&writer->base.requests, op->requests[i]);
        *open += request != NULL;
        known += request != NULL && (request->op.kind != TRACE_RECEIVE || !is_wildcard(&request->op));
    }
    return known;
}

/* A call that waits and in which nothing completes: our reader, like those that read EZTrace, completes then
 * what never does otherwise. One call for one, another for all. */
static void wait_for_wildcards(struct trace_write_otf2 *writer, size_t count)
{
    uint32_t region;

    if (count == 0)
        return;
    region = trace_write_otf2_spelled(writer, TRACE_WRITE_OTF2_WAIT + (count > 1));
    enter(writer, region);
    leave(writer, region);
}

/* A wait for nothing would be read as one for what has no completion: it is left out. What it completes is
 * recorded at its end, as recorders do. */
static int add_wait(struct trace_write_otf2 *writer, const struct trace_op *op)
{
    size_t open;
    size_t known = count_known(writer, op, &open);
    bool renamed;
    uint32_t region;

    if (known > 0) {
        region = trace_write_otf2_region_of(writer, op, &renamed);
        enter(writer, region);
        writer->now_ns += op->duration_ns;
        complete_all(writer, op->requests, op->request_count);
        leave(writer, region);
        if (renamed)
            trace_writer_lose(&writer->base, TRACE_LOSS_CALL_NAMES);
    } else {
        complete_all(writer, op->requests, op->request_count);
        writer->now_ns += op->duration_ns;
    }
    wait_for_wildcards(writer, open - known);
    return 0;
}

/* A blocking receive has its source in its only record: without one it becomes a start and a wait. Numbers
 * of such requests go down from the highest, where no program's numbers are. */
static int add_wildcard(struct trace_write_otf2 *writer, const struct trace_op *op, struct base_error *error)
{
    struct trace_op start = *op;

    trace_writer_lose(&writer->base, TRACE_LOSS_WILDCARDS);
    if ((op->flags & TRACE_NONBLOCKING) != 0)
        return add_call(writer, op, error);
    start.flags |= TRACE_NONBLOCKING;
    start.request = writer->next_internal--;
    if (add_call(writer, &start, error) != 0)
        return -1;
    return add_wait(writer, &(struct trace_op){.kind = TRACE_WAIT,
                                               .requests = &start.request,
                                               .request_count = 1,
                                               .region = TRACE_NO_REGION});
}

/* MPI_Finalize completes what the program did not wait for. */
static int add_end(struct trace_write_otf2 *writer, struct base_error *error)
{
    uint32_t region = trace_write_otf2_spelled(writer, TRACE_WRITE_OTF2_FINALIZE);
    uint64_t *open;
    size_t count;

    if (trace_open_requests_list(&writer->base.requests, &open, &count) != 0)
        return base_error_memory(error, "the open requests of a rank");
    enter(writer, region);
    complete_all(writer, open, count);
    leave(writer, region);
    free(open);
    for (size_t i = 0; i < count; i++)
        trace_writer_lose(&writer->base, TRACE_LOSS_OPEN_REQUESTS);
    writer->ended = true;
    return 0;
}

/* The first error that the library mentions ends the writing. Tags are replaced before anything is written; 0, or
 * -1 with a sentence. */
static int add(struct trace_writer *base, const struct trace_op *given, struct base_error *error)
{
    struct trace_write_otf2 *writer = (struct trace_write_otf2 *)base;
    struct trace_op with_tag = *given;
    const struct trace_op *op = &with_tag;
    int result = 0;

    if (op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE)
        with_tag.tag = trace_writer_tag(base, given);
    listen(writer);
    switch (op->kind) {
    case TRACE_COMPUTE:
        writer->now_ns += op->duration_ns;
        break;
    case TRACE_WAIT:
        result = add_wait(writer, op);
        break;
    case TRACE_END:
        result = add_end(writer, error);
        break;
    case TRACE_RECEIVE:
        result = is_wildcard(op) ? add_wildcard(writer, op, error) : add_call(writer, op, error);
        break;
    default:
        result = add_call(writer, op, error);
        break;
    }
    listen(NULL);
    if (result == 0 && writer->code != OTF2_SUCCESS)
        return fail(writer, writer->code, error);
    return result;
}

/* ---- ranks and files */

/* The local definitions, none of which are needed: tools complain when the file is missing. */
static OTF2_ErrorCode write_local_definitions(struct trace_write_otf2 *writer, uint32_t rank)
{
    OTF2_DefWriter *definitions = OTF2_Archive_GetDefWriter(writer->archive, rank);

    if (definitions == NULL)
        return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    return OTF2_Archive_CloseDefWriter(writer->archive, definitions);
}

/* Notes what the definition of the location says of its events. Its file is closed at once: a process may
 * not have as many open as there are ranks. Legal when no rank is open. A rank whose program has no end gets one. */
static int close_rank(struct trace_write_otf2 *writer, struct base_error *error)
{
    struct trace_write_otf2_rank *rank;
    OTF2_ErrorCode code;

    if (writer->events == NULL)
        return 0;
    if (!writer->ended && add_end(writer, error) != 0)
        return -1;
    rank = &writer->ranks[writer->base.rank];
    rank->last_ns = writer->now_ns;
    OTF2_EvtWriter_GetNumberOfEvents(writer->events, &rank->events);
    listen(writer);
    code = OTF2_Archive_CloseEvtWriter(writer->archive, writer->events);
    if (code == OTF2_SUCCESS)
        code = write_local_definitions(writer, writer->base.rank);
    listen(NULL);
    writer->events = NULL;
    trace_open_requests_clear(&writer->base.requests);
    if (writer->code == OTF2_SUCCESS)
        writer->code = code;
    return writer->code == OTF2_SUCCESS ? 0 : fail(writer, writer->code, error);
}

/* MPI_Init takes no time: what the process did before is not known to a program. Ranks come in ascending order,
 * each once; the one before is closed first. */
static int begin_rank(struct trace_writer *base, uint32_t rank, struct base_error *error)
{
    struct trace_write_otf2 *writer = (struct trace_write_otf2 *)base;
    uint64_t origin = trace_program_origin_ns(base->program, rank);
    uint32_t init;

    if (close_rank(writer, error) != 0)
        return -1;
    listen(writer);
    base->rank = rank;
    writer->events = OTF2_Archive_GetEvtWriter(writer->archive, rank);
    if (writer->events == NULL) {
        listen(NULL);
        return fail(writer, writer->code == OTF2_SUCCESS ? OTF2_ERROR_FILE_CAN_NOT_OPEN : writer->code,
                    error);
    }
    writer->ended = false;
    writer->next_internal = UINT64_MAX;
    writer->now_ns = origin == UINT64_MAX || writer->from_zero ? 0 : origin;
    writer->ranks[rank].first_ns = writer->now_ns;
    init = trace_write_otf2_spelled(writer, TRACE_WRITE_OTF2_INIT);
    enter(writer, init);
    leave(writer, init);
    listen(NULL);
    return writer->code == OTF2_SUCCESS ? 0 : fail(writer, writer->code, error);
}

/* Frees all; the archive is closed without a look at what the library says of it. */
static void abandon(struct trace_writer *base)
{
    struct trace_write_otf2 *writer = (struct trace_write_otf2 *)base;

    if (writer->archive != NULL)
        OTF2_Archive_Close(writer->archive);
    trace_write_otf2_regions_free(&writer->regions);
    free(writer->ranks);
    free(writer->windows);
    trace_writer_free(base);
}

/* Everything after the last event, up to the anchor file. The first failure counts, whether the library
 * returns it or only mentions it. The anchor file is the last to be written, so an archive with one is
 * whole. */
static int close_archive(struct trace_write_otf2 *writer, struct base_error *error)
{
    OTF2_ErrorCode code;

    listen(writer);
    code = trace_write_otf2_metrics(writer);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_CloseEvtFiles(writer->archive);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_CloseDefFiles(writer->archive);
    if (code == OTF2_SUCCESS)
        code = trace_write_otf2_definitions(writer);
    if (code == OTF2_SUCCESS) {
        code = OTF2_Archive_Close(writer->archive);
        writer->archive = NULL;
    }
    listen(NULL);
    if (writer->code == OTF2_SUCCESS)
        writer->code = code;
    return writer->code == OTF2_SUCCESS ? 0 : fail(writer, writer->code, error);
}

/* libotf2 draws one by chance, and cannot be told another: it is replaced where the files lie. */
static int settle_identifier(struct trace_write_otf2 *writer, struct base_error *error)
{
    char *anchor = trace_place_path(&writer->base.place, ".otf2", error);
    char *definitions = anchor == NULL ? NULL : trace_place_path(&writer->base.place, ".def", error);
    int status = -1;

    if (definitions != NULL) {
        listen(writer);
        status = trace_otf2_anchor_settle(anchor, definitions, error);
        listen(NULL);
        if (trace_otf2_is_memory(writer->code))
            status = fail(writer, writer->code, error);
    }
    free(definitions);
    free(anchor);
    return status;
}

/* The archive is complete when its anchor file is; only then anything moves. */
static int finish(struct trace_writer *base, struct base_error *error)
{
    struct trace_write_otf2 *writer = (struct trace_write_otf2 *)base;
    int result = close_rank(writer, error);

    if (result == 0)
        result = close_archive(writer, error);
    if (result == 0)
        result = settle_identifier(writer, error);
    if (result == 0)
        result = trace_place_finish(&base->place, error);
    abandon(base);
    return result;
}

/* Each rank's file of definitions takes a buffer of this size while it is written, so no more than needed.
 * A group of all ranks is one definition, and must fit into one chunk. */
static uint64_t definition_chunk_bytes(const struct trace_program *program)
{
    uint64_t bytes = EVENT_CHUNK_BYTES;

    while (bytes < (uint64_t)program->ranks * MEMBER_BYTES + EVENT_CHUNK_BYTES / 2 &&
           bytes < DEFINITION_CHUNK_BYTES_MAX)
        bytes *= 2;
    return bytes;
}

/* Creating it makes the directories in the working place. Without parallel I/O: one process writes all files. */
static OTF2_ErrorCode open_archive(struct trace_write_otf2 *writer,
                                   const struct trace_writer_options *options)
{
    static const OTF2_FlushCallbacks flush = {.otf2_pre_flush = pre_flush};
    const struct trace_writer *base = &writer->base;
    OTF2_ErrorCode code;

    writer->archive =
        OTF2_Archive_Open(base->place.working, base->place.stem, OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES,
                          definition_chunk_bytes(base->program), OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (writer->archive == NULL)
        return OTF2_ERROR_FILE_CAN_NOT_OPEN;
    code = OTF2_Archive_SetFlushCallbacks(writer->archive, &flush, NULL);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_SetMemoryCallbacks(writer->archive, &trace_write_otf2_memory, NULL);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive);
    if (code == OTF2_SUCCESS && options->creator != NULL)
        code = OTF2_Archive_SetCreator(writer->archive, options->creator);
    if (code == OTF2_SUCCESS)
        code = OTF2_Archive_OpenEvtFiles(writer->archive);
    return code == OTF2_SUCCESS ? OTF2_Archive_OpenDefFiles(writer->archive) : code;
}

/* In proportion to ranks and communicators; nothing grows with the events. */
static int make_tables(struct trace_write_otf2 *writer, struct base_error *error)
{
    const struct trace_program *program = writer->base.program;

    writer->ranks = calloc(program->ranks + 1, sizeof *writer->ranks);
    writer->windows = calloc(program->communicator_count + 1, sizeof *writer->windows);
    if (writer->ranks == NULL || writer->windows == NULL || trace_write_otf2_regions_init(writer) != 0)
        return base_error_memory(error, "the tables of an OTF2 writer");
    return 0;
}

/* What fails halfway is undone by abandon. NULL: with a sentence; nothing is left beside the target. */
static struct trace_writer *open_writer(const char *path, const struct trace_program *program,
                                        const struct trace_writer_options *options, struct base_error *error)
{
    struct trace_write_otf2 *writer = calloc(1, sizeof *writer);
    OTF2_ErrorCode code;

    if (writer == NULL) {
        base_error_memory(error, "an OTF2 writer");
        return NULL;
    }
    writer->from_zero = options->from_zero;
    writer->metrics = options->metrics;
    writer->groups = options->groups;
    writer->group_count = options->group_count;
    if (trace_writer_init(&writer->base, path, ".otf2", program, error) == 0 &&
        make_tables(writer, error) == 0) {
        listen(writer);
        code = open_archive(writer, options);
        listen(NULL);
        if (code == OTF2_SUCCESS)
            return &writer->base;
        fail(writer, code, error);
    }
    abandon(&writer->base);
    return NULL;
}

const struct trace_writer_format trace_writer_otf2 = {
    .name = "otf2",
    .summary = "Open Trace Format 2 in Score-P's layout: PATH.otf2, PATH.def and the directory PATH",
    .suffix = ".otf2",
    .open = open_writer,
    .rank = begin_rank,
    .add = add,
    .finish = finish,
    .abandon = abandon,
    .losses = trace_writer_losses,
};
