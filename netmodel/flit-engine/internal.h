/* The flit-grant engine's state: for packets that can stall (wormhole) or take turns on a link (multiplexed),
 * so that flits must be moved one at a time. It knows every option of network.h, held links included. The
 * rules are doc/flit-engine.md; rule numbers in comments are that page's.
 *
 *      driver ──holds──► output ──feeds──► driver of the next router ──upstream──► (back to the output)
 *
 * A flit is no object: a buffer is a list of packets and a count of flits, in the order of arrival. What a
 * cycle decides in a router (requests, grants, moves) reads and changes that router alone. Whatever it does
 * to another router (a flit arrives, a place is free) is a record in the list of this cycle's moves, and is
 * read back when its latency is over:
 *
 *      moves of cycle t ──► t + link cycles: arrivals         ──► + router cycles - 1: headers may ask
 *                       └─► t + credit cycles: places upstream
 *
 * So one pass over the routers in any order is exact, and latencies cost nothing but a longer ring of lists.
 * Where links differ, what arrives stands in the list of the cycle in which it does, in a second ring.
 *
 * The unit is called a router, but all that the cycle knows of it is: drivers and outputs, numbered from 0,
 * whose outputs are in groups (channels) of which each carries a flit a cycle; every output feeds one driver
 * of one unit, every driver is fed by one output. Requests of the whole unit are collected before any output
 * is granted, and grants before any channel moves. A bus with drivers in several places and several
 * listeners is therefore a unit of its own, with one channel: its drivers are the buffers that may drive it,
 * its outputs the buffers that listen. */
#ifndef NET_FLIT_ENGINE_INTERNAL_H
#define NET_FLIT_ENGINE_INTERNAL_H

#include "netmodel/engines/flights.h"
#include "netmodel/flit-engine/lanes.h"
#include "netmodel/flit-engine/sets.h"

#define NET_FLIT_NEVER UINT64_MAX

/* The engine is compiled twice: here and in wide.c, which has names of its own for what others see. */
struct net_flit_faults;
#if NET_FLIT_WORDS == 1
#define NET_FLIT_NAME "flits"
#define NET_FLIT_SUMMARY "grants flit by flit: wormhole, links that virtual channels share"
#define NET_FLIT_IS_LAST false /* what is too wide for it another engine serves */
#endif

struct net_flit_packet {
    struct net_cargo cargo; /* what any engine's packet is (engines/flights.h) */
    uint64_t ready;         /* cycle from which on it may ask where it is (rule 1) */
    uint64_t asked;         /* cycle in which it first did, being the head of its driver */
    uint32_t next;          /* behind it in its buffer; or the next free packet */
    bool to_choose;         /* its routing chooses at the source, and has not yet (rule 14) */
};

/* An input buffer or an injector. Its list has the packets whose header is in it, `head` first. An injector has
 * at most one; the packets behind it are not made yet. Half a cache line: what a header wants, and what only
 * injectors have, is kept apart. */
struct net_flit_driver {
    uint32_t head, tail; /* packets; an injector has no tail */
    uint32_t count;      /* flits in the buffer; injector: of the packet that it sends */
    uint32_t upstream;   /* the output that feeds it, or NET_NONE for an injector */
    uint32_t router;
    net_flit_number local, held; /* held: local number of the output that the head holds */
    uint8_t tiers;
};

/* The outputs that a driver's head may take, made once when it may ask. */
struct net_flit_want {
    struct net_flit_set tiers[NET_TIERS_MAX]; /* outputs, the best tier first */
};

struct net_flit_injector { /* of an injector; buffers leave theirs at zero */
    uint64_t queued;       /* flits of joined messages that have not left */
    uint64_t flits;        /* that have left */
};

/* A virtual channel of a link, or an ejection channel. Half a cache line. */
struct net_flit_output {
    uint32_t next_driver; /* or NET_NONE: an ejection channel, or a port that the router lacks */
    uint32_t room;        /* wormhole: places seen to be free; cut-through: rule 6 */
    uint32_t packet;      /* that holds it, or did last */
    uint32_t router;
    uint16_t left, length;  /* of that packet: flits that have not crossed (0: free), and all */
    net_flit_number driver; /* local number of the holder */
    net_flit_number pointer;
    net_flit_number local; /* its own number */
    uint8_t port;          /* of its link; ejection channels have the numbers behind those */
    uint64_t flits;        /* that have crossed */
    uint64_t waits;        /* cycles that heads have waited for it */
};

struct net_flit_router {
    struct net_flit_set heads; /* drivers whose head may ask and holds nothing */
    struct net_flit_set free;  /* outputs that may be granted; wormhole: whose next buffer is empty, too */
    struct net_flit_set fed;   /* outputs held by a packet whose next flit is in its driver */
    struct net_flit_set open;  /* outputs with a place for a flit; cut-through: all */
    struct net_flit_output *outputs;
    struct net_flit_driver *drivers; /* [local], in the engine's array */
    uint32_t number;                 /* of the router */
    bool listed;                     /* among the active routers of the next executed cycle */
    bool ask;                        /* something has changed that a waiting head could use */
};

struct net_flit_link { /* of several virtual channels */
    uint8_t pointer;
    net_flit_number
        carried; /* held links: the virtual channel whose packet it carries, or NET_FLIT_HOLDS_NOTHING */
};

/* Of a link with a latency or width of its own (rule 12). */
struct net_flit_pace {
    uint64_t free;            /* first cycle in which it takes the next flit */
    uint16_t crossing, width; /* net_link_crossing, net_link_width */
};

