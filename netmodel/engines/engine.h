/* An engine: what moves the packets of a network, behind network.h. One descriptor per engine in kinds.def; a network
 * is made by the first that serves its topology and options, so that adding an engine is its folder and a line there.
 *
 *      net_network_new     options ─► the engine that serves them ─► defaults ─► limits ─► build
 *      net_network_inject  checked and counted ─► inject
 *      net_network_advance advance, from one cycle with notices to the next; in between, who stands still is looked for
 *      net_network_free    what all engines have in common ─► free
 *
 * Whatever must be the same for all engines is done here once, so that no engine can differ in what it accepts, counts
 * or in which order it tells. Only netmodel/ includes this. */
#ifndef NET_NETWORK_INTERNAL_H
#define NET_NETWORK_INTERNAL_H

#include "base/table.h"
#include "netmodel/network.h"
#include "netmodel/engines/owners.h"
#include "netmodel/engines/standstill.h"

/* Latencies below this many cycles are counted in an array (whose untouched pages cost nothing), longer ones
 * in a hash table: exact in both. */
#define NET_LATENCY_DENSE (UINT32_C(1) << 20)
/* The array is larger than a cache, and latencies are scattered over it where links are loaded: so many are kept
 * before they are counted, all in a row, so that their lines are waited for side by side. */
#define NET_LATENCY_RECENT 64

struct net_latency_entry {
    uint64_t latency_cycles, packets; /* the latency, and how many packets had it */
};

struct net_latency_counter {
    uint64_t *dense;                     /* [NET_LATENCY_DENSE]: those that have been counted */
    uint32_t recent[NET_LATENCY_RECENT]; /* below NET_LATENCY_DENSE, to be counted */
    uint32_t kept;                       /* of recent */
    struct base_table rare;              /* (latency, 0) -> index into entries */
    struct net_latency_entry *entries;
    uint32_t count, capacity; /* of entries */
};

int net_latency_init(struct net_latency_counter *counter);
/* -1 when memory is out (only for a rare latency seen for the first time). */
int net_latency_add_rare(struct net_latency_counter *counter, uint64_t latency_cycles);
void net_latency_settle(struct net_latency_counter *counter); /* counts what is kept */
void net_latency_free(struct net_latency_counter *counter);

static inline int net_latency_add(struct net_latency_counter *counter, uint64_t latency_cycles)
{
    if (latency_cycles >= NET_LATENCY_DENSE)
        return net_latency_add_rare(counter, latency_cycles);
    counter->recent[counter->kept++] = (uint32_t)latency_cycles;
    if (counter->kept == NET_LATENCY_RECENT)
        net_latency_settle(counter);
    return 0;
}

struct
    net_numbered_notice { /* a notice and the message's number, by which the notices of a cycle are ordered */
    uint64_t number;
    struct net_notice notice;
};

/* Options by which a caller asks for something that an engine may not have. */
enum net_option {
    /* Of most engines: an engine names those that it refuses. */
    NET_OPTION_PACKET_FLITS = 1 << 0, /* other than 1 */
    NET_OPTION_VCS = 1 << 1,
    NET_OPTION_BUFFER_FLITS = 1 << 2,
    NET_OPTION_INJECTORS = 1 << 3,
    NET_OPTION_CONSUMERS = 1 << 4,
    NET_OPTION_FLOW_CONTROL = 1 << 5,
    NET_OPTION_MULTIPLEXING = 1 << 6,
    NET_OPTION_ARBITER = 1 << 7,
    NET_OPTION_LINK_CYCLES = 1 << 8,
    NET_OPTION_ROUTER_CYCLES = 1 << 9,
    NET_OPTION_CREDIT_CYCLES = 1 << 10,
    /* Of a few: an engine names those that it takes. */
    NET_OPTION_SELECTION = 1 << 16,
    NET_OPTION_STATUS_FLAGS = 1 << 17,
    NET_OPTION_EARLY_FREE = 1 << 18,
    NET_OPTION_ADMISSION = 1 << 19,
    NET_OPTION_MULTICAST = 1 << 21,
    NET_OPTION_LOSSY = 1 << 20
};

