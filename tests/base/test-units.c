/* Numbers in and out, at their edges. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "base/units.h"

#define UNTOUCHED UINT64_C(0x5eed)

struct parsing {
    const char *text;
    uint64_t value;
    int result;
};

static void numbers_are_digits_only(void **state)
{
    static const struct parsing cases[] = {
        {"0", 0, 0},
        {"7", 7, 0},
        {"007", 7, 0},
        {"18446744073709551615", UINT64_MAX, 0},
        {"", 0, -1},
        {"-1", 0, -1},
        {"+1", 0, -1},
        {" 1", 0, -1},
        {"1 ", 0, -1},
        {"1.0", 0, -1},
        {"0x10", 0, -1},
        {"1e3", 0, -1},
        {"1\n", 0, -1},
        {"abc", 0, -1},
        {"\xd9\xa1", 0, -1},
        {"18446744073709551616", 0, -1},
        {"18446744073709551620", 0, -1},
        {"99999999999999999999999999", 0, -1},
    };
    uint64_t value;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        value = UNTOUCHED;
        assert_int_equal(base_parse_unsigned(cases[i].text, UINT64_MAX, &value), cases[i].result);
        assert_true(value == (cases[i].result == 0 ? cases[i].value : UNTOUCHED));
    }
    value = UNTOUCHED;
    assert_int_equal(base_parse_unsigned("256", 255, &value), -1);
    assert_int_equal(base_parse_unsigned("1", 0, &value), -1);
    assert_int_equal(base_parse_unsigned(NULL, 9, &value), -1);
    assert_true(value == UNTOUCHED);
    assert_int_equal(base_parse_unsigned("255", 255, &value), 0);
    assert_int_equal(value, 255);
}

static void bytes_have_suffixes(void **state)
{
    static const struct parsing cases[] = {
        {"4096", 4096, 0},
        {"4096B", 4096, 0},
        {"64k", 65536, 0},
        {"64K", 65536, 0},
        {"64KiB", 65536, 0},
        {"64kiB", 65536, 0},
        {"64kB", 64000, 0},
        {"2MB", 2000000, 0},
        {"2M", 2097152, 0},
        {"2MiB", 2097152, 0},
        {"1GiB", 1073741824, 0},
        {"1g", 1073741824, 0},
        {"1GB", 1000000000, 0},
        {"0T", 0, 0},
        {"1TB", UINT64_C(1000000000000), 0},
        {"16777215TiB", UINT64_C(16777215) << 40, 0},
        {"16777216TiB", 0, -1},
        {"18446744TB", UINT64_C(18446744000000000000), 0},
        {"18446745TB", 0, -1},
        {"", 0, -1},
        {"k", 0, -1},
        {"64 k", 0, -1},
        {"64kb", 0, -1},
        {"64KIB", 0, -1},
        {"64ki", 0, -1},
        {"64kBs", 0, -1},
        {"64b", 0, -1},
        {"1.5k", 0, -1},
        {"-1k", 0, -1},
        {"1x", 0, -1},
        {"1iB", 0, -1},
        {"1P", 0, -1},
        {"64BB", 0, -1},
        {"18446744073709551616", 0, -1},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t value = UNTOUCHED;
        assert_int_equal(base_parse_bytes(cases[i].text, &value), cases[i].result);
        assert_true(value == (cases[i].result == 0 ? cases[i].value : UNTOUCHED));
    }
    assert_int_equal(base_parse_bytes(NULL, &(uint64_t){0}), -1);
}

static void decimals_are_scaled(void **state)
{
    static const struct parsing cases[] = {
        {"1.25", 1250, 0},
        {"1", 1000, 0},
        {"0", 0, 0},
        {"0.001", 1, 0},
        {"1.2", 1200, 0},
        {"1.250", 1250, 0},
        {"01.5", 1500, 0},
        {"1.2500", 0, -1},
        {"1.", 0, -1},
        {".5", 500, 0},
        {".0005", 0, -1},
        {"..5", 0, -1},
        {".", 0, -1},
        {"", 0, -1},
        {"1,5", 0, -1},
        {"1.5.1", 0, -1},
        {"-1", 0, -1},
        {"1.-5", 0, -1},
        {"1e3", 0, -1},
        {"1.5 ", 0, -1},
        {"inf", 0, -1},
        {"nan", 0, -1},
        {"18446744073709551.615", UINT64_MAX, 0},
        {"18446744073709551.616", 0, -1},
        {"18446744073709552", 0, -1},
    };
    uint64_t value;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        value = UNTOUCHED;
        assert_int_equal(base_parse_decimal(cases[i].text, 3, &value), cases[i].result);
        assert_true(value == (cases[i].result == 0 ? cases[i].value : UNTOUCHED));
    }
    assert_int_equal(base_parse_decimal(NULL, 3, &value), -1);
    assert_int_equal(base_parse_decimal("7", 0, &value), 0);
    assert_int_equal(value, 7);
    assert_int_equal(base_parse_decimal("7.0", 0, &value), -1);
    assert_int_equal(base_parse_decimal("0", 4000000000u, &value), 0);
    assert_int_equal(value, 0);
    assert_int_equal(base_parse_decimal("1", 4000000000u, &value), -1);
    assert_int_equal(base_parse_decimal("1", 19, &value), 0);
    assert_true(value == UINT64_C(10000000000000000000));
}

static void times_are_written_in_their_unit(void **state)
{
    static const struct {
        uint64_t ns;
        const char *text;
    } cases[] = {
        {0, "0 ns"},
        {999, "999 ns"},
        {1000, "1.000 us"},
        {1234, "1.234 us"},
        {999999, "999.999 us"},
        {1000000, "1.000 ms"},
        {1234499, "1.234 ms"},
        {1234500, "1.235 ms"},
        {999999499, "999.999 ms"},
        {999999500, "1.000 s"},
        {UINT64_C(61000000000), "61.000 s"},
        {UINT64_MAX, "18446744073.710 s"},
    };
    char text[BASE_UNITS_TEXT];
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ptr_equal(base_format_ns(cases[i].ns, text), text);
        assert_string_equal(text, cases[i].text);
    }
}

static void bytes_are_written_in_their_unit(void **state)
{
    static const struct {
        uint64_t bytes;
        const char *text;
    } cases[] = {
        {0, "0 B"},
        {1023, "1023 B"},
        {1024, "1.0 KiB"},
        {65536, "64.0 KiB"},
        {1536, "1.5 KiB"},
        {1048524, "1023.9 KiB"}, /* 1023.949 */
        {1048525, "1.0 MiB"},    /* 1023.950: the rounding goes to the next unit */
        {UINT64_C(5) << 40, "5.0 TiB"},
        {UINT64_C(1) << 60, "1.0 EiB"},
        {UINT64_MAX, "16.0 EiB"},
    };
    char text[BASE_UNITS_TEXT];
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_ptr_equal(base_format_bytes(cases[i].bytes, text), text);
        assert_string_equal(text, cases[i].text);
    }
}

