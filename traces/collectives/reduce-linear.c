/* Reduction by the root alone, the last rank first and one at a time: operands meet in the order of the
 * ranks, so that the operation need not commute. As in Open MPI. */
#include "traces/collectives/steps.h"

/* P - 1 messages of the whole vector into the root, each received before the next is posted. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank != call->root)
        trace_steps_send(&steps, call->root, 0, call->bytes);
    for (uint32_t rank = call->ranks; rank-- > 0 && call->rank == call->root;)
        if (rank != call->root)
            trace_steps_receive(&steps, rank, 0, call->bytes);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_linear = {
    .name = "reduce-linear",
    .summary = "the root receives from every rank, the last one first",
    .collectives = TRACE_BIT(REDUCE),
    .schedule = schedule_steps,
};
