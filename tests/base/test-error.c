/* Sentences, positions, status, and texts that do not fit. */
#include "tests/suite.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

static void a_sentence_is_set_and_minus_one_returned(void **state)
{
    struct base_error error;
    (void)state;

    memset(&error, 'x', sizeof error);
    assert_int_equal(base_error_set(&error, BASE_USAGE, "no topology '%s' (%d known)", "mehs", 9), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_string_equal(error.text, "no topology 'mehs' (9 known)");
}

static void positions_are_written_in_order(void **state)
{
    struct base_position all = {"a.evt", 3, 7, 0, 17, 120}, rank = base_position_of("cg.otf2");
    struct base_position none;
    struct base_error error;
    (void)state;

    assert_int_equal(base_error_at(&error, BASE_INPUT, &all, "bad"), -1);
    assert_string_equal(error.text, "a.evt: line 3, column 7, rank 0, event 17, byte 120: bad");
    assert_int_equal(error.status, BASE_INPUT);

    base_error_at(&error, BASE_INPUT, &rank, "not an %s file", "OTF2");
    assert_string_equal(error.text, "cg.otf2: not an OTF2 file");
    rank.rank = 3;
    rank.event = 17;
    base_error_at(&error, BASE_DEADLOCK, &rank, "receive of %d bytes", 512);
    assert_string_equal(error.text, "cg.otf2: rank 3, event 17: receive of 512 bytes");
    assert_int_equal(error.status, BASE_DEADLOCK);

    none = base_position_of(NULL);
    base_error_at(&error, BASE_INPUT, &none, "nowhere");
    assert_string_equal(error.text, "nowhere");
    none.line = 12;
    base_error_at(&error, BASE_INPUT, &none, "somewhere");
    assert_string_equal(error.text, "line 12: somewhere");
    base_error_at(&error, BASE_INPUT, NULL, "anywhere");
    assert_string_equal(error.text, "anywhere");
    none.line = -1;
    none.offset = INT64_MAX;
    base_error_at(&error, BASE_INPUT, &none, "far");
    assert_string_equal(error.text, "byte 9223372036854775807: far");
}

static void a_sentence_may_be_made_from_the_one_before(void **state)
{
    struct base_position position = base_position_of("job 2");
    struct base_error error;
    (void)state;

    base_error_set(&error, BASE_INPUT, "first");
    base_error_set(&error, error.status, "<%s>", error.text);
    assert_string_equal(error.text, "<first>");
    base_error_at(&error, error.status, &position, "%s", error.text);
    assert_string_equal(error.text, "job 2: <first>");
    base_error_append(&error, ", %s", error.text);
    assert_string_equal(error.text, "job 2: <first>, job 2: <first>");
    base_error_system(&error, ENOENT, "%s", error.text);
    assert_string_equal(error.text, "job 2: <first>, job 2: <first>: No such file or directory");
}

static void lack_of_memory_and_system_errors_have_their_status(void **state)
{
    static const int inputs[] = {ENOENT, ENOTDIR, EISDIR, EACCES, ELOOP, ENAMETOOLONG};
    static const int systems[] = {ENOMEM, ENOSPC, EIO, EMFILE, EPIPE, EPERM, 0};
    struct base_error error;
    char expected[200];
    (void)state;

    assert_int_equal(base_error_memory(&error, "the packet pool"), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_string_equal(error.text, "not enough memory for the packet pool");
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++) {
        assert_int_equal(base_error_system(&error, inputs[i], "cannot open %s", "x"), -1);
        assert_int_equal(error.status, BASE_INPUT);
        snprintf(expected, sizeof expected, "cannot open x: %s", strerror(inputs[i]));
        assert_string_equal(error.text, expected);
    }
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        base_error_system(&error, systems[i], "cannot read");
        assert_int_equal(error.status, BASE_SYSTEM);
    }
}

