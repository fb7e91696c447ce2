/* The records that nearly all are, each taken in one piece: messages, waits, collectives without lists. Only where the
 * record has a thread and both clocks, as today's recorders write it, and lies in the window with all that may belong
 * to it. Then there is nothing that could fail, no length to check but those of lists, and no layout to follow.
 *
 *     cursor                                                                        end of the window
 *     | function mask thread | CPU time | wall time | numbers [list] numbers | ROOM ···|
 *     0        2    3        5          17          29                       at: the next record
 *
 * Whatever is out of the ordinary is left to the general way (stream.c, decode.c), damage included: nothing has
 * happened then but that values were written which the general way writes again. */
#include "traces/dumpitrace/stream.h"

#define TAKE_INLINE static inline __attribute__((always_inline))

#define FRONT_BYTES 29
/* No more than this is taken before the next look at the end of the window: the front and the longest run of numbers,
 * which is that of MPI_Sendrecv, or a list's length and the numbers behind it. */
#define ROOM 96

/* Functions with the same numbers and lists, whatever these mean. */
enum shape {
    NOT_PLAIN,
    EMPTY,
    COMM,
    COMM_NUMBER,
    REQUEST,
    REQUESTS,
    RECV,
    SEND,
    ISEND,
    SENDRECV,
    SENDRECV_REPLACE,
    PROBE,
    IPROBE,
    WAIT,
    TEST,
    WAITANY,
    TESTANY,
    WAITALL,
    TESTALL,
    WAITSOME,
    BCAST,
    REDUCE,
    ALLREDUCE,
    ALLTOALL
};

static const uint8_t shapes[DPT_FUNCTION_COUNT] = {
    [DPT_MPI_Wtime] = EMPTY,
    [DPT_MPI_Wtick] = EMPTY,
    [DPT_MPI_Barrier] = COMM,
    [DPT_MPI_Comm_size] = COMM_NUMBER,
    [DPT_MPI_Comm_rank] = COMM_NUMBER,
    [DPT_MPI_Start] = REQUEST,
    [DPT_MPI_Request_free] = REQUEST,
    [DPT_MPI_Cancel] = REQUEST,
    [DPT_MPI_Startall] = REQUESTS,
    [DPT_MPI_Send] = SEND,
    [DPT_MPI_Bsend] = SEND,
    [DPT_MPI_Ssend] = SEND,
    [DPT_MPI_Rsend] = SEND,
    [DPT_MPI_Isend] = ISEND,
    [DPT_MPI_Ibsend] = ISEND,
    [DPT_MPI_Issend] = ISEND,
    [DPT_MPI_Irsend] = ISEND,
    [DPT_MPI_Irecv] = ISEND,
    [DPT_MPI_Recv] = RECV,
    [DPT_MPI_Sendrecv] = SENDRECV,
    [DPT_MPI_Sendrecv_replace] = SENDRECV_REPLACE,
    [DPT_MPI_Probe] = PROBE,
    [DPT_MPI_Iprobe] = IPROBE,
    [DPT_MPI_Wait] = WAIT,
    [DPT_MPI_Test] = TEST,
    [DPT_MPI_Waitany] = WAITANY,
    [DPT_MPI_Testany] = TESTANY,
    [DPT_MPI_Waitall] = WAITALL,
    [DPT_MPI_Testall] = TESTALL,
    [DPT_MPI_Waitsome] = WAITSOME,
    [DPT_MPI_Testsome] = WAITSOME,
    [DPT_MPI_Bcast] = BCAST,
    [DPT_MPI_Reduce] = REDUCE,
    [DPT_MPI_Allreduce] = ALLREDUCE,
    [DPT_MPI_Scan] = ALLREDUCE,
    [DPT_MPI_Exscan] = ALLREDUCE,
    [DPT_MPI_Allgather] = ALLTOALL,
    [DPT_MPI_Alltoall] = ALLTOALL,
};

/* ---- Numbers: into a value, returning the byte behind ---- */

static inline void set_number(struct dpt_value *value, int64_t number)
{
    value->number = number;
    value->numbers = NULL;
    value->present = true;
}

/* Counts, ranks, tags, requests, flags. */
static inline const uint8_t *take_32(struct dpt_value *value, const uint8_t *at)
{
    set_number(value, dumpi_i32(at));
    return at + 4;
}

/* Communicators and datatypes. */
static inline const uint8_t *take_16(struct dpt_value *value, const uint8_t *at)
{
    set_number(value, (int16_t)dumpi_u16(at));
    return at + 2;
}

/* Operations of reductions. */
static inline const uint8_t *take_8(struct dpt_value *value, const uint8_t *at)
{
    set_number(value, *at);
    return at + 1;
}

/* A count of a datatype. */
static inline const uint8_t *take_data(struct dpt_value *values, const uint8_t *at)
{
    return take_16(&values[1], take_32(&values[0], at));
}

