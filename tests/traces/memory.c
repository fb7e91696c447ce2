/* A trace program without a trace: arrays of operations behind the class of program-internal.h.
 *
 * Tests, generators and examples build programs this way. Operations are stored as a cursor delivers them,
 * so that reading is a copy; sets of requests, names and vectors are copied in, so that the caller's may go.
 */
#include "tests/traces/memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/table.h"
#include "traces/program-internal.h"

/* Regions are numbered: messages, waiting and what implies a collective, then two per collective, the
 * blocking call and the other. */
enum {
    SEND,
    ISEND,
    SSEND,
    ISSEND,
    BSEND,
    IBSEND,
    RECV,
    IRECV,
    WAIT,
    WAITALL,
    PROBE,
    PUT,
    GET,
    COMM_SPLIT,
    COMM_DUP,
    WIN_FENCE,
    FIXED_REGIONS
};
#define REGIONS ((uint32_t)FIXED_REGIONS + 2 * (uint32_t)TRACE_COLLECTIVES)

static const char *const fixed_regions[FIXED_REGIONS] = {
    "MPI_Send", "MPI_Isend",      "MPI_Ssend",    "MPI_Issend",   "MPI_Bsend", "MPI_Ibsend",
    "MPI_Recv", "MPI_Irecv",      "MPI_Wait",     "MPI_Waitall",  "MPI_Probe", "MPI_Put",
    "MPI_Get",  "MPI_Comm_split", "MPI_Comm_dup", "MPI_Win_fence"};

/* One rank's operations; the next request number and the clock (ns) of what has been added. */
struct stream {
    struct trace_op *ops;
    size_t count, capacity;
    uint64_t next_request, time_ns;
};

/* The program and what it is built from. Streams grow by doubling, everything small lives in the arena. */
struct trace_memory {
    struct trace_program program; /* first: a program is its memory */
    struct base_arena arena;      /* names, members, request sets, vectors, regions */
    struct stream *streams;
    struct trace_communicator *communicators;
    struct base_table instances; /* (communicator, rank) -> collectives so far */
    struct base_table vector_of; /* (communicator, instance) -> index into vectors */
    const struct trace_vector **vectors;
    uint32_t communicator_capacity, vector_count, vector_capacity;
};

struct cursor {
    struct trace_cursor cursor; /* first */
    size_t next;
    bool ended;
};

/* ---- the class */

/* A cursor is a position; trace_cursor_new fills the rest. */
static struct trace_cursor *cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct cursor *cursor = calloc(1, sizeof *cursor);
    (void)program, (void)rank;
    if (cursor == NULL)
        base_error_memory(error, "a cursor");
    return (struct trace_cursor *)cursor;
}

/* The end is not stored: it follows the last operation. Request sets are borrowed from the arena, which
 * outlives us. */
static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    struct cursor *cursor = (struct cursor *)base;
    const struct stream *stream = &((const struct trace_memory *)base->program)->streams[base->rank];
    (void)error;
    if (cursor->next < stream->count) {
        *op = stream->ops[cursor->next++];
        if (op->kind == TRACE_COLLECTIVE_CALL && op->vector == NULL)
            op->vector = trace_program_vector(base->program, op->communicator, op->instance);
        return 1;
    }
    if (cursor->ended)
        return 0;
    cursor->ended = true;
    *op = (struct trace_op){.kind = TRACE_END, .event = stream->count + 1, .region = UINT32_MAX};
    return 1;
}

/* Operations belong to the program: a cursor is only a place in them. */
static void cursor_free(struct trace_cursor *cursor)
{
    free(cursor);
}

/* NULL when the collective was added without sizes of its own, as program.h allows. */
static const struct trace_vector *vector_of(const struct trace_program *program, uint32_t communicator,
                                            uint64_t instance)
{
    const struct trace_memory *memory = (const struct trace_memory *)program;
    uint32_t index = base_table_get(&memory->vector_of, communicator, instance);
    return index == BASE_TABLE_NONE ? NULL : memory->vectors[index];
}

