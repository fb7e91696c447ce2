/* What a king router may do with a displacement, as a table: which hops bring a packet nearer, and which of
 * them Knaive's record contains. For the routings whose headers say no more than where to (hop-by-hop).
 *
 * The header packs the displacement, and is the table's index:   | dy + bias | dx + bias |
 * In a torus there is no bias; displacements count round the ring in one direction, 0 to side - 1. */
#ifndef NET_KING_HOPS_H
#define NET_KING_HOPS_H

#include "netmodel/routing.h"

struct net_king_hop {
    uint8_t nearer; /* ports that shorten the distance */
    uint8_t record; /* those of them in Knaive's record; the lowest is the hop of dimension order */
};

struct net_king_hops {
    const struct net_king_hop *hops; /* [header] */
    const uint8_t *borders;          /* [router & mask]: ports that have links */
    uint32_t mask;                   /* 0 in a torus, where all routers are alike */
    uint32_t step[8][2];             /* [port]: what a hop adds to dx and dy, then taken modulo round */
    uint32_t round[2];               /* the sides of a torus; more than any field holds in a mesh */
    uint32_t shift, x_mask;          /* of dy's field; of dx's */
};

/* Builds the tables into routing->data, for a king network. -1: BASE_USAGE (too large), memory. */
int net_king_hops_prepare(struct net_routing *routing, const struct net_specification *specification,
                          struct base_error *error);
/* One header a pair: where two ways round are equally long, the first hop decides. */
uint32_t net_king_hops_variants(const struct net_routing *routing, uint32_t a, uint32_t b);
uint64_t net_king_hops_start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant);
uint64_t net_king_hops_step(const struct net_routing *routing, uint32_t router, uint64_t header,
                            uint32_t port);

#endif
