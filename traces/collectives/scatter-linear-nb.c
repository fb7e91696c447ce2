/* Scatter by the root alone, all at once. */
#include "traces/collectives/steps.h"

/* P - 1 messages under way at once. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank != call->root)
        trace_steps_receive(&steps, call->root, 0, call->bytes);
    for (uint32_t rank = 0; rank < call->ranks && call->rank == call->root; rank++)
        if (rank != call->root)
            trace_steps_post_send(&steps, rank, 0, call->bytes);
    trace_steps_wait(&steps);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_scatter_linear_nb = {
    .name = "scatter-linear-nb",
    .summary = "the root sends to every rank, all at once (Open MPI)",
    .collectives = TRACE_BIT(SCATTER),
    .schedule = schedule_steps,
};
