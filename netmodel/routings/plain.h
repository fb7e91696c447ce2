/* What most routings that need nothing have in common, for their descriptors: no parameters and no tables, one header
 * for each pair of routers, which is the target. */
#ifndef NET_ROUTINGS_PLAIN_H
#define NET_ROUTINGS_PLAIN_H

#include "netmodel/routing.h"

/* `prepare`: there is nothing to prepare, and no ring that would need the bubble rule (rule 6). */
int net_plain_prepare(struct net_routing *routing, const struct net_specification *specification,
                      struct base_error *error);
/* `variants`: one, whose way is found on the way. */
uint32_t net_plain_variants(const struct net_routing *routing, uint32_t a, uint32_t b);
/* `start`: the target's number. Routings that note more on the way do it in the bits above 32. */
uint64_t net_plain_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant);
/* `step`: the target stays what it is. */
uint64_t net_plain_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port);

#endif
