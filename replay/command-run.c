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

#include "replay/command.h"
#include "replay/progress.h"
#include "replay/session.h"

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

struct answer {
    struct report_run *run;
    const struct net_topology *topology;
};

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    const struct answer *answer = content;
    return report_run_html(answer->run, answer->topology, stream, error);
}

/* The trace is closed as soon as the report, which owns its texts, is there. */
static struct report_run *replay(const struct replay_arguments *arguments,
                                 const struct net_topology *topology, struct base_error *error)
{
    struct trace_program *program = replay_session_open(arguments->operands[0], &arguments->settings, NULL, error);
    struct replay_progress progress;
    struct report_run *run = NULL;

    if (program == NULL)
        return NULL;
    replay_progress_start(&progress, arguments->settings.given[REPLAY_QUIET]);
    run = replay_session_run(program, topology, &arguments->settings, &progress.watch, error);
    replay_progress_end(&progress);
    if (run != NULL)
        replay_progress_tell(&progress, &run->host);
    trace_close(program);
    return run;
}

/* Refusals first, then the outputs, then the work: nothing is computed that could not be written. */
static int run_and_write(const struct replay_arguments *arguments, const struct net_topology *topology,
                         struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    struct replay_files files = {0};
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    size_t html = replay_files_add(&files, settings->text[REPLAY_HTML]);
    struct answer answer = {NULL, topology};
    struct report_run *run;
    int status;

    if (replay_session_check(topology, settings, error) != 0 ||
        replay_files_open(&files, arguments->operands[0], error) != 0)
        return (int)error->status;
    answer.run = run = replay(arguments, topology, error);
    status = run != NULL && replay_files_write(&files, json, write_json, run, error) == 0 &&
                     replay_files_write(&files, html, write_html, &answer, error) == 0 &&
                     replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, run, error) == 0
                 ? replay_strict(arguments, run->trace, run->coverage, run->coverage_count)
                 : (int)error->status;
    if (status <= REPLAY_EXIT_UNMET && run->interrupted != NULL)
        status = replay_progress_interrupted(error);
    replay_files_discard(&files);
    report_run_free(run);
    return status;
}

/* The topology comes before the trace: a mistyped one is told at once. */
int replay_command_run(const struct replay_arguments *arguments, struct base_error *error)
{
    struct net_topology *topology;
    int status;

    if (!arguments->settings.given[REPLAY_JOB] && replay_arguments_one(arguments, "one trace, or --job", error) != 0)
        return BASE_USAGE;
    if (arguments->settings.text[REPLAY_TOPOLOGY] == NULL) {
        base_error_set(error, BASE_USAGE, "needs a network: --topology mesh:8x8, for example");
        return BASE_USAGE;
    }
    topology = net_topology_new(arguments->settings.text[REPLAY_TOPOLOGY], error);
    if (topology == NULL)
        return (int)error->status;
    status = arguments->settings.given[REPLAY_JOB] ? replay_command_run_jobs(arguments, topology, error)
                                                   : run_and_write(arguments, topology, error);
    net_topology_free(topology);
    return status;
}
