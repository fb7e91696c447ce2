/* An open OTF2 archive: reads batches of events of any location from any position.
 *
 * Each open event reader of libotf2 holds a buffer of one chunk (up to 16 MiB, as the trace says) and a file
 * descriptor, so only as many stay open as a budget allows; the least recently used is closed, and opened
 * again where the next batch begins. Readers of events are therefore nothing but (location, position).
 *
 * libotf2 reports errors through one callback of the process (errors.h). */
#ifndef TRACE_OTF2_ARCHIVE_H
#define TRACE_OTF2_ARCHIVE_H

#include "traces/otf2-archive/definitions.h"
#include "traces/otf2-archive/events.h"

#define TRACE_OTF2_BUFFER_BUDGET ((uint64_t)1 << 30) /* bytes of chunk buffers, and */
#define TRACE_OTF2_OPEN_LIMIT 16384                  /* event files that are open at a time */

struct trace_otf2_archive;

/* Opens the archive with this anchor file and reads its definitions and those of every location that is
 * needed. The definitions must be a zeroed struct; the caller frees it after the archive is closed, in any
 * case. */
struct trace_otf2_archive *trace_otf2_archive_open(const char *anchor,
                                                   struct trace_otf2_definitions *definitions,
                                                   struct base_error *error);
void trace_otf2_archive_close(struct trace_otf2_archive *archive); /* NULL is legal */
/* Closes the event files, which are opened again when somebody reads on. */
void trace_otf2_archive_rest(struct trace_otf2_archive *archive);

/* What the anchor file names as its writer, or NULL. Owned by the archive. */
const char *trace_otf2_archive_creator(const struct trace_otf2_archive *archive);

/* The byte of the anchor file at which its identifier begins (traces/otf2-archive/anchor.h); 0: not known. -1: it
 * cannot be read. */
int trace_otf2_archive_identifier(const struct trace_otf2_archive *archive, uint64_t *place,
                                  struct base_error *error);

/* How many events a batch should have room for: more when event files have to be closed between batches. */
size_t trace_otf2_archive_batch_events(const struct trace_otf2_archive *archive);

/* Reads the batch after record `position` (0: the first) of a location into the batch, whose array the caller
 * owns, and sets *records to the number of records read: 0 at the end. Fails when the file is missing or
 * damaged. */
int trace_otf2_archive_read(struct trace_otf2_archive *archive, uint64_t location, uint64_t position,
                            struct trace_otf2_batch *batch, uint64_t *records, struct base_error *error);

#endif
