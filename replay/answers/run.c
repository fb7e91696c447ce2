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

#include <stdlib.h>

#include "base/units.h"
#include "netmodel/stages/multistage.h"
#include "netmodel/topologies/channels.h"
#include "replay/answers/answer.h"
#include "replay/answers/pictures.h"
#include "replay/session/costs.h"
#include "replay/session/session.h"
#include "replay/timeline/execution.h"

#define WIDTH 80

/* The contents of the answer. The trace stays open until the timeline, which is made of its operations, is written. */
struct study {
    struct net_topology *topology; /* owned, as all that follows unless said otherwise */
    struct replay_setup setup;
    struct trace_program *opened; /* NULL: the program is the caller's */
    struct replay_execution execution;
    struct report_lanes *lanes;
    struct replay_intervals *intervals; /* NULL: no picture of them is wanted */
    struct report_busiest_interval busiest;
    struct report_run *run;
    struct replay_pictures pictures; /* one file each */
    replay_writer *writer;           /* of the timeline; NULL: it is an archive, or there is none */
    const char *archive;             /* of the timeline, which is no single file; or NULL. Borrowed */
    size_t timeline;                 /* its place among the files */
};

static struct report_run_view view_of(const void *content)
{
    const struct study *study = content;
    return (struct report_run_view){study->run, study->topology};
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_run_text(view_of(content).run, stream, WIDTH, error))
REPLAY_WRITER(write_json, report_run_json(view_of(content).run, stream, error))

static int write_csv(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_run_view view = view_of(content);
    return report_run_channels(view.run, view.topology, stream, error);
}

/* What is drawn of lanes is recorded during the replay, and so must be known before it. */
static int check_lanes(const struct study *study, const char *form, struct base_error *error)
{
    if (study->execution.recorder != NULL || study->run->is_partial)
        return 0;
    return base_error_set(error, BASE_USAGE, "the form %s must be requested before the replay", form);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct report_run_view view = view_of(content);
    return check_lanes(content, "html", error) != 0 ? -1
                                                    : report_run_html(view.run, view.topology, stream, error);
}

/* The topology comes before the trace: a mistyped one is told at once. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    const struct replay_settings *settings = &arguments->settings;
    struct study *study = calloc(1, sizeof *study);

    answer->content = study;
    if (study == NULL)
        return base_error_memory(error, "the run");
    if (replay_arguments_one(arguments, "one trace, or --job", error) != 0)
        return -1;
    if (settings->text[REPLAY_TOPOLOGY] == NULL)
        return base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
    study->execution.topology = study->topology =
        replay_topology_new(settings->text[REPLAY_TOPOLOGY], settings, error);
    return study->topology == NULL
               ? -1
               : replay_setup_init(&study->setup, REPLAY_TO_RUN, study->topology, settings, error);
}

/* The timeline's file and those of the pictures. */
static int add_more(struct replay_answer *answer, struct replay_files *files, struct base_error *error)
{
    const struct replay_settings *settings = &answer->arguments->settings;
    const char *timeline = settings->text[REPLAY_TIMELINE];
    struct study *study = answer->content;

    if (timeline != NULL && replay_execution_find(timeline, &study->writer, error) != 0)
        return -1;
    study->archive = study->writer == NULL ? timeline : NULL;
    study->timeline = replay_files_add(files, study->writer == NULL ? NULL : timeline);
    return replay_pictures_init(&study->pictures, settings->text[REPLAY_PICTURES], files, error);
}

/* Whether lanes will be drawn, of which a page has a picture. */
static bool needs_lanes(const struct replay_arguments *arguments, const struct study *study)
{
    return replay_answer_expects(arguments, REPLAY_HTML) || arguments->expected[REPLAY_PICTURES] ||
           replay_pictures_need_lanes(&study->pictures);
}

/* What timelines and pictures of them are made of. An archive is tried too, for which the program must be there. */
static int open_timeline(const struct replay_arguments *arguments, struct study *study,
                         struct base_error *error)
{
    struct replay_execution *execution = &study->execution;

    if (arguments->settings.text[REPLAY_TIMELINE] == NULL && !needs_lanes(arguments, study))
        return 0;
    if (study->archive != NULL && replay_execution_try(study->archive, execution->program, error) != 0)
        return -1;
    execution->recorder = replay_recorder_new(trace_program_ranks(execution->program),
                                              net_channel_count(execution->topology), error);
    return execution->recorder == NULL ? -1 : 0;
}

/* What the second panel of the channels' loads is of, likewise. */
static int open_intervals(const struct replay_arguments *arguments, struct study *study,
                          struct base_error *error)
{
    if (!replay_answer_expects(arguments, REPLAY_HTML) && !arguments->expected[REPLAY_PICTURES] &&
        !replay_pictures_need_intervals(&study->pictures))
        return 0;
    const struct net_topology *topology = study->topology;
    const struct net_multistage *stages = topology->multistage;
    bool links_only = stages == NULL && topology->shared == NULL;
    study->intervals = replay_intervals_new(
        &(struct replay_interval_sizes){.links = topology->link_count,
                                        .buses = stages == NULL ? 0 : stages->bus_count,
                                        .channels = links_only ? 0 : net_channel_count(topology),
                                        .in_bits = stages != NULL},
        error);
    return study->intervals == NULL ? -1 : 0;
}

