/* Deadlock at run time: packets that can never move again because each waits for another of them. Looked for
 * when nothing moves at all, and every NET_STANDSTILL_CYCLES cycles, so that a part of a network that stands
 * still is found while the rest goes on. Engines tell which headers wait and what is in their way; the search
 * and the sentence are the same for all of them. Only netmodel/ includes this.
 *
 * A header waits for any of several outputs, and for each of them a header ahead may have to move first. It
 * is stuck when for every output there is such a header, and that is stuck as well: the largest set of which
 * that is true. Nothing can change what a member waits for but what is on its way already (a place that is
 * free is seen upstream later), so a set counts only when the same packets are found again after the latest
 * of that has come: no packet is called stuck that is not. Packets that wait in a circle are members as soon
 * as all of them are there, and so are found little more than NET_STANDSTILL_CYCLES later. */
#ifndef NET_STANDSTILL_H
#define NET_STANDSTILL_H

#include "netmodel/network.h"

#define NET_STANDSTILL_CYCLES 16384

/* Words of a mask of outputs: engines have at most 64 of them a word (net_limit_widths). */
#define NET_WAITER_WORDS 16

/* A header that waits, at the head of a driver (doc/flit-engine.md: a buffer or an injector). */
struct net_waiter {
    uint64_t outputs
        [NET_WAITER_WORDS];  /* that it may take: output n is bit n % 64 of word n / 64; none when it only
                                         * waits to be ejected */
    uint64_t message;        /* number */
    uint32_t packet, length; /* number in its message; flits */
    uint32_t source, target; /* terminals */
};

/* What keeps a waiter from an output for as long as another header stays where it is. */
struct net_obstacle {
    uint32_t router, driver; /* of that header */
    bool held;           /* by that header's packet: the output or its link; else it is the lack of room */
    uint32_t room, need; /* flits, when it is the lack of room */
};

/* How an engine is looked into, between two cycles. Drivers and outputs have the numbers of the rules. */
struct net_standstill_view {
    /* Whether a header waits at this driver and is not about to move anyway. */
    bool (*waiter)(const struct net_network *network, uint32_t router, uint32_t driver,
                   struct net_waiter *waiter);
    /* Whether another header is in its way to an output of its; false whenever that may change by itself. */
    bool (*obstacle)(const struct net_network *network, uint32_t router, uint32_t driver, uint32_t output,
                     struct net_obstacle *obstacle);
};

/* A member of a set that is to be found again. */
struct net_suspect {
    uint64_t message;                /* by which the packet is known again */
    uint32_t packet, router, driver; /* its number in that; where its header waits */
};

/* Before the first cycle. -1: memory. */
int net_standstill_init(struct net_network *network);
void net_standstill_free(struct net_network *network);
/* In cycle network->standstill.next_cycle, which it sets anew. 0: as far as is known all packets go on. -1:
 * BASE_DEADLOCK with the shortest circle of packets, buffers and channels; or memory. */
int net_standstill_watch(struct net_network *network, struct base_error *error);
/* At the start of an advance: looks again soon when cycles have been executed after a long time without. */
void net_standstill_resume(struct net_network *network);
/* For an engine in which nothing moves, nothing is on its way, and packets are left: always -1. */
int net_standstill_report(const struct net_network *network, struct base_error *error);

#endif
