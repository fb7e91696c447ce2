/* The box of a multicast over shared channels, and how the message spreads in it: shared by
 * multicast.c (where it begins and ends) and spread.c (what a terminal passes on). */
#ifndef NET_SHARED_SPREAD_H
#define NET_SHARED_SPREAD_H

#include "netmodel/shared-engine/internal.h"

/* ---- the box ---- */

static inline uint32_t *low_of(const struct net_shared_engine *engine, uint32_t multicast)
{
    return engine->boxes + (size_t)multicast * 2 * engine->dimensions;
}

static inline uint32_t *high_of(const struct net_shared_engine *engine, uint32_t multicast)
{
    return low_of(engine, multicast) + engine->dimensions;
}

static inline const uint32_t *place_of(const struct net_shared_engine *engine, uint32_t channel)
{
    return engine->coordinates + (size_t)channel * engine->dimensions;
}

/* Channels of the box in a dimension; on a torus it may go round the end of the ring. */
static inline uint32_t extent_of(const struct net_shared_engine *engine, uint32_t multicast, uint32_t d)
{
    uint32_t side = engine->network.topology->grid->sides[d];
    return (high_of(engine, multicast)[d] + side - low_of(engine, multicast)[d]) % side + 1;
}

/* How far behind the first channel of the box a coordinate is. */
static inline uint32_t within_box(const struct net_shared_engine *engine, uint32_t multicast, uint32_t d,
                                  uint32_t coordinate)
{
    uint32_t side = engine->network.topology->grid->sides[d];
    return (coordinate + side - low_of(engine, multicast)[d]) % side;
}

/* The number of the channel at these coordinates, the first of which runs fastest. */
static inline uint32_t channel_at(const struct net_shared_engine *engine, const uint32_t *place)
{
    uint32_t channel = 0;
    for (uint32_t d = engine->dimensions; d-- > 0;)
        channel = channel * engine->network.topology->grid->sides[d] + place[d];
    return channel;
}

/* ---- how it spreads ---- */

/* Whether a packet forks within the network, rather than messages from terminal to terminal. */
static inline bool net_shared_spreads_within(const struct net_options *options)
{
    return options->spreading != NET_MST_UNICAST && options->spreading != NET_RECURSIVE_DOUBLING;
}

/* A message of the multicast from one terminal to another, or with target NET_NONE a tree. `port`: by which
 * the message has come along the tree of MST-unicast (NET_SHARED_NO_PORT: by none). Memory that lacks is
 * noted in the engine. */
void net_shared_send_part(struct net_shared_engine *engine, uint32_t multicast, uint32_t source,
                          uint32_t target, uint32_t port);
/* All that a terminal sends that has the message. Returns the messages, or for a tree its packets. */
uint32_t net_shared_spread(struct net_shared_engine *engine, uint32_t multicast, uint32_t terminal,
                           uint32_t port);

#endif
