/* Gather and scatter between two groups, of unequal or of long blocks: the root and each rank of the other
 * group have a message of their own, as in MPICH. The rest of the root's group has no part in it. */
#include "traces/collectives/steps.h"

/* Do the data go to the root? */
static bool gathers(const struct trace_collective_call *call)
{
    return call->collective == TRACE_GATHER || call->collective == TRACE_GATHERV;
}

/* `rank` runs over the group without the root. Of the two ends of a message the other one is rank ^ root ^ own.
 * Blocks of no bytes are skipped. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    bool root_in_first = call->root < call->first_group;
    uint32_t first = root_in_first ? call->first_group : 0;
    uint32_t end = root_in_first ? call->ranks : call->first_group;

    for (uint32_t rank = first; rank < end; rank++) {
        uint64_t bytes = trace_block_bytes(call, rank);
        if (bytes == 0 || (call->rank != rank && call->rank != call->root))
            continue;
        if (gathers(call) == (call->rank == rank))
            trace_steps_post_send(&steps, rank ^ call->root ^ call->rank, 0, bytes);
        else
            trace_steps_post_receive(&steps, rank ^ call->root ^ call->rank, 0, bytes);
    }
    trace_steps_wait(&steps);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_inter_linear = {
    .name = "inter-linear",
    .summary = "two groups: the root has a message with every rank of the other group (MPICH)",
    .collectives = TRACE_BIT(GATHER) | TRACE_BIT(GATHERV) | TRACE_BIT(SCATTER) | TRACE_BIT(SCATTERV),
    .inter = true,
    .schedule = schedule_steps,
};
