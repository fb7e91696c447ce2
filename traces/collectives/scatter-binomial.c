/* Scatter down a binomial tree: each edge carries the blocks of the subtree below it, which end at the last
 * rank. The farthest child comes first, since it has the largest subtree still to serve. */
#include "traces/collectives/steps.h"

/* Ranks of the subtree under a relative rank whose lowest set bit is mask. */
static uint32_t subtree(const struct trace_collective_call *call, uint32_t relative, uint32_t mask)
{
    return mask < call->ranks - relative ? mask : call->ranks - relative;
}

/* The mirror of gather-binomial: a rank gets its whole subtree's blocks in one message before it serves its
 * children. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t relative = trace_rank_relative(call);
    uint64_t mask = 1;

    while (mask < call->ranks && (relative & mask) == 0)
        mask *= 2;
    if (mask < call->ranks)
        trace_steps_receive(&steps, trace_rank_before(call, call->rank, (uint32_t)mask), 0,
                            call->bytes * subtree(call, relative, (uint32_t)mask));
    for (mask /= 2; mask > 0; mask /= 2) {
        uint32_t distance = (uint32_t)mask;
        if (distance < call->ranks - relative)
            trace_steps_send(&steps, trace_rank_after(call, call->rank, distance), 0,
                             call->bytes * subtree(call, relative + distance, distance));
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_scatter_binomial = {
    .name = "scatter-binomial",
    .summary = "binomial tree, on each edge the blocks of the subtree",
    .collectives = TRACE_BIT(SCATTER),
    .schedule = schedule_steps,
};
