/* Where routers stand on a chip, and how long links are (001 section 2.6; costs are linear in lengths).
 *
 * The rules, of which those marked [choice] no paper fixes:
 *
 *      declared    a link whose file says length=N is N mm long [choice]; then all links must say it
 *      grid        routers at the pitch in X and Y; a ring is folded: its links are 2 pitches long, those at
 *                  its two folds 1; a third and fifth dimension puts planes side by side along X, a fourth and
 *                  sixth along Y [choice]
 *      kind        net_topology_kind.lay says where a router stands, in pitches
 *      at=X,Y      of a graph file, in pitches [choice]
 *
 * Wires go straight: a diagonal of a mesh is the root of 2 pitches long. Concentration c widens the pitch
 * by the root of c. */
#ifndef NET_COSTS_LAYOUT_H
#define NET_COSTS_LAYOUT_H

#include "netmodel/topology.h"

/* Fills lengths_mm[link_count]. Returns NULL, or why the network has no layout. */
const char *net_layout_lengths(const struct net_topology *topology, double pitch_mm, double *lengths_mm);
/* Metal layers that its wires need (001 section 2.6): 1 for a mesh, twice as many with diagonals, and again
 * twice as many where rings are folded; 0 where it is no plane. */
uint32_t net_layout_layers(const struct net_topology *topology);

#endif
