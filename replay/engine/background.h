/* Background traffic: synthetic messages on the terminals of one partition while programs run on others. It
 * stands for the jobs of other users, of which nothing but a load is known.
 *
 *      pattern, arrivals, lengths (netmodel/traffic/traffic.h) ─► a held source each terminal ─► the shared network
 *
 * The pattern is one over the partition's terminals in rising order, numbered from 0: it knows nothing of where
 * they are, so that patterns of coordinates are refused. A terminal whose injectors have as many messages waiting as
 * the network need know of (REPLAY_BACKGROUND_QUEUE each) is held back: an overloaded network does not eat memory. */
#ifndef REPLAY_ENGINE_BACKGROUND_H
#define REPLAY_ENGINE_BACKGROUND_H

#include "netmodel/network.h"
#include "netmodel/traffic/traffic.h"

#define REPLAY_BACKGROUND_QUEUE 16 /* messages */

struct replay_background;

struct replay_background_options { /* everything is borrowed while the traffic lives */
    const char *pattern;
    enum net_arrivals arrivals;
    struct net_lengths lengths;
    uint64_t load_millionths; /* flits a cycle that each terminal offers */
    uint64_t seed;
    uint64_t start_cycle; /* nothing is sent before */
    const uint32_t *terminal;
    uint32_t count;     /* of terminals */
    uint32_t injectors; /* of a terminal */
    uint64_t tag;       /* of its messages: the bits above REPLAY_TAG_BITS, the others zero */
};

struct replay_background_result {
    uint64_t messages, flits; /* that were sent; all were delivered */
    uint64_t cycles;          /* from its start to its end */
};

/* The caller frees. NULL: BASE_USAGE (what the pattern or the traffic refuses), memory. */
struct replay_background *replay_background_new(const struct replay_background_options *options,
                                                struct base_error *error);
void replay_background_free(struct replay_background *background); /* NULL is legal */

/* The cycle of the next message; UINT64_MAX when there is none to come. */
uint64_t replay_background_due(const struct replay_background *background);
/* Sends what is due in the network's cycle. */
int replay_background_feed(struct replay_background *background, struct net_network *network,
                           struct base_error *error);
/* A notice of one of its messages: a terminal that was held back may go on. */
int replay_background_notice(struct replay_background *background, const struct net_notice *notice,
                             struct net_network *network, struct base_error *error);
/* Nothing is sent any more. Only the first call counts. */
void replay_background_stop(struct replay_background *background, uint64_t cycle);
struct replay_background_result replay_background_result(const struct replay_background *background);

#endif
