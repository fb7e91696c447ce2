/* Reduction up one chain of all ranks, the mirror of the broadcast. */
#include "traces/collectives/trees.h"

/* Every rank but the last takes in each segment from the one after it, adds its own, and sends it on. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_chain(call);

    trace_steps_tree_up(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_chain = {
    .name = "reduce-chain",
    .summary = "one chain to the root, segmented (Open MPI)",
    .collectives = TRACE_BIT(REDUCE),
    .segment_bytes = 65536,
    .schedule = schedule_steps,
};
