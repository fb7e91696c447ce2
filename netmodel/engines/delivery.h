/* What is counted of a packet when its tail crosses the ejection channel, by every engine alike. Only netmodel/
 * includes this. */
#ifndef NET_DELIVERY_H
#define NET_DELIVERY_H

#include "netmodel/network.h"

struct net_delivery {
    uint64_t message;   /* number */
    uint64_t generated; /* cycle of its injection */
    uint64_t cycle;     /* in which the tail crosses */
    uint32_t packet;    /* number in the message */
    uint32_t terminal;  /* of a multicast's copy, by which it differs from the others; else NET_NONE */
    uint32_t length, hops;
};

/* Returns the packet's latency, for net_latency_add. The digest is a sum over packets: it does not depend on the order
 * of deliveries within a cycle, which is not defined. */
static inline uint64_t net_delivery_count(struct net_statistics *statistics,
                                          const struct net_delivery *delivery)
{
    uint64_t latency = delivery->cycle - delivery->generated;
    const uint64_t record[4] = {delivery->message, delivery->packet, delivery->cycle, delivery->terminal};
    base_digest_add(&statistics->digest, record, delivery->terminal != NET_NONE ? 4 : 3);
    statistics->packets++;
    statistics->flits += delivery->length;
    statistics->packet_hops += delivery->hops;
    statistics->flit_hops += (uint64_t)delivery->hops * delivery->length;
    statistics->latency_sum_cycles += latency;
    if (latency > statistics->latency_max_cycles)
        statistics->latency_max_cycles = latency;
    return latency;
}

#endif
