/* Requests, and the traces that they may be given. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "replay/library/internal.h"
#include "replay/session/session.h"
#include "traces/program.h"

/* Listeners speak of thousandths, users of a share. */
static void pass_progress(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns)
{
    const flr_request *request = context;
    const flr_moment moment = {.size = sizeof moment,
                               .part = what,
                               .share = thousandths / 1000.0,
                               .simulated_ns = simulated_ns,
                               .expected_seconds = request->expected_seconds,
                               .expected_bytes = request->expected_bytes};

    if (request->progress != NULL)
        request->progress(request->progress_context, &moment);
}

static void pass_runs(void *context, uint32_t done, uint32_t all, double share, uint64_t simulated_ns)
{
    const flr_request *request = context;
    const flr_moment moment = {.size = sizeof moment,
                               .part = "runs",
                               .share = share,
                               .simulated_ns = simulated_ns,
                               .runs_done = done,
                               .runs = all,
                               .expected_seconds = request->expected_seconds,
                               .expected_bytes = request->expected_bytes};

    if (request->progress != NULL)
        request->progress(request->progress_context, &moment);
}

/* A moment before the first replay: whoever is told of moments learns of it. */
static void pass_expected(void *context, double seconds, uint64_t memory_bytes)
{
    flr_request *request = context;

    request->expected_seconds = seconds;
    request->expected_bytes = memory_bytes;
    pass_progress(request, "replays", 0, 0);
}

static void pass_begin(void *context)
{
    const flr_request *request = context;

    if (request->attention != NULL)
        request->attention(request->attention_context, 1);
}

static void pass_end(void *context)
{
    const flr_request *request = context;

    if (request->attention != NULL)
        request->attention(request->attention_context, 0);
}

/* The settings hold an arena, so a half-made object is freed like a whole one. */
flr_request *flr_request_new(const char *command, flr_error **error)
{
    struct base_error inner = {0};
    enum replay_command number = replay_library_command(command, &inner);
    flr_request *request = number == REPLAY_COMMANDS ? NULL : calloc(1, sizeof *request);

    if (request == NULL && number != REPLAY_COMMANDS)
        base_error_memory(&inner, "the request");
    if (request == NULL)
        return replay_error_pass(&inner, error), NULL;
    request->given.command = number;
    request->listener = (struct replay_listener){.begin = pass_begin,
                                                 .end = pass_end,
                                                 .progress = pass_progress,
                                                 .runs = pass_runs,
                                                 .expect = pass_expected,
                                                 .context = request,
                                                 .stop = &request->stop};
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

int flr_request_set(flr_request *request, const char *option, const char *value, flr_error **error)
{
    struct base_error inner = {0};
    enum replay_option number = replay_library_option(request->given.command, option, &inner);

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
    enum replay_option number = replay_library_option(request->given.command, form, &inner);

    if (number == REPLAY_OPTIONS)
        return replay_error_pass(&inner, error);
    request->given.expected[number] = true;
    return 0;
}

void flr_request_watch(flr_request *request, flr_progress *progress, void *context)
{
    request->progress = progress;
    request->progress_context = context;
}

void flr_request_attend(flr_request *request, flr_attention *attention, void *context)
{
    request->attention = attention;
    request->attention_context = context;
}

void flr_request_print(flr_request *request)
{
    request->prints = true;
}

/* Atomic and free of locks: legal in a signal handler. */
void flr_request_stop(flr_request *request)
{
    atomic_store(&request->stop, true);
}

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
    program = replay_session_keep(
        path, reading == NULL ? &defaults->given.settings : &reading->given.settings, &inner);
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

int flr_trace_recognise(const char *path)
{
    return trace_is_recognised(path);
}
