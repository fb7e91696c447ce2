/* The program that leaves calls out: its cursors are those of the inner program, of which some operations are not
 * passed on and the numbers of requests and collectives are changed. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "traces/kept.h"
#include "traces/windows/groups.h"
#include "traces/windows/internal.h"

struct view_cursor {
    struct trace_cursor base; /* first */
    struct trace_cursor *inner;
    const struct trace_view *view; /* the program, without the cast */
    const struct trace_part *part; /* the view's, of this rank */
    struct trace_groups groups;
    bool has_ended; /* no operation is left */
    bool iterates;  /* an iteration has begun, and nothing of it was played yet */
    size_t skipped; /* entries of the part's list that are behind the cursor */
    uint64_t *set;  /* of the wait in hand, by the view's numbers */
    size_t set_capacity;
};

/* ---- numbers ---- */

/* Binary search: lists are short, and most are empty. */
static bool list_has(const uint64_t *list, size_t count, uint64_t number)
{
    size_t least = 0;

    while (least < count) {
        size_t middle = least + (count - least) / 2;
        if (list[middle] == number)
            return true;
        if (list[middle] < number)
            least = middle + 1;
        else
            count = middle;
    }
    return false;
}

/* Requests of the part that is left out have no number. Those behind it follow those before it; so a request that
 * is open wherever an iteration ends is, behind the gap, the one that is open before it. */
uint64_t trace_view_request(const struct trace_part *part, uint64_t number)
{
    uint64_t shift = part->request_back - part->request_front;

    if (number < part->request_front)
        return number;
    return number < shift ? UINT64_MAX : number - shift;
}

/* A stream of the view borrows the sets of the inner stream's waits only until it has copied what stays of them.
 * The set of a wait without what was started outside, or completes at once. -1: memory. */
static int take_wait(struct view_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    const struct trace_part *part = cursor->part;
    size_t count = 0;

    if (base_grow(&cursor->set, &cursor->set_capacity, op->request_count, sizeof *cursor->set) != 0)
        return base_error_memory(error, "the requests of a wait");
    for (size_t i = 0; i < op->request_count; i++) {
        uint64_t number = trace_view_request(part, op->requests[i]);
        if (number != UINT64_MAX && !list_has(part->dead, part->dead_count, number))
            cursor->set[count++] = number;
    }
    op->requests = cursor->set;
    op->request_count = count;
    return 0;
}

/* What an operation is called in the view. -1: memory. */
static int rename_op(struct view_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    if (op->kind == TRACE_WAIT)
        return take_wait(cursor, op, error);
    if (op->kind == TRACE_COLLECTIVE_CALL && cursor->groups.next >= cursor->part->border[TRACE_BACK])
        op->instance -= cursor->view->meetings[op->communicator].shift;
    if ((op->flags & TRACE_NONBLOCKING) != 0)
        op->request = trace_view_request(cursor->part, op->request);
    return 0;
}

/* ---- streams ---- */

/* The rank's whole stream is read through the inner cursor; what lies before the window is passed over when the
 * first operation is asked for. */
static struct trace_cursor *cursor_new(struct trace_program *program, uint32_t rank, struct base_error *error)
{
    struct view_cursor *cursor = calloc(1, sizeof *cursor);

    if (cursor == NULL) {
        base_error_memory(error, "a stream of operations");
        return NULL;
    }
    cursor->view = (const struct trace_view *)program;
    cursor->part = &cursor->view->parts[rank];
    cursor->inner = trace_cursor_new(cursor->view->inner, rank, error);
    if (cursor->inner != NULL)
        return &cursor->base;
    free(cursor);
    return NULL;
}

/* Whether the operation that the inner cursor gave last is left out. */
static bool is_left_out(struct view_cursor *cursor, const struct trace_op *op)
{
    const struct trace_part *part = cursor->part;
    uint64_t number = cursor->groups.next;

    if (number >= part->border[TRACE_FRONT] && number < part->border[TRACE_BACK])
        return true;
    while (cursor->skipped < part->skipped_count && part->skipped[cursor->skipped] < number)
        cursor->skipped++;
    return op->kind != TRACE_COMPUTE && cursor->skipped < part->skipped_count &&
           part->skipped[cursor->skipped] == number;
}

/* Whether the call is the first of an iteration that is played, or the first behind the last. The computation before
 * it counts for the iteration before: so all have one, wherever in them computing is. */
static bool begins_iteration(const struct trace_part *part, uint64_t call)
{
    if (part->length == 0 || call < part->first)
        return false;
    return call < part->border[TRACE_FRONT] ? (call - part->first) % part->length == 0
                                            : call == part->border[TRACE_BACK];
}

/* An operation that is passed on. -1: memory. */
static int pass_on(struct view_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    if (rename_op(cursor, op, error) != 0)
        return -1;
    op->flags |= cursor->iterates ? TRACE_ITERATES : 0;
    cursor->iterates = false;
    return 1;
}

