/* The memory of a whole process, the libraries' too, does not grow with the length of a program: one that is
 * ten times as long is written and read in the same, in every format that is read from its place. GOAL is
 * only written: its schedules are graphs, of which a rank's is read as a whole. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/brief.h"
#include "tests/traces/archive.h"
#include "traces/generate.h"
#include "traces/writer.h"

#define RANKS 4
#define SLACK_KIB 1024 /* pages that the system counts one way or the other */

/* What a process does, and whether it could. */
typedef bool process_task(const char *path, unsigned iterations);

/* The exit code says nothing of why: the same is done by other tests, which do. */
static bool write_program(const char *path, unsigned iterations)
{
    struct base_error error = {0};
    const struct trace_writer_format *format = trace_writer_find(NULL, path, &error);
    struct trace_writer_options options = {0};
    struct trace_program *program;
    char name[128];
    int result = -1;

    snprintf(name, sizeof name, "generate:stencil-2d,ranks=%d,size=2x2,iterations=%u", RANKS, iterations);
    program = trace_generate_open(name, &error);
    if (program != NULL && format != NULL)
        result = trace_write(program, format, path, &options, NULL, NULL, &error);
    if (result != 0)
        fprintf(stderr, "%s\n", error.text);
    trace_close(program);
    return result == 0;
}

/* All ranks side by side, as a replay does. */
static bool read_program(const char *path, unsigned iterations)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);
    struct trace_cursor *cursors[RANKS] = {NULL};
    struct trace_op op;
    uint64_t ops = 0;
    int more = program != NULL;

    for (uint32_t i = 0; program != NULL && i < RANKS; i++)
        cursors[i] = trace_cursor_new(program, i, &error);
    while (more > 0) {
        for (uint32_t i = 0; i < RANKS; i++) {
            more = trace_cursor_next(cursors[i], &op, &error);
            ops += more > 0;
        }
    }
    if (more < 0 || program == NULL)
        fprintf(stderr, "%s\n", error.text);
    for (uint32_t i = 0; i < RANKS; i++)
        trace_cursor_free(cursors[i]);
    trace_close(program);
    return ops > (uint64_t)iterations * RANKS;
}

/* The address sanitizer does not give back what has been freed: the tasks run, but their memory says nothing. */
#ifdef __SANITIZE_ADDRESS__
#define KEEPS_FREED true
#else
#define KEEPS_FREED false
#endif

/* The most memory that a process of its own has in use while it does the task, in KiB. */
static long peak_of(process_task *task, const char *path, unsigned iterations)
{
    struct rusage usage;
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0)
        _exit(task(path, iterations) ? 0 : 1);
    assert_int_equal(wait4(child, &status, 0, &usage), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return usage.ru_maxrss;
}

/* The longer program may take so much more: less than its files are larger. */
static void check_format(const char *suffix, unsigned iterations, long more_kib, bool read)
{
    char *directory = archive_directory(), path[2][4200];
    long written[2], taken[2] = {0, 0};

    iterations = (unsigned)brief_count("iterations", iterations, 4);
    for (unsigned i = 0; i < 2; i++) {
        unsigned length = i == 0 ? iterations : 10 * iterations;
        snprintf(path[i], sizeof path[i], "%s/length%u%s", directory, i, suffix);
        written[i] = peak_of(write_program, path[i], length);
        if (read)
            taken[i] = peak_of(read_program, path[i], length);
    }
    print_message("%s: written in %ld and %ld KiB, read in %ld and %ld\n", suffix, written[0], written[1],
                  taken[0], taken[1]);
    archive_remove(directory);
    if (KEEPS_FREED)
        return;
    assert_true(written[1] <= written[0] + more_kib);
    assert_true(taken[1] <= taken[0] + SLACK_KIB);
}

/* libotf2 also writes a file through a buffer of 4 MiB, which the shorter program does not fill. */
static void test_otf2(void **state)
{
    (void)state;
    check_format(".otf2", 10000, 4 * 1024, true);
}

static void test_dumpi(void **state)
{
    (void)state;
    check_format(".meta", 2500, SLACK_KIB, true);
}

static void test_goal(void **state)
{
    (void)state;
    check_format(".goal", 2500, SLACK_KIB, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_otf2),
        cmocka_unit_test(test_dumpi),
        cmocka_unit_test(test_goal),
    };
    return cmocka_run_group_tests_name("memory and length", tests, NULL, NULL);
}
