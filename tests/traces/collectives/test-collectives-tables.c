/* The tables that choose between algorithms: what they choose is possible, and at their thresholds it is what
 * the libraries choose. The user's own rules. */
#include "tests/suite.h"

#include <string.h>

#include "tests/fail-alloc.h"
#include "tests/traces/collectives/model.h"
#include "traces/collectives/tuning-rules.h"

static bool is_power_of_two(uint32_t number)
{
    return (number & (number - 1)) == 0;
}

/* ---- All tables ---- */

/* Around every number of ranks at which a table turns, and every number of bytes. */
static const uint32_t turning_ranks[] = {2,  3,   4,   8,   12,   13,   16,   32,
                                         64, 128, 256, 512, 1024, 2048, 4096, 70000};
static const uint64_t turning_bytes[] = {2,      4,      8,      16,      32,      64,     128,   200,
                                         256,    512,    1024,   2048,    3000,    4096,   8192,  10000,
                                         12288,  16384,  20480,  32768,   50000,   65536,  81920, 131072,
                                         262144, 370728, 524288, 1048576, 2097152, 4194304};

static void selections_choose_what_fits(void **state)
{
    size_t count;
    const struct trace_tuning *const *all = trace_tunings(&count);
    (void)state;

    assert_int_equal(count, 7);
    for (size_t i = 0; i < count; i++)
        for (uint32_t collective = 0; collective < TRACE_COLLECTIVES; collective++)
            for (size_t r = 0; r < 3 * (sizeof turning_ranks / sizeof *turning_ranks); r++)
                for (size_t b = 0; b < 3 * (sizeof turning_bytes / sizeof *turning_bytes); b++) {
                    struct trace_collective_call call = {.collective = (enum trace_collective)collective,
                                                         .ranks =
                                                             turning_ranks[r / 3] + (uint32_t)(r % 3) - 1,
                                                         .bytes = turning_bytes[b / 3] + b % 3 - 1};
                    const struct trace_algorithm *which = all[i]->choose(&call);
                    assert_non_null(which);
                    assert_false(which->inter);
                    assert_true((which->collectives & UINT32_C(1) << collective) != 0);
                    assert_true(!which->power_of_two || is_power_of_two(call.ranks));
                }
}

/* One call as the table has it, among sends that wait for their receivers. */
static void run(const struct trace_tuning *table, const struct trace_collective_call *call)
{
    struct world world = {.algorithm = table->choose(call), .call = *call, .synchronous = true};
    struct trace_schedule schedule = {0};
    struct traffic traffic;

    if (table->segment_bytes != NULL)
        world.call.segment_bytes = table->segment_bytes(call);
    assert_int_equal(world_run_transport(&world, &traffic), 0);
    assert_true(traffic.messages > 0);
    /* What is scheduled is what was chosen. */
    assert_int_equal(trace_collective_schedule(table, call, &schedule, NULL), 0);
    assert_string_equal(schedule.algorithm, world.algorithm->name);
    trace_schedule_free(&schedule);
}

/* Whatever a table chooses comes to its end, with the segments it says. One rank has nothing to do. */
static void choices_run(void **state)
{
    static const uint32_t ranks[] = {2, 3, 4, 5, 8, 12, 16, 21, 32, 33, 64};
    static const uint64_t sizes[] = {1, 100, 1500, 5000, 30000, 100000, 500000, 3000000};
    size_t count;
    const struct trace_tuning *const *all = trace_tunings(&count);
    (void)state;

    for (size_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < TRACE_COLLECTIVES * 11 * 8; k++) {
            struct trace_schedule schedule = {0};
            struct trace_collective_call call = {.collective = (enum trace_collective)(k / 88),
                                                 .ranks = ranks[k % 11],
                                                 .root = ranks[k % 11] / 2,
                                                 .bytes = sizes[k / 11 % 8]};
            if (call.ranks > 33 && k / 11 % 2 == 0)
                continue;
            run(all[i], &call);
            call.ranks = 1, call.root = 0;
            assert_int_equal(trace_collective_schedule(all[i], &call, &schedule, NULL), 0);
            assert_int_equal(schedule.count, 0);
            assert_non_null(schedule.algorithm);
        }
}

/* ---- Thresholds ---- */

static void chooses(const char *table, enum trace_collective collective, uint32_t ranks, uint64_t bytes,
                    const char *name)
{
    struct trace_collective_call call = {.collective = collective, .ranks = ranks, .bytes = bytes};
    const struct trace_tuning *tuning = trace_tuning_find(table, NULL);

    assert_non_null(tuning);
    assert_string_equal(tuning->choose(&call)->name, name);
}

