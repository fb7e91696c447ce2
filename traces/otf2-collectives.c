/* Collectives of one rank: checked, counted on their communicator, and with sizes that mean the same
 * everywhere. Only the record at the end of a collective says anything; that at its beginning holds nothing
 * but a time.
 *
 * The n-th collective of one member of a communicator is the n-th of every member: MPI demands it and the
 * survey checks it. So a number for each communicator and rank is all that the replay needs to find the
 * others. */
#include <inttypes.h>

#include "traces/otf2-decoder.h"

/* OTF2's operation codes. The creation of handles and the like are no collectives of the program. -1 for
 * those; the caller tells codes that OTF2 does not have apart. */
static int collective_of(uint32_t operation)
{
    static const signed char collectives[] = {
        [OTF2_COLLECTIVE_OP_BARRIER] = TRACE_BARRIER,
        [OTF2_COLLECTIVE_OP_BCAST] = TRACE_BCAST,
        [OTF2_COLLECTIVE_OP_GATHER] = TRACE_GATHER,
        [OTF2_COLLECTIVE_OP_GATHERV] = TRACE_GATHERV,
        [OTF2_COLLECTIVE_OP_SCATTER] = TRACE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCATTERV] = TRACE_SCATTERV,
        [OTF2_COLLECTIVE_OP_ALLGATHER] = TRACE_ALLGATHER,
        [OTF2_COLLECTIVE_OP_ALLGATHERV] = TRACE_ALLGATHERV,
        [OTF2_COLLECTIVE_OP_ALLTOALL] = TRACE_ALLTOALL,
        [OTF2_COLLECTIVE_OP_ALLTOALLV] = TRACE_ALLTOALLV,
        [OTF2_COLLECTIVE_OP_ALLTOALLW] = TRACE_ALLTOALLW,
        [OTF2_COLLECTIVE_OP_ALLREDUCE] = TRACE_ALLREDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE] = TRACE_REDUCE,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = TRACE_REDUCE_SCATTER,
        [OTF2_COLLECTIVE_OP_SCAN] = TRACE_SCAN,
        [OTF2_COLLECTIVE_OP_EXSCAN] = TRACE_EXSCAN,
        [OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = TRACE_REDUCE_SCATTER_BLOCK,
    };
    return operation < sizeof collectives ? collectives[operation] : -1;
}

/* Sizes are checked like those of messages: a flipped bit makes them absurd more often than wrong. */
static int check_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event,
                            const struct trace_otf2_collective_record *record)
{
    if (event->bytes > decoder->context->message_limit_bytes ||
        event->received > decoder->context->message_limit_bytes)
        return trace_otf2_damaged(
            decoder, event, "a collective of %" PRIu64 " and %" PRIu64 " bytes is over the limit of %" PRIu64,
            event->bytes, event->received, decoder->context->message_limit_bytes);
    if (trace_otf2_has_root(record->collective) && record->root == UINT32_MAX)
        return trace_otf2_damaged(decoder, event, "root %u of %s in a communicator with %u members",
                                  event->peer, trace_collective_name(record->collective), record->size);
    return 0;
}

/* Counts the collective on its communicator. One number below BASE_TABLE_NONE is kept free, which the table
 * returns for "none so far". */
static int next_instance(struct trace_otf2_decoder *decoder, uint32_t communicator, uint64_t *instance)
{
    uint32_t count = base_table_get(&decoder->instances, communicator, 0);

    *instance = count == BASE_TABLE_NONE ? 0 : count;
    if (*instance == BASE_TABLE_NONE - 1)
        return trace_otf2_damaged(decoder, NULL, "more than 4294967293 collectives on one communicator");
    return base_table_put(&decoder->instances, communicator, 0, (uint32_t)*instance + 1) != 0
               ? base_error_memory(decoder->error, "the collectives of a rank")
               : 0;
}

/* What was recorded stays beside what it means. Where members disagree, the table has the last word. */
static void set_sizes(struct trace_otf2_decoder *decoder, struct trace_op *op,
                      const struct trace_otf2_collective_record *record)
{
    const struct trace_otf2_tables *tables = decoder->context->tables;
    uint32_t size = base_table_get(&tables->sizes, op->communicator, op->instance);

    op->bytes_sent = record->sent;
    op->bytes_received = record->received;
    op->bytes = trace_otf2_collective_bytes(record, tables->multiplied[record->collective]);
    if (trace_otf2_has_vectors(record->collective))
        op->flags |= TRACE_APPROXIMATED;
    /* Which convention holds is inferred for the whole trace: where it makes a difference, that is said. */
    if (op->bytes != trace_otf2_collective_bytes(record, false))
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_SIZE_CONVENTION, 1);
    if (size != BASE_TABLE_NONE && tables->size_list[size] != op->bytes) {
        op->bytes = tables->size_list[size];
        op->flags |= TRACE_REPAIRED;
        trace_otf2_count_repair(decoder, TRACE_OTF2_REPAIR_COLLECTIVE_SIZE, 1);
    }
}

/* The survey sees the record too, since it judges the convention of sizes by it. */
static int emit_collective(struct trace_otf2_decoder *decoder, uint32_t communicator,
                           const struct trace_otf2_collective_record *record)
{
    struct trace_op op = trace_otf2_new_op(decoder, TRACE_COLLECTIVE_CALL);

    op.communicator = communicator;
    op.collective = record->collective;
    op.root = record->root;
    if (next_instance(decoder, communicator, &op.instance) != 0)
        return -1;
    set_sizes(decoder, &op, record);
    trace_otf2_count_bytes(decoder, trace_otf2_has_vectors(record->collective) ? op.bytes_sent : op.bytes);
    if (decoder->on_collective != NULL && decoder->on_collective(decoder->user, &op, record) != 0)
        return -1;
    return trace_otf2_emit(decoder, &op) == NULL ? -1 : 0;
}

/* Roots are special values (none, this group, self) on inter-communicators only, which have been left out by
 * the time the root is looked at. */
int trace_otf2_decode_collective(struct trace_otf2_decoder *decoder, const struct trace_otf2_event *event)
{
    struct trace_otf2_collective_record record = {.sent = event->bytes, .received = event->received};
    uint32_t index = trace_otf2_find_communicator(decoder, event, &record.rank);
    int collective = collective_of(event->tag);

    if (index == BASE_TABLE_NONE)
        return -1;
    if (event->tag > OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE)
        return trace_otf2_damaged(decoder, event, "collective operation %u is not known", event->tag);
    if (collective < 0) {
        if (decoder->counts != NULL)
            decoder->counts->handles++;
        return 0;
    }
    if (index == TRACE_OTF2_SELF || index == TRACE_OTF2_INTER) {
        trace_otf2_count_left_out(decoder, index);
        return 0;
    }
    record.collective = (enum trace_collective)collective;
    record.size = decoder->context->definitions->communicators[index].size;
    record.root = UINT32_MAX;
    if (trace_otf2_has_root(record.collective))
        record.root = trace_otf2_named_member(decoder->context->definitions, index, event->peer);
    if (check_collective(decoder, event, &record) != 0)
        return -1;
    return emit_collective(decoder, index, &record);
}
