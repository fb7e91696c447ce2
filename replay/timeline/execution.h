/* The simulated execution of a run as a file that trace viewers open: an OTF2 archive (PATH.otf2; Vampir,
 * and our own reader), Chrome's trace events (PATH.json; Perfetto) or Paje's (PATH.paje; ViTE, PajeNG).
 * And as a picture. */
#ifndef REPLAY_TIMELINE_EXECUTION_H
#define REPLAY_TIMELINE_EXECUTION_H

#include "replay/system/files.h"
#include "replay/engine/recorder.h"
#include "netmodel/topology.h"
#include "traces/program.h"

/* A job among several: its ranks follow those of the one before in the program. */
struct replay_execution_job {
    const char *name; /* "job 1: cg.S.16" */
    uint32_t first_rank, first_communicator;
    uint64_t start_ns; /* of its ranks */
};

struct replay_execution {
    struct trace_program *program;           /* of several jobs, all of them side by side (traces/joined.h) */
    struct replay_recorder *recorder;        /* of the run's replay */
    const struct net_topology *topology;     /* of the run */
    const char *trace;                       /* what was replayed, for people */
    uint64_t simulated_ns;                   /* the end of the last rank */
    const struct replay_execution_job *jobs; /* [job_count]; none: a single program */
    uint32_t job_count;
};

/* How many channels have a counter of their own: the busiest. */
#define REPLAY_EXECUTION_CHANNELS 32

/* What writes the format that the path's ending names, of a struct replay_execution; NULL: an archive,
 * which is no single file. -1: it names none (BASE_USAGE). */
int replay_execution_find(const char *path, replay_writer **writer, struct base_error *error);
/* Before the run: -1 when no archive could be written there. Nothing is left behind. */
int replay_execution_try(const char *path, const struct trace_program *program, struct base_error *error);
/* The archive, whole or not at all. */
int replay_execution_archive(const struct replay_execution *execution, const char *path,
                             struct base_error *error);
/* A replay_writer: a struct replay_execution as Chrome's trace events. */
int replay_execution_json(const void *content, FILE *stream, struct base_error *error);
/* The same as a Paje trace. */
int replay_execution_paje(const void *content, FILE *stream, struct base_error *error);
/* The job of a rank; NULL where there is a single program. */
const struct replay_execution_job *replay_execution_job_of(const struct replay_execution *execution,
                                                           uint32_t rank);
/* For pictures. The caller frees it. NULL: memory, or a file that cannot be read again. */
struct report_lanes *replay_execution_lanes(const struct replay_execution *execution,
                                            struct base_error *error);

#endif
