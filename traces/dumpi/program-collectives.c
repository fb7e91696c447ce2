/* Collectives: sizes as program.h wants them, out of the arguments that each has.
 *
 * MPI_IN_PLACE leaves no trace but arguments that mean nothing on the side that it replaces. So sizes come
 * from the side that MPI always looks at: what is received for allgather, alltoall and reduce_scatter; at the
 * root of a gather what is received, elsewhere what is sent; and the other way round for scatter. Within one
 * group, both sides are equal otherwise.
 *
 * On an inter-communicator the other side of all blocks is the remote group: its ranks are first + 0,
 * first + 1 ... in the numbering of program.h.
 *
 *      arguments ─► find_group, find_root ─► find_sizes ─► emit ─► (emit_vector) ─► queue
 *
 * Between two groups some members do not record what their part is; who does tells the survey (trace_dumpi_parts,
 * roots), and cursors look it up. */
#include "traces/dumpi/program.h"

#include <inttypes.h>

#include "traces/dumpi/handlers.h"
#include "traces/dumpi/survey.h"
#include "base/grow.h"

/* A collective as it is put together. */
struct call {
    enum trace_collective collective;
    const struct trace_dumpi_group *group; /* of the communicator that it is on */
    bool inter;                            /* on an inter-communicator */
    uint32_t first, partners;              /* the ranks that blocks go to and come from */
    uint32_t root;
    uint64_t bytes, sent, received; /* as in the operation and its vector */
};

/* NULL where the function has no such argument, or this rank is not the root. */
static const struct dpt_value *list_of(const struct trace_dumpi_decoder *decoder, enum dpt_name name)
{
    return dpt_value(decoder->record, name);
}

/* count * size of a pair of arguments; 1, or as trace_dumpi_fault. */
static int product(struct trace_dumpi_decoder *decoder, enum dpt_name count, enum dpt_name datatype,
                   uint64_t *bytes)
{
    return trace_dumpi_bytes(decoder, dpt_number(decoder->record, count, 0),
                             dpt_number(decoder->record, datatype, DPT_DATATYPE_NULL), bytes, NULL);
}

/* The root's rank in program.h's numbering. On an inter-communicator MPI_ROOT and MPI_PROC_NULL are raw
 * values of the MPI library: the former is -3 or -4, the latter -1 or -2; ranks of the root's own group do
 * not know which of them it is, the survey does. */
static int find_root(struct trace_dumpi_decoder *decoder, struct call *call)
{
    const struct dpt_value *value = dpt_value(decoder->record, DPT_ROOT);

    call->root = UINT32_MAX;
    if (value == NULL)
        return 1;
    if (call->inter && value->number <= -3)
        call->root = call->group->own;
    else if (!(call->inter && value->number < 0)) {
        if (value->number < 0 || value->number >= call->partners)
            return trace_dumpi_fault(decoder, "rank-out-of-range",
                                     "root %" PRId64 " in communicator \"%s\", which has %" PRIu32 " members",
                                     value->number, decoder->context->communicators[call->group->index].name,
                                     call->partners);
        call->root = call->first + (uint32_t)value->number;
    }
    return 1;
}

/* Both sides' totals of a call with one count and datatype. */
static int whole(struct trace_dumpi_decoder *decoder, struct call *call)
{
    int good = product(decoder, DPT_COUNT, DPT_DATATYPE, &call->bytes);

    call->sent = call->received = call->bytes;
    return good;
}

/* Sends and receives one block with each partner, or with the root. `by_send` says which side is sure. */
static int blocks(struct trace_dumpi_decoder *decoder, struct call *call, bool by_send)
{
    int good = 1;

    if (list_of(decoder, DPT_SENDCOUNT) != NULL)
        good = product(decoder, DPT_SENDCOUNT, DPT_SENDTYPE, &call->sent);
    if (good > 0 && list_of(decoder, DPT_RECVCOUNT) != NULL)
        good = product(decoder, DPT_RECVCOUNT, DPT_RECVTYPE, &call->received);
    call->bytes = by_send ? call->sent : call->received;
    return good;
}

