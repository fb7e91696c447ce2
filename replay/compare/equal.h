/* Networks at equal cost: the flit width of one that makes a cost of it that of another.
 *
 *      mesh:8x8, flits of 8 bytes          512 pins a router towards others
 *      king-mesh:8x8 at equal pins         flits of 4 bytes, 2 injectors: 512 pins
 *
 * Only the width is changed, in whole bytes, and what follows from it: packets keep their bytes, buffers of a
 * given size
 * their flits, and terminals get as many injectors and consumers as carry what they carried, where flits are
 * narrower. */
#ifndef REPLAY_COMPARE_EQUAL_H
#define REPLAY_COMPARE_EQUAL_H

#include "netmodel/topology.h"
#include "replay/options.h"

/* What can be held equal: none, pins (of a router towards others), bisection (bits a cycle), links (bits a cycle over
 * all of them), area, power (that needs no data; both of routers and links). -1: BASE_USAGE with the nearest. */
int replay_equal_check(const char *what, struct base_error *error);
/* Changes settings of a topology so that the cost is within 2 % of that of another under settings of its own. -1:
 * BASE_USAGE where no width does, and where one is given or the cost is not known; what replay_network_costs says. */
int replay_equal_make(const char *what, const struct net_topology *other,
                      const struct replay_settings *others, const struct net_topology *topology,
                      struct replay_settings *settings, struct base_error *error);

#endif
