/* The public interface of libflitreplay: trace-driven replay of MPI programs on a simulated network, flit by
 * flit. The program flitreplay is this library with a command line: each of its subcommands is a request here, with
 * the same options, and each of its answers comes in the same forms, to the byte. All that the program does beside is
 * to read its arguments, draw a bar and listen to signals; it has no other way into the library than this header.
 *
 *      flr_request *request = flr_request_new("run", &error);
 *      flr_request_add(request, "cg.S.16/traces.otf2", &error);
 *      flr_request_set(request, "topology", "torus:4x4", &error);
 *      flr_answer *answer = flr_ask(request, &error);
 *      flr_answer_real(answer, "slowdown", &slowdown, &error);
 *      char *page = flr_answer_form(answer, "html", NULL, &error);
 *
 * Ownership: what a function named _new, _open, _ask, _form, _text or _save returns is the caller's, and is freed by
 * the function of the same noun (texts by flr_string_free); all of those accept NULL. Other pointers are borrowed
 * from the object they were asked of, or are constants where that is said.
 *
 * Errors: a function that can fail returns NULL or -1, and where the last argument is not NULL puts an error into
 * it, to be freed by the caller. It is not touched otherwise. Nothing here ends the process or prints, unless it was
 * told to: an output goes where the request says.
 *
 * Threads: there is no state outside the objects (MPI has its own: flr_world_join). Threads may work at the same
 * time, each with objects of its own; of one object they take turns, but for flr_request_stop.
 *
 * Versions: all types are opaque, so that they can grow. Everything here begins with flr_; nothing else of the
 * library is visible. flitreplay(3) has a paragraph on every function. */
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
typedef struct flr_world flr_world;

/* ---- errors ---- */

/* A failure: FLR_USAGE or above. */
FLR_API enum flr_status flr_error_status(const flr_error *error);
/* One sentence, UTF-8, which calls options by their names: "vcs 99: needs a whole number from 1 to 16". */
FLR_API const char *flr_error_text(const flr_error *error);
/* The same for whoever typed a command line: "--vcs 99: needs a whole number from 1 to 16". */
FLR_API const char *flr_error_typed(const flr_error *error);
FLR_API void flr_error_free(flr_error *error);

/* ---- the library ---- */

/* The version of the library that runs, such as "0.1.0"; and that with the digest of its sources, as answers record
 * it. Constants. */
FLR_API const char *flr_version(void);
FLR_API const char *flr_build(void);
FLR_API void flr_string_free(char *text);
/* A copy of UTF-8 text fit for a terminal: control characters, directions of writing and what is no UTF-8 are
 * replaced. NULL: memory. */
FLR_API char *flr_printable(const char *text);
/* A number as answers print it: of "ns" 23412000 is "23.412 ms", of "bytes" 47185920 is "45 MiB", of "" 2.345 is
 * "2.3". NULL: memory, no such unit. */
FLR_API char *flr_quantity(double value, const char *unit);
/* Removes what this process is in the middle of writing, whatever its other threads do: for one that is about to
 * end, say by a signal. Not from a signal handler. */
FLR_API void flr_remove_unfinished(void);

/* ---- what can be asked ---- */

/* The subcommands, by number from 0; NULL behind the last. Constants. */
FLR_API const char *flr_command_name(size_t command);
FLR_API const char *flr_command_operands(size_t command);
FLR_API const char *flr_command_summary(size_t command);
/* All options, by number from 0, without dashes; NULL behind the last. Constants. */
FLR_API const char *flr_option_name(size_t option);
/* What help calls the value; NULL: a flag, whose values are "yes" and "no". */
FLR_API const char *flr_option_argument(size_t option);
/* The short form, 'j' of "threads"; 0: there is none. */
FLR_API int flr_option_letter(size_t option);
/* What the value is: "flag", "input" and "output" (files), "count", "bytes", "decimal", "rate", "duration", or
 * "text" of any other form. A constant. */
FLR_API const char *flr_option_kind(size_t option);
/* Whether the subcommand takes the option: 1 or 0. */
FLR_API int flr_option_serves(size_t option, size_t command);
/* What it means there, and its default (in parentheses: one that is computed); NULL: there is none. Constants. */
FLR_API const char *flr_option_help(size_t option, size_t command);
FLR_API const char *flr_option_default(size_t option, size_t command);
/* What the program prints for `flitreplay SUBCOMMAND --help`; for NULL, for `flitreplay --help`. The caller's. NULL:
 * FLR_USAGE: no such subcommand; memory. */
FLR_API char *flr_help(const char *command, flr_error **error);

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

/* How far the work is. The library makes these; a later version may add members at the end, which are there if `size`
 * covers them. */
typedef struct flr_moment {
    size_t size;      /* bytes of the struct that the library has made */
    const char *part; /* of the work, such as the network that is replayed; valid until the answer is freed */
    double share;     /* of the part, from 0 to 1 */
    uint64_t simulated_ns;    /* how far simulated time has come */
    uint32_t runs_done, runs; /* of a part that is many runs (a comparison, a sweep); 0 of 0: it is not */
    /* Of long work, from before its replays on: seconds that all of them take, and bytes that the process has in memory
     * at most; estimates. 0: it is short, or not known. */
    double expected_seconds;
    uint64_t expected_bytes;
} flr_moment;
/* Told now and then, by one thread at a time: mostly the one that asks. */
typedef void flr_progress(void *context, const flr_moment *moment);
FLR_API void flr_request_watch(flr_request *request, flr_progress *progress, void *context);
/* Told in the thread that asks: 1 when the long work begins, which flr_request_stop can end, and 0 when it is over.
 * Before and behind it files are read and written. */
