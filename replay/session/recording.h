/* Inside replay/: the execution of several jobs in company, kept for an observer: their programs side by side as one,
 * and a recorder of all their ranks. */
#ifndef REPLAY_SESSION_RECORDING_H
#define REPLAY_SESSION_RECORDING_H

#include "netmodel/network.h"
#include "replay/session/session.h"

struct session_recording;

/* A job, borrowed. */
struct session_recorded_job {
    struct trace_program *program;
    uint64_t start_ns;
};

/* The observer is told that it begins. All is borrowed and outlives the result but for the array of jobs.
 * NULL: memory, no temporary file, or what the observer says. */
struct session_recording *session_recording_new(const struct session_recorded_job *recorded, uint32_t count,
                                                const struct net_topology *topology,
                                                const struct replay_settings *settings,
                                                const struct replay_observer *observer,
                                                struct base_error *error);
/* Of the replay in company; NULL where nobody observes. */
struct replay_recorder *session_recording_recorder(const struct session_recording *recording);
/* All is replayed: the observer gets the execution. -1: what it says. */
int session_recording_end(struct session_recording *recording, const struct net_network *network,
                          uint64_t simulated_ns, struct base_error *error);
void session_recording_free(struct session_recording *recording); /* NULL is legal */

#endif
