/* NPB CG: the largest eigenvalue of a sparse matrix by inverse iteration, each with 25 steps of conjugate
 * gradients. The matrix is cut into rows × columns of ranks.
 *
 *      rank = row · columns + column          rows = 2^⌊k/2⌋, columns = rows or 2 · rows
 *
 *      reduce   halves of a row swap, then quarters …: log2(columns) exchanges with the ranks of the same row
 *      transpose  the vector along a row of ranks becomes the one along a column: one exchange with the mirror
 *                 rank (a rank on the diagonal sends to itself)
 *
 * Every exchange is MPI_Irecv, MPI_Send, MPI_Wait. With twice as many columns as rows two neighbours share a
 * segment: the first reduction swaps complementary halves, and everything after it is half as long. */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_cg;

static const struct {
    uint32_t order, nonzeros, iterations;
} classes[] = {{1400, 7, 15},    {7000, 8, 15},      {14000, 11, 15},    {75000, 13, 75},
               {150000, 15, 75}, {1500000, 21, 100}, {9000000, 26, 100}, {54000000, 31, 100}};

#define INNER 25                        /* steps of conjugate gradients */
#define STEPS_PER_ITERATION (INNER + 2) /* those, and what stands before and after them */

struct kernel {
    uint32_t rows, columns, stages; /* 2^stages columns */
    uint64_t order, matvec_flops;   /* of all ranks */
    uint64_t steps;
};

struct place {
    uint32_t row, column, mirror; /* mirror: the rank that the transpose goes to and comes from */
    uint64_t length, half;        /* elements of the row's segment, and those that this rank sends of it */
};

/* Rows are as even as can be, the longer ones first. */
static uint64_t segment(const struct kernel *kernel, uint32_t row)
{
    return kernel->order / kernel->rows + (row < kernel->order % kernel->rows);
}

/* Where a rank stands. With as many columns as rows the mirror of (row, column) is (column, row); with
 * twice as many, pairs of columns count as one, and the two of a pair keep their halves. */
static struct place place_of(const struct kernel *kernel, uint32_t rank)
{
    struct place place = {.row = rank / kernel->columns, .column = rank % kernel->columns};
    uint32_t pair = rank / 2;

    place.length = place.half = segment(kernel, place.row);
    place.mirror = rank % kernel->rows * kernel->rows + rank / kernel->rows;
    if (kernel->columns != kernel->rows) {
        place.half = (place.length + (rank % 2 == 0)) / 2;
        place.mirror = 2 * (pair % kernel->rows * kernel->rows + pair / kernel->rows) + rank % 2;
    }
    return place;
}

/* The other of the two at distance 2^-stage of the row; stages are tagged by their number. */
static uint32_t partner(const struct kernel *kernel, const struct place *place, uint32_t stage)
{
    uint32_t span = kernel->columns >> (stage - 1);
    return place->row * kernel->columns + (place->column + span / 2) % span + place->column / span * span;
}

/* The receive is posted first, so that two ranks can send to each other, or a rank to itself, whatever the
 * protocol. */
static void exchange(struct trace_emitter *emitter, uint32_t peer, uint32_t tag, uint64_t sent,
                     uint64_t received)
{
    uint64_t request = trace_emit_ireceive(emitter, 0, peer, tag, received);
    trace_emit_send(emitter, 0, peer, tag, sent);
    trace_emit_wait(emitter, request);
}

/* A number, or two, summed over the row. */
static void sum(struct trace_emitter *emitter, const struct kernel *kernel, const struct place *place,
                uint64_t bytes)
{
    for (uint32_t stage = 1; stage <= kernel->stages; stage++)
        exchange(emitter, partner(kernel, place, stage), stage, bytes, bytes);
}

