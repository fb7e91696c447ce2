/* Every operation of base/wide.h on words, so that two variants of it can be compared in one program: the file that
 * includes this one is compiled with BASE_WIDE_WORDS or without. */
#ifndef TESTS_BASE_WIDE_OPERATIONS_H
#define TESTS_BASE_WIDE_OPERATIONS_H

#include <string.h>

#include "base/wide.h"

/* What the operations give for two values and a number of bits; each value as {high, low}. */
struct wide_results {
    uint64_t sum[2], product[2], times[2], left[2], right[2], quotient[2], remainder[2], scaled[2];
    uint64_t low, high, cut, less, as_double;
};

static inline base_wide wide_join(const uint64_t words[2])
{
    return base_wide_add(base_wide_shift_left(base_wide_of(words[0]), 64), base_wide_of(words[1]));
}

static inline void wide_split(base_wide a, uint64_t words[2])
{
    words[0] = base_wide_high(a);
    words[1] = base_wide_low(a);
}

/* b and its low word must not be 0. */
static inline void wide_operate(const uint64_t a[2], const uint64_t b[2], unsigned bits,
                                struct wide_results *results)
{
    base_wide first = wide_join(a), second = wide_join(b);
    double value = base_wide_to_double(first);

    wide_split(base_wide_add(first, second), results->sum);
    wide_split(base_wide_product(a[1], b[1]), results->product);
    wide_split(base_wide_times(first, b[1]), results->times);
    wide_split(base_wide_shift_left(first, bits), results->left);
    wide_split(base_wide_shift_right(first, bits), results->right);
    wide_split(base_wide_quotient(first, second), results->quotient);
    wide_split(base_wide_remainder(first, second), results->remainder);
    wide_split(base_wide_scaled(a[0], a[1], b[1]), results->scaled);
    results->low = base_wide_low(first);
    results->high = base_wide_high(first);
    results->cut = base_wide_cut(first, b[1]);
    results->less = base_wide_less(first, second);
    memcpy(&results->as_double, &value, sizeof value);
}

/* The same by words, in a file of its own. */
void wide_operate_on_words(const uint64_t a[2], const uint64_t b[2], unsigned bits,
                           struct wide_results *results);

#endif
