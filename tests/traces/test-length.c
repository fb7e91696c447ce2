/* The memory of a whole process, the libraries' too, does not grow with the length of a program: one that is
 * ten times as long is written and read in the same, in every format that is read from its place. A schedule
 * of GOAL is a graph, of which a rank's part is read as a whole: there the memory is bounded by its operations and
 * requirements. */
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
/* Of a rank's iteration as GOAL, and what each may take in memory while all ranks are read (doc/performance.md). */
#define GOAL_OPERATIONS 6
#define GOAL_REQUIREMENTS 10
#define GOAL_OPERATION_BYTES 96
#define GOAL_REQUIREMENT_BYTES 32

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

/* The longer program may take so much more to be written, and to be read: less than its files are larger. */
static void check_format(const char *suffix, unsigned iterations, long more_kib, long more_read_kib)
{
    char *directory = archive_directory(), path[2][4200];
    long written[2], taken[2] = {0, 0};

    iterations = (unsigned)brief_count("iterations", iterations, 4);
    for (unsigned i = 0; i < 2; i++) {
        unsigned length = i == 0 ? iterations : 10 * iterations;
        snprintf(path[i], sizeof path[i], "%s/length%u%s", directory, i, suffix);
        written[i] = peak_of(write_program, path[i], length);
        taken[i] = peak_of(read_program, path[i], length);
    }
    print_message("%s: written in %ld and %ld KiB, read in %ld and %ld\n", suffix, written[0], written[1],
                  taken[0], taken[1]);
    archive_remove(directory);
    if (KEEPS_FREED)
        return;
    assert_true(written[1] <= written[0] + more_kib);
    assert_true(taken[1] <= taken[0] + more_read_kib);
}

/* libotf2 also writes a file through a buffer of 4 MiB, which the shorter program does not fill. */
static void test_otf2(void **state)
{
    (void)state;
    check_format(".otf2", 10000, 4 * 1024, SLACK_KIB);
}

static void test_dumpi(void **state)
{
    (void)state;
    check_format(".meta", 2500, SLACK_KIB, SLACK_KIB);
}

static void test_goal(void **state)
{
    const long iterations = 2500, bytes = GOAL_OPERATIONS * GOAL_OPERATION_BYTES + GOAL_REQUIREMENTS * GOAL_REQUIREMENT_BYTES;

    (void)state;
    check_format(".goal", (unsigned)iterations, SLACK_KIB, SLACK_KIB + 9 * iterations * RANKS * bytes / 1024);
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
