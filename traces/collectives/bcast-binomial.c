/* Broadcast down a binomial tree. Counted from the root, a rank receives from the rank without its lowest set
 * bit and serves the bits below that, the farthest child first, since it has the largest subtree:
 *
 *                  0
 *         .--------+---.--.
 *         4        2   1        messages of the root in the order 4, 2, 1
 *       .-+.       |
 *       6  5       3
 *       |
 *       7
 *
 * For short vectors: every edge carries all of it, and the root sends log2 P times as much as it has. */
#include "traces/collectives/steps.h"

/* One blocking message after the other, as MPICH sends them: a child's transfer is over before the next child's
 * begins. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t relative = trace_rank_relative(call);
    uint64_t mask = 1;

    while (mask < call->ranks && (relative & mask) == 0)
        mask *= 2;
    if (mask < call->ranks)
        trace_steps_receive(&steps, trace_rank_before(call, call->rank, (uint32_t)mask), 0, call->bytes);
    for (mask /= 2; mask > 0; mask /= 2)
        if (relative + mask < call->ranks)
            trace_steps_send(&steps, trace_rank_after(call, call->rank, (uint32_t)mask), 0, call->bytes);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_binomial = {
    .name = "bcast-binomial",
    .summary = "binomial tree, the whole vector on every edge",
    .collectives = TRACE_BIT(BCAST),
    .schedule = schedule_steps,
};
