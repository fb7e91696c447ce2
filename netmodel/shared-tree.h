/* The tree of shortest ways over shared channels: from one channel to every member, each way in the order of
 * dimensions, on rings the shorter direction (the positive one where both are equal). Ways from one source
 * that turn in this order have common beginnings, so that they are a tree; to a box around its source on a
 * mesh or hypercube it is the tree of paper 002 (doc/shared-channels.md, rule 10). The engine does not use
 * it, since on rings, and for lists, its copies could wait for each other in a circle: it stands for
 * multicasts where there are no buffers to wait for (effects.c). */
#ifndef NET_SHARED_TREE_H
#define NET_SHARED_TREE_H

#include "netmodel/topology.h"

/* ports[channel] = mask of the ports by which copies leave it, 0 where none does, for each of `routers`
 * channels; members: which channels are to have a copy. */
void net_shared_plant(const struct net_topology *topology, uint32_t source, const bool *members,
                      uint32_t *ports);

#endif
