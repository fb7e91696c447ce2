/* The public interface of libflitreplay: trace-driven replay of MPI programs on a simulated network, flit by
 * flit. The program flitreplay is this library with a command line: each of its subcommands is a request here, with
 * the same options, and each of its answers comes in the same forms, to the byte.
 *
 *      flr_request *request = flr_request_new("run", &error);
 *      flr_request_add(request, "cg.S.16/traces.otf2", &error);
 *      flr_request_set(request, "topology", "torus:4x4", &error);
 *      flr_answer *answer = flr_ask(request, &error);
 *      flr_answer_real(answer, "slowdown", &slowdown, &error);
 *      char *page = flr_answer_form(answer, "html", NULL, &error);
 *
 * Ownership: what a function named _new, _open, _ask, _form, _text or _save returns is the caller's, and is freed by
 * the function of the same noun (texts by flr_string_free); all of those accept NULL. Other pointers are borrowed from
 * the object they were asked of, or are constants where that is said.
 *
 * Errors: a function that can fail returns NULL or -1, and where the last argument is not NULL puts an error into
 * it, to be freed by the caller. It is not touched otherwise. Nothing here ends the process or prints: an output
 * goes where the request says.
 *
 * Threads: there is no state outside the objects. Threads may work at the same time, each with objects of its own;
 * of one object they take turns, but for flr_request_stop.
 *
 * Versions: all types are opaque, so that they can grow. Everything here begins with flr_; nothing else of the library
 * is visible. flitreplay(3) has a paragraph on every function. */
#ifndef FLITREPLAY_H
#define FLITREPLAY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FLR_API __attribute__((visibility("default")))

/* How work ended: what the program flitreplay would exit with. */
enum flr_status {
    FLR_OK = 0,
    FLR_UNMET = 1,        /* done, but something asked for does not hold: a defect, a deadlock, --strict */
    FLR_USAGE = 2,        /* what was asked for is not possible: options, kinds, sizes */
    FLR_INPUT = 3,        /* a trace or another file is missing, damaged or inconsistent */
    FLR_DEADLOCK = 4,     /* the replay or the network cannot go on; the text says who waits for whom */
    FLR_SYSTEM = 5,       /* memory, disk, permission */
    FLR_INTERRUPTED = 130 /* flr_request_stop: the answer is of a part, or there is none */
};

typedef struct flr_error flr_error;
typedef struct flr_trace flr_trace;
typedef struct flr_request flr_request;
typedef struct flr_answer flr_answer;

/* ---- errors ---- */

/* A failure: FLR_USAGE or above. */
FLR_API enum flr_status flr_error_status(const flr_error *error);
/* One sentence, UTF-8, which calls options by their names: "vcs 99: needs a whole number from 1 to 16". */
FLR_API const char *flr_error_text(const flr_error *error);
FLR_API void flr_error_free(flr_error *error);

/* ---- the library ---- */

/* The version of the library that runs, such as "0.1.0"; and that with the digest of its sources, as answers record
 * it. Constants. */
FLR_API const char *flr_version(void);
FLR_API const char *flr_build(void);
FLR_API void flr_string_free(char *text);

/* ---- what can be asked ---- */

/* The subcommands, by number from 0; NULL behind the last. Constants. */
FLR_API const char *flr_command_name(size_t command);
FLR_API const char *flr_command_operands(size_t command);
FLR_API const char *flr_command_summary(size_t command);
/* All options, by number from 0, without dashes; NULL behind the last. Constants. */
FLR_API const char *flr_option_name(size_t option);
/* What help calls the value; NULL: a flag, whose values are "yes" and "no". */
FLR_API const char *flr_option_argument(size_t option);
/* Whether the subcommand takes the option: 1 or 0. */
FLR_API int flr_option_serves(size_t option, size_t command);
/* What it means there, and its default (in parentheses: one that is computed); NULL: there is none. Constants. */
FLR_API const char *flr_option_help(size_t option, size_t command);
FLR_API const char *flr_option_default(size_t option, size_t command);

/* ---- requests ---- */

/* What a subcommand is asked: "run", "compare", "results", "info", "check", "topology", "cost", "traffic", "map",
 * "generate", "convert", "collective" or "list". Every option is at its default. NULL: FLR_USAGE, memory. */
FLR_API flr_request *flr_request_new(const char *command, flr_error **error);
FLR_API void flr_request_free(flr_request *request);
/* Gives an option a value. An option that repeats on the command line takes one value more with each call. Options
 * that name an output ("json", "html", "output", "results" ...) make flr_ask write that file, whole or not at all.
 * 0; -1: FLR_USAGE: no such option here, no such value, given twice. */
