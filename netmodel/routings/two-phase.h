/* Ways by an intermediate router: dimension order (or Knaive, or Algorithm 1) to it on the first half of the
 * virtual channels, then on to the destination on the second half. So the halves are used one after the
 * other, and each alone is a deterministic routing with its own proof.
 *
 * The header is two packed displacements, one for each phase; the first is in force until it is used up:
 *
 *      63            32 31             0
 *      | dz | dy | dx  | dz | dy | dx  |        each biased, as wide as its side needs */
#ifndef NET_TWO_PHASE_H
#define NET_TWO_PHASE_H

#include "netmodel/routing.h"

struct net_two_phase {
    uint32_t arrived;                     /* half a header without displacement */
    uint32_t hop[2 * NET_DIMENSIONS_MAX]; /* [port]: what a hop takes off half a header, modulo 2^32 */
    uint32_t channels[2];                 /* mask of each phase */
};

/* Fills routing->data for a grid. -1: BASE_USAGE (sides that do not fit 32 bits), memory. */
int net_two_phase_prepare(struct net_routing *routing, struct base_error *error);
uint64_t net_two_phase_pack(const struct net_routing *routing, const int32_t *first, const int32_t *second);
uint32_t net_two_phase_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route);
uint64_t net_two_phase_step(const struct net_routing *routing, uint32_t router, uint64_t header,
                            uint32_t port);

#endif
