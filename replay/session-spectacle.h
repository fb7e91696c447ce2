/* Inside replay/: the execution of several jobs in company, kept for an onlooker: their programs side by side as one,
 * and a recorder of all their ranks. */
#ifndef REPLAY_SESSION_SPECTACLE_H
#define REPLAY_SESSION_SPECTACLE_H

#include "netmodel/network.h"
#include "replay/session.h"

struct session_spectacle;

/* A job, borrowed. */
struct session_actor {
    struct trace_program *program;
    uint64_t start_ns;
};

/* The onlooker is told that it begins. All is borrowed and outlives the result but for the actors. NULL: memory, no
 * temporary file, or what the onlooker says. */
struct session_spectacle *session_spectacle_new(const struct session_actor *actors, uint32_t count,
                                                const struct net_topology *topology,
                                                const struct replay_settings *settings,
                                                const struct replay_onlooker *onlooker, struct base_error *error);
/* Of the replay in company; NULL where nobody looks on. */
struct replay_recorder *session_spectacle_recorder(const struct session_spectacle *spectacle);
/* All is replayed: the onlooker gets the execution. -1: what it says. */
int session_spectacle_end(struct session_spectacle *spectacle, const struct net_network *network, uint64_t simulated_ns,
                          struct base_error *error);
void session_spectacle_free(struct session_spectacle *spectacle); /* NULL is legal */

#endif
