/* Inclusive and exclusive scan by recursive doubling: partners at distance 2^k exchange the reductions of
 * their groups of 2^k ranks. Both add the other's to the one of the group; the upper one also to its prefix.
 * A partner beyond the last rank is skipped: nobody below needs what it would have. Both scans send the same;
 * they differ only in whether the prefix starts with the rank's own value. */
#include "traces/collectives/steps.h"

/* ceil(log2 P) rounds for any number of ranks. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t phase = 0;

    for (uint64_t mask = 1; mask < call->ranks; mask *= 2, phase++) {
        uint32_t peer = call->rank ^ (uint32_t)mask;
        if (peer < call->ranks)
            trace_steps_exchange(&steps, peer, call->bytes, peer, call->bytes, phase);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_scan_doubling = {
    .name = "scan-recursive-doubling",
    .summary = "partners at distance 2^k exchange the reductions of their groups",
    .collectives = TRACE_BIT(SCAN) | TRACE_BIT(EXSCAN),
    .schedule = schedule_steps,
};
