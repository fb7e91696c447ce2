/* Programs as DUMPI traces: a metafile PATH.meta and a file PATH-0000.bin for each rank.
 *
 * Every size is a count of MPI_BYTE. A request's number is that of its entry in the table of open requests,
 * so that numbers are used again and never stand for two operations at once. Statuses say what a receive got;
 * a receive of unknown source or tag has none, as if the program had ignored it, so that a reader leaves it
 * open too.
 *
 * DUMPI was made before collectives had requests. They are written as blocking ones, as late as is safe: when
 * the program waits for one, or begins a blocking one on the same communicator, with all that were started
 * before it.
 *
 *     begin_rank ─► MPI_Init, the calls that make the rank's communicators (the plan)
 *     add        ─► one record or more for an operation; none for compute, which only moves the clock
 *     add_end    ─► collectives that still wait, MPI_Finalize
 *     finish     ─► the trailer of the last rank, the metafile, and all files to their place */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "traces/writers/dumpi.h"

#define BYTE 5        /* the number of MPI_BYTE */
#define LARGE_TYPE 28 /* 2^30 bytes */
#define WHOLE_TYPE 29 /* a whole message of more than INT32_MAX bytes */
#define LARGE_SHIFT 30
#define SECOND UINT64_C(1000000000)
/* Seconds have 16 bits in the file: between two records no more may pass than can be told from less. */
#define LONGEST_SILENCE_NS (30000 * SECOND)

/* The base is the first member. */
static struct trace_write_dumpi *dumpi_writer(struct trace_writer *base)
{
    return (struct trace_write_dumpi *)base;
}

/* ---- records */

/* The library's sentences name the file already. */
static int fail(const char *text, struct base_error *error)
{
    return base_error_set(error, BASE_SYSTEM, "%s", text);
}

/* One record at a time is put together, in the writer: it has room for the arguments of any function.
 * Durations are cut to what the 16-bit seconds can tell. */
void trace_write_dumpi_begin(struct trace_write_dumpi *writer, unsigned function, uint64_t duration_ns)
{
    dpt_record_init(&writer->record, function);
    writer->duration_ns = duration_ns < LONGEST_SILENCE_NS ? duration_ns : LONGEST_SILENCE_NS;
}

/* An argument that the function does not have is left out: callers set what several functions have in
 * common. */
void trace_write_dumpi_set(struct trace_write_dumpi *writer, enum dpt_name name, int64_t number)
{
    dpt_set_number(&writer->record, name, number);
}

/* The list must live until the record is written. */
void trace_write_dumpi_set_list(struct trace_write_dumpi *writer, enum dpt_name name, const int32_t *numbers,
                                uint32_t count)
{
    dpt_set_numbers(&writer->record, name, numbers, count);
}

/* Both clocks are the one that the program has. */
static int put_record(struct trace_write_dumpi *writer, struct dpt_record *record, uint64_t start_ns,
                      uint64_t stop_ns, struct base_error *error)
{
    record->wall = (struct dpt_interval){.start_ns = (int64_t)start_ns, .stop_ns = (int64_t)stop_ns};
    record->cpu = record->wall;
    writer->last_ns = stop_ns;
    return dpt_write(writer->file, record) != 0 ? fail(dpt_writer_geterr(writer->file), error) : 0;
}

/* A long silence is broken by calls that mean nothing. */
static int break_silence(struct trace_write_dumpi *writer, struct base_error *error)
{
    while (writer->now_ns - writer->last_ns > LONGEST_SILENCE_NS) {
        struct dpt_record record;
        dpt_record_init(&record, DPT_MPI_Wtime);
        if (put_record(writer, &record, writer->last_ns + LONGEST_SILENCE_NS,
                       writer->last_ns + LONGEST_SILENCE_NS, error) != 0)
            return -1;
    }
    return 0;
}

/* The clock goes on by the duration of the call; between calls it goes on by compute operations. */
int trace_write_dumpi_record(struct trace_write_dumpi *writer, struct base_error *error)
{
    uint64_t start_ns = writer->now_ns;

    if (break_silence(writer, error) != 0)
        return -1;
    writer->now_ns += writer->duration_ns;
    return put_record(writer, &writer->record, start_ns, writer->now_ns, error);
}

