/* Which send meets which receive, worked out anew from the definition (doc/replay.md, "Matching") by looking
 * at all pairs: no queues, no tables, nothing of the engine's. It is told what happens to messages in a
 * replay (replay.h, struct replay_observation) and compares every match with its own. */
#ifndef TESTS_REPLAY_ENGINE_REFERENCE_MATCHER_H
#define TESTS_REPLAY_ENGINE_REFERENCE_MATCHER_H

#include <stddef.h>

#include "replay/engine/replay.h"

/* A send or a receive. */
struct reference_side {
    uint32_t rank, peer, tag, communicator;
    uint64_t event;
    uint64_t arrived, turn; /* of a send: the n-th to arrive; the n-th whose turn it was; 0: not yet */
    size_t mate;            /* SIZE_MAX: unmatched */
    bool told;              /* of a receive: the engine has told of its match */
};

#define REFERENCE_RANKS 16
#define REFERENCE_COMMUNICATORS 16

struct reference_matcher {
    struct reference_side *sends, *receives; /* in the order they were started */
    size_t send_count, send_capacity, receive_count, receive_capacity;
    uint64_t arrivals, turns;
    bool timed[REFERENCE_RANKS][REFERENCE_COMMUNICATORS]; /* has used a wildcard or a probe there */
    uint64_t matched, told, wrong, probing, probed;
};

/* For replay_semantics.observe; the context is a zeroed struct reference_matcher. */
void reference_observe(void *context, const struct replay_observation *now);
/* Whether every match was the engine's and the other way round. */
bool reference_agrees(const struct reference_matcher *matcher);
void reference_free(struct reference_matcher *matcher);

#endif
