/* Every collective of every rank is expanded as the communication graph and the replay do it, and counted
 * under its call and algorithm. There are few of both: rows are found by comparing names, the last one first,
 * since programs repeat themselves. */
#include "traces/graph/expansion.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "traces/graph/walk.h"

/* One program being read. */
struct reading {
    struct trace_program *program;     /* borrowed */
    const struct trace_tuning *tuning; /* by which collectives are expanded */
    struct trace_expansion_list *list; /* that is being filled */
    struct trace_schedule schedule;    /* room for one collective's steps */
    size_t last;                       /* the row that was counted last */
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
        if (base_grow(&list->rows, &list->capacity, row + 1, sizeof *list->rows) != 0)
            return NULL;
        list->rows[list->count++] = (struct trace_expansion){.record = record, .algorithm = algorithm};
    }
    reading->last = row;
    return &list->rows[row];
}

/* A collective of one rank alone has an algorithm too, which sends nothing. Sends alone are counted: each message
 * once, at its sender. A call whose sizes cannot be is an error. */
static int add_op(void *user, struct trace_walk *walk, const struct trace_op *op, struct base_error *error)
{
    struct reading *reading = user;
    struct trace_collective_call call;
    struct trace_expansion *row;

    if (op->kind != TRACE_COLLECTIVE_CALL)
        return 0;
    call = trace_walk_collective(walk, op);
    if (call.ranks <= 1)
        return 0;
    if (trace_collective_schedule(reading->tuning, &call, &reading->schedule, error) != 0)
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

/* No two rows are equal, so that the order does not depend on how qsort treats such. */
static int compare_rows(const void *left, const void *right)
{
    const struct trace_expansion *a = left, *b = right;
    int order = strcmp(a->record, b->record);

    return order != 0 ? order : strcmp(a->algorithm, b->algorithm);
}

/* What was counted before a failure stays in the list, which the caller frees in any case. */
int trace_expand(struct trace_program *program, const struct trace_tuning *tuning,
                 struct trace_expansion_list *list, struct base_error *error)
{
    struct reading reading = {.program = program, .tuning = tuning, .list = list};
    int status = trace_walk(program, add_op, &reading, error);

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
