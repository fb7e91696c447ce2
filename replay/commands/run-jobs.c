/* flitreplay run --job JOB [--job JOB …] --topology T: several programs, and background traffic, on one network.
 *
 *      flitreplay run --topology king-mesh:9x9 --job cg.otf2,partition=square --job mg.otf2,start=1000,mapping=random
 *      flitreplay run --topology mesh:8x8 --job cg.otf2,partition=hilbert,fit=first --job traffic:uniform,load=0.1
 *
 * As in run.c: refusals, outputs, work. */
#include <config.h>

#include "replay/commands/command.h"
#include "replay/timeline/execution.h"
#include "replay/jobs.h"
#include "replay/commands/pictures.h"
#include "replay/commands/progress.h"
#include "replay/session/session.h"

#define WIDTH 80

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_jobs_text(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_jobs_json(content, stream, error);
}

/* A page has pictures, which are drawn on the network's layout. */
struct view {
    const struct report_jobs *jobs;      /* borrowed */
    const struct net_topology *topology; /* borrowed */
};

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct view *view = content;
    return report_jobs_html(view->jobs, view->topology, stream, error);
}

/* What can be told from the options alone. What is of one program only is refused with the advice to run that
 * alone. */
static int prepare(const struct replay_arguments *arguments, const struct net_topology *topology,
                   struct replay_setup *setup, struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    static const enum replay_option alone[] = {REPLAY_ATTRIBUTION, REPLAY_WHAT_IF, REPLAY_FROM, REPLAY_TO,
                                               REPLAY_ITERATIONS};

    if (arguments->operand_count > 0)
        return base_error_set(error, BASE_USAGE, "run takes a trace or --job, not both: %s",
                              arguments->operands[0]);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (settings->given[alone[i]])
            return base_error_set(error, BASE_USAGE,
                                  "--%s applies to one program: run each job alone on its --partition for it",
                                  replay_option_row(alone[i])->name);
    return replay_setup_init(setup, REPLAY_TO_RUN, topology, settings, error);
}

/* No output may be any of the traces. The last opening is the one that counts. */
static int open_files(struct replay_files *files, const struct replay_settings *settings,
                      struct base_error *error)
{
    struct base_arena arena = {0};
    struct replay_job_text *jobs;
    uint32_t count;
    int status = replay_jobs_parse(&arena, settings, &jobs, &count, error);

    for (uint32_t i = 0; status == 0 && i < count; i++) {
        replay_files_discard(files);
        status = replay_files_open(files, jobs[i].trace, error);
    }
    base_arena_free(&arena);
    return status;
}

/* The list of --strict is by job: each may have its own reasons. */
static int check_strict(const struct replay_arguments *arguments, const struct report_jobs *jobs)
{
    int status = BASE_OK;

    for (uint32_t i = 0; i < jobs->job_count; i++) {
        const struct report_run *alone = jobs->jobs[i].alone;
        int own = replay_strict(arguments, alone->trace, alone->coverage, alone->coverage_count);
        if (own != BASE_OK)
            status = own;
    }
    return status;
}

/* ---- the timeline: a file, written while the programs are open, and a picture ---- */

struct timeline {
    struct replay_files *files; /* where it is written, with all other results */
    const char *path;           /* NULL: no file is wanted */
    replay_writer *writer;      /* NULL: an archive */
    size_t place;               /* among the files */
    bool is_drawn;              /* lanes are wanted, for a page or a picture */
    struct report_lanes *lanes;
    struct base_arena arena; /* what lanes borrow */
    struct replay_pictures pictures;
};

/* An archive is tried, for which the programs have to be there. */
static int begin_timeline(void *context, const struct trace_program *program, struct base_error *error)
{
    const struct timeline *timeline = context;

    if (timeline->path == NULL || timeline->writer != NULL)
        return 0;
    return replay_execution_try(timeline->path, program, error);
}

/* Names of calls are the programs', which are closed before anything is drawn. Lanes go by rank over all jobs;
 * first_rank says where each job begins. */
static int draw_lanes(struct timeline *timeline, const struct replay_execution *execution,
                      struct base_error *error)
{
    uint32_t *first = base_arena_array(&timeline->arena, (size_t)execution->job_count + 1, sizeof *first);
    bool failed = first == NULL;

    timeline->lanes = failed ? NULL : replay_execution_lanes(execution, error);
    if (timeline->lanes == NULL)
        return failed ? base_error_memory(error, "the timeline") : -1;
    for (uint32_t i = 0; i < execution->job_count; i++)
        first[i] = execution->jobs[i].first_rank;
    timeline->lanes->first_rank = first;
    timeline->lanes->job_count = execution->job_count;
    for (uint32_t i = 0; i < timeline->lanes->interval_count && !failed; i++) {
        timeline->lanes->interval[i].name =
            base_arena_text(&timeline->arena, timeline->lanes->interval[i].name);
        failed = timeline->lanes->interval[i].name == NULL;
    }
    return failed ? base_error_memory(error, "the timeline") : 0;
}

