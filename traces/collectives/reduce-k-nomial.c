/* Reduction up a k-nomial tree of radix 4, the mirror of the broadcast. */
#include "traces/collectives/trees.h"

/* All children of a level are listened to at once (trace_steps_tree_up). */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_k_nomial(call, 4);

    trace_steps_tree_up(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_k_nomial = {
    .name = "reduce-k-nomial",
    .summary = "tree of radix 4, the whole vector on every edge (Open MPI)",
    .collectives = TRACE_BIT(REDUCE),
    .segment_bytes = 0,
    .schedule = schedule_steps,
};
