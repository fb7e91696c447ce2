/* What the bytes mean (found by writing files with libotf2 3.0.2 and looking at them):
 *
 *     chunk    03 42, two numbers of 8 bytes, records, and one byte: 00 when another chunk follows, 02 at the
 *              end of the file
 *     time     05, 8 bytes: holds for all records behind it
 *     record   its type, the length of the rest, its fields; Enter, Leave and those of a request only have no
 *              length
 *     field    how many bytes follow (0 to 8), those from the lowest on; or ff: undefined, all ones. Times, and
 *              the operation of a collective, are written as they are
 *
 * Only little-endian files on little-endian machines are read here. */
#include <config.h>

#include "traces/otf2-archive/records.h"

#include <string.h>
#include <unistd.h>

#include "traces/otf2-archive/chunks.h"

#define LITTLE_ENDIAN_MARK 0x42
#define LARGEST_PLAIN 540 /* a record with attributes before it: each a time, type, length, and 255 bytes */

/* The types of records, as libotf2 numbers them. */
enum type {
    BUFFER_FLUSH = 10,
    MEASUREMENT = 11,
    ENTER = 12,
    LEAVE = 13,
    SEND = 14,
    ISEND = 15,
    ISEND_COMPLETE = 16,
    IRECV_REQUEST = 17,
    RECV = 18,
    IRECV = 19,
    REQUEST_TEST = 20,
    REQUEST_CANCELLED = 21,
    COLLECTIVE_BEGIN = 22,
    COLLECTIVE_END = 23,
    PARAMETER_LAST = 34, /* from 24: OpenMP, metrics and parameters, which are no events of ours */
    THREAD_FORK = 53,
    THREAD_LAST = 61, /* teams, locks and tasks of threads: nor are those */
    THREAD_BEGIN = 63,
    THREAD_END = 65,
    PROGRAM_BEGIN = 83,
    PROGRAM_END = 84,
    NONBLOCKING_REQUEST = 85,
    NONBLOCKING_COMPLETE = 86,
    COMMUNICATOR_CREATE = 87
};

enum step { RECORD, NOTHING, CHUNK_ENDED, FILE_ENDED, LEFT_TO_LIBRARY };

/* A window over part of one chunk. */
struct reading {
    int file;
    uint64_t chunk_bytes;
    unsigned char *window;
    uint64_t window_at;            /* where the window begins in the file */
    const unsigned char *at, *end; /* the next byte, and the end of those that are there */
    bool is_last;                  /* the window reaches the end of the chunk or file */
    struct trace_otf2_batch *batch;
    struct trace_otf2_place place;
    bool odd; /* a field is not as above */
};

/* Reads the window anew from the place in it. Bytes behind the end read as zero. */
static bool refill(struct reading *reading)
{
    uint64_t begin = reading->window_at + (uint64_t)(reading->at - reading->window);
    uint64_t left = reading->chunk_bytes - begin % reading->chunk_bytes;
    size_t wanted = left < TRACE_OTF2_WINDOW_BYTES ? (size_t)left : TRACE_OTF2_WINDOW_BYTES;
    /* About what a batch takes, lest a short one reads much that is read again for the next. */
    size_t enough = (reading->batch->capacity - reading->batch->count + 64) * 24;
    ssize_t got;

    if (wanted > enough)
        wanted = enough;
    got = pread(reading->file, reading->window, wanted, (off_t)begin);
    if (got < 0)
        return false;
    memset(reading->window + got, 0, TRACE_OTF2_WINDOW_MARGIN);
    reading->window_at = begin;
    reading->at = reading->window;
    reading->end = reading->window + got;
    reading->is_last = (size_t)got < wanted || wanted == left;
    return got > 0;
}

/* A field of up to `largest` bytes. */
static inline const unsigned char *number(struct reading *reading, const unsigned char *at, unsigned largest,
                                          uint64_t *value)
{
    unsigned size = *at++;
    uint64_t bytes;

    if (size > largest) {
        reading->odd |= size != TRACE_OTF2_LONG_LENGTH;
        *value = UINT64_MAX;
        return at;
    }
    memcpy(&bytes, at, sizeof bytes);
    *value = size == 8 ? bytes : bytes & ((UINT64_C(1) << 8 * size) - 1);
    return at + size;
}

static inline const unsigned char *small(struct reading *reading, const unsigned char *at, uint32_t *value)
{
    uint64_t wide;

    at = number(reading, at, 4, &wide);
    *value = (uint32_t)wide;
    return at;
}

