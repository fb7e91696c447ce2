/* What a file looks like is drawn in chunks.c. A record of events, and the fields of those that are read here:
 *
 *     time          05, 8 bytes; where it is missing, that of the record before
 *     type          1 byte
 *     length        1 byte, of the fields; not of records with one number alone
 *     fields        numbers: how many bytes follow, and these, the lowest first; ff: undefined, all ones.
 *                   Operations of collectives are 1 byte.
 *
 * Fields must fill their length, and numbers be as long as libotf2 lets them be. */
#include <config.h>

#include "traces/otf2-archive/plain.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <otf2/OTF2_GeneralDefinitions.h>

/* As libotf2 3.0 writes them. */
enum type {
    CHUNK_ENDS = 0,
    FILE_ENDS = 2,
    CHUNK_BEGINS = 3,
    TIME_BEGINS = 5,
    ENTER = 12,
    LEAVE,
    SEND,
    ISEND,
    ISEND_COMPLETE,
    IRECV_REQUEST,
    RECV,
    IRECV,
    REQUEST_TEST,
    REQUEST_CANCELLED,
    COLLECTIVE_BEGIN,
    COLLECTIVE_END,
    THREAD_BEGIN = 63,
    THREAD_END = 65,
    PROGRAM_BEGIN = 83,
    PROGRAM_END,
    NONBLOCKING_REQUEST,
    NONBLOCKING_COMPLETE,
    COMMUNICATOR_CREATED
};

#define HEADER_BYTES 18 /* of a chunk */
#define TIME_BYTES 9
#define UNDEFINED 0xff
#define LARGEST (TIME_BYTES + 2 + 255) /* record */
#define WINDOW 65536

struct trace_otf2_plain {
    int file;                /* its descriptor, owned */
    uint64_t chunk_bytes;    /* what the anchor says */
    uint64_t begin, at;      /* of the chunk; what is to be read into the window next, in the file */
    uint64_t position, time; /* records behind; the time of the last */
    size_t next, held;       /* in the window: the next byte to look at, the end */
    bool has_time, ended;    /* a record of the chunk had a time; the end of the file was seen */
    unsigned char bytes[WINDOW + LARGEST]; /* what is behind `held` may be looked at, and is of no account */
};

/* At the end of a file, or a chunk, there is less than was asked for. */
static void refill(struct trace_otf2_plain *plain)
{
    uint64_t end = plain->begin + plain->chunk_bytes;

    plain->held -= plain->next;
    memmove(plain->bytes, plain->bytes + plain->next, plain->held);
    plain->next = 0;
    while (plain->held < LARGEST && plain->at < end) {
        size_t room = WINDOW - plain->held;
        ssize_t got = pread(plain->file, plain->bytes + plain->held,
                            end - plain->at < room ? (size_t)(end - plain->at) : room, (off_t)plain->at);
        if (got <= 0)
            return;
        plain->held += (size_t)got;
        plain->at += (uint64_t)got;
    }
}

/* False: no chunk begins there whose bytes are as ours. Of its header the numbers of its first and last record. */
static bool begin_chunk(struct trace_otf2_plain *plain, uint64_t begin, uint64_t numbers[2])
{
    plain->begin = plain->at = begin;
    plain->next = plain->held = 0;
    refill(plain);
    if (plain->held < HEADER_BYTES || plain->bytes[0] != CHUNK_BEGINS || plain->bytes[1] != 'B')
        return false;
    memcpy(numbers, plain->bytes + 2, 2 * sizeof *numbers);
    plain->next = HEADER_BYTES;
    return true;
}

/* A number of at most `largest` bytes, behind which *at stands then. False: it is longer. */
static inline bool take(const unsigned char **at, unsigned largest, uint64_t *value)
{
    unsigned size = **at;

    if (size > largest) {
        *value = UINT64_MAX;
        ++*at;
        return size == UNDEFINED;
    }
    memcpy(value, *at + 1, sizeof *value);
    if (size < sizeof *value)
        *value &= (UINT64_C(1) << 8 * size) - 1;
    *at += size + 1;
    return true;
}

static inline bool take_32(const unsigned char **at, uint32_t *value)
{
    uint64_t number;
    bool fits = take(at, sizeof *value, &number);

    *value = (uint32_t)number;
    return fits;
}

/* Of a message with a request or without. */
static inline bool take_message(const unsigned char **at, const struct trace_otf2_batch *batch,
                                bool has_request, struct trace_otf2_event *event)
{
    uint32_t communicator;
    bool fits = take_32(at, &event->peer) && take_32(at, &communicator) && take_32(at, &event->tag) &&
                take(at, 8, &event->bytes);

    event->request = 0;
    if (!fits || (has_request && !take(at, 8, &event->request)))
        return false;
    event->communicator = trace_otf2_translate(&batch->communicators, communicator);
    return true;
}