/* Buffers grow to the longest list and stay: a call has up to four lists at once. */
int32_t *trace_write_dumpi_numbers(struct trace_write_dumpi *writer, unsigned which, size_t count,
                                   struct base_error *error)
{
    if (base_grow(&writer->numbers[which], &writer->number_capacity[which], count + 1, sizeof(int32_t)) !=
        0) {
        base_error_memory(error, "the arguments of a call");
        return NULL;
    }
    memset(writer->numbers[which], 0, count * sizeof(int32_t));
    return writer->numbers[which];
}

/* MPI_Type_contiguous, once a rank. A reader follows constructors, so the type needs no size in the file's
 * table. */
static int make_large_type(struct trace_write_dumpi *writer, struct base_error *error)
{
    if (writer->has_large_type)
        return 0;
    writer->has_large_type = true;
    trace_write_dumpi_begin(writer, DPT_MPI_Type_contiguous, 0);
    trace_write_dumpi_set(writer, DPT_COUNT, 1 << LARGE_SHIFT);
    trace_write_dumpi_set(writer, DPT_OLDTYPE, BYTE);
    trace_write_dumpi_set(writer, DPT_NEWTYPE, LARGE_TYPE);
    return trace_write_dumpi_record(writer, error);
}

/* A struct of so many large blocks and the rest in bytes: exact for every size. It may write records of its
 * own: call it before trace_write_dumpi_begin. Up to INT32_MAX bytes need no type: count and MPI_BYTE say it. The
 * type's number is used again for each message. */
int trace_write_dumpi_measure(struct trace_write_dumpi *writer, uint64_t bytes, int32_t *count,
                              int32_t *datatype, struct base_error *error)
{
    static const int32_t types[] = {LARGE_TYPE, BYTE}, zeros[] = {0, 0};
    int32_t lengths[2];

    *count = (int32_t)(bytes <= INT32_MAX ? bytes : 1);
    *datatype = bytes <= INT32_MAX ? BYTE : WHOLE_TYPE;
    if (bytes <= INT32_MAX)
        return 0;
    if (bytes >> LARGE_SHIFT > INT32_MAX)
        return base_error_set(error, BASE_USAGE, "%" PRIu64 " bytes are more than DUMPI has types for",
                              bytes);
    if (make_large_type(writer, error) != 0)
        return -1;
    lengths[0] = (int32_t)(bytes >> LARGE_SHIFT);
    lengths[1] = (int32_t)(bytes & ((UINT64_C(1) << LARGE_SHIFT) - 1));
    trace_write_dumpi_begin(writer, DPT_MPI_Type_struct, 0);
    trace_write_dumpi_set(writer, DPT_COUNT, 2);
    trace_write_dumpi_set_list(writer, DPT_LENGTHS, lengths, 2);
    trace_write_dumpi_set_list(writer, DPT_INDICES, zeros, 2);
    trace_write_dumpi_set_list(writer, DPT_OLDTYPES, types, 2);
    trace_write_dumpi_set(writer, DPT_NEWTYPE, WHOLE_TYPE);
    return trace_write_dumpi_record(writer, error);
}

/* ---- messages */

/* The rank of a peer as the call has it; -1 for any. UINT32_MAX when the peer is in neither group, which
 * the caller refuses. */
static int64_t peer_of(const struct trace_write_dumpi *writer, const struct trace_op *op)
{
    bool remote;
    return op->peer == TRACE_ANY_SOURCE
               ? DPT_ANY_SOURCE
               : (int64_t)trace_writer_member(&writer->base, op->communicator, op->peer, &remote);
}

/* MPI's tags are not negative: trace_writer_tag has seen to that. */
static int64_t tag_of(const struct trace_op *op)
{
    return op->tag == TRACE_ANY_TAG ? DPT_ANY_TAG : (int64_t)op->tag;
}

