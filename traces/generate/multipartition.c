/* NPB BT and SP: implicit solvers whose cube is cut into p × p × p cells for p² ranks. Each rank owns p
 * cells, one in every plane of every direction, so that a sweep through a direction keeps all ranks busy at
 * once:
 *
 *      z = 0        z = 1        z = 2          (p = 3: who owns the cell at x, y)
 *      0 1 2        2 0 1        1 2 0          the same six neighbours whatever the plane:
 *      3 4 5   ──►  …                           successor and predecessor in x, y, z
 *
 * An iteration: faces with all six neighbours at once; then x, y, z: forward elimination through the p planes
 * and substitution back, each plane handing on to the next. Only the largest square of the ranks takes part;
 * the others meet them at the last barrier.
 *
 *      setup     split, dup, dup; broadcasts of the parameters
 *      faces     6 × MPI_Irecv, 6 × MPI_Isend, MPI_Waitall of all twelve
 *      a sweep   BT: [Irecv, Wait(send before), Wait(receive)], eliminate, [Isend]      of each of p planes
 *                SP: [Irecv, Waitall(both)], eliminate, [Isend]
 *                forward from the first plane to the last, then back with less to hand on
 *      end       the error, the faces once more, the residual, the time; a barrier of all ranks
 *
 * In brackets: not in the first plane, and not from the last. Messages of BT are as long as its buffers,
 * those of SP as the cell's cross-section without the boundary of the cube.
 */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_bt;
extern const struct trace_generator trace_generator_sp;

#define AXES 3
enum { WORLD, SETUP, SOLVE, FACES }; /* communicators, in the order of their creation */
enum { EAST = 2000, WEST = 3000, NORTH = 4000, SOUTH = 5000, BOTTOM = 6000, TOP = 7000 }; /* tags */

static const uint32_t bt_iterations[] = {60, 200, 200, 200, 200, 250, 250, 250};
static const uint32_t sp_iterations[] = {100, 400, 400, 400, 400, 500, 500, 500};
static const uint32_t bt_sizes[] = {12, 24, 64, 102, 162, 408, 1020, 2560};
static const uint32_t sp_sizes[] = {12, 36, 64, 102, 162, 408, 1020, 2560};

struct kernel {
    bool blocks;                      /* BT: blocks of 5 × 5; SP: five scalar lines */
    uint32_t size, cells, iterations; /* cells: p */
    uint64_t flops;                   /* of an iteration, all ranks */
};

/* ---- where the cells are */

/* Coordinates from 0 of the cell of a rank in a plane of a direction. From one z to the next, x goes up and y
 * down. */
static void cell_at(const struct kernel *kernel, uint32_t rank, uint32_t axis, uint32_t plane,
                    uint32_t cell[AXES])
{
    uint32_t p = kernel->cells, x = rank % p, y = rank / p;
    uint32_t z = axis == 0 ? (plane + p - x) % p : axis == 1 ? (y + p - plane) % p : plane;

    cell[0] = (x + z) % p;
    cell[1] = (y + p - z) % p;
    cell[2] = z;
}

/* Points of the cell number `place` of an axis: as even as can be, the larger ones first. */
static uint64_t extent(const struct kernel *kernel, uint32_t place)
{
    return kernel->size / kernel->cells + (place < kernel->size % kernel->cells);
}

/* Without the points on the boundary of the cube. */
static uint64_t interior(const struct kernel *kernel, uint32_t place)
{
    return extent(kernel, place) - (place == 0) - (place + 1 == kernel->cells);
}

/* Along z one goes down in x and up in y: the cells of a rank lie on a diagonal, and so do those of its
 * successor. */
static uint32_t neighbour(const struct kernel *kernel, uint32_t rank, uint32_t axis, bool successor)
{
    uint32_t p = kernel->cells, forward = successor ? 1 : p - 1, back = p - forward;
    uint32_t x = rank % p, y = rank / p;

    if (axis != 1)
        x = (x + (axis == 0 ? forward : back)) % p;
    if (axis != 0)
        y = (y + forward) % p;
    return x + p * y;
}

