/* Alltoall with a bounded number of messages under way: receives from the ranks ahead, sends to the ranks
 * behind. Open MPI starts the next message whenever one is complete, and its bound is an option without a
 * limit by default; here the bound is 64 partners, in groups that are awaited as a whole. Up to 64 ranks the
 * two do the same. */
#include "traces/collectives/steps.h"

/* Partners whose messages are under way at once, oneself counted (trace_schedule_groups). */
#define BOUND UINT32_C(64)

static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return trace_schedule_groups(call, schedule, BOUND, false);
}

const struct trace_algorithm trace_algorithm_alltoall_linear_sync = {
    .name = "alltoall-linear-sync",
    .summary = "messages with everybody, 64 partners at a time (Open MPI)",
    .collectives = TRACE_BIT(ALLTOALL) | TRACE_BIT(ALLTOALLV) | TRACE_BIT(ALLTOALLW),
    .schedule = schedule_steps,
};
