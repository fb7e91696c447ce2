/* Alltoall by pairwise exchange for long blocks: P - 1 rounds with one partner in each, so that every rank
 * sends one and receives one block at a time. With 2^k ranks the partner of round i is rank xor i, which
 * pairs all ranks; else blocks go to the rank i ahead and come from the one i behind. */
#include "traces/collectives/steps.h"

/* P - 1 blocks a rank, none of them twice. Only for equal blocks: alltoallv and alltoallw have other algorithms. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    bool paired = trace_is_power_of_two(call->ranks);

    for (uint32_t i = 1; i < call->ranks; i++) {
        uint32_t target = paired ? call->rank ^ i : trace_rank_after(call, call->rank, i);
        uint32_t source = paired ? target : trace_rank_before(call, call->rank, i);
        trace_steps_exchange(&steps, target, call->bytes, source, call->bytes, i);
    }
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_alltoall_pairwise = {
    .name = "alltoall-pairwise",
    .summary = "P - 1 rounds of one exchange; partners by exclusive or when P is a power of two",
    .collectives = TRACE_BIT(ALLTOALL),
    .schedule = schedule_steps,
};
