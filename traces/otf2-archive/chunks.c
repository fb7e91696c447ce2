/* What a file looks like:
 *
 *     chunk   03, the order of bytes, two numbers of 8 bytes, records, and at its end a record of one byte: 00
 *             when another chunk follows, 02 at the end of the file
 *     record  its type, the length of the rest (1 byte; ff: in the next 8), the rest
 *
 * In files of events there can be a time before a record (05 and 8 bytes), and attributes (06, as a record)
 * that belong to the record behind them; and the records of the oldest types that hold one number only have
 * no length but that number, whose first byte says how many follow.
 *
 * Two definitions have as many numbers as one of their fields says, each of a byte or more:
 *
 *     group           a number, a number, a byte, how many members, the members, others
 *     mapping table   what it maps, how many pairs or numbers, which of the two, these */
#include <config.h>

#include "traces/otf2-archive/chunks.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What a record can begin with that is none (in files of events). */
enum { CHUNK_ENDS = 0, FILE_ENDS = 2, CHUNK_BEGINS = 3, TIME_BEGINS = 5, ATTRIBUTES = 6 };

#define HEADER_BYTES 18 /* of a chunk */
#define TIME_BYTES 9
#define LONG_LENGTH 0xff /* the length is in the next 8 bytes; of a number: undefined */

/* Events without a length: Enter, Leave, and those that name a request or an OpenMP task only. */
static bool is_number(unsigned type)
{
    const uint64_t numbers = UINT64_C(1) << 12 | UINT64_C(1) << 13 | UINT64_C(1) << 16 | UINT64_C(1) << 17 |
                             UINT64_C(1) << 20 | UINT64_C(1) << 21 | UINT64_C(1) << 24 | UINT64_C(1) << 28 |
                             UINT64_C(1) << 29 | UINT64_C(1) << 30;

    return type < 64 && (numbers >> type & 1) != 0;
}

/* Definitions that count. The first is of a location: where the archive's are, this number means another. */
enum { MAPPING_TABLE = 5, GROUP = 18 };

#define LARGEST_COUNTING 32 /* a definition's fields up to what it counts */
#define LARGEST_HEAD 20     /* a time, a type, and a number or length */
#define LARGEST_PLAIN (TIME_BYTES + 2 + LONG_LENGTH)

/* A window over one chunk. Chunks are larger than the window, so it slides over them; positions in the file are 64
 * bits. */
struct scan {
    int file; /* its descriptor, borrowed */
    enum trace_otf2_file kind;
    bool has_events, big_endian; /* events, not definitions; of the present chunk */
    uint64_t at, end;  /* in the file: what is to be read into the window next, the end of the chunk */
    size_t next, held; /* in the window: the next byte to look at, the end */
    unsigned char bytes[32768];
};

enum result { RECORD, LAST_OF_CHUNK, LAST_OF_FILE, DAMAGED };

/* False when fewer bytes are left in the chunk. */
static bool refill(struct scan *scan, size_t wanted)
{
    scan->held -= scan->next;
    memmove(scan->bytes, scan->bytes + scan->next, scan->held);
    scan->next = 0;
    while (scan->held < wanted && scan->at < scan->end) {
        size_t room = sizeof scan->bytes - scan->held;
        ssize_t got =
            pread(scan->file, scan->bytes + scan->held,
                  scan->end - scan->at < room ? (size_t)(scan->end - scan->at) : room, (off_t)scan->at);
        if (got <= 0)
            return false;
        scan->held += (size_t)got;
        scan->at += (uint64_t)got;
    }
    return scan->held >= wanted;
}

/* Whether so many bytes are in the window, which is refilled at need. */
static inline bool has(struct scan *scan, size_t wanted)
{
    return scan->held - scan->next >= wanted || refill(scan, wanted);
}

/* Records may be longer than the window. */
static bool skip(struct scan *scan, uint64_t length)
{
    size_t held = scan->held - scan->next;

    if (length <= held) {
        scan->next += (size_t)length;
        return true;
    }
    if (length - held > scan->end - scan->at)
        return false;
    scan->at += length - held;
    scan->next = scan->held = 0;
    return true;
}

/* The first byte is the number of those that follow; all ones stand for "undefined". */
static bool skip_number(struct scan *scan)
{
    unsigned size;

    if (!has(scan, 1))
        return false;
    size = scan->bytes[scan->next];
    return (size <= 8 || size == LONG_LENGTH) && skip(scan, size == LONG_LENGTH ? 1 : size + 1);
}

/* So many bytes, at most 8, in the order of the file's. */
static uint64_t number_at(const struct scan *scan, const unsigned char *bytes, size_t size)
{
    uint64_t number = 0;

    for (size_t i = 0; i < size; i++)
        number |= (uint64_t)bytes[i] << 8 * (scan->big_endian ? size - 1 - i : i);
    return number;
}

/* A record's length, behind which the scan stands then. Lengths beyond 63 bits are damage. */
static bool take_length(struct scan *scan, uint64_t *length)
{
    size_t size = 1;

    if (!has(scan, 1))
        return false;
    *length = scan->bytes[scan->next];
    if (*length == LONG_LENGTH) {
        size = 9;
        if (!has(scan, size))
            return false;
        *length = number_at(scan, scan->bytes + scan->next + 1, 8);
    }
    scan->next += size;
    return *length <= INT64_MAX;
}

/* Behind the number that begins at `at`, of which *value is UINT64_MAX where it is undefined; NULL where it is longer
 * than 8 bytes, or goes beyond the end. */
