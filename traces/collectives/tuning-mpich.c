/* What MPICH 4.0 chooses by default, for one rank per node (its node-aware variants are off: every rank is
 * its own node), built-in and commutative operations, and separate send and receive buffers
 * (doc/collectives.md). Thresholds are those of its tuning files; what blocks and what does not have files
 * of their own there, which differ in a few numbers. The number of elements, which decides between two
 * algorithms of reduce and allreduce, is that of trace_element_bytes. */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

/* In bytes. Of one vector: bcast, reduce, allreduce. Of all blocks together: allgather, reduce_scatter. Of
 * one block: alltoall. */
#define BCAST_SHORT UINT64_C(12288)
#define BCAST_LONG UINT64_C(524288)
#define BCAST_MIN_RANKS 8
#define REDUCE_SHORT UINT64_C(2048)
#define ALLREDUCE_SHORT UINT64_C(8)
#define IALLREDUCE_SHORT UINT64_C(2048)
#define ALLGATHER_SHORT UINT64_C(81920)
#define ALLGATHER_LONG UINT64_C(524288)
#define ALLGATHERV_CHUNK UINT64_C(32768)
#define ALLTOALL_SHORT UINT64_C(256)
#define IALLTOALL_SHORT UINT64_C(2048)
#define ALLTOALL_MEDIUM UINT64_C(32768)
#define REDUCE_SCATTER_LONG UINT64_C(524288)

/* Its file says "fewer than 8 ranks: never Bruck", and its search takes that limit as one that is reached: 8
 * ranks scatter, too. The limit of bcast is looked at in another place, which takes it as written. */
#define ALLTOALL_BRUCK_MIN_RANKS 9

/* The limits are still short, or medium, where the call blocks, and not where it does not. */
static const struct trace_algorithm *choose_bcast(const struct trace_collective_call *call)
{
    uint64_t bytes = call->nonblocking && call->bytes < UINT64_MAX ? call->bytes + 1 : call->bytes;

    if (bytes <= BCAST_SHORT || call->ranks < BCAST_MIN_RANKS)
        return &trace_algorithm_bcast_binomial;
    if (bytes <= BCAST_LONG && trace_is_power_of_two(call->ranks))
        return &trace_algorithm_bcast_scatter_doubling;
    return &trace_algorithm_bcast_scatter_ring;
}

/* Splitting a vector needs an element at least for each of the 2^k ranks. */
static bool is_splittable(const struct trace_collective_call *call, uint64_t short_bytes)
{
    return call->bytes > short_bytes &&
           call->bytes / trace_element_bytes(call->bytes) >= trace_power_of_two_within(call->ranks);
}

/* Of a short vector the whole goes up the tree; a long one is halved first. */
static const struct trace_algorithm *choose_reduce(const struct trace_collective_call *call)
{
    return is_splittable(call, REDUCE_SHORT) ? &trace_algorithm_reduce_rabenseifner
                                             : &trace_algorithm_reduce_binomial;
}

/* Calls that do not block have another limit than those that do. */
static const struct trace_algorithm *choose_allreduce(const struct trace_collective_call *call)
{
    return is_splittable(call, call->nonblocking ? IALLREDUCE_SHORT : ALLREDUCE_SHORT)
               ? &trace_algorithm_allreduce_rabenseifner
               : &trace_algorithm_allreduce_doubling;
}

/* By all blocks together: doubling only for 2^k ranks, Bruck for short ones, the ring for long ones. */
static const struct trace_algorithm *choose_allgather(const struct trace_collective_call *call)
{
    uint64_t total = trace_total_bytes(call);

    if (total < ALLGATHER_LONG && trace_is_power_of_two(call->ranks))
        return &trace_algorithm_allgather_doubling;
    if (total < ALLGATHER_SHORT)
        return &trace_algorithm_allgather_bruck;
    return call->collective == TRACE_ALLGATHERV ? &trace_algorithm_allgatherv_ring
                                                : &trace_algorithm_allgather_ring;
}

