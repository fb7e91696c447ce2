/* The families of networks that routings serve, for their descriptors. A family is asked of what a network is made
 * of, not of the shape that it happens to have: a line of a king network has no diagonals, and is a king
 * network. A routing for networks of its own has its family in its own file. */
#ifndef NET_FAMILIES_H
#define NET_FAMILIES_H

#include "netmodel/routing.h"

/* Grids of links: without diagonals, with one, with both; all of them; those that wrap. */
extern const struct net_family net_family_orthogonal, net_family_diagonal, net_family_king, net_family_grid;
extern const struct net_family net_family_torus, net_family_king_torus;
/* Grids of shared channels. */
extern const struct net_family net_family_mway_mesh, net_family_mway_torus;
/* Networks from a file. */
extern const struct net_family net_family_graph;
/* All whose links are wires from router to router; those of them that are no grids. */
extern const struct net_family net_family_wires, net_family_free;

#endif
