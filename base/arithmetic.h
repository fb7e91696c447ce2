/* Arithmetic that C has no operator for. Inline, as callers use it while they set something up, and no room wants
 * to link for ten lines. */
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

#include <stddef.h>
#include <stdint.h>

/* The greatest common divisor, Euclid's way; of 0 and x it is x. */
static inline uint64_t base_common_divisor(uint64_t a, uint64_t b)
{
    while (b != 0) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A number of things as a size in memory: where addresses are shorter than the number, SIZE_MAX, which no allocation
 * has room for. */
static inline size_t base_size(uint64_t count)
{
    return (size_t)count == count ? (size_t)count : SIZE_MAX;
}

#endif
