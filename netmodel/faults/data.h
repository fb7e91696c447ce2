/* What every engine of packets under failing links needs beside its own buffers (doc/faults.md, Data; rule numbers are
 * that page's): the control protocol in step with its cycles, the deaths of links, what a packet remembers of rings,
 * the counts, and the law that a ring has a place left. An engine keeps its masks of outputs and queues, and does what
 * it is told of a router and a link:
 *
 *      struct net_fault_data data;
 *      net_fault_data_init(&data, failing, topology, link_cycles, &error)
 *      each cycle:     net_fault_data_settle(&data, cycle, &(struct net_fault_listener){kill, look, engine})
 *      where nothing happens: net_fault_data_next(&data, cycle, is_anything_inside)
 *
 * Nothing here knows of flits. */
#ifndef NET_FAULTS_DATA_H
#define NET_FAULTS_DATA_H

#include "netmodel/faults/failing.h"
#include "netmodel/faults/rings.h"
#include "netmodel/network.h"

struct net_fault_data {
    struct net_fault_clock clock;
    const struct net_fault_routing *kind;
    const struct net_failing *failing;
    const struct net_topology *topology;
    uint32_t *link_into; /* [router * ports + input]: the link that arrives there, or NET_NONE */
    uint32_t next_fault; /* of the routing's, in cycles of data */
    uint64_t next;       /* cycle of the next death or step of control; until then nothing is to be settled */
    bool begun;          /* cycle 0 is settled */
    struct net_fault_counts counts;
    struct net_stops stops;
    size_t stop_room;        /* of stops.steps */
    struct base_error error; /* why control has failed; .status 0: it has not */
};

/* What an engine does about it. */
struct net_fault_listener {
    void (*kill)(void *engine, uint32_t link); /* from this cycle on nothing is granted on it (rule 2) */
    /* Control has made another state of the router, maybe: clock.control.router[router]. */
    void (*look)(void *engine, uint32_t router, uint64_t cycle);
    void *engine;
};

/* What a packet remembers, by its number. */
struct net_fault_packet {
    uint64_t granted;    /* the cycle of the grant by which it came on a ring to where its header is */
    uint32_t ring_links; /* that it has gone over, in all */
    uint32_t near;       /* its distance where it entered its ring */
    uint32_t queue;      /* the engine's number of the queue behind that ring output */
    bool on_ring;        /* it came there by a ring output */
    bool met;            /* it has entered a ring at some time */
};

/* Rule 21. STRAY: it was on a ring, which is another now or none. */
enum net_fault_standing { NET_FAULT_ORDINARY, NET_FAULT_ON_RING, NET_FAULT_STRAY };

/* link_cycles: of links that do not say. -1: what cannot be gone around (BASE_USAGE), or memory. Free in either
 * case. */
int net_fault_data_init(struct net_fault_data *data, const struct net_failing *failing,
                        const struct net_topology *topology, uint32_t link_cycles, struct base_error *error);
void net_fault_data_free(struct net_fault_data *data);
/* The first cycle from that one on in which control does anything, or a link dies; NET_NEVER: in none, and while
 * nothing is inside, since what control does then can be caught up with later. */
uint64_t net_fault_data_next(const struct net_fault_data *data, uint64_t cycle, bool is_anything_inside);
/* Deaths and control up to the start of a cycle, that cycle's included, and the counts of control. The first call looks
 * at all routers. An error is in data->error. */
void net_fault_data_settle(struct net_fault_data *data, uint64_t cycle,
                           const struct net_fault_listener *listener);

/* The link by that port of a router that has not stopped, if it is on a ring; else NET_NONE. */
uint32_t net_fault_data_ring_link(const struct net_fault_data *data, uint32_t router, uint32_t port);
/* Rule 16: the link of the ring that follows, in the router, what came in there; NET_NONE: none. */
uint32_t net_fault_data_after(const struct net_fault_data *data, uint32_t router, uint32_t input);
/* Rule 22: a ring through all routers is left anywhere, until the packet has gone over as many links of rings as it
 * takes to go all round. */
