/* Remembered ways: what a routing says about a header, once and for all.
 *
 * A routing whose route and step do not look at the router (net_routing.uniform) is a graph of headers:
 * each admits outputs, and by each port a step leads to another header. The engine numbers the headers as it
 * meets them and keeps their outputs and steps in a table, so that a packet-hop costs two loads instead of two
 * calls. A table that is full is no harm: headers beyond it travel as they are, with the number NET_WAY_RAW,
 * and the routing is asked. Results cannot depend on it.
 *
 *      way 7 │ outputs of tier 0, 1, 2 (masks of local numbers, 0: no more tiers) │ step by port 0, 1, … │ */
#ifndef NET_ENGINE_WAYS_H
#define NET_ENGINE_WAYS_H

#include "netmodel/routing.h"

#define NET_WAY_RAW UINT16_MAX          /* not remembered */
#define NET_WAY_UNKNOWN (UINT16_MAX - 1) /* a step not asked for yet */
#define NET_WAY_COPIES (UINT16_MAX - 2)  /* a packet of a multicast, which asks no routing */

struct net_way {
    uint64_t outputs[NET_TIERS_MAX]; /* all zero: the header has arrived */
    uint16_t step[];                 /* [ports], padded to 8 bytes */
};

struct net_ways {
    const struct net_routing *routing;
    char *table;       /* [capacity] of stride bytes */
    uint64_t *headers; /* [capacity] */
    uint16_t *places;  /* [2 * capacity], open addressing: header -> number */
    uint32_t count, capacity, limit;
};

static inline size_t net_way_stride(uint32_t ports)
{
    return sizeof(struct net_way) + ((size_t)ports * sizeof(uint16_t) + 7) / 8 * 8;
}

static inline struct net_way *net_way_at(const struct net_ways *ways, uint32_t way, uint32_t ports)
{
    return (struct net_way *)(void *)(ways->table + way * net_way_stride(ports));
}

/* limit: how many headers to remember at most; 0 for a routing that is not uniform. -1: memory. */
int net_ways_init(struct net_ways *ways, const struct net_routing *routing, uint32_t limit);
void net_ways_free(struct net_ways *ways);
/* The number of a header, NET_WAY_RAW when the table is full or may not grow. */
uint16_t net_ways_find(struct net_ways *ways, uint64_t header);
/* Fills the step of a way by a port, and returns it; NET_WAY_RAW when it finds no place. */
uint16_t net_ways_step(struct net_ways *ways, uint16_t way, uint32_t port);
/* The outputs of every tier of a header at a router, as net_way has them. */
void net_ways_outputs(const struct net_routing *routing, uint32_t router, uint64_t header,
                      uint64_t outputs[NET_TIERS_MAX]);

#endif
