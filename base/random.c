/* xoshiro256** 1.0: D. Blackman, S. Vigna, "Scrambled linear pseudorandom number generators", ACM TOMS 47
 * (2021), figure 3 and section 5; seeded as its authors advise by splitmix64. */
#include "base/random.h"

#include <assert.h>
#include <stddef.h>

#include "base/wide.h"

#define GOLDEN_GAMMA UINT64_C(0x9e3779b97f4a7c15) /* the step of splitmix64: 2^64 / golden ratio, odd */

/* The one operation of the generator that C has no operator for. */
static inline uint64_t rotate_left(uint64_t x, unsigned bits)
{
    return (x << bits) | (x >> (64 - bits));
}

/* Streams are told apart by hashing, not by jumps ahead in one sequence: a stream costs nothing until it is used,
 * and any 64-bit number names one. */
void base_random_seed(struct base_random *random, uint64_t seed, uint64_t stream)
{
    /* The four words of one splitmix64 run are distinct, and base_hash is a bijection of its second argument,
     * so the state is never all zero (the one state that xoshiro may not have). */
    for (size_t i = 0; i < 4; i++) {
        uint64_t word = base_mix(seed + (i + 1) * GOLDEN_GAMMA);
        random->state[i] = stream == 0 ? word : base_hash(stream, word);
    }
}

/* xoshiro256**: the state is a linear recurrence, the result a scrambled word of it. In the order of the
 * published code, of which every line depends on the one before. */
uint64_t base_random_next(struct base_random *random)
{
    uint64_t *state = random->state;
    uint64_t result = rotate_left(state[1] * 5, 7) * 9;
    uint64_t shifted = state[1] << 17;

    state[2] ^= state[0];
    state[3] ^= state[1];
    state[1] ^= state[2];
    state[0] ^= state[3];
    state[2] ^= shifted;
    state[3] = rotate_left(state[3], 45);
    return result;
}

/* The product's low half is uneven for a few values only: those are drawn again. The multiplication takes the
 * place of a division, which is only needed in the few cases where the low half is below the bound. */
uint64_t base_random_below(struct base_random *random, uint64_t bound)
{
    base_wide draw;

    assert(bound >= 1);
    draw = base_wide_product(base_random_next(random), bound);
    /* A low half under 2^64 mod bound marks the products that would favour some values; the division that
     * finds the limit is rarely needed (D. Lemire, "Fast random integer generation in an interval", 2019,
     * section 4). */
    if (base_wide_low(draw) < bound) {
        uint64_t limit = (0 - bound) % bound;
        while (base_wide_low(draw) < limit)
            draw = base_wide_product(base_random_next(random), bound);
    }
    return base_wide_high(draw);
}

/* The top 53 bits, which a double holds exactly: the result is a multiple of 2^-53 and never rounds up to 1.
 */
double base_random_unit(struct base_random *random)
{
    return (double)(base_random_next(random) >> 11) * 0x1p-53;
}

/* From the end: each place takes one of the values that are not placed yet, itself included. */
void base_random_shuffle(struct base_random *random, uint32_t *values, uint32_t count)
{
    for (uint32_t left = count; left > 1; left--) {
        uint32_t other = (uint32_t)base_random_below(random, left);
        uint32_t value = values[left - 1];
        values[left - 1] = values[other];
        values[other] = value;
    }
}