/* On both sides of each threshold, and where the number of ranks decides. */
static void mpich_bcast_and_reductions(void **state)
{
    (void)state;
    chooses("mpich", TRACE_BCAST, 64, 12288, "bcast-binomial");
    chooses("mpich", TRACE_BCAST, 64, 12289, "bcast-scatter-recursive-doubling");
    chooses("mpich", TRACE_BCAST, 63, 12289, "bcast-scatter-ring");
    chooses("mpich", TRACE_BCAST, 7, 1 << 20, "bcast-binomial");
    chooses("mpich", TRACE_BCAST, 8, 12289, "bcast-scatter-recursive-doubling");
    chooses("mpich", TRACE_BCAST, 8, 524288, "bcast-scatter-recursive-doubling");
    chooses("mpich", TRACE_BCAST, 8, 524289, "bcast-scatter-ring");
    chooses("mpich", TRACE_REDUCE, 8, 2048, "reduce-binomial");
    chooses("mpich", TRACE_REDUCE, 8, 2049, "reduce-rabenseifner");
    chooses("mpich", TRACE_REDUCE, 256, 2056,
            "reduce-rabenseifner"); /* 257 elements of 8 bytes for 256 ranks */
    chooses("mpich", TRACE_REDUCE, 512, 2056, "reduce-binomial");
    chooses("mpich", TRACE_REDUCE, 512, 4096, "reduce-rabenseifner"); /* an element for each */
    chooses("mpich", TRACE_REDUCE, 513, 2052,
            "reduce-rabenseifner"); /* 513 elements of 4 bytes for the 512 that remain */
    chooses("mpich", TRACE_ALLREDUCE, 2, 8, "allreduce-recursive-doubling");
    chooses("mpich", TRACE_ALLREDUCE, 2, 12, "allreduce-rabenseifner"); /* 3 elements of 4 bytes */
    chooses("mpich", TRACE_ALLREDUCE, 31, 120,
            "allreduce-recursive-doubling"); /* 15 for the 16 that remain */
    chooses("mpich", TRACE_ALLREDUCE, 31, 128, "allreduce-rabenseifner");
    chooses("mpich", TRACE_ALLREDUCE, 8, 2056, "allreduce-rabenseifner");
    chooses("mpich", TRACE_ALLREDUCE, 512, 2056, "allreduce-recursive-doubling");
    chooses("mpich", TRACE_REDUCE_SCATTER_BLOCK, 8, 65535, "reduce-scatter-recursive-halving");
    chooses("mpich", TRACE_REDUCE_SCATTER_BLOCK, 8, 65536, "reduce-scatter-pairwise");
    chooses("mpich", TRACE_REDUCE_SCATTER, 8, 65536, "reduce-scatter-pairwise");
    chooses("mpich", TRACE_SCAN, 8, 1 << 20, "scan-recursive-doubling");
    chooses("mpich", TRACE_EXSCAN, 8, 1 << 20, "scan-recursive-doubling");
    chooses("mpich", TRACE_BARRIER, 8, 0, "barrier-dissemination");
}

/* Sizes are of one block; the thresholds of allgather are of all. */
static void mpich_gathers_and_alltoalls(void **state)
{
    (void)state;
    chooses("mpich", TRACE_ALLGATHER, 8, 65535, "allgather-recursive-doubling");
    chooses("mpich", TRACE_ALLGATHER, 8, 65536, "allgather-ring");
    chooses("mpich", TRACE_ALLGATHER, 10, 8191, "allgather-bruck");
    chooses("mpich", TRACE_ALLGATHER, 10, 8192, "allgather-ring");
    chooses("mpich", TRACE_ALLGATHERV, 8, 65535, "allgather-recursive-doubling");
    chooses("mpich", TRACE_ALLGATHERV, 10, 8191, "allgather-bruck");
    chooses("mpich", TRACE_ALLGATHERV, 10, 8192, "allgatherv-ring");
    chooses("mpich", TRACE_ALLTOALL, 9, 256, "alltoall-bruck");
    chooses("mpich", TRACE_ALLTOALL, 8, 256, "alltoall-scattered");
    chooses("mpich", TRACE_ALLTOALL, 9, 257, "alltoall-scattered");
    chooses("mpich", TRACE_ALLTOALL, 8, 32768, "alltoall-scattered");
    chooses("mpich", TRACE_ALLTOALL, 8, 32769, "alltoall-pairwise");
    chooses("mpich", TRACE_ALLTOALLV, 8, 1 << 20, "alltoall-scattered");
    chooses("mpich", TRACE_ALLTOALLW, 8, 1, "alltoall-scattered");
    chooses("mpich", TRACE_GATHER, 8, 1 << 20, "gather-binomial");
    chooses("mpich", TRACE_SCATTER, 8, 1 << 20, "scatter-binomial");
    chooses("mpich", TRACE_GATHERV, 8, 1 << 20, "gatherv-linear");
    chooses("mpich", TRACE_SCATTERV, 8, 1 << 20, "scatterv-linear");
}

