/* Who waits for whom: a graph by its lists of successors, and its shortest circle. The static check asks it
 * about channels, a network that stands still about headers. */
#ifndef NET_WAITS_H
#define NET_WAITS_H

#include <stdint.h>

#include "base/error.h"

/* group[v] is one vertex of the ring that v is contracted with, and next[v] the next vertex of that ring; v
 * itself for both where it is alone. */
struct net_waits {
    uint32_t vertices; /* numbered from 0 */
    uint32_t most;     /* successors of a vertex */
    /* Fills list with the successors of a vertex; returns their number. */
    uint32_t (*successors)(const void *context, uint32_t vertex, uint32_t *list);
    uint32_t starts;     /* through so many circles are looked for, since others are like them; 0: all */
    const void *context; /* handed to successors */
    const uint32_t *group, *next; /* [vertex]; see above */
};

/* Looks for the shortest circle that does not lie within one group: 0 when there is none, else its length
 * with its vertices in *cycle (the caller frees them). -1: memory. */
int64_t net_waits_circle(const struct net_waits *waits, uint32_t **cycle, struct base_error *error);

#endif
