/* The control protocol: how routers find each other around faults, message by message, in the network's own time
 * (the king thesis, section 3.4 and Algorithm 2, repaired as doc/faults.md says). It is a simulation by itself: control
 * packets have room beside data on every link, so that no data can delay them, and what they bring about follows from
 * the faults alone.
 *
 *      struct net_control control;
 *      if (net_control_init(&control, &faults, &(struct net_control_options){.routing = kft}, &error) == 0)
 *          while (net_control_next(&control) != NET_NEVER && net_control_step(&control, &error) == 0)
 *              … what has changed …
 *      net_control_free(&control);
 *
 * Time. A control packet is one flit; each direction of a cable takes one in W cycles (net_link_width), in the order
 * in which they are sent, and loses those that it has not taken when it dies. One that a link takes in cycle t is
 * handled in cycle t + L + W - 1 + 1: the crossing, as of data, and a cycle for the router. The two ends of a cable
 * that dies in cycle f sense it in f + 1. In one cycle dead links are sensed first; then packets are handled by
 * router and input; then routers prune. */
#ifndef NET_CONTROL_H
#define NET_CONTROL_H

#include "base/heap.h"
#include "netmodel/faults/fault-routing.h"
#include "netmodel/faults/faults.h"

/* Cycles for which a router's links of the tree have not changed, before it may leave a ring (pruning). */
#define NET_QUIET_CYCLES 64

enum net_control_kind {
    NET_CONTROL_ALERT,     /* a link has failed: join my tree */
    NET_CONTROL_ACC,       /* I have joined: you are my parent */
    NET_CONTROL_DEC,       /* no */
    NET_CONTROL_PRUNE,     /* I leave: nobody needs me here */
    NET_CONTROL_PRUNE_ACK, /* go */
    NET_CONTROL_DONE,      /* all below me have joined (trees that cover the network) */
    NET_CONTROL_RESUME,    /* so have all: go on with data */
    NET_CONTROL_KINDS
};

/* What spreads from a router with a dead link. The larger one wins where two meet: the epoch before the router, so that
 * the news of a later fault beats every ring that it comes to (the thesis has it the other way round). Epoch 0: none
 * yet. */
struct net_wave {
    uint64_t epoch;
    uint32_t origin; /* router */
};

struct net_control_router {
    struct net_wave wave; /* the last one that it has joined */
    uint32_t parent;      /* link to its parent in the tree, now or when it left; NET_NONE: it has none */
    uint32_t pending;     /* neighbours that have yet to answer: its tree is open */
    uint32_t children;
    uint32_t started; /* waves that began here */
    bool faulty;      /* it has sensed a dead link */
    bool senses;      /* one in this cycle, for which it has yet to start a wave */
    bool member;      /* of a tree */
    bool left;        /* was one, and has been pruned since */
    bool done;        /* all below it have joined (DONE) */
    bool stopped;     /* grants no data */
    bool has_stopped; /* ever */
    uint64_t quiet_since, stopped_since;
};

/* Of a directed link, as its source knows it; masks. */
enum net_control_link {
    NET_LINK_SENSED = 1, /* dead */
    NET_LINK_PENDING = 2,
    NET_LINK_CHILD = 4,
    NET_LINK_LEFT = 8, /* a child that has left */
    NET_LINK_DONE = 16 /* the child has said so */
};

struct net_control_options {
    const struct net_fault_routing *routing;
    uint32_t link_cycles; /* 0: 1 */
    /* For tests: each packet takes up to so many cycles more, drawn from the seed; a link keeps their order. */
    uint32_t jitter_cycles;
    uint64_t seed;
};

struct net_control_message; /* control-internal.h, control.c */
struct net_control_arrival;

struct net_control {
    const struct net_faults *faults; /* borrowed */
    struct net_control_options options;
    uint64_t now;                      /* the cycle of the last step */
    struct net_control_router *router; /* [router] */
    uint8_t *link;                     /* [link]: mask of enum net_control_link */
    /* What it has taken so far. */
    uint64_t packets[NET_CONTROL_KINDS]; /* that links took */
    uint64_t stable;                     /* the last cycle in which a router went on with data; 0: none has */
    uint64_t still;                      /* the last cycle in which anything happened */
    uint64_t stopped_cycles;             /* of all routers together, up to `stable` */
    uint32_t stopped_routers;            /* that have stopped at least once */
    uint32_t standing;                   /* routers that are stopped now */
    /* The protocol's own. */
    uint32_t next_fault;
    uint64_t *free_at, *arrives; /* [link]: when it may take a packet; when the last one is handled */
    struct base_heap events, timers;
    struct net_control_message *messages;
    size_t message_count, message_room;
    struct net_control_arrival *batch; /* of a cycle */
    size_t batch_room;
    struct base_arena arena;
};

/* The faults must outlive it. -1: memory. Free in either case. */
int net_control_init(struct net_control *control, const struct net_faults *faults,
                     const struct net_control_options *options, struct base_error *error);
/* The next cycle in which something happens; NET_NEVER: nothing will. */
uint64_t net_control_next(const struct net_control *control);
/* Does all that happens in that cycle. -1: memory, or the protocol does not end (BASE_DEADLOCK; no run is known that
 * comes here). */
int net_control_step(struct net_control *control, struct base_error *error);
/* Steps until nothing will happen any more. */
int net_control_finish(struct net_control *control, struct base_error *error);
void net_control_free(struct net_control *control);

/* Whether wave a beats wave b. */
static inline bool net_wave_beats(struct net_wave a, struct net_wave b)
{
    return a.epoch != b.epoch ? a.epoch > b.epoch : a.origin > b.origin;
}
static inline bool net_wave_equal(struct net_wave a, struct net_wave b)
{
    return a.epoch == b.epoch && a.origin == b.origin;
}

#endif
