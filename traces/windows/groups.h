/* Calls of a rank, numbered from 0: each is an operation of the stream with the computations before it. The end of
 * the stream takes the place of one more.
 *
 *      compute  send  wait  compute  barrier  compute  END
 *      └── call 0 ─┘    1   └──── call 2 ──┘  └── call 3 ─┘ */
#ifndef TRACE_WINDOW_GROUPS_H
#define TRACE_WINDOW_GROUPS_H

#include "traces/program.h"

/* Zeroed before the first operation. */
struct trace_groups {
    uint64_t next;   /* the number of the call that comes, or that the operation in hand is */
    bool is_between; /* the last operation was a call */
};

/* Counts an operation; afterwards groups->next is the number of the call that it belongs to. */
static inline void trace_groups_take(struct trace_groups *groups, const struct trace_op *op)
{
    groups->next += groups->is_between;
    groups->is_between = op->kind != TRACE_COMPUTE;
}

#endif
