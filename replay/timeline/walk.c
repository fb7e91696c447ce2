/* Arrows need both ends of a message, which different ranks have. No table of messages is kept: MPI pairs the
 * sends and receives of one communicator, source, target and tag in their order, so that either side can number
 * them alone, and both come to the same number. */
#include <config.h>

#include "replay/timeline/internal.h"

#include <stdlib.h>

#include "base/grow.h"
#include "base/random.h"

/* The last job that begins at the rank or before it. There are few jobs, so no search by halves. NULL: a single
 * program. */
const struct replay_execution_job *replay_execution_job_of(const struct replay_execution *execution,
                                                           uint32_t rank)
{
    uint32_t job = execution->job_count;

    while (job > 0 && execution->jobs[job - 1].first_rank > rank)
        job--;
    return job == 0 ? NULL : &execution->jobs[job - 1];
}

/* The ranks of a job begin with it. */
int execution_walk_begin(struct execution_walk *walk, const struct replay_execution *execution, uint32_t rank,
                         struct base_error *error)
{
    const struct replay_execution_job *job = replay_execution_job_of(execution, rank);

    *walk = (struct execution_walk){.cursor = trace_cursor_new(execution->program, rank, error),
                                    .end_ns = job == NULL ? 0 : job->start_ns};
    if (walk->cursor != NULL)
        walk->reader = replay_recorder_read(execution->recorder, rank, error);
    return walk->reader == NULL ? -1 : 0;
}

/* The operations of a rank leave no gap: each begins where the one before has ended. */
int execution_walk_next(struct execution_walk *walk, struct base_error *error)
{
    int more = trace_cursor_next(walk->cursor, &walk->op, error);

    if (more <= 0)
        return more;
    walk->begin_ns = walk->end_ns;
    struct replay_spell spell;
    if (replay_recorder_next(walk->reader, ++walk->operation, &spell, error) != 0)
        return -1;
    walk->op.duration_ns = spell.ns;
    walk->network_ns = spell.network_ns;
    walk->end_ns += walk->op.duration_ns;
    return 1;
}

void execution_walk_end(struct execution_walk *walk)
{
    trace_cursor_free(walk->cursor);
    replay_recorder_reader_free(walk->reader);
}

/* The end of a rank takes no time, whatever it is called. */
enum report_lane_state execution_state_of(const struct trace_op *op)
{
    switch (op->kind) {
    case TRACE_COMPUTE:
        return REPORT_LANE_COMPUTING;
    case TRACE_SEND:
    case TRACE_PUT:
    case TRACE_GET:
        return REPORT_LANE_SENDING;
    case TRACE_COLLECTIVE_CALL:
        return REPORT_LANE_COLLECTIVE;
    case TRACE_RECEIVE:
    case TRACE_PROBE:
    case TRACE_WAIT:
    case TRACE_END:
        break;
    }
    return REPORT_LANE_RECEIVING;
}

void execution_arrows_free(struct execution_arrows *arrows)
{
    base_table_free(&arrows->counts);
    base_table_free(&arrows->open);
    free(arrows->receives);
    free(arrows->places);
}

/* The number of the message that the operation sends or receives. -1: memory. */
static int number_message(struct execution_arrows *arrows, const struct trace_op *op, uint32_t rank,
                          uint64_t *number)
{
    bool sends = op->kind == TRACE_SEND;
    uint64_t a = (uint64_t)op->communicator << 32 | op->peer, b = (uint64_t)op->tag << 1 | sends;
    uint32_t count = base_table_get(&arrows->counts, a, b);
    uint32_t source = sends ? rank : op->peer, target = sends ? op->peer : rank;

    if (count == BASE_TABLE_NONE)
        count = 0;
    *number = base_hash(
        base_hash((uint64_t)op->communicator << 32 | source, (uint64_t)target << 32 | op->tag), count);
    return base_table_put(&arrows->counts, a, b, count + 1);
}

/* Twice as many places, for receives and for the list of those that are free. -1: memory. */
static int grow(struct execution_arrows *arrows)
{
    uint32_t capacity = arrows->capacity;

    if (base_grow_32(&arrows->receives, &capacity, (size_t)arrows->count + 1, sizeof *arrows->receives) != 0)
        return -1;
    return base_grow_32(&arrows->places, &arrows->capacity, (size_t)arrows->count + 1,
                        sizeof *arrows->places);
}

/* The receive is over when a wait has completed it. Memory is that of the receives that are open at a time. */
static int remember_receive(struct execution_arrows *arrows, uint64_t request,
                            const struct execution_arrow *arrow)
{
    uint32_t place;

    if (arrows->free_count == 0 && arrows->count == arrows->capacity && grow(arrows) != 0)
        return -1;
    place = arrows->free_count > 0 ? arrows->places[--arrows->free_count] : arrows->count++;
    arrows->receives[place] = *arrow;
    return base_table_put(&arrows->open, request, 0, place);
}

/* A request may be waited for twice; the first time it is over. */
static int complete_receives(struct execution_arrows *arrows, const struct execution_walk *walk,
                             int (*visit)(void *, const struct execution_arrow *), void *context)
{
    for (size_t i = 0; i < walk->op.request_count; i++) {
        uint32_t open = base_table_get(&arrows->open, walk->op.requests[i], 0);
        if (open == BASE_TABLE_NONE)
            continue;
        arrows->receives[open].time_ns = walk->end_ns;
        if (visit(context, &arrows->receives[open]) != 0)
            return -1;
        arrows->places[arrows->free_count++] = open;
        base_table_remove(&arrows->open, walk->op.requests[i], 0);
    }
    return 0;
}

/* Behind a wildcard no receive of the rank is shown any more: it might be another message's. */
int execution_arrows_visit(struct execution_arrows *arrows, const struct execution_walk *walk, uint32_t rank,
                           int (*visit)(void *context, const struct execution_arrow *arrow), void *context)
{
    const struct trace_op *op = &walk->op;
    struct execution_arrow arrow = {
        .rank = rank, .time_ns = walk->end_ns, .bytes = op->bytes, .is_head = op->kind == TRACE_RECEIVE};

    if (op->kind == TRACE_WAIT)
        return complete_receives(arrows, walk, visit, context);
    if (op->kind == TRACE_RECEIVE)
        arrows->lost |= op->peer == TRACE_ANY_SOURCE || op->tag == TRACE_ANY_TAG;
    if (op->kind != TRACE_SEND && (op->kind != TRACE_RECEIVE || arrows->lost))
        return 0;
    if (number_message(arrows, op, rank, &arrow.number) != 0)
        return -1;
    if (arrow.is_head && (op->flags & TRACE_NONBLOCKING) != 0)
        return remember_receive(arrows, op->request, &arrow);
    if (!arrow.is_head)
        arrow.time_ns = walk->begin_ns;
    return visit(context, &arrow);
}
