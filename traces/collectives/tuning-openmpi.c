/* What Open MPI 4.1's component coll/tuned chooses by default ("fixed decision"), for built-in and
 * commutative operations. A table has a row for every range: the first row applies whose number of ranks and
 * of bytes are both above those of the call. Messages are not segmented. doc/collectives.md says where the
 * numbers are from and what is abridged.
 *
 * Bytes are of the vector (bcast, reduce, allreduce), of one block (gather, scatter, allgather, alltoall,
 * reduce_scatter_block), of all blocks (reduce_scatter), or of the mean block (allgatherv). */
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

#define KI UINT64_C(1024)
#define ANY UINT64_MAX

/* Rows are sorted by ranks, then by bytes, and each range of ranks ends in a row for any size. */
struct row {
    uint64_t ranks, bytes; /* applies below both; ANY: without a limit */
    const struct trace_algorithm *algorithm;
};

#define A(symbol) &trace_algorithm_##symbol

/* clang-format off */
/* By ranks alone; "bruck" there is the dissemination barrier. */
static const struct row barrier_rows[] = {
    {4, ANY, A(barrier_doubling)}, {8, ANY, A(barrier_linear)}, {64, ANY, A(barrier_doubling)},
    {256, ANY, A(dissemination)}, {512, ANY, A(barrier_tree)}, {1024, ANY, A(dissemination)},
    {4096, ANY, A(barrier_tree)}, {ANY, ANY, A(dissemination)},
};

/* Of a vector. The scatter-allgather of other than 2^k ranks is replaced by the one around the ring. */
static const struct row bcast_rows[] = {
    {4, 32, A(bcast_pipeline)}, {4, 256, A(bcast_binary)}, {4, 512, A(bcast_pipeline)},
    {4, 1 * KI, A(bcast_k_nomial)}, {4, 32 * KI, A(bcast_linear)}, {4, 128 * KI, A(bcast_binary)},
    {4, 256 * KI, A(bcast_chain)}, {4, 512 * KI, A(bcast_linear)}, {4, 1024 * KI, A(bcast_doubling)},
    {4, ANY, A(bcast_binary)}, {8, 64, A(bcast_binary)}, {8, 128, A(bcast_doubling)},
    {8, 2 * KI, A(bcast_binary)}, {8, 8 * KI, A(bcast_doubling)}, {8, 1024 * KI, A(bcast_linear)},
    {8, ANY, A(bcast_chain)}, {16, 8, A(bcast_k_nomial)}, {16, 64, A(bcast_binary)},
    {16, 4 * KI, A(bcast_k_nomial)}, {16, 16 * KI, A(bcast_binary)}, {16, 32 * KI, A(bcast_doubling)},
    {16, ANY, A(bcast_linear)}, {32, 4 * KI, A(bcast_k_nomial)}, {32, 1024 * KI, A(bcast_doubling)},
    {32, ANY, A(bcast_scatter_doubling)}, {64, 2 * KI, A(bcast_doubling)}, {64, ANY, A(bcast_k_nomial)},
    {128, ANY, A(bcast_k_nomial)}, {256, 2, A(bcast_doubling)}, {256, 16 * KI, A(bcast_binary)},
    {256, 32 * KI, A(bcast_linear)}, {256, 64 * KI, A(bcast_binary)}, {256, ANY, A(bcast_k_nomial)},
    {1024, 16 * KI, A(bcast_k_nomial)}, {1024, 32 * KI, A(bcast_split_binary)},
    {1024, ANY, A(bcast_k_nomial)}, {2048, 512 * KI, A(bcast_k_nomial)},
    {2048, ANY, A(bcast_scatter_doubling)}, {4096, 256 * KI, A(bcast_k_nomial)},
    {4096, ANY, A(bcast_scatter_doubling)}, {ANY, 8 * KI, A(bcast_k_nomial)},
    {ANY, 16 * KI, A(bcast_binary)}, {ANY, 256 * KI, A(bcast_k_nomial)},
    {ANY, ANY, A(bcast_scatter_doubling)},
};

