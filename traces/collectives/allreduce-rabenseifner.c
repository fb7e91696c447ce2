/* Rabenseifner's allreduce of long vectors: a reduce-scatter by recursive halving, then an allgather that
 * runs the same partners backwards and doubles the range each time.
 *
 *      rank                0       1       2       3
 *      answers for         0 - 3   0 - 3   0 - 3   0 - 3
 *      halving, partner 1  0 1     2 3     0 1     2 3
 *      halving, partner 2  0       2       1       3           each piece reduced over all ranks
 *      doubling, partner 2 0 1     2 3     0 1     2 3
 *      doubling, partner 1 0 - 3   0 - 3   0 - 3   0 - 3
 *
 * R. Rabenseifner, "Optimization of collective reduction operations", ICCS 2004. He, like MPICH, begins with
 * the nearest partner, so that the longest messages go the shortest path where ranks are placed in order. */
#include "traces/collectives/steps.h"

/* 2 log2 q messages for each of the q = 2^k ranks that remain, of about 2 (1 - 1 / q) vectors in all. Phase 0
 * folds, then come the rounds of halving and those of doubling, and the last phase unfolds. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, false);
    struct trace_halves halves = trace_halves_of(&fold, call->bytes);
    uint32_t phase = halves.rounds + 1;

    trace_steps_fold(&steps, call, &fold, call->bytes, 0);
    if (fold.rank != UINT32_MAX)
        trace_steps_halve(&steps, &halves);
    for (uint32_t round = halves.rounds; round-- > 0; phase++) {
        if (fold.rank == UINT32_MAX)
            continue; /* only to count the phases */
        uint32_t partner = fold.rank ^ UINT32_C(1) << round;
        uint32_t peer = trace_fold_member(&fold, partner);
        trace_steps_exchange(&steps, peer, trace_halves_bytes(&halves, fold.rank, round + 1), peer,
                             trace_halves_bytes(&halves, partner, round + 1), phase);
    }
    trace_steps_unfold(&steps, call, &fold, call->bytes, phase);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allreduce_rabenseifner = {
    .name = "allreduce-rabenseifner",
    .summary = "reduce-scatter by recursive halving, then allgather by doubling (Rabenseifner 2004)",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_steps,
};
