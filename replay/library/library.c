/* The public functions of libflitreplay: thin, over the session that the command line uses too.
 *
 * A flr_trace is a trace_program, a flr_topology a net_topology and a flr_result a report_run: opaque
 * outside, cast inside. Only flr_options is a struct of its own. Nothing else of the rooms can be seen: the
 * library exports flr_* alone. A base_error and a flr_error have the same layout and the same statuses,
 * checked at compile time, so that one is copied to the other.
 *
 *      flr_trace_open ──► trace_open                 flr_run ──► replay_setup_init, replay_session_run
 *      flr_topology_new ► net_topology_new           flr_result_json ──► report_run_json into memory
 *      flr_options_set ─► replay_settings_set_named  flr_trace_json ───► replay_session_info, its JSON */
#include <config.h>

#include "replay/session/costs.h"
#include "replay/library/flitreplay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/build.h"
#include "base/error.h"
#include "netmodel/topology.h"
#include "replay/system/host.h"
#include "replay/machines/units.h"
#include "replay/options.h"
#include "replay/session/session.h"
#include "reports/traces/info.h"
#include "reports/run/run.h"
#include "traces/program.h"

_Static_assert((int)FLR_USAGE == BASE_USAGE && (int)FLR_INPUT == BASE_INPUT &&
                   (int)FLR_DEADLOCK == BASE_DEADLOCK && (int)FLR_SYSTEM == BASE_SYSTEM &&
                   FLR_ERROR_TEXT == BASE_ERROR_TEXT,
               "flr_error is base_error under its public name");

/* The other public types are internal ones under another name: never defined, only cast. */
struct flr_options {
    struct replay_settings settings; /* as those of a command line */
};

/* Casts between a public name and the struct it stands for, in one place each. */
static struct trace_program *program_of(const flr_trace *trace)
{
    return (struct trace_program *)(uintptr_t)trace;
}

/* Public types are the internal ones under another name: they have no content of their own. */
static struct net_topology *topology_of(const flr_topology *topology)
{
    return (struct net_topology *)(uintptr_t)topology;
}

/* The same for the result of a run. */
static const struct report_run *run_of(const flr_result *result)
{
    return (const struct report_run *)result;
}

/* Callers that want no error pass NULL; inside, there is always one to fill. */
static void pass_error(const struct base_error *inner, flr_error *outer)
{
    if (outer == NULL)
        return;
    outer->status = (enum flr_status)inner->status;
    memcpy(outer->text, inner->text, sizeof outer->text);
}

/* The release, not the library's interface version. */
const char *flr_version(void)
{
    return base_version();
}

/* Constructors keep one pattern: work with an error of our own, pass it on when there is no result. */
flr_trace *flr_trace_open(const char *path, flr_error *error)
{
    return flr_trace_open_with(path, NULL, error);
}

/* Options of a run that do not bear on reading are simply not looked at. */
flr_trace *flr_trace_open_with(const char *path, const flr_options *options, flr_error *error)
{
    struct base_error inner = {0};
    struct trace_program *program = options == NULL
                                        ? trace_open(path, NULL, &inner)
                                        : replay_session_open(path, &options->settings, NULL, &inner);

    if (program == NULL)
        pass_error(&inner, error);
    return (flr_trace *)program;
}

/* NULL is legal. */
void flr_trace_close(flr_trace *trace)
{
    trace_close(program_of(trace));
}

uint32_t flr_trace_ranks(const flr_trace *trace)
{
    return trace_program_ranks(program_of(trace));
}

/* The format's short name; the trace's, and gone with it. */
const char *flr_trace_format(const flr_trace *trace)
{
    return trace_program_format(program_of(trace));
}

/* What recorded it, as far as the trace says. */
const char *flr_trace_writer(const flr_trace *trace)
{
    return trace_program_writer(program_of(trace));
}

typedef int json_writer(const void *content, FILE *stream, struct base_error *error);

/* What a writer writes, as a text for the caller. The caller frees it with flr_string_free. A stream in
 * memory fails for lack of it only, and may do so as late as when it is closed. */
static char *text_of(json_writer *writer, const void *content, flr_error *error)
{
    struct base_error inner = {0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);
    int status = -1;

    if (stream == NULL)
        base_error_memory(&inner, "the JSON document");
    else
        status = writer(content, stream, &inner);
    if (stream != NULL && fclose(stream) != 0 && status == 0)
        status = base_error_memory(&inner, "the JSON document");
    if (status == 0)
        return text;
    free(text);
    pass_error(&inner, error);
    return NULL;
}

/* The writers below have the one shape that the text buffer of the library takes. */
static int write_info(const void *content, FILE *stream, struct base_error *error)
{
    return report_info_json(content, stream, error);
}

static int write_run(const void *content, FILE *stream, struct base_error *error)
{
    return report_run_json(content, stream, error);
}

/* The survey is part of opening; what is measured for `host` here is only the copying. */
char *flr_trace_json(const flr_trace *trace, flr_error *error)
{
    struct base_error inner = {0};
    struct replay_stopwatch stopwatch;
    struct report_info *info;
    char *text;

    replay_stopwatch_start(&stopwatch);
    info = replay_session_info(program_of(trace), &inner);
    if (info == NULL) {
        pass_error(&inner, error);
        return NULL;
    }
    info->host = replay_stopwatch_read(&stopwatch, 0);
    text = text_of(write_info, info, error);
    report_info_free(info);
    return text;
}