/* What the trace that was read left open. */
static bool is_wildcard(const struct trace_op *op)
{
    return op->peer == TRACE_ANY_SOURCE || op->tag == TRACE_ANY_TAG;
}

/* What a receive got. A size that has no room in it stands as -1: then the posted one counts. */
static struct dpt_receive_status status_of(const struct trace_write_dumpi *writer, const struct trace_op *op)
{
    if (op->kind != TRACE_RECEIVE && op->kind != TRACE_PROBE)
        return (struct dpt_receive_status){.source = -1, .tag = -1};
    return (struct dpt_receive_status){.bytes = op->bytes <= INT32_MAX ? (int32_t)op->bytes : -1,
                                       .source = (int32_t)peer_of(writer, op),
                                       .tag = (int32_t)tag_of(op)};
}

/* By mode alone: MPI_Rsend and its like are standard sends to a replay. */
static unsigned function_of(const struct trace_op *op)
{
    bool starts = (op->flags & TRACE_NONBLOCKING) != 0;

    if (op->kind == TRACE_PROBE)
        return DPT_MPI_Probe;
    if (op->kind == TRACE_RECEIVE)
        return starts ? DPT_MPI_Irecv : DPT_MPI_Recv;
    if ((op->flags & TRACE_SYNCHRONOUS) != 0)
        return starts ? DPT_MPI_Issend : DPT_MPI_Ssend;
    if ((op->flags & TRACE_BUFFERED) != 0)
        return starts ? DPT_MPI_Ibsend : DPT_MPI_Bsend;
    return starts ? DPT_MPI_Isend : DPT_MPI_Send;
}

/* The name is kept where there is a function of that name and meaning. */
static void count_name(struct trace_write_dumpi *writer, const struct trace_op *op, unsigned function)
{
    const struct dpt_layout *layout = dpt_layout(function);

    if (op->region < writer->base.program->region_count &&
        strcmp(trace_program_region_name(writer->base.program, op->region), layout->name) != 0)
        trace_writer_lose(&writer->base, TRACE_LOSS_CALL_NAMES);
}

/* Remembers what the completion will need; its entry is the request. *number is what the record says and
 * what the wait will say again. */
static int start_request(struct trace_write_dumpi *writer, const struct trace_op *op, int64_t *number,
                         struct base_error *error)
{
    struct trace_open_request *request = trace_open_requests_add(&writer->base.requests, op);

    if (request == NULL)
        return base_error_memory(error, "the open requests of a rank");
    *number = DPT_FIRST_USER_REQUEST + (request - writer->base.requests.all);
    request->number = (uint64_t)*number;
    return 0;
}

/* Sends, receives, probes. Handles and sizes come first, since they may write records before this one. Two ways to
 * fail: a program that names a rank which is not in the communicator, and a file that cannot be written. */
static int add_message(struct trace_write_dumpi *writer, const struct trace_op *given,
                       struct base_error *error)
{
    struct trace_op with_tag = *given;
    const struct trace_op *op = &with_tag;
    unsigned function = function_of(op);
    struct dpt_receive_status status;
    int64_t peer = peer_of(writer, op), request = 0;
    int32_t count, datatype, comm;

    with_tag.tag = trace_writer_tag(&writer->base, given);
    status = status_of(writer, op);
    if (trace_write_dumpi_handle(writer, op->communicator, &comm, error) != 0 ||
        trace_write_dumpi_measure(writer, op->bytes, &count, &datatype, error) != 0)
        return -1;
    if (peer == (int64_t)UINT32_MAX)
        return base_error_set(error, BASE_INPUT, "rank %u is not in communicator %u", op->peer,
                              op->communicator);
    if ((op->flags & TRACE_NONBLOCKING) != 0 && start_request(writer, op, &request, error) != 0)
        return -1;
    count_name(writer, op, function);
    trace_write_dumpi_begin(writer, function, op->duration_ns);
    trace_write_dumpi_set(writer, DPT_COUNT, count);
    trace_write_dumpi_set(writer, DPT_DATATYPE, datatype);
    trace_write_dumpi_set(writer, op->kind == TRACE_SEND ? DPT_DEST : DPT_SOURCE, peer);
    trace_write_dumpi_set(writer, DPT_TAG, tag_of(op));
    trace_write_dumpi_set(writer, DPT_COMM, comm);
    trace_write_dumpi_set(writer, DPT_REQUEST, request);
    if (is_wildcard(op))
        writer->record.mask &= (uint8_t)~DPT_MASK_STATUS;
    else
        dpt_set_statuses(&writer->record, DPT_STATUS, &status, 1);
    return trace_write_dumpi_record(writer, error);
}

