/* The HyperX (J. H. Ahn, N. Binkert, A. Davis, M. McLaren and R. S. Schreiber, HyperX: topology, routing, and
 * packaging of efficient large-scale networks, SC 2009): routers of a grid, each linked to all others of its
 * line in every dimension, by `width` parallel links. It contains the flattened butterfly (J. Kim, W. J.
 * Dally and D. Abts, ISCA 2007), the full mesh (one dimension) and the hypercube (sides of 2).
 *
 * Routers are numbered x + S1 x (y + S2 x …). A port is a dimension and an offset, `X+3` to coordinate x + 3
 * (mod S1); the parallel links of width 2 are `X+3.0` and `X+3.1`. */
#ifndef NET_HYPERX_H
#define NET_HYPERX_H

#include "netmodel/routing.h"
#include "netmodel/topology.h"

struct net_hyperx {
    uint32_t dimensions; /* as they were given: sides may be 1 */
    uint32_t sides[NET_DIMENSIONS_MAX];
    uint32_t strides[NET_DIMENSIONS_MAX + 1];    /* routers from one coordinate to the next */
    uint32_t first_name[NET_DIMENSIONS_MAX + 1]; /* of each dimension's ports */
    uint32_t width;
    uint32_t class_of[NET_DIMENSIONS_MAX]; /* among dimensions of more than one router */
    /* [router * names + name] the port of that name: small, since routings ask at every hop */
    uint16_t *ports;
};

/* NULL: it is no HyperX; a full mesh is one. */
const struct net_hyperx *net_hyperx_of(const struct net_topology *topology);
/* Fills the topology from the specification's sizes. -1: BASE_USAGE (too large), memory. */
int net_hyperx_build(struct net_topology *topology, const struct net_specification *specification,
                     uint64_t terminals, uint64_t width, struct base_error *error);
static inline uint32_t net_hyperx_coordinate(const struct net_hyperx *hyperx, uint32_t router, uint32_t d)
{
    return router / hyperx->strides[d] % hyperx->sides[d];
}
/* The name of the first of the parallel ports that lead from a router to the coordinate of another one. */
static inline uint32_t net_hyperx_name(const struct net_hyperx *hyperx, uint32_t router, uint32_t to,
                                       uint32_t d)
{
    uint32_t a = net_hyperx_coordinate(hyperx, router, d), b = net_hyperx_coordinate(hyperx, to, d);
    return hyperx->first_name[d] + ((a < b ? b - a : b + hyperx->sides[d] - a) - 1) * hyperx->width;
}

/* The port of a name, which the router must have. */
static inline uint32_t net_hyperx_port(const struct net_hyperx *hyperx, uint32_t router, uint32_t name)
{
    return hyperx->ports[(size_t)router * hyperx->first_name[hyperx->dimensions] + name];
}

/* For routings. A tier has no ports. */
void net_hyperx_no_ports(const struct net_topology *topology, struct net_route *route, uint32_t tier);
/* A tier has the first `count` of the parallel ports towards the coordinate that a router has in a dimension. */
void net_hyperx_add(const struct net_topology *topology, uint32_t router, uint32_t to, uint32_t d,
                    struct net_route *route, uint32_t tier, uint32_t count);

/* For descriptors. */
extern const struct net_routing_kind net_routing_minimal_hyperx;
extern const struct net_routing_kind *const net_hyperx_forms[];
uint32_t net_hyperx_distance(const struct net_topology *topology, uint32_t a, uint32_t b);
uint32_t net_hyperx_diameter(const struct net_topology *topology);
void net_hyperx_histogram(const struct net_topology *topology, uint64_t *pairs);
int net_hyperx_bisection(const struct net_topology *topology, uint64_t *channels, bool *exact,
                         struct base_error *error);

#endif
