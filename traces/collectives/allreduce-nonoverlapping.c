/* Allreduce as a reduction to rank 0 and a broadcast from it, both of the whole vector. */
#include "traces/collectives/parts.h"

/* Both parts are of the whole vector, with rank 0 as root (parts.h). */
static void split_call(const struct trace_collective_call *call, struct trace_collective_call parts[2])
{
    parts[0] = parts[1] = (struct trace_collective_call){
        .collective = TRACE_REDUCE, .ranks = call->ranks, .rank = call->rank, .bytes = call->bytes};
    parts[1].collective = TRACE_BCAST;
}

TRACE_PARTS(schedule_nonoverlapping, openmpi, split_call)
TRACE_PARTS(schedule_linear, linear, split_call)
TRACE_PARTS(schedule_binomial, binomial, split_call)

const struct trace_algorithm trace_algorithm_allreduce_nonoverlapping = {
    .name = "allreduce-nonoverlapping",
    .summary = "reduce to rank 0, then bcast, each as the table openmpi says",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_nonoverlapping,
};

const struct trace_algorithm trace_algorithm_allreduce_linear = {
    .name = "allreduce-linear",
    .summary = "reduce-linear to rank 0, then bcast-linear",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_linear,
};

const struct trace_algorithm trace_algorithm_allreduce_binomial = {
    .name = "allreduce-binomial",
    .summary = "reduce-binomial to rank 0, then bcast-binomial",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_binomial,
};
