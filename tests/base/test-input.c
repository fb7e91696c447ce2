/* Files that are read as a whole: their bytes, and the hash of these. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "base/input.h"
#include "tests/fail-alloc.h"
#include "tests/suite.h"

static char path[64];

static int make_file(void **state)
{
    int descriptor;

    (void)state;
    strcpy(path, "/tmp/flitreplay-input-XXXXXX");
    descriptor = mkstemp(path);
    return descriptor < 0 || close(descriptor) != 0 ? -1 : 0;
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

/* Every byte value occurs, zeros too, and no block is like another. */
static unsigned char byte_at(size_t i)
{
    return (unsigned char)(i ^ i >> 8 ^ i >> 16);
}

static void write_bytes(size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (size_t i = 0; i < size; i++)
        assert_int_equal(putc(byte_at(i), file), byte_at(i));
    assert_int_equal(fclose(file), 0);
}

/* Around the sizes at which room is made, and none. */
static void what_is_read_is_what_is_hashed(void **state)
{
    static const size_t sizes[] = {0, 1, 100, 65535, 65536, 131071, 131072, 300000};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        XXH3_state_t *hash = XXH3_createState();
        XXH128_hash_t sum;
        struct base_input input;
        char expected[BASE_DIGEST_TEXT];
        write_bytes(sizes[i]);
        assert_int_equal(base_input_open(&input, path), 0);
        assert_int_equal(input.size, sizes[i]);
        XXH3_128bits_reset(hash);
        for (size_t place = 0; place < sizes[i]; place++) {
            unsigned char byte = byte_at(place);
            assert_int_equal(getc(input.stream), byte);
            XXH3_128bits_update(hash, &byte, 1);
        }
        assert_int_equal(getc(input.stream), EOF);
        sum = XXH3_128bits_digest(hash);
        snprintf(expected, sizeof expected, "%016" PRIx64 "%016" PRIx64, (uint64_t)sum.high64,
                 (uint64_t)sum.low64);
        assert_string_equal(input.digest, expected);
        base_input_close(&input);
        XXH3_freeState(hash);
    }
}

static void what_cannot_be_read_is_refused(void **state)
{
    struct base_input input;

    (void)state;
    assert_int_equal(base_input_open(&input, "/no/such/file"), -1);
    assert_int_equal(errno, ENOENT);
    assert_int_equal(base_input_open(&input, "/tmp"), -1);
    assert_int_equal(errno, EISDIR);
}

/* The sentence about a place of a text. */
static const char *refused(const char *text, size_t line, struct base_error *error)
{
    struct base_input input;
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fputs(text, file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(base_input_open(&input, path), 0);
    input.path = "e";
    assert_int_equal(base_input_refuse(&input, line, 3, "wrong", error), -1);
    assert_int_equal(error->status, BASE_INPUT);
    base_input_close(&input);
    return error->text;
}

static void a_refusal_quotes_its_line(void **state)
{
    static struct base_error error;
    char text[400], wanted[400];

    (void)state;
    assert_string_equal(refused("a\n b: c \nd", 2, &error), "e: line 2, column 3: wrong (in \"b: c\")");
    assert_string_equal(refused("a\nb\r\n", 2, &error), "e: line 2, column 3: wrong (in \"b\")");
    assert_string_equal(refused("a\nb", 2, &error), "e: line 2, column 3: wrong (in \"b\")");
    assert_string_equal(refused("a\tb\033\n", 1, &error), "e: line 1, column 3: wrong (in \"a b \")");
    /* Nothing is quoted of an empty line, or behind the end. */
    assert_string_equal(refused("a\n \nb", 2, &error), "e: line 2, column 3: wrong");
    assert_string_equal(refused("a\n", 2, &error), "e: line 2, column 3: wrong");
    assert_string_equal(refused("a\n", 9, &error), "e: line 9, column 3: wrong");
    /* A long line ends before a character that would be cut. */
    memset(text, 'x', 300);
    memcpy(text + 99, "\xc3\xa4", 2);
    text[300] = '\0';
    snprintf(wanted, sizeof wanted, "e: line 1, column 3: wrong (in \"%.99s...\")", text);
    assert_string_equal(refused(text, 1, &error), wanted);
}

static int attempt(void *state)
{
    struct base_input input;

    (void)state;
    errno = 0;
    if (base_input_open(&input, path) != 0) {
        assert_int_equal(errno, ENOMEM);
        return -1;
    }
    base_input_close(&input);
    return 0;
}

static void memory_that_is_out_is_said(void **state)
{
    (void)state;
    write_bytes(200000);
    assert_true(fail_alloc_each(attempt, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_is_what_is_hashed),
        cmocka_unit_test(what_cannot_be_read_is_refused),
        cmocka_unit_test(a_refusal_quotes_its_line),
        cmocka_unit_test(memory_that_is_out_is_said),
    };
    return cmocka_run_group_tests_name("input", tests, make_file, remove_file);
}
