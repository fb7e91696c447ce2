/* The public interface of libflitreplay: trace-driven replay of MPI programs on a simulated network, flit by
 * flit.
 *
 *      flr_trace *trace = flr_trace_open("cg.S.16/traces.otf2", &error);
 *      flr_topology *topology = flr_topology_new("torus:4x4", &error);
 *      flr_result *result = flr_run(trace, topology, NULL, &error);
 *      printf("slowdown %.3f\n", flr_result_slowdown(result));
 *
 * The caller owns what a function named _new, _open, _run or _json returns, and frees it with the function of
 * the same noun; each accepts NULL there. Other pointers are borrowed from the object they were asked of. A
 * function that can fail returns NULL or -1 and fills the flr_error, which may be NULL. There is no state
 * outside the objects: threads may replay at the same time, each on objects of its own; only traces are
 * opened by one thread at a time, since libotf2 keeps its error handler in a global variable.
 *
 * Everything here begins with flr_; nothing else of the library is visible. */
#ifndef FLITREPLAY_H
#define FLITREPLAY_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define FLR_API __attribute__((visibility("default")))

/* A failure. The status is what the program flitreplay would exit with. */
enum flr_status {
    FLR_OK = 0,
    FLR_USAGE = 2,    /* what was asked for is not possible: options, kinds, sizes */
    FLR_INPUT = 3,    /* a trace is missing, damaged or inconsistent */
    FLR_DEADLOCK = 4, /* the replay or the network cannot go on; the text says who waits for whom */
    FLR_SYSTEM = 5    /* memory, disk, permission */
};

#define FLR_ERROR_TEXT 4096

typedef struct flr_error {
    enum flr_status status;
    char text[FLR_ERROR_TEXT]; /* one sentence */
} flr_error;

typedef struct flr_trace flr_trace;
typedef struct flr_topology flr_topology;
typedef struct flr_options flr_options;
typedef struct flr_result flr_result;

/* The version of the library that runs, such as "0.1.0"; a constant. */
FLR_API const char *flr_version(void);

/* Opens and validates a recorded trace: an OTF2 anchor file, or a directory that holds one. */
FLR_API flr_trace *flr_trace_open(const char *path, flr_error *error);
/* The same, read as the options "clock", "compute-threshold" and "polling" say; NULL: the defaults. Give
 * flr_run the same options, which it records. */
FLR_API flr_trace *flr_trace_open_with(const char *path, const flr_options *options, flr_error *error);
FLR_API void flr_trace_close(flr_trace *trace);
FLR_API uint32_t flr_trace_ranks(const flr_trace *trace);
/* The format's name ("otf2"), and the tool that recorded it, as the trace says. */
FLR_API const char *flr_trace_format(const flr_trace *trace);
FLR_API const char *flr_trace_writer(const flr_trace *trace);
/* What `flitreplay info --json` writes. Free with flr_string_free. */
FLR_API char *flr_trace_json(const flr_trace *trace, flr_error *error);

/* Builds a topology from its text, as the command line takes it: "mesh:8x8",
 * "king-torus:4x4,concentration=2". */
FLR_API flr_topology *flr_topology_new(const char *text, flr_error *error);
FLR_API void flr_topology_free(flr_topology *topology);
/* The places for ranks, and the routers (0 on an ideal network). */
FLR_API uint32_t flr_topology_terminals(const flr_topology *topology);
FLR_API uint32_t flr_topology_routers(const flr_topology *topology);

/* Options of a run, by the names of the command line without their dashes: "mapping", "flit-bytes", "compute"
 * ... A new object has every option at its default. */
FLR_API flr_options *flr_options_new(flr_error *error);
FLR_API void flr_options_free(flr_options *options);
/* 0; or -1 when there is no such option or value. Flags take "yes" and "no". */
FLR_API int flr_options_set(flr_options *options, const char *name, const char *value, flr_error *error);

/* Replays the trace on the topology and on an ideal network. options may be NULL: the defaults. The result
 * needs none of the three afterwards. */
FLR_API flr_result *flr_run(flr_trace *trace, const flr_topology *topology, const flr_options *options,
                            flr_error *error);
FLR_API void flr_result_free(flr_result *result);
/* Simulated time by ideal time; not a number when the ideal time is zero. */
FLR_API double flr_result_slowdown(const flr_result *result);
FLR_API uint64_t flr_result_simulated_ns(const flr_result *result);
FLR_API uint64_t flr_result_ideal_ns(const flr_result *result);
FLR_API uint64_t flr_result_simulated_cycles(const flr_result *result);
/* 1 when some record of the trace was approximated or ignored: what --strict does not accept; else 0. */
FLR_API int flr_result_approximated(const flr_result *result);
/* 32 hexadecimal digits: two runs agree exactly if and only if these do. */
FLR_API const char *flr_result_digest(const flr_result *result);
/* What `flitreplay run --json` writes. Free with flr_string_free. */
FLR_API char *flr_result_json(const flr_result *result, flr_error *error);

FLR_API void flr_string_free(char *text);

#ifdef __cplusplus
}
#endif

#endif
