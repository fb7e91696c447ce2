/* Collectives that end in a message from one rank to all others, for networks that multicast: what goes up to
 * rank 0 goes in messages along a binomial tree, what comes down is one multicast.
 *
 *      bcast       root ═══► all                      barrier, allreduce    tree up to 0, then 0 ═══► all
 *      allgather   every rank ═══► all
 *
 * A multicast is written as the sends that it stands for, one to each other rank, and marked: where there is
 * no network, as in a communication graph, or one that cannot multicast, they are just that. */
#include "traces/collectives/steps.h"
#include "traces/collectives/trees.h"

enum phase { UP, DOWN };

/* The root's row of sends is marked as one multicast (trace_schedule.multicast_first). */
static int schedule_bcast(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    if (call->rank == call->root)
        trace_steps_multicast(&steps, call, DOWN, call->bytes);
    else
        trace_steps_receive(&steps, call->root, DOWN, call->bytes);
    return trace_steps_end(&steps);
}

/* A barrier is an allreduce of nothing. */
static int schedule_there_and_back(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_collective_call from_first = *call;
    uint64_t bytes = call->collective == TRACE_BARRIER ? 0 : call->bytes;

    from_first.root = 0;
    struct trace_tree tree = trace_tree_k_nomial(&from_first, 2);
    trace_steps_tree_up(&steps, &tree, bytes, 0, UP);
    if (call->rank == 0)
        trace_steps_multicast(&steps, call, DOWN, bytes);
    else
        trace_steps_receive(&steps, 0, DOWN, bytes);
    return trace_steps_end(&steps);
}

/* Every rank multicasts its block; the P - 1 receives are posted before, so that none of them has to wait for its
 * post. */
static int schedule_allgather(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};

    for (uint32_t peer = 0; peer < call->ranks; peer++)
        if (peer != call->rank)
            trace_steps_post_receive(&steps, peer, DOWN, trace_block_bytes(call, peer));
    trace_steps_multicast(&steps, call, DOWN, trace_block_bytes(call, call->rank));
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_bcast_hardware = {
    .name = "bcast-hardware",
    .summary = "hardware broadcast: a multicast of the root",
    .collectives = TRACE_BIT(BCAST),
    .schedule = schedule_bcast,
};

const struct trace_algorithm trace_algorithm_barrier_hardware = {
    .name = "barrier-hardware",
    .summary = "binomial tree to rank 0, then hardware broadcast: a multicast of rank 0",
    .collectives = TRACE_BIT(BARRIER),
    .schedule = schedule_there_and_back,
};

const struct trace_algorithm trace_algorithm_allreduce_hardware = {
    .name = "allreduce-hardware",
    .summary = "binomial tree to rank 0, then hardware broadcast: a multicast of rank 0",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_there_and_back,
};

const struct trace_algorithm trace_algorithm_allgather_hardware = {
    .name = "allgather-hardware",
    .summary = "hardware broadcasts: a multicast of every rank, all at once",
    .collectives = TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV),
    .schedule = schedule_allgather,
};
