/* Where the communicators of a program come from.
 *
 * A program knows its communicators from the start; what it still has of the calls that made them are the
 * operations that those implied. Each communicator is given to the first such call that can have made it: one
 * on a communicator that has all its members, before any of them used it, and that has made nothing else for
 * them. This is the order in which readers number communicators, so that a program read from DUMPI finds its
 * own again. The others are made at the start, as many at once as have no rank in common, by calls that the
 * program did not have: those are counted as lost fidelity.
 *
 *      rank 0   split(world) ───────────── dup(world) ───────
 *      rank 1   split(world) ── send on 1 ─ dup(world) ── bcast on 2
 *               makes 1                     makes 2 */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "traces/writers/dumpi.h"

#define EVENTS_MAX 4096 /* calls that are considered; communicators of later ones are made at the start */

/* Names come from the trace that was read, as MPI spells them. */
bool trace_write_dumpi_is_implied_by(const struct trace_program *program, const struct trace_op *op,
                                     const char *name)
{
    return (op->flags & TRACE_IMPLIED) != 0 &&
           strcmp(trace_program_region_name(program, op->region), name) == 0;
}

/* Both kinds of agreement that implied.c knows: colour and key of everyone, or only that all have
 * come. */
bool trace_write_dumpi_makes_communicator(const struct trace_program *program, const struct trace_op *op)
{
    static const char *const names[] = {"MPI_Comm_", "MPI_Cart_", "MPI_Graph_", "MPI_Dist_graph_"};
    const char *name = trace_program_region_name(program, op->region);

    if ((op->flags & TRACE_IMPLIED) == 0 || op->kind != TRACE_COLLECTIVE_CALL ||
        program->communicators[op->communicator].remote_size != 0)
        return false;
    if (op->collective != TRACE_BARRIER && (op->collective != TRACE_ALLGATHER || op->bytes != 8))
        return false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

/* Other communicators may have all ranks too; they are copies, with messages of their own. */
bool trace_write_dumpi_is_world(const struct trace_program *program,
                                const struct trace_communicator *communicator)
{
    if (communicator->size != program->ranks || communicator->remote_size != 0)
        return false;
    for (uint32_t i = 0; i < communicator->size; i++)
        if (communicator->members[i] != i)
            return false;
    return true;
}

/* The event of an operation, made when its first rank comes by; TRACE_WRITE_DUMPI_NONE beyond the limit. -1:
 * memory.
 */
static int find_event(struct trace_write_dumpi_plan *plan, const struct trace_op *op, uint32_t *event)
{
    *event = base_table_get(&plan->event_index, op->communicator, op->instance);
    if (*event != BASE_TABLE_NONE || plan->event_count == EVENTS_MAX)
        return 0;
    *event = (uint32_t)plan->event_count;
    if (base_grow(&plan->events, &plan->event_capacity, plan->event_count + 1, sizeof *plan->events) != 0 ||
        base_table_put(&plan->event_index, op->communicator, op->instance, *event) != 0)
        return -1;
    plan->events[plan->event_count++] =
        (struct trace_write_dumpi_event){.parent = op->communicator,
                                         .gathers = op->collective == TRACE_ALLGATHER,
                                         .first = TRACE_WRITE_DUMPI_NONE};
    return 0;
}

/* *events counts those of the rank. first_use holds, for a communicator and a rank, how many events the rank had
 * before it used it. */
static int note_op(struct trace_write_dumpi_plan *plan, const struct trace_program *program, uint32_t rank,
                   const struct trace_op *op, uint32_t *events)
{
    struct trace_write_dumpi_communicator *planned;
    uint32_t event;

    if (op->kind == TRACE_COMPUTE || op->kind == TRACE_WAIT || op->kind == TRACE_END)
        return 0;
    planned = &plan->planned[op->communicator];
    planned->used = true;
    planned->one_sided |= op->kind == TRACE_PUT || op->kind == TRACE_GET;
    planned->makes_windows |= (op->flags & TRACE_IMPLIED) != 0 && op->kind == TRACE_COLLECTIVE_CALL &&
                              op->collective == TRACE_ALLGATHER && op->bytes == 16;
    if (base_table_get(&plan->first_use, op->communicator, rank) == BASE_TABLE_NONE &&
        base_table_put(&plan->first_use, op->communicator, rank, *events) != 0)
        return -1;
    if (!trace_write_dumpi_makes_communicator(program, op))
        return 0;
    if (find_event(plan, op, &event) != 0)
        return -1;
    return event == BASE_TABLE_NONE ? 0 : base_table_put(&plan->order, event, rank, (*events)++);
}

/* Only where communicators are made and first used is kept, so that this costs no memory for long
 * ranks. */
static int read_rank(struct trace_write_dumpi_plan *plan, struct trace_program *program, uint32_t rank,
                     struct base_error *error)
{
    struct trace_cursor *cursor = trace_cursor_new(program, rank, error);
    struct trace_op op;
    uint32_t events = 0;
    int more = cursor == NULL ? -1 : 1;

    while (more > 0 && (more = trace_cursor_next(cursor, &op, error)) > 0)
        if (note_op(plan, program, rank, &op, &events) != 0)
            more = base_error_memory(error, "the plan of communicators");
    trace_cursor_free(cursor);
    return more;
}

/* ---- which event makes which communicator */

/* Whether a rank's part in an event comes before its first use of the communicator, and has made nothing for
 * it. */
static bool rank_can(const struct trace_write_dumpi_plan *plan, const struct trace_writer *writer,
                     uint32_t event, uint32_t communicator, uint32_t rank)
{
    uint32_t order = base_table_get(&plan->order, event, rank);
    uint32_t first_use = base_table_get(&plan->first_use, communicator, rank);

    if (order == BASE_TABLE_NONE || (first_use != BASE_TABLE_NONE && order >= first_use))
        return false;
    for (uint32_t other = plan->events[event].first; other != TRACE_WRITE_DUMPI_NONE;
         other = plan->planned[other].next)
        if (base_table_get(&writer->members, other, rank) != BASE_TABLE_NONE)
            return false;
    return true;
}

/* A parent must itself exist by then: it has been planned before, or was there from the start. A call that
 * gathers nothing makes one communicator only. */
static bool event_can(const struct trace_write_dumpi_plan *plan, const struct trace_writer *writer,
                      uint32_t event, uint32_t communicator)
{
    const struct trace_communicator *group = &writer->program->communicators[communicator];
    const struct trace_write_dumpi_event *candidate = &plan->events[event];

    if (candidate->parent == communicator ||
        (!candidate->gathers && candidate->first != TRACE_WRITE_DUMPI_NONE))
        return false;
    for (uint32_t i = 0; i < group->size; i++)
        if (!rank_can(plan, writer, event, communicator, group->members[i]))
            return false;
    return true;
}

/* The first that fits, in the order in which the first rank that makes it comes to it. */
static void assign_event(struct trace_write_dumpi_plan *plan, const struct trace_writer *writer,
                         uint32_t communicator)
{
    for (uint32_t event = 0; event < plan->event_count; event++) {
        if (!event_can(plan, writer, event, communicator))
            continue;
        plan->planned[communicator].event = event;
        plan->planned[communicator].next = plan->events[event].first;
        plan->events[event].first = communicator;
        return;
    }
}

/* ---- the rest at the start */

/* The first split in which none of the members has a part yet. `taken` is (batch, rank). */
static int assign_batch(struct trace_write_dumpi_plan *plan, const struct trace_communicator *group,
                        struct trace_write_dumpi_communicator *planned, struct base_table *taken)
{
    for (uint32_t batch = 0;; batch++) {
        bool is_free = true;
        for (uint32_t i = 0; i < group->size && is_free; i++)
            is_free = base_table_get(taken, batch, group->members[i]) == BASE_TABLE_NONE;
        if (!is_free)
            continue;
        planned->batch = batch;
        if (batch >= plan->batches)
            plan->batches = batch + 1;
        for (uint32_t i = 0; i < group->size; i++)
            if (base_table_put(taken, batch, group->members[i], 1) != 0)
                return -1;
        return 0;
    }
}

/* Those that a call of the program can have made first; then the rest, packed into as few splits as there
 * are overlaps. `taken` is (batch, rank), for this call only. Inter-communicators are made one by one at the start
 * (begin_inter). */
static int assign(struct trace_write_dumpi_plan *plan, const struct trace_writer *writer)
{
    const struct trace_program *program = writer->program;
    struct base_table taken = {0};
    int result = 0;

    for (uint32_t i = 0; i < program->communicator_count; i++) {
        const struct trace_communicator *group = &program->communicators[i];
        if ((i == 0 && trace_write_dumpi_is_world(program, group)) || group->remote_size != 0)
            continue;
        assign_event(plan, writer, i);
    }
    for (uint32_t i = 0; result == 0 && i < program->communicator_count; i++) {
        const struct trace_communicator *group = &program->communicators[i];
        struct trace_write_dumpi_communicator *planned = &plan->planned[i];
        if (planned->event != TRACE_WRITE_DUMPI_NONE || !planned->used || group->remote_size != 0 ||
            group->size == 1 || (i == 0 && trace_write_dumpi_is_world(program, group)))
            continue;
        result = assign_batch(plan, group, planned, &taken);
    }
    base_table_free(&taken);
    return result;
}

/* Everything that the plan needs is on the first reading; the second is the writing. */
int trace_write_dumpi_plan_make(struct trace_write_dumpi_plan *plan, const struct trace_writer *writer,
                                struct base_error *error)
{
    /* Cursors change nothing that shows; the program is only const to say so. */
    struct trace_program *program = (struct trace_program *)(uintptr_t)writer->program;

    plan->planned = calloc(program->communicator_count + 1, sizeof *plan->planned);
    if (plan->planned == NULL)
        return base_error_memory(error, "the plan of communicators");
    for (uint32_t i = 0; i < program->communicator_count; i++)
        plan->planned[i] = (struct trace_write_dumpi_communicator){
            .event = TRACE_WRITE_DUMPI_NONE, .batch = TRACE_WRITE_DUMPI_NONE, .next = TRACE_WRITE_DUMPI_NONE};
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        if (read_rank(plan, program, rank, error) != 0)
            return -1;
    return assign(plan, writer) != 0 ? base_error_memory(error, "the plan of communicators") : 0;
}

/* Legal for a plan that was made in part. */
void trace_write_dumpi_plan_free(struct trace_write_dumpi_plan *plan)
{
    base_table_free(&plan->event_index);
    base_table_free(&plan->order);
    base_table_free(&plan->first_use);
    free(plan->planned);
    free(plan->events);
}