/* Called while the programs are still open, since a timeline is made of their operations. */
static int end_timeline(void *context, const struct replay_execution *execution, struct base_error *error)
{
    struct timeline *timeline = context;

    if (timeline->is_drawn && execution->simulated_ns > 0 && draw_lanes(timeline, execution, error) != 0)
        return -1;
    if (timeline->path == NULL)
        return 0;
    if (timeline->writer == NULL)
        return replay_execution_archive(execution, timeline->path, error);
    return replay_files_write(timeline->files, timeline->place, timeline->writer, execution, error);
}

/* Which formats and pictures are wanted, and their files. A picture of one program has no meaning for several. */
static int open_timeline(struct timeline *timeline, const struct replay_settings *settings,
                         struct base_error *error)
{
    timeline->path = settings->text[REPLAY_TIMELINE];
    if (timeline->path != NULL && replay_execution_find(timeline->path, &timeline->writer, error) != 0)
        return -1;
    timeline->place = replay_files_add(timeline->files, timeline->writer == NULL ? NULL : timeline->path);
    if (replay_pictures_init(&timeline->pictures, settings->text[REPLAY_PICTURES], timeline->files, error) !=
        0)
        return -1;
    for (size_t i = 0; i < timeline->pictures.count; i++)
        if (!timeline->pictures.entry[i].picture->needs_lanes)
            return base_error_set(
                error, BASE_USAGE,
                "--svg %s applies to one program: run each job alone on its --partition for it",
                timeline->pictures.entry[i].picture->name);
    timeline->is_drawn = timeline->pictures.count > 0 || settings->text[REPLAY_HTML] != NULL;
    return 0;
}

/* Also of one that was never opened. */
static void close_timeline(struct timeline *timeline)
{
    report_lanes_free(timeline->lanes);
    replay_pictures_free(&timeline->pictures);
    base_arena_free(&timeline->arena);
}

/* Pictures of company, which are a run's for whoever draws them. */
static int check_pictures(const struct timeline *timeline, const struct view *view, struct base_error *error)
{
    const struct report_run company = report_jobs_company(view->jobs);
    return replay_pictures_check(&timeline->pictures, &(struct report_run_view){&company, view->topology},
                                 error);
}

/* The company of jobs is drawn as one run. */
static int write_pictures(const struct timeline *timeline, const struct view *view, struct base_error *error)
{
    const struct report_run company = report_jobs_company(view->jobs);
    return replay_pictures_write(&timeline->pictures, timeline->files,
                                 &(struct report_run_view){&company, view->topology}, error);
}

/* Refusals, outputs, work, answers: in the order of run.c. Everything is freed at the one end, whichever step
 * failed; the status of an interruption comes last, because what there is has been written by then. */
int replay_command_run_jobs(const struct replay_arguments *arguments, const struct net_topology *topology,
                            struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    struct replay_files files = {0};
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    size_t html = replay_files_add(&files, settings->text[REPLAY_HTML]);
    struct timeline timeline = {.files = &files};
    const struct replay_observer observer = {begin_timeline, end_timeline, &timeline};
    struct view view = {.topology = topology};
    struct replay_progress progress;
    struct replay_setup setup = {0};
    struct report_jobs *jobs;
    int status;

    if (prepare(arguments, topology, &setup, error) != 0 || open_timeline(&timeline, settings, error) != 0 ||
        open_files(&files, settings, error) != 0) {
        close_timeline(&timeline);
        replay_setup_free(&setup);
        return (int)error->status;
    }
    replay_progress_start(&progress, arguments->signals, settings->given[REPLAY_QUIET]);
    view.jobs = jobs = replay_session_jobs(
        &setup, &progress.watch, timeline.path == NULL && !timeline.is_drawn ? NULL : &observer, error);
    replay_progress_end(&progress);
    if (jobs != NULL) {
        replay_progress_tell(&progress, &jobs->host);
        jobs->command = replay_arguments_text(arguments, &jobs->arena);
        jobs->lanes = timeline.lanes;
    }
    if (jobs != NULL && jobs->command == NULL)
        base_error_memory(error, "the command line");
    status = jobs != NULL && jobs->command != NULL && check_pictures(&timeline, &view, error) == 0 &&
                     replay_files_write(&files, json, write_json, jobs, error) == 0 &&
                     replay_files_write(&files, html, write_html, &view, error) == 0 &&
                     write_pictures(&timeline, &view, error) == 0 &&
                     replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, jobs, error) == 0
                 ? check_strict(arguments, jobs)
                 : (int)error->status;
    if (jobs != NULL && jobs->interrupted != NULL && status <= REPLAY_EXIT_UNMET)
        status = replay_progress_interrupted(error);
    replay_files_discard(&files);
    report_jobs_free(jobs);
    close_timeline(&timeline);
    replay_setup_free(&setup);
    return status;
}
