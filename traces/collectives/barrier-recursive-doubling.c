/* Barrier by recursive doubling: partners at distance 2^k exchange empty messages. Ranks from the largest
 * power of two on report to the rank that many before, and are told by it after. */
#include "traces/collectives/steps.h"

#define AFTER 64 /* the phase after all rounds */

/* The first `power` ranks exchange in log2(power) rounds; those of them that have a rank `power` places ahead work
 * for it. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t power = trace_power_of_two_within(call->ranks), phase = 1;
    bool doubled = call->rank < call->ranks - power;

    if (call->rank >= power) {
        trace_steps_send(&steps, call->rank - power, 0, 0);
        trace_steps_receive(&steps, call->rank - power, AFTER, 0);
        return trace_steps_end(&steps);
    }
    if (doubled)
        trace_steps_receive(&steps, call->rank + power, 0, 0);
    for (uint32_t mask = 1; mask < power; mask *= 2, phase++)
        trace_steps_exchange(&steps, call->rank ^ mask, 0, call->rank ^ mask, 0, phase);
    if (doubled)
        trace_steps_send(&steps, call->rank + power, AFTER, 0);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_barrier_doubling = {
    .name = "barrier-recursive-doubling",
    .summary = "partners at distance 2^k; ranks from a power of two on report to those before (Open MPI)",
    .collectives = TRACE_BIT(BARRIER),
    .schedule = schedule_steps,
};
