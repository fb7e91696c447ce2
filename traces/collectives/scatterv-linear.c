/* Scatter of unequal blocks: only the root knows the sizes, so it sends to each rank directly, all at once.
 * Empty blocks are not sent. */
#include "traces/collectives/steps.h"

/* The root's own block is copied, not sent. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank != call->root) {
        uint64_t bytes = trace_block_bytes(call, call->rank);
        if (bytes > 0)
            trace_steps_receive(&steps, call->root, 0, bytes);
        return trace_steps_end(&steps);
    }
    for (uint32_t rank = 0; rank < call->ranks; rank++)
        if (rank != call->root && trace_block_bytes(call, rank) > 0)
            trace_steps_post_send(&steps, rank, 0, trace_block_bytes(call, rank));
    trace_steps_wait(&steps);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_scatterv_linear = {
    .name = "scatterv-linear",
    .summary = "the root sends to every rank, all at once",
    .collectives = TRACE_BIT(SCATTERV),
    .schedule = schedule_steps,
};
