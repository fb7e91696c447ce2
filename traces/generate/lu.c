/* NPB LU: symmetric successive over-relaxation. The x-y plane is cut into rows × columns of ranks; a sweep
 * goes through the planes of z one by one, and in each plane as a wave from the north-west corner of the
 * ranks to the south-east one, or back:
 *
 *      rank = row + rows · column            receive from north, west ─► work ─► send south, east
 *
 * many small blocking messages, of five numbers a point on the edge. Between sweeps the right-hand side needs
 * two layers of the neighbours' whole faces.
 *
 *      setup        broadcasts; faces; the first right-hand side: faces; its norm; a barrier
 *      iteration    n − 2 planes down, n − 2 planes up, the right-hand side: faces
 *      faces        south, north, east, west: MPI_Irecv, MPI_Send, MPI_Wait where there is a neighbour
 *      end          norms, and the integral over the six faces of a box within the grid, whose border values
 *                   are passed on towards the north-west: of the two faces across z by all ranks, of the
 *                   others by the outer columns and rows, which have a face each, or both; each pair with a sum
 *
 * One iteration warms up, its time is reduced, and everything from the first right-hand side on begins anew.
 * The ranks at the edges of the grid lack neighbours: that alone makes the wave.
 */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_lu;

static const uint32_t sizes[] = {12, 33, 64, 102, 162, 408, 1020, 2560};
static const uint32_t iterations[] = {50, 300, 250, 250, 250, 300, 300, 300};

enum { FROM_SOUTH = 1, FROM_NORTH = 2, FROM_EAST = 3, FROM_WEST = 4 }; /* tags */
#define SMALLEST 3                                                     /* points of a rank along x and y */

struct kernel {
    uint32_t size, iterations, rows, columns; /* points of a side; of ranks in the plane */
    uint64_t flops;                           /* of an iteration, all ranks */
};

/* One rank's part. Points as even as can be, the larger parts first; edge: without the boundary of the grid.
 */
struct part {
    uint32_t rank, rows, columns, row, column; /* its place in the plane of ranks */
    uint64_t x, y, z, edge_x, edge_y;          /* points */
    uint64_t flops;                            /* of an iteration */
};

/* As even as can be, the larger parts first. */
static uint64_t share(uint32_t size, uint32_t parts, uint32_t place)
{
    return size / parts + (place < size % parts);
}

/* The boundary of the grid is not swept: ranks at it have a point less along that axis. */
static struct part part_of(const struct kernel *kernel, uint32_t rank)
{
    struct part part = {.rank = rank,
                        .rows = kernel->rows,
                        .columns = kernel->columns,
                        .row = rank % kernel->rows,
                        .column = rank / kernel->rows,
                        .z = kernel->size};

    part.x = share(kernel->size, kernel->rows, part.row);
    part.y = share(kernel->size, kernel->columns, part.column);
    part.edge_x = part.x - (part.row == 0) - (part.row + 1 == part.rows);
    part.edge_y = part.y - (part.column == 0) - (part.column + 1 == part.columns);
    part.flops = kernel->flops / ((uint64_t)kernel->size * kernel->size) * part.x * part.y;
    return part;
}

/* One direction of a swap: what comes from `from` is waited for after `to` has been served. */
static void shift(struct trace_emitter *emitter, bool has_from, uint32_t from, bool has_to, uint32_t to,
                  uint32_t tag, uint64_t bytes)
{
    uint64_t request = has_from ? trace_emit_ireceive(emitter, 0, from, tag, bytes) : 0;

    if (has_to)
        trace_emit_send(emitter, 0, to, tag, bytes);
    if (has_from)
        trace_emit_wait(emitter, request);
}

/* Two layers of faces, southwards and northwards, then eastwards and westwards. */
static void swap_faces(struct trace_emitter *emitter, const struct part *part)
{
    bool north = part->row > 0, south = part->row + 1 < part->rows;
    bool west = part->column > 0, east = part->column + 1 < part->columns;
    uint32_t rank = part->rank, rows = part->rows;

    shift(emitter, north, rank - 1, south, rank + 1, FROM_NORTH, 80 * part->y * part->z);
    shift(emitter, south, rank + 1, north, rank - 1, FROM_SOUTH, 80 * part->y * part->z);
    shift(emitter, west, rank - rows, east, rank + rows, FROM_WEST, 80 * part->x * part->z);
    shift(emitter, east, rank + rows, west, rank - rows, FROM_EAST, 80 * part->x * part->z);
}

