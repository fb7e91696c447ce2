/* What Open MPI 1.3 to 4.0 chose by default: few rules, from measurements on one cluster of 64 nodes, with
 * straight lines in the plane of ranks and bytes between segment lengths (doc/collectives.md). For built-in
 * and commutative operations.
 *
 * The lines are compared in integers of 128 bits, so that no rounding decides. */
#include "base/wide.h"
#include "traces/collectives/steps.h"

#define TRACE_ALGORITHM(symbol) extern const struct trace_algorithm trace_algorithm_##symbol;
#include "traces/collectives/kinds.def"
#undef TRACE_ALGORITHM

#define KI UINT64_C(1024)

/* What a rule answers: the algorithm, and the length of its segments in bytes (0: none). */
struct choice {
    const struct trace_algorithm *algorithm; /* never NULL */
    uint64_t segment_bytes;
};

/* The line  ranks = (numerator / denominator * bytes + intercept) / 10^4. */
struct line {
    uint64_t numerator, denominator, intercept; /* whole numbers, so that all hosts choose alike */
};

/* -1: the call is below the line (fewer ranks), 0: on it, 1: above. */
static int side(const struct trace_collective_call *call, uint64_t bytes, struct line line)
{
    base_wide ranks = base_wide_product(UINT64_C(10000) * call->ranks, line.denominator);
    base_wide limit = base_wide_add(base_wide_product(bytes, line.numerator),
                                    base_wide_product(line.intercept, line.denominator));
    return base_wide_less(ranks, limit) ? -1 : base_wide_less(limit, ranks);
}

/* Trees for short and medium vectors, then a pipeline, in the longer segments the fewer ranks there are. */
static struct choice choose_bcast(const struct trace_collective_call *call)
{
    static const struct line line_16 = {32118, 1000000, 87936};
    static const struct line line_64 = {23679, 1000000, 11787};
    static const struct line line_128 = {16134, 1000000, 21102};

    if (call->bytes < 2048)
        return (struct choice){&trace_algorithm_bcast_doubling, 0};
    if (call->bytes < 370728)
        return (struct choice){&trace_algorithm_bcast_split_binary, KI};
    if (side(call, call->bytes, line_128) < 0)
        return (struct choice){&trace_algorithm_bcast_pipeline, 128 * KI};
    if (call->ranks < 13)
        return (struct choice){&trace_algorithm_bcast_split_binary, 8 * KI};
    if (side(call, call->bytes, line_64) < 0)
        return (struct choice){&trace_algorithm_bcast_pipeline, 64 * KI};
    if (side(call, call->bytes, line_16) < 0)
        return (struct choice){&trace_algorithm_bcast_pipeline, 16 * KI};
    return (struct choice){&trace_algorithm_bcast_pipeline, 8 * KI};
}

/* Its third line is commented "binary" there, but calls the pipeline. */
static struct choice choose_reduce(const struct trace_collective_call *call)
{
    static const struct line binary_1k = {6016, 1024, 13496};
    static const struct line pipeline_1k = {410, 1024, 97128};
    static const struct line third = {422, 1024, 11614};
    static const struct line pipeline_32k = {33, 1024, 16761};

    if (call->ranks < 8 && call->bytes < 512)
        return (struct choice){&trace_algorithm_reduce_linear, 0};
    if (call->ranks < 8 && call->bytes < 20480)
        return (struct choice){&trace_algorithm_reduce_binomial, 0};
    if (call->bytes < 2048)
        return (struct choice){&trace_algorithm_reduce_binary, 0};
    if (side(call, call->bytes, binary_1k) > 0)
        return (struct choice){&trace_algorithm_reduce_binary, KI};
    if (side(call, call->bytes, pipeline_1k) > 0)
        return (struct choice){&trace_algorithm_reduce_pipeline, KI};
    if (side(call, call->bytes, third) > 0 || side(call, call->bytes, pipeline_32k) > 0)
        return (struct choice){&trace_algorithm_reduce_pipeline, 32 * KI};
    return (struct choice){&trace_algorithm_reduce_pipeline, 64 * KI};
}

/* The ring needs more elements than ranks; beyond a megabyte a rank it is segmented. */
static struct choice choose_allreduce(const struct trace_collective_call *call)
{
    if (call->bytes < 10000)
        return (struct choice){&trace_algorithm_allreduce_doubling, 0};
    if (call->bytes / trace_element_bytes(call->bytes) <= call->ranks)
        return (struct choice){&trace_algorithm_allreduce_nonoverlapping, 0};
    if (call->bytes <= (uint64_t)call->ranks * 1024 * KI)
        return (struct choice){&trace_algorithm_allreduce_ring, 0};
    return (struct choice){&trace_algorithm_allreduce_ring_segmented, 1024 * KI};
}

