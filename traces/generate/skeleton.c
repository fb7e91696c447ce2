/* Programs from formulas: the items of a step, and their delivery as operations.
 *
 *      cursor_next: items left? ── yes ─► expand the next one
 *                        │ no
 *                        └──► step function of the kernel fills the items of the next step
 *                             at the last step: TRACE_END
 *
 * Requests, instances of collectives, events and times are numbered on delivery, so that a step function says
 * only what the program does.
 *
 *      items of a step      | Irecv 8 B from 1 | Send 8 B to 1 | Wait for request 0 | compute 3 us | …
 *      operations           event 5, region MPI_Irecv, request 0 …      numbered over the whole stream
 *
 * An item is 32 bytes, an operation several times that; only the one that is delivered is ever expanded.
 * Steps are bounded by the kernel's structure (levels, neighbours, ranks), not by its iterations, so a cursor
 * reaches its largest size within an iteration and allocates nothing afterwards.
 *
 * A kernel that says something impossible (a rank that does not exist, a request never waited for) is our own
 * bug: nothing checks for it here, the laws in tests/ do.
 */
#include "traces/generate/internal.h"

#include <stdlib.h>
#include <string.h>

#include "traces/generate/survey.h"
#include "base/arithmetic.h"
#include "base/clear.h"
#include "base/grow.h"
#include "base/wide.h"

#define NS_PER_SECOND 1000000000u

/* ---- what a kernel says */

/* The next item, which the caller fills at once: written where it stays, it is read again by words of another width
 * only when its bytes have long arrived. A failure is kept: a step function need not check each of its operations. */
static inline struct trace_item *append(struct trace_emitter *emitter)
{
    if (base_grow(&emitter->items, &emitter->capacity, emitter->count + 1, sizeof *emitter->items) != 0) {
        emitter->failed = true;
        return &emitter->lost;
    }
    return &emitter->items[emitter->count++];
}

/* The rank whose step is asked for. In MPI_COMM_WORLD; kernels that use other communicators compute their
 * ranks in them. */
uint32_t trace_emit_rank(const struct trace_emitter *emitter)
{
    return emitter->cursor.rank;
}

/* Of the whole program. */
uint32_t trace_emit_ranks(const struct trace_emitter *emitter)
{
    return emitter->skeleton->program.ranks;
}

/* Two pieces of work in a row are one gap between calls. Steps begin with a gap of their own: what is
 * emitted for a step must not depend on the one before. 128 bits, as flops times nanoseconds a second pass
 * 64 bits within a minute of a fast machine. */
void trace_emit_compute(struct trace_emitter *emitter, uint64_t flops)
{
    base_wide ns = base_wide_scaled(flops, NS_PER_SECOND, emitter->skeleton->flops_per_second);
    uint64_t value = base_wide_cut(ns, UINT64_MAX / 2);

    if (value == 0)
        return;
    if (emitter->count > 0 && emitter->items[emitter->count - 1].kind == TRACE_COMPUTE)
        emitter->items[emitter->count - 1].value += value;
    else
        *append(emitter) =
            (struct trace_item){.kind = TRACE_COMPUTE, .region = TRACE_GENERATED_NONE, .value = value};
}

/* All four kinds of messages. The request's number is also that of requests begun so far. The number of a
 * blocking call is without meaning. */
static inline uint64_t message(struct trace_emitter *emitter, enum trace_generated_region region,
                               enum trace_op_kind kind, uint32_t communicator, uint32_t peer, uint32_t tag,
                               uint64_t bytes)
{
    bool nonblocking = region == TRACE_GENERATED_ISEND || region == TRACE_GENERATED_IRECV;
    uint64_t number = emitter->next_request;

    emitter->next_request = number + nonblocking;
    *append(emitter) = (struct trace_item){.kind = (uint8_t)kind,
                                           .region = (uint8_t)region,
                                           .flags = nonblocking ? TRACE_NONBLOCKING : 0,
                                           .communicator = communicator,
                                           .peer = peer,
                                           .tag = tag,
                                           .value = bytes,
                                           .extra = number};
    return number;
}