static inline bool net_fault_data_roams(const struct net_fault_data *data,
                                        const struct net_fault_packet *packet)
{
    return data->kind->everywhere && packet->ring_links < 2 * ((uint64_t)data->topology->routers - 1);
}
/* A packet was granted a ring output; distance: to its target, from the router that
 * it is granted in; asked for of entries to rings that do not go everywhere. */
static inline void net_fault_data_take_ring(struct net_fault_data *data, struct net_fault_packet *packet,
                                            bool enters, uint32_t distance)
{
    packet->ring_links++;
    data->counts.ring_links++;
    if (!enters)
        return;
    data->counts.ring_entries++;
    data->counts.ring_packets += !packet->met;
    packet->met = true;
    packet->near = distance;
}

/* It is delivered, by a way of so many links more than the shortest, and forgotten: the next one of its number has met
 * no ring. */
void net_fault_data_deliver(struct net_fault_data *data, struct net_fault_packet *packet, uint32_t longer);

/* queue: its head stands in a queue of a ring, which was new in cycle ring_since last. Where the ring has changed since
 * the grant, the queue's places are counted anew: without this packet. */
static inline enum net_fault_standing net_fault_standing_of(const struct net_fault_packet *packet, bool queue,
                                                            uint64_t ring_since)
{
    if (!queue && !packet->on_ring)
        return NET_FAULT_ORDINARY;
    return queue && packet->on_ring && packet->granted >= ring_since ? NET_FAULT_ON_RING : NET_FAULT_STRAY;
}

/* Rule 22: what a head asks for that has not arrived. First, or not at all, for the base's adaptive outputs; then for
 * one thing more. */
struct net_fault_request {
    bool adaptive;
    enum {
        NET_FAULT_ESCAPE, /* the base's last tier over live links */
        NET_FAULT_ENTER,  /* of the router's ring outputs over live links the one with most room */
        NET_FAULT_GO_ON, /* the ring output that follows its queue (net_fault_data_after), if its link lives */
        NET_FAULT_REINJECT /* the re-injection channel */
    } then;
};

/* Of a ring packet whose kind of ring is left behind the fault alone its distance is asked for, and it is `nearer`
 * where that is below net_fault_packet.near. */
static inline bool net_fault_asks_distance(const struct net_fault_data *data,
                                           enum net_fault_standing standing)
{
    return standing == NET_FAULT_ON_RING && !data->kind->everywhere;
}

/* escape: there is an output of the base's last tier over a live link, and the packet may take it. */
static inline struct net_fault_request net_fault_request_of(const struct net_fault_data *data,
                                                            const struct net_fault_packet *packet,
                                                            enum net_fault_standing standing, bool escape,
                                                            bool nearer)
{
    if (standing == NET_FAULT_ORDINARY)
        return (struct net_fault_request){true, escape ? NET_FAULT_ESCAPE : NET_FAULT_ENTER};
    if (standing == NET_FAULT_STRAY)
        return (struct net_fault_request){false, NET_FAULT_REINJECT};
    if (nearer)
        return (struct net_fault_request){true, NET_FAULT_REINJECT};
    return (struct net_fault_request){net_fault_data_roams(data, packet), NET_FAULT_GO_ON};
}

/* Rule 22: the base's escape is closed to packets of a router that waves have come to, or to those that have met a
 * ring, as the fault routing says. */
static inline bool net_fault_may_escape(const struct net_fault_routing *kind, bool waves, bool met)
{
    return !(kind->escape_before_waves && waves) && !(kind->escape_before_rings && met);
}

/* ---- the law ---- */

/* Of the ring whose wave began at that router. */
struct net_fault_ring {
    uint64_t places;  /* for largest packets */
    uint64_t packets; /* on the ring, each where it has reserved its place last */
};

/* The origin of the wave that made the ring which passes the router; NET_NONE where it has stopped. */
uint32_t net_fault_data_origin(const struct net_fault_data *data, uint32_t router);
/* A ring has a place that no ring packet holds, whenever no control packet is on its way. (While a new wave takes a
 * tree apart, what is left of its ring may be full: its routers are about to stop.) count: adds what is in the engine's
 * queues to rings[origin]. -1: BASE_SYSTEM, memory. */
int net_fault_data_check(const struct net_fault_data *data,
                         void (*count)(const void *engine, struct net_fault_ring *rings), const void *engine,
                         struct base_error *error);

#endif