/* One plane of a sweep: down from the north-west, or up from the south-east. The work of a plane is 35 % of the
 * iteration's over the inner planes, for each of the two sweeps. */
static void plane(struct trace_emitter *emitter, const struct part *part, bool down)
{
    uint32_t rank = part->rank, rows = part->rows;
    uint32_t before_row = down ? rank - 1 : rank + 1, after_row = down ? rank + 1 : rank - 1;
    uint32_t before_column = down ? rank - rows : rank + rows;
    uint32_t after_column = down ? rank + rows : rank - rows;
    bool first_row = part->row == (down ? 0 : rows - 1), last_row = part->row == (down ? rows - 1 : 0);
    bool first_column = part->column == (down ? 0 : part->columns - 1);
    bool last_column = part->column == (down ? part->columns - 1 : 0);
    uint32_t row_tag = down ? FROM_NORTH : FROM_SOUTH, column_tag = down ? FROM_WEST : FROM_EAST;

    if (!first_row)
        trace_emit_receive(emitter, 0, before_row, row_tag, 40 * part->edge_y);
    if (!first_column)
        trace_emit_receive(emitter, 0, before_column, column_tag, 40 * part->edge_x);
    trace_emit_compute(emitter, part->flops * 35 / 100 / (part->z - 2));
    if (!last_row)
        trace_emit_send(emitter, 0, after_row, row_tag, 40 * part->edge_y);
    if (!last_column)
        trace_emit_send(emitter, 0, after_column, column_tag, 40 * part->edge_x);
}

/* Needs two layers from all four sides. */
static void right_side(struct trace_emitter *emitter, const struct part *part)
{
    swap_faces(emitter, part);
    trace_emit_compute(emitter, part->flops * 30 / 100);
}

/* Over all ranks. */
static void sum(struct trace_emitter *emitter, uint64_t bytes)
{
    trace_emit_collective(emitter, TRACE_ALLREDUCE, 0, 0, bytes);
}

/* A message from one edge of the ranks to the other, without overlap. */
static void pass_on(struct trace_emitter *emitter, bool has_from, uint32_t from, bool has_to, uint32_t to,
                    uint32_t tag, uint64_t bytes)
{
    if (has_from)
        trace_emit_wait(emitter, trace_emit_ireceive(emitter, 0, from, tag, bytes));
    if (has_to)
        trace_emit_send(emitter, 0, to, tag, bytes);
}

/* The error, and the surface integral over three pairs of faces. A rank that is first and last in its row or
 * column has both faces of a pair, one after the other. */
static void verify(struct trace_emitter *emitter, const struct part *part)
{
    bool north = part->row > 0, south = part->row + 1 < part->rows;
    bool west = part->column > 0, east = part->column + 1 < part->columns;
    uint32_t rank = part->rank, rows = part->rows;

    sum(emitter, 8);
    sum(emitter, 40);
    pass_on(emitter, east, rank + rows, west, rank - rows, FROM_EAST, 16 * part->x);
    pass_on(emitter, south, rank + 1, north, rank - 1, FROM_SOUTH, 16 * (part->y + 2));
    sum(emitter, 8);
    for (int faces = !west + !east; faces > 0; faces--)
        pass_on(emitter, south, rank + 1, north, rank - 1, FROM_SOUTH, 8 * part->z);
    sum(emitter, 8);
    for (int faces = !north + !south; faces > 0; faces--)
        pass_on(emitter, east, rank + rows, west, rank - rows, FROM_EAST, 8 * part->z);
    sum(emitter, 8);
}

/* The parameters, and the forcing term, whose derivation needs the neighbours once. */
static void set_up(struct trace_emitter *emitter, const struct part *part)
{
    static const uint64_t broadcasts[] = {4, 4, 4, 8, 8, 40, 4, 4, 4, 4};

    for (size_t i = 0; i < sizeof broadcasts / sizeof *broadcasts; i++)
        trace_emit_collective(emitter, TRACE_BCAST, 0, 0, broadcasts[i]);
    swap_faces(emitter, part);
}

