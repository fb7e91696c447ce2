/* Answers: which there are, and the order of every subcommand: what is refused, the outputs, the work, the writing. */
#include <config.h>

#include "replay/answers/answer.h"

#include <assert.h>
#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "base/names.h"

#define FORMS_MAX 16
#define TEXT_FORM "text"
#define PARTED_FORM "svg" /* which has a part: "svg=channel-load" */

/* Subcommands with two kinds of answer tell them apart by an option. */
const struct replay_answer_kind *replay_answer_kind(const struct replay_arguments *arguments)
{
    static const struct replay_answer_kind *const kinds[REPLAY_COMMANDS] = {
        [REPLAY_COMMAND_CHECK] = &replay_check_answer,
        [REPLAY_COMMAND_COLLECTIVE] = &replay_collective_answer,
        [REPLAY_COMMAND_COMPARE] = &replay_compare_answer,
        [REPLAY_COMMAND_CONVERT] = &replay_convert_answer,
        [REPLAY_COMMAND_COST] = &replay_cost_answer,
        [REPLAY_COMMAND_GENERATE] = &replay_generate_answer,
        [REPLAY_COMMAND_INFO] = &replay_info_answer,
        [REPLAY_COMMAND_LIST] = &replay_list_answer,
        [REPLAY_COMMAND_MAP] = &replay_map_answer,
        [REPLAY_COMMAND_RESULTS] = &replay_results_answer,
        [REPLAY_COMMAND_RUN] = &replay_run_answer,
        [REPLAY_COMMAND_TOPOLOGY] = &replay_topology_answer,
        [REPLAY_COMMAND_TRAFFIC] = &replay_traffic_answer,
    };
    const bool *given = arguments->settings.given;

    if (arguments->command == REPLAY_COMMAND_COST && (given[REPLAY_ROUTER] || given[REPLAY_LINK]))
        return &replay_cost_part_answer;
    if (arguments->command == REPLAY_COMMAND_RUN && given[REPLAY_JOB])
        return &replay_jobs_answer;
    return kinds[arguments->command];
}

/* The name of a form is that of its option. */
static const char *name_of(const struct replay_form *form)
{
    return form->option == REPLAY_OPTIONS ? TEXT_FORM : replay_option_row(form->option)->name;
}

const char *replay_answer_form_name(const struct replay_answer *answer, size_t form)
{
    for (const struct replay_form *each = answer->kind->forms; each->write != NULL; each++)
        if (form-- == 0)
            return name_of(each);
    return NULL;
}

/* A refusal names those that there are. */
int replay_answer_write(const struct replay_answer *answer, const char *form, FILE *stream,
                        struct base_error *error)
{
    const char *names[FORMS_MAX];
    const char *equals = strchr(form, '=');
    size_t count = 0;

    if (answer->is_silent)
        return base_error_set(error, BASE_USAGE, "with several processes, rank 0 has the answer");
    if (equals != NULL && answer->kind->write_part != NULL &&
        strncmp(form, PARTED_FORM "=", sizeof PARTED_FORM) == 0)
        return answer->kind->write_part(answer, equals + 1, stream, error);

    for (const struct replay_form *each = answer->kind->forms; each->write != NULL; each++) {
        if (strcmp(name_of(each), form) == 0)
            return each->write(answer->content, stream, error);
        assert(count < FORMS_MAX);
        names[count++] = name_of(each);
    }
    return base_names_refuse(&(struct base_names)BASE_NAMES_OF_TEXTS("form", names, count), form, SIZE_MAX,
                             error);
}

/* Also of one that was never prepared, if it is zero. */
void replay_answer_free(struct replay_answer *answer)
{
    if (answer->kind != NULL && answer->content != NULL)
        answer->kind->release(answer->content);
    base_arena_free(&answer->arena);
    *answer = (struct replay_answer){0};
}

/* Quadratic in the number of notes, which are some lines. */
int replay_answer_note(struct replay_answer *answer, struct base_error *error, const char *format, ...)
{
    char line[BASE_ERROR_TEXT];
    va_list values;
    const char *longer;

    va_start(values, format);
    vsnprintf(line, sizeof line, format, values);
    va_end(values);
    longer = base_arena_format(&answer->arena, "%s%s\n", answer->notes == NULL ? "" : answer->notes, line);
    if (longer == NULL)
        return base_error_memory(error, "what is said beside the answer");
    answer->notes = longer;
    return 0;
}

