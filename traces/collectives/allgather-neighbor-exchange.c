/* Allgather by neighbour exchange: with an even number of ranks, P/2 rounds in which each rank exchanges with
 * its neighbours in turn; first one block each, then always the two that came last. Half as many rounds as
 * around the ring. With an odd number of ranks it is the ring, as in Open MPI.
 *
 *      rank        0       1       2       3       4       5
 *      round 0     1       0       3       2       5       4
 *      round 1     4 5     2 3     0 1     4 5     2 3     0 1
 *      round 2     2 3     4 5     4 5     0 1     0 1     2 3
 *
 * J. Chen and others, "Performance evaluation of allgather algorithms on terascale Linux cluster with fast
 * Ethernet", HPC-Asia 2005. */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

/* Pairs of blocks are named by their even rank. What comes from a side moves two on each time. A pair that reaches
 * the end of the ring goes on at its start, which needs an even number of ranks. */
static void exchange_pairs(struct trace_steps *steps, const struct trace_collective_call *call)
{
    bool even = call->rank % 2 == 0;
    uint32_t after = trace_rank_after(call, call->rank, 1), before = trace_rank_before(call, call->rank, 1);
    uint32_t pair = even ? call->rank : call->rank - 1;
    uint32_t sent = pair, from_after = pair, from_before = pair;

    for (uint32_t round = 1; round < call->ranks / 2; round++) {
        /* Even ranks began with the one after them, odd ones with the one before: now the other side. */
        bool to_after = (round % 2 == 0) == even;
        uint32_t peer = to_after ? after : before;
        uint32_t received;
        if (to_after)
            received = from_after = trace_rank_after(call, from_after, 2);
        else
            received = from_before = trace_rank_before(call, from_before, 2);
        trace_steps_exchange(steps, peer, trace_blocks_bytes(call, sent, 2), peer,
                             trace_blocks_bytes(call, received, 2), round);
        sent = received;
    }
}

/* P / 2 rounds with one partner each; a rank sends 1 + 2 (P / 2 - 1) = P - 1 blocks. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t first = call->rank ^ 1;

    if (call->ranks % 2 != 0)
        return trace_algorithm_allgather_ring.schedule(call, schedule);
    trace_steps_exchange(&steps, first, trace_block_bytes(call, call->rank), first,
                         trace_block_bytes(call, first), 0);
    exchange_pairs(&steps, call);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allgather_neighbor_exchange = {
    .name = "allgather-neighbor-exchange",
    .summary = "P/2 rounds of two blocks with either neighbour; the ring if P is odd (Chen and others 2005)",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_steps,
};