/* The first right-hand side, its norm, and the start of the clock. */
static void start(struct trace_emitter *emitter, const struct part *part)
{
    right_side(emitter, part);
    sum(emitter, 40);
    trace_emit_collective(emitter, TRACE_BARRIER, 0, 0, 0);
}

/* An iteration is two sweeps over the inner planes, one step a plane, and a last step for the right-hand
 * side. The norms are taken in the last of the iterations that count. */
static void iterate(struct trace_emitter *emitter, const struct kernel *kernel, const struct part *part,
                    uint64_t step, bool last)
{
    uint64_t planes = kernel->size - 2;

    if (step < 2 * planes) {
        plane(emitter, part, step < planes);
        return;
    }
    if (last)
        sum(emitter, 40);
    right_side(emitter, part);
    if (last)
        sum(emitter, 40);
}

/* 0: setup; one iteration to warm up, and its time; then the solver anew. Steps in order: setup, one iteration to
 * warm up, its time, all iterations, the check. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;
    const struct part part = part_of(kernel, trace_emit_rank(emitter));
    uint64_t length = 2 * (UINT64_C(1) * kernel->size - 2) + 1, counted = length * kernel->iterations;

    if (number == 0) {
        set_up(emitter, &part);
        start(emitter, &part);
    } else if (number <= length) {
        iterate(emitter, kernel, &part, number - 1, false);
    } else if (number == length + 1) {
        sum(emitter, 8);
        start(emitter, &part);
    } else if (number < length + 2 + counted) {
        uint64_t place = number - length - 2;
        iterate(emitter, kernel, &part, place % length, place / length + 1 == kernel->iterations);
    } else {
        verify(emitter, &part);
    }
}

/* The divisor nearest below the root gives the columns; rows are at most twice as many. 0: there is none. */
static uint32_t columns_of(uint32_t ranks)
{
    uint32_t columns = trace_generate_root(ranks);

    while (columns > 0 && ranks % columns != 0)
        columns--;
    return columns > 0 && 2 * columns >= ranks / columns ? columns : 0;
}

/* The benchmark stops below three points a side. */
static bool legal(uint32_t ranks, const void *context)
{
    uint32_t columns = columns_of(ranks);
    return columns > 0 && *(const uint32_t *)context / (ranks / columns) >= SMALLEST;
}

/* The benchmark's own count: 1984.77 n³ − 10923.3 n² + 27770.9 n − 144010 for an iteration; here in
 * hundredths. */
static uint64_t count_work(int64_t n)
{
    return (uint64_t)((((198477 * n - 1092330) * n + 2777090) * n - 14401000) / 100);
}

/* A step is a plane, so that a cursor holds at most five operations. NULL with a sentence that says what would
 * work. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    int class = trace_generate_class(&trace_generator_lu, options, error);
    uint32_t played = class < 0 ? 0 : iterations[class];
    struct trace_skeleton *skeleton;
    struct kernel *kernel;
    uint64_t length;

    if (class < 0 || trace_generate_keys(&trace_generator_lu, options, "iterations", error) != 0 ||
        trace_generate_iterations(options, &played, error) != 0 ||
        trace_generate_ranks(
            &trace_generator_lu, options, legal, &sizes[class],
            "rows times columns with at most twice as many rows as columns, and 3 points a side for "
            "each rank",
            error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("lu", options, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    kernel = skeleton->kernel;
    kernel->size = sizes[class];
    kernel->iterations = skeleton->iterations = played;
    skeleton->all_iterations = iterations[class];
    kernel->columns = columns_of(options->ranks);
    kernel->rows = options->ranks / kernel->columns;
    kernel->flops = count_work(kernel->size);
    length = 2 * (UINT64_C(1) * kernel->size - 2) + 1;
    return trace_skeleton_finish(skeleton, step, 3 + length * (UINT64_C(1) + kernel->iterations), error);
}

const struct trace_generator trace_generator_lu = {
    "lu", "NPB LU, a wave of small messages: rows times columns of ranks, at most 2 to 1. iterations=N",
    "SWABCDEF", generate, BASE_EXACT};
