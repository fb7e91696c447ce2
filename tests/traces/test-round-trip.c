/* Random programs with every collective, written to a format and read, then to another, and again: no bytes
 * come or go. Compared are each rank's operations in their order: which collective, its root, and the bytes
 * of it that are the rank's own and everybody's. Only how totals of alltoallv and alltoallw divide over pairs
 * may differ. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/traces/archive.h"
#include "traces/memory.h"
#include "traces/writer.h"

#define RANKS_MAX 9
#define STEPS_MAX 40

/* ---- what is compared ---- */

struct call {
    enum trace_collective collective;
    uint32_t root, members;
    uint64_t own[2]; /* sent and received, or one block, of this rank */
    uint64_t all;    /* blocks of all ranks; 0: this rank does not know */
};

struct calls {
    struct call call[RANKS_MAX][STEPS_MAX];
    uint32_t count[RANKS_MAX];
};

static uint64_t sum_of(const uint64_t *values, uint32_t count)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

static uint32_t rank_in(const struct trace_communicator *group, uint32_t world)
{
    for (uint32_t i = 0; i < group->size; i++)
        if (group->members[i] == world)
            return i;
    fail_msg("rank %" PRIu32 " is no member", world);
    return 0;
}

/* Reduce_scatter_block may have become reduce_scatter with equal blocks. */
static struct call call_of(struct trace_program *program, uint32_t rank, const struct trace_op *op)
{
    const struct trace_communicator *group = trace_program_communicator(program, op->communicator);
    const struct trace_vector *vector =
        op->vector != NULL ? op->vector : trace_program_vector(program, op->communicator, op->instance);
    struct call call = {.collective = op->collective,
                        .root = op->root,
                        .members = group->size,
                        .own = {op->bytes, op->bytes}};
    uint32_t own = rank_in(group, rank);

    if (call.collective == TRACE_REDUCE_SCATTER_BLOCK)
        call.collective = TRACE_REDUCE_SCATTER;
    if (call.collective == TRACE_REDUCE_SCATTER)
        call.all = op->bytes * group->size;
    if (vector == NULL)
        return call;
    switch (call.collective) {
    case TRACE_ALLTOALLV:
    case TRACE_ALLTOALLW:
        call.own[0] = vector->pairwise ? sum_of(vector->sent, vector->size) : vector->sent[own];
        call.own[1] = vector->pairwise ? sum_of(vector->received, vector->size) : vector->received[own];
        break;
    case TRACE_GATHERV:
    case TRACE_ALLGATHERV:
        call.own[0] = call.own[1] = vector->sent[own];
        call.all = sum_of(vector->sent, vector->size);
        break;
    default:
        call.own[0] = call.own[1] = vector->received[own];
        call.all = sum_of(vector->received, vector->size);
    }
    return call;
}

static void read_calls(struct trace_program *program, struct calls *calls)
{
    struct base_error error = {0};

    memset(calls, 0, sizeof *calls);
    for (uint32_t rank = 0; rank < trace_program_ranks(program); rank++) {
        struct trace_cursor *cursor = trace_cursor_new(program, rank, &error);
        struct trace_op op;
        assert_non_null(cursor);
        while (trace_cursor_next(cursor, &op, &error) == 1) {
            if (op.kind != TRACE_COLLECTIVE_CALL || (op.flags & TRACE_IMPLIED) != 0)
                continue;
            assert_true(calls->count[rank] < STEPS_MAX);
            calls->call[rank][calls->count[rank]++] = call_of(program, rank, &op);
        }
        trace_cursor_free(cursor);
    }
}

/* Totals that were divided over pairs are kept by who sends; by who receives they are less than a byte off
 * for each sender (trace_vector_share) in each trip. */
static bool is_near(const struct call *a, const struct call *b, unsigned trips)
{
    uint64_t off = a->own[1] > b->own[1] ? a->own[1] - b->own[1] : b->own[1] - a->own[1];
    bool divided = a->collective == TRACE_ALLTOALLV || a->collective == TRACE_ALLTOALLW;

    return off <= (divided ? a->members * trips : 0);
}

static void compare(const struct calls *before, const struct calls *after, uint32_t ranks, unsigned trips,
                    const char *what)
{
    for (uint32_t rank = 0; rank < ranks; rank++) {
        assert_int_equal(before->count[rank], after->count[rank]);
        for (uint32_t i = 0; i < before->count[rank]; i++) {
            const struct call *a = &before->call[rank][i], *b = &after->call[rank][i];
            bool same = a->collective == b->collective && a->root == b->root && a->members == b->members &&
                        a->own[0] == b->own[0] && is_near(a, b, trips);
            if (!same || (a->all != 0 && b->all != 0 && a->all != b->all))
                fail_msg("%s, rank %" PRIu32 ", collective %" PRIu32 ": %s root %" PRIu32 " of %" PRIu64
                         "/%" PRIu64 " (%" PRIu64 ") became %s root %" PRIu32 " of %" PRIu64 "/%" PRIu64
                         " (%" PRIu64 ")",
                         what, rank, i, trace_collective_name(a->collective), a->root, a->own[0], a->own[1],
                         a->all, trace_collective_name(b->collective), b->root, b->own[0], b->own[1], b->all);
        }
    }
}

/* ---- programs ---- */

static uint64_t draw(uint64_t seed, uint64_t what, uint32_t least, uint32_t most)
{
    return least + base_scale(base_hash(seed, what), most - least + 1);
}

static bool has_root(enum trace_collective collective)
{
    return collective == TRACE_BCAST || collective == TRACE_GATHER || collective == TRACE_GATHERV ||
           collective == TRACE_SCATTER || collective == TRACE_SCATTERV || collective == TRACE_REDUCE;
}

