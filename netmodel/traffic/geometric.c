/* Geometric numbers, bit by bit. Only operations that IEEE 754 fixes are used, so that thresholds are the
 * same everywhere. */
#include "netmodel/traffic/geometric.h"

#include "base/random.h"

#define TERMS 18 /* of e^-x for x <= 1/2: the next is below 2^-70 */

/* e^-x by halving the argument until the series is short, and squaring the result as often. */
static double exponential_of_minus(double x)
{
    double sum = 1, term = 1;
    unsigned halvings = 0;

    while (x > 0.5) {
        x /= 2;
        halvings++;
    }
    for (unsigned k = 1; k <= TERMS; k++) {
        term *= -x / k;
        sum += term;
    }
    for (; halvings > 0; halvings--)
        sum *= sum;
    return sum;
}

/* Stores a bit's threshold. 0: it is smaller than a draw can tell, and so are those of all higher bits. */
static int add_bit(struct net_geometric *geometric, double power)
{
    double threshold = power / (1 + power) * 0x1p64;

    if (threshold < 1 || geometric->bits == NET_GEOMETRIC_BITS)
        return 0;
    geometric->threshold[geometric->bits++] = (uint64_t)threshold;
    return 1;
}

/* 1 - p is rounded to 2^-53: a relative error of 2^-53 / p in the rate, 10^-10 for a message in a million
 * cycles. */
void net_geometric_init(struct net_geometric *geometric, double p)
{
    double power = 1 - p;

    geometric->bits = 0;
    while (add_bit(geometric, power))
        power *= power;
}

/* Each power from the rate itself: squaring e^-rate would lose a small rate's digits. */
void net_geometric_init_rate(struct net_geometric *geometric, double rate)
{
    geometric->bits = 0;
    while (add_bit(geometric, exponential_of_minus(rate)))
        rate *= 2;
}

/* A hash a bit: some sixteen of them at the loads that matter, less than what a packet costs at one router.
 */
uint64_t net_geometric_draw(const struct net_geometric *geometric, uint64_t key)
{
    uint64_t number = 0;

    for (uint32_t bit = 0; bit < geometric->bits; bit++)
        number |= (uint64_t)(base_hash(key, bit) < geometric->threshold[bit]) << bit;
    return number;
}
