/* Numbers by tables: each kind in each form, and what is not known. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/fields/field.h"
#include "reports/run/fields.h"

struct sample {
    uint64_t count, time_ns, bytes;
    uint32_t word;
    bool flag;
    double real, share, expected, length, whole;
};

#define ROW(member, kind, unit, remark)                                                                      \
    {                                                                                                        \
#member, unit, #member, remark, REPORT_FIELD_##kind, 1, 1, offsetof(struct sample, member)           \
    }

static const struct report_field rows[] = {
    ROW(count, COUNT, "-", "of {bytes} and {word}"),
    ROW(time_ns, COUNT, "ns", ""),
    ROW(bytes, COUNT, "bytes", "{nothing}"),
    ROW(word, WORD, "links", "open {word"),
    ROW(flag, FLAG, "-", ""),
    ROW(real, REAL, "cycles", "{real} cycles"),
    ROW(share, REAL, "share", ""),
    ROW(expected, REAL, "bytes", ""),
    ROW(length, REAL_OR_NULL, "mm", ""),
    ROW(whole, COUNT_OR_NULL, "links", ""),
};
static const struct report_fields fields = {rows, sizeof rows / sizeof rows[0]};

static const struct sample known = {12345, 1500000, 3 << 20, 42, true, 2.0 / 3, 0.125, 4096.4, 7.5, 1e6};
static const struct sample unknown = {.length = (double)NAN, .whole = (double)NAN};

/* All rows in one form, with blanks between them. */
static char *json_of(const struct sample *sample, json_t *form(const struct report_field *, const void *))
{
    json_t *list = json_array();
    char *text;

    for (size_t i = 0; i < fields.count; i++)
        json_array_append_new(list, form(&rows[i], sample));
    text = json_dumps(list, JSON_REAL_PRECISION(9));
    json_decref(list);
    return text;
}

static void is_json(const struct sample *sample, json_t *form(const struct report_field *, const void *),
                    const char *expected)
{
    char *text = json_of(sample, form);

    assert_string_equal(text, expected);
    free(text);
}

static void test_json(void **state)
{
    (void)state;
    is_json(&known, report_field_json,
            "[12345, 1500000, 3145728, 42, true, 0.666666667, 0.125, 4096.4, 7.5, 1000000]");
    is_json(&known, report_field_column,
            "[12345, 1500000, 3145728, 42, 1, 0.666666667, 0.125, 4096.4, 7.5, 1000000]");
    is_json(&unknown, report_field_json, "[0, 0, 0, 0, false, 0.0, 0.0, 0.0, null, null]");
}

static void is_csv(const struct sample *sample, const char *expected)
{
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    assert_non_null(stream);
    for (size_t i = 0; i < fields.count; i++) {
        report_field_csv(stream, &rows[i], sample);
        fputc(';', stream);
    }
    fclose(stream);
    assert_string_equal(text, expected);
    free(text);
}

static void test_csv(void **state)
{
    (void)state;
    is_csv(&known, "12345;1500000;3145728;42;1;0.666666667;0.125;4096.4;7.5;1000000;");
    is_csv(&unknown, "0;0;0;0;0;0;0;0;;;");
}

/* Units decide how a number is read by people. */
static void test_text(void **state)
{
    static const char *const expected[] = {"12 345", "1.500 ms", "3.0 MiB", "42",   "yes",
                                           "0.67",   "12.5 %",   "4.0 KiB", "7.50", "1 000 000"};
    char text[REPORT_FIELD_TEXT];

    (void)state;
    for (size_t i = 0; i < fields.count; i++)
        assert_string_equal(report_field_text(&rows[i], &known, 2, text), expected[i]);
    assert_string_equal(report_field_text(report_field_find(&fields, "length"), &unknown, -1, text), "-");
    assert_string_equal(report_field_text(report_field_find(&fields, "whole"), &unknown, -1, text), "-");
    assert_null(report_field_find(&fields, "nothing"));
}

static void is_remark(const char *key, size_t size, const char *expected)
{
    char text[64];

    report_field_remark(&fields, report_field_find(&fields, key), &known, text, size);
    assert_string_equal(text, expected);
}

static void test_remark(void **state)
{
    (void)state;
    is_remark("count", 64, "of 3.0 MiB and 42");
    is_remark("real", 64, "0.67 cycles");
    is_remark("bytes", 64, "");
    is_remark("word", 64, "open 42");
    is_remark("flag", 64, "");
    for (size_t size = 1; size < 18; size++) {
        char expected[] = "of 3.0 MiB and 42";
        expected[size - 1] = '\0';
        is_remark("count", size, expected);
    }
}

/* What is written is what is read, and nothing beside it. */
static void test_set(void **state)
{
    struct sample copy;

    (void)state;
    memset(&copy, 0, sizeof copy);
    for (size_t i = 0; i < fields.count; i++) {
        bool is_real = report_field_is_real(&rows[i]);
        report_field_set(&rows[i], &copy, is_real ? report_field_real(&rows[i], &known) : -1,
                         is_real ? 99 : report_field_count(&rows[i], &known));
    }
    is_csv(&copy, "12345;1500000;3145728;42;1;0.666666667;0.125;4096.4;7.5;1000000;");
}

/* Two numbers of one name would be one key twice. What a remark names is a number. */
static void test_table(void **state)
{
    const struct report_fields *table = report_run_fields(), *compared = report_compared_fields();

    (void)state;
    assert_true(compared->count > 0 && compared->count < table->count);
    for (size_t i = 0; i < table->count; i++) {
        const char *remark = table->field[i].remark;
        assert_ptr_equal(report_field_find(table, table->field[i].key), &table->field[i]);
        assert_true((table->field[i].label == NULL) == (remark == NULL));
        while (remark != NULL && (remark = strchr(remark, '{')) != NULL) {
            char key[64];
            snprintf(key, sizeof key, "%.*s", (int)strcspn(remark + 1, "}"), remark + 1);
            assert_non_null(report_field_find(table, key));
            remark++;
        }
    }
    for (size_t i = 0; i < compared->count; i++)
        assert_true((compared->field[i].forms & REPORT_FORM_COMPARED) != 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_json),   cmocka_unit_test(test_csv), cmocka_unit_test(test_text),
        cmocka_unit_test(test_remark), cmocka_unit_test(test_set), cmocka_unit_test(test_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
