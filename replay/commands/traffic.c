/* flitreplay traffic --topology T --load L,…: synthetic traffic on a network, or on several.
 *
 *      flitreplay traffic --topology torus:8x8 --load 0.1,0.3                two points
 *      flitreplay traffic --topology torus:8x8 --load 0.05:0.6:0.05 --svg s.svg
 *      flitreplay traffic --topology torus:8x8 --saturation                  where does it end?
 *      flitreplay traffic --topology darm:4x4x4 --topology manhattan:8x8 --load 0.1:1:0.1 --svg s.svg
 *      flitreplay traffic --topology torus:8x8 --pattern tornado --load 0.2 --seeds 5 -j 2
 *
 * What can be refused is refused before anything runs, and the outputs are opened before the first point
 * (replay/traffic/sweep.h). */
#include <config.h>

#include <inttypes.h>

#include "replay/commands/command.h"
#include "replay/commands/progress.h"
#include "replay/traffic/sweep.h"

#define WIDTH 100

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_text(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_json(content, stream, error);
}

static int write_csv(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_csv(content, stream, error);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_html(content, stream, error);
}

static int write_svg(const void *content, FILE *stream, struct base_error *error)
{
    return report_traffic_svg(content, stream, error);
}

/* On a terminal only, as every bar. */
static int simulate(const struct replay_arguments *arguments, struct replay_sweep *sweep,
                    struct base_error *error)
{
    struct replay_progress progress;
    int status;

    replay_progress_start(&progress, arguments->signals, arguments->settings.given[REPLAY_QUIET]);
    status = replay_sweep_run(sweep, &progress.watch, error);
    replay_progress_end(&progress);
    return status;
}

/* Outputs, then the work: nothing is computed that could not be written. What was measured before an interrupt is
 * written; the status says that it is a part. */
static int run_and_write(const struct replay_arguments *arguments, struct replay_sweep *sweep,
                         struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    const struct report_traffic *report = replay_sweep_report(sweep);
    struct replay_files files = {0};
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    size_t csv = replay_files_add(&files, settings->text[REPLAY_CSV]);
    size_t svg = replay_files_add(&files, settings->text[REPLAY_SVG]);
    size_t html = replay_files_add(&files, settings->text[REPLAY_HTML]);
    int status = -1;

    if (replay_files_open(&files, NULL, error) != 0)
        return -1;
    if (simulate(arguments, sweep, error) == 0 &&
        replay_files_write(&files, json, write_json, report, error) == 0 &&
        replay_files_write(&files, csv, write_csv, report, error) == 0 &&
        replay_files_write(&files, svg, write_svg, report, error) == 0 &&
        replay_files_write(&files, html, write_html, report, error) == 0)
        status = replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, report, error);
    replay_files_discard(&files);
    if (status == 0 && replay_sweep_was_interrupted(sweep)) {
        replay_progress_interrupted(error);
        status = -1;
    }
    return status;
}

/* The topologies are those of --topology, or the one of a machine. NULL: what the sweep refuses, or memory. */
static struct replay_sweep *new_sweep(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_values_row *given = &arguments->values.option[REPLAY_TOPOLOGY];
    const char *const *topologies =
        given->count == 0 ? &arguments->settings.text[REPLAY_TOPOLOGY] : (const char *const *)given->value;
    struct base_arena arena = {0};
    const char *command = replay_arguments_text(arguments, &arena);
    struct replay_sweep *sweep = NULL;

    if (command == NULL)
        base_error_memory(error, "the command line");
    else
        sweep = replay_sweep_new(&arguments->settings, topologies, given->count == 0 ? 1 : given->count,
                                 command, error);
    base_arena_free(&arena);
    return sweep;
}

/* Options alone: there is no trace to name. */
int replay_command_traffic(const struct replay_arguments *arguments, struct base_error *error)
{
    uint32_t count = arguments->values.option[REPLAY_TOPOLOGY].count;

    if (arguments->operand_count > 0)
        return base_error_set(error, BASE_USAGE, "takes no operand; '%s' is one too many",
                              arguments->operands[0]),
               BASE_USAGE;
    if (count == 0 && arguments->settings.text[REPLAY_TOPOLOGY] == NULL)
        return base_error_set(error, BASE_USAGE, "needs a network: --topology torus:8x8, for example"),
               BASE_USAGE;
    if (count > REPORT_TRAFFIC_NETWORKS_MAX)
        return base_error_set(error, BASE_USAGE,
                              "takes at most %d networks, as many as a picture has colours, not %" PRIu32,
                              REPORT_TRAFFIC_NETWORKS_MAX, count),
               BASE_USAGE;
    struct replay_sweep *sweep = new_sweep(arguments, error);
    int status = sweep == NULL ? -1 : run_and_write(arguments, sweep, error);
    replay_sweep_free(sweep);
    return status == 0 ? BASE_OK : (int)error->status;
}
