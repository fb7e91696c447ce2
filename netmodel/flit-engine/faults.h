/* Inside netmodel/flit-engine/: packets under failing links (doc/faults.md, Data; rule numbers here are that page's).
 * The cycle asks here in place of its own rules 3 and 6 where a network's routing is one of netmodel/faults/failing.h.
 * A router has one driver more then, the last: its re-injection queue; and one output more, the last: its re-injection
 * channel.
 *
 *      start of a cycle   net_flit_faults_settle   control packets, faults: which routers stand, where rings are
 *      a head asks        net_flit_faults_choose   rule 22
 *      an output grants   net_flit_faults_grant    rule 23; the packet is on a ring from here on, or no more
 *      a header crosses   net_flit_faults_cross    rule 24
 *      a tail leaves by the last output            net_flit_faults_reinject   rule 25 */
#ifndef NET_FLIT_ENGINE_FAULTS_H
#define NET_FLIT_ENGINE_FAULTS_H

#include "netmodel/faults/data.h"
#include "netmodel/flit-engine/internal.h"

struct net_flit_fault_router {
    uint64_t ring_since;       /* the cycle in which its ring was last new */
    uint32_t parent;           /* link, for comparison */
    struct net_flit_set ring;  /* ring outputs */
    struct net_flit_set dead;  /* outputs of dead links */
    struct net_flit_set queue; /* drivers that are ring queues */
    bool stopped;
    bool waves; /* it has joined one */
};

/* What a packet is besides, by the same number. */
struct net_flit_fault_packet {
    /* its queue is the number of a driver; granted, and queue, are set by outputs that are on no ring, too */
    struct net_fault_packet ring;
    uint16_t reserved; /* of the buffer where its header is */
};

struct net_flit_faults {
    struct net_fault_data data;
    struct net_flit_fault_router *router;
    struct net_flit_fault_packet *packets; /* [pool] */
    uint32_t packet_room;
    uint16_t *padding; /* [output]: reserved beyond the length where its packet comes from */
};

/* For an engine whose widths are set. -1: what cannot be gone around (BASE_USAGE), or memory. */
int net_flit_faults_init(struct net_flit_engine *engine, const struct net_failing *failing,
                         struct base_error *error);
void net_flit_faults_free(struct net_flit_faults *faults);
/* A packet was made with that number. -1: memory. */
int net_flit_faults_packet(struct net_flit_engine *engine, uint32_t index);
/* The first cycle from now on in which control does anything, or a link dies. */
uint64_t net_flit_faults_next(const struct net_flit_engine *engine);
/* All that control does up to the start of a cycle, that cycle's included. */
void net_flit_faults_settle(struct net_flit_engine *engine, uint64_t cycle);
/* The output that a head asks for, of those that are free; NET_NONE: none is available. */
uint32_t net_flit_faults_choose(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                                const struct net_flit_set *free_outputs);
/* The flits that the head of the driver, which is granted the output, reserves of the next buffer. */
uint32_t net_flit_faults_grant(struct net_flit_engine *engine, const struct net_flit_driver *driver,
                               const struct net_flit_output *output);
/* The header behind an output of a link. */
uint64_t net_flit_faults_cross(struct net_flit_engine *engine, const struct net_flit_output *output);
/* The packet's tail has left by the re-injection channel. */
void net_flit_faults_reinject(struct net_flit_engine *engine, uint32_t router, uint32_t packet);
/* Before the packet is delivered: what its way was longer than the shortest. */
void net_flit_faults_count(struct net_flit_engine *engine, uint32_t packet);
/* All outputs that the head may ask for as things are, whether or not they are available. */
struct net_flit_set net_flit_faults_outputs(const struct net_flit_engine *engine,
                                            const struct net_flit_driver *driver);
/* The flits of the next buffer that it needs for an output, under rule 23 and rule 6. */
uint32_t net_flit_faults_need(const struct net_flit_engine *engine, const struct net_flit_driver *driver,
                              uint32_t local);
/* Rings have places that no ring packet holds. -1: BASE_SYSTEM. */
int net_flit_faults_check(const struct net_flit_engine *engine, struct base_error *error);

static inline bool net_flit_faults_stopped(const struct net_flit_faults *faults, uint32_t router)
{
    return faults->router[router].stopped;
}

#endif
