/* The operations of one rank, decoded batch by batch as they are asked for: what the survey and the cursors
 * read. */
#ifndef TRACE_OTF2_STREAM_H
#define TRACE_OTF2_STREAM_H

#include "traces/otf2-archive/archive.h"
#include "traces/otf2/decoder.h"

struct trace_otf2_stream {
    struct trace_otf2_decoder decoder;  /* of the rank */
    struct trace_otf2_archive *archive; /* borrowed */
    struct trace_otf2_batch batch;      /* events read and not all decoded */
    uint64_t location, position;        /* records read */
    size_t next;                        /* event of the batch */
    bool at_end, ended;                 /* no more records; their end is decoded, too */
    struct base_error *failure;         /* comes once the operations before it have been taken; NULL: none */
};

int trace_otf2_stream_init(struct trace_otf2_stream *stream, struct trace_otf2_archive *archive,
                           const struct trace_otf2_context *context, uint32_t rank, struct base_error *error);
void trace_otf2_stream_free(struct trace_otf2_stream *stream);
/* For trace_otf2_stream_next, when no operation is ready. */
int trace_otf2_stream_refill(struct trace_otf2_stream *stream, struct trace_op *op, uint64_t *ordinal,
                             struct base_error *error);

/* 1: *op is filled, and *ordinal for a receive (see struct trace_slot); 0: the end; -1: error, after
 * which the stream can only be freed. Request sets in op are good until the next call. Mostly the operation
 * has been decoded with others before it. */
static inline int trace_otf2_stream_next(struct trace_otf2_stream *stream, struct trace_op *op,
                                         uint64_t *ordinal, struct base_error *error)
{
    struct trace_otf2_decoder *decoder = &stream->decoder;
    const struct trace_slot *slot;

    if (decoder->queue.head < decoder->sealed) {
        slot = trace_queue_at(&decoder->queue, decoder->queue.head);
        if (slot->state == TRACE_SLOT_READY && slot->op.kind != TRACE_COLLECTIVE_CALL) {
            trace_otf2_pop(&decoder->queue, slot, op, ordinal);
            return 1;
        }
    }
    return trace_otf2_stream_refill(stream, op, ordinal, error);
}

#endif