/* Of one block. */
static const struct row gather_rows[] = {
    {4, 2, A(gather_linear_sync)}, {4, 4, A(gather_linear)}, {4, 32 * KI, A(gather_binomial)},
    {4, 64 * KI, A(gather_linear)}, {4, 128 * KI, A(gather_binomial)}, {4, ANY, A(gather_linear_sync)},
    {8, 1 * KI, A(gather_binomial)}, {8, 8 * KI, A(gather_linear)}, {8, 32 * KI, A(gather_binomial)},
    {8, 256 * KI, A(gather_linear)}, {8, ANY, A(gather_linear_sync)}, {256, ANY, A(gather_binomial)},
    {512, 2 * KI, A(gather_binomial)}, {512, 8 * KI, A(gather_linear)}, {512, ANY, A(gather_binomial)},
    {ANY, ANY, A(gather_binomial)},
};

/* Of one block. */
static const struct row scatter_rows[] = {
    {4, 2, A(scatter_linear_nb)}, {4, 128 * KI, A(scatter_linear)}, {4, 256 * KI, A(scatter_linear_nb)},
    {4, ANY, A(scatter_linear)}, {8, 2 * KI, A(scatter_binomial)}, {8, 4 * KI, A(scatter_linear)},
    {8, 8 * KI, A(scatter_binomial)}, {8, 32 * KI, A(scatter_linear)}, {8, 1024 * KI, A(scatter_linear_nb)},
    {8, ANY, A(scatter_linear)}, {16, 16 * KI, A(scatter_binomial)}, {16, 1024 * KI, A(scatter_linear_nb)},
    {16, ANY, A(scatter_linear)}, {32, 16 * KI, A(scatter_binomial)}, {32, 32 * KI, A(scatter_linear)},
    {32, ANY, A(scatter_linear_nb)}, {64, 512, A(scatter_binomial)}, {64, 8 * KI, A(scatter_linear_nb)},
    {64, 16 * KI, A(scatter_binomial)}, {64, ANY, A(scatter_linear_nb)}, {ANY, 512, A(scatter_binomial)},
    {ANY, ANY, A(scatter_linear_nb)},
};

/* Of one block. Recursive doubling of other than 2^k ranks is Bruck's, there as here. */
static const struct row allgather_rows[] = {
    {3, ANY, A(allgather_ring)}, {32, ANY, A(allgather_doubling)}, {64, 1 * KI, A(allgather_doubling)},
    {64, 64 * KI, A(allgather_neighbor_exchange)}, {64, ANY, A(allgather_ring)},
    {128, 512, A(allgather_doubling)}, {128, 64 * KI, A(allgather_neighbor_exchange)},
    {128, ANY, A(allgather_ring)}, {256, 512, A(allgather_doubling)},
    {256, 128 * KI, A(allgather_neighbor_exchange)}, {256, 512 * KI, A(allgather_ring)},
    {256, 1024 * KI, A(allgather_neighbor_exchange)}, {256, ANY, A(allgather_ring)},
    {512, 32, A(allgather_doubling)}, {512, 128, A(allgather_bruck)}, {512, 1 * KI, A(allgather_doubling)},
    {512, 128 * KI, A(allgather_neighbor_exchange)}, {512, 512 * KI, A(allgather_ring)},
    {512, 1024 * KI, A(allgather_neighbor_exchange)}, {512, ANY, A(allgather_ring)},
    {1024, 64, A(allgather_doubling)}, {1024, 256, A(allgather_bruck)},
    {1024, 2 * KI, A(allgather_doubling)}, {1024, ANY, A(allgather_neighbor_exchange)},
    {2048, 4, A(allgather_doubling)}, {2048, 8, A(allgather_bruck)}, {2048, 16, A(allgather_doubling)},
    {2048, 32, A(allgather_bruck)}, {2048, 256, A(allgather_doubling)}, {2048, 512, A(allgather_bruck)},
    {2048, 4 * KI, A(allgather_doubling)}, {2048, ANY, A(allgather_neighbor_exchange)},
    {4096, 32, A(allgather_bruck)}, {4096, 128, A(allgather_doubling)}, {4096, 512, A(allgather_bruck)},
    {4096, 4 * KI, A(allgather_doubling)}, {4096, ANY, A(allgather_neighbor_exchange)},
    {ANY, 2, A(allgather_doubling)}, {ANY, 8, A(allgather_bruck)}, {ANY, 16, A(allgather_doubling)},
    {ANY, 512, A(allgather_bruck)}, {ANY, 4 * KI, A(allgather_doubling)},
    {ANY, ANY, A(allgather_neighbor_exchange)},
};