/* ---- collectives with a request */

/* Writes those that are waiting, up to the one with this request. They take no time: it was the wait's, and
 * is written there. */
static int write_waiting(struct trace_write_dumpi *writer, uint64_t last, struct base_error *error)
{
    size_t done = 0;
    bool found = false;

    while (done < writer->waiting_count && !found) {
        uint64_t number = writer->waiting[done++];
        struct trace_op op = trace_open_request_op(trace_open_requests_find(&writer->base.requests, number));
        found = number == last;
        op.flags &= ~(unsigned)TRACE_NONBLOCKING;
        op.duration_ns = 0;
        if (trace_write_dumpi_collective(writer, &op, error) != 0)
            return -1;
        trace_open_requests_remove(&writer->base.requests, number);
    }
    writer->waiting_count -= done;
    memmove(writer->waiting, writer->waiting + done, writer->waiting_count * sizeof *writer->waiting);
    return 0;
}

/* The last of those that are waiting on a communicator, and all before it. */
static int write_waiting_on(struct trace_write_dumpi *writer, uint32_t communicator, struct base_error *error)
{
    for (size_t i = writer->waiting_count; i-- > 0;) {
        uint64_t number = writer->waiting[i];
        if (trace_open_requests_find(&writer->base.requests, number)->op.communicator == communicator)
            return write_waiting(writer, number, error);
    }
    return 0;
}

/* Their numbers are in the order in which they were started, which is that of their instances. It counts as
 * a loss: the overlap is gone from the trace. */
static int hold_collective(struct trace_write_dumpi *writer, const struct trace_op *op,
                           struct base_error *error)
{
    struct trace_open_request *request = NULL;

    if (base_grow(&writer->waiting, &writer->waiting_capacity, writer->waiting_count + 1,
                  sizeof *writer->waiting) == 0)
        request = trace_open_requests_add(&writer->base.requests, op);
    if (request == NULL || trace_open_request_keep_vector(request, op) != 0)
        return base_error_memory(error, "the open requests of a rank");
    writer->waiting[writer->waiting_count++] = op->request;
    trace_writer_lose(&writer->base, TRACE_LOSS_NONBLOCKING);
    return 0;
}

/* Whatever was started on the communicator comes first, so that its collectives keep their order. */
static int add_collective(struct trace_write_dumpi *writer, const struct trace_op *op,
                          struct base_error *error)
{
    int written;

    if ((op->flags & TRACE_NONBLOCKING) != 0)
        return hold_collective(writer, op, error);
    if (write_waiting_on(writer, op->communicator, error) != 0)
        return -1;
    written = (op->flags & TRACE_IMPLIED) != 0 ? trace_write_dumpi_implied(writer, op, error) : 0;
    if (written != 0)
        return written < 0 ? -1 : 0;
    if ((op->flags & TRACE_IMPLIED) != 0)
        trace_writer_lose(&writer->base, TRACE_LOSS_IMPLIED);
    return trace_write_dumpi_collective(writer, op, error);
}

/* ---- waits */

/* Writes MPI_Wait or MPI_Waitall for the first `count` of the lists made by collect_requests. */
static int write_wait(struct trace_write_dumpi *writer, const struct trace_op *op, const int32_t *numbers,
                      uint32_t count, bool has_statuses, struct base_error *error)
{
    unsigned function = count == 1 ? DPT_MPI_Wait : DPT_MPI_Waitall;

    if (count == 0)
        return 0;
    count_name(writer, op, function);
    trace_write_dumpi_begin(writer, function, op->duration_ns);
    trace_write_dumpi_set(writer, DPT_COUNT, count);
    trace_write_dumpi_set(writer, DPT_REQUEST, numbers[0]);
    trace_write_dumpi_set_list(writer, DPT_REQUESTS, numbers, count);
    if (!has_statuses)
        writer->record.mask &= (uint8_t)~DPT_MASK_STATUS;
    dpt_set_statuses(&writer->record, DPT_STATUS, writer->statuses, 1);
    dpt_set_statuses(&writer->record, DPT_STATUSES, writer->statuses, count);
    return trace_write_dumpi_record(writer, error);
}

