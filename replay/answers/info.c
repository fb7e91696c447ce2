/* flitreplay info TRACE: what is in a trace.
 *
 * Nothing is simulated but the ideal network, by two clocks, where a trace is oversubscribed. What is found
 * wrong with the trace is the same as in `run`, since both open it alike.
 *
 *      flitreplay info traces.otf2                        for people
 *      flitreplay info traces.otf2 --json info.json       for programs
 *      flitreplay info traces.otf2 --coverage             how each kind of record is replayed, with
 algorithms
 *      flitreplay info traces.otf2 --matrix -             who sends how much to whom, as CSV */
#include "replay/answers/answer.h"
#include "replay/session/clocks.h"
#include "replay/system/host.h"
#include "replay/session/kinds.h"
#include "replay/session/session.h"
#include "reports/traces/info.h"

#define WIDTH 80

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_info_text(content, stream, WIDTH, error))
REPLAY_WRITER(write_json, report_info_json(content, stream, error))
REPLAY_WRITER(write_matrix, report_info_matrix(content, stream, error))

/* Opening a trace reads all of it: that is where the time goes. --coverage needs the table of algorithms; a
 * mistyped one is refused before the trace is read. */
static struct report_info *read_info(const struct replay_arguments *arguments, struct base_error *error)
{
    const struct replay_settings *settings = &arguments->settings;
    struct replay_stopwatch stopwatch;
    struct trace_tuning *tuning = replay_tuning(settings, error);
    struct trace_program *program;
    struct report_info *info;

    if (tuning == NULL)
        return NULL;
    replay_stopwatch_start(&stopwatch);
    program = arguments->program != NULL ? arguments->program
                                         : replay_session_open(arguments->operands[0], settings, NULL, error);
    if (program == NULL) {
        trace_tuning_free(tuning);
        return NULL;
    }
    info = replay_session_info(program, error);
    if (info != NULL &&
        (replay_clocks(program, settings, &info->clocks, error) != 0 ||
         (settings->given[REPLAY_COVERAGE] && replay_session_coverage(info, program, tuning, error) != 0))) {
        report_info_free(info);
        info = NULL;
    }
    if (arguments->program == NULL)
        trace_close(program);
    trace_tuning_free(tuning);
    if (info != NULL)
        info->host = replay_stopwatch_read(&stopwatch, 0);
    return info;
}

/* Nothing but the number of operands can be refused before the trace is opened, which reads all of it. */
static int prepare(struct replay_answer *answer, struct base_error *error)
{
    return replay_arguments_one(answer->arguments, "one trace", error);
}

/* The trace is closed before anything is written: its files may be large, the answer is small. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct report_info *info = read_info(answer->arguments, error);

    answer->content = info;
    return info == NULL
               ? -1
               : replay_answer_strict(answer, info->trace, info->coverage, info->coverage_count, error);
}

static void release(void *content)
{
    report_info_free(content);
}

static const char *input(const struct replay_arguments *arguments)
{
    return arguments->program == NULL ? arguments->operands[0] : NULL;
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_MATRIX, write_matrix}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_info_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
    .input = input,
};
