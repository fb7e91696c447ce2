/* The survey's operations are those of cursors, but for receives that end otherwise than they were posted, and for what
 * is said about a collective between two groups by its other members.
 *
 *      in the draft         settled
 *      receive              as its exception says, by its ordinal; if that is that there is none, the rank is dropped
 *      between two groups   the rank is dropped
 *
 * A receive that is absent has taken the number of a request in the draft: all later numbers are others. */
#include "traces/dumpi/survey.h"

#include <stdlib.h>

#include "base/grow.h"
#include "traces/draft.h"

/* Receives are drafted in the order of their ordinals. */
static void note_receive(struct trace_dumpi_drafted *drafted, uint64_t ordinal)
{
    if (ordinal > drafted->next_ordinal) {
        if (drafted->count == TRACE_DUMPI_GAPS ||
            base_grow(&drafted->gaps, &drafted->capacity, drafted->count + 1, sizeof *drafted->gaps) != 0)
            drafted->has_lost_gaps = true;
        else
            drafted->gaps[drafted->count++] =
                (struct trace_dumpi_gap){drafted->receives, ordinal - drafted->next_ordinal};
    }
    drafted->receives++;
    drafted->next_ordinal = ordinal + 1;
}

bool trace_dumpi_draft(struct trace_dumpi_survey *survey, const struct trace_dumpi_decoder *decoder,
                       struct trace_op *op)
{
    struct trace_dumpi_drafted *drafted = &survey->drafted[decoder->rank];
    enum trace_vector_place place = TRACE_VECTOR_NONE;

    if (op->kind == TRACE_RECEIVE)
        note_receive(drafted, decoder->ordinal);
    if (op->kind == TRACE_COLLECTIVE_CALL) {
        drafted->is_void |= survey->context->communicators[op->communicator].remote_size > 0;
        place = op->vector != NULL ? TRACE_VECTOR_IN_WORDS : TRACE_VECTOR_NONE;
    }
    return trace_draft_add(survey->context->options.draft, op, place);
}

/* A rank's receives, and its exceptions, both in the order of their ordinals. */
struct settling {
    const struct trace_dumpi_drafted *drafted;
    const struct trace_dumpi_exceptions *exceptions;
    uint64_t receives, ordinal; /* so far; of the next */
    size_t gap, exception;      /* the next ones */
};

static void settle_receive(struct settling *settling, struct trace_op *op)
{
    const struct trace_dumpi_exception *exception = &settling->exceptions->all[settling->exception];

    if (settling->gap < settling->drafted->count &&
        settling->drafted->gaps[settling->gap].at == settling->receives)
        settling->ordinal += settling->drafted->gaps[settling->gap++].count;
    if (settling->exception < settling->exceptions->count && exception->ordinal == settling->ordinal) {
        op->peer = exception->peer;
        op->tag = exception->tag;
        op->bytes = exception->bytes;
        settling->exception++;
    }
    settling->receives++;
    settling->ordinal++;
}

/* A trace_draft_settle. */
static int settle(void *context, struct trace_draft *draft, struct trace_op *op,
                  enum trace_vector_place vector)
{
    struct settling *settling = context;

    if (op->kind == TRACE_RECEIVE)
        settle_receive(settling, op);
    trace_draft_add(draft, op, vector);
    return settling->exception == settling->exceptions->count;
}

static bool can_settle(const struct trace_dumpi_survey *survey, uint32_t rank)
{
    const struct trace_dumpi_exceptions *exceptions = &survey->exceptions[rank];

    for (size_t i = 0; i < exceptions->count; i++)
        if (exceptions->all[i].absent)
            return false;
    return !survey->null_sources[rank] && !survey->drafted[rank].is_void &&
           (exceptions->count == 0 || !survey->drafted[rank].has_lost_gaps);
}

void trace_dumpi_settle(const struct trace_dumpi_survey *survey, const struct trace_dumpi_context *context)
{
    struct trace_draft *draft = context->options.draft;

    for (uint32_t rank = 0; draft != NULL && rank < context->ranks; rank++) {
        struct settling settling = {.drafted = &survey->drafted[rank],
                                    .exceptions = &survey->exceptions[rank]};
        if (!can_settle(survey, rank))
            trace_draft_drop(draft, rank);
        else if (settling.exceptions->count > 0)
            trace_draft_rewrite(draft, rank, settle, &settling);
    }
}
