/* Broadcast down one chain of all ranks: Open MPI's decisions ask for no fanout of its chains, and so for
 * one. The pipeline is the same in other segments. */
#include "traces/collectives/trees.h"

/* A segment takes P - 1 hops to the last rank, and the next one follows a hop behind it. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_chain(call);

    trace_steps_tree_down(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_chain = {
    .name = "bcast-chain",
    .summary = "one chain from the root, segmented (Open MPI)",
    .collectives = TRACE_BIT(BCAST),
    .segment_bytes = 65536,
    .schedule = schedule_steps,
};
