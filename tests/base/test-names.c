/* Nearest names: distances computed by hand, the laws of a metric, and what users mistype. */
#include "tests/suite.h"

#include <string.h>

#include "base/names.h"

static void distances_are_those_of_the_textbooks(void **state)
{
    static const struct {
        const char *a, *b;
        unsigned distance;
    } cases[] = {
        {"", "", 0},
        {"", "abc", 3},
        {"abc", "", 3},
        {"mesh", "mesh", 0},
        {"mesh", "mash", 1},
        {"mesh", "mes", 1},
        {"mesh", "meshh", 1},
        {"mesh", "mehs", 1},
        {"ca", "abc", 2}, /* ca, ac, abc: the pair is edited again after its transposition */
        {"kitten", "sitting", 3},
        {"saturday", "sunday", 3},
        {"a cat", "an abct", 3},
        {"abcd", "badc", 2},
        {"torus", "TORUS", 0},
        {"Mesh", "mEHs", 1},
        {"\xc3\xa9", "e", 2},
    };
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(base_names_distance(cases[i].a, cases[i].b), cases[i].distance);
        assert_int_equal(base_names_distance(cases[i].b, cases[i].a), cases[i].distance);
    }
}

/* All words of up to four letters over {a, b}: the distance is 0 only between equals and obeys the triangle.
 */
static void the_distance_is_a_metric(void **state)
{
    enum { WORDS = 31 };
    char words[WORDS][5];
    unsigned distance[WORDS][WORDS];
    size_t count = 0;
    (void)state;

    for (unsigned length = 0; length <= 4; length++)
        for (unsigned bits = 0; bits < 1u << length; bits++, count++) {
            for (unsigned i = 0; i < length; i++)
                words[count][i] = bits >> i & 1 ? 'b' : 'a';
            words[count][length] = '\0';
        }
    assert_int_equal(count, WORDS);
    for (size_t i = 0; i < WORDS; i++)
        for (size_t j = 0; j < WORDS; j++) {
            distance[i][j] = base_names_distance(words[i], words[j]);
            assert_int_equal(distance[i][j] == 0, i == j);
        }
    for (size_t i = 0; i < WORDS; i++)
        for (size_t j = 0; j < WORDS; j++)
            for (size_t k = 0; k < WORDS; k++)
                assert_true(distance[i][k] <= distance[i][j] + distance[j][k]);
}

static void long_texts_are_compared_by_their_first_64_bytes(void **state)
{
    char a[200], b[200];
    (void)state;

    memset(a, 'a', sizeof a);
    memset(b, 'b', sizeof b);
    a[199] = b[199] = '\0';
    assert_int_equal(base_names_distance(a, b), 64);
    memcpy(b, a, 64);
    assert_int_equal(base_names_distance(a, b), 0);
    assert_int_equal(base_names_distance(a, ""), 64);
    a[64] = '\0';
    b[63] = '\0';
    assert_int_equal(base_names_distance(a, b), 1);
}

static void the_nearest_name_is_found(void **state)
{
    static const char *const names[] = {"mesh", "torus", "king-mesh", "king-torus", "ideal"};
    (void)state;

    assert_string_equal(base_names_nearest("mseh", names, 5), "mesh");
    assert_string_equal(base_names_nearest("MESH", names, 5), "mesh");
    assert_string_equal(base_names_nearest("kingtorus", names, 5), "king-torus");
    assert_string_equal(base_names_nearest("idael", names, 5), "ideal");
    assert_null(base_names_nearest("hypercube", names, 5));
    assert_null(base_names_nearest("", names, 5));
    assert_null(base_names_nearest("mesh", names, 0));
}

static void the_first_of_equals_wins(void **state)
{
    static const char *const names[] = {"abd", "abc", "ABC"};
    (void)state;

    assert_ptr_equal(base_names_nearest("abx", names, 3), names[0]);
    assert_ptr_equal(base_names_nearest("abc", names, 3), names[1]);
}

/* Half of the length, rounded up: 2 of 3 or 4 letters may differ, 3 may not. */
static void nonsense_gets_no_suggestion(void **state)
{
    static const char *const names[] = {"abcd"};
    char endless[300];
    (void)state;

    assert_string_equal(base_names_nearest("abxy", names, 1), "abcd");
    assert_string_equal(base_names_nearest("abx", names, 1), "abcd");
    assert_null(base_names_nearest("axyz", names, 1));
    assert_null(base_names_nearest("xyz", names, 1));
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(base_names_nearest(endless, names, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_textbooks),
        cmocka_unit_test(the_distance_is_a_metric),
        cmocka_unit_test(long_texts_are_compared_by_their_first_64_bytes),
        cmocka_unit_test(the_nearest_name_is_found),
        cmocka_unit_test(the_first_of_equals_wins),
        cmocka_unit_test(nonsense_gets_no_suggestion),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
