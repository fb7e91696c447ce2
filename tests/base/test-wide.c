/* The two variants of wide integers against each other, and both against known answers from an independent
 * implementation (Python's unbounded integers). Where the compiler has no 128 bits both are the same one, and only the
 * known answers show something. */
#include "tests/suite.h"

#include "base/random.h"
#include "tests/base/wide-operations.h"

#define CASES 200000

static bool is_same(const struct wide_results *a, const struct wide_results *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Words of every length, and those at both ends of the range: where carries and quotients go wrong. */
static uint64_t draw(struct base_random *random)
{
    uint64_t word = base_random_next(random) >> base_random_below(random, 64);

    switch (base_random_below(random, 8)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX - (word & 3);
    case 2:
        return UINT64_C(1) << base_random_below(random, 64);
    default:
        return word;
    }
}

static void both_variants_agree_on_random_values(void **state)
{
    struct base_random random;
    (void)state;

    base_random_seed(&random, 128, 0);
    for (unsigned i = 0; i < CASES; i++) {
        uint64_t a[2] = {draw(&random), draw(&random)}, b[2] = {draw(&random), draw(&random) | 1};
        unsigned bits = (unsigned)base_random_below(&random, 128);
        struct wide_results native, words;
        if (i % 4 == 0) /* divisors that are close to the dividend */
            b[0] = a[0];
        wide_operate(a, b, bits, &native);
        wide_operate_on_words(a, b, bits, &words);
        assert_true(is_same(&native, &words));
    }
}

/* Numbers that a double holds in part, halves among them: rounded once, to the even neighbour of a half. */
static void doubles_are_rounded_once(void **state)
{
    struct base_random random;
    (void)state;

    base_random_seed(&random, 53, 0);
    for (unsigned i = 0; i < CASES; i++) {
        unsigned length = 54 + (unsigned)base_random_below(&random, 74), half = length - 54;
        uint64_t a[2] = {0, base_random_next(&random) >> 10 | UINT64_C(1) << 53 | 1}, b[2] = {0, 1};
        base_wide value = base_wide_shift_left(wide_join(a), half);
        struct wide_results native, words;
        if (half > 0 && i % 3 == 1) /* just above the half */
            value = base_wide_add(value, base_wide_of(1));
        wide_split(value, a);
        wide_operate(a, b, 0, &native);
        wide_operate_on_words(a, b, 0, &words);
        assert_true(native.as_double == words.as_double);
    }
}

static const struct known {
    uint64_t a[2], b[2];
    unsigned bits;
    struct wide_results results;
} known[] = {
    {.a = {UINT64_C(0x0), UINT64_C(0x0)},
     .b = {UINT64_C(0x0), UINT64_C(0x1)},
     .bits = 0,
     .results = {.sum = {UINT64_C(0x0), UINT64_C(0x1)},
                 .product = {UINT64_C(0x0), UINT64_C(0x0)},
                 .times = {UINT64_C(0x0), UINT64_C(0x0)},
                 .left = {UINT64_C(0x0), UINT64_C(0x0)},
                 .right = {UINT64_C(0x0), UINT64_C(0x0)},
                 .quotient = {UINT64_C(0x0), UINT64_C(0x0)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0x0)},
                 .scaled = {UINT64_C(0x0), UINT64_C(0x0)},
                 .low = UINT64_C(0x0),
                 .high = UINT64_C(0x0),
                 .cut = UINT64_C(0x0),
                 .less = 1,
                 .as_double = UINT64_C(0x0)}},
    {.a = {UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)},
     .b = {UINT64_C(0x0), UINT64_C(0xffffffffffffffff)},
     .bits = 1,
     .results = {.sum = {UINT64_C(0x0), UINT64_C(0xfffffffffffffffe)},
                 .product = {UINT64_C(0xfffffffffffffffe), UINT64_C(0x1)},
                 .times = {UINT64_C(0xffffffffffffffff), UINT64_C(0x1)},
                 .left = {UINT64_C(0xffffffffffffffff), UINT64_C(0xfffffffffffffffe)},
                 .right = {UINT64_C(0x7fffffffffffffff), UINT64_C(0xffffffffffffffff)},
                 .quotient = {UINT64_C(0x1), UINT64_C(0x1)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0x0)},
                 .scaled = {UINT64_C(0x0), UINT64_C(0xffffffffffffffff)},
                 .low = UINT64_C(0xffffffffffffffff),
                 .high = UINT64_C(0xffffffffffffffff),
                 .cut = UINT64_C(0xffffffffffffffff),
                 .less = 0,
                 .as_double = UINT64_C(0x47f0000000000000)}},
    {.a = {UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)},
     .b = {UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)},
     .bits = 127,
     .results = {.sum = {UINT64_C(0xffffffffffffffff), UINT64_C(0xfffffffffffffffe)},
                 .product = {UINT64_C(0xfffffffffffffffe), UINT64_C(0x1)},
                 .times = {UINT64_C(0xffffffffffffffff), UINT64_C(0x1)},
                 .left = {UINT64_C(0x8000000000000000), UINT64_C(0x0)},
                 .right = {UINT64_C(0x0), UINT64_C(0x1)},
                 .quotient = {UINT64_C(0x0), UINT64_C(0x1)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0x0)},
                 .scaled = {UINT64_C(0x0), UINT64_C(0xffffffffffffffff)},
                 .low = UINT64_C(0xffffffffffffffff),
                 .high = UINT64_C(0xffffffffffffffff),
                 .cut = UINT64_C(0xffffffffffffffff),
                 .less = 0,
                 .as_double = UINT64_C(0x47f0000000000000)}},
    {.a = {UINT64_C(0x1), UINT64_C(0x0)},
     .b = {UINT64_C(0x0), UINT64_C(0x3)},
     .bits = 64,
     .results = {.sum = {UINT64_C(0x1), UINT64_C(0x3)},
                 .product = {UINT64_C(0x0), UINT64_C(0x0)},
                 .times = {UINT64_C(0x3), UINT64_C(0x0)},
                 .left = {UINT64_C(0x0), UINT64_C(0x0)},
                 .right = {UINT64_C(0x0), UINT64_C(0x1)},
                 .quotient = {UINT64_C(0x0), UINT64_C(0x5555555555555555)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0x1)},
                 .scaled = {UINT64_C(0x0), UINT64_C(0x0)},
                 .low = UINT64_C(0x0),
                 .high = UINT64_C(0x1),
                 .cut = UINT64_C(0x3),
                 .less = 0,
                 .as_double = UINT64_C(0x43f0000000000000)}},
    {.a = {UINT64_C(0x123456789abcdef0), UINT64_C(0xfedcba9876543211)},
     .b = {UINT64_C(0x0), UINT64_C(0x1000000000000001)},
     .bits = 63,
     .results = {.sum = {UINT64_C(0x123456789abcdef1), UINT64_C(0xedcba9876543212)},
                 .product = {UINT64_C(0xfedcba987654322), UINT64_C(0xedcba9876543211)},
                 .times = {UINT64_C(0x2222222222222212), UINT64_C(0xedcba9876543211)},
                 .left = {UINT64_C(0x7f6e5d4c3b2a1908), UINT64_C(0x8000000000000000)},
                 .right = {UINT64_C(0x0), UINT64_C(0x2468acf13579bde1)},
                 .quotient = {UINT64_C(0x1), UINT64_C(0x23456789abcdeefd)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0xb97530eca864314)},
                 .scaled = {UINT64_C(0x1), UINT64_C(0x21fa00ad77d74211)},
                 .low = UINT64_C(0xfedcba9876543211),
                 .high = UINT64_C(0x123456789abcdef0),
                 .cut = UINT64_C(0x1000000000000001),
                 .less = 0,
                 .as_double = UINT64_C(0x47b23456789abcdf)}},
    {.a = {UINT64_C(0x8000000000000000), UINT64_C(0x0)},
     .b = {UINT64_C(0x7fffffffffffffff), UINT64_C(0xffffffffffffffff)},
     .bits = 65,
     .results = {.sum = {UINT64_C(0xffffffffffffffff), UINT64_C(0xffffffffffffffff)},
                 .product = {UINT64_C(0x0), UINT64_C(0x0)},
                 .times = {UINT64_C(0x8000000000000000), UINT64_C(0x0)},
                 .left = {UINT64_C(0x0), UINT64_C(0x0)},
                 .right = {UINT64_C(0x0), UINT64_C(0x4000000000000000)},
                 .quotient = {UINT64_C(0x0), UINT64_C(0x1)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0x1)},
                 .scaled = {UINT64_C(0x0), UINT64_C(0x0)},
                 .low = UINT64_C(0x0),
                 .high = UINT64_C(0x8000000000000000),
                 .cut = UINT64_C(0xffffffffffffffff),
                 .less = 0,
                 .as_double = UINT64_C(0x47e0000000000000)}},
    {.a = {UINT64_C(0x5), UINT64_C(0xffffffffffffffff)},
     .b = {UINT64_C(0x5), UINT64_C(0xfffffffffffffffd)},
     .bits = 13,
     .results = {.sum = {UINT64_C(0xb), UINT64_C(0xfffffffffffffffc)},
                 .product = {UINT64_C(0xfffffffffffffffc), UINT64_C(0x3)},
                 .times = {UINT64_C(0xffffffffffffffed), UINT64_C(0x3)},
                 .left = {UINT64_C(0xbfff), UINT64_C(0xffffffffffffe000)},
                 .right = {UINT64_C(0x0), UINT64_C(0x2fffffffffffff)},
                 .quotient = {UINT64_C(0x0), UINT64_C(0x1)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0x2)},
                 .scaled = {UINT64_C(0x0), UINT64_C(0x5)},
                 .low = UINT64_C(0xffffffffffffffff),
                 .high = UINT64_C(0x5),
                 .cut = UINT64_C(0xfffffffffffffffd),
                 .less = 0,
                 .as_double = UINT64_C(0x4418000000000000)}},
    {.a = {UINT64_C(0x10000000000000), UINT64_C(0x1)},
     .b = {UINT64_C(0x0), UINT64_C(0x3b9aca00)},
     .bits = 3,
     .results = {.sum = {UINT64_C(0x10000000000000), UINT64_C(0x3b9aca01)},
                 .product = {UINT64_C(0x0), UINT64_C(0x3b9aca00)},
                 .times = {UINT64_C(0xa000000000000000), UINT64_C(0x3b9aca00)},
                 .left = {UINT64_C(0x80000000000000), UINT64_C(0x8)},
                 .right = {UINT64_C(0x2000000000000), UINT64_C(0x0)},
                 .quotient = {UINT64_C(0x44b82f), UINT64_C(0xa09b5a52cb98b405)},
                 .remainder = {UINT64_C(0x0), UINT64_C(0xff20e01)},
                 .scaled = {UINT64_C(0x0), UINT64_C(0x44b82f)},
                 .low = UINT64_C(0x1),
                 .high = UINT64_C(0x10000000000000),
                 .cut = UINT64_C(0x3b9aca00),
                 .less = 0,
                 .as_double = UINT64_C(0x4730000000000000)}},
};

static void both_variants_give_known_answers(void **state)
{
    (void)state;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct wide_results results;
        wide_operate(known[i].a, known[i].b, known[i].bits, &results);
        assert_true(is_same(&results, &known[i].results));
        wide_operate_on_words(known[i].a, known[i].b, known[i].bits, &results);
        assert_true(is_same(&results, &known[i].results));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_variants_agree_on_random_values),
        cmocka_unit_test(doubles_are_rounded_once),
        cmocka_unit_test(both_variants_give_known_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
