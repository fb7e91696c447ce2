/* One event is decoded at a time, so that the queue holds no more than the next operation needs: a stream
 * that is read slowly looks no further ahead than one that is read fast.
 *
 * The order of the three sources of operations matters: first what is queued, then events of the batch at
 * hand, then the next batch; and when no record is left, what the decoder makes of the end. */
#include "traces/otf2-stream.h"

#include <stdlib.h>

/* The batch is the only memory of a stream that does not depend on what it reads. */
int trace_otf2_stream_init(struct trace_otf2_stream *stream, struct trace_otf2_archive *archive,
                           const struct trace_otf2_context *context, uint32_t rank, struct base_error *error)
{
    *stream =
        (struct trace_otf2_stream){.archive = archive, .location = context->definitions->locations[rank].id};
    trace_otf2_decoder_init(&stream->decoder, context, rank);
    stream->batch.capacity = trace_otf2_archive_batch_events(archive);
    stream->batch.events = malloc(stream->batch.capacity * sizeof *stream->batch.events);
    return stream->batch.events == NULL ? base_error_memory(error, "a batch of events") : 0;
}

/* Also for a stream that could not be made, or one that is all zero. */
void trace_otf2_stream_free(struct trace_otf2_stream *stream)
{
    trace_otf2_decoder_free(&stream->decoder);
    free(stream->batch.events);
}

/* Where defects are collected, a file that cannot be read further ends the rank's program: with what came
 * before the error. */
static int read_failed(struct trace_otf2_stream *stream, struct base_error *error)
{
    struct trace_otf2_decoder *decoder = &stream->decoder;
    struct base_error why = *error;

    if (decoder->context->options.defects == NULL || why.text[0] == '\0')
        return -1;
    decoder->error = error;
    decoder->position = stream->position + stream->batch.count;
    if (trace_otf2_defect(decoder, decoder->position == 0 ? "unreadable-rank" : "truncated-rank", TRACE_FAULT,
                          NULL, why.text) != 0)
        return -1;
    stream->position += stream->batch.count;
    stream->next = 0;
    stream->at_end = true;
    return 0;
}

/* Fewer records than asked for are the last ones. */
static int read_batch(struct trace_otf2_stream *stream, struct base_error *error)
{
    uint64_t records;

    if (trace_otf2_archive_read(stream->archive, stream->location, stream->position, &stream->batch, &records,
                                error) != 0)
        return read_failed(stream, error);
    stream->position += records;
    stream->next = 0;
    stream->at_end = records < stream->batch.capacity;
    return 0;
}

/* 1 with an operation, 0 at the end, -1 on an error, after which the stream can only be freed. Request sets
 * in op are good until the next call. */
int trace_otf2_stream_next(struct trace_otf2_stream *stream, struct trace_op *op, uint64_t *ordinal,
                           struct base_error *error)
{
    int taken, ready = trace_otf2_is_ready(&stream->decoder);
    size_t used;

    while (ready == 0 || (taken = trace_otf2_take(&stream->decoder, op, ordinal, error)) == 0) {
        ready = 0;
        if (stream->ended)
            return 0;
        if (stream->next < stream->batch.count) {
            ready = trace_otf2_decode(&stream->decoder, &stream->batch.events[stream->next],
                                      stream->batch.count - stream->next, &used, error);
            if (ready < 0)
                return -1;
            stream->next += used;
        } else if (!stream->at_end) {
            if (read_batch(stream, error) != 0)
                return -1;
        } else {
            stream->ended = true;
            if (trace_otf2_decode_end(&stream->decoder, error) != 0)
                return -1;
            ready = trace_otf2_is_ready(&stream->decoder);
        }
    }
    return taken;
}
