/* Collectives of an inter-communicator through the first rank of each group, its leader, as in MPICH: a
 * collective within the group, a message between leaders (or with the root), a collective within the group.
 *
 *                      before          between             after
 *      bcast                           root > leader       bcast
 *      scatter                         root > leader       scatter
 *      reduce          reduce          leader > root
 *      gather          gather          leader > root
 *      barrier         barrier         leader > leader     bcast of one byte
 *      allgather       gather          leader > leader     bcast of the other group's blocks
 *      allgatherv      gatherv         leader > leader     bcast of the other group's blocks
 *      allreduce       reduce          leader > leader     bcast
 *      reduce_scatter  reduce          leader > leader     scatterv
 *
 * With a root only its group's root and the whole other group take part. Within a group the algorithms are
 * those of the table mpich. MPICH lets the groups of a barrier, allgather and reduce_scatter go one after the
 * other; here both leaders exchange at once, which sends the same messages. */
#include "traces/collectives/steps.h"

#define TRACE_TUNING(symbol) extern const struct trace_tuning trace_tuning_##symbol;
#include "traces/collectives/tunings.def"
#undef TRACE_TUNING

/* What a collective is made of; TRACE_COLLECTIVES: nothing. */
static const struct plan {
    enum trace_collective before, after;
} plans[TRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = {TRACE_BARRIER, TRACE_BCAST},
    [TRACE_BCAST] = {TRACE_COLLECTIVES, TRACE_BCAST},
    [TRACE_SCATTER] = {TRACE_COLLECTIVES, TRACE_SCATTER},
    [TRACE_REDUCE] = {TRACE_REDUCE, TRACE_COLLECTIVES},
    [TRACE_GATHER] = {TRACE_GATHER, TRACE_COLLECTIVES},
    [TRACE_ALLGATHER] = {TRACE_GATHER, TRACE_BCAST},
    [TRACE_ALLGATHERV] = {TRACE_GATHERV, TRACE_BCAST},
    [TRACE_ALLREDUCE] = {TRACE_REDUCE, TRACE_BCAST},
    [TRACE_REDUCE_SCATTER] = {TRACE_REDUCE, TRACE_SCATTERV},
    [TRACE_REDUCE_SCATTER_BLOCK] = {TRACE_REDUCE, TRACE_SCATTER},
};

/* The ranks of one group: `size` from `first` on. */
struct group {
    uint32_t first, size; /* numbered over both groups */
};

/* The group that the rank is in, or the other one. */
static struct group group_of(const struct trace_collective_call *call, uint32_t rank, bool other)
{
    if ((rank < call->first_group) != other)
        return (struct group){0, call->first_group};
    return (struct group){call->first_group, call->ranks - call->first_group};
}

/* What one collective within a group is about: a vector, a block, or the blocks of the group's ranks. `number`
 * keeps the messages of the parts apart (TRACE_PART_SHIFT); ranks of a part count from the group's first. Nothing
 * for TRACE_COLLECTIVES. */
static void do_part(struct trace_steps *steps, const struct trace_collective_call *call,
                    enum trace_collective collective, uint64_t bytes, uint32_t number)
{
    struct group own = group_of(call, call->rank, false);
    struct trace_vector blocks;
    struct trace_collective_call part = {
        .collective = collective, .ranks = own.size, .rank = call->rank - own.first, .bytes = bytes};

    if (collective == TRACE_COLLECTIVES)
        return;
    if (call->vector != NULL && (collective == TRACE_GATHERV || collective == TRACE_SCATTERV)) {
        blocks = (struct trace_vector){call->vector->sent + own.first, call->vector->received + own.first,
                                       own.size, call->vector->pairwise};
        part.vector = &blocks;
    }
    trace_steps_part(steps, trace_tuning_mpich.choose(&part), &part, number, own.first);
}

/* The bytes that the local collective before works on, that a group sends to the other, and that the one
 * after works on. */
static uint64_t bytes_before(const struct trace_collective_call *call)
{
    struct group other = group_of(call, call->rank, true);

    /* What a group reduces is what the other one is left with. */
    if (call->collective == TRACE_REDUCE_SCATTER || call->collective == TRACE_REDUCE_SCATTER_BLOCK)
        return trace_blocks_bytes(call, other.first, other.size);
    return call->bytes;
}

