/* What a run will take, before it does: a warning of long ones, and a refusal of those that the machine cannot hold.
 *
 *      memory      what the process has now, decoded trace and graph included, and what the replays add: networks, the
 *                  ranks, and the requests and steps that the program's graph has counted (traces/graph/graph.h)
 *      work        messages, and packets times the links of their ways under the placement
 *      time        each replay begun for a moment on its own network, and stopped: its pace, times its work
 *
 * Runs that will be over in some seconds are not measured, which would be a part of their time. doc/performance.md says
 * how far estimates are off. */
#ifndef REPLAY_SESSION_ESTIMATE_H
#define REPLAY_SESSION_ESTIMATE_H

#include "replay/session/stages.h"

/* ---- one run ---- */

struct replay_estimate {
    uint64_t memory_bytes;                   /* of the process, at most */
    uint64_t added_bytes;                    /* of these, what it does not have yet */
    uint64_t messages, packets, packet_hops; /* hops: 0 where there are no links */
    double seconds; /* of the replays of a run; 0: not measured, NAN: nothing was delivered meanwhile */
    double configured_seconds; /* of these, of the replay on the network as configured */
};

/* What follows from counting alone; seconds stay 0. */
struct replay_estimate replay_estimate_of(const struct replay_placement *placement);
/* The seconds of such a run if everything were slow; and of its search, where that replays. */
double replay_estimate_slow(const struct replay_estimate *estimate, const struct replay_setup *setup);
double replay_estimate_slow_search(const struct replay_estimate *estimate, const struct replay_setup *setup);
/* Sets the seconds. Each replay is begun for a moment of so many seconds, and for a third of it. A watch that asks for
 * an end ends this, too. -1: as replay_try. */
int replay_estimate_measure(struct replay_estimate *estimate, struct trace_program *program,
                            const struct replay_placement *placement, double moment,
                            const struct replay_watch *watch, struct base_error *error);

/* Refuses what cannot fit, as the settings, the system or the machine limit it, and tells the watch (may be NULL) of a
 * long run. A search that replays is a part of the run, and this comes before it, with the placement that stands for
 * all (replay_estimate_mapping). -1: no room (BASE_SYSTEM), or as replay_try. */
int replay_expect(struct trace_program *program, const struct replay_placement *placement,
                  const struct replay_watch *watch, struct base_error *error);

/* ---- searches ---- */

/* A mapping whose placement stands for that of the settings and takes no time: their own, unless it searches. Whether
 * that search replays the program; and how often, 0 where it does not or where nobody knows. */
const char *replay_estimate_mapping(const struct replay_settings *settings);
bool replay_search_replays(const struct replay_settings *settings);
uint64_t replay_estimate_search(const struct replay_settings *settings);

/* How many of a search's replays are done side by side: 1 of one that does not replay. */
uint32_t replay_search_threads(const struct replay_setup *setup);
/* What such a search takes, where a replay takes so many seconds: no more than its budget of time, and the first
 * replay in any case. */
double replay_search_seconds(const struct replay_setup *setup, double each);

/* As replay_expect of so many replays on the network as configured, several at a time, from this placement on, and one
 * on the ideal network: a search alone (its setup's), or what judges placements. */
int replay_expect_search(struct trace_program *program, const struct replay_placement *placement,
                         const struct replay_watch *watch, struct base_error *error);

/* ---- any work ---- */

#define REPLAY_MOMENT 0.1 /* seconds that a replay of a run is begun for at least */

#define REPLAY_MOMENTS_PART 0.02 /* of what work may take: all moments, unless each would be too short */

/* Whether work that may take so long, if everything were slow, is to be measured before it is done: it is long, and the
 * watch (may be NULL) wants to be told. */
bool replay_is_long(const struct replay_watch *watch, double slow_seconds);
/* Seconds of each of so many moments, which together are a small part of such work: from `least` to 1. */
double replay_moment_of(double slow_seconds, double moments, double least);
/* Tells the watch (may be NULL) of work that takes so long, where that is worth a line. NAN: not known, nothing is
 * told. */
void replay_tell(const struct replay_watch *watch, double seconds, uint64_t memory_bytes);

/* Memory that a work comes to, and the words of its refusal. */
struct replay_need {
    const char *topology; /* that it is on, or the largest of several */
    const char *what;     /* "the run needs" */
    const char *less;     /* what would need less: "a smaller network" */
    uint64_t bytes;       /* of the process, or: */
    bool is_of_several;   /* of all on this machine: what one of them may have does not bound it */
};
/* -1: BASE_SYSTEM, the settings, the system or the machine allow less. */
int replay_check_room(const struct replay_settings *settings, const struct replay_need *need,
                      struct base_error *error);

#endif
