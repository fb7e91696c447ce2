/* The packet-grant engine's state. The rules are doc/flit-engine.md; rule numbers in comments are that
 * page's.
 *
 * What one event touches lies together: a router's masks in one line, an output (a virtual channel of a link,
 * or an ejection channel) in one line, a driver (an input buffer or an injector) in half a line. Everything
 * is numbered globally: output = router * outputs_per_router + local number, driver likewise, so that an
 * event is 32 bits.
 *
 *      driver ──holds──► output ──feeds──► driver of the next router ──upstream──► (back to the output)
 *
 * A packet-hop costs one evaluation of its header, one grant and one end event. A header that finds no output
 * sleeps in the `waiting` masks of the outputs it could take, and is woken by whatever can change its mind:
 * the output's end event, the departure of a packet from the next buffer, or a timed event when the room
 * grows past its need on the way. Waking too often is harmless (rule 4: a request that fails leaves no
 * trace); waking too late would be inexact. */
#ifndef NET_ENGINE_INTERNAL_H
#define NET_ENGINE_INTERNAL_H

#include "base/heap.h"
#include "netmodel/network-internal.h"

#define NET_NO_PACKET UINT32_MAX
#define NET_NEVER UINT64_MAX
#define NET_EVENT_WAKE                                                                                       \
    (UINT32_C(1) << 31) /* a timed wake-up of the output; without it: the end of its packet */
#define NET_MASK_BITS 64

struct net_packet {
    uint64_t header;    /* the routing's */
    uint64_t key;       /* rule: base_hash(base_hash(seed, message), number) */
    uint64_t generated; /* cycle in which its message was injected */
    uint32_t next;      /* behind it in its buffer; or the next free packet */
    uint32_t message;   /* slot in the pool of messages */
    uint32_t number;    /* in its message */
    uint16_t length, hops;
    uint32_t slot; /* of the target terminal at its router */
};

struct net_flight { /* a message in the network */
    uint64_t number, key, tag, generated, flits_left;
    uint32_t next; /* in the injector's queue; or the next free one */
    uint32_t source, target;
    uint32_t packets, packets_made, packets_delivered;
    bool notice_sent;
};

struct net_driver {
    uint32_t head, tail;  /* the buffer's packets; an injector has at most one packet made, `head` */
    uint32_t upstream;    /* the output that feeds it, or NET_NONE for an injector */
    uint32_t first, last; /* an injector's messages with packets still to be made */
    uint32_t departing;   /* flits of the packet on its way out, 0: none */
    uint64_t flits;       /* injector: flits that have started */
};

struct net_output {
    uint64_t waiting;    /* drivers of the router that sleep on it */
    uint64_t departure;  /* cycle in which the packet leaving the next buffer started, or NET_NEVER */
    uint64_t wake_cycle; /* of the timed wake-up that counts, or NET_NEVER */
    uint64_t flits;      /* that have started to cross */
    uint32_t room;       /* capacity - reserved, modulo 2^32: it may stand below zero */
    uint32_t need_least; /* of the sleepers, UINT32_MAX: none */
    uint32_t next_driver, next_router;
    uint32_t packet; /* that holds it */
    uint32_t router;
    uint8_t driver;  /* local number of the holder */
    uint8_t pointer; /* rule 4 */
    uint8_t local;
    uint8_t ring;    /* the bubble rule applies */
    uint16_t length; /* of the packet that holds it */
    uint16_t port;
};

struct net_router {
    uint64_t pending[2]; /* drivers to evaluate in the cycle of that parity */
    uint64_t eligible;   /* drivers whose head has arrived and holds no grant */
    uint64_t busy;       /* outputs that are granted */
    uint64_t
        ready_ports; /* several virtual channels: free links with granted channels that have not started */
    uint8_t listed;  /* bit p: in the list of active routers of parity p */
};

/* The link of a port, kept apart from its outputs when it has several virtual channels (rule 5). */
struct net_link_state {
    uint16_t ready; /* virtual channels granted and not started */
    uint8_t pointer;
    bool busy;
};

struct net_slot { /* of the time wheel */
    uint32_t *events;
    uint32_t count, capacity;
};

struct net_list {
    uint32_t *routers;
    uint32_t count;
};

struct net_packet_engine {
    struct net_network network;
    uint32_t routers, ports, virtual_channels, concentration, injectors, consumers;
    uint32_t outputs_per_router, drivers_per_router;
    uint32_t first_injector, first_ejection; /* local numbers */
    uint32_t largest;                        /* packet_flits */
    uint64_t seed;

    struct net_router *router;
    struct net_output *output;
    struct net_driver *driver;
    void *output_block, *driver_block; /* the allocations that hold them, aligned to cache lines */
    struct net_link_state *link;       /* [router * ports + port], only with several virtual channels */
    uint64_t requests[NET_MASK_BITS];  /* [local output]: drivers that request it; zero between routers */
    struct net_list active[2];         /* routers with something pending in the cycle of that parity */

    struct net_slot *wheel; /* [wheel_mask + 1]; every event is less than that many cycles ahead */
    uint64_t *wheel_used;   /* a bit a slot */
    uint32_t wheel_mask;
    bool events_done; /* those of cycle `now` have been handled */

    struct base_heap future; /* messages injected at a later cycle */
    uint32_t *next_injector; /* [terminal] rule 2 */

    struct net_packet *packets;
    uint32_t packet_count, packet_capacity, free_packet;
    struct net_flight *flights;
    uint32_t flight_count, flight_capacity, free_flight;
    uint64_t packets_inside, packets_to_make;

    uint64_t *link_flits, *terminal_flits; /* gathered by collect */
    bool out_of_memory;
};

/* Describes why nothing can move: the cycle of packets, buffers and channels. Always -1. */
int net_packet_engine_deadlock(const struct net_packet_engine *engine, struct base_error *error);
/* The conservation laws, for net_network_check. */
int net_packet_engine_check(const struct net_network *network, struct base_error *error);
/* Executes cycles; see net_network_advance. */
int net_packet_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* Puts a message into the queue of an injector of its terminal in cycle now (rule 2). Sets out_of_memory on
 * failure. */
void net_packet_engine_join(struct net_packet_engine *engine, uint32_t flight);

#endif
