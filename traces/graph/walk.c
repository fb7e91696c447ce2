/* One stream is open at a time, and nothing of it is kept. Ranks are looked up in a communicator once for
 * each rank, since a program calls collectives on few communicators often. */
#include "traces/graph/walk.h"

#include <stdlib.h>

/* The rank's number among the members of both groups; UINT32_MAX: none. */
static uint32_t own_rank_in(struct trace_walk *walk, uint32_t index)
{
    uint32_t *own = &walk->own_rank[index];

    if (*own == UINT32_MAX)
        *own = trace_communicator_position(trace_program_communicator(walk->program, index), walk->rank);
    return *own;
}

/* The rank is UINT32_MAX where it is no member: callers refuse that with a sentence of their own. */
struct trace_collective_call trace_walk_collective(struct trace_walk *walk, const struct trace_op *op)
{
    const struct trace_communicator *communicator =
        trace_program_communicator(walk->program, op->communicator);

    return (struct trace_collective_call){
        .collective = op->collective,
        .ranks = communicator->size + communicator->remote_size,
        .first_group = communicator->remote_size > 0 ? communicator->size : 0,
        .rank = own_rank_in(walk, op->communicator),
        .root = op->root,
        .bytes = op->bytes,
        .vector = op->vector,
        .nonblocking = (op->flags & TRACE_NONBLOCKING) != 0,
    };
}

/* Sentences about an operation get its position; those about memory do not. */
static int fail(const struct trace_walk *walk, const struct trace_op *op, const struct base_error *inner,
                struct base_error *error)
{
    struct base_position position;

    if (inner->status != BASE_INPUT)
        return base_error_set(error, inner->status, "%s", inner->text);
    position = trace_op_position(walk->program, walk->rank, op);
    return base_error_at(error, BASE_INPUT, &position, "%s", inner->text);
}

/* 0; -1: the stream cannot be read, or `visit` failed, whose sentence gets the operation's place. */
static int walk_rank(struct trace_walk *walk,
                     int (*visit)(void *user, struct trace_walk *walk, const struct trace_op *op,
                                  struct base_error *error),
                     void *user, struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(walk->program, walk->rank, error);
    struct base_error inner = {0};
    struct trace_op op;
    int more = -1;

    if (cursor == NULL)
        return -1;
    while ((more = trace_cursor_next(cursor, &op, error)) > 0)
        if (visit(user, walk, &op, &inner) != 0) {
            more = fail(walk, &op, &inner, error);
            break;
        }
    trace_cursor_free(cursor);
    return more;
}

/* Ranks in ascending order, each from its first operation to its last. */
int trace_walk(struct trace_program *program,
               int (*visit)(void *user, struct trace_walk *walk, const struct trace_op *op,
                            struct base_error *error),
               void *user, struct base_error *error)
{
    struct trace_walk walk = {.program = program};
    uint32_t communicators = trace_program_communicators(program), ranks = trace_program_ranks(program);
    int status = 0;

    walk.own_rank = malloc(((size_t)communicators + 1) * sizeof *walk.own_rank);
    if (walk.own_rank == NULL)
        return base_error_memory(error, "the communicators of a program");
    for (; status == 0 && walk.rank < ranks; walk.rank++) {
        for (uint32_t i = 0; i < communicators; i++)
            walk.own_rank[i] = UINT32_MAX;
        status = walk_rank(&walk, visit, user, error);
    }
    free(walk.own_rank);
    return status;
}
