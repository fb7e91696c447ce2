/* What the messages of each owner of routers do (net_options.owner). A packet over a link is one sum, into the row of
 * its owner and the slot of the link, whatever is asked; all that is told of owners follows from these when statistics
 * are asked for. Only netmodel/ includes this.
 *
 *      row    of a terminal, and so of its messages; those without an owner have one of their own, the last
 *      slot   of a place: with net_options.owner_events its link; else of all links within an owner the owner, and one
 *             more for all other links
 *
 * A place is router * ports + port, where a link begins. Over shared channels, where links are buffer sets, places
 * behind these are the channels, for what they eject. */
#ifndef NET_OWNERS_H
#define NET_OWNERS_H

#include "netmodel/network.h"

struct net_owners {
    uint32_t *row;     /* [terminal] in entries of sums; NULL: nobody owns routers, and nothing is counted */
    uint32_t *slot;    /* [place] */
    uint64_t *sums;    /* [row + slot] flits, then of delivered packets how many there are, and their hops */
    uint32_t slots;    /* of a row, without these two */
    uint32_t owners;   /* all rows but the last */
    uint64_t *outside; /* [owner]: net_statistics.outside_flit_hops */
    struct net_owner_events *events; /* [owner]: net_statistics.owner_events; NULL: nobody asks */
    uint64_t *carried; /* [owner * channels + channel]; NULL: carried by links, which sums have */
};

/* Of a network whose options are in force. -1: memory; net_owners_free is legal even then, and of zeros. */
int net_owners_init(struct net_owners *owners, const struct net_topology *topology,
                    const struct net_options *options);
void net_owners_free(struct net_owners *owners);

/* A packet goes over the link in this slot, or is ejected. alone: no other thread counts. */
static inline void net_owners_carry(const struct net_owners *owners, uint32_t row, uint32_t slot,
                                    uint32_t flits, bool alone)
{
    uint64_t *sum = &owners->sums[(size_t)row + slot];
    /* Relaxed: nobody reads the sums before all threads have met. */
    if (alone)
        *sum += flits;
    else
        __atomic_fetch_add(sum, flits, __ATOMIC_RELAXED);
}

/* A packet from that terminal is delivered. */
static inline void net_owners_deliver(const struct net_owners *owners, uint32_t terminal, uint32_t hops,
                                      bool alone)
{
    if (owners->row == NULL)
        return;
    net_owners_carry(owners, owners->row[terminal], owners->slots, 1, alone);
    net_owners_carry(owners, owners->row[terminal], owners->slots + 1, hops, alone);
}

/* Fills outside, events and carried. */
void net_owners_collect(struct net_owners *owners, const struct net_topology *topology,
                        const uint32_t *owner);

#endif
