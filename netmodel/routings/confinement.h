/* Confinement: a network cut into parts, such as the partitions of jobs, whose packets use no link that
 * leaves their part. The adaptive choices of a routing are filtered; its escape (or its only way) cannot be,
 * so it is proved to stay inside for every pair of a part, from every router that a filtered choice can lead
 * to, or refused. What is proved is a routing on fewer links: its argument against deadlock holds unchanged.
 *
 *     if (net_routing_confine(&routing, parts, &error) != 0)
 *
 * parts[router] is a number from 0 on; NET_NONE where nobody sends or receives; or NET_FREE. Packets between free
 * routers go anywhere, also across parts, as they would if nothing were confined: some jobs of a network may be
 * confined while others are not. A packet that crosses a part is told from one of the part without a mark: the
 * escape of a packet of the part never leaves it (that is what is proved), that of any other does, since its
 * destination is outside. Both kinds use links, in an order, that the unconfined routing uses as well, so its
 * argument against deadlock holds for them together.
 *
 * Rectangles of a grid confine every minimal routing of this program; other shapes as it turns out. */
#ifndef NET_CONFINEMENT_H
#define NET_CONFINEMENT_H

#include "netmodel/routing.h"

#define NET_FREE (NET_NONE - 1)

/* States (router, header) that a proof may look at. */
#define NET_CONFINEMENT_STATES_MAX (UINT64_C(1) << 27)

/* Confines a routing that is not confined yet; parts is copied. -1: BASE_USAGE, a sentence that names the
 * part, the pair, and the router and port at which its way leaves the part (or that the proof is too long),
 * or memory: then the routing is as before. */
int net_routing_confine(struct net_routing *routing, const uint32_t *parts, struct base_error *error);
/* Whether it is confined, itself or inside of another wrapper; and so that packets of free routers cross parts. */
bool net_routing_is_confined(const struct net_routing *routing);
bool net_routing_is_crossed(const struct net_routing *routing);
/* Whether the router is in a part that its packets may not leave. */
bool net_routing_is_part(const struct net_routing *routing, uint32_t router);
/* Whether the link that leaves by this port stays in the router's part, or the router is in none. */
bool net_routing_stays(const struct net_routing *routing, uint32_t router, uint32_t port);
/* Whether packets may go from router a to router b: always in an unconfined network, else inside one part, or
 * between free routers. */
bool net_routing_joins(const struct net_routing *routing, uint32_t a, uint32_t b);

#endif
