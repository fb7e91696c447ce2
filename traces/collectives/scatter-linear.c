/* Scatter by the root alone, one rank after the other in their order. */
#include "traces/collectives/steps.h"

/* Each send is complete before the next is started. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank != call->root)
        trace_steps_receive(&steps, call->root, 0, call->bytes);
    for (uint32_t rank = 0; rank < call->ranks && call->rank == call->root; rank++)
        if (rank != call->root)
            trace_steps_send(&steps, rank, 0, call->bytes);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_scatter_linear = {
    .name = "scatter-linear",
    .summary = "the root sends to every rank in order",
    .collectives = TRACE_BIT(SCATTER),
    .schedule = schedule_steps,
};