/* What a leader of `sender` sends to the leader of `receiver`. A barrier has a message of one byte there. */
static uint64_t bytes_between(const struct trace_collective_call *call, struct group sender,
                              struct group receiver)
{
    switch (call->collective) {
    case TRACE_BARRIER:
        return 1;
    case TRACE_GATHER:
    case TRACE_ALLGATHER:
    case TRACE_ALLGATHERV:
        return trace_blocks_bytes(call, sender.first, sender.size);
    case TRACE_SCATTER:
    case TRACE_REDUCE_SCATTER:
    case TRACE_REDUCE_SCATTER_BLOCK:
        return trace_blocks_bytes(call, receiver.first, receiver.size);
    default:
        return call->bytes;
    }
}

/* A broadcast within the group is of what came from the other one; a scatter is of blocks of the call. */
static uint64_t bytes_after(const struct trace_collective_call *call, uint64_t received)
{
    enum trace_collective after = plans[call->collective].after;
    return after == TRACE_BCAST ? received : call->bytes;
}

/* With a root: it and the other group's leader have a message, whichever way the data go. */
static void do_rooted(struct trace_steps *steps, const struct trace_collective_call *call)
{
    struct group roots = group_of(call, call->root, false), other = group_of(call, call->root, true);
    bool up = plans[call->collective].after == TRACE_COLLECTIVES; /* to the root */
    uint64_t bytes = up ? bytes_between(call, other, roots) : bytes_between(call, roots, other);
    uint32_t phase = UINT32_C(1) << TRACE_PART_SHIFT;

    if (call->rank - roots.first < roots.size) {
        if (call->rank == call->root && up)
            trace_steps_receive(steps, other.first, phase, bytes);
        else if (call->rank == call->root)
            trace_steps_send(steps, other.first, phase, bytes);
        return;
    }
    do_part(steps, call, plans[call->collective].before, call->bytes, 0);
    if (call->rank == other.first && up)
        trace_steps_send(steps, call->root, phase, bytes);
    else if (call->rank == other.first)
        trace_steps_receive(steps, call->root, phase, bytes);
    do_part(steps, call, plans[call->collective].after, call->bytes, 2);
}

/* Part 0 is within the groups, phase 1 << TRACE_PART_SHIFT between leaders, part 2 within the groups again. Plans
 * with only one of the two parts have a root. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct group own = group_of(call, call->rank, false), other = group_of(call, call->rank, true);
    uint64_t sent = bytes_between(call, own, other), received = bytes_between(call, other, own);
    uint32_t phase = UINT32_C(1) << TRACE_PART_SHIFT;

    if (plans[call->collective].before == TRACE_COLLECTIVES ||
        plans[call->collective].after == TRACE_COLLECTIVES) {
        do_rooted(&steps, call);
        return trace_steps_end(&steps);
    }
    do_part(&steps, call, plans[call->collective].before, bytes_before(call), 0);
    if (call->rank == own.first) {
        if (received > 0)
            trace_steps_post_receive(&steps, other.first, phase, received);
        if (sent > 0)
            trace_steps_post_send(&steps, other.first, phase, sent);
        trace_steps_wait(&steps);
    }
    do_part(&steps, call, plans[call->collective].after, bytes_after(call, received), 2);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_inter_leaders = {
    .name = "inter-leaders",
    .summary = "two groups: within each, and between their first ranks (MPICH)",
    .collectives = TRACE_BIT(BARRIER) | TRACE_BIT(BCAST) | TRACE_BIT(SCATTER) | TRACE_BIT(REDUCE) |
                   TRACE_BIT(GATHER) | TRACE_BIT(ALLGATHER) | TRACE_BIT(ALLGATHERV) | TRACE_BIT(ALLREDUCE) |
                   TRACE_BIT(REDUCE_SCATTER) | TRACE_BIT(REDUCE_SCATTER_BLOCK),
    .inter = true,
    .schedule = schedule_steps,
};
