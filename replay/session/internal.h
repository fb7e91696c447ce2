/* Inside replay/session/: a run with what its stages have given so far, for the files that make a report of it. */
#ifndef REPLAY_SESSION_INTERNAL_H
#define REPLAY_SESSION_INTERNAL_H

#include "replay/session/session.h"
#include "replay/session/setup.h"
#include "replay/session/stages.h"
#include "replay/system/host.h"

#define REPLAY_IDEAL_KHZ UINT64_C(1000000) /* the clock of an ideal network */

/* A run with what its stages have given so far, all borrowed: for the files that make replays or a report of it. */
struct session {
    struct trace_program *program;
    const struct replay_setup *setup; /* the placement's: the job's */
    const struct replay_placement *placement;
    const struct replay_results *results;
    const struct replay_watch *watch; /* may be NULL */
};

/* BASE_INTERRUPTED when the watch has asked for an end: there is no result yet. */
int session_check_going(const struct replay_watch *watch, struct base_error *error);
/* Whether the network as configured is the ideal one, cycle by cycle: no second replay has to find that out. */
bool session_is_ideal(const struct replay_setup *setup);
/* After both ends, what is asked about them: into the session's own results. -1: as replay_try. */
int session_attribute(const struct session *session, struct replay_results *results,
                      struct base_error *error);
/* The same and both ends, side by side. First whether that can be: 1 or 0; -1: as trace_program_share. */
int session_is_parallel(const struct session *session, struct base_error *error);
int session_measure_together(const struct session *session, struct replay_results *results, const char *name,
                             struct base_error *error);
int session_what_if(const struct session *session, struct replay_results *results, struct base_error *error);

/* Puts the attribution into a report that has its totals, and checks that it sums up. */
int session_report_attribution(const struct session *session, struct report_run *run,
                               struct base_error *error);
int session_report_what_if(const struct session *session, struct report_run *run);
/* Puts the critical path into a report that has its totals, and checks that it covers them. */
int session_report_path(const struct session *session, struct report_run *run, struct base_error *error);
/* Copies of the trace's repairs, in the arena. NULL: memory. */
struct report_repair *session_repairs(struct base_arena *arena, const struct trace_summary *summary);

/* ---- estimates ---- */

/* Begins replays on one network, which the watch ends, and says what share of their work they did; 1: all, NAN: none
 * that is known of. -1: as replay_try. */
typedef int session_replay(void *context, const struct replay_watch *watch, double *share,
                           struct base_error *error);
/* Seconds of the whole, of this thread's processor, from two beginnings: for so many at most, and a third of it. NAN:
 * nothing was done for long. A watch (may be NULL) that asks for an end ends this, too. -1: as the function. */
int session_measure(session_replay *replay, void *context, double most, const struct replay_watch *watch,
                    double *seconds, struct base_error *error);

/* ---- setups ---- */

/* Prepares the routing that settings ask for; *in_use is NULL for an ideal topology, which has none. -1: what does not
 * serve the topology, or its faults. */
int session_prepare_routing(const struct net_topology *topology, const struct replay_settings *settings,
                            struct net_routing *routing, const struct net_routing **in_use,
                            struct base_error *error);
/* Whether no seed changes anything of the run: nothing that its settings name draws. */
bool session_is_exact(const struct replay_setup *setup);
/* The list (kinds.h) that an option's values are of; NULL: they are no kinds. */
const char *session_list_of(enum replay_option option);
/* Whether the run is to say why it is slow: on a network, and not among other jobs. */
bool session_attributes(const struct replay_setup *setup);

/* ---- replays ---- */

/* Who is told of a replay's progress, and what it is of. */
struct session_teller {
    const struct replay_watch *watch; /* may be NULL */
    const char *what;
};

/* The options of a replay on a level; the teller outlives it. */
struct replay_semantics session_semantics(const struct replay_setup *setup, enum replay_level level,
                                          struct session_teller *teller);
/* The recorder's last sample, behind everything: all flits, so that those before leave none out; and when routers
 * stood. -1: memory. */
int session_record_end(const struct replay_settings *settings, struct replay_recorder *recorder,
                       const struct net_network *network, uint64_t simulated_ns, struct base_error *error);

#endif
