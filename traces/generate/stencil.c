/* Patterns: exchanges with the neighbours on a grid of ranks, as codes with finite differences have them.
 *
 *      stencil-2d   points=5: the four sides; points=9: the corners as well
 *      stencil-3d   points=7: the six sides; points=27: edges and corners as well
 *      king         the eight neighbours, all with the same bytes, as a king moves
 *
 * An iteration: all receives and sends without blocking, MPI_Waitall, the work. A message is tagged by the
 * direction that it goes in: 13 + dx + 3 dy + 9 dz.
 *
 *      24 25 26            directions of the upper layer; 12 and 14 are west and east, 10 and 16 south and
 *      21 22 23            north, 4 and 22 down and up. In two dimensions the layer is the middle one:
 *      18 19 20            9 … 17, without 13, which is no direction
 *
 * On a periodic grid with a side of two, both directions lead to the same rank, by two messages with
 * different tags; with a side of one they lead to the rank itself, and nothing is sent. At the border of a
 * grid that is not periodic there is nobody, and ranks there have fewer messages.
 *
 * A corner is by default a single number of 8 bytes, as that of a grid with one layer of ghosts.
 */
#include "traces/generate/internal.h"

extern const struct trace_generator trace_generator_stencil_2d;
extern const struct trace_generator trace_generator_stencil_3d;
extern const struct trace_generator trace_generator_king;

#define DIRECTIONS 27
#define MIDDLE 13 /* no move at all */

struct kernel {
    uint32_t sides[3];          /* ranks along each axis, 1 where there is none */
    uint32_t periodic;          /* 0 or 1 */
    uint64_t iterations, flops; /* work of a rank in an iteration */
    uint64_t bytes, corner;     /* to a side, and to every neighbour that is not at one */
    bool corners;
};

/* How many of the axes a direction moves along. */
static uint32_t order_of(uint32_t direction)
{
    return (direction % 3 != 1 ? 1u : 0u) + (direction / 3 % 3 != 1 ? 1u : 0u) +
           (direction / 9 != 1 ? 1u : 0u);
}

/* The rank in a direction: false beyond the border, and where there is nobody else. The first side counts
 * fastest. */
static bool neighbour(const struct kernel *kernel, uint32_t rank, uint32_t direction, uint32_t *other)
{
    uint32_t stride = 1, left = rank, code = direction;

    *other = 0;
    for (int axis = 0; axis < 3; axis++) {
        uint32_t side = kernel->sides[axis], place = left % side, moved = place + code % 3; /* one too far */
        if (kernel->periodic == 0 && (moved == 0 || moved > side))
            return false;
        *other += (moved + side - 1) % side * stride;
        stride *= side;
        left /= side;
        code /= 3;
    }
    return *other != rank;
}

/* A neighbour's message comes in the opposite direction: 26 less its number. First a pass over all directions that
 * receives, then one that sends: each direction has one number in both. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;
    uint32_t rank = trace_emit_rank(emitter);
    uint32_t other;
    uint64_t first = 0, count = 0;

    (void)number;
    for (uint32_t i = 0; i < 2 * DIRECTIONS; i++) {
        uint32_t direction = i % DIRECTIONS, order = order_of(direction);
        uint64_t request;
        uint64_t bytes = order == 1 ? kernel->bytes : kernel->corner;
        if (order == 0 || (order > 1 && !kernel->corners) || !neighbour(kernel, rank, direction, &other))
            continue;
        request = i < DIRECTIONS ? trace_emit_ireceive(emitter, 0, other, 2 * MIDDLE - direction, bytes)
                                 : trace_emit_isend(emitter, 0, other, direction, bytes);
        first = count++ == 0 ? request : first;
    }
    trace_emit_wait_all(emitter, first, count);
    trace_emit_compute(emitter, kernel->flops);
}

struct sides_rule {
    uint32_t sides[3]; /* 1 along axes that the grid does not have */
};

/* The product of the sides, whatever they are. */
static bool fits(uint32_t ranks, const void *context)
{
    const struct sides_rule *rule = context;
    return ranks == rule->sides[0] * rule->sides[1] * rule->sides[2];
}

/* The sides as given, or near-equal ones that fit the ranks. */
static int read_sides(const struct trace_generator *generator, const struct trace_generator_options *options,
                      uint32_t dimensions, struct kernel *kernel, struct base_error *error)
{
    struct sides_rule rule = {{1, 1, 1}};
    int absent = trace_generate_shape(options, "size", dimensions, rule.sides, error);

    if (absent < 0)
        return -1;
    if (absent > 0 && options->ranks > 0)
        trace_generate_sides(options->ranks, dimensions, rule.sides);
    for (int axis = 0; axis < 3; axis++)
        kernel->sides[axis] = rule.sides[axis];
    return trace_generate_ranks(generator, options, fits, &rule, "as many ranks as the product of its sides",
                                error);
}