/* One flit has moved. */
struct net_flit_move {
    uint32_t arrival; /* the driver it goes to; NET_NONE: ejected */
    uint32_t credit;  /* the output upstream of the driver it has left; NET_NONE: an injector */
    uint32_t packet;
    uint16_t padding;  /* of a tail: reserved beyond its length, now given back as well */
    bool header, tail; /* a packet of one flit is both */
};

struct net_flit_moves { /* of one cycle */
    struct net_flit_move *moves;
    uint64_t cycle;           /* in which they arrive */
    uint32_t count, capacity; /* of moves */
};

struct net_flit_engine {
    struct net_network network; /* first: the common head */
    uint32_t routers, ports, virtual_channels, concentration, injectors, consumers;
    uint32_t outputs_per_router, drivers_per_router;
    uint32_t first_injector, first_ejection; /* local numbers */
    uint32_t injectors_each;                 /* of a router */
    uint32_t outputs_drawn;                  /* of a router, for the arbiter random */
    uint32_t largest;                        /* packet_flits */
    uint32_t arrival_age, ready_age, credit_age;
    uint64_t seed; /* of packets' keys and arbiters' draws */

    struct net_flit_router *router;                  /* [router] */
    struct net_flit_output *output;                  /* [router * outputs_per_router + local] */
    struct net_flit_driver *driver;                  /* [router * drivers_per_router + local] */
    struct net_flit_want *want;                      /* [driver] */
    struct net_flit_injector *injected;              /* [driver] */
    bool chooses;                                    /* the routing, at the source (rule 14) */
    bool looks;                                      /* the routing (rule 13) */
    struct net_flit_faults *faults;                  /* faults.h; NULL: all links live */
    struct net_flit_set rings;                       /* the outputs under the bubble rule */
    struct net_flit_rows *rows;                      /* lanes.h; NULL: flits move one by one */
    struct net_flit_link *link;                      /* [router * ports + port] rule 5 */
    struct net_flit_set requests[NET_FLIT_SET_BITS]; /* [local output]: drivers; empty between routers */
    uint32_t *active, *next_active; /* routers with something to do in this cycle, in the next */
    uint32_t active_count, next_active_count;

    struct net_flit_moves *recent; /* [recent_mask + 1], by cycle */
    struct net_flit_moves *moved;  /* the one of this cycle */
    struct net_flit_move lost;     /* where one is written that there was no memory for */
    bool large;                    /* the state is larger than a core's cache: lines are fetched ahead */
    /* Where links differ, else NULL: what arrives, by the cycle in which it does; `recent` has the places only
     * that become free. */
    struct net_flit_moves *arrivals;
    struct net_flit_pace *pace; /* [router * ports + port] */
    uint32_t recent_mask;

    struct net_flights flights;      /* messages, and the injectors' queues */
    struct net_flit_packet *packets; /* the pool, by number */
    struct net_pool pool;            /* of packets */
    bool out_of_memory;
};

/* Numbers that lanes have where there are any (lanes.h): flits in a buffer, or that an injector has still to send of
 * its packet; places; flits left of the packet that holds the output. */
static inline uint32_t net_flit_count(const struct net_flit_engine *engine,
                                      const struct net_flit_driver *driver)
{
    return engine->rows != NULL ? engine->rows->lanes[driver->router].count[driver->local] : driver->count;
}

static inline uint32_t net_flit_room(const struct net_flit_engine *engine,
                                     const struct net_flit_output *output)
{
    return engine->rows != NULL ? engine->rows->lanes[output->router].room[output->local] : output->room;
}

static inline uint32_t net_flit_left(const struct net_flit_engine *engine,
                                     const struct net_flit_output *output)
{
    return engine->rows != NULL ? engine->rows->lanes[output->router].left[output->local] : output->left;
}

/* Flits that have crossed the output; lanes count those of a packet with its tail. */
static inline uint64_t net_flit_crossed(const struct net_flit_engine *engine,
                                        const struct net_flit_output *output)
{
    uint32_t left = engine->rows != NULL ? net_flit_left(engine, output) : 0;
    return output->flits + (left != 0 ? output->length - left : 0);
}

/* And that have left the injector. */
static inline uint64_t net_flit_injected(const struct net_flit_engine *engine,
                                         const struct net_flit_driver *driver)
{
    uint64_t flits = engine->injected[driver - engine->driver].flits;
    if (engine->rows == NULL || driver->held == NET_FLIT_HOLDS_NOTHING || driver->upstream != NET_NONE)
        return flits;
    const struct net_flit_output *output = &engine->router[driver->router].outputs[driver->held];
    return flits + output->length - net_flit_left(engine, output);
}

/* The head may ask from that cycle on, also if it has asked before: a header that was made anew. */
void net_flit_engine_admit(struct net_flit_engine *engine, struct net_flit_driver *driver, uint64_t cycle);
/* The router runs in the next cycle that is executed, and its heads ask again. */
void net_flit_engine_wake(struct net_flit_engine *engine, uint32_t router);
/* Executes cycles; see net_network_advance. */
int net_flit_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* A message has joined that injector in cycle now. Sets out_of_memory on failure. */
void net_flit_engine_join(struct net_flit_engine *engine, uint32_t injector);

/* Who waits for whom, for deadlocks. */
extern const struct net_standstill_view net_flit_engine_view;
/* The conservation laws, for net_network_check. */
int net_flit_engine_check(const struct net_network *network, struct base_error *error);

#endif
