/* Barrier by dissemination: in round k every rank tells the one 2^k ahead and hears from the one 2^k behind.
 *
 *      round 0     0 > 1 > 2 > 3 > 4 > 0
 *      round 1     0 > 2 > 4 > 1 > 3 > 0
 *      round 2     0 > 4 > 3 > 2 > 1 > 0
 *
 * After round k a rank has heard, directly or not, of the 2^(k+1) - 1 ranks behind it: after ceil(log2 P)
 * rounds of all. Messages are empty. Hensgen, Finkel, Manber, "Two algorithms for barrier synchronization",
 * International Journal of Parallel Programming 17(1), 1988. */
#include "traces/collectives/steps.h"

/* P messages a round. Any number of ranks, without folding: that somebody is heard of twice does no harm to a
 * barrier. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t phase = 0;

    for (uint64_t distance = 1; distance < call->ranks; distance *= 2, phase++)
        trace_steps_exchange(&steps, trace_rank_after(call, call->rank, (uint32_t)distance), 0,
                             trace_rank_before(call, call->rank, (uint32_t)distance), 0, phase);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_dissemination = {
    .name = "barrier-dissemination",
    .summary = "log2 P rounds of empty messages to the rank 2^k ahead (Hensgen, Finkel, Manber 1988)",
    .collectives = TRACE_BIT(BARRIER),
    .schedule = schedule_steps,
};
