/* What a survey drafts (traces/draft.h) is what streams give: of all recorded traces, and of random programs in every
 * format that can be written, whose receives complete at once, late, and much later; with all of the memory that it may
 * need, with some, and with none. */
#include <config.h>

#include "tests/suite.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/traces/archive.h"
#include "tests/traces/drafted.h"
#include "tests/traces/memory.h"
#include "tests/traces/recorded.h"
#include "traces/writers/writer.h"

#define CASES 40
#define RANKS_MAX 5
#define STEPS_MAX 60
#define OPEN_MAX 8
#define FILLERS 4300 /* more than any reader looks ahead */
#define SOME_ROOM 20000

/* ---- recorded traces ---- */

/* Returns the ranks that were decoded once more. */
static uint32_t check(const char *path, uint64_t room)
{
    char text[DRAFTED_TEXT];
    uint32_t decoded;

    if (!drafted_compare(path, NULL, room, &decoded, text))
        fail_msg("%s: %s", path, text);
    return decoded;
}

/* Returns the ranks that cannot be drafted. */
static uint32_t check_rooms(const char *path)
{
    uint32_t decoded = check(path, UINT64_MAX);

    assert_true(check(path, SOME_ROOM) >= decoded);
    assert_true(check(path, 0) >= decoded);
    return decoded;
}

/* Only EZTrace leaves out what a draft needs: completions. */
static void test_recorded(void **state)
{
    const struct recorded_list *traces = recorded_traces();

    (void)state;
    for (size_t i = 0; i < traces->count; i++) {
        uint32_t decoded = check_rooms(traces->paths[i]);
        if (decoded > 0 && strstr(traces->paths[i], "eztrace") == NULL)
            fail_msg("%s: %u ranks are decoded twice", traces->paths[i], decoded);
    }
}

static const char *dumpi_directory(void)
{
    static char path[RECORDED_PATH];
    const char *shared = getenv("FLITREPLAY_SHARED"), *source = getenv("top_srcdir");

    if (shared != NULL && shared[0] != '\0')
        snprintf(path, sizeof path, "%s/traces/dumpi", shared);
    else
        snprintf(path, sizeof path, "%s/tests/data/dumpi", source == NULL ? "." : source);
    return path;
}

static void test_dumpi(void **state)
{
    DIR *directory = opendir(dumpi_directory());
    struct dirent *entry;
    unsigned count = 0;

    (void)state;
    while (directory != NULL && (entry = readdir(directory)) != NULL) {
        char path[RECORDED_PATH * 2], truth[RECORDED_PATH * 3];
        snprintf(path, sizeof path, "%s/%s", dumpi_directory(), entry->d_name);
        snprintf(truth, sizeof truth, "%s/GROUNDTRUTH.json", path);
        if (entry->d_name[0] == '.' || access(truth, R_OK) != 0)
            continue;
        print_message("%s: %u\n", path, check_rooms(path));
        count++;
    }
    closedir(directory);
    assert_true(count > 0);
}

/* ---- random programs ---- */

/* A message whose receiver waits for it later. */
struct open {
    uint32_t rank;
    uint64_t request;
    unsigned until; /* the step in which it does */
};

struct maker {
    struct base_random random;
    struct trace_memory *memory;
    uint32_t ranks, communicators;
    struct open open[OPEN_MAX];
    unsigned open_count;
    bool is_plain; /* no collective has a vector: only the beginning has to be settled */
};

static uint32_t below(struct maker *maker, uint32_t limit)
{
    return (uint32_t)base_random_below(&maker->random, limit);
}

static void add(struct maker *maker, uint32_t rank, struct trace_op op)
{
    op.duration_ns = op.kind == TRACE_COMPUTE ? 1 + below(maker, 900) : below(maker, 50);
    assert_int_equal(trace_memory_add(maker->memory, rank, &op), 0);
}

static void add_wait(struct maker *maker, uint32_t rank, uint64_t request)
{
    add(maker, rank,
        (struct trace_op){.kind = TRACE_WAIT, .root = UINT32_MAX, .requests = &request, .request_count = 1});
}

