/* The skeleton of an OTF2 file: chunks of one size, each a header and records, of which only the lengths are
 * looked at.
 *
 * libotf2 (3.0.2) does not notice that a file ends: it takes what its buffer held before for the rest of the
 * last chunk, and where that chunk asks for another one, it reads the same chunk again, for ever. So we look
 * whether the last chunk ends the file, before libotf2 does. */
#ifndef TRACE_OTF2_CHUNKS_H
#define TRACE_OTF2_CHUNKS_H

#include <stdbool.h>
#include <stdint.h>

#define TRACE_OTF2_ALL_RECORDS UINT64_MAX

/* What a record can begin with that is none (in files of events). */
enum {
    TRACE_OTF2_CHUNK_ENDS = 0,
    TRACE_OTF2_FILE_ENDS = 2,
    TRACE_OTF2_CHUNK_BEGINS = 3,
    TRACE_OTF2_TIME_BEGINS = 5,
    TRACE_OTF2_ATTRIBUTES = 6
};

#define TRACE_OTF2_HEADER_BYTES 18 /* of a chunk */
#define TRACE_OTF2_TIME_BYTES 9
#define TRACE_OTF2_LONG_LENGTH 0xff /* the length is in the next 8 bytes; of a number: undefined */

/* Events without a length: Enter, Leave, and those that name a request or an OpenMP task only. */
static inline bool trace_otf2_is_number(unsigned type)
{
    const uint64_t numbers = UINT64_C(1) << 12 | UINT64_C(1) << 13 | UINT64_C(1) << 16 | UINT64_C(1) << 17 |
                             UINT64_C(1) << 20 | UINT64_C(1) << 21 | UINT64_C(1) << 24 | UINT64_C(1) << 28 |
                             UINT64_C(1) << 29 | UINT64_C(1) << 30;

    return type < 64 && (numbers >> type & 1) != 0;
}

/* How many records of a file libotf2 can read before it runs into its end; TRACE_OTF2_ALL_RECORDS when the file
 * is whole, and for one that cannot be opened or is empty, which libotf2 tells of itself. `chunk_bytes` is what
 * the anchor file says. Files of events have another form than those of definitions. Reads the last chunk
 * only, as long as the file is whole. */
uint64_t trace_otf2_readable_records(const char *path, uint64_t chunk_bytes, bool has_events);

#endif
