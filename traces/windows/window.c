/* A window from its two texts: marks, borders, and what crosses them. */
#include "traces/windows/window.h"

#include <string.h>

#include "traces/windows/internal.h"

/* Marks of one kind can be held against each other before anything is read. */
static int check_order(const struct trace_mark *from, const struct trace_mark *to, const char *from_text,
                       const char *to_text, struct base_error *error)
{
    if (from->kind != to->kind || from->kind == TRACE_MARK_OPEN || from->number < to->number)
        return 0;
    if (from->kind == TRACE_MARK_REGION && (from->region_length != to->region_length ||
                                            memcmp(from->region, to->region, from->region_length) != 0))
        return 0;
    return base_error_set(
        error, BASE_USAGE,
        "--from %s --to %s: the window would end before it begins; --to names the call behind its "
        "last",
        from_text, to_text);
}

/* What can be said of two marks without a trace, before one is opened. */
int trace_window_check(const char *from, const char *to, struct base_error *error)
{
    struct trace_mark first, last;

    if (trace_mark_parse("from", from, &first, error) != 0 || trace_mark_parse("to", to, &last, error) != 0)
        return -1;
    return check_order(&first, &last, from, to, error);
}

/* Both texts are parsed for a second time: they are short. */
static int fill(struct trace_view *view, const char *from, const char *to, struct base_error *error)
{
    struct trace_mark first, last;

    view->window.from = base_arena_text(&view->arena, from);
    view->window.to = base_arena_text(&view->arena, to);
    if (view->window.from == NULL || view->window.to == NULL)
        return base_error_memory(error, "a window");
    if (trace_window_check(from, to, error) != 0 || trace_mark_parse("from", from, &first, error) != 0 ||
        trace_mark_parse("to", to, &last, error) != 0)
        return -1;
    return trace_marks_find(view, &first, &last, error) == 0 ? trace_crossings_find(view, error) : -1;
}

/* Takes the program over, also where it fails. */
struct trace_program *trace_window_new(struct trace_program *program, const char *from, const char *to,
                                       struct base_error *error)
{
    struct trace_view *view = trace_view_new(program, error);

    if (view == NULL || fill(view, from, to, error) == 0)
        return view == NULL ? NULL : &view->base;
    trace_close(&view->base);
    return NULL;
}
