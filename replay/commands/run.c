/* flitreplay run TRACE --topology T: one replay.
 *
 * The order is that of cost: the topology and the options are checked, then the outputs, and only then the
 * trace is read and replayed.
 *
 *      flitreplay run traces.otf2 --topology mesh:8x8                       the report
 *      flitreplay run traces.otf2 --topology mesh:8x8 --json r.json -q      the result for programs only
 *      flitreplay run traces.otf2 --topology mesh:8x8 --strict              status 1 if anything was guessed
 *
 * With --strict the outputs are written all the same: the status says how far to trust them. */
#include <config.h>

#include "netmodel/topologies/channels.h"
#include "replay/commands/command.h"
#include "replay/commands/pictures.h"
#include "replay/commands/progress.h"
#include "replay/session/costs.h"
#include "replay/session/session.h"
#include "replay/timeline/execution.h"

#define WIDTH 80

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_run_text(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_run_json(content, stream, error);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_run_view *view = content;
    return report_run_html(view->run, view->topology, stream, error);
}

/* Where a result goes that is not the report. */
struct places {
    struct replay_files files;       /* all that are written, to be kept or removed together */
    size_t json, html, timeline;     /* their places among the files */
    struct replay_pictures pictures; /* one file each */
    replay_writer *writer;           /* of the timeline */
    const char *archive;             /* of the timeline, which is no single file; or NULL */
};

/* Refusals first, then the outputs, then the work: nothing is computed that could not be written. Which file is
 * which is kept as a number, as files.h has it. */
static int open_places(const struct replay_arguments *arguments, struct places *places,
                       struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    const char *timeline = settings->text[REPLAY_TIMELINE];

    if (timeline != NULL && replay_execution_find(timeline, &places->writer, error) != 0)
        return -1;
    places->archive = places->writer == NULL ? timeline : NULL;
    places->json = replay_files_add(&places->files, settings->text[REPLAY_JSON]);
    places->html = replay_files_add(&places->files, settings->text[REPLAY_HTML]);
    places->timeline = replay_files_add(&places->files, places->writer == NULL ? NULL : timeline);
    if (replay_pictures_init(&places->pictures, settings->text[REPLAY_PICTURES], &places->files, error) != 0)
        return -1;
    return replay_files_open(&places->files, arguments->operands[0], error);
}

/* What timelines and pictures of them are made of. An archive is tried too, for which the program must be there. */
static int open_timeline(const struct replay_settings *settings, const struct places *places,
                         struct replay_execution *execution, struct base_error *error)
{
    if (settings->text[REPLAY_TIMELINE] == NULL && settings->text[REPLAY_HTML] == NULL &&
        !replay_pictures_need_lanes(&places->pictures))
        return 0;
    if (places->archive != NULL && replay_execution_try(places->archive, execution->program, error) != 0)
        return -1;
    execution->recorder = replay_recorder_new(trace_program_ranks(execution->program),
                                              net_channel_count(execution->topology), error);
    return execution->recorder == NULL ? -1 : 0;
}

/* With the bar, and ready for signals. A replay that was interrupted gives a run, which says so. */
static struct report_run *replay(const struct replay_arguments *arguments, const struct replay_setup *setup,
                                 const struct replay_execution *execution, struct base_error *error)
{
    struct replay_progress progress;
    struct report_run *run;

    replay_progress_start(&progress, arguments->signals, arguments->settings.given[REPLAY_QUIET]);
    progress.watch.recorder = execution->recorder;
    run = replay_session_run(execution->program, setup, &progress.watch, error);
    replay_progress_end(&progress);
    if (run == NULL)
        return NULL;
    replay_progress_tell(&progress, &run->host);
    run->command = replay_arguments_text(arguments, &run->arena);
    if (run->command != NULL)
        return run;
    base_error_memory(error, "the command line");
    report_run_free(run);
    return NULL;
}

/* A timeline of a part would look like one of the whole: an interrupted run has none. */
static int write_timeline(struct places *places, const struct replay_execution *execution,
                          const struct report_run *run, struct base_error *error)
{
    if (execution->recorder == NULL || run->is_partial)
        return 0;
    if (places->archive != NULL)
        return replay_execution_archive(execution, places->archive, error);
    /* Without --timeline there is no such file, and nothing is written. */
    return replay_files_write(&places->files, places->timeline, places->writer, execution, error);
}

