/* The interface of program.h over whatever built the program: each function hands on to the builder's class
 * or reads a field that the builder filled. No checks here: an index out of range is a bug of the caller.
 *
 * Strings and arrays that are handed out belong to the program and live until trace_close. Cursors of
 * different ranks are independent of each other and must be freed before the program. */
#include "traces/program-internal.h"

#include <string.h>

#include "base/names.h"

static const char *const collective_names[TRACE_COLLECTIVES] = {
#define TRACE_COLLECTIVE(symbol, name) [TRACE_##symbol] = (name),
#include "traces/collectives.def"
#undef TRACE_COLLECTIVE
};

/* Also for numbers that are no collective: it serves in messages about them. */
const char *trace_collective_name(enum trace_collective collective)
{
    return (unsigned)collective < TRACE_COLLECTIVES ? collective_names[collective] : "collective?";
}

/* Counts are arguments of these calls in the plural (MPI 4.0, chapter 6). A scan or a reduction has one vector of the
 * same length everywhere, whatever its name suggests. */
bool trace_collective_has_vectors(enum trace_collective collective)
{
    switch (collective) {
    case TRACE_GATHERV:
    case TRACE_SCATTERV:
    case TRACE_ALLGATHERV:
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
    case TRACE_REDUCE_SCATTER:
        return true;
    default:
        return false;
    }
}

/* Of an inter-communicator, the root's group has one that acts, and the others of its group only come along. */
bool trace_collective_has_root(enum trace_collective collective)
{
    switch (collective) {
    case TRACE_BCAST:
    case TRACE_GATHER:
    case TRACE_GATHERV:
    case TRACE_SCATTER:
    case TRACE_SCATTERV:
    case TRACE_REDUCE:
        return true;
    default:
        return false;
    }
}

/* By MPI's name without its prefix. -1 with the nearest name. */
int trace_collective_find(const char *name, enum trace_collective *collective, struct base_error *error)
{
    static const struct base_names names =
        BASE_NAMES_OF_TEXTS("collective operation", collective_names, TRACE_COLLECTIVES);
    size_t place = base_names_find(&names, name, SIZE_MAX, error);

    if (place == TRACE_COLLECTIVES)
        return -1;
    *collective = (enum trace_collective)place;
    return 0;
}

/* NULL is legal. */
void trace_close(struct trace_program *program)
{
    if (program != NULL)
        program->class->close(program);
}

uint32_t trace_program_ranks(const struct trace_program *program)
{
    return program->ranks;
}

/* As the user gave it, or a name in its place for programs that are made: for messages. */
const char *trace_program_path(const struct trace_program *program)
{
    return program->path;
}

const char *trace_program_format(const struct trace_program *program)
{
    return program->format;
}

const char *trace_program_writer(const struct trace_program *program)
{
    return program->writer;
}

uint32_t trace_program_communicators(const struct trace_program *program)
{
    return program->communicator_count;
}

/* 0 is MPI_COMM_WORLD in every format. */
uint32_t trace_communicator_position(const struct trace_communicator *communicator, uint32_t rank)
{
    if (rank < communicator->size && communicator->members[rank] == rank)
        return rank;
    for (uint32_t i = 0; i < communicator->size; i++)
        if (communicator->members[i] == rank)
            return i;
    for (uint32_t i = 0; i < communicator->remote_size; i++)
        if (communicator->remote_members[i] == rank)
            return communicator->size + i;
    return UINT32_MAX;
}

const struct trace_communicator *trace_program_communicator(const struct trace_program *program,
                                                            uint32_t index)
{
    return &program->communicators[index];
}

/* Complete when the program is open: formats count while they survey. */
const struct trace_summary *trace_program_summary(const struct trace_program *program)
{
    return &program->summary;
}

/* Region numbers come from traces: a wrong one must not lead out of the array. */
const char *trace_program_region_name(const struct trace_program *program, uint32_t region)
{
    return region < program->region_count ? program->region_names[region] : "MPI_?";
}

/* Formats without vectors leave the method out. */
const struct trace_vector *trace_program_vector(const struct trace_program *program, uint32_t communicator,
                                                uint64_t instance)
{
    return program->class->vector == NULL ? NULL : program->class->vector(program, communicator, instance);
}

/* Most formats know nothing of a program's own functions. */
int trace_program_find_callers(struct trace_program *program, struct trace_caller *callers, size_t count,
                               struct base_error *error)
{
    for (size_t i = 0; i < count; i++)
        callers[i].region = NULL;
    return program->find_callers == NULL ? 0 : program->find_callers(program, callers, count, error);
}

const char *const *trace_program_own_regions(const struct trace_program *program, uint32_t *count)
{
    *count = program->own_region_count;
    return program->own_region_names;
}

int trace_program_find_entries(struct trace_program *program, uint32_t rank, struct trace_entry *entries,
                               size_t count, struct base_error *error)
{
    for (size_t i = 0; i < count; i++)
        entries[i].event = entries[i].entries = 0;
    return program->find_entries == NULL ? 0 : program->find_entries(program, rank, entries, count, error);
}

/* By format: of an OTF2 archive the recorder could have defined regions, of the others none could. */
const char *trace_program_no_regions(const struct trace_program *program)
{
    if (program->find_callers != NULL)
        return NULL;
    if (strcmp(program->format, "dumpi") == 0)
        return "DUMPI traces record MPI calls alone, not the regions of the program around them";
    if (strcmp(program->format, "goal") == 0)
        return "GOAL schedules record messages alone, not the regions of a program around them";
    return "the trace records no regions of the program";
}

void trace_program_rest(struct trace_program *program)
{
    if (program->class->rest != NULL)
        program->class->rest(program);
}

int trace_program_share(struct trace_program *program, struct base_error *error)
{
    return program->class->share == NULL ? 0 : program->class->share(program, error);
}

/* The common fields are set here, so that no builder can forget one. */
struct trace_cursor *trace_cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct trace_cursor *cursor = program->class->cursor_new(program, rank, error);
    if (cursor == NULL)
        return NULL;
    cursor->class = program->class;
    cursor->program = program;
    cursor->rank = rank;
    return cursor;
}

/* UINT64_MAX where the format has no clock that all ranks share. */
uint64_t trace_program_origin_ns(const struct trace_program *program, uint32_t rank)
{
    return program->origins_ns == NULL ? UINT64_MAX : program->origins_ns[rank];
}

/* Every format has its own cursor behind this. Builders that keep totals by instance leave op->vector to us.
 */
int trace_cursor_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    const struct trace_program_class *class = cursor->class;
    int result;

    if (class->sets_vectors) /* the replay's main path: one call becomes the other */
        return class->cursor_next(cursor, op, error);
    result = class->cursor_next(cursor, op, error);
    if (result == 1 && op->kind == TRACE_COLLECTIVE_CALL && op->vector == NULL)
        op->vector = trace_program_vector(cursor->program, op->communicator, op->instance);
    return result;
}

/* NULL is legal. The operation that the cursor gave last goes with it. */
void trace_cursor_free(struct trace_cursor *cursor)
{
    if (cursor != NULL)
        cursor->class->cursor_free(cursor);
}

/* event 0 means that the operation has no record of its own (TRACE_END of a program made in memory). */
struct base_position trace_op_position(const struct trace_program *program, uint32_t rank,
                                       const struct trace_op *op)
{
    struct base_position position = base_position_of(program->path);
    position.rank = rank;
    if (op != NULL && op->event > 0)
        position.event = (int64_t)op->event;
    return position;
}
