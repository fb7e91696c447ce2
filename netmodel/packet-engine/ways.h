/* Remembered ways: what a routing says about a header, once and for all.
 *
 * A routing whose route and step do not look at the router (net_routing.uniform) is a graph of headers: each
 * admits outputs, and by each port a step leads to another header. The engine numbers the headers as it meets
 * them and keeps their outputs and steps in a table, so that a packet-hop costs two loads instead of two
 * calls. A table that is full is no harm: headers beyond it travel as they are, with the number NET_PACKET_WAY_RAW,
 * and the routing is asked. Results cannot depend on it. Packets that have the legs of their way with them
 * (routing.h) need no such table; there it remembers the legs that they start with.
 *
 *      way 7 │ outputs of all tiers, of tier 0, of tier 1 │ step by port 0, 1, … │ */
#ifndef NET_PACKET_ENGINE_WAYS_H
#define NET_PACKET_ENGINE_WAYS_H

#include "netmodel/routing.h"

#define NET_PACKET_WAY_RAW UINT16_MAX           /* not remembered */
#define NET_PACKET_WAY_UNKNOWN (UINT16_MAX - 1) /* a step not asked for yet */
#define NET_PACKET_WAY_COPIES (UINT16_MAX - 2)  /* a packet of a multicast, which asks no routing */
#define NET_PACKET_WAY_LEGS (UINT16_MAX - 3)    /* the packet has its legs with it (routing.h) */

/* What a header admits, as masks of local numbers: all tiers together, and the first two of at most three. An
 * output is in one tier only, or what matters is the first that has it. */
struct net_packet_outputs {
    uint64_t all, first, second; /* all zero: the header has arrived */
};

struct net_packet_way {
    struct net_packet_outputs outputs; /* of a header that goes this way */
    uint16_t step[];                   /* [ports], padded to 8 bytes */
};

/* The outputs of all tiers but the last, which of three is what the first two leave. */
static inline uint64_t net_packet_outputs_early(const struct net_packet_outputs *outputs)
{
    uint64_t third = outputs->all & ~outputs->first & ~outputs->second;
    uint64_t last = third != 0 ? third : outputs->second != 0 ? outputs->second : outputs->first;
    return outputs->all & ~last;
}

/* Where packets with a displacement start: nearly all have been made before. */
struct net_packet_start {
    uint16_t ways[4];  /* [variant] the way's number + 1; 0: not asked for yet */
    uint32_t variants; /* likewise */
};
#define NET_PACKET_START_VARIANTS 4

struct net_packet_ways {
    const struct net_routing *routing; /* that is asked for what is new */
    /* [router] whose differences tell displacements apart; NULL: too many, they are not kept */
    uint32_t *positions;
    struct net_packet_start *starts; /* [2 * farthest + 1] by the difference, from -farthest on */
    uint32_t farthest;
    char *table;       /* [capacity] of stride bytes */
    uint64_t *headers; /* [capacity] */
    uint64_t *early;   /* [capacity] the outputs of all tiers but the last; NULL: nobody asks */
    uint16_t *places;  /* [2 * capacity], open addressing: header -> number */
    uint32_t count, capacity, limit;
    bool legs; /* what is numbered are legs to start with: nothing else is kept of them */
    bool keeps_early;
};

static inline size_t net_packet_way_stride(uint32_t ports)
{
    return sizeof(struct net_packet_way) + ((size_t)ports * sizeof(uint16_t) + 7) / 8 * 8;
}

static inline struct net_packet_way *net_packet_way_at(const struct net_packet_ways *ways, uint32_t way,
                                                       uint32_t ports)
{
    return (struct net_packet_way *)(void *)(ways->table + way * net_packet_way_stride(ports));
}

/* limit: how many headers to remember at most; 0 for a routing that is not uniform. early: whether to keep what is not
 * of the last tier. -1: memory. */
int net_packet_ways_init(struct net_packet_ways *ways, const struct net_routing *routing, uint32_t limit,
                         bool legs, bool early);
void net_packet_ways_free(struct net_packet_ways *ways);
/* What is known of the displacement from router a to router b; NULL where nothing is kept. */
static inline struct net_packet_start *net_packet_ways_start(const struct net_packet_ways *ways, uint32_t a,
                                                             uint32_t b)
{
    return ways->positions == NULL ? NULL
                                   : &ways->starts[ways->farthest + ways->positions[b] - ways->positions[a]];
}

/* The number of a header, NET_PACKET_WAY_RAW when the table is full or may not grow. */
uint16_t net_packet_ways_find(struct net_packet_ways *ways, uint64_t header);
/* Fills the step of a way by a port, and returns it; NET_PACKET_WAY_RAW when it finds no place. */
uint16_t net_packet_ways_step(struct net_packet_ways *ways, uint16_t way, uint32_t port);
/* The outputs of a header at a router. */
struct net_packet_outputs net_packet_ways_outputs(const struct net_routing *routing, uint32_t router,
                                                  uint64_t header);

#endif