#define OPENMPI(collective, ranks, bytes, name) chooses("openmpi", TRACE_##collective, ranks, bytes, name)

/* A value on one side at least of every threshold up to 64 ranks, and some above. */
static void openmpi_reductions(void **state)
{
    (void)state;
    OPENMPI(ALLREDUCE, 3, 7, "allreduce-ring");               /* seven elements of a byte */
    OPENMPI(ALLREDUCE, 3, 4, "allreduce-recursive-doubling"); /* one element, too few for the ring */
    OPENMPI(ALLREDUCE, 3, 4095, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 3, 4096, "allreduce-ring");
    OPENMPI(ALLREDUCE, 3, 8192, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 3, 16384, "allreduce-ring");
    OPENMPI(ALLREDUCE, 3, 65536, "allreduce-ring-segmented");
    OPENMPI(ALLREDUCE, 3, 262144, "allreduce-rabenseifner-pairs");
    OPENMPI(ALLREDUCE, 4, 8191, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 4, 8192, "allreduce-rabenseifner-pairs");
    OPENMPI(ALLREDUCE, 16, 63, "allreduce-ring-segmented");
    OPENMPI(ALLREDUCE, 16, 64, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 16, 4096, "allreduce-rabenseifner-pairs");
    OPENMPI(ALLREDUCE, 32, 127, "allreduce-ring-segmented");
    OPENMPI(ALLREDUCE, 32, 120, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 32, 128, "allreduce-linear"); /* 16 elements, too few for 32 pieces */
    OPENMPI(ALLREDUCE, 32, 256, "allreduce-rabenseifner-pairs");
    OPENMPI(ALLREDUCE, 64, 262143, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 64, 262144, "allreduce-rabenseifner-pairs");
    OPENMPI(ALLREDUCE, 128, 8, "allreduce-nonoverlapping");
    OPENMPI(ALLREDUCE, 128, 131072, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 511, 4096, "allreduce-rabenseifner-pairs");
    OPENMPI(ALLREDUCE, 2047, 16383, "allreduce-recursive-doubling");
    OPENMPI(ALLREDUCE, 4096, 32768, "allreduce-rabenseifner-pairs");
    OPENMPI(ALLREDUCE, 5000, 32760, "allreduce-recursive-doubling");
    OPENMPI(REDUCE, 3, 7, "reduce-rabenseifner");
    OPENMPI(REDUCE, 3, 4, "reduce-linear");
    OPENMPI(REDUCE, 3, 15, "reduce-binary");
    OPENMPI(REDUCE, 3, 16, "reduce-pipeline");
    OPENMPI(REDUCE, 3, 262143, "reduce-linear");
    OPENMPI(REDUCE, 3, 524288, "reduce-chain");
    OPENMPI(REDUCE, 7, 4095, "reduce-binary");
    OPENMPI(REDUCE, 7, 65535, "reduce-chain");
    OPENMPI(REDUCE, 7, 65536, "reduce-binomial");
    OPENMPI(REDUCE, 15, 8191, "reduce-binary");
    OPENMPI(REDUCE, 16, 4096, "reduce-binomial");
    OPENMPI(REDUCE, 256, 8192, "reduce-in-order-binary");
    OPENMPI(REDUCE, 512, 8192, "reduce-binomial");
    OPENMPI(REDUCE_SCATTER, 3, 21845, "reduce-scatter-ring"); /* 65535 in all */
    OPENMPI(REDUCE_SCATTER, 3, 21846, "reduce-scatter-butterfly");
    OPENMPI(REDUCE_SCATTER, 4, 1, "reduce-scatter-nonoverlapping");
    OPENMPI(REDUCE_SCATTER, 4, 2, "reduce-scatter-recursive-halving");
    OPENMPI(REDUCE_SCATTER, 8, 32768, "reduce-scatter-ring");
    OPENMPI(REDUCE_SCATTER, 32, 64, "reduce-scatter-butterfly");
    OPENMPI(REDUCE_SCATTER_BLOCK, 5, 8, "reduce-scatter-recursive-doubling");
    OPENMPI(REDUCE_SCATTER_BLOCK, 5, 1048576, "reduce-scatter-nonoverlapping");
    OPENMPI(SCAN, 8, 1, "scan-linear");
    OPENMPI(EXSCAN, 8, 1 << 20, "scan-linear");
}