/* NULL where nothing else is said is no legal value. The options that its functions get have no zero left where a
 * default exists, but for those of `serves`. */
struct net_engine {
    const char *name, *summary; /* for messages; a line for lists */
    size_t size;                /* of its network, which begins with a struct net_network */

    /* ---- before a network is made ---- */

    /* Whether networks of that topology and routing (NULL: none) under these options, as they were asked for, are its
     * own. Of what it serves it
     * may still refuse some: build says which and why. */
    bool (*serves)(const struct net_topology *topology, const struct net_routing *routing,
                   const struct net_options *options);
    /* Gives options that are 0 defaults of its own, before those that most engines have. NULL: it has none. */
    void (*defaults)(const struct net_topology *topology, struct net_options *options);
    uint32_t packet_flits_max; /* 0: NET_PACKET_FLITS_MAX */
    uint32_t takes, refuses;   /* masks of enum net_option, of either part */
    const char *why;           /* of what it refuses: "an omega network has none". NULL: it refuses nothing */
    /* Of each virtual channel, by default. NULL: as net_link_buffers. */
    uint32_t (*buffer_flits)(const struct net_topology *topology, const struct net_options *options);
    /* How well its links can be used (net_link_share_of). NULL: buffers limit no link. */
    struct net_link_share (*link_share)(const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options);
    /* Whether another seed may change a cycle (net_network_draws). NULL: where its routing draws, and among several
     * ejection channels. The routing is not NULL. */
    bool (*draws)(const struct net_routing *routing, const struct net_options *options);
    /* What can be multicast to; where nothing can, *obstacle is set, a sentence without its end. NULL: nothing ever. */
    enum net_multicasts (*multicasts)(const struct net_topology *topology, const struct net_routing *routing,
                                      const struct net_options *options, const char **obstacle);

    /* ---- of a network ---- */

    /* From zeroed memory, in which the common head is filled, to a network at rest. -1: what it refuses (BASE_USAGE,
     * one sentence that names the option or size and what would work), memory. Then free is called, too. */
    int (*build)(struct net_network *network, struct base_error *error);
    /* A message that makes sense, not before now. It is number network->injected_messages. -1: memory. */
    int (*inject)(struct net_network *network, uint64_t cycle, const struct net_message *message,
                  struct base_error *error);
    /* As net_network_advance: stops before the first cycle at which a notice is due, or before `limit`. */
    int (*advance)(struct net_network *network, uint64_t limit, struct base_error *error);
    /* Brings the lazily kept arrays of network->statistics up to date. NULL: all are. */
    void (*collect)(struct net_network *network);
    /* The engine's own laws of conservation (net_network_check). */
    int (*check)(const struct net_network *network, struct base_error *error);
    /* Its own arrays, any of which may be missing; the network itself is freed by the caller. */
    void (*free)(struct net_network *network);
    const struct net_standstill_view *view; /* NULL: its packets never wait for each other */
    /* A multicast that makes sense and goes to somebody; may still be refused (BASE_USAGE). NULL: all are. */
    int (*multicast)(struct net_network *network, uint64_t cycle, const struct net_multicast *multicast,
                     struct base_error *error);
};

#define NET_ENGINE(descriptor) extern const struct net_engine descriptor;
#include "netmodel/engines/kinds.def"
#undef NET_ENGINE

/* The engine that serves networks of that topology under these options, as they were asked for; NULL: none does. */
const struct net_engine *net_engine_for(const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options);
/* A network of fewer routers is run by one thread, whatever is asked for: a cycle of it is over before another thread
 * has heard of it. */
#define NET_THREADS_ROUTERS 2048
/* As net_network_new, on an engine of the caller's choice: to compare two that serve the same. On as many threads as
 * are asked for, however small the network. */
struct net_network *net_network_new_on(const struct net_engine *engine, const struct net_topology *topology,
                                       const struct net_routing *routing, const struct net_options *options,
                                       struct base_error *error);

/* The options with the defaults of an engine in place of zeros. routing: NULL for the ideal network. */
struct net_options net_options_in_force(const struct net_engine *engine, const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options);
/* Every option that sizes a field of an engine against its limit, and those that it does not have. -1: a sentence that
 * names the option. What a buffer must hold is the engine's own matter. asked: as they were before defaults. */
