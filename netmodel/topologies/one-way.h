/* Networks whose links go one way, as many into each router as out of it: the D-ARM, the Manhattan Street
 * Network and the ShuffleNet (L. L. Ling, A. J. Centeno Filho, D-ARM: a new proposal for multi-dimensional
 * interconnection networks; doc/networks.md, One-way networks). Their packets are deflected, so that of
 * every two routers it must be known at once how far apart they are and which ports bring one nearer.
 *
 * Most of them look alike from every router: a map takes any router to router 0 and keeps port numbers.
 * Then what counts is a packet's *state*, the place that its target has under the map of the router where
 * it is: there are as many states as routers, and a step through a port leads from state to state,
 * wherever the packet is. A D-ARM with an odd side has no such map: its states are the pairs of a router
 * and a target. */
#ifndef NET_ONE_WAY_H
#define NET_ONE_WAY_H

#include "netmodel/topology.h"

#define NET_ONE_WAY_PORTS_MAX 8            /* ports fit a byte's mask */
#define NET_ONE_WAY_PAIRS_ROUTERS_MAX 1024 /* of networks that keep the state of every pair: 4 MiB */

struct net_one_way {
    uint32_t states; /* routers; or routers * routers, where next is NULL */
    uint32_t ports, routers;
    const uint8_t *distance; /* [state] links to the target */
    const uint8_t *good;     /* [state] mask of the ports on shortest paths; 0: the target is reached */
    /* [state * ports + port] the state behind it, and its good ports as the lowest byte (net_one_way_place); NULL:
     * states are router * routers + target. */
    const uint32_t *next;
    /* Hops that a bad one adds to a way, the least and the most; 0 where no port is ever bad. */
    uint32_t cost_min, cost_max;
    uint32_t diameter;   /* in links */
    uint32_t dimensions; /* of a D-ARM; else 0 */
    uint32_t sides[NET_ONE_WAY_PORTS_MAX];
    const uint32_t *pairs; /* [router * routers + target] state; NULL: too many, or they are the states */
    /* The place of a router under the map that takes `from` to router 0; NULL: there is none. */
    uint32_t (*place)(const struct net_one_way *one_way, uint32_t from, uint32_t router);
};

/* Makes the tables of a topology whose links are made: all ports of all routers lead somewhere. one_way
 * has dimensions, sides and place. -1: BASE_USAGE (too many routers for pairs, or a distance beyond a
 * byte), memory. */
int net_one_way_build(struct net_topology *topology, const struct net_one_way *one_way,
                      struct base_error *error);

/* The state of a packet at a router that is for another one. */
static inline uint32_t net_one_way_state(const struct net_one_way *one_way, uint32_t router, uint32_t target)
{
    uint32_t pair = router * one_way->routers + target;
    if (one_way->pairs != NULL)
        return one_way->pairs[pair];
    return one_way->place != NULL ? one_way->place(one_way, router, target) : pair;
}

/* A state with its good ports: states are below 2^24. */
static inline uint32_t net_one_way_place(const struct net_one_way *one_way, uint32_t state)
{
    return state << 8 | one_way->good[state];
}

/* Behind a port that leads from router `from` to router `to`. */
static inline uint32_t net_one_way_step(const struct net_one_way *one_way, uint32_t state, uint32_t port,
                                        uint32_t from, uint32_t to)
{
    if (one_way->next != NULL)
        return one_way->next[(size_t)state * one_way->ports + port] >> 8;
    return state + (to - from) * one_way->routers;
}

/* Functions of their descriptors (struct net_topology_kind). */
uint32_t net_one_way_distance(const struct net_topology *topology, uint32_t a, uint32_t b);
uint32_t net_one_way_diameter(const struct net_topology *topology);
void net_one_way_histogram(const struct net_topology *topology, uint64_t *pairs);

/* The D-ARM and its family name for two dimensions (darm.c). */
int net_darm_build(struct net_topology *topology, const struct net_specification *specification,
                   uint32_t dimensions_max, struct base_error *error);
const char *net_darm_port_name(const struct net_topology *topology, uint32_t port);
bool net_darm_place(const struct net_topology *topology, uint32_t router, double place[2]);
bool net_darm_lay(const struct net_topology *topology, uint32_t router, double place[2]);
int net_darm_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                       struct base_error *error);

#endif