/* MPI_Send. */
void trace_emit_send(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer, uint32_t tag,
                     uint64_t bytes)
{
    message(emitter, TRACE_GENERATED_SEND, TRACE_SEND, communicator, peer, tag, bytes);
}

/* MPI_Recv. */
void trace_emit_receive(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer, uint32_t tag,
                        uint64_t bytes)
{
    message(emitter, TRACE_GENERATED_RECV, TRACE_RECEIVE, communicator, peer, tag, bytes);
}

/* MPI_Isend. The request's number, for a wait in this step or a later one. */
uint64_t trace_emit_isend(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer, uint32_t tag,
                          uint64_t bytes)
{
    return message(emitter, TRACE_GENERATED_ISEND, TRACE_SEND, communicator, peer, tag, bytes);
}

/* MPI_Irecv. As trace_emit_isend. */
uint64_t trace_emit_ireceive(struct trace_emitter *emitter, uint32_t communicator, uint32_t peer,
                             uint32_t tag, uint64_t bytes)
{
    return message(emitter, TRACE_GENERATED_IRECV, TRACE_RECEIVE, communicator, peer, tag, bytes);
}

/* A set of one; the name of the call is kept apart from MPI_Waitall's, since recordings do. */
void trace_emit_wait(struct trace_emitter *emitter, uint64_t request)
{
    *append(emitter) =
        (struct trace_item){.kind = TRACE_WAIT, .region = TRACE_GENERATED_WAIT, .value = 1, .extra = request};
}

/* A range of requests is all that the kernels need, so that an item has room for the set. */
void trace_emit_wait_all(struct trace_emitter *emitter, uint64_t first, uint64_t count)
{
    if (count > 0)
        *append(emitter) = (struct trace_item){
            .kind = TRACE_WAIT, .region = TRACE_GENERATED_WAITALL, .value = count, .extra = first};
}

/* A rooted operation keeps its root in the item's peer. */
static void collective(struct trace_emitter *emitter, struct trace_item *item, enum trace_collective which,
                       uint32_t communicator)
{
    item->kind = TRACE_COLLECTIVE_CALL;
    item->collective = (uint8_t)which;
    item->communicator = communicator;
    *append(emitter) = *item;
}

/* The call is named after the operation. */
void trace_emit_collective(struct trace_emitter *emitter, enum trace_collective which, uint32_t communicator,
                           uint32_t root, uint64_t bytes)
{
    bool rooted =
        which == TRACE_BCAST || which == TRACE_REDUCE || which == TRACE_GATHER || which == TRACE_SCATTER;
    struct trace_item item = {.region = (uint8_t)(TRACE_GENERATED_FIXED + which),
                              .peer = rooted ? root : UINT32_MAX,
                              .value = bytes};

    collective(emitter, &item, which, communicator);
}

/* The arrays are used again from step to step, and grow with the largest communicator. They may hold old
 * numbers: kernels fill all of them. One such call a step, since all calls of a step share the arrays.
 * Without memory both are NULL, and the step fails. */
struct trace_sizes trace_emit_alltoallv(struct trace_emitter *emitter, uint32_t communicator, uint32_t size)
{
    struct trace_item item = {
        .region = TRACE_GENERATED_FIXED + TRACE_ALLTOALLV, .peer = UINT32_MAX, .extra = 1};

    if (emitter->sizes == NULL || emitter->vector.size < size) {
        free(emitter->sizes);
        emitter->sizes = calloc(size, 2 * sizeof *emitter->sizes);
        if (emitter->sizes == NULL) {
            emitter->failed = true;
            return (struct trace_sizes){NULL, NULL};
        }
    }
    emitter->vector = (struct trace_vector){emitter->sizes, emitter->sizes + size, size, true};
    collective(emitter, &item, TRACE_ALLTOALLV, communicator);
    return (struct trace_sizes){emitter->sizes, emitter->sizes + size};
}

