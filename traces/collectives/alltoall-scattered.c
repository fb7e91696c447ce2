/* Alltoall with non-blocking messages to everybody, starting at different partners, at most 32 of each kind
 * at a time as in MPICH (MPIR_CVAR_ALLTOALL_THROTTLE). Blocks of no bytes are skipped: MPICH does so in
 * alltoallv and alltoallw, and an alltoall has none. A rank's own block is copied, where MPICH sends it to
 * itself: it does not reach the network. */
#include "traces/collectives/steps.h"

#define THROTTLE UINT32_C(32)

/* ceil(P / 32) groups, each awaited as a whole, as MPICH does. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return trace_schedule_groups(call, schedule, THROTTLE, false);
}

const struct trace_algorithm trace_algorithm_alltoall_scattered = {
    .name = "alltoall-scattered",
    .summary = "non-blocking messages with everybody, 32 partners at a time (MPICH)",
    .collectives = TRACE_BIT(ALLTOALL) | TRACE_BIT(ALLTOALLV) | TRACE_BIT(ALLTOALLW),
    .schedule = schedule_steps,
};