/* ---- files ---- */

/* A file for every form that was asked for, in the order of the table. */
static void add_files(const struct replay_answer *answer, struct replay_files *files)
{
    for (const struct replay_form *form = answer->kind->forms; form->write != NULL; form++)
        replay_files_add(
            files, form->option == REPLAY_OPTIONS ? NULL : answer->arguments->settings.text[form->option]);
}

/* The first that fails ends it; those before it are whole. The text comes last, to standard output. */
static int write_files(const struct replay_answer *answer, struct replay_files *files, bool prints,
                       struct base_error *error)
{
    bool quiet = !prints || answer->arguments->settings.given[REPLAY_QUIET];
    size_t place = 0;

    for (const struct replay_form *form = answer->kind->forms; form->write != NULL; form++, place++) {
        if (form->option == REPLAY_OPTIONS && answer->kind->write_more != NULL &&
            answer->kind->write_more(answer, files, error) != 0)
            return -1;
        int status = form->option == REPLAY_OPTIONS
                         ? replay_files_print(files, quiet, form->write, answer->content, error)
                         : replay_files_write(files, place, form->write, answer->content, error);
        if (status != 0)
            return -1;
    }
    return 0;
}

/* Nothing is computed that could not be written: outputs are opened after whatever is cheap to refuse, and before
 * the work. */
int replay_answer_to_files(struct replay_answer *answer, const struct replay_arguments *arguments,
                           bool prints, struct base_error *error)
{
    const struct replay_answer_kind *kind = replay_answer_kind(arguments);
    struct replay_files files = {0};
    int status;

    *answer = (struct replay_answer){.kind = kind, .arguments = arguments, .status = BASE_OK};
    status = kind->prepare(answer, error);
    if (status == 0 && answer->is_silent)
        return kind->work(answer, error) == 0 ? answer->status : (int)error->status;
    if (status == 0) {
        add_files(answer, &files);
        if (kind->add_more != NULL)
            status = kind->add_more(answer, &files, error);
    }
    if (status == 0)
        status = replay_files_open(&files, kind->input == NULL ? NULL : kind->input(arguments), error);
    if (status == 0)
        status = kind->work(answer, error);
    if (status == 0)
        status = write_files(answer, &files, prints, error);
    replay_files_discard(&files);
    if (status == 0 && answer->status == BASE_INTERRUPTED)
        base_error_set(error, BASE_INTERRUPTED, "interrupted: the results are marked as partial");
    return status == 0 ? answer->status : (int)error->status;
}

/* ---- listeners ---- */

void replay_listener_begin(const struct replay_arguments *arguments)
{
    const struct replay_listener *listener = arguments->listener;

    if (listener != NULL && listener->begin != NULL)
        listener->begin(listener->context);
}

void replay_listener_end(const struct replay_arguments *arguments)
{
    const struct replay_listener *listener = arguments->listener;

    if (listener != NULL && listener->end != NULL)
        listener->end(listener->context);
}

void replay_listener_runs(const struct replay_arguments *arguments, uint32_t done, uint32_t all, double share,
                          uint64_t simulated_ns)
{
    const struct replay_listener *listener = arguments->listener;

    if (listener != NULL && listener->runs != NULL)
        listener->runs(listener->context, done, all, share, simulated_ns);
}

struct replay_watch replay_listener_watch(const struct replay_arguments *arguments)
{
    const struct replay_listener *listener = arguments->listener;

    if (listener == NULL)
        return (struct replay_watch){0};
    return (struct replay_watch){.progress = listener->progress,
                                 .expect = listener->expect,
                                 .context = listener->context,
                                 .stop = listener->stop};
}

bool replay_answer_expects(const struct replay_arguments *arguments, enum replay_option option)
{
    return arguments->settings.text[option] != NULL || arguments->expected[option];
}

atomic_bool *replay_listener_stop(const struct replay_arguments *arguments)
{
    return arguments->listener == NULL ? NULL : arguments->listener->stop;
}

void replay_listener_progress(const struct replay_arguments *arguments, const char *what,
                              uint32_t thousandths, uint64_t simulated_ns)
{
    const struct replay_listener *listener = arguments->listener;

    if (listener != NULL && listener->progress != NULL)
        listener->progress(listener->context, what, thousandths, simulated_ns);
}
