/* Cables: a network's links in pairs, one link each way between the same two routers. A cable fails as a whole (the
 * king thesis, section 3.4: links fail, in both directions at once), so faults are of cables, while all that is counted
 * or granted stays a directed link.
 *
 *      a ──── link ────► b        of a grid: link leaves by X+, back by X-
 *      a ◄─── back ───── b        elsewhere: of parallel links in the order of their ports, the first to the first … */
#ifndef NET_CABLES_H
#define NET_CABLES_H

#include "netmodel/topology.h"

struct net_cables {
    uint32_t count;
    uint32_t *link; /* [cable]: its link of the lower number, rising */
    uint32_t *back; /* [link]: the link of its cable the other way */
    struct base_arena arena;
};

/* -1: BASE_USAGE, a network that is not made of cables (shared channels, one-way links, stages, none at all: the
 * sentence says which), or memory. Free in either case. */
int net_cables_init(struct net_cables *cables, const struct net_topology *topology, struct base_error *error);
void net_cables_free(struct net_cables *cables);

#endif
