/* Barrier by recursive doubling: partners at distance 2^k exchange empty messages. Ranks beyond a power of
 * two report to a neighbour before, and are told by it after. */
#include "traces/collective-steps.h"

static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, false);
    uint32_t phase = 1;

    trace_steps_fold(&steps, call, &fold, 0, 0);
    for (uint32_t mask = 1; mask < fold.ranks && fold.rank != UINT32_MAX; mask *= 2, phase++) {
        uint32_t peer = trace_fold_member(&fold, fold.rank ^ mask);
        trace_steps_exchange(&steps, peer, 0, peer, 0, phase);
    }
    trace_steps_unfold(&steps, call, &fold, 0, 64); /* after all rounds */
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_barrier_doubling = {
    .name = "barrier-recursive-doubling",
    .summary = "partners at distance 2^k; ranks beyond a power of two folded (Open MPI)",
    .collectives = TRACE_BIT(BARRIER),
    .schedule = schedule_steps,
};
