/* Barrier through rank 0: everybody reports to it, then it lets everybody go. */
#include "traces/collectives/steps.h"

/* Phase 0 is reporting, phase 1 letting go; 2 (P - 1) messages, all through rank 0. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank != 0) {
        trace_steps_send(&steps, 0, 0, 0);
        trace_steps_receive(&steps, 0, 1, 0);
        return trace_steps_end(&steps);
    }
    for (uint32_t rank = 1; rank < call->ranks; rank++)
        trace_steps_post_receive(&steps, rank, 0, 0);
    trace_steps_wait(&steps);
    for (uint32_t rank = 1; rank < call->ranks; rank++)
        trace_steps_post_send(&steps, rank, 1, 0);
    trace_steps_wait(&steps);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_barrier_linear = {
    .name = "barrier-linear",
    .summary = "every rank reports to rank 0, which then releases all",
    .collectives = TRACE_BIT(BARRIER),
    .schedule = schedule_steps,
};
