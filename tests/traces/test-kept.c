/* Programs that are decoded once: whatever is kept, in memory or in a file, is what the reader gives, field by field;
 * it is read from the reader once; and without a place for it streams are the reader's. */
#include <config.h>

#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/fail-alloc.h"
#include "tests/traces/drafted.h"
#include "tests/traces/memory.h"
#include "tests/traces/recorded.h"
#include "traces/kept-code.h"
#include "traces/kept-pages.h"
#include "traces/kept.h"
#include "traces/program-internal.h"

#define ALL_IN_MEMORY UINT64_MAX

/* ---- programs whose streams are counted ---- */

static const struct trace_program_class *plain_class;
static unsigned streams; /* that were asked for */

static struct trace_cursor *counted_new(struct trace_program *program, uint32_t rank,
                                        struct base_error *error)
{
    streams++;
    return plain_class->cursor_new(program, rank, error);
}

static struct trace_program *count_streams(struct trace_program *program)
{
    static struct trace_program_class counted;

    plain_class = program->class;
    counted = *plain_class;
    counted.cursor_new = counted_new;
    program->class = &counted;
    streams = 0;
    return program;
}

/* ---- equality ---- */

/* Every field, whether or not it means anything for the kind. */
static void compare_ops(const struct trace_op *kept, const struct trace_op *plain)
{
#define SAME(field) assert_true(kept->field == plain->field)
    SAME(kind);
    SAME(flags);
    SAME(duration_ns);
    SAME(peer);
    SAME(tag);
    SAME(communicator);
    SAME(bytes);
    SAME(request);
    SAME(collective);
    SAME(root);
    SAME(instance);
    SAME(bytes_sent);
    SAME(bytes_received);
    SAME(event);
    SAME(time_ns);
    SAME(region);
#undef SAME
}

static void compare_programs(struct trace_program *kept, struct trace_program *plain)
{
    char text[DRAFTED_TEXT];

    if (!drafted_same(kept, plain, text))
        fail_msg("%s", text);
}

/* ---- recorded traces ---- */

static void keep_recorded(const char *path, uint64_t room)
{
    struct trace_program *plain = recorded_open(path), *again = count_streams(recorded_open(path));
    struct trace_program *kept = trace_keep(again, room, NULL);
    struct trace_kept_size size;

    assert_non_null(kept);
    assert_int_equal(streams, 0); /* not before somebody asks */
    compare_programs(kept, plain);
    compare_programs(kept, plain);
    assert_int_equal(streams, trace_program_ranks(plain));
    assert_int_equal(trace_program_share(kept, NULL), 1);
    assert_int_equal(trace_program_share(plain, NULL), 0);
    size = trace_kept_size(kept);
    assert_true(size.memory_bytes <= room);
    assert_int_equal(size.file_bytes > 0, size.memory_bytes + TRACE_PAGE > room);
    assert_true((size.memory_bytes + size.file_bytes) < 24 * size.operations + 4096);
    trace_close(kept);
    trace_close(plain);
}

static void test_recorded(void **state)
{
    (void)state;
    for (size_t i = 0; i < recorded_traces()->count; i++) {
        keep_recorded(recorded_traces()->paths[i], ALL_IN_MEMORY);
        keep_recorded(recorded_traces()->paths[i], 0);
    }
}

/* A formula needs no keeping. */
static void test_formula(void **state)
{
    struct trace_program *program = trace_open("generate:is,class=S,ranks=4", NULL, NULL);

    (void)state;
    assert_non_null(program);
    assert_ptr_equal(trace_keep(program, 0, NULL), program);
    assert_int_equal(trace_program_share(program, NULL), 1);
    trace_close(program);
}

/* ---- records ---- */

/* Small, large, of either end, or what it was. */
static uint64_t draw(struct base_random *random, uint64_t before)
{
    static const uint64_t ends[] = {0, 1, UINT32_MAX, UINT64_MAX, UINT64_MAX / 2, 127, 128};

    switch (base_random_below(random, 4)) {
    case 0:
        return before;
    case 1:
        return before + base_random_below(random, 300) - 150;
    case 2:
        return ends[base_random_below(random, sizeof ends / sizeof *ends)];
    default:
        return base_random_next(random);
    }
}

static void draw_op(struct base_random *random, struct trace_op *op)
{
    op->kind = (enum trace_op_kind)base_random_below(random, TRACE_END + 1);
    op->flags = (unsigned)base_random_below(random, 128);
    op->duration_ns = draw(random, op->duration_ns);
    op->peer = (uint32_t)draw(random, op->peer);
    op->tag = (uint32_t)draw(random, op->tag);
    op->communicator = (uint32_t)draw(random, op->communicator);
    op->bytes = draw(random, op->bytes);
    op->request = draw(random, op->request);
    op->request_count = (size_t)draw(random, op->request_count);
    op->collective = (enum trace_collective)base_random_below(random, TRACE_COLLECTIVES);
    op->root = (uint32_t)draw(random, op->root);
    op->instance = draw(random, op->instance);
    op->bytes_sent = draw(random, op->bytes_sent);
    op->bytes_received = draw(random, op->bytes_received);
    op->event = draw(random, op->event);
    op->time_ns = draw(random, op->time_ns);
    op->region = (uint32_t)draw(random, op->region);
}

