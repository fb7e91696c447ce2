/* NPB FT: a 3-D Fourier transform whose pencils are turned by all-to-alls.
 *
 *      ranks ≤ nz   slabs: one all-to-all among all ranks for each transform
 *      ranks > nz   pencils on a grid of nz × ranks/nz: one among the ranks of a column, one among those of a row;
 *                   the inverse transform has them in the other order
 *      1 rank       no all-to-all
 *
 *      rank = row · columns + column; slice 1: the ranks of a row, slice 2: those of a column (MPI_Comm_split,
 *      twice)
 *
 * `layout` sets the grid, as the benchmark's input file does: 1d (slabs), 2d (pencils on the most even grid),
 * or its rows and columns.
 *
 * A transform of the initial state warms up; then one forward, and one inverse with a checksum in each
 * iteration. */
#include "traces/generate/internal.h"

#include <string.h>

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

/* 0: setup and warm-up; 1: the forward transform behind the barrier; then the iterations. The checksum of an
 * iteration is a reduction of 16 bytes to rank 0. */
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

/* The grid of ranks that is asked for. */
struct layout {
    int class; /* index in the tables of classes */
    enum { DEFAULT, SLABS, PENCILS, GIVEN } kind;
    uint32_t sides[2]; /* GIVEN: rows, columns */
};

/* Rows and columns in powers of two. Rows cut the axes x and y, columns y and z, in one plane at least for
 * each rank. A grid of one row is one of slabs. False: the ranks do not fit the layout. `rows` and `columns` are
 * filled in any case. */
static bool find_grid(const struct layout *layout, uint32_t ranks, uint32_t *rows, uint32_t *columns)
{
    uint32_t planes = UINT32_C(1) << classes[layout->class].log_z; /* the shortest axis in every class */
    uint32_t width = UINT32_C(1) << classes[layout->class].log_y;  /* not longer than x */

    if (!trace_generate_power_of_two(ranks, NULL))
        return false;
    switch (layout->kind) {
    case DEFAULT:
        *rows = ranks <= planes ? 1 : planes;
        break;
    case SLABS:
        *rows = 1;
        break;
    case PENCILS:
        *rows = UINT32_C(1) << (trace_generate_log2(ranks) + 1) / 2;
        break;
    case GIVEN:
        *rows = layout->sides[0];
        break;
    }
    if (ranks % *rows != 0 || (layout->kind == GIVEN && ranks / *rows != layout->sides[1]) ||
        (layout->kind == PENCILS && *rows == 1))
        return false;
    *columns = ranks / *rows;
    return *rows <= width && *columns <= planes;
}

/* The rule of trace_generate_ranks: there is a grid for so many ranks. */
static bool legal(uint32_t ranks, const void *context)
{
    uint32_t rows, columns;
    return find_grid(context, ranks, &rows, &columns);
}

/* The value of the key is a word or a grid. Absent: the default. -1: neither a word nor two powers of two. */
static int read_layout(const struct trace_generator_options *options, struct layout *layout,
                       struct base_error *error)
{
    char room[TRACE_PARAMETER_ROOM];
    const char *text = trace_generate_text(options, "layout", room);

    if (text == NULL)
        return 0;
    if (strcmp(text, "1d") == 0 || strcmp(text, "2d") == 0) {
        layout->kind = text[0] == '1' ? SLABS : PENCILS;
        return 0;
    }
    layout->kind = GIVEN;
    if (trace_generate_shape(options, "layout", 2, layout->sides, NULL) == 0 &&
        trace_generate_power_of_two(layout->sides[0], NULL) &&
        trace_generate_power_of_two(layout->sides[1], NULL))
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "layout=%s: needs 1d, 2d, or rows and columns in powers of two, such as 4x8", text);
}

/* What the ranks must be, for messages. */
static const char *rule_of(const struct layout *layout)
{
    switch (layout->kind) {
    case SLABS:
        return "a power of two that is at most nz (layout=1d)";
    case PENCILS:
        return "a power of two from 2 on, whose most even grid has at most ny rows and nz columns "
               "(layout=2d)";
    case GIVEN:
        return "the product of the layout's rows, at most ny, and columns, at most nz";
    default:
        return "a power of two that is at most nz squared";
    }
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

/* The shortest axis is z in every class, so that it decides the layout by default. Slices of the grid are
 * communicators of their own, made by two splits in the first step. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    int class = trace_generate_class(&trace_generator_ft, options, error);
    uint32_t iterations = class < 0 ? 0 : classes[class].iterations;
    struct layout layout = {.class = class};
    struct trace_skeleton *skeleton;
    struct kernel *kernel;
    uint32_t log_points;

    if (class < 0 || trace_generate_keys(&trace_generator_ft, options, "layout iterations", error) != 0 ||
        trace_generate_iterations(options, &iterations, error) != 0 ||
        read_layout(options, &layout, error) != 0 ||
        trace_generate_ranks(&trace_generator_ft, options, legal, &layout, rule_of(&layout), error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("ft", options, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    kernel = skeleton->kernel;
    log_points = classes[class].log_x + classes[class].log_y + classes[class].log_z;
    find_grid(&layout, options->ranks, &kernel->rows, &kernel->columns);
    kernel->iterations = skeleton->iterations = iterations;
    skeleton->all_iterations = classes[class].iterations;
    kernel->bytes = UINT64_C(16) << log_points;
    count_work(kernel, log_points, options->ranks);
    if (add_slices(skeleton, kernel) == 0)
        return trace_skeleton_finish(skeleton, step, UINT64_C(2) + kernel->iterations, error);
    base_error_memory(error, "the communicators");
    trace_skeleton_free(skeleton);
    return NULL;
}

const struct trace_generator trace_generator_ft = {
    "ft",
    "NPB FT, a 3-D Fourier transform: a power of two of ranks, at most nz squared. layout=1d|2d|ROWSxCOLUMNS "
    "iterations=N",
    "SWABCDEF", generate, BASE_EXACT};