/* The next event of the batch, which has room: there are no more events than records. */
static inline struct trace_otf2_event *add(struct reading *reading, uint32_t kind)
{
    struct trace_otf2_event *event = &reading->batch->events[reading->batch->count++];

    event->kind = kind;
    event->time = reading->place.time;
    event->position = reading->place.position + 1;
    return event;
}

/* Enter and Leave. */
static const unsigned char *region(struct reading *reading, const unsigned char *at, uint32_t kind)
{
    struct trace_otf2_event *event = add(reading, kind);

    at = small(reading, at, &event->peer);
    event->peer = trace_otf2_translate(&reading->batch->regions, event->peer);
    return at;
}

/* Peer, communicator, tag, bytes, and of a non-blocking message the request. */
static const unsigned char *message(struct reading *reading, const unsigned char *at, uint32_t kind)
{
    struct trace_otf2_event *event = add(reading, kind);

    at = small(reading, at, &event->peer);
    at = small(reading, at, &event->communicator);
    at = small(reading, at, &event->tag);
    at = number(reading, at, 8, &event->bytes);
    if (kind == TRACE_OTF2_ISEND || kind == TRACE_OTF2_IRECV)
        at = number(reading, at, 8, &event->request);
    else
        event->request = 0;
    event->communicator = trace_otf2_translate(&reading->batch->communicators, event->communicator);
    return at;
}

static const unsigned char *request(struct reading *reading, const unsigned char *at, uint32_t kind)
{
    return number(reading, at, 8, &add(reading, kind)->request);
}

/* The operation, which is one byte, communicator, root, both sizes, and a request where there is one. */
static const unsigned char *collective(struct reading *reading, const unsigned char *at, uint32_t kind)
{
    struct trace_otf2_event *event = add(reading, kind);

    event->tag = *at++;
    at = small(reading, at, &event->communicator);
    at = small(reading, at, &event->peer);
    at = number(reading, at, 8, &event->bytes);
    at = number(reading, at, 8, &event->received);
    event->request = 0;
    if (kind == TRACE_OTF2_NONBLOCKING_COMPLETE)
        at = number(reading, at, 8, &event->request);
    event->communicator = trace_otf2_translate(&reading->batch->communicators, event->communicator);
    return at;
}

static const unsigned char *communicator(struct reading *reading, const unsigned char *at)
{
    struct trace_otf2_event *event = add(reading, TRACE_OTF2_COMMUNICATOR_CREATED);

    at = small(reading, at, &event->communicator);
    event->communicator = trace_otf2_translate(&reading->batch->communicators, event->communicator);
    return at;
}

/* The fields of a record that has a length, as far as they are looked at; NULL for a type that is left to
 * libotf2. */
static const unsigned char *fields(struct reading *reading, unsigned type, const unsigned char *at)
{
    switch (type) {
    case SEND:
        return message(reading, at, TRACE_OTF2_SEND);
    case ISEND:
        return message(reading, at, TRACE_OTF2_ISEND);
    case RECV:
        return message(reading, at, TRACE_OTF2_RECV);
    case IRECV:
        return message(reading, at, TRACE_OTF2_IRECV);
    case COLLECTIVE_END:
        return collective(reading, at, TRACE_OTF2_COLLECTIVE_END);
    case NONBLOCKING_COMPLETE:
        return collective(reading, at, TRACE_OTF2_NONBLOCKING_COMPLETE);
    case NONBLOCKING_REQUEST:
        return request(reading, at, TRACE_OTF2_NONBLOCKING_REQUEST);
    case COMMUNICATOR_CREATE:
        return communicator(reading, at);
    case BUFFER_FLUSH:
        memcpy(&add(reading, TRACE_OTF2_FLUSH)->bytes, at, 8);
        return at + 8;
    case MEASUREMENT:
        add(reading, TRACE_OTF2_SKIPPED)->peer = TRACE_OTF2_RECORD_MeasurementOnOff;
        return at;
    case THREAD_BEGIN:
    case THREAD_END:
    case PROGRAM_BEGIN:
    case PROGRAM_END:
        add(reading, TRACE_OTF2_TIME);
        return at;
    default:
        return type == COLLECTIVE_BEGIN || (type > COLLECTIVE_END && type <= PARAMETER_LAST) ||
                       (type >= THREAD_FORK && type <= THREAD_LAST)
                   ? at
                   : NULL;
    }
}

/* A record with a length: newer libraries may have added fields at its end. */
static enum step long_record(struct reading *reading, unsigned type, const unsigned char *at)
{
    unsigned length = *at++;
    const unsigned char *read = at;

    if (length == TRACE_OTF2_LONG_LENGTH)
        return LEFT_TO_LIBRARY;
    if (type != TRACE_OTF2_ATTRIBUTES && ((read = fields(reading, type, at)) == NULL || read > at + length))
        return LEFT_TO_LIBRARY;
    reading->at = at + length;
    return type == TRACE_OTF2_ATTRIBUTES ? NOTHING : RECORD;
}

