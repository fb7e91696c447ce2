/* KFT, king fault tolerance: a small ring around each region of faults. It needs the diagonals: over them the two
 * ends of a dead link of a king network have neighbours in common, so that a tree of faulty routers and their
 * neighbours holds both (the king thesis, section 3.4). */
#include "netmodel/faults/fault-routing.h"
#include "netmodel/routings/families.h"

extern const struct net_fault_routing net_fault_routing_kft;
const struct net_fault_routing net_fault_routing_kft = {
    .name = "kft",
    .summary = "a ring around each region of dead links; the rest of the network does not notice",
    .reference = "E. Stafford, thesis on king topologies, 2015: section 3.4; doc/faults.md",
    .serves = &net_family_king,
    .virtual_channels = 2,
    .ring_channel = 1,
};
