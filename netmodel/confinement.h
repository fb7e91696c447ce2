/* Confinement: a network cut into parts, such as the partitions of jobs, whose packets use no link that
 * leaves their part. The adaptive choices of a routing are filtered; its escape (or its only way) cannot be,
 * so it is proved to stay inside for every pair of a part, from every router that a filtered choice can lead
 * to, or refused. What is proved is a routing on fewer links: its argument against deadlock holds unchanged.
 *
 *     if (net_routing_confine(&routing, parts, &error) != 0)   parts[router]: its part, NET_NONE for none
 *
 * Rectangles of a grid confine every minimal routing of this program; other shapes as it turns out. */
#ifndef NET_CONFINEMENT_H
#define NET_CONFINEMENT_H

#include "netmodel/routing.h"

/* States (router, header) that a proof may look at. */
#define NET_CONFINEMENT_STATES_MAX (UINT64_C(1) << 27)

/* Confines a routing that is not confined yet; parts is copied. -1: BASE_USAGE, a sentence that names the
 * part, the pair, and the router and port at which its way leaves the part (or that the proof is too long),
 * or memory: then the routing is as before. */
int net_routing_confine(struct net_routing *routing, const uint32_t *parts, struct base_error *error);
/* Whether packets may go from router a to router b: always in an unconfined network, else inside one part. */
bool net_routing_joins(const struct net_routing *routing, uint32_t a, uint32_t b);

#endif
