/* Records of events, on top of what otf2-window.c says of all records:
 *
 *     time        05 and 8 bytes, before the record that it is of; none: as before
 *     attributes  06 and a length: belong to the record behind them, and are left out
 *     number      how many bytes follow (0 to 8), and these; ff: undefined
 *
 * Numbers of enumerations are one byte. The oldest types of records that hold one number only have no length.
 * A record may be longer than what we know of it.
 *
 * Numbers of types are those of OTF2 3.0. */
#include <config.h>

#include "traces/otf2-input.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "traces/grow.h"

enum { TIME = 5, ATTRIBUTES = 6, FIRST_TYPE = 10 };

/* In the order of OTF2's own list, without gaps. */
enum type {
    TYPE_BufferFlush = FIRST_TYPE,
    TYPE_MeasurementOnOff,
    TYPE_Enter,
    TYPE_Leave,
    TYPE_MpiSend,
    TYPE_MpiIsend,
    TYPE_MpiIsendComplete,
    TYPE_MpiIrecvRequest,
    TYPE_MpiRecv,
    TYPE_MpiIrecv,
    TYPE_MpiRequestTest,
    TYPE_MpiRequestCancelled,
    TYPE_MpiCollectiveBegin,
    TYPE_MpiCollectiveEnd,
    TYPE_OmpFork,
    TYPE_OmpTaskCreate = 28,
    TYPE_OmpTaskSwitch,
    TYPE_OmpTaskComplete,
    TYPE_RmaWinCreate = 35,
    TYPE_RmaWinDestroy,
    TYPE_RmaCollectiveBegin,
    TYPE_RmaCollectiveEnd,
    TYPE_RmaGroupSync,
    TYPE_RmaRequestLock,
    TYPE_RmaAcquireLock,
    TYPE_RmaTryLock,
    TYPE_RmaReleaseLock,
    TYPE_RmaSync,
    TYPE_RmaWaitChange,
    TYPE_RmaPut,
    TYPE_RmaGet,
    TYPE_RmaAtomic,
    TYPE_RmaOpCompleteBlocking,
    TYPE_RmaOpCompleteNonBlocking,
    TYPE_RmaOpTest,
    TYPE_RmaOpCompleteRemote,
    TYPE_ThreadBegin = 63,
    TYPE_ThreadEnd = 65,
    TYPE_IoCreateHandle = 69,
    TYPE_IoDestroyHandle,
    TYPE_IoDuplicateHandle,
    TYPE_IoSeek,
    TYPE_IoChangeStatusFlags,
    TYPE_IoDeleteFile,
    TYPE_IoOperationBegin,
    TYPE_IoOperationTest,
    TYPE_IoOperationIssued,
    TYPE_IoOperationComplete,
    TYPE_IoOperationCancelled,
    TYPE_IoAcquireLock,
    TYPE_IoReleaseLock,
    TYPE_IoTryLock,
    TYPE_ProgramBegin,
    TYPE_ProgramEnd,
    TYPE_NonBlockingCollectiveRequest,
    TYPE_NonBlockingCollectiveComplete,
    TYPE_CommCreate,
    TYPE_CommDestroy
};

/* 1 + the number of a record that is read over, by its type. */
static const unsigned char skipped[TYPE_CommDestroy + 1] = {
#define TRACE_OTF2_RECORD(name, parameters, reason) [TYPE_##name] = TRACE_OTF2_RECORD_##name + 1,
#include "traces/otf2-events.def"
#undef TRACE_OTF2_RECORD
};

int trace_otf2_translation_add(struct trace_otf2_translation *translation, uint64_t time, int64_t offset)
{
    struct trace_otf2_interval *interval;

    if (translation->has_offset) {
        if (trace_grow(&translation->intervals, &translation->interval_capacity,
                       translation->interval_count + 1, sizeof *translation->intervals) != 0)
            return -1;
        interval = &translation->intervals[translation->interval_count++];
        *interval = (struct trace_otf2_interval){.begin = translation->last_time,
                                                 .end = time,
                                                 .offset = translation->last_offset};
        /* Differences first: the times themselves may be more than a double holds. */
        interval->slope = (double)(int64_t)((uint64_t)offset - (uint64_t)translation->last_offset) /
                          (double)(time - translation->last_time);
    }
    translation->has_offset = true;
    translation->last_time = time;
    translation->last_offset = offset;
    return 0;
}

