/* The hash of a trace, against one pass of XXH3 over all of its files, whose names are written down here. */
#include <config.h>

#include <glob.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "tests/fail-alloc.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "traces/hash.h"

#define HASH_TEXT 33

/* A directory of the bundled traces. Valid until the next call. */
static const char *bundled(const char *name)
{
    static char path[1024];
    const char *source = getenv("top_srcdir");

    snprintf(path, sizeof path, "%s/tests/data/%s", source == NULL ? "." : source, name);
    return path;
}

/* All files that match, in the order of their names, into one growing text. */
static void gather(const char *directory, const char *pattern, char **bytes, size_t *length)
{
    char path[2048];
    glob_t found = {0};

    snprintf(path, sizeof path, "%s/%s", directory, pattern);
    assert_int_equal(glob(path, 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        FILE *file = fopen(found.gl_pathv[i], "rb");
        int c;
        assert_non_null(file);
        for (; (c = getc(file)) != EOF; (*length)++) {
            if ((*length & (*length - 1)) == 0) /* room for twice as many */
                *bytes = realloc(*bytes, 2 * (*length == 0 ? 1 : *length));
            assert_non_null(*bytes);
            (*bytes)[*length] = (char)c;
        }
        fclose(file);
    }
    globfree(&found);
}

static void hash_bytes(const void *bytes, size_t length, char text[HASH_TEXT])
{
    XXH128_hash_t hash = XXH3_128bits(bytes, length);
    snprintf(text, HASH_TEXT, "%016" PRIx64 "%016" PRIx64, (uint64_t)hash.high64, (uint64_t)hash.low64);
}

/* What trace_program_hash says of the trace at this path. */
static void hash_of(const char *path, char text[HASH_TEXT])
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);
    const char *hash = program == NULL ? NULL : trace_program_hash(program, &error);

    if (hash == NULL)
        fail_msg("%s", error.text);
    snprintf(text, HASH_TEXT, "%s", hash);
    trace_close(program);
}

/* Behind its identifier an anchor file has these. */
#define IDENTIFIER_BYTES 8
#define BEHIND_IDENTIFIER 11

/* The patterns are those of hash.h; NULL ends them. The first is an anchor file, of which the identifier does
 * not count. */
static void expect_files(const char *name, const char *const *patterns, bool has_anchor)
{
    char *bytes = NULL;
    char expected[HASH_TEXT], found[HASH_TEXT];
    size_t length = 0;

    for (; *patterns != NULL; patterns++) {
        gather(bundled(name), *patterns, &bytes, &length);
        if (has_anchor) {
            char *behind = bytes + length - BEHIND_IDENTIFIER;
            memmove(behind - IDENTIFIER_BYTES, behind, BEHIND_IDENTIFIER);
            length -= IDENTIFIER_BYTES;
        }
        has_anchor = false;
    }
    hash_bytes(bytes, length, expected);
    free(bytes);
    hash_of(bundled(name), found);
    assert_string_equal(found, expected);
}

static void test_otf2(void **state)
{
    static const char *const score_p[] = {"traces.otf2", "traces.def", "traces/*", NULL};
    static const char *const eztrace[] = {"eztrace_log.otf2", "eztrace_log.def", "eztrace_log/*", NULL};

    (void)state;
    expect_files("otf2-scorep-layout/is.S.16", score_p, true); /* 10 and 11 before 2 */
    expect_files("otf2-cpuclock/ft.A.64", score_p, true);
    expect_files("otf2-eztrace/is.S.4", eztrace, true);
}