/* Sizes without vectors; 1, or as trace_dumpi_fault. Those with lists are 1 here, and get their sizes from
 * fill_vector. */
static int find_sizes(struct trace_dumpi_decoder *decoder, struct call *call)
{
    bool at_root = call->root == call->group->own;

    /* MPI_PROC_NULL on an inter-communicator: no part, and no arguments that mean anything. */
    if (call->inter && call->root == UINT32_MAX && list_of(decoder, DPT_ROOT) != NULL)
        return 1;
    switch (call->collective) {
    case TRACE_BARRIER:
        return 1;
    case TRACE_GATHER:
        return blocks(decoder, call, !at_root);
    case TRACE_SCATTER:
        return blocks(decoder, call, at_root);
    case TRACE_ALLGATHER:
    case TRACE_ALLTOALL:
        return blocks(decoder, call, call->inter);
    case TRACE_GATHERV:
    case TRACE_ALLGATHERV:
        return blocks(decoder, call, true);
    case TRACE_SCATTERV:
        return blocks(decoder, call, false);
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
    case TRACE_REDUCE_SCATTER:
        return 1;
    default:
        return whole(decoder, call);
    }
}

/* The blocks of a list of counts, into blocks[first ...]; their datatypes are one (`types` NULL) or a list.
 * *total is their sum. A list that is too short has blocks of 0. Damage that can be left out leaves zeros; sums
 * are kept below UINT64_MAX / 2, so that two of them can be added. */
static int fill_blocks(struct trace_dumpi_decoder *decoder, const struct call *call,
                       const struct dpt_value *counts, int64_t datatype, const struct dpt_value *types,
                       uint64_t *block, uint64_t *total)
{
    uint64_t limit = UINT64_MAX / 2;

    *total = 0;
    if (counts->number < call->partners &&
        trace_dumpi_fault(decoder, "short-list", "a list of %" PRId64 " counts for %" PRIu32 " ranks",
                          counts->number, call->partners) != 0)
        return -1;
    for (uint32_t i = 0; i < call->partners && i < counts->number; i++) {
        int64_t type = types == NULL ? datatype : i < types->number ? types->numbers[i] : DPT_DATATYPE_NULL;
        uint64_t bytes;

        if (trace_dumpi_bytes(decoder, counts->numbers[i], type, &bytes, NULL) < 0)
            return -1;
        if (bytes > limit - *total)
            return trace_dumpi_fault(decoder, "too-long-message", "the blocks of a collective have no sum");
        block[call->first + i] = bytes;
        *total += bytes;
    }
    return 0;
}

/* For what every member has alike. */
static void fill_all(uint64_t *values, uint32_t count, uint64_t value)
{
    for (uint32_t i = 0; i < count; i++)
        values[i] = value;
}

/* Blocks for everyone from everyone. In place, what is sent is as long as what comes back. */
static int fill_pairs(struct trace_dumpi_decoder *decoder, struct call *call, uint64_t *sent,
                      uint64_t *received)
{
    const struct dpt_value *send_counts = list_of(decoder, DPT_SENDCOUNTS);
    int64_t send_type = dpt_number(decoder->record, DPT_SENDTYPE, DPT_DATATYPE_NULL);
    bool w = call->collective == TRACE_ALLTOALLW;
    bool in_place = send_counts->number == 0 || (!w && send_type <= DPT_DATATYPE_NULL);

    if (fill_blocks(decoder, call, list_of(decoder, DPT_RECVCOUNTS),
                    dpt_number(decoder->record, DPT_RECVTYPE, DPT_DATATYPE_NULL),
                    w ? list_of(decoder, DPT_RECVTYPES) : NULL, received, &call->received) != 0)
        return -1;
    if (!in_place)
        return fill_blocks(decoder, call, send_counts, send_type, w ? list_of(decoder, DPT_SENDTYPES) : NULL,
                           sent, &call->sent);
    for (uint32_t i = 0; i < call->group->size; i++)
        sent[i] = received[i];
    call->sent = call->received;
    return 0;
}

