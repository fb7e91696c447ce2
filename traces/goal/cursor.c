/* A rank's operations, read from its block while they are asked for: as much of it is in memory as the survey
 * found to be needed. */
#include <config.h>

#include <stdlib.h>

#include "traces/edge.h"
#include "traces/goal/program.h"

#define BUFFER_BYTES ((size_t)4096) /* a thousand ranks are read side by side */

struct goal_cursor {
    struct trace_cursor base; /* first */
    const struct trace_goal_program *program;
    struct trace_goal_text text;   /* at the rank's place in the file */
    struct trace_goal_block block; /* of the rank */
    struct trace_goal_step step;   /* of which only the wait was yielded, when is_waiting */
    uint64_t event, time_ns;
    bool is_waiting, is_read, is_over; /* all operations were yielded; the end was */
};

/* What the survey noted, where UINT32_MAX says that there is no bound. */
static uint64_t unsaturated(uint32_t number)
{
    return number < UINT32_MAX ? number : UINT64_MAX;
}

/* Nothing is read before the first operation is asked for. A rank without a block has no operations but the end.
 * The window is as wide as the survey found to be needed. */
struct trace_cursor *trace_goal_cursor_new(struct trace_program *base, uint32_t rank,
                                           struct base_error *error)
{
    struct trace_goal_program *program = (struct trace_goal_program *)base;
    const struct trace_goal_rank *place = &program->places[rank];
    const struct trace_goal_reach reach = {unsaturated(place->ahead), unsaturated(place->settle),
                                           unsaturated(place->remember)};
    struct goal_cursor *cursor = calloc(1, sizeof *cursor);

    if (cursor == NULL) {
        base_error_memory(error, "a GOAL schedule");
        return NULL;
    }
    cursor->program = program;
    cursor->is_read = place->begin.line == 0;
    trace_goal_text_begin(&cursor->text, program->file, base->path, &place->begin, BUFFER_BYTES);
    cursor->block.text = &cursor->text;
    cursor->block.ranks = base->ranks;
    cursor->block.message_limit_bytes = program->message_limit_bytes;
    trace_goal_block_begin(&cursor->block, &reach);
    return &cursor->base;
}

/* The file is the program's, and stays open. */
void trace_goal_cursor_free(struct trace_cursor *base)
{
    struct goal_cursor *cursor = (struct goal_cursor *)base;

    trace_goal_block_free(&cursor->block);
    trace_goal_text_free(&cursor->text);
    free(cursor);
}

/* The fields that all operations have. */
static struct trace_op new_op(struct goal_cursor *cursor, enum trace_op_kind kind, uint32_t region)
{
    return (struct trace_op){.kind = kind,
                             .root = UINT32_MAX,
                             .event = ++cursor->event,
                             .time_ns = cursor->time_ns,
                             .region = region};
}

/* The set stays where it is until the next call, which is as long as whoever asked may look at it. A calc of no time is
 * an operation that is nothing but its wait; before others a wait is what they require. */
static int yield_wait(struct goal_cursor *cursor, const uint64_t *requests, size_t count, struct trace_op *op)
{
    const struct trace_goal_op *behind = &cursor->step.op;

    *op = new_op(cursor, TRACE_WAIT, TRACE_GOAL_WAITALL);
    if (cursor->is_waiting && !cursor->is_read && (behind->kind != TRACE_GOAL_CALC || behind->value > 0))
        op->flags = TRACE_EDGE;
    op->requests = requests;
    op->request_count = count;
    return 1;
}

/* Messages are always started and never waited for here: order.c has put the waits where they
 * belong. A calc of no time leaves nothing but the wait in front of it: 0. 1: *op is filled; 0: there is none to
 * yield. */
static int yield_op(struct goal_cursor *cursor, struct trace_op *op)
{
    const struct trace_goal_op *what = &cursor->step.op;

    if (what->kind == TRACE_GOAL_CALC) {
        if (trace_goal_compute(cursor->program, what) == 0)
            return 0;
        *op = new_op(cursor, TRACE_COMPUTE, TRACE_NO_REGION);
        op->duration_ns = what->value;
        cursor->time_ns += what->value;
        return 1;
    }
    *op = what->kind == TRACE_GOAL_SEND ? new_op(cursor, TRACE_SEND, TRACE_GOAL_ISEND)
                                        : new_op(cursor, TRACE_RECEIVE, TRACE_GOAL_IRECV);
    op->flags = TRACE_NONBLOCKING;
    op->peer = what->peer;
    op->tag = what->tag;
    op->bytes = what->value;
    op->request = cursor->step.request;
    return 1;
}

/* What nobody required is waited for at the end: a schedule is over when all of it is. At most one wait, then
 * the end, then nothing. */
static int yield_end(struct goal_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    size_t count = 0;
    const uint64_t *rest = NULL;

    if (cursor->is_over)
        return 0;
    if (!cursor->is_waiting) {
        rest = trace_goal_graph_rest(&cursor->block.graph, &count);
        if (rest == NULL)
            return base_error_memory(error, "the requests of a rank");
    }
    cursor->is_waiting = true;
    if (count > 0)
        return yield_wait(cursor, rest, count, op);
    cursor->is_over = true;
    *op = new_op(cursor, TRACE_END, TRACE_NO_REGION);
    return 1;
}

/* A step is up to two operations: the wait in front of it, then itself. What can fail was found by the survey,
 * unless the file has changed since. */
int trace_goal_cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    struct goal_cursor *cursor = (struct goal_cursor *)base;

    while (!cursor->is_read) {
        if (cursor->is_waiting) {
            cursor->is_waiting = false;
        } else {
            int result = trace_goal_block_next(&cursor->block, &cursor->step, error);
            cursor->is_read = result == TRACE_GOAL_OVER;
            if (result != TRACE_GOAL_STEP && result != TRACE_GOAL_OVER)
                return -1;
            if (result == TRACE_GOAL_OVER)
                break;
            cursor->is_waiting = cursor->step.wait_count > 0;
            if (cursor->is_waiting)
                return yield_wait(cursor, cursor->step.waits, cursor->step.wait_count, op);
        }
        if (yield_op(cursor, op) != 0)
            return 1;
    }
    return yield_end(cursor, op, error);
}
