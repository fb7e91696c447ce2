/* Patterns: waves through a grid of rows × columns of ranks, as in sweeps over upwind differences.
 *
 *      wavefront   from one corner to the opposite one, in `planes` blocks one after the other
 *      sweep       from all four corners, twice each (the eight octants of Koch, Baker and Alcouffe's algorithm for
 *                  discrete ordinates, 1992), in `planes` blocks each
 *
 * A rank receives from the rank before it in its row and in its column, works, and sends to those behind it;
 * all calls block. The message of an octant is tagged by the octant's number. */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_wavefront;
extern const struct trace_generator trace_generator_sweep;

struct kernel {
    uint32_t sides[2];                         /* ranks along both axes of the plane */
    uint32_t octants;                          /* sweeps of an iteration */
    uint64_t iterations, planes, bytes, flops; /* flops: of a rank in an iteration */
};

/* The rank before (or behind) along an axis; false at the edge. Bit `axis` of the octant turns the direction
 * round. */
static bool next_along(const struct kernel *kernel, uint32_t rank, uint32_t axis, uint32_t octant,
                       bool behind, uint32_t *other)
{
    uint32_t stride = axis == 0 ? 1 : kernel->sides[0], place = rank / stride % kernel->sides[axis];
    bool up = behind == ((octant >> axis & 1) == 0);

    if (up ? place + 1 == kernel->sides[axis] : place == 0)
        return false;
    *other = up ? rank + stride : rank - stride;
    return true;
}

/* A step is a block of planes of one octant. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;
    uint32_t octant = (uint32_t)(number / kernel->planes % kernel->octants);
    uint32_t rank = trace_emit_rank(emitter);
    uint32_t other;

    for (uint32_t axis = 0; axis < 2; axis++)
        if (next_along(kernel, rank, axis, octant, false, &other))
            trace_emit_receive(emitter, 0, other, octant, kernel->bytes);
    trace_emit_compute(emitter, kernel->flops / kernel->planes / kernel->octants);
    for (uint32_t axis = 0; axis < 2; axis++)
        if (next_along(kernel, rank, axis, octant, true, &other))
            trace_emit_send(emitter, 0, other, octant, kernel->bytes);
}

/* The product of the two sides. */
static bool fits(uint32_t ranks, const void *context)
{
    const struct kernel *kernel = context;
    return ranks == kernel->sides[0] * kernel->sides[1];
}

/* Sides that are not given are as even as the ranks allow. */
static int read_parameters(const struct trace_generator *generator,
                           const struct trace_generator_options *options, struct kernel *kernel,
                           struct base_error *error)
{
    int absent;

    if (trace_generate_no_class(generator, options, error) != 0 ||
        trace_generate_keys(generator, options, "size iterations planes bytes flops", error) != 0 ||
        trace_generate_number(options, "iterations", 1, UINT32_MAX, &kernel->iterations, error) != 0 ||
        trace_generate_number(options, "planes", 1, UINT32_MAX, &kernel->planes, error) != 0 ||
        trace_generate_number(options, "bytes", 0, UINT64_C(1) << 40, &kernel->bytes, error) != 0 ||
        trace_generate_number(options, "flops", 0, UINT64_C(1) << 50, &kernel->flops, error) != 0)
        return -1;
    absent = trace_generate_shape(options, "size", 2, kernel->sides, error);
    if (absent > 0 && options->ranks > 0)
        trace_generate_sides(options->ranks, 2, kernel->sides);
    return absent < 0 ? -1
                      : trace_generate_ranks(generator, options, fits, kernel,
                                             "as many ranks as the product of its sides", error);
}

/* The two patterns differ in the number of octants only. */
static struct trace_program *generate(const struct trace_generator *generator,
                                      const struct trace_generator_options *options, uint32_t octants,
                                      struct base_error *error)
{
    struct kernel kernel = {
        .octants = octants, .iterations = 10, .planes = 16, .bytes = 2048, .flops = 1000000};
    struct trace_generator_options plain = *options;
    struct trace_skeleton *skeleton;

    if (read_parameters(generator, options, &kernel, error) != 0)
        return NULL;
    plain.problem_class = NULL;
    skeleton = trace_skeleton_new(generator->name, &plain, sizeof kernel, error);
    if (skeleton == NULL)
        return NULL;
    *(struct kernel *)skeleton->kernel = kernel;
    return trace_skeleton_finish(skeleton, step, kernel.iterations * kernel.planes * octants, error);
}

/* Octant 0 alone. */
static struct trace_program *generate_wavefront(const struct trace_generator_options *options,
                                                struct base_error *error)
{
    return generate(&trace_generator_wavefront, options, 1, error);
}

/* Each corner of the ranks twice: up and down in the third direction, which is not cut. */
static struct trace_program *generate_sweep(const struct trace_generator_options *options,
                                            struct base_error *error)
{
    return generate(&trace_generator_sweep, options, 8, error);
}

const struct trace_generator trace_generator_wavefront = {
    "wavefront", "a wave from corner to corner. size=8x8 iterations=10 planes=16 bytes=2048 flops=1000000",
    "", generate_wavefront, BASE_EXACT};
const struct trace_generator trace_generator_sweep = {
    "sweep",
    "waves from all corners, eight octants. size=8x8 iterations=10 planes=16 bytes=2048 flops=1000000", "",
    generate_sweep, BASE_EXACT};
