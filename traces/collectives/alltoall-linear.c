/* Alltoall with non-blocking messages to everybody, all at once, each rank beginning with the one after it.
 * The network has to cope with the whole exchange. */
#include "traces/collectives/steps.h"

/* One group of all ranks: 2 (P - 1) messages under way at each rank, and one wait. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return trace_schedule_groups(call, schedule, call->ranks, true);
}

const struct trace_algorithm trace_algorithm_alltoall_linear = {
    .name = "alltoall-linear",
    .summary = "non-blocking messages with everybody, all at once (Open MPI)",
    .collectives = TRACE_BIT(ALLTOALL) | TRACE_BIT(ALLTOALLV) | TRACE_BIT(ALLTOALLW),
    .schedule = schedule_steps,
};