FLR_API int flr_request_set(flr_request *request, const char *option, const char *value, flr_error **error);
/* One operand more: a trace, a topology, a store, as the subcommand has it. -1: memory. */
FLR_API int flr_request_add(flr_request *request, const char *operand, flr_error **error);
/* The trace of a "run" or an "info", already open, in place of the operand: it is decoded once for any
 * number of requests. Borrowed; give the request the reading options that it was opened with, which answers record.
 * -1: FLR_USAGE: a subcommand without a trace. */
FLR_API int flr_request_use(flr_request *request, flr_trace *trace, flr_error **error);

/* Says that a form may be asked for of which something has to be recorded in the work, though no file of it is named:
 * "html" and "svg" of a "run"; a placement in another --format of a "map" ("output"). Legal for any form. -1:
 * FLR_USAGE: the subcommand has no option of that name. */
FLR_API int flr_request_expect(flr_request *request, const char *form, flr_error **error);

/* Told now and then, in the thread that asks, how far a part of the work is: a name of the part, its share from 0 to
 * 1 and the simulated time. */
typedef void flr_progress(void *context, const char *part, double share, uint64_t simulated_ns);
FLR_API void flr_request_watch(flr_request *request, flr_progress *progress, void *context);
/* Ends the work that is under way with what it has. From any thread, or a signal handler. A request that was stopped
 * stays so. */
FLR_API void flr_request_stop(flr_request *request);

/* ---- traces ---- */

/* Opens and validates a recorded trace of any format, or "generate:KERNEL,...". `reading` may be NULL, or a request
 * whose options of reading ("clock", "compute-threshold", "polling", "from", "to" ...) hold. NULL: FLR_INPUT and
 * others. */
FLR_API flr_trace *flr_trace_open(const char *path, const flr_request *reading, flr_error **error);
FLR_API void flr_trace_close(flr_trace *trace);
FLR_API uint32_t flr_trace_ranks(const flr_trace *trace);
/* The format's name ("otf2"), and the tool that recorded it, as the trace says. */
FLR_API const char *flr_trace_format(const flr_trace *trace);
FLR_API const char *flr_trace_writer(const flr_trace *trace);

/* ---- answers ---- */

/* Works the request out, and writes the outputs that its options name; the readable text goes nowhere. The request
 * can be asked again, and has to outlive the answer. NULL: the request cannot be met, or was stopped before there was
 * anything to tell; no output is left then that is not whole. */
FLR_API flr_answer *flr_ask(flr_request *request, flr_error **error);
FLR_API void flr_answer_free(flr_answer *answer);
/* FLR_OK, FLR_UNMET, or FLR_INTERRUPTED when it is of a part. */
FLR_API enum flr_status flr_answer_status(const flr_answer *answer);
/* Lines that explain FLR_UNMET; "" where there are none. */
FLR_API const char *flr_answer_notes(const flr_answer *answer);
/* The forms that this answer has, by number from 0; NULL behind the last: "text", and of "json", "csv", "html", "svg"
 * ... those of the subcommand. Constants. */
FLR_API const char *flr_answer_form_name(const flr_answer *answer, size_t form);
/* The answer in a form, as the program would write it. A picture of a run is "svg" and its kind: "svg=channel-load".
 * length may be NULL; the text ends in a zero byte that it does not count. NULL: FLR_USAGE: no such form. */
FLR_API char *flr_answer_form(const flr_answer *answer, const char *form, size_t *length, flr_error **error);
/* Writes a form to a file, whole or not at all. -1: as flr_answer_form, and FLR_SYSTEM. */
FLR_API int flr_answer_save(const flr_answer *answer, const char *form, const char *path, flr_error **error);
/* A value by its key in the form "json" (flitreplay-formats(5)): keys and places from 0 with dots between,
 * "busiest_channels.0.flits", "ranks_detail.3.wait_ns"; of a list of points, "0.offered_load". 0; 1: the key is there,
 * and its value is null; -1: FLR_USAGE: no such key, or a value of another type. A flag is 0 or 1 as a number. Texts
 * are the caller's. */
FLR_API int flr_answer_real(const flr_answer *answer, const char *key, double *value, flr_error **error);
FLR_API int flr_answer_count(const flr_answer *answer, const char *key, uint64_t *value, flr_error **error);
FLR_API int flr_answer_text(const flr_answer *answer, const char *key, char **value, flr_error **error);
/* How many entries the list, or keys the object, has; "" is the whole document. -1: as above. */
FLR_API int flr_answer_size(const flr_answer *answer, const char *key, size_t *size, flr_error **error);

#ifdef __cplusplus
}
#endif

#endif