/* A replay that was interrupted gives a run, which says so. */
static int replay(struct replay_answer *answer, struct study *study, struct base_error *error)
{
    struct replay_watch watch = replay_listener_watch(answer->arguments);
    struct report_run *run;

    watch.recorder = study->execution.recorder;
    watch.intervals = study->intervals;
    replay_listener_begin(answer->arguments);
    run = study->run = replay_session_run(study->execution.program, &study->setup, &watch, error);
    replay_listener_end(answer->arguments);
    if (run == NULL)
        return -1;
    answer->host = &run->host;
    study->execution.trace = run->trace;
    study->execution.simulated_ns = run->simulated_ns;
    run->command = replay_arguments_text(answer->arguments, &run->arena);
    return run->command == NULL ? base_error_memory(error, "the command line") : 0;
}

/* The picture of the timeline, where somebody wants one. */
static int make_lanes(const struct replay_arguments *arguments, struct study *study, struct base_error *error)
{
    if (study->run->is_partial || study->run->simulated_ns == 0 || !needs_lanes(arguments, study))
        return 0;
    study->run->lanes = study->lanes = replay_execution_lanes(&study->execution, error);
    return study->lanes == NULL ? -1 : 0;
}

/* The busiest interval, where somebody wants it and there are several. */
static void choose_interval(struct study *study)
{
    struct replay_busiest_interval busiest;
    uint64_t khz = study->run->clock_khz;

    if (study->intervals == NULL || study->run->is_partial || khz == 0 ||
        !replay_intervals_busiest(study->intervals, &busiest))
        return;
    study->busiest = (struct report_busiest_interval){
        .begin_ns = base_ns_from_cycles(busiest.begin_cycle, khz),
        .end_ns = base_ns_from_cycles(busiest.begin_cycle + busiest.cycles, khz),
        .cycles = busiest.cycles,
        .number = busiest.number,
        .intervals = busiest.intervals,
        .link_carried = busiest.links,
        .channel_carried = study->topology->shared != NULL ? busiest.channels : NULL,
        .bus_bits = busiest.buses,
        .busy_cycles = busiest.channels};
    study->run->busiest_interval = &study->busiest;
}

/* Checks of pictures come before anything is written: all results are, or none. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    struct study *study = answer->content;
    struct report_run_view view;

    if (arguments->program == NULL)
        study->opened = replay_session_keep(arguments->operands[0], &arguments->settings, error);
    study->execution.program = arguments->program == NULL ? study->opened : arguments->program;
    if (study->execution.program == NULL || open_timeline(arguments, study, error) != 0 ||
        open_intervals(arguments, study, error) != 0 || replay(answer, study, error) != 0 ||
        make_lanes(arguments, study, error) != 0)
        return -1;
    choose_interval(study);
    view = view_of(study);
    if (replay_pictures_check(&study->pictures, &view, error) != 0 ||
        replay_answer_strict(answer, study->run->trace, study->run->coverage, study->run->coverage_count,
                             error) != 0)
        return -1;
    if (study->run->interrupted != NULL)
        answer->status = BASE_INTERRUPTED;
    return 0;
}

/* A timeline of a part would look like one of the whole: an interrupted run has none. */
static int write_timeline(const struct study *study, struct replay_files *files, struct base_error *error)
{
    if (study->execution.recorder == NULL || study->run->is_partial)
        return 0;
    if (study->archive != NULL)
        return replay_execution_archive(&study->execution, study->archive, error);
    /* Without --timeline there is no such file, and nothing is written. */
    return replay_files_write(files, study->timeline, study->writer, &study->execution, error);
}

static int write_more(const struct replay_answer *answer, struct replay_files *files,
                      struct base_error *error)
{
    const struct study *study = answer->content;
    const struct report_run_view view = view_of(study);

    return replay_pictures_write(&study->pictures, files, &view, error) != 0
               ? -1
               : write_timeline(study, files, error);
}

static int write_part(const struct replay_answer *answer, const char *part, FILE *stream,
                      struct base_error *error)
{
    const struct report_run_view view = view_of(answer->content);
    return replay_pictures_draw(part, &view, stream, error);
}

static void release(void *content)
{
    struct study *study = content;

    report_lanes_free(study->lanes);
    replay_intervals_free(study->intervals);
    replay_pictures_free(&study->pictures);
    replay_recorder_free(study->execution.recorder);
    trace_close(study->opened);
    report_run_free(study->run);
    replay_setup_free(&study->setup);
    net_topology_free(study->topology);
    free(study);
}

static const char *input(const struct replay_arguments *arguments)
{
    return arguments->program == NULL ? arguments->operands[0] : NULL;
}

static const struct replay_form forms[] = {{REPLAY_JSON, write_json},
                                           {REPLAY_CSV, write_csv},
                                           {REPLAY_HTML, write_html},
                                           {REPLAY_OPTIONS, write_text},
                                           REPLAY_FORMS_END};

const struct replay_answer_kind replay_run_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
    .input = input,
    .add_more = add_more,
    .write_more = write_more,
    .write_part = write_part,
};
