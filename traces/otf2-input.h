/* The events of one location, from its file.
 *
 * We read them ourselves, not by libotf2: that holds a buffer of one or two chunks (up to 16 MiB each) and a
 * file descriptor for every location, calls through a table for each field, and has no end where a file has
 * lost its own (otf2-window.h). What its readers deliver is what tests/traces/test-otf2-input.c compares with.
 * The anchor and all definitions are libotf2's. */
#ifndef TRACE_OTF2_INPUT_H
#define TRACE_OTF2_INPUT_H

#include "base/error.h"
#include "traces/otf2-events.h"
#include "traces/otf2-window.h"

/* From this time on, the clock of a location is off by `offset` ticks, and more by `slope` for every tick. */
struct trace_otf2_interval {
    uint64_t begin, end;
    int64_t offset;
    double slope;
};

/* What a location's own definitions say: a zeroed struct says nothing. */
struct trace_otf2_translation {
    struct trace_otf2_interval *intervals; /* in the order of time */
    size_t interval_count, interval_capacity;
    bool has_offset; /* the last one: begins an interval when another follows */
    uint64_t last_time;
    int64_t last_offset;
    const OTF2_IdMap *regions, *communicators, *windows, *files; /* NULL: identifiers are global; libotf2's */
};

/* Another point of the clock. -1 when memory is out. */
int trace_otf2_translation_add(struct trace_otf2_translation *translation, uint64_t time, int64_t offset);

struct trace_otf2_input {
    const struct trace_otf2_translation *translation; /* borrowed; NULL: none */
    char *path;
    uint64_t chunk;    /* where the next chunk begins in the file */
    uint64_t time;     /* of the last event that had one */
    uint64_t position; /* how many records have been read */
    size_t interval;   /* of the clock */
    bool in_chunk, ended;
    struct trace_otf2_window *window;
};

/* The file is opened when it is first read. `path` is copied. */
int trace_otf2_input_init(struct trace_otf2_input *input, const char *path, uint64_t chunk_bytes,
                          const struct trace_otf2_translation *translation, struct base_error *error);
void trace_otf2_input_free(struct trace_otf2_input *input); /* also of a zeroed struct */

/* Reads the next records, at most the capacity of the batch, and sets *records to their number, of which the
 * batch has those that matter: fewer than the capacity are the last ones. Where the file is damaged or missing, -1
 * with an error; the batch has what came before. */
int trace_otf2_input_read(struct trace_otf2_input *input, struct trace_otf2_batch *batch, uint64_t *records,
                          struct base_error *error);

#endif
