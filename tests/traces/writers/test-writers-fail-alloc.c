/* Every allocation of writing a program fails once: the writer says so, and leaves neither memory nor files.
 */
#include <config.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"
#include "tests/traces/memory.h"
#include "traces/writers/writer.h"

#define PATH 2048

struct attempt {
    struct trace_program *program;
    const char *format, *directory;
    unsigned files; /* that are left in the directory; counted down to nothing after a success */
};

static void add(struct trace_memory *memory, uint32_t rank, struct trace_op op)
{
    if (op.kind != TRACE_COLLECTIVE_CALL)
        op.root = UINT32_MAX;
    assert_int_equal(trace_memory_add(memory, rank, &op), 0);
}

/* A little of everything. */
static struct trace_program *make_program(void)
{
    static const uint32_t pair[] = {1, 0};
    static const uint64_t sizes[] = {3, 4};
    struct trace_memory *memory = trace_memory_new(2);

    assert_non_null(memory);
    assert_int_equal(trace_memory_communicator(memory, "pair", pair, 2), 1);
    for (uint32_t rank = 0; rank < 2; rank++) {
        uint64_t requests[] = {0, 1, 2, 3};
        add(memory, rank,
            (struct trace_op){.kind = TRACE_RECEIVE, .peer = 1 - rank, .flags = TRACE_NONBLOCKING});
        add(memory, rank,
            (struct trace_op){.kind = TRACE_SEND, .peer = 1 - rank, .flags = TRACE_NONBLOCKING});
        add(memory, rank, (struct trace_op){.kind = TRACE_PUT, .peer = 1 - rank, .flags = TRACE_NONBLOCKING});
        add(memory, rank,
            (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                              .collective = TRACE_ALLREDUCE,
                              .root = UINT32_MAX,
                              .communicator = 1,
                              .bytes = 8,
                              .flags = TRACE_NONBLOCKING});
        add(memory, rank, (struct trace_op){.kind = TRACE_WAIT, .requests = requests, .request_count = 4});
        add(memory, rank,
            (struct trace_op){
                .kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_ALLTOALLV, .root = UINT32_MAX});
        if (rank == 0)
            assert_int_equal(trace_memory_vector(memory, 0, 0, sizes, sizes), 0);
    }
    return trace_memory_program(memory);
}

static unsigned count_files(const char *directory)
{
    DIR *entries = opendir(directory);
    unsigned count = 0;

    assert_non_null(entries);
    while (readdir(entries) != NULL)
        count++;
    closedir(entries);
    return count - 2;
}

/* A success is removed again, so that the next attempt finds the directory empty. */
static int write_once(void *state)
{
    struct attempt *attempt = state;
    struct base_error error = {0};
    const struct trace_writer_format *format = trace_writer_find(attempt->format, "", &error);
    char path[PATH], command[PATH * 2];
    int result;

    snprintf(path, sizeof path, "%s/t%s", attempt->directory, format->suffix);
    result = trace_write(attempt->program, format, path, NULL, NULL, NULL, &error);
    if (result == 0) {
        snprintf(command, sizeof command, "rm -rf %s/t*", attempt->directory);
        assert_int_equal(system(command), 0);
    }
    attempt->files += count_files(attempt->directory);
    return result < 0 && error.status != BASE_SYSTEM ? 0 : result;
}

static void test_each(void **state)
{
    struct attempt attempt = {.program = make_program()};
    size_t count;
    const struct trace_writer_format *const *writers = trace_writers(&count);
    char *directory = archive_directory();

    (void)state;
    attempt.directory = directory;
    for (size_t i = 0; i < count; i++) {
        long allocations;
        attempt.format = writers[i]->name;
        allocations = fail_alloc_each(write_once, &attempt);
        print_message("%s: %ld allocations\n", attempt.format, allocations);
        assert_true(allocations > 10);
        assert_int_equal(attempt.files, 0);
    }
    trace_close(attempt.program);
    archive_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
