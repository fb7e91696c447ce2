/* The memory of a whole process, the libraries' too, does not grow with the length of a program: one that is
 * ten times as long is written and read in the same, in every format. A schedule of GOAL is a graph, in which
 * this holds as long as requirements are said near their operations; where they are not, memory is bounded by
 * operations and requirements. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/suite.h"
#include "tests/brief.h"
#include "tests/traces/archive.h"
#include "traces/generate/generate.h"
#include "traces/writers/writer.h"

#define RANKS 4
#define SLACK_KIB 1024 /* pages that the system counts one way or the other */
/* What an operation with its requirement may take where that is said far behind it, and an open message where that is
 * all there is to it (doc/performance.md). */
#define GOAL_FAR_BYTES 200
#define GOAL_OPEN_BYTES 16

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

/* A schedule whose first rank has `iterations` operations of the kind that print_op prints, and the others none. */
static bool write_schedule(const char *path, unsigned iterations, void (*print_op)(FILE *stream, unsigned op),
                           void (*print_end)(FILE *stream, unsigned ops))
{
    FILE *stream = fopen(path, "w");

    if (stream == NULL)
        return false;
    fprintf(stream, "num_ranks %d rank 0 {\n", RANKS);
    for (unsigned op = 0; op < iterations; op++)
        print_op(stream, op);
    print_end(stream, iterations);
    fprintf(stream, "}\n");
    return fclose(stream) == 0;
}

/* Work in a chain, between a receive and its wait: nothing is far from its operation but what it is waited with. */
static void print_chain(FILE *stream, unsigned op)
{
    if (op == 0)
        fprintf(stream, "l0: recv 8b from 0\n");
    else
        fprintf(stream, "l%u: calc 5\nl%u irequires l%u\n", op, op, op - 1);
}

static void print_wait(FILE *stream, unsigned ops)
{
    fprintf(stream, "end: calc 7 end requires l%u end requires l0\n", ops - 1);
}

static bool write_chain(const char *path, unsigned iterations)
{
    return write_schedule(path, iterations, print_chain, print_wait);
}

/* Messages that nobody waits for: at the end there is a wait for all of them. */
static void print_open(FILE *stream, unsigned op)
{
    fprintf(stream, "l%u: send 8b to 0\n", op);
    if (op > 0)
        fprintf(stream, "l%u irequires l%u\n", op, op - 1);
}

static void print_nothing(FILE *stream, unsigned ops)
{
    (void)stream;
    (void)ops;
}

static bool write_open(const char *path, unsigned iterations)
{
    return write_schedule(path, iterations, print_open, print_nothing);
}

/* All operations, then what they require. */
static void print_calc(FILE *stream, unsigned op)
{
    fprintf(stream, "l%u: calc 5\n", op);
}

static void print_requirements(FILE *stream, unsigned ops)
{
    for (unsigned op = 1; op < ops; op++)
        fprintf(stream, "l%u requires l%u\n", op, op - 1);
}

static bool write_far(const char *path, unsigned iterations)
{
    return write_schedule(path, iterations, print_calc, print_requirements);
}

/* All ranks side by side, as a replay does. */
static bool read_program(const char *path, unsigned iterations)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(path, NULL, &error);
    struct trace_cursor *cursors[RANKS] = {NULL};
    struct trace_op op;
    uint64_t ops = 0;
    int more = program == NULL ? -1 : 0;

    for (uint32_t i = 0; program != NULL && i < RANKS; i++)
        cursors[i] = trace_cursor_new(program, i, &error);
    for (bool any = true; any && more >= 0;) {
        any = false;
        for (uint32_t i = 0; i < RANKS && more >= 0; i++) {
            more = trace_cursor_next(cursors[i], &op, &error);
            ops += more > 0;
            any = any || more > 0;
        }
    }
    if (more < 0)
        fprintf(stderr, "%s\n", error.text);
    for (uint32_t i = 0; i < RANKS; i++)
        trace_cursor_free(cursors[i]);
    trace_close(program);
    return ops > iterations;
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
static void check_task(process_task *write, const char *suffix, unsigned iterations, long more_kib,
                       long more_read_kib)
{
    char *directory = archive_directory();
    char path[2][4200];
    long written[2];
    long taken[2] = {0, 0};

    for (unsigned i = 0; i < 2; i++) {
        unsigned length = i == 0 ? iterations : 10 * iterations;
        snprintf(path[i], sizeof path[i], "%s/length%u%s", directory, i, suffix);
        written[i] = peak_of(write, path[i], length);
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

static void check_format(const char *suffix, unsigned iterations, long more_kib, long more_read_kib)
{
    iterations = (unsigned)brief_count("iterations", iterations, 4);
    check_task(write_program, suffix, iterations, more_kib, more_read_kib);
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

/* A window is full from some 16 000 operations on, so that the shorter schedule must have them: fewer only
 * where memory is not looked at anyway. */
static void check_schedule(process_task *write, unsigned iterations, long more_read_kib)
{
    if (KEEPS_FREED)
        iterations = (unsigned)brief_count("iterations", iterations, 4);
    check_task(write, ".goal", iterations, SLACK_KIB, more_read_kib);
}

static void test_goal(void **state)
{
    (void)state;
    check_schedule(write_program, 2700, SLACK_KIB);
}

static void test_goal_with_a_long_wait(void **state)
{
    (void)state;
    check_schedule(write_chain, 20000, SLACK_KIB);
}

static void test_goal_without_waits(void **state)
{
    const long operations = 20000;

    (void)state;
    check_schedule(write_open, (unsigned)operations, SLACK_KIB + 9 * operations * GOAL_OPEN_BYTES / 1024);
}

static void test_goal_far(void **state)
{
    const long operations = 10000;

    (void)state;
    check_schedule(write_far, (unsigned)operations, SLACK_KIB + 9 * operations * GOAL_FAR_BYTES / 1024);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_otf2),
        cmocka_unit_test(test_dumpi),
        cmocka_unit_test(test_goal),
        cmocka_unit_test(test_goal_with_a_long_wait),
        cmocka_unit_test(test_goal_without_waits),
        cmocka_unit_test(test_goal_far),
    };
    return cmocka_run_group_tests_name("memory and length", tests, NULL, NULL);
}
