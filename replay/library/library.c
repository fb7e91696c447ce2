/* The public functions of libflitreplay: thin, over the answers (replay/answers/answer.h) that the command line uses
 * too.
 *
 *      flr_request ──► replay_arguments: the subcommand, its options and operands, as typed
 *      flr_ask ──────► a copy of them, in which machines and units have become options ──► replay_answer
 *      flr_answer ───► its forms, into memory or files; values by key, from its JSON document
 *
 * A flr_trace is a trace_program: opaque outside, cast inside. Nothing else of the rooms can be seen: the library
 * exports flr_* alone. */
#include <config.h>

#include "replay/library/flitreplay.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/names.h"
#include "base/units.h"
#include "replay/answers/answer.h"
#include "replay/library/internal.h"
#include "replay/session/session.h"
#include "traces/program.h"

_Static_assert((int)FLR_USAGE == BASE_USAGE && (int)FLR_INPUT == BASE_INPUT &&
                   (int)FLR_DEADLOCK == BASE_DEADLOCK && (int)FLR_SYSTEM == BASE_SYSTEM &&
                   (int)FLR_INTERRUPTED == BASE_INTERRUPTED && (int)FLR_UNMET == REPLAY_EXIT_UNMET,
               "flr_status is base_status under its public name");

struct flr_request {
    struct replay_arguments given; /* as the caller has them; operands are owned */
    size_t operand_capacity;
    struct replay_listener listener;
    atomic_bool stop;
    flr_progress *progress; /* NULL: nobody watches */
    void *context;
};

struct flr_answer {
    struct replay_arguments arguments; /* what was in force; operands and values are the request's */
    struct replay_answer answer;
    json_t *document; /* the form "json", once a value of it was asked for */
};

/* ---- the library ---- */

const char *flr_version(void)
{
    return base_version();
}

const char *flr_build(void)
{
    return base_build();
}

/* A program may use another allocator than the library: what we made, we free. */
void flr_string_free(char *text)
{
    free(text);
}

/* ---- requests ---- */

/* Listeners speak of thousandths, users of a share. */
static void pass_progress(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    const flr_request *request = context;

    if (request->progress != NULL)
        request->progress(request->context, what, thousandths / 1000.0, simulated_ns);
}

static void pass_runs(void *context, uint32_t done, uint32_t all, double share, uint64_t simulated_ns)
{
    const flr_request *request = context;

    (void)done, (void)all;
    if (request->progress != NULL)
        request->progress(request->context, "runs", share, simulated_ns);
}

/* The number of the subcommand of that name; REPLAY_COMMANDS with the error. */
static enum replay_command find_command(const char *name, struct base_error *error)
{
    const char *names[REPLAY_COMMANDS];

    for (enum replay_command command = 0; command < REPLAY_COMMANDS; command++)
        names[command] = replay_command_row(command)->name;
    return (enum replay_command)base_names_find(
        &(struct base_names)BASE_NAMES_OF_TEXTS("subcommand", names, REPLAY_COMMANDS), name, SIZE_MAX, error);
}

/* The settings hold an arena, so a half-made object is freed like a whole one. */
flr_request *flr_request_new(const char *command, flr_error **error)
{
    struct base_error inner = {0};
    enum replay_command number = find_command(command, &inner);
    flr_request *request = number == REPLAY_COMMANDS ? NULL : calloc(1, sizeof *request);

    if (request == NULL && number != REPLAY_COMMANDS)
        base_error_memory(&inner, "the request");
    if (request == NULL)
        return replay_error_pass(&inner, error), NULL;
    request->given.command = number;
    request->listener =
        (struct replay_listener){NULL, NULL, pass_progress, pass_runs, request, &request->stop};
    request->given.listener = &request->listener;
    if (replay_settings_init(&request->given.settings, &inner) == 0)
        return request;
    flr_request_free(request);
    return replay_error_pass(&inner, error), NULL;
}

