/* The agenda against a list that is searched. */
#include "tests/suite.h"

#include "base/agenda.h"
#include "base/random.h"
#include "tests/fail-alloc.h"

#define MANY 20000
#define MOST 300

static bool is_before(const struct base_event *a, const struct base_event *b)
{
    return a->time != b->time ? a->time < b->time : a->sequence < b->sequence;
}

static void an_empty_agenda_has_no_events(void **state)
{
    struct base_agenda agenda = {0};
    struct base_event event = {7, 7, 7};
    (void)state;

    assert_null(base_agenda_first(&agenda));
    assert_int_equal(base_agenda_count(&agenda), 0);
    assert_int_equal(base_agenda_pop(&agenda, &event), 0);
    assert_int_equal(event.payload, 7);
    base_agenda_free(&agenda);
    base_agenda_free(NULL);
}

/* What is now stands in the line, what is later on the heap: one order. */
static void line_and_heap_are_one_order(void **state)
{
    static const uint64_t payloads[] = {2, 1, 4, 3, 5};
    struct base_agenda agenda = {0};
    struct base_event event;
    (void)state;

    assert_int_equal(base_agenda_push_later(&agenda, 10, 1), 0);
    assert_int_equal(base_agenda_push(&agenda, 5, 2), 0);
    assert_int_equal(base_agenda_push_later(&agenda, 20, 4), 0);
    assert_int_equal(base_agenda_push(&agenda, 20, 3), 0); /* pushed behind 4, of one time with it */
    assert_int_equal(base_agenda_push(&agenda, 20, 5), 0);
    assert_int_equal(agenda.heap.count, 2);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(base_agenda_first(&agenda)->payload, payloads[i]);
        assert_int_equal(base_agenda_pop(&agenda, &event), 1);
        assert_int_equal(event.payload, payloads[i]);
    }
    base_agenda_free(&agenda);
}

/* Also pushes that are before the last one in the line. */
static void any_pushes_and_pops_agree_with_a_list(void **state)
{
    struct base_event list[MOST];
    struct base_agenda agenda = {0};
    struct base_random random;
    struct base_event event;
    uint64_t now = 0, sequence = 0;
    size_t count = 0;
    (void)state;

    base_random_seed(&random, 12, 0);
    for (int step = 0; step < MANY; step++) {
        if (count == 0 || (count < MOST && base_random_below(&random, 2) == 0)) {
            uint64_t time = now + base_random_below(&random, 4);
            list[count++] = (struct base_event){time, sequence++, (uint64_t)step};
            assert_int_equal(base_random_below(&random, 3) == 0
                                 ? base_agenda_push_later(&agenda, time, (uint64_t)step)
                                 : base_agenda_push(&agenda, time, (uint64_t)step),
                             0);
            continue;
        }
        size_t best = 0;
        for (size_t i = 1; i < count; i++)
            if (is_before(&list[i], &list[best]))
                best = i;
        assert_memory_equal(base_agenda_first(&agenda), &list[best], sizeof event);
        assert_int_equal(base_agenda_pop(&agenda, &event), 1);
        assert_memory_equal(&event, &list[best], sizeof event);
        now = event.time;
        list[best] = list[--count];
        assert_int_equal(base_agenda_count(&agenda), count);
    }
    assert_true(agenda.tail > MANY / 10);
    base_agenda_free(&agenda);
}

static int push_many(void *state)
{
    struct base_agenda agenda = {0};
    int result = 0;
    (void)state;

    for (uint64_t i = 0; i < 1000 && result == 0; i++) {
        struct base_agenda before = agenda;
        result = base_agenda_push(&agenda, i % 100 == 99 ? 0 : i, i);
        if (result != 0)
            assert_memory_equal(&agenda, &before, sizeof agenda);
    }
    base_agenda_free(&agenda);
    return result;
}

static void failed_pushes_leave_the_agenda_unchanged(void **state)
{
    (void)state;
    assert_int_equal(fail_alloc_each(push_many, NULL), 9); /* line of 16 ... 1024, heap of 8 and 16 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_agenda_has_no_events),
        cmocka_unit_test(line_and_heap_are_one_order),
        cmocka_unit_test(any_pushes_and_pops_agree_with_a_list),
        cmocka_unit_test(failed_pushes_leave_the_agenda_unchanged),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
