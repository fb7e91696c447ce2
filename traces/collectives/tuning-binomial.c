/* Logarithmic trees for everything that has one, whatever the sizes: the textbook's collectives. Gatherv and
 * scatterv have none, since only the root knows all sizes; alltoall is Bruck's, the unequal ones are linear.
 */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

static const struct trace_algorithm *const table[TRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = &trace_algorithm_barrier_tree,
    [TRACE_BCAST] = &trace_algorithm_bcast_binomial,
    [TRACE_GATHER] = &trace_algorithm_gather_binomial,
    [TRACE_GATHERV] = &trace_algorithm_gatherv_linear,
    [TRACE_SCATTER] = &trace_algorithm_scatter_binomial,
    [TRACE_SCATTERV] = &trace_algorithm_scatterv_linear,
    [TRACE_ALLGATHER] = &trace_algorithm_allgather_binomial,
    [TRACE_ALLGATHERV] = &trace_algorithm_allgather_binomial,
    [TRACE_ALLTOALL] = &trace_algorithm_alltoall_bruck,
    [TRACE_ALLTOALLV] = &trace_algorithm_alltoall_linear,
    [TRACE_ALLTOALLW] = &trace_algorithm_alltoall_linear,
    [TRACE_ALLREDUCE] = &trace_algorithm_allreduce_binomial,
    [TRACE_REDUCE] = &trace_algorithm_reduce_binomial,
    [TRACE_REDUCE_SCATTER] = &trace_algorithm_reduce_scatter_binomial,
    [TRACE_REDUCE_SCATTER_BLOCK] = &trace_algorithm_reduce_scatter_binomial,
    [TRACE_SCAN] = &trace_algorithm_scan_doubling,
    [TRACE_EXSCAN] = &trace_algorithm_scan_doubling,
};

/* By collective alone. Every one of TRACE_COLLECTIVES has a row, so it is never NULL. */
static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    return table[call->collective];
}

const struct trace_tuning trace_tuning_binomial = {
    .name = "binomial",
    .summary = "binomial trees and other logarithmic ways, whatever the sizes",
    .choose = choose,
};