/* Whatever an operation says comes back, in no more bytes than are promised. */
static void test_records(void **state)
{
    static struct trace_coder writer, reader;
    struct base_random random;
    struct trace_op op = {0};
    struct trace_op back;
    uint8_t room[4 * TRACE_RECORD_MOST];

    (void)state;
    base_random_seed(&random, 26, 0);
    for (unsigned i = 0; i < 200000; i++) {
        enum trace_vector_place vector = (enum trace_vector_place)base_random_below(&random, 3);
        draw_op(&random, &op);
        uint8_t *end = trace_record_write(&writer, &op, vector, room);
        assert_true(end - room <= TRACE_RECORD_MOST);
        assert_ptr_equal(trace_record_read(&reader, &back, room), end);
        compare_ops(&back, &op);
        assert_true(back.request_count == op.request_count);
        assert_int_equal(reader.vector[op.kind], vector);
    }
}

/* ---- programs in memory: vectors, large sets, failures ---- */

/* A wait for more requests than a page has room for, with gaps; sizes of its own, by pair and in total, and sizes
 * that the program has. */
static struct trace_program *make_program(void)
{
    enum { REQUESTS = 6000, SIZE = 2 };
    struct trace_memory *memory = trace_memory_new(SIZE);
    static uint64_t requests[REQUESTS / 2];
    const uint64_t sizes[SIZE] = {UINT64_MAX, 3};
    const struct trace_vector both = {sizes, sizes, SIZE, true}, totals = {sizes, sizes, SIZE, false};

    for (uint32_t rank = 0; rank < SIZE; rank++) {
        struct trace_op isend = {
            .kind = TRACE_SEND, .flags = TRACE_NONBLOCKING, .peer = 1 - rank, .bytes = 8};
        struct trace_op wait = {.kind = TRACE_WAIT, .requests = requests, .request_count = REQUESTS / 2};
        struct trace_op call = {.kind = TRACE_COLLECTIVE_CALL, .collective = TRACE_ALLTOALLV};
        for (uint64_t i = 0; i < REQUESTS; i++) {
            assert_int_equal(trace_memory_add(memory, rank, &isend), 0);
            requests[i / 2] = REQUESTS - 1 - i * i % 977;
        }
        assert_int_equal(trace_memory_add(memory, rank, &wait), 0);
        assert_int_equal(trace_memory_add(memory, rank, &call), 0);
        call.vector = &both;
        assert_int_equal(trace_memory_add(memory, rank, &call), 0);
        call.collective = TRACE_ALLGATHERV;
        call.vector = &totals;
        assert_int_equal(trace_memory_add(memory, rank, &call), 0);
    }
    assert_int_equal(trace_memory_vector(memory, 0, 0, sizes, sizes), 0);
    return trace_memory_program(memory);
}

static void test_memory(void **state)
{
    const uint64_t rooms[] = {0, 5000, ALL_IN_MEMORY};

    (void)state;
    for (size_t i = 0; i < sizeof rooms / sizeof *rooms; i++) {
        struct trace_program *plain = make_program();
        struct trace_program *kept = trace_keep(count_streams(make_program()), rooms[i], NULL);
        compare_programs(kept, plain);
        assert_int_equal(streams, 2);
        trace_close(kept);
        trace_close(plain);
    }
}

/* Nowhere to write: as if it were not kept. */
static void test_no_file(void **state)
{
    struct trace_program *plain = make_program();
    struct trace_program *kept;

    (void)state;
    assert_int_equal(setenv("TMPDIR", "/nowhere/at/all", 1), 0);
    kept = trace_keep(make_program(), 5000, NULL);
    compare_programs(kept, plain);
    assert_int_equal(trace_program_share(kept, NULL), 0);
    assert_int_equal(trace_kept_size(kept).memory_bytes, 0);
    assert_int_equal(unsetenv("TMPDIR"), 0);
    trace_close(kept);
    trace_close(plain);
}

/* A reader that fails in the middle fails every stream, each time. */
static int failing_next(struct trace_cursor *cursor, struct trace_op *op, struct base_error *error)
{
    int more = plain_class->cursor_next(cursor, op, error);

    return more > 0 && cursor->rank == 1 && op->event == 9 ? base_error_set(error, BASE_INPUT, "event 9")
                                                           : more;
}

static void test_failing(void **state)
{
    static struct trace_program_class failing;
    struct trace_program *program = make_program();
    struct trace_program *kept;
    struct base_error error = {0};

    (void)state;
    plain_class = program->class;
    failing = *plain_class;
    failing.cursor_next = failing_next;
    program->class = &failing;
    kept = trace_keep(program, ALL_IN_MEMORY, NULL);
    for (unsigned i = 0; i < 2; i++) {
        error.text[0] = '\0';
        assert_null(trace_cursor_new(kept, i, &error));
        assert_string_equal(error.text, "event 9");
    }
    assert_int_equal(trace_program_share(kept, &error), -1);
    trace_close(kept);
}

/* Without memory for pages they go to the file; every other failure is told. */
static void test_no_memory(void **state)
{
    unsigned long n = 1;
    int failed = 0;

    (void)state;
    for (bool was_armed = true; was_armed && n < 400; n++) {
        struct trace_program *program = make_program();
        struct trace_program *kept;
        struct trace_cursor *cursor;
        struct trace_op op;
        int more = -1;
        fail_alloc_arm(n);
        kept = trace_keep(program, ALL_IN_MEMORY, NULL);
        cursor = kept == NULL ? NULL : trace_cursor_new(kept, 0, NULL);
        if (cursor != NULL)
            while ((more = trace_cursor_next(cursor, &op, NULL)) > 0)
                continue;
        trace_cursor_free(cursor);
        trace_close(kept);
        was_armed = fail_alloc_disarm();
        failed += more < 0;
    }
    assert_in_range(n, 10, 399);
    assert_true(failed >= 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_recorded),  cmocka_unit_test(test_formula), cmocka_unit_test(test_records),
        cmocka_unit_test(test_memory),    cmocka_unit_test(test_no_file), cmocka_unit_test(test_failing),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
