/* flitreplay convert: a trace in another format.
 *
 *      flitreplay convert run.meta -o run.otf2                 the format by the path's suffix
 *      flitreplay convert run.otf2 -o run --format goal        or by name
 *      flitreplay convert run.meta -o run.otf2 --strict        status 1 when something was lost
 *
 * What is written is what the program would replay, not what its file holds: calls that do nothing are gone.
 * What the new format cannot say is counted by kind. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "replay/commands/command.h"
#include "replay/system/host.h"
#include "replay/commands/progress.h"
#include "replay/session/session.h"
#include "replay/session/stages.h"
#include "reports/traces/convert.h"
#include "traces/writers/writer.h"

#define WIDTH 80
#define LOSSES_MAX 64 /* more kinds than there are */

/* The answer while it is made: the losses are copied, since the writer that has them ends first. */
struct conversion {
    struct report_convert report;          /* borrows the losses */
    struct report_loss losses[LOSSES_MAX]; /* the first report.loss_count of them */
    struct replay_progress progress;       /* of the writing */
    int strict;                            /* what --strict says of the records that were read */
};

/* The writers that files.h calls, with the types of their contents restored. */
static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_convert_text(content, stream, WIDTH, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_convert_json(content, stream, error);
}

/* Kinds and sentences are constants of the writers. */
static void keep_losses(void *context, const struct trace_loss *losses, size_t count)
{
    struct conversion *conversion = context;

    for (size_t i = 0; i < count && i < LOSSES_MAX; i++)
        conversion->losses[i] = (struct report_loss){losses[i].kind, losses[i].text, losses[i].count};
    conversion->report.losses = conversion->losses;
    conversion->report.loss_count = (uint32_t)(count < LOSSES_MAX ? count : LOSSES_MAX);
}

/* The bar has no simulated time to tell: ranks are done one after the other. */
static void show_progress(void *context, uint32_t thousandths)
{
    struct conversion *conversion = context;
    const struct replay_watch *watch = &conversion->progress.watch;

    if (watch->progress != NULL)
        watch->progress(watch->context, conversion->report.format, thousandths, 0);
}

/* A trace that was read by an approximation is written as if that were what happened. */
static int check_records(const struct replay_arguments *arguments, const struct trace_program *program,
                         struct conversion *conversion, struct base_error *error)
{
    const struct trace_summary *summary = trace_program_summary(program);
    struct base_arena arena = {0};
    struct report_coverage *coverage = session_coverage(&arena, summary);

    if (coverage != NULL)
        conversion->strict =
            replay_strict(arguments, arguments->operands[0], coverage, (uint32_t)summary->coverage_count);
    base_arena_free(&arena);
    return coverage == NULL ? base_error_memory(error, "the coverage") : 0;
}

/* The names outlive the program: they are the command line's and the registries'. --strict is asked for while the
 * program can still be: the answer is judged later. */
static int convert(const struct replay_arguments *arguments, const struct trace_writer_format *format,
                   struct conversion *conversion, struct base_error *error)
{
    const struct trace_writer_options options = {.creator = PACKAGE_NAME " " PACKAGE_VERSION,
                                                 .stop = &arguments->signals->stop,
                                                 .progress = show_progress,
                                                 .progress_context = conversion};
    struct replay_stopwatch stopwatch;
    struct trace_program *program;
    int result;

    replay_stopwatch_start(&stopwatch);
    program = replay_session_open(arguments->operands[0], &arguments->settings, NULL, error);
    if (program == NULL)
        return -1;
    conversion->report.trace = arguments->operands[0];
    conversion->report.trace_format = trace_program_format(program);
    conversion->report.format = format->name;
    conversion->report.output = arguments->settings.text[REPLAY_OUTPUT];
    conversion->report.ranks = trace_program_ranks(program);
    replay_progress_start(&conversion->progress, arguments->signals, arguments->settings.given[REPLAY_QUIET]);
    result =
        trace_write(program, format, conversion->report.output, &options, keep_losses, conversion, error);
    replay_progress_end(&conversion->progress);
    if (result == 0)
        result = check_records(arguments, program, conversion, error);
    trace_close(program);
    conversion->report.host = replay_stopwatch_read(&stopwatch, 0);
    return result;
}

/* As replay_strict, of losses; what was approximated in reading is named already. */
static int judge(const struct replay_arguments *arguments, const struct conversion *conversion)
{
    const struct report_convert *report = &conversion->report;

    if (!arguments->settings.given[REPLAY_STRICT] || report->loss_count == 0)
        return conversion->strict;
    fprintf(stderr, "flitreplay convert: --strict: not everything of %s could be written:\n", report->trace);
    for (uint32_t i = 0; i < report->loss_count; i++)
        fprintf(stderr, "  %s: %" PRIu64 "\n", report->losses[i].kind, report->losses[i].count);
    return REPLAY_EXIT_UNMET;
}

/* For generate as well. "-" is refused: a trace cannot be a stream. */
const struct trace_writer_format *replay_writer_of(const char *format, const char *path,
                                                   struct base_error *error)
{
    if (path == NULL || strcmp(path, "-") == 0) {
        base_error_set(error, BASE_USAGE,
                       path == NULL ? "needs a path to write to: -o run.otf2, for example"
                                    : "-o -: a trace is several files or a long one; it needs a path");
        return NULL;
    }
    return trace_writer_find(format, path, error);
}

/* What can be refused before the trace is read. NULL with the error. */
static const struct trace_writer_format *find_format(const struct replay_arguments *arguments,
                                                     struct base_error *error)
{
    const char *path = arguments->settings.text[REPLAY_OUTPUT];

    if (replay_arguments_one(arguments, "one trace", error) != 0)
        return NULL;
    return replay_writer_of(arguments->settings.text[REPLAY_FORMAT], path, error);
}

/* The trace is written before the answer: if that fails there is nothing to say about it, and if the
 * answer cannot be written the trace stays. The outputs are opened first, so that a wrong path costs no
 * conversion. */
int replay_command_convert(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    const struct trace_writer_format *format = find_format(arguments, error);
    struct conversion conversion = {0};
    struct replay_files files = {0};
    size_t json = replay_files_add(&files, settings->text[REPLAY_JSON]);
    const struct report_convert *report = &conversion.report;
    int status;

    if (format == NULL || replay_files_open(&files, arguments->operands[0], error) != 0)
        return (int)error->status;
    status = convert(arguments, format, &conversion, error) == 0 &&
                     replay_files_write(&files, json, write_json, report, error) == 0 &&
                     replay_files_print(&files, settings->given[REPLAY_QUIET], write_text, report, error) == 0
                 ? judge(arguments, &conversion)
                 : (int)error->status;
    replay_files_discard(&files);
    return status;
}
