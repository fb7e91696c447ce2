/* What the kernels share. A skeleton is a program whose operations come from a formula: the kernel divides
 * each rank's program into numbered steps (an iteration, a plane, an exchange) and says, for any step, which
 * operations it has. A cursor holds the operations of one step at a time:
 *
 *      kernel's step function ──trace_emit_…──► items of one step (32 bytes each) ──► struct trace_op, one by one
 *
 * so that memory depends neither on the number of iterations nor on that of operations. A step function takes
 * rank and step from the emitter and keeps nothing between calls: steps may be asked for in any order. */
#ifndef TRACE_GENERATE_INTERNAL_H
#define TRACE_GENERATE_INTERNAL_H

#include "base/arena.h"
#include "traces/generate/generate.h"
#include "traces/program-internal.h"

struct trace_emitter;
typedef void trace_step(struct trace_emitter *emitter, const void *kernel, uint64_t step);

/* A program being made, and then the program itself. */
struct trace_skeleton {
    struct trace_program program; /* first */
    struct base_arena arena;
    trace_step *step; /* fills an emitter with the operations of one rank in one step */
    uint64_t steps;   /* of every rank; a step may be empty */
    void *kernel;     /* the kernel's own parameters, in the arena */
    uint64_t flops_per_second;
    uint32_t iterations, all_iterations; /* of a benchmark, and of its class: fewer, equal, or zeros */
    struct trace_communicator *communicators;
    size_t communicator_capacity;
};

/* A new one with MPI_COMM_WORLD (communicator 0) and room for the kernel's parameters, zeroed, at ->kernel.
 * name: of the program, for messages. NULL: memory, or no ranks, or no speed (BASE_USAGE). */
struct trace_skeleton *trace_skeleton_new(const char *name, const struct trace_generator_options *options,
                                          size_t kernel_size, struct base_error *error);
/* Adds a communicator of the world ranks first, first + stride, …; its index, UINT32_MAX when memory is out.
 */
uint32_t trace_skeleton_communicator(struct trace_skeleton *skeleton, const char *name, uint32_t first,
                                     uint32_t stride, uint32_t size);
/* The program: counts what all ranks will do. NULL: memory; the skeleton is freed then. */
struct trace_program *trace_skeleton_finish(struct trace_skeleton *skeleton, trace_step *step, uint64_t steps,
                                            struct base_error *error);
/* Gives a finished program the text that makes it again as its path, in place of the kernel's name. -1: memory. */
int trace_skeleton_name(struct trace_program *program, const char *text);
void trace_skeleton_free(struct trace_skeleton *skeleton); /* of one that is not finished */

/* ---- for step functions: what the rank does next. Failures are kept and told at the step's end. */

/* The rank whose step it is, and how many there are. */
uint32_t trace_emit_rank(const struct trace_emitter *emitter);
uint32_t trace_emit_ranks(const struct trace_emitter *emitter);
/* Work between calls, in floating-point operations. Rounded down to a nanosecond for each gap. */
void trace_emit_compute(struct trace_emitter *emitter, uint64_t flops);
/* peer is a world rank. The non-blocking ones return the number of their request. */
void trace_emit_send(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer, uint32_t tag,
                     uint64_t bytes);
void trace_emit_receive(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer, uint32_t tag,
                        uint64_t bytes);
uint64_t trace_emit_isend(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer, uint32_t tag,
                          uint64_t bytes);
uint64_t trace_emit_ireceive(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer,
                             uint32_t tag, uint64_t bytes);
/* MPI_Wait for one request; MPI_Waitall for `count` requests numbered one after the other. None: nothing. */
void trace_emit_wait(struct trace_emitter *emitter, uint64_t request);
void trace_emit_wait_all(struct trace_emitter *emitter, uint64_t first, uint64_t count);
/* bytes as in struct trace_op; root is ignored where the operation has none. */
void trace_emit_collective(struct trace_emitter *emitter, enum trace_collective collective,
                           uint32_t communicator, uint32_t root, uint64_t bytes);
/* One a step at most. The arrays, of `size` entries each, are the emitter's: fill them after the call. NULL
 * when memory is out. */
struct trace_sizes {
    uint64_t *sent, *received; /* bytes, by rank in the communicator */
};
struct trace_sizes trace_emit_alltoallv(struct trace_emitter *emitter, uint32_t communicator, uint32_t size);
/* The creation of a communicator from `parent`, replayed as both readers do (doc/replay.md). */
void trace_emit_split(struct trace_emitter *emitter, uint32_t parent);
void trace_emit_dup(struct trace_emitter *emitter, uint32_t parent);

/* ---- for constructors */

/* The place of the class's letter in the kernel's list of classes, or -1 with BASE_USAGE: no such class. */
int trace_generate_class(const struct trace_generator *generator,
                         const struct trace_generator_options *options, struct base_error *error);
/* Refuses a class: for patterns, which have none. */
int trace_generate_no_class(const struct trace_generator *generator,
                            const struct trace_generator_options *options, struct base_error *error);
/* Refuses parameters that are not among `keys` (separated by blanks), or are given twice. */
int trace_generate_keys(const struct trace_generator *generator,
                        const struct trace_generator_options *options, const char *keys,
                        struct base_error *error);
/* The value of a key that is a number or a size in bytes; *value stays when it is absent. */
int trace_generate_number(const struct trace_generator_options *options, const char *key, uint64_t least,
                          uint64_t most, uint64_t *value, struct base_error *error);
/* The iterations of a benchmark, which are those of its class or fewer ("iterations=2"); *iterations stays when the key
 * is absent. */
int trace_generate_iterations(const struct trace_generator_options *options, uint32_t *iterations,
                              struct base_error *error);
/* "8x8" into as many numbers as there are dimensions. 1: absent. */
int trace_generate_shape(const struct trace_generator_options *options, const char *key, uint32_t dimensions,
                         uint32_t *sides, struct base_error *error);
/* The place of a key's value among words (separated by blanks); *choice stays when it is absent. */
int trace_generate_choice(const struct trace_generator_options *options, const char *key, const char *words,
                          uint32_t *choice, struct base_error *error);
/* The value of a key in memory of the caller, cut to its room; NULL when it is absent. */
#define TRACE_PARAMETER_ROOM 64
const char *trace_generate_text(const struct trace_generator_options *options, const char *key,
                                char room[TRACE_PARAMETER_ROOM]);
/* Refuses an illegal number of ranks: says the rule, and the nearest legal numbers around it. */
int trace_generate_ranks(const struct trace_generator *generator,
                         const struct trace_generator_options *options,
                         bool (*legal)(uint32_t ranks, const void *context), const void *context,
                         const char *rule, struct base_error *error);
bool trace_generate_power_of_two(uint32_t ranks, const void *context);
bool trace_generate_square(uint32_t ranks, const void *context);
uint32_t trace_generate_log2(uint64_t number); /* of the largest power of two that is not above it */
uint32_t trace_generate_root(uint64_t number); /* the largest integer whose square is not above it */
/* A near-cubic split of ranks over dimensions, larger sides first, as MPI_Dims_create makes it. */
void trace_generate_sides(uint32_t ranks, uint32_t dimensions, uint32_t *sides);

#endif