/* Checks of pictures come first: all results are written, or none. */
static int write_all(const struct replay_arguments *arguments, const struct net_topology *topology,
                     struct places *places, const struct replay_execution *execution,
                     const struct report_run *run, struct base_error *error)
{
    const struct report_run_view view = {run, topology};

    if (replay_pictures_check(&places->pictures, &view, error) != 0 ||
        replay_files_write(&places->files, places->json, write_json, run, error) != 0 ||
        replay_files_write(&places->files, places->html, write_html, &view, error) != 0 ||
        replay_pictures_write(&places->pictures, &places->files, &view, error) != 0 ||
        write_timeline(places, execution, run, error) != 0 ||
        replay_files_print(&places->files, arguments->settings.given[REPLAY_QUIET], write_text, run, error) !=
            0)
        return (int)error->status;
    int status = replay_strict(arguments, run->trace, run->coverage, run->coverage_count);
    return run->interrupted != NULL ? replay_progress_interrupted(error) : status;
}

/* The picture of the timeline, where somebody wants one. */
static int make_lanes(const struct places *places, const struct replay_settings *settings,
                      const struct replay_execution *execution, const struct report_run *run,
                      struct report_lanes **lanes, struct base_error *error)
{
    if (run->is_partial || run->simulated_ns == 0 ||
        (settings->text[REPLAY_HTML] == NULL && !replay_pictures_need_lanes(&places->pictures)))
        return 0;
    *lanes = replay_execution_lanes(execution, error);
    return *lanes == NULL ? -1 : 0;
}

/* The trace stays open until the timeline, which is made of its operations, is written. In the order of cost:
 * options, outputs, the trace, the replay. */
static int run_and_write(const struct replay_arguments *arguments, const struct net_topology *topology,
                         struct base_error *error)
{
    struct places places = {0};
    struct replay_execution execution = {.topology = topology};
    struct report_lanes *lanes = NULL;
    struct report_run *run = NULL;
    struct replay_setup setup;
    int status = -1;

    if (replay_setup_init(&setup, REPLAY_TO_RUN, topology, &arguments->settings, error) == 0 &&
        open_places(arguments, &places, error) == 0)
        execution.program = replay_session_open(arguments->operands[0], &arguments->settings, NULL, error);
    if (execution.program != NULL && open_timeline(&arguments->settings, &places, &execution, error) == 0)
        run = replay(arguments, &setup, &execution, error);
    if (run != NULL) {
        execution.trace = run->trace;
        execution.simulated_ns = run->simulated_ns;
    }
    if (run != NULL && make_lanes(&places, &arguments->settings, &execution, run, &lanes, error) == 0) {
        run->lanes = lanes;
        status = write_all(arguments, topology, &places, &execution, run, error);
    }
    report_lanes_free(lanes);
    replay_files_discard(&places.files);
    replay_pictures_free(&places.pictures);
    replay_recorder_free(execution.recorder);
    trace_close(execution.program);
    report_run_free(run);
    replay_setup_free(&setup);
    return status < 0 ? (int)error->status : status;
}

/* The topology comes before the trace: a mistyped one is told at once. --job takes the place of a trace. */
int replay_command_run(const struct replay_arguments *arguments, struct base_error *error)
{
    struct net_topology *topology;
    int status;

    if (!arguments->settings.given[REPLAY_JOB] &&
        replay_arguments_one(arguments, "one trace, or --job", error) != 0)
        return BASE_USAGE;
    if (arguments->settings.text[REPLAY_TOPOLOGY] == NULL) {
        base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
        return BASE_USAGE;
    }
    topology = replay_topology_new(arguments->settings.text[REPLAY_TOPOLOGY], &arguments->settings, error);
    if (topology == NULL)
        return (int)error->status;
    status = arguments->settings.given[REPLAY_JOB] ? replay_command_run_jobs(arguments, topology, error)
                                                   : run_and_write(arguments, topology, error);
    net_topology_free(topology);
    return status;
}
