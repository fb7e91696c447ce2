/* Record by record into the builder of communicators.h. The other functions are filtered out by the library,
 * which is about as fast as the file can be read. Programs make their communicators when they begin, and mostly none:
 * the footers say how many such calls there are, and behind the last of them nothing need be read.
 *
 *     file of a rank ─► filter ─► read_record ─┬─► read_group      groups are local: logged with operands
 *                                              ├─► free            the handle's meaning ends here
 *                                              └─► creation_of     what the parent's members agree on
 *
 * Handles are small numbers that are given again, so each call is logged with its event: what a handle means
 * is asked for a rank and an event, never for a handle alone. */
#include "traces/dumpi/creations.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

/* What the library is asked to decode, sorted by purpose: groups, communicators, and how they come into being. */
static const unsigned functions[] = {
    DPT_MPI_Comm_group,       DPT_MPI_Comm_remote_group,   DPT_MPI_Win_get_group,    DPT_MPI_File_get_group,
    DPT_MPI_Group_union,      DPT_MPI_Group_intersection,  DPT_MPI_Group_difference, DPT_MPI_Group_incl,
    DPT_MPI_Group_excl,       DPT_MPI_Group_range_incl,    DPT_MPI_Group_range_excl, DPT_MPI_Comm_dup,
    DPT_MPI_Comm_create,      DPT_MPI_Comm_split,          DPT_MPI_Comm_free,        DPT_MPI_Comm_disconnect,
    DPT_MPI_Intercomm_create, DPT_MPI_Intercomm_merge,     DPT_MPI_Cart_create,      DPT_MPI_Cart_sub,
    DPT_MPI_Graph_create,     DPT_MPI_Comm_accept,         DPT_MPI_Comm_connect,     DPT_MPI_Comm_join,
    DPT_MPI_Comm_spawn,       DPT_MPI_Comm_spawn_multiple, DPT_MPI_Comm_get_parent};

/* One rank's reading. */
struct reader {
    struct trace_communicators *communicators; /* that takes the calls in */
    const struct dpt_record *record;           /* the call; valid until the next one is read */
    uint32_t rank;                             /* of the world */
    uint64_t event;                            /* the record's number, from 1 */
    int32_t *numbers;                          /* for triplets */
    size_t capacity;
};

/* All handles, ranks and keys have 32 bits or less in the file. An argument that the function does not have
 * is 0. */
static int32_t number(const struct reader *reader, enum dpt_name name)
{
    return (int32_t)dpt_number(reader->record, name, 0);
}

/* A list argument. It is valid as long as the record is: the builder copies it. */
static const int32_t *list(const struct reader *reader, enum dpt_name name, uint32_t *count)
{
    const struct dpt_value *value = dpt_value(reader->record, name);

    *count = value == NULL ? 0 : (uint32_t)value->number;
    return value == NULL ? NULL : value->numbers;
}

/* Triplets from rows, of which the recorder wrote three numbers each. Rows of another length are damage,
 * and are left out rather than read beyond. First, last and stride of each range, one after the other, as MPI's
 * triplets are. */
static int flatten(struct reader *reader, uint32_t *count)
{
    const struct dpt_value *value = dpt_value(reader->record, DPT_RANGES);

    *count = 0;
    for (int64_t i = 0; value != NULL && i < value->number; i++) {
        if (value->number_lists[i].count != 3)
            continue;
        if (base_grow(&reader->numbers, &reader->capacity, *count + 3, sizeof *reader->numbers) != 0)
            return -1;
        for (unsigned k = 0; k < 3; k++)
            reader->numbers[(*count)++] = value->number_lists[i].numbers[k];
    }
    return 0;
}

/* Two operands for set operations, one and a list for the others; what a kind does not have stays zero. */
static int add_group(struct reader *reader, enum trace_group_kind kind, enum dpt_name left, enum dpt_name new)
{
    struct trace_group_call call = {.kind = kind,
                                    .event = reader->event,
                                    .new = number(reader, new),
                                    .left = number(reader, left),
                                    .right = number(reader, DPT_GROUP2)};

    call.numbers = list(reader, DPT_RANKS, &call.count);
    if (kind == TRACE_GROUP_RANGE_INCLUDE || kind == TRACE_GROUP_RANGE_EXCLUDE) {
        if (flatten(reader, &call.count) != 0)
            return -1;
        call.numbers = reader->numbers;
    }
    return trace_communicators_group(reader->communicators, reader->rank, &call);
}

