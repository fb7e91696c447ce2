/* Alltoall with non-blocking messages to everybody, starting at different partners, at most 32 of each kind
 * at a time as in MPICH (MPIR_CVAR_ALLTOALL_THROTTLE). Partners are counted with oneself, so the first group
 * has one less. Blocks of no bytes are skipped: MPICH does so in alltoallv and alltoallw, and an alltoall has
 * none. */
#include "traces/collective-steps.h"

#define THROTTLE UINT32_C(32)

/* All receives of a group are posted before its sends. The source i ahead has this rank as its target i
 * behind, so that both sides of a message are in the same group, and groups cannot wait for each other. */
static void exchange_group(struct trace_steps *steps, const struct trace_collective_call *call,
                           const struct trace_shares *shares, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t source = trace_rank_after(call, call->rank, i);
        if (source != call->rank && shares->received[source] > 0)
            trace_steps_post_receive(steps, source, 0, shares->received[source]);
    }
    for (uint32_t i = first; i < end; i++) {
        uint32_t target = trace_rank_before(call, call->rank, i);
        if (target != call->rank && shares->sent[target] > 0)
            trace_steps_post_send(steps, target, 0, shares->sent[target]);
    }
    trace_steps_wait(steps);
}

static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_shares shares;
    uint32_t done = 0;

    if (trace_shares_init(&shares, call) != 0)
        return -1;
    while (done < call->ranks && !steps.failed) {
        uint32_t group = call->ranks - done < THROTTLE ? call->ranks - done : THROTTLE;
        exchange_group(&steps, call, &shares, done, done + group);
        done += group;
    }
    trace_shares_free(&shares);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_alltoall_scattered = {
    .name = "alltoall-scattered",
    .summary = "non-blocking messages with everybody, 32 partners at a time (MPICH)",
    .collectives = TRACE_BIT(ALLTOALL) | TRACE_BIT(ALLTOALLV) | TRACE_BIT(ALLTOALLW),
    .schedule = schedule_steps,
};
