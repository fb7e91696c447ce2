/* Broadcast down a k-nomial tree of radix 4, Open MPI's default: half as deep as the binomial one, with up to
 * three children on each level, served at once. */
#include "traces/collectives/trees.h"

/* The radix is fixed, since no call says another one. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_k_nomial(call, 4);

    trace_steps_tree_down(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_k_nomial = {
    .name = "bcast-k-nomial",
    .summary = "tree of radix 4, the whole vector on every edge (Open MPI)",
    .collectives = TRACE_BIT(BCAST),
    .segment_bytes = 0,
    .schedule = schedule_steps,
};