/* The same for what does not reduce. */
static void openmpi_others(void **state)
{
    (void)state;
    OPENMPI(BCAST, 3, 31, "bcast-pipeline");
    OPENMPI(BCAST, 3, 32, "bcast-binary");
    OPENMPI(BCAST, 3, 512, "bcast-k-nomial");
    OPENMPI(BCAST, 3, 32767, "bcast-linear");
    OPENMPI(BCAST, 3, 131072, "bcast-chain");
    OPENMPI(BCAST, 3, 524288, "bcast-doubling");
    OPENMPI(BCAST, 3, 1048576, "bcast-binary");
    OPENMPI(BCAST, 4, 64, "bcast-doubling");
    OPENMPI(BCAST, 7, 1048576, "bcast-chain");
    OPENMPI(BCAST, 15, 32768, "bcast-linear");
    OPENMPI(BCAST, 16, 1048576, "bcast-scatter-recursive-doubling");
    OPENMPI(BCAST, 17, 1048576, "bcast-scatter-recursive-doubling");
    OPENMPI(BCAST, 63, 2048, "bcast-k-nomial");
    OPENMPI(BCAST, 128, 1, "bcast-doubling");
    OPENMPI(BCAST, 256, 16384, "bcast-split-binary");
    OPENMPI(BCAST, 4096, 8192, "bcast-binary");
    OPENMPI(GATHER, 3, 1, "gather-linear-sync");
    OPENMPI(GATHER, 3, 32767, "gather-binomial");
    OPENMPI(GATHER, 7, 8191, "gather-linear");
    OPENMPI(GATHER, 300, 2048, "gather-linear");
    OPENMPI(GATHER, 600, 2048, "gather-binomial");
    OPENMPI(SCATTER, 3, 1, "scatter-linear-nb");
    OPENMPI(SCATTER, 7, 2047, "scatter-binomial");
    OPENMPI(SCATTER, 31, 16384, "scatter-linear");
    OPENMPI(SCATTER, 64, 512, "scatter-linear-nb");
    OPENMPI(GATHERV, 9, 1, "gatherv-linear");
    OPENMPI(SCATTERV, 9, 1, "scatterv-linear");
    OPENMPI(ALLGATHER, 2, 1, "allgather-ring");
    OPENMPI(ALLGATHER, 16, 1 << 20, "allgather-recursive-doubling");
    OPENMPI(ALLGATHER, 17, 1 << 20, "allgather-bruck");
    OPENMPI(ALLGATHER, 32, 1024, "allgather-neighbor-exchange");
    OPENMPI(ALLGATHER, 32, 65536, "allgather-ring");
    OPENMPI(ALLGATHERV, 4, 255, "allgather-nonoverlapping");
    OPENMPI(ALLGATHERV, 7, 16384, "allgather-bruck");
    OPENMPI(ALLGATHERV, 31, 262144, "allgather-ring");
    OPENMPI(ALLTOALL, 2, 65536, "alltoall-linear-sync");
    OPENMPI(ALLTOALL, 4, 8192, "alltoall-linear");
    OPENMPI(ALLTOALL, 16, 511, "alltoall-bruck");
    OPENMPI(ALLTOALL, 63, 512, "alltoall-linear");
    OPENMPI(ALLTOALL, 64, 262144, "alltoall-pairwise-ring");
    OPENMPI(ALLTOALLV, 3, 1, "alltoall-pairwise-ring");
    OPENMPI(ALLTOALLV, 63, 1, "alltoall-linear");
    OPENMPI(ALLTOALLV, 64, 1, "alltoall-pairwise-ring");
    OPENMPI(ALLTOALLW, 64, 1, "alltoall-linear");
    OPENMPI(BARRIER, 3, 0, "barrier-recursive-doubling");
    OPENMPI(BARRIER, 7, 0, "barrier-linear");
    OPENMPI(BARRIER, 8, 0, "barrier-recursive-doubling");
    OPENMPI(BARRIER, 64, 0, "barrier-dissemination");
    OPENMPI(BARRIER, 256, 0, "barrier-tree");
}

