/* Memory of the OTF2 reader: what is needed does not grow with the length of a trace, and event files are
 * closed when too many would be open. Allocations of this program's own objects are counted by wrapping
 * malloc; libotf2's are not. */
#include <config.h>

#include <dirent.h>
#include <malloc.h>
#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "tests/suite.h"
#include "tests/traces/archive.h"

#define RANKS 4

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void __real_free(void *piece);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void __wrap_free(void *piece);

static int64_t live_bytes, peak_bytes;

static void *account(void *piece)
{
    live_bytes += (int64_t)malloc_usable_size(piece);
    if (live_bytes > peak_bytes)
        peak_bytes = live_bytes;
    return piece;
}

void *__wrap_malloc(size_t size)
{
    return account(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return account(__real_calloc(count, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    live_bytes -= (int64_t)malloc_usable_size(old);
    return account(__real_realloc(old, size));
}

void __wrap_free(void *piece)
{
    live_bytes -= (int64_t)malloc_usable_size(piece);
    __real_free(piece);
}

/* A ring of messages, each with a tag of its own, received without blocking, with a collective now and then;
 * and one receive that is posted at the start and completed at the end. */
static void write_ring(OTF2_EvtWriter *writer, uint32_t rank, uint32_t turns)
{
    const uint64_t long_request = 1u << 30;
    const uint32_t long_tag = 1u << 30;
    uint64_t time = 1000;

    OTF2_EvtWriter_Enter(writer, NULL, time++, 0);
    OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time++, long_request);
    OTF2_EvtWriter_Leave(writer, NULL, time++, 0);
    for (uint32_t i = 0; i < turns; i++) {
        OTF2_EvtWriter_Enter(writer, NULL, time++, 0);
        OTF2_EvtWriter_MpiIrecvRequest(writer, NULL, time++, i);
        OTF2_EvtWriter_Leave(writer, NULL, time++, 0);
        OTF2_EvtWriter_Enter(writer, NULL, time++, 1);
        OTF2_EvtWriter_MpiSend(writer, NULL, time++, (rank + 1) % RANKS, 0, i, 8 * (uint64_t)i);
        OTF2_EvtWriter_Leave(writer, NULL, time++, 1);
        OTF2_EvtWriter_Enter(writer, NULL, time++, 2);
        OTF2_EvtWriter_MpiIrecv(writer, NULL, time++, (rank + RANKS - 1) % RANKS, 0, i, 8 * (uint64_t)i, i);
        OTF2_EvtWriter_Leave(writer, NULL, time++, 2);
        if (i % 100 == 0)
            OTF2_EvtWriter_MpiCollectiveEnd(writer, NULL, time++, OTF2_COLLECTIVE_OP_ALLREDUCE, 0,
                                            OTF2_UNDEFINED_UINT32, 32, 32);
    }
    OTF2_EvtWriter_MpiSend(writer, NULL, time++, (rank + 1) % RANKS, 0, long_tag, 1);
    OTF2_EvtWriter_MpiIrecv(writer, NULL, time++, (rank + RANKS - 1) % RANKS, 0, long_tag, 1, long_request);
}

static const char *const ring_regions[] = {"MPI_Irecv", "MPI_Send", "MPI_Wait", NULL};

/* The most that reading the whole trace needs, with all cursors side by side. */
static int64_t peak_of(uint32_t turns)
{
    char *directory = archive_directory();
    struct base_error error = {0};
    struct trace_program *program;
    struct trace_cursor *cursors[RANKS];
    uint64_t ops = 0;
    int more = 1;

    archive_generate(directory, RANKS, ring_regions, write_ring, turns);
    live_bytes = peak_bytes = 0;
    program = trace_open(directory, NULL, &error);
    if (program == NULL)
        fail_msg("%s", error.text);
    assert_int_equal(trace_program_summary(program)->sends, ((uint64_t)turns + 1) * RANKS);
    for (uint32_t i = 0; i < RANKS; i++)
        assert_non_null(cursors[i] = trace_cursor_new(program, i, &error));
    while (more > 0) {
        for (uint32_t i = 0; i < RANKS; i++) {
            struct trace_op op;
            more = trace_cursor_next(cursors[i], &op, &error);
            ops += more > 0;
        }
    }
    assert_int_equal(more, 0);
    assert_true(ops > (uint64_t)turns * RANKS * 3);
    for (uint32_t i = 0; i < RANKS; i++)
        trace_cursor_free(cursors[i]);
    trace_close(program);
    archive_remove(directory);
    return peak_bytes;
}

static void test_length(void **state)
{
    int64_t first = peak_of(4000), tenfold = peak_of(40000);

    (void)state;
    print_message("%lld bytes for %d events, %lld for %d\n", (long long)first, 4000 * 9 * RANKS,
                  (long long)tenfold, 40000 * 9 * RANKS);
    assert_true(tenfold <= first + 4096);
}

static size_t open_files(void)
{
    DIR *directory = opendir("/proc/self/fd");
    size_t count = 0;

    assert_non_null(directory);
    while (readdir(directory) != NULL)
        count++;
    closedir(directory);
    return count;
}

/* More ranks than the process may have descriptors for: files are closed, and opened again where their cursor
 * stands. */
static void test_open_files(void **state)
{
    enum { COUNT = 20, OPEN = 16, MESSAGES = 3000 };
    struct rlimit usual, few;
    const size_t size = (size_t)MESSAGES * 40;
    struct archive_spec spec = {.ranks = COUNT, .chunk_bytes = 16 << 20};
    struct trace_cursor *cursors[COUNT];
    struct archive archive;
    struct base_error error = {0};
    size_t before;
    size_t most = 0;
    int more = 1;

    (void)state;
    for (uint32_t i = 0; i < COUNT; i++) {
        char *text = malloc(size);
        size_t used = 0;
        assert_non_null(text);
        for (uint32_t k = 0; k < MESSAGES; k++)
            used += (size_t)snprintf(text + used, size - used, "%s %u 0 %u %u\n",
                                     i % 2 == 0 ? "Send" : "Recv", i ^ 1u, k, k);
        spec.events[i] = text;
    }
    before = open_files();
    /* Half of the descriptors, rounded down, are for event files: fewer than there are ranks. */
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &usual), 0);
    few = (struct rlimit){2 * OPEN, usual.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    archive = archive_open(&spec);
    for (uint32_t i = 0; i < COUNT; i++)
        assert_non_null(cursors[i] = trace_cursor_new(archive.program, i, &error));
    for (uint32_t k = 0; more > 0; k++) {
        for (uint32_t i = 0; i < COUNT; i++) {
            struct trace_op op;
            do
                more = trace_cursor_next(cursors[i], &op, &error);
            while (more > 0 && op.kind == TRACE_COMPUTE);
            if (more > 0 && op.kind != TRACE_END)
                assert_int_equal(op.tag, k);
        }
        if (k % 100 == 0 && open_files() > most)
            most = open_files();
    }
    assert_int_equal(more, 0);
    assert_true(most > before + OPEN / 2 && most <= before + OPEN + 2);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &usual), 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        trace_cursor_free(cursors[i]);
        free((void *)(uintptr_t)spec.events[i]);
    }
    archive_close(&archive);
}

