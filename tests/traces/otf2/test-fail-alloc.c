/* Every allocation of opening and reading a trace fails once: the reader says so and leaves nothing behind.
 * The archives take every way through the reader: exceptions, rules, messages paired one by one, guesses,
 * unequal sizes, vectors. */
#include <config.h>

#include "tests/fail-alloc.h"
#include "tests/suite.h"
#include "tests/traces/archive.h"

/* Opens the archive in the directory and reads all of it. */
static int read_all(void *state)
{
    struct base_error error = {0};
    struct trace_program *program = trace_open(state, NULL, &error);
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
    return more < 0 && error.status != BASE_SYSTEM ? 0 : more; /* another error hides what happened */
}

static void check(const struct archive_spec *spec, long least)
{
    char *directory = archive_directory();
    long allocations;

    archive_write(directory, spec);
    allocations = fail_alloc_each(read_all, directory);
    print_message("%ld allocations\n", allocations);
    assert_true(allocations >= least);
    archive_remove(directory);
}

static void test_ordinary(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .threads = 1,
        .communicators = "3: 1 0; 4: inter 0",
        .events = {"Irecv 5\nenter MPI_Wait\nirecv 1 0 0 5 5\nleave MPI_Wait\ncollective 9 0 -1 4 4\n",
                   "Isend 0 0 0 5 7\nenter MPI_Waitall\nisend_complete 7\nleave MPI_Waitall\n"
                   "collective 9 0 -1 4 4\n",
                   "Call MPI_Wtime\n"}};
    (void)state;
    check(&spec, 20);
}

static void test_moved(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .no_rank_list = true,
        .communicators = "4: 0 1; 5: 0 1",
        .events = {"Irecv 1\nIrecv 2\nIrecv 3\nenter MPI_Waitall\nirecv 1 0 7 20 1\nirecv 1 0 7 10 2\n"
                   "irecv 1 0 8 30 3\nleave MPI_Waitall\n",
                   "Send 0 4 7 20\nSend 0 0 7 10\nSend 0 5 8 30\n"}};
    (void)state;
    check(&spec, 30);
}

static void test_guessed(void **state)
{
    const struct archive_spec spec = {
        .ranks = 2,
        .user_regions = true,
        .communicators = "4: 0 1",
        .events = {"Irecv 100\nIrecv 108\nIsend 1 0 9 90 116\nCall MPI_Waitall\ncollective 11 0 -1 8 8\n",
                   "Recv 0 0 9 90\nSend 0 0 1 10\ncollective 11 0 -1 0 0\n"}};
    (void)state;
    check(&spec, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ordinary),
        cmocka_unit_test(test_moved),
        cmocka_unit_test(test_guessed),
    };
    return cmocka_run_group_tests_name("out of memory in the OTF2 reader", tests, NULL, NULL);
}