/* Also frees what trace_memory_new has built in part. */
static void close_memory(struct trace_program *program)
{
    struct trace_memory *memory = (struct trace_memory *)program;
    for (uint32_t rank = 0; memory->streams != NULL && rank < program->ranks; rank++)
        free(memory->streams[rank].ops);
    free(memory->streams);
    free(memory->communicators);
    free(memory->vectors);
    base_table_free(&memory->instances);
    base_table_free(&memory->vector_of);
    base_arena_free(&memory->arena);
    free(memory);
}

static const struct trace_program_class memory_class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .vector = vector_of,
    .close = close_memory,
    .sets_vectors = true,
};

/* ---- building */

/* "MPI_Allreduce" from "allreduce", as MPI capitalises, and "MPI_Iallreduce". NULL: no memory. */
static const char *name_collective(struct trace_memory *memory, enum trace_collective collective,
                                   bool nonblocking)
{
    const char *format = nonblocking ? "MPI_I%s" : "MPI_%s";
    char *name = base_arena_format(&memory->arena, format, trace_collective_name(collective));
    if (name != NULL && !nonblocking)
        name[4] = (char)(name[4] - 'a' + 'A');
    return name;
}

/* In the order of the numbers above. All names are made, used or not: a region is then its number, without
 * a search. */
static int name_regions(struct trace_memory *memory)
{
    const char **names = base_arena_array(&memory->arena, REGIONS, sizeof *names);
    if (names == NULL)
        return -1;
    memcpy(names, fixed_regions, sizeof fixed_regions);
    for (uint32_t i = 0; i < 2 * (uint32_t)TRACE_COLLECTIVES; i++) {
        const char *name = name_collective(memory, (enum trace_collective)(i / 2), i % 2 != 0);
        if (name == NULL)
            return -1;
        names[FIXED_REGIONS + i] = name;
    }
    memory->program.region_names = names;
    memory->program.region_count = REGIONS;
    return 0;
}

/* Communicator 0, as the readers number it. */
static int add_world(struct trace_memory *memory)
{
    uint32_t ranks = memory->program.ranks;
    uint32_t index;
    uint32_t *members = calloc(ranks, sizeof *members);
    if (members == NULL)
        return -1;
    for (uint32_t rank = 0; rank < ranks; rank++)
        members[rank] = rank;
    index = trace_memory_communicator(memory, "MPI_COMM_WORLD", members, ranks);
    free(members);
    return index == 0 ? 0 : -1;
}

/* Starts with MPI_COMM_WORLD as communicator 0, as every reader does. */
struct trace_memory *trace_memory_new(uint32_t ranks)
{
    struct trace_memory *memory = ranks == 0 ? NULL : calloc(1, sizeof *memory);
    if (memory == NULL)
        return NULL;
    memory->program = (struct trace_program){
        .class = &memory_class, .path = "memory", .format = "memory", .writer = "flitreplay", .ranks = ranks};
    memory->streams = calloc(ranks, sizeof *memory->streams);
    if (memory->streams == NULL || name_regions(memory) < 0 || add_world(memory) < 0) {
        close_memory(&memory->program);
        return NULL;
    }
    return memory;
}

/* NULL: no memory. An empty group is an array all the same. */
static uint32_t *copy_group(struct trace_memory *memory, const uint32_t *members, uint32_t size)
{
    uint32_t *copy = base_arena_array(&memory->arena, (size_t)size + 1, sizeof *members);
    if (copy != NULL && size != 0)
        memcpy(copy, members, size * sizeof *members);
    return copy;
}

/* What fails leaves no communicator behind; copies in the arena are freed with it. */
uint32_t trace_memory_inter(struct trace_memory *memory, const char *name, const uint32_t *members,
                            uint32_t size, const uint32_t *remote_members, uint32_t remote_size)
{
    uint32_t index = memory->program.communicator_count;
    char *name_copy = base_arena_text(&memory->arena, name);
    uint32_t *member_copy = copy_group(memory, members, size);
    uint32_t *remote_copy = copy_group(memory, remote_members, remote_size);
    if (name_copy == NULL || member_copy == NULL || remote_copy == NULL)
        return UINT32_MAX;
    if (index == memory->communicator_capacity) {
        uint32_t capacity = index != 0 ? 2 * index : 8;
        void *grown = realloc(memory->communicators, capacity * sizeof *memory->communicators);
        if (grown == NULL)
            return UINT32_MAX;
        memory->communicators = grown; /* the pointer that is freed; the program's own is for reading */
        memory->communicator_capacity = capacity;
        memory->program.communicators = grown;
    }
    memory->communicators[index] =
        (struct trace_communicator){name_copy, size, member_copy, remote_size, remote_copy};
    memory->program.communicator_count++;
    return index;
}

