/* Broadcast down a binary tree: in levels of 1, 2, 4 ... ranks (trace_tree_binary). No rank sends the vector
 * more than twice, so that with segments the tree works like two pipelines. */
#include "traces/collectives/trees.h"

/* A segment takes about log2 P hops to the last rank, and segments follow each other (trees.h). */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_binary(call);

    trace_steps_tree_down(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_binary = {
    .name = "bcast-binary",
    .summary = "binary tree, segmented (Open MPI)",
    .collectives = TRACE_BIT(BCAST),
    .segment_bytes = 32768,
    .schedule = schedule_steps,
};