void flr_request_free(flr_request *request)
{
    if (request == NULL)
        return;
    for (int i = 0; i < request->given.operand_count; i++)
        free(request->given.operands[i]);
    free(request->given.operands);
    replay_settings_free(&request->given.settings);
    replay_values_free(&request->given.values);
    free(request);
}

/* Only what this subcommand takes is known. */
static enum replay_option find_option(enum replay_command command, const char *name, struct base_error *error)
{
    enum replay_option number[REPLAY_OPTIONS] = {0};
    const char *names[REPLAY_OPTIONS] = {NULL};
    size_t count = 0;
    size_t place;

    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (flr_option_serves((size_t)option, (size_t)command)) {
            names[count] = replay_option_row(option)->name;
            number[count++] = option;
        }
    place = base_names_find(&(struct base_names)BASE_NAMES_OF_TEXTS("option", names, count), name, SIZE_MAX,
                            error);
    return place == count ? REPLAY_OPTIONS : number[place];
}

int flr_request_set(flr_request *request, const char *option, const char *value, flr_error **error)
{
    struct base_error inner = {0};
    enum replay_option number = find_option(request->given.command, option, &inner);

    if (number != REPLAY_OPTIONS && replay_arguments_take(&request->given, number, value, &inner) == 0)
        return 0;
    return replay_error_pass(&inner, error);
}

int flr_request_add(flr_request *request, const char *operand, flr_error **error)
{
    struct replay_arguments *given = &request->given;
    size_t count = (size_t)given->operand_count;
    struct base_error inner = {0};
    char *copy = strdup(operand);

    if (copy != NULL &&
        base_grow(&given->operands, &request->operand_capacity, count + 1, sizeof *given->operands) == 0) {
        given->operands[given->operand_count++] = copy;
        return 0;
    }
    free(copy);
    base_error_memory(&inner, "the request");
    return replay_error_pass(&inner, error);
}

int flr_request_use(flr_request *request, flr_trace *trace, flr_error **error)
{
    enum replay_command command = request->given.command;
    struct base_error inner = {0};

    if (command == REPLAY_COMMAND_RUN || command == REPLAY_COMMAND_INFO) {
        request->given.program = (struct trace_program *)(void *)trace;
        return 0;
    }
    base_error_set(&inner, BASE_USAGE, "%s opens its traces itself", replay_command_row(command)->name);
    return replay_error_pass(&inner, error);
}

int flr_request_expect(flr_request *request, const char *form, flr_error **error)
{
    struct base_error inner = {0};
    enum replay_option number = find_option(request->given.command, form, &inner);

    if (number == REPLAY_OPTIONS)
        return replay_error_pass(&inner, error);
    request->given.expected[number] = true;
    return 0;
}

void flr_request_watch(flr_request *request, flr_progress *progress, void *context)
{
    request->progress = progress;
    request->context = context;
}

/* Atomic and free of locks: legal in a signal handler. */
void flr_request_stop(flr_request *request)
{
    atomic_store(&request->stop, true);
}

/* ---- traces ---- */

/* Casts between the public name and the struct it stands for. */
static struct trace_program *program_of(const flr_trace *trace)
{
    return (struct trace_program *)(uintptr_t)trace;
}

/* Without a request, the defaults of one: there is only one set of them. */
flr_trace *flr_trace_open(const char *path, const flr_request *reading, flr_error **error)
{
    flr_request *defaults = reading == NULL ? flr_request_new("run", error) : NULL;
    struct trace_program *program;
    struct base_error inner = {0};

    if (reading == NULL && defaults == NULL)
        return NULL;
    program = replay_session_open(
        path, reading == NULL ? &defaults->given.settings : &reading->given.settings, NULL, &inner);
    flr_request_free(defaults);
    if (program == NULL)
        replay_error_pass(&inner, error);
    return (flr_trace *)(void *)program;
}

void flr_trace_close(flr_trace *trace)
{
    trace_close(program_of(trace));
}

uint32_t flr_trace_ranks(const flr_trace *trace)
{
    return trace_program_ranks(program_of(trace));
}

