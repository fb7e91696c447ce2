/* Allreduce of long vectors around the ring: P - 1 rounds of reduce-scatter, then P - 1 of allgather, of one
 * of P blocks each. Nobody sends more than twice the vector, and all messages go to the right neighbour.
 *
 *      rank                    0       1       2       3
 *      first sends block       0       1       2       3       and adds its own to what it gets
 *      round 2                 3       0       1       2
 *      round 3                 2       3       0       1       after it, rank r has block r + 1 complete
 *      then                    1       2       3       0       and so on
 *
 * The segmented variant cuts the blocks of the first half, so that a vector is reduced in several goes around
 * the ring; it needs less memory, and sends the same. P. Patarasuk, X. Yuan, "Bandwidth optimal all-reduce
 * algorithms for clusters of workstations", JPDC 69(2), 2009; both variants as in Open MPI. */
#include "traces/collectives/trees.h"

/* A vector in P blocks of whole elements, the first ones longer, and each of those in as many goes. */
struct blocks {
    uint64_t element_bytes, elements; /* elements: of the whole vector */
    uint32_t ranks;                   /* P, one block each */
    uint64_t goes;                    /* into which each block is cut */
};

/* `goes` is the number of segments that a P-th of the vector is cut into. */
static struct blocks blocks_of(const struct trace_collective_call *call)
{
    struct blocks blocks = {.element_bytes = trace_element_bytes(call->bytes), .ranks = call->ranks};

    blocks.elements = call->bytes / blocks.element_bytes;
    blocks.goes = trace_cut_of(call->bytes / call->ranks, call->segment_bytes).count;
    return blocks;
}

/* The n-th of `parts` parts of a number of elements. */
static uint64_t part_of(uint64_t elements, uint64_t parts, uint64_t n)
{
    return elements / parts + (n < elements % parts);
}

/* The bytes of a rank's block, of all its goes together, and of one go (go_bytes). */
static uint64_t block_bytes(const struct blocks *blocks, uint32_t block)
{
    return blocks->element_bytes * part_of(blocks->elements, blocks->ranks, block);
}

static uint64_t go_bytes(const struct blocks *blocks, uint32_t block, uint64_t go)
{
    return blocks->element_bytes * part_of(part_of(blocks->elements, blocks->ranks, block), blocks->goes, go);
}

/* All messages go to the right neighbour, so one phase would do. The halves have their own, for readers. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct blocks blocks = blocks_of(call);
    uint32_t left = trace_rank_before(call, call->rank, 1), right = trace_rank_after(call, call->rank, 1);
    uint32_t sent = call->rank;

    for (uint64_t go = 0; go < blocks.goes && !steps.failed; go++) {
        sent = call->rank;
        for (uint32_t round = 1; round < call->ranks; round++, sent = trace_rank_before(call, sent, 1))
            trace_steps_exchange(&steps, right, go_bytes(&blocks, sent, go), left,
                                 go_bytes(&blocks, trace_rank_before(call, sent, 1), go), 0);
    }
    for (uint32_t round = 1; round < call->ranks; round++, sent = trace_rank_before(call, sent, 1))
        trace_steps_exchange(&steps, right, block_bytes(&blocks, sent), left,
                             block_bytes(&blocks, trace_rank_before(call, sent, 1)), 1);
    return trace_steps_end(&steps);
}

/* Whole blocks, whatever the table says. */
static int schedule_whole(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_collective_call whole = *call;
    whole.segment_bytes = 0;
    return schedule_steps(&whole, schedule);
}

const struct trace_algorithm trace_algorithm_allreduce_ring = {
    .name = "allreduce-ring",
    .summary = "P - 1 rounds of reduce-scatter and of allgather to the right (Patarasuk, Yuan 2009)",
    .collectives = TRACE_BIT(ALLREDUCE),
    .schedule = schedule_whole,
};

const struct trace_algorithm trace_algorithm_allreduce_ring_segmented = {
    .name = "allreduce-ring-segmented",
    .summary = "as allreduce-ring, reduced in segments of 1 MiB a block (Open MPI)",
    .collectives = TRACE_BIT(ALLREDUCE),
    .segment_bytes = 1048576,
    .schedule = schedule_steps,
};
