/* The calls that make communicators and windows, and those that use windows.
 *
 * Handles are numbers of one rank: 2 is MPI_COMM_WORLD, 3 MPI_COMM_SELF, the others are given in the order in
 * which the rank makes them. They have 16 bits in the file. */
#include <stdlib.h>

#include "base/grow.h"
#include "traces/writers/dumpi.h"

#define HANDLE_MAX INT16_MAX
#define GROUP_WHOLE 3 /* numbers of groups, used again for each call */
#define GROUP_PART 4

/* Members of the communicator with this number. */
static const struct trace_communicator *group_of(const struct trace_write_dumpi *writer,
                                                 uint32_t communicator)
{
    return &writer->base.program->communicators[communicator];
}

/* The rank's position in a communicator: members, then remote members. */
static uint32_t own_position(const struct trace_write_dumpi *writer, uint32_t communicator)
{
    return base_table_get(&writer->base.members, communicator, writer->base.rank);
}

/* A communicator of the rank alone that no call made is MPI_COMM_SELF, which needs none. */
int trace_write_dumpi_handle(const struct trace_write_dumpi *writer, uint32_t communicator, int32_t *handle,
                             struct base_error *error)
{
    *handle = writer->handles[communicator];
    if (*handle != 0)
        return 0;
    if (own_position(writer, communicator) != BASE_TABLE_NONE && group_of(writer, communicator)->size == 1 &&
        group_of(writer, communicator)->remote_size == 0) {
        *handle = DPT_COMM_SELF;
        return 0;
    }
    return base_error_set(error, BASE_INPUT, "rank %u is not in communicator %u", writer->base.rank,
                          communicator);
}

/* The next handle; *handle is that of MPI_COMM_NULL for who is not a member. */
static int new_handle(struct trace_write_dumpi *writer, bool is_member, int32_t *handle,
                      struct base_error *error)
{
    *handle = DPT_COMM_NULL;
    if (!is_member)
        return 0;
    if (writer->next_handle > HANDLE_MAX)
        return base_error_set(error, BASE_USAGE,
                              "DUMPI has numbers for %d communicators of a rank; rank %u needs more",
                              HANDLE_MAX, writer->base.rank);
    *handle = writer->next_handle++;
    return 0;
}

/* MPI_Comm_split, which makes most of what the program did not make itself: any disjoint groups in any
 * order. */
static int split(struct trace_write_dumpi *writer, int32_t parent, int64_t color, int64_t key, int32_t handle,
                 uint64_t duration_ns, struct base_error *error)
{
    trace_write_dumpi_begin(writer, DPT_MPI_Comm_split, duration_ns);
    trace_write_dumpi_set(writer, DPT_OLDCOMM, parent);
    trace_write_dumpi_set(writer, DPT_COLOR, color);
    trace_write_dumpi_set(writer, DPT_KEY, key);
    trace_write_dumpi_set(writer, DPT_NEWCOMM, handle);
    return trace_write_dumpi_record(writer, error);
}

/* ---- windows */

/* The newest window of a communicator is the one that its operations go to: a program does not say which
 * of several they meant. A program has operations on communicators, DUMPI on windows: hence a window for each
 * communicator that needs one. */
static int create_window(struct trace_write_dumpi *writer, uint32_t communicator, uint64_t duration_ns,
                         struct base_error *error)
{
    int32_t handle;

    if (trace_write_dumpi_handle(writer, communicator, &handle, error) != 0)
        return -1;
    if (writer->next_window > HANDLE_MAX)
        return base_error_set(error, BASE_USAGE,
                              "DUMPI has numbers for %d windows of a rank; rank %u needs more", HANDLE_MAX,
                              writer->base.rank);
    if (base_grow(&writer->windows, &writer->window_capacity, writer->window_count + 1,
                  sizeof *writer->windows) != 0)
        return base_error_memory(error, "the windows of a rank");
    trace_write_dumpi_begin(writer, DPT_MPI_Win_create, duration_ns);
    trace_write_dumpi_set(writer, DPT_DISPUNIT, 1);
    trace_write_dumpi_set(writer, DPT_COMM, handle);
    trace_write_dumpi_set(writer, DPT_WIN, writer->next_window);
    writer->windows[writer->window_count++] =
        (struct trace_write_dumpi_window){communicator, writer->next_window++};
    return trace_write_dumpi_record(writer, error);
}

