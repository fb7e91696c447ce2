/* Who watches a run. */
#ifndef REPLAY_SESSION_WATCH_H
#define REPLAY_SESSION_WATCH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "replay/engine/intervals.h"
#include "replay/engine/recorder.h"

/* Told now and then how far a replay is; `what` is "ideal network" or the topology. */
struct replay_watch {
    void (*progress)(void *context, const char *what, uint32_t thousandths, uint64_t simulated_ns);
    /* Told once, before the replays of a run that will take long: how long they will, of processor time shared among
     * the threads that are asked for, and what the process will have in memory. May be NULL. */
    void (*expect)(void *context, double seconds, uint64_t memory_bytes);
    void *context;
    struct replay_recorder *recorder;   /* of the configured network's replay; may be NULL */
    struct replay_intervals *intervals; /* of the same replay; may be NULL */
    bool expects_short;                 /* told of short work as well */
    bool of_many; /* a run of a comparison: what the trace's clocks are worth is asked once, elsewhere */
    uint64_t look_cycles;    /* replay_semantics.look_cycles */
    const atomic_bool *stop; /* once true, the session ends with what it has; may be NULL */
};

/* What progress is of while the program is replayed where messages take no time: before the network's own
 * replay, whose text is the topology's, and behind all replays that only judge placements. */
#define REPLAY_ON_IDEAL_NETWORK "ideal network"

#endif
