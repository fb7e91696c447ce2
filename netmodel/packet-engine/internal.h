/* The packet-grant engine's state. The rules are doc/flit-engine.md; rule numbers in comments are that
 * page's.
 *
 *      driver ──holds──► output ──feeds──► driver of the same number in the next router
 *                 (an input buffer's upstream output has the buffer's own number)
 *
 * All that belongs to a router is one block of cache lines: its masks, then a line for each number that an
 * output and a driver share. So an event touches two or three lines of a router, and a packet that goes
 * straight on one less; a kernel made for one shape of router addresses them with constants.
 *
 *      net_packet_router │ net_packet_line of output 0 and driver 0 │ … │ of the last output or driver
 *
 * The numbers are those of the rules: virtual channels of links, then ejection channels and injectors.
 *
 * A packet-hop costs one evaluation of its header, one grant and one end event. The head of a queue lies in
 * its driver; the packet in the pool is touched when the packet is made, delivered, or queued behind another.
 * A header that finds no output sleeps in the `waiting` masks of the outputs it could take, and is woken by
 * whatever can change its mind: the output's end event, the departure of a packet from the next buffer, or a
 * timed event when the room grows past its need on the way. Waking too often is harmless (rule 4: a request
 * that fails leaves no trace); waking too late would be inexact.
 *
 * The routers are divided among *parts* (one, or one a thread), contiguous ranges of them. A part owns its
 * routers' blocks, a time wheel, the lists of routers to visit, a memory of ways and the packets in its
 * routers; parts write to each other by mail only, which is read at the start of a later cycle. Mail is
 * also how latencies are made. Where one part ends and the next begins changes with the time that each
 * takes (borders.c). */
#ifndef NET_PACKET_ENGINE_INTERNAL_H
#define NET_PACKET_ENGINE_INTERNAL_H

#include <stdatomic.h>

#include "base/heap.h"
#include "netmodel/faults/data.h"
#include "netmodel/packet-engine/ways.h"
#include "netmodel/engines/lines.h"
#include "netmodel/engines/engine.h"
#include "netmodel/engines/pool.h"

#define NET_PACKET_NO_PACKET UINT32_MAX
#define NET_PACKET_NEVER UINT64_MAX
#define NET_PACKET_MASK_BITS 64
#define NET_PACKET_LOCAL_BITS 6 /* of an output or driver in a global number: router << 6 | local */
#define NET_PACKET_ROUTERS_MAX (UINT32_C(1) << 24)
#define NET_PACKET_NEED_NONE INT16_MAX
#define NET_PACKET_NEAR                                                                                      \
    2 /* entries ahead that are fetched where the state is small: lists have as many more places, which
                    * name any router */
#define NET_PACKET_FAR 16                /* likewise of events where it is large */
#define NET_PACKET_AHEAD 8               /* and half of what it is for routers */
#define NET_PACKET_LATE UINT16_C(0x8000) /* in net_packet_driver.hops: the head has asked in vain */

/* What an event is about. Where the end of a packet will change something is known at its start, so that the event
 * says it and nothing need be looked up. Blocks are whole lines, whose low bits have room for the output; an event is
 * 40 bits, kept as 32 and 8 (net_packet_chunk):
 *
 *      kind 2 │ driver 6 ║ block 26 │ local output 6 bits */
enum net_packet_event {
    NET_PACKET_EVENT_END,    /* the tail of the output's packet has crossed, and has left the driver */
    NET_PACKET_EVENT_BRANCH, /* the tail of a copy has crossed: the driver's packet stays for another output */
    NET_PACKET_EVENT_WAKE,   /* the room reaches the least need of the sleepers */
    NET_PACKET_EVENT_CREDIT, /* with latencies: the packet that leaves the next buffer is seen to have left it */
};
#define NET_PACKET_EVENT_LOCAL 0
#define NET_PACKET_EVENT_DRIVER 32
#define NET_PACKET_EVENT_KIND 38
#define NET_PACKET_EVENT_HIGH 32 /* what is kept in the 8 bits begins here */

static inline uint32_t net_packet_event_block(uint64_t event)
{
    return (uint32_t)event & ~(uint32_t)(NET_PACKET_MASK_BITS - 1);
}

static inline uint32_t net_packet_event_local(uint64_t event)
{
    return (uint32_t)event & (NET_PACKET_MASK_BITS - 1);
}

static inline uint32_t net_packet_event_driver(uint64_t event)
{
    return (uint32_t)(event >> NET_PACKET_EVENT_DRIVER) & (NET_PACKET_MASK_BITS - 1);
}

/* What travels with a header, kept in two words so that it is moved in registers. The first is the packet's key
 * where the way is remembered (ways.h), else its legs or the routing's header; of a multicast's packet it is the mask
 * of outputs that the packet has still to be granted at this router, with one for each terminal there. The
 * second:
 *
 *      length 16 │ way 16 │ packet 32 bits */
