/* The work behind the command line and the library alike: a trace, a topology and settings in, plain answers
 * out. Nothing here prints; errors are values with the status that the program would end with. */
#ifndef REPLAY_SESSION_SESSION_H
#define REPLAY_SESSION_SESSION_H

#include "base/error.h"
#include "netmodel/topology.h"
#include "replay/options.h"
#include "replay/session/setup.h"
#include "replay/session/watch.h"
#include "reports/traces/info.h"
#include "reports/jobs/jobs.h"
#include "reports/run/run.h"
#include "reports/pages/window.h"
#include "traces/collectives/collective.h"
#include "traces/program.h"

/* Opens a trace as the settings want it read. What is wrong with it goes to `defects`, if not NULL, as
 * trace_options.defects says. Errors are those of trace_open. */
struct trace_program *replay_session_open(const char *path, const struct replay_settings *settings,
                                          struct trace_defects *defects, struct base_error *error);

/* Of decoded traces in memory: 512 MiB, unless the user says how much there is; what is more goes to a temporary
 * file. */
uint64_t replay_session_kept_bytes(const struct replay_settings *settings);
/* The same for whoever goes over the trace more than once, as all that replays does: it is decoded once
 * (traces/kept.h). */
struct trace_program *replay_session_keep(const char *path, const struct replay_settings *settings,
                                          struct base_error *error);

/* Replays the program on the ideal network and on that of the setup. The caller frees the run with
 * report_run_free. watch may be NULL. NULL: more ranks than terminals (BASE_USAGE, naming a size that fits),
 * every error of replay_run, and a stop before the network was replayed (BASE_INTERRUPTED); a later one
 * leaves a report of the part that was. */
struct report_run *replay_session_run(struct trace_program *program, const struct replay_setup *setup,
                                      const struct replay_watch *watch, struct base_error *error);

/* Who wants the execution of several jobs in company: told of the programs side by side (traces/joined.h)
 * before anything is replayed, and of the execution when all of it is, while the programs are open. -1 ends
 * the session. */
struct replay_execution;
struct replay_observer {
    int (*begin)(void *context, const struct trace_program *program, struct base_error *error);
    int (*end)(void *context, const struct replay_execution *execution, struct base_error *error);
    void *context;
};

/* Replays the programs of all --job side by side, each on its own and on no network as well. The caller frees
 * the answer with report_jobs_free. NULL: no program, a text of --job that is wrong, no room for a partition
 * (BASE_USAGE), and what replay_session_open and replay_session_run refuse. The observer may be NULL. */
struct report_jobs *replay_session_jobs(const struct replay_setup *setup, const struct replay_watch *watch,
                                        const struct replay_observer *observer, struct base_error *error);

/* What the trace holds. The caller frees it with report_info_free. */
struct report_info *replay_session_info(const struct trace_program *program, struct base_error *error);

/* Adds to the coverage which algorithms of the tuning the collectives of each record become; info is of
 * this program. 0; -1: a collective that is impossible, a trace that cannot be read, memory. */
int replay_session_coverage(struct report_info *info, struct trace_program *program,
                            const struct trace_tuning *tuning, struct base_error *error);

/* Copies of the trace's coverage, in the arena. NULL: memory. */
struct report_coverage *replay_coverage(struct base_arena *arena, const struct trace_summary *summary);

/* What a program is a window of, copied to the arena; NULL for a whole trace, or without a program. -1: memory. */
int replay_report_window(const struct trace_program *program, struct base_arena *arena,
                         const struct report_window **window);

/* 0 when so many ranks fit the topology, as many to a terminal as the settings allow; else BASE_USAGE: `what`
 * ("cg.S.16") has more, and which size, or how many to a terminal, would do. */
int replay_session_fits(const char *what, uint32_t ranks, const struct replay_settings *settings,
                        const struct net_topology *topology, struct base_error *error);

#endif
