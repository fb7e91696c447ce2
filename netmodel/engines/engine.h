/* What the engines share behind network.h: the table of an engine's functions, the options after defaults,
 * notices and the latency counter. Only netmodel/ includes this. */
#ifndef NET_NETWORK_INTERNAL_H
#define NET_NETWORK_INTERNAL_H

#include "base/table.h"
#include "netmodel/network.h"
#include "netmodel/engines/standstill.h"

/* Latencies below this many cycles are counted in an array (whose untouched pages cost nothing), longer ones
 * in a hash table: exact in both. */
#define NET_LATENCY_DENSE (UINT32_C(1) << 20)

struct net_latency_entry {
    uint64_t latency_cycles, packets;
};

struct net_latency_counter {
    uint64_t *dense;        /* [NET_LATENCY_DENSE] */
    struct base_table rare; /* (latency, 0) -> index into entries */
    struct net_latency_entry *entries;
    uint32_t count, capacity;
};

int net_latency_init(struct net_latency_counter *counter);
/* -1 when memory is out (only for a rare latency seen for the first time). */
int net_latency_add_rare(struct net_latency_counter *counter, uint64_t latency_cycles);
void net_latency_free(struct net_latency_counter *counter);

static inline int net_latency_add(struct net_latency_counter *counter, uint64_t latency_cycles)
{
    if (latency_cycles >= NET_LATENCY_DENSE)
        return net_latency_add_rare(counter, latency_cycles);
    counter->dense[latency_cycles]++;
    return 0;
}

struct net_noticed { /* a notice and the message's number, by which the notices of a cycle are ordered */
    uint64_t number;
    struct net_notice notice;
};

struct net_engine {
    int (*inject)(struct net_network *network, uint64_t cycle, const struct net_message *message,
                  struct base_error *error);
    int (*advance)(struct net_network *network, uint64_t limit, struct base_error *error);
    /* Brings the lazily kept arrays of network->statistics up to date. */
    void (*collect)(struct net_network *network);
    int (*check)(const struct net_network *network, struct base_error *error);
    void (*free)(struct net_network *network);
    const struct net_standstill_view *view; /* NULL: its packets never wait for each other */
    /* A multicast that makes sense and goes to somebody; may still be refused (BASE_USAGE). NULL: all are. */
    int (*multicast)(struct net_network *network, uint64_t cycle, const struct net_multicast *multicast,
                     struct base_error *error);
};

/* The common head of every engine's network. */
struct net_network {
    const struct net_engine *engine;
    const struct net_topology *topology;
    const struct net_routing *routing;
    struct net_options options; /* no zero left where a default exists */
    uint64_t now;
    uint64_t injected_messages, injected_packets, injected_flits;
    const char *no_multicast; /* why it has none, or NULL; known once it is asked for */
    bool multicast_known;
    uint64_t *outside; /* [owner]: see outside_flit_hops; NULL without owners */
    struct net_statistics statistics;
    struct net_latency_counter latency;
    struct {
        uint64_t next_cycle, interval; /* when it is looked for stuck packets, and how often */
        uint64_t executed;             /* cycles, until it was looked for them last */
        uint64_t *stuck;               /* [router] mask of drivers, for that search */
        struct net_suspect *suspects;  /* found, and to be found again; NULL: none */
        uint32_t count;
    } standstill;
    struct net_noticed *noticed; /* in the order found; sorted into notices before they are shown */
    struct net_notice *notices;
    uint64_t *notice_order; /* [2 * notice_capacity] */
    size_t notice_count, notice_capacity;
    bool notice_copies; /* some of this cycle are of a multicast's copies */
};

/* The link that a packet waited longest for, so far, and how long. */
static inline void net_journey_add(uint32_t *worst_link, uint32_t *worst_cycles, uint32_t link,
                                   uint64_t cycles)
{
    if (cycles <= *worst_cycles)
        return;
    *worst_cycles = cycles < UINT32_MAX ? (uint32_t)cycles : UINT32_MAX;
    *worst_link = link;
}

/* A packet from that terminal goes over the link from one router to another: counted when the link is not its
 * owner's. Only with owners. Parts of a network on several threads count at the same time; a sum does not mind. */
void net_network_crosses(const struct net_network *network, uint32_t terminal, uint32_t from, uint32_t to,
                         uint32_t flits);
/* Adds a notice for message `number`. -1 when memory is out. */
int net_network_notice(struct net_network *network, uint64_t number, enum net_notice_kind kind, uint64_t tag);
/* The same for a delivered message of whose last packet is known what it met. */
int net_network_notice_journey(struct net_network *network, uint64_t number, uint64_t tag,
                               const struct net_journey *journey);
/* The same for the copy of a multicast that was delivered at a terminal. */
int net_network_notice_copy(struct net_network *network, uint64_t number, uint32_t terminal, uint64_t tag);
/* Who is to have a copy: members has an entry for each terminal. */
void net_multicast_members(const struct net_topology *topology, const struct net_multicast *multicast,
                           bool *members);
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

struct net_network *net_ideal_new(const struct net_topology *topology, const struct net_options *options,
                                  struct base_error *error);
/* For every options->effects but NET_ALL_EFFECTS. */
struct net_network *net_effects_new(const struct net_topology *topology, const struct net_routing *routing,
                                    const struct net_options *options, struct base_error *error);
struct net_network *net_packet_engine_new(const struct net_topology *topology,
                                          const struct net_routing *routing,
                                          const struct net_options *options, struct base_error *error);
/* Serves every flow control and option, one flit at a time. */
struct net_network *net_flit_engine_new(const struct net_topology *topology,
                                        const struct net_routing *routing, const struct net_options *options,
                                        struct base_error *error);
/* For topologies of shared channels. */
struct net_network *net_shared_new(const struct net_topology *topology, const struct net_routing *routing,
                                   const struct net_options *options, struct base_error *error);
/* Why that network has no multicast to boxes, as a sentence without its end; NULL: it has. */
const char *net_shared_obstacle(const struct net_topology *topology, const struct net_options *options);
/* Fills the common head. The engine's own free is called by net_network_free, also after a failed _new. */
int net_network_init(struct net_network *network, const struct net_engine *engine,
                     const struct net_topology *topology, const struct net_routing *routing,
                     const struct net_options *options, struct base_error *error);

#endif
