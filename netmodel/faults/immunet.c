/* Immunet: once a link has failed, a ring through all routers takes the place of the escape channels (the king
 * thesis, section 3.4). */
#include "netmodel/faults/fault-routing.h"
#include "netmodel/routings/families.h"

extern const struct net_fault_routing net_fault_routing_immunet;
const struct net_fault_routing net_fault_routing_immunet = {
    .name = "immunet",
    .summary = "one ring through all routers, in place of the escape channels",
    .reference = "E. Stafford, thesis on king topologies, 2015: section 3.4; doc/faults.md",
    .serves = &net_family_wires,
    .everywhere = true,
    .virtual_channels = 2,
    .ring_channel = 0,
    .escape_before_waves = true,
};