/* What all three patterns have. Absent keys leave the defaults. */
static int read_common(const struct trace_generator_options *options, struct kernel *kernel,
                       struct base_error *error)
{
    return trace_generate_number(options, "iterations", 1, UINT32_MAX, &kernel->iterations, error) != 0 ||
                   trace_generate_number(options, "bytes", 0, UINT64_C(1) << 40, &kernel->bytes, error) !=
                       0 ||
                   trace_generate_number(options, "flops", 0, UINT64_C(1) << 50, &kernel->flops, error) !=
                       0 ||
                   trace_generate_choice(options, "periodic", "no yes", &kernel->periodic, error) != 0
               ? -1
               : 0;
}

/* A step is an iteration: no more than 26 receives and sends. */
static struct trace_program *finish(const struct trace_generator *generator,
                                    const struct trace_generator_options *options,
                                    const struct kernel *kernel, struct base_error *error)
{
    struct trace_generator_options plain = *options;
    struct trace_skeleton *skeleton;

    plain.problem_class = NULL;
    skeleton = trace_skeleton_new(generator->name, &plain, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    *(struct kernel *)skeleton->kernel = *kernel;
    return trace_skeleton_finish(skeleton, step, kernel->iterations, error);
}

#define DEFAULTS .iterations = 10, .flops = 1000000, .bytes = 8192, .corner = 8

/* points: 3^dimensions, or only the sides of that. */
static struct trace_program *generate(const struct trace_generator *generator,
                                      const struct trace_generator_options *options, uint32_t dimensions,
                                      struct base_error *error)
{
    struct kernel kernel = {DEFAULTS};
    uint32_t all = 0;

    if (trace_generate_no_class(generator, options, error) != 0 ||
        trace_generate_keys(generator, options, "size points iterations bytes corner flops periodic",
                            error) != 0 ||
        trace_generate_choice(options, "points", dimensions == 2 ? "5 9" : "7 27", &all, error) != 0 ||
        read_common(options, &kernel, error) != 0 ||
        trace_generate_number(options, "corner", 0, UINT64_C(1) << 40, &kernel.corner, error) != 0 ||
        read_sides(generator, options, dimensions, &kernel, error) != 0)
        return NULL;
    kernel.corners = all != 0;
    return finish(generator, options, &kernel, error);
}

/* points=9 adds the corners. */
static struct trace_program *generate_2d(const struct trace_generator_options *options,
                                         struct base_error *error)
{
    return generate(&trace_generator_stencil_2d, options, 2, error);
}

/* points=27 adds edges and corners. */
static struct trace_program *generate_3d(const struct trace_generator_options *options,
                                         struct base_error *error)
{
    return generate(&trace_generator_stencil_3d, options, 3, error);
}

/* Corners get as much as sides: there is no key for them. */
static struct trace_program *generate_king(const struct trace_generator_options *options,
                                           struct base_error *error)
{
    const struct trace_generator *generator = &trace_generator_king;
    struct kernel kernel = {DEFAULTS, .corners = true};

    if (trace_generate_no_class(generator, options, error) != 0 ||
        trace_generate_keys(generator, options, "size iterations bytes flops periodic", error) != 0 ||
        read_common(options, &kernel, error) != 0 || read_sides(generator, options, 2, &kernel, error) != 0)
        return NULL;
    kernel.corner = kernel.bytes;
    return finish(generator, options, &kernel, error);
}

const struct trace_generator trace_generator_stencil_2d = {
    "stencil-2d",
    "neighbours on a grid. size=8x8 points=5|9 iterations=10 bytes=8192 corner=8 flops=1000000 "
    "periodic=no|yes",
    "", generate_2d, BASE_EXACT};
const struct trace_generator trace_generator_stencil_3d = {
    "stencil-3d",
    "neighbours in a box. size=4x4x4 points=7|27 iterations=10 bytes=8192 corner=8 flops=1000000 "
    "periodic=no|yes",
    "", generate_3d, BASE_EXACT};
const struct trace_generator trace_generator_king = {
    "king", "the eight neighbours. size=8x8 iterations=10 bytes=8192 flops=1000000 periodic=no|yes", "",
    generate_king, BASE_EXACT};
