/* GOAL schedules: their syntax, the order that graphs are brought into, what is refused, and where. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/drafted.h"

#define PATH 2048

static char *directory;

static int make_directory(void **state)
{
    (void)state;
    directory = archive_directory();
    return 0;
}

static int remove_directory(void **state)
{
    (void)state;
    archive_remove(directory);
    return 0;
}

/* The path of a file with this text, valid until the next call. */
static const char *schedule(const char *text)
{
    static char path[PATH];
    FILE *stream;

    snprintf(path, sizeof path, "%s/test.goal", directory);
    stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
    return path;
}

static struct trace_program *read_schedule(const char *text)
{
    struct base_error error = {0};
    const char *path = schedule(text);
    struct trace_program *program = trace_open(path, NULL, &error);
    char difference[DRAFTED_TEXT];

    if (program == NULL)
        fail_msg("%s", error.text);
    if (!drafted_compare(path, NULL, UINT64_MAX, NULL, difference))
        fail_msg("%s", difference);
    return program;
}

static uint64_t count_of(const struct trace_program *program, const char *record)
{
    const struct trace_summary *summary = trace_program_summary(program);

    for (size_t i = 0; i < summary->coverage_count; i++)
        if (strcmp(summary->coverage[i].record, record) == 0)
            return summary->coverage[i].records;
    return 0;
}

/* Rank 0's operations, and how many of them are approximated. */
static void expect(const char *body, const char *expected, uint64_t approximated)
{
    char text[4096];
    struct trace_program *program;
    char *found;

    snprintf(text, sizeof text, "num_ranks 2\nrank 0 {\n%s}\nrank 1 {\n}\n", body);
    program = read_schedule(text);
    found = archive_program(program, 0);
    assert_string_equal(found, expected);
    assert_int_equal(count_of(program, "requires"), approximated);
    free(found);
    trace_close(program);
}

static void refuse(const char *text, const char *part)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(schedule(text), NULL, &error);

    if (program != NULL)
        fail_msg("read, instead of \"%s\"", part);
    assert_int_equal(error.status, BASE_INPUT);
    if (strstr(error.text, part) == NULL)
        fail_msg("\"%s\" does not hold \"%s\"", error.text, part);
}

static void test_syntax(void **state)
{
    struct trace_program *program =
        read_schedule("/* a comment */ num_ranks 3 // another\n"
                      "# and one more\n"
                      "rank 2 { send 8b to 0 tag 5 cpu 0 nic 1 }\n"
                      "rank 0{l1:recv 8b from 2 tag 5 calc 10 l2 : calc 20 cpu 1\n"
                      "l2 requires l1}");
    const struct trace_summary *summary = trace_program_summary(program);
    char *text = archive_program(program, 0);

    (void)state;
    assert_int_equal(trace_program_ranks(program), 3);
    assert_string_equal(trace_program_format(program), "goal");
    assert_string_equal(text, "receive 2 0 5 8 #0\ncompute 10\nwait 0\ncompute 20\nend\n");
    free(text);
    text = archive_program(program, 1);
    assert_string_equal(text, "end\n");
    free(text);
    assert_int_equal(summary->sends, 1);
    assert_int_equal(summary->bytes_received, 8);
    assert_int_equal(summary->compute_ns, 30);
    assert_int_equal(summary->pair_count, 1);
    assert_int_equal(summary->pairs[0].source, 2);
    assert_int_equal(count_of(program, "cpu"), 1);
    trace_close(program);
}

static void test_order(void **state)
{
    (void)state;
    /* What a program makes: exact. */
    expect("a: recv 1b from 1 tag 0\nb: send 2b to 1 tag 0\nb irequires a\nc: calc 5\nc requires b\n"
           "d: calc 0\nd requires c\nd requires a\n",
           "receive 1 0 0 1 #0\nsend 1 0 0 2 #1\nwait 1\ncompute 5\nwait 0\nend\n", 0);
    /* Messages go before what waits. */
    expect("a: recv 1b from 1 tag 0\nb: calc 7\nb requires a\nc: send 2b to 1 tag 1\n",
           "receive 1 0 0 1 #0\nsend 1 0 1 2 #1\nwait 0\ncompute 7\nwait 1\nend\n", 0);
    /* Two branches: the second is held up by the first. */
    expect("a: recv 1b from 1 tag 0\nb: calc 7\nb requires a\nc: recv 2b from 1 tag 1\nd: calc 8\nd requires "
           "c\n",
           "receive 1 0 0 1 #0\nreceive 1 0 1 2 #1\nwait 0\ncompute 7\nwait 1\ncompute 8\nend\n", 1);
    /* Edges to what comes later in the file. */
    expect("a: calc 1\nb: calc 2\na requires b\n", "compute 2\ncompute 1\nend\n", 0);
    expect("a: calc 0\nb: calc 3\n", "compute 3\nend\n", 0);
    expect("", "end\n", 0);
}

