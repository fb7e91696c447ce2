/* Shuffle: the address rotated to the left by one bit: bit i of the target is bit i - 1 of the source, modulo
 * b = log2 N (Dally and Towles). N must be a power of two; all zeros and all ones send nothing. bits=B rotates by B
 * bits: b/2 of them are Dally and Towles' transpose, on networks that have no x and y, too. */
#include "netmodel/specification.h"
#include "netmodel/traffic/pattern.h"

/* At least one bit, since there are two terminals, and less than all of them, which would move nobody. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    pattern->shift = 1;
    if (net_pattern_address(pattern, error) != 0)
        return -1;
    uint64_t most = pattern->address_bits > 1 ? pattern->address_bits - 1 : 1;
    return net_specification_unsigned(specification, "bits", 1, most, &pattern->shift, error);
}

/* The highest bits come round to the lowest places. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    (void)key, (void)state;
    return (source << pattern->shift & (pattern->terminals - 1)) |
           source >> (pattern->address_bits - pattern->shift);
}

static const char *const keys[] = {"bits", NULL};

const struct net_pattern_kind net_pattern_shuffle = {
    .name = "shuffle",
    .chance = BASE_EXACT,
    .summary =
        "the bits of the terminal's number rotated left by one, or by bits=B; a power of two terminals",
    .parameters = "[,bits=B]",
    .keys = keys,
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