int net_options_check(const struct net_engine *engine, const struct net_topology *topology,
                      const struct net_routing *routing, const struct net_options *asked,
                      const struct net_options *options, struct base_error *error);
/* Two packets, for the bubble rule, and as many places more as are on their way while one comes back. */
uint32_t net_link_buffers(const struct net_topology *topology, const struct net_options *options);
/* The share of a link under rules 5, 6 and 8 of doc/flit-engine.md. */
struct net_link_share net_link_share_by_rules(const struct net_topology *topology,
                                              const struct net_routing *routing,
                                              const struct net_options *options);
/* Whether a routing may draw (a routing that does not say may). */
bool net_routing_draws(const struct net_routing *routing);

/* The common head of every engine's network. */
struct net_network {
    const struct net_engine *engine;     /* set before anything can fail */
    const struct net_topology *topology; /* borrowed; outlives the network */
    const struct net_routing *routing;   /* likewise; NULL on the ideal network */
    struct net_options options;          /* no zero left where a default exists */
    uint64_t now;
    uint64_t injected_messages, injected_packets, injected_flits; /* for conservation */
    const char *no_multicast; /* why it has none, or NULL; known once it is asked for */
    bool multicast_known;
    struct net_owners owners; /* counted by the engine for each packet, if there are any */
    uint64_t *link_flits, *link_waits, *terminal_flits; /* arrays of the statistics: net_network_count */
    uint64_t *link_use; /* of link_flits where some links are narrow; filled when statistics are asked for */
    struct net_statistics statistics;
    struct net_latency_counter latency; /* of every packet that was delivered */
    struct {
        uint64_t next_cycle, interval; /* when it is looked for stuck packets, and how often */
        uint64_t executed;             /* cycles, until it was looked for them last */
        uint64_t *stuck;               /* masks of drivers, some words a router, for that search */
        struct net_suspect *suspects;  /* found, and to be found again; NULL: none */
        uint32_t count;
    } standstill;
    struct net_numbered_notice *noticed; /* in the order found; sorted into notices before they are shown */
    struct net_notice *notices;
    uint64_t *notice_order; /* [2 * notice_capacity] */
    size_t notice_count, notice_capacity;
    uint64_t notice_last; /* key of the last of this cycle */
    bool notice_copies;   /* some of this cycle are of a multicast's copies */
    bool notices_mixed;   /* not in their order */
};

/* The arrays of its statistics that an engine fills, zeroed: flits by terminal, injected in the first half and ejected
 * in the second, and what is asked for. They are freed with the network. -1: memory. */
enum net_counts { NET_COUNT_LINKS = 1, NET_COUNT_WAITS = 2, NET_COUNT_OUTSIDE = 4 };
int net_network_count(struct net_network *network, unsigned counts);

/* What net_link_crossing says of the link at each port, [router * ports + port], where links have latencies of their
 * own, else NULL: by the port that it leaves, or at_target by the input that it arrives at. The caller frees it, also
 * after a failure. -1: memory. */
int net_network_crossings(const struct net_network *network, bool at_target, uint16_t **crossings);

/* What an output or an injector has counted since the beginning. */
struct net_counted {
    uint64_t flits, waits; /* waits: cycles that heads have waited for it, where somebody wants to know */
};

/* How an engine of links counts: where its cycle is anyway, by the local numbers of doc/flit-engine.md. Virtual channel
 * v of port p is output p * V + v, and ejection channels stand behind those; so do injectors among drivers. */
struct net_counters {
    struct net_counted (*output)(const struct net_network *network, uint32_t router, uint32_t local);
    struct net_counted (*injector)(const struct net_network *network, uint32_t router, uint32_t local);
};

/* For an engine's `collect`: the sums by link and by terminal that reports want, in place of the last ones. */
void net_network_collect(struct net_network *network, const struct net_counters *counters);

/* For an engine's `check`: packets injected = delivered or lost + inside + not made yet; copies of multicasts count one
 * each. */
int net_network_conserves(const struct net_network *network, uint64_t inside, uint64_t to_make,
                          struct base_error *error);