struct net_packet_entry {
    uint64_t word, rest; /* net_packet_entry_rest makes the second */
};
#define NET_PACKET_ENTRY_WAY 32
#define NET_PACKET_ENTRY_LENGTH 48

static inline uint32_t net_packet_entry_packet(uint64_t rest)
{
    return (uint32_t)rest;
}

static inline uint16_t net_packet_entry_way(uint64_t rest)
{
    return (uint16_t)(rest >> NET_PACKET_ENTRY_WAY);
}

static inline uint32_t net_packet_entry_length(uint64_t rest)
{
    return (uint32_t)(rest >> NET_PACKET_ENTRY_LENGTH);
}

static inline uint64_t net_packet_entry_rest(uint32_t packet, uint16_t way, uint32_t length)
{
    return (uint64_t)length << NET_PACKET_ENTRY_LENGTH | (uint64_t)way << NET_PACKET_ENTRY_WAY | packet;
}

/* As small as may be: large networks have hundred thousands of them. */
struct net_packet_packet {
    union {
        uint64_t word;     /* of its entry, while it waits behind another */
        uint32_t terminal; /* of a multicast: where it is being ejected */
    };
    uint64_t key;     /* base_hash_first of base_hash(base_hash(seed, message), number) */
    uint32_t next;    /* behind it in its buffer; or the next free packet */
    uint32_t message; /* slot in the pool of messages */
    uint32_t number;  /* in its message */
    uint16_t way;     /* with word */
    uint16_t length, hops;
    uint8_t slot; /* of the target terminal at its router */
    union {
        uint8_t unstarted; /* of a multicast, at the head: outputs granted and not started */
        uint8_t to_choose; /* of others, at the source: its routing is still to choose the way (rule 14) */
    };
    uint32_t row; /* of its owner, if routers have any (owners.h) */
};

/* Of a packet's journey: the link that its headers have waited for longest. */
struct net_packet_bottleneck {
    uint32_t link, cycles; /* NET_NONE and 0: its headers have never waited */
};

/* Where the copies of a multicast go: its tree, fixed when it is injected. */
struct net_packet_spread {
    uint8_t *ports; /* [router]: mask of the ports that its copies leave by */
    bool *members;  /* [terminal]: is to have a copy */
    /* [terminal]: packets still to be delivered there; written by the terminal's part only */
    uint32_t *missing;
    uint32_t copies; /* that are not complete */
};

/* A message in the network, in the bytes of one cache line: in overload most of them wait, and are what grows. */
struct net_packet_flight {
    uint64_t number, tag, generated; /* tag: the caller's; cycle of injection */
    union {
        struct {
            uint64_t flits_left; /* not cut into packets yet */
            uint32_t next;       /* in the injector's queue; or the next free one */
            uint32_t source;     /* beyond the end of the journey */
        };
        struct net_journey journey; /* of the last packet, once it is delivered: then nothing is left */
    };
    uint32_t target : 31; /* terminals are fewer than 2^24 */
    bool notice_sent : 1;
    uint32_t packets, packets_made, packets_delivered; /* of a multicast: packets of each copy */
    struct net_packet_spread *spread;                  /* NULL: to one target */
};
#define NET_PACKET_FLIGHT_TARGET UINT32_C(0x7FFFFFFF) /* what fits in its field */
_Static_assert(sizeof(struct net_packet_flight) <= 64, "a message takes a cache line");

struct net_packet_driver {
    struct net_packet_entry head; /* of the queue; packet NET_PACKET_NO_PACKET: it is empty */
    union {
        uint32_t tail;  /* last of the packets behind the head, in the pool; NET_PACKET_NO_PACKET: none */
        uint32_t first; /* of an injector: the message that its next packet is made of, or NET_NONE */
    };
    uint16_t hops;      /* of the head */
    uint16_t departing; /* length of the packet that is on its way out; 0: none */
};

struct net_packet_output {
    uint64_t waiting; /* drivers of the router that sleep on it */
    union {
        int32_t spare;   /* capacity - reserved - net_packet_plenty: below zero when not every packet fits */
        uint32_t packet; /* of an ejection channel: that it carries */
    };
    union {
        struct {
            /* low bits of the cycle since which a packet leaves the next buffer; where links fail, while places are
             * counted, since which one leaves the buffer of the same number in this router: one that has been leaving
             * for n cycles has freed n flits of its place (rule 22 of doc/faults.md) */
            uint16_t departure;
            uint16_t departing; /* its length; 0: none */
            uint16_t wake;      /* low bits of the cycle of the timed wake-up that counts */
            int16_t need_least; /* of the sleepers, less net_packet_plenty; NET_PACKET_NEED_NONE: none */
        };
        struct {
            uint32_t ejected[2]; /* of an ejection channel: flits, the lower half first */
        };
    };
    bool wake_counts; /* a timed wake-up is to come */
    uint8_t driver;   /* local number of the holder */
    uint8_t pointer;  /* rule 4 */
};

