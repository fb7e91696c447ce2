/* What a block's steps are as operations: for cursors, and for a survey that drafts them (traces/draft.h). */
#include <config.h>

#include "traces/edge.h"
#include "traces/goal/program.h"

/* The fields that all operations have. */
static struct trace_op new_op(struct trace_goal_giver *giver, enum trace_op_kind kind, uint32_t region)
{
    return (struct trace_op){.kind = kind,
                             .root = UINT32_MAX,
                             .event = ++giver->event,
                             .time_ns = giver->time_ns,
                             .region = region};
}

/* The set stays where it is until the next call, which is as long as whoever asked may look at it. A calc of no time is
 * an operation that is nothing but its wait; before others a wait is what they require. */
static int yield_wait(struct trace_goal_giver *giver, const uint64_t *requests, size_t count,
                      struct trace_op *op)
{
    const struct trace_goal_op *behind = &giver->step.op;

    *op = new_op(giver, TRACE_WAIT, TRACE_GOAL_WAITALL);
    if (giver->is_waiting && !giver->is_read && (behind->kind != TRACE_GOAL_CALC || behind->value > 0))
        op->flags = TRACE_EDGE;
    op->requests = requests;
    op->request_count = count;
    return 1;
}

/* Messages are always started and never waited for here: order.c has put the waits where they
 * belong. A calc of no time leaves nothing but the wait in front of it: 0. 1: *op is filled; 0: there is none to
 * yield. */
static int yield_op(struct trace_goal_giver *giver, struct trace_op *op)
{
    const struct trace_goal_op *what = &giver->step.op;

    if (what->kind == TRACE_GOAL_CALC) {
        if (trace_goal_compute(giver->program, what) == 0)
            return 0;
        *op = new_op(giver, TRACE_COMPUTE, TRACE_NO_REGION);
        op->duration_ns = what->value;
        giver->time_ns += what->value;
        return 1;
    }
    *op = what->kind == TRACE_GOAL_SEND ? new_op(giver, TRACE_SEND, TRACE_GOAL_ISEND)
                                        : new_op(giver, TRACE_RECEIVE, TRACE_GOAL_IRECV);
    op->flags = TRACE_NONBLOCKING;
    op->peer = what->peer;
    op->tag = what->tag;
    op->bytes = what->value;
    op->request = giver->step.request;
    return 1;
}

/* What nobody required is waited for at the end: a schedule is over when all of it is. At most one wait, then
 * the end, then nothing. */
static int yield_end(struct trace_goal_giver *giver, struct trace_op *op, struct base_error *error)
{
    size_t count = 0;
    const uint64_t *rest = NULL;

    if (giver->is_over)
        return 0;
    if (!giver->is_waiting) {
        rest = trace_goal_graph_rest(&giver->block->graph, &count);
        if (rest == NULL)
            return base_error_memory(error, "the requests of a rank");
    }
    giver->is_waiting = true;
    if (count > 0)
        return yield_wait(giver, rest, count, op);
    giver->is_over = true;
    *op = new_op(giver, TRACE_END, TRACE_NO_REGION);
    return 1;
}

/* A step is up to two operations: the wait in front of it, then itself. What can fail was found by the survey,
 * unless the file has changed since. */
int trace_goal_give(struct trace_goal_giver *giver, struct trace_op *op, struct base_error *error)
{
    while (!giver->is_read) {
        if (giver->is_waiting) {
            giver->is_waiting = false;
        } else {
            int result = trace_goal_block_next(giver->block, &giver->step, error);
            giver->is_read = result == TRACE_GOAL_OVER;
            if (result != TRACE_GOAL_STEP && result != TRACE_GOAL_OVER)
                return result;
            if (result == TRACE_GOAL_OVER)
                break;
            giver->is_waiting = giver->step.wait_count > 0;
            if (giver->is_waiting)
                return yield_wait(giver, giver->step.waits, giver->step.wait_count, op);
        }
        if (yield_op(giver, op) != 0)
            return 1;
    }
    return yield_end(giver, op, error);
}
