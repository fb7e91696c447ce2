/* What Open MPI's coll/libnbc makes of others of its own: an allreduce is its reduction to rank 0 and its
 * broadcast, both binomial whatever the sizes; a reduce-scatter that reduction and a linear scatter(v). */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

/* Part 0 reduces to rank 0, part 1 broadcasts from it. The broadcast's steps come behind the reduction's last
 * wait. */
static int schedule_allreduce(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_collective_call part = {
        .collective = TRACE_REDUCE, .ranks = call->ranks, .rank = call->rank, .bytes = call->bytes};

    trace_steps_part(&steps, &trace_algorithm_reduce_libnbc_binomial, &part, 0, 0);
    part.collective = TRACE_BCAST;
    trace_steps_part(&steps, &trace_algorithm_bcast_libnbc_binomial, &part, 1, 0);
    return trace_steps_end(&steps);
}

/* The vector that is reduced is all blocks. */
static int schedule_reduce_scatter(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_collective_call part = *call;
    bool v = call->collective == TRACE_REDUCE_SCATTER;

    part.root = 0;
    part.collective = TRACE_REDUCE;
    part.bytes = trace_total_bytes(call);
    part.vector = NULL;
    if (part.bytes > UINT64_MAX / call->ranks) /* of a damaged trace: algorithms multiply without checks */
        part.bytes = UINT64_MAX / call->ranks;
    trace_steps_part(&steps, &trace_algorithm_reduce_libnbc_binomial, &part, 0, 0);
    part.collective = v ? TRACE_SCATTERV : TRACE_SCATTER;
    part.bytes = call->bytes;
    part.vector = call->vector;
    trace_steps_part(&steps, v ? &trace_algorithm_scatterv_linear : &trace_algorithm_scatter_linear_nb, &part,
                     1, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allreduce_libnbc = {
    .name = "allreduce-libnbc",
    .summary = "reduce-libnbc-binomial to rank 0, then bcast-libnbc-binomial (MPI_Iallreduce)",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_allreduce,
};

const struct trace_algorithm trace_algorithm_reduce_scatter_libnbc = {
    .name = "reduce-scatter-libnbc",
    .summary = "reduce-libnbc-binomial to rank 0, then a linear scatter(v) (MPI_Ireduce_scatter)",
    .collectives = TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .schedule = schedule_reduce_scatter,
};