struct net_packet_line {
    union {
        struct {
            uint32_t target; /* block of the router where the output's link leads */
            uint32_t source; /* likewise where the driver's link comes from */
        };
        struct {
            uint32_t last;   /* injector: last of its messages */
            uint32_t notice; /* the message to be told as sent when the packet on its way out is gone */
        };
    };
    uint64_t flits; /* that have started: to cross the link, or to leave the injector */
    struct net_packet_output output;
    struct net_packet_driver driver;
};

struct net_packet_router {
    uint64_t pending[2]; /* drivers to evaluate in the cycle of that parity; 0: not in its list of routers */
    uint64_t eligible;   /* drivers whose head has arrived and holds no grant */
    uint64_t busy;       /* outputs that are granted */
    uint64_t ready;      /* several virtual channels: outputs that are granted and have not started */
    uint64_t tight;      /* outputs whose room may be too small for a packet that comes from elsewhere */
    uint64_t turns;      /* rule 5: of each link the output that its arbiter begins with */
    union {
        /* of several parts: drivers that another part is to know of, or the caller, when they are left */
        uint64_t foreign;
        uint64_t special; /* where links fail: drivers whose heads the rules of faults.h are for */
    };
};

/* Waiting, by the number that an output and a driver share. Apart from the router's block, since a header that
 * finds its way free, as most do, never touches it. */
struct net_packet_wait {
    uint64_t since;  /* of the driver's head, if NET_PACKET_LATE: the cycle in which it first asked in vain */
    uint64_t cycles; /* that heads have waited for the output */
};

/* What a kernel may know of a router when it is compiled. Injectors and consumers are a router's, of all its
 * terminals. */
struct net_packet_shape {
    uint32_t ports, channels, injectors, consumers; /* channels: of each link */
    bool plain;                                     /* all latencies 1, round robin */
    bool whole;                                     /* plain, and all routers are in one part */
    bool even;   /* plain, and all packets so far are of one length, of which buffers hold a whole number */
    bool copies; /* there are multicasts */
    /* links fail (faults.h): the last number is a re-injection channel and queue, beyond injectors and consumers */
    bool failing;
    /* one channel, and packets have their legs with them (routing.h): one output is all they can take */
    bool legs;
};

/* Events of one cycle. All slots of a wheel take theirs from one pool, since what is to come in all cycles together
 * is bounded and hardly changes, however uneven the cycles are. Behind the last event there is room to look ahead. */
#define NET_PACKET_CHUNK 512
struct net_packet_chunk {
    struct net_packet_chunk *next; /* of the slot, after the last the first; or of the pool */
    uint32_t places[NET_PACKET_CHUNK + NET_PACKET_FAR]; /* the low 32 bits of each event */
    uint8_t drivers[NET_PACKET_CHUNK + NET_PACKET_FAR]; /* the others */
};

struct net_packet_slot {           /* of the time wheel */
    struct net_packet_chunk *last; /* NULL: none yet */
    uint32_t count;                /* in the last; NET_PACKET_CHUNK when there is none */
    uint32_t full;                 /* chunks before the last */
};

/* Events that the slot has. */
static inline uint32_t net_packet_slot_count(const struct net_packet_slot *slot)
{
    return slot->last != NULL ? slot->full * NET_PACKET_CHUNK + slot->count : 0;
}

static inline uint64_t net_packet_chunk_event(const struct net_packet_chunk *chunk, uint32_t index)
{
    return (uint64_t)chunk->drivers[index] << NET_PACKET_EVENT_HIGH | chunk->places[index];
}

struct net_packet_visits {
    uint32_t *items; /* [routers + 1 + NET_PACKET_NEAR] blocks */
    uint32_t count;
};

/* What the first header of a router to be visited soon asks for, found when its lines were fetched. */
struct net_packet_request {
    struct net_packet_outputs outputs; /* if there is a driver */
    uint64_t fetched;                  /* outputs whose lines were fetched */
    uint32_t driver;                   /* whose way is not remembered; NET_PACKET_NOT_ASKED: none */
};
#define NET_PACKET_NOT_ASKED NET_PACKET_MASK_BITS

struct net_packet_notes { /* grows, and keeps its size */
    uint64_t *items;
    uint32_t count, capacity; /* of items */
};