/* The handle is the topology itself: the type is not told outside, so that nothing else can be done with it. */
flr_topology *flr_topology_new(const char *text, flr_error *error)
{
    struct base_error inner = {0};
    struct net_topology *topology = net_topology_new(text, &inner);

    if (topology == NULL)
        pass_error(&inner, error);
    return (flr_topology *)topology;
}

void flr_topology_free(flr_topology *topology)
{
    net_topology_free(topology_of(topology));
}

uint32_t flr_topology_terminals(const flr_topology *topology)
{
    return topology_of(topology)->terminals;
}

uint32_t flr_topology_routers(const flr_topology *topology)
{
    return topology_of(topology)->routers;
}

/* The settings hold an arena, so a half-made object is freed like a whole one. */
flr_options *flr_options_new(flr_error *error)
{
    struct base_error inner = {0};
    flr_options *options = calloc(1, sizeof *options);

    if (options == NULL)
        base_error_memory(&inner, "the options");
    else if (replay_settings_init(&options->settings, &inner) == 0)
        return options;
    flr_options_free(options);
    pass_error(&inner, error);
    return NULL;
}

void flr_options_free(flr_options *options)
{
    if (options == NULL)
        return;
    replay_settings_free(&options->settings);
    free(options);
}

/* Keys are those of the command line that bear on a result; its outputs are the caller's business here. */
int flr_options_set(flr_options *options, const char *name, const char *value, flr_error *error)
{
    struct base_error inner = {0};

    if (strcmp(name, replay_option_row(REPLAY_TOPOLOGY)->name) == 0)
        base_error_set(&inner, BASE_USAGE, "the topology is an argument of flr_run, not an option");
    else if (replay_settings_set_named(&options->settings, name, value, &inner) == 0)
        return 0;
    pass_error(&inner, error);
    return -1;
}

/* As the command line does: first what can be refused at once. */
static struct report_run *run_with(struct trace_program *program, const struct net_topology *topology,
                                   const struct replay_settings *settings, struct base_error *error)
{
    struct net_topology *own = NULL;
    struct report_run *result = NULL;
    struct replay_setup setup = {0};

    /* Latencies that follow from lengths are the settings' business; the caller's topology is not changed. */
    if (settings->number[REPLAY_LINK_LATENCY_PER_M] != 0 || settings->text[REPLAY_RACK] != NULL)
        topology = own = replay_topology_new(topology->text, settings, error);
    if (topology != NULL && replay_setup_init(&setup, REPLAY_TO_RUN, topology, settings, error) == 0)
        result = replay_session_run(program, &setup, NULL, error);
    replay_setup_free(&setup);
    net_topology_free(own);
    return result;
}

/* What follows from a machine and from physical units is worked out in a copy: the caller's options stay as given. */
static struct report_run *run(struct trace_program *program, const struct net_topology *topology,
                              const struct replay_settings *given, struct base_error *error)
{
    struct replay_settings settings;
    struct report_run *result = NULL;

    if (replay_settings_copy(&settings, given, error) == 0 && replay_units_apply(&settings, error) == 0)
        result = run_with(program, topology, &settings, error);
    replay_settings_free(&settings);
    return result;
}

/* Without options, those of a fresh flr_options: there is only one set of defaults. */
flr_result *flr_run(flr_trace *trace, const flr_topology *topology, const flr_options *options,
                    flr_error *error)
{
    flr_options *defaults = options == NULL ? flr_options_new(error) : NULL;
    struct base_error inner = {0};
    struct report_run *result;

    if (options == NULL && defaults == NULL)
        return NULL;
    result = run(program_of(trace), topology_of(topology),
                 options == NULL ? &defaults->settings : &options->settings, &inner);
    if (result == NULL)
        pass_error(&inner, error);
    flr_options_free(defaults);
    return (flr_result *)result;
}

void flr_result_free(flr_result *result)
{
    report_run_free((struct report_run *)result);
}

/* Queries read the report; none of them computes anything that the JSON does not show. */
double flr_result_slowdown(const flr_result *result)
{
    return report_run_slowdown(run_of(result));
}

uint64_t flr_result_simulated_ns(const flr_result *result)
{
    return run_of(result)->simulated_ns;
}

uint64_t flr_result_ideal_ns(const flr_result *result)
{
    return run_of(result)->ideal_ns;
}

uint64_t flr_result_simulated_cycles(const flr_result *result)
{
    return run_of(result)->simulated_cycles;
}

int flr_result_approximated(const flr_result *result)
{
    return run_of(result)->approximated;
}

const char *flr_result_digest(const flr_result *result)
{
    return run_of(result)->digest;
}

/* The very document that the command line writes with --json. */
char *flr_result_json(const flr_result *result, flr_error *error)
{
    return text_of(write_run, run_of(result), error);
}

/* A program may use another allocator than the library: what we made, we free. */
void flr_string_free(char *text)
{
    free(text);
}
