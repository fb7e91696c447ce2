/* The packet-grant engine for broad routers: more than 64 inputs or outputs, up to 256 ports and 1024 of each. The
 * rules are doc/flit-engine.md; rule numbers in comments are that page's. It computes what the packet-grant engine
 * computes (netmodel/packet-engine/), with one event a packet and hop, but keeps no mask of a whole router where a
 * packet's own few outputs say as much:
 *
 *      driver ──holds──► output ──feeds──► driver of the next router ──upstream──► (back to the output)
 *      port of a link: its virtual channels as small masks: free, short of room, granted and not started
 *
 * A head goes through the ports of its route. So what a packet-hop costs follows from the outputs that it may take,
 * and hardly from the number of ports that the router has.
 *
 * A head that finds no output sleeps on all of them (`sleepers`, a mask of drivers for each output), and is woken by
 * whatever can change its mind: the end of a packet, the departure of one from the next buffer, or an event at the
 * cycle in which the room reaches the least need. Waking too often is harmless (rule 4: a request that fails leaves no
 * trace).
 *
 * A packet stands in the list of the next buffer from the cycle in which it starts on, and says itself from when it
 * may ask there: so latencies are no lists, but one more event where they are longer than a cycle. */
#ifndef NET_BROAD_ENGINE_INTERNAL_H
#define NET_BROAD_ENGINE_INTERNAL_H

#include "netmodel/engines/flights.h"
#include "netmodel/engines/lines.h"

#define NET_BROAD_WIDTH_MAX 1024 /* drivers, and outputs, of a router */
#define NET_BROAD_HOLDS_NOTHING UINT16_MAX
#define NET_BROAD_NEED_NONE INT32_MAX
#define NET_BROAD_NEVER UINT64_MAX

struct net_broad_packet {
    struct net_cargo cargo; /* what any engine's packet is (engines/flights.h) */
    uint64_t ready;         /* cycle from which on it may ask where it is (rule 1) */
    uint64_t asked;         /* cycle in which it first did, being the head of its driver */
    uint32_t next;          /* behind it in its buffer; or the next free packet */
    bool to_choose;         /* its routing chooses at the source, and has not yet (rule 14) */
};

/* An input buffer or an injector; of the packets whose header is in it or on its way to it. An injector has at most
 * one; the packets behind it are not made yet. */
struct net_broad_driver {
    _Alignas(NET_LINE / 2) uint32_t head; /* packets; NET_NONE: none */
    uint32_t tail;
    uint32_t upstream; /* the output that feeds it, or NET_NONE for an injector */
    uint32_t router;
    uint16_t local, held; /* held: local number of the output that its packet has, until the tail has left */
};
_Static_assert(sizeof(struct net_broad_driver) == NET_LINE / 2, "two drivers are a cache line");

struct net_broad_injected { /* of an injector */
    uint64_t queued; /* flits of joined messages that have not left; those of a packet go when it starts */
    uint64_t flits;  /* that have started */
};

/* A virtual channel of a link, or an ejection channel. */
struct net_broad_output {
    uint32_t next_driver; /* or NET_NONE: an ejection channel, or a port that the router lacks */
    uint32_t router;
    uint32_t packet;  /* that holds it, or did last */
    int32_t room;     /* capacity - reserved; net_broad_room adds what leaves the next buffer at this time */
    int32_t need;     /* the least of the sleepers; NET_BROAD_NEED_NONE: there are none */
    uint16_t leaving; /* length of the packet that is seen to leave the next buffer; 0: none */
    bool busy;
    uint64_t since; /* in the cycle since + n it is seen that n flits of that have left */
    uint64_t wake;  /* cycle of the event that counts for the sleepers; NET_BROAD_NEVER: none */
    uint64_t flits, waits;
    uint16_t local, driver, pointer, length; /* driver: local number of the holder; length: of its packet */
};
_Static_assert(sizeof(struct net_broad_output) == NET_LINE, "an output is a cache line");

/* Of a link: its virtual channels as bits. */
struct net_broad_port {
    uint16_t free;    /* not granted, and there is such a link */
    uint16_t tight;   /* whose room may be too small for a packet that comes from elsewhere */
    uint16_t granted; /* and not started */
    uint16_t rings;   /* under the bubble rule */
    uint8_t pointer;  /* rule 5 */
    bool carries;     /* a packet */
};

struct net_broad_router {
    uint64_t starts[NET_PORT_WORDS]; /* ports of links that carry nothing and have granted channels */
    bool listed[2];                  /* to be visited in the cycle of that parity */
};

