/* Single damaged bytes in each kind of file of real archives, 200 seeded ones a kind and more: no crash, no
 * hang, and either an error or a program that is sound and whose cursors run to the end. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/suite.h"
#include "tests/brief.h"
#include "tests/traces/archive.h"
#include "tests/traces/recorded.h"

#define TIME_LIMIT_SECONDS 900

struct target {
    const char *trace, *file;
    int mutations; /* fewer for EZTrace, whose archives make libotf2 take buffers of 16 MiB for every file */
};

/* Every field that a consumer uses as an index is in range. */
static void check_op(const struct trace_program *program, uint32_t rank, const struct trace_op *op)
{
    const struct trace_communicator *group;

    switch (op->kind) {
    case TRACE_SEND:
    case TRACE_RECEIVE:
        assert_true(op->peer < trace_program_ranks(program));
        assert_true(op->communicator < trace_program_communicators(program));
        break;
    case TRACE_COLLECTIVE_CALL:
        assert_true(op->communicator < trace_program_communicators(program));
        group = trace_program_communicator(program, op->communicator);
        assert_true(op->root == UINT32_MAX || op->root < group->size);
        assert_true((unsigned)op->collective < TRACE_COLLECTIVES);
        break;
    case TRACE_WAIT:
        assert_true(op->request_count > 0);
        break;
    default:
        break;
    }
    assert_non_null(trace_program_region_name(program, op->region));
    (void)rank;
}

static void run_cursors(struct trace_program *program)
{
    for (uint32_t rank = 0; rank < trace_program_ranks(program); rank++) {
        struct base_error error = {0};
        struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
        struct trace_op op = {0};
        int more;

        assert_non_null(cursor);
        while ((more = trace_cursor_next(cursor, &op, &error)) > 0)
            check_op(program, rank, &op);
        if (more < 0)
            fail_msg("%s", error.text);
        assert_int_equal(op.kind, TRACE_END);
        trace_cursor_free(cursor);
    }
}

static void put_byte(const char *path, long at, int value)
{
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    assert_int_equal(fputc(value, file), value);
    assert_int_equal(fclose(file), 0);
}

static int get_byte(const char *path, long at)
{
    FILE *file = fopen(path, "rb");
    int value;

    assert_non_null(file);
    assert_int_equal(fseek(file, at, SEEK_SET), 0);
    value = fgetc(file);
    fclose(file);
    return value;
}

/* Opens the archive with one byte changed; true when it is read. */
static bool open_mutant(const char *directory, const char *path, long at, int flip)
{
    struct base_error error = {0};
    struct trace_program *program;
    int value = get_byte(path, at);

    put_byte(path, at, value ^ flip);
    program = trace_open(directory, NULL, &error);
    if (program != NULL)
        run_cursors(program);
    else
        assert_true(error.text[0] != '\0' && (error.status == BASE_INPUT || error.status == BASE_SYSTEM));
    trace_close(program);
    put_byte(path, at, value);
    return program != NULL;
}

static void test_mutations(void **state)
{
    const struct target *target = *state;
    const char *recorded = recorded_find(target->trace);
    char *directory;
    char path[RECORDED_PATH];
    struct base_random random;
    struct stat status;
    unsigned read = 0;

    if (recorded == NULL)
        suite_skip("the recorded trace is not here");
    const int mutations = (int)brief_count("mutants", (uint64_t)target->mutations, 4);
    directory = archive_directory();
    archive_copy(recorded, directory);
    snprintf(path, sizeof path, "%s/%s", directory, target->file);
    assert_int_equal(stat(path, &status), 0);
    base_random_seed(&random, 1, 0);
    for (int i = 0; i < mutations; i++) {
        long at = (long)base_random_below(&random, (uint64_t)status.st_size);
        int flip = (int)base_random_below(&random, 255) + 1;
        read += open_mutant(directory, path, at, flip);
    }
    print_message("%s of %s: %u of %d mutants are read\n", target->file, target->trace, read, mutations);
    archive_remove(directory);
}

int main(void)
{
    static struct target targets[] = {
        {"otf2-scorep-layout/cover.S.4", "traces.otf2", 200},
        {"otf2-scorep-layout/cover.S.4", "traces.def", 200},
        {"otf2-scorep-layout/cover.S.4", "traces/0.def", 200},
        {"otf2-scorep-layout/cover.S.4", "traces/0.evt", 200},
        {"otf2-eztrace/cover.S.4", "eztrace_log.otf2", 25},
        {"otf2-eztrace/cover.S.4", "eztrace_log.def", 40},
        {"otf2-eztrace/cover.S.4", "eztrace_log/0.evt", 40},
    };
    struct CMUnitTest tests[sizeof targets / sizeof *targets];

    alarm(TIME_LIMIT_SECONDS);
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        tests[i] = (struct CMUnitTest){
            .name = targets[i].file, .test_func = test_mutations, .initial_state = &targets[i]};
    return _cmocka_run_group_tests("damaged OTF2 files", tests, sizeof targets / sizeof *targets, NULL, NULL);
}
