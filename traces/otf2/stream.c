/* Events are decoded a block at a time, so that the queue holds no more than a block and what an open receive
 * holds up; taking an operation is then a copy.
 *
 * The order of the three sources of operations matters: first what is queued, then events of the batch at
 * hand, then the next batch; and when no record is left, what the decoder makes of the end. */
#include "traces/otf2/stream.h"

#include <stdlib.h>

#define BLOCK_EVENTS 32

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
    free(stream->failure);
}

/* Where defects are collected, a file that cannot be read further ends the rank's program: with what came
 * before the error. Memory that is out is no defect of the trace. */
static int read_failed(struct trace_otf2_stream *stream, struct base_error *error)
{
    struct trace_otf2_decoder *decoder = &stream->decoder;
    struct base_error why = *error;

    if (decoder->context->options.defects == NULL || why.text[0] == '\0' || why.status == BASE_SYSTEM)
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

/* Fewer records than asked for are the last ones. Reading begins where the last batch ended; `position` counts
 * records, also those that are read over. */
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

/* An error behind operations that can still be taken waits until they have been: what a stream gives does not
 * depend on how far it looks ahead. Without memory for that, the error comes at once. */
static int decode_failed(struct trace_otf2_stream *stream, const struct base_error *error)
{
    stream->next = stream->batch.count;
    stream->at_end = stream->ended = true;
    if (trace_otf2_is_ready(&stream->decoder))
        stream->failure = malloc(sizeof *stream->failure);
    if (stream->failure == NULL)
        return -1;
    *stream->failure = *error;
    return 0;
}

/* The next events of the batch, not all: what has been decoded should still be in the cache when it is taken.
 */
static int decode_block(struct trace_otf2_stream *stream, struct base_error *error)
{
    const struct trace_otf2_event *events = &stream->batch.events[stream->next];
    size_t left = stream->batch.count - stream->next, count = left < BLOCK_EVENTS ? left : BLOCK_EVENTS;
    int taken = trace_otf2_decode(&stream->decoder, events, count, left, error);

    if (taken < 0)
        return decode_failed(stream, error);
    stream->next += (size_t)taken;
    return 0;
}

/* One step towards the next operation: 1 when there are no more. 0: try again; 1: nothing more will come; -1:
 * error. The end is decoded once, behind the last event. */
static int go_on(struct trace_otf2_stream *stream, struct base_error *error)
{
    if (stream->ended && stream->failure != NULL) {
        *error = *stream->failure;
        return -1;
    }
    if (stream->ended)
        return 1;
    if (stream->next < stream->batch.count)
        return decode_block(stream, error);
    if (!stream->at_end)
        return read_batch(stream, error);
    stream->ended = true;
    return trace_otf2_decode_end(&stream->decoder, error);
}

/* Alternates between taking and reading until an operation is ready, the end is reached, or something failed. */
int trace_otf2_stream_refill(struct trace_otf2_stream *stream, struct trace_op *op, uint64_t *ordinal,
                             struct base_error *error)
{
    for (;;) {
        int taken = 0;
        int gone;
        if (trace_otf2_is_ready(&stream->decoder) &&
            (taken = trace_otf2_take(&stream->decoder, op, ordinal, error)) != 0)
            return taken;
        gone = go_on(stream, error);
        if (gone != 0)
            return gone > 0 ? 0 : -1;
    }
}
