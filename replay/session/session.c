/* One program's run from a trace to a report.
 *
 *      setup ──────► routing, options, tuning of collective algorithms (setup.c)
 *      program ────► communication graph ──► placement ──► static cost
 *      placement ──► replay on ideal:N ─────► ideal time, and what each rank waits for without any network
 *              ├───► replay on the topology ► simulated time, statistics of the network
 *              └───► replays on simpler ones ► what each effect of the network adds (attribution.c)
 *      all of it ──► struct report_run (report.c)
 *
 * All replays read the trace through streams of their own, of what was decoded once. Nothing is kept between two
 * sessions, and nothing here depends on the order in which sessions run. */
#include <stdio.h>
#include <string.h>

#include "replay/session/clocks.h"
#include "replay/session/estimate.h"
#include "replay/session/internal.h"
#include "replay/session/part.h"
#include "traces/kept.h"

/* One place where settings become options of reading, for every subcommand that takes a trace. */
static struct trace_program *open_trace(const char *path, const struct replay_settings *settings,
                                        struct trace_defects *defects, struct trace_draft *draft,
                                        struct base_error *error)
{
    const struct trace_options options = {
        .clock = (enum trace_clock)settings->number[REPLAY_CLOCK],
        .compute_threshold_ns = settings->number[REPLAY_COMPUTE_THRESHOLD],
        .keep_polling = settings->number[REPLAY_POLLING] != 0,
        .defects = defects,
        .draft = draft,
    };

    return trace_open(path, &options, error);
}

struct trace_program *replay_session_open(const char *path, const struct replay_settings *settings,
                                          struct trace_defects *defects, struct base_error *error)
{
    return session_open_part(open_trace(path, settings, defects, NULL, error), settings, error);
}

uint64_t replay_session_kept_bytes(const struct replay_settings *settings)
{
    uint64_t memory = settings->number[REPLAY_MEMORY];

    return memory == 0 ? UINT64_C(512) << 20 : memory / 2;
}

/* Windows are made of what is kept, which they read several times. */
struct trace_program *replay_session_keep(const char *path, const struct replay_settings *settings,
                                          struct base_error *error)
{
    struct trace_draft *draft = trace_draft_new(replay_session_kept_bytes(settings));
    struct trace_program *program = open_trace(path, settings, NULL, draft, error);

    return session_open_part(trace_keep_drafted(program, draft, error), settings, error);
}

/* Before the network's own replay there is nothing to report. The placement of a search that was stopped
 * would be another one than that of the same command left alone: it is not replayed. */
int session_check_going(const struct replay_watch *watch, struct base_error *error)
{
    if (!replay_is_stopped(watch))
        return 0;
    return base_error_set(error, BASE_INTERRUPTED, "interrupted before there was a result");
}

bool session_is_ideal(const struct replay_setup *setup)
{
    char plain[32];

    snprintf(plain, sizeof plain, "ideal:%u", setup->topology->terminals);
    return strcmp(setup->topology->text, plain) == 0 && setup->semantics.clock_khz == REPLAY_IDEAL_KHZ &&
           !replay_settings_have_host(setup->settings);
}

/* Both ends of the ladder. */
static int measure_ends(const struct session *session, struct replay_results *results, const char *name,
                        struct base_error *error)
{
    struct replay_onlooker onlooker = {.watch = session->watch, .keeps = true};
    const uint32_t *terminal = session->placement->map->terminal;

    results->is_ideal = session_is_ideal(session->setup);
    if (session_check_going(session->watch, error) != 0 ||
        (!results->is_ideal && replay_try(&results->ideal, session->setup, session->program, terminal,
                                          REPLAY_IDEAL, &onlooker, error) != 0) ||
        session_check_going(session->watch, error) != 0)
        return -1;
    onlooker.what = name;
    if (replay_try(&results->real, session->setup, session->program, terminal, REPLAY_CONFIGURED, &onlooker,
                   error) != 0)
        return -1;
    if (results->is_ideal)
        results->ideal = results->real;
    return 0;
}

int replay_measure(struct replay_results *results, struct trace_program *program,
                   const struct replay_placement *placement, const struct replay_watch *watch,
                   const char *name, struct base_error *error)
{
    const struct session session = {program, &placement->setup, placement, results, watch};
    int parallel;

    *results = (struct replay_results){0};
    parallel = session_is_parallel(&session, error);
    if (parallel < 0 || (parallel > 0 && session_measure_together(&session, results, name, error) != 0) ||
        (parallel == 0 && (measure_ends(&session, results, name, error) != 0 ||
                           session_attribute(&session, results, error) != 0)) ||
        session_what_if(&session, results, error) != 0)
        return -1;
    results->is_stopped = replay_is_stopped(watch);
    return 0;
}

/* Every part may be missing: this is the end of failed ones too. */
void replay_results_free(struct replay_results *results)
{
    if (!results->is_ideal)
        replay_trial_free(&results->ideal);
    replay_trial_free(&results->real);
    for (size_t i = 0; i < sizeof results->rungs / sizeof *results->rungs; i++)
        replay_trial_free(&results->rungs[i]);
}

/* A run is expected to take what it takes under its placement; and under the identity where only replays find one. */
static int place(struct replay_placement *placement, struct trace_program *program,
                 const struct replay_setup *setup, const struct replay_watch *watch, struct base_error *error)
{
    const char *mapping = setup->settings->text[REPLAY_MAPPING];
    bool is_found_later = replay_search_replays(setup->settings);

    if (replay_place(placement, setup, program,
                     is_found_later ? replay_estimate_mapping(setup->settings) : mapping, watch,
                     error) != 0 ||
        replay_expect(program, placement, watch, error) != 0)
        return -1;
    if (!is_found_later)
        return 0;
    struct trace_comm_graph *graph = placement->graph;
    placement->graph = NULL;
    replay_placement_free(placement);
    return replay_place_graph(placement, setup, program, graph, mapping, watch, error);
}

/* Placement before replay: it is cheap, and the only step that a wrong file can still stop. The trace is open
 * already, so that its survey is in none of the times that the stopwatch takes. */
struct report_run *replay_session_run(struct trace_program *program, const struct replay_setup *setup,
                                      const struct replay_watch *watch, struct base_error *error)
{
    struct replay_placement placement;
    struct replay_results results = {0};
    struct replay_stopwatch stopwatch;
    struct report_run *run = NULL;

    replay_stopwatch_start(&stopwatch);
    if (place(&placement, program, setup, watch, error) == 0 &&
        replay_measure(&results, program, &placement, watch, NULL, error) == 0)
        run = replay_report(program, &placement, &results, &stopwatch, error);
    if (run != NULL && run->interrupted == NULL && (watch == NULL || !watch->of_many) &&
        replay_clocks(program, setup->settings, &run->clocks, error) != 0) {
        report_run_free(run);
        run = NULL;
    }
    replay_results_free(&results);
    replay_placement_free(&placement);
    return run;
}
