/* The dense reference of shared channels, written from doc/shared-channels.md alone: every channel, driver
 * and buffer is visited in every cycle, and flits are objects. "Rule n" in reference.c is that page's.
 *
 * When memory is out, it aborts: a test has no use for half a result. */
#ifndef TEST_SHARED_REFERENCE_H
#define TEST_SHARED_REFERENCE_H

#include "netmodel/network.h"

/* A message, or with `multicast` set one to the box, or to a list if it has one. Messages are in rising order of
 * cycles. */
struct shared_message {
    uint64_t cycle, flits;
    uint32_t source, target;
    bool multicast;
    uint32_t low[4], high[4]; /* high < low: round the end of a ring */
    const uint32_t *targets;  /* [target_count], or NULL */
    uint32_t target_count;
};

/* A message's delivery at a terminal. */
struct shared_delivery {
    uint64_t message, cycle;
    uint32_t terminal;
};

struct shared_result {
    struct shared_delivery *deliveries; /* by cycle, then message, then terminal */
    size_t count, capacity;
    uint64_t *sent;      /* [message] cycle in which its last flit left the source; UINT64_MAX: never */
    uint64_t *transfers; /* [channel] */
    uint64_t *waits;     /* [channel] cycles from a header's first asking until it crossed; not of trees */
    bool deadlock;
};

/* Whether a terminal is to get a copy of a multicast. */
bool shared_is_member(const struct net_topology *topology, const struct shared_message *message,
                      uint32_t terminal);
void shared_reference_run(const struct net_topology *topology, const struct net_routing *routing,
                          const struct net_options *options, const struct shared_message *messages,
                          size_t count, struct shared_result *result);
void shared_result_free(struct shared_result *result);

#endif
