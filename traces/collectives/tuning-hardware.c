/* Collectives in the network: multicasts for what ends in one, the table mpich for everything else, and for
 * communicators that the network cannot multicast to (doc/collectives.md). */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

#define TRACE_TUNING(symbol) extern const struct trace_tuning trace_tuning_##symbol;
#include "traces/collectives/tunings.def"
#undef TRACE_TUNING

/* None of the other collectives ends in the same data at all ranks. */
static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    switch (call->collective) {
    case TRACE_BARRIER:
        return &trace_algorithm_barrier_hardware;
    case TRACE_BCAST:
        return &trace_algorithm_bcast_hardware;
    case TRACE_ALLREDUCE:
        return &trace_algorithm_allreduce_hardware;
    case TRACE_ALLGATHER:
    case TRACE_ALLGATHERV:
        return &trace_algorithm_allgather_hardware;
    default:
        return trace_tuning_mpich.choose(call);
    }
}

const struct trace_tuning trace_tuning_hardware = {
    .name = "hardware",
    .summary = "multicasts of the network where a collective ends in one, else as mpich",
    .choose = choose,
    .software = &trace_tuning_mpich,
};