/* One-sided operations end with those of their whole window. */
static int complete_one_sided(struct trace_write_dumpi *writer, const struct trace_op *wait,
                              uint32_t communicator, struct base_error *error)
{
    if (trace_write_dumpi_is_implied_by(writer->base.program, wait, "MPI_Win_fence") ||
        trace_write_dumpi_is_implied_by(writer->base.program, wait, "MPI_Win_free")) {
        writer->fence_waits = true;
        return 0;
    }
    return trace_write_dumpi_complete_window(writer, communicator, wait->duration_ns, error);
}

/* The windows among a wait's requests, each once. The operations of one window that are not in the set are
 * waited for as well. A wait of the program for single transfers becomes one for their whole window, which is
 * counted as lost fidelity. */
static int wait_for_windows(struct trace_write_dumpi *writer, const struct trace_op *op,
                            struct base_error *error)
{
    bool mixed = false;

    for (size_t i = 0; i < op->request_count; i++) {
        const struct trace_open_request *request =
            trace_open_requests_find(&writer->base.requests, op->requests[i]);
        uint32_t communicator;
        if (request == NULL)
            continue;
        mixed |= i > 0;
        if (request->op.kind != TRACE_PUT && request->op.kind != TRACE_GET)
            continue;
        communicator = request->op.communicator;
        for (size_t k = i; k < op->request_count; k++) {
            request = trace_open_requests_find(&writer->base.requests, op->requests[k]);
            if (request != NULL && (request->op.kind == TRACE_PUT || request->op.kind == TRACE_GET) &&
                request->op.communicator == communicator)
                trace_open_requests_remove(&writer->base.requests, op->requests[k]);
        }
        if ((op->flags & TRACE_IMPLIED) == 0)
            trace_writer_lose(&writer->base, TRACE_LOSS_ONE_SIDED);
        if (complete_one_sided(writer, op, communicator, error) != 0)
            return -1;
    }
    (void)mixed;
    return 0;
}

/* Takes the messages out of a wait's set: their numbers and statuses. *known is false when one of them has no
 * status. */
static int collect_requests(struct trace_write_dumpi *writer, const struct trace_op *op, int32_t *numbers,
                            uint32_t *count, bool *known)
{
    *count = 0;
    *known = true;
    if (base_grow(&writer->statuses, &writer->status_capacity, op->request_count + 1,
                  sizeof *writer->statuses) != 0)
        return -1;
    for (size_t i = 0; i < op->request_count; i++) {
        const struct trace_open_request *request =
            trace_open_requests_find(&writer->base.requests, op->requests[i]);
        if (request == NULL)
            continue;
        *known &= request->op.kind != TRACE_RECEIVE || !is_wildcard(&request->op);
        writer->statuses[*count] = status_of(writer, &request->op);
        numbers[(*count)++] = (int32_t)request->number;
        trace_open_requests_remove(&writer->base.requests, op->requests[i]);
    }
    return 0;
}

/* Collectives first, in the order in which they were started; then windows, then messages. Requests that were left
 * out, or have been waited for, are no part of the record. */
static int add_wait(struct trace_write_dumpi *writer, const struct trace_op *op, struct base_error *error)
{
    int32_t *numbers;
    uint32_t count;
    bool known;

    for (size_t i = 0; i < op->request_count; i++) {
        const struct trace_open_request *request =
            trace_open_requests_find(&writer->base.requests, op->requests[i]);
        if (request != NULL && request->op.kind == TRACE_COLLECTIVE_CALL &&
            write_waiting(writer, op->requests[i], error) != 0)
            return -1;
    }
    if (wait_for_windows(writer, op, error) != 0)
        return -1;
    numbers = trace_write_dumpi_numbers(writer, 0, op->request_count, error);
    if (numbers == NULL)
        return -1;
    if (collect_requests(writer, op, numbers, &count, &known) != 0)
        return base_error_memory(error, "the arguments of a call");
    return write_wait(writer, op, numbers, count, known, error);
}