/* Who has asked for an output in this cycle, in rising numbers. */
struct net_broad_request {
    uint16_t first, last; /* drivers */
};

struct net_broad_slot { /* of a time wheel */
    uint64_t *items;
    uint32_t count, capacity; /* of items */
};

/* What is to come, by cycle: less than a whole turn ahead. */
struct net_broad_wheel {
    struct net_broad_slot *slots; /* [mask + 1] */
    uint64_t *used;               /* bits of slots that are not empty; whole words */
};

struct net_broad_engine {
    struct net_network network; /* first: the common head */
    uint32_t routers, ports, virtual_channels, concentration, injectors, consumers;
    uint32_t outputs_per_router, drivers_per_router;
    uint32_t first_injector, first_ejection; /* local numbers */
    uint32_t words;                          /* of a mask of drivers */
    uint32_t largest;                        /* packet_flits */
    uint32_t pipeline, credit_cycles;        /* router_cycles - 1 */
    uint64_t seed;
    bool chooses; /* the routing, at the source (rule 14) */

    struct net_broad_router *router; /* [router] */
    struct net_broad_port *port;     /* [router * ports + port] */
    struct net_broad_output *output; /* [router * outputs_per_router + local] */
    struct net_broad_driver *driver; /* [router * drivers_per_router + local] */
    struct net_broad_injected *injected;
    uint64_t *eligible;   /* [router * words]: drivers whose head may ask and holds nothing */
    uint64_t *pending[2]; /* likewise by the cycle's parity: those of them that are to ask */
    uint64_t *sleepers;   /* [output * words]: drivers */
    uint16_t *crossings;  /* [router * ports + port] of links of their own; NULL: all link_cycles */
    struct net_broad_request *asking; /* [local output] */
    uint16_t *asked;                  /* [..]: outputs with requests, in the order in which they came */
    uint16_t *after;                  /* [driver] the next one that asks for the same output */
    uint32_t *active[2];
    uint32_t active_count[2]; /* routers in active, by the cycle's parity */

    struct net_broad_wheel events; /* that come before the routers of their cycle are visited */
    struct net_broad_wheel ends;   /* outputs whose tails cross in the cycle */
    uint32_t wheel_mask, used_mask;

    struct net_flights flights;       /* messages, and the injectors' queues */
    struct net_broad_packet *packets; /* the pool, by number */
    struct net_pool pool;             /* of packets */
    bool out_of_memory;
};

static inline struct net_broad_output *net_broad_output_at(const struct net_broad_engine *engine,
                                                           uint32_t router, uint32_t local)
{
    return &engine->output[(size_t)router * engine->outputs_per_router + local];
}

/* The room of an output at the start of a cycle (rule 6). */
static inline int32_t net_broad_room(const struct net_broad_output *output, uint64_t cycle)
{
    if (output->leaving == 0 || cycle <= output->since)
        return output->room;
    uint64_t left = cycle - output->since;
    return output->room + (int32_t)(left < output->leaving ? left : output->leaving);
}

/* Whether an output is of a virtual channel that keeps bubbles on a ring (rule 6). */
static inline bool net_broad_is_ring(const struct net_broad_engine *engine,
                                     const struct net_broad_output *output)
{
    uint32_t port = output->local / engine->virtual_channels;
    return (engine->port[(size_t)output->router * engine->ports + port].rings >>
                output->local % engine->virtual_channels &
            1) != 0;
}

/* What a grant reserves, and what the room must be for a driver's packet to be granted (rule 6). */
static inline int32_t net_broad_reservation(const struct net_broad_engine *engine,
                                            const struct net_broad_output *output, uint32_t length)
{
    return (int32_t)(net_broad_is_ring(engine, output) ? engine->largest : length);
}

static inline int32_t net_broad_need(const struct net_broad_engine *engine,
                                     const struct net_broad_output *output, uint32_t driver, uint32_t length)
{
    if (!net_broad_is_ring(engine, output))
        return (int32_t)length;
    return (int32_t)(driver == output->local ? engine->largest : 2 * engine->largest);
}

/* Executes cycles; see net_network_advance. */
int net_broad_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* A message has joined that injector in cycle now. Sets out_of_memory on failure. */
void net_broad_engine_join(struct net_broad_engine *engine, uint32_t injector);

/* Who waits for whom, for deadlocks. */
extern const struct net_standstill_view net_broad_engine_view;
/* The conservation laws, for net_network_check. */
int net_broad_engine_check(const struct net_network *network, struct base_error *error);

#endif
