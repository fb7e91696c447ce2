/* What a file says of a network besides its links: names, places, declared routes and their order. The format
 * (doc/networks.md, Networks of one's own), a line a statement, fields separated by blanks, # a comment:
 *
 *      flitreplay-graph 1                    the first statement
 *      router NAME [terminals=N] [at=X,Y]    N terminals (0), the same number wherever there are any
 *      link A B [rank=N] [back=N] [WHAT]     a channel each way, with their places in the order of channels
 *      arc A B [rank=N] [WHAT]               one channel; WHAT: latency=L width=1/W class=NAME length=N
 *      route A B C/1 D                       a way from A to D; /1: on virtual channel 1 (0) to C
 *
 * Routers with terminals come first, in the order of the file, then those without: so that terminal t is at
 * router t / concentration, as everywhere. */
#ifndef NET_GRAPH_H
#define NET_GRAPH_H

#include "netmodel/routing.h"

/* A hop of a route: a link, on a virtual channel. */
struct net_graph_hop {
    uint32_t link, virtual_channel; /* the channel that a route takes next */
};

struct net_graph_route {
    uint32_t source, target; /* routers */
    uint32_t first, count;   /* of its hops */
    uint32_t line;           /* in the file */
};

struct net_graph {
    const char *file;          /* its path */
    const char *const *names;  /* [router] */
    const double (*places)[2]; /* [router]: x and y; NULL when not all routers have one */
    const uint32_t *ranks;     /* [link]: its place in the order of channels, NET_NONE: none declared */
    bool ranked;               /* some link has one */
    uint32_t terminal_routers; /* the first so many have terminals */
    uint32_t route_count;      /* sorted by source, then target, then line */
    const struct net_graph_route *routes;
    const struct net_graph_hop *hops;
    uint32_t virtual_channels; /* that the routes name: the largest and one; at least 1 */
};

#define NET_GRAPH_CHANNELS_MAX NET_VIRTUAL_CHANNELS_MAX /* virtual channels that a route may name */

/* The router of that name, or NET_NONE. */
uint32_t net_graph_router(const struct net_topology *topology, const char *name);
/* Numbers the links so that those out of one router differ, and those into one router (topology.h): as few
 * numbers as the widest router has links out or in (König). ports[i] gets that of the link from ends[i][0] to
 * ends[i][1]. Returns how many numbers there are; 0 when memory is out. */
uint32_t net_graph_number_ports(uint32_t routers, uint32_t links, uint32_t (*ends)[2], uint32_t *ports);

#endif
