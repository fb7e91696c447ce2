/* base/wide.h as processors of 32 bits have it, whatever this one is. */
#define BASE_WIDE_WORDS
#include "tests/base/wide-operations.h"

void wide_operate_on_words(const uint64_t a[2], const uint64_t b[2], unsigned bits,
                           struct wide_results *results)
{
    wide_operate(a, b, bits, results);
}
