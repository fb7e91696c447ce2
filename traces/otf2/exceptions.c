/* Exceptions to the rule that a receive is known from the records that follow it soon: the survey finds them
 * and the cursors, which decode the same records again, look them up. Both count the receives and the
 * other non-blocking operations of their rank as they are started, so that an exception is known by its
 * ordinal.
 *
 *     what is recorded                             state      in the survey          in a cursor
 *     completed after more than a window           FAR        counted when complete  known when posted
 *     completed, but on a wrong channel            MOVED      as recorded            known when posted
 *     never completed: another request gets its    UNKNOWN    left out               left to guesses.c
 *       identifier, or the trace ends              EARLY        "                      "
 *     ... and a message is found for it            GUESSED      -                    known when posted, completes
 *                                                                                    in the next wait
 *     ... and none is                              DROPPED    -                      takes its turn in the waits
 *     completed without a message, or cancelled    ABSENT     left out               left out
 *
 * Requests that never complete stand in a list, oldest first. A call that waits for one (MPI_Wait,
 * MPI_Waitany) and has no completion inside takes the first, one that waits for several takes all; so do the
 * end of the program, and a request that is started under an identifier which is still in use takes the
 * request that has it. */
#include <stdlib.h>

#include "base/grow.h"
#include "traces/otf2/decoder.h"

/* Rules are found under the channel as recorded, which is what the receive has until now. */
void trace_otf2_apply_rule(const struct trace_otf2_decoder *decoder, struct trace_op *op)
{
    const struct trace_otf2_tables *tables = decoder->context->tables;
    uint32_t rule;

    if (tables->rules.count == 0)
        return;
    rule = base_table_get(&tables->rules, trace_otf2_pack(op->communicator, op->tag),
                          trace_otf2_pack(op->peer, decoder->rank));
    if (rule == BASE_TABLE_NONE)
        return;
    op->communicator = tables->rule_list[rule].communicator;
    op->peer = tables->rule_list[rule].peer;
    op->flags |= TRACE_REPAIRED;
}

/* Tables are in the order in which receives are started, so that the next entry is the only one to look at.
 *
 * NULL in the survey, which has no tables yet, and for every receive that is as recorded. */
const struct trace_otf2_receive *trace_otf2_table_entry(struct trace_otf2_decoder *decoder, uint64_t ordinal)
{
    const struct trace_otf2_rank_tables *ranks = decoder->context->tables->ranks;
    const struct trace_otf2_rank_tables *rank;

    if (ranks == NULL)
        return NULL;
    rank = &ranks[decoder->rank];
    if (decoder->next_receive == rank->receive_count ||
        rank->receives[decoder->next_receive].ordinal != ordinal)
        return NULL;
    return &rank->receives[decoder->next_receive++];
}

/* A receive that only completes late is as recorded, and may be under a rule; all others were found by
 * repair. */
void trace_otf2_use_entry(const struct trace_otf2_decoder *decoder, struct trace_op *op,
                          const struct trace_otf2_receive *entry)
{
    op->peer = entry->peer;
    op->communicator = entry->communicator;
    op->tag = entry->tag;
    op->bytes = entry->bytes;
    if (entry->state == TRACE_OTF2_FAR)
        trace_otf2_apply_rule(decoder, op);
    else
        op->flags |= TRACE_REPAIRED;
}

/* Starts are asked about in the order of their ordinals, so one step along the sorted table is enough, as for
 * receives. */
bool trace_otf2_start_is_listed(struct trace_otf2_decoder *decoder, uint64_t ordinal)
{
    const struct trace_otf2_rank_tables *ranks = decoder->context->tables->ranks;
    const struct trace_otf2_rank_tables *rank;

    if (ranks == NULL)
        return false;
    rank = &ranks[decoder->rank];
    if (decoder->next_start == rank->start_count || rank->starts[decoder->next_start] != ordinal)
        return false;
    decoder->next_start++;
    return true;
}

/* Sets the error; returns -1. */
static int no_memory(struct trace_otf2_decoder *decoder)
{
    return base_error_memory(decoder->error, "the exceptions of a rank");
}

/* What is sent to MPI_PROC_NULL takes its turn in the waits, but nothing of it is repaired. Cursors have the
 * list already. */