/* The vectors by what each collective has lists of; see op.vector. `sent` and `received` are by rank of the
 * communicator, zeroed before. 0, or as trace_dumpi_fault. */
static int fill_vector(struct trace_dumpi_decoder *decoder, struct call *call, uint64_t *sent,
                       uint64_t *received)
{
    const struct dpt_value *send_counts = list_of(decoder, DPT_SENDCOUNTS);
    const struct dpt_value *receive_counts = list_of(decoder, DPT_RECVCOUNTS);
    int64_t send_type = dpt_number(decoder->record, DPT_SENDTYPE, DPT_DATATYPE_NULL);
    int64_t receive_type = dpt_number(decoder->record, DPT_RECVTYPE, DPT_DATATYPE_NULL);
    uint32_t own = call->group->own, size = call->group->size;

    switch (call->collective) {
    case TRACE_GATHERV:
        if (fill_blocks(decoder, call, receive_counts, receive_type, NULL, sent, &call->received) != 0)
            return -1;
        received[own] = call->received;
        call->sent = call->inter ? 0 : sent[own];
        break;
    case TRACE_SCATTERV:
        if (fill_blocks(decoder, call, send_counts, send_type, NULL, received, &call->sent) != 0)
            return -1;
        sent[own] = call->sent;
        call->received = call->inter ? 0 : received[own];
        break;
    case TRACE_ALLGATHERV:
        if (fill_blocks(decoder, call, receive_counts, receive_type, NULL, sent, &call->received) != 0)
            return -1;
        fill_all(received, size, call->received);
        if (call->inter)
            sent[own] = call->bytes;
        call->sent = sent[own];
        break;
    case TRACE_REDUCE_SCATTER:
        if (fill_blocks(decoder, call, receive_counts, dpt_number(decoder->record, DPT_DATATYPE, 1), NULL,
                        received, &call->sent) != 0)
            return -1;
        fill_all(sent, size, call->sent);
        call->received = received[own];
        break;
    default:
        return fill_pairs(decoder, call, sent, received);
    }
    return 0;
}

/* Which members have lists. The recorder does not see that MPI_ROOT is the root of a gatherv. */
static bool has_vector(const struct trace_dumpi_decoder *decoder, const struct call *call)
{
    switch (call->collective) {
    case TRACE_GATHERV:
        return call->root == call->group->own && list_of(decoder, DPT_RECVCOUNTS) != NULL;
    case TRACE_SCATTERV:
        return call->root == call->group->own && list_of(decoder, DPT_SENDCOUNTS) != NULL;
    case TRACE_ALLGATHERV:
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
    case TRACE_REDUCE_SCATTER:
        return true;
    default:
        return false;
    }
}

/* Where the blocks of this rank go. A reduce_scatter on an inter-communicator has a block for each rank of
 * the own group. */
static void find_partners(const struct trace_dumpi_decoder *decoder, struct call *call)
{
    const struct trace_communicator *members = &decoder->context->communicators[call->group->index];
    bool left = call->group->own < members->size;

    call->inter = members->remote_size > 0;
    call->first = 0;
    call->partners = members->size;
    if (call->inter && left != (call->collective == TRACE_REDUCE_SCATTER)) {
        call->first = members->size;
        call->partners = members->remote_size;
    }
}

/* A member of the root's own group, on an inter-communicator. */
static uint32_t look_up_root(const struct trace_dumpi_decoder *decoder, const struct trace_op *op)
{
    const struct base_table *roots = decoder->context->roots;

    return roots == NULL ? UINT32_MAX : base_table_get(roots, op->communicator, op->instance);
}

/* Gathers and scatters, in which the recorder leaves out what only the root says; and it does not see that
 * MPI_ROOT is one. */
static bool has_parts(const struct call *call)
{
    return call->inter && (call->collective == TRACE_GATHER || call->collective == TRACE_GATHERV ||
                           call->collective == TRACE_SCATTER || call->collective == TRACE_SCATTERV);
}

static uint64_t part_key(const struct trace_op *op, uint32_t member)
{
    return (uint64_t)member << 32 | op->communicator;
}

