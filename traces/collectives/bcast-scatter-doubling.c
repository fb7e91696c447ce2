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
 * the vector's end are empty, and are exchanged all the same: both as MPICH does.
 *
 * Where the ranks are no power of two a group of 2^k may have fewer partners than members. Then those members
 * that had one hand its pieces on inside the group, over halved distances (Open MPI). */
#include "traces/collectives/steps.h"

/* The pieces of the group beside that of `mask` ranks from `first` on go to the members without a partner. `first`
 * is the own group's first rank; `informed` ends the members of a subtree that have had a partner, or have been
 * told. Each distance halves the subtrees, from a member that has the pieces to one that has not. */
static void hand_on(struct trace_steps *steps, const struct trace_collective_call *call, uint32_t first,
                    uint32_t mask, uint32_t phase)
{
    uint32_t relative = trace_rank_relative(call), partners = call->ranks - first - mask;
    uint64_t bytes = trace_pieces_bytes(call, first + mask, mask);

    for (uint32_t distance = mask / 2; distance > 0; distance /= 2) {
        uint32_t other = relative ^ distance, informed = (relative & ~(2 * distance - 1)) + partners;
        uint32_t peer = trace_rank_after(call, call->root, other);
        if (other > relative && relative < informed && other >= informed)
            trace_steps_send(steps, peer, phase, bytes);
        else if (other < relative && other < informed && relative >= informed)
            trace_steps_receive(steps, peer, phase, bytes);
    }
}

/* Phase 0 is the scatter, phases from 1 on are rounds of the allgather, and 64 more is the handing on of a round. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t relative = trace_rank_relative(call), phase = 1;

    trace_steps_scatter_pieces(&steps, call);
    for (uint64_t distance = 1; distance < call->ranks; distance *= 2, phase++) {
        uint32_t mask = (uint32_t)distance, partner = relative ^ mask;
        /* Clearing the low bits gives the first of the 2^k pieces. */
        uint32_t own = relative & ~(mask - 1), others = partner & ~(mask - 1);
        if (partner < call->ranks) {
            uint32_t peer = trace_rank_after(call, call->root, partner);
            trace_steps_exchange(&steps, peer, trace_pieces_bytes(call, own, mask), peer,
                                 trace_pieces_bytes(call, others, mask), phase);
        }
        if (own < others && others < call->ranks && call->ranks - others < mask)
            hand_on(&steps, call, own, mask, 64 + phase);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_scatter_doubling = {
    .name = "bcast-scatter-recursive-doubling",
    .summary = "binomial scatter, then allgather by recursive doubling (van de Geijn)",
    .collectives = TRACE_BIT(BCAST),
    .schedule = schedule_steps,
};
