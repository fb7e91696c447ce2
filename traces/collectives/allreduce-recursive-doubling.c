/* Allreduce of short vectors by recursive doubling: partners at distance 2^k exchange and combine whole
 * vectors, so that after round k groups of 2^(k+1) ranks agree. Ranks beyond a power of two hand in their
 * vector before and get the result after, while their neighbour does the work for both. */
#include "traces/collectives/steps.h"

/* log2 q messages of the whole vector for each of the q = 2^k ranks that remain. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, false);
    uint32_t phase = 1;

    trace_steps_fold(&steps, call, &fold, call->bytes, 0);
    for (uint32_t mask = 1; mask < fold.ranks; mask *= 2, phase++) {
        if (fold.rank == UINT32_MAX)
            continue; /* only to count the phases */
        uint32_t peer = trace_fold_member(&fold, fold.rank ^ mask);
        trace_steps_exchange(&steps, peer, call->bytes, peer, call->bytes, phase);
    }
    trace_steps_unfold(&steps, call, &fold, call->bytes, phase);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allreduce_doubling = {
    .name = "allreduce-recursive-doubling",
    .summary = "partners at distance 2^k exchange whole vectors; ranks beyond a power of two folded",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_steps,
};
