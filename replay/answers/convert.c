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
#include <stdlib.h>
#include <string.h>

#include "replay/answers/answer.h"
#include "replay/system/host.h"
#include "replay/session/session.h"
#include "reports/traces/convert.h"
#include "traces/writers/writer.h"

#define WIDTH 80
#define LOSSES_MAX 64 /* more kinds than there are */

/* The answer while it is made: the losses are copied, since the writer that has them ends first. */
struct conversion {
    const struct replay_arguments *arguments; /* borrowed */
    const struct trace_writer_format *format; /* in which the trace is written */
    struct report_convert report;             /* borrows the losses */
    struct report_loss losses[LOSSES_MAX];    /* the first report.loss_count of them */
};

static const struct report_convert *report_of(const void *content)
{
    const struct conversion *conversion = content;
    return &conversion->report;
}

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_convert_text(report_of(content), stream, WIDTH, error))
REPLAY_WRITER(write_json, report_convert_json(report_of(content), stream, error))

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
    const struct conversion *conversion = context;

    replay_listener_progress(conversion->arguments, conversion->report.format, thousandths, 0);
}

/* A trace that was read by an approximation is written as if that were what happened. */
static int check_records(struct replay_answer *answer, const struct trace_program *program,
                         struct base_error *error)
{
    const struct trace_summary *summary = trace_program_summary(program);
    struct base_arena arena = {0};
    struct report_coverage *coverage = replay_coverage(&arena, summary);
    int status = coverage == NULL ? base_error_memory(error, "the coverage")
                                  : replay_answer_strict(answer, answer->arguments->operands[0], coverage,
                                                         (uint32_t)summary->coverage_count, error);

    base_arena_free(&arena);
    return status;
}

/* The names outlive the program: they are the command line's and the registries'. --strict is asked for while the
 * program can still be: the answer is judged later. */
static int convert(struct replay_answer *answer, struct conversion *conversion, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    const struct trace_writer_options options = {.creator = PACKAGE_NAME " " PACKAGE_VERSION,
                                                 .stop = replay_listener_stop(arguments),
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
    conversion->report.format = conversion->format->name;
    conversion->report.output = arguments->settings.text[REPLAY_OUTPUT];
    conversion->report.ranks = trace_program_ranks(program);
    replay_listener_begin(arguments);
    result = trace_write(program, conversion->format, conversion->report.output, &options, keep_losses,
                         conversion, error);
    replay_listener_end(arguments);
    if (result == 0)
        result = check_records(answer, program, error);
    trace_close(program);
    conversion->report.host = replay_stopwatch_read(&stopwatch, 0);
    return result;
}

/* As replay_answer_strict, of losses; what was approximated in reading is named already. */
static int judge(struct replay_answer *answer, const struct report_convert *report, struct base_error *error)
{
    if (!answer->arguments->settings.given[REPLAY_STRICT] || report->loss_count == 0)
        return 0;
    answer->status = REPLAY_EXIT_UNMET;
    if (replay_answer_note(
            answer, error,
            "flitreplay convert: --strict: not everything of %s could be written:", report->trace) != 0)
        return -1;
    for (uint32_t i = 0; i < report->loss_count; i++)
        if (replay_answer_note(answer, error, "  %s: %" PRIu64, report->losses[i].kind,
                               report->losses[i].count) != 0)
            return -1;
    return 0;
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

/* What can be refused before the trace is read. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    struct conversion *conversion = calloc(1, sizeof *conversion);

    answer->content = conversion;
    if (conversion == NULL)
        return base_error_memory(error, "the conversion");
    conversion->arguments = arguments;
    if (replay_arguments_one(arguments, "one trace", error) != 0)
        return -1;
    conversion->format = replay_writer_of(arguments->settings.text[REPLAY_FORMAT],
                                          arguments->settings.text[REPLAY_OUTPUT], error);
    return conversion->format == NULL ? -1 : 0;
}

/* The trace is written before the answer: if that fails there is nothing to say about it, and if the
 * answer cannot be written the trace stays. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct conversion *conversion = answer->content;

    return convert(answer, conversion, error) == 0 ? judge(answer, &conversion->report, error) : -1;
}

static const char *input(const struct replay_arguments *arguments)
{
    return arguments->operands[0];
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_convert_answer = {
    .prepare = prepare,
    .work = work,
    .release = free,
    .forms = forms,
    .input = input,
};
