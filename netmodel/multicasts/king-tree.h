/* The way of a multicast through a king network: which ports a copy leaves each router by (the king
 * thesis, section 3.3.1; doc/networks.md, Multicast).
 *
 * A broadcast carries a count of hops that it may still go. The source sends it by all eight ports. A copy that
 * has come straight goes on straight and turns off by the two diagonals beside its direction, one that has come
 * along a diagonal goes on along it; on a mesh, copies end at the edges:
 *
 *      Y+  Z+
 *       │ ╱           X+ ──► X+, Z+, T+        Y+ ──► Y+, Z+, T-
 *       ●─── X+       X- ──► X-, Z-, T-        Y- ──► Y-, Z-, T+
 *         ╲
 *          T+
 *
 * So a router at (dx, dy) is reached by the straight hops that its longer displacement has over the shorter, and
 * then diagonally: once, in as many hops as it is away. On a torus that holds as long as each router has one
 * displacement: dx from -⌊(s-1)/2⌋ to ⌊s/2⌋. The counts of hops say just that on a square torus (s/2 by X+, Y+
 * and Z+, s/2 - 1 by the others, for even s); where the sides differ there are two counts, one a coordinate.
 *
 * A multicast to a list takes the same tree without the branches that lead to nobody. */
#ifndef NET_KING_TREE_H
#define NET_KING_TREE_H

#include "netmodel/routing.h"

/* Whether packets can be copied along such trees: NULL, or why not, as "the network is not a king network".
 * Copies use virtual channel 0, straight before diagonal, under the bubble rule on rings: the routing must do
 * the same there. In a network cut into partitions the ways between all routers of each are followed, which
 * takes as long as the proof for the routing did (confinement.h): they must stay inside. */
const char *net_king_tree_obstacle(const struct net_topology *topology, const struct net_routing *routing);
/* ports[router] = mask of the ports that copies leave by, 0 where none does; members: which routers are to have
 * a copy (the source's own entry does not matter), NULL: all. Both have `routers` entries. -1: memory. */
int net_king_tree(const struct net_topology *topology, uint32_t source, const bool *members, uint8_t *ports);

#endif
