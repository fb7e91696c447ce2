/* What a run of messages came to, in one shape for the reference and for net_network, so that the two can be
 * compared and one test can ask both. Arrays belong to the outcome. */
#ifndef TEST_OUTCOME_H
#define TEST_OUTCOME_H

#include "tests/netmodel/engines/reference.h"

/* OUTCOME_FLITS and OUTCOME_WIDE are the flit-grant engine and that for wide routers also where net_network would take
 * another, OUTCOME_BROAD the engine of whole packets in routers of any width, OUTCOME_PARTS net_network in two to
 * four parts, if it has enough routers for that. */
enum outcome_engine {
    OUTCOME_REFERENCE,
    OUTCOME_NETWORK,
    OUTCOME_FLITS,
    OUTCOME_WIDE,
    OUTCOME_BROAD,
    OUTCOME_PARTS,
    OUTCOME_ENGINES
};

/* When net_network is given its messages (the reference knows them all beforehand). */
enum outcome_feed {
    OUTCOME_FEED_ALL,    /* all of them before the first cycle; they may be in any order of time */
    OUTCOME_FEED_EXACT,  /* each in its own cycle */
    OUTCOME_FEED_SOONER, /* each some cycles before its own or in it, as it comes */
    OUTCOME_FEEDS
};

struct outcome_latency {
    uint64_t latency_cycles, packets;
};

struct outcome {
    uint64_t *sent, *delivered; /* [message]: cycle, or REFERENCE_NEVER */
    uint64_t message_count;     /* given */
    /* As in struct net_statistics. */
    uint64_t messages, packets, flits, packet_hops, flit_hops, latency_sum_cycles, latency_max_cycles;
    bool waits; /* the network has counted link_waits */
    uint64_t *link_flits, *link_waits, *ejected_flits, *injected_flits;
    uint64_t executed_cycles;
    struct base_digest digest;
    struct base_digest copies;         /* over (message, terminal, cycle) of what was noticed of multicasts */
    struct outcome_latency *latencies; /* in rising order */
    size_t latency_count;
    bool deadlock;
    /* a network's deadlock: the cycle in which it was told, maybe while others still moved */
    uint64_t stopped;
    char fault[512]; /* what must never happen, in words; empty if nothing did */
};

/* Runs messages on one of the two; in rising order of time but for OUTCOME_FEED_ALL. The caller frees the
 * outcome. */
void outcome_run(enum outcome_engine engine, enum outcome_feed feed, const struct reference_setup *setup,
                 const struct reference_message *messages, size_t count, struct outcome *outcome);
void outcome_free(struct outcome *outcome);
/* Returns false, and the first difference in words, if the outcomes are not the same in all but
 * executed_cycles. */
bool outcome_same(const struct reference_setup *setup, const struct reference_message *messages,
                  const struct outcome *reference, const struct outcome *network, char *text, size_t size);
const char *outcome_engine_name(enum outcome_engine engine);

#endif