/* A product of matrix and vector: the local part, the sum of the row's vectors, the transpose. */
static void multiply(struct trace_emitter *emitter, const struct kernel *kernel, const struct place *place)
{
    uint64_t other = place->length - place->half, bytes = place->half * 8;
    bool split = kernel->columns != kernel->rows;

    trace_emit_compute(emitter, kernel->matvec_flops / trace_emit_ranks(emitter));
    for (uint32_t stage = kernel->stages; stage > 0; stage--)
        exchange(emitter, partner(kernel, place, stage), stage,
                 split && stage == kernel->stages ? other * 8 : bytes, bytes);
    if (kernel->stages > 0) {
        struct place mirror = place_of(kernel, place->mirror);
        exchange(emitter, place->mirror, 1, bytes, mirror.half * 8);
    }
}

/* Operations on the elements of a vector, which all ranks share evenly. */
static void vector_work(struct trace_emitter *emitter, const struct kernel *kernel,
                        uint64_t flops_per_element)
{
    trace_emit_compute(emitter, flops_per_element * kernel->order / trace_emit_ranks(emitter));
}

/* Step 0 of an iteration: the first residual. 1 … 25: matrix by vector, two sums. Then the last residual and
 * the norms. The work is that of the benchmark's own count, 2 · order · (6 + 26 z + 125) with z = nonzeros ·
 * (nonzeros + 1), laid where it is done. */
static void iterate(struct trace_emitter *emitter, const struct kernel *kernel, uint64_t step)
{
    struct place place = place_of(kernel, trace_emit_rank(emitter));

    if (step == 0) {
        vector_work(emitter, kernel, 3);
        sum(emitter, kernel, &place, 8);
        return;
    }
    multiply(emitter, kernel, &place);
    vector_work(emitter, kernel, step <= INNER ? 2 : 3);
    sum(emitter, kernel, &place, 8);
    vector_work(emitter, kernel, step <= INNER ? 6 : 4);
    sum(emitter, kernel, &place, step <= INNER ? 8 : 16);
    vector_work(emitter, kernel, 2);
}

/* The first iteration only warms up; a barrier behind it starts the clock, which is reduced at the end. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;

    if (number == 0)
        trace_emit_collective(emitter, TRACE_BCAST, 0, 0, 4);
    else if (number <= STEPS_PER_ITERATION)
        iterate(emitter, kernel, number - 1);
    else if (number == STEPS_PER_ITERATION + 1)
        trace_emit_collective(emitter, TRACE_BARRIER, 0, 0, 0);
    else if (number + 1 < kernel->steps)
        iterate(emitter, kernel, (number - 2) % STEPS_PER_ITERATION);
    else
        trace_emit_collective(emitter, TRACE_REDUCE, 0, 0, 8);
}

/* Any power of two is legal: rows may be shorter than the grid is wide, as in the benchmark. NULL with a sentence
 * that says what would work. The work is set by --gflops: flops become time in the skeleton. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    int class = trace_generate_class(&trace_generator_cg, options, error);
    uint32_t iterations = class < 0 ? 0 : classes[class].iterations;
    struct trace_skeleton *skeleton;
    struct kernel *kernel;
    uint64_t nonzeros;

    if (class < 0 || trace_generate_keys(&trace_generator_cg, options, "iterations", error) != 0 ||
        trace_generate_iterations(options, &iterations, error) != 0 ||
        trace_generate_ranks(&trace_generator_cg, options, trace_generate_power_of_two, NULL,
                             "a power of two", error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("cg", options, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    kernel = skeleton->kernel;
    nonzeros = classes[class].nonzeros;
    kernel->order = classes[class].order;
    kernel->rows = UINT32_C(1) << trace_generate_log2(options->ranks) / 2;
    kernel->columns = options->ranks / kernel->rows;
    kernel->stages = trace_generate_log2(kernel->columns);
    kernel->matvec_flops = 2 * kernel->order * nonzeros * (nonzeros + 1);
    kernel->steps = 3 + STEPS_PER_ITERATION * (UINT64_C(1) + iterations);
    skeleton->iterations = iterations;
    skeleton->all_iterations = classes[class].iterations;
    return trace_skeleton_finish(skeleton, step, kernel->steps, error);
}

const struct trace_generator trace_generator_cg = {
    "cg", "NPB CG, conjugate gradients: a power of two of ranks. iterations=N", "SWABCDEF", generate,
    BASE_EXACT};
