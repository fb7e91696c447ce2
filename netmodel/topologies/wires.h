/* Networks without a grid, which a function describes: where port p of router r leads. A kind fills in routers,
 * ports and its own tables (topology->data), and leaves the rest to these. */
#ifndef NET_WIRES_H
#define NET_WIRES_H

#include "netmodel/topology.h"

/* The parameter `concentration`, which every such kind has, for a descriptor's keys. */
extern const char *const net_wires_keys[];

/* Sets how many routers there are, all with terminals, and their concentration. -1: BASE_USAGE (too many). */
int net_wires_size(struct net_topology *topology, const struct net_specification *specification,
                   uint64_t routers, struct base_error *error);
/* Makes the links. A kind that has named classes of links has one for each port. `target` says where a port leads, or
 * NET_NONE; two links into one router must have different ports (topology.h). -1: BASE_USAGE (more than
 * NET_PORTS_MAX ports, too many links), memory. */
int net_wires_build(struct net_topology *topology, const struct net_specification *specification,
                    uint32_t (*target)(const struct net_topology *topology, uint32_t router, uint32_t port),
                    struct base_error *error);
/* "p0", "p1" …: for kinds whose ports have no names that say more. */
const char *net_wires_port_name(const struct net_topology *topology, uint32_t port);

#endif
