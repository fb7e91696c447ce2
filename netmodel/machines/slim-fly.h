/* The Slim Fly (M. Besta and T. Hoefler, Slim Fly: a cost effective low-diameter network topology, SC 2014),
 * on the graphs of McKay, Miller and Širáň 1998: 2 Q² routers (s,x,y) for a prime Q = 4w + δ, δ = 1 or -1, of
 * degree (3Q - δ)/2 and diameter 2. With ξ the smallest primitive root of Q, modulo Q throughout:
 *
 *      (0,x,y) ~ (0,x,y')    where y - y' is in X     δ = 1: even powers of ξ, 1 … ξ^(Q-3)
 *                                                     δ = -1: 1, ξ² … ξ^(2w-2), ξ^(2w-1), ξ^(2w+1) … ξ^(4w-3)
 *      (1,m,c) ~ (1,m,c')    where c - c' is in X'    X times ξ
 *      (0,x,y) ~ (1,m,c)     where y = mx + c
 *
 * Q = 5 is the Hoffman-Singleton graph. Router (s,x,y) is number (s Q + x) Q + y. Its ports are `local i`, to
 * y plus the i-th number of X or X', in the order above, then `global j` to the router of the other half
 * whose x or m is j. */
#ifndef NET_SLIM_FLY_H
#define NET_SLIM_FLY_H

#include "netmodel/topology.h"

struct net_slim_fly {
    uint32_t q;
    uint32_t locals;         /* numbers of X, and of X' */
    const uint32_t *sets[2]; /* X and X' */
};

/* NULL: it is no Slim Fly. */
const struct net_slim_fly *net_slim_fly_of(const struct net_topology *topology);

#endif
