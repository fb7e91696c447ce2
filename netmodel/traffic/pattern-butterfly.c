/* Butterfly: the highest and the lowest bit of the address change places (the butterfly permutation of
 * Duato, Yalamanchili and Ni, "Interconnection Networks", 9.2). N must be a power of two; half of the
 * terminals, those whose two bits are equal, send nothing. */
#include "netmodel/traffic/pattern.h"

/* With one bit the highest is the lowest, and nothing would move. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    if (net_pattern_address(pattern, error) != 0)
        return -1;
    if (pattern->address_bits >= 2)
        return 0;
    return base_error_set(error, BASE_USAGE, "pattern 'butterfly' needs at least 4 terminals; '%s' has %u",
                          pattern->topology->text, pattern->terminals);
}

/* Bits that are equal may stay; bits that differ are both inverted. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    uint32_t highest = pattern->address_bits - 1;
    uint32_t differ = (source >> highest ^ source) & 1;

    (void)key, (void)state;
    return source ^ (differ << highest | differ);
}

const struct net_pattern_kind net_pattern_butterfly = {
    .name = "butterfly",
    .chance = BASE_EXACT,
    .summary = "the highest and the lowest bit of the terminal's number exchanged; a power of two terminals",
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