/* Behind the last border the rank ends, wherever the recording goes on. */
static int cursor_next(struct trace_cursor *base, struct trace_op *op, struct base_error *error)
{
    struct view_cursor *cursor = (struct view_cursor *)base;

    while (!cursor->has_ended) {
        int more = trace_cursor_next(cursor->inner, op, error);
        if (more <= 0)
            return more;
        trace_groups_take(&cursor->groups, op);
        if (cursor->groups.next >= cursor->part->border[TRACE_LAST])
            op->kind = TRACE_END;
        if (op->kind != TRACE_COMPUTE && begins_iteration(cursor->part, cursor->groups.next))
            cursor->iterates = true;
        cursor->has_ended = op->kind == TRACE_END;
        if (cursor->has_ended || !is_left_out(cursor, op))
            return pass_on(cursor, op, error);
    }
    return 0;
}

static void cursor_free(struct trace_cursor *base)
{
    struct view_cursor *cursor = (struct view_cursor *)base;

    trace_cursor_free(cursor->inner);
    free(cursor->set);
    free(cursor);
}

/* ---- the program ---- */

/* Cursors set the vectors of their operations. Who asks by number means those before the gap, or behind it. */
static const struct trace_vector *vector(const struct trace_program *program, uint32_t communicator,
                                         uint64_t instance)
{
    const struct trace_view *view = (const struct trace_view *)program;
    const struct trace_meeting *meeting = &view->meetings[communicator];

    return trace_program_vector(view->inner, communicator,
                                instance < meeting->front ? instance : instance + meeting->shift);
}

/* The view owns the inner program. */
static void close_view(struct trace_program *program)
{
    struct trace_view *view = (struct trace_view *)program;

    for (uint32_t rank = 0; view->parts != NULL && rank < view->base.ranks; rank++) {
        free(view->parts[rank].skipped);
        free(view->parts[rank].dead);
    }
    trace_close(view->inner);
    base_arena_free(&view->arena);
    free(view);
}

/* As what it is a part of: the view itself does not change. */
static int share(struct trace_program *program, struct base_error *error)
{
    return trace_program_share(((struct trace_view *)program)->inner, error);
}

static void rest(struct trace_program *program)
{
    trace_program_rest(((struct trace_view *)program)->inner);
}

/* What the view has beside it is little: calls that reach over its ends. */
static struct trace_kept_size kept_size(const struct trace_program *program)
{
    return trace_kept_size(((const struct trace_view *)program)->inner);
}

static const struct trace_program_class class = {
    .cursor_new = cursor_new,
    .cursor_next = cursor_next,
    .cursor_free = cursor_free,
    .vector = vector,
    .close = close_view,
    .sets_vectors = true, /* the inner program's cursors have */
    .share = share,
    .rest = rest,
    .kept_size = kept_size,
};

/* Records keep their places in a view. */
static int find_callers(struct trace_program *program, struct trace_caller *callers, size_t count,
                        struct base_error *error)
{
    return trace_program_find_callers(((struct trace_view *)program)->inner, callers, count, error);
}

static int find_entries(struct trace_program *program, uint32_t rank, struct trace_entry *entries,
                        size_t count, struct base_error *error)
{
    return trace_program_find_entries(((struct trace_view *)program)->inner, rank, entries, count, error);
}

/* The trace is the same, whatever part of it is played. */
static int visit_files(const struct trace_program *program, trace_file_visit *visit, void *context,
                       struct base_error *error)
{
    const struct trace_program *inner = ((const struct trace_view *)program)->inner;

    return inner->visit_files == NULL ? 0 : inner->visit_files(inner, visit, context, error);
}

/* Takes the program over, also where it fails. The head is copied, so that everything that a window does not
 * change (names, communicators, regions) is answered as before. */
struct trace_view *trace_view_new(struct trace_program *program, struct base_error *error)
{
    struct trace_view *view = calloc(1, sizeof *view);

    if (view == NULL) {
        base_error_memory(error, "a window");
        trace_close(program);
        return NULL;
    }
    view->base = *program;
    view->base.class = &class;
    view->base.visit_files = visit_files;
    if (program->find_callers != NULL)
        view->base.find_callers = find_callers;
    if (program->find_entries != NULL)
        view->base.find_entries = find_entries;
    view->inner = program;
    view->parts = base_arena_array(&view->arena, (size_t)program->ranks + 1, sizeof *view->parts);
    view->meetings =
        base_arena_array(&view->arena, (size_t)program->communicator_count + 1, sizeof *view->meetings);
    if (view->parts != NULL && view->meetings != NULL)
        return view;
    base_error_memory(error, "the ranks of a window");
    close_view(&view->base);
    return NULL;
}

/* Views may stand around each other: a window around iterations, or the other way round. */
const struct trace_window *trace_program_window(const struct trace_program *program)
{
    const struct trace_view *view = program->class == &class ? (const struct trace_view *)program : NULL;

    if (view == NULL)
        return NULL;
    return view->window.from != NULL ? &view->window : trace_program_window(view->inner);
}

/* Windows are cut before iterations are looked for. */
const struct trace_iterations *trace_program_iterations(const struct trace_program *program)
{
    const struct trace_view *view = program->class == &class ? (const struct trace_view *)program : NULL;

    return view == NULL || view->iterations.played == 0 ? NULL : &view->iterations;
}