/* ---- faces */

/* Two layers of five numbers, of every cell that has a neighbour on that side. */
static uint64_t face_bytes(const struct kernel *kernel, uint32_t rank, uint32_t axis, bool upper)
{
    uint32_t edge = upper ? kernel->cells - 1 : 0;
    uint32_t cell[AXES];
    uint64_t bytes = 0;

    for (uint32_t plane = 0; plane < kernel->cells; plane++) {
        cell_at(kernel, rank, axis, plane, cell);
        if (plane != edge)
            bytes += UINT64_C(80) * extent(kernel, cell[(axis + 1) % AXES]) *
                     extent(kernel, cell[(axis + 2) % AXES]);
    }
    return bytes;
}

/* What comes from a successor is its lower face, tagged by the side it lies on. Six messages each way even where
 * two neighbours are the same rank (p = 2): tags tell them apart. */
static void exchange_faces(struct trace_emitter *emitter, const struct kernel *kernel)
{
    static const uint32_t upper_tag[AXES] = {EAST, NORTH, TOP}, lower_tag[AXES] = {WEST, SOUTH, BOTTOM};
    uint32_t rank = trace_emit_rank(emitter);
    uint64_t first = 0;
    uint64_t request;

    for (uint32_t i = 0; i < 2 * AXES && kernel->cells > 1; i++) {
        uint32_t axis = i / 2, successor = i % 2 == 0;
        request = trace_emit_ireceive(emitter, FACES, neighbour(kernel, rank, axis, successor),
                                      successor ? lower_tag[axis] : upper_tag[axis],
                                      face_bytes(kernel, rank, axis, successor));
        first = i == 0 ? request : first;
    }
    for (uint32_t i = 0; i < 2 * AXES && kernel->cells > 1; i++) {
        uint32_t axis = i / 2, successor = i % 2 == 0;
        trace_emit_isend(emitter, FACES, neighbour(kernel, rank, axis, successor),
                         successor ? upper_tag[axis] : lower_tag[axis],
                         face_bytes(kernel, rank, axis, successor));
    }
    trace_emit_wait_all(emitter, first, kernel->cells > 1 ? 4 * AXES : 0);
}

/* ---- sweeps */

/* BT sends its whole buffers: (⌊n/p⌋ + 1)² blocks; SP what the cell has. */
static uint64_t handed_on(const struct kernel *kernel, const uint32_t cell[AXES], uint32_t axis, bool forward)
{
    uint64_t side = kernel->size / kernel->cells + 1;

    if (kernel->blocks)
        return (forward ? 240 : 40) * side * side;
    return (forward ? 176 : 80) * interior(kernel, cell[(axis + 1) % AXES]) *
           interior(kernel, cell[(axis + 2) % AXES]);
}

/* BT's tags tell the column of cells: the lower of the two other axes counts single, the higher p-fold. */
static uint32_t sweep_tag(const struct kernel *kernel, const uint32_t cell[AXES], uint32_t axis, bool forward)
{
    static const uint32_t tags[AXES][2] = {{EAST, WEST}, {NORTH, SOUTH}, {TOP, BOTTOM}};
    uint32_t low = axis == 0 ? 1 : 0, high = axis == 2 ? 1 : 2;

    return kernel->blocks ? tags[axis][forward] + cell[low] + cell[high] * kernel->cells : 0;
}

/* Through all planes in one direction: receive from the plane before, wait for that and for the last send,
 * work, send on. `sent` is the request of the last send. The last plane's send has no receiver in this sweep, so
 * that there is none; the first plane has no receive. */
