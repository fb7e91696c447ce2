/* Broadcast of medium vectors as a scatter and an allgather (van de Geijn): about twice the vector passes
 * each rank, instead of log2 P times. The allgather is by recursive doubling: in round k partners at distance
 * 2^k (counted from the root) exchange the 2^k pieces each group has by then.
 *
 *      pieces of rank      0       1       2       3
 *      scattered           0       1       2       3
 *      round 1             0 1     0 1     2 3     2 3
 *      round 2             0 - 3   0 - 3   0 - 3   0 - 3
 *
 * Ranks that passed on pieces in the scatter have them still, but exchange them like the others. Pieces past
 * the vector's end are empty, and are exchanged all the same: both as MPICH does. */
#include "traces/collective-steps.h"

static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t relative = trace_rank_relative(call), phase = 1;

    trace_steps_scatter_pieces(&steps, call);
    for (uint32_t mask = 1; mask < call->ranks; mask *= 2, phase++) {
        uint32_t partner = relative ^ mask;
        uint32_t peer = trace_rank_after(call, call->root, partner);
        /* Clearing the low bits gives the first of the 2^k pieces. */
        trace_steps_exchange(&steps, peer, trace_pieces_bytes(call, relative & ~(mask - 1), mask), peer,
                             trace_pieces_bytes(call, partner & ~(mask - 1), mask), phase);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_scatter_doubling = {
    .name = "bcast-scatter-recursive-doubling",
    .summary = "binomial scatter, then allgather by recursive doubling; 2^k ranks (van de Geijn)",
    .collectives = TRACE_BIT(BCAST),
    .power_of_two = true,
    .schedule = schedule_steps,
};