/* What one part, or one link with a latency, tells a router: read at the start of a later cycle. */
enum net_packet_mail_kind {
    NET_PACKET_MAIL_PUSH,    /* a header may be routed */
    NET_PACKET_MAIL_COPY,    /* likewise, of a multicast */
    NET_PACKET_MAIL_DEPART,  /* the next buffer's packet has begun to leave */
    NET_PACKET_MAIL_ARRIVAL, /* longest queue: the first flit of a packet is in the buffer */
};

/* Between parts the packet's data go with its header: a part's packets stay in its own pool, so that no line of it is
 * another processor's. */
struct net_packet_mail {
    uint64_t header; /* the routing's: ways are numbered by each part */
    union {
        uint64_t key;
        uint32_t packet; /* of the same part: which it is */
    };
    uint32_t message, number; /* slot of its flight; number in the message */
    uint32_t block;           /* of the router that it is for */
    uint16_t length, hops;    /* flits; links so far */
    uint8_t local, kind, slot;
    struct net_packet_bottleneck worst; /* where somebody asks about waits */
};

/* On a line of its own, and never written by its reader: what one processor writes and another reads makes one way
 * from one to the other a cycle. */
struct net_packet_mailbox {
    _Alignas(NET_LINE) struct net_packet_mail *mails; /* grows, and keeps its size */
    uint64_t cycle; /* that the mails are for: those of an earlier one have been read */
    uint32_t count, capacity;
    _Atomic uint64_t
        ready; /* the cycle for which all there will be is there; said by who writes to other parts */
};

/* How long a part takes for a cycle, in ns: of the steps before the borders were looked at last, and of all since. */
struct net_packet_load {
    uint64_t mean, sum;                    /* the one decides, the other is being gathered */
    const uint64_t *delivered, *latencies; /* where the part had its lists when they were gathered last */
};

/* What ends in a cycle, where there are several parts. */
struct net_packet_ending {
    struct net_packet_notes packets; /* whose tails cross an ejection channel before it */
    struct net_packet_notes sent;    /* flights whose last flit leaves its injector before it */
    /* block | output whose next buffer, in another part, a packet has left; without latencies */
    struct net_packet_notes credits;
};

struct net_packet_engine;
struct net_packet_faults;
struct net_packet_threads;

/* Copied to local variables by a kernel, so that no store makes the compiler read them again. */
struct net_packet_constants {
    uint64_t rings;   /* mask of outputs under the bubble rule */
    uint64_t places;  /* mask of those whose room matters after end events only */
    uint32_t largest; /* packet_flits */
    bool owned;       /* routers have owners, who want to know what leaves them */
    bool chooses;     /* the routing, at the source (rule 14) */
    bool waits;       /* somebody wants to know what headers wait for */
};

/* A contiguous range of the routers with what moves their packets. Read by itself only, but for mail and what
 * the engine gathers between the cycles. */
struct net_packet_part {
    _Alignas(NET_LINE) char *state; /* block of router 0 */
    struct net_packet_constants constants;
    struct net_packet_slot *wheel; /* [wheel_mask + 1] by cycle; every event is less than that far ahead */
    uint64_t *wheel_used;          /* [used_mask + 1] bits by cycle: no less than a word */
    struct net_packet_chunk *free_chunk; /* the pool */
    struct net_packet_chunk *overflow;   /* what is written to when memory is out, and never read */
    uint32_t wheel_mask, used_mask;
    uint32_t first_router, router_count; /* change when a border moves */
    uint32_t first_block, bytes;         /* of its routers' blocks */
    /* routers with something pending in the cycle of that parity; one place more */
    struct net_packet_visits active[2];
    struct net_packet_packet *packets;      /* the pool of packets in its routers */
    struct net_packet_ways ways;            /* what its headers may do (ways.h) */
    struct net_packet_engine *engine;       /* whose part it is */
    uint32_t number;                        /* among the parts, from the lowest router up */
    struct net_packet_bottleneck *worst;    /* [packet]; NULL: nobody asks */
    struct net_fault_packet *failing;       /* [packet]; NULL: no link fails */
    uint32_t free_packet;                   /* freed ones; NET_PACKET_NO_PACKET: none */
    uint32_t packet_count, packet_capacity; /* that have ever been taken; that the pool has room for */
    uint32_t consumers_each;                /* of a terminal */
    bool large;                             /* more state than the cache holds: fetch ahead */
    /* [place in the list] of routers to visit soon; the last one stays empty */
    struct net_packet_request asked[NET_PACKET_AHEAD + 1];
    uint32_t visited_place; /* the router's that is visited; with little state the last one */
    /* [local output]: drivers that request it; zero between routers */
    uint64_t requests[NET_PACKET_MASK_BITS];