const char *flr_trace_format(const flr_trace *trace)
{
    return trace_program_format(program_of(trace));
}

const char *flr_trace_writer(const flr_trace *trace)
{
    return trace_program_writer(program_of(trace));
}

/* ---- answers ---- */

/* What follows from a machine and from physical units is worked out in a copy: the caller's options stay as given. */
static int work_out(flr_answer *asked, const flr_request *request, struct base_error *error)
{
    asked->arguments = request->given;
    asked->arguments.settings = (struct replay_settings){0};
    if (replay_settings_copy(&asked->arguments.settings, &request->given.settings, error) != 0 ||
        replay_arguments_apply(&asked->arguments, error) != 0)
        return (int)error->status;
    return replay_answer_to_files(&asked->answer, &asked->arguments, false, error);
}

flr_answer *flr_ask(flr_request *request, flr_error **error)
{
    flr_answer *asked = calloc(1, sizeof *asked);
    struct base_error inner = {0};
    int status = BASE_SYSTEM;

    if (asked == NULL)
        base_error_memory(&inner, "the answer");
    else
        status = work_out(asked, request, &inner);
    if (status <= REPLAY_EXIT_UNMET ||
        (status == BASE_INTERRUPTED && asked->answer.status == BASE_INTERRUPTED))
        return asked;
    flr_answer_free(asked);
    replay_error_pass(&inner, error);
    return NULL;
}

void flr_answer_free(flr_answer *answer)
{
    if (answer == NULL)
        return;
    json_decref(answer->document);
    replay_answer_free(&answer->answer);
    replay_settings_free(&answer->arguments.settings);
    free(answer);
}

enum flr_status flr_answer_status(const flr_answer *answer)
{
    return (enum flr_status)answer->answer.status;
}

const char *flr_answer_notes(const flr_answer *answer)
{
    return answer->answer.notes == NULL ? "" : answer->answer.notes;
}

const char *flr_answer_form_name(const flr_answer *answer, size_t form)
{
    return replay_answer_form_name(&answer->answer, form);
}

/* A stream in memory fails for lack of it only, and may do so as late as when it is closed. */
char *flr_answer_form(const flr_answer *answer, const char *form, size_t *length, flr_error **error)
{
    struct base_error inner = {0};
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    int status = -1;

    if (stream == NULL)
        base_error_memory(&inner, "the answer");
    else
        status = replay_answer_write(&answer->answer, form, stream, &inner);
    if (stream != NULL && fclose(stream) != 0 && status == 0)
        status = base_error_memory(&inner, "the answer");
    if (status == 0) {
        if (length != NULL)
            *length = size;
        return text;
    }
    free(text);
    return replay_error_pass(&inner, error), NULL;
}

/* What write_form is handed through the files. */
struct sheet {
    const struct replay_answer *answer;
    const char *form;
};

static int write_form(const void *content, FILE *stream, struct base_error *error)
{
    const struct sheet *sheet = content;
    return replay_answer_write(sheet->answer, sheet->form, stream, error);
}

int flr_answer_save(const flr_answer *answer, const char *form, const char *path, flr_error **error)
{
    const struct sheet sheet = {&answer->answer, form};
    struct replay_files files = {0};
    struct base_error inner = {0};
    size_t place = replay_files_add(&files, path);
    int status = replay_files_open(&files, NULL, &inner);

    if (status == 0)
        status = replay_files_write(&files, place, write_form, &sheet, &inner);
    replay_files_discard(&files);
    return status == 0 ? 0 : replay_error_pass(&inner, error);
}

/* ---- values ---- */

