/* Allgather as a gather to rank 0 and a broadcast of all blocks from it. Unequal blocks are gathered as
 * gatherv does. */
#include "traces/collectives/parts.h"

/* The parts of TRACE_PARTS (parts.h): a gather of the blocks as they are, then a broadcast of all of them as one
 * vector. */
static void split_call(const struct trace_collective_call *call, struct trace_collective_call parts[2])
{
    parts[0].collective = call->collective == TRACE_ALLGATHERV ? TRACE_GATHERV : TRACE_GATHER;
    parts[1].collective = TRACE_BCAST;
    trace_make_whole(call, &parts[1]);
}

TRACE_PARTS(schedule_nonoverlapping, openmpi, split_call)
TRACE_PARTS(schedule_linear, linear, split_call)
TRACE_PARTS(schedule_binomial, binomial, split_call)

const struct trace_algorithm trace_algorithm_allgather_nonoverlapping = {
    .name = "allgather-nonoverlapping",
    .summary = "gather(v) to rank 0, then bcast, each as the table openmpi says",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_nonoverlapping,
};

const struct trace_algorithm trace_algorithm_allgather_linear = {
    .name = "allgather-linear",
    .summary = "linear gather(v) to rank 0, then bcast-linear",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_linear,
};

const struct trace_algorithm trace_algorithm_allgather_binomial = {
    .name = "allgather-binomial",
    .summary = "gather to rank 0, then bcast, both binomial (gatherv linear)",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_binomial,
};
