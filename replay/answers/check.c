/* flitreplay check TRACE: the trace doctor.
 *
 * The reader collects what is wrong with the files and goes on as far as it can; the doctor then pairs what
 * belongs together. Status 1 when a replay would be affected, 3 when the trace cannot be read at all.
 *
 *      flitreplay check traces.otf2                       for people
 *      flitreplay check traces.otf2 --quiet               for scripts: the status alone
 *      flitreplay check traces.otf2 --json defects.json   for programs: every defect with its place */
#include <stdlib.h>

#include "replay/answers/answer.h"
#include "replay/session/clocks.h"
#include "replay/system/host.h"
#include "replay/session/session.h"
#include "reports/traces/check.h"
#include "traces/doctor/doctor.h"

#define WIDTH 80

/* The writers that files.h calls, with the types of their contents restored. */
REPLAY_WRITER(write_text, report_check_text(content, stream, WIDTH, error))
REPLAY_WRITER(write_json, report_check_json(content, stream, error))

/* The two enumerations are kept apart, since reports/ does not see traces/. By name, so that neither depends
 * on the order of the other. */
static enum report_severity severity_of(enum trace_severity severity)
{
    static const enum report_severity severities[] = {
        [TRACE_NOTE] = REPORT_NOTE, [TRACE_WARNING] = REPORT_WARNING, [TRACE_FAULT] = REPORT_FAULT};
    return severities[severity];
}

/* The program's own functions around the calls. The rows are copies with texts of their own. All places are asked
 * for at once, since answering reads the trace again. */
static int name_regions(struct report_check *check, struct trace_program *program, struct report_defect *rows,
                        struct base_error *error)
{
    struct trace_caller *callers = base_arena_array(&check->arena, check->defect_count, sizeof *callers);

    if (callers == NULL)
        return -1;
    for (uint32_t i = 0; i < check->defect_count; i++)
        callers[i] = (struct trace_caller){.rank = rows[i].rank, .event = rows[i].event};
    if (trace_program_find_callers(program, callers, check->defect_count, error) != 0)
        return -1;
    for (uint32_t i = 0; i < check->defect_count; i++) {
        rows[i].region = callers[i].region == NULL ? NULL : base_arena_text(&check->arena, callers[i].region);
        if (rows[i].region == NULL && callers[i].region != NULL)
            return -1;
    }
    return 0;
}

/* Copies, so that the answer outlives the list. -1: memory. Texts are copied, names of kinds are constants. */
static int copy_defects(struct report_check *check, struct trace_program *program,
                        const struct trace_defects *defects, struct base_error *error)
{
    size_t count = trace_defects_count(defects);
    struct report_defect *rows = base_arena_array(&check->arena, count, sizeof *rows);

    for (size_t i = 0; rows != NULL && i < count; i++) {
        const struct trace_defect *defect = trace_defects_get(defects, i);
        rows[i] = (struct report_defect){
            .kind = defect->kind,
            .severity = severity_of(defect->severity),
            .rank = defect->rank,
            .event = defect->event,
            .time_ns = defect->time_ns,
            .call = defect->call == NULL ? NULL : base_arena_text(&check->arena, defect->call),
            .text = base_arena_text(&check->arena, defect->text),
        };
        if (rows[i].text == NULL || (defect->call != NULL && rows[i].call == NULL))
            return -1;
    }
    check->defects = rows;
    check->defect_count = (uint32_t)count;
    return rows == NULL ? -1 : name_regions(check, program, rows, error);
}

/* Kinds are constants of the program: they need no copy. */
static int copy_kinds(struct report_check *check, const struct trace_defects *defects)
{
    size_t count = trace_defects_kinds(defects);
    struct report_defect_kind *rows = base_arena_array(&check->arena, count, sizeof *rows);

    for (size_t i = 0; rows != NULL && i < count; i++) {
        const struct trace_defect_count *kind = trace_defects_kind(defects, i);
        rows[i] = (struct report_defect_kind){kind->kind, severity_of(kind->severity), kind->count};
    }
    check->kinds = rows;
    check->kind_count = (uint32_t)count;
    return rows == NULL ? -1 : 0;
}

/* The part of the answer that the trace itself gives. -1: memory. A single rank needs no common clock.
 * Records that are approximated or ignored are no defects of the trace, but of what a replay makes of it:
 * they have a number of their own. */
