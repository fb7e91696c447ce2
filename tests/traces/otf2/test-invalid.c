/* Bad input: events that cannot be true, files that are missing, truncated or something else. Each is refused
 * with a sentence that says where and what, and the status of bad input. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"

/* Two ranks, of which rank 0 has these events. */
static void refuse_events(const char *events, const char *part)
{
    const struct archive_spec spec = {
        .ranks = 2, .communicators = "4: 1", .events = {events, "Call MPI_Init\n"}};
    archive_refuse(&spec, part);
}

static void test_events(void **state)
{
    (void)state;
    refuse_events("Send 1 9 0 5\n", "rank 0, event 2: communicator 9 is not defined");
    refuse_events("Send 0 4 0 5\n",
                  "rank 0, event 2: the rank is not a member of communicator \"communicator 4\"");
    refuse_events("Send 2 0 0 5\n", "rank 2 in communicator \"communicator 0\", which has 2 members");
    refuse_events("Recv 2 0 0 5\n", "rank 2 in communicator");
    refuse_events("Send 1 0 2147483648 5\n", "2147483648 is not a valid tag");
    refuse_events("Send 1 0 0 1099511627777\n",
                  "a message of 1099511627777 bytes is over the limit of 1099511627776");
    refuse_events("@1000\nCall MPI_Init\n@3000000000000000\nCall MPI_Finalize\n",
                  "event 3: time jumps from 1010 to");
    refuse_events("@1000\nflush 900\n", "event 1: time goes backward");
    refuse_events("leave MPI_Send\n", "event 1: MPI_Send is left, but no MPI call was entered");
    refuse_events("enter MPI_Send\nleave MPI_Recv\n",
                  "event 2: MPI_Recv is left, but another MPI call was entered last");
    refuse_events("leave compute\n", "event 1: a region is left that was not entered");
    refuse_events("enter MPI_Recv\n", "rank 0: the events end inside MPI_Recv after event 1");
    refuse_events("collective 1 0 2 4 4\n", "root 2 of bcast in a communicator with 2 members");
    refuse_events("collective 77 0 0 4 4\n", "collective operation 77 is not known");
    refuse_events("collective 11 0 -1 1099511627777 4\n",
                  "a collective of 1099511627777 and 4 bytes is over the limit");
    refuse_events("Irecv 5\nenter MPI_Wait\nisend_complete 5\nleave MPI_Wait\n",
                  "event 5: a send completes the request of a receive");
    refuse_events("Isend 1 0 0 5 5\nenter MPI_Wait\nirecv 1 0 0 5 5\nleave MPI_Wait\n",
                  "event 5: a receive completes the request of a send");
}

static void test_nesting(void **state)
{
    char events[70 * 16] = "";

    (void)state;
    for (int i = 0; i < 65; i++)
        strcat(events, "enter MPI_Init\n");
    refuse_events(events, "event 65: 64 MPI calls inside each other");
}

static void test_message_limit(void **state)
{
    const struct archive_spec spec = {.ranks = 2, .events = {"Send 1 0 0 1000\n", "Recv 0 0 0 1000\n"}};
    const struct trace_options options = {.message_limit_bytes = 999};
    struct base_error error = {0};
    char *directory = archive_directory();

    (void)state;
    archive_write(directory, &spec);
    assert_null(trace_open(directory, &options, &error));
    assert_non_null(strstr(error.text, "a message of 1000 bytes is over the limit of 999"));
    archive_remove(directory);
}

static void test_definitions(void **state)
{
    struct archive_spec spec = {.ranks = 2, .communicators = "4: 0 2", .events = {"Call MPI_Init\n", ""}};

    (void)state;
    archive_refuse(&spec, "group 14 has member 2, but there are only 2 ranks");
    spec.communicators = "4: 1 1";
    archive_refuse(&spec, "group 14 has rank 1 as a member twice");
}

/* A good archive of two ranks, to be damaged. */
static char *good_archive(void)
{
    const struct archive_spec spec = {.ranks = 2,
                                      .events = {"Call MPI_Init\nSend 1 0 0 1000\nCall MPI_Finalize\n",
                                                 "Call MPI_Init\nRecv 0 0 0 1000\nCall MPI_Finalize\n"}};
    char *directory = archive_directory();

    archive_write(directory, &spec);
    return directory;
}

