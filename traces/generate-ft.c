/* NPB FT: a 3-D Fourier transform whose pencils are turned by all-to-alls.
 *
 *      ranks ≤ nz   slabs: one all-to-all among all ranks for each transform
 *      ranks > nz   pencils on a grid of nz × ranks/nz: one among the ranks of a column, one among those of a
 * row; the inverse transform has them in the other order 1 rank       no all-to-all
 *
 *      rank = row · columns + column; slice 1: the ranks of a row, slice 2: those of a column
 * (MPI_Comm_split, twice)
 *
 * A transform of the initial state warms up; then one forward, and one inverse with a checksum in each
 * iteration. */
#include "traces/generate-internal.h"

extern const struct trace_generator trace_generator_ft;

static const struct {
    uint32_t log_x, log_y, log_z, iterations;
} classes[] = {{6, 6, 6, 6},  {7, 7, 5, 6},     {8, 8, 7, 6},     {9, 8, 8, 20},
               {9, 9, 9, 20}, {11, 10, 10, 25}, {12, 11, 11, 25}, {13, 12, 12, 25}};

#define BROADCASTS 5 /* of the parameters */

struct kernel {
    uint32_t rows, columns, iterations, first_row, first_column; /* first_: indices of communicators */
    uint64_t bytes;                                              /* of the whole field */
    uint64_t transform_flops, evolve_flops;                      /* of one rank */
};

/* A share of bytes for each of the ranks that take part. */
static void turn(struct trace_emitter *emitter, const struct kernel *kernel, bool row)
{
    uint32_t rank = trace_emit_rank(emitter), size = row ? kernel->columns : kernel->rows;
    uint32_t communicator =
        row ? kernel->first_row + rank / kernel->columns : kernel->first_column + rank % kernel->columns;

    trace_emit_collective(emitter, TRACE_ALLTOALL, communicator, 0,
                          kernel->bytes / trace_emit_ranks(emitter) / size);
}

/* A third of the work is along each axis; between axes that are not whole on a rank, the field is turned.
 * With slabs the first two axes are. */
static void transform(struct trace_emitter *emitter, const struct kernel *kernel, bool forward)
{
    uint64_t third = kernel->transform_flops / 3;
    bool slabs = kernel->rows == 1, single = slabs && kernel->columns == 1;

    trace_emit_compute(emitter, slabs && forward ? 2 * third : third);
    if (!single)
        turn(emitter, kernel, slabs || !forward);
    if (!slabs) {
        trace_emit_compute(emitter, third);
        turn(emitter, kernel, forward);
    }
    trace_emit_compute(emitter, slabs && !forward ? 2 * third : third);
}

/* 0: setup and warm-up; 1: the forward transform behind the barrier; then the iterations. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;

    if (number == 0) {
        for (int i = 0; i < BROADCASTS; i++)
            trace_emit_collective(emitter, TRACE_BCAST, 0, 0, 4);
        trace_emit_split(emitter, 0);
        trace_emit_split(emitter, 0);
        transform(emitter, kernel, true);
        trace_emit_collective(emitter, TRACE_BARRIER, 0, 0, 0);
        return;
    }
    if (number == 1) {
        transform(emitter, kernel, true);
        return;
    }
    trace_emit_compute(emitter, kernel->evolve_flops);
    transform(emitter, kernel, false);
    trace_emit_collective(emitter, TRACE_REDUCE, 0, 0, 16);
}

/* In pencils, rows = nz and columns = ranks / nz must both divide the axes that they cut: at most nz of
 * each. */
static bool legal(uint32_t ranks, const void *context)
{
    const int class = *(const int *)context;
    uint32_t log = trace_generate_log2(ranks);

    return trace_generate_power_of_two(ranks, NULL) && log <= 2 * classes[class].log_z;
}

/* The slices: rows of the grid of ranks, then its columns. */
static int add_slices(struct trace_skeleton *skeleton, struct kernel *kernel)
{
    kernel->first_row = skeleton->program.communicator_count;
    for (uint32_t row = 0; row < kernel->rows; row++)
        if (trace_skeleton_communicator(skeleton, "commslice1", row * kernel->columns, 1, kernel->columns) ==
            UINT32_MAX)
            return -1;
    kernel->first_column = skeleton->program.communicator_count;
    for (uint32_t column = 0; column < kernel->columns; column++)
        if (trace_skeleton_communicator(skeleton, "commslice2", column, kernel->columns, kernel->rows) ==
            UINT32_MAX)
            return -1;
    return 0;
}

/* The benchmark counts n · (14.8157 + 7.19641 ln n + iterations · (5.23518 + 7.21113 ln n)) operations for n
 * points: in units of 10⁻⁵, with n a power of two, so that no logarithm is taken. Of an iteration the part
 * without the logarithm is the evolution and the checksum; a transform is what comes with it. */
static void count_work(struct kernel *kernel, uint32_t log_points, uint32_t ranks)
{
    const double log = 0.69314718055994530942 * log_points;
    const double points = (double)(UINT64_C(1) << log_points) / ranks;

    kernel->evolve_flops = (uint64_t)(5.23518 * points);
    kernel->transform_flops = (uint64_t)(7.21113 * log * points);
}

/* The shortest axis is z in every class, so that it decides the layout. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    int class = trace_generate_class(&trace_generator_ft, options, error);
    struct trace_skeleton *skeleton;
    struct kernel *kernel;
    uint32_t planes, log_points;

    if (class < 0 || trace_generate_keys(&trace_generator_ft, options, "", error) != 0 ||
        trace_generate_ranks(&trace_generator_ft, options, legal, &class,
                             "a power of two that is at most nz squared", error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("ft", options, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    kernel = skeleton->kernel;
    planes = UINT32_C(1) << classes[class].log_z;
    log_points = classes[class].log_x + classes[class].log_y + classes[class].log_z;
    kernel->rows = options->ranks <= planes ? 1 : planes;
    kernel->columns = options->ranks / kernel->rows;
    kernel->iterations = classes[class].iterations;
    kernel->bytes = UINT64_C(16) << log_points;
    count_work(kernel, log_points, options->ranks);
    if (add_slices(skeleton, kernel) == 0)
        return trace_skeleton_finish(skeleton, step, UINT64_C(2) + kernel->iterations, error);
    base_error_memory(error, "the communicators");
    trace_skeleton_free(skeleton);
    return NULL;
}

const struct trace_generator trace_generator_ft = {
    "ft", "NPB FT, a 3-D Fourier transform: a power of two of ranks, at most nz squared", "SWABCDEF",
    generate};
