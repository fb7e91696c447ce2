/* Reduce-scatter as a reduction of the whole vector to rank 0, which then scatters the blocks. Unequal blocks
 * are scattered as scatterv does. */
#include "traces/collectives/parts.h"

/* The parts of TRACE_PARTS (parts.h): a reduction of all blocks as one vector, then a scatter of the blocks as
 * they are. */
static void split_call(const struct trace_collective_call *call, struct trace_collective_call parts[2])
{
    parts[0].collective = TRACE_REDUCE;
    trace_make_whole(call, &parts[0]);
    parts[1].collective = call->collective == TRACE_REDUCE_SCATTER ? TRACE_SCATTERV : TRACE_SCATTER;
}

TRACE_PARTS(schedule_nonoverlapping, openmpi, split_call)
TRACE_PARTS(schedule_linear, linear, split_call)
TRACE_PARTS(schedule_binomial, binomial, split_call)

const struct trace_algorithm trace_algorithm_reduce_scatter_nonoverlapping = {
    .name = "reduce-scatter-nonoverlapping",
    .summary = "reduce to rank 0, then scatter(v), each as the table openmpi says",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_nonoverlapping,
};

const struct trace_algorithm trace_algorithm_reduce_scatter_linear = {
    .name = "reduce-scatter-linear",
    .summary = "reduce-linear to rank 0, then a linear scatter(v)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_linear,
};

const struct trace_algorithm trace_algorithm_reduce_scatter_binomial = {
    .name = "reduce-scatter-binomial",
    .summary = "reduce to rank 0, then scatter, both binomial (scatterv linear)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_binomial,
};