/* ---- ranks and files */

/* Requests that are open stay so: a reader finds them open where the rank ends. */
static int add_end(struct trace_write_dumpi *writer, struct base_error *error)
{
    uint64_t *open;
    size_t count;

    if (writer->waiting_count > 0 &&
        write_waiting(writer, writer->waiting[writer->waiting_count - 1], error) != 0)
        return -1;
    if (trace_open_requests_list(&writer->base.requests, &open, &count) != 0)
        return base_error_memory(error, "the open requests of a rank");
    free(open);
    for (size_t i = 0; i < count; i++)
        trace_writer_lose(&writer->base, TRACE_LOSS_OPEN_REQUESTS);
    writer->ended = true;
    trace_write_dumpi_begin(writer, DPT_MPI_Finalize, 0);
    return trace_write_dumpi_record(writer, error);
}

/* A wait that was held back for the barrier of its fence, which does not come. */
static int release_fence(struct trace_write_dumpi *writer, const struct trace_op *op,
                         struct base_error *error)
{
    if (!writer->fence_waits || (op->kind == TRACE_COLLECTIVE_CALL && (op->flags & TRACE_IMPLIED) != 0))
        return 0;
    writer->fence_waits = false;
    return trace_write_dumpi_complete_window(writer, op->communicator, 0, error);
}

/* Waits for one-sided operations are held back until it shows whether a fence follows. One operation in the
 * program's order. Compute is no record, but the time until the next one. */
static int add(struct trace_writer *base, const struct trace_op *op, struct base_error *error)
{
    struct trace_write_dumpi *writer = dumpi_writer(base);

    if (release_fence(writer, op, error) != 0)
        return -1;
    switch (op->kind) {
    case TRACE_COMPUTE:
        writer->now_ns += op->duration_ns;
        return 0;
    case TRACE_WAIT:
        return add_wait(writer, op, error);
    case TRACE_COLLECTIVE_CALL:
        return add_collective(writer, op, error);
    case TRACE_PUT:
    case TRACE_GET:
        if ((op->flags & TRACE_NONBLOCKING) != 0 && trace_open_requests_add(&base->requests, op) == NULL)
            return base_error_memory(error, "the open requests of a rank");
        return trace_write_dumpi_one_sided(writer, op, error);
    case TRACE_END:
        return add_end(writer, error);
    default:
        return add_message(writer, op, error);
    }
}

/* The trailer of a rank's file. The bases are those that the file was opened with. */
static int close_rank(struct trace_write_dumpi *writer, struct base_error *error)
{
    struct dpt_file_info info = {.hostname = "localhost",
                                 .wall_base_seconds = (int32_t)(writer->base_ns / SECOND),
                                 .cpu_base_seconds = (int32_t)(writer->base_ns / SECOND)};
    struct dpt_error failure;
    struct dpt_writer *file = writer->file;

    if (file == NULL)
        return 0;
    if (!writer->ended && add_end(writer, error) != 0)
        return -1;
    writer->file = NULL;
    trace_open_requests_clear(&writer->base.requests);
    writer->waiting_count = 0;
    return dpt_writer_close(file, &info, &failure) != 0 ? fail(failure.text, error) : 0;
}

/* Times in the file count from the second in which the rank began. */
static int open_file(struct trace_write_dumpi *writer, uint32_t rank, struct base_error *error)
{
    struct dpt_file_info info = {.wall_base_seconds = (int32_t)(writer->base_ns / SECOND),
                                 .cpu_base_seconds = (int32_t)(writer->base_ns / SECOND)};
    struct dpt_error failure;
    char ending[32];
    char *path;

    snprintf(ending, sizeof ending, "-%04" PRIu32 ".bin", rank);
    path = trace_place_path(&writer->base.place, ending, error);
    if (path == NULL)
        return -1;
    writer->file = dpt_writer_open(path, &info, &failure);
    free(path);
    return writer->file == NULL ? fail(failure.text, error) : 0;
}

