/* NPB MG: V-cycles of multigrid on a periodic cube, cut into x × y × z ranks (powers of two, z the largest).
 *
 *      level   finest ────────────► coarsest ────────────► finest
 *              restrict, swap faces       interpolate, [wake ranks], residual, swap faces, smooth, swap faces
 *
 * Below the level where a dimension has fewer planes than ranks, every second rank of it holds nothing and
 * takes no part ("asleep"): its neighbours talk over it, twice as far away. On the way back those that hold a
 * plane send it on to those that wake. Swapping faces is, axis after axis: two MPI_Irecv, two MPI_Send, two
 * MPI_Wait.
 *
 * Only the largest power of two of the ranks takes part; the others leave after MPI_Comm_split.
 *
 *      setup          split; broadcasts; the charges: 20 × (allreduce 8 B, allreduce 16 B), faces of the finest
 *                     level
 *      a cycle        restrict to levels n − 1 … 1, smooth level 1, then for levels 2 … n:
 *                     interpolate, wake, residual, smooth; residual of the finest level
 *      faces          8 (y − 2)(z − 2), then 8 x (z − 2), then 8 x y bytes, with x, y, z the planes and their
 *                     ghosts: what was swapped along an axis before goes along
 *      waking         a whole face down, two whole faces up
 *
 * A rank is asleep on a level when it has no plane along some axis; it still wakes axis by axis.
 */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_mg;

#define LEVELS_MAX 12
#define AXES 3
#define WORK 1 /* the communicator of those that take part */

static const struct {
    uint32_t levels, iterations;
} classes[] = {{5, 4}, {7, 4}, {8, 4}, {8, 20}, {9, 20}, {10, 50}, {11, 50}, {12, 50}};

/* Operations for each point of the result, as the algorithm has them; in thousandths, raised by 2.3 % so that
 * an iteration has the 58 n³ which the benchmark counts. */
enum { RESIDUAL_FLOPS = 15345, SMOOTH_FLOPS = 16368, RESTRICT_FLOPS = 24552, INTERPOLATE_FLOPS = 20460 };

struct kernel {
    uint32_t active, levels, iterations; /* active: ranks that take part, a power of two */
    uint32_t ranks[AXES];                /* of which the active ones are the product */
};

/* A level as one rank sees it. */
struct level {
    uint32_t planes[AXES];             /* with two ghosts; 2: asleep */
    uint32_t below[AXES], above[AXES]; /* the nearest ranks that are awake */
    bool wakes[AXES], feeds[AXES];     /* on the way back: takes its plane, gives one to whoever wakes */
    bool asleep;                       /* without a plane along some axis */
};

struct rank_view {
    const struct kernel *kernel;         /* borrowed */
    struct level levels[LEVELS_MAX + 1]; /* [1] is the coarsest */
};

/* Planes of `size` that fall on a place of a dimension cut over `ranks`, with ghosts. Places beyond the end
 * go on in the same rhythm. */
static uint32_t planes_at(uint64_t place, uint64_t size, uint64_t ranks)
{
    return (uint32_t)(2 + (place + 1) * size / ranks - place * size / ranks);
}

/* One axis of all levels, from the finest down. `reach`: how far away the next rank that is awake stands. A
 * plane is handed on between the level where both had one and the next. `rank - place * stride` is the rank at
 * place 0 of this line; neighbours are at the same places of it. */
static void view_axis(struct rank_view *view, uint32_t axis, uint32_t place, uint32_t rank, uint32_t stride)
{
    uint32_t ranks = view->kernel->ranks[axis], reach = 1, base = rank - place * stride;

    for (uint32_t k = view->kernel->levels; k >= 1; k--) {
        struct level *level = &view->levels[k];
        uint64_t size = UINT64_C(1) << k;
        uint32_t mine = planes_at(place, size, ranks), next = planes_at((uint64_t)place + reach, size, ranks);
        if (mine == 2 || next == 2)
            reach *= 2;
        if (k < view->kernel->levels) {
            view->levels[k + 1].feeds[axis] = next == 2 && mine == 3;
            view->levels[k + 1].wakes[axis] = next == 3 && mine == 2;
        }
        level->planes[axis] = mine;
        level->asleep |= mine == 2;
        level->above[axis] = base + (place + reach) % ranks * stride;
        level->below[axis] = base + (place + ranks - reach % ranks) % ranks * stride;
    }
}

/* Cheap enough to be made anew for each step: a few operations a level and axis. */
static void view_rank(struct rank_view *view, const struct kernel *kernel, uint32_t rank)
{
    uint32_t stride = 1, left = rank;

    *view = (struct rank_view){.kernel = kernel};
    for (uint32_t axis = 0; axis < AXES; axis++) {
        view_axis(view, axis, left % kernel->ranks[axis], rank, stride);
        left /= kernel->ranks[axis];
        stride *= kernel->ranks[axis];
    }
}

