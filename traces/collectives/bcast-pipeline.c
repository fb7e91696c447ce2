/* Broadcast from rank to rank: nobody sends the vector more than once, so that with many segments the time is
 * that of one transfer, however many ranks there are. */
#include "traces/collectives/trees.h"

/* The same steps as bcast-chain: they are two algorithms since Open MPI's tables name both. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_chain(call);

    trace_steps_tree_down(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_pipeline = {
    .name = "bcast-pipeline",
    .summary = "one chain from rank to rank, segmented (Open MPI)",
    .collectives = TRACE_BIT(BCAST),
    .segment_bytes = 65536,
    .schedule = schedule_steps,
};
