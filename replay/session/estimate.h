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

struct replay_estimate {
    uint64_t memory_bytes;                   /* of the process, at most */
    uint64_t messages, packets, packet_hops; /* hops: 0 where there are no links */
    double seconds; /* of the replays of a run; 0: not measured, NAN: nothing was delivered meanwhile */
};

/* What follows from counting alone; seconds stay 0. */
struct replay_estimate replay_estimate_of(const struct replay_placement *placement);
/* Sets the seconds. A watch that asks for an end ends this, too. -1: as replay_try. */
int replay_estimate_measure(struct replay_estimate *estimate, struct trace_program *program,
                            const struct replay_placement *placement, const struct replay_watch *watch,
                            struct base_error *error);

/* Refuses what cannot fit, as the settings, the system or the machine limit it, and tells the watch (may be NULL) of a
 * long run. -1: no room (BASE_SYSTEM), or as replay_try. */
int replay_expect(struct trace_program *program, const struct replay_placement *placement,
                  const struct replay_watch *watch, struct base_error *error);
/* The same of a search that replays the program so often, one after the other, on the network as configured, from this
 * placement on, and once on the ideal network: its first placement stands for all. */
int replay_expect_search(struct trace_program *program, const struct replay_placement *placement,
                         uint64_t replays, const struct replay_watch *watch, struct base_error *error);

#endif
