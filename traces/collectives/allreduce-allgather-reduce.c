/* Allreduce of very short vectors: everybody gets all of them and reduces by itself. The allgather is
 * Bruck's. */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

/* Every rank's block is its whole vector: ceil(log2 P) rounds, P - 1 vectors a rank. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_collective_call vectors = *call;

    /* P vectors of a damaged size may be more than 64 bits can count. */
    if (vectors.bytes > UINT64_MAX / call->ranks)
        vectors.bytes = UINT64_MAX / call->ranks;
    vectors.collective = TRACE_ALLGATHER;
    return trace_algorithm_allgather_bruck.schedule(&vectors, schedule);
}

const struct trace_algorithm trace_algorithm_allreduce_allgather_reduce = {
    .name = "allreduce-allgather-reduce",
    .summary = "allgather of the vectors (Bruck), every rank reduces them (Open MPI)",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_steps,
};
