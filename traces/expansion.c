/* Every collective of every rank is expanded as the communication graph and the replay do it, and counted
 * under its call and algorithm. There are few of both: rows are found by comparing names, the last one first,
 * since programs repeat themselves. */
#include "traces/expansion.h"

#include <stdlib.h>
#include <string.h>

#include "traces/grow.h"

/* One program being read. */
struct reading {
    struct trace_program *program;
    const struct trace_selection *selection;
    struct trace_expansion_list *list;
    struct trace_schedule schedule;
    size_t last;        /* the row that was counted last */
    uint32_t *own_rank; /* [communicator]: of the rank being read, UINT32_MAX until looked up */
};

/* Texts are compared, not pointers: two regions may have one name. */
static bool is_row(const struct trace_expansion *row, const char *record, const char *algorithm)
{
    return strcmp(row->algorithm, algorithm) == 0 && strcmp(row->record, record) == 0;
}

/* The row of a call and an algorithm, made when it is new. NULL: memory.
 * Programs call the same collective many times in a row, so that the last row is nearly always the right one.
 */
static struct trace_expansion *row_of(struct reading *reading, const char *record, const char *algorithm)
{
    struct trace_expansion_list *list = reading->list;
    size_t row = 0;

    if (reading->last < list->count && is_row(&list->rows[reading->last], record, algorithm))
        return &list->rows[reading->last];
    while (row < list->count && !is_row(&list->rows[row], record, algorithm))
        row++;
    if (row == list->count) {
        if (trace_grow(&list->rows, &list->capacity, row + 1, sizeof *list->rows) != 0)
            return NULL;
        list->rows[list->count++] = (struct trace_expansion){record, algorithm, 0, 0, 0};
    }
    reading->last = row;
    return &list->rows[row];
}

/* The rank's number among the members of both groups; UINT32_MAX: none. */
static uint32_t own_rank_in(struct reading *reading, uint32_t index, uint32_t world_rank)
{
    const struct trace_communicator *communicator = trace_program_communicator(reading->program, index);
    uint32_t *own = &reading->own_rank[index];

    for (uint32_t i = 0; *own == UINT32_MAX && i < communicator->size; i++)
        if (communicator->members[i] == world_rank)
            *own = i;
    for (uint32_t i = 0; *own == UINT32_MAX && i < communicator->remote_size; i++)
        if (communicator->remote_members[i] == world_rank)
            *own = communicator->size + i;
    return *own;
}

/* A collective of one rank alone has an algorithm too, which sends nothing. */
static int add_collective(struct reading *reading, uint32_t rank, const struct trace_op *op,
                          struct base_error *error)
{
    const struct trace_communicator *communicator =
        trace_program_communicator(reading->program, op->communicator);
    struct trace_collective_call call = {
        .collective = op->collective,
        .ranks = communicator->size + communicator->remote_size,
        .first_group = communicator->remote_size > 0 ? communicator->size : 0,
        .rank = own_rank_in(reading, op->communicator, rank),
        .root = op->root,
        .bytes = op->bytes,
        .vector = op->vector,
        .nonblocking = (op->flags & TRACE_NONBLOCKING) != 0,
    };
    struct trace_expansion *row;

    if (call.ranks <= 1)
        return 0;
    if (trace_collective_schedule(reading->selection, &call, &reading->schedule, error) != 0)
        return -1;
    row =
        row_of(reading, trace_program_region_name(reading->program, op->region), reading->schedule.algorithm);
    if (row == NULL)
        return base_error_memory(error, "the list of algorithms");
    row->calls++;
    for (size_t i = 0; i < reading->schedule.count; i++)
        if (reading->schedule.steps[i].kind == TRACE_STEP_SEND) {
            row->messages++;
            row->bytes += reading->schedule.steps[i].bytes;
        }
    return 0;
}

/* Sentences about a call get its position; those about memory do not. */
static int add_op(struct reading *reading, uint32_t rank, const struct trace_op *op, struct base_error *error)
{
    struct base_error inner = {0};
    struct base_position position;

    if (op->kind != TRACE_COLLECTIVE_CALL || add_collective(reading, rank, op, &inner) == 0)
        return 0;
    if (inner.status != BASE_INPUT)
        return base_error_set(error, inner.status, "%s", inner.text);
    position = trace_op_position(reading->program, rank, op);
    return base_error_at(error, BASE_INPUT, &position, "%s", inner.text);
}

/* One stream is open at a time, and nothing of it is kept but the counts. */
static int read_rank(struct reading *reading, uint32_t rank, struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(reading->program, rank, error);
    struct trace_op op;
    int more = -1;

    if (cursor == NULL)
        return -1;
    while ((more = trace_cursor_next(cursor, &op, error)) > 0)
        if (add_op(reading, rank, &op, error) != 0) {
            more = -1;
            break;
        }
    trace_cursor_free(cursor);
    return more;
}

/* No two rows are equal, so that the order does not depend on how qsort treats such. */
static int compare_rows(const void *left, const void *right)
{
    const struct trace_expansion *a = left, *b = right;
    int order = strcmp(a->record, b->record);

    return order != 0 ? order : strcmp(a->algorithm, b->algorithm);
}

/* What was counted before a failure stays in the list, which the caller frees in any case. Communicators are
 * looked up anew for each rank: a rank has its own number in each. */
int trace_expand(struct trace_program *program, const struct trace_selection *selection,
                 struct trace_expansion_list *list, struct base_error *error)
{
    struct reading reading = {.program = program, .selection = selection, .list = list};
    uint32_t communicators = trace_program_communicators(program);
    int status = 0;

    reading.own_rank = malloc(((size_t)communicators + 1) * sizeof *reading.own_rank);
    if (reading.own_rank == NULL)
        return base_error_memory(error, "the list of algorithms");
    for (uint32_t rank = 0; status == 0 && rank < trace_program_ranks(program); rank++) {
        for (uint32_t i = 0; i < communicators; i++)
            reading.own_rank[i] = UINT32_MAX;
        status = read_rank(&reading, rank, error);
    }
    free(reading.own_rank);
    trace_schedule_free(&reading.schedule);
    if (list->count > 0)
        qsort(list->rows, list->count, sizeof *list->rows, compare_rows);
    return status;
}

/* Names in the rows are borrowed: there is only the array to free. */
void trace_expansion_list_free(struct trace_expansion_list *list)
{
    free(list->rows);
    *list = (struct trace_expansion_list){0};
}
