/* A network in motion: messages go in at a cycle, notices come out. All engines (engines/kinds.def) answer this
 * interface: the packet-grant engine (packet-engine/, for everything that reserves whole packets), the flit-grant
 * engine (flit-engine/: wormhole, shared or narrow links) and the ideal network (simple-engines/: zero latency,
 * infinite bandwidth); shared channels have their own (shared-engine/, doc/shared-channels.md). Cycles in which
 * nothing moves cost nothing. The model is the list of rules in doc/flit-engine.md; the delivery cycle of
 * every packet is fixed by them and by nothing else.
 *
 *      net_network_inject(…, cycle, …)      cycle >= net_network_now
 *      net_network_advance(network, limit)  runs cycles now, now + 1, … and stops before the first at
 *                                           which a notice is due, or before `limit`
 *      net_network_notices(network)         what is due at `now`
 *
 * A packet whose tail crosses the ejection channel in cycle t is delivered in cycle t; its message is usable,
 * and the notice due, at the start of cycle t + 1. So a message of one packet of P flits that is injected in
 * cycle c and crosses d links of an empty network is delivered in cycle c + d + P - 1 and noticed one cycle
 * later. In the ideal network both happen in cycle c itself. */
#ifndef NET_NETWORK_H
#define NET_NETWORK_H

#include "base/digest.h"
#include "netmodel/routing.h"
#include "netmodel/topology.h"

/* Who goes first where several packets ask for one output (rule 4), and which virtual channel of a link is
 * served (rule 5). Every arbiter is a function of the state at the start of the cycle. */
enum net_arbiter {
    NET_ROUND_ROBIN,  /* the first at or cyclically after the last winner's successor */
    NET_OLDEST_FIRST, /* the packet whose message was injected first, then the lower message and packet number
                       */
    NET_RANDOM,       /* drawn by base_hash from the cycle and the output */
    NET_LONGEST_QUEUE /* the driver with most flits waiting, then round robin */
};

enum net_flow_control {
    NET_CUT_THROUGH, /* a grant reserves room for the whole packet; bubble rule on rings */
    NET_WORMHOLE     /* a grant reserves a virtual channel; flits follow as single places become free */
};

/* How much of a network is modelled (netmodel/simple-engines/effects.c; doc/attribution.md): every value
 * has the effects of the one before, and one more. */
enum net_effects {
    NET_ALL_EFFECTS,   /* the network as configured */
    NET_DISTANCE,      /* the header latency of a message's way, and nothing else */
    NET_SERIALISATION, /* and its flits one after the other, each message alone */
    NET_TERMINALS,     /* and injectors and ejection channels shared by the messages of a terminal */
    NET_CHANNELS       /* and links shared, with unlimited buffers and virtual channels */
};

/* How a message to a box spreads over shared channels (the broadcast paper; doc/shared-channels.md). */
enum net_spreading {
    NET_MST_SAFE,    /* a tree; the header moves when all its receivers are reserved, in a fixed order */
    NET_MST_REPLICA, /* a tree; a replica stays for the receivers that could not be reserved */
    NET_MST_UNICAST, /* the same tree in messages from terminal to terminal */
    NET_RECURSIVE_DOUBLING, /* messages from terminal to terminal, each to the other half */
    NET_MST_SAFE_ANY,       /* as the first, but headers ask as long as any receiver has a buffer */
    NET_MST_PLAIN           /* a tree reserved in no order: deadlocks; to show that it does */
};

/* Of the ways that have a free buffer, which one a header takes in a network of shared channels
 * (netmodel/topologies/mway.h).
 */
enum net_selection {
    NET_MOST_FREE,  /* the way with most free buffers of the classes that the header may take, then the lowest
                     */
    NET_RANDOM_WAY, /* drawn by base_hash from the message's key and the cycle */
    NET_FIRST_WAY   /* the lowest */
};

/* Into a queue of a processor at a multistage network (netmodel/stages/multistage.h; doc/multistage.md, rule 1) a
 * packet comes whole, and may fill more than it: as long as a cycle's bits more have room, or as long as it is not
 * full. */
enum net_admission { NET_ADMIT_WORD, NET_ADMIT_NOT_FULL };

/* Which state of the buffers behind a channel its drivers know (the m-way paper; doc/shared-channels.md, rule
 * 3): without it they drive the channel in vain, and try again. */
enum net_status_flags {
    NET_BOTH_FLAGS,         /* both of the following */
    NET_AVAILABILITY_FLAGS, /* headers: whether a buffer is free */
    NET_FULL_FLAGS,         /* the other flits: whether their buffer is full */
    NET_NO_FLAGS
};

#define NET_PACKET_FLITS_MAX 4096
#define NET_WHOLE_MESSAGES (UINT32_C(1) << 31) /* packet_flits of multistage networks: messages are not cut */

