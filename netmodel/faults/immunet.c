/* Immunet: once a link has failed, a ring through all routers takes the place of the escape channels (001, section
 * 3.4.1). */
#include "netmodel/faults/fault-routing.h"
#include "netmodel/routings/families.h"

extern const struct net_fault_routing net_fault_routing_immunet;
const struct net_fault_routing net_fault_routing_immunet = {
    .name = "immunet",
    .summary = "one ring through all routers, in place of the escape channels",
    .reference = "001, section 3.4",
    .serves = &net_family_wires,
    .everywhere = true,
    .virtual_channels = 2,
    .ring_channel = 0,
    .escape_before_waves = true,
};