/* A rank begins at its origin, so that the ranks' clocks still compare. A rank without an origin, or with
 * one that 31 bits of seconds cannot hold, begins at 0. */
static int begin_rank(struct trace_writer *base, uint32_t rank, struct base_error *error)
{
    struct trace_write_dumpi *writer = dumpi_writer(base);
    uint64_t origin = trace_program_origin_ns(base->program, rank);

    if (close_rank(writer, error) != 0)
        return -1;
    base->rank = rank;
    writer->now_ns = origin / SECOND > INT32_MAX ? 0 : origin;
    writer->last_ns = writer->now_ns;
    writer->base_ns = writer->now_ns;
    writer->ended = writer->has_large_type = writer->fence_waits = false;
    if (open_file(writer, rank, error) != 0)
        return -1;
    trace_write_dumpi_begin(writer, DPT_MPI_Init, 0);
    if (trace_write_dumpi_record(writer, error) != 0)
        return -1;
    return trace_write_dumpi_begin_communicators(writer, error);
}

/* The open file of a rank is removed with the directory it is in. Legal for a writer that was opened in
 * part. */
static void abandon(struct trace_writer *base)
{
    struct trace_write_dumpi *writer = dumpi_writer(base);

    dpt_writer_discard(writer->file);
    trace_write_dumpi_plan_free(&writer->plan);
    for (size_t i = 0; i < sizeof writer->numbers / sizeof *writer->numbers; i++)
        free(writer->numbers[i]);
    free(writer->statuses);
    free(writer->waiting);
    free(writer->windows);
    free(writer->handles);
    trace_writer_free(base);
}

/* Host and user are left out on purpose: the same program gives the same bytes. */
static int write_metafile(struct trace_write_dumpi *writer, struct base_error *error)
{
    struct dpt_error failure;
    char *path = trace_place_path(&writer->base.place, ".meta", error);
    int result;

    if (path == NULL)
        return -1;
    result = dpt_write_metafile(path, writer->base.place.stem, (int32_t)writer->base.program->ranks,
                                "localhost", NULL, 0, &failure);
    free(path);
    return result != 0 ? fail(failure.text, error) : 0;
}

/* The metafile is written last: without it there is no trace. */
static int finish(struct trace_writer *base, struct base_error *error)
{
    struct trace_write_dumpi *writer = dumpi_writer(base);
    int result = close_rank(writer, error);

    if (result == 0)
        result = write_metafile(writer, error);
    if (result == 0)
        result = trace_place_finish(&base->place, error);
    abandon(base);
    return result;
}

/* The plan needs a reading of the whole program, so what can be refused is refused before. */
static struct trace_writer *open_writer(const char *path, const struct trace_program *program,
                                        const struct trace_writer_options *options, struct base_error *error)
{
    struct trace_write_dumpi *writer = calloc(1, sizeof *writer);

    (void)options;
    if (writer == NULL) {
        base_error_memory(error, "a DUMPI writer");
        return NULL;
    }
    if (trace_writer_init(&writer->base, path, ".meta", program, error) == 0) {
        writer->handles = calloc(program->communicator_count + 1, sizeof *writer->handles);
        if (writer->handles == NULL)
            base_error_memory(error, "a DUMPI writer");
        else if (trace_write_dumpi_plan_make(&writer->plan, &writer->base, error) == 0)
            return &writer->base;
    }
    abandon(&writer->base);
    return NULL;
}

const struct trace_writer_format trace_writer_dumpi = {
    .name = "dumpi",
    .summary = "DUMPI: the metafile PATH.meta and a file PATH-0000.bin for each rank",
    .suffix = ".meta",
    .open = open_writer,
    .rank = begin_rank,
    .add = add,
    .finish = finish,
    .abandon = abandon,
    .losses = trace_writer_losses,
};
