/* Barrier up and down a binomial tree under rank 0: a rank reports when its children have, and passes on the
 * release. As Open MPI's tree. */
#include "traces/collectives/steps.h"

/* Phase 0 goes up, phase 1 down; `mask` runs over the bits of the children first, and ends on the bit of the
 * parent. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint64_t mask = 1;

    for (; mask < call->ranks && (call->rank & mask) == 0; mask *= 2)
        if (call->rank + mask < call->ranks)
            trace_steps_receive(&steps, call->rank + (uint32_t)mask, 0, 0);
    if (mask < call->ranks) {
        trace_steps_send(&steps, call->rank - (uint32_t)mask, 0, 0);
        trace_steps_receive(&steps, call->rank - (uint32_t)mask, 1, 0);
    }
    for (mask /= 2; mask > 0; mask /= 2)
        if (call->rank + mask < call->ranks)
            trace_steps_send(&steps, call->rank + (uint32_t)mask, 1, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_barrier_tree = {
    .name = "barrier-tree",
    .summary = "up and down a binomial tree (Open MPI)",
    .collectives = TRACE_BIT(BARRIER),
    .schedule = schedule_steps,
};
