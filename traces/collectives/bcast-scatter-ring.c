/* Broadcast of long vectors as a scatter and an allgather (van de Geijn), the allgather around the ring: P -
 * 1 rounds in which each rank passes on to its right the piece it got last, its own first. More messages than
 * by recursive doubling, but all between neighbours, and for any number of ranks. Ranks that passed on pieces
 * in the scatter have them still, but receive them again, as in MPICH. */
#include "traces/collectives/steps.h"

/* Phase 0 is the scatter. `sent` counts from the root, as pieces do; the ring is that of real ranks, which is the
 * same ring turned by the root. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t left = trace_rank_before(call, call->rank, 1), right = trace_rank_after(call, call->rank, 1);
    uint32_t sent = trace_rank_relative(call);

    trace_steps_scatter_pieces(&steps, call);
    for (uint32_t round = 1; round < call->ranks; round++) {
        uint32_t received = trace_rank_before(call, sent, 1);
        trace_steps_exchange(&steps, right, trace_piece_bytes(call, sent), left,
                             trace_piece_bytes(call, received), round);
        sent = received;
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_scatter_ring = {
    .name = "bcast-scatter-ring",
    .summary = "binomial scatter, then allgather around the ring (van de Geijn)",
    .collectives = TRACE_BIT(BCAST),
    .schedule = schedule_steps,
};