/* One group is a communicator without a second. */
uint32_t trace_memory_communicator(struct trace_memory *memory, const char *name, const uint32_t *members,
                                   uint32_t size)
{
    return trace_memory_inter(memory, name, members, size, NULL, 0);
}

/* Of the modes of sending. */
static uint32_t region_of_send(unsigned flags)
{
    bool nonblocking = (flags & TRACE_NONBLOCKING) != 0;
    if ((flags & TRACE_SYNCHRONOUS) != 0)
        return nonblocking ? ISSEND : SSEND;
    if ((flags & TRACE_BUFFERED) != 0)
        return nonblocking ? IBSEND : BSEND;
    return nonblocking ? ISEND : SEND;
}

/* What contains an implied collective: communicators are split by an allgather, everything else agrees by a
 * barrier. */
static uint32_t region_of_collective(const struct trace_op *op)
{
    if ((op->flags & TRACE_IMPLIED) != 0)
        return op->collective == TRACE_ALLGATHER ? COMM_SPLIT : COMM_DUP;
    return FIXED_REGIONS + 2 * (uint32_t)op->collective + ((op->flags & TRACE_NONBLOCKING) != 0);
}

/* The call that would have done this. */
static uint32_t region_of(const struct trace_op *op)
{
    switch (op->kind) {
    case TRACE_SEND:
        return region_of_send(op->flags);
    case TRACE_RECEIVE:
        return (op->flags & TRACE_NONBLOCKING) != 0 ? IRECV : RECV;
    case TRACE_WAIT:
        return (op->flags & TRACE_IMPLIED) != 0 ? WIN_FENCE : op->request_count == 1 ? WAIT : WAITALL;
    case TRACE_COLLECTIVE_CALL:
        return region_of_collective(op);
    case TRACE_PROBE:
        return PROBE;
    case TRACE_PUT:
        return PUT;
    case TRACE_GET:
        return GET;
    case TRACE_COMPUTE:
    case TRACE_END:
        break;
    }
    return UINT32_MAX;
}

/* Both halves are one allocation, like a reader's. NULL: no memory. */
static const struct trace_vector *copy_vector(struct trace_memory *memory, const struct trace_vector *vector)
{
    struct trace_vector *copy = base_arena_alloc(&memory->arena, sizeof *copy);
    uint64_t *numbers = base_arena_array(&memory->arena, 2 * (size_t)vector->size, sizeof *numbers);
    if (copy == NULL || numbers == NULL)
        return NULL;
    memcpy(numbers, vector->sent, vector->size * sizeof *numbers);
    memcpy(numbers + vector->size, vector->received, vector->size * sizeof *numbers);
    *copy = (struct trace_vector){numbers, numbers + vector->size, vector->size, vector->pairwise};
    return copy;
}

/* Numbers the instance of a collective. Implied and real collectives are numbered together, as they meet on
 * the communicator in one order. */
static int number_instance(struct trace_memory *memory, uint32_t rank, struct trace_op *op)
{
    uint32_t so_far = base_table_get(&memory->instances, op->communicator, rank);
    if (so_far == BASE_TABLE_NONE)
        so_far = 0;
    op->instance = so_far;
    return base_table_put(&memory->instances, op->communicator, rank, so_far + 1);
}

