/* Reduce-scatter by a butterfly: halving with the nearest partner first, as in Rabenseifner's algorithms,
 * which leaves number v of 2^k ranks with piece v reversed (bit by bit); a last message brings every block to
 * its owner. Of a folded pair the odd rank works for both; piece i has the blocks of the rank or of the pair
 * with number i. Messages of no bytes are skipped. Equal blocks of 2^k ranks are brought into the reversed
 * order in memory first, so that each ends with its owner.
 *
 *      rank                    0       1       2       3
 *      round 1, partner 1      0 1     2 3     0 1     2 3
 *      round 2, partner 2      0       2       1       3
 *      to the owners                   > 2     > 1
 *
 * J. L. Traff, "An improved algorithm for (non-commutative) reduce-scatter with an application", EuroPVM/MPI
 * 2005; the treatment of other numbers of ranks as in Open MPI. */
#include "traces/collectives/steps.h"

/* The first rank whose block is in a piece. */
static uint32_t first_rank(const struct trace_fold *fold, uint32_t piece)
{
    return piece < fold->excess ? 2 * piece : piece + fold->excess;
}

/* The bytes of `count` pieces from `first` on; their blocks are those of consecutive ranks. */
static uint64_t pieces_bytes(const struct trace_collective_call *call, const struct trace_fold *fold,
                             uint32_t first, uint32_t count)
{
    uint32_t rank = first_rank(fold, first);
    return trace_blocks_bytes(call, rank, first_rank(fold, first + count) - rank);
}

/* An exchange of which either side may be missing. */
static void post(struct trace_steps *steps, uint32_t peer, uint32_t phase, uint64_t sent, uint64_t received)
{
    if (received > 0)
        trace_steps_post_receive(steps, peer, phase, received);
    if (sent > 0)
        trace_steps_post_send(steps, peer, phase, sent);
    trace_steps_wait(steps);
}

/* Returns the piece that is left. Partners keep opposite halves of the range that both have; of the range `first`
 * and `count` pieces are left. For the ranks that remain only. */
static uint32_t halve(struct trace_steps *steps, const struct trace_collective_call *call,
                      const struct trace_fold *fold)
{
    uint32_t first = 0, count = fold->ranks, phase = 1;

    for (uint32_t mask = 1; mask < fold->ranks; mask *= 2, phase++) {
        bool upper = (fold->rank & mask) != 0;
        count /= 2;
        uint32_t kept = upper ? first + count : first, given = upper ? first : first + count;
        post(steps, trace_fold_member(fold, fold->rank ^ mask), phase, pieces_bytes(call, fold, given, count),
             pieces_bytes(call, fold, kept, count));
        first = kept;
    }
    return first;
}

/* A number of log2(power) bits with its bits in reverse order. */
static uint32_t reversed(uint32_t number, uint32_t power)
{
    uint32_t turned = 0;
    for (uint32_t mask = 1, other = power / 2; mask < power; mask *= 2, other /= 2)
        if ((number & mask) != 0)
            turned |= other;
    return turned;
}

/* Each block of the piece goes to its owner, and the own block comes from whoever has its piece. */
static void bring_home(struct trace_steps *steps, const struct trace_collective_call *call,
                       const struct trace_fold *fold, uint32_t piece)
{
    uint32_t own = call->rank < 2 * fold->excess ? call->rank / 2 : call->rank - fold->excess;
    uint32_t source = trace_fold_member(fold, reversed(own, fold->ranks));
    uint32_t phase = 64; /* after all rounds */

    if (source != call->rank && trace_block_bytes(call, call->rank) > 0)
        trace_steps_post_receive(steps, source, phase, trace_block_bytes(call, call->rank));
    if (fold->rank != UINT32_MAX)
        for (uint32_t rank = first_rank(fold, piece); rank < first_rank(fold, piece + 1); rank++)
            if (rank != call->rank && trace_block_bytes(call, rank) > 0)
                trace_steps_post_send(steps, rank, phase, trace_block_bytes(call, rank));
    trace_steps_wait(steps);
}

/* Phase 0 folds, phases from 1 on halve, phase 64 brings blocks home. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_fold fold = trace_fold_of(call, false);
    uint32_t piece = 0;

    trace_steps_fold(&steps, call, &fold, trace_total_bytes(call), 0);
    if (fold.rank != UINT32_MAX)
        piece = halve(&steps, call, &fold);
    if (fold.excess > 0 || call->collective != TRACE_REDUCE_SCATTER_BLOCK)
        bring_home(&steps, call, &fold, piece);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_scatter_butterfly = {
    .name = "reduce-scatter-butterfly",
    .summary = "log2 P rounds of halving, then blocks to their owners (Traff 2005)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_steps,
};
