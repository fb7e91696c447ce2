/* Fault routings: how a network goes on when links fail (the king thesis, section 3.4). Each builds, with control
 * packets alone, trees of routers around the faults (control.h), and uses them as rings (rings.h), on which packets
 * whose way is dead go round. They differ in how far the trees reach.
 *
 *      immunet, immucube   one tree, which covers the network (after V. Puente et al.)
 *      kft                 a tree a region: routers with a dead link, and their neighbours */
#ifndef NET_FAULT_ROUTING_H
#define NET_FAULT_ROUTING_H

#include "netmodel/routing.h"

struct net_fault_routing {
    const char *name, *summary;
    const char *reference;           /* paper and section */
    const struct net_family *serves; /* the networks whose faults it can live with */
    bool everywhere;                 /* one tree covers the network; else a tree a region, which is pruned */
    uint32_t virtual_channels;       /* that it needs at least */
    uint32_t ring_channel;           /* on which its rings are */
    /* Who may take the base routing's escape: packets at routers that no wave has come to; packets that have entered no
     * ring. Neither: all. */
    bool escape_before_waves, escape_before_rings;
};

const struct net_fault_routing *const *net_fault_routings(size_t *count);
/* The one of that name; NULL: the first of the list that serves the topology. NULL: no such name, or it does not serve
 * the topology: BASE_USAGE. */
const struct net_fault_routing *net_fault_routing_find(const struct net_topology *topology, const char *name,
                                                       struct base_error *error);

#endif
