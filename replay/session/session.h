/* The work behind the command line and the library alike: a trace, a topology and settings in, plain answers
 * out. Nothing here prints; errors are values with the status that the program would end with. */
#ifndef REPLAY_SESSION_SESSION_H
#define REPLAY_SESSION_SESSION_H

#include <stdatomic.h>

#include "base/error.h"
#include "netmodel/topology.h"
#include "replay/engine/recorder.h"
#include "replay/options.h"
#include "reports/traces/info.h"
#include "reports/jobs/jobs.h"
#include "reports/run/run.h"
#include "traces/collectives/collective.h"
#include "traces/program.h"

/* Told now and then how far a replay is; `what` is "ideal network" or the topology. */
struct replay_watch {
    void (*progress)(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns);
    void *context;
    struct replay_recorder *recorder; /* of the configured network's replay; may be NULL */
    bool of_many; /* a run of a comparison: what the trace's clocks are worth is asked once, elsewhere */
    const atomic_bool *stop; /* once true, the session ends with what it has; may be NULL */
};

/* What progress is of while the program is replayed where messages take no time: before the network's own
 * replay, whose text is the topology's, and behind all replays that only judge placements. */
#define REPLAY_ON_IDEAL_NETWORK "ideal network"

/* Opens a trace as the settings want it read. What is wrong with it goes to `defects`, if not NULL, as
 * trace_options.defects says. Errors are those of trace_open. */
struct trace_program *replay_session_open(const char *path, const struct replay_settings *settings,
                                          struct trace_defects *defects, struct base_error *error);

/* What can be refused before a trace is read: unknown kinds, a routing that does not serve the topology,
 * impossible sizes of buffers. BASE_USAGE with a sentence. */
int replay_session_check(const struct net_topology *topology, const struct replay_settings *settings,
                         struct base_error *error);

/* The same, and whether the runs of all seeds are one: nothing in them is drawn by chance. */
int replay_session_check_chance(const struct net_topology *topology, const struct replay_settings *settings,
                                bool *is_exact, struct base_error *error);

/* Replays the program on the ideal network and on the topology. The caller frees the run with
 * report_run_free. watch may be NULL. NULL: more ranks than terminals (BASE_USAGE, naming a size that fits),
 * every error of replay_run, and a stop before the network was replayed (BASE_INTERRUPTED); a later one
 * leaves a report of the part that was. */
struct report_run *replay_session_run(struct trace_program *program, const struct net_topology *topology,
                                      const struct replay_settings *settings,
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
struct report_jobs *replay_session_jobs(const struct net_topology *topology,
                                        const struct replay_settings *settings,
                                        const struct replay_watch *watch,
                                        const struct replay_observer *observer, struct base_error *error);

/* What the trace holds. The caller frees it with report_info_free. */
struct report_info *replay_session_info(const struct trace_program *program, struct base_error *error);

/* Adds to the coverage which algorithms of the tuning the collectives of each record become; info is of
 * this program. 0; -1: a collective that is impossible, a trace that cannot be read, memory. */
int replay_session_coverage(struct report_info *info, struct trace_program *program,
                            const struct trace_tuning *tuning, struct base_error *error);

/* 0 when so many ranks fit the topology, as many to a terminal as the settings allow; else BASE_USAGE: `what`
 * ("cg.S.16") has more, and which size, or how many to a terminal, would do. */
int replay_session_fits(const char *what, uint32_t ranks, const struct replay_settings *settings,
                        const struct net_topology *topology, struct base_error *error);

#endif
