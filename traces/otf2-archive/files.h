/* The event files of an archive that are read without libotf2 (records.h): which of them can be, and their
 * descriptors, of which only some are open at a time. None, unless configured with --enable-direct-otf2. */
#ifndef TRACE_OTF2_FILES_H
#define TRACE_OTF2_FILES_H

#include "base/table.h"
#include "traces/otf2-archive/events.h"

/* What configure --enable-direct-otf2 asks for. All else is compiled, and tested, with it and without. */
#ifdef ENABLE_DIRECT_OTF2
enum { TRACE_OTF2_DIRECT = true };
#else
enum { TRACE_OTF2_DIRECT = false };
#endif

struct trace_otf2_file;

/* Zeroed: every file is left to libotf2. */
struct trace_otf2_files {
    uint64_t chunk_bytes;
    struct trace_otf2_file *all;
    size_t count, capacity;
    struct base_table index; /* (location, 0) -> its index there */
    size_t open_count, open_limit, next_to_close;
    unsigned char *window; /* which all of them share */
};

/* Before any file is added. -1 when memory is out. */
int trace_otf2_files_init(struct trace_otf2_files *files, uint64_t chunk_bytes);
void trace_otf2_files_free(struct trace_otf2_files *files);

/* Adds the file of a location, whose tables of identifiers are borrowed. -1 when memory is out. */
int trace_otf2_files_add(struct trace_otf2_files *files, uint64_t location,
                         const struct trace_otf2_identifiers *identifiers);

/* Reads into the batch from its place on. False, with nothing but the place as it was, when libotf2 must read
 * this location: then, and from then on. `path` is that of the file. */
bool trace_otf2_files_read(struct trace_otf2_files *files, uint64_t location, const char *path,
                           struct trace_otf2_batch *batch, uint64_t *records);

#endif
