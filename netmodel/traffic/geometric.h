/* Geometric random numbers without a logarithm: the same on every machine, and exact to 2^-64.
 *
 * The bits of a geometric number G, P(G >= n) = q^n, are independent: bit k is one with probability
 * q^(2^k) / (1 + q^(2^k)) (summation of q^n over the n with and without the bit). So a draw is a handful of
 * comparisons of counter-based hashes with thresholds, which are made from q by +, * and / alone; libm's
 * logarithm is not the same in all its versions.
 *
 * With q = e^-r the number is what an exponential of rate r is when it is rounded down. */
#ifndef NET_GEOMETRIC_H
#define NET_GEOMETRIC_H

#include <stdint.h>

#define NET_GEOMETRIC_BITS 62

struct net_geometric {
    uint32_t bits;                          /* higher ones are never one */
    uint64_t threshold[NET_GEOMETRIC_BITS]; /* of each bit */
};

/* The failures before the first success of probability p, 0 < p <= 1. */
void net_geometric_init(struct net_geometric *geometric, double p);
/* The same for q = e^-rate, rate > 0. */
void net_geometric_init_rate(struct net_geometric *geometric, double rate);
/* A draw named by its key. */
uint64_t net_geometric_draw(const struct net_geometric *geometric, uint64_t key);

#endif
