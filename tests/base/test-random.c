/* Known answers. All numbers below come from an independent implementation (a few lines of Python on
 * unbounded integers); those of splitmix64 from 1234567 and of xoshiro256** from state 1, 2, 3, 4 are also
 * the ones that the generators' test vectors in several languages' libraries give. */
#include "tests/suite.h"

#include "base/random.h"

static void the_finaliser_gives_known_answers(void **state)
{
    static const uint64_t inputs[] = {0, 1, 2, UINT64_C(0x9e3779b97f4a7c15), UINT64_MAX};
    static const uint64_t outputs[] = {0, UINT64_C(0x5692161d100b05e5), UINT64_C(0xdbd238973a2b148a),
                                       UINT64_C(0xe220a8397b1dcdaf), UINT64_C(0xb4d055fcf2cbbd7b)};
    static const uint64_t splitmix[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
                                        UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
                                        UINT64_C(16408922859458223821)};
    (void)state;

    for (size_t i = 0; i < 5; i++) {
        assert_true(base_mix(inputs[i]) == outputs[i]);
        assert_true(base_mix(1234567 + (i + 1) * UINT64_C(0x9e3779b97f4a7c15)) == splitmix[i]);
    }
}

static void the_pair_hash_gives_known_answers(void **state)
{
    (void)state;
    assert_true(base_hash(0, 0) == UINT64_C(0x48218226ff3cd4bf));
    assert_true(base_hash(1, 2) == UINT64_C(0x81a5c1377856b73));
    assert_true(base_hash(2, 1) == UINT64_C(0xf2826f98653e9e57));
}

static void xoshiro_gives_known_answers(void **state)
{
    static const uint64_t outputs[] = {11520,
                                       0,
                                       1509978240,
                                       UINT64_C(1215971899390074240),
                                       UINT64_C(1216172134540287360),
                                       UINT64_C(607988272756665600),
                                       UINT64_C(16172922978634559625),
                                       UINT64_C(8476171486693032832),
                                       UINT64_C(10595114339597558777),
                                       UINT64_C(2904607092377533576)};
    struct base_random random = {{1, 2, 3, 4}};
    (void)state;

    for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
        assert_true(base_random_next(&random) == outputs[i]);
}

static void seeds_and_streams_give_known_answers(void **state)
{
    static const struct {
        uint64_t seed, stream;
        uint64_t outputs[4];
    } cases[] = {
        {0,
         0,
         {UINT64_C(0x99ec5f36cb75f2b4), UINT64_C(0xbf6e1f784956452a), UINT64_C(0x1a5f849d4933e6e0),
          UINT64_C(0x6aa594f1262d2d2c)}},
        {1,
         0,
         {UINT64_C(0xb3f2af6d0fc710c5), UINT64_C(0x853b559647364cea), UINT64_C(0x92f89756082a4514),
          UINT64_C(0x642e1c7bc266a3a7)}},
        {UINT64_MAX,
         0,
         {UINT64_C(0x8f5520d52a7ead08), UINT64_C(0xc476a018caa1802d), UINT64_C(0x81de31c0d260469e),
          UINT64_C(0xbf658d7e065f3c2f)}},
        {1,
         1,
         {UINT64_C(0x4c8d7193a18e1489), UINT64_C(0xdf097821221f723d), UINT64_C(0xd670ee63237e8616),
          UINT64_C(0xde0917dcce9a5976)}},
        {42,
         7,
         {UINT64_C(0xc9d34d015d1ae8c0), UINT64_C(0x3f343a1124ed0f19), UINT64_C(0x1cc58bdea18cd650),
          UINT64_C(0xb81ec2c704b0f643)}},
    };
    struct base_random random;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        base_random_seed(&random, cases[i].seed, cases[i].stream);
        for (size_t j = 0; j < 4; j++)
            assert_true(base_random_next(&random) == cases[i].outputs[j]);
    }
    base_random_seed(&random, 42, 0);
    for (int i = 1; i < 1000; i++)
        base_random_next(&random);
    assert_true(base_random_next(&random) == UINT64_C(0x8de5848c61ab8968));
}