struct net_options {           /* zero: the default */
    uint32_t packet_flits;     /* largest packet; 16 */
    uint32_t virtual_channels; /* per link; what the routing needs */
    uint32_t buffer_flits;     /* of each virtual channel's input buffer; two packets, and what is on its way
                                  while a place comes back: L + R + C - 3, or what the longest link asks for
                                  (shared channels: one packet, and 2 flits under wormhole) */
    uint32_t injectors;        /* injection queues per terminal, each 1 flit a cycle; 1 */
    uint32_t consumers;        /* ejection channels per terminal, each 1 flit a cycle; 1 */
    /* of ties and random choices; 1 is the command line's default, 0 is a seed like any other */
    uint64_t seed;
    enum net_flow_control flow_control; /* what a packet needs ahead before it goes on */
    enum net_arbiter arbiter;           /* who wins an output for which several compete */
    bool multiplexed;     /* links serve their granted virtual channels flit by flit, not packet by packet */
    uint32_t link_cycles; /* a flit sent in t is in the next buffer at the start of t + this; 1. Of links that
                             have no latency of their own */
    uint32_t router_cycles; /* a header that is in a buffer at the start of t may leave in t + this - 1; 1 */
    uint32_t credit_cycles; /* a place freed in t is seen upstream in t + this; 1 */
    enum net_admission admission; /* multistage networks only */
    enum net_selection selection; /* these three: shared channels only, and the first multistage networks */
    enum net_status_flags status_flags;
    bool early_free; /* a buffer is free again once it holds a tail, not when the tail has left it */
    enum net_effects effects;
    enum net_spreading spreading; /* of multicasts over shared channels */
    uint32_t threads;             /* inside this network; results are the same; 1 */
    bool portable; /* only instructions that every processor of the kind has; results are the same */
    /* Several programs on one network: [router] which of `owners` has it, NET_NONE for none. NULL: nobody
     * asks what leaves whose routers. Borrowed for the life of the network. */
    const uint32_t *owner;
    uint32_t owners;
    bool owner_events; /* with owners: count what each of them has carried (net_owner_events) */
    bool lossy; /* deflection only: a message that cannot enter in the cycle of its injection is lost */
    /* Of networks with some effects, and the ideal one: nobody asks for more than notices, and that all came out: no
     * digest, no latencies, no hops. */
    bool times_only;
    bool waits; /* count link_waits and the waits of journeys; without, only engines do to which it costs
                   nothing */
};

/* Of `cycles`, so many carry flits, over a narrow link each for as many as it takes; flits <= cycles: 1 of 1
 * where nothing keeps a link from being full all the time. */
struct net_share {
    uint64_t flits, cycles;
};
/* How well links can be used (doc/flit-engine.md, Buffers and latencies), or the one that can be used least, by
 * full packets, with buffers that
 * are emptied as fast as can be and all virtual channels. A place that a flit takes is seen as free again no
 * sooner than L + R + C - 1 cycles later; buffers that are too small for that leave links idle, whatever the
 * load. */
struct net_link_share {
    struct net_share most; /* by any packets: of those that go on along their ring, where links close rings */
    struct net_share entering; /* by packets that all enter a ring there, for which the bubble rule asks for
                                  the room of two; else as most */
    uint32_t buffer_flits;     /* what a buffer would have by default */
    bool limited; /* links cannot be full all the time, or buffers are smaller than by default, and either
                     share for it */
};
enum net_notice_kind {
    NET_SENT,     /* the message's last flit has left its injection queue */
    NET_LOST,     /* it could not enter in the cycle of its injection (net_options.lossy), and never will */
    NET_DELIVERED /* the message's last flit has been ejected at the target terminal */
};

/* What the last packet of a message met on its way. Its header waits for an output, or for the link behind
 * it, from the cycle in which it may first ask until it leaves; time behind other packets of its own injector
 * or buffer is no such wait. */
struct net_journey {
    uint32_t links;        /* crossed; of a packet that may be deflected, those of a shortest path */
    uint32_t worst_link;   /* that it waited for longest, or shared channel; NET_NONE: for none */
    uint32_t worst_cycles; /* for that one, UINT32_MAX at most; ejection channels are not counted */
};

struct net_notice {
    enum net_notice_kind kind;  /* sent, delivered or lost */
    uint32_t terminal;          /* where a copy of a multicast was delivered; NET_NONE in all other notices */
    uint64_t tag;               /* as given to net_network_inject or net_network_multicast */
    struct net_journey journey; /* NET_DELIVERED by an engine with link_waits; else zero */
};

