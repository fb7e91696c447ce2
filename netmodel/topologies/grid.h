/* The grid family: mesh and torus of any number of dimensions, diagonal and king networks of two
 * (doc/networks.md). They differ in whether they wrap and which diagonal links they have; this is what
 * they share. */
#ifndef NET_GRID_H
#define NET_GRID_H

#include "netmodel/topology.h"

/* routers x ports: bounds the memory of a topology (1 GiB of links). */
#define NET_PORT_SLOTS_MAX (UINT32_C(1) << 26)

/* The parameters that every grid knows, for a descriptor's keys. */
extern const char *const net_grid_keys[];

/* Fills the topology. Sides of 1 are dropped. diagonals (a mask of enum net_diagonal) adds Z and T ports in
 * the plane of two remaining dimensions. -1: BASE_USAGE (too large), memory. */
int net_grid_build(struct net_topology *topology, const struct net_specification *specification, bool wraps,
                   uint32_t diagonals, struct base_error *error);
/* The same for a diagonal network, whose parameter `diagonal` says which: ne (Z, when it is not given) or nw
 * (T). -1 also for another number of sizes than two. */
int net_grid_build_diagonal(struct net_topology *topology, const struct net_specification *specification,
                            bool wraps, struct base_error *error);
extern const char *const net_grid_diagonal_keys[];
const char *net_grid_write_diagonal(struct net_topology *topology, const char *text);
/* Reads `widths`, of a kind with that key, into the grid, whose dimensions and diagonals are known: "1x1/2" of a mesh
 * whose Y links take two cycles a flit. -1: BASE_USAGE (no widths, another number of them than sizes and diagonals),
 * memory. */
int net_grid_read_widths(struct net_topology *topology, struct net_grid *grid,
                         const struct net_specification *specification, struct base_error *error);
/* For a descriptor's write: the text with the widths behind it. NULL: memory. */
const char *net_grid_write(struct net_topology *topology, const char *text);
/* "X+", "X-", "Y+" …; the letters end with Z, further dimensions are D4, D5 …. */
const char *net_grid_port_name(const struct net_topology *topology, uint32_t port);

/* Distances of the networks without diagonals: the sum over the dimensions. */
uint32_t net_grid_sum_distance(const struct net_topology *topology, uint32_t a, uint32_t b);
uint32_t net_grid_sum_diameter(const struct net_topology *topology);
void net_grid_sum_histogram(const struct net_topology *topology, uint64_t *pairs);
/* Distances of the king networks: the largest of the dimensions. */
uint32_t net_grid_max_distance(const struct net_topology *topology, uint32_t a, uint32_t b);
uint32_t net_grid_max_diameter(const struct net_topology *topology);
void net_grid_max_histogram(const struct net_topology *topology, uint64_t *pairs);

/* Distances of the diagonal networks: the larger of the displacements where the diagonal leads the right way,
 * else their sum; in a torus the best over both ways round each dimension, taken together. */
uint32_t net_grid_diagonal_distance(const struct net_topology *topology, uint32_t a, uint32_t b);
/* How many of the ways round are that short, and the variant-th of them. */
uint32_t net_grid_diagonal_variants(const struct net_topology *topology, uint32_t a, uint32_t b);
void net_grid_diagonal_displacements(const struct net_topology *topology, uint32_t a, uint32_t b,
                                     uint32_t variant, int32_t displacements[2]);

/* Equally short ways from router a to router b: 2 for each dimension of a torus whose displacement is half
 * the side. */
uint32_t net_grid_variants(const struct net_topology *topology, uint32_t a, uint32_t b);
/* displacements[d] of the variant-th of them: bit i of variant makes the i-th tied dimension negative. */
void net_grid_displacements(const struct net_topology *topology, uint32_t a, uint32_t b, uint32_t variant,
                            int32_t *displacements);
/* How many of the sides[d]^2 ordered pairs of coordinates are k apart, shortest path. */
uint64_t net_grid_pairs_apart(const struct net_topology *topology, uint32_t d, uint32_t k);
/* The largest k for which there are any. */
uint32_t net_grid_reach(const struct net_topology *topology, uint32_t d);

/* Where a router of a mesh or torus stands on a plane, in pitches; its number is x + sides[0] * (y + ...). Rings are
 * folded. Dimensions take turns along X and Y; each steps over all of those before it along the same axis. */
void net_grid_fold(const uint32_t *sides, uint32_t dimensions, bool wraps, uint32_t router, double place[2]);

#endif
