/* Growing arrays: what is in them stays, they double, and what cannot be had leaves them as they were. */
#include "tests/suite.h"

#include <stdlib.h>

#include "base/grow.h"

static void an_array_doubles_and_keeps_its_content(void **state)
{
    uint64_t *array = NULL;
    size_t capacity = 0, moves = 0;
    (void)state;

    for (size_t i = 0; i < 1000; i++) {
        size_t before = capacity;
        assert_int_equal(base_grow(&array, &capacity, i + 1, sizeof *array), 0);
        assert_true(capacity >= i + 1 && capacity >= before);
        moves += capacity != before;
        array[i] = 3 * i;
    }
    assert_int_equal(moves, 8); /* 8, 16, ... 1024 */
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(array[i], 3 * i);
    free(array);
}

/* More than there is room for in all of memory: refused, and nothing has changed. */
static void an_impossible_size_is_refused(void **state)
{
    uint64_t *array = NULL;
    size_t capacity = 0;
    uint32_t few = 0;
    (void)state;

    assert_int_equal(base_grow(&array, &capacity, 5, sizeof *array), 0);
    array[4] = 7;
    uint64_t *before = array;
    assert_int_equal(base_grow(&array, &capacity, SIZE_MAX, sizeof *array), -1);
    assert_ptr_equal(array, before);
    assert_int_equal(capacity, 8);
    assert_int_equal(array[4], 7);
    free(array);
    array = NULL;
#if SIZE_MAX > UINT32_MAX
    assert_int_equal(base_grow_32(&array, &few, (size_t)UINT32_MAX + 1, 1), -1);
    assert_null(array);
    assert_int_equal(few, 0);
#endif
    assert_int_equal(base_grow_32(&array, &few, 9, sizeof *array), 0);
    assert_int_equal(few, 16);
    free(array);
}

/* Slots of a ring keep their numbers, wherever in it they lie. */
static void a_ring_keeps_the_numbers_of_its_slots(void **state)
{
    uint64_t *ring = NULL;
    uint64_t head = 0, tail = 0;
    size_t capacity = 0;
    (void)state;

    for (uint64_t turn = 0; turn < 300; turn++) {
        if (tail - head == capacity)
            assert_int_equal(base_grow_ring(&ring, &capacity, head, tail, sizeof *ring), 0);
        ring[tail & (capacity - 1)] = tail;
        tail++;
        if (turn % 3 == 0)
            head++;
        for (uint64_t i = head; i < tail; i++)
            assert_int_equal(ring[i & (capacity - 1)], i);
    }
    assert_int_equal(capacity, 256);
    free(ring);
}

/* Words that are no longer needed make room: an endless stream with three of them in use stays small. */
static void words_that_have_been_used_make_room(void **state)
{
    uint64_t *words = NULL;
    uint64_t begin = 0, first = 0, end = 0;
    size_t capacity = 0;
    (void)state;

    for (uint64_t turn = 0; turn < 10000; turn++) {
        if (end - begin + 1 > capacity)
            assert_int_equal(base_grow_words(&words, &capacity, &begin, first, end, 1), 0);
        words[end - begin] = end;
        end++;
        if (end - first > 3)
            first++;
        for (uint64_t i = first; i < end; i++)
            assert_int_equal(words[i - begin], i);
    }
    assert_int_equal(capacity, 8);
    free(words);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_array_doubles_and_keeps_its_content),
        cmocka_unit_test(an_impossible_size_is_refused),
        cmocka_unit_test(a_ring_keeps_the_numbers_of_its_slots),
        cmocka_unit_test(words_that_have_been_used_make_room),
    };
    return cmocka_run_group_tests_name("growing arrays", tests, NULL, NULL);
}
