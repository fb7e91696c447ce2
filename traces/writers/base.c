/* Members, sizes and losses: what every format needs to know of a program while it is written. */
#include "traces/writers/internal.h"

#include <stdlib.h>

static const struct trace_loss loss_kinds[] = {
#define TRACE_LOSS(symbol, kind, sentence) {kind, sentence, 0},
#include "traces/writers/losses.def"
#undef TRACE_LOSS
};

/* A table over all members of all communicators: one look-up a message. */
static int index_members(struct trace_writer *writer)
{
    for (uint32_t c = 0; c < writer->program->communicator_count; c++) {
        const struct trace_communicator *communicator = &writer->program->communicators[c];
        for (uint32_t i = 0; i < communicator->size; i++)
            if (base_table_put(&writer->members, c, communicator->members[i], i) != 0)
                return -1;
        for (uint32_t i = 0; i < communicator->remote_size; i++)
            if (base_table_put(&writer->members, c, communicator->remote_members[i],
                               communicator->size + i) != 0)
                return -1;
    }
    return 0;
}

/* What fails leaves a writer that trace_writer_free frees. */
int trace_writer_init(struct trace_writer *writer, const char *path, const char *suffix,
                      const struct trace_program *program, struct base_error *error)
{
    *writer = (struct trace_writer){.program = program, .rank = UINT32_MAX};
    if (index_members(writer) != 0)
        return base_error_memory(error, "the members of communicators");
    return trace_place_open(&writer->place, path, suffix, error);
}

/* The last thing that a format does, after it has freed what is its own. */
void trace_writer_free(struct trace_writer *writer)
{
    trace_place_abandon(&writer->place);
    base_table_free(&writer->members);
    trace_open_requests_clear(&writer->requests);
    free(writer);
}

/* Counted in operations, so that the numbers mean the same in all formats. */
void trace_writer_lose(struct trace_writer *writer, enum trace_loss_kind kind)
{
    writer->counts[kind]++;
}

/* The list is part of the writer; making it again changes nothing that a caller can have seen otherwise. */
const struct trace_loss *trace_writer_losses(const struct trace_writer *writer, size_t *count)
{
    struct trace_writer *owner = (struct trace_writer *)(uintptr_t)writer;

    *count = 0;
    for (size_t i = 0; i < TRACE_LOSSES; i++) {
        if (writer->counts[i] == 0)
            continue;
        owner->losses[*count] = loss_kinds[i];
        owner->losses[(*count)++].count = writer->counts[i];
    }
    return writer->losses;
}

/* Peers of messages are world ranks also on an inter-communicator: who is meant shows by the group that
 * the writer's own rank is not in. */
uint32_t trace_writer_member(const struct trace_writer *writer, uint32_t communicator, uint32_t world,
                             bool *remote)
{
    const struct trace_communicator *group;
    uint32_t mine, other;

    *remote = false;
    if (communicator >= writer->program->communicator_count)
        return UINT32_MAX;
    group = &writer->program->communicators[communicator];
    other = base_table_get(&writer->members, communicator, world);
    if (other == BASE_TABLE_NONE || group->remote_size == 0)
        return other == BASE_TABLE_NONE ? UINT32_MAX : other;
    mine = base_table_get(&writer->members, communicator, writer->rank);
    *remote = mine != BASE_TABLE_NONE && (mine < group->size) != (other < group->size);
    return other < group->size ? other : other - group->size;
}

/* Counted once an operation, and so asked for once. */
uint32_t trace_writer_tag(struct trace_writer *writer, const struct trace_op *op)
{
    if (op->tag == TRACE_ANY_TAG || op->tag <= INT32_MAX)
        return op->tag;
    trace_writer_lose(writer, TRACE_LOSS_LARGE_TAGS);
    return op->tag & INT32_MAX;
}

/* Readers of formats that record totals keep them by instance, since no member knows those of the
 * others. */
const struct trace_vector *trace_writer_vector(const struct trace_writer *writer, const struct trace_op *op)
{
    if (op->vector != NULL || !trace_collective_has_vectors(op->collective))
        return op->vector;
    return trace_program_vector(writer->program, op->communicator, op->instance);
}

/* Saturates: sizes of a damaged trace only have to stay absurd. */
static uint64_t sum_of(const uint64_t *values, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum = sum + values[i] < sum ? UINT64_MAX : sum + values[i];
    return sum;
}

/* Of gatherv and allgatherv the blocks are `sent`, of scatterv and reduce_scatter `received`; the other side
 * of the call has them all: on an inter-communicator those of the other group, but of reduce_scatter the own
 * group's, whose sum is the same. A rank without a vector takes its own block for everyone's. */
static void block_totals(const struct trace_op *op, const struct trace_vector *vector,
                         const struct trace_communicator *group, uint32_t rank, uint64_t *own, uint64_t *all)
{
    bool sends = op->collective == TRACE_GATHERV || op->collective == TRACE_ALLGATHERV;
    bool left = rank < group->size;
    uint32_t first = 0, count = group->size;

    if (group->remote_size > 0 && left != (op->collective == TRACE_REDUCE_SCATTER)) {
        first = group->size;
        count = group->remote_size;
    }
    if (vector == NULL) {
        *own = op->bytes;
        *all = op->bytes * count;
        return;
    }
    *own = sends ? vector->sent[rank] : vector->received[rank];
    *all = sum_of((sends ? vector->sent : vector->received) + first, count);
}

/* Formats that have one number for each side get the sum over the peers, formats with lists do not
 * ask. In bytes, the own block included; 0 where the rank has no part on that side. */
void trace_writer_totals(const struct trace_writer *writer, const struct trace_op *op, uint64_t *sent,
                         uint64_t *received)
{
    const struct trace_vector *vector = trace_writer_vector(writer, op);
    const struct trace_communicator *group = &writer->program->communicators[op->communicator];
    uint32_t size = group->size + group->remote_size;
    uint32_t rank = base_table_get(&writer->members, op->communicator, writer->rank);
    uint64_t own, all;

    *sent = *received = op->bytes;
    if (!trace_collective_has_vectors(op->collective) || rank == BASE_TABLE_NONE)
        return;
    if (op->collective == TRACE_ALLTOALLV || op->collective == TRACE_ALLTOALLW) {
        if (vector == NULL)
            *sent = *received = op->bytes * size;
        else if (vector->pairwise)
            *sent = sum_of(vector->sent, vector->size), *received = sum_of(vector->received, vector->size);
        else
            *sent = vector->sent[rank], *received = vector->received[rank];
        return;
    }
    block_totals(op, vector, group, rank, &own, &all);
    *sent = op->collective == TRACE_REDUCE_SCATTER ? all : own;
    *received = op->collective == TRACE_ALLGATHERV ? all : own;
    if (op->collective != TRACE_GATHERV && op->collective != TRACE_SCATTERV)
        return;
    *(op->collective == TRACE_GATHERV ? received : sent) = rank == op->root ? all : 0;
    if (group->remote_size > 0 && (rank < group->size) == (op->root < group->size)) /* no part of its own */
        *(op->collective == TRACE_GATHERV ? sent : received) = 0;
}