    struct net_packet_mailbox *out; /* its boxes in the engine's mail; NULL: nobody writes any */
    /* the network's; with several parts its own, gathered between phases */
    struct net_statistics *statistics;
    uint64_t packets_made;           /* ever, for conservation */
    struct net_packet_notes arrived; /* packets whose tails have crossed an ejection channel in this cycle */
    /* The same of several parts, known since the packets began to cross, and the messages to be told as sent. */
    struct net_packet_ending *endings; /* [wheel_mask + 1] by cycle; NULL: there is one part */
    uint64_t ahead;             /* of several parts: the cycle whose mail and events have been seen to last */
    uint64_t begin_ns;          /* what that took */
    const uint64_t *last_joins; /* where the list of joins was in the last cycle */
    struct net_statistics own;
    /* What the caller's thread writes while others read, and reads while others write, begins a line: a
     * line that several processors write takes longer to go from one to the other than a packet-hop. */
    _Alignas(NET_LINE) struct net_packet_notes
        joins; /* messages that join their injectors in this cycle: router, flight */
    _Alignas(NET_LINE) struct net_packet_notes delivered,
        sent;                          /* flights to be told of: in numbers of the pool */
    struct net_packet_notes latencies; /* of packets delivered in this cycle, where there are several parts */
    uint32_t visited;                  /* routers, in the cycle's second phase */
    uint32_t work;                     /* of several parts: routers and events there are for the next cycle */
    uint32_t took_ns;                  /* by the last cycle, of it */
    uint32_t began_ns;                 /* by its mail and events */
    bool goes_on;                      /* of several parts: there is something for it */
    bool out_of_memory;
    struct net_packet_notes copies; /* copies that are complete: flight << 32 | terminal */
};

/* Longest queue: flits that have entered a driver's buffer and not left it, without the packet that is
 * arriving; that one has its first flit there since `start`. */
struct net_packet_queue {
    uint64_t flits, start;
    uint32_t arriving;
};

struct net_packet_kernel {
    const char *name;              /* for tests, which compare kernels */
    struct net_packet_shape shape; /* that it is made for */
    /* The mail and the events of a cycle, in that order: a packet's end frees what it held. */
    void (*run_events)(struct net_packet_part *part, uint64_t cycle);
    /* Every router with something pending: headers ask, outputs grant, links start. */
    void (*run_routers)(struct net_packet_part *part, uint64_t cycle);
};

/* What parts read and what the caller's thread writes while they run are on different lines. */
struct net_packet_engine {
    struct net_network network; /* first: the common head */
    char apart[NET_LINE];
    const struct net_packet_kernel *kernel; /* another one when lengths begin to differ */
    struct net_packet_shape shape;          /* of this network; a generic kernel's own is zero */
    uint32_t routers, concentration, injectors, consumers; /* the latter two of a terminal */
    uint32_t outputs_per_router, drivers_per_router;
    uint32_t outputs_drawn;                  /* of a router, for the arbiter random */
    uint32_t first_injector, first_ejection; /* local numbers */
    uint32_t largest;                        /* packet_flits */
    uint64_t seed;

    char *state;       /* a block a router */
    void *state_block; /* the allocation that holds it */
    size_t state_bytes;
    size_t stride;                         /* bytes of a router's block: 2^stride_zeros times an odd number */
    uint32_t stride_zeros, stride_inverse; /* stride_inverse: of that number, modulo 2^32 */
    struct net_packet_part *parts;
    /* [part] block behind its last one: read by other parts, for which its own line would be a way */
    uint32_t *ends;
    uint32_t part_count;                /* 1: no mail but for latencies */
    struct net_packet_threads *threads; /* NULL: the caller's alone */
    uint32_t mail_mask;                 /* slots of a mailbox - 1 */
    /* [from][to][cycle & mail_mask], for the cycle it is to be read in; NULL: there is none */
    struct net_packet_mailbox *mail;
    struct net_packet_faults *faults; /* faults.h; NULL: no link fails */
    struct net_fault_counts no_fault; /* of a fault routing without faults */
    struct net_packet_wait *waits;    /* [router * waits_per_router + number]; NULL: nobody asks */
    uint32_t waits_per_router;
    struct net_packet_queue *queues; /* [router * drivers_per_router + driver], only for longest-queue */
    uint32_t *owned_slot;            /* [block / line size + output]: net_owners.slot; NULL: no owners */
    uint16_t *crossings; /* [router * ports + input]: net_link_crossing of its link; NULL: all link_cycles */

    uint8_t *next_injector;            /* [terminal] rule 2 */
    struct net_packet_flight *flights; /* from a cache line on, in the block */
    char also_apart[NET_LINE];

    bool events_done;              /* those of cycle `now` have been handled, or with several parts told */
    uint64_t due;                  /* several parts: the first cycle that they have anything for */
    uint64_t stepped;              /* and the one after the last that was run */
    struct net_packet_load *loads; /* [part] */
    uint32_t measured;             /* steps in the sums of the loads */
    struct base_heap future;       /* messages injected at a later cycle */
    void *flights_block;
    uint32_t flight_count, flight_capacity, free_flight; /* of the pool; NET_NONE: none */
    uint32_t spreads;                                    /* flights that are multicasts */
};

