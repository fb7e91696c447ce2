/* Broadcast down four chains of consecutive ranks (Open MPI's default fanout): a quarter as deep as the
 * pipeline, while the root sends everything four times. */
#include "traces/collective-trees.h"

static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_chain(call, 4);

    trace_steps_tree_down(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_chain = {
    .name = "bcast-chain",
    .summary = "four chains from the root, segmented (Open MPI)",
    .collectives = TRACE_BIT(BCAST),
    .segment_bytes = 65536,
    .schedule = schedule_steps,
};
