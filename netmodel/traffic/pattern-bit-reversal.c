/* Bit reversal: bit i of the target's address is bit b - 1 - i of the source's, b = log2 N (Dally and Towles;
 * "reversal" in the king thesis). N must be a power of two; palindromes send nothing. */
#include "netmodel/traffic/pattern.h"

/* Any power of two: a grid need not be square. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    return net_pattern_address(pattern, error);
}

/* A loop over the bits, once a message: nobody waits for it. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint32_t reversed = 0;

    (void)key, (void)state;
    for (uint32_t bit = 0; bit < pattern->address_bits; bit++)
        reversed |= (source >> bit & 1) << (pattern->address_bits - 1 - bit);
    return reversed;
}

const struct net_pattern_kind net_pattern_bit_reversal = {
    .name = "bit-reversal",
    .chance = BASE_EXACT,
    .summary = "the bits of the terminal's number in reverse; a power of two terminals",
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
