/* The digest against libxxhash itself and against sums on wide integers. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

#include "base/digest.h"
#include "base/random.h"
#include "base/wide.h"

/* The hash of words in the order of bytes that digests have on every machine. */
static XXH128_hash_t hash_little_endian(const uint64_t *words, size_t count)
{
    unsigned char bytes[40 * 8];

    assert_true(8 * count <= sizeof bytes);
    for (size_t i = 0; i < 8 * count; i++)
        bytes[i] = (unsigned char)(words[i / 8] >> 8 * (i % 8));
    return XXH3_128bits(bytes, 8 * count);
}

static void one_record_is_its_xxh3_hash(void **state)
{
    uint64_t words[40];
    (void)state;

    for (uint64_t i = 0; i < 40; i++)
        words[i] = base_mix(i + 1);
    /* 40 words pass through each of XXH3's ranges: up to 16, 128, 240 bytes, and longer. */
    for (size_t count = 0; count <= 40; count++) {
        XXH128_hash_t expected = hash_little_endian(words, count);
        struct base_digest digest = {0};
        base_digest_add(&digest, words, count);
        assert_true(digest.low == expected.low64 && digest.high == expected.high64);
        assert_int_equal(digest.records, 1);
    }
}

/* The bytes of the words 1 and 2, spelled out: catches a byte order that is not little-endian. */
static void words_are_hashed_as_little_endian_bytes(void **state)
{
    static const unsigned char bytes[16] = {1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0};
    XXH128_hash_t expected = XXH3_128bits(bytes, sizeof bytes);
    struct base_digest digest = {0};
    (void)state;

    base_digest_add(&digest, (uint64_t[]){1, 2}, 2);
    assert_true(digest.low == expected.low64 && digest.high == expected.high64);
}

static void sums_carry_into_the_high_half(void **state)
{
    base_wide sum = base_wide_of(0);
    struct base_digest digest = {0};
    unsigned carries = 0;
    (void)state;

    for (uint64_t i = 0; i < 1000; i++) {
        XXH128_hash_t hash = hash_little_endian(&i, 1);
        uint64_t low = base_wide_low(sum);
        base_wide high = base_wide_shift_left(base_wide_of(hash.high64), 64);
        sum = base_wide_add(sum, base_wide_add(high, base_wide_of(hash.low64)));
        carries += base_wide_low(sum) < low;
        base_digest_add(&digest, &i, 1);
    }
    assert_true(carries > 100); /* or the test would show nothing */
    assert_true(digest.low == base_wide_low(sum) && digest.high == base_wide_high(sum));
    assert_int_equal(digest.records, 1000);
}

static void order_does_not_matter_and_merging_is_adding(void **state)
{
    struct base_digest forward = {0}, backward = {0};
    struct base_digest parts[3] = {{0}, {0}, {0}};
    struct base_digest merged = {0};
    (void)state;

    for (uint64_t i = 0; i < 100; i++) {
        base_digest_add(&forward, (uint64_t[]){i, i * i}, 2);
        base_digest_add(&backward, (uint64_t[]){99 - i, (99 - i) * (99 - i)}, 2);
        base_digest_add(&parts[i % 3], (uint64_t[]){i, i * i}, 2);
    }
    for (size_t i = 0; i < 3; i++)
        base_digest_merge(&merged, &parts[2 - i]);
    assert_memory_equal(&forward, &backward, sizeof forward);
    assert_memory_equal(&forward, &merged, sizeof forward);
}

static void differs(const struct base_digest *a, const struct base_digest *b)
{
    char text_a[BASE_DIGEST_TEXT], text_b[BASE_DIGEST_TEXT];
    base_digest_text(a, text_a);
    base_digest_text(b, text_b);
    assert_string_not_equal(text_a, text_b);
}

static void every_record_counts(void **state)
{
    struct base_digest none = {0}, once = {0}, twice = {0}, cut = {0}, swapped = {0};
    (void)state;

    base_digest_add(&once, (uint64_t[]){3, 4}, 2);
    base_digest_add(&swapped, (uint64_t[]){4, 3}, 2);
    base_digest_add(&cut, (uint64_t[]){3}, 1);
    base_digest_add(&cut, (uint64_t[]){4}, 1);
    twice = once;
    base_digest_add(&twice, (uint64_t[]){3, 4}, 2);
    differs(&none, &once);
    differs(&once, &twice);
    differs(&once, &swapped);
    differs(&once, &cut);
}

static void the_text_holds_sum_and_count(void **state)
{
    struct base_digest digest = {.low = 1, .high = 2, .records = 3}, more = digest, higher = digest;
    const uint64_t words[3] = {1, 2, 3};
    XXH128_hash_t hash = hash_little_endian(words, 3);
    char text[BASE_DIGEST_TEXT], expected[BASE_DIGEST_TEXT];
    (void)state;

    snprintf(expected, sizeof expected, "%016" PRIx64 "%016" PRIx64, hash.high64, hash.low64);
    base_digest_text(&digest, text);
    assert_string_equal(text, expected);
    assert_int_equal(strlen(text), 32);
    assert_int_equal(strspn(text, "0123456789abcdef"), 32);
    more.records++;
    differs(&digest, &more);
    higher.high++;
    differs(&digest, &higher);
}

/* Spelled out, as no machine may have others: identities in stores are digests of texts. */
static void texts_are_hashed_alike_everywhere(void **state)
{
    struct base_digest digest = {0};
    char text[BASE_DIGEST_TEXT];
    (void)state;

    base_digest_add_text(&digest, 7,
                         "a text of more than forty-eight bytes, which are the words of one record");
    base_digest_text(&digest, text);
    assert_string_equal(text, "da21a0caac019cb9709d8b14fcbaab01");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_record_is_its_xxh3_hash),
        cmocka_unit_test(words_are_hashed_as_little_endian_bytes),
        cmocka_unit_test(sums_carry_into_the_high_half),
        cmocka_unit_test(order_does_not_matter_and_merging_is_adding),
        cmocka_unit_test(every_record_counts),
        cmocka_unit_test(texts_are_hashed_alike_everywhere),
        cmocka_unit_test(the_text_holds_sum_and_count),
    };
    return cmocka_run_group_tests_name("digest", tests, NULL, NULL);
}