/* The IN_PLACE variants are not recorded as such. */
static const struct trace_algorithm *choose_alltoall(const struct trace_collective_call *call)
{
    uint64_t short_bytes = call->nonblocking ? IALLTOALL_SHORT : ALLTOALL_SHORT;

    if (call->bytes <= short_bytes && call->ranks >= ALLTOALL_BRUCK_MIN_RANKS)
        return &trace_algorithm_alltoall_bruck;
    return call->bytes <= ALLTOALL_MEDIUM ? &trace_algorithm_alltoall_scattered
                                          : &trace_algorithm_alltoall_pairwise;
}

/* Halving sends log2 P messages a rank, the pairwise exchange P - 1 but each block only once. */
static const struct trace_algorithm *choose_reduce_scatter(const struct trace_collective_call *call)
{
    return trace_total_bytes(call) < REDUCE_SCATTER_LONG ? &trace_algorithm_reduce_scatter_halving
                                                         : &trace_algorithm_reduce_scatter_pairwise;
}

/* Either a rule, or the one algorithm for all sizes. */
static const struct {
    const struct trace_algorithm *(*rule)(const struct trace_collective_call *call);
    const struct trace_algorithm *only;
} table[TRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = {.only = &trace_algorithm_dissemination},
    [TRACE_BCAST] = {.rule = choose_bcast},
    [TRACE_GATHER] = {.only = &trace_algorithm_gather_binomial},
    [TRACE_GATHERV] = {.only = &trace_algorithm_gatherv_linear},
    [TRACE_SCATTER] = {.only = &trace_algorithm_scatter_binomial},
    [TRACE_SCATTERV] = {.only = &trace_algorithm_scatterv_linear},
    [TRACE_ALLGATHER] = {.rule = choose_allgather},
    [TRACE_ALLGATHERV] = {.rule = choose_allgather},
    [TRACE_ALLTOALL] = {.rule = choose_alltoall},
    [TRACE_ALLTOALLV] = {.only = &trace_algorithm_alltoall_scattered},
    [TRACE_ALLTOALLW] = {.only = &trace_algorithm_alltoall_scattered},
    [TRACE_ALLREDUCE] = {.rule = choose_allreduce},
    [TRACE_REDUCE] = {.rule = choose_reduce},
    [TRACE_REDUCE_SCATTER] = {.rule = choose_reduce_scatter},
    [TRACE_REDUCE_SCATTER_BLOCK] = {.rule = choose_reduce_scatter},
    [TRACE_SCAN] = {.only = &trace_algorithm_scan_doubling},
    [TRACE_EXSCAN] = {.only = &trace_algorithm_scan_doubling},
};

/* Never NULL: each collective has a rule or an algorithm. */
static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    return table[call->collective].rule != NULL ? table[call->collective].rule(call)
                                                : table[call->collective].only;
}

/* Only allgatherv around the ring cuts its blocks: all that are longer than a chunk, or, where the call does
 * not block, into no less than the smallest block. */
static uint64_t segment_bytes(const struct trace_collective_call *call)
{
    uint64_t smallest = UINT64_MAX;

    if (choose(call) != &trace_algorithm_allgatherv_ring)
        return 0;
    for (uint32_t rank = 0; call->nonblocking && rank < call->ranks; rank++)
        if (trace_block_bytes(call, rank) < smallest)
            smallest = trace_block_bytes(call, rank);
    return call->nonblocking && smallest > ALLGATHERV_CHUNK ? smallest : ALLGATHERV_CHUNK;
}

const struct trace_tuning trace_tuning_mpich = {
    .name = "mpich-4",
    .newest = "mpich",
    .summary = "the defaults of MPICH 4.0, one rank per node",
    .checked = "equal to every message that MPICH 4.0.2 sent on 2 to 33 ranks, 8 B to 4 MiB",
    .choose = choose,
    .segment_bytes = segment_bytes,
};