int trace_otf2_note_start(struct trace_otf2_decoder *decoder, const struct trace_otf2_request *request)
{
    struct trace_otf2_rank_tables *found = decoder->found;

    if (found == NULL)
        return 0;
    if (base_grow(&found->starts, &found->start_capacity, found->start_count + 1, sizeof *found->starts) != 0)
        return no_memory(decoder);
    found->starts[found->start_count++] = request->ordinal;
    if (request->kind == TRACE_OTF2_REQUEST_SEND)
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_MISSING_SEND, 1);
    return 0;
}

/* A cursor that finds an exception which the survey did not find reads other events than the survey did. Entries
 * are appended in the order in which exceptions end, and sorted when the rank is done (survey.c). */
int trace_otf2_note_receive(struct trace_otf2_decoder *decoder, const struct trace_otf2_receive *receive)
{
    struct trace_otf2_rank_tables *found = decoder->found;

    if (found == NULL)
        return trace_otf2_damaged(decoder, NULL, "the trace has changed while it was read");
    if (base_grow(&found->receives, &found->receive_capacity, found->receive_count + 1,
                  sizeof *found->receives) != 0)
        return no_memory(decoder);
    found->receives[found->receive_count++] = *receive;
    return 0;
}

/* By the call that started it, where there is one around the record. */
static void count_endless(struct trace_otf2_decoder *decoder, const struct trace_slot *slot)
{
    if (slot != NULL && slot->op.region != UINT32_MAX)
        decoder->counts->calls[slot->op.region].endless++;
    else
        decoder->counts->nonblocking++;
}

/* The survey learns here what the cursors will know beforehand. Its slot in the queue dies, so that what was held
 * up behind it can go on. */
int trace_otf2_abandon(struct trace_otf2_decoder *decoder, uint32_t index,
                       enum trace_otf2_receive_state state)
{
    struct trace_otf2_request request = decoder->requests.all[index];
    struct trace_slot *slot;

    trace_otf2_request_remove(&decoder->requests, index);
    slot = trace_queue_find(&decoder->queue, request.slot);
    if (slot != NULL)
        slot->state = TRACE_SLOT_DEAD;
    if (request.kind == TRACE_OTF2_REQUEST_COLLECTIVE && decoder->counts != NULL)
        count_endless(decoder, slot);
    if (request.ordinal == TRACE_OTF2_NO_ORDINAL)
        return 0;
    if ((request.kind != TRACE_OTF2_REQUEST_RECEIVE && decoder->found != NULL) ||
        (request.kind == TRACE_OTF2_REQUEST_COLLECTIVE && slot == NULL))
        return trace_otf2_note_start(decoder, &request);
    if (state == TRACE_OTF2_UNKNOWN && request.early)
        state = TRACE_OTF2_EARLY;
    return trace_otf2_note_receive(
        decoder,
        &(struct trace_otf2_receive){.ordinal = request.ordinal, .peer = UINT32_MAX, .state = state});
}

/* Takes a request that never completes for completed here. What is left out takes its turn too, without a
 * trace. */
static int complete_now(struct trace_otf2_decoder *decoder, uint32_t index)
{
    struct trace_otf2_request request = decoder->requests.all[index];

    trace_otf2_request_remove(&decoder->requests, index);
    return request.kind == TRACE_OTF2_REQUEST_NOTHING ? 0 : trace_otf2_complete(decoder, request.number);
}

/* The oldest first, as a program that waits for its requests in turn would. The wait is flagged as repaired.
 */
int trace_otf2_complete_unfinished(struct trace_otf2_decoder *decoder, bool all)
{
    while (decoder->requests.unfinished_first != TRACE_OTF2_NO_REQUEST) {
        if (complete_now(decoder, decoder->requests.unfinished_first) != 0)
            return -1;
        if (!all)
            break;
    }
    return trace_otf2_emit_wait(decoder, TRACE_REPAIRED);
}

/* EZTrace identifies requests by the address of the program's variable, so that the same identifier returns
 * thousands of times; one that returns while it is open has missed its completion. An identifier that is free
 * already is no error: then nothing happens. */
int trace_otf2_release_id(struct trace_otf2_decoder *decoder, uint64_t id)
{
    uint32_t index = trace_otf2_request_find(&decoder->requests, id);

    if (index == TRACE_OTF2_NO_REQUEST)
        return 0;
    if (!decoder->requests.all[index].unfinished)
        return trace_otf2_abandon(decoder, index, TRACE_OTF2_UNKNOWN);
    return complete_now(decoder, index) != 0 ? -1 : trace_otf2_emit_wait(decoder, TRACE_REPAIRED);
}
