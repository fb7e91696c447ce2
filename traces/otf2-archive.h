/* An open OTF2 archive: its definitions, and where the events of its locations are.
 *
 * libotf2 reports errors through one callback of the process. Opening an archive registers a callback without
 * state that only passes the code on, so that the library prints nothing; a program that wants its own
 * registers it afterwards. */
#ifndef TRACE_OTF2_ARCHIVE_H
#define TRACE_OTF2_ARCHIVE_H

#include "traces/otf2-definitions.h"
#include "traces/otf2-input.h"

struct trace_otf2_archive;

/* Opens the archive with this anchor file and reads its definitions and those of every location that is
 * needed. The definitions must be a zeroed struct; the caller frees it after the archive is closed, in any
 * case. */
struct trace_otf2_archive *trace_otf2_archive_open(const char *anchor,
                                                   struct trace_otf2_definitions *definitions,
                                                   struct base_error *error);
void trace_otf2_archive_close(struct trace_otf2_archive *archive); /* NULL is legal */

/* What the anchor file names as its writer, or NULL. Owned by the archive. */
const char *trace_otf2_archive_creator(const struct trace_otf2_archive *archive);

/* Makes an input of the events of one of the locations; the caller frees it before the archive is closed. */
int trace_otf2_archive_input(const struct trace_otf2_archive *archive,
                             const struct trace_otf2_location *location, struct trace_otf2_input *input,
                             struct base_error *error);

#endif
