/* The event heap against a stable sort. */
#include "tests/suite.h"

#include <stdlib.h>

#include "base/heap.h"
#include "base/random.h"
#include "tests/fail-alloc.h"

#define MANY 20000

static int compare_events(const void *left, const void *right)
{
    const struct base_event *a = left, *b = right;
    if (a->time != b->time)
        return a->time < b->time ? -1 : 1;
    return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

static void empty_heap_has_no_events(void **state)
{
    struct base_heap heap = {0};
    struct base_event event = {7, 7, 7};
    (void)state;

    assert_null(base_heap_first(&heap));
    assert_int_equal(base_heap_pop(&heap, &event), 0);
    assert_int_equal(event.payload, 7);
    base_heap_free(&heap);
    base_heap_free(NULL);
}

static void one_time_comes_out_in_push_order(void **state)
{
    struct base_heap heap = {0};
    struct base_event event;
    (void)state;

    for (uint64_t i = 0; i < 1000; i++)
        assert_int_equal(base_heap_push(&heap, UINT64_MAX, i), 0);
    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(base_heap_pop(&heap, &event), 1);
        assert_int_equal(event.payload, i);
        assert_int_equal(event.sequence, i);
        assert_true(event.time == UINT64_MAX);
    }
    base_heap_free(&heap);
}

/* Pushes MANY random events of few distinct times, then compares the whole order with qsort's. */
static void order_is_that_of_a_stable_sort(void **state)
{
    static const uint64_t spreads[] = {1, 3, 50, 5000, UINT64_MAX};
    struct base_event *expected = calloc(MANY, sizeof *expected);
    struct base_random random;
    (void)state;

    base_random_seed(&random, 11, 0);
    for (size_t s = 0; s < sizeof spreads / sizeof *spreads; s++) {
        struct base_heap heap = {0};
        struct base_event event;
        for (uint64_t i = 0; i < MANY; i++) {
            expected[i] = (struct base_event){base_random_below(&random, spreads[s]), i, i * 3};
            assert_int_equal(base_heap_push(&heap, expected[i].time, expected[i].payload), 0);
        }
        qsort(expected, MANY, sizeof *expected, compare_events);
        for (size_t i = 0; i < MANY; i++) {
            assert_memory_equal(base_heap_first(&heap), &expected[i], sizeof event);
            assert_int_equal(base_heap_pop(&heap, &event), 1);
            assert_memory_equal(&event, &expected[i], sizeof event);
        }
        assert_int_equal(base_heap_pop(&heap, &event), 0);
        base_heap_free(&heap);
        assert_null(heap.events);
    }
    free(expected);
}

/* As a simulation uses it: pushes at or after the time of the last pop. The model is an unsorted list,
 * searched. */
static void interleaved_pushes_and_pops_agree_with_a_list(void **state)
{
    struct base_event list[300];
    struct base_heap heap = {0};
    struct base_random random;
    struct base_event event;
    uint64_t now = 0, sequence = 0;
    size_t count = 0;
    (void)state;

    base_random_seed(&random, 12, 0);
    for (int step = 0; step < MANY; step++) {
        if (count == 0 || (count < 300 && base_random_below(&random, 2) == 0)) {
            list[count] =
                (struct base_event){now + base_random_below(&random, 4), sequence++, (uint64_t)step};
            assert_int_equal(base_heap_push(&heap, list[count].time, list[count].payload), 0);
            count++;
            continue;
        }
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (compare_events(&list[i], &list[best]) < 0)
                best = i;
        assert_int_equal(base_heap_pop(&heap, &event), 1);
        assert_memory_equal(&event, &list[best], sizeof event);
        now = event.time;
        list[best] = list[--count];
    }
    assert_int_equal(heap.count, count);
    base_heap_free(&heap);
}

static int push_many(void *state)
{
    struct base_heap heap = {0};
    int result = 0;
    (void)state;

    for (uint64_t i = 0; i < 1000 && result == 0; i++) {
        struct base_heap before = heap;
        result = base_heap_push(&heap, 1000 - i, i);
        if (result != 0)
            assert_memory_equal(&heap, &before, sizeof heap);
    }
    base_heap_free(&heap);
    return result;
}

static void failed_pushes_leave_the_heap_unchanged(void **state)
{
    (void)state;
    assert_int_equal(fail_alloc_each(push_many, NULL), 8); /* 8, 16, ... 1024 events */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_heap_has_no_events),
        cmocka_unit_test(one_time_comes_out_in_push_order),
        cmocka_unit_test(order_is_that_of_a_stable_sort),
        cmocka_unit_test(interleaved_pushes_and_pops_agree_with_a_list),
        cmocka_unit_test(failed_pushes_leave_the_heap_unchanged),
    };
    return cmocka_run_group_tests_name("heap", tests, NULL, NULL);
}
