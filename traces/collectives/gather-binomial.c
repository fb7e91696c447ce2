/* Gather up a binomial tree: each edge carries the blocks of the subtree below it. Counted from the root,
 * rank 4 of 7 sends the blocks of 4, 5 and 6: subtrees end at the last rank. One receive at a time, the
 * nearest child first. */
#include "traces/collectives/steps.h"

/* Ranks of the subtree under a relative rank whose lowest set bit is mask. */
static uint32_t subtree(const struct trace_collective_call *call, uint32_t relative, uint32_t mask)
{
    return mask < call->ranks - relative ? mask : call->ranks - relative;
}

/* `mask` runs over the children's bits and ends on the parent's. Sums of blocks cannot overflow: check_call has
 * refused calls for which they would (collective.c). */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t relative = trace_rank_relative(call);
    uint64_t mask = 1;

    for (; mask < call->ranks && (relative & mask) == 0; mask *= 2) {
        uint32_t distance = (uint32_t)mask;
        if (distance < call->ranks - relative)
            trace_steps_receive(&steps, trace_rank_after(call, call->rank, distance), 0,
                                call->bytes * subtree(call, relative + distance, distance));
    }
    if (mask < call->ranks)
        trace_steps_send(&steps, trace_rank_before(call, call->rank, (uint32_t)mask), 0,
                         call->bytes * subtree(call, relative, (uint32_t)mask));
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_gather_binomial = {
    .name = "gather-binomial",
    .summary = "binomial tree, on each edge the blocks of the subtree",
    .collectives = TRACE_BIT(GATHER),
    .schedule = schedule_steps,
};