/* The records of a number only. Those of OpenMP are no events of ours. */
static void short_record(struct reading *reading, unsigned type, const unsigned char *at)
{
    uint64_t ignored;

    switch (type) {
    case ENTER:
        reading->at = region(reading, at, TRACE_OTF2_ENTER);
        break;
    case LEAVE:
        reading->at = region(reading, at, TRACE_OTF2_LEAVE);
        break;
    case ISEND_COMPLETE:
        reading->at = request(reading, at, TRACE_OTF2_ISEND_COMPLETE);
        break;
    case IRECV_REQUEST:
        reading->at = request(reading, at, TRACE_OTF2_IRECV_REQUEST);
        break;
    case REQUEST_TEST:
        reading->at = request(reading, at, TRACE_OTF2_REQUEST_TEST);
        break;
    case REQUEST_CANCELLED:
        reading->at = request(reading, at, TRACE_OTF2_REQUEST_CANCELLED);
        break;
    default:
        reading->at = number(reading, at, 8, &ignored);
    }
}

/* A time and a record behind it, or attributes. All of it is inside the window or its margin. Events before
 * the first time have one that only libotf2 knows. */
static inline enum step take_record(struct reading *reading)
{
    const unsigned char *at = reading->at;
    enum step step = RECORD;
    unsigned type;

    if (*at == TRACE_OTF2_TIME_BEGINS) {
        memcpy(&reading->place.time, at + 1, sizeof reading->place.time);
        reading->place.has_time = true;
        at += TRACE_OTF2_TIME_BYTES;
    }
    type = *at++;
    if (type == TRACE_OTF2_CHUNK_ENDS || type == TRACE_OTF2_FILE_ENDS) {
        reading->at = at;
        step = type == TRACE_OTF2_CHUNK_ENDS ? CHUNK_ENDED : FILE_ENDED;
    } else if (!reading->place.has_time) {
        return LEFT_TO_LIBRARY;
    } else if (trace_otf2_is_number(type)) {
        short_record(reading, type, at);
    } else {
        step = long_record(reading, type, at);
    }
    return reading->odd || reading->at > reading->end ? LEFT_TO_LIBRARY : step;
}

/* Where a chunk begins stands its header. */
static bool begin_chunk(struct reading *reading)
{
    if (reading->end - reading->at < TRACE_OTF2_HEADER_BYTES || reading->at[0] != TRACE_OTF2_CHUNK_BEGINS ||
        reading->at[1] != LITTLE_ENDIAN_MARK)
        return false;
    reading->at += TRACE_OTF2_HEADER_BYTES;
    return true;
}

static uint64_t offset(const struct reading *reading)
{
    return reading->window_at + (uint64_t)(reading->at - reading->window);
}

/* To the next chunk, which begins at a multiple of their size. */
static bool next_chunk(struct reading *reading)
{
    reading->window_at = (offset(reading) / reading->chunk_bytes + 1) * reading->chunk_bytes;
    reading->at = reading->window;
    return refill(reading) && begin_chunk(reading);
}

/* True when nothing is left to libotf2. */
static bool read_records(struct reading *reading, uint64_t wanted)
{
    enum step step = RECORD;

    while (reading->place.position < wanted && step != FILE_ENDED) {
        if (reading->end - reading->at < LARGEST_PLAIN && !reading->is_last && !refill(reading))
            return false;
        step = take_record(reading);
        if (step == LEFT_TO_LIBRARY || (step == CHUNK_ENDED && !next_chunk(reading)))
            return false;
        reading->place.position += step == RECORD;
    }
    /* The end is met again by whoever asks for more. */
    if (step == FILE_ENDED)
        reading->at--;
    return true;
}

bool trace_otf2_records_read(int file, uint64_t chunk_bytes, struct trace_otf2_place *place,
                             struct trace_otf2_batch *batch, unsigned char *window, uint64_t *records)
{
    struct reading reading = {.file = file,
                              .chunk_bytes = chunk_bytes,
                              .window = window,
                              .window_at = place->offset,
                              .at = window,
                              .batch = batch,
                              .place = *place};

    batch->count = 0;
    /* Where the last record ended a chunk to its last byte, its end is yet to come: not here. */
    if (!refill(&reading) || (place->offset == 0 && !begin_chunk(&reading)) ||
        !read_records(&reading, place->position + batch->capacity))
        return false;
    *records = reading.place.position - place->position;
    reading.place.offset = offset(&reading);
    *place = reading.place;
    return true;
}