static void refuse_path(const char *path, const char *part)
{
    struct base_error error = {0};

    assert_null(trace_open(path, NULL, &error));
    if (strstr(error.text, part) == NULL)
        fail_msg("\"%s\" does not hold \"%s\"", error.text, part);
    assert_int_equal(error.status, BASE_INPUT);
    assert_non_null(strstr(error.text, path)); /* every sentence names the file */
}

/* The path of a file in a directory; one at a time. */
static const char *file_in(const char *directory, const char *name)
{
    static char path[1024];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    return path;
}

static void put_file(const char *directory, const char *name, const void *bytes, size_t size)
{
    FILE *file = fopen(file_in(directory, name), "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

static void test_missing_files(void **state)
{
    char *directory = good_archive();

    (void)state;
    refuse_path("/no/such/trace.otf2", "No such file or directory");
    assert_int_equal(unlink(file_in(directory, "traces/200.evt")), 0);
    refuse_path(directory, "traces/200.evt: No such file or directory");
    archive_remove(directory);
    directory = good_archive();
    assert_int_equal(unlink(file_in(directory, "traces.def")), 0);
    refuse_path(directory, "the .def file beside it is missing or damaged");
    assert_int_equal(unlink(file_in(directory, "traces.otf2")), 0);
    refuse_path(directory, "the directory holds no trace of a known format");
    archive_remove(directory);
}

/* An archive is also found by the name that its writer was given: that of its directory of events. */
static void test_directory_of_events(void **state)
{
    char *directory = good_archive();
    struct trace_program *program;

    (void)state;
    for (int slash = 0; slash < 2; slash++) {
        program = trace_open(file_in(directory, slash ? "traces/" : "traces"), NULL, NULL);
        assert_non_null(program);
        trace_close(program);
    }
    assert_int_equal(unlink(file_in(directory, "traces.otf2")), 0);
    refuse_path(file_in(directory, "traces"), "the directory holds no trace of a known format");
    archive_remove(directory);
}

static void test_other_files(void **state)
{
    char *directory = good_archive();

    (void)state;
    put_file(directory, "letter.txt", "Dear reader, ...", 16);
    refuse_path(file_in(directory, "letter.txt"), "not a trace of a known format");
    refuse_path(file_in(directory, "traces.def"), "not a trace of a known format");
    put_file(directory, "empty.otf2", "", 0);
    refuse_path(file_in(directory, "empty.otf2"), "not an OTF2 anchor file");
    refuse_path(directory, "the directory holds 2 OTF2 anchor files; give one of them");
    archive_remove(directory);
    directory = good_archive();
    assert_int_equal(rename(file_in(directory, "traces.otf2"), "/dev/null/x"), -1);
    put_file(directory, "anchor", "\003B\117TF2\0\003\002\003", 10);
    refuse_path(file_in(directory, "anchor"), "must end in .otf2");
    archive_remove(directory);
}

static off_t size_of(const char *path)
{
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    return status.st_size;
}

static void expect_damage(const struct base_error *error)
{
    static const char *const parts[] = {"damaged", "not an OTF2 anchor", "is not defined", "announces"};
    bool found = false;

    assert_int_equal(error->status, BASE_INPUT);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        found |= strstr(error->text, parts[i]) != NULL;
    if (!found)
        fail_msg("\"%s\"", error->text);
}

/* Replaces a number of 8 bytes that occurs once in a file. */
static void patch_number(const char *path, uint64_t from, uint64_t to)
{
    unsigned char bytes[4096];
    FILE *file = fopen(path, "r+b");
    size_t size;
    size_t found = 0, at = 0;

    assert_non_null(file);
    size = fread(bytes, 1, sizeof bytes, file);
    for (size_t i = 0; i + 8 <= size; i++) {
        if (memcmp(bytes + i, &from, 8) == 0) {
            found++;
            at = i;
        }
    }
    assert_int_equal(found, 1);
    fseek(file, (long)at, SEEK_SET);
    assert_int_equal(fwrite(&to, 8, 1, file), 1);
    fclose(file);
}

/* The writer of libotf2 does not let time go backward; a damaged file can. */
static void test_backward_time(void **state)
{
    const struct archive_spec spec = {.ranks = 1,
                                      .events = {"Call MPI_Init\n@123456789012345\nCall MPI_Finalize\n"}};
    char *directory = archive_directory();

    (void)state;
    archive_write(directory, &spec);
    patch_number(file_in(directory, "traces/100.evt"), 123456789012345, 900);
    refuse_path(directory, "rank 0, event 3: time goes backward, from 1010 to 900 ticks");
    archive_remove(directory);
}

/* Every length to which a file can be cut short. The last byte only marks the end of the buffer, behind that of
 * the file. */
static void test_truncated_files(void **state)
{
    static const char *const names[] = {"traces.otf2", "traces.def", "traces/100.evt"};
    char *directory = good_archive();

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        off_t size = size_of(file_in(directory, names[i]));
        for (off_t cut = size - 1; cut >= 0; cut -= 1) {
            struct base_error error = {0};
            char *copy = archive_directory();
            struct trace_program *program;
            archive_copy(directory, copy);
            assert_int_equal(truncate(file_in(copy, names[i]), cut), 0);
            program = trace_open(copy, NULL, &error);
            if (program != NULL && size - cut > (i == 0 ? 2 : 1))
                fail_msg("%s cut from %d to %d bytes is read", names[i], (int)size, (int)cut);
            trace_close(program);
            if (program == NULL)
                expect_damage(&error);
            archive_remove(copy);
        }
    }
    archive_remove(directory);
}

/* libotf2 would go through as many properties as the anchor counts, for minutes. The number stands behind 46
 * bytes and three strings, which are empty here. */
static void test_properties(void **state)
{
    static const uint32_t numbers[] = {1000, UINT32_C(1) << 28, UINT32_MAX};
    char *directory = good_archive();

    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        FILE *stream = fopen(file_in(directory, "traces.otf2"), "r+b");
        assert_non_null(stream);
        assert_int_equal(fseek(stream, 49, SEEK_SET), 0);
        for (int shift = 0; shift < 32; shift += 8)
            putc((int)(numbers[i] >> shift & 255), stream);
        assert_int_equal(fclose(stream), 0);
        refuse_path(directory, "it counts more properties than it holds");
    }
    archive_remove(directory);
}