/* Of a call that does not block, and of the same one that does. */
static void without_blocking(const char *table, enum trace_collective collective, uint32_t ranks,
                             uint64_t bytes, const char *name, const char *blocking)
{
    struct trace_collective_call call = {
        .collective = collective, .ranks = ranks, .bytes = bytes, .nonblocking = true};
    const struct trace_tuning *tuning = trace_tuning_find(table, NULL);
    struct trace_schedule schedule = {0};

    call.root = 0;
    assert_int_equal(trace_collective_schedule(tuning, &call, &schedule, NULL), 0);
    assert_string_equal(schedule.algorithm, name);
    call.nonblocking = false;
    assert_int_equal(trace_collective_schedule(tuning, &call, &schedule, NULL), 0);
    assert_string_equal(schedule.algorithm, blocking);
    trace_schedule_free(&schedule);
}

/* MPICH cuts the blocks of an allgatherv into 32 KiB; into no less than the smallest one when the call does
 * not block. */
static void mpich_cuts_allgatherv(void **state)
{
    uint64_t sent[3] = {400000, 100000, 300000};
    struct trace_vector vector = {sent, sent, 3, false};
    struct trace_collective_call call = {
        .collective = TRACE_ALLGATHERV, .ranks = 3, .rank = 0, .root = UINT32_MAX, .vector = &vector};
    const struct trace_tuning *mpich = trace_tuning_find("mpich", NULL);
    struct trace_schedule schedule = {0};
    (void)state;

    assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
    assert_int_equal(schedule.steps[1].kind, TRACE_STEP_SEND);
    assert_int_equal(schedule.steps[1].bytes, 32768);
    call.nonblocking = true;
    assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
    assert_int_equal(schedule.steps[1].bytes, 100000);
    sent[2] = 8;
    assert_int_equal(trace_collective_schedule(mpich, &call, &schedule, NULL), 0);
    assert_int_equal(schedule.steps[1].bytes, 32768);
    trace_schedule_free(&schedule);
}

/* Open MPI has another table for them, MPICH other numbers; a user's rule is for both. */
static void calls_that_do_not_block(void **state)
{
    struct trace_tuning *ruled = trace_tuning_new("openmpi", "allreduce=linear", NULL);
    const struct trace_tuning *libnbc = trace_tuning_find("libnbc", NULL);
    struct trace_collective_call call = {.collective = TRACE_ALLREDUCE, .ranks = 8, .bytes = 8};
    struct trace_schedule schedule = {0};
    (void)state;

    without_blocking("openmpi", TRACE_ALLREDUCE, 3, 1 << 20, "allreduce-libnbc",
                     "allreduce-rabenseifner-pairs");
    without_blocking("openmpi", TRACE_ALLREDUCE, 8, 65535, "allreduce-libnbc",
                     "allreduce-rabenseifner-pairs");
    without_blocking("openmpi", TRACE_ALLREDUCE, 8, 65536, "allreduce-ring", "allreduce-rabenseifner-pairs");
    without_blocking("openmpi-classic", TRACE_ALLREDUCE, 8, 65536, "allreduce-ring", "allreduce-ring");
    without_blocking("openmpi-classic", TRACE_ALLGATHER, 8, 8, "allgather-direct",
                     "allgather-recursive-doubling");
    without_blocking("openmpi", TRACE_BCAST, 4, 1 << 20, "bcast-linear", "bcast-chain");
    without_blocking("openmpi", TRACE_BCAST, 5, 65535, "bcast-libnbc-binomial", "bcast-linear");
    without_blocking("openmpi", TRACE_BCAST, 5, 65536, "bcast-libnbc-pipeline", "bcast-linear");
    without_blocking("openmpi", TRACE_REDUCE, 4, 65536, "reduce-libnbc-pipeline", "reduce-binomial");
    without_blocking("openmpi", TRACE_REDUCE, 5, 65536, "reduce-libnbc-binomial", "reduce-binomial");
    without_blocking("openmpi", TRACE_BARRIER, 8, 0, "barrier-dissemination", "barrier-recursive-doubling");
    without_blocking("mpich", TRACE_ALLREDUCE, 8, 65536, "allreduce-rabenseifner", "allreduce-rabenseifner");
    without_blocking("mpich", TRACE_ALLREDUCE, 8, 2048, "allreduce-recursive-doubling",
                     "allreduce-rabenseifner");
    without_blocking("mpich", TRACE_BCAST, 8, 12287, "bcast-binomial", "bcast-binomial");
    without_blocking("mpich", TRACE_BCAST, 8, 12288, "bcast-scatter-recursive-doubling", "bcast-binomial");
    without_blocking("mpich", TRACE_BCAST, 8, 524288, "bcast-scatter-ring",
                     "bcast-scatter-recursive-doubling");
    without_blocking("mpich", TRACE_ALLTOALL, 9, 2048, "alltoall-bruck", "alltoall-scattered");
    without_blocking("mpich", TRACE_ALLTOALL, 8, 2048, "alltoall-scattered", "alltoall-scattered");
    call.nonblocking = true;
    assert_int_equal(trace_collective_schedule(ruled, &call, &schedule, NULL), 0);
    assert_string_equal(schedule.algorithm, "allreduce-linear");
    trace_schedule_free(&schedule);
    trace_tuning_free(ruled);
    call.collective = TRACE_BCAST, call.bytes = 524287;
    assert_int_equal(libnbc->segment_bytes(&call), 8192);
    call.bytes = 524288;
    assert_int_equal(libnbc->segment_bytes(&call), 32768);
    call.collective = TRACE_REDUCE;
    assert_int_equal(libnbc->segment_bytes(&call), 0);
    call.ranks = 4;
    assert_int_equal(libnbc->segment_bytes(&call), 8192);
}

