/* Patterns: everybody sends at once.
 *
 *      ring            to the rank `distance` further on, round and round
 *      transpose       ranks in a square: (row, column) with (column, row)
 *      all-to-all      with everybody, by MPI_Alltoall or (method=messages) by single messages in the order of
 *                      distance
 *      random-sparse   to `degree` ranks, drawn with the seed: each of them is the next in a random round of all
 *                      ranks, so that every rank also receives `degree` messages, and none sends to itself
 *
 * An iteration: all receives and sends without blocking, MPI_Waitall, the work. The n-th message has tag n.
 *
 *      MPI_Irecv × n, MPI_Isend × n, MPI_Waitall, work        or        MPI_Alltoall, work
 *
 * Patterns differ only in who the peers of a rank's n-th message are; that must be the same seen from both
 * sides: when the n-th message of a goes to b, then b's n-th comes from a. For the first three this is
 * arithmetic. For the random one it is kept in two tables, of the order of ranks × degree, since neither side
 * could compute it alone.
 *
 * All-to-all by single messages goes round by distance, as MPI libraries do it for long messages; by
 * MPI_Alltoall the replay chooses the algorithm.
 */
#include "traces/generate/internal.h"

#include "base/random.h"

extern const struct trace_generator trace_generator_ring;
extern const struct trace_generator trace_generator_transpose;
extern const struct trace_generator trace_generator_all_to_all;
extern const struct trace_generator trace_generator_random_sparse;

#define DEGREE_MAX 4096

struct kernel;
/* The peers of the n-th message of a rank: where it goes, and where one comes from. */
typedef void peers_function(const struct kernel *kernel, uint32_t rank, uint32_t number, uint32_t *to,
                            uint32_t *from);

struct kernel {
    peers_function *peers;    /* whom a rank sends to and receives from */
    uint32_t ranks, messages; /* of a rank in an iteration */
    uint32_t collective;      /* 1: MPI_Alltoall instead */
    uint64_t iterations, bytes, flops, distance, degree;
    const uint32_t *next, *previous; /* [number * ranks + rank] of random-sparse */
};

/* Receives first, in the order in which the messages are numbered; what is sent finds them posted. 2 × messages
 * requests, all complete within the step: patterns carry nothing over an iteration. */
static void step(struct trace_emitter *emitter, const void *context, uint64_t number)
{
    const struct kernel *kernel = context;
    uint32_t rank = trace_emit_rank(emitter);
    uint32_t to, from;
    uint64_t first = 0;
    uint64_t request;

    (void)number;
    if (kernel->collective != 0)
        trace_emit_collective(emitter, TRACE_ALLTOALL, 0, 0, kernel->bytes);
    for (uint32_t i = 0; i < kernel->messages; i++) {
        kernel->peers(kernel, rank, i, &to, &from);
        request = trace_emit_ireceive(emitter, 0, from, i, kernel->bytes);
        first = i == 0 ? request : first;
    }
    for (uint32_t i = 0; i < kernel->messages; i++) {
        kernel->peers(kernel, rank, i, &to, &from);
        trace_emit_isend(emitter, 0, to, i, kernel->bytes);
    }
    trace_emit_wait_all(emitter, first, UINT64_C(2) * kernel->messages);
    trace_emit_compute(emitter, kernel->flops);
}

/* ---- who with whom */

/* A distance may be longer than the ring. */
static void ring_peers(const struct kernel *kernel, uint32_t rank, uint32_t number, uint32_t *to,
                       uint32_t *from)
{
    uint32_t distance = (uint32_t)(kernel->distance % kernel->ranks);

    (void)number;
    *to = (rank + distance) % kernel->ranks;
    *from = (rank + kernel->ranks - distance) % kernel->ranks;
}

/* Ranks on the diagonal send to themselves, as in CG. */
static void transpose_peers(const struct kernel *kernel, uint32_t rank, uint32_t number, uint32_t *to,
                            uint32_t *from)
{
    uint32_t side = trace_generate_root(kernel->ranks);

    (void)number;
    *to = *from = rank % side * side + rank / side;
}

/* By distance, so that no two ranks send to the same one at a time: everybody's n-th message goes n + 1
 * ranks on. */
static void all_peers(const struct kernel *kernel, uint32_t rank, uint32_t number, uint32_t *to,
                      uint32_t *from)
{
    *to = (rank + number + 1) % kernel->ranks;
    *from = (rank + kernel->ranks - number - 1) % kernel->ranks;
}

/* Drawn once, by draw_rounds: a formula would not tell a rank who sends to it. */
static void random_peers(const struct kernel *kernel, uint32_t rank, uint32_t number, uint32_t *to,
                         uint32_t *from)
{
    *to = kernel->next[(size_t)number * kernel->ranks + rank];
    *from = kernel->previous[(size_t)number * kernel->ranks + rank];
}

/* Random rounds: one shuffled order of all ranks for each message. Rounds are drawn in the order of the messages
 * by one generator, so that the degree does not change the first ones. */
static int draw_rounds(struct trace_skeleton *skeleton, struct kernel *kernel, uint64_t seed)
{
    size_t ranks = kernel->ranks;
    uint32_t *order = base_arena_array(&skeleton->arena, ranks, sizeof *order);
    uint32_t *next = base_arena_array(&skeleton->arena, ranks * kernel->messages, sizeof *next);
    uint32_t *previous = base_arena_array(&skeleton->arena, ranks * kernel->messages, sizeof *previous);
    struct base_random random;

    if (order == NULL || next == NULL || previous == NULL)
        return -1;
    base_random_seed(&random, seed, 0);
    for (uint32_t i = 0; i < kernel->ranks; i++)
        order[i] = i;
    for (uint32_t number = 0; number < kernel->messages; number++) {
        base_random_shuffle(&random, order, kernel->ranks);
        for (size_t i = 0; i < ranks; i++) {
            next[number * ranks + order[i]] = order[(i + 1) % ranks];
            previous[number * ranks + order[(i + 1) % ranks]] = order[i];
        }
    }
    kernel->next = next;
    kernel->previous = previous;
    return 0;
}

