/* Broadcast down a binomial tree in which whoever has the vector sends it on over doubled distances:
 *
 *      0 > 1 2 4       1 > 3 5     2 > 6       3 > 7
 *
 * The near ranks have it first, and the last round is of the longest distance; MPICH's tree (bcast-binomial)
 * begins with that. */
#include "traces/collectives/trees.h"

/* All children of a rank are served at once, each segment before the next one. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_doubling(call);

    trace_steps_tree_down(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_doubling = {
    .name = "bcast-doubling",
    .summary = "binomial tree, nearest ranks first, segmented (Open MPI)",
    .collectives = TRACE_BIT(BCAST),
    .schedule = schedule_steps,
};