/* -1: no memory; 1: the record is none of a group. MPI_Group_free is not among them: a handle that is given
 * again is bound anew. 0: added. Windows' and files' groups are not, since what they are used for is no
 * communication. */
static int read_group(struct reader *reader)
{
    switch (reader->record->function) {
    case DPT_MPI_Comm_group:
        return add_group(reader, TRACE_GROUP_OF, DPT_COMM, DPT_GROUP);
    case DPT_MPI_Comm_remote_group:
        return add_group(reader, TRACE_GROUP_REMOTE, DPT_COMM, DPT_GROUP);
    case DPT_MPI_Group_union:
        return add_group(reader, TRACE_GROUP_UNION, DPT_GROUP1, DPT_NEWGROUP);
    case DPT_MPI_Group_intersection:
        return add_group(reader, TRACE_GROUP_INTERSECTION, DPT_GROUP1, DPT_NEWGROUP);
    case DPT_MPI_Group_difference:
        return add_group(reader, TRACE_GROUP_DIFFERENCE, DPT_GROUP1, DPT_NEWGROUP);
    case DPT_MPI_Group_incl:
        return add_group(reader, TRACE_GROUP_INCLUDE, DPT_GROUP, DPT_NEWGROUP);
    case DPT_MPI_Group_excl:
        return add_group(reader, TRACE_GROUP_EXCLUDE, DPT_GROUP, DPT_NEWGROUP);
    case DPT_MPI_Group_range_incl:
        return add_group(reader, TRACE_GROUP_RANGE_INCLUDE, DPT_GROUP, DPT_NEWGROUP);
    case DPT_MPI_Group_range_excl:
        return add_group(reader, TRACE_GROUP_RANGE_EXCLUDE, DPT_GROUP, DPT_NEWGROUP);
    default:
        return 1;
    }
}

/* MPI_UNDEFINED as a colour: no new communicator. */
static int32_t color_of(const struct reader *reader)
{
    int32_t color = number(reader, DPT_COLOR);

    return color == DPT_UNDEFINED ? TRACE_UNDEFINED_COLOR : color;
}

/* What the creating functions have in common, and then what each adds. A kind that stays unknown (spawning,
 * accepting, connecting) binds its handle to nothing, so that an old meaning of the same number ends. Lists are
 * borrowed from the record. A failed call has no new communicator: DPT_COMM_NULL. */
static struct trace_creation creation_of(const struct reader *reader)
{
    struct trace_creation creation = {.kind = TRACE_CREATE_UNKNOWN,
                                      .event = reader->event,
                                      .parent =
                                          (int32_t)dpt_number(reader->record, DPT_OLDCOMM, DPT_COMM_NULL),
                                      .new = (int32_t)dpt_number(reader->record, DPT_NEWCOMM, DPT_COMM_NULL)};

    switch (reader->record->function) {
    case DPT_MPI_Comm_dup:
        creation.kind = TRACE_CREATE_DUP;
        break;
    case DPT_MPI_Comm_create:
        creation.kind = TRACE_CREATE_GROUP;
        creation.group = number(reader, DPT_GROUP);
        break;
    case DPT_MPI_Comm_split:
        creation.kind = TRACE_CREATE_SPLIT;
        creation.color = color_of(reader);
        creation.key = number(reader, DPT_KEY);
        break;
    case DPT_MPI_Cart_create:
        creation.kind = TRACE_CREATE_CART;
        creation.numbers = list(reader, DPT_DIMS, &creation.count);
        break;
    case DPT_MPI_Cart_sub:
        creation.kind = TRACE_CREATE_SUB;
        creation.numbers = list(reader, DPT_REMAIN_DIMS, &creation.count);
        break;
    case DPT_MPI_Graph_create:
        creation.kind = TRACE_CREATE_GRAPH;
        creation.count = (uint32_t)number(reader, DPT_NODES);
        break;
    case DPT_MPI_Intercomm_create:
        creation.kind = TRACE_CREATE_INTER;
        creation.parent = number(reader, DPT_LOCALCOMM);
        creation.leader = number(reader, DPT_LOCALLEADER);
        creation.peer = number(reader, DPT_REMOTECOMM);
        creation.remote_leader = number(reader, DPT_REMOTELEADER);
        creation.tag = number(reader, DPT_TAG);
        break;
    case DPT_MPI_Intercomm_merge:
        creation.kind = TRACE_CREATE_MERGE;
        creation.parent = number(reader, DPT_COMM);
        creation.high = number(reader, DPT_HIGH) != 0;
        break;
    case DPT_MPI_Comm_join:
        creation.new = number(reader, DPT_COMM);
        break;
    case DPT_MPI_Comm_get_parent:
        creation.new = number(reader, DPT_PARENT);
        break;
    default:
        break;
    }
    return creation;
}

