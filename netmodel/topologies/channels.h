/* Channels, as users count and name them: what carries flits, one per cycle, and is waited for. These are the links,
 * or, where routers share channels, the shared channels. */
#ifndef NET_CHANNELS_H
#define NET_CHANNELS_H

#include "base/arena.h"
#include "netmodel/topology.h"

/* How many channels the topology has; they are numbered from 0, as links or shared channels are. */
uint32_t net_channel_count(const struct net_topology *topology);

#define NET_CHANNEL_TEXT 640 /* two names of routers, and words */
/* "(x,y) X+": the router that the link leaves, and the direction it goes; "(x,y)": the shared channel. Returns text. */
char *net_channel_text(const struct net_topology *topology, uint32_t channel, char text[NET_CHANNEL_TEXT]);
/* A copy of it in the arena, or NULL when memory is out. */
const char *net_channel_name(const struct net_topology *topology, struct base_arena *arena, uint32_t channel);

#endif
