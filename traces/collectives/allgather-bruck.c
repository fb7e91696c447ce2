/* Allgather after Bruck: in round k a rank sends the first blocks it has, its own first, to the rank 2^k
 * before it, which so doubles what it has. The last round sends only the P - 2^k blocks that are still
 * missing.
 *
 *      rank                0       1       2       3       4
 *      at first            0       1       2       3       4
 *      round 0             0 1     1 2     2 3     3 4     4 0
 *      round 1             0 - 3   1 - 4   2 - 0   3 - 1   4 - 2
 *      round 2             all, by one block
 *
 * J. Bruck and others, "Efficient algorithms for all-to-all communications in multiport message-passing
 * systems", IEEE TPDS 8(11), 1997. */
#include "traces/collectives/steps.h"

/* ceil(log2 P) rounds of one exchange; every rank sends P - 1 blocks in all, as many as any allgather must. The
 * blocks a rank has are always consecutive around the ring from its own one on, which is what trace_blocks_bytes
 * counts. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t phase = 0;

    for (uint64_t reach = 1; reach < call->ranks; reach *= 2, phase++) {
        uint32_t distance = (uint32_t)reach;
        uint32_t blocks = distance < call->ranks - distance ? distance : call->ranks - distance;
        uint32_t source = trace_rank_after(call, call->rank, distance);
        trace_steps_exchange(&steps, trace_rank_before(call, call->rank, distance),
                             trace_blocks_bytes(call, call->rank, blocks), source,
                             trace_blocks_bytes(call, source, blocks), phase);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allgather_bruck = {
    .name = "allgather-bruck",
    .summary = "log2 P rounds to the rank 2^k before, any number of ranks (Bruck and others 1997)",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_steps,
};