/* Two cursors over one rank, at different places. */
static void test_independent_cursors(void **state)
{
    char *directory = archive_directory();
    struct base_error error = {0};
    struct trace_program *program;
    struct trace_cursor *ahead, *behind;
    struct trace_op op, other;

    (void)state;
    archive_generate(directory, RANKS, ring_regions, write_ring, 1000);
    program = trace_open(directory, NULL, &error);
    assert_non_null(program);
    ahead = trace_cursor_new(program, 1, &error);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(trace_cursor_next(ahead, &op, &error), 1);
    behind = trace_cursor_new(program, 1, &error);
    for (int i = 0; i < 2000; i++)
        assert_int_equal(trace_cursor_next(behind, &other, &error), 1);
    assert_int_equal(op.kind, other.kind);
    assert_int_equal(op.event, other.event);
    while (trace_cursor_next(ahead, &op, &error) > 0)
        assert_int_equal(trace_cursor_next(behind, &other, &error), 1);
    assert_int_equal(trace_cursor_next(behind, &other, &error), 0);
    trace_cursor_free(ahead);
    trace_cursor_free(behind);
    trace_close(program);
    archive_remove(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_open_files),
        cmocka_unit_test(test_independent_cursors),
    };
    return cmocka_run_group_tests_name("memory of the OTF2 reader", tests, NULL, NULL);
}
