/* Gather of long blocks by the root alone, which calls up one rank after the other by an empty message, so
 * that the blocks do not all arrive at once. A block comes as a first segment and the rest, which is
 * a message also where nothing is left. After Open MPI. */
#include "traces/collectives/steps.h"

/* The three messages between the root and a rank, in this order; first and rest may be matched apart. */
enum phase { CALL, FIRST, REST };

/* The root calls the ranks one by one. A rank sends nothing before it is called, so that the root has few blocks
 * on their way to it at a time. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint64_t first = call->bytes, rest = 0;

    if (call->segment_bytes > 0 && call->segment_bytes < call->bytes) {
        first = call->segment_bytes;
        rest = call->bytes - first;
    }
    if (call->rank != call->root) {
        trace_steps_receive(&steps, call->root, CALL, 0);
        trace_steps_send(&steps, call->root, FIRST, first);
        trace_steps_send(&steps, call->root, REST, rest);
        return trace_steps_end(&steps);
    }
    /* A wait is for everything posted before: the rest of a block may come with the next rank's first part.
     */
    for (uint32_t rank = 0; rank < call->ranks; rank++) {
        if (rank == call->root)
            continue;
        trace_steps_post_receive(&steps, rank, FIRST, first);
        trace_steps_send(&steps, rank, CALL, 0);
        trace_steps_post_receive(&steps, rank, REST, rest);
    }
    trace_steps_wait(&steps);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_gather_linear_sync = {
    .name = "gather-linear-sync",
    .summary = "the root calls up every rank by an empty message and receives its block (Open MPI)",
    .collectives = TRACE_BIT(GATHER),
    .segment_bytes = 32768,
    .schedule = schedule_steps,
};