/* Colour and key: 8 bytes of each rank, known to all. */
void trace_emit_split(struct trace_emitter *emitter, uint32_t parent)
{
    struct trace_item item = {
        .region = TRACE_GENERATED_SPLIT, .flags = TRACE_IMPLIED, .peer = UINT32_MAX, .value = 8};
    collective(emitter, &item, TRACE_ALLGATHER, parent);
}

/* Nobody has anything to tell, but all have to come. */
void trace_emit_dup(struct trace_emitter *emitter, uint32_t parent)
{
    struct trace_item item = {.region = TRACE_GENERATED_DUP, .flags = TRACE_IMPLIED, .peer = UINT32_MAX};
    collective(emitter, &item, TRACE_BARRIER, parent);
}

/* ---- delivery */

/* What the last step said is over: its operations have been delivered. */
int trace_emitter_step(struct trace_emitter *emitter)
{
    emitter->count = emitter->next = 0;
    emitter->skeleton->step(emitter, emitter->skeleton->kernel, emitter->step++);
    return emitter->failed ? -1 : 0;
}

/* The emitter may be used for another rank afterwards. */
void trace_emitter_clear(struct trace_emitter *emitter)
{
    free(emitter->items);
    free(emitter->sizes);
    free(emitter->requests);
    *emitter = (struct trace_emitter){0};
}

/* Nothing is made in advance: a thousand cursors cost little until they are read. */
static struct trace_cursor *cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct trace_emitter *emitter = calloc(1, sizeof *emitter);

    if (emitter == NULL) {
        base_error_memory(error, "a cursor");
        return NULL;
    }
    emitter->skeleton = (const struct trace_skeleton *)program;
    emitter->cursor.rank = rank;
    return &emitter->cursor;
}

/* The emitter is the cursor. */
static void cursor_free(struct trace_cursor *cursor)
{
    trace_emitter_clear((struct trace_emitter *)cursor);
    free(cursor);
}

/* A rank is in few communicators: a short list is faster than a table. More communicators than there is
 * room for is a kernel's mistake, told as a failure. */
static int next_instance(struct trace_emitter *emitter, uint32_t communicator, uint64_t *instance)
{
    size_t place = 0;

    while (place < emitter->communicators && emitter->instances[place].communicator != communicator)
        place++;
    if (place == TRACE_EMITTER_COMMUNICATORS)
        return -1;
    if (place == emitter->communicators)
        emitter->instances[emitter->communicators++].communicator = communicator;
    *instance = emitter->instances[place].next++;
    return 0;
}

/* The set is written out: the operation shows an array. It stays valid until the next wait is expanded. */
static int expand_wait(struct trace_emitter *emitter, const struct trace_item *item, struct trace_op *op)
{
    size_t count = base_size(item->value);

    if (base_grow(&emitter->requests, &emitter->request_capacity, count, sizeof *emitter->requests) != 0)
        return -1;
    for (size_t i = 0; i < count; i++)
        emitter->requests[i] = item->extra + i;
    op->requests = emitter->requests;
    op->request_count = count;
    return 0;
}

/* What Score-P would have recorded: totals over the communicator, at the root where the operation has one. Only
 * for tools that show recorded totals: a replay goes by op->bytes and the vector. */
static void recorded_sizes(const struct trace_emitter *emitter, uint32_t size, struct trace_op *op)
{
    bool at_root =
        op->root != UINT32_MAX &&
        emitter->skeleton->program.communicators[op->communicator].members[op->root] == emitter->cursor.rank;

    switch (op->collective) {
    case TRACE_BCAST:
        op->bytes_sent = at_root ? op->bytes * size : 0;
        op->bytes_received = op->bytes;
        break;
    case TRACE_REDUCE:
        op->bytes_sent = op->bytes;
        op->bytes_received = at_root ? op->bytes * size : 0;
        break;
    default:
        op->bytes_sent = op->bytes_received = op->bytes * size;
        break;
    }
    for (uint32_t i = 0; op->vector != NULL && i < size; i++) {
        op->bytes_sent += op->vector->sent[i];
        op->bytes_received += op->vector->received[i];
    }
}

