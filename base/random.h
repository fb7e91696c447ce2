/* Random numbers with a name. Streams: xoshiro256** 1.0 (Blackman, Vigna 2018), seeded through splitmix64.
 * Counter-based draws, where the order of evaluation must not matter: the splitmix64 finaliser (Steele, Lea,
 * Flood 2014; constants of Stafford's variant 13) over mixed keys. Both are part of the model: changing them
 * changes every golden number. */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/* Whether what is chosen by name draws from the seed that it is given. Descriptors of such kinds have a
 * member for it, and each says it: a test goes through all lists, compares what they say with what other
 * seeds change, and refuses what says nothing. */
enum base_chance {
    BASE_CHANCE_UNSAID, /* 0: a descriptor that forgot to say it, which the test refuses */
    BASE_EXACT,         /* never */
    BASE_DRAWS          /* always, or in some places */
};

struct base_random {
    uint64_t state[4]; /* never all zero */
};

/* Two different (seed, stream) pairs give unrelated sequences. Stream 0 is the plain xoshiro256** whose state
 * is the first four outputs of splitmix64 from seed; in stream s > 0 each of these words w is base_hash(s,
 * w). */
void base_random_seed(struct base_random *random, uint64_t seed, uint64_t stream);
uint64_t base_random_next(struct base_random *random);
/* Uniform in 0 .. bound-1, without bias (Lemire 2019). bound >= 1. Takes one draw, seldom more. */
uint64_t base_random_below(struct base_random *random, uint64_t bound);
/* Uniform in [0, 1), 53 bits. */
double base_random_unit(struct base_random *random);
/* Fisher-Yates over count 32-bit values. */
void base_random_shuffle(struct base_random *random, uint32_t *values, uint32_t count);

/* The finaliser: a bijection of 64 bits with full avalanche. */
static inline uint64_t base_mix(uint64_t x)
{
    x ^= x >> 30;
    x *= UINT64_C(0xbf58476d1ce4e5b9);
    x ^= x >> 27;
    x *= UINT64_C(0x94d049bb133111eb);
    x ^= x >> 31;
    return x;
}

/* The counter-based draw for a pair of keys, in two halves for one who draws often with the same first key.
 */
static inline uint64_t base_hash_first(uint64_t a)
{
    return base_mix(a + UINT64_C(0x9e3779b97f4a7c15));
}

static inline uint64_t base_hash_second(uint64_t first, uint64_t b)
{
    return base_mix(first ^ b);
}

static inline uint64_t base_hash(uint64_t a, uint64_t b)
{
    return base_hash_second(base_hash_first(a), b);
}

/* Maps 64 random bits to 0 .. count-1: the high half of the product (no modulo). */
static inline uint32_t base_scale(uint64_t bits, uint32_t count)
{
    return (uint32_t)(((bits >> 32) * count) >> 32);
}

#endif
