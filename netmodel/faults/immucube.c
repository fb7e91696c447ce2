/* Immucube: Immunet's ring through all routers, beside the escape channels of dimension order instead of in their place
 * (the king thesis, section 3.4). */
#include "netmodel/faults/fault-routing.h"
#include "netmodel/routings/families.h"

extern const struct net_fault_routing net_fault_routing_immucube;
const struct net_fault_routing net_fault_routing_immucube = {
    .name = "immucube",
    .summary = "one ring through all routers, beside the escape channels",
    .reference = "E. Stafford, thesis on king topologies, 2015: section 3.4; doc/faults.md",
    .serves = &net_family_wires,
    .everywhere = true,
    .virtual_channels = 3,
    .ring_channel = 2,
    .escape_before_rings = true,
};