/* Of the mean block. Two ranks exchange, which is what the ring does. */
static const struct row allgatherv_rows[] = {
    {3, ANY, A(allgather_ring)}, {8, 256, A(allgather_nonoverlapping)},
    {8, 4 * KI, A(allgather_neighbor_exchange)}, {8, 8 * KI, A(allgather_ring)},
    {8, 16 * KI, A(allgather_neighbor_exchange)}, {8, 256 * KI, A(allgather_bruck)},
    {8, ANY, A(allgather_neighbor_exchange)}, {16, 1 * KI, A(allgather_nonoverlapping)},
    {16, ANY, A(allgather_bruck)}, {32, 128, A(allgather_nonoverlapping)},
    {32, 256 * KI, A(allgather_bruck)}, {32, ANY, A(allgather_ring)},
    {64, 256, A(allgather_nonoverlapping)}, {64, 8 * KI, A(allgather_bruck)}, {64, ANY, A(allgather_ring)},
    {128, 256, A(allgather_nonoverlapping)}, {128, 4 * KI, A(allgather_bruck)},
    {128, ANY, A(allgather_ring)}, {256, 1 * KI, A(allgather_bruck)},
    {256, 64 * KI, A(allgather_neighbor_exchange)}, {256, ANY, A(allgather_ring)},
    {512, 1 * KI, A(allgather_bruck)}, {512, ANY, A(allgather_ring)}, {1024, 512, A(allgather_bruck)},
    {1024, 1 * KI, A(allgather_nonoverlapping)}, {1024, 4 * KI, A(allgather_bruck)},
    {1024, 1024 * KI, A(allgather_neighbor_exchange)}, {1024, ANY, A(allgather_ring)},
    {ANY, 4 * KI, A(allgather_bruck)}, {ANY, ANY, A(allgather_neighbor_exchange)},
};

