/* Streams into memory: all that was written, or a failure that is told. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/text-stream.h"
#include "tests/fail-alloc.h"
#include "tests/suite.h"

#define LINES 20000

static void write_lines(FILE *stream)
{
    for (unsigned i = 0; i < LINES; i++)
        fprintf(stream, "line %u\n", i);
}

static void what_is_written_is_there(void **state)
{
    struct base_text_stream text;
    const char *at;
    (void)state;

    write_lines(base_text_stream_open(&text));
    assert_int_equal(base_text_stream_close(&text), 0);
    assert_int_equal(strlen(text.text), text.size);
    at = text.text;
    for (unsigned i = 0; i < LINES; i++) {
        char line[32];
        int length = snprintf(line, sizeof line, "line %u\n", i);
        assert_memory_equal(at, line, (size_t)length);
        at += length;
    }
    assert_ptr_equal(at, text.text + text.size);
    base_text_stream_free(&text);
    assert_null(text.text);
}

static void nothing_is_an_empty_text(void **state)
{
    struct base_text_stream text;
    (void)state;

    assert_non_null(base_text_stream_open(&text));
    assert_int_equal(base_text_stream_close(&text), 0);
    assert_string_equal(text.text, "");
    base_text_stream_free(&text);
}

/* In the middle as well as at the end, where only closing writes. */
static int attempt(void *state)
{
    struct base_text_stream text;
    int status;
    (void)state;

    write_lines(base_text_stream_open(&text));
    status = base_text_stream_close(&text);
    base_text_stream_free(&text);
    return status;
}

static void no_failure_is_lost(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(attempt, NULL) >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_there),
        cmocka_unit_test(nothing_is_an_empty_text),
        cmocka_unit_test(no_failure_is_lost),
    };

    return cmocka_run_group_tests_name("streams into memory", tests, NULL, NULL);
}