/* For the survey: what others have to know of this member. */
static int note_part(struct trace_dumpi_decoder *decoder, const struct call *call, const struct trace_op *op,
                     uint64_t bytes)
{
    struct trace_dumpi_parts *parts = &decoder->survey->parts;

    if (parts->count >= BASE_TABLE_NONE ||
        base_grow(&parts->bytes, &parts->capacity, parts->count + 1, sizeof *parts->bytes) != 0 ||
        base_table_put(&parts->index, part_key(op, call->group->own), op->instance, (uint32_t)parts->count) !=
            0)
        return trace_dumpi_no_memory(decoder);
    parts->bytes[parts->count++] = bytes;
    return 0;
}

/* 0 for a member that does not call. */
static uint64_t part_of(const struct trace_dumpi_decoder *decoder, const struct trace_op *op, uint32_t member)
{
    const struct trace_dumpi_parts *parts = decoder->context->parts;
    uint32_t index =
        parts == NULL ? BASE_TABLE_NONE : base_table_get(&parts->index, part_key(op, member), op->instance);

    return index == BASE_TABLE_NONE ? 0 : parts->bytes[index];
}

/* The root's sizes, from those of its partners; of the variants with lists into blocks[first ...]. */
static void collect_parts(const struct trace_dumpi_decoder *decoder, struct call *call,
                          const struct trace_op *op, uint64_t *block, uint64_t *whole_block)
{
    bool gathers = call->collective == TRACE_GATHER || call->collective == TRACE_GATHERV;
    uint64_t total = 0;

    call->bytes = block == NULL ? part_of(decoder, op, call->first) : 0;
    for (uint32_t i = call->first; block != NULL && i < call->first + call->partners; i++)
        total += block[i] = part_of(decoder, op, i);
    if (block != NULL)
        *whole_block = total;
    *(gathers ? &call->received : &call->sent) = block == NULL ? call->bytes : total;
}

/* Roots of inter-communicators, and what they have to know, are noted by who knows, for those who do not. */
static int note_root(struct trace_dumpi_decoder *decoder, const struct call *call, struct trace_op *op)
{
    if (!call->inter || dpt_value(decoder->record, DPT_ROOT) == NULL)
        return 0;
    if (call->root == UINT32_MAX) {
        op->root = look_up_root(decoder, op);
        return 0;
    }
    if (decoder->survey == NULL)
        return 0;
    if (base_table_put(&decoder->survey->roots, op->communicator, op->instance, call->root) != 0)
        return trace_dumpi_no_memory(decoder);
    return has_parts(call) && call->root != call->group->own ? note_part(decoder, call, op, call->bytes) : 0;
}

/* Allgatherv and reduce_scatter between two groups: a member has a list of the blocks of one of them, and of
 * the other group's its own block alone, or none. Each tells the survey its own, for all to know. */
static int complete_groups(struct trace_dumpi_decoder *decoder, const struct call *call,
                           const struct trace_op *op, uint64_t *block, uint64_t *whole)
{
    uint64_t totals[2] = {0, 0}; /* of those that have no list, and of those that have */

    if (decoder->survey != NULL && note_part(decoder, call, op, block[call->group->own]) != 0)
        return -1;
    for (uint32_t i = 0; i < call->group->size; i++) {
        bool listed = i >= call->first && i - call->first < call->partners;
        if (!listed && i != call->group->own)
            block[i] = part_of(decoder, op, i);
        totals[listed] += block[i];
    }
    for (uint32_t i = 0; i < call->group->size; i++)
        whole[i] = totals[i < call->first || i - call->first >= call->partners];
    return 0;
}

/* The blocks of each rank, of a collective that has them. The arrays are words of the queue, which the operation
 * has until it is taken: sent first, then received. */