/* A message on its way in. */
struct net_message {
    uint32_t source, target; /* terminals; equal is legal (through the router, 0 links) */
    uint64_t flits;          /* >= 1: split into packets of packet_flits, the last one shorter */
    uint64_t tag;            /* the caller's */
    bool notice_sent;        /* ask for a NET_SENT notice as well */
};

/* One message to many terminals: to all of the routers of a box, or to a list. The source gets no copy,
 * member or not; every other member gets exactly one, and one NET_DELIVERED notice with its terminal. It is
 * one message (one number, one NET_SENT), pending until the last copy is delivered; how its copies spread is
 * the network's matter (options, doc/shared-channels.md). */
struct net_multicast {
    uint32_t source;     /* terminal, inside the box or not */
    uint64_t flits, tag; /* as in net_message, of each copy */
    bool notice_sent;    /* when the last flit that the source sends itself has left its injection queue */
    const uint32_t *low, *high; /* [dimensions] corners of the box, both in it; NULL: all routers. On a torus
                                   high < low: round the end of the ring */
    const uint32_t *targets;    /* terminals, each once; NULL: the box */
    uint32_t target_count;
};

/* What faults cost (doc/faults.md, Data), up to the last cycle that was executed. */
struct net_fault_counts {
    uint64_t control_packets;
    uint64_t stopped_cycles;  /* of all routers together, of those that have gone on again */
    uint64_t stopped_routers; /* that have stopped at least once */
    uint64_t ring_packets;    /* that have entered a ring, once or more often */
    uint64_t ring_entries;    /* how often they did */
    uint64_t ring_links;      /* of rings, that packets were granted */
    uint64_t reinjected;      /* packets, as often as they were */
    uint64_t longer_packets;  /* delivered ones whose way was longer than the shortest */
    uint64_t longer_links;    /* by so many links in all */
};

/* From that cycle on, until the next step, so many routers grant no data. */
struct net_stop_step {
    uint64_t cycle;
    uint32_t routers;
};

struct net_stops {
    struct net_stop_step *steps; /* [count], cycles rise, and no two neighbours have equal numbers */
    size_t count;
};

/* What the messages of an owner's terminals did, for costs. */
struct net_owner_events {
    uint64_t packets;     /* delivered; each copy of a multicast has its own */
    uint64_t packet_hops; /* over links, or over buffer sets of shared channels, of these */
    uint64_t flit_hops;   /* of all that were carried so far */
    /* [link], of shared channels [router]: carried; bits over buses of stages count for the link beside */
    uint64_t *flits;
};

/* Counted exactly; the histogram holds every packet's latency. */
struct net_statistics {
    uint64_t messages, packets, flits; /* delivered; each copy of a multicast has its own packets and flits */
    uint64_t packet_hops, flit_hops;   /* over router-to-router links, of delivered packets */
    uint64_t latency_sum_cycles, latency_max_cycles; /* packet: injection of its message to tail ejected */
    const uint64_t *link_flits;                      /* [link]: flits carried so far; link_count entries */
    /* [link]: cycles that headers waited for it, counted when they left by it (struct net_journey); NULL: the
     * engine has no links, does not count that, or was not asked to (net_options.waits). */
    const uint64_t *link_waits;
    /* [router]: carried by a shared channel, and what headers waited for it, counted as for a link, but at
     * the last channel too, which ejects; NULL where there are none. There the links are buffer sets, for
     * which nobody waits (link_waits is NULL), and a journey names the channel that was waited for. */
    const uint64_t *channel_flits, *channel_waits;
    const uint64_t *ejected_flits, *injected_flits; /* [terminal] */
    /* [owner]: flits that its terminals sent over links with an end outside of its routers, at once for a
     * whole packet when its header goes. NULL where they are not counted: without owners, on the ideal
     * network, on simplified ones (net_effects). */
    const uint64_t *outside_flit_hops;
    /* Of each owner apart, with net_options.owner_events; else NULL, and where outside_flit_hops is. What they
     * carry is counted as those are. If all routers have owners, these add up to all that was counted. */
    const struct net_owner_events *owner_events; /* [owner] */
    /* [router]: flits that left it by a port that brought them no nearer. NULL: the engine deflects nothing. */
    const uint64_t *deflected_flits;
    uint64_t lost_messages; /* by lossy sources; each a flit */
    /* of messages that were not complete, held at a terminal at a time; 0: never any */
    uint64_t reassembly_packets_max;
    /* [link]: cycles in which it carried anything (over a link of width 1/W a flit takes W of them), and for each
     * terminal those of the links that it has alone; NULL: flits take a cycle each (net_link_use). */
    const uint64_t *link_cycles, *injected_cycles, *ejected_cycles;
    /* [bus]: bits beside those of the links; NULL: there are no buses (multistage.h) */
    const uint64_t *bus_flits;
    /* What faults cost; NULL: links do not fail, or not as fault routings see to it. */
    const struct net_fault_counts *faults;
    /* When routers stood for faults, as far as control has come; NULL: no link fails. */
    const struct net_stops *stops;
    uint64_t executed_cycles;  /* cycles in which something was decided (the others cost nothing) */
    struct base_digest digest; /* over (message number, packet number, delivery cycle) */
};