/* With the length of segments. */
static void classic(enum trace_collective collective, uint32_t ranks, uint64_t bytes, const char *name,
                    uint64_t segment_bytes)
{
    struct trace_collective_call call = {.collective = collective, .ranks = ranks, .bytes = bytes};
    const struct trace_tuning *tuning = trace_tuning_find("openmpi-classic", NULL);

    assert_string_equal(tuning->choose(&call)->name, name);
    assert_int_equal(tuning->segment_bytes(&call), segment_bytes);
}

static void openmpi_classic_rules(void **state)
{
    (void)state;
    classic(TRACE_ALLREDUCE, 8, 9999, "allreduce-recursive-doubling", 0);
    classic(TRACE_ALLREDUCE, 8, 10000, "allreduce-ring", 0);
    classic(TRACE_ALLREDUCE, 8, 8 << 20, "allreduce-ring", 0);
    classic(TRACE_ALLREDUCE, 8, (8 << 20) + 8, "allreduce-ring-segmented", 1 << 20);
    classic(TRACE_ALLREDUCE, 1250, 10000, "allreduce-nonoverlapping", 0);
    classic(TRACE_BCAST, 8, 2047, "bcast-doubling", 0);
    classic(TRACE_BCAST, 8, 370727, "bcast-split-binary", 1024);
    classic(TRACE_BCAST, 2, 370728, "bcast-pipeline", 131072); /* 2 < 2.7083 */
    classic(TRACE_BCAST, 3, 370728, "bcast-split-binary", 8192);
    classic(TRACE_BCAST, 13, 370728, "bcast-pipeline", 8192);   /* 13 > 9.9843 */
    classic(TRACE_BCAST, 13, 1400000, "bcast-pipeline", 16384); /* 4.3690, 4.4938 < 13 < 13.290 */
    classic(TRACE_BCAST, 13, 5000000, "bcast-pipeline", 65536); /* 10.177 < 13 < 13.018 */
    classic(TRACE_REDUCE, 7, 511, "reduce-linear", 0);
    classic(TRACE_REDUCE, 7, 20479, "reduce-binomial", 0);
    classic(TRACE_REDUCE, 8, 2047, "reduce-binary", 0);
    classic(TRACE_REDUCE, 8, 4096, "reduce-binary", 1024);     /* 8 > 3.756 */
    classic(TRACE_REDUCE, 12, 40960, "reduce-pipeline", 1024); /* 11.3528 < 12 < 25.4136 */
    classic(TRACE_REDUCE, 9, 102400, "reduce-pipeline", 32768);
    classic(TRACE_REDUCE, 2, 1048576, "reduce-pipeline", 65536); /* 2 < 5.0553 */
    classic(TRACE_REDUCE_SCATTER, 3, 4096, "reduce-scatter-recursive-halving", 0);
    classic(TRACE_REDUCE_SCATTER, 3, 4097, "reduce-scatter-ring", 0);
    classic(TRACE_REDUCE_SCATTER, 4, 65536, "reduce-scatter-recursive-halving", 0);
    classic(TRACE_REDUCE_SCATTER, 4, 65537, "reduce-scatter-ring", 0);
    classic(TRACE_REDUCE_SCATTER_BLOCK, 4, 8, "reduce-scatter-nonoverlapping", 0);
    classic(TRACE_ALLGATHER, 2, 1, "allgather-ring", 0);
    classic(TRACE_ALLGATHER, 8, 6249, "allgather-recursive-doubling", 0);
    classic(TRACE_ALLGATHER, 10, 4999, "allgather-bruck", 0);
    classic(TRACE_ALLGATHER, 10, 5000, "allgather-neighbor-exchange", 0);
    classic(TRACE_ALLTOALL, 2, 1, "alltoall-pairwise-ring", 0);
    classic(TRACE_ALLTOALL, 13, 199, "alltoall-bruck", 0);
    classic(TRACE_ALLTOALL, 12, 199, "alltoall-linear", 0);
    classic(TRACE_ALLTOALL, 13, 2999, "alltoall-linear", 0);
    classic(TRACE_ALLTOALL, 13, 3000, "alltoall-pairwise-ring", 0);
    classic(TRACE_BARRIER, 2, 0, "barrier-recursive-doubling", 0);
    classic(TRACE_BARRIER, 6, 0, "barrier-dissemination", 0);
    classic(TRACE_GATHER, 6, 1, "gather-linear", 0);
    classic(TRACE_SCATTER, 6, 1, "scatter-linear", 0);
}

