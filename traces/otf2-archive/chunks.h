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

/* How many records of a file libotf2 can read before it runs into its end; TRACE_OTF2_ALL_RECORDS when the file
 * is whole, and for one that cannot be opened or is empty, which libotf2 tells of itself. `chunk_bytes` is what
 * the anchor file says. Files of events have another form than those of definitions. Reads the last chunk
 * only, as long as the file is whole. */
uint64_t trace_otf2_readable_records(const char *path, uint64_t chunk_bytes, bool has_events);

#endif