/* Of one block. Two ranks exchange, which is what the pairwise algorithm does. */
static const struct row alltoall_rows[] = {
    {3, 32 * KI, A(alltoall_pairwise_ring)}, {3, 256 * KI, A(alltoall_linear_sync)},
    {3, ANY, A(alltoall_pairwise_ring)}, {8, 8 * KI, A(alltoall_linear_sync)},
    {8, 16 * KI, A(alltoall_linear)}, {8, 64 * KI, A(alltoall_linear_sync)},
    {8, 512 * KI, A(alltoall_linear)}, {8, 1024 * KI, A(alltoall_pairwise_ring)},
    {8, ANY, A(alltoall_linear)}, {16, 256 * KI, A(alltoall_linear_sync)}, {16, ANY, A(alltoall_linear)},
    {32, 4, A(alltoall_linear_sync)}, {32, 512, A(alltoall_bruck)}, {32, 8 * KI, A(alltoall_linear_sync)},
    {32, 32 * KI, A(alltoall_linear)}, {32, 256 * KI, A(alltoall_linear_sync)},
    {32, 512 * KI, A(alltoall_linear)}, {32, ANY, A(alltoall_linear_sync)}, {64, 512, A(alltoall_bruck)},
    {64, 512 * KI, A(alltoall_linear)}, {64, ANY, A(alltoall_linear_sync)},
    {128, 1 * KI, A(alltoall_bruck)}, {128, 2 * KI, A(alltoall_linear)},
    {128, 4 * KI, A(alltoall_linear_sync)}, {128, 256 * KI, A(alltoall_linear)},
    {128, ANY, A(alltoall_pairwise_ring)}, {256, 1 * KI, A(alltoall_bruck)},
    {256, 2 * KI, A(alltoall_linear_sync)}, {256, 256 * KI, A(alltoall_linear)},
    {256, ANY, A(alltoall_pairwise_ring)}, {512, 1 * KI, A(alltoall_bruck)},
    {512, 8 * KI, A(alltoall_linear_sync)}, {512, 32 * KI, A(alltoall_linear)},
    {512, ANY, A(alltoall_pairwise_ring)}, {1024, 512, A(alltoall_bruck)},
    {1024, 8 * KI, A(alltoall_linear_sync)}, {1024, 16 * KI, A(alltoall_linear)},
    {1024, 128 * KI, A(alltoall_linear_sync)}, {1024, 256 * KI, A(alltoall_linear)},
    {1024, ANY, A(alltoall_pairwise_ring)}, {2048, 512, A(alltoall_bruck)},
    {2048, 1 * KI, A(alltoall_linear_sync)}, {2048, 2 * KI, A(alltoall_linear)},
    {2048, 16 * KI, A(alltoall_linear_sync)}, {2048, 256 * KI, A(alltoall_linear)},
    {2048, ANY, A(alltoall_linear_sync)}, {4096, 1 * KI, A(alltoall_bruck)},
    {4096, 4 * KI, A(alltoall_linear_sync)}, {4096, 8 * KI, A(alltoall_linear)},
    {4096, 128 * KI, A(alltoall_linear_sync)}, {4096, ANY, A(alltoall_linear)},
    {ANY, 2 * KI, A(alltoall_bruck)}, {ANY, 8 * KI, A(alltoall_linear_sync)},
    {ANY, 16 * KI, A(alltoall_linear)}, {ANY, 32 * KI, A(alltoall_linear_sync)},
    {ANY, 64 * KI, A(alltoall_linear)}, {ANY, ANY, A(alltoall_linear_sync)},
};

/* By ranks alone: nobody knows the sizes of all. */
static const struct row alltoallv_rows[] = {
    {4, ANY, A(alltoall_pairwise_ring)}, {64, ANY, A(alltoall_linear)},
    {128, ANY, A(alltoall_pairwise_ring)}, {256, ANY, A(alltoall_linear)},
    {1024, ANY, A(alltoall_pairwise_ring)}, {ANY, ANY, A(alltoall_linear)},
};

/* Of a vector. Without segments the segmented ring sends what the ring does. */
static const struct row allreduce_rows[] = {
    {4, 8, A(allreduce_ring)}, {4, 4 * KI, A(allreduce_doubling)}, {4, 8 * KI, A(allreduce_ring)},
    {4, 16 * KI, A(allreduce_doubling)}, {4, 64 * KI, A(allreduce_ring)},
    {4, 256 * KI, A(allreduce_ring_segmented)}, {4, ANY, A(allreduce_rabenseifner_pairs)},
    {8, 16, A(allreduce_ring)}, {8, 8 * KI, A(allreduce_doubling)}, {8, ANY, A(allreduce_rabenseifner_pairs)},
    {16, 8 * KI, A(allreduce_doubling)}, {16, ANY, A(allreduce_rabenseifner_pairs)},
    {32, 64, A(allreduce_ring_segmented)}, {32, 4 * KI, A(allreduce_doubling)},
    {32, ANY, A(allreduce_rabenseifner_pairs)}, {64, 128, A(allreduce_ring_segmented)},
    {64, ANY, A(allreduce_rabenseifner_pairs)}, {128, 256 * KI, A(allreduce_doubling)},
    {128, ANY, A(allreduce_rabenseifner_pairs)}, {256, 128 * KI, A(allreduce_nonoverlapping)},
    {256, 256 * KI, A(allreduce_doubling)}, {256, ANY, A(allreduce_rabenseifner_pairs)},
    {512, 4 * KI, A(allreduce_nonoverlapping)}, {512, ANY, A(allreduce_rabenseifner_pairs)},
    {2048, 2 * KI, A(allreduce_nonoverlapping)}, {2048, 16 * KI, A(allreduce_doubling)},
    {2048, ANY, A(allreduce_rabenseifner_pairs)}, {4096, 2 * KI, A(allreduce_nonoverlapping)},
    {4096, 4 * KI, A(allreduce_ring_segmented)}, {4096, 16 * KI, A(allreduce_doubling)},
    {4096, ANY, A(allreduce_rabenseifner_pairs)}, {ANY, 2 * KI, A(allreduce_nonoverlapping)},
    {ANY, 16 * KI, A(allreduce_ring_segmented)}, {ANY, 32 * KI, A(allreduce_doubling)},
    {ANY, ANY, A(allreduce_rabenseifner_pairs)},
};