static const unsigned char *behind_number(const struct scan *scan, const unsigned char *at,
                                          const unsigned char *end, uint64_t *value)
{
    size_t size;

    if (at >= end)
        return NULL;
    size = *at++;
    *value = UINT64_MAX;
    if (size == LONG_LENGTH)
        return at;
    if (size > 8 || (size_t)(end - at) < size)
        return NULL;
    *value = number_at(scan, at, size);
    return at + size;
}

/* Whether a definition is long enough for what it counts. One without the fields up to there is libotf2's to judge. */
static bool holds_what_it_counts(struct scan *scan, unsigned type, uint64_t length)
{
    const unsigned char *begin, *at, *end;
    uint64_t count;

    if (type != GROUP && !(type == MAPPING_TABLE && scan->kind == TRACE_OTF2_LOCAL_DEFINITIONS))
        return true;
    has(scan, LARGEST_COUNTING); /* a shorter one may be the last of its chunk */
    begin = at = scan->bytes + scan->next;
    end = begin + (length < scan->held - scan->next ? (size_t)length : scan->held - scan->next);
    for (unsigned before = type == GROUP ? 2 : 0; before > 0 && at != NULL; before--)
        at = behind_number(scan, at, end, &count);
    if (at != NULL && at < end)
        at = behind_number(scan, at + 1, end, &count);
    else
        at = NULL;
    return at == NULL || count <= length - (uint64_t)(at - begin);
}

/* A record's length and what it counts. */
static bool skip_rest(struct scan *scan, unsigned type)
{
    uint64_t length = 0;

    return take_length(scan, &length) && (scan->has_events || holds_what_it_counts(scan, type, length)) &&
           skip(scan, length);
}

/* Most records are of a time and few bytes more: one look at the window is enough for their head. Attributes are
 * passed together with the record they belong to, since libotf2 counts them as one. */
static enum result skip_record(struct scan *scan)
{
    unsigned type = ATTRIBUTES;

    while (type == ATTRIBUTES) {
        if (!has(scan, LARGEST_HEAD) && !has(scan, 1))
            return DAMAGED;
        if (scan->has_events && scan->bytes[scan->next] == TIME_BEGINS && !skip(scan, TIME_BYTES))
            return DAMAGED;
        if (!has(scan, 1))
            return DAMAGED;
        type = scan->bytes[scan->next++];
        if (type == CHUNK_ENDS || type == FILE_ENDS)
            return type == CHUNK_ENDS ? LAST_OF_CHUNK : LAST_OF_FILE;
        if (!(scan->has_events && is_number(type) ? skip_number(scan) : skip_rest(scan, type)))
            return DAMAGED;
        if (!scan->has_events)
            return RECORD;
    }
    return RECORD;
}

/* The bytes of a record of events with its time, when none of its lengths is out of the ordinary: no more
 * than LARGEST_PLAIN; 0: otherwise. */
static inline size_t plain_length(const unsigned char *record)
{
    size_t head = record[0] == TIME_BEGINS ? TIME_BYTES : 0;
    unsigned type = record[head], length = record[head + 1];

    if (type <= ATTRIBUTES || length == LONG_LENGTH || (is_number(type) && length > 8))
        return 0;
    return head + 2 + length;
}

/* Nearly all records of events are plain, and many are in the window: what is left is for skip_record. */
static uint64_t skip_plain(struct scan *scan)
{
    const unsigned char *record = scan->bytes + scan->next;
    uint64_t count = 0;

    for (size_t length; scan->held - scan->next > LARGEST_PLAIN; count++) {
        length = plain_length(record);
        if (length == 0)
            break;
        record += length;
        scan->next += length;
    }
    return count;
}

/* Skips all records of a chunk that begins at `begin`; *count grows by their number. */
static enum result skip_chunk(struct scan *scan, uint64_t begin, uint64_t end, uint64_t *count)
{
    enum result result = RECORD;

    scan->at = begin;
    scan->end = end;
    scan->next = scan->held = 0;
    if (!has(scan, HEADER_BYTES) || scan->bytes[0] != CHUNK_BEGINS)
        return DAMAGED;
    scan->big_endian = scan->bytes[1] == '#';
    scan->next = HEADER_BYTES;
    while (result == RECORD) {
        if (scan->has_events)
            *count += skip_plain(scan);
        result = skip_record(scan);
        *count += result == RECORD;
    }
    return result;
}

/* The records before the first chunk that neither ends the file nor leads to another one. */
static uint64_t count_before_damage(struct scan *scan, uint64_t size, uint64_t chunk_bytes)
{
    enum result result = LAST_OF_CHUNK;
    uint64_t count = 0;

    for (uint64_t begin = 0; begin < size && result == LAST_OF_CHUNK; begin += chunk_bytes)
        result = skip_chunk(scan, begin, size - begin < chunk_bytes ? size : begin + chunk_bytes, &count);
    return result == LAST_OF_FILE ? TRACE_OTF2_ALL_RECORDS : count;
}

/* Of events looks at the last chunk alone; only a file whose last chunk does not end it is counted from its start. */
uint64_t trace_otf2_readable_records(const char *path, uint64_t chunk_bytes, enum trace_otf2_file kind)
{
    struct scan scan;
    struct stat status;
    uint64_t readable = TRACE_OTF2_ALL_RECORDS, ignored = 0;
    uint64_t size;

    scan.file = open(path, O_RDONLY);
    if (scan.file < 0)
        return readable;
    scan.kind = kind;
    scan.has_events = kind == TRACE_OTF2_EVENTS;
    if (chunk_bytes > 0 && fstat(scan.file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size > 0) {
        size = (uint64_t)status.st_size;
        if (!scan.has_events ||
            skip_chunk(&scan, (size - 1) / chunk_bytes * chunk_bytes, size, &ignored) != LAST_OF_FILE)
            readable = count_before_damage(&scan, size, chunk_bytes);
    }
    close(scan.file);
    return readable;
}