/* What a reader counts while it surveys a trace; enough for progress, info and the graph. */
static void count_op(struct trace_summary *summary, const struct trace_op *op)
{
    summary->events++;
    if (op->kind == TRACE_COMPUTE)
        summary->compute_ns += op->duration_ns;
    if (op->kind == TRACE_SEND) {
        summary->sends++;
        summary->bytes_sent += op->bytes;
    }
    if (op->kind == TRACE_RECEIVE) {
        summary->receives++;
        summary->bytes_received += op->bytes;
    }
    if (op->kind == TRACE_COLLECTIVE_CALL && (op->flags & TRACE_IMPLIED) == 0) {
        summary->collectives[op->collective].calls++;
        summary->collectives[op->collective].bytes += op->bytes;
    }
}

/* Doubles a rank's operations. */
static int make_room(struct stream *stream)
{
    if (stream->count < stream->capacity)
        return 0;
    size_t capacity = stream->capacity != 0 ? 2 * stream->capacity : 64;
    struct trace_op *ops = realloc(stream->ops, capacity * sizeof *ops);
    if (ops == NULL)
        return -1;
    stream->ops = ops;
    stream->capacity = capacity;
    return 0;
}

/* Copies what the operation points to, so that the caller's may go. */
static int copy_lists(struct trace_memory *memory, const struct trace_op *op, struct trace_op *copy)
{
    if (op->request_count > 0) {
        uint64_t *requests = base_arena_array(&memory->arena, op->request_count, sizeof *requests);
        if (requests == NULL)
            return -1;
        memcpy(requests, op->requests, op->request_count * sizeof *requests);
        copy->requests = requests;
    }
    if (op->kind == TRACE_COLLECTIVE_CALL && op->vector != NULL) {
        copy->vector = copy_vector(memory, op->vector);
        if (copy->vector == NULL)
            return -1;
    }
    return 0;
}

/* Everything that can fail comes before anything that changes the stream. An instance number that is lost by
 * a failure behind it does no harm: a program that could not be built is not replayed. */
int trace_memory_add(struct trace_memory *memory, uint32_t rank, const struct trace_op *op)
{
    struct stream *stream = &memory->streams[rank];
    struct trace_op copy = *op;
    if (make_room(stream) < 0 || copy_lists(memory, op, &copy) < 0)
        return -1;
    if (op->kind == TRACE_COLLECTIVE_CALL && number_instance(memory, rank, &copy) < 0)
        return -1;
    if ((op->flags & TRACE_NONBLOCKING) != 0)
        copy.request = stream->next_request++;
    if (copy.event == 0)
        copy.event = stream->count + 1;
    copy.time_ns = stream->time_ns;
    copy.region = region_of(op);
    stream->time_ns += op->kind == TRACE_COMPUTE ? op->duration_ns : 0;
    stream->ops[stream->count++] = copy;
    count_op(&memory->program.summary, op);
    return 0;
}

/* Requests of a rank are numbered from 0 in the order of its non-blocking operations; so a caller knows the
 * number before it adds the operation. */
uint64_t trace_memory_next_request(const struct trace_memory *memory, uint32_t rank)
{
    return memory->streams[rank].next_request;
}

/* `sent` and `received` have an entry for each member of both groups. For totals that no single call has,
 * such as those that a reader gathers from all ranks; vectors of calls themselves come with their
 * operations. */
int trace_memory_vector(struct trace_memory *memory, uint32_t communicator, uint64_t instance,
                        const uint64_t *sent, const uint64_t *received)
{
    const struct trace_communicator *members = &memory->communicators[communicator];
    const struct trace_vector totals = {sent, received, members->size + members->remote_size, false};
    const struct trace_vector *vector = copy_vector(memory, &totals);
    if (vector == NULL)
        return -1;
    if (memory->vector_count == memory->vector_capacity) {
        uint32_t capacity = memory->vector_capacity != 0 ? 2 * memory->vector_capacity : 16;
        void *grown = realloc(memory->vectors, capacity * sizeof *memory->vectors);
        if (grown == NULL)
            return -1;
        memory->vectors = grown;
        memory->vector_capacity = capacity;
    }
    if (base_table_put(&memory->vector_of, communicator, instance, memory->vector_count) < 0)
        return -1;
    memory->vectors[memory->vector_count++] = vector;
    return 0;
}

/* The same block: closing the program frees the memory. */
struct trace_program *trace_memory_program(struct trace_memory *memory)
{
    return &memory->program;
}