/* The benchmark's tags: 100 (direction + 2 + 10 axis), with direction −1. */
static uint32_t tag_down(uint32_t axis)
{
    return 100 * (1 + 10 * (axis + 1));
}

/* The same with direction +1. */
static uint32_t tag_up(uint32_t axis)
{
    return 100 * (3 + 10 * (axis + 1));
}

/* Bytes of the face across an axis: with the ghosts of the axes that were swapped before. `whole`: with all
 * ghosts. */
static uint64_t face(const struct level *level, uint32_t axis, bool whole)
{
    uint64_t bytes = 8;

    for (uint32_t other = 0; other < AXES; other++)
        if (other != axis)
            bytes *= level->planes[other] - (whole || other < axis ? 0u : 2u);
    return bytes;
}

/* Both receives are posted first; what goes down comes from above. */
static uint64_t receive_both(struct trace_emitter *emitter, const struct level *level, uint32_t axis,
                             uint64_t from_above, uint64_t from_below)
{
    uint64_t first = trace_emit_ireceive(emitter, WORK, level->above[axis], tag_down(axis), from_above);

    trace_emit_ireceive(emitter, WORK, level->below[axis], tag_up(axis), from_below);
    return first;
}

/* Up first, as the receives are posted for what comes from there last. */
static void send_both(struct trace_emitter *emitter, const struct level *level, uint32_t axis, uint64_t up,
                      uint64_t down)
{
    trace_emit_send(emitter, WORK, level->above[axis], tag_up(axis), up);
    trace_emit_send(emitter, WORK, level->below[axis], tag_down(axis), down);
}

/* Two calls of MPI_Wait, not one of MPI_Waitall. */
static void wait_both(struct trace_emitter *emitter, uint64_t first)
{
    trace_emit_wait(emitter, first);
    trace_emit_wait(emitter, first + 1);
}

/* One axis after the other, so that corners travel in two or three hops within the faces. */
static void swap_faces(struct trace_emitter *emitter, const struct rank_view *view, uint32_t k)
{
    const struct level *level = &view->levels[k];

    if (view->kernel->active == 1 || level->asleep)
        return;
    for (uint32_t axis = 0; axis < AXES; axis++) {
        uint64_t bytes = face(level, axis, false), first = receive_both(emitter, level, axis, bytes, bytes);
        send_both(emitter, level, axis, bytes, bytes);
        wait_both(emitter, first);
    }
}

/* After interpolation: upwards go two planes, the last and its ghost, downwards the first. */
static void wake(struct trace_emitter *emitter, const struct rank_view *view, uint32_t k)
{
    const struct level *level = &view->levels[k];

    for (uint32_t axis = 0; axis < AXES && view->kernel->active > 1; axis++) {
        uint64_t bytes = face(level, axis, true);
        if (level->wakes[axis])
            wait_both(emitter, receive_both(emitter, level, axis, bytes, 2 * bytes));
        if (level->feeds[axis])
            send_both(emitter, level, axis, 2 * bytes, bytes);
    }
}

/* Work on the points of a level that are this rank's own. */
static void work(struct trace_emitter *emitter, const struct rank_view *view, uint32_t k,
                 uint64_t thousandths)
{
    uint64_t points = 1;

    for (uint32_t axis = 0; axis < AXES; axis++)
        points *= view->levels[k].planes[axis] - 2;
    trace_emit_compute(emitter, points * thousandths / 1000);
}

/* Every operator but interpolation ends like this. */
static void work_and_swap(struct trace_emitter *emitter, const struct rank_view *view, uint32_t k,
                          uint64_t thousandths)
{
    work(emitter, view, k, thousandths);
    swap_faces(emitter, view, k);
}

/* A V-cycle, and the residual that tells what is left. */
static void cycle(struct trace_emitter *emitter, const struct rank_view *view)
{
    uint32_t finest = view->kernel->levels;

    for (uint32_t k = finest - 1; k >= 1; k--)
        work_and_swap(emitter, view, k, RESTRICT_FLOPS);
    work_and_swap(emitter, view, 1, SMOOTH_FLOPS);
    for (uint32_t k = 2; k <= finest; k++) {
        work(emitter, view, k - 1, INTERPOLATE_FLOPS);
        wake(emitter, view, k);
        work_and_swap(emitter, view, k, RESIDUAL_FLOPS);
        work_and_swap(emitter, view, k, SMOOTH_FLOPS);
    }
    work_and_swap(emitter, view, finest, RESIDUAL_FLOPS);
}

/* The largest, and the sum of squares. */
static void norms(struct trace_emitter *emitter)
{
    trace_emit_collective(emitter, TRACE_ALLREDUCE, WORK, 0, 8);
    trace_emit_collective(emitter, TRACE_ALLREDUCE, WORK, 0, 8);
}

