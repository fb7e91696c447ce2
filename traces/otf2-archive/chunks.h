/* The skeleton of an OTF2 file: chunks of one size, each a header and records, of which only the lengths are
 * looked at, and what definitions count.
 *
 * libotf2 (3.0.2) does not notice that a file ends: it takes what its buffer held before for the rest of the
 * last chunk, and where that chunk asks for another one, it reads the same chunk again, for ever. So we look
 * whether the last chunk ends the file, before libotf2 does. It also makes room for as many members of a group, or
 * numbers of a mapping table, as the record says, before it looks whether they are there. */
#ifndef TRACE_OTF2_CHUNKS_H
#define TRACE_OTF2_CHUNKS_H

#include <stdint.h>

#define TRACE_OTF2_ALL_RECORDS UINT64_MAX

/* Of the archive, of one location, and events. Each numbers its records in its own way. */
enum trace_otf2_file { TRACE_OTF2_GLOBAL_DEFINITIONS, TRACE_OTF2_LOCAL_DEFINITIONS, TRACE_OTF2_EVENTS };

/* How many records of a file libotf2 can read before it runs into its end, or takes memory for what is not there;
 * TRACE_OTF2_ALL_RECORDS when the file is whole, and for one that cannot be opened or is empty, which libotf2 tells of
 * itself. `chunk_bytes` is what the anchor file says. Of events reads the last chunk only, as long as the file is
 * whole; of definitions all, which takes a sixtieth of what libotf2 and we take to read them. */
uint64_t trace_otf2_readable_records(const char *path, uint64_t chunk_bytes, enum trace_otf2_file kind);

#endif