/* [link]: how long it was in use, of all cycles. */
static inline const uint64_t *net_link_use(const struct net_statistics *statistics)
{
    return statistics->link_cycles != NULL ? statistics->link_cycles : statistics->link_flits;
}

struct net_network;

/* Whether what such a network does may depend on options->seed, apart from its arbiter and its selection,
 * which say so themselves (choices.h). routing NULL: an ideal network. on_ladder: this network with any of
 * its effects (net_options.effects). Never false where another seed changes a cycle. */
bool net_network_draws(const struct net_routing *routing, const struct net_options *options, bool on_ladder);

/* The caller owns the network; topology and routing must outlive it (routing is NULL for an ideal topology).
 * NULL: impossible options (BASE_USAGE, one sentence naming the option and the least value that works),
 * memory. */
struct net_network *net_network_new(const struct net_topology *topology, const struct net_routing *routing,
                                    const struct net_options *options, struct base_error *error);
void net_network_free(struct net_network *network);
/* The options in force: with the defaults that it took in place of zeros. They are known to the network alone. */
const struct net_options *net_network_options(const struct net_network *network);
/* How well its links can be used. Ideal networks, and shared channels, which know no latencies, have 1 of 1. */
struct net_link_share net_link_share_of(const struct net_network *network);

/* Messages are numbered from 0 in the order of injection. cycle must not be before now. -1: memory. */
int net_network_inject(struct net_network *network, uint64_t cycle, const struct net_message *message,
                       struct base_error *error);
/* What can be multicast to. */
enum net_multicasts {
    NET_NO_MULTICASTS,
    NET_BOX_MULTICASTS, /* boxes; for collectives nothing else. Trees of shared channels take lists as well */
    NET_LIST_MULTICASTS /* boxes and lists; the ideal network has no coordinates, and lists only */
};
/* Whether such networks multicast under some options at least: deflecting networks and those of stages never do. */
bool net_multicasts_ever(const struct net_topology *topology, const struct net_routing *routing,
                         const struct net_options *options);
/* Known before a network is made. obstacle, unless NULL: why there are none, as "the network is no king
 * network". */
enum net_multicasts net_multicasts_of(const struct net_topology *topology, const struct net_routing *routing,
                                      const struct net_options *options, const char **obstacle);
/* Of a network that was made: the same, but that one with some effects only (options.effects) takes lists
 * where the network that it stands for takes any. */
enum net_multicasts net_network_multicasts(const struct net_network *network);
/* How many copies of it are to be delivered, or 0 when it goes to nobody (a caller may ask before it sends).
 */
uint64_t net_network_copies(const struct net_network *network, const struct net_multicast *multicast);
/* Numbered with the messages of net_network_inject. All arrays are copied. -1: memory; or BASE_USAGE: what
 * makes no sense (a box that is none, nobody to go to), and what this network cannot do: messages from
 * terminal to terminal over shared channels are for boxes only, and many networks do not multicast at all. */
int net_network_multicast(struct net_network *network, uint64_t cycle, const struct net_multicast *multicast,
                          struct base_error *error);
/* The first cycle that has not been executed. */
uint64_t net_network_now(const struct net_network *network);
/* Messages injected and neither delivered nor lost. */
uint64_t net_network_pending(const struct net_network *network);
/* 1: notices are due at now (<= limit); 0: now == limit, none due; -1: BASE_DEADLOCK (packets inside, nothing
 * can move: the text lists the cycle of packets, buffers and channels), or memory. limit UINT64_MAX runs
 * until all is delivered: then 0 is returned with now unchanged since the last event. */
int net_network_advance(struct net_network *network, uint64_t limit, struct base_error *error);
/* The notices due at now, valid until the next inject or advance; taking them does not remove them, advancing
 * does. */
const struct net_notice *net_network_notices(const struct net_network *network, size_t *count);

const struct net_statistics *net_network_statistics(const struct net_network *network);
/* Latency histogram: calls visit(latency_cycles, packets) in rising order of latency. */
int net_network_latencies(const struct net_network *network,
                          void (*visit)(void *context, uint64_t latency_cycles, uint64_t packets),
                          void *context, struct base_error *error);
/* The conservation laws: flits injected = ejected + inside, packets likewise, buffer counts consistent. -1
 * with a sentence when one is broken (our own bug). Cheap; run at the end of every replay. */
int net_network_check(const struct net_network *network, struct base_error *error);

#endif
