/* NPB IS: integer keys are counted into buckets, and the buckets shared out so that every rank gets about the
 * same number of keys. Keys are the mean of four uniform random numbers: the middle buckets hold most of
 * them, so that a rank in the middle gets few buckets, and the sizes of the all-to-all differ from pair to
 * pair.
 *
 *      allreduce (buckets + 5) · 4 B ──► alltoall 4 B ──► alltoallv of the keys             11 times
 *
 * How many keys of a rank fall into which bucket is counted exactly by making the keys of the benchmark's
 * generator, x ← 5¹³ x mod 2⁴⁶ from 314159265 (integers here: the benchmark's floating-point arithmetic is
 * exact). From class D on that takes long; `keys=expected` then takes
 * the expectation of the distribution instead: of each bucket a rank has that within six standard deviations,
 * 6 √n of n keys, and the border between two ranks may lie one bucket off.
 *
 *      rank        0        1        2        3         of one range of keys each, cut at borders of buckets
 *      keys    |▁▁▂▃▅▇|  ▇█|      |█▇     |▇▅▃▂▁▁|      so that all have as many keys
 *
 *      bcast 4 B; 11 rankings; reduce 8 B (time); the greatest key to the next rank, 4 B; reduce 4 B (errors)
 *
 * Before each ranking rank 0 replaces two of its keys, so that the sizes change a little from one to the
 * next. The sizes of a ranking are computed when its step is asked for, from the counts of all ranks and
 * buckets.
 */
#include "traces/generate/internal.h"

#include <string.h>

extern const struct trace_generator trace_generator_is;

/* NPB ends with class E. Class F goes on as D and E do, with 16 times the keys in 16 times the range, for
 * which 32 bits are too few: keys, and their counts over all ranks, have 8 bytes. */

static const struct {
    uint32_t log_keys, log_range, log_buckets;
} classes[] = {{16, 11, 9},  {20, 16, 10}, {23, 19, 10}, {25, 21, 10},
               {27, 23, 10}, {31, 27, 10}, {35, 31, 10}, {39, 35, 10}};

#define ITERATIONS 10
#define LAST_EXACT_CLASS 4 /* C */
#define FIRST_LONG_CLASS 7 /* F */
#define MULTIPLIER UINT64_C(1220703125)
#define SEED UINT64_C(314159265)
#define MASK ((UINT64_C(1) << 46) - 1)

/* Operations of a rank in a ranking, for each key: NPB counts keys ranked only; RNR-94-007 has 0.7812 · 10⁹
 * for the 10 · 2²³ of class A, which is 9.3. */
#define TENTHS_OF_FLOPS_PER_KEY 93

struct kernel {
    uint32_t ranks, buckets, log_buckets, log_range; /* keys are below 2^log_range */
    uint64_t key_bytes;                              /* 4, or 8 where 32 bits are too few */
    uint64_t keys;                                   /* of one rank */
    uint32_t iterations;                             /* that count, at most ITERATIONS */
    uint32_t first_bucket[2 * ITERATIONS + 2];       /* of the keys that rank 0 replaces, by their place */
    const uint32_t *counts;                          /* [rank * buckets + bucket] */
    const uint64_t *totals;                          /* [bucket] */
};

/* ---- the keys */

/* By squaring, modulo 2^46. */
static uint64_t power(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;

    for (; exponent > 0; exponent >>= 1) {
        if (exponent & 1)
            result = result * base & MASK;
        base = base * base & MASK;
    }
    return result;
}

/* The seed of a rank: four numbers are drawn for a key, and each rank's keys begin where the share of the one
 * before, rounded up, ends. */
static uint64_t seed_of(uint64_t rank, uint64_t ranks, uint64_t total)
{
    uint64_t share = (total + ranks - 1) / ranks;
    return SEED * power(MULTIPLIER, 4 * share * rank) & MASK;
}

/* Counts one rank's keys. Four chains, each four draws ahead of itself, instead of one that waits for itself.
 * `first` gets the buckets of rank 0's first keys, of which some are replaced before each ranking; NULL for
 * others. */
static void count_keys(struct kernel *kernel, uint64_t x, uint32_t *counts, uint32_t *first)
{
    const uint64_t stride = power(MULTIPLIER, 4);
    const uint32_t shift = 48 - kernel->log_buckets;
    uint64_t a = x * MULTIPLIER & MASK;
    uint64_t b = a * MULTIPLIER & MASK;
    uint64_t c = b * MULTIPLIER & MASK;
    uint64_t d = c * MULTIPLIER & MASK;

    for (uint64_t i = 0; i < kernel->keys; i++) {
        uint32_t bucket = (uint32_t)((a + b + c + d) >> shift);
        counts[bucket]++;
        if (first != NULL && i < 2 * ITERATIONS + 2)
            first[i] = bucket;
        a = a * stride & MASK;
        b = b * stride & MASK;
        c = c * stride & MASK;
        d = d * stride & MASK;
    }
}

