/* Files are complete or absent. Everything happens in a directory of its own, which must be empty at the end.
 */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output.h"
#include "tests/fail-alloc.h"

/* The names in the test's directory, in use as the working directory; -1 when it cannot be read. */
static int count_files(void)
{
    DIR *directory = opendir(".");
    int count = 0;

    if (directory == NULL)
        return -1;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

static void write_file(const char *path, const char *text)
{
    FILE *stream = fopen(path, "w");
    assert_non_null(stream);
    assert_true(fputs(text, stream) >= 0);
    assert_int_equal(fclose(stream), 0);
}

static void assert_file(const char *path, const char *expected)
{
    char text[200] = "";
    FILE *stream = fopen(path, "r");
    assert_non_null(stream);
    text[fread(text, 1, sizeof text - 1, stream)] = '\0';
    fclose(stream);
    assert_string_equal(text, expected);
}

static void assert_closed(const struct base_output *output)
{
    assert_null(output->stream);
    assert_null(output->path);
    assert_null(output->working);
}

static void a_committed_file_appears_whole(void **state)
{
    struct base_output output;
    struct base_error error;
    struct stat status;
    mode_t mask = umask(027);
    (void)state;

    assert_int_equal(base_output_open(&output, "new.txt", &error), 0);
    assert_string_equal(output.path, "new.txt");
    assert_true(fputs("all of it\n", output.stream) >= 0);
    assert_int_equal(access("new.txt", F_OK), -1); /* not before it is complete */
    assert_int_equal(base_output_commit(&output, &error), 0);
    assert_closed(&output);
    assert_file("new.txt", "all of it\n");
    assert_int_equal(count_files(), 1);
    assert_int_equal(stat("new.txt", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0640);
    umask(mask);
    unlink("new.txt");
}

static void a_discarded_file_leaves_nothing(void **state)
{
    struct base_output output;
    struct base_error error;
    (void)state;

    assert_int_equal(base_output_open(&output, "new.txt", &error), 0);
    fputs("half", output.stream);
    base_output_discard(&output);
    assert_closed(&output);
    assert_int_equal(count_files(), 0);
    base_output_discard(&output);
    output = (struct base_output){0};
    base_output_discard(&output);
}

static void an_older_file_survives_until_it_is_replaced(void **state)
{
    struct base_output output;
    struct base_error error;
    struct stat status;
    (void)state;

    write_file("old.txt", "old");
    assert_int_equal(chmod("old.txt", 0604), 0);
    assert_int_equal(base_output_open(&output, "old.txt", &error), 0);
    fputs("half", output.stream);
    fflush(output.stream);
    assert_file("old.txt", "old");
    base_output_discard(&output);
    assert_file("old.txt", "old");
    assert_int_equal(count_files(), 1);

    assert_int_equal(base_output_open(&output, "old.txt", &error), 0);
    fputs("new", output.stream);
    assert_int_equal(base_output_commit(&output, &error), 0);
    assert_file("old.txt", "new");
    assert_int_equal(stat("old.txt", &status), 0);
    assert_int_equal(status.st_mode & 0777, 0604); /* the older file's */
    assert_int_equal(count_files(), 1);
    unlink("old.txt");
}

static void a_link_stays_and_its_file_is_replaced(void **state)
{
    struct base_output output;
    struct base_error error;
    struct stat status;
    (void)state;

    assert_int_equal(mkdir("there", 0777), 0);
    write_file("there/file", "old");
    assert_int_equal(symlink("there/file", "link"), 0);
    assert_int_equal(base_output_open(&output, "link", &error), 0);
    fputs("new", output.stream);
    assert_int_equal(base_output_commit(&output, &error), 0);
    assert_int_equal(lstat("link", &status), 0);
    assert_true(S_ISLNK(status.st_mode));
    assert_file("there/file", "new");
    unlink("link");
    unlink("there/file");
    assert_int_equal(rmdir("there"), 0);
}

static void the_longest_name_can_be_written(void **state)
{
    char name[256];
    struct base_output output;
    struct base_error error;
    (void)state;

    memset(name, 'n', sizeof name - 1);
    name[255] = '\0';
    assert_int_equal(base_output_open(&output, name, &error), 0);
    assert_int_equal(base_output_commit(&output, &error), 0);
    assert_int_equal(count_files(), 1);
    assert_int_equal(unlink(name), 0);
}

static void two_outputs_to_one_target_do_not_mix(void **state)
{
    struct base_output first, second;
    struct base_error error;
    (void)state;

    assert_int_equal(base_output_open(&first, "both", &error), 0);
    assert_int_equal(base_output_open(&second, "both", &error), 0);
    assert_string_not_equal(first.working, second.working);
    fputs("first", first.stream);
    fputs("second", second.stream);
    assert_int_equal(base_output_commit(&second, &error), 0);
    assert_int_equal(base_output_commit(&first, &error), 0);
    assert_file("both", "first");
    unlink("both");
}

static void assert_refused(const char *path, int number)
{
    struct base_output output;
    struct base_error error;
    char expected[400];

    assert_int_equal(base_output_open(&output, path, &error), -1);
    assert_closed(&output);
    assert_int_equal(error.status, BASE_SYSTEM);
    snprintf(expected, sizeof expected, "cannot write %s: %s", path, strerror(number));
    assert_string_equal(error.text, expected);
    assert_int_equal(base_output_open(&output, path, NULL), -1);
    base_output_discard(&output);
}

static void impossible_targets_are_refused(void **state)
{
    char long_name[300];
    (void)state;

    memset(long_name, 'n', sizeof long_name);
    long_name[280] = '\0';
    write_file("file", "");
    assert_refused("missing/new.txt", ENOENT);
    assert_refused(".", EISDIR);
    assert_refused("file/new.txt", ENOTDIR);
    assert_refused("missing/", ENOENT);
    assert_refused("", ENOENT);
    assert_refused(long_name, ENAMETOOLONG);
    assert_int_equal(count_files(), 1);
    unlink("file");
}

static void check_unwritable_targets(void)
{
    assert_int_equal(mkdir("closed", 0555), 0);
    write_file("fixed", "old");
    assert_int_equal(chmod("fixed", 0444), 0);
    assert_refused("closed/new.txt", EACCES);
    assert_refused("fixed", EACCES);
    assert_file("fixed", "old");
    assert_int_equal(rmdir("closed"), 0);
    unlink("fixed");
    assert_int_equal(count_files(), 0);
}

/* The superuser may write everywhere, and is somebody else for the time of this test. */
static void an_unwritable_directory_or_file_is_refused(void **state)
{
    enum { NOBODY = 65534 };
    (void)state;

    if (geteuid() != 0) {
        check_unwritable_targets();
        return;
    }
    assert_int_equal(chmod(".", 0777), 0);
    if (setresuid(NOBODY, NOBODY, 0) != 0) {
        print_message("skipped: the superuser may write everywhere, and cannot be somebody else here\n");
        skip();
    }
    check_unwritable_targets();
    assert_int_equal(setresuid(0, 0, 0), 0);
}

/* Where TMPDIR says, and nowhere to be seen. */
static void temporary_files_have_no_name(void **state)
{
    struct base_error error = {0};
    char read[8] = "";
    FILE *file;
    (void)state;

    assert_int_equal(setenv("TMPDIR", ".", 1), 0);
    file = base_output_temporary(&error);
    assert_non_null(file);
    assert_int_equal(count_files(), 0);
    assert_int_equal(fwrite("abc", 1, 3, file), 3);
    rewind(file);
    assert_int_equal(fread(read, 1, 3, file), 3);
    assert_string_equal(read, "abc");
    fclose(file);
    assert_int_equal(setenv("TMPDIR", "./nowhere", 1), 0);
    assert_null(base_output_temporary(&error));
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_non_null(strstr(error.text, "no temporary file in ./nowhere: "));
    assert_int_equal(unsetenv("TMPDIR"), 0);
}

/* To a device that is always full: the error comes at the commit, whether the text was flushed before or not.
 */
static void a_full_disk_is_told(void **state)
{
    struct base_output output;
    struct base_error error;
    (void)state;

    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full\n");
        skip();
    }
    for (int flushed = 0; flushed < 2; flushed++) {
        memset(&error, 0, sizeof error);
        assert_int_equal(base_output_open(&output, "/dev/full", &error), 0);
        assert_null(output.working);
        fputs("too much", output.stream);
        if (flushed)
            assert_int_equal(fflush(output.stream), EOF);
        assert_int_equal(base_output_commit(&output, &error), -1);
        assert_closed(&output);
        assert_int_equal(error.status, BASE_SYSTEM);
        assert_string_equal(error.text, "cannot write /dev/full: No space left on device");
    }
    assert_int_equal(access("/dev/full", W_OK), 0); /* and the device was not removed */
}

/* The same with a regular file: its working file is replaced by a link to the full device's descriptor. */
static void a_file_that_cannot_be_written_leaves_the_older_one(void **state)
{
    struct base_output output;
    struct base_error error;
    (void)state;

    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full\n");
        skip();
    }
    write_file("old.txt", "old");
    assert_int_equal(base_output_open(&output, "old.txt", &error), 0);
    assert_non_null(freopen("/dev/full", "w", output.stream));
    fputs("new", output.stream);
    assert_int_equal(base_output_commit(&output, &error), -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_non_null(strstr(error.text, "old.txt: No space left on device"));
    assert_file("old.txt", "old");
    assert_int_equal(count_files(), 1);
    unlink("old.txt");
}

/* The target became a directory in the meantime. */
static void a_failed_rename_leaves_nothing(void **state)
{
    struct base_output output;
    struct base_error error;
    (void)state;

    assert_int_equal(base_output_open(&output, "target", &error), 0);
    fputs("text", output.stream);
    assert_int_equal(mkdir("target", 0777), 0);
    assert_int_equal(base_output_commit(&output, &error), -1);
    assert_closed(&output);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_string_equal(error.text, "cannot write target: Is a directory");
    assert_int_equal(rmdir("target"), 0);
    assert_int_equal(count_files(), 0);
}

static void a_dash_is_standard_output(void **state)
{
    struct base_output output;
    struct base_error error;
    (void)state;

    assert_int_equal(base_output_open(&output, "-", &error), 0);
    assert_ptr_equal(output.stream, stdout);
    assert_null(output.path);
    assert_null(output.working);
    assert_int_equal(base_output_commit(&output, &error), 0);
    assert_closed(&output);
    assert_int_equal(base_output_open(&output, "-", &error), 0);
    base_output_discard(&output);
    assert_true(printf("%s", "") == 0 && fflush(stdout) == 0); /* still open */
    assert_int_equal(count_files(), 0);
}

/* In a child, since a standard output that has met an error is no use to the test itself. */
static void a_full_standard_output_is_told(void **state)
{
    struct base_output output;
    struct base_error error;
    int saved = dup(STDOUT_FILENO);
    int result;
    (void)state;

    if (access("/dev/full", W_OK) != 0) {
        print_message("skipped: no /dev/full\n");
        skip();
    }
    fflush(stdout);
    assert_non_null(freopen("/dev/full", "w", stdout));
    base_output_open(&output, "-", &error);
    fputs("too much", output.stream);
    result = base_output_commit(&output, &error);
    clearerr(stdout);
    (void)!freopen("/dev/null", "w", stdout);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    assert_int_equal(result, -1);
    assert_int_equal(error.status, BASE_SYSTEM);
    assert_string_equal(error.text, "cannot write standard output: No space left on device");
}

static int write_and_discard(void *state)
{
    struct base_output output;
    struct base_error error;
    int result = base_output_open(&output, state, &error);

    if (result == 0)
        result = base_output_commit(&output, &error);
    else if (error.status != BASE_SYSTEM || strstr(error.text, "Cannot allocate memory") == NULL)
        fail_msg("a failed allocation is called '%s'", error.text);
    return result;
}

/* The lowest free descriptor: the same before and after when none was left open. */
static int next_descriptor(void)
{
    int descriptor = dup(STDERR_FILENO);
    close(descriptor);
    return descriptor;
}

static void failed_allocations_are_told_and_leave_nothing(void **state)
{
    int descriptor = next_descriptor();
    (void)state;

    write_file("old.txt", "old");
    assert_int_equal(fail_alloc_each(write_and_discard, "new.txt"), 3); /* path, working path, stream */
    assert_int_equal(unlink("new.txt"), 0);
    assert_int_equal(fail_alloc_each(write_and_discard, "old.txt"), 3);
    assert_int_equal(unlink("old.txt"), 0);
    assert_int_equal(fail_alloc_each(write_and_discard, "/dev/null"), 2);
    assert_int_equal(next_descriptor(), descriptor);
    assert_int_equal(count_files(), 0);
}

static char directory[] = "output-test-XXXXXX";

static int enter_directory(void **state)
{
    (void)state;
    return mkdtemp(directory) == NULL || chdir(directory) != 0;
}

static int leave_directory(void **state)
{
    (void)state;
    return chdir("..") != 0 || rmdir(directory) != 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_committed_file_appears_whole),
        cmocka_unit_test(a_discarded_file_leaves_nothing),
        cmocka_unit_test(an_older_file_survives_until_it_is_replaced),
        cmocka_unit_test(a_link_stays_and_its_file_is_replaced),
        cmocka_unit_test(the_longest_name_can_be_written),
        cmocka_unit_test(two_outputs_to_one_target_do_not_mix),
        cmocka_unit_test(impossible_targets_are_refused),
        cmocka_unit_test(an_unwritable_directory_or_file_is_refused),
        cmocka_unit_test(temporary_files_have_no_name),
        cmocka_unit_test(a_full_disk_is_told),
        cmocka_unit_test(a_file_that_cannot_be_written_leaves_the_older_one),
        cmocka_unit_test(a_failed_rename_leaves_nothing),
        cmocka_unit_test(a_dash_is_standard_output),
        cmocka_unit_test(a_full_standard_output_is_told),
        cmocka_unit_test(failed_allocations_are_told_and_leave_nothing),
    };
    return cmocka_run_group_tests_name("output", tests, enter_directory, leave_directory);
}
