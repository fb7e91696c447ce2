/* The helper that makes allocations fail finds what it is there to find. */
#include <config.h>

#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fail-alloc.h"

static void the_nth_allocation_fails_once(void **state)
{
    char *volatile pieces[4]; /* or a compiler may leave out allocations that nothing uses */
    (void)state;

    fail_alloc_arm(3);
    for (size_t i = 0; i < 4; i++) {
        pieces[i] = i % 2 == 0 ? malloc(8) : calloc(1, 8);
        assert_int_equal(pieces[i] == NULL, i == 2);
    }
    assert_true(fail_alloc_disarm());
    assert_int_equal(fail_alloc_outstanding(), 3);
    for (size_t i = 0; i < 4; i++)
        free(pieces[i]);
    assert_int_equal(fail_alloc_outstanding(), 0);
    fail_alloc_arm(1);
    assert_false(fail_alloc_disarm());
}

static void a_failed_realloc_keeps_what_it_was_given(void **state)
{
    char *text = strdup("kept");
    char *larger;
    char *volatile kept = text; /* or the compiler, which knows realloc, warns of a use after it */
    (void)state;

    fail_alloc_arm(1);
    larger = realloc(text, 100000);
    assert_null(larger);
    assert_true(fail_alloc_disarm());
    assert_string_equal(kept, "kept");
    assert_int_equal(fail_alloc_outstanding(), 1);
    larger = realloc(kept, 100000);
    assert_string_equal(larger, "kept");
    assert_int_equal(fail_alloc_outstanding(), 1);
    free(larger);
    assert_int_equal(fail_alloc_outstanding(), 0);
}

/* More pieces than the bookkeeping has room for at first, freed in another order. */
static void many_pieces_are_counted(void **state)
{
    enum { PIECES = 5000 };
    static void *pieces[PIECES];
    (void)state;

    for (size_t i = 0; i < PIECES; i++)
        pieces[i] = malloc(i % 50 + 1);
    assert_int_equal(fail_alloc_outstanding(), PIECES);
    for (size_t i = 0; i < PIECES; i++) {
        free(pieces[i * 7 % PIECES]);
        assert_int_equal(fail_alloc_outstanding(), PIECES - 1 - i);
    }
    free(NULL);
    assert_int_equal(fail_alloc_outstanding(), 0);
}

/* Two pieces, handled as *state says. */
enum habit { CAREFUL, LEAKING_ON_FAILURE, LEAKING_ALWAYS, HIDING, FAILING };

static void *leaked;

static int attempt(void *state)
{
    enum habit habit = *(enum habit *)state;
    char *first = malloc(10), *second = first == NULL ? NULL : strdup("x");
    int result = second == NULL ? -1 : 0;

    if ((habit == LEAKING_ON_FAILURE && first != NULL && second == NULL) || habit == LEAKING_ALWAYS)
        leaked = first;
    else
        free(first);
    free(second);
    return habit == HIDING ? 0 : habit == FAILING ? -1 : result;
}

static void careless_attempts_are_found(void **state)
{
    (void)state;

    for (enum habit habit = CAREFUL; habit <= FAILING; habit++) {
        long result = fail_alloc_each(attempt, &habit);
        assert_int_equal(result, habit == CAREFUL ? 2 : -1);
        free(leaked);
        leaked = NULL;
    }
    assert_int_equal(fail_alloc_outstanding(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_nth_allocation_fails_once),
        cmocka_unit_test(a_failed_realloc_keeps_what_it_was_given),
        cmocka_unit_test(many_pieces_are_counted),
        cmocka_unit_test(careless_attempts_are_found),
    };
    return cmocka_run_group_tests_name("fail-alloc", tests, NULL, NULL);
}