/* To the nearest, of two the even one: as rint of the C library, which would be the only thing of libm here. */
static int64_t nearest(double value)
{
    const double one = 4503599627370496.0; /* 2^52: doubles from there on are whole numbers */

    if (!(value > -9e18 && value < 9e18)) /* of a damaged file */
        return 0;
    if (value >= 0 && value < one)
        value = value + one - one;
    else if (value < 0 && value > -one)
        value = value - one + one;
    return (int64_t)value;
}

/* Before the first interval and after the last one theirs are continued. Times only grow. */
static uint64_t correct(struct trace_otf2_input *input, uint64_t time)
{
    const struct trace_otf2_translation *translation = input->translation;
    const struct trace_otf2_interval *interval;
    double distance;

    while (input->interval + 1 < translation->interval_count &&
           time > translation->intervals[input->interval].end)
        input->interval++;
    interval = &translation->intervals[input->interval];
    distance = time >= interval->begin ? (double)(time - interval->begin) : -(double)(interval->begin - time);
    return time + (uint64_t)interval->offset + (uint64_t)nearest(interval->slope * distance);
}

/* What a record's fields are taken from. Behind the window there are zeros: a record of a few numbers can be
 * read to its end before it is asked whether it had one. */
struct fields {
    const unsigned char *at;
    bool big_endian, wrong;
};

/* A number of at most `most` bytes. */
static inline uint64_t number(struct fields *fields, unsigned most)
{
    unsigned size = *fields->at++;
    uint64_t value = 0;

    if (size == 0)
        return 0;
    if (size > most) {
        fields->wrong |= size != 0xff;
        return most == 4 ? UINT32_MAX : UINT64_MAX;
    }
    if (size == 1)
        return *fields->at++;
    if (fields->big_endian)
        for (unsigned i = 0; i < size; i++)
            value = value << 8 | fields->at[i];
    else
        for (unsigned i = size; i-- > 0;)
            value = value << 8 | fields->at[i];
    fields->at += size;
    return value;
}

static inline uint32_t number_32(struct fields *fields)
{
    return (uint32_t)number(fields, 4);
}

static inline uint64_t number_64(struct fields *fields)
{
    return number(fields, 8);
}

static uint64_t full_number(struct fields *fields)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < 8; i++)
        value |= (uint64_t)fields->at[i] << (fields->big_endian ? 56 - 8 * i : 8 * i);
    fields->at += 8;
    return value;
}

/* A reference as all locations understand it. */
static inline uint32_t global(const OTF2_IdMap *map, uint32_t local)
{
    uint64_t id;

    return map == NULL || local == UINT32_MAX || OTF2_IdMap_GetGlobalId(map, local, &id) != OTF2_SUCCESS
               ? local
               : (uint32_t)id;
}

#define MAP(input, kind) ((input)->translation == NULL ? NULL : (input)->translation->kind)

static inline uint32_t communicator(const struct trace_otf2_input *input, struct fields *fields)
{
    return global(MAP(input, communicators), number_32(fields));
}

static inline uint32_t window(const struct trace_otf2_input *input, struct fields *fields)
{
    return global(MAP(input, windows), number_32(fields));
}

/* Receiver or sender, communicator, tag, bytes; and a request. */
static inline void read_message(const struct trace_otf2_input *input, struct fields *fields,
                                struct trace_otf2_event *event, uint32_t kind)
{
    event->kind = kind;
    event->received = 0;
    event->peer = number_32(fields);
    event->communicator = communicator(input, fields);
    event->tag = number_32(fields);
    event->bytes = number_64(fields);
    event->request = kind == TRACE_OTF2_ISEND || kind == TRACE_OTF2_IRECV ? number_64(fields) : 0;
}

/* Operation, communicator, root, bytes sent and received; and a request. */
static void read_collective(const struct trace_otf2_input *input, struct fields *fields,
                            struct trace_otf2_event *event, uint32_t kind)
{
    event->kind = kind;
    event->tag = *fields->at++;
    event->communicator = communicator(input, fields);
    event->peer = number_32(fields);
    event->bytes = number_64(fields);
    event->received = number_64(fields);
    event->request = kind == TRACE_OTF2_NONBLOCKING_COMPLETE ? number_64(fields) : 0;
}

