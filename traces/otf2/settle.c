/* What is looked up is looked up by the decoder's own functions, with a decoder that reads nothing. */
#include "traces/otf2/settle.h"

#include "traces/otf2/repair.h"

struct settling {
    /* Of the rank: its places in the tables, and its numbers of collectives. */
    struct trace_otf2_decoder decoder;
    bool moves;       /* receives are on other channels than recorded */
    bool shifts;      /* collectives have other numbers that a coder does not expect */
    uint64_t told_ns; /* compute time that is before agreements already */
};

/* Whether the rank's operations can be made from what is drafted; *moves tells that receives are moved. */
static bool can_settle(const struct trace_otf2_context *context, uint32_t rank, bool *moves)
{
    const struct trace_otf2_rank_tables *table = &context->tables->ranks[rank];

    *moves = context->tables->rules.count > 0;
    for (size_t i = 0; i < table->receive_count; i++) {
        if (table->receives[i].state != TRACE_OTF2_FAR && table->receives[i].state != TRACE_OTF2_MOVED)
            return false;
        *moves |= table->receives[i].state == TRACE_OTF2_MOVED;
    }
    return table->start_count == 0 && !table->draft_is_void;
}

/* A compute operation, unless there is nothing left of it. */
static void settle_compute(struct settling *settling, struct trace_draft *draft, struct trace_op *op)
{
    op->duration_ns -= settling->told_ns;
    settling->told_ns = 0;
    if (op->duration_ns > 0)
        trace_draft_add(draft, op, TRACE_VECTOR_NONE);
}

/* Where its sizes are: mostly the program knows them by the instance. */
static enum trace_vector_place find_vector(const struct trace_otf2_tables *tables, const struct trace_op *op)
{
    const struct trace_otf2_vector *known;
    uint64_t recorded;

    if (op->vector == NULL)
        return TRACE_VECTOR_NONE;
    if (!trace_otf2_recorded_instance(tables, op->communicator, op->instance, &recorded))
        return TRACE_VECTOR_IN_WORDS;
    known = trace_otf2_vectors_get(tables->vectors, op->communicator, recorded);
    return known != NULL && op->vector == &known->vector ? TRACE_VECTOR_OF_PROGRAM : TRACE_VECTOR_IN_WORDS;
}

/* 0: it is in the draft; -1: its number or its sizes cannot be found out. */
static int settle_collective(struct settling *settling, struct trace_draft *draft, struct trace_op *op)
{
    op->flags &= ~TRACE_UNSETTLED;
    if (trace_otf2_finish_collective(&settling->decoder, op, 0) != 0)
        return -1;
    trace_draft_add(draft, op, find_vector(settling->decoder.context->tables, op));
    return 0;
}

/* A mark has the place of the call, the compute time up to it, and as its bytes the call's duration. */
static int settle_mark(struct settling *settling, struct trace_draft *draft, const struct trace_op *mark)
{
    struct trace_op compute = *mark, agreement = *mark;

    agreement.kind = TRACE_COLLECTIVE_CALL;
    agreement.duration_ns = mark->bytes;
    if (!trace_otf2_find_agreement(&settling->decoder, settling->decoder.creations++, &agreement))
        return 0;
    compute.flags = 0;
    compute.bytes = 0;
    settle_compute(settling, draft, &compute);
    settling->told_ns = mark->duration_ns;
    settling->shifts |= agreement.communicator >= TRACE_CODER_COMMUNICATORS;
    return settle_collective(settling, draft, &agreement);
}

/* Receives are numbered in the order in which they are drafted, which is that of their posting. */
static int settle_receive(struct settling *settling, struct trace_draft *draft, struct trace_op *op)
{
    struct trace_otf2_decoder *decoder = &settling->decoder;
    const struct trace_otf2_receive *entry = trace_otf2_table_entry(decoder, decoder->receive_ordinal++);

    if (entry == NULL && (op->flags & TRACE_UNSETTLED) != 0)
        return -1;
    op->flags &= ~TRACE_UNSETTLED;
    if (entry != NULL)
        trace_otf2_use_entry(decoder, op, entry);
    else if ((op->flags & TRACE_IMPLIED) == 0)
        trace_otf2_apply_rule(decoder, op);
    trace_draft_add(draft, op, TRACE_VECTOR_NONE);
    return 0;
}

/* By kind. -1: the rank cannot be settled. */
static int settle_op(struct settling *settling, struct trace_draft *draft, struct trace_op *op)
{
    switch (op->kind) {
    case TRACE_COMPUTE:
        if ((op->flags & TRACE_UNSETTLED) != 0)
            return settle_mark(settling, draft, op);
        settle_compute(settling, draft, op);
        return 0;
    case TRACE_RECEIVE:
        return settle_receive(settling, draft, op);
    case TRACE_COLLECTIVE_CALL:
        return settle_collective(settling, draft, op);
    case TRACE_PROBE:
        if (settling->moves)
            return -1;
        break;
    default:
        break;
    }
    trace_draft_add(draft, op, TRACE_VECTOR_NONE);
    return 0;
}

/* A trace_draft_settle. */
static int settle(void *context, struct trace_draft *draft, struct trace_op *op,
                  enum trace_vector_place vector)
{
    struct settling *settling = context;

    (void)vector;
    if (settle_op(settling, draft, op) != 0)
        return -1;
    return !settling->moves && !settling->shifts && settling->told_ns == 0;
}

static void settle_rank(const struct trace_otf2_context *context, uint32_t rank)
{
    struct settling settling = {.moves = false};
    struct base_error error = {0};
    bool can = can_settle(context, rank, &settling.moves);

    if (!can)
        trace_draft_drop(context->options.draft, rank);
    if (!can || !(settling.moves || trace_draft_is_unsettled(context->options.draft, rank)))
        return;
    trace_otf2_decoder_init(&settling.decoder, context, rank);
    settling.decoder.error = &error;
    trace_draft_rewrite(context->options.draft, rank, settle, &settling);
    trace_otf2_decoder_free(&settling.decoder);
}

void trace_otf2_settle(const struct trace_otf2_context *context)
{
    for (uint32_t rank = 0; context->options.draft != NULL && rank < context->definitions->ranks; rank++)
        settle_rank(context, rank);
}