/* The youngest on a communicator, or NULL. */
static struct trace_write_dumpi_window *find_window(struct trace_write_dumpi *writer, uint32_t communicator)
{
    for (size_t i = writer->window_count; i-- > 0;)
        if (writer->windows[i].communicator == communicator)
            return &writer->windows[i];
    return NULL;
}

/* The plan has made one for every communicator that needs it, so this is a program whose ranks do not
 * agree. */
static int no_window(const struct trace_write_dumpi *writer, const struct trace_op *op,
                     struct base_error *error)
{
    struct base_position position = trace_op_position(writer->base.program, writer->base.rank, op);
    return base_error_at(error, BASE_INPUT, &position, "there is no window on communicator %u",
                         op->communicator);
}

/* A call whose only argument is the window. */
static int window_call(struct trace_write_dumpi *writer, unsigned function, int32_t window,
                       uint64_t duration_ns, struct base_error *error)
{
    trace_write_dumpi_begin(writer, function, duration_ns);
    trace_write_dumpi_set(writer, DPT_WIN, window);
    return trace_write_dumpi_record(writer, error);
}

/* MPI_Win_complete waits for all operations of a window and tells nobody: nothing else in DUMPI is so
 * quiet. */
int trace_write_dumpi_complete_window(struct trace_write_dumpi *writer, uint32_t communicator,
                                      uint64_t duration_ns, struct base_error *error)
{
    const struct trace_write_dumpi_window *window = find_window(writer, communicator);

    return window == NULL ? 0 : window_call(writer, DPT_MPI_Win_complete, window->handle, duration_ns, error);
}

/* Offsets are not known to a program; all operations go to the start of the window. */
int trace_write_dumpi_one_sided(struct trace_write_dumpi *writer, const struct trace_op *op,
                                struct base_error *error)
{
    const struct trace_write_dumpi_window *window = find_window(writer, op->communicator);
    int32_t count, datatype;
    bool remote;

    if (window == NULL)
        return no_window(writer, op, error);
    if (trace_write_dumpi_measure(writer, op->bytes, &count, &datatype, error) != 0)
        return -1;
    trace_write_dumpi_begin(writer, op->kind == TRACE_GET ? DPT_MPI_Get : DPT_MPI_Put, op->duration_ns);
    trace_write_dumpi_set(writer, DPT_ORIGINCOUNT, count);
    trace_write_dumpi_set(writer, DPT_ORIGINTYPE, datatype);
    trace_write_dumpi_set(writer, DPT_TARGETRANK,
                          trace_writer_member(&writer->base, op->communicator, op->peer, &remote));
    trace_write_dumpi_set(writer, DPT_TARGETCOUNT, count);
    trace_write_dumpi_set(writer, DPT_TARGETTYPE, datatype);
    trace_write_dumpi_set(writer, DPT_WIN, window->handle);
    return trace_write_dumpi_record(writer, error);
}

/* ---- communicators */

/* Once a communicator is there, a window on it, if the program uses one without making it. */
static int made(struct trace_write_dumpi *writer, uint32_t communicator, struct base_error *error)
{
    const struct trace_write_dumpi_communicator *planned = &writer->plan.planned[communicator];

    if (!planned->one_sided || planned->makes_windows)
        return 0;
    trace_writer_lose(&writer->base, TRACE_LOSS_WINDOW);
    return create_window(writer, communicator, 0, error);
}

/* One of the splits at the start: each rank is in one of its communicators at most. */
static int begin_batch(struct trace_write_dumpi *writer, uint32_t batch, struct base_error *error)
{
    uint32_t mine = TRACE_WRITE_DUMPI_NONE;
    int32_t handle;

    for (uint32_t i = 0; i < writer->base.program->communicator_count; i++)
        if (writer->plan.planned[i].batch == batch && own_position(writer, i) != BASE_TABLE_NONE)
            mine = i;
    if (new_handle(writer, mine != TRACE_WRITE_DUMPI_NONE, &handle, error) != 0)
        return -1;
    trace_writer_lose(&writer->base, TRACE_LOSS_CREATION);
    if (mine == TRACE_WRITE_DUMPI_NONE)
        return split(writer, DPT_COMM_WORLD, DPT_UNDEFINED, 0, handle, 0, error);
    writer->handles[mine] = handle;
    if (split(writer, DPT_COMM_WORLD, mine, own_position(writer, mine), handle, 0, error) != 0)
        return -1;
    return made(writer, mine, error);
}