/* Window, the other rank, bytes, and what completes it. Of an atomic operation data go both ways: the larger
 * part counts. */
static void read_transfer(const struct trace_otf2_input *input, struct fields *fields,
                          struct trace_otf2_event *event, uint32_t type)
{
    event->kind = type == TYPE_RmaGet ? TRACE_OTF2_GET : TRACE_OTF2_PUT;
    event->communicator = window(input, fields);
    event->peer = number_32(fields);
    if (type == TYPE_RmaAtomic)
        fields->at++; /* which one */
    event->bytes = number_64(fields);
    if (type == TYPE_RmaAtomic) {
        uint64_t received = number_64(fields);
        event->kind = event->bytes >= received ? TRACE_OTF2_PUT : TRACE_OTF2_GET;
        event->bytes = event->bytes >= received ? event->bytes : received;
    }
    event->request = number_64(fields);
}

/* Records that only tell which window or file a call is about. */
static void read_object(const struct trace_otf2_input *input, struct fields *fields,
                        struct trace_otf2_event *event, uint32_t type)
{
    if (type == TYPE_RmaCollectiveEnd)
        fields->at++; /* the operation */
    if (type == TYPE_RmaCollectiveEnd || type == TYPE_RmaGroupSync)
        number_32(fields); /* what it synchronises */
    event->kind = type >= TYPE_IoCreateHandle ? TRACE_OTF2_FILE : TRACE_OTF2_RMA_WINDOW;
    event->peer = number_32(fields);
    event->peer = global(event->kind == TRACE_OTF2_FILE ? MAP(input, files) : MAP(input, windows), event->peer);
}

/* The fields of rarer records. False when the record does not matter. */
static bool read_other(struct trace_otf2_input *input, struct fields *fields, struct trace_otf2_event *event,
                       uint32_t type)
{
    switch (type) {
    case TYPE_RmaWinCreate:
    case TYPE_RmaWinDestroy:
    case TYPE_RmaCollectiveEnd:
    case TYPE_RmaGroupSync:
    case TYPE_RmaReleaseLock:
    case TYPE_IoCreateHandle:
    case TYPE_IoDestroyHandle:
    case TYPE_IoSeek:
    case TYPE_IoOperationBegin:
        read_object(input, fields, event, type);
        return true;
    case TYPE_RmaPut:
    case TYPE_RmaGet:
    case TYPE_RmaAtomic:
        read_transfer(input, fields, event, type);
        return true;
    case TYPE_RmaOpCompleteBlocking:
    case TYPE_RmaOpCompleteNonBlocking:
        event->kind = TRACE_OTF2_TRANSFERRED;
        event->communicator = window(input, fields);
        event->request = number_64(fields);
        return true;
    case TYPE_CommCreate:
        event->kind = TRACE_OTF2_COMMUNICATOR_CREATED;
        event->communicator = communicator(input, fields);
        return true;
    case TYPE_BufferFlush:
        event->kind = TRACE_OTF2_FLUSH;
        event->bytes = full_number(fields);
        if (input->translation != NULL && input->translation->interval_count > 0)
            event->bytes = correct(input, event->bytes);
        return true;
    case TYPE_ThreadBegin:
    case TYPE_ThreadEnd:
    case TYPE_ProgramBegin:
    case TYPE_ProgramEnd:
        event->kind = TRACE_OTF2_TIME;
        return true;
    default:
        event->kind = TRACE_OTF2_SKIPPED;
        event->peer = type < FIRST_TYPE || type > TYPE_CommDestroy ? TRACE_OTF2_RECORD_UNKNOWN
                                                                   : (uint32_t)skipped[type] - 1;
        return event->peer != UINT32_MAX;
    }
}

enum result { EVENT, NO_EVENT, LAST_OF_CHUNK, LAST_OF_FILE, DAMAGED };

/* A record with a length. What is not read of the fields is skipped. */
static enum result read_record(struct trace_otf2_input *input, struct trace_otf2_event *event, uint32_t type)
{
    struct trace_otf2_window *source = input->window;
    struct fields fields = {.big_endian = source->big_endian};
    bool matters = true;
    uint64_t length;

