/* Routings for tests alone, minimal and adaptive on any topology: they ask the model for what dimension order
 * does not (several ports and tiers), and one of them deadlocks, which engines must see. A header is (here +
 * 1, target + 1), or 0 on arrival. */
#ifndef TEST_ADAPTIVE_ROUTINGS_H
#define TEST_ADAPTIVE_ROUTINGS_H

#include "netmodel/routing.h"

/* Every shortest port. Tiers: the highest virtual channel, the next …; on channel 0 only the first such port.
 * With one virtual channel every shortest port of channel 0, which deadlocks under load. */
extern const struct net_routing_kind test_routing_tiers;
/* Every shortest port by all virtual channels but 0; then the first by channel 0. With one as above. */
extern const struct net_routing_kind test_routing_wide;

/* As test_routing_wide, but it looks (rule 13). */
extern const struct net_routing_kind test_routing_look;

/* By the first shortest port everywhere, or by the last: chosen at the source (rule 14). */
extern const struct net_routing_kind test_routing_choose;

/* Makes routing one of them. topology must outlive it. */
void test_routing_init(struct net_routing *routing, const struct net_routing_kind *kind,
                       const struct net_topology *topology, uint32_t virtual_channels);

#endif