/* The distribution of the sum of four uniform numbers (Irwin–Hall), up to x in 0 … 4, times 24. */
static double irwin_hall(double x)
{
    static const double signs[] = {1, -4, 6, -4};
    double sum = 0;

    for (int k = 0; k < 4; k++)
        if (x > k)
            sum += signs[k] * (x - k) * (x - k) * (x - k) * (x - k);
    return sum;
}

/* Rounded cumulatively, so that the counts add up to the keys. */
static void expect_keys(const struct kernel *kernel, uint32_t *counts)
{
    uint64_t before = 0;

    for (uint32_t bucket = 0; bucket < kernel->buckets; bucket++) {
        double share = irwin_hall(4.0 * (bucket + 1) / kernel->buckets) / 24;
        uint64_t until = (uint64_t)(share * (double)kernel->keys + 0.5);
        counts[bucket] = (uint32_t)(until - before);
        before = until;
    }
}

/* Counts of all ranks and buckets: 4 MiB for 1024 ranks. The expected keys of all ranks are equal. Exact counting
 * takes time in proportion to all keys, once when the program is made; -1: memory. */
static int make_keys(struct trace_skeleton *skeleton, struct kernel *kernel, uint64_t total, bool exact)
{
    uint32_t *counts =
        base_arena_array(&skeleton->arena, (size_t)kernel->ranks * kernel->buckets, sizeof *counts);
    uint64_t *totals = base_arena_array(&skeleton->arena, kernel->buckets, sizeof *totals);

    if (counts == NULL || totals == NULL)
        return -1;
    for (uint32_t rank = 0; rank < kernel->ranks; rank++) {
        uint32_t *row = counts + (size_t)rank * kernel->buckets;
        if (exact)
            count_keys(kernel, seed_of(rank, kernel->ranks, total), row,
                       rank == 0 ? kernel->first_bucket : NULL);
        else
            expect_keys(kernel, row);
        for (uint32_t bucket = 0; bucket < kernel->buckets; bucket++)
            totals[bucket] += row[bucket];
    }
    if (!exact) /* as if those that rank 0 replaces came from the middle */
        for (size_t i = 0; i < sizeof kernel->first_bucket / sizeof *kernel->first_bucket; i++)
            kernel->first_bucket[i] = kernel->buckets / 2;
    kernel->counts = counts;
    kernel->totals = totals;
    return 0;
}

/* ---- who gets them */

/* Before each ranking rank 0 replaces two of its keys: a small one comes, and a large one. What that adds to
 * a bucket up to and with the ranking `number` (the first one, which warms up, is number 1, and so is the
 * next). */
static int64_t replaced(const struct kernel *kernel, uint32_t bucket, uint32_t number)
{
    uint32_t shift = kernel->log_range - kernel->log_buckets;
    uint64_t range = UINT64_C(1) << kernel->log_range;
    int64_t change = 0;

    for (uint32_t i = 1; i <= number; i++) {
        change += (i >> shift == bucket) - (kernel->first_bucket[i] == bucket);
        change += ((range - i) >> shift == bucket);
        change -= kernel->first_bucket[i + ITERATIONS] == bucket;
    }
    return change;
}

/* Expected counts may be too small for what rank 0 takes out of them. */
static uint64_t count_of(const struct kernel *kernel, uint32_t rank, uint32_t bucket, int64_t change)
{
    int64_t count = kernel->counts[(size_t)rank * kernel->buckets + bucket] + (rank == 0 ? change : 0);
    return count < 0 ? 0 : (uint64_t)count;
}

/* Buckets go to the ranks in order; a rank is full when the keys so far reach its share of all. What a rank
 * sends is its own part of each range; what it receives, everybody's part of its range. The last ranks may
 * get none. */
static void share_out(const struct kernel *kernel, uint32_t rank, uint32_t number, struct trace_sizes *sizes)
{
    uint64_t so_far = 0;
    uint32_t owner = 0;

    memset(sizes->sent, 0, kernel->ranks * sizeof *sizes->sent);
    memset(sizes->received, 0, kernel->ranks * sizeof *sizes->received);
    for (uint32_t bucket = 0; bucket < kernel->buckets && owner < kernel->ranks; bucket++) {
        int64_t change = replaced(kernel, bucket, number);
        sizes->sent[owner] += kernel->key_bytes * count_of(kernel, rank, bucket, change);
        for (uint32_t i = 0; i < kernel->ranks && owner == rank; i++)
            sizes->received[i] += kernel->key_bytes * count_of(kernel, i, bucket, change);
        so_far = (uint64_t)((int64_t)(so_far + kernel->totals[bucket]) + change);
        owner += so_far >= (owner + 1) * kernel->keys;
    }
}