/* Receives that leave open whom they are from, or of which tag: as LogGOPSim's reader has them, of which the
 * larger number is what it keeps for -1. */
static void test_any(void **state)
{
    struct trace_program *program;
    const struct trace_summary *summary;
    char *text;

    (void)state;
    expect("recv 1b from -1 tag 3\nrecv 2b from 1 tag -1\nrecv 3b from -1 tag -1\nrecv 4b from -1\n"
           "a: recv 5b from 4294967295 tag 4294967295\nb: calc 6\nb requires a\n",
           "receive 4294967295 0 3 1 #0\nreceive 1 0 4294967295 2 #1\nreceive 4294967295 0 4294967295 3 #2\n"
           "receive 4294967295 0 0 4 #3\nreceive 4294967295 0 4294967295 5 #4\nwait 4\ncompute 6\n"
           "wait 0 1 2 3\nend\n",
           0);
    program =
        read_schedule("num_ranks 2 rank 0 { recv 1b from -1 recv 2b from 1 recv 4b from 1 tag -1 calc 1 }");
    summary = trace_program_summary(program);
    assert_int_equal(count_of(program, "recv"), 1);
    assert_int_equal(count_of(program, "recv -1"), 2);
    assert_int_equal(summary->receives, 3);
    assert_int_equal(summary->bytes_received, 7);
    text = archive_program(program, 0);
    free(text);
    trace_close(program);
}

static void test_refused(void **state)
{
    (void)state;
    refuse("num_ranks 0\n", "line 1, column 11: a schedule needs a rank");
    refuse("num_ranks x\n", "line 1, column 11: a number was expected, not 'x'");
    refuse("num_ranks 2\nrank 2 {}\n", "line 2, column 6: there is no rank 2 among 2");
    refuse("num_ranks 2\nrank 0 {}\nrank 0 {}", "line 3, column 6: rank 0 already has a block");
    refuse("num_ranks 2\nrang 0 {}\n", "line 2, column 1: 'rank' was expected, not 'rang'");
    refuse("num_ranks 2\nrank 0 {\n  send 8b to 2 }", "line 3, column 14: there is no rank 2 among 2");
    refuse("num_ranks 2\nrank 0 {\n  send 8k to 1 }", "line 3, column 8: a number was expected, not '8k'");
    refuse("num_ranks 2\nrank 0 {\n  send 8b to -1 }",
           "line 3, column 14: -1 stands for any rank or tag, which only a recv may use");
    refuse("num_ranks 2\nrank 0 {\n  send 8b to 1 tag -1 }", "line 3, column 20: -1 stands for any");
    refuse("num_ranks 2\nrank 0 {\n  recv 8b from -2 }",
           "line 3, column 16: a number was expected, not '-2'");
    refuse("num_ranks 2\nrank 0 {\n  recv 8b from 1 tag -2 }",
           "line 3, column 22: a number was expected, not '-2'");
    refuse("num_ranks 2\nrank 0 {\n  calc 8 cpu -1 }", "line 3, column 14: a number was expected, not '-1'");
    refuse("num_ranks 2\nrank 0 {\n  send 8b from 1 }", "line 3, column 11: 'to' was expected, not 'from'");
    refuse("num_ranks 2\nrank 0 {\n l: jump 3 }", "calc, send or recv was expected, not 'jump'");
    refuse("num_ranks 2\nrank 0 {\n l: calc 3\n l: calc 4 }", "line 4, column 3: the label is used twice");
    /* Prefixes as long as each other, and one that is longer than is kept. */
    refuse("num_ranks 2\nrank 0 {\n l1: calc 3\n m1: calc 3\n m2: calc 3\n l1: calc 4 }",
           "line 6, column 4: the label is used twice");
    refuse("num_ranks 2\nrank 0 {\n l1: calc 3\n m1: calc 3\n m1 requires l2 }",
           "line 5, column 14: there is no operation 'l2'");
    refuse("num_ranks 2\nrank 0 {\n of_a_prefix_that_is_so_long1: calc 3\n of_a_prefix_that_is_so_wide1: "
           "calc 3\n x:: }",
           "line 5, column 4: calc, send or recv was expected, not ':'");
    refuse("num_ranks 2\nrank 0 {\n l: calc 3\n l requires m }",
           "line 4, column 13: there is no operation 'm'");
    refuse("num_ranks 2\nrank 0 {\n m requires l }", "line 3, column 2: there is no operation 'm'");
    refuse("num_ranks 2\nrank 0 {\n l: calc 1\n l then l }",
           "':' or requires was expected behind 'l', not 'then'");
    refuse("num_ranks 2\nrank 0 {\n l: calc 1\n", "the file ends inside a rank");
    refuse("num_ranks 2\nrank 0 {\n a: calc 1\n b: calc 2\n a requires b\n b requires a }",
           "operation 1 of this rank requires itself");
    refuse("num_ranks 2\nrank 0 {\n send 2000000000000b to 1 }", "2000000000000b is over 1099511627776");
    refuse("num_ranks 99999999999999999999", "99999999999999999999 is over");
    refuse("nothing of the kind", "not a trace of a known format");
}

