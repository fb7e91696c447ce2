/* What the shapes of groups.c have in common: a call of three events, and what it does to the decoder,
 * to its queue, and to the counts of the survey. All is compiled three times, for the survey, for a survey whose
 * operations are drafted and for cursors: what one of them does not do costs it nothing. */
#ifndef TRACE_OTF2_GROUPS_H
#define TRACE_OTF2_GROUPS_H

#include "traces/otf2/decoder.h"
#include "traces/otf2/survey.h"

/* A call with one record inside; times in ns since the rank's first event. */
struct trace_otf2_group {
    const struct trace_otf2_event *record, *leave; /* what is inside; the end of the call */
    uint32_t call;                                 /* which function */
    enum trace_otf2_class class;                   /* of that function */
    uint64_t begin_ns, record_ns, end_ns;
    bool counts, emits; /* constant in each copy */
};

/* The other side of a message that is as in most traces. */
struct trace_otf2_group_message {
    uint32_t peer, communicator; /* world rank; index in the program */
};

/* An operation in the queue, placed at an event of the call. NULL when memory is out. */
TRACE_INLINE struct trace_slot *trace_otf2_group_append(struct trace_otf2_decoder *decoder,
                                                        const struct trace_otf2_group *group,
                                                        const struct trace_otf2_event *event, uint64_t now_ns,
                                                        enum trace_op_kind kind)
{
    struct trace_slot *slot = trace_queue_append(&decoder->queue);

    if (slot == NULL)
        return NULL;
    slot->op.kind = kind;
    slot->op.event = event->position;
    slot->op.time_ns = now_ns;
    slot->op.region = group->call;
    return slot;
}

/* The compute time before the call becomes an operation where the call's own does. */
TRACE_INLINE int trace_otf2_group_emit_compute(struct trace_otf2_decoder *decoder,
                                               const struct trace_otf2_group *group,
                                               const struct trace_otf2_event *event, uint64_t now_ns)
{
    struct trace_slot *slot;

    if (decoder->compute_ns == 0)
        return 0;
    if (!group->emits) {
        decoder->survey->compute_ns += decoder->compute_ns;
    } else {
        slot = trace_otf2_group_append(decoder, group, event, now_ns, TRACE_COMPUTE);
        if (slot == NULL)
            return -1;
        slot->op.duration_ns = decoder->compute_ns;
    }
    decoder->compute_ns = 0;
    return 0;
}

/* What entering the call does to the decoder (begin_call there). */
TRACE_INLINE void trace_otf2_group_begin(struct trace_otf2_decoder *decoder,
                                         const struct trace_otf2_group *group)
{
    decoder->now_ns = group->begin_ns;
    trace_otf2_stop_computing(decoder);
    decoder->failed_tests = 0;
}

/* What leaving it does (end_call). `slot` has the call's first operation; NULL where none is emitted. 1: the call
 * is taken. */
TRACE_INLINE int trace_otf2_group_end(struct trace_otf2_decoder *decoder,
                                      const struct trace_otf2_group *group, struct trace_slot *slot)
{
    uint64_t duration_ns = group->end_ns - group->begin_ns;

    if (slot != NULL)
        slot->op.duration_ns = duration_ns;
    if (group->counts) {
        struct trace_otf2_call_count *count = &decoder->counts->calls[group->call];
        count->records++;
        count->records_ns += duration_ns;
        decoder->counts->mpi_ns += duration_ns;
    }
    decoder->now_ns = group->end_ns;
    trace_otf2_start_computing(decoder);
    return 1;
}

/* The message of an operation, as recorded. */
TRACE_INLINE void trace_otf2_group_set_message(struct trace_op *op,
                                               const struct trace_otf2_group_message *message,
                                               const struct trace_otf2_event *event)
{
    op->peer = message->peer;
    op->communicator = message->communicator;
    op->tag = event->tag;
    op->bytes = event->bytes;
}

/* A message that needs no more of the decoder is counted for the survey: by its call, and, where no operation of it
 * comes by the survey, by its ranks. -1 when memory is out. */
TRACE_INLINE int trace_otf2_group_count_message(struct trace_otf2_decoder *decoder,
                                                const struct trace_otf2_group *group,
                                                const struct trace_otf2_group_message *message, bool sent)
{
    const struct trace_otf2_event *event = group->record;

    if (!group->counts)
        return 0;
    decoder->counts->calls[group->call].bytes += event->bytes;
    if (group->emits)
        return 0;
    return sent ? trace_otf2_count_send(decoder->survey, decoder->rank, message->peer, event->bytes,
                                        message->communicator, event->tag)
                : trace_otf2_count_receive(decoder->survey, decoder->rank, message->peer, event->bytes,
                                           message->communicator, event->tag);
}

#endif