/* Of an alltoallv the sizes are those of the step. */
static int expand_collective(struct trace_emitter *emitter, const struct trace_item *item,
                             struct trace_op *op)
{
    op->collective = (enum trace_collective)item->collective;
    op->root = item->peer;
    op->bytes = item->value;
    op->vector = item->extra == 0 ? NULL : &emitter->vector;
    recorded_sizes(emitter, emitter->skeleton->program.communicators[item->communicator].size, op);
    return next_instance(emitter, item->communicator, &op->instance);
}

/* The clock of the rank advances by its work: there is no recording that calls could have taken time in. -1:
 * memory, for the set of a wait or the vectors. */
static int expand(struct trace_emitter *emitter, const struct trace_item *item, struct trace_op *op)
{
    base_clear(op, sizeof *op);
    op->kind = (enum trace_op_kind)item->kind;
    op->flags = item->flags;
    op->communicator = item->communicator;
    op->region = item->region == TRACE_GENERATED_NONE ? TRACE_NO_REGION : item->region;
    op->event = ++emitter->event;
    op->time_ns = emitter->time_ns;
    switch (op->kind) {
    case TRACE_COMPUTE:
        op->duration_ns = item->value;
        emitter->time_ns += item->value;
        return 0;
    case TRACE_WAIT:
        return expand_wait(emitter, item, op);
    case TRACE_COLLECTIVE_CALL:
        return expand_collective(emitter, item, op);
    default:
        op->peer = item->peer;
        op->tag = item->tag;
        op->bytes = item->value;
        op->request = item->flags & TRACE_NONBLOCKING ? item->extra : 0;
        return 0;
    }
}

/* Steps may be empty, for ranks that take no part in them. Kernels are asked for a step only when all of
 * the one before has been taken, so memory is that of the longest step. TRACE_END comes once, behind the last
 * step; after it 0. */
static int cursor_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    struct trace_emitter *emitter = (struct trace_emitter *)cursor;

    if (emitter->ended)
        return 0;
    while (emitter->next == emitter->count && emitter->step < emitter->skeleton->steps)
        if (trace_emitter_step(emitter) != 0)
            return base_error_memory(error, "the operations of a step");
    if (emitter->next == emitter->count) {
        emitter->ended = true;
        *op = (struct trace_op){.kind = TRACE_END,
                                .region = TRACE_NO_REGION,
                                .event = ++emitter->event,
                                .time_ns = emitter->time_ns};
        return 1;
    }
    return expand(emitter, &emitter->items[emitter->next++], op) == 0
               ? 1
               : base_error_memory(error, "an operation");
}

/* ---- the program */

/* The program is the skeleton. */
static void close_skeleton(struct trace_program *program)
{
    trace_skeleton_free((struct trace_skeleton *)program);
}

/* Formulas are the same for all, and each stream has its emitter. */
static int share(struct trace_program *program, struct base_error *error)
{
    (void)program;
    (void)error;
    return 1;
}

static const struct trace_program_class skeleton_class = {.cursor_new = cursor_new,
                                                          .cursor_next = cursor_next,
                                                          .cursor_free = cursor_free,
                                                          .close = close_skeleton,
                                                          .share = share};

/* For programs that are opened by a name of their own (open.c). -1: memory. */
int trace_skeleton_name(struct trace_program *program, const char *text)
{
    struct trace_skeleton *skeleton = (struct trace_skeleton *)program;
    const char *path = base_arena_text(&skeleton->arena, text);

    if (path != NULL)
        program->path = path;
    return path == NULL ? -1 : 0;
}

