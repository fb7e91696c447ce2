/* Inclusive and exclusive scan along the ranks: each one adds its own to what it gets from the one before,
 * and sends it on. As in Open MPI's basic component. */
#include "traces/collectives/steps.h"

/* P - 1 messages one after the other; the last rank has waited for all of them. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank > 0)
        trace_steps_receive(&steps, call->rank - 1, 0, call->bytes);
    if (call->rank + 1 < call->ranks)
        trace_steps_send(&steps, call->rank + 1, 0, call->bytes);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_scan_linear = {
    .name = "scan-linear",
    .summary = "from each rank to the next (Open MPI)",
    .collectives = TRACE_BIT(SCAN) | TRACE_BIT(EXSCAN),
    .schedule = schedule_steps,
};
