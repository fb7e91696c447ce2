/* Alltoall after Bruck: a block for the rank d ahead travels by the set bits of d, so that in round k each
 * rank sends all the blocks it has at the time whose distance has bit k to the rank 2^k ahead. For distance 5
 * of more than 5 ranks, that is one rank ahead in round 0, and four more in round 2.
 *
 * Few messages, but each block is sent log2 P / 2 times: for short blocks. J. Bruck and others, "Efficient
 * algorithms for all-to-all communications in multiport message-passing systems", IEEE TPDS 8(11), 1997. */
#include "traces/collectives/steps.h"

/* How many of 1 .. ranks - 1 have the bit: whole periods of 2 * bit, then what the last one holds. */
static uint64_t numbers_with_bit(uint32_t ranks, uint64_t bit)
{
    uint64_t rest = ranks % (2 * bit);
    return ranks / (2 * bit) * bit + (rest > bit ? rest - bit : 0);
}

/* ceil(log2 P) messages a rank instead of P - 1. Blocks are taken to be of one size, so both messages of a round
 * have the same length. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t phase = 0;

    for (uint64_t distance = 1; distance < call->ranks; distance *= 2, phase++) {
        uint64_t bytes = numbers_with_bit(call->ranks, distance) * call->bytes;
        trace_steps_exchange(&steps, trace_rank_after(call, call->rank, (uint32_t)distance), bytes,
                             trace_rank_before(call, call->rank, (uint32_t)distance), bytes, phase);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_alltoall_bruck = {
    .name = "alltoall-bruck",
    .summary = "log2 P rounds of about P/2 blocks each (Bruck and others 1997)",
    .collectives = TRACE_BIT(ALLTOALL),
    .schedule = schedule_steps,
};