static void sweep(struct trace_emitter *emitter, const struct kernel *kernel, uint32_t axis, bool forward,
                  uint64_t flops_per_cell)
{
    uint32_t rank = trace_emit_rank(emitter);
    uint32_t cell[AXES];
    uint32_t to = neighbour(kernel, rank, axis, forward), from = neighbour(kernel, rank, axis, !forward);
    uint64_t sent = 0;

    for (uint32_t stage = 0; stage < kernel->cells; stage++) {
        cell_at(kernel, rank, axis, forward ? stage : kernel->cells - 1 - stage, cell);
        uint64_t bytes = handed_on(kernel, cell, axis, forward);
        uint32_t tag = sweep_tag(kernel, cell, axis, forward);
        if (stage > 0) {
            uint64_t received = trace_emit_ireceive(emitter, SOLVE, from, tag, bytes);
            if (kernel->blocks) {
                trace_emit_wait(emitter, sent);
                trace_emit_wait(emitter, received);
            } else {
                trace_emit_wait_all(emitter, sent, 2);
            }
        }
        trace_emit_compute(emitter, flops_per_cell);
        if (stage + 1 < kernel->cells)
            sent = trace_emit_isend(emitter, SOLVE, to, tag, bytes);
    }
}

/* The model shares an iteration's work out: the right-hand side, with the faces, has a fifth in BT and three
 * tenths in SP; of a direction's solve BT has 85 %, SP 70 % in the elimination. */
static void iterate_part(struct trace_emitter *emitter, const struct kernel *kernel, uint64_t part)
{
    uint64_t mine = kernel->flops / ((uint64_t)kernel->cells * kernel->cells);
    uint64_t right_side = mine * (kernel->blocks ? 20 : 30) / 100;
    uint64_t solve = (mine - right_side) / AXES / kernel->cells;
    uint64_t elimination = solve * (kernel->blocks ? 85 : 70) / 100;

    if (part == 0) {
        exchange_faces(emitter, kernel);
        trace_emit_compute(emitter, right_side);
    } else {
        sweep(emitter, kernel, (uint32_t)part - 1, true, elimination);
        sweep(emitter, kernel, (uint32_t)part - 1, false, solve - elimination);
    }
}

#define PARTS (AXES + UINT64_C(1)) /* steps of an iteration: the faces, and each direction */

/* Two communicators of the same ranks keep sweeps and faces apart. BT has switches for its output besides. */
static void set_up(struct trace_emitter *emitter, const struct kernel *kernel)
{
    static const uint64_t broadcasts[] = {4, 8, 12, 4, 4, 4};

    trace_emit_dup(emitter, SETUP);
    trace_emit_dup(emitter, SETUP);
    for (size_t i = 0; i < (kernel->blocks ? 6 : 4); i++)
        trace_emit_collective(emitter, TRACE_BCAST, SETUP, 0, broadcasts[i]);
}

/* The error, the faces once more for the residual, and the time. */
static void verify(struct trace_emitter *emitter, const struct kernel *kernel)
{
    trace_emit_collective(emitter, TRACE_ALLREDUCE, SETUP, 0, 40);
    iterate_part(emitter, kernel, 0);
    trace_emit_collective(emitter, TRACE_ALLREDUCE, SETUP, 0, 40);
    trace_emit_collective(emitter, TRACE_REDUCE, SETUP, 0, 8);
}

/* 0: setup; an iteration to warm up; the barrier; the iterations; the end. The last step is the barrier of all
 * ranks, also of those that sit out. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;
    uint64_t last = 2 + PARTS * (UINT64_C(1) + kernel->iterations);
    bool active = trace_emit_rank(emitter) < kernel->cells * kernel->cells;

    if (number == 0)
        trace_emit_split(emitter, WORLD);
    if (active && number == 0)
        set_up(emitter, kernel);
    else if (active && number <= PARTS)
        iterate_part(emitter, kernel, number - 1);
    else if (active && number == PARTS + 1)
        trace_emit_collective(emitter, TRACE_BARRIER, SETUP, 0, 0);
    else if (active && number < last)
        iterate_part(emitter, kernel, (number - 2) % PARTS);
    else if (active)
        verify(emitter, kernel);
    if (number == last)
        trace_emit_collective(emitter, TRACE_BARRIER, WORLD, 0, 0);
}

/* ---- constructors */

