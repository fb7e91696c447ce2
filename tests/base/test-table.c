/* The table against a plain array that says what each key should hold. */
#include "tests/suite.h"

#include <string.h>

#include "base/random.h"
#include "base/table.h"
#include "tests/fail-alloc.h"

static void an_empty_table_knows_nothing(void **state)
{
    struct base_table table = {0};
    (void)state;

    assert_int_equal(base_table_get(&table, 0, 0), BASE_TABLE_NONE);
    base_table_remove(&table, 0, 0);
    assert_int_equal(table.capacity, 0);
    base_table_free(&table);
    base_table_free(NULL);
}

static void both_keys_count_and_values_are_replaced(void **state)
{
    struct base_table table = {0};
    (void)state;

    assert_int_equal(base_table_put(&table, 1, 2, 12), 0);
    assert_int_equal(base_table_put(&table, 2, 1, 21), 0);
    assert_int_equal(base_table_put(&table, 0, 0, 0), 0);
    assert_int_equal(base_table_put(&table, UINT64_MAX, UINT64_MAX, UINT32_MAX - 1), 0);
    assert_int_equal(base_table_put(&table, 1, 2, 13), 0);
    assert_int_equal(table.count, 4);
    assert_int_equal(base_table_get(&table, 1, 2), 13);
    assert_int_equal(base_table_get(&table, 2, 1), 21);
    assert_int_equal(base_table_get(&table, 0, 0), 0);
    assert_int_equal(base_table_get(&table, UINT64_MAX, UINT64_MAX), UINT32_MAX - 1);
    assert_int_equal(base_table_get(&table, 1, 1), BASE_TABLE_NONE);
    base_table_free(&table);
    assert_null(table.slots);
    assert_int_equal(base_table_get(&table, 1, 2), BASE_TABLE_NONE);
}

/* At once, or in two steps. */
static void put_either_way(struct base_table *table, uint64_t a, uint64_t b, uint32_t value)
{
    struct base_table_slot *slot;
    if (value % 2 == 0) {
        assert_int_equal(base_table_put(table, a, b, value), 0);
        return;
    }
    slot = base_table_seek(table, a, b);
    assert_non_null(slot);
    base_table_fill(table, slot, a, b, value);
}

/* Puts and removes at random; the model has a place for each of the keys x keys pairs. */
static void run_against_a_model(uint64_t seed, uint32_t keys, int steps)
{
    static uint32_t model[64 * 64];
    struct base_table table = {0};
    struct base_random random;
    size_t count = 0;

    memset(model, 0xff, sizeof model);
    base_random_seed(&random, seed, keys);
    for (int step = 0; step < steps; step++) {
        uint64_t a = base_random_below(&random, keys), b = base_random_below(&random, keys);
        uint32_t *expected = &model[a * 64 + b];
        /* Phases of growth and of decline, so that runs of slots form and break up. */
        if (base_random_below(&random, 10) < (step / 2000 % 2 == 0 ? 7u : 3u)) {
            count += *expected == BASE_TABLE_NONE;
            *expected = (uint32_t)step;
            put_either_way(&table, a, b, (uint32_t)step);
        } else if (step % 2 == 0) {
            struct base_table_slot *slot = base_table_seek(&table, a, b);
            assert_non_null(slot);
            assert_int_equal(slot->value, *expected);
            count -= *expected != BASE_TABLE_NONE;
            if (*expected != BASE_TABLE_NONE)
                base_table_empty(&table, slot);
            *expected = BASE_TABLE_NONE;
        } else {
            count -= *expected != BASE_TABLE_NONE;
            *expected = BASE_TABLE_NONE;
            base_table_remove(&table, a, b);
        }
        assert_int_equal(table.count, count);
        if (step % 500 != 0)
            continue;
        for (uint64_t i = 0; i < keys; i++)
            for (uint64_t j = 0; j < keys; j++)
                assert_int_equal(base_table_get(&table, i, j), model[i * 64 + j]);
    }
    base_table_free(&table);
}

static void random_use_agrees_with_a_model(void **state)
{
    (void)state;
    run_against_a_model(31, 3, 20000); /* never more than 9 pairs in 16 slots: runs that wrap around */
    run_against_a_model(32, 8, 20000);
    run_against_a_model(33, 64, 30000);
}

/* All slots but a third are in use at most, and a table that only lives by removal and insertion does not
 * grow. */
static void steady_use_does_not_grow(void **state)
{
    struct base_table table = {0};
    size_t capacity;
    (void)state;

    for (uint64_t i = 0; i < 1000; i++) {
        assert_int_equal(base_table_put(&table, i, 0, 1), 0);
        assert_true(table.count * 3 <= table.capacity * 2);
    }
    capacity = table.capacity;
    for (uint64_t i = 0; i < 100000; i++) {
        base_table_remove(&table, i, 0);
        assert_int_equal(base_table_put(&table, i + 1000, 0, 1), 0);
    }
    assert_int_equal(table.count, 1000);
    assert_int_equal(table.capacity, capacity);
    base_table_free(&table);
}

static int put_many(void *state)
{
    struct base_table table = {0};
    int result = 0;
    (void)state;

    for (uint32_t i = 0; i < 100 && result == 0; i++) {
        struct base_table before = table;
        result = base_table_put(&table, i, i, i);
        if (result == 0)
            continue;
        assert_memory_equal(&table, &before, sizeof table);
        for (uint32_t j = 0; j < i; j++)
            assert_int_equal(base_table_get(&table, j, j), j);
        assert_int_equal(base_table_get(&table, i, i), BASE_TABLE_NONE);
    }
    base_table_free(&table);
    return result;
}

static void failed_puts_leave_the_table_unchanged(void **state)
{
    (void)state;
    assert_int_equal(fail_alloc_each(put_many, NULL), 5); /* 16, 32, ... 256 slots */
}

/* Replacing a value needs no room, even when the next new key would. */
static void replacing_never_allocates(void **state)
{
    struct base_table table = {0};
    (void)state;

    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(base_table_put(&table, i, 0, i), 0);
    assert_int_equal(table.capacity, 16);
    fail_alloc_arm(1);
    for (uint32_t i = 0; i < 10; i++)
        assert_int_equal(base_table_put(&table, i, 0, i + 1), 0);
    assert_int_equal(base_table_put(&table, 10, 0, 10), -1);
    assert_true(fail_alloc_disarm());
    base_table_free(&table);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_table_knows_nothing),
        cmocka_unit_test(both_keys_count_and_values_are_replaced),
        cmocka_unit_test(random_use_agrees_with_a_model),
        cmocka_unit_test(steady_use_does_not_grow),
        cmocka_unit_test(failed_puts_leave_the_table_unchanged),
        cmocka_unit_test(replacing_never_allocates),
    };
    return cmocka_run_group_tests_name("table", tests, NULL, NULL);
}
