/* The dragonfly (J. Kim, W. J. Dally, S. Scott and D. Abts, Technology-driven, highly-scalable dragonfly
 * topology, ISCA 2008): groups of A routers that are linked each to each, P terminals and H global links a
 * router, and one global link each way between any two of the G groups, of which there are A x H + 1 at most.
 *
 * Global link k of router i is link x = i x H + k of its group, and leads
 *
 *      palmtree    from group g to group g - x - 1 (mod G), whose link G - x - 2 leads back
 *      absolute    from group g to group x where x < g, else to x + 1; back by that group's link g or g - 1
 *
 * Links that would lead to a group that is not there are absent. Router i of group g has number g x A + i,
 * and ports `local 0` … to the routers i + 1, i + 2 … of its group (mod A), then `global 0` …. */
#ifndef NET_DRAGONFLY_H
#define NET_DRAGONFLY_H

#include "netmodel/topology.h"

struct net_dragonfly {
    uint32_t routers; /* of a group: A */
    uint32_t globals; /* of a router: H */
    uint32_t groups;
    bool absolute; /* else palmtree */
};

extern const struct net_routing_kind net_routing_minimal_dragonfly;

/* NULL: it is no dragonfly. */
const struct net_dragonfly *net_dragonfly_of(const struct net_topology *topology);
/* The link of group `from` that leads to group `to`, another one: link x is number x % H of router x / H. */
static inline uint32_t net_dragonfly_link(const struct net_dragonfly *dragonfly, uint32_t from, uint32_t to)
{
    if (dragonfly->absolute)
        return to < from ? to : to - 1;
    return (from < to ? from + dragonfly->groups - to : from - to) - 1;
}
/* The router of group `from` whose link leads to group `to`, and the name of that port. */
static inline uint32_t net_dragonfly_gateway(const struct net_dragonfly *dragonfly, uint32_t from,
                                             uint32_t to)
{
    return from * dragonfly->routers + net_dragonfly_link(dragonfly, from, to) / dragonfly->globals;
}
static inline uint32_t net_dragonfly_global(const struct net_dragonfly *dragonfly, uint32_t from, uint32_t to)
{
    return dragonfly->routers - 1 + net_dragonfly_link(dragonfly, from, to) % dragonfly->globals;
}
/* The name of the port from a router to another one of its group. */
static inline uint32_t net_dragonfly_local(const struct net_dragonfly *dragonfly, uint32_t from, uint32_t to)
{
    return (from < to ? to - from : to + dragonfly->routers - from) - 1;
}

#endif