/* Of a vector. */
static const struct row reduce_rows[] = {
    {4, 8, A(reduce_rabenseifner)}, {4, 16, A(reduce_binary)}, {4, 32, A(reduce_pipeline)},
    {4, 256 * KI, A(reduce_linear)}, {4, 512 * KI, A(reduce_pipeline)}, {4, 1024 * KI, A(reduce_chain)},
    {4, ANY, A(reduce_pipeline)}, {8, 4 * KI, A(reduce_binary)}, {8, 64 * KI, A(reduce_chain)},
    {8, 256 * KI, A(reduce_binomial)}, {8, 512 * KI, A(reduce_linear)}, {8, 1024 * KI, A(reduce_binomial)},
    {8, ANY, A(reduce_linear)}, {16, 8 * KI, A(reduce_binary)}, {16, ANY, A(reduce_binomial)},
    {32, 4 * KI, A(reduce_binary)}, {32, ANY, A(reduce_binomial)}, {256, ANY, A(reduce_binomial)},
    {512, 8 * KI, A(reduce_binomial)}, {512, 16 * KI, A(reduce_in_order_binary)},
    {512, ANY, A(reduce_binomial)}, {2048, ANY, A(reduce_binomial)}, {4096, 512, A(reduce_binomial)},
    {4096, 1 * KI, A(reduce_in_order_binary)}, {4096, 8 * KI, A(reduce_binomial)},
    {4096, 16 * KI, A(reduce_in_order_binary)}, {4096, ANY, A(reduce_binomial)},
    {ANY, 16, A(reduce_binomial)}, {ANY, 32, A(reduce_in_order_binary)}, {ANY, 1 * KI, A(reduce_binomial)},
    {ANY, 2 * KI, A(reduce_in_order_binary)}, {ANY, 8 * KI, A(reduce_binomial)},
    {ANY, 16 * KI, A(reduce_in_order_binary)}, {ANY, ANY, A(reduce_binomial)},
};

