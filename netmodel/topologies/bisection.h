/* Bisections: the fewest directed links between two halves of the routers (halves that differ by at most
 * one), both ways summed. What is exact, and why:
 *
 *   mesh, torus      every size: J. Arjona Aroca, A. Fernandez Anta, "Bisection (Band)Width of Product Networks
 *                    with Application to Data Centers", IEEE TPDS 25(3), 2014 (arXiv:1202.6291)
 *   king torus       wherever the congestion bound below meets the best straight cut: every size we have tried
 *                    but 2x2 and 3x2; all cuts are tried where it does not and there are at most 25 routers
 *   king mesh        narrow enough ones, by dynamic programming over all cuts (up to 11x11, or 8x45); the
 *                    straight cut of a larger one is the best known (no better one was found by Kernighan-Lin
 *                    up to 16x16, see doc/networks.md)
 *   diagonal         up to 25 routers by trying all cuts; else the best straight cut
 *   darm, manhattan  every size: each link of a torus once, one way (one-way.h), so half of what a torus has
 *   shufflenet       up to 25 routers, by trying all cuts; else the better of two cuts, each improved by exchanges
 *   other kinds      up to 25 routers, by trying all cuts; else the first half of the routers against the second
 *
 * Each function is of the type of net_topology_kind's bisection: directed links into *channels, whether no cut can
 * be better into *exact. -1: memory. */
#ifndef NET_BISECTION_H
#define NET_BISECTION_H

#include "netmodel/topology.h"

int net_bisection_mesh(const struct net_topology *topology, uint64_t *channels, bool *exact,
                       struct base_error *error);
int net_bisection_torus(const struct net_topology *topology, uint64_t *channels, bool *exact,
                        struct base_error *error);
int net_bisection_diagonal(const struct net_topology *topology, uint64_t *channels, bool *exact,
                           struct base_error *error);
int net_bisection_king_mesh(const struct net_topology *topology, uint64_t *channels, bool *exact,
                            struct base_error *error);
int net_bisection_king_torus(const struct net_topology *topology, uint64_t *channels, bool *exact,
                             struct base_error *error);
/* Undirected links of the best cut of an array with these sides. */
uint64_t net_bisection_array(const uint32_t *sides, uint32_t dimensions);
/* For any topology, from its links alone. */
int net_bisection_search(const struct net_topology *topology, uint64_t *channels, bool *exact,
                         struct base_error *error);
/* Exchanges routers between the halves, second[router], as long as that makes the cut smaller; their sizes stay.
 * Networks of more than 512 routers are left as they are. -1: memory. */
int net_bisection_exchange(const struct net_topology *topology, bool *second, struct base_error *error);
/* Directed links between the halves, both ways summed. */
uint64_t net_bisection_cut(const struct net_topology *topology, const bool *second);

#endif
