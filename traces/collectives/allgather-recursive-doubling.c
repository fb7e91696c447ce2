/* Allgather by recursive doubling: in round k partners at distance 2^k exchange the 2^k blocks that their
 * groups have by then, those from the rank with its low k bits cleared on. */
#include "traces/collectives/steps.h"

/* log2 P rounds, P - 1 blocks a rank. Only for 2^k ranks (power_of_two below): else a partner may not exist. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t phase = 0;

    for (uint32_t mask = 1; mask < call->ranks; mask *= 2, phase++) {
        uint32_t peer = call->rank ^ mask;
        trace_steps_exchange(&steps, peer, trace_blocks_bytes(call, call->rank & ~(mask - 1), mask), peer,
                             trace_blocks_bytes(call, peer & ~(mask - 1), mask), phase);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allgather_doubling = {
    .name = "allgather-recursive-doubling",
    .summary = "partners at distance 2^k exchange all they have; 2^k ranks",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .power_of_two = true,
    .schedule = schedule_steps,
};
