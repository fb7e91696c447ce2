/* Broadcast by the root alone: a message to every rank, all at once, in the order of the ranks. The reference
 * for everything else, and good for few ranks. */
#include "traces/collectives/steps.h"

/* P - 1 messages out of the root; receivers have one each. */
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

const struct trace_algorithm trace_algorithm_bcast_linear = {
    .name = "bcast-linear",
    .summary = "the root sends to every rank, all at once",
    .collectives = TRACE_BIT(BCAST),
    .schedule = schedule_steps,
};