/* These, a peer and a tag. */
static inline const uint8_t *take_message(struct dpt_value *values, const uint8_t *at)
{
    return take_32(&values[3], take_32(&values[2], take_data(values, at)));
}

/* ---- Lists: NULL where they do not lie in the window, or memory would be needed ---- */

/* Room for `count` elements, of which each has so many bytes in the file and in memory. The chunk of the pool is made
 * by the first record with a list, which goes the general way. */
TAKE_INLINE void *room_for(struct dpt_stream *stream, const uint8_t *at, int64_t count, size_t file_bytes,
                           size_t memory_bytes)
{
    struct dumpi_chunk *chunk = stream->record_pool.chunk;
    size_t left = (size_t)(stream->input->end - at);

    if (chunk == NULL || (uint64_t)count > DUMPI_WINDOW_BYTES || (size_t)count * file_bytes + ROOM > left ||
        (size_t)count * memory_bytes + sizeof(max_align_t) > chunk->size - chunk->used)
        return NULL;
    return dumpi_pool_get(&stream->record_pool, (size_t)count * memory_bytes);
}

static const uint8_t *take_list(struct dpt_stream *stream, struct dpt_value *value, const uint8_t *at)
{
    int64_t count = dumpi_i32(at);
    int32_t *numbers = room_for(stream, at, count, 4, sizeof *numbers);

    if (numbers == NULL)
        return NULL;
    at += 4;
    for (int64_t i = 0; i < count; i++)
        numbers[i] = dumpi_i32(at + 4 * i);
    value->number = count;
    value->numbers = numbers;
    value->present = true;
    return at + 4 * count;
}

/* As the layout's: bytes, source, cancelled, error, tag. */
TAKE_INLINE const uint8_t *take_statuses(struct dpt_stream *stream, struct dpt_value *value,
                                         const uint8_t *at)
{
    enum { STATUS_BYTES = 14 };
    struct dpt_receive_status *statuses;
    int64_t count;

    value->present = (stream->record.mask & DPT_MASK_STATUS) != 0;
    value->number = 0;
    value->statuses = NULL;
    if (!value->present)
        return at;
    count = dumpi_i32(at);
    statuses = room_for(stream, at, count, STATUS_BYTES, sizeof *statuses);
    if (statuses == NULL)
        return NULL;
    at += 4;
    for (int64_t i = 0; i < count; i++, at += STATUS_BYTES) {
        statuses[i].bytes = dumpi_i32(at);
        statuses[i].source = dumpi_i32(at + 4);
        statuses[i].cancelled = (int8_t)at[8];
        statuses[i].error = (int8_t)at[9];
        statuses[i].tag = dumpi_i32(at + 10);
    }
    value->number = count;
    value->statuses = statuses;
    return at;
}

/* For all but the two commonest, which take theirs in line. */
static __attribute__((noinline)) const uint8_t *take_some_statuses(struct dpt_stream *stream,
                                                                   struct dpt_value *value, const uint8_t *at)
{
    return take_statuses(stream, value, at);
}

/* ---- Records ---- */

/* Calls on lists of requests: their count and the list, then what each has. */
static const uint8_t *take_requests(struct dpt_stream *stream, struct dpt_value *values, unsigned shape,
                                    const uint8_t *at)
{
    at = take_list(stream, &values[1], take_32(&values[0], at));
    if (at == NULL || shape == REQUESTS)
        return at;
    if (shape == WAITALL)
        return take_some_statuses(stream, &values[2], at);
    at = take_32(&values[2], at);
    if (shape == WAITANY || shape == TESTALL)
        return take_some_statuses(stream, &values[3], at);
    at = shape == TESTANY ? take_32(&values[3], at) : take_list(stream, &values[3], at);
    return at == NULL ? NULL : take_some_statuses(stream, &values[4], at);
}

/* Both messages of an exchange, the communicator, the status of the receive. */
static const uint8_t *take_exchange(struct dpt_stream *stream, struct dpt_value *values, bool replaces,
                                    const uint8_t *at)
{
    at = take_message(values, at);
    if (replaces)
        at = take_32(&values[5], take_32(&values[4], at));
    else
        at = take_message(&values[4], at);
    values += replaces ? 6 : 8;
    return take_some_statuses(stream, &values[1], take_16(&values[0], at));
}

