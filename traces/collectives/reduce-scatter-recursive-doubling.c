/* Reduce-scatter of very short vectors by recursive doubling: partners at distance 2^k exchange everything
 * but the pieces that only the sender's own group of 2^k ranks needs. Operands meet in the order of the
 * ranks, so that the operation need not commute; nearly the whole vector is sent log2 P times. Ranks beyond a
 * power of two are folded, other than in MPICH and Open MPI, which send them more on the way. */
#include "traces/collectives/steps.h"

/* The first rank whose block belongs to a number among the remaining. */
static uint32_t first_rank(const struct trace_fold *fold, uint32_t number)
{
    return number < fold->excess ? 2 * number : number + fold->excess;
}

/* All but the blocks of the `count` numbers around `number`. */
static uint64_t bytes_for_others(const struct trace_collective_call *call, const struct trace_fold *fold,
                                 uint32_t number, uint32_t count)
{
    uint32_t low = number & ~(count - 1), rank = first_rank(fold, low);
    return trace_total_bytes(call) - trace_blocks_bytes(call, rank, first_rank(fold, low + count) - rank);
}

static void exchange_all(struct trace_steps *steps, const struct trace_collective_call *call,
                         const struct trace_fold *fold)
{
    uint32_t phase = 1;

    for (uint32_t mask = 1; mask < fold->ranks; mask *= 2, phase++) {
        uint32_t partner = fold->rank ^ mask, peer = trace_fold_member(fold, partner);
        trace_steps_exchange(steps, peer, bytes_for_others(call, fold, fold->rank, mask), peer,
                             bytes_for_others(call, fold, partner, mask), phase);
    }
}

static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, false);
    uint64_t returned = trace_block_bytes(call, call->rank & ~UINT32_C(1)); /* of the even one of a pair */

    trace_steps_fold(&steps, call, &fold, trace_total_bytes(call), 0);
    if (fold.rank != UINT32_MAX)
        exchange_all(&steps, call, &fold);
    trace_steps_unfold(&steps, call, &fold, returned, 64); /* after all rounds */
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_scatter_doubling = {
    .name = "reduce-scatter-recursive-doubling",
    .summary = "log2 P rounds of all that others need; ranks beyond a power of two folded (Open MPI)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_steps,
};
