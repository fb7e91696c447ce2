/* Barrier by an empty message that goes around the ring twice: after the first time rank 0 knows that all
 * have come, and the second time tells them. */
#include "traces/collectives/steps.h"

/* 2 P messages, one after the other, more steps than any other barrier here takes. Rank 0 begins a lap and ends
 * it, others pass on. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t left = trace_rank_before(call, call->rank, 1), right = trace_rank_after(call, call->rank, 1);

    for (uint32_t lap = 0; lap < 2; lap++) {
        if (call->rank == 0)
            trace_steps_exchange(&steps, right, 0, left, 0, lap);
        else
            trace_steps_receive(&steps, left, lap, 0);
        if (call->rank != 0)
            trace_steps_send(&steps, right, lap, 0);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_barrier_double_ring = {
    .name = "barrier-double-ring",
    .summary = "an empty message goes around the ring twice (Open MPI)",
    .collectives = TRACE_BIT(BARRIER),
    .schedule = schedule_steps,
};