static void counts_are_grouped_by_three(void **state)
{
    char text[BASE_UNITS_TEXT];
    (void)state;

    assert_string_equal(base_format_count(0, text), "0");
    assert_string_equal(base_format_count(999, text), "999");
    assert_string_equal(base_format_count(1000, text), "1 000");
    assert_string_equal(base_format_count(1234567, text), "1 234 567");
    assert_string_equal(base_format_count(123456, text), "123 456");
    assert_string_equal(base_format_count(UINT64_MAX, text), "18 446 744 073 709 551 615");
}

static void cycles_and_nanoseconds_are_converted_exactly(void **state)
{
    (void)state;
    assert_int_equal(base_cycles_from_ns(0, 1), 0);
    assert_int_equal(base_cycles_from_ns(5, 1000000), 5);
    assert_int_equal(base_cycles_from_ns(5, 2500000), 13); /* 12.5 */
    assert_int_equal(base_cycles_from_ns(1, 1), 1);
    assert_int_equal(base_cycles_from_ns(1000000, 1), 1);
    assert_int_equal(base_cycles_from_ns(1000001, 1), 2);
    assert_int_equal(base_ns_from_cycles(5, 2500000), 2);
    assert_int_equal(base_ns_from_cycles(6, 2500000), 3); /* 2.4 */
    assert_int_equal(base_ns_from_cycles(1, 1), 1000000);
    assert_int_equal(base_ns_from_cycles(1, 3), 333334);
    assert_int_equal(base_ns_from_cycles(0, UINT64_MAX), 0);
    /* Products beyond 64 bits, and results beyond them. */
    assert_true(base_cycles_from_ns(UINT64_MAX, 1000000) == UINT64_MAX);
    assert_true(base_cycles_from_ns(UINT64_MAX, 999999) == UINT64_C(18446725626965477906));
    assert_true(base_cycles_from_ns(UINT64_MAX, 1000001) == UINT64_MAX);
    assert_true(base_ns_from_cycles(UINT64_MAX, 1) == UINT64_MAX);
    assert_true(base_ns_from_cycles(UINT64_MAX, 2000000) == UINT64_C(1) << 63);
    assert_true(base_ns_from_cycles(UINT64_MAX, UINT64_MAX) == 1000000);
}

