/* What Open MPI's coll/libnbc does for the collectives that do not block, whichever the version: few rules,
 * and everything at once where a wait in between would need the library to be called (doc/collectives.md). */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

#define KI UINT64_C(1024)

/* Rules look at the vector's bytes, and at whether there are more than four ranks. */
static const struct trace_algorithm *choose_by_size(const struct trace_collective_call *call)
{
    bool is_short = call->bytes < 64 * KI;

    switch (call->collective) {
    case TRACE_BCAST:
        if (call->ranks <= 4)
            return &trace_algorithm_bcast_linear;
        return is_short ? &trace_algorithm_bcast_libnbc_binomial : &trace_algorithm_bcast_libnbc_pipeline;
    case TRACE_REDUCE:
        return is_short || call->ranks > 4 ? &trace_algorithm_reduce_libnbc_binomial
                                           : &trace_algorithm_reduce_libnbc_pipeline;
    default:
        return is_short || call->ranks < 4 ? &trace_algorithm_allreduce_libnbc
                                           : &trace_algorithm_allreduce_ring;
    }
}

/* NULL: by size. */
static const struct trace_algorithm *const table[TRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = &trace_algorithm_dissemination,
    [TRACE_GATHER] = &trace_algorithm_gather_linear,
    [TRACE_GATHERV] = &trace_algorithm_gatherv_linear,
    [TRACE_SCATTER] = &trace_algorithm_scatter_linear_nb,
    [TRACE_SCATTERV] = &trace_algorithm_scatterv_linear,
    [TRACE_ALLGATHER] = &trace_algorithm_allgather_direct,
    [TRACE_ALLGATHERV] = &trace_algorithm_allgather_direct,
    [TRACE_ALLTOALL] = &trace_algorithm_alltoall_linear,
    [TRACE_ALLTOALLV] = &trace_algorithm_alltoall_linear,
    [TRACE_ALLTOALLW] = &trace_algorithm_alltoall_linear,
    [TRACE_REDUCE_SCATTER] = &trace_algorithm_reduce_scatter_libnbc,
    [TRACE_REDUCE_SCATTER_BLOCK] = &trace_algorithm_reduce_scatter_libnbc,
    [TRACE_SCAN] = &trace_algorithm_scan_linear,
    [TRACE_EXSCAN] = &trace_algorithm_scan_linear,
};

/* A fixed algorithm, or one by size for bcast, reduce and allreduce. */
static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    return table[call->collective] != NULL ? table[call->collective] : choose_by_size(call);
}

/* Of the chains only. */
static uint64_t segment_bytes(const struct trace_collective_call *call)
{
    const struct trace_algorithm *algorithm = choose(call);

    if (algorithm == &trace_algorithm_bcast_libnbc_pipeline && call->bytes >= 512 * KI)
        return 32 * KI;
    return algorithm->segment_bytes;
}

const struct trace_tuning trace_tuning_libnbc = {
    .name = "libnbc",
    .summary = "what Open MPI does for collectives that do not block, for all of them",
    .checked = "read in its sources, not compared with a recording",
    .choose = choose,
    .segment_bytes = segment_bytes,
};