/* The right-hand side: the ten largest and the ten smallest of random numbers are found one after the other.
 */
static void charges(struct trace_emitter *emitter, const struct rank_view *view)
{
    trace_emit_collective(emitter, TRACE_BARRIER, WORK, 0, 0);
    for (int i = 0; i < 20; i++) {
        trace_emit_collective(emitter, TRACE_ALLREDUCE, WORK, 0, 8);
        trace_emit_collective(emitter, TRACE_ALLREDUCE, WORK, 0, 16);
    }
    trace_emit_collective(emitter, TRACE_BARRIER, WORK, 0, 0);
    swap_faces(emitter, view, view->kernel->levels);
}

/* Parameters are sent one by one; 32 bytes are the eight switches for debugging. */
static void set_up(struct trace_emitter *emitter, const struct rank_view *view)
{
    static const uint64_t broadcasts[] = {4, 4, 4, 4, 4, 32, 4};

    trace_emit_collective(emitter, TRACE_BARRIER, WORK, 0, 0);
    for (size_t i = 0; i < sizeof broadcasts / sizeof *broadcasts; i++)
        trace_emit_collective(emitter, TRACE_BCAST, WORK, 0, broadcasts[i]);
    charges(emitter, view);
    norms(emitter);
    work_and_swap(emitter, view, view->kernel->levels, RESIDUAL_FLOPS);
    norms(emitter);
}

/* 0: setup. 1: a cycle to warm up, and the charges anew. 2: the clock starts. Then the cycles, and the norms.
 * Ranks that sit out have one operation, the split, and then empty steps. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;
    struct rank_view view;

    if (number == 0)
        trace_emit_split(emitter, 0);
    if (trace_emit_rank(emitter) >= kernel->active)
        return;
    view_rank(&view, kernel, trace_emit_rank(emitter));
    if (number == 0) {
        set_up(emitter, &view);
    } else if (number == 2) {
        trace_emit_collective(emitter, TRACE_BARRIER, WORK, 0, 0);
        work_and_swap(emitter, &view, kernel->levels, RESIDUAL_FLOPS);
        norms(emitter);
    } else if (number < 3 + kernel->iterations) {
        cycle(emitter, &view);
        if (number == 1)
            charges(emitter, &view);
    } else {
        norms(emitter);
        trace_emit_collective(emitter, TRACE_REDUCE, WORK, 0, 8);
    }
}

/* The largest power of two is cut into thirds of its exponent, what is left over going to the last axis. */
static void cut(uint32_t ranks, uint32_t sides[AXES])
{
    uint32_t log = trace_generate_log2(ranks), x = log / 3, y = (log - x) / 2;

    sides[0] = UINT32_C(1) << x;
    sides[1] = UINT32_C(1) << y;
    sides[2] = UINT32_C(1) << (log - x - y);
}

/* The last axis has the most ranks. */
static bool legal(uint32_t ranks, const void *context)
{
    uint32_t levels = *(const uint32_t *)context;
    uint32_t sides[AXES];

    cut(ranks, sides);
    return ranks > 0 && trace_generate_log2(sides[2]) <= levels;
}

/* Ranks beyond the largest power of two are in MPI_COMM_WORLD only. Communicator 1 (WORK) is of the ranks that
 * take part. */
static struct trace_program *generate(const struct trace_generator_options *options, struct base_error *error)
{
    int class = trace_generate_class(&trace_generator_mg, options, error);
    uint32_t iterations = class < 0 ? 0 : classes[class].iterations;
    struct trace_skeleton *skeleton;
    struct kernel *kernel;

    if (class < 0 || trace_generate_keys(&trace_generator_mg, options, "iterations", error) != 0 ||
        trace_generate_iterations(options, &iterations, error) != 0 ||
        trace_generate_ranks(&trace_generator_mg, options, legal, &classes[class].levels,
                             "no more ranks along an axis than the grid has planes", error) != 0)
        return NULL;
    skeleton = trace_skeleton_new("mg", options, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    kernel = skeleton->kernel;
    kernel->active = UINT32_C(1) << trace_generate_log2(options->ranks);
    kernel->levels = classes[class].levels;
    kernel->iterations = skeleton->iterations = iterations;
    skeleton->all_iterations = classes[class].iterations;
    cut(kernel->active, kernel->ranks);
    if (trace_skeleton_communicator(skeleton, "comm_work", 0, 1, kernel->active) != UINT32_MAX)
        return trace_skeleton_finish(skeleton, step, UINT64_C(4) + kernel->iterations, error);
    base_error_memory(error, "the communicators");
    trace_skeleton_free(skeleton);
    return NULL;
}

const struct trace_generator trace_generator_mg = {
    "mg", "NPB MG, multigrid: any number of ranks, of which the largest power of two works. iterations=N",
    "SWABCDEF", generate, BASE_EXACT};
