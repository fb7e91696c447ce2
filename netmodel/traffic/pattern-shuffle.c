/* Shuffle: the address rotated to the left by one bit: bit i of the target is bit i - 1 of the source, modulo
 * b = log2 N (Dally and Towles). N must be a power of two; all zeros and all ones send nothing. */
#include "netmodel/traffic/pattern.h"

/* At least one bit, since there are two terminals. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    return net_pattern_address(pattern, error);
}

/* The highest bit comes round to the lowest place. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    (void)key, (void)state;
    return (source << 1 & (pattern->terminals - 1)) | source >> (pattern->address_bits - 1);
}

const struct net_pattern_kind net_pattern_shuffle = {
    .name = "shuffle",
    .chance = BASE_EXACT,
    .summary = "the bits of the terminal's number rotated left by one; a power of two terminals",
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
