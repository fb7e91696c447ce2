/* Arithmetic that C has no operator for. Inline, as callers use it while they set something up, and no room wants
 * to link for ten lines. */
#ifndef BASE_ARITHMETIC_H
#define BASE_ARITHMETIC_H

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

#endif
