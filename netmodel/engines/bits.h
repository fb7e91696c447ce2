/* Masks of drivers and outputs, and whom an arbiter finds in them. Only netmodel/ includes this. */
#ifndef NET_BITS_H
#define NET_BITS_H

#include <stdint.h>

#include "base/random.h"

/* The first bit at or cyclically after position. mask must not be 0, and position must be below 64. */
static inline uint32_t net_bits_from(uint64_t mask, uint32_t position)
{
    uint64_t upper = mask >> position << position;
    return (uint32_t)__builtin_ctzll(upper != 0 ? upper : mask);
}

/* The bit of that number among those that are set, from below. */
static inline uint32_t net_bits_nth(uint64_t mask, uint32_t number)
{
    while (number-- > 0)
        mask &= mask - 1;
    return (uint32_t)__builtin_ctzll(mask);
}

/* One of the bits, by 64 bits that are drawn (rules 3 and 4). */
static inline uint32_t net_bits_draw(uint64_t mask, uint64_t drawn)
{
    return net_bits_nth(mask, base_scale(drawn, (uint32_t)__builtin_popcountll(mask)));
}

#endif
