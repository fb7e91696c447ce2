/* One program's run from a trace to a report.
 *
 *      setup ──────► routing, options, tuning of collective algorithms (setup.c)
 *      program ────► communication graph ──► placement ──► static cost
 *      placement ──► replay on ideal:N ─────► ideal time, and what each rank waits for without any network
 *              ├───► replay on the topology ► simulated time, statistics of the network
 *              └───► replays on simpler ones ► what each effect of the network adds (attribution.c)
 *      all of it ──► struct report_run (report.c)
 *
 * Both replays read the trace through streams of their own. Nothing is kept between two sessions, and nothing
 * here depends on the order in which sessions run. */
#include "replay/session/clocks.h"
#include "replay/session/internal.h"
#include "replay/session/part.h"

/* One place where settings become options of reading, for every subcommand that takes a trace. */
struct trace_program *replay_session_open(const char *path, const struct replay_settings *settings,
                                          struct trace_defects *defects, struct base_error *error)
{
    const struct trace_options options = {
        .clock = (enum trace_clock)settings->number[REPLAY_CLOCK],
        .compute_threshold_ns = settings->number[REPLAY_COMPUTE_THRESHOLD],
        .keep_polling = settings->number[REPLAY_POLLING] != 0,
        .defects = defects,
    };

    return session_open_part(trace_open(path, &options, error), settings, error);
}

int session_place(struct session *session, const struct replay_setup *machine, const char *mapping,
                  struct base_error *error)
{
    session->setup = &session->placement.setup;
    return replay_place(&session->placement, machine, session->program, mapping, session->watch, error);
}

/* Before the network's own replay there is nothing to report. The placement of a search that was stopped
 * would be another one than that of the same command left alone: it is not replayed. */
int session_check_going(const struct session *session, struct base_error *error)
{
    if (!replay_is_stopped(session->watch))
        return 0;
    return base_error_set(error, BASE_INTERRUPTED, "interrupted before there was a result");
}

int session_replay_ends(struct session *session, struct base_error *error)
{
    struct replay_onlooker onlooker = {.watch = session->watch, .keeps = true};

    if (session_check_going(session, error) != 0 ||
        replay_try(&session->ideal, session->setup, session->program, session->placement.map->terminal,
                   REPLAY_IDEAL, &onlooker, error) != 0 ||
        session_check_going(session, error) != 0)
        return -1;
    onlooker.what = session->name;
    return replay_try(&session->real, session->setup, session->program, session->placement.map->terminal,
                      REPLAY_CONFIGURED, &onlooker, error);
}

/* Every part may be missing: this is the end of a failed session too. */
void session_free(struct session *session)
{
    replay_trial_free(&session->ideal);
    replay_trial_free(&session->real);
    for (unsigned rung = 1; rung < REPORT_EFFECTS; rung++)
        replay_trial_free(&session->rungs[rung - 1]);
    replay_placement_free(&session->placement);
}

/* Placement before replay: it is cheap, and the only step that a wrong file can still stop. The trace is open
 * already, so that its survey is in none of the times that the stopwatch takes. The session lives on the
 * stack and ends here, whether there is a report or not. */
struct report_run *replay_session_run(struct trace_program *program, const struct replay_setup *setup,
                                      const struct replay_watch *watch, struct base_error *error)
{
    struct session session = {.program = program, .watch = watch};
    struct report_run *run = NULL;

    replay_stopwatch_start(&session.stopwatch);
    if (session_place(&session, setup, setup->settings->text[REPLAY_MAPPING], error) == 0 &&
        session_replay_ends(&session, error) == 0 && session_attribute(&session, error) == 0 &&
        session_what_if(&session, error) == 0)
        run = session_report(&session, error);
    if (run != NULL && run->interrupted == NULL && (watch == NULL || !watch->of_many) &&
        replay_clocks(program, setup->settings, &run->clocks, error) != 0) {
        report_run_free(run);
        run = NULL;
    }
    session_free(&session);
    return run;
}
