/* One rank's block of a GOAL schedule, read while its operations are given out in an order that a rank can go
 * through one by one.
 *
 *      rank 0 {
 *          a: recv 8b from 1 tag 3
 *          b: calc 100 cpu 0
 *          c: send 8b to 1 tag 4 cpu 0 nic 0
 *          c requires a
 *          c irequires b
 *      }
 *
 * What an operation requires may be said anywhere behind it. How much of a block is in memory depends on how
 * far that is: see graph.h. */
#ifndef TRACE_GOAL_BLOCK_H
#define TRACE_GOAL_BLOCK_H

#include "traces/goal/graph.h"
#include "traces/goal/text.h"

/* Called with each operation in the order of the file; -1: memory. */
typedef int trace_goal_visit(void *context, uint64_t index, const struct trace_goal_op *op);

/* What the caller sets before trace_goal_block_begin; the rest is zeroed once. */
struct trace_goal_block {
    struct trace_goal_text *text;     /* that it is read from; borrowed */
    uint32_t ranks;                   /* of the program, to check peers with */
    uint64_t message_limit_bytes;     /* a longer message is refused */
    struct trace_goal_labels *labels; /* to check with; NULL: the block was checked */
    trace_goal_visit *visit;          /* may be NULL */
    void *context;
    struct trace_goal_prefix prefix; /* of a label before */
    struct trace_goal_graph graph;   /* of the operations that are still needed */
    bool has_begun;                  /* the graph may be freed */
};

/* At the text's present place, behind the "{". */
void trace_goal_block_begin(struct trace_goal_block *block, const struct trace_goal_reach *reach);
/* STEP: *step is what comes next. OVER: it has been read behind its "}". TRACE_GOAL_FAR: only when it is
 * checked; it must be begun again with a wider reach. TRACE_GOAL_MEMORY: a sentence, of whatever is wrong,
 * with line and column. */
int trace_goal_block_next(struct trace_goal_block *block, struct trace_goal_step *step,
                          struct base_error *error);
/* After OVER: the reach that a cursor needs for the same order. */
struct trace_goal_reach trace_goal_block_reach(const struct trace_goal_block *block);
void trace_goal_block_free(struct trace_goal_block *block);

#endif