/* ---- where things are in a router's block; constants in a kernel whose shape is one ---- */

static inline uint32_t net_packet_shape_links(const struct net_packet_shape shape)
{
    return shape.ports * shape.channels;
}

static inline size_t net_packet_shape_stride(const struct net_packet_shape shape)
{
    uint32_t ends = (shape.injectors > shape.consumers ? shape.injectors : shape.consumers) + shape.failing;
    return sizeof(struct net_packet_router) +
           (size_t)(net_packet_shape_links(shape) + ends) * sizeof(struct net_packet_line);
}

/* Inside the kernel a router is named by its block: how many bytes that begins behind the first one. */
static inline struct net_packet_router *net_packet_block_at(char *state, uint32_t block)
{
    return (struct net_packet_router *)(void *)(state + block);
}

/* Elsewhere by its number in the topology. */
static inline struct net_packet_router *net_packet_router_at(char *state, uint32_t router,
                                                             const struct net_packet_shape shape)
{
    return net_packet_block_at(state, (uint32_t)(router * net_packet_shape_stride(shape)));
}

static inline uint32_t net_packet_block_of(const struct net_packet_engine *engine, uint32_t router)
{
    return (uint32_t)(router * engine->stride);
}

/* Of the beginning of a block, which is a multiple of the stride: where a division leaves no remainder, multiplying by
 * the inverse is the division. */
static inline uint32_t net_packet_number_of(const struct net_packet_engine *engine, uint32_t block)
{
    return (block >> engine->stride_zeros) * engine->stride_inverse;
}

/* By the number of an output or driver. */
static inline struct net_packet_line *net_packet_line_at(struct net_packet_router *router, uint32_t local)
{
    return (struct net_packet_line *)(void *)(router + 1) + local;
}

_Static_assert(sizeof(struct net_packet_line) == NET_PACKET_MASK_BITS &&
                   sizeof(struct net_packet_router) % NET_PACKET_MASK_BITS == 0,
               "a block leaves an event's low bits free");

static inline struct net_packet_output *net_packet_output_at(struct net_packet_router *router, uint32_t local)
{
    return &net_packet_line_at(router, local)->output;
}

static inline struct net_packet_driver *net_packet_driver_at(struct net_packet_router *router, uint32_t local)
{
    return &net_packet_line_at(router, local)->driver;
}

/* What a part has for another one in a cycle. */
static inline struct net_packet_mailbox *net_packet_mailbox_at(const struct net_packet_engine *engine,
                                                               uint32_t from, uint32_t to, uint64_t cycle)
{
    size_t slot = (uint32_t)cycle & engine->mail_mask;
    return &engine->mail[((size_t)from * engine->part_count + to) * (engine->mail_mask + 1) + slot];
}

/* The part that has a block. */
static inline uint32_t net_packet_part_number(const struct net_packet_engine *engine, uint32_t block)
{
    uint32_t number = 0;
    while (number + 1 < engine->part_count && block >= engine->ends[number])
        number++;
    return number;
}

/* ---- what is done in more than one file ---- */

/* Room that any packet finds enough, also one that enters a ring (rule 6). What an output has is counted from
 * there, so that its sign says whether a header needs to look closer. */
static inline int32_t net_packet_plenty(const struct net_packet_constants constants, uint32_t local)
{
    return (int32_t)(constants.largest << (constants.rings >> local & 1));
}

/* A router in a cycle of its part: what every step of a visit is about. It is handed on by value, so that nothing is
 * left of it where functions are inlined. `block` is where the router's state begins. */
struct net_packet_visit {
    struct net_packet_part *part; /* that has the router */
    struct net_packet_router *router;
    uint32_t block;
    uint64_t cycle;
};

/* Drivers of a router, if any, whose heads are to be evaluated in the cycle. A driver that is pending already
 * stays so: waking it for two reasons costs nothing, and one that is not eligible then is passed over.
 * Lists and masks exist for two cycles, this one and the next, told apart by parity: what is found in cycle t is
 * either for t (end events) or for t + 1. With its first driver a router comes on the list of those to visit,
 * without a branch, since nobody could predict it: a place is written in any case and counted only then. */
static inline void net_packet_make_pending(const struct net_packet_visit at, uint64_t drivers)
{
    uint32_t parity = at.cycle & 1;
    struct net_packet_visits *list = &at.part->active[parity];
    uint64_t before = at.router->pending[parity], after = before | drivers;
    at.router->pending[parity] = after;
    list->items[list->count] = at.block;
    list->count += (before == 0) & (after != 0);
}