/* With two ranks one exchange, which is what the ring then is. */
static struct choice choose_allgather(const struct trace_collective_call *call)
{
    if (call->ranks == 2)
        return (struct choice){&trace_algorithm_allgather_ring, 0};
    if (trace_total_bytes(call) >= 50000)
        return (struct choice){&trace_algorithm_allgather_neighbor_exchange, 0};
    if (trace_is_power_of_two(call->ranks) && call->collective == TRACE_ALLGATHER)
        return (struct choice){&trace_algorithm_allgather_doubling, 0};
    return (struct choice){&trace_algorithm_allgather_bruck, 0};
}

/* Two ranks exchange. */
static struct choice choose_alltoall(const struct trace_collective_call *call)
{
    if (call->ranks > 2 && call->bytes < 200 && call->ranks > 12)
        return (struct choice){&trace_algorithm_alltoall_bruck, 0};
    if (call->ranks > 2 && call->bytes < 3000)
        return (struct choice){&trace_algorithm_alltoall_linear, 0};
    return (struct choice){&trace_algorithm_alltoall_pairwise_ring, 0};
}

/* Halving for short vectors and for many ranks. */
static struct choice choose_reduce_scatter(const struct trace_collective_call *call)
{
    static const struct line line = {12, 1, 80000};
    uint64_t total = trace_total_bytes(call);

    if (total <= 12 * KI || (total <= 256 * KI && trace_is_power_of_two(call->ranks)) ||
        side(call, total, line) >= 0)
        return (struct choice){&trace_algorithm_reduce_scatter_halving, 0};
    return (struct choice){&trace_algorithm_reduce_scatter_ring, 0};
}

/* Two ranks exchange, as recursive doubling does then. */
static struct choice choose_barrier(const struct trace_collective_call *call)
{
    if (trace_is_power_of_two(call->ranks))
        return (struct choice){&trace_algorithm_barrier_doubling, 0};
    return (struct choice){&trace_algorithm_dissemination, 0};
}

/* Either a rule, or the one algorithm for all sizes. */
static const struct {
    struct choice (*rule)(const struct trace_collective_call *call);
    const struct trace_algorithm *only;
} table[TRACE_COLLECTIVES] = {
    [TRACE_BARRIER] = {.rule = choose_barrier},
    [TRACE_BCAST] = {.rule = choose_bcast},
    [TRACE_GATHER] = {.only = &trace_algorithm_gather_linear},
    [TRACE_GATHERV] = {.only = &trace_algorithm_gatherv_linear},
    [TRACE_SCATTER] = {.only = &trace_algorithm_scatter_linear},
    [TRACE_SCATTERV] = {.only = &trace_algorithm_scatterv_linear},
    [TRACE_ALLGATHER] = {.rule = choose_allgather},
    [TRACE_ALLGATHERV] = {.rule = choose_allgather},
    [TRACE_ALLTOALL] = {.rule = choose_alltoall},
    [TRACE_ALLTOALLV] = {.only = &trace_algorithm_alltoall_pairwise_ring},
    [TRACE_ALLTOALLW] = {.only = &trace_algorithm_alltoall_linear},
    [TRACE_ALLREDUCE] = {.rule = choose_allreduce},
    [TRACE_REDUCE] = {.rule = choose_reduce},
    [TRACE_REDUCE_SCATTER] = {.rule = choose_reduce_scatter},
    [TRACE_REDUCE_SCATTER_BLOCK] = {.only = &trace_algorithm_reduce_scatter_nonoverlapping},
    [TRACE_SCAN] = {.only = &trace_algorithm_scan_linear},
    [TRACE_EXSCAN] = {.only = &trace_algorithm_scan_linear},
};

/* Both questions of a tuning are answered from here. */
static struct choice decide(const struct trace_collective_call *call)
{
    if (table[call->collective].rule != NULL)
        return table[call->collective].rule(call);
    return (struct choice){table[call->collective].only, 0};
}

static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    return decide(call).algorithm;
}

static uint64_t segment_bytes(const struct trace_collective_call *call)
{
    return decide(call).segment_bytes;
}

extern const struct trace_tuning trace_tuning_libnbc;

const struct trace_tuning trace_tuning_openmpi_classic = {
    .name = "openmpi-classic",
    .summary = "the defaults of Open MPI 1.3 to 4.0",
    .checked = "read in its sources, not compared with a recording",
    .choose = choose,
    .nonblocking = &trace_tuning_libnbc,
    .segment_bytes = segment_bytes,
};
