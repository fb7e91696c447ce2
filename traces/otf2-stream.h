/* The operations of one rank, decoded batch by batch as they are asked for: what the survey and the cursors
 * read. */
#ifndef TRACE_OTF2_STREAM_H
#define TRACE_OTF2_STREAM_H

#include "traces/otf2-archive.h"
#include "traces/otf2-decoder.h"

struct trace_otf2_stream {
    struct trace_otf2_decoder decoder;
    struct trace_otf2_archive *archive; /* borrowed */
    struct trace_otf2_batch batch;
    uint64_t location, position; /* records read */
    size_t next;                 /* event of the batch */
    bool at_end, ended;
};

int trace_otf2_stream_init(struct trace_otf2_stream *stream, struct trace_otf2_archive *archive,
                           const struct trace_otf2_context *context, uint32_t rank, struct base_error *error);
void trace_otf2_stream_free(struct trace_otf2_stream *stream);
/* 1: *op is filled, and *ordinal for a receive (see struct trace_otf2_slot); 0: the end; -1: error. */
int trace_otf2_stream_next(struct trace_otf2_stream *stream, struct trace_op *op, uint64_t *ordinal,
                           struct base_error *error);

#endif
