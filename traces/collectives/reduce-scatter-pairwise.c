/* Reduce-scatter by pairwise exchange for long vectors: nothing is sent twice, at the price of P - 1
 * messages. In round i each rank sends the block of the rank i ahead and takes in its own from the one i
 * behind. */
#include "traces/collectives/steps.h"

/* P - 1 messages a rank, (P - 1) blocks sent, the own block received P - 1 times and reduced each time. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint64_t own = trace_block_bytes(call, call->rank);

    for (uint32_t i = 1; i < call->ranks; i++) {
        uint32_t target = trace_rank_after(call, call->rank, i);
        trace_steps_exchange(&steps, target, trace_block_bytes(call, target),
                             trace_rank_before(call, call->rank, i), own, i);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_scatter_pairwise = {
    .name = "reduce-scatter-pairwise",
    .summary = "P - 1 rounds of one block each",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_steps,
};
