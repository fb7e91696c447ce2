/* Allgather without forwarding: each rank sends its block to every other one, all at once. As many bytes as
 * other algorithms, but in single blocks; what a library does that has no time for rounds (MPI_Iallgather).
 */
#include "traces/collectives/steps.h"

/* P - 1 messages a rank, and one wait for all of them. Empty blocks are sent, too: every message is posted on both
 * sides. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint64_t own = trace_block_bytes(call, call->rank);

    for (uint32_t peer = 0; peer < call->ranks; peer++) {
        if (peer == call->rank)
            continue;
        trace_steps_post_receive(&steps, peer, 0, trace_block_bytes(call, peer));
        trace_steps_post_send(&steps, peer, 0, own);
    }
    trace_steps_wait(&steps);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_allgather_direct = {
    .name = "allgather-direct",
    .summary = "every rank sends its block to every other, all at once (Open MPI, MPI_Iallgather)",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_steps,
};