/* The document, made once: an answer does not change. Which is why a const answer may have it. */
static const json_t *document_of(const flr_answer *answer, struct base_error *error)
{
    flr_answer *mutable = (flr_answer *)(uintptr_t)answer;
    flr_error *reason = NULL;
    char *text;

    if (answer->document != NULL)
        return answer->document;
    text = flr_answer_form(answer, "json", NULL, &reason);
    if (text == NULL) {
        base_error_set(error, (enum base_status)flr_error_status(reason), "%s", flr_error_text(reason));
        flr_error_free(reason);
        return NULL;
    }
    mutable->document = json_loads(text, 0, NULL);
    free(text);
    if (answer->document == NULL)
        base_error_memory(error, "the answer");
    return answer->document;
}

/* One step: the key of an object, or the place in a list. NULL: there is none. */
static const json_t *step(const json_t *at, const char *name, size_t length)
{
    uint64_t place;
    char key[128];

    if (length >= sizeof key)
        return NULL;
    memcpy(key, name, length);
    key[length] = '\0';
    if (json_is_object(at))
        return json_object_get(at, key);
    return json_is_array(at) && base_parse_unsigned(key, UINT32_MAX, &place) == 0
               ? json_array_get(at, (size_t)place)
               : NULL;
}

/* The value of a key. NULL: no document, or no such key, and the error names it. */
static const json_t *find_value(const flr_answer *answer, const char *key, struct base_error *error)
{
    const json_t *at = document_of(answer, error);
    const char *next = key;

    if (at == NULL)
        return NULL;
    while (at != NULL && *next != '\0') {
        size_t length = strcspn(next, ".");
        at = step(at, next, length);
        next += length + (next[length] == '.');
    }
    if (at == NULL)
        base_error_set(error, BASE_USAGE, "the answer has no value '%s'", key);
    return at;
}

static int refuse_type(const char *key, const char *wanted, struct base_error *error)
{
    return base_error_set(error, BASE_USAGE, "the value '%s' is no %s", key, wanted);
}

/* ---- one function a type: 0, 1 for null, -1 */

static int read_real(const json_t *found, const char *key, double *value, struct base_error *error)
{
    if (json_is_null(found))
        return 1;
    if (!json_is_number(found) && !json_is_boolean(found))
        return refuse_type(key, "number", error);
    *value = json_is_boolean(found) ? json_is_true(found) : json_number_value(found);
    return 0;
}

static int read_count(const json_t *found, const char *key, uint64_t *value, struct base_error *error)
{
    if (json_is_null(found))
        return 1;
    if (json_is_boolean(found))
        *value = json_is_true(found);
    else if (json_is_integer(found) && json_integer_value(found) >= 0)
        *value = (uint64_t)json_integer_value(found);
    else
        return refuse_type(key, "whole number from 0 on", error);
    return 0;
}

static int read_text(const json_t *found, const char *key, char **value, struct base_error *error)
{
    if (json_is_null(found))
        return 1;
    if (!json_is_string(found))
        return refuse_type(key, "text", error);
    *value = strdup(json_string_value(found));
    return *value == NULL ? base_error_memory(error, "a text") : 0;
}

int flr_answer_real(const flr_answer *answer, const char *key, double *value, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);
    int status = found == NULL ? -1 : read_real(found, key, value, &inner);

    return status < 0 ? replay_error_pass(&inner, error) : status;
}

int flr_answer_count(const flr_answer *answer, const char *key, uint64_t *value, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);
    int status = found == NULL ? -1 : read_count(found, key, value, &inner);

    return status < 0 ? replay_error_pass(&inner, error) : status;
}

int flr_answer_text(const flr_answer *answer, const char *key, char **value, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);
    int status = found == NULL ? -1 : read_text(found, key, value, &inner);

    return status < 0 ? replay_error_pass(&inner, error) : status;
}

int flr_answer_size(const flr_answer *answer, const char *key, size_t *size, flr_error **error)
{
    struct base_error inner = {0};
    const json_t *found = find_value(answer, key, &inner);

    if (found != NULL && (json_is_array(found) || json_is_object(found))) {
        *size = json_is_array(found) ? json_array_size(found) : json_object_size(found);
        return 0;
    }
    if (found != NULL)
        refuse_type(key, "list or object", &inner);
    return replay_error_pass(&inner, error);
}
