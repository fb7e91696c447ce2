/* Reduce-scatter of very short vectors by recursive doubling: in round k, partners at distance 2^k exchange all that
 * the sender has but the blocks of its own group of 2^k ranks, which nobody else needs. Operands meet in the order
 * of the ranks, so that the operation need not commute; nearly the whole vector is sent log2 P times. Where P is no
 * power of two, some ranks of a group have no partner: those that have one pass on what they received, along a
 * binomial tree. Open MPI does so for any operation, MPICH where it does not commute. */
#include "traces/collectives/steps.h"

/* Phases of passing on in round k are (k + 1) * PASSED + log2 of the distance; exchanging is phase k + 1. */
#define PASSED 64

/* All but the blocks of the group of 2^round ranks that the rank is in. The last group may have fewer ranks than
 * 2^round: it ends at the last rank. */
static uint64_t bytes_without_group(const struct trace_collective_call *call, uint32_t rank, uint32_t round)
{
    uint32_t first = rank >> round << round, beyond = call->ranks - first;
    uint32_t count = beyond < UINT32_C(1) << round ? beyond : UINT32_C(1) << round;
    return trace_total_bytes(call) - trace_blocks_bytes(call, first, count);
}

/* What came from the partner group goes to the ranks of the own one that have no partner; `served` ranks, the first
 * of their group, have one. In each step halves of ever smaller trees face each other. */
static void pass_on(struct trace_steps *steps, const struct trace_collective_call *call, uint32_t round,
                    uint32_t served)
{
    uint32_t rank = call->rank, partners = rank >> round << round ^ UINT32_C(1) << round;
    uint64_t bytes = bytes_without_group(call, partners, round);

    for (uint32_t level = round; level-- > 0;) {
        uint32_t root = rank >> (level + 1) << (level + 1), peer = rank ^ UINT32_C(1) << level;
        uint32_t has = root + served; /* ranks of the tree below this one have it */
        uint32_t phase = (round + 1) * PASSED + level;
        if (peer > rank && rank < has && peer >= has)
            trace_steps_send(steps, peer, phase, bytes);
        else if (peer < rank && peer < has && rank >= has)
            trace_steps_receive(steps, peer, phase, bytes);
    }
}

/* A rank takes part in passing on if the partner group is there but not whole: then some of its own group have no
 * partner. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    for (uint32_t round = 0; (call->ranks - 1) >> round != 0; round++) {
        uint32_t distance = UINT32_C(1) << round, peer = call->rank ^ distance;
        uint32_t partners = peer >> round << round; /* the first of the partner group */
        if (peer < call->ranks)
            trace_steps_exchange(&steps, peer, bytes_without_group(call, call->rank, round), peer,
                                 bytes_without_group(call, peer, round), round + 1);
        if (partners < call->ranks && call->ranks - partners < distance)
            pass_on(&steps, call, round, call->ranks - partners);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_scatter_doubling = {
    .name = "reduce-scatter-recursive-doubling",
    .summary = "log2 P rounds of all that others need; passed on where P is no power of two (Open MPI)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_steps,
};