    if (!trace_otf2_window_length(source, &length))
        return DAMAGED;
    if (source->held - source->next < TRACE_OTF2_WINDOW_SLACK)
        trace_otf2_window_refill(source, TRACE_OTF2_WINDOW_SLACK);
    fields.at = source->bytes + source->next;
    switch (type) {
    case TYPE_MpiSend:
        read_message(input, &fields, event, TRACE_OTF2_SEND);
        break;
    case TYPE_MpiRecv:
        read_message(input, &fields, event, TRACE_OTF2_RECV);
        break;
    case TYPE_MpiIsend:
        read_message(input, &fields, event, TRACE_OTF2_ISEND);
        break;
    case TYPE_MpiIrecv:
        read_message(input, &fields, event, TRACE_OTF2_IRECV);
        break;
    case TYPE_MpiCollectiveEnd:
        read_collective(input, &fields, event, TRACE_OTF2_COLLECTIVE_END);
        break;
    case TYPE_NonBlockingCollectiveComplete:
        read_collective(input, &fields, event, TRACE_OTF2_NONBLOCKING_COMPLETE);
        break;
    case TYPE_NonBlockingCollectiveRequest:
        event->kind = TRACE_OTF2_NONBLOCKING_REQUEST;
        event->request = number_64(&fields);
        break;
    default:
        matters = read_other(input, &fields, event, type);
    }
    if (fields.wrong || (uint64_t)(fields.at - (source->bytes + source->next)) > length ||
        !trace_otf2_window_skip(source, length))
        return DAMAGED;
    return matters ? EVENT : NO_EVENT;
}

/* A record that is one number: which kind of event, and whether the number is a region or a request. */
static inline enum result read_number(struct trace_otf2_input *input, struct trace_otf2_event *event,
                                      uint32_t type)
{
    struct trace_otf2_window *source = input->window;
    struct fields fields = {.at = source->bytes + source->next, .big_endian = source->big_endian};
    enum result result = EVENT;

    switch (type) {
    case TYPE_Enter:
    case TYPE_Leave:
        event->kind = type == TYPE_Enter ? TRACE_OTF2_ENTER : TRACE_OTF2_LEAVE;
        event->peer = global(MAP(input, regions), number_32(&fields));
        break;
    case TYPE_MpiIsendComplete:
    case TYPE_MpiIrecvRequest:
    case TYPE_MpiRequestTest:
    case TYPE_MpiRequestCancelled:
        event->kind = type == TYPE_MpiIsendComplete  ? TRACE_OTF2_ISEND_COMPLETE
                      : type == TYPE_MpiIrecvRequest ? TRACE_OTF2_IRECV_REQUEST
                      : type == TYPE_MpiRequestTest  ? TRACE_OTF2_REQUEST_TEST
                                                     : TRACE_OTF2_REQUEST_CANCELLED;
        event->request = number_64(&fields);
        break;
    default: /* of OpenMP */
        number_64(&fields);
        result = NO_EVENT;
    }
    source->next = (size_t)(fields.at - source->bytes);
    return fields.wrong || source->next > source->held ? DAMAGED : result;
}

/* Enter, Leave, and those that name a request or an OpenMP task only. */
static inline bool is_number(uint32_t type)
{
    const uint64_t numbers = UINT64_C(1) << TYPE_Enter | UINT64_C(1) << TYPE_Leave |
                             UINT64_C(1) << TYPE_MpiIsendComplete | UINT64_C(1) << TYPE_MpiIrecvRequest |
                             UINT64_C(1) << TYPE_MpiRequestTest | UINT64_C(1) << TYPE_MpiRequestCancelled |
                             UINT64_C(1) << TYPE_OmpFork | UINT64_C(1) << TYPE_OmpTaskCreate |
                             UINT64_C(1) << TYPE_OmpTaskSwitch | UINT64_C(1) << TYPE_OmpTaskComplete;

    return type < 64 && (numbers >> type & 1) != 0;
}

/* One record with its time and attributes, which makes an event or not. A time, a type and the fields of all
 * records that matter fit into the slack together. */