/* ---- constructors */

/* Alone there is nobody to send to. */
static bool several(uint32_t ranks, const void *context)
{
    (void)context;
    return ranks > 1;
}

/* All patterns share one set of parameters; `keys` says which of them this one has. */
static int read_parameters(const struct trace_generator *generator,
                           const struct trace_generator_options *options, const char *keys,
                           struct kernel *kernel, struct base_error *error)
{
    bool square = generator == &trace_generator_transpose;

    if (trace_generate_no_class(generator, options, error) != 0 ||
        trace_generate_keys(generator, options, keys, error) != 0 ||
        trace_generate_number(options, "iterations", 1, UINT32_MAX, &kernel->iterations, error) != 0 ||
        trace_generate_number(options, "bytes", 0, UINT64_C(1) << 40, &kernel->bytes, error) != 0 ||
        trace_generate_number(options, "flops", 0, UINT64_C(1) << 50, &kernel->flops, error) != 0 ||
        trace_generate_number(options, "distance", 1, UINT32_MAX, &kernel->distance, error) != 0 ||
        trace_generate_number(options, "degree", 1, DEGREE_MAX, &kernel->degree, error) != 0 ||
        trace_generate_choice(options, "method", "messages collective", &kernel->collective, error) != 0)
        return -1;
    kernel->ranks = options->ranks;
    return trace_generate_ranks(generator, options, square ? trace_generate_square : several, NULL,
                                square ? "a square number" : "at least two", error);
}

/* The class is not part of a pattern's name. */
static struct trace_program *build(const struct trace_generator *generator,
                                   const struct trace_generator_options *options, const struct kernel *kernel,
                                   struct base_error *error)
{
    struct trace_generator_options plain = *options;
    struct trace_skeleton *skeleton;

    plain.problem_class = NULL;
    skeleton = trace_skeleton_new(generator->name, &plain, sizeof *kernel, error);
    if (skeleton == NULL)
        return NULL;
    *(struct kernel *)skeleton->kernel = *kernel;
    if (kernel->peers != random_peers || draw_rounds(skeleton, skeleton->kernel, options->seed) == 0)
        return trace_skeleton_finish(skeleton, step, kernel->iterations, error);
    base_error_memory(error, "the random rounds");
    trace_skeleton_free(skeleton);
    return NULL;
}

#define DEFAULTS .iterations = 10, .bytes = 8192, .flops = 1000000, .distance = 1, .degree = 4, .messages = 1

/* One message each way. */
static struct trace_program *generate_ring(const struct trace_generator_options *options,
                                           struct base_error *error)
{
    struct kernel kernel = {DEFAULTS, .peers = ring_peers};

    if (read_parameters(&trace_generator_ring, options, "iterations bytes flops distance", &kernel, error) !=
        0)
        return NULL;
    return build(&trace_generator_ring, options, &kernel, error);
}

/* One message each way, to the mirror rank. */
static struct trace_program *generate_transpose(const struct trace_generator_options *options,
                                                struct base_error *error)
{
    struct kernel kernel = {DEFAULTS, .peers = transpose_peers};

    if (read_parameters(&trace_generator_transpose, options, "iterations bytes flops", &kernel, error) != 0)
        return NULL;
    return build(&trace_generator_transpose, options, &kernel, error);
}

/* Either one collective or a message to everybody else. */
static struct trace_program *generate_all(const struct trace_generator_options *options,
                                          struct base_error *error)
{
    struct kernel kernel = {DEFAULTS, .peers = all_peers, .collective = 1};

    if (read_parameters(&trace_generator_all_to_all, options, "iterations bytes flops method", &kernel,
                        error) != 0)
        return NULL;
    kernel.messages = kernel.collective != 0 ? 0 : kernel.ranks - 1;
    return build(&trace_generator_all_to_all, options, &kernel, error);
}

/* As many messages as the degree. */
static struct trace_program *generate_random(const struct trace_generator_options *options,
                                             struct base_error *error)
{
    struct kernel kernel = {DEFAULTS, .peers = random_peers};

    if (read_parameters(&trace_generator_random_sparse, options, "iterations bytes flops degree", &kernel,
                        error) != 0)
        return NULL;
    kernel.messages = (uint32_t)kernel.degree;
    return build(&trace_generator_random_sparse, options, &kernel, error);
}

const struct trace_generator trace_generator_ring = {
    "ring", "to the next rank, round and round. iterations=10 bytes=8192 flops=1000000 distance=1", "",
    generate_ring, BASE_EXACT};
const struct trace_generator trace_generator_transpose = {
    "transpose", "rows and columns of a square of ranks trade places. iterations=10 bytes=8192 flops=1000000",
    "", generate_transpose, BASE_EXACT};
const struct trace_generator trace_generator_all_to_all = {
    "all-to-all",
    "every rank with every other. iterations=10 bytes=8192 flops=1000000 method=collective|messages", "",
    generate_all, BASE_EXACT};
const struct trace_generator trace_generator_random_sparse = {
    "random-sparse", "to ranks drawn with the seed. degree=4 iterations=10 bytes=8192 flops=1000000", "",
    generate_random, BASE_DRAWS};