/* Groups first: they have no effect on other ranks, the rest has. -1: no memory. Every record of the filter
 * changes what some handle means, or nothing. */
static int read_record(struct reader *reader)
{
    int result = read_group(reader);
    struct trace_creation creation;

    if (result <= 0)
        return result;
    switch (reader->record->function) {
    case DPT_MPI_Comm_free:
    case DPT_MPI_Comm_disconnect:
        return trace_communicators_free_handle(reader->communicators, reader->rank, reader->event,
                                               number(reader, DPT_COMM));
    /* Groups of windows and files only say whom to synchronise with. */
    case DPT_MPI_Win_get_group:
    case DPT_MPI_File_get_group:
        return 0;
    default:
        creation = creation_of(reader);
        return trace_communicators_add(reader->communicators, reader->rank, &creation);
    }
}

/* What one file says besides. The flavour of MPI shows in the number of MPI_PROC_NULL, to which many
 * programs send: hence the destinations of all ranks. */
static void note_file(struct trace_dumpi_creations *creations, const struct dpt_stream *stream)
{
    const struct dpt_statistics *statistics = dpt_stats(stream);
    const struct dpt_file_info *info = dpt_info(stream);

    creations->to_rank_minus_1 += statistics->to_rank_minus_1;
    creations->to_rank_minus_2 += statistics->to_rank_minus_2;
    if (info->has_index && creations->version[0] + creations->version[1] + creations->version[2] == 0)
        memcpy(creations->version, info->version, sizeof creations->version);
}

/* How many of the calls the file has by its footer; without one any number. */
static uint64_t calls_of(const struct dpt_file_info *info)
{
    uint64_t count = 0;

    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        unsigned function = functions[i];
        if (info->calls == NULL || info->ignored == NULL || function >= info->function_count)
            return UINT64_MAX;
        if (info->calls[function] > info->ignored[function])
            count += info->calls[function] - info->ignored[function];
    }
    return count;
}

bool trace_dumpi_is_creation(unsigned function)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (functions[i] == function)
            return true;
    return false;
}

/* An error in the middle of a file ends the pass over this rank in silence: the survey meets it again. The same is
 * true of a file that cannot be opened, but not of memory: -1. Costs one pass over the file, in which records of other
 * functions are only skipped. */
static int read_rank(struct trace_dumpi_creations *creations, const struct dpt_trace *trace, uint32_t rank,
                     bool hurry)
{
    struct reader reader = {.communicators = creations->communicators, .rank = rank};
    struct dpt_error problem;
    struct dpt_stream *stream = dpt_open_rank(trace, (int32_t)rank, &problem);
    uint64_t left;
    int result = 0, more = 1;

    if (stream == NULL)
        return problem.status == DPT_ERROR_MEMORY ? -1 : 0;
    left = hurry ? calls_of(dpt_info(stream)) : UINT64_MAX;
    dpt_filter(stream, functions, sizeof functions / sizeof *functions);
    while (result == 0 && left-- > 0 && (more = dpt_next(stream, &reader.record)) == 1) {
        reader.event = (uint64_t)reader.record->index + 1;
        result = read_record(&reader);
        creations->records++;
    }
    if (more < 0 && dpt_stream_error(stream)->status == DPT_ERROR_MEMORY)
        result = -1;
    note_file(creations, stream);
    free(reader.numbers);
    dpt_close_rank(stream);
    return result;
}

/* One rank after the other; the builder matches their calls at the end. */
int trace_dumpi_read_creations(struct trace_dumpi_creations *creations, const struct dpt_trace *trace,
                               uint32_t ranks, bool hurry, const char *path, struct trace_defects *defects,
                               struct base_error *error)
{
    static const struct trace_predefined_handles handles = {DPT_COMM_WORLD, DPT_COMM_SELF, DPT_COMM_NULL,
                                                            DPT_GROUP_EMPTY, DPT_GROUP_NULL};

    *creations = (struct trace_dumpi_creations){.communicators = trace_communicators_new(ranks, &handles)};
    if (creations->communicators == NULL)
        return base_error_memory(error, "the communicators of a trace");
    for (uint32_t rank = 0; rank < ranks; rank++)
        if (read_rank(creations, trace, rank, hurry) != 0)
            return base_error_memory(error, "the communicators of a trace");
    return trace_communicators_resolve(creations->communicators, path, defects, error);
}
