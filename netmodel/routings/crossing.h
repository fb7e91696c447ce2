/* What a way over links of their own (rule 12 of doc/flit-engine.md) takes in an empty network. */
#ifndef NET_CROSSING_H
#define NET_CROSSING_H

#include "netmodel/routing.h"

struct net_way_crossing {
    uint32_t links;
    uint64_t cycles; /* of a header, over its links alone: L + W - 1 of each */
    uint32_t width;  /* W of the narrowest; 1 where there are no links */
};

/* The way of the first variant from router a to router b, by the lowest port of each first tier. link_cycles: of the
 * network's options, in force. */
struct net_way_crossing net_routing_crossing(const struct net_routing *routing, uint32_t a, uint32_t b,
                                             uint32_t link_cycles);

#endif
