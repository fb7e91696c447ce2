/* Bit complement: terminal u sends to N - 1 - u, through the middle of the network.
 *
 * For N = 2^b this inverts all bits of the address (Dally and Towles); the difference is defined for every N,
 * where it mirrors every coordinate of a grid. With an odd N the terminal in the middle sends nothing. */
#include "netmodel/traffic/pattern.h"

/* No preparation: it is defined everywhere. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    (void)key, (void)state;
    return pattern->terminals - 1 - source;
}

const struct net_pattern_kind net_pattern_bit_complement = {
    .name = "bit-complement",
    .chance = BASE_EXACT,
    .summary = "terminal u of N sends to N - 1 - u",
    .permutation = true,
    .target = target,
};