/* Everything is in the arena of the skeleton but the list of communicators, which grows. The kernel's struct is
 * zeroed, for the constructor to fill; communicator 0 is the world. */
struct trace_skeleton *trace_skeleton_new(const char *name, const struct trace_generator_options *options,
                                          size_t kernel_size, struct base_error *error)
{
    struct trace_skeleton *skeleton = calloc(1, sizeof *skeleton);

    if (skeleton == NULL) {
        base_error_memory(error, "a generated program");
        return NULL;
    }
    skeleton->flops_per_second = options->flops_per_second;
    skeleton->program.class = &skeleton_class;
    skeleton->program.ranks = options->ranks;
    skeleton->program.format = "generated";
    skeleton->program.writer = "flitreplay";
    skeleton->program.region_names = trace_generated_regions(&skeleton->program.region_count);
    skeleton->kernel = base_arena_alloc(&skeleton->arena, kernel_size);
    skeleton->program.path =
        options->problem_class == NULL
            ? base_arena_format(&skeleton->arena, "%s.%u", name, options->ranks)
            : base_arena_format(&skeleton->arena, "%s.%s.%u", name, options->problem_class, options->ranks);
    if (skeleton->kernel == NULL || skeleton->program.path == NULL ||
        trace_skeleton_communicator(skeleton, "MPI_COMM_WORLD", 0, 1, options->ranks) == UINT32_MAX) {
        base_error_memory(error, "a generated program");
        trace_skeleton_free(skeleton);
        return NULL;
    }
    return skeleton;
}

/* Names need not differ: communicators are told apart by their index. */
uint32_t trace_skeleton_communicator(struct trace_skeleton *skeleton, const char *name, uint32_t first,
                                     uint32_t stride, uint32_t size)
{
    uint32_t index = skeleton->program.communicator_count;
    uint32_t *members = base_arena_array(&skeleton->arena, size, sizeof *members);
    char *copy = base_arena_text(&skeleton->arena, name);

    if (members == NULL || copy == NULL ||
        base_grow(&skeleton->communicators, &skeleton->communicator_capacity, index + 1u,
                  sizeof *skeleton->communicators) != 0)
        return UINT32_MAX;
    for (uint32_t i = 0; i < size; i++)
        members[i] = first + i * stride;
    skeleton->communicators[index] =
        (struct trace_communicator){.name = copy, .size = size, .members = members};
    skeleton->program.communicators = skeleton->communicators;
    skeleton->program.communicator_count++;
    return index;
}

/* A program with fewer iterations than its benchmark says so wherever it is named: in answers, and in archives that are
 * written of it. */
static int name_writer(struct trace_skeleton *skeleton)
{
    if (skeleton->iterations >= skeleton->all_iterations)
        return 0;
    skeleton->program.writer =
        base_arena_format(&skeleton->arena, "flitreplay, shortened to %u of its %u iterations",
                          skeleton->iterations, skeleton->all_iterations);
    return skeleton->program.writer == NULL ? -1 : 0;
}

/* The survey needs the step function, so that there is no program before this. */
struct trace_program *trace_skeleton_finish(struct trace_skeleton *skeleton, trace_step *step, uint64_t steps,
                                            struct base_error *error)
{
    skeleton->step = step;
    skeleton->steps = steps;
    if (name_writer(skeleton) == 0 && trace_skeleton_survey(skeleton) == 0)
        return &skeleton->program;
    base_error_memory(error, "the survey of a generated program");
    trace_skeleton_free(skeleton);
    return NULL;
}

/* Everything else is in the arena. The cast takes back the pairs that the summary lends out. */
void trace_skeleton_free(struct trace_skeleton *skeleton)
{
    if (skeleton == NULL)
        return;
    free(skeleton->communicators);
    free((void *)skeleton->program.summary.pairs);
    base_arena_free(&skeleton->arena);
    free(skeleton);
}