/* Of all blocks together. */
static const struct row reduce_scatter_rows[] = {
    {4, 64 * KI, A(reduce_scatter_ring)}, {4, 128 * KI, A(reduce_scatter_butterfly)},
    {4, ANY, A(reduce_scatter_ring)}, {8, 8, A(reduce_scatter_nonoverlapping)},
    {8, 256 * KI, A(reduce_scatter_halving)}, {8, ANY, A(reduce_scatter_ring)},
    {32, 256 * KI, A(reduce_scatter_halving)}, {32, ANY, A(reduce_scatter_ring)},
    {64, 64, A(reduce_scatter_nonoverlapping)}, {64, 2 * KI, A(reduce_scatter_halving)},
    {64, 512 * KI, A(reduce_scatter_butterfly)}, {64, ANY, A(reduce_scatter_ring)},
    {128, 256, A(reduce_scatter_nonoverlapping)}, {128, 512, A(reduce_scatter_halving)},
    {128, 2 * KI, A(reduce_scatter_butterfly)}, {128, 4 * KI, A(reduce_scatter_halving)},
    {128, ANY, A(reduce_scatter_butterfly)}, {256, 256, A(reduce_scatter_nonoverlapping)},
    {256, 512, A(reduce_scatter_halving)}, {256, ANY, A(reduce_scatter_butterfly)},
    {512, 256, A(reduce_scatter_nonoverlapping)}, {512, 1 * KI, A(reduce_scatter_halving)},
    {512, ANY, A(reduce_scatter_butterfly)}, {1024, 512, A(reduce_scatter_nonoverlapping)},
    {1024, 2 * KI, A(reduce_scatter_halving)}, {1024, 8 * KI, A(reduce_scatter_butterfly)},
    {1024, 16 * KI, A(reduce_scatter_halving)}, {1024, ANY, A(reduce_scatter_butterfly)},
    {2048, 512, A(reduce_scatter_nonoverlapping)}, {2048, 4 * KI, A(reduce_scatter_halving)},
    {2048, 16 * KI, A(reduce_scatter_butterfly)}, {2048, 32 * KI, A(reduce_scatter_halving)},
    {2048, ANY, A(reduce_scatter_butterfly)}, {4096, 512, A(reduce_scatter_nonoverlapping)},
    {4096, 4 * KI, A(reduce_scatter_halving)}, {4096, ANY, A(reduce_scatter_butterfly)},
    {ANY, 1 * KI, A(reduce_scatter_nonoverlapping)}, {ANY, 8 * KI, A(reduce_scatter_halving)},
    {ANY, ANY, A(reduce_scatter_butterfly)},
};

/* Of one block. "Basic linear" there is a reduction and a scatter, as nonoverlapping is. */
static const struct row reduce_scatter_block_rows[] = {
    {4, 4, A(reduce_scatter_doubling)}, {4, 8, A(reduce_scatter_butterfly)},
    {4, 16, A(reduce_scatter_halving)}, {4, 128, A(reduce_scatter_butterfly)},
    {4, 256, A(reduce_scatter_halving)}, {4, 4 * KI, A(reduce_scatter_butterfly)},
    {4, 8 * KI, A(reduce_scatter_halving)}, {4, 128 * KI, A(reduce_scatter_butterfly)},
    {4, ANY, A(reduce_scatter_nonoverlapping)}, {8, 8, A(reduce_scatter_halving)},
    {8, 32, A(reduce_scatter_doubling)}, {8, 256, A(reduce_scatter_butterfly)},
    {8, 8 * KI, A(reduce_scatter_halving)}, {8, 16 * KI, A(reduce_scatter_butterfly)},
    {8, 1024 * KI, A(reduce_scatter_halving)}, {8, ANY, A(reduce_scatter_nonoverlapping)},
    {16, 4, A(reduce_scatter_nonoverlapping)}, {16, 32, A(reduce_scatter_halving)},
    {16, 128, A(reduce_scatter_butterfly)}, {16, 512 * KI, A(reduce_scatter_halving)},
    {16, 4096 * KI, A(reduce_scatter_nonoverlapping)}, {16, ANY, A(reduce_scatter_butterfly)},
    {32, 32, A(reduce_scatter_nonoverlapping)}, {32, 512 * KI, A(reduce_scatter_halving)},
    {32, 2048 * KI, A(reduce_scatter_nonoverlapping)}, {32, 4096 * KI, A(reduce_scatter_halving)},
    {32, ANY, A(reduce_scatter_butterfly)}, {ANY, 4, A(reduce_scatter_halving)},
    {ANY, 16, A(reduce_scatter_nonoverlapping)}, {ANY, 64 * KI, A(reduce_scatter_butterfly)},
    {ANY, 256 * KI, A(reduce_scatter_nonoverlapping)}, {ANY, ANY, A(reduce_scatter_butterfly)},
};
/* clang-format on */