/* Both groups by one split, then the leaders, which are the first of each, find each other in MPI_COMM_WORLD.
 *
 * There is no way around these calls. DUMPI says who is in a communicator by nothing but the call that made it, and a
 * program has that call only as what it does: the messages of the leaders and a broadcast on each side, which are
 * written as such. That those have made the communicator, no format but DUMPI says; so on the way from DUMPI to OTF2
 * and back the calls come twice, and are counted as lost. */
static int begin_inter(struct trace_write_dumpi *writer, uint32_t communicator, struct base_error *error)
{
    const struct trace_communicator *group = group_of(writer, communicator);
    uint32_t position = own_position(writer, communicator);
    bool is_member = position != BASE_TABLE_NONE, left = position < group->size;
    int32_t local, handle;

    trace_writer_lose(&writer->base, TRACE_LOSS_INTER_CREATION);
    if (new_handle(writer, is_member, &local, error) != 0 ||
        new_handle(writer, is_member, &handle, error) != 0 ||
        split(writer, DPT_COMM_WORLD, is_member ? 1 + !left : DPT_UNDEFINED, is_member ? position : 0, local,
              0, error) != 0)
        return -1;
    if (!is_member)
        return 0;
    trace_write_dumpi_begin(writer, DPT_MPI_Intercomm_create, 0);
    trace_write_dumpi_set(writer, DPT_LOCALCOMM, local);
    trace_write_dumpi_set(writer, DPT_LOCALLEADER, 0);
    trace_write_dumpi_set(writer, DPT_REMOTECOMM, DPT_COMM_WORLD);
    trace_write_dumpi_set(writer, DPT_REMOTELEADER, left ? group->remote_members[0] : group->members[0]);
    trace_write_dumpi_set(writer, DPT_TAG, communicator);
    trace_write_dumpi_set(writer, DPT_NEWCOMM, handle);
    writer->handles[communicator] = handle;
    if (trace_write_dumpi_record(writer, error) != 0)
        return -1;
    return made(writer, communicator, error);
}

/* All ranks make the same calls on MPI_COMM_WORLD in the same order here, members or not, as MPI
 * demands. Before the rank's first record of its own; numbers begin anew for each rank. */
int trace_write_dumpi_begin_communicators(struct trace_write_dumpi *writer, struct base_error *error)
{
    const struct trace_program *program = writer->base.program;

    for (uint32_t i = 0; i < program->communicator_count; i++)
        writer->handles[i] = 0;
    writer->next_handle = DPT_FIRST_USER_COMM;
    writer->next_window = 1;
    writer->window_count = 0;
    if (trace_write_dumpi_is_world(program, &program->communicators[0])) {
        writer->handles[0] = DPT_COMM_WORLD;
        if (made(writer, 0, error) != 0)
            return -1;
    }
    for (uint32_t batch = 0; batch < writer->plan.batches; batch++)
        if (begin_batch(writer, batch, error) != 0)
            return -1;
    for (uint32_t i = 0; i < program->communicator_count; i++)
        if (writer->plan.planned[i].used && program->communicators[i].remote_size != 0 &&
            begin_inter(writer, i, error) != 0)
            return -1;
    return 0;
}

/* ---- calls of the program */

/* Which of the communicators that an event makes has this rank in it. */
static uint32_t made_by(const struct trace_write_dumpi *writer, uint32_t event)
{
    uint32_t mine = event == BASE_TABLE_NONE ? TRACE_WRITE_DUMPI_NONE : writer->plan.events[event].first;

    while (mine != TRACE_WRITE_DUMPI_NONE && own_position(writer, mine) == BASE_TABLE_NONE)
        mine = writer->plan.planned[mine].next;
    return mine;
}

/* MPI_Comm_group, MPI_Group_incl, MPI_Comm_create: for any part of the parent, in any order. An event that
 * makes nothing makes it of the empty group, so that readers see no communicator that nobody has. Two records say
 * which members; they are local, and take no time. */
