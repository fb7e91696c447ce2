/* Networks without a grid, which a function describes: where port p of router r leads. A kind fills in
 * routers, ports and its own tables (topology->data), and leaves the rest to these. */
#ifndef NET_WIRES_H
#define NET_WIRES_H

#include "netmodel/topology.h"

/* Ports that have names: which router each leads to. */
struct net_wires {
    uint32_t names;           /* of ports, of all routers together */
    const char *const *texts; /* [name]; must live as long as the topology */
    /* Where the port of that name leads; NET_NONE: this router has none. */
    uint32_t (*target)(const struct net_topology *topology, uint32_t router, uint32_t name);
    /* The class of its link (link_classes); NULL: links have no classes. */
    uint32_t (*class_of)(const struct net_topology *topology, uint32_t name);
};

/* The parameter `concentration`, which every such kind has, for a descriptor's keys. */
extern const char *const net_wires_keys[];

/* Sets how many routers there are, all with terminals, and their concentration. -1: BASE_USAGE (too many). */
int net_wires_size(struct net_topology *topology, const struct net_specification *specification,
                   uint64_t routers, struct base_error *error);
/* The same where the first `ends` routers have `terminals` each and the others none. */
int net_wires_size_ends(struct net_topology *topology, const struct net_specification *specification,
                        uint64_t routers, uint64_t ends, uint64_t terminals, struct base_error *error);
/* Makes the links. A kind that has named classes of links has one for each port. `target` says where a port
 * leads, or NET_NONE; two links into one router must have different ports (topology.h). -1: BASE_USAGE (more
 * than NET_PORTS_MAX ports, too many links), memory. */
int net_wires_build(struct net_topology *topology, const struct net_specification *specification,
                    uint32_t (*target)(const struct net_topology *topology, uint32_t router, uint32_t port),
                    struct base_error *error);
/* The same for ports with names (topology->named). A port's number is that of its name where two links into
 * one router never have the same name; else the ports are numbered as those of a graph are, in the order of
 * routers and names (net_graph_number_ports): with as few numbers as the widest router has links one way. */
int net_wires_build_named(struct net_topology *topology, const struct net_specification *specification,
                          const struct net_wires *wires, struct base_error *error);
/* "down 0", "down 1" …: adds `count` names to texts from *next on, which moves behind them. -1: memory. */
int net_wires_add_names(struct net_topology *topology, const char **texts, uint32_t *next, const char *word,
                        uint32_t count, struct base_error *error);
/* "p0", "p1" …: for kinds whose ports have no names that say more. */
const char *net_wires_port_name(const struct net_topology *topology, uint32_t port);

#endif
