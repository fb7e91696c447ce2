/* Reductions of Open MPI's coll/libnbc: a binomial tree, and for long vectors among few ranks a chain. Both
 * as usual, but that the root changes places with rank 0. One receive at a time: each is reduced before the
 * next may come. */
#include "traces/collectives/trees.h"

/* As reduce-binomial, with numbers in which the root and rank 0 have changed places. */
static int schedule_tree(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t own = trace_rank_swapped(call, call->rank);
    uint64_t mask = 1;

    for (; mask < call->ranks && (own & mask) == 0; mask *= 2)
        if (own + mask < call->ranks)
            trace_steps_receive(&steps, trace_rank_swapped(call, own + (uint32_t)mask), 0, call->bytes);
    if (mask < call->ranks)
        trace_steps_send(&steps, trace_rank_swapped(call, own - (uint32_t)mask), 0, call->bytes);
    return trace_steps_end(&steps);
}

/* As reduce-chain, with the same numbers. */
static int schedule_chain(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_chain_swapped(call);

    trace_steps_tree_up(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_libnbc_binomial = {
    .name = "reduce-libnbc-binomial",
    .summary = "binomial tree, the root in the place of rank 0 (Open MPI, MPI_Ireduce)",
    .collectives = TRACE_BIT(REDUCE),
    .schedule = schedule_tree,
};

const struct trace_algorithm trace_algorithm_reduce_libnbc_pipeline = {
    .name = "reduce-libnbc-pipeline",
    .summary = "one chain, the root in the place of rank 0, segmented (Open MPI, MPI_Ireduce)",
    .collectives = TRACE_BIT(REDUCE),
    .segment_bytes = 8192,
    .schedule = schedule_chain,
};