typedef void flr_attention(void *context, int begins);
FLR_API void flr_request_attend(flr_request *request, flr_attention *attention, void *context);
/* Ends the work that is under way with what it has. From any thread, or a signal handler. A request that was stopped
 * stays so. */
FLR_API void flr_request_stop(flr_request *request);
/* From here on flr_ask also writes the readable text to standard output, behind all other outputs, unless one of
 * them has gone there or the option "quiet" is set: what the program does. */
FLR_API void flr_request_print(flr_request *request);

/* ---- several processes ---- */

/* Meets the processes that a launcher of MPI (mpirun, srun) has started together with this one, or finds that it is
 * alone. Once a process; MPI is begun unless the caller has, which it must have with MPI_THREAD_SERIALIZED or more.
 * NULL: FLR_USAGE: there are several, and no module for MPI, or one of another MPI; FLR_SYSTEM. */
FLR_API flr_world *flr_world_join(flr_error **error);
/* What the environment says of a launcher, before anybody is met: 1, or 0 where there is none. Either may be NULL; a
 * size of 0: it does not say. */
FLR_API int flr_world_launched(uint32_t *rank, uint32_t *size);
FLR_API uint32_t flr_world_rank(const flr_world *world);
FLR_API uint32_t flr_world_size(const flr_world *world);
/* Waits for all others to come here, and frees the world; ends MPI if flr_world_join began it. NULL is legal. */
FLR_API void flr_world_leave(flr_world *world);
/* Shares a "compare" with the others: each of them asks the same, rank 0 has the outputs, and the answers of the
 * others have none. Borrowed. -1: FLR_USAGE: another subcommand. */
FLR_API int flr_request_share(flr_request *request, flr_world *world, flr_error **error);
/* For a process that has no request to ask: the others, who wait for it in flr_ask, fail, and say why it has none.
 * The error is the one that rank 0 is to tell, which may be another's. */
FLR_API void flr_world_give_up(flr_world *world, enum flr_status status, const char *why, flr_error **error);

/* ---- traces ---- */

/* Opens and validates a recorded trace of any format, or "generate:KERNEL,...". `reading` may be NULL, or a request
 * whose options of reading ("clock", "compute-threshold", "polling", "from", "to" ...) hold. NULL: FLR_INPUT and
 * others. */
FLR_API flr_trace *flr_trace_open(const char *path, const flr_request *reading, flr_error **error);
FLR_API void flr_trace_close(flr_trace *trace);
/* Whether the file has the form of a trace, sound or not: 1 or 0. */
FLR_API int flr_trace_recognise(const char *path);
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
/* What the work took: seconds on the wall, bytes of memory that the process has had at most, and flit-hops that were
 * simulated in a second of processor time (NAN where no network ran). Any of them may be NULL. 0; 1: it was not
 * measured. Never part of an answer. */
FLR_API int flr_answer_effort(const flr_answer *answer, double *wall_seconds, uint64_t *memory_bytes,
                              double *flit_hops_per_second);
/* The forms that this answer has, by number from 0; NULL behind the last: "text", and of "json", "csv", "html", "svg"
 * ... those of the subcommand. Constants. */
FLR_API const char *flr_answer_form_name(const flr_answer *answer, size_t form);
/* The answer in a form, as the program would write it. A picture of a run is "svg" and its kind: "svg=channel-load".
 * length may be NULL; the text ends in a zero byte that it does not count. NULL: FLR_USAGE: no such form. */
FLR_API char *flr_answer_form(const flr_answer *answer, const char *form, size_t *length, flr_error **error);
/* Writes a form to a file, whole or not at all. -1: as flr_answer_form, and FLR_SYSTEM. */
FLR_API int flr_answer_save(const flr_answer *answer, const char *form, const char *path, flr_error **error);
/* A value by its key in the form "json" (flitreplay-formats(5)): keys and places from 0 with dots between,
 * "busiest_channels.0.flits", "ranks_detail.3.wait_ns"; of a list of points, "0.offered_load". 0; 1: the key is
 * there, and its value is null; -1: FLR_USAGE: no such key, or a value of another type. A flag is 0 or 1 as a
 * number. Texts are the caller's. */
FLR_API int flr_answer_real(const flr_answer *answer, const char *key, double *value, flr_error **error);
FLR_API int flr_answer_count(const flr_answer *answer, const char *key, uint64_t *value, flr_error **error);
FLR_API int flr_answer_text(const flr_answer *answer, const char *key, char **value, flr_error **error);
/* How many entries the list, or keys the object, has; "" is the whole document. -1: as above. */
FLR_API int flr_answer_size(const flr_answer *answer, const char *key, size_t *size, flr_error **error);

#ifdef __cplusplus
}
#endif

#endif
