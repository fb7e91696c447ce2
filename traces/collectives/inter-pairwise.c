/* Alltoall between two groups, as in MPICH: as many rounds as the larger group has ranks; in round i the rank
 * r of a group sends to rank r + i of the other and receives from rank r - i, modulo that number, if there
 * are such ranks. Blocks of no bytes are skipped, as in alltoallv within one group. */
#include "traces/collectives/steps.h"

/* Numbers count within the groups; `own` and `other` are the first ranks of the groups. */
static void do_round(struct trace_steps *steps, const struct trace_collective_call *call,
                     const struct trace_shares *shares, uint32_t rounds, uint32_t round)
{
    bool in_first = call->rank < call->first_group;
    uint32_t other = in_first ? call->first_group : 0;
    uint32_t others = in_first ? call->ranks - call->first_group : call->first_group;
    uint32_t number = in_first ? call->rank : call->rank - call->first_group;
    uint32_t target = (uint32_t)(((uint64_t)number + round) % rounds);
    uint32_t source = (uint32_t)(((uint64_t)number + rounds - round) % rounds);

    if (source < others && shares->received[other + source] > 0)
        trace_steps_post_receive(steps, other + source, round, shares->received[other + source]);
    if (target < others && shares->sent[other + target] > 0)
        trace_steps_post_send(steps, other + target, round, shares->sent[other + target]);
    trace_steps_wait(steps);
}

/* Every rank goes through all rounds, those in which it has no partner without a step. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    uint32_t second_group = call->ranks - call->first_group;
    uint32_t rounds = call->first_group > second_group ? call->first_group : second_group;
    struct trace_shares shares;

    if (trace_shares_init(&shares, call) != 0)
        return -1;
    for (uint32_t round = 0; round < rounds && !steps.failed; round++)
        do_round(&steps, call, &shares, rounds, round);
    trace_shares_free(&shares);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_inter_pairwise = {
    .name = "inter-pairwise",
    .summary = "two groups: a round for each rank of the larger one (MPICH)",
    .collectives = TRACE_BIT(ALLTOALL) | TRACE_BIT(ALLTOALLV) | TRACE_BIT(ALLTOALLW),
    .inter = true,
    .schedule = schedule_steps,
};
