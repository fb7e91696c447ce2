/* Inside replay/: a run in its stages. Each stage fills its part; session_free frees whatever is there. */
#ifndef REPLAY_SESSION_INTERNAL_H
#define REPLAY_SESSION_INTERNAL_H

#include "mappers/placement.h"
#include "netmodel/network.h"
#include "replay/host.h"
#include "replay/replay.h"
#include "replay/session.h"
#include "traces/graph.h"

struct session {
    struct trace_program *program;
    const struct net_topology *topology;
    const struct replay_settings *settings;
    const struct replay_watch *watch; /* may be NULL */
    const char *watched;              /* what the progress is of */
    struct replay_stopwatch stopwatch;

    struct trace_selection *selection;
    struct net_routing routing;               /* not prepared when the topology is ideal */
    const struct net_routing *routing_in_use; /* &routing, or NULL */
    struct trace_comm_graph *graph;
    struct map_placement *placement;
    struct map_cost cost;
    struct net_network *network; /* after the replay on it */
    struct replay_result ideal, real;
    bool attributed;
    struct replay_result rungs[REPORT_EFFECTS - 1]; /* of the attribution, between the ideal and the real */
};

/* The options of the network and of the replay that the settings mean. */
struct net_options session_network_options(const struct replay_settings *settings);
/* Names of flow control, arbiter and multiplexing that there are, and that go together. -1: BASE_USAGE. */
int session_check_flow(const struct replay_settings *settings, struct base_error *error);
/* What --multiplexing stands for; static. */
const char *session_multiplexing(const struct replay_settings *settings);

/* Replays the session's program on a fresh network under its placement. watched: what progress is told of. */
int session_replay(struct session *session, struct net_network *network, bool ideal, const char *watched,
                   struct replay_result *result, struct base_error *error);

/* After both replays: those of the rungs between them. */
int session_attribute(struct session *session, struct base_error *error);
/* Puts the attribution into a report that has its totals, and checks that it sums up. */
int session_report_attribution(const struct session *session, struct report_run *run, struct base_error *error);

/* The finished session as a report, which owns copies of everything it says. */
struct report_run *session_report(const struct session *session, struct base_error *error);

/* Copies of the trace's coverage and repairs, in the arena. NULL: memory. */
struct report_coverage *session_coverage(struct base_arena *arena, const struct trace_summary *summary);
struct report_repair *session_repairs(struct base_arena *arena, const struct trace_summary *summary);

#endif