/* Size does not matter. */
static void simple_tables(void **state)
{
    (void)state;
    chooses("linear", TRACE_BCAST, 9, 1 << 20, "bcast-linear");
    chooses("linear", TRACE_ALLREDUCE, 9, 1, "allreduce-linear");
    chooses("linear", TRACE_ALLTOALL, 9, 1, "alltoall-linear");
    chooses("linear", TRACE_BARRIER, 9, 0, "barrier-linear");
    chooses("binomial", TRACE_BCAST, 9, 1 << 20, "bcast-binomial");
    chooses("binomial", TRACE_ALLREDUCE, 9, 1 << 20, "allreduce-binomial");
    chooses("binomial", TRACE_ALLTOALL, 9, 1, "alltoall-bruck");
    chooses("binomial", TRACE_BARRIER, 9, 0, "barrier-tree");
}

/* ---- The user's rules ---- */

/* The algorithm that rules on top of mpich lead to, and its segments. */
static void rules_give(const char *rules, struct trace_collective_call call, const char *name,
                       uint64_t segment_bytes)
{
    struct base_error error = {0};
    struct trace_tuning *tuning = trace_tuning_new("mpich", rules, &error);
    struct trace_schedule schedule = {0};
    const struct trace_rule *rule;

    if (tuning == NULL)
        fail_msg("%s", error.text);
    rule = trace_tuning_rule(tuning, &call);
    assert_int_equal(rule != NULL ? rule->segment_bytes : 0, segment_bytes);
    assert_int_equal(trace_collective_schedule(tuning, &call, &schedule, NULL), 0);
    assert_string_equal(schedule.algorithm, name);
    trace_schedule_free(&schedule);
    trace_tuning_free(tuning);
}

/* First rules first, limits included; where none fits, the table. */
static void rules_go_before_the_table(void **state)
{
    struct trace_collective_call allreduce = {.collective = TRACE_ALLREDUCE, .ranks = 6, .bytes = 4096};
    struct trace_collective_call bcast = {.collective = TRACE_BCAST, .ranks = 6, .bytes = 4096};
    struct trace_collective_call gather = {.collective = TRACE_ALLGATHERV, .ranks = 6, .bytes = 8};
    (void)state;

    rules_give(NULL, allreduce, "allreduce-rabenseifner", 0);
    rules_give("", allreduce, "allreduce-rabenseifner", 0);
    rules_give("bcast=linear", allreduce, "allreduce-rabenseifner", 0);
    rules_give("allreduce=ring", allreduce, "allreduce-ring", 0);
    rules_give("allreduce=allreduce-ring", allreduce, "allreduce-ring", 0);
    rules_give("allreduce=ring@4096", allreduce, "allreduce-ring", 0);
    rules_give("allreduce=ring@4k/6", allreduce, "allreduce-ring", 0);
    rules_give("allreduce=ring@4095", allreduce, "allreduce-rabenseifner", 0);
    rules_give("allreduce=ring/7", allreduce, "allreduce-rabenseifner", 0);
    rules_give("allreduce=ring@1k,allreduce=linear@1m,allreduce=binomial", allreduce, "allreduce-linear", 0);
    rules_give("bcast=pipeline", bcast, "bcast-pipeline", 65536);
    rules_give("bcast=pipeline:1000@1m/2", bcast, "bcast-pipeline", 1000);
    rules_give("bcast=pipeline:0", bcast, "bcast-pipeline", 0);
    rules_give("bcast=scatter-recursive-doubling,bcast=chain", bcast, "bcast-scatter-recursive-doubling", 0);
    rules_give("allgatherv=ring", gather, "allgatherv-ring", 32768);
    rules_give("allgatherv=allgather-ring", gather, "allgather-ring", 0);
    rules_give("allgatherv=bruck@8", gather, "allgather-bruck", 0);
    gather.collective = TRACE_ALLGATHER, gather.ranks = 6; /* which is no power of two */
    rules_give("allgather=recursive-doubling,allgather=bruck", gather, "allgather-bruck", 0);
    gather.collective = TRACE_REDUCE_SCATTER_BLOCK;
    rules_give("reduce_scatter_block=ring", gather, "reduce-scatter-ring", 0);
    gather.collective = TRACE_ALLREDUCE, gather.first_group = 2;
    rules_give("allreduce=ring", gather, "inter-leaders", 0); /* rules are for one group */
}

