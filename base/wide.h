/* Unsigned integers of 128 bits, for products of two 64-bit values and what is done with them: sums, quotients,
 * comparisons. The compiler's own type where it has one; elsewhere (processors of 32 bits) two words of 64. Both give
 * the same values; with BASE_WIDE_WORDS defined, the words are taken everywhere (CPPFLAGS=-DBASE_WIDE_WORDS).
 *
 * Like the operators of C, none of these fails but by a division by 0, and all are modulo 2^128. */
#ifndef BASE_WIDE_H
#define BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

#if defined(__SIZEOF_INT128__) && !defined(BASE_WIDE_WORDS)

__extension__ typedef unsigned __int128 base_wide;

static inline base_wide base_wide_of(uint64_t value)
{
    return value;
}

static inline uint64_t base_wide_low(base_wide a)
{
    return (uint64_t)a;
}

static inline uint64_t base_wide_high(base_wide a)
{
    return (uint64_t)(a >> 64);
}

static inline base_wide base_wide_product(uint64_t a, uint64_t b)
{
    return (base_wide)a * b;
}

static inline base_wide base_wide_add(base_wide a, base_wide b)
{
    return a + b;
}

/* By less than 128 bits, as the next one. */
static inline base_wide base_wide_shift_left(base_wide a, unsigned bits)
{
    return a << bits;
}

static inline base_wide base_wide_shift_right(base_wide a, unsigned bits)
{
    return a >> bits;
}

static inline base_wide base_wide_times(base_wide a, uint64_t b)
{
    return a * b;
}

/* Rounded down. */
static inline base_wide base_wide_quotient(base_wide a, base_wide b)
{
    return a / b;
}

static inline base_wide base_wide_remainder(base_wide a, base_wide b)
{
    return a % b;
}

static inline bool base_wide_less(base_wide a, base_wide b)
{
    return a < b;
}

/* To the nearest, as every conversion of C. */
static inline double base_wide_to_double(base_wide a)
{
    return (double)a;
}

#else

typedef struct base_wide_words {
    uint64_t high, low; /* high * 2^64 + low */
} base_wide;

static inline base_wide base_wide_of(uint64_t value)
{
    return (base_wide){0, value};
}

static inline uint64_t base_wide_low(base_wide a)
{
    return a.low;
}

static inline uint64_t base_wide_high(base_wide a)
{
    return a.high;
}

/* By halves of words: with a = a1 * 2^32 + a0 the middle is a1 * b0 + a0 * b1, to which the carry of a0 * b0 comes.
 * No sum here passes 64 bits, since (2^32 - 1)^2 + 2 * (2^32 - 1) is 2^64 - 1. */
static inline base_wide base_wide_product(uint64_t a, uint64_t b)
{
    uint64_t a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
    uint64_t lowest = a0 * b0;
    uint64_t middle = a1 * b0 + (lowest >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    return (base_wide){a1 * b1 + (middle >> 32) + (other >> 32), (other << 32) | (uint32_t)lowest};
}

static inline base_wide base_wide_add(base_wide a, base_wide b)
{
    uint64_t low = a.low + b.low;
    return (base_wide){a.high + b.high + (low < a.low), low};
}

static inline base_wide base_wide_shift_left(base_wide a, unsigned bits)
{
    if (bits == 0)
        return a;
    if (bits >= 64)
        return (base_wide){a.low << (bits - 64), 0};
    return (base_wide){a.high << bits | a.low >> (64 - bits), a.low << bits};
}

static inline base_wide base_wide_shift_right(base_wide a, unsigned bits)
{
    if (bits == 0)
        return a;
    if (bits >= 64)
        return (base_wide){0, a.high >> (bits - 64)};
    return (base_wide){a.high >> bits, a.high << (64 - bits) | a.low >> bits};
}

static inline base_wide base_wide_times(base_wide a, uint64_t b)
{
    base_wide low = base_wide_product(a.low, b);
    return (base_wide){low.high + a.high * b, low.low};
}

static inline bool base_wide_less(base_wide a, base_wide b)
{
    return a.high != b.high ? a.high < b.high : a.low < b.low;
}

/* How many bits the value has: 0 of 0, 128 at most. */
static inline unsigned base_wide_bits(base_wide a)
{
    if (a.high != 0)
        return 128 - (unsigned)__builtin_clzll(a.high);
    return a.low == 0 ? 0 : 64 - (unsigned)__builtin_clzll(a.low);
}

/* Long division by bits, from the first in which the quotient may have one. Returns the quotient and leaves the rest
 * in *a. Most dividends have 64 bits, whatever they could have. */
static inline base_wide base_wide_divide(base_wide *a, base_wide b)
{
    base_wide quotient = {0, 0};
    unsigned bits_a = base_wide_bits(*a), bits_b = base_wide_bits(b);

    if (a->high == 0 && b.high == 0) {
        quotient.low = a->low / b.low;
        a->low %= b.low;
        return quotient;
    }
    if (bits_a < bits_b)
        return quotient;
    b = base_wide_shift_left(b, bits_a - bits_b);
    for (unsigned i = 0; i <= bits_a - bits_b; i++) {
        quotient = base_wide_shift_left(quotient, 1);
        if (!base_wide_less(*a, b)) {
            a->high -= b.high + (a->low < b.low);
            a->low -= b.low;
            quotient.low |= 1;
        }
        b = base_wide_shift_right(b, 1);
    }
    return quotient;
}

static inline base_wide base_wide_quotient(base_wide a, base_wide b)
{
    return base_wide_divide(&a, b);
}

static inline base_wide base_wide_remainder(base_wide a, base_wide b)
{
    base_wide_divide(&a, b);
    return a;
}

/* The top 64 bits say where the value lies, the lowest of them also that something is left below: with 11 bits more
 * than a double holds, that rounds as the whole value would. */
static inline double base_wide_to_double(base_wide a)
{
    unsigned bits = base_wide_bits(a), below = bits > 64 ? bits - 64 : 0;
    base_wide top = base_wide_shift_right(a, below), back = base_wide_shift_left(top, below);
    double scale = 1;

    if (back.low != a.low)
        top.low |= 1;
    for (unsigned i = 0; i < below; i++)
        scale *= 2;
    return (double)top.low * scale;
}

#endif

/* a * b / c, rounded down. */
static inline base_wide base_wide_scaled(uint64_t a, uint64_t b, uint64_t c)
{
    return base_wide_quotient(base_wide_product(a, b), base_wide_of(c));
}

/* The value, or `most` if that is less. */
static inline uint64_t base_wide_cut(base_wide a, uint64_t most)
{
    return base_wide_less(base_wide_of(most), a) ? most : base_wide_low(a);
}

#endif
