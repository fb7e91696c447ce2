/* Inside replay/session/: a run with what its stages have given so far, for the files that make a report of it. */
#ifndef REPLAY_SESSION_INTERNAL_H
#define REPLAY_SESSION_INTERNAL_H

#include "replay/session/session.h"
#include "replay/session/setup.h"
#include "replay/session/stages.h"
#include "replay/system/host.h"

#define SESSION_WHAT_IFS 6
#define REPLAY_IDEAL_KHZ UINT64_C(1000000) /* the clock of an ideal network */

/* One program's run. Stages fill it in this order; session_free frees whatever is there. */
struct session {
    struct trace_program *program;
    const struct replay_watch *watch; /* may be NULL */
    const char *name; /* what progress calls the replay on the network; NULL: the topology's text */
    struct replay_stopwatch stopwatch;
    struct replay_placement placement;
    const struct replay_setup *setup; /* the placement's: the job's */
    struct replay_trial ideal, real;
    bool attributed;
    struct replay_trial rungs[REPORT_EFFECTS - 1]; /* of the attribution, between the ideal and the real */
    struct session_what_if {
        unsigned row; /* of the list in what-if.c */
        uint64_t simulated_ns;
    } what_if[SESSION_WHAT_IFS];
    unsigned what_ifs; /* replayed */
};

/* The stages of a run. The placement on the machine; both ends of the ladder, of which the network stays for the
 * report; what is asked about them. -1: as the stages, and BASE_INTERRUPTED where the watch ends it before there is a
 * result. */
int session_place(struct session *session, const struct replay_setup *machine, const char *mapping,
                  struct base_error *error);
int session_replay_ends(struct session *session, struct base_error *error);
int session_attribute(struct session *session, struct base_error *error);
int session_what_if(struct session *session, struct base_error *error);
/* Frees what the stages have made; not the program. */
void session_free(struct session *session);
/* BASE_INTERRUPTED when the watch has asked for an end: there is no result yet. */
int session_check_going(const struct session *session, struct base_error *error);

/* The finished session as a report, which owns copies of everything it says. */
struct report_run *session_report(const struct session *session, struct base_error *error);
/* Puts the attribution into a report that has its totals, and checks that it sums up. */
int session_report_attribution(const struct session *session, struct report_run *run,
                               struct base_error *error);
int session_report_what_if(const struct session *session, struct report_run *run);
/* Puts the critical path into a report that has its totals, and checks that it covers them. */
int session_report_path(const struct session *session, struct report_run *run, struct base_error *error);
/* Copies of the trace's repairs, in the arena. NULL: memory. */
struct report_repair *session_repairs(struct base_arena *arena, const struct trace_summary *summary);

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
/* The recorder's last sample, behind everything: all flits, so that those before leave none out. */
void session_record_end(const struct replay_settings *settings, struct replay_recorder *recorder,
                        const struct net_network *network, uint64_t simulated_ns);

#endif