/* ---- the program */

/* One ranking. Counting the keys comes before the sums, placing them after they have arrived. */
static void rank_keys(struct trace_emitter *emitter, const struct kernel *kernel, uint32_t number)
{
    uint64_t flops = kernel->keys * TENTHS_OF_FLOPS_PER_KEY / 10;
    struct trace_sizes sizes;

    trace_emit_compute(emitter, flops / 2);
    trace_emit_collective(emitter, TRACE_ALLREDUCE, 0, 0, (kernel->buckets + 5) * kernel->key_bytes);
    trace_emit_collective(emitter, TRACE_ALLTOALL, 0, 0, 4);
    sizes = trace_emit_alltoallv(emitter, 0, kernel->ranks);
    if (sizes.sent != NULL)
        share_out(kernel, trace_emit_rank(emitter), number, &sizes);
    trace_emit_compute(emitter, flops - flops / 2);
}

/* Each rank compares its least key with the greatest of the one before. */
static void verify(struct trace_emitter *emitter, const struct kernel *kernel)
{
    uint32_t rank = trace_emit_rank(emitter);
    uint64_t request = 0;

    trace_emit_collective(emitter, TRACE_REDUCE, 0, 0, 8);
    if (rank > 0)
        request = trace_emit_ireceive(emitter, 0, rank - 1, 1000, kernel->key_bytes);
    if (rank + 1 < kernel->ranks)
        trace_emit_send(emitter, 0, rank + 1, 1000, kernel->key_bytes);
    if (rank > 0)
        trace_emit_wait(emitter, request);
    trace_emit_collective(emitter, TRACE_REDUCE, 0, 0, 4);
}

/* The ranking that warms up, the ten that count, and the check. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;

    if (number == 0)
        trace_emit_collective(emitter, TRACE_BCAST, 0, 0, 4);
    if (number <= kernel->iterations)
        rank_keys(emitter, kernel, number == 0 ? 1 : (uint32_t)number);
    else
        verify(emitter, kernel);
}

/* The benchmark takes powers of two only. How many at least and at most are what its makers set for the
 * memory of a process (MIN_PROCS, MAX_PROCS), but more than buckets cannot be. */
static bool legal(uint32_t ranks, const void *context)
{
    return trace_generate_power_of_two(ranks, NULL) && ranks <= UINT32_C(1) << *(const uint32_t *)context;
}

/* Everything that can be wrong, before keys are counted. */
static int refuse(const struct trace_generator_options *options, int *class, uint32_t *exact,
                  uint32_t *iterations, struct base_error *error)
{
    *class = trace_generate_class(&trace_generator_is, options, error);
    *exact = *class <= LAST_EXACT_CLASS;
    if (*class < 0 || trace_generate_keys(&trace_generator_is, options, "keys iterations", error) != 0 ||
        trace_generate_iterations(options, iterations, error) != 0 ||
        trace_generate_choice(options, "keys", "expected exact", exact, error) != 0)
        return -1;
    return trace_generate_ranks(&trace_generator_is, options, legal, &classes[*class].log_buckets,
                                "a power of two, and no more ranks than buckets", error);
}

/* What has passed the checks. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    struct trace_skeleton *skeleton;
    struct kernel *kernel;
    uint32_t iterations = ITERATIONS;
    uint32_t exact;
    uint64_t total;
    int class;

    if (refuse(options, &class, &exact, &iterations, error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("is", options, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    kernel = skeleton->kernel;
    total = UINT64_C(1) << classes[class].log_keys;
    kernel->ranks = options->ranks;
    kernel->iterations = skeleton->iterations = iterations;
    skeleton->all_iterations = ITERATIONS;
    kernel->log_buckets = classes[class].log_buckets;
    kernel->buckets = UINT32_C(1) << kernel->log_buckets;
    kernel->log_range = classes[class].log_range;
    kernel->key_bytes = class >= FIRST_LONG_CLASS ? 8 : 4;
    kernel->keys = total / kernel->ranks;
    if (make_keys(skeleton, kernel, total, exact != 0) == 0)
        return trace_skeleton_finish(skeleton, step, UINT64_C(2) + iterations, error);
    base_error_memory(error, "the buckets");
    trace_skeleton_free(skeleton);
    return NULL;
}

const struct trace_generator trace_generator_is = {
    "is",
    "NPB IS, integer sort: a power of two of ranks, at most the buckets (512 or 1024). keys=exact|expected "
    "iterations=N",
    "SWABCDEF", generate, BASE_EXACT};
