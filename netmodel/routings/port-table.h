/* Inside routings/: for every pair of a router and a destination the ports by which a packet may go on: a word for
 * each, of 16 bits where these hold all ports of a router. */
#ifndef NET_PORT_TABLE_H
#define NET_PORT_TABLE_H

#include "netmodel/topology.h"

#define NET_PORT_TABLE_NARROW 16 /* ports */

struct net_port_table {
    uint32_t routers;
    uint64_t *wide;   /* [router * routers + destination] */
    uint16_t *narrow; /* the same; one of the two is NULL */
};

/* The bytes that a table takes. */
static inline uint64_t net_port_table_bytes(const struct net_topology *topology)
{
    return (uint64_t)topology->routers * topology->routers *
           (topology->ports <= NET_PORT_TABLE_NARROW ? sizeof(uint16_t) : sizeof(uint64_t));
}

/* A table without ports, in the arena. -1: memory. */
static inline int net_port_table_init(struct net_port_table *table, const struct net_topology *topology,
                                      struct base_arena *arena)
{
    size_t entries = (size_t)topology->routers * topology->routers;
    *table = (struct net_port_table){.routers = topology->routers};
    if (topology->ports <= NET_PORT_TABLE_NARROW)
        table->narrow = base_arena_array(arena, entries, sizeof *table->narrow);
    else
        table->wide = base_arena_array(arena, entries, sizeof *table->wide);
    return table->narrow == NULL && table->wide == NULL ? -1 : 0;
}

static inline void net_port_table_set(const struct net_port_table *table, uint32_t router,
                                      uint32_t destination, uint64_t ports)
{
    size_t index = (size_t)router * table->routers + destination;
    if (table->narrow != NULL)
        table->narrow[index] = (uint16_t)ports;
    else
        table->wide[index] = ports;
}

static inline uint64_t net_port_table_get(const struct net_port_table *table, uint32_t router,
                                          uint32_t destination)
{
    size_t index = (size_t)router * table->routers + destination;
    return table->narrow != NULL ? table->narrow[index] : table->wide[index];
}

#endif
