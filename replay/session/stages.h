/* Inside replay/: a run in its stages. Each stage fills its part; session_free frees whatever is there. */
#ifndef REPLAY_SESSION_STAGES_H
#define REPLAY_SESSION_STAGES_H

#include "mappers/partitions/partition.h"
#include "mappers/placement.h"
#include "netmodel/network.h"
#include "replay/system/host.h"
#include "replay/engine/replay.h"
#include "replay/session/part.h"
#include "replay/session/session.h"
#include "traces/graph/graph.h"

#define SESSION_WHAT_IFS 6

struct session {
    struct trace_program *program;
    const struct net_topology *topology;
    const struct replay_settings *settings;
    const struct replay_watch *watch; /* may be NULL */
    const char *name;           /* what progress calls the replay on the network; NULL: the topology's text */
    const char *watched;        /* what the progress is of */
    const char *partition_text; /* NULL: the whole machine */
    const bool *busy;           /* [terminal]: other jobs'; NULL: the machine is empty */
    struct replay_stopwatch stopwatch;

    struct trace_tuning *tuning;
    struct net_routing routing;               /* not prepared when the topology is ideal */
    const struct net_routing *routing_in_use; /* &routing, or NULL */
    struct trace_comm_graph *graph;
    struct map_partition *partition; /* NULL: the whole machine */
    struct map_partition_metrics partition_metrics;
    struct map_placement *placement;
    struct map_cost cost;
    struct net_network *network; /* after the replay on it */
    struct replay_result ideal, real;
    struct session_laps ideal_laps, real_laps; /* of the two; none where all iterations are replayed */
    struct session_laps *laps;                 /* of the replay that is under way; NULL: nobody asks */
    bool attributed;
    bool without_host; /* while it replays: the host costs nothing */
    struct session_what_if {
        unsigned row; /* of the list in what-if.c */
        uint64_t simulated_ns;
    } what_if[SESSION_WHAT_IFS];
    unsigned what_ifs;                              /* replayed */
    struct replay_result rungs[REPORT_EFFECTS - 1]; /* of the attribution, between the ideal and the real */
};

/* Whether no seed changes anything of the run: nothing that these settings name draws. routing: in use, or
 * NULL on an ideal network. */
bool session_is_exact(const struct net_routing *routing, const struct replay_settings *settings);
/* The list (kinds.h) that an option's values are of; NULL: they are no kinds. */
const char *session_list_of(enum replay_option option);
/* The options of the network and of the replay that the settings mean. */
struct net_options session_network_options(const struct replay_settings *settings);
/* Names of flow control, arbiter and multiplexing that there are, and that go together. -1: BASE_USAGE. */
int session_check_flow(const struct replay_settings *settings, struct base_error *error);
/* Messages are in flits, or over multistage networks in bits: options of the other unit are refused. -1: BASE_USAGE. */
int session_check_units(const struct net_topology *topology, const struct replay_settings *settings,
                        struct base_error *error);

/* The stages of a session, in this order; each after the first needs those before. The routing, and what
 * collectives are made of; the partition, the communication graph, the placement and its cost; the replay on
 * the topology, whose network stays for the report. */
int session_prepare(struct session *session, struct base_error *error);
int session_place_program(struct session *session, const char *mapping, struct base_error *error);
int session_replay_real(struct session *session, struct base_error *error);
/* Frees what the stages have made; not the program. */
void session_free(struct session *session);

/* Prepares the routing of a topology; *in_use is NULL for an ideal one, which has none. */
/* Whether links fail (--faults, of which "none" is what it says). */
bool session_has_faults(const struct replay_settings *settings);
/* Whether dead links are gone around by the routing itself (net_routing_kind.detours), and not by a fault routing. */
bool session_goes_around(const struct net_topology *topology, const struct replay_settings *settings);
/* Whether a fault routing is named (--fault-routing, of which "none" is what it says). */
bool session_names_fault_routing(const struct replay_settings *settings);
int session_prepare_routing(const struct net_topology *topology, const struct replay_settings *settings,
                            struct net_routing *routing, const struct net_routing **in_use,
                            struct base_error *error);
/* The options of a replay, on an ideal network or not. watched: what progress is told of. */
void session_semantics(struct session *session, bool ideal, const char *watched,
                       struct replay_semantics *semantics);

/* The recorder's last sample, behind everything: all flits, so that those before leave none out. */
void session_record_end(const struct replay_settings *settings, struct replay_recorder *recorder,
                        const struct net_network *network, uint64_t simulated_ns);

/* Replays the session's program on a fresh network under its placement. watched: what progress is told of. */
int session_replay(struct session *session, struct net_network *network, bool ideal, const char *watched,
                   struct replay_result *result, struct base_error *error);

/* After both replays: those of the rungs between them. */
int session_attribute(struct session *session, struct base_error *error);
/* Puts the attribution into a report that has its totals, and checks that it sums up. */
int session_report_attribution(const struct session *session, struct report_run *run,
                               struct base_error *error);

/* Simulated times of other protocols and placements, if the settings ask for them; then into a report. */
int session_what_if(struct session *session, struct base_error *error);
int session_report_what_if(const struct session *session, struct report_run *run);
/* Puts the critical path into a report that has its totals, and checks that it covers them. */
int session_report_path(const struct session *session, struct report_run *run, struct base_error *error);
/* Whether the run is to say why it is slow. */
bool session_attributes(const struct session *session);
/* Whether the watch has asked the session to end. */
bool session_is_stopped(const struct session *session);
/* BASE_INTERRUPTED when it has: there is no result yet. */
int session_check_going(const struct session *session, struct base_error *error);
/* Where ranks may go. */
struct map_place session_place_of(const struct session *session);
/* Fills in the placement by the mapping of that text. Without a program, mappings that replay are refused. */
int session_place(struct session *session, const char *mapping, const struct trace_comm_graph *graph,
                  struct base_error *error);
/* A struct map_judge: the simulated time of the session's trace on its network, with these terminals. */
int session_judge(void *context, const uint32_t *terminal, uint64_t *time_ns, struct base_error *error);
/* Fills in session->ideal, under the session's placement and without any host. */
int session_replay_ideal(struct session *session, struct base_error *error);
/* The same network with the host's costs: what is left of a run when its network takes no time. */
int session_replay_host(struct session *session, struct replay_result *result, struct base_error *error);

/* The finished session as a report, which owns copies of everything it says. */
struct report_run *session_report(const struct session *session, struct base_error *error);

/* Copies of the trace's coverage and repairs, in the arena. NULL: memory. */
struct report_coverage *session_coverage(struct base_arena *arena, const struct trace_summary *summary);
struct report_repair *session_repairs(struct base_arena *arena, const struct trace_summary *summary);

#endif
