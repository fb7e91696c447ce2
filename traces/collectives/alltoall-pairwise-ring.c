/* Alltoall by pairwise exchange for any number of ranks: in round i each rank sends to the one i ahead and
 * receives from the one i behind, whatever the number of ranks, as in Open MPI. Of alltoallv and alltoallw
 * blocks of no bytes are skipped. */
#include "traces/collectives/steps.h"

/* P - 1 rounds; a rank goes on when both messages of its round are done, so that ranks may be a round apart. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_shares shares;

    if (trace_shares_init(&shares, call) != 0)
        return -1;
    for (uint32_t i = 1; i < call->ranks && !steps.failed; i++) {
        uint32_t target = trace_rank_after(call, call->rank, i);
        uint32_t source = trace_rank_before(call, call->rank, i);
        if (shares.received[source] > 0)
            trace_steps_post_receive(&steps, source, i, shares.received[source]);
        if (shares.sent[target] > 0)
            trace_steps_post_send(&steps, target, i, shares.sent[target]);
        trace_steps_wait(&steps);
    }
    trace_shares_free(&shares);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_alltoall_pairwise_ring = {
    .name = "alltoall-pairwise-ring",
    .summary = "P - 1 rounds, to the rank i ahead and from the one i behind (Open MPI)",
    .collectives = TRACE_BIT(ALLTOALL) | TRACE_BIT(ALLTOALLV) | TRACE_BIT(ALLTOALLW),
    .schedule = schedule_steps,
};