/* The block of a member, or what one member sends another; often alike, sometimes nothing. */
static uint64_t block(uint64_t key, uint64_t from, uint64_t to)
{
    uint32_t most = draw(key, 1, 0, 3) == 0 ? 0 : 40;
    return 8 * (draw(key, 2, 1, 3) + (most == 0 ? 0 : draw(key, 100 + from * 64 + to, 0, most)));
}

/* One collective of one member as its call says it. */
static void add_call(struct trace_memory *memory, uint64_t key, const uint32_t *members, uint32_t size,
                     uint32_t own, uint32_t communicator)
{
    enum trace_collective collective = (enum trace_collective)draw(key, 3, 0, TRACE_COLLECTIVES - 1);
    uint64_t sent[RANKS_MAX], received[RANKS_MAX];
    struct trace_vector vector = {sent, received, size, false};
    struct trace_op op = {.kind = TRACE_COLLECTIVE_CALL,
                          .collective = collective,
                          .communicator = communicator,
                          .root = has_root(collective) ? (uint32_t)draw(key, 5, 0, size - 1) : UINT32_MAX,
                          .bytes = collective == TRACE_BARRIER ? 0 : block(key, 0, 0)};
    bool blocks = collective == TRACE_GATHERV || collective == TRACE_SCATTERV ||
                  collective == TRACE_ALLGATHERV || collective == TRACE_REDUCE_SCATTER;

    for (uint32_t i = 0; i < size; i++) {
        sent[i] = received[i] = block(key, i, 0);
        if (collective == TRACE_ALLTOALLV || collective == TRACE_ALLTOALLW)
            sent[i] = block(key, own, i), received[i] = block(key, i, own);
    }
    uint64_t total = sum_of(sent, size);
    for (uint32_t i = 0; i < size && collective == TRACE_ALLGATHERV; i++)
        received[i] = total;
    for (uint32_t i = 0; i < size && collective == TRACE_REDUCE_SCATTER; i++)
        sent[i] = total;
    vector.pairwise = !blocks;
    if (blocks || collective == TRACE_ALLTOALLV || collective == TRACE_ALLTOALLW) {
        op.bytes = blocks ? block(key, own, 0) : 0;
        bool knows = !has_root(collective) || op.root == own;
        if (knows) {
            op.vector = &vector;
            op.bytes = 0;
        }
    }
    assert_int_equal(trace_memory_add(memory, members[own], &op), 0);
}

static struct trace_program *random_program(uint64_t seed)
{
    uint32_t ranks = (uint32_t)draw(seed, 10, 2, RANKS_MAX),
             steps = (uint32_t)draw(seed, 11, 4, STEPS_MAX - 1);
    uint32_t members[2][RANKS_MAX], sizes[2] = {ranks, 0};
    struct trace_memory *memory = trace_memory_new(ranks);

    assert_non_null(memory);
    for (uint32_t rank = 0; rank < ranks; rank++)
        members[0][rank] = rank;
    for (uint32_t rank = ranks; rank-- > 0;)
        if (rank % 2 == seed % 2 || ranks < 4)
            members[1][sizes[1]++] = rank;
    assert_int_equal(trace_memory_communicator(memory, "some", members[1], sizes[1]), 1);
    for (uint32_t step = 0; step < steps; step++) {
        uint64_t key = base_hash(seed, 1000 + step);
        uint32_t communicator = draw(key, 12, 0, 3) == 0;
        for (uint32_t own = 0; own < sizes[communicator]; own++)
            add_call(memory, key, members[communicator], sizes[communicator], own, communicator);
    }
    return trace_memory_program(memory);
}

/* ---- round trips ---- */

static struct trace_program *rewrite(struct trace_program *program, const char *format, const char *directory,
                                     unsigned number)
{
    struct base_error error = {0};
    const struct trace_writer_format *writer = trace_writer_find(format, "", &error);
    struct trace_program *again;
    char path[1024];

    snprintf(path, sizeof path, "%s/trip-%u%s", directory, number, writer->suffix);
    if (trace_write(program, writer, path, NULL, NULL, NULL, &error) != 0)
        fail_msg("%s: %s", format, error.text);
    again = trace_open(path, NULL, &error);
    if (again == NULL)
        fail_msg("%s: %s", format, error.text);
    return again;
}

static void nothing_comes_or_goes(void **state)
{
    static const char *const trips[][5] = {{"otf2", "otf2", "dumpi", "otf2", "dumpi"},
                                           {"dumpi", "dumpi", "otf2", "dumpi", "otf2"}};
    uint64_t cases = brief_count("cases", 120, 20);

    (void)state;
    for (uint64_t seed = 0; seed < cases; seed++) {
        static struct calls before, after;
        struct trace_program *program = random_program(seed);
        char *directory = archive_directory();
        read_calls(program, &before);
        for (unsigned trip = 0; trip < 5; trip++) {
            struct trace_program *again = rewrite(program, trips[seed % 2][trip], directory, trip);
            char what[64];
            snprintf(what, sizeof what, "seed %" PRIu64 ", trip %u to %s", seed, trip, trips[seed % 2][trip]);
            assert_int_equal(trace_program_ranks(again), trace_program_ranks(program));
            read_calls(again, &after);
            compare(&before, &after, trace_program_ranks(again), trip + 1, what);
            trace_close(program);
            program = again;
        }
        trace_close(program);
        archive_remove(directory);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_comes_or_goes)};
    return cmocka_run_group_tests_name("round trips", tests, NULL, NULL);
}