/* Where a file should end, it asks for another chunk, at once or behind the records that are there: libotf2
 * would read the chunk that it has again, for ever. */
static void test_endless_files(void **state)
{
    static const struct {
        const char *name, *part;
        long from_end, begin; /* where the wrong byte goes; 0: not from this side */
    } cases[] = {{"traces/100.evt", "100.evt: event 7: the events are truncated or damaged", 2, 0},
                 {"traces/100.evt", "100.evt: the events are truncated or damaged", 0, 18},
                 {"traces.def", "truncated or damaged: it cannot be read further than 0 definitions", 0, 18},
                 {"traces.def", "truncated or damaged: it cannot be read further than", 2, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *directory = good_archive();
        FILE *stream = fopen(file_in(directory, cases[i].name), "r+b");

        assert_non_null(stream);
        if (cases[i].begin > 0)
            assert_int_equal(fseek(stream, cases[i].begin, SEEK_SET), 0);
        else
            assert_int_equal(fseek(stream, -cases[i].from_end, SEEK_END), 0);
        putc(0, stream);
        assert_int_equal(fclose(stream), 0);
        refuse_path(directory, cases[i].part);
        archive_remove(directory);
    }
}

/* libotf2 would take memory for as many members and pairs as a definition counts, 8 bytes each, before it sees that they
 * are not there; where less is to be had, the trace would not be called damaged. */
static void test_counts(void **state)
{
    static const struct {
        const char *name;
        unsigned char size;
        unsigned char record[24];
    } cases[] = {
        /* Groups: of 1 610 612 746 members, of 8 in 6 bytes, of an undefined number. */
        {"traces.def", 17, {18, 15, 1, 17, 1, 5, 0, 4, 10, 0, 0, 96, 1, 1, 34, 4, 0}},
        {"traces.def", 18, {18, 16, 1, 17, 4, 1, 2, 3, 4, 0, 1, 8, 1, 1, 0, 34, 4, 0}},
        {"traces.def", 12, {18, 10, 1, 17, 255, 0, 255, 1, 1, 34, 4, 0}},
        /* Mapping tables: of 2 147 483 647 numbers, of 4 pairs in 3 bytes, with a length of 8 bytes. */
        {"traces/100.def", 10, {5, 8, 3, 4, 255, 255, 255, 127, 0, 81}},
        {"traces/100.def", 16, {5, 255, 6, 0, 0, 0, 0, 0, 0, 0, 3, 1, 4, 1, 81, 82}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static const unsigned char header[18] = {3, 'B', 1};
        char *directory = good_archive();
        char part[128];
        FILE *stream = fopen(file_in(directory, cases[i].name), "wb");

        assert_non_null(stream);
        assert_int_equal(fwrite(header, 1, sizeof header, stream), sizeof header);
        fputs("\x7f\x01!", stream); /* a whole record, of a type that nobody knows */
        assert_int_equal(fwrite(cases[i].record, 1, cases[i].size, stream), cases[i].size);
        putc(2, stream);
        assert_int_equal(fclose(stream), 0);
        snprintf(part, sizeof part, "%s: truncated or damaged: it cannot be read further than 1 definitions",
                 cases[i].name);
        refuse_path(directory, part);
        archive_remove(directory);
    }
}

/* A path to the anchor file, to its directory, with a slash behind: all the same trace. */
static void test_paths(void **state)
{
    char *directory = good_archive();
    char path[1024];
    struct base_error error = {0};
    struct trace_program *program;

    (void)state;
    program = trace_open(file_in(directory, "traces.otf2"), NULL, &error);
    assert_non_null(program);
    assert_string_equal(trace_program_path(program), file_in(directory, "traces.otf2"));
    trace_close(program);
    snprintf(path, sizeof path, "%s/", directory);
    program = trace_open(path, NULL, &error);
    assert_non_null(program);
    assert_string_equal(trace_program_path(program), file_in(directory, "traces.otf2"));
    trace_close(program);
    archive_remove(directory);
}

/* A path without a directory, from inside. */
static void test_relative_paths(void **state)
{
    char *directory = good_archive(), *before = getcwd(NULL, 0);
    static const char *const paths[] = {"traces.otf2", ".", "./"};
    struct base_error error = {0};

    (void)state;
    assert_non_null(before);
    assert_int_equal(chdir(directory), 0);
    for (size_t i = 0; i < 3; i++) {
        struct trace_program *program = trace_open(paths[i], NULL, &error);
        if (program == NULL)
            fail_msg("%s", error.text);
        assert_int_equal(trace_program_summary(program)->sends, 1);
        trace_close(program);
    }
    assert_int_equal(chdir("traces"), 0);
    trace_close(trace_open("../", NULL, &error));
    assert_string_equal(error.text, "");
    assert_int_equal(chdir(before), 0);
    free(before);
    archive_remove(directory);
}

/* Local definitions translate what the events of a location mean: they may be absent, not damaged. */
static void test_local_definitions(void **state)
{
    const char *recorded = recorded_find("otf2-scorep-layout/cover.S.4");
    char *directory;

    (void)state;
    if (recorded == NULL)
        suite_skip("the recorded trace is not here");
    directory = archive_directory();
    archive_copy(recorded, directory);
    assert_int_equal(
        truncate(file_in(directory, "traces/2.def"), size_of(file_in(directory, "traces/2.def")) / 2), 0);
    refuse_path(directory, "traces/2.def: truncated or damaged");
    archive_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_events),         cmocka_unit_test(test_nesting),
        cmocka_unit_test(test_message_limit),  cmocka_unit_test(test_definitions),
        cmocka_unit_test(test_missing_files),  cmocka_unit_test(test_directory_of_events),
        cmocka_unit_test(test_other_files),    cmocka_unit_test(test_truncated_files),
        cmocka_unit_test(test_properties),     cmocka_unit_test(test_endless_files),
        cmocka_unit_test(test_paths),          cmocka_unit_test(test_backward_time),
        cmocka_unit_test(test_relative_paths), cmocka_unit_test(test_local_definitions),
        cmocka_unit_test(test_counts),
    };
    return cmocka_run_group_tests_name("bad OTF2 input", tests, NULL, NULL);
}