static int emit_vector(struct trace_dumpi_decoder *decoder, struct call *call, const struct trace_op *op)
{
    uint32_t size = call->group->size, own = call->group->own;
    uint64_t *words = trace_queue_append_words(&decoder->queue, 2 * (size_t)size);

    if (words == NULL)
        return trace_dumpi_no_memory(decoder);
    fill_all(words, 2 * size, 0);
    if (has_vector(decoder, call)) {
        if (fill_vector(decoder, call, words, words + size) != 0)
            return -1;
        if (call->inter && call->collective == TRACE_ALLGATHERV &&
            complete_groups(decoder, call, op, words, words + size) != 0)
            return -1;
        if (call->inter && call->collective == TRACE_REDUCE_SCATTER &&
            complete_groups(decoder, call, op, words + size, words) != 0)
            return -1;
    } else if (call->collective == TRACE_GATHERV) {
        collect_parts(decoder, call, op, words, &words[size + own]);
    } else {
        collect_parts(decoder, call, op, words + size, &words[own]);
    }
    call->bytes = 0;
    return 0;
}

/* Sizes per rank are where the recorder kept them: in the vector of the call, on the root alone, or nowhere, when they
 * are gathered from what the other ranks record of the same instance. The instance counts every collective of the
 * rank on the communicator, implied ones included. */
static int emit(struct trace_dumpi_decoder *decoder, struct call *call)
{
    struct trace_slot *slot = trace_dumpi_emit(decoder, TRACE_COLLECTIVE_CALL);
    bool lists = call->collective == TRACE_GATHERV || call->collective == TRACE_SCATTERV;
    bool without_sizes;
    struct trace_op *op;

    if (slot == NULL)
        return -1;
    op = &slot->op;
    op->collective = call->collective;
    op->communicator = call->group->index;
    op->root = call->root;
    if (trace_dumpi_next_instance(decoder, op->communicator, &op->instance) != 0 ||
        note_root(decoder, call, op) != 0)
        return -1;
    without_sizes = has_parts(call) && call->root == call->group->own && !has_vector(decoder, call);
    if ((has_vector(decoder, call) || (without_sizes && lists)) && emit_vector(decoder, call, op) != 0)
        return -1;
    if (without_sizes && !lists && call->bytes == 0)
        collect_parts(decoder, call, op, NULL, NULL);
    op->bytes = call->bytes;
    op->bytes_sent = call->sent;
    op->bytes_received = call->received;
    return 0;
}

/* The table of calls has sent only these functions here. */
static enum trace_collective collective_of(unsigned function)
{
    switch (function) {
#define CASE(name, symbol)                                                                                   \
    case DPT_MPI_##name:                                                                                     \
        return TRACE_##symbol
        CASE(Bcast, BCAST);
        CASE(Gather, GATHER);
        CASE(Gatherv, GATHERV);
        CASE(Scatter, SCATTER);
        CASE(Scatterv, SCATTERV);
        CASE(Allgather, ALLGATHER);
        CASE(Allgatherv, ALLGATHERV);
        CASE(Alltoall, ALLTOALL);
        CASE(Alltoallv, ALLTOALLV);
        CASE(Alltoallw, ALLTOALLW);
        CASE(Allreduce, ALLREDUCE);
        CASE(Reduce, REDUCE);
        CASE(Reduce_scatter, REDUCE_SCATTER);
        CASE(Scan, SCAN);
        CASE(Exscan, EXSCAN);
#undef CASE
    default:
        return TRACE_BARRIER;
    }
}

/* On a communicator of which nothing is known, the recorded time is all that can be replayed. */
int trace_dumpi_on_collective(struct trace_dumpi_decoder *decoder)
{
    struct call call = {.collective = collective_of(decoder->record->function)};
    int good;

    call.group = trace_dumpi_group(decoder, dpt_number(decoder->record, DPT_COMM, DPT_COMM_NULL));
    if (!call.group->known) {
        trace_dumpi_repair(decoder, TRACE_DUMPI_REPAIR_UNKNOWN_COMMUNICATOR_COLLECTIVE);
        decoder->compute_ns += decoder->call_ns;
        return 0;
    }
    find_partners(decoder, &call);
    good = find_root(decoder, &call);
    if (good > 0)
        good = find_sizes(decoder, &call);
    return good <= 0 ? good : emit(decoder, &call);
}