/* To another rank; the receiver completes it now, or in a later step. */
static void add_message(struct maker *maker, unsigned step)
{
    uint32_t source = below(maker, maker->ranks);
    uint32_t target = (source + 1 + below(maker, maker->ranks - 1)) % maker->ranks;
    struct trace_op op = {.kind = TRACE_SEND,
                          .root = UINT32_MAX,
                          .peer = target,
                          .tag = below(maker, 3),
                          .bytes = below(maker, 9000)};
    uint64_t request = trace_memory_next_request(maker->memory, source);
    bool started = below(maker, 2) == 0;

    op.flags = started ? TRACE_NONBLOCKING : below(maker, 3) == 0 ? TRACE_SYNCHRONOUS : 0;
    add(maker, source, op);
    if (started)
        add_wait(maker, source, request);
    op.kind = TRACE_RECEIVE;
    op.peer = source;
    op.flags = maker->open_count < OPEN_MAX && below(maker, 2) == 0 ? TRACE_NONBLOCKING : 0;
    request = trace_memory_next_request(maker->memory, target);
    add(maker, target, op);
    if (op.flags != 0)
        maker->open[maker->open_count++] = (struct open){target, request, step + below(maker, 12)};
}

static void close_some(struct maker *maker, unsigned step)
{
    for (unsigned i = 0; i < maker->open_count;) {
        struct open open = maker->open[i];
        if (open.until > step) {
            i++;
            continue;
        }
        maker->open[i] = maker->open[--maker->open_count];
        add_wait(maker, open.rank, open.request);
    }
}

static void add_collective(struct maker *maker, uint32_t communicator)
{
    static const enum trace_collective kinds[] = {TRACE_BARRIER, TRACE_BCAST, TRACE_ALLREDUCE,
                                                  TRACE_ALLTOALLV, TRACE_ALLGATHERV};
    struct trace_op op = {.kind = TRACE_COLLECTIVE_CALL, .root = UINT32_MAX};
    uint64_t sizes[RANKS_MAX];
    struct trace_vector vector = {sizes, sizes, 0, false};

    op.collective = kinds[below(maker, maker->is_plain ? 3 : sizeof kinds / sizeof *kinds)];
    op.communicator = communicator;
    vector.size = op.communicator == 0 ? maker->ranks : maker->ranks - 1;
    vector.pairwise = op.collective == TRACE_ALLTOALLV;
    for (uint32_t i = 0; i < RANKS_MAX; i++)
        sizes[i] = 8 * below(maker, 100);
    if (op.collective == TRACE_ALLTOALLV || op.collective == TRACE_ALLGATHERV)
        op.vector = &vector;
    else if (op.collective != TRACE_BARRIER)
        op.bytes = 8 * below(maker, 1000);
    if (op.collective == TRACE_BCAST)
        op.root = below(maker, vector.size);
    op.flags = below(maker, 4) == 0 ? TRACE_NONBLOCKING : 0;
    for (uint32_t rank = 0; rank < vector.size; rank++) {
        uint64_t request = trace_memory_next_request(maker->memory, rank);
        add(maker, rank, op);
        if (op.flags != 0)
            add_wait(maker, rank, request);
    }
}

/* The world's agreement on a new communicator. */
static void add_agreement(struct maker *maker)
{
    for (uint32_t rank = 0; rank < maker->ranks; rank++)
        add(maker, rank,
            (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                              .flags = TRACE_IMPLIED,
                              .root = UINT32_MAX,
                              .collective = TRACE_ALLGATHER,
                              .bytes = 8});
}

/* So many blocking messages from rank 0 to rank 1 that no receive from before is waited for. */
static void add_fillers(struct maker *maker)
{
    struct trace_op op = {.kind = TRACE_SEND, .root = UINT32_MAX, .peer = 1, .tag = 7, .bytes = 8};

    for (unsigned i = 0; i < FILLERS; i++) {
        op.kind = TRACE_SEND;
        op.peer = 1;
        add(maker, 0, op);
        op.kind = TRACE_RECEIVE;
        op.peer = 0;
        add(maker, 1, op);
        for (uint32_t rank = 0; i % 16 == 0 && rank < 2; rank++)
            add(maker, rank, (struct trace_op){.kind = TRACE_COMPUTE, .root = UINT32_MAX});
    }
}

