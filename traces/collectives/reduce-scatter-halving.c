/* Reduce-scatter by recursive halving, the farthest partner first: in each round partners exchange the halves
 * of their common range that the other answers for, and reduce what they get.
 *
 *      rank                    0       1       2       3
 *      at first                0 - 3   0 - 3   0 - 3   0 - 3
 *      round 1, partner 2 off  0 1     0 1     2 3     2 3
 *      round 2, partner 1 off  0       1       2       3
 *
 * Unlike in Rabenseifner's algorithms the ranks must end with blocks in their own order, hence the farthest
 * first. The odd rank of a folded pair answers for both blocks, and returns the neighbour's at the end.
 * Messages of no bytes are skipped, as in MPICH. */
#include "traces/collectives/steps.h"

/* The first block that the remaining rank of this number answers for. */
static uint32_t first_block(const struct trace_fold *fold, uint32_t number)
{
    return number < fold->excess ? 2 * number : number + fold->excess;
}

/* The bytes of the `count` numbers around `number`, aligned to count. */
static uint64_t range_bytes(const struct trace_collective_call *call, const struct trace_fold *fold,
                            uint32_t number, uint32_t count)
{
    uint32_t low = number & ~(count - 1);
    uint32_t first = first_block(fold, low);
    return trace_blocks_bytes(call, first, first_block(fold, low + count) - first);
}

/* For the ranks that remain. Ranges of numbers are aligned, so that those of partners are the two halves of one. */
static void halve(struct trace_steps *steps, const struct trace_collective_call *call,
                  const struct trace_fold *fold)
{
    uint32_t phase = 1;

    for (uint32_t mask = fold->ranks / 2; mask > 0; mask /= 2, phase++) {
        uint32_t partner = fold->rank ^ mask;
        uint32_t peer = trace_fold_member(fold, partner);
        uint64_t sent = range_bytes(call, fold, partner, mask);
        uint64_t received = range_bytes(call, fold, fold->rank, mask);
        if (received > 0)
            trace_steps_post_receive(steps, peer, phase, received);
        if (sent > 0)
            trace_steps_post_send(steps, peer, phase, sent);
        trace_steps_wait(steps);
    }
}

/* Phase 0 folds: the whole vector goes to the neighbour, who answers for both blocks until phase 64. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, false);
    uint64_t returned = trace_block_bytes(call, call->rank & ~UINT32_C(1)); /* of the even one of a pair */

    trace_steps_fold(&steps, call, &fold, trace_total_bytes(call), 0);
    if (fold.rank != UINT32_MAX)
        halve(&steps, call, &fold);
    if (returned > 0)
        trace_steps_unfold(&steps, call, &fold, returned, 64); /* after all rounds */
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_scatter_halving = {
    .name = "reduce-scatter-recursive-halving",
    .summary = "log2 P rounds of halving ranges; ranks beyond a power of two folded",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_steps,
};
