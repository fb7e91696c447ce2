/* Inside netmodel/packet-engine/: packets under failing links (doc/faults.md, Data; rule numbers here are that page's).
 * The last number of a router is its re-injection channel, as an output, and its re-injection queue, as a driver, which
 * is a list of packets as a buffer is.
 *
 *      before routers   net_packet_faults_settle   control packets, faults: which routers stand, where rings are
 *      a head asks      net_packet_faults_tiers    rule 22
 *      is granted       net_packet_faults_grant    rules 21 and 23; the packet is on a ring from here on, or no more
 *      starts           net_packet_start_anew      rule 24
 *      its tail has left by the last output        rule 25 (kernel-events.h)
 *
 * What is on no ring and asks in a router that no fault has changed goes as everywhere: the router's mask `special` has
 * no bit for its driver, and that is all that such a header costs. Bits come with faults, control packets and the ring
 * packets that are granted a way to the driver, and stay. Networks with faults are one part. */
#ifndef NET_PACKET_ENGINE_FAULTS_H
#define NET_PACKET_ENGINE_FAULTS_H

#include "netmodel/faults/data.h"
#include "netmodel/packet-engine/internal.h"

/* Masks of a router's outputs and drivers. */
struct net_packet_fault_router {
    uint64_t ring;    /* ring outputs (rule 20) */
    uint64_t dead;    /* outputs of dead links */
    uint64_t shut;    /* ring | dead: what adaptive tiers leave out */
    uint64_t queue;   /* drivers that are ring queues */
    uint64_t came;    /* drivers that packets have ever come to by a ring output */
    uint64_t by_ring; /* outputs that were ring outputs when they were granted last */
    /* drivers whose packet, when it was granted, had come by a ring output: it had reserved the largest length */
    uint64_t padded;
    uint64_t returns; /* likewise outputs whose packet is seen to leave the next buffer, with latencies */
    /* [driver], of links, while places are counted: the cycle since which the buffer's packet leaves it, if one does;
     * the kernel notes it in routers that faults have changed, and reads it when a packet looks for the ring output
     * with most room (rule 22): one that has been leaving for n cycles has freed n flits of its place */
    uint64_t *leaves;
    uint64_t ring_since; /* the cycle in which its ring was last new */
    uint32_t parent;     /* link, for comparison */
    bool stopped;
    bool waves; /* it has joined one */
};

struct net_packet_faults {
    struct net_fault_data data;
    struct net_packet_fault_router *router;
    uint64_t *leaves; /* all that routers have of it */
    bool marked;      /* a router, in this cycle: all its heads ask by the rules of faults from now on */
};

/* What a head may ask for, in tiers; one that has arrived is not asked about. */
#define NET_PACKET_TIERS (NET_TIERS_MAX + 1)
struct net_packet_tiers {
    uint64_t tier[NET_PACKET_TIERS];
    uint32_t count;
    bool enters;  /* the last tier is of ring outputs, of which it asks for the one with most room */
    bool on_ring; /* it is a ring packet */
};

/* For an engine whose widths are set. -1: what cannot be gone around (BASE_USAGE), or memory. */
int net_packet_faults_init(struct net_packet_engine *engine, const struct net_failing *failing,
                           struct base_error *error);
void net_packet_faults_free(struct net_packet_faults *faults);
/* The first cycle from that one on in which control does anything, or a link dies; NET_PACKET_NEVER while nothing is
 * inside: what control does then is caught up with later. */
uint64_t net_packet_faults_next(const struct net_packet_engine *engine, uint64_t cycle);
/* All that control does up to the start of a cycle, that cycle's included. */
void net_packet_faults_settle(struct net_packet_engine *engine, uint64_t cycle);
/* The tiers of the head of a driver; outputs: what the base's header admits there. */
struct net_packet_tiers net_packet_faults_tiers(const struct net_packet_engine *engine, uint32_t router,
                                                uint32_t driver, const struct net_packet_outputs *outputs);
/* The base's last tier, which is its escape: those of one tier have nothing else, of two the second, of three what the
 * first two leave (net_packet_ways_outputs). */
static inline uint64_t net_packet_faults_last(const struct net_packet_outputs *outputs)
{
    uint64_t third = outputs->all & ~outputs->first & ~outputs->second;
    if (third != 0)
        return third;
    return outputs->second != 0 ? outputs->second : outputs->first;
}

/* The base's tiers but the last, without dead links and ring outputs. */
static inline uint64_t net_packet_faults_adaptive(const struct net_packet_fault_router *router,
                                                  const struct net_packet_outputs *outputs)
{
    return outputs->all & ~(net_packet_faults_last(outputs) | router->shut);
}

/* The base's last tier over live links, for a packet that may take it; else 0. */
static inline uint64_t net_packet_faults_escape(const struct net_packet_faults *faults,
                                                const struct net_packet_fault_router *router,
                                                const struct net_fault_packet *packet,
                                                const struct net_packet_outputs *outputs)
{
    if (!net_fault_may_escape(faults->data.kind, router->waves, packet->met))
        return 0;
    return net_packet_faults_last(outputs) & ~router->dead;
}

/* Flits of the next buffer that a packet needs for a ring output of the router (rule 23). */
static inline uint32_t net_packet_faults_need(const struct net_packet_engine *engine, bool on_ring)
{
    return on_ring ? engine->largest : 2 * engine->largest;
}
/* Whether the head of a driver is a ring packet. */
bool net_packet_faults_on_ring(const struct net_packet_engine *engine, uint32_t router, uint32_t driver);
/* Whether the grant of the output to the driver's head can be one that the next function knows of: by a ring output
 * now, or by one that was; or of a packet that has come by one. Others leave everything as it is, and are most. */
static inline bool net_packet_faults_concerns(const struct net_packet_fault_router *router, uint32_t output,
                                              uint32_t driver)
{
    return (((router->ring | router->by_ring) >> output | router->came >> driver) & 1) != 0;
}
/* The driver's head is granted the output. Returns whether that is a ring output. */
bool net_packet_faults_grant(struct net_packet_visit at, uint32_t output, uint32_t driver);
/* Before a packet that has met a ring is delivered: what its way was longer than the shortest. (The base goes shortest
 * ways, also from where it begins anew.) Its number is another packet's from then on. */
void net_packet_faults_count(struct net_packet_part *part, uint32_t packet);
/* Rings have places that no ring packet holds. -1: BASE_SYSTEM. */
int net_packet_faults_check(const struct net_packet_engine *engine, struct base_error *error);

/* With latencies, the packet that leaves the buffer behind an output is seen to. */
static inline void net_packet_faults_return(struct net_packet_fault_router *router, uint32_t output,
                                            bool padded)
{
    router->returns = (router->returns & ~(UINT64_C(1) << output)) | (uint64_t)padded << output;
}

#endif