/* A header that asked in vain in this cycle waits from it on; one that waits already goes on waiting. */
void net_packet_begin_wait(struct net_packet_visit at, uint32_t driver);
/* It leaves in this cycle, by that output. */
void net_packet_end_wait(struct net_packet_visit at, uint32_t driver, uint32_t output);
/* Best kernel for a network: one made for its shape, else the generic one. */
const struct net_packet_kernel *net_packet_kernel_for(const struct net_packet_shape *shape);

/* Who waits for whom, for deadlocks. */
extern const struct net_standstill_view net_packet_engine_view;
/* The conservation laws, for net_network_check. */
int net_packet_engine_check(const struct net_network *network, struct base_error *error);
/* Executes cycles; see net_network_advance. */
int net_packet_engine_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* Has a message put into the queue of an injector of its terminal in cycle now (rule 2), by the part of
 * its source before that visits its routers. Failures are noted in out_of_memory of the part, which is
 * returned. */
struct net_packet_part *net_packet_engine_join(struct net_packet_engine *engine, uint32_t flight);
/* Does so for all messages of the cycle, which are still noted when it returns. */
void net_packet_join_all(struct net_packet_part *part, uint64_t cycle);
/* Rule 14: the head of an injector asks for the first time. Returns the header that it goes with, which stands in the
 * driver from now on. */
uint64_t net_packet_choose(struct net_packet_part *part, uint32_t block, uint32_t driver, uint64_t cycle);
/* Makes the next packet of an idle injector's queue its head. */
void net_packet_make_head(struct net_packet_part *part, uint32_t block, uint32_t driver, uint64_t cycle);
/* Ahead of the next function: the first messages of packets that are being ejected. */
void net_packet_fetch_messages(const struct net_packet_part *part, const struct net_packet_notes *packets);
/* Delivers the packets, whose tails crossed an ejection channel in cycle - 1, and forgets them. */
void net_packet_deliver_all(struct net_packet_part *part, struct net_packet_notes *arrived, uint64_t cycle);
/* A message's last packet has left its injector, and its sender is to be told. */
void net_packet_tell_sent(struct net_packet_part *part, uint32_t flight);
/* Gives back the chunks of a slot that has some, or all but the first: only called if there are more. */
void net_packet_empty_slot(struct net_packet_part *part, struct net_packet_slot *slot, bool keep);
/* For the part `to`, to be read at the start of the cycle. */
void net_packet_post(struct net_packet_part *part, uint32_t to, uint64_t cycle,
                     const struct net_packet_mail *mail);
/* ---- several parts (parts.c, threads.c) ---- */

/* As net_packet_engine_advance. */
int net_packet_parts_advance(struct net_packet_engine *engine, uint64_t limit, struct base_error *error);
/* Before anything but a message that is injected: all threads rest, and the mail and events of cycle now
 * have been seen to, as one part's would have. */
void net_packet_parts_settle(struct net_packet_engine *engine);
/* The counters of the parts to the network's. */
void net_packet_parts_sum(struct net_packet_engine *engine);
/* Mail and events of the cycle, unless that has been done. */
void net_packet_part_begin(struct net_packet_part *part, uint64_t cycle);
/* The same, then messages join, routers are visited, and what ends before the next cycle is found. */
void net_packet_part_run(struct net_packet_part *part, uint64_t cycle);
/* Whether the part has mail or events for the cycle, for which all mail is ready. */
bool net_packet_part_expects(const struct net_packet_part *part, uint64_t cycle);
/* Says which routers a part has, before any of it is used or while a border moves. */
void net_packet_parts_bound(struct net_packet_engine *engine, uint32_t number, uint32_t first,
                            uint32_t count);
/* Between two cycles, with all parts settled and no latencies: the part `left` takes so many routers from
 * the next one, or gives them to it. Both keep some. -1: memory, after which the network is only good for
 * freeing. */
int net_packet_parts_move(struct net_packet_engine *engine, uint32_t left, int32_t routers);
/* Nanoseconds of a clock in the cycles of which the time is taken; else 0. */
uint64_t net_packet_parts_clock(uint64_t cycle);
/* Notes what the parts took in cycle now, before which the caller had its thread for so long. */
void net_packet_parts_measure(struct net_packet_engine *engine, uint64_t caller_ns);
/* Before a step: moves the borders of parts whose threads have been waiting for each other. -1: memory. */
int net_packet_parts_balance(struct net_packet_engine *engine);
/* Starts a thread for every part but the first; -1 when the system refuses. Ends them; NULL is legal. */
int net_packet_threads_start(struct net_packet_engine *engine);
void net_packet_threads_end(struct net_packet_engine *engine);
/* Runs all parts in cycle now. The threads may begin the next one when it returns, if they have mail or
 * events for it. */