static void add_step(struct maker *maker, unsigned step)
{
    unsigned what = below(maker, 16);

    if (what < 3)
        add(maker, below(maker, maker->ranks), (struct trace_op){.kind = TRACE_COMPUTE, .root = UINT32_MAX});
    else if (what < 12)
        add_message(maker, step);
    else
        add_collective(maker, below(maker, maker->communicators));
}

/* With many messages: at once, so that they are behind nothing but the agreement, or nothing but it and a collective;
 * anywhere; or not at all. */
static struct trace_program *make_program(uint64_t number)
{
    struct maker maker = {.memory = NULL};
    const uint32_t members[RANKS_MAX] = {0, 1, 2, 3, 4};
    unsigned steps, fills;

    base_random_seed(&maker.random, 26, number);
    maker.ranks = 3 + below(&maker, RANKS_MAX - 2);
    maker.is_plain = number % 8 == 0;
    maker.communicators = number % 8 == 0 ? 2 : 1 + below(&maker, 2);
    maker.memory = trace_memory_new(maker.ranks);
    assert_non_null(maker.memory);
    if (maker.communicators > 1) {
        assert_int_equal(trace_memory_communicator(maker.memory, "some", members, maker.ranks - 1), 1);
        add_message(&maker, 0);
        add_agreement(&maker);
    }
    steps = 5 + below(&maker, STEPS_MAX);
    fills = number % 8 == 0 ? 0 : number % 4 == 0 ? below(&maker, steps) : steps;
    if (number % 16 == 0)
        add_collective(&maker, 0);
    for (unsigned step = 0; step < steps; step++) {
        if (step == fills)
            add_fillers(&maker);
        add_step(&maker, step);
        close_some(&maker, step);
    }
    close_some(&maker, UINT32_MAX);
    return trace_memory_program(maker.memory);
}

static void check_format(struct trace_program *program, const char *directory, const char *format,
                         uint32_t *decoded)
{
    struct base_error error = {0};
    const struct trace_writer_format *writer = trace_writer_find(format, "", &error);
    char path[512];

    snprintf(path, sizeof path, "%s/%s%s", directory, format, writer->suffix);
    if (trace_write(program, writer, path, NULL, NULL, NULL, &error) != 0)
        fail_msg("%s", error.text);
    *decoded += check_rooms(path);
}

/* Programs that are written as they are need no second decoding. */
static void test_random(void **state)
{
    uint64_t cases = brief_count("random programs", CASES, 4);
    uint32_t decoded = 0;

    (void)state;
    for (uint64_t i = 0; i < cases; i++) {
        struct trace_program *program = make_program(i);
        char *directory = archive_directory();
        check_format(program, directory, "otf2", &decoded);
        check_format(program, directory, "dumpi", &decoded);
        check_format(program, directory, "goal", &decoded);
        trace_close(program);
        archive_remove(directory);
    }
    assert_int_equal(decoded, 0);
}

/* Messages that nobody waits for are more than a survey has in its window. */
static void test_open_messages(void **state)
{
    enum { MESSAGES = 40000 };
    char *directory = archive_directory();
    char path[512];
    FILE *stream;

    (void)state;
    snprintf(path, sizeof path, "%s/open.goal", directory);
    stream = fopen(path, "w");
    assert_non_null(stream);
    fprintf(stream, "num_ranks 3\n");
    for (int rank = 0; rank < 2; rank++) {
        fprintf(stream, "rank %d {\n", rank);
        for (int i = 0; i < MESSAGES; i++)
            fprintf(stream, "l%d: %s 8b %s %d tag 0\n", i, rank == 0 ? "send" : "recv",
                    rank == 0 ? "to" : "from", 1 - rank);
        fprintf(stream, "}\n");
    }
    assert_int_equal(fclose(stream), 0);
    assert_int_equal(check_rooms(path), 1); /* rank 2 has no block */
    archive_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),
        cmocka_unit_test(test_dumpi),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_open_messages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
