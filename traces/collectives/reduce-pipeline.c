/* Reduction from rank to rank towards the root, the mirror of the broadcast. */
#include "traces/collectives/trees.h"

/* The same steps as reduce-chain: Open MPI's tables name both. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_chain(call);

    trace_steps_tree_up(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_pipeline = {
    .name = "reduce-pipeline",
    .summary = "one chain from rank to rank, segmented (Open MPI)",
    .collectives = TRACE_BIT(REDUCE),
    .segment_bytes = 65536,
    .schedule = schedule_steps,
};
