/* Allgather around the ring: P - 1 rounds in which each rank passes on to its right the block it got last,
 * its own first. For long blocks: only neighbours talk. */
#include "traces/collectives/steps.h"

/* Block `sent` is that of the rank which is round - 1 places to the left; P - 1 messages and blocks a rank. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t left = trace_rank_before(call, call->rank, 1), right = trace_rank_after(call, call->rank, 1);
    uint32_t sent = call->rank;

    for (uint32_t round = 1; round < call->ranks; round++) {
        uint32_t received = trace_rank_before(call, sent, 1);
        trace_steps_exchange(&steps, right, trace_block_bytes(call, sent), left,
                             trace_block_bytes(call, received), round);
        sent = received;
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allgather_ring = {
    .name = "allgather-ring",
    .summary = "P - 1 rounds of one block to the right neighbour",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_steps,
};