static inline enum result read_event(struct trace_otf2_input *input, struct trace_otf2_event *event)
{
    struct trace_otf2_window *source = input->window;
    uint32_t type = ATTRIBUTES;
    enum result result;

    while (type == ATTRIBUTES) {
        if (!trace_otf2_window_has(source, TRACE_OTF2_WINDOW_SLACK) && source->held == source->next)
            return DAMAGED;
        if (source->bytes[source->next] == TIME) {
            struct fields fields = {.at = source->bytes + source->next + 1,
                                    .big_endian = source->big_endian};
            input->time = full_number(&fields);
            source->next += 9;
            if (source->next >= source->held)
                return DAMAGED;
        }
        type = source->bytes[source->next++];
        if (type == TRACE_OTF2_CHUNK_ENDS || type == TRACE_OTF2_FILE_ENDS)
            return type == TRACE_OTF2_CHUNK_ENDS ? LAST_OF_CHUNK : LAST_OF_FILE;
        if (type == ATTRIBUTES && !trace_otf2_window_skip_record(source))
            return DAMAGED;
    }
    event->time = input->time;
    if (input->translation != NULL && input->translation->interval_count > 0)
        event->time = correct(input, input->time);
    result = is_number(type) ? read_number(input, event, type) : read_record(input, event, type);
    if (result == DAMAGED)
        return DAMAGED;
    event->position = ++input->position;
    return result;
}

int trace_otf2_input_init(struct trace_otf2_input *input, const char *path, uint64_t chunk_bytes,
                          const struct trace_otf2_translation *translation, struct base_error *error)
{
    *input = (struct trace_otf2_input){.translation = translation, .path = strdup(path)};
    input->window = malloc(sizeof *input->window);
    if (input->path == NULL || input->window == NULL) {
        trace_otf2_input_free(input);
        return base_error_memory(error, "the events of a rank");
    }
    input->window->path = NULL; /* not opened yet */
    input->window->chunk_bytes = chunk_bytes;
    return 0;
}

void trace_otf2_input_free(struct trace_otf2_input *input)
{
    free(input->window);
    free(input->path);
    *input = (struct trace_otf2_input){0};
}

/* Goes on to the next chunk, of which there must be one. */
static bool next_chunk(struct trace_otf2_input *input)
{
    struct trace_otf2_window *source = input->window;
    uint64_t begin = input->chunk;

    if (begin >= source->size || source->chunk_bytes == 0 || !trace_otf2_window_chunk(source, begin))
        return false;
    input->chunk = source->chunk_bytes < source->size - begin ? begin + source->chunk_bytes : source->size;
    input->in_chunk = true;
    return true;
}

/* Nothing is left to be read after an error either. */
static int fail(struct trace_otf2_input *input, struct base_error *error, uint64_t event)
{
    struct base_position place = base_position_of(input->path);

    input->ended = true;
    if (event > 0)
        place.event = (int64_t)event;
    return base_error_at(error, BASE_INPUT, &place, "the events are truncated or damaged");
}

static int read_batch(struct trace_otf2_input *input, struct trace_otf2_batch *batch, struct base_error *error)
{
    uint64_t end = input->position + batch->capacity;

    while (!input->ended && input->position < end) {
        enum result result = LAST_OF_CHUNK;
        if (input->in_chunk)
            result = read_event(input, &batch->events[batch->count]);
        batch->count += result == EVENT;
        if (result == LAST_OF_FILE)
            input->ended = true;
        else if (result == DAMAGED || (result == LAST_OF_CHUNK && !next_chunk(input)))
            return fail(input, error, input->position);
    }
    return 0;
}

/* The file is closed between batches, so that any number of locations can be read at a time. */
int trace_otf2_input_read(struct trace_otf2_input *input, struct trace_otf2_batch *batch, uint64_t *records,
                          struct base_error *error)
{
    uint64_t before = input->position;
    int result;

    batch->count = 0;
    *records = 0;
    if (input->window->path == NULL) {
        if (!trace_otf2_window_open(input->window, input->path, input->window->chunk_bytes)) {
            input->ended = true;
            return base_error_system(error, errno, "%s", input->path);
        }
    }
    result = read_batch(input, batch, error);
    trace_otf2_window_rest(input->window);
    *records = input->position - before;
    return result;
}