/* All that is not among the commonest. */
static const uint8_t *take_rest(struct dpt_stream *stream, struct dpt_value *values, unsigned shape,
                                const uint8_t *at)
{
    switch (shape) {
    case EMPTY:
        return at;
    case COMM:
        return take_16(&values[0], at);
    case COMM_NUMBER:
        return take_32(&values[1], take_16(&values[0], at));
    case REQUEST:
        return take_32(&values[0], at);
    case TEST:
        at = take_32(&values[1], take_32(&values[0], at));
        return take_some_statuses(stream, &values[2], at);
    case PROBE:
    case IPROBE:
        at = take_16(&values[2], take_32(&values[1], take_32(&values[0], at)));
        if (shape == IPROBE)
            at = take_32(&values[3], at);
        return take_some_statuses(stream, &values[shape == IPROBE ? 4 : 3], at);
    case BCAST:
        return take_16(&values[3], take_32(&values[2], take_data(values, at)));
    case REDUCE:
        at = take_8(&values[2], take_data(values, at));
        return take_16(&values[4], take_32(&values[3], at));
    case ALLREDUCE:
        return take_16(&values[3], take_8(&values[2], take_data(values, at)));
    case ALLTOALL:
        return take_16(&values[4], take_data(&values[2], take_data(values, at)));
    case SENDRECV:
    case SENDRECV_REPLACE:
        return take_exchange(stream, values, shape == SENDRECV_REPLACE, at);
    case REQUESTS:
    case WAITANY:
    case TESTANY:
    case WAITALL:
    case TESTALL:
    case WAITSOME:
        return take_requests(stream, values, shape, at);
    default:
        return NULL;
    }
}

/* The arguments, up to the end of the record. NULL: not plain. */
static inline const uint8_t *take_arguments(struct dpt_stream *stream, struct dpt_value *values,
                                            unsigned shape, const uint8_t *at)
{
    switch (shape) {
    case SEND:
        return take_16(&values[4], take_message(values, at));
    case ISEND:
        return take_32(&values[5], take_16(&values[4], take_message(values, at)));
    case RECV:
        return take_statuses(stream, &values[5], take_16(&values[4], take_message(values, at)));
    case WAIT:
        return take_statuses(stream, &values[1], take_32(&values[0], at));
    default:
        return take_rest(stream, values, shape, at);
    }
}

/* Of a send, for dpt_flavour: all other shapes have no destination there, or are received from. */
static inline void count_destination(struct dpt_statistics *statistics, unsigned function, int64_t peer)
{
    if (peer < 0 && function != DPT_MPI_Irecv) {
        statistics->to_rank_minus_1 += peer == -1;
        statistics->to_rank_minus_2 += peer == -2;
    }
}

/* As count_record of stream.c. */
static inline int count(struct dpt_stream *stream, unsigned function, unsigned shape, const uint8_t *end)
{
    struct dpt_statistics *statistics = &stream->statistics;
    bool given = !stream->filtering || stream->wanted[function];

    statistics->calls[function]++;
    statistics->records += given;
    statistics->filtered += !given;
    statistics->bytes += (uint64_t)(end - stream->input->cursor);
    if (shape >= SEND && shape <= SENDRECV_REPLACE)
        count_destination(statistics, function, stream->record.values[2].number);
    stream->last_function = (uint16_t)function;
    stream->next_index++;
    stream->input->cursor = end;
    return given ? 1 : 2;
}

/* 1 when it passes the filter, 2 when it does not; 0: the record is not plain, and nothing has been taken. */
static inline int read_plain(struct dpt_stream *stream)
{
    static const unsigned clocks = DPT_MASK_THREAD | DPT_MASK_CPU | DPT_MASK_WALL;
    struct dpt_record *record = &stream->record;
    const uint8_t *begin = stream->input->cursor;
    const uint8_t *end;
    unsigned function, shape;

    if (stream->input->end - begin < FRONT_BYTES + ROOM || !stream->plain)
        return 0;
    function = dumpi_u16(begin);
    shape = function < DPT_FUNCTION_COUNT ? shapes[function] : NOT_PLAIN;
    if (shape == NOT_PLAIN || (begin[2] & (clocks | DPT_MASK_COUNTERS)) != clocks)
        return 0;
    dumpi_pool_reset(&stream->record_pool);
    record->mask = begin[2];
    end = take_arguments(stream, record->values, shape, begin + FRONT_BYTES);
    if (end == NULL)
        return 0;
    record->index = stream->next_index;
    record->offset = dumpi_offset(stream->input);
    record->function = (uint16_t)function;
    record->layout = &dumpi_layouts[function];
    record->thread = dumpi_u16(begin + 3);
    record->counter_count = 0;
    record->counters = NULL;
    dumpi_read_interval(&stream->statistics, &stream->cpu, begin + 5, &record->cpu);
    dumpi_read_interval(&stream->statistics, &stream->wall, begin + 17, &record->wall);
    return count(stream, function, shape, end);
}

/* A loop and not a recursion over what the filter leaves out: a filter may leave out millions of records
 * in a row. */
int dpt_next(struct dpt_stream *stream, const struct dpt_record **record)
{
    int more;

    *record = &stream->record;
    do {
        more = read_plain(stream);
        if (more == 0)
            more = dumpi_next_of_any(stream);
    } while (more == 2);
    return more;
}
