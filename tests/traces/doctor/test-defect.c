/* The list of defects keeps what it promises: order, copies, counts beyond what is kept, and nothing leaked
 * when memory runs out. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "traces/doctor/defect.h"

static int add(struct trace_defects *defects, const char *kind, enum trace_severity severity, uint32_t rank,
               int number)
{
    char call[] = "MPI_Recv"; /* not a constant: it must be copied */
    struct trace_defect defect = {.kind = kind,
                                  .severity = severity,
                                  .rank = rank,
                                  .event = (uint64_t)number,
                                  .time_ns = UINT64_MAX,
                                  .call = number % 2 == 0 ? call : NULL};
    int status = trace_defects_add(defects, &defect, NULL, "number %d of %s", number, kind);

    memset(call, '?', sizeof call - 1);
    return status;
}

static void an_empty_list_has_nothing(void **state)
{
    struct trace_defects *defects = trace_defects_new(0);
    (void)state;

    assert_non_null(defects);
    assert_int_equal(trace_defects_count(defects), 0);
    assert_int_equal(trace_defects_kinds(defects), 0);
    trace_defects_free(defects);
    trace_defects_free(NULL);
}

static void defects_stay_in_order_and_are_copied(void **state)
{
    struct trace_defects *defects = trace_defects_new(0);
    (void)state;

    assert_int_equal(add(defects, "unmatched-send", TRACE_FAULT, 3, 17), 0);
    assert_int_equal(add(defects, "backward-time", TRACE_WARNING, 1, 4), 0);
    assert_int_equal(add(defects, "unmatched-send", TRACE_FAULT, 0, 2), 0);
    assert_int_equal(trace_defects_count(defects), 3);
    assert_string_equal(trace_defects_get(defects, 0)->text, "number 17 of unmatched-send");
    assert_int_equal(trace_defects_get(defects, 0)->rank, 3);
    assert_null(trace_defects_get(defects, 0)->call);
    assert_string_equal(trace_defects_get(defects, 1)->call, "MPI_Recv");
    assert_int_equal(trace_defects_get(defects, 2)->event, 2);
    assert_int_equal(trace_defects_kinds(defects), 2);
    assert_string_equal(trace_defects_kind(defects, 0)->kind, "unmatched-send");
    assert_int_equal(trace_defects_kind(defects, 0)->count, 2);
    assert_int_equal(trace_defects_kind(defects, 1)->severity, TRACE_WARNING);
    trace_defects_free(defects);
}

/* Counted in full, kept a few times: the first ones, of each kind on its own. */
static void what_is_frequent_is_only_counted(void **state)
{
    struct trace_defects *defects = trace_defects_new(3), *usual = trace_defects_new(0);
    (void)state;

    for (int i = 1; i <= 1000; i++) {
        assert_int_equal(add(defects, "a", TRACE_WARNING, 0, i), 0);
        assert_int_equal(add(usual, "a", TRACE_WARNING, 0, i), 0);
    }
    assert_int_equal(add(defects, "b", TRACE_NOTE, 0, 1), 0);
    assert_int_equal(trace_defects_count(defects), 4);
    assert_int_equal(trace_defects_get(defects, 2)->event, 3);
    assert_string_equal(trace_defects_get(defects, 3)->kind, "b");
    assert_int_equal(trace_defects_kind(defects, 0)->count, 1000);
    assert_int_equal(trace_defects_count(usual), 100);
    trace_defects_free(defects);
    trace_defects_free(usual);
}

static void a_kind_is_as_severe_as_its_worst_defect(void **state)
{
    struct trace_defects *defects = trace_defects_new(1);
    (void)state;

    add(defects, "a", TRACE_NOTE, 0, 1);
    add(defects, "a", TRACE_FAULT, 0, 2); /* not kept, but seen */
    add(defects, "a", TRACE_WARNING, 0, 3);
    assert_int_equal(trace_defects_kind(defects, 0)->severity, TRACE_FAULT);
    trace_defects_free(defects);
}

static void many_of_one_kind_are_counted_at_once(void **state)
{
    struct trace_defects *defects = trace_defects_new(2);
    struct trace_defect defect = {.kind = "unmatched-send", .severity = TRACE_FAULT, .rank = 1};
    (void)state;

    for (int i = 0; i < 3; i++)
        assert_int_equal(trace_defects_add_many(defects, &defect, 500, NULL, "%d messages", 500), 0);
    assert_int_equal(trace_defects_count(defects), 2);
    assert_string_equal(trace_defects_get(defects, 1)->text, "500 messages");
    assert_int_equal(trace_defects_kind(defects, 0)->count, 1500);
    trace_defects_free(defects);
}

static void a_very_long_sentence_is_cut(void **state)
{
    struct trace_defects *defects = trace_defects_new(0);
    struct trace_defect defect = {.kind = "long", .rank = UINT32_MAX};
    char text[5000];
    (void)state;

    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    assert_int_equal(trace_defects_add(defects, &defect, NULL, "%s", text), 0);
    assert_true(strlen(trace_defects_get(defects, 0)->text) >= 500);
    assert_true(strlen(trace_defects_get(defects, 0)->text) < sizeof text - 1);
    trace_defects_free(defects);
}

/* Enough to make every array grow. */
static int make_list(void *state)
{
    struct trace_defects *defects = trace_defects_new(20);
    struct base_error error = {0};
    int status = defects == NULL ? -1 : 0;
    (void)state;

    for (int i = 0; i < 200 && status == 0; i++) {
        static const char *const kinds[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"};
        struct trace_defect defect = {.kind = kinds[i % 10], .rank = 0, .call = "MPI_Send"};
        size_t before = trace_defects_count(defects);
        status = trace_defects_add(defects, &defect, &error, "%0200d", i);
        if (status != 0 && (error.status != BASE_SYSTEM || trace_defects_count(defects) != before))
            status = 1; /* neither done nor refused as it should be */
    }
    trace_defects_free(defects);
    return status;
}

static void no_memory_is_told_and_nothing_leaks(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(make_list, NULL) > 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_list_has_nothing),
        cmocka_unit_test(defects_stay_in_order_and_are_copied),
        cmocka_unit_test(what_is_frequent_is_only_counted),
        cmocka_unit_test(a_kind_is_as_severe_as_its_worst_defect),
        cmocka_unit_test(many_of_one_kind_are_counted_at_once),
        cmocka_unit_test(a_very_long_sentence_is_cut),
        cmocka_unit_test(no_memory_is_told_and_nothing_leaks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
