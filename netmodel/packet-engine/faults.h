/* Inside netmodel/packet-engine/: packets under failing links (doc/faults.md, Data; rule numbers here are that page's).
 * The last number of a router is its re-injection channel, as an output, and its re-injection queue, as a driver, which
 * is a list of packets as a buffer is.
 *
 *      before routers   net_packet_faults_settle   control packets, faults: which routers stand, where rings are
 *      a head asks      net_packet_faults_request  rule 22 (kernel-failing.h)
 *      is granted                                  rules 21 and 23: it is on a ring from here on (kernel-starts.h)
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
    uint64_t ring; /* ring outputs (rule 20) */
    uint64_t dead; /* outputs of dead links */
    uint64_t shut; /* ring | dead: what adaptive tiers leave out */
    /* of outputs of an escape those over live links that packets may take which have met no ring, and which have */
    uint64_t escapes[2];
    uint64_t queue;   /* drivers that are ring queues */
    uint64_t came;    /* drivers that packets have ever come to by a ring output */
    uint64_t by_ring; /* outputs that were ring outputs when they were granted last */
    /* drivers whose packet, when it was granted, had come by a ring output: it had reserved the largest length */
    uint64_t padded;
    uint64_t returns; /* likewise outputs whose packet is seen to leave the next buffer, with latencies */
    /* drivers whose packets are to be looked at: they may be on a ring, or it matters whether they have met one */
    uint64_t watched;
    /* [input]: the ring output by which rule 16 goes on, and 1; 0: nobody has asked since the ring was new */
    uint8_t *onward;
    uint64_t ring_since; /* the cycle in which its ring was last new */
    uint32_t parent;     /* link, for comparison */
    bool stopped;
    bool waves; /* it has joined one */
};

struct net_packet_faults {
    struct net_fault_data data;
    struct net_packet_fault_router *router;
    uint8_t *onward; /* all that routers have of it */
    bool marked;     /* a router, in this cycle: all its heads ask by the rules of faults from now on */
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
/* Links to the packet's target in the network without faults. */
uint32_t net_packet_faults_distance(const struct net_packet_engine *engine, uint32_t router, uint32_t packet);
/* Rule 21, for the packet at the head of a driver. */
static inline enum net_fault_standing net_packet_faults_standing(const struct net_packet_fault_router *router,
                                                                 const struct net_fault_packet *packet,
                                                                 uint32_t driver)
{
    return net_fault_standing_of(packet, (router->queue >> driver & 1) != 0, router->ring_since);
}

/* Rule 22 for the packet at the head of a driver that has not arrived; escape: there is an output of the base's last
 * tier over a live link, and the packet may take it. */
static inline struct net_fault_request net_packet_faults_request(const struct net_packet_engine *engine,
                                                                 uint32_t router, uint32_t driver,
                                                                 uint32_t index, bool escape)
{
    const struct net_fault_data *data = &engine->faults->data;
    const struct net_fault_packet *packet = &engine->parts[0].failing[index];
    enum net_fault_standing standing =
        net_packet_faults_standing(&engine->faults->router[router], packet, driver);
    bool nearer = net_fault_asks_distance(data, standing) &&
                  net_packet_faults_distance(engine, router, index) < packet->near;
    return net_fault_request_of(data, packet, standing, escape, nearer);
}

/* The outputs of what such a head asks for after the adaptive outputs, other than the escape. */
uint64_t net_packet_faults_then(const struct net_packet_engine *engine, uint32_t router, uint32_t driver,
                                const struct net_fault_request request);
/* All that it may ask for as things are; outputs: what the base's header admits there. */
uint64_t net_packet_faults_outputs(const struct net_packet_engine *engine, uint32_t router, uint32_t driver,
                                   const struct net_packet_outputs *outputs);

/* Flits of the next buffer that a packet needs for a ring output of the router (rule 23). */
static inline uint32_t net_packet_faults_need(const struct net_packet_engine *engine, bool on_ring)
{
    return on_ring ? engine->largest : 2 * engine->largest;
}
/* Whether the head of a driver is a ring packet. */
bool net_packet_faults_on_ring(const struct net_packet_engine *engine, uint32_t router, uint32_t driver);
/* Whether the grant of the output to the driver's head is by a ring output now, or by one that was, or of a packet that
 * has come by one; both are masks of one bit. Others leave everything as it is, and are most. */
static inline bool net_packet_faults_concerns(const struct net_packet_fault_router *router, uint64_t output,
                                              uint64_t driver)
{
    return (((router->ring | router->by_ring) & output) | (router->came & driver)) != 0;
}
/* A packet that goes over a ring link has gone over so many links: ends a run in which nothing else would. */
void net_packet_faults_check_hops(struct net_packet_faults *faults, uint16_t hops);
/* Rings may be long, and a packet may enter one again: its links are counted in 15 bits, of which the way from a ring
 * to the target needs no more than what is left here. */
#define NET_PACKET_HOPS_MOST (NET_PACKET_LATE - 4096)
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