static void copy_file(const char *from, const char *to)
{
    char *bytes = NULL;
    char name[2048];
    const char *slash = strrchr(from, '/');
    size_t length = 0;
    FILE *file;

    snprintf(name, sizeof name, "%.*s", (int)(slash - from), from);
    gather(name, slash + 1, &bytes, &length);
    file = fopen(to, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
    free(bytes);
}

/* Inverts the byte of the file that is so many before its end. */
static void damage(const char *path, long before_end)
{
    FILE *file = fopen(path, "r+b");
    int byte;

    assert_non_null(file);
    assert_int_equal(fseek(file, -before_end, SEEK_END), 0);
    byte = getc(file);
    assert_int_equal(fseek(file, -before_end, SEEK_END), 0);
    assert_int_equal(putc(byte ^ 0xff, file), byte ^ 0xff);
    assert_int_equal(fclose(file), 0);
}

/* Each byte of the identifier may be another one: it is the same trace. Its neighbour, the last byte of the
 * count of properties, is not looked at here: libotf2 would look for so many. A byte of the creator's name
 * counts. */
static void test_identifier(void **state)
{
    char *directory = archive_directory();
    char path[2048], from[2048], command[8192], expected[HASH_TEXT], found[HASH_TEXT];

    (void)state;
    snprintf(from, sizeof from, "%s/traces.otf2", bundled("otf2-scorep-layout/ep.S.4"));
    snprintf(path, sizeof path, "%s/traces.otf2", directory);
    snprintf(command, sizeof command, "cp -r '%s/.' '%s' && chmod -R u+w '%s'",
             bundled("otf2-scorep-layout/ep.S.4"), directory, directory);
    assert_int_equal(system(command), 0);
    hash_of(from, expected);
    for (long byte = 1; byte <= IDENTIFIER_BYTES; byte++) {
        damage(path, BEHIND_IDENTIFIER + byte);
        hash_of(path, found);
        assert_string_equal(found, expected);
    }
    copy_file(from, path);
    damage(path, BEHIND_IDENTIFIER + IDENTIFIER_BYTES + 10);
    hash_of(path, found);
    assert_string_not_equal(found, expected);
    archive_remove(directory);
}

/* The metafile, its prefix and the directory are one trace; one rank's file is another. */
static void test_dumpi(void **state)
{
    static const char *const patterns[] = {"*.meta",     "*-0000.bin", "*-0001.bin",
                                           "*-0002.bin", "*-0003.bin", NULL};
    char path[2048], from_directory[HASH_TEXT], found[HASH_TEXT];
    glob_t metafile = {0};

    (void)state;
    expect_files("dumpi/cover.S.4", patterns, false);
    hash_of(bundled("dumpi/cover.S.4"), from_directory);
    snprintf(path, sizeof path, "%s/*.meta", bundled("dumpi/cover.S.4"));
    assert_int_equal(glob(path, 0, NULL, &metafile), 0);
    hash_of(metafile.gl_pathv[0], found);
    assert_string_equal(found, from_directory);
    snprintf(path, sizeof path, "%.*s", (int)(strlen(metafile.gl_pathv[0]) - strlen(".meta")),
             metafile.gl_pathv[0]);
    hash_of(path, found);
    assert_string_equal(found, from_directory);
    globfree(&metafile);
}

static void test_generated(void **state)
{
    static const char name[] = "generate:ring,ranks=4";
    char expected[HASH_TEXT], found[HASH_TEXT];

    (void)state;
    hash_bytes(name, strlen(name), expected);
    hash_of(name, found);
    assert_string_equal(found, expected);
}

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

/* A comment of some blocks' length, and then one byte of it: what no survey counts is counted here. A file
 * that has gone is named, but not any more once the hash is known. */
static void test_goal(void **state)
{
    char *directory = archive_directory();
    char path[2048], expected[HASH_TEXT], found[HASH_TEXT];
    const size_t room = 600000;
    char *text = malloc(room + 100);
    struct base_error error = {0};
    struct trace_program *program;

    (void)state;
    assert_non_null(text);
    snprintf(path, sizeof path, "%s/a.goal", directory);
    memset(text, 'x', room);
    memcpy(text, "num_ranks 1\n#", 13);
    snprintf(text + room, 100, "\nrank 0 { l1: calc 5 }\n");
    write_file(path, text);
    hash_bytes(text, strlen(text), expected);
    hash_of(path, found);
    assert_string_equal(found, expected);
    text[room - 7] = 'y';
    write_file(path, text);
    hash_of(path, found);
    assert_string_not_equal(found, expected);

    program = trace_open(path, NULL, &error);
    assert_non_null(program);
    assert_int_equal(unlink(path), 0);
    assert_null(trace_program_hash(program, &error));
    assert_int_equal(error.status, BASE_INPUT);
    assert_non_null(strstr(error.text, path));
    write_file(path, text);
    assert_string_equal(trace_program_hash(program, &error), found);
    assert_int_equal(unlink(path), 0);
    assert_string_equal(trace_program_hash(program, &error), found);
    trace_close(program);
    free(text);
    archive_remove(directory);
}

/* Opening is not what is looked at here: it has tests of its own. */
static int attempt(void *state)
{
    struct trace_program *program = state;
    struct base_error error = {0};
    const char *hash = trace_program_hash(program, &error);

    if (hash == NULL && error.status != BASE_SYSTEM)
        fail_msg("%s", error.text);
    return hash == NULL ? -1 : 0;
}

static void test_memory(void **state)
{
    struct trace_program *program = trace_open(bundled("otf2-scorep-layout/mg.S.4"), NULL, NULL);

    (void)state;
    assert_non_null(program);
    assert_true(fail_alloc_each(attempt, program) > 0);
    trace_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_otf2),      cmocka_unit_test(test_identifier), cmocka_unit_test(test_dumpi),
        cmocka_unit_test(test_generated), cmocka_unit_test(test_goal),       cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
