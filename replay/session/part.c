/* Parts of a trace: from the options to a program, and from the program to its answer. */
#include "replay/session/part.h"

#include "traces/windows/window.h"

/* Both marks at their defaults are the whole, which needs no view. */
struct trace_program *session_open_part(struct trace_program *program, const struct replay_settings *settings,
                                        struct base_error *error)
{
    const char *from = settings->text[REPLAY_FROM], *to = settings->text[REPLAY_TO];

    if (program == NULL || (from == NULL && to == NULL))
        return program;
    return trace_window_new(program, from == NULL ? replay_option_absent(REPLAY_FROM) : from,
                            to == NULL ? replay_option_absent(REPLAY_TO) : to, error);
}

/* Field by field: a report knows no traces. */
int session_report_window(const struct trace_program *program, struct base_arena *arena,
                          const struct report_window **window)
{
    const struct trace_window *found = program == NULL ? NULL : trace_program_window(program);
    struct report_window *copy;

    *window = NULL;
    if (found == NULL)
        return 0;
    copy = base_arena_alloc(arena, sizeof *copy);
    if (copy == NULL)
        return -1;
    *copy = (struct report_window){.from = base_arena_text(arena, found->from),
                                   .to = base_arena_text(arena, found->to),
                                   .calls = found->calls,
                                   .all_calls = found->all_calls,
                                   .sends = found->sends,
                                   .receives = found->receives,
                                   .probes = found->probes,
                                   .collectives = found->collectives,
                                   .collective_calls = found->collective_calls,
                                   .requests_before = found->requests_before,
                                   .requests_after = found->requests_after,
                                   .empty_ranks = found->empty_ranks};
    *window = copy;
    return copy->from == NULL || copy->to == NULL ? -1 : 0;
}
