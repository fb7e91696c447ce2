/* The state of a network with some of the effects of a real one (effects.c): messages, multicasts and packets on their
 * way, and until when what they share is taken. For this folder only. */
#ifndef NET_EFFECTS_H
#define NET_EFFECTS_H

#include "netmodel/engines/engine.h"
#include "netmodel/engines/pool.h"
#include "netmodel/simple-engines/calendar.h"

enum event_kind { JOIN, INJECT, ARRIVE, SENT, DELIVER, EVENT_KINDS };

struct flight {                              /* a message */
    struct net_message message;              /* as injected, or for one target of a multicast */
    uint64_t number, key, cycle, flits_left; /* of the message; of its draws; of its injection; not cut yet */
    uint64_t usable;                         /* the latest of its packets that are through */
    uint64_t narrow; /* where links of stages are a message's own: the first free cycle of the narrowest */
    uint32_t packets, packets_made, packets_left; /* in all, cut, not through */
    uint32_t first, last;                         /* routers, or shared channels, between which it goes */
    uint32_t next;                                /* in its injector's queue, or the next free one */
    uint32_t origin;                              /* of a copy: the multicast's own flight; else NET_NONE */
    struct copies *copies;                        /* of a multicast */
};

/* A multicast is a flight that is injected, and one for each copy that is delivered. */
struct copies {
    uint32_t *flight; /* [terminal]: of its copy, or NET_NONE */
    uint32_t *ports;  /* [router]: of the tree (king-tree.h, netmodel/multicasts/mway-tree.h) */
    uint32_t left;    /* not delivered */
    uint32_t root;    /* router or channel where the tree begins */
};

/* What a hop needs is here: of many messages on their way each flight would be a line from memory. */
struct packet {
    uint64_t header, key;
    uint32_t flight, number; /* its message; its place in that */
    uint32_t router;         /* where it is; of a free one, the next free one */
    uint32_t flits, links;   /* of the packet; crossed so far */
    uint64_t tail; /* first cycle in which its tail may leave where it is, as far as links before say */
    bool spreads, copied; /* of a multicast: all of it, or one of its copies */
};

struct injector {
    uint32_t first, last; /* flights with packets to make */
    uint64_t free_cycle;  /* when its last packet's tail has left */
};

struct effects {
    struct net_network network;            /* first: the engine is cast to it and back */
    enum net_effects level;                /* the rung */
    uint64_t link_latency, router_latency; /* L, and R - 1 */
    uint64_t join_latency;                 /* from injection to joining an injector: rule 2 of either page */
    struct net_calendar calendar;          /* payload: kind + EVENT_KINDS * index */
    struct flight *flights;
    struct packet *packets; /* a pool, named by index */
    struct net_pool flight_pool, packet_pool;
    uint64_t live;              /* messages injected and not delivered, counted apart from the statistics */
    struct injector *injectors; /* [point * injectors]; a point is a terminal, or one of the two of a
                                   processor inside an m-way router */
    uint32_t *turns;            /* [point]: the next injector, rule 2 */
    uint64_t *ejection;         /* [point * consumers]: first free cycle */
    uint64_t *links;            /* [link]: first free cycle; where channels are shared, [channel] */
    uint64_t *buses;            /* [bus]: likewise */
    const struct net_multistage *multistage; /* NULL: no network of stages */
    /* How long a way is follows from its ends: nobody need go it while packets have links to themselves. */
    bool plain;
};

#endif
