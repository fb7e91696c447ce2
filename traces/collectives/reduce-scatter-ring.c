/* Reduce-scatter around the ring: a block starts at the rank after its owner, and each rank adds its own on
 * the way to the right. For long blocks: only neighbours talk. As in Open MPI. */
#include "traces/collectives/steps.h"

/* The block sent in round r is that of the rank r places to the left, so that the own one comes in the last round. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t left = trace_rank_before(call, call->rank, 1), right = trace_rank_after(call, call->rank, 1);
    uint32_t sent = left;

    for (uint32_t round = 1; round < call->ranks; round++) {
        uint32_t received = trace_rank_before(call, sent, 1);
        trace_steps_exchange(&steps, right, trace_block_bytes(call, sent), left,
                             trace_block_bytes(call, received), round);
        sent = received;
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_scatter_ring = {
    .name = "reduce-scatter-ring",
    .summary = "P - 1 rounds of one block to the right neighbour (Open MPI)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_steps,
};