void net_packet_threads_run(struct net_packet_engine *engine);
/* Until they have begun it. */
void net_packet_threads_rest(struct net_packet_engine *engine);
/* Messages whose cycle has come are to enter their injectors. Returns whether there are any. */
bool net_packet_join_due(struct net_packet_engine *engine, uint64_t cycle);
/* The first cycle after `cycle` for which a part has events, or has written mail; NET_PACKET_NEVER: none. */
uint64_t net_packet_part_next(const struct net_packet_part *part, uint64_t cycle);
/* Ahead of net_packet_gather of all parts, where there are several: fetches the lines of what they have found. */
void net_packet_fetch_found(struct net_packet_engine *engine);
/* Gathers from all parts: 1 if there are notices, -1: memory. */
int net_packet_gather_all(struct net_packet_engine *engine);
/* Between cycles: counts, and makes notices of what the part found in cycle now. */
int net_packet_gather(struct net_packet_engine *engine, struct net_packet_part *part);
/* After net_packet_gather of all parts: forgets the messages that are delivered, and tells of them. */
int net_packet_gather_delivered(struct net_packet_engine *engine, struct net_packet_part *part);
/* ---- multicasts (copies.c) ---- */

/* As net_engine.multicast says. While there are any the generic kernel runs the network. */
enum net_multicasts net_packet_engine_multicasts(const struct net_topology *topology,
                                                 const struct net_routing *routing,
                                                 const struct net_options *options, const char **obstacle);
int net_packet_engine_multicast(struct net_network *network, uint64_t cycle,
                                const struct net_multicast *multicast, struct base_error *error);
/* The outputs that a packet of the flight needs at a router. */
uint64_t net_packet_copies_needed(const struct net_packet_engine *engine, uint32_t flight, uint32_t router);
/* Another copy of a packet; NET_PACKET_NO_PACKET: no memory, which is noted. May move the part's pool. */
uint32_t net_packet_copy_packet(struct net_packet_part *part, uint32_t packet);
/* Between cycles, after net_packet_gather of all parts: tells of the copies that are complete, and forgets the
 * multicasts of which all are. */
int net_packet_gather_copies(struct net_packet_engine *engine, struct net_packet_part *part);
void net_packet_spread_free(struct net_packet_spread *spread);
/* A copy of the flight, completed, into its injector's queue, at once or when its cycle comes. Takes its spread.
 * -1: memory. */
int net_packet_enter_flight(struct net_packet_engine *engine, uint64_t cycle,
                            const struct net_packet_flight *flight, struct base_error *error);
/* Whether there are several parts: then what this one has written other processors read, and its
 * statistics are its own. */
static inline bool net_packet_has_others(const struct net_packet_part *part)
{
    return part->statistics == &part->own;
}

/* Room for more; false: memory, which is noted. */
bool net_packet_found_grow(struct net_packet_part *part, struct net_packet_notes *found);
/* Notes what is to be told, or done, later in the cycle. */
static inline void net_packet_note(struct net_packet_part *part, struct net_packet_notes *found,
                                   uint64_t item)
{
    if (found->count != found->capacity || net_packet_found_grow(part, found))
        found->items[found->count++] = item;
}
/* What is noted of a message that joins. */
static inline uint32_t net_packet_joins_router(uint64_t item)
{
    return (uint32_t)(item >> 32);
}

static inline uint32_t net_packet_joins_flight(uint64_t item)
{
    return (uint32_t)item;
}

/* Where a part notes what ends in a cycle less than a turn of the wheel ahead. */
static inline struct net_packet_ending *net_packet_ending_at(struct net_packet_part *part, uint64_t cycle)
{
    return &part->endings[(uint32_t)cycle & part->wheel_mask];
}

/* The entry of a packet that begins its way anew at a router, as its source made it (rule 7). */
struct net_packet_entry net_packet_start_anew(struct net_packet_part *part, uint32_t packet, uint32_t router);
/* A slot of a flight is free again. */
void net_packet_release_flight(struct net_packet_engine *engine, uint32_t flight);
/* A packet of a part, not filled; NET_PACKET_NO_PACKET: no memory, which is noted. May move the part's pool. */
uint32_t net_packet_new_packet(struct net_packet_part *part);
/* It is delivered, or another part's. */
static inline void net_packet_free_packet(struct net_packet_part *part, uint32_t packet)
{
    part->packets[packet].next = part->free_packet;
    part->free_packet = packet;
}

/* The arbiters beside round robin, whose choice is given: of several drivers that request an output (rule 4),
 * of several granted outputs of a link (rule 5). */
uint32_t net_packet_arbitrate(struct net_packet_visit at, uint32_t local, uint64_t requests,
                              uint32_t in_turn);
uint32_t net_packet_arbitrate_link(struct net_packet_visit at, uint64_t granted, uint32_t in_turn);

#endif
