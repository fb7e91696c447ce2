/* Sets of a router's drivers or outputs, by local number: a mask of one word, or of several where routers are wide. The
 * engine is compiled for both (wide.c): for one word every function here is an operation or two on it. Loops have
 * a bound that is known when compiling, so that for one word nothing is left of them. All numbers must be below
 * NET_FLIT_SET_BITS: nothing here checks. */
#ifndef NET_FLIT_ENGINE_SETS_H
#define NET_FLIT_ENGINE_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "netmodel/engines/bits.h"

#ifndef NET_FLIT_WORDS
#define NET_FLIT_WORDS 1
#endif
#define NET_FLIT_WORD_BITS 64
#define NET_FLIT_SET_BITS (NET_FLIT_WORDS * NET_FLIT_WORD_BITS) /* local numbers are below */

struct net_flit_set {
    uint64_t word[NET_FLIT_WORDS]; /* number n is bit n % 64 of word n / 64 */
};

/* A local number, as it is kept; and none. */
#if NET_FLIT_WORDS == 1
typedef uint8_t net_flit_number;
#define NET_FLIT_HOLDS_NOTHING UINT8_MAX
#else
typedef uint16_t net_flit_number;
#define NET_FLIT_HOLDS_NOTHING UINT16_MAX
#endif

static inline uint32_t net_flit_word(uint32_t number)
{
    return NET_FLIT_WORDS == 1 ? 0 : number / NET_FLIT_WORD_BITS;
}

static inline uint64_t net_flit_bit(uint32_t number)
{
    return UINT64_C(1) << number % NET_FLIT_WORD_BITS;
}

static inline bool net_flit_has(const struct net_flit_set *set, uint32_t number)
{
    return (set->word[net_flit_word(number)] & net_flit_bit(number)) != 0;
}

static inline void net_flit_add(struct net_flit_set *set, uint32_t number)
{
    set->word[net_flit_word(number)] |= net_flit_bit(number);
}

static inline void net_flit_drop(struct net_flit_set *set, uint32_t number)
{
    set->word[net_flit_word(number)] &= ~net_flit_bit(number);
}

/* No member. */
static inline bool net_flit_is_empty(const struct net_flit_set *set)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < NET_FLIT_WORDS; i++)
        any |= set->word[i];
    return any == 0;
}

/* The members of both sets. */
static inline struct net_flit_set net_flit_both(const struct net_flit_set *left,
                                                const struct net_flit_set *right)
{
    struct net_flit_set both;
    for (uint32_t i = 0; i < NET_FLIT_WORDS; i++)
        both.word[i] = left->word[i] & right->word[i];
    return both;
}

static inline void net_flit_add_all(struct net_flit_set *set, const struct net_flit_set *more)
{
    for (uint32_t i = 0; i < NET_FLIT_WORDS; i++)
        set->word[i] |= more->word[i];
}

/* The lowest member; there must be one. */
static inline uint32_t net_flit_first(const struct net_flit_set *set)
{
    uint32_t i = 0;
    while (i + 1 < NET_FLIT_WORDS && set->word[i] == 0)
        i++;
    return i * NET_FLIT_WORD_BITS + (uint32_t)__builtin_ctzll(set->word[i]);
}

/* The same, and out of the set. */
static inline uint32_t net_flit_take(struct net_flit_set *set)
{
    uint32_t i = 0;
    while (i + 1 < NET_FLIT_WORDS && set->word[i] == 0)
        i++;
    uint32_t number = i * NET_FLIT_WORD_BITS + (uint32_t)__builtin_ctzll(set->word[i]);
    set->word[i] &= set->word[i] - 1;
    return number;
}

/* At most one member. */
static inline bool net_flit_is_single(const struct net_flit_set *set)
{
    uint64_t others = 0, any = 0;
    for (uint32_t i = 0; i < NET_FLIT_WORDS; i++) {
        others |= set->word[i] & (set->word[i] - 1);
        others |= set->word[i] != 0 ? any : 0;
        any |= set->word[i];
    }
    return others == 0;
}

/* The first member at or cyclically after a number below NET_FLIT_SET_BITS; there must be one. */
static inline uint32_t net_flit_from(const struct net_flit_set *set, uint32_t number)
{
    if (NET_FLIT_WORDS == 1)
        return net_bits_from(set->word[0], number);
    uint32_t at = net_flit_word(number), shift = number % NET_FLIT_WORD_BITS;
    uint64_t upper = set->word[at] >> shift << shift;
    for (uint32_t i = 0; upper == 0 && i < NET_FLIT_WORDS; i++) {
        at = at + 1 == NET_FLIT_WORDS ? 0 : at + 1;
        upper = set->word[at];
    }
    return at * NET_FLIT_WORD_BITS + (uint32_t)__builtin_ctzll(upper);
}

/* One of the members, by 64 bits that are drawn (rules 3 and 4); there must be one. */
static inline uint32_t net_flit_draw(const struct net_flit_set *set, uint64_t drawn)
{
    uint32_t count = 0, i = 0;
    if (NET_FLIT_WORDS == 1)
        return net_bits_draw(set->word[0], drawn);
    for (uint32_t k = 0; k < NET_FLIT_WORDS; k++)
        count += (uint32_t)__builtin_popcountll(set->word[k]);
    uint32_t left = base_scale(drawn, count);
    while (left >= (uint32_t)__builtin_popcountll(set->word[i]))
        left -= (uint32_t)__builtin_popcountll(set->word[i++]);
    return i * NET_FLIT_WORD_BITS + net_bits_nth(set->word[i], left);
}

/* The members among the `count` <= 64 numbers from `first` on, which is bit 0 of the result. */
static inline uint64_t net_flit_span(const struct net_flit_set *set, uint32_t first, uint32_t count)
{
    uint32_t at = net_flit_word(first), shift = first % NET_FLIT_WORD_BITS;
    uint64_t bits = set->word[at] >> shift;
    if (NET_FLIT_WORDS > 1 && shift + count > NET_FLIT_WORD_BITS)
        bits |= set->word[at + 1] << (NET_FLIT_WORD_BITS - shift);
    return bits & UINT64_MAX >> (NET_FLIT_WORD_BITS - count);
}

/* Those of bits from `first` on into the set, or out of it: the other way round of net_flit_span. */
static inline void net_flit_add_span(struct net_flit_set *set, uint32_t first, uint64_t bits)
{
    uint32_t at = net_flit_word(first), shift = first % NET_FLIT_WORD_BITS;
    set->word[at] |= bits << shift;
    if (NET_FLIT_WORDS > 1 && shift != 0 && at + 1 < NET_FLIT_WORDS)
        set->word[at + 1] |= bits >> (NET_FLIT_WORD_BITS - shift);
}

static inline void net_flit_drop_span(struct net_flit_set *set, uint32_t first, uint64_t bits)
{
    uint32_t at = net_flit_word(first), shift = first % NET_FLIT_WORD_BITS;
    set->word[at] &= ~(bits << shift);
    if (NET_FLIT_WORDS > 1 && shift != 0 && at + 1 < NET_FLIT_WORDS)
        set->word[at + 1] &= ~(bits >> (NET_FLIT_WORD_BITS - shift));
}

#endif
