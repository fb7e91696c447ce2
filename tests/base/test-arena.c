/* The arena: alignment, zeroes, no overlap, counts, and every way to run out. */
#include "tests/suite.h"

#include <string.h>

#include "base/arena.h"
#include "base/random.h"
#include "tests/fail-alloc.h"

static void pieces_are_aligned_zeroed_and_apart(void **state)
{
    enum { PIECES = 3000 };
    static unsigned char *pieces[PIECES];
    static size_t sizes[PIECES];
    struct base_arena arena = {0};
    struct base_random random;
    (void)state;

    base_random_seed(&random, 21, 0);
    for (size_t i = 0; i < PIECES; i++) {
        sizes[i] = (size_t)base_random_below(&random, i % 100 == 0 ? 100000 : 200);
        pieces[i] = base_arena_alloc(&arena, sizes[i]);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % _Alignof(max_align_t), 0);
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(pieces[i][j], 0);
        memset(pieces[i], (int)(i % 251) + 1, sizes[i]);
    }
    /* A piece that overlaps another would have lost its own bytes by now. */
    for (size_t i = 0; i < PIECES; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            assert_int_equal(pieces[i][j], i % 251 + 1);
    base_arena_free(&arena);
}

static void empty_pieces_are_unique(void **state)
{
    struct base_arena arena = {0};
    void *first = base_arena_alloc(&arena, 0), *second = base_arena_array(&arena, 0, 8);
    void *third = base_arena_array(&arena, 8, 0);
    (void)state;

    assert_non_null(first);
    assert_non_null(second);
    assert_non_null(third);
    assert_ptr_not_equal(first, second);
    assert_ptr_not_equal(second, third);
    base_arena_free(&arena);
}

static void counts_are_what_was_handed_out(void **state)
{
    struct base_arena arena = {0};
    (void)state;

    base_arena_alloc(&arena, 1);
    base_arena_alloc(&arena, 17);
    assert_int_equal(arena.allocated_bytes, 48);
    assert_true(arena.reserved_bytes >= arena.allocated_bytes);
    base_arena_free(&arena);
    assert_null(arena.last);
    assert_int_equal(arena.allocated_bytes, 0);
    assert_int_equal(arena.reserved_bytes, 0);
    assert_non_null(base_arena_alloc(&arena, 8)); /* usable again */
    base_arena_free(&arena);
    base_arena_free(NULL);
}

/* Many small pieces cost a few blocks; a large piece does not waste the block that small ones come from. */
static void blocks_are_few_and_not_wasted(void **state)
{
    struct base_arena arena = {0};
    size_t before;
    (void)state;

    for (int i = 0; i < 100000; i++)
        base_arena_alloc(&arena, 16);
    assert_true(fail_alloc_outstanding() <= 12);
    assert_true(arena.reserved_bytes <= 2 * arena.allocated_bytes);
    base_arena_free(&arena);

    base_arena_alloc(&arena, 16);
    base_arena_alloc(&arena, 3000000);
    before = arena.reserved_bytes;
    base_arena_alloc(&arena, 1000);
    assert_int_equal(arena.reserved_bytes, before);
    base_arena_free(&arena);
}

static void impossible_sizes_are_refused(void **state)
{
    struct base_arena arena = {0};
    (void)state;

    assert_null(base_arena_alloc(&arena, SIZE_MAX));
    assert_null(base_arena_alloc(&arena, SIZE_MAX - 15));
    assert_null(base_arena_alloc(&arena, SIZE_MAX / 2 + 1));
    assert_null(base_arena_array(&arena, SIZE_MAX, 2));
    assert_null(base_arena_array(&arena, 2, SIZE_MAX));
    /* The product modulo 2^64 would be 0 or small. */
    assert_null(base_arena_array(&arena, SIZE_MAX / 2 + 1, 2));
    assert_null(base_arena_array(&arena, SIZE_MAX / 16 + 2, 16));
    assert_int_equal(arena.reserved_bytes, 0);
    base_arena_free(&arena);
}

static void texts_are_copied_and_formatted(void **state)
{
    struct base_arena arena = {0};
    char source[] = "king-mesh";
    char longer[5000];
    char *copy = base_arena_text(&arena, source);
    (void)state;

    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    source[0] = '?';
    assert_string_equal(copy, "king-mesh");
    assert_string_equal(base_arena_text(&arena, ""), "");
    assert_string_equal(base_arena_format(&arena, "%s:%dx%d", "mesh", 8, 16), "mesh:8x16");
    assert_string_equal(base_arena_format(&arena, "%s", longer), longer);
    assert_string_equal(base_arena_text(&arena, longer), longer);
    base_arena_free(&arena);
}

/* One attempt of each function, each in an arena whose first block is still missing. */
static int use_everything(void *state)
{
    struct base_arena arenas[4] = {{0}, {0}, {0}, {0}};
    int result = 0;
    (void)state;

    if (base_arena_alloc(&arenas[0], 10) == NULL || base_arena_alloc(&arenas[0], 100000) == NULL ||
        base_arena_alloc(&arenas[0], 4100) == NULL)
        result = -1;
    else if (base_arena_array(&arenas[1], 10, 10) == NULL || base_arena_text(&arenas[2], "text") == NULL ||
             base_arena_format(&arenas[3], "%d", 5) == NULL)
        result = -1;
    for (size_t i = 0; i < 4; i++)
        base_arena_free(&arenas[i]);
    return result;
}

static void failed_allocations_are_told_and_leave_nothing(void **state)
{
    (void)state;
    assert_int_equal(fail_alloc_each(use_everything, NULL), 6);
}

static void an_arena_works_on_after_a_failure(void **state)
{
    struct base_arena arena = {0};
    size_t reserved;
    (void)state;

    assert_non_null(base_arena_alloc(&arena, 16));
    reserved = arena.reserved_bytes;
    fail_alloc_arm(1);
    assert_null(base_arena_alloc(&arena, 100000));
    assert_true(fail_alloc_disarm());
    assert_int_equal(arena.reserved_bytes, reserved);
    assert_int_equal(arena.allocated_bytes, 16);
    assert_non_null(base_arena_alloc(&arena, 100000));
    base_arena_free(&arena);
    assert_int_equal(fail_alloc_outstanding(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_zeroed_and_apart),
        cmocka_unit_test(empty_pieces_are_unique),
        cmocka_unit_test(counts_are_what_was_handed_out),
        cmocka_unit_test(blocks_are_few_and_not_wasted),
        cmocka_unit_test(impossible_sizes_are_refused),
        cmocka_unit_test(texts_are_copied_and_formatted),
        cmocka_unit_test(failed_allocations_are_told_and_leave_nothing),
        cmocka_unit_test(an_arena_works_on_after_a_failure),
    };
    return cmocka_run_group_tests_name("arena", tests, NULL, NULL);
}