/* What would be read as something else than is meant, or would take more memory or time than there is. */
static void test_damaged(void **state)
{
    char path[PATH];
    char cut[] = "num_ranks 1\nrank 0 { calc 1 }\n?rank 1 {}";
    struct trace_options options = {.message_limit_bytes = 5};
    struct base_error error = {0};
    FILE *stream;

    (void)state;
    refuse("num_ranks 2\nrank 0 {}\n/* rank 1 {}", "the file ends inside a comment");
    refuse("num_ranks 2\nrank 0 { calc 1 \x80 }", "line 2, column 17: the byte 128 is not text");
    refuse("num_ranksx 2\n", "'num_ranks' was expected, not 'num_ranksx'");
    refuse("num_ranks 16385\nrank 0 {}", "line 1, column 11: 16385 ranks in a file of 25 bytes");
    refuse("num_ranks 1\nrank 0 { calc 1 calc 4611686018427387903 }",
           "the calcs of rank 0 are over 4611686018427387903 ns together");
    snprintf(path, sizeof path, "%s", schedule("num_ranks 1\nrank 0 { send 9b to 0 }"));
    assert_null(trace_open(path, &options, &error));
    assert_non_null(strstr(error.text, "9b is over 5"));
    cut[strcspn(cut, "?")] = '\0'; /* no end of the file */
    stream = fopen(path, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(cut, 1, sizeof cut - 1, stream), sizeof cut - 1);
    assert_int_equal(fclose(stream), 0);
    assert_null(trace_open(path, NULL, &error));
    assert_non_null(strstr(error.text, "line 3, column 1: the byte 0 is not text"));
}

/* Time is a number of 63 bits for a rank, and stands still at its end for all together. */
static void test_long_time(void **state)
{
    struct trace_program *program =
        read_schedule("num_ranks 5 rank 0 { calc 4611686018427387903 } rank 1 { calc 4611686018427387903 }"
                      "rank 2 { calc 4611686018427387903 } rank 3 { calc 4611686018427387903 }"
                      "rank 4 { calc 4611686018427387903 }");

    (void)state;
    assert_true(trace_program_summary(program)->compute_ns == UINT64_MAX);
    trace_close(program);
}

/* A schedule that becomes another while it is open: what is read then is an error, or what is there now. */
static void test_changed(void **state)
{
    static const char *const others[][2] = {
        {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\n", "line 5, column 1: the file ends inside a rank"},
        {"num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nc: calc 3\nd: calc 4\na requires b\n}\n",
         "line 7, column 3: the schedule has changed since it was opened"},
        {"num_ranks 1\nrank 0 {\na: calc 1 a requires a }", "operation 1 of this rank requires itself"},
        {"num_ranks 1\nrank 0 { z requires z }", "the schedule has changed since it was opened"},
        {"", "the file ends inside a rank"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct trace_program *program =
            read_schedule("num_ranks 1\nrank 0 {\na: calc 1\nb: calc 2\nb requires a\n}\n");
        struct base_error error = {0};
        struct trace_cursor *cursor = trace_cursor_new(program, 0, &error);
        struct trace_op op;
        int more = 1;
        assert_non_null(cursor);
        schedule(others[i][0]);
        while (more > 0)
            more = trace_cursor_next(cursor, &op, &error);
        assert_int_equal(more, -1);
        if (strstr(error.text, others[i][1]) == NULL)
            fail_msg("\"%s\" does not hold \"%s\"", error.text, others[i][1]);
        trace_cursor_free(cursor);
        trace_close(program);
    }
}

/* Reads all of a schedule. */
static int read_all(void *path)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);
    int more = program == NULL ? -1 : 0;

    for (uint32_t rank = 0; more == 0 && rank < trace_program_ranks(program); rank++) {
        struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
        struct trace_op op;
        more = cursor == NULL ? -1 : 1;
        while (more > 0)
            more = trace_cursor_next(cursor, &op, &error);
        trace_cursor_free(cursor);
    }
    trace_close(program);
    return more < 0 && error.status != BASE_SYSTEM ? 0 : more;
}

static void test_memory(void **state)
{
    char path[PATH];

    (void)state;
    snprintf(path, sizeof path, "%s",
             schedule("num_ranks 2\nrank 0 {\na: recv 1b from 1 tag 0\nb: calc 7\nb requires a\n"
                      "c: send 2b to 1 tag 1\nc irequires b\n}\nrank 1 { send 1b to 0 tag 0 }"));
    assert_true(fail_alloc_each(read_all, path) > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_syntax),  cmocka_unit_test(test_order),   cmocka_unit_test(test_any),
        cmocka_unit_test(test_refused), cmocka_unit_test(test_damaged), cmocka_unit_test(test_long_time),
        cmocka_unit_test(test_changed), cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