static int copy_trace(struct report_check *check, const struct trace_program *program)
{
    const struct trace_summary *summary = trace_program_summary(program);

    check->trace = base_arena_text(&check->arena, trace_program_path(program));
    check->format = base_arena_text(&check->arena, trace_program_format(program));
    check->writer = base_arena_text(&check->arena, trace_program_writer(program));
    check->ranks = trace_program_ranks(program);
    check->events = summary->events;
    check->one_clock = summary->loss.gaps == 0;
    check->common_clock = true;
    check->no_regions = trace_program_no_regions(program); /* a constant */
    for (uint32_t rank = 0; rank < check->ranks && check->ranks > 1; rank++)
        check->common_clock &= trace_program_origin_ns(program, rank) != UINT64_MAX;
    for (size_t i = 0; i < summary->coverage_count; i++)
        if (summary->coverage[i].treatment == TRACE_APPROXIMATE ||
            summary->coverage[i].treatment == TRACE_IGNORED)
            check->unfaithful += summary->coverage[i].records;
    return check->trace == NULL || check->format == NULL || check->writer == NULL ? -1 : 0;
}

/* Memory is the only thing that can fail here. */
static struct report_check *make_answer(struct trace_program *program, const struct trace_defects *defects,
                                        struct base_error *error)
{
    struct report_check *check = calloc(1, sizeof *check);

    if (check != NULL && copy_trace(check, program) == 0 && copy_kinds(check, defects) == 0 &&
        copy_defects(check, program, defects, error) == 0)
        return check;
    base_error_memory(error, "what is wrong with the trace");
    report_check_free(check);
    return NULL;
}

/* Everything that there is to know, and --strict's verdict on the coverage while it can be asked for. The program
 * is closed before the answer is written, which needs nothing of it any more. */
static struct report_check *examine(struct replay_answer *answer, struct trace_defects *defects,
                                    struct base_error *error)
{
    const struct replay_arguments *arguments = answer->arguments;
    const struct trace_options options = {.clock =
                                              (enum trace_clock)arguments->settings.number[REPLAY_CLOCK]};
    struct trace_program *program =
        replay_session_open(arguments->operands[0], &arguments->settings, defects, error);
    struct base_arena arena = {0};
    struct report_check *check = NULL;
    struct report_coverage *coverage;

    if (program == NULL)
        return NULL;
    if (trace_doctor(program, &options, defects, error) == 0)
        check = make_answer(program, defects, error);
    if (check != NULL && replay_clocks(program, &arguments->settings, &check->clocks, error) != 0) {
        report_check_free(check);
        check = NULL;
    }
    coverage = check == NULL ? NULL : replay_coverage(&arena, trace_program_summary(program));
    if (coverage != NULL &&
        replay_answer_strict(answer, check->trace, coverage,
                             (uint32_t)trace_program_summary(program)->coverage_count, error) != 0) {
        report_check_free(check);
        check = NULL;
    }
    base_arena_free(&arena);
    trace_close(program);
    return check;
}

/* The time that opening and examining took.
 * The list of defects lives as long as the trace is read; the answer has copies. */
static struct report_check *timed(struct replay_answer *answer, struct base_error *error)
{
    struct trace_defects *defects = trace_defects_new(0);
    struct replay_stopwatch stopwatch;
    struct report_check *check;

    if (defects == NULL) {
        base_error_memory(error, "the list of defects");
        return NULL;
    }
    replay_stopwatch_start(&stopwatch);
    check = examine(answer, defects, error);
    if (check != NULL)
        check->host = replay_stopwatch_read(&stopwatch, 0);
    trace_defects_free(defects);
    return check;
}

static int prepare(struct replay_answer *answer, struct base_error *error)
{
    return replay_arguments_one(answer->arguments, "one trace", error);
}

/* The answer is written whatever was found; the status is the verdict. Notes do not bear on a replay: a trace with
 * nothing worse is what check was asked to find. --strict adds its own status only to a sound trace: a defect is told
 * by the same status anyway. */
static int work(struct replay_answer *answer, struct base_error *error)
{
    struct report_check *check = timed(answer, error);

    answer->content = check;
    if (check == NULL)
        return -1;
    if (report_check_total(check, REPORT_WARNING) + report_check_total(check, REPORT_FAULT) > 0)
        answer->status = REPLAY_EXIT_UNMET;
    return 0;
}

static void release(void *content)
{
    report_check_free(content);
}

static const char *input(const struct replay_arguments *arguments)
{
    return arguments->operands[0];
}

static const struct replay_form forms[] = {
    {REPLAY_JSON, write_json}, {REPLAY_OPTIONS, write_text}, REPLAY_FORMS_END};

const struct replay_answer_kind replay_check_answer = {
    .prepare = prepare,
    .work = work,
    .release = release,
    .forms = forms,
    .input = input,
};