static bool take_collective(const unsigned char **at, const struct trace_otf2_batch *batch, bool has_request,
                            struct trace_otf2_event *event)
{
    uint32_t communicator;

    event->tag = *(*at)++;
    if (!take_32(at, &communicator) || !take_32(at, &event->peer) || !take(at, 8, &event->bytes) ||
        !take(at, 8, &event->received) || (has_request && !take(at, 8, &event->request)))
        return false;
    event->communicator = trace_otf2_translate(&batch->communicators, communicator);
    return true;
}

static bool take_communicator(const unsigned char **at, const struct trace_otf2_batch *batch,
                              struct trace_otf2_event *event)
{
    uint32_t communicator;
    bool fits = take_32(at, &communicator);

    event->communicator = trace_otf2_translate(&batch->communicators, communicator);
    return fits;
}

/* Of a thread or program that begins or ends only the time matters. */
static bool take_thread(const unsigned char **at)
{
    uint32_t contingent;
    uint64_t sequence;

    return take_32(at, &contingent) && take(at, 8, &sequence);
}

static bool take_program(const unsigned char **at, const unsigned char *end)
{
    uint32_t name, count, argument;
    bool fits = take_32(at, &name) && take_32(at, &count);

    for (uint32_t i = 0; fits && i < count; i++)
        fits = *at < end && take_32(at, &argument);
    return fits;
}

/* The fields of a record that has a length, of all but the commonest types. */
static bool take_rare(const unsigned char **at, const unsigned char *end, unsigned type,
                      const struct trace_otf2_batch *batch, struct trace_otf2_event *event)
{
    uint64_t status;

    switch (type) {
    case COLLECTIVE_END:
        event->kind = TRACE_OTF2_COLLECTIVE_END;
        return take_collective(at, batch, false, event);
    case NONBLOCKING_COMPLETE:
        event->kind = TRACE_OTF2_NONBLOCKING_COMPLETE;
        return take_collective(at, batch, true, event);
    case NONBLOCKING_REQUEST:
        event->kind = TRACE_OTF2_NONBLOCKING_REQUEST;
        return take(at, 8, &event->request);
    case COMMUNICATOR_CREATED:
        event->kind = TRACE_OTF2_COMMUNICATOR_CREATED;
        return take_communicator(at, batch, event);
    case THREAD_BEGIN:
    case THREAD_END:
        event->kind = TRACE_OTF2_TIME;
        return take_thread(at);
    case PROGRAM_BEGIN:
        event->kind = TRACE_OTF2_TIME;
        return take_program(at, end);
    case PROGRAM_END:
        event->kind = TRACE_OTF2_TIME;
        return take(at, 8, &status);
    default:
        return false;
    }
}

/* The commonest have a kind and fields in which all others are alike. NULL: not what libotf2 writes, or not known
 * here. */
static inline const unsigned char *take_long(const unsigned char *at, unsigned type,
                                             const struct trace_otf2_batch *batch,
                                             struct trace_otf2_event *event)
{
    static const unsigned char kinds[] = {[SEND] = TRACE_OTF2_SEND,
                                          [ISEND] = TRACE_OTF2_ISEND,
                                          [RECV] = TRACE_OTF2_RECV,
                                          [IRECV] = TRACE_OTF2_IRECV};
    const unsigned char *end = at + 1 + *at;
    bool fits = *at++ != UNDEFINED;

    if (type == SEND || type == ISEND || type == RECV || type == IRECV) {
        event->kind = kinds[type];
        fits = fits && take_message(&at, batch, type == ISEND || type == IRECV, event);
    } else if (fits && type != COLLECTIVE_BEGIN) {
        *event = (struct trace_otf2_event){.position = event->position, .time = event->time};
        fits = take_rare(&at, end, type, batch, event);
    }
    return fits && at == end ? at : NULL;
}

/* Behind the type, up to the end of the record. */
static inline const unsigned char *take_record(const unsigned char *at, unsigned type,
                                               const struct trace_otf2_batch *batch,
                                               struct trace_otf2_event *event)
{
    static const unsigned char kinds[] = {[ISEND_COMPLETE] = TRACE_OTF2_ISEND_COMPLETE,
                                          [IRECV_REQUEST] = TRACE_OTF2_IRECV_REQUEST,
                                          [REQUEST_TEST] = TRACE_OTF2_REQUEST_TEST,
                                          [REQUEST_CANCELLED] = TRACE_OTF2_REQUEST_CANCELLED};
    uint32_t region;