static void no_error_to_fill_is_legal(void **state)
{
    struct base_position position = base_position_of("x");
    (void)state;

    assert_int_equal(base_error_set(NULL, BASE_USAGE, "x"), -1);
    assert_int_equal(base_error_at(NULL, BASE_USAGE, &position, "x"), -1);
    assert_int_equal(base_error_memory(NULL, "x"), -1);
    assert_int_equal(base_error_system(NULL, ENOENT, "x"), -1);
    base_error_append(NULL, "x");
}

/* A text of length bytes of 'x'. */
static const char *text_of(size_t length)
{
    static char text[3 * BASE_ERROR_TEXT];
    memset(text, 'x', length);
    text[length] = '\0';
    return text;
}

static void assert_cut(const struct base_error *error)
{
    assert_int_equal(strlen(error->text), BASE_ERROR_TEXT - 1);
    assert_string_equal(error->text + BASE_ERROR_TEXT - 4, "...");
    assert_int_equal(strspn(error->text, "x"), BASE_ERROR_TEXT - 4);
}

static void texts_that_just_fit_are_whole(void **state)
{
    struct base_error error;
    (void)state;

    base_error_set(&error, BASE_INPUT, "%s", text_of(BASE_ERROR_TEXT - 1));
    assert_string_equal(error.text, text_of(BASE_ERROR_TEXT - 1));
    base_error_append(&error, "%s", "");
    assert_string_equal(error.text, text_of(BASE_ERROR_TEXT - 1));
    base_error_append(&error, "x");
    assert_cut(&error);
}

static void longer_texts_are_cut_and_marked(void **state)
{
    struct base_position position = base_position_of(text_of(2 * BASE_ERROR_TEXT));
    struct base_error error;
    (void)state;

    base_error_set(&error, BASE_INPUT, "%s", text_of(BASE_ERROR_TEXT));
    assert_cut(&error);
    base_error_append(&error, "y");
    assert_cut(&error);
    position.line = 4;
    text_of(2 * BASE_ERROR_TEXT);
    base_error_at(&error, BASE_INPUT, &position, "y");
    assert_cut(&error);
    base_error_system(&error, ENOENT, "%s", text_of(BASE_ERROR_TEXT - 2));
    assert_cut(&error);
    base_error_set(&error, BASE_INPUT, "x");
    for (int i = 0; i < 2 * BASE_ERROR_TEXT; i++)
        base_error_append(&error, "x");
    assert_cut(&error);
}

/* Texts of two-, three- and four-byte characters, moved by 0 .. 3 bytes: what stays is whole characters and
 * dots. */
static void no_character_is_cut_in_two(void **state)
{
    static const char *const characters[] = {"\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    struct base_error error;
    (void)state;

    for (size_t i = 0; i < 3; i++)
        for (int shift = 0; shift < 4; shift++) {
            size_t size = strlen(characters[i]);
            size_t used;
            base_error_set(&error, BASE_INPUT, "%.*s", shift, "xxxx");
            for (size_t j = 0; j < BASE_ERROR_TEXT; j++)
                base_error_append(&error, "%s", characters[i]);
            assert_int_equal(strlen(error.text), BASE_ERROR_TEXT - 1);
            used = (size_t)shift;
            while (strncmp(error.text + used, characters[i], size) == 0)
                used += size;
            assert_in_range(BASE_ERROR_TEXT - 1 - used, 3, 6);
            assert_int_equal(strspn(error.text + used, "."), BASE_ERROR_TEXT - 1 - used);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sentence_is_set_and_minus_one_returned),
        cmocka_unit_test(positions_are_written_in_order),
        cmocka_unit_test(a_sentence_may_be_made_from_the_one_before),
        cmocka_unit_test(lack_of_memory_and_system_errors_have_their_status),
        cmocka_unit_test(no_error_to_fill_is_legal),
        cmocka_unit_test(texts_that_just_fit_are_whole),
        cmocka_unit_test(longer_texts_are_cut_and_marked),
        cmocka_unit_test(no_character_is_cut_in_two),
    };
    return cmocka_run_group_tests_name("error", tests, NULL, NULL);
}
