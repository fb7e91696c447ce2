/* flitreplay run --job JOB [--job JOB …] --topology T: several programs, and background traffic, on one network.
 *
 *      flitreplay run --topology king-mesh:9x9 --job cg.otf2,partition=square --job mg.otf2,start=1000,mapping=random
 *      flitreplay run --topology mesh:8x8 --job cg.otf2,partition=hilbert,fit=first --job traffic:uniform,load=0.1
 *
 * As in run.c: refusals, outputs, work. */
#include <config.h>

#include <stdlib.h>

#include "replay/answers/answer.h"
#include "replay/answers/pictures.h"
#include "replay/timeline/execution.h"
#include "reports/pages/clean.h"
#include "traces/program.h"
#include "replay/jobs.h"
#include "replay/session/costs.h"
#include "replay/session/session.h"

#define WIDTH 80

/* ---- the contents: jobs, and the timeline, a file that is written while the programs are open, and a picture ---- */

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

/* The contents of the answer. */
struct study {
    const struct replay_arguments *arguments; /* borrowed */
    struct net_topology *topology;            /* owned, as all that follows */
    struct replay_setup setup;
    struct report_jobs *jobs;
    struct timeline timeline;
};

static const struct report_jobs *jobs_of(const void *content)
{
    const struct study *study = content;
    return study->jobs;
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_jobs_text(jobs_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_jobs_json(jobs_of(content), stream, error))

/* A page has pictures, which are drawn on the network's layout; lanes are recorded in the replay, if the page was
 * known of before it. */
static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct study *study = content;

    if (!study->timeline.is_drawn)
        return base_error_set(error, BASE_USAGE, "the form html must be requested before the replay");
    return report_jobs_html(study->jobs, study->topology, stream, error);
}

/* What can be told from the options alone. What is of one program only is refused with the advice to run that
 * alone. */