    switch (type) {
    case ENTER:
    case LEAVE:
        event->kind = type == ENTER ? TRACE_OTF2_ENTER : TRACE_OTF2_LEAVE;
        if (!take_32(&at, &region))
            return NULL;
        event->peer = trace_otf2_translate(&batch->regions, region);
        return at;
    case ISEND_COMPLETE:
    case IRECV_REQUEST:
    case REQUEST_TEST:
    case REQUEST_CANCELLED:
        event->kind = kinds[type];
        return take(&at, 8, &event->request) ? at : NULL;
    default:
        return take_long(at, type, batch, event);
    }
}

/* The ends of chunks have no time. False: the file does not go on as it should. */
static bool end_chunk(struct trace_otf2_plain *plain, unsigned type)
{
    uint64_t numbers[2];

    plain->ended = type == FILE_ENDS;
    return plain->ended ||
           (type == CHUNK_ENDS && begin_chunk(plain, plain->begin + plain->chunk_bytes, numbers));
}

/* The next record into the room of an event; *is_seen is false for one that is read over. False: it is not plain. At
 * the end of the file nothing is taken. */
static inline bool take_next(struct trace_otf2_plain *plain, const struct trace_otf2_batch *batch,
                             struct trace_otf2_event *event, bool *is_seen)
{
    const unsigned char *at;
    unsigned type;

    if (plain->held - plain->next < LARGEST)
        refill(plain);
    while (plain->held > plain->next && plain->bytes[plain->next] <= FILE_ENDS) {
        if (!end_chunk(plain, plain->bytes[plain->next]))
            return false;
        if (plain->ended)
            return true;
    }
    at = plain->bytes + plain->next;
    if (*at == TIME_BEGINS) {
        memcpy(&plain->time, at + 1, sizeof plain->time);
        plain->has_time = true;
        at += TIME_BYTES;
    }
    type = *at++;
    event->position = plain->position + 1;
    event->time = plain->time;
    at = plain->has_time ? take_record(at, type, batch, event) : NULL;
    if (at == NULL || at > plain->bytes + plain->held)
        return false;
    plain->next = (size_t)(at - plain->bytes);
    plain->position++;
    *is_seen = type != COLLECTIVE_BEGIN;
    return true;
}

bool trace_otf2_plain_read(struct trace_otf2_plain *plain, struct trace_otf2_batch *batch, uint64_t *records)
{
    struct trace_otf2_event *event = batch->events;
    uint64_t before = plain->position;

    while (plain->position - before < batch->capacity && !plain->ended) {
        bool is_seen = false;
        if (!take_next(plain, batch, event, &is_seen)) {
            batch->count = 0;
            *records = 0;
            return false;
        }
        event += is_seen;
    }
    batch->count = (size_t)(event - batch->events);
    *records = plain->position - before;
    return true;
}

/* The chunk that the record behind the first `position` is in, and in it that record. */
static bool find(struct trace_otf2_plain *plain, uint64_t position)
{
    const struct trace_otf2_batch untranslated = {.count = 0};
    struct trace_otf2_event event;
    uint64_t numbers[2];
    bool is_seen;

    if (!begin_chunk(plain, 0, numbers))
        return false;
    while (position > 0 && numbers[1] <= position && numbers[0] <= numbers[1])
        if (!begin_chunk(plain, plain->begin + plain->chunk_bytes, numbers))
            return false;
    if (numbers[0] == 0 || numbers[0] > position + 1)
        return false;
    plain->position = numbers[0] - 1;
    while (plain->position < position)
        if (!take_next(plain, &untranslated, &event, &is_seen) || plain->ended)
            return false;
    return true;
}

int trace_otf2_plain_open(const char *path, uint64_t chunk_bytes, uint64_t position,
                          struct trace_otf2_plain **plain)
{
    bool is_little = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    bool is_usual = chunk_bytes >= OTF2_CHUNK_SIZE_MIN && chunk_bytes <= OTF2_CHUNK_SIZE_MAX;
    int file = is_little && is_usual ? open(path, O_RDONLY | O_CLOEXEC) : -1;

    *plain = NULL;
    if (file < 0)
        return 0;
    *plain = calloc(1, sizeof **plain);
    if (*plain == NULL) {
        close(file);
        return -1;
    }
    (*plain)->file = file;
    (*plain)->chunk_bytes = chunk_bytes;
    if (!find(*plain, position)) {
        trace_otf2_plain_close(*plain);
        *plain = NULL;
    }
    return 0;
}

void trace_otf2_plain_close(struct trace_otf2_plain *plain)
{
    if (plain == NULL)
        return;
    close(plain->file);
    free(plain);
}