/* A rule's segments are those of the schedule. */
static void rules_cut_segments(void **state)
{
    struct trace_tuning *tuning = trace_tuning_new("mpich", "bcast=pipeline:1000", NULL);
    struct trace_collective_call call = {.collective = TRACE_BCAST, .ranks = 3, .rank = 2, .bytes = 2500};
    struct trace_schedule schedule = {0};
    static const uint64_t expected[] = {1000, 1000, 500};
    size_t received = 0;
    (void)state;

    assert_int_equal(trace_collective_schedule(tuning, &call, &schedule, NULL), 0);
    for (size_t i = 0; i < schedule.count; i++)
        if (schedule.steps[i].kind == TRACE_STEP_RECEIVE) {
            assert_true(received < 3);
            assert_int_equal(schedule.steps[i].bytes, expected[received++]);
        }
    assert_int_equal(received, 3);
    trace_schedule_free(&schedule);
    trace_tuning_free(tuning);
}

/* With and without someone to tell. */
static void refuses(const char *rules, const char *text)
{
    struct base_error error = {0};

    assert_null(trace_tuning_new("mpich", rules, &error));
    assert_int_equal(error.status, BASE_USAGE);
    if (strstr(error.text, text) == NULL)
        fail_msg("%s: '%s' does not say '%s'", rules, error.text, text);
    assert_null(trace_tuning_new("mpich", rules, NULL));
}

/* One for each way to write a rule wrong. */
static void mistakes_are_explained(void **state)
{
    (void)state;
    refuses("alreduce=ring",
            "unknown collective operation 'alreduce'; did you mean 'allreduce'? known: barrier,");
    refuses("allreduce", "no algorithm is given");
    refuses("allreduce:ring", "no algorithm is given");
    refuses("=ring", "a part of it is empty");
    refuses("allreduce=", "a part of it is empty");
    refuses("allreduce=ring,", "a part of it is empty");
    refuses("allreduce=bruck",
            "no algorithm 'bruck' does allreduce; those that do: allreduce-recursive-doubling,");
    refuses("scan=inter-leaders", "those that do: scan-recursive-doubling, scan-linear");
    refuses("allreduce=inter-leaders", "no algorithm 'inter-leaders' does allreduce");
    refuses("allreduce=ring@", "a part of it is empty");
    refuses("allreduce=ring@x", "the maximum needs a size");
    refuses("allreduce=ring/x", "the minimum of ranks needs a whole number");
    refuses("allreduce=ring/4294967296", "the minimum of ranks needs a whole number");
    refuses("allreduce=ring/2@8", "the minimum of ranks needs a whole number");
    refuses("allreduce=ring:8", "this algorithm has no segments");
    refuses("bcast=chain:x", "the segment needs a size");
    refuses("alltoallv=linear@8", "share no size that could select an algorithm");
    refuses("gatherv=linear@8", "share no size that could select an algorithm");
    refuses(
        "allreduce=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "a part of it is too long");
    assert_null(trace_tuning_new("mpihc", "allreduce=ring", NULL));
    trace_tuning_free(NULL);
}

/* Fails for memory and nothing else. */
static int make_rules(void *context)
{
    struct base_error error = {0};
    struct trace_tuning *tuning = trace_tuning_new("mpich", "allreduce=ring,bcast=chain", &error);
    (void)context;

    if (tuning == NULL)
        assert_int_equal(error.status, BASE_SYSTEM);
    trace_tuning_free(tuning);
    return tuning != NULL ? 0 : -1;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(make_rules, NULL) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(selections_choose_what_fits), cmocka_unit_test(choices_run),
        cmocka_unit_test(mpich_bcast_and_reductions),  cmocka_unit_test(mpich_gathers_and_alltoalls),
        cmocka_unit_test(openmpi_reductions),          cmocka_unit_test(openmpi_others),
        cmocka_unit_test(openmpi_classic_rules),       cmocka_unit_test(mpich_cuts_allgatherv),
        cmocka_unit_test(calls_that_do_not_block),     cmocka_unit_test(simple_tables),
        cmocka_unit_test(rules_go_before_the_table),   cmocka_unit_test(rules_cut_segments),
        cmocka_unit_test(mistakes_are_explained),      cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
