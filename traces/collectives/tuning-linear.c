/* The simplest way of everything: through one rank, or every rank with every other, whatever the sizes. A
 * reference that no library is as slow as. */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

static const struct trace_algorithm *const table[TRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = &trace_algorithm_barrier_linear,
    [TRACE_BCAST] = &trace_algorithm_bcast_linear,
    [TRACE_GATHER] = &trace_algorithm_gather_linear,
    [TRACE_GATHERV] = &trace_algorithm_gatherv_linear,
    [TRACE_SCATTER] = &trace_algorithm_scatter_linear,
    [TRACE_SCATTERV] = &trace_algorithm_scatterv_linear,
    [TRACE_ALLGATHER] = &trace_algorithm_allgather_linear,
    [TRACE_ALLGATHERV] = &trace_algorithm_allgather_linear,
    [TRACE_ALLTOALL] = &trace_algorithm_alltoall_linear,
    [TRACE_ALLTOALLV] = &trace_algorithm_alltoall_linear,
    [TRACE_ALLTOALLW] = &trace_algorithm_alltoall_linear,
    [TRACE_ALLREDUCE] = &trace_algorithm_allreduce_linear,
    [TRACE_REDUCE] = &trace_algorithm_reduce_linear,
    [TRACE_REDUCE_SCATTER] = &trace_algorithm_reduce_scatter_linear,
    [TRACE_REDUCE_SCATTER_BLOCK] = &trace_algorithm_reduce_scatter_linear,
    [TRACE_SCAN] = &trace_algorithm_scan_linear,
    [TRACE_EXSCAN] = &trace_algorithm_scan_linear,
};

/* By collective alone. */
static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    return table[call->collective];
}

const struct trace_tuning trace_tuning_linear = {
    .name = "linear",
    .summary = "everything through one rank, or every rank with every other at once",
    .choose = choose,
};
