/* Routings under whose packets links fail: a base routing, the faults, and the fault routing that says what packets do
 * about them (doc/faults.md, Data). The wrapper's own functions are those of the base on the network without faults, so
 * that distances, static loads and records are the base's. What depends on time is the engine's: it steps a clock
 * beside its own and reads there which routers stand and where rings are.
 *
 *      net_routing_init_failing(&routing, topology, NULL, 0, &faults, kind, &error)
 *      net_network_new(topology, &routing, …)                             an engine that knows the rules of data
 *
 *      struct net_fault_clock clock;                                      that engine, and tests
 *      net_fault_clock_init(&clock, net_routing_failing(&routing), link_cycles, &error)
 *      while (net_fault_clock_next(&clock) <= cycle) net_fault_clock_step(&clock, &error)
 *      … clock.control.router[router].stopped, net_ring_after(&clock.control, link) … */
#ifndef NET_FAILING_H
#define NET_FAILING_H

#include "netmodel/faults/control.h"

struct net_failing {
    const struct net_fault_routing *kind;
    struct net_faults faults; /* in the routing's arena */
};

/* Prepares the named base routing (NULL or "": adaptive-bubble) for a topology whose links fail; virtual_channels 0:
 * what base and fault routing need. The faults are copied. -1: a base that knows no escape, a topology that the fault
 * routing does not serve, too few channels (BASE_USAGE); or memory: then there is nothing to free. */
int net_routing_init_failing(struct net_routing *routing, const struct net_topology *topology,
                             const char *name, uint32_t virtual_channels, const struct net_faults *faults,
                             const struct net_fault_routing *kind, struct base_error *error);
/* Of such a routing; NULL: its links do not fail. */
const struct net_failing *net_routing_failing(const struct net_routing *routing);

/* The control protocol in cycles of data (rule 18): faults of cycle 0 are settled before cycle 0. */
struct net_fault_clock {
    struct net_control control;
    struct net_faults faults; /* whose cycles are the control protocol's; in the arena */
    uint64_t ahead;           /* cycles by which that is ahead of data: T */
    struct base_arena arena;
};

/* link_cycles: of links that do not say. -1: a fault that the fault routing finds no way around (BASE_USAGE, with the
 * names of the routers), or memory. Free in either case. */
int net_fault_clock_init(struct net_fault_clock *clock, const struct net_failing *failing,
                         uint32_t link_cycles, struct base_error *error);
/* The next cycle of data in which a router does anything; NET_NEVER: in none. */
uint64_t net_fault_clock_next(const struct net_fault_clock *clock);
/* Does all that they do in it. -1: as net_control_step. */
int net_fault_clock_step(struct net_fault_clock *clock, struct base_error *error);
void net_fault_clock_free(struct net_fault_clock *clock);

#endif