/* By collective; no rows: one algorithm for all. */
static const struct {
    const struct row *rows;
    const struct trace_algorithm *only;
} tables[TRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = {barrier_rows, NULL},
    [TRACE_BCAST] = {bcast_rows, NULL},
    [TRACE_GATHER] = {gather_rows, NULL},
    [TRACE_GATHERV] = {NULL, &trace_algorithm_gatherv_linear},
    [TRACE_SCATTER] = {scatter_rows, NULL},
    [TRACE_SCATTERV] = {NULL, &trace_algorithm_scatterv_linear},
    [TRACE_ALLGATHER] = {allgather_rows, NULL},
    [TRACE_ALLGATHERV] = {allgatherv_rows, NULL},
    [TRACE_ALLTOALL] = {alltoall_rows, NULL},
    [TRACE_ALLTOALLV] = {alltoallv_rows, NULL},
    [TRACE_ALLTOALLW] = {NULL, &trace_algorithm_alltoall_linear},
    [TRACE_ALLREDUCE] = {allreduce_rows, NULL},
    [TRACE_REDUCE] = {reduce_rows, NULL},
    [TRACE_REDUCE_SCATTER] = {reduce_scatter_rows, NULL},
    [TRACE_REDUCE_SCATTER_BLOCK] = {reduce_scatter_block_rows, NULL},
    [TRACE_SCAN] = {NULL, &trace_algorithm_scan_linear},
    [TRACE_EXSCAN] = {NULL, &trace_algorithm_scan_linear},
};

/* Of alltoallv a member knows only its own sizes, so the table has only ranks. */
static uint64_t decisive_bytes(const struct trace_collective_call *call)
{
    switch (call->collective) {
    case TRACE_BARRIER:
    case TRACE_ALLTOALLV:
        return 0;
    case TRACE_ALLGATHERV:
        return trace_total_bytes(call) / call->ranks;
    case TRACE_REDUCE_SCATTER:
        return trace_total_bytes(call);
    default:
        return call->bytes;
    }
}

/* Algorithms that split a vector have another one for when it has too few elements, or for numbers of ranks
 * that they do not do. */
static const struct trace_algorithm *fit(const struct trace_algorithm *algorithm,
                                         const struct trace_collective_call *call)
{
    uint64_t elements = call->bytes / trace_element_bytes(call->bytes);
    bool too_short = elements < trace_power_of_two_within(call->ranks);

    if (algorithm == &trace_algorithm_allreduce_rabenseifner_pairs && too_short)
        return &trace_algorithm_allreduce_linear;
    if (algorithm == &trace_algorithm_reduce_rabenseifner && too_short)
        return &trace_algorithm_reduce_linear;
    if ((algorithm == &trace_algorithm_allreduce_ring ||
         algorithm == &trace_algorithm_allreduce_ring_segmented) &&
        elements < call->ranks)
        return &trace_algorithm_allreduce_doubling;
    if (!algorithm->power_of_two || trace_is_power_of_two(call->ranks))
        return algorithm;
    return &trace_algorithm_allgather_bruck;
}

/* Ranges of ranks end in a row for any size, so that a row is always found. A linear search: the longest table has
 * some sixty rows, and a replay asks once for each call. */
static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    const struct row *row = tables[call->collective].rows;
    uint64_t bytes = decisive_bytes(call);

    if (row == NULL)
        return tables[call->collective].only;
    while ((row->ranks != ANY && call->ranks >= row->ranks) || (row->bytes != ANY && bytes >= row->bytes))
        row++;
    return fit(row->algorithm, call);
}

extern const struct trace_tuning trace_tuning_libnbc;

const struct trace_tuning trace_tuning_openmpi = {
    .name = "openmpi-4",
    .newest = "openmpi",
    .summary = "the defaults of Open MPI 4.1 (coll/tuned)",
    .checked = "compared with every message of Open MPI 4.1.4 on 2 to 33 ranks, 8 B to 4 MiB",
    .choose = choose,
    .nonblocking = &trace_tuning_libnbc,
};