/* Two layers of faces and the stencils need cells of three points. */
static bool legal(uint32_t ranks, const void *context)
{
    return ranks > 0 && *(const uint32_t *)context / trace_generate_root(ranks) >= 3;
}

/* The benchmarks' own counts, polynomials in n: BT 3478.8 n³ − 17655.7 n² + 28023.7 n, SP 881.174 n³ −
 * 4683.91 n² + 11484.5 n − 19272.4; here in tenths and thousandths. */
static uint64_t count_work(bool blocks, int64_t n)
{
    int64_t bt = ((34788 * n - 176557) * n + 280237) * n / 10;
    int64_t sp = (((881174 * n - 4683910) * n + 11484500) * n - 19272400) / 1000;

    return (uint64_t)(blocks ? bt : sp);
}

/* BT and SP differ in sizes, tags and work, not in shape. Three communicators of the same ranks, since the
 * benchmarks duplicate theirs twice. */
static struct trace_program *generate(const struct trace_generator *generator,
                                      const struct trace_generator_options *options, bool blocks,
                                      struct base_error *error)
{
    int class = trace_generate_class(generator, options, error);
    const uint32_t *sizes = blocks ? bt_sizes : sp_sizes;
    const uint32_t *of_class = blocks ? bt_iterations : sp_iterations;
    uint32_t iterations = class < 0 ? 0 : of_class[class];
    struct trace_skeleton *skeleton;
    struct kernel *kernel;
    uint32_t active;

    if (class < 0 || trace_generate_keys(generator, options, "iterations", error) != 0 ||
        trace_generate_iterations(options, &iterations, error) != 0 ||
        trace_generate_ranks(generator, options, legal, &sizes[class], "cells of at least 3 points a side",
                             error) != 0)
        return NULL;
    skeleton = trace_skeleton_new(generator->name, options, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    kernel = skeleton->kernel;
    *kernel = (struct kernel){.blocks = blocks,
                              .size = sizes[class],
                              .cells = trace_generate_root(options->ranks),
                              .iterations = iterations,
                              .flops = count_work(blocks, sizes[class])};
    skeleton->iterations = iterations;
    skeleton->all_iterations = of_class[class];
    active = kernel->cells * kernel->cells;
    if (trace_skeleton_communicator(skeleton, "comm_setup", 0, 1, active) != UINT32_MAX &&
        trace_skeleton_communicator(skeleton, "comm_solve", 0, 1, active) != UINT32_MAX &&
        trace_skeleton_communicator(skeleton, "comm_rhs", 0, 1, active) != UINT32_MAX)
        return trace_skeleton_finish(skeleton, step, 3 + PARTS * (UINT64_C(1) + kernel->iterations), error);
    base_error_memory(error, "the communicators");
    trace_skeleton_free(skeleton);
    return NULL;
}

/* Blocks of 5 × 5. */
static struct trace_program *generate_bt(const struct trace_generator_options *options,
                                         struct base_error *error)
{
    return generate(&trace_generator_bt, options, true, error);
}

/* Five scalar systems. */
static struct trace_program *generate_sp(const struct trace_generator_options *options,
                                         struct base_error *error)
{
    return generate(&trace_generator_sp, options, false, error);
}

const struct trace_generator trace_generator_bt = {
    "bt",
    "NPB BT, block-tridiagonal solver: any number of ranks, of which the largest square works. "
    "iterations=N",
    "SWABCDEF", generate_bt, BASE_EXACT};
const struct trace_generator trace_generator_sp = {
    "sp",
    "NPB SP, scalar pentadiagonal solver: any number of ranks, of which the largest square works. "
    "iterations=N",
    "SWABCDEF", generate_sp, BASE_EXACT};
