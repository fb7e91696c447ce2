/* Parts of a trace: from the options to a program, and from the program to its answer. */
#include "replay/session/part.h"

#include "base/units.h"
#include "replay/session/laps.h"
#include "replay/session/session.h"
#include "reports/run/run.h"
#include "traces/windows/iterations.h"
#include "traces/windows/window.h"

/* The iterations that the settings ask for; the program if they do not. */
static struct trace_program *open_iterations(struct trace_program *program, const char *text,
                                             struct base_error *error)
{
    uint64_t played = 0;

    if (program == NULL || text == NULL)
        return program;
    if (base_parse_unsigned(text, INT64_MAX, &played) == 0 && played > 0)
        return trace_iterations_new(program, played, error);
    base_error_set(error, BASE_USAGE, "--iterations %s: needs a whole number from 1, or all", text);
    trace_close(program);
    return NULL;
}

/* Both marks at their defaults are the whole, which needs no view. Iterations are those of the window. */
struct trace_program *session_open_part(struct trace_program *program, const struct replay_settings *settings,
                                        struct base_error *error)
{
    const char *from = settings->text[REPLAY_FROM], *to = settings->text[REPLAY_TO];

    if (program != NULL && (from != NULL || to != NULL))
        program = trace_window_new(program, from == NULL ? replay_option_absent(REPLAY_FROM) : from,
                                   to == NULL ? replay_option_absent(REPLAY_TO) : to, error);
    return open_iterations(program, settings->text[REPLAY_ITERATIONS], error);
}

/* Field by field: a report knows no traces. */
int replay_report_window(const struct trace_program *program, struct base_arena *arena,
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

/* ---- iterations ---- */

/* An interrupted run has not come to all of them. */
int session_report_iterations(const struct trace_program *program, const struct replay_laps *network,
                              const struct replay_laps *ideal, struct report_run *run)
{
    const struct trace_iterations *found = trace_program_iterations(program);
    struct report_iterations *iterations;

    if (found == NULL)
        return 0;
    iterations = base_arena_alloc(&run->arena, sizeof *iterations);
    if (iterations == NULL)
        return -1;
    *iterations = (struct report_iterations){.found = found->found,
                                             .played = found->played,
                                             .calls = found->calls,
                                             .all_calls = found->all_calls,
                                             .cut = found->sends + found->receives + found->probes +
                                                    found->collective_calls,
                                             .is_extrapolated = !run->is_partial};
    run->iterations = iterations;
    if (run->is_partial)
        return 0;
    return report_extrapolate(iterations, &run->arena, network->begin_ns, run->simulated_ns,
                              &iterations->network) != 0
               ? -1
               : report_extrapolate(iterations, &run->arena, ideal->begin_ns, run->ideal_ns,
                                    &iterations->ideal);
}