static int check_options(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    static const enum replay_option alone[] = {REPLAY_ATTRIBUTION, REPLAY_WHAT_IF,    REPLAY_FROM,
                                               REPLAY_TO,          REPLAY_ITERATIONS, REPLAY_CSV};

    if (arguments->operand_count > 0 || arguments->program != NULL)
        return base_error_set(error, BASE_USAGE, "run takes a trace or --job, not both: %s",
                              arguments->program != NULL ? trace_program_path(arguments->program)
                                                         : arguments->operands[0]);
    for (size_t i = 0; i < sizeof alone / sizeof *alone; i++)
        if (settings->given[alone[i]])
            return base_error_set(error, BASE_USAGE,
                                  "--%s applies to one program: run each job alone on its --partition for it",
                                  replay_option_row(alone[i])->name);
    if (settings->text[REPLAY_TOPOLOGY] == NULL)
        return base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
    return 0;
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

/* What shows all jobs side by side. */
static bool is_of_jobs(const struct report_run_picture *picture)
{
    return picture->needs_lanes || picture->of_jobs;
}

/* Which formats and pictures are wanted, and their files. A picture of one program has no meaning for several. */
static int open_timeline(struct timeline *timeline, const struct replay_arguments *arguments,
                         struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;

    timeline->path = settings->text[REPLAY_TIMELINE];
    if (timeline->path != NULL && replay_execution_find(timeline->path, &timeline->writer, error) != 0)
        return -1;
    timeline->place = replay_files_add(timeline->files, timeline->writer == NULL ? NULL : timeline->path);
    if (replay_pictures_init(&timeline->pictures, settings->text[REPLAY_PICTURES], timeline->files, error) !=
        0)
        return -1;
    for (size_t i = 0; i < timeline->pictures.count; i++)
        if (!is_of_jobs(timeline->pictures.entry[i].picture))
            return base_error_set(
                error, BASE_USAGE,
                "--svg %s applies to one program: run each job alone on its --partition for it",
                timeline->pictures.entry[i].picture->name);
    timeline->is_drawn = timeline->pictures.count > 0 || replay_answer_expects(arguments, REPLAY_HTML) ||
                         arguments->expected[REPLAY_PICTURES];
    return 0;
}

/* The topology comes before the traces: a mistyped one is told at once. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_settings *settings = &answer->arguments->settings;
    struct study *study = calloc(1, sizeof *study);

    answer->content = study;
    if (study == NULL)
        return base_error_memory(error, "the jobs");
    study->arguments = answer->arguments;
    if (check_options(answer->arguments, error) != 0)
        return -1;
    study->topology = replay_topology_new(settings->text[REPLAY_TOPOLOGY], settings, error);
    return study->topology == NULL
               ? -1
               : replay_setup_init(&study->setup, REPLAY_TO_RUN, study->topology, settings, error);
}

/* The files outlive the work, in which the timeline is written. */
static int add_more(struct replay_answer *answer, struct replay_files *files, struct base_error *error)
{
    struct study *study = answer->content;

    study->timeline.files = files;
    return open_timeline(&study->timeline, answer->arguments, error) != 0
               ? -1
               : open_files(files, &answer->arguments->settings, error);
}

/* What the company of jobs is for whoever draws it: one run. */
static int check_pictures(const struct study *study, struct base_error *error)
{
    const struct report_run company = report_jobs_company(study->jobs);
    return replay_pictures_check(&study->timeline.pictures,
                                 &(struct report_run_view){&company, study->topology}, error);
}

/* The list of --strict is by job: each may have its own reasons. */
static int check_strict(struct replay_answer *answer, const struct report_jobs *jobs,
                        struct base_error *error)
{
    for (uint32_t i = 0; i < jobs->job_count; i++) {
        const struct report_run *alone = jobs->jobs[i].alone;
        if (replay_answer_strict(answer, alone->trace, alone->coverage, alone->coverage_count, error) != 0)
            return -1;
    }
    return 0;
}

/* All jobs; NULL with the error. */
static struct report_jobs *replay(struct study *study, struct base_error *error)
{
    const struct replay_watch watch = replay_listener_watch(study->arguments);
    const struct timeline *timeline = &study->timeline;
    const struct replay_observer observer = {begin_timeline, end_timeline, &study->timeline};
    bool is_observed = timeline->path != NULL || timeline->is_drawn;
    struct report_jobs *jobs;

    replay_listener_begin(study->arguments);
    jobs = replay_session_jobs(&study->setup, &watch, is_observed ? &observer : NULL, error);
    replay_listener_end(study->arguments);
    return jobs;
}

/* Where all ranks are: those of a job that has run alone, as it keeps its places in company. -1: memory. */
static int map_machine(struct report_jobs *jobs)
{
    uint32_t ranks = 0;
    for (uint32_t i = 0; i < jobs->job_count; i++)
        ranks += jobs->jobs[i].alone->ranks;
    uint32_t *terminal = base_arena_array(&jobs->arena, ranks + (size_t)1, sizeof *terminal);
    uint32_t *first = base_arena_array(&jobs->arena, jobs->job_count + (size_t)1, sizeof *first);
    const char **names = base_arena_array(&jobs->arena, jobs->job_count + (size_t)1, sizeof *names);
    const struct report_partition **partitions =
        base_arena_array(&jobs->arena, jobs->job_count + (size_t)1, sizeof *partitions);

    if (terminal == NULL || first == NULL || names == NULL || partitions == NULL)
        return -1;
    ranks = 0;
    for (uint32_t i = 0; i < jobs->job_count; i++) {
        const struct report_run *alone = jobs->jobs[i].alone;
        int bytes;
        const char *name = report_trace_name(alone->trace, &bytes);
        first[i] = ranks;
        names[i] = base_arena_format(&jobs->arena, "%.*s", bytes, name);
        if (names[i] == NULL)
            return -1;
        partitions[i] = &alone->partition;
        for (uint32_t rank = 0; alone->rank != NULL && rank < alone->ranks; rank++)
            terminal[ranks++] = alone->rank[rank].terminal;
    }
    jobs->machine = (struct report_machine){ranks, terminal, jobs->job_count, first, names, partitions};
    return 0;
}

/* As in run.c. The status of an interruption comes last. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct study *study = answer->content;
    struct report_jobs *jobs = study->jobs = replay(study, error);

    if (jobs == NULL)
        return -1;
    answer->host = &jobs->host;
    jobs->command = replay_arguments_text(answer->arguments, &jobs->arena);
    jobs->lanes = study->timeline.lanes;
    if (jobs->command == NULL || map_machine(jobs) != 0)
        return base_error_memory(error, "the command line");
    if (check_pictures(study, error) != 0 || check_strict(answer, jobs, error) != 0)
        return -1;
    if (jobs->interrupted != NULL)
        answer->status = BASE_INTERRUPTED;
    return 0;
}

/* The company of jobs is drawn as one run. */
static int write_more(const struct replay_answer *answer, struct replay_files *files,
                      struct base_error *error)
{
    const struct study *study = answer->content;
    const struct report_run company = report_jobs_company(study->jobs);

    return replay_pictures_write(&study->timeline.pictures, files,
                                 &(struct report_run_view){&company, study->topology}, error);
}

static int write_part(const struct replay_answer *answer, const char *part, FILE *stream,
                      struct base_error *error)
{
    const struct study *study = answer->content;
    const struct report_run company = report_jobs_company(study->jobs);
    const struct report_run_picture *picture = report_run_picture_find(part, error);

    if (picture == NULL)
        return -1;
    if (!is_of_jobs(picture) || (picture->needs_lanes && !study->timeline.is_drawn))
        return base_error_set(error, BASE_USAGE,
                              picture->needs_lanes ? "the form svg must be requested before the replay"
                                                   : "--svg %s applies to one program: run each job alone",
                              part);
    return replay_pictures_draw(part, &(struct report_run_view){&company, study->topology}, stream, error);
}

static void release(void *content)
{
    struct study *study = content;

    report_jobs_free(study->jobs);
    report_lanes_free(study->timeline.lanes);
    replay_pictures_free(&study->timeline.pictures);
    base_arena_free(&study->timeline.arena);
    replay_setup_free(&study->setup);
    net_topology_free(study->topology);
    free(study);
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_HTML, write_html}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_jobs_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
    .add_more = add_more,
    .write_more = write_more,
    .write_part = write_part,
};
