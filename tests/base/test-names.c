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

static const char *nearest(const char *text, const char *const *texts, size_t count)
{
    return base_names_nearest(&(struct base_names)BASE_NAMES_OF_TEXTS("text", texts, count), text);
}

static void the_nearest_name_is_found(void **state)
{
    static const char *const names[] = {"mesh", "torus", "king-mesh", "king-torus", "ideal"};
    (void)state;

    assert_string_equal(nearest("mseh", names, 5), "mesh");
    assert_string_equal(nearest("MESH", names, 5), "mesh");
    assert_string_equal(nearest("kingtorus", names, 5), "king-torus");
    assert_string_equal(nearest("idael", names, 5), "ideal");
    assert_null(nearest("hypercube", names, 5));
    assert_null(nearest("", names, 5));
    assert_null(nearest("mesh", names, 0));
}

static void the_first_of_equals_wins(void **state)
{
    static const char *const names[] = {"abd", "abc", "ABC"};
    (void)state;

    assert_ptr_equal(nearest("abx", names, 3), names[0]);
    assert_ptr_equal(nearest("abc", names, 3), names[1]);
}

/* Half of the length, rounded up: 2 of 3 or 4 letters may differ, 3 may not. */
static void nonsense_gets_no_suggestion(void **state)
{
    static const char *const names[] = {"abcd"};
    char endless[300];
    (void)state;

    assert_string_equal(nearest("abxy", names, 1), "abcd");
    assert_string_equal(nearest("abx", names, 1), "abcd");
    assert_null(nearest("axyz", names, 1));
    assert_null(nearest("xyz", names, 1));
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(nearest(endless, names, 1));
}

struct kind {
    int number;
    const char *summary, *name;
};

static const struct kind rows[] = {
    {1, "a grid", "mesh"}, {2, "a ring of rings", "torus"}, {3, "", "mesh-of-trees"}};
static const struct kind *const pointers[] = {&rows[0], &rows[1], &rows[2]};
static const char *const texts[] = {"mesh", "torus", "mesh-of-trees"};
static const struct base_names lists[] = {BASE_NAMES("shape", pointers, struct kind),
                                          BASE_NAMES_OF_ROWS("shape", rows, struct kind),
                                          BASE_NAMES_OF_TEXTS("shape", texts, 3)};

/* A name is found whole, and not by its beginning or by the beginning of what was asked for. */
static void names_are_found_in_each_kind_of_list(void **state)
{
    static const char *const asked[] = {"mesh", "torus", "mesh-of-trees", "mesh,x=3", "torus", "mesh-",
                                        "",     "mes"};
    static const size_t length[] = {SIZE_MAX, SIZE_MAX, SIZE_MAX, 4, 5, SIZE_MAX, 0, 3};
    static const size_t place[] = {0, 1, 2, 0, 1, 3, 3, 3};
    struct base_error error;
    (void)state;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        assert_int_equal(lists[i].count, 3);
        for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
            assert_int_equal(base_names_find(&lists[i], asked[k], length[k], &error), place[k]);
        assert_int_equal(base_names_find(&lists[i], "ring", SIZE_MAX, NULL), 3);
    }
}

static void expect_refusal(const struct base_names *names, const char *text, size_t length,
                           const char *sentence)
{
    struct base_error error = {0};

    assert_int_equal(base_names_find(names, text, length, &error), names->count);
    assert_int_equal(error.status, BASE_USAGE);
    assert_string_equal(error.text, sentence);
    error = (struct base_error){0};
    assert_int_equal(base_names_refuse(names, text, length, &error), -1);
    assert_string_equal(error.text, sentence);
}

static void a_wrong_name_is_refused_with_the_nearest_and_the_list(void **state)
{
    char endless[300];
    (void)state;

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        expect_refusal(&lists[i], "tours", SIZE_MAX,
                       "unknown shape 'tours'; did you mean 'torus'? known: mesh, torus, mesh-of-trees");
        expect_refusal(&lists[i], "tours,a=b", 5,
                       "unknown shape 'tours'; did you mean 'torus'? known: mesh, torus, mesh-of-trees");
        expect_refusal(&lists[i], "xyz", SIZE_MAX, "unknown shape 'xyz'; known: mesh, torus, mesh-of-trees");
    }
    memset(endless, 'x', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    expect_refusal(
        &lists[0], endless, SIZE_MAX,
        "unknown shape 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'; "
        "known: mesh, torus, mesh-of-trees");
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
        cmocka_unit_test(names_are_found_in_each_kind_of_list),
        cmocka_unit_test(a_wrong_name_is_refused_with_the_nearest_and_the_list),
    };
    return cmocka_run_group_tests_name("names", tests, NULL, NULL);
}