static int create(struct trace_write_dumpi *writer, uint32_t parent, int32_t parent_handle, uint32_t event,
                  int32_t handle, uint64_t duration_ns, struct base_error *error)
{
    uint32_t made_one = event == BASE_TABLE_NONE ? TRACE_WRITE_DUMPI_NONE : writer->plan.events[event].first;
    const struct trace_communicator *group;
    int32_t *ranks;
    bool remote;

    if (made_one != TRACE_WRITE_DUMPI_NONE) {
        group = group_of(writer, made_one);
        ranks = trace_write_dumpi_numbers(writer, 0, group->size, error);
        if (ranks == NULL)
            return -1;
        for (uint32_t i = 0; i < group->size; i++)
            ranks[i] = (int32_t)trace_writer_member(&writer->base, parent, group->members[i], &remote);
        trace_write_dumpi_begin(writer, DPT_MPI_Comm_group, 0);
        trace_write_dumpi_set(writer, DPT_COMM, parent_handle);
        trace_write_dumpi_set(writer, DPT_GROUP, GROUP_WHOLE);
        if (trace_write_dumpi_record(writer, error) != 0)
            return -1;
        trace_write_dumpi_begin(writer, DPT_MPI_Group_incl, 0);
        trace_write_dumpi_set(writer, DPT_GROUP, GROUP_WHOLE);
        trace_write_dumpi_set(writer, DPT_COUNT, group->size);
        trace_write_dumpi_set_list(writer, DPT_RANKS, ranks, group->size);
        trace_write_dumpi_set(writer, DPT_NEWGROUP, GROUP_PART);
        if (trace_write_dumpi_record(writer, error) != 0)
            return -1;
    }
    trace_write_dumpi_begin(writer, DPT_MPI_Comm_create, duration_ns);
    trace_write_dumpi_set(writer, DPT_OLDCOMM, parent_handle);
    trace_write_dumpi_set(writer, DPT_GROUP,
                          made_one != TRACE_WRITE_DUMPI_NONE ? GROUP_PART : DPT_GROUP_EMPTY);
    trace_write_dumpi_set(writer, DPT_NEWCOMM, handle);
    return trace_write_dumpi_record(writer, error);
}

/* Ranks that are in none of the new communicators take part all the same. Allgathers are splits, since they gather
 * colour and key; everything else is a creation by group. */
static int write_creation(struct trace_write_dumpi *writer, const struct trace_op *op,
                          struct base_error *error)
{
    uint32_t event = base_table_get(&writer->plan.event_index, op->communicator, op->instance);
    uint32_t mine = made_by(writer, event);
    int32_t parent, handle;
    int result;

    if (trace_write_dumpi_handle(writer, op->communicator, &parent, error) != 0 ||
        new_handle(writer, mine != TRACE_WRITE_DUMPI_NONE, &handle, error) != 0)
        return -1;
    if (op->collective == TRACE_ALLGATHER)
        result = split(writer, parent, mine != TRACE_WRITE_DUMPI_NONE ? (int64_t)mine : DPT_UNDEFINED,
                       mine != TRACE_WRITE_DUMPI_NONE ? own_position(writer, mine) : 0, handle,
                       op->duration_ns, error);
    else
        result = create(writer, op->communicator, parent, event, handle, op->duration_ns, error);
    if (result != 0 || mine == TRACE_WRITE_DUMPI_NONE)
        return result;
    writer->handles[mine] = handle;
    return made(writer, mine, error);
}

/* MPI_Win_fence and MPI_Win_free: a barrier, and the wait in front of it, which has been held back. */
static int write_window_end(struct trace_write_dumpi *writer, const struct trace_op *op, bool frees,
                            struct base_error *error)
{
    struct trace_write_dumpi_window *window = find_window(writer, op->communicator);
    int32_t handle;

    if (window == NULL)
        return 0;
    writer->fence_waits = false;
    handle = window->handle;
    if (frees)
        *window = writer->windows[--writer->window_count];
    return window_call(writer, frees ? DPT_MPI_Win_free : DPT_MPI_Win_fence, handle, op->duration_ns,
                       error) != 0
               ? -1
               : 1;
}

/* By what the operation is rather than by the name of its call, where that is enough: several calls imply
 * the same. */
int trace_write_dumpi_implied(struct trace_write_dumpi *writer, const struct trace_op *op,
                              struct base_error *error)
{
    const struct trace_program *program = writer->base.program;

    if (trace_write_dumpi_makes_communicator(program, op))
        return write_creation(writer, op, error) != 0 ? -1 : 1;
    if (op->collective == TRACE_ALLGATHER && op->bytes == 16)
        return create_window(writer, op->communicator, op->duration_ns, error) != 0 ? -1 : 1;
    if (op->collective == TRACE_BARRIER && trace_write_dumpi_is_implied_by(program, op, "MPI_Win_fence"))
        return write_window_end(writer, op, false, error);
    if (op->collective == TRACE_BARRIER && trace_write_dumpi_is_implied_by(program, op, "MPI_Win_free"))
        return write_window_end(writer, op, true, error);
    return 0;
}
