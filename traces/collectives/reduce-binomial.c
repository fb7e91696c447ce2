/* Reduction up a binomial tree, the mirror of the broadcast: a rank takes in its children in rising distance,
 * then sends to the rank without its lowest set bit (counted from the root). One receive at a time, so that
 * the result does not depend on who is faster.
 *
 * The operation is taken for commutative, as every built-in one is: recordings do not say which it was. For
 * others MPICH reduces to rank 0, in the order of the ranks, and sends the result on. */
#include "traces/collectives/steps.h"

/* ceil(log2 P) receives at the root, each awaited before the next is posted; `mask` ends on the bit of the parent. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t relative = trace_rank_relative(call);
    uint64_t mask = 1;

    for (; mask < call->ranks && (relative & mask) == 0; mask *= 2)
        if (relative + mask < call->ranks)
            trace_steps_receive(&steps, trace_rank_after(call, call->rank, (uint32_t)mask), 0, call->bytes);
    if (mask < call->ranks)
        trace_steps_send(&steps, trace_rank_before(call, call->rank, (uint32_t)mask), 0, call->bytes);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_binomial = {
    .name = "reduce-binomial",
    .summary = "binomial tree, the whole vector on every edge",
    .collectives = TRACE_BIT(REDUCE),
    .schedule = schedule_steps,
};