static void below_gives_known_answers(void **state)
{
    static const uint64_t of_ten[] = {7, 5, 5, 3, 6, 1, 0, 3, 8, 5, 9, 9};
    /* With this bound nearly half of all draws are rejected: 12 are consumed for these 6. */
    static const uint64_t of_many[] = {UINT64_C(4800180567299270261), UINT64_C(5295190459760845450),
                                       UINT64_C(3609369285294772691), UINT64_C(3515805966490203214),
                                       UINT64_C(5088625326638160104), UINT64_C(8828779273611113555)};
    struct base_random random;
    (void)state;

    base_random_seed(&random, 1, 0);
    for (size_t i = 0; i < sizeof of_ten / sizeof *of_ten; i++)
        assert_true(base_random_below(&random, 10) == of_ten[i]);
    base_random_seed(&random, 1, 0);
    for (size_t i = 0; i < sizeof of_many / sizeof *of_many; i++)
        assert_true(base_random_below(&random, (UINT64_C(1) << 63) + 1) == of_many[i]);
}

static void below_stays_below(void **state)
{
    static const uint64_t bounds[] = {1, 2, 3, 7, UINT64_C(1) << 32, UINT64_C(1) << 63, UINT64_MAX};
    struct base_random random;
    (void)state;

    base_random_seed(&random, 5, 5);
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        for (int j = 0; j < 1000; j++)
            assert_true(base_random_below(&random, bounds[i]) < bounds[i]);
}

static void unit_gives_known_answers(void **state)
{
    static const double outputs[] = {0x1.67e55eda1f8e2p-1, 0x1.0a76ab2c8e6c9p-1, 0x1.25f12eac10548p-1};
    /* From this state comes the word with all bits set: the product's inverse was solved for. */
    struct base_random random = {{0, UINT64_C(0x4fc71c71c71c71c7), 0, 0}};
    (void)state;

    assert_true(base_random_unit(&random) == 1.0 - 0x1p-53);
    base_random_seed(&random, 1, 0);
    for (size_t i = 0; i < 3; i++)
        assert_true(base_random_unit(&random) == outputs[i]);
}

static void shuffle_gives_a_known_permutation(void **state)
{
    static const uint32_t expected[] = {3, 6, 1, 5, 0, 9, 2, 8, 4, 7};
    uint32_t values[10];
    struct base_random random;
    (void)state;

    for (uint32_t i = 0; i < 10; i++)
        values[i] = i;
    base_random_seed(&random, 1, 0);
    base_random_shuffle(&random, values, 10);
    assert_memory_equal(values, expected, sizeof values);
    base_random_shuffle(&random, values, 1);
    base_random_shuffle(&random, NULL, 0);
    assert_memory_equal(values, expected, sizeof values);
}

static void scale_covers_its_range(void **state)
{
    (void)state;
    assert_int_equal(base_scale(0, 10), 0);
    assert_int_equal(base_scale(UINT64_MAX, 10), 9);
    assert_int_equal(base_scale(UINT64_MAX, UINT32_MAX), UINT32_MAX - 1);
    assert_int_equal(base_scale(UINT64_C(1) << 63, 10), 5);
    assert_int_equal(base_scale((UINT64_C(1) << 63) - 1, 10), 4);
    assert_int_equal(base_scale(UINT64_MAX, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_finaliser_gives_known_answers),
        cmocka_unit_test(the_pair_hash_gives_known_answers),
        cmocka_unit_test(xoshiro_gives_known_answers),
        cmocka_unit_test(seeds_and_streams_give_known_answers),
        cmocka_unit_test(below_gives_known_answers),
        cmocka_unit_test(below_stays_below),
        cmocka_unit_test(unit_gives_known_answers),
        cmocka_unit_test(shuffle_gives_a_known_permutation),
        cmocka_unit_test(scale_covers_its_range),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