/* The link that a packet waited longest for, so far, and how long. */
static inline void net_journey_add(uint32_t *worst_link, uint32_t *worst_cycles, uint32_t link,
                                   uint64_t cycles)
{
    if (cycles <= *worst_cycles)
        return;
    *worst_cycles = cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
    *worst_link = link;
}

/* The order of the notices of a cycle in a number, where there are no copies: then no two have the same. */
static inline uint64_t net_notice_key(uint64_t number, enum net_notice_kind kind)
{
    return number << 1 | (kind == NET_DELIVERED);
}

/* Room for more notices. -1: memory; then all is as it was. */
int net_network_grow_notices(struct net_network *network);
/* Adds a notice for message `number`, in any order within a cycle. -1 when memory is out. */
static inline int net_network_add_notice(struct net_network *network, uint64_t number,
                                         const struct net_notice *notice)
{
    if (network->notice_count == network->notice_capacity && net_network_grow_notices(network) < 0)
        return -1;
    uint64_t key = net_notice_key(number, notice->kind);
    network->notices_mixed |= network->notice_count != 0 && key < network->notice_last;
    network->notice_last = key;
    network->noticed[network->notice_count++] = (struct net_numbered_notice){number, *notice};
    return 0;
}
/* The same for what is known of a message as a whole. */
int net_network_notice(struct net_network *network, uint64_t number, enum net_notice_kind kind, uint64_t tag);
/* The same for a delivered message of whose last packet is known what it met. */
int net_network_notice_journey(struct net_network *network, uint64_t number, uint64_t tag,
                               const struct net_journey *journey);
/* The same for the copy of a multicast that was delivered at a terminal. */
int net_network_notice_copy(struct net_network *network, uint64_t number, uint32_t terminal, uint64_t tag);
/* What a caller may not ask of any engine: a list of targets that are terminals, or a box. The source is checked with
 * the message. */
int net_multicast_check(struct net_network *network, const struct net_multicast *multicast,
                        struct base_error *error);
/* Who is to have a copy: members has an entry for each terminal. */
void net_multicast_members(const struct net_topology *topology, const struct net_multicast *multicast,
                           bool *members);
/* Where flits of several packets may take turns on a link, or stall: nothing can be multicast to, and why (a
 * `multicasts` of engines). */
enum net_multicasts net_multicasts_by_flits(const struct net_topology *topology,
                                            const struct net_routing *routing,
                                            const struct net_options *options, const char **obstacle);
/* Orders the notices of this cycle by message number, then kind, then terminal. */
void net_network_sort_notices(struct net_network *network);
/* The packets a message of that many flits is cut into. Most are one, which takes no division. */
static inline uint64_t net_network_packets(const struct net_network *network, uint64_t flits)
{
    uint32_t most = network->options.packet_flits;
    return flits <= most ? 1 : (flits - 1) / most + 1;
}

/* What an engine of flits does before its next cycle (UINT64_MAX: none): goes on to it, up to the limit; stands
 * still, since packets are left and nothing is to come; or what net_network_advance returns. */
enum { NET_GOES_ON = 2, NET_STANDS_STILL = 3 };

static inline int net_network_before_cycle(struct net_network *network, bool out_of_memory, uint64_t next,
                                           uint64_t limit, struct base_error *error)
{
    if (out_of_memory)
        return base_error_memory(error, "the network's packets");
    if (network->notice_count != 0)
        return 1;
    if (network->now < limit && next == UINT64_MAX && net_network_pending(network) != 0)
        return NET_STANDS_STILL;
    if (next < limit) {
        network->now = next;
        return NET_GOES_ON;
    }
    if (limit != UINT64_MAX)
        network->now = limit;
    return 0;
}

/* The same, which tells what stands still and who waits for whom: of an engine that has nothing of its own to say. */
static inline int net_network_go_on(struct net_network *network, bool out_of_memory, uint64_t next,
                                    uint64_t limit, struct base_error *error)
{
    int before = net_network_before_cycle(network, out_of_memory, next, limit, error);
    return before == NET_STANDS_STILL ? net_standstill_report(network, error) : before;
}

#endif
