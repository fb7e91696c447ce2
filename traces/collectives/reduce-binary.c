/* Reduction up a binary tree, the mirror of the broadcast, for commutative operations. */
#include "traces/collectives/trees.h"

/* A segment goes up while the next ones come in from both children. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_binary(call);

    trace_steps_tree_up(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_binary = {
    .name = "reduce-binary",
    .summary = "binary tree, segmented (Open MPI)",
    .collectives = TRACE_BIT(REDUCE),
    .segment_bytes = 32768,
    .schedule = schedule_steps,
};