/* Rounding up makes a conversion and its way back an adjoint pair: to cycles and back never loses time, and
 * by less than the length of a cycle and a nanosecond. */
static void conversions_there_and_back_never_lose_time(void **state)
{
    struct base_random random;
    (void)state;

    base_random_seed(&random, 41, 0);
    for (int i = 0; i < 10000; i++) {
        uint64_t khz = 1 + base_random_below(&random, 10000000);
        uint64_t ns = base_random_below(&random, UINT64_C(1) << 40);
        uint64_t back = base_ns_from_cycles(base_cycles_from_ns(ns, khz), khz);
        assert_true(back >= ns && back - ns <= 1000000 / khz + 1);
    }
}

static void rates_and_durations_are_whole(void **state)
{
    static const struct parsing rates[] = {{"25GB/s", UINT64_C(25000000000), 0},
                                           {"200Gb/s", UINT64_C(25000000000), 0},
                                           {"200Gbit/s", UINT64_C(25000000000), 0},
                                           {"6.8 GB/s", UINT64_C(6800000000), 0},
                                           {"8b/s", 1, 0},
                                           {"1b/s", 0, -1},
                                           {"0.5B/s", 0, -1},
                                           {"25", 0, -1},
                                           {"25GB", 0, -1},
                                           {"25gB/s", 0, -1},
                                           {"25  GB/s", 0, -1},
                                           {"GB/s", 0, -1},
                                           {"1000PB/s", UINT64_C(1000000000000000000), 0},
                                           {"1001PB/s", 0, -1},
                                           {"-1GB/s", 0, -1},
                                           {"", 0, -1},
                                           {"1.2.3GB/s", 0, -1}};
    static const struct parsing durations[] = {{"30ns", 30000, 0},
                                               {"1.5us", 1500000, 0},
                                               {"0", 0, 0},
                                               {"0ns", 0, 0},
                                               {"1s", UINT64_C(1000000000000), 0},
                                               {"1.001s", 0, -1},
                                               {"0.0005ns", 0, -1},
                                               {"30", 0, -1},
                                               {"30 ns", 30000, 0},
                                               {"30min", 0, -1},
                                               {"ns", 0, -1}};
    uint64_t value;
    (void)state;

    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        value = UNTOUCHED;
        assert_int_equal(base_parse_rate(rates[i].text, &value), rates[i].result);
        assert_true(value == (rates[i].result == 0 ? rates[i].value : UNTOUCHED));
    }
    for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
        value = UNTOUCHED;
        assert_int_equal(base_parse_duration(durations[i].text, &value), durations[i].result);
        assert_true(value == (durations[i].result == 0 ? durations[i].value : UNTOUCHED));
    }
    assert_int_equal(base_parse_rate(NULL, &value), -1);
    assert_int_equal(base_parse_duration(NULL, &value), -1);
}

/* What is written is read as the same number, whatever it is. */
static void rates_and_durations_there_and_back(void **state)
{
    char text[BASE_UNITS_TEXT];
    struct base_random random;
    uint64_t back;
    (void)state;

    base_random_seed(&random, 42, 0);
    for (int i = 0; i < 10000; i++) {
        unsigned bits = (unsigned)base_random_below(&random, 40);
        uint64_t value = base_random_below(&random, UINT64_C(1000000000000) >> bits) + 1;
        assert_int_equal(base_parse_rate(base_format_rate(value, i % 2 == 0 ? "" : " ", text), &back), 0);
        assert_true(back == value);
        assert_int_equal(base_parse_duration(base_format_duration(value, "", text), &back), 0);
        assert_true(back == value);
    }
    assert_string_equal(base_format_rate(UINT64_C(6800000000), " ", text), "6.8 GB/s");
    assert_string_equal(base_format_duration(430000, " ", text), "430 ns");
    assert_int_equal(base_cycles_from_ps(30000, 3125000), 94);
    assert_int_equal(base_ps_from_cycles(1032, 3125000), 330240);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_digits_only),
        cmocka_unit_test(bytes_have_suffixes),
        cmocka_unit_test(decimals_are_scaled),
        cmocka_unit_test(times_are_written_in_their_unit),
        cmocka_unit_test(bytes_are_written_in_their_unit),
        cmocka_unit_test(counts_are_grouped_by_three),
        cmocka_unit_test(cycles_and_nanoseconds_are_converted_exactly),
        cmocka_unit_test(conversions_there_and_back_never_lose_time),
        cmocka_unit_test(rates_and_durations_are_whole),
        cmocka_unit_test(rates_and_durations_there_and_back),
    };
    return cmocka_run_group_tests_name("units", tests, NULL, NULL);
}
