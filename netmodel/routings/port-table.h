/* Inside routings/: for every pair of a router and a destination the ports by which a packet may go on: a mask of 16
 * bits where these hold all ports of a router, else of as many words as it takes. */
#ifndef NET_PORT_TABLE_H
#define NET_PORT_TABLE_H

#include "netmodel/routing.h"

#define NET_PORT_TABLE_NARROW 16 /* ports */

struct net_port_table {
    uint32_t routers, words; /* words: of a mask */
    uint64_t *wide;          /* [(router * routers + destination) * words + word] */
    uint16_t *narrow;        /* [router * routers + destination]; one of the two is NULL */
};

static inline uint32_t net_port_table_words(const struct net_topology *topology)
{
    return topology->ports <= 64 ? 1 : (topology->ports + 63) / 64;
}

/* The bytes that a table takes. */
static inline uint64_t net_port_table_bytes(const struct net_topology *topology)
{
    uint64_t mask = topology->ports <= NET_PORT_TABLE_NARROW
                        ? sizeof(uint16_t)
                        : net_port_table_words(topology) * sizeof(uint64_t);
    return (uint64_t)topology->routers * topology->routers * mask;
}

/* A table without ports, in the arena. -1: memory. */
static inline int net_port_table_init(struct net_port_table *table, const struct net_topology *topology,
                                      struct base_arena *arena)
{
    size_t entries = (size_t)topology->routers * topology->routers;
    *table = (struct net_port_table){.routers = topology->routers, .words = net_port_table_words(topology)};
    if (topology->ports <= NET_PORT_TABLE_NARROW)
        table->narrow = base_arena_array(arena, entries, sizeof *table->narrow);
    else
        table->wide = base_arena_array(arena, entries * table->words, sizeof *table->wide);
    return table->narrow == NULL && table->wide == NULL ? -1 : 0;
}

/* Narrow tables have 16 bits an entry, one a port; wide ones as many words as the widest router needs. */
static inline void net_port_table_add(const struct net_port_table *table, uint32_t router,
                                      uint32_t destination, uint32_t port)
{
    size_t index = (size_t)router * table->routers + destination;
    if (table->narrow != NULL)
        table->narrow[index] = (uint16_t)(table->narrow[index] | 1U << port);
    else
        table->wide[index * table->words + port / 64] |= UINT64_C(1) << port % 64;
}

/* The ports of a pair, as the tier of a route. */
static inline void net_port_table_get(const struct net_port_table *table, uint32_t router,
                                      uint32_t destination, struct net_route *route, uint32_t tier)
{
    size_t index = (size_t)router * table->routers + destination;
    if (table->narrow != NULL) {
        route->ports[tier] = table->narrow[index];
        return;
    }
    const uint64_t *mask = &table->wide[index * table->words];
    route->ports[tier] = mask[0];
    for (uint32_t word = 1; table->words > 1 && word < NET_PORT_WORDS; word++)
        route->more[tier][word - 1] = word < table->words ? mask[word] : 0;
}

#endif
