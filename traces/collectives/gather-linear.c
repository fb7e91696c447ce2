/* Gather by the root alone, one rank after the other in their order. */
#include "traces/collectives/steps.h"

/* The root waits for a rank before it posts the receive of the next: P - 1 messages, one after the other. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank != call->root)
        trace_steps_send(&steps, call->root, 0, call->bytes);
    for (uint32_t rank = 0; rank < call->ranks && call->rank == call->root; rank++)
        if (rank != call->root)
            trace_steps_receive(&steps, rank, 0, call->bytes);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_gather_linear = {
    .name = "gather-linear",
    .summary = "the root receives from every rank in order",
    .collectives = TRACE_BIT(GATHER),
    .schedule = schedule_steps,
};
