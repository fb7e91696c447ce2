/* The tree of shortest paths over shared channels: from one channel to every member, each way in the order of
 * dimensions, on rings the shorter direction (the positive one where both are equal). Ways from one source
 * that turn in this order have common beginnings, so that they are a tree; to a box around its source on a
 * mesh or hypercube it is the tree of the broadcast paper (doc/shared-channels.md, rule 10). The engine plans
 * the trees with it that the box alone does not fix (netmodel/shared-engine/plan.c), and effects.c all of
 * them. */
#ifndef NET_SHARED_TREE_H
#define NET_SHARED_TREE_H

#include "netmodel/routing.h"

/* ports[channel] = mask of the ports by which copies leave it, 0 where none does, for each of `routers`
 * channels; members: which channels are to have a copy. */
void net_shared_plant(const struct net_topology *topology, uint32_t source, const bool *members,
                      uint32_t *ports);
/* On rings a copy that goes on in a dimension is treated as a message to the last channel of its branch in
 * that dimension (netmodel/mway/routing.h): narrow[channel] = the ports among `ports` whose buffer drives
 * a channel that is not in the half of that one, where it may not take a high buffer. Nothing on meshes. */
void net_shared_narrow(const struct net_routing *routing, const uint32_t *ports, uint32_t *narrow);

#endif
