/* Routing: how a header finds its way. One descriptor per routing in routing-kinds.def.
 *
 * A packet carries a 64-bit *header* that the routing defines (for grids: the signed displacements still to
 * go, packed). It is made at the source, asked for the admissible outputs at each router, and stepped over
 * each link, so that the router itself needs no coordinates and no modulo. A routing is a pure function: no
 * state, no clock. */
#ifndef NET_ROUTING_H
#define NET_ROUTING_H

#include "netmodel/topology.h"

#define NET_TIERS_MAX 3
#define NET_PORTS_MAX 62 /* ports fit a mask */
#define NET_VIRTUAL_CHANNELS_MAX 32

/* The admissible outputs of a header, in tiers of falling preference. Every output of a tier is a (port,
 * virtual channel) of ports x virtual_channels. */
struct net_route {
    uint64_t ports[NET_TIERS_MAX];
    uint32_t virtual_channels[NET_TIERS_MAX]; /* mask */
};

struct net_routing;

struct net_routing_kind {
    const char *name, *summary;
    const char *reference;         /* paper and section */
    const char *deadlock_argument; /* one sentence */
    uint32_t virtual_channels;     /* that it needs at least */
    bool minimal;
    /* Static list of topology kinds it serves, NULL-terminated names. */
    const char *const *topologies;
    /* Prepares shift counts, tables …, into routing (kind, topology and virtual_channels set). -1:
     * BASE_USAGE. */
    int (*prepare)(struct net_routing *routing, struct base_error *error);
    /* Number of equally likely headers from router a to router b (torus ties: 2 per tied dimension). >= 1 */
    uint32_t (*variants)(const struct net_routing *routing, uint32_t a, uint32_t b);
    /* The variant-th of them. a == b gives a header that has arrived. */
    uint64_t (*start)(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant);
    /* The admissible outputs: returns the number of tiers, 0 when the header has arrived at its router. */
    uint32_t (*route)(const struct net_routing *routing, uint64_t header, struct net_route *route);
    /* The header after crossing a link by this port. */
    uint64_t (*step)(const struct net_routing *routing, uint64_t header, uint32_t port);
};

struct net_routing {
    const struct net_routing_kind *kind;
    const struct net_topology *topology;
    uint32_t virtual_channels;              /* of every link */
    uint32_t shift[NET_DIMENSIONS_MAX + 1]; /* first bit of each dimension's field, then the end */
    uint64_t arrived;                       /* the header with all displacements zero */
    uint8_t dimension_of_bit[64];
};

const struct net_routing_kind *const *net_routing_kinds(size_t *count);
/* Prepares the named routing (NULL or "": the topology's default) for a topology that must outlive it.
 * virtual_channels 0: what the routing needs. -1: unknown (nearest match) or not for this topology (which it
 * serves), BASE_USAGE. */
int net_routing_init(struct net_routing *routing, const struct net_topology *topology, const char *name,
                     uint32_t virtual_channels, struct base_error *error);

/* Expected load of every link when weight units go from router a to router b: variants share equally, the
 * ports of a first tier share equally. load has link_count entries and is added to. */
void net_routing_load(const struct net_routing *routing, uint32_t a, uint32_t b, double weight, double *load);
/* Links the header crosses from a to b by its first variant. */
uint32_t net_routing_hops(const struct net_routing *routing, uint32_t a, uint32_t b);

#endif
