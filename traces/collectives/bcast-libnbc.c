/* Broadcasts of Open MPI's coll/libnbc. The root changes places with rank 0 instead of all ranks being
 * counted from it, and in the binomial tree a rank's parent is without its highest set bit, not its lowest:
 *
 *            0
 *       .----+--.
 *       1    2   4        messages of the root in the order 1, 2, 4: the widest subtree is served first
 *     .-+.   |
 *     3  5   6
 *     |
 *     7
 *
 * The pipeline is one chain in that order of ranks. */
#include "traces/collectives/trees.h"

/* `mask` ends above the rank's own highest bit: half of it is the bit that the parent lacks, and it and its
 * doubles are the distances of the children. */
static int schedule_tree(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t own = trace_rank_swapped(call, call->rank);
    uint64_t mask = 1;

    while (mask <= own)
        mask *= 2;
    if (own > 0)
        trace_steps_receive(&steps, trace_rank_swapped(call, own - (uint32_t)(mask / 2)), 0, call->bytes);
    for (; own + mask < call->ranks; mask *= 2)
        trace_steps_post_send(&steps, trace_rank_swapped(call, own + (uint32_t)mask), 0, call->bytes);
    trace_steps_wait(&steps);
    return trace_steps_end(&steps);
}

/* Numbers of the chain are ranks, but that the root and rank 0 have changed places. */
static int schedule_chain(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = trace_tree_chain_swapped(call);

    trace_steps_tree_down(&steps, &tree, call->bytes, call->segment_bytes, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_libnbc_binomial = {
    .name = "bcast-libnbc-binomial",
    .summary = "binomial tree by the highest bit, all children at once (Open MPI, MPI_Ibcast)",
    .collectives = TRACE_BIT(BCAST),
    .schedule = schedule_tree,
};

const struct trace_algorithm trace_algorithm_bcast_libnbc_pipeline = {
    .name = "bcast-libnbc-pipeline",
    .summary = "one chain, the root in the place of rank 0, segmented (Open MPI, MPI_Ibcast)",
    .collectives = TRACE_BIT(BCAST),
    .segment_bytes = 8192,
    .schedule = schedule_chain,
};
