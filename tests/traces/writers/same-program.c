#include <config.h>

#include "tests/traces/writers/same-program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

/* One side: a cursor that joins compute operations and leaves out empty waits. */
struct side {
    struct trace_program *program;
    struct trace_cursor *cursor;
    struct trace_op op, held; /* held: read beyond the compute operations */
    bool holds;
};

static int next_raw(struct side *side, struct trace_op *op)
{
    struct base_error error = {0};
    int more;

    do
        more = trace_cursor_next(side->cursor, op, &error);
    while (more > 0 && op->kind == TRACE_WAIT && op->request_count == 0);
    if (more < 0)
        fail_msg("%s", error.text);
    return more;
}

static int next(struct side *side, bool times)
{
    uint64_t compute_ns = 0;

    if (side->holds) {
        side->op = side->held;
        side->holds = false;
        return 1;
    }
    for (;;) {
        if (next_raw(side, &side->op) == 0)
            return 0;
        if (side->op.kind != TRACE_COMPUTE)
            break;
        compute_ns += side->op.duration_ns;
    }
    if (compute_ns == 0 || !times)
        return 1;
    side->held = side->op;
    side->holds = true;
    side->op = (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = compute_ns};
    return 1;
}

static void same_communicator(const struct side *a, const struct side *b, uint32_t rank, uint64_t number,
                              unsigned exceptions)
{
    const struct trace_communicator *left = trace_program_communicator(a->program, a->op.communicator);
    const struct trace_communicator *right = trace_program_communicator(b->program, b->op.communicator);

    if (exceptions & SAME_NO_COMMUNICATORS)
        return;
    if (left->size != right->size || left->remote_size != right->remote_size ||
        memcmp(left->members, right->members, left->size * sizeof *left->members) != 0 ||
        (left->remote_size > 0 && memcmp(left->remote_members, right->remote_members,
                                         left->remote_size * sizeof *left->remote_members) != 0))
        fail_msg("rank %u, operation %" PRIu64 ": communicator \"%s\" against \"%s\"", rank, number,
                 left->name, right->name);
}

#define SAME(field)                                                                                          \
    do {                                                                                                     \
        if (a->op.field != b->op.field)                                                                      \
            fail_msg("rank %u, operation %" PRIu64 " (kind %d, event %" PRIu64 "): " #field " is %" PRIu64   \
                     ", then %" PRIu64,                                                                      \
                     rank, number, (int)a->op.kind, a->op.event, (uint64_t)a->op.field,                      \
                     (uint64_t)b->op.field);                                                                 \
    } while (0)

static const struct trace_vector *vector_of(const struct side *side)
{
    return side->op.vector != NULL
               ? side->op.vector
               : trace_program_vector(side->program, side->op.communicator, side->op.instance);
}

static uint64_t total_of(const struct trace_vector *vector, const uint64_t *blocks, uint32_t member)
{
    uint64_t total = 0;

    if (!vector->pairwise)
        return blocks[member];
    for (uint32_t i = 0; i < vector->size; i++)
        total += blocks[i];
    return total;
}

/* Pairs on one side and totals on the other: only what this rank sends and receives in all. */
static void same_totals(const struct side *a, uint32_t rank, uint64_t number, const struct trace_vector *left,
                        const struct trace_vector *right)
{
    const struct trace_communicator *group = trace_program_communicator(a->program, a->op.communicator);
    uint32_t member = 0;

    while (group->members[member] != rank)
        member++;
    if (total_of(left, left->sent, member) != total_of(right, right->sent, member))
        fail_msg("rank %u, operation %" PRIu64 ": %" PRIu64 " bytes are sent, then %" PRIu64, rank, number,
                 total_of(left, left->sent, member), total_of(right, right->sent, member));
}

static void same_vectors(const struct side *a, const struct side *b, uint32_t rank, uint64_t number)
{
    const struct trace_vector *left = vector_of(a), *right = vector_of(b);

    if (left == NULL && right == NULL) {
        SAME(bytes);
        return;
    }
    if (left == NULL || right == NULL)
        fail_msg("rank %u, operation %" PRIu64 ": sizes on one side only", rank, number);
    assert_int_equal(left->size, right->size);
    if (left->pairwise != right->pairwise) {
        same_totals(a, rank, number, left, right);
        return;
    }
    for (uint32_t i = 0; i < left->size; i++)
        if (left->sent[i] != right->sent[i] || left->received[i] != right->received[i])
            fail_msg("rank %u, operation %" PRIu64 ": entry %u is %" PRIu64 ", %" PRIu64 ", then %" PRIu64
                     ", %" PRIu64,
                     rank, number, i, left->sent[i], left->received[i], right->sent[i], right->received[i]);
}

static bool has_vectors(enum trace_collective collective)
{
    return collective == TRACE_GATHERV || collective == TRACE_SCATTERV || collective == TRACE_ALLGATHERV ||
           collective == TRACE_ALLTOALLV || collective == TRACE_ALLTOALLW ||
           collective == TRACE_REDUCE_SCATTER;
}

/* Whether a member is in the group of the rank; always if there is one group. */
static bool is_own_side(const struct side *a, uint32_t rank, uint32_t member)
{
    const struct trace_communicator *group = trace_program_communicator(a->program, a->op.communicator);
    bool first = false;

    for (uint32_t i = 0; i < group->size; i++)
        first |= group->members[i] == rank;
    return group->remote_size == 0 || first == (member < group->size);
}

/* The root of a gather or scatter gets its sizes from the other group. */
static bool knows_no_size(const struct side *a, uint32_t rank)
{
    const struct trace_communicator *group = trace_program_communicator(a->program, a->op.communicator);
    uint32_t root = a->op.root;
    bool parts = a->op.collective == TRACE_GATHER || a->op.collective == TRACE_SCATTER;

    if (group->remote_size == 0 || root == UINT32_MAX || !is_own_side(a, rank, root))
        return false;
    return !parts ||
           rank != (root < group->size ? group->members[root] : group->remote_members[root - group->size]);
}

static void same_collective(const struct side *a, const struct side *b, uint32_t rank, uint64_t number,
                            unsigned exceptions)
{
    if (exceptions & SAME_BLOCK_DIFFERS && a->op.collective == TRACE_REDUCE_SCATTER_BLOCK) {
        assert_int_equal(b->op.collective, TRACE_REDUCE_SCATTER);
        assert_non_null(b->op.vector);
        for (uint32_t i = 0; i < b->op.vector->size; i++)
            if (is_own_side(a, rank, i))
                assert_int_equal(b->op.vector->received[i], a->op.bytes);
        return;
    }
    SAME(collective);
    SAME(root);
    if (!(exceptions & SAME_CREATION))
        SAME(instance);
    if (!has_vectors(a->op.collective) &&
        !((exceptions & SAME_INTER) != 0 && (a->op.bytes == 0 || b->op.bytes == 0) && knows_no_size(a, rank)))
        SAME(bytes);
    if (has_vectors(a->op.collective) && !(exceptions & SAME_VECTORS_DIFFER))
        same_vectors(a, b, rank, number);
    same_communicator(a, b, rank, number, exceptions);
}

static void same_op(const struct side *a, const struct side *b, uint32_t rank, uint64_t number,
                    unsigned exceptions)
{
    unsigned modes = TRACE_NONBLOCKING | TRACE_SYNCHRONOUS | TRACE_BUFFERED |
                     (exceptions & SAME_IMPLIED_DIFFER ? 0 : TRACE_IMPLIED);

    SAME(kind);
    if ((a->op.flags & modes) != (b->op.flags & modes))
        SAME(flags);
    if ((a->op.flags & TRACE_NONBLOCKING) != 0 && !(exceptions & SAME_INTER))
        SAME(request);
    switch (a->op.kind) {
    case TRACE_COMPUTE:
        SAME(duration_ns);
        break;
    case TRACE_WAIT:
        SAME(request_count);
        for (size_t i = 0; i < a->op.request_count && !(exceptions & SAME_INTER); i++)
            SAME(requests[i]);
        break;
    case TRACE_COLLECTIVE_CALL:
        same_collective(a, b, rank, number, exceptions);
        break;
    case TRACE_END:
        break;
    default:
        SAME(peer);
        SAME(tag);
        SAME(bytes);
        same_communicator(a, b, rank, number, exceptions);
    }
}

static void same_rank(struct side *a, struct side *b, uint32_t rank, unsigned exceptions)
{
    struct base_error error = {0};
    bool times = !(exceptions & SAME_TIMES_DIFFER);

    a->cursor = trace_cursor_new(a->program, rank, &error);
    b->cursor = trace_cursor_new(b->program, rank, &error);
    assert_true(a->cursor != NULL && b->cursor != NULL);
    for (uint64_t number = 0;; number++) {
        int more_a = next(a, times), more_b = next(b, times);
        if (more_a > 0 && more_b > 0 && exceptions & SAME_LAST_WAIT && a->op.kind == TRACE_END &&
            b->op.kind == TRACE_WAIT)
            more_b = next(b, times);
        while (more_a > 0 && more_b > 0 && exceptions & SAME_CREATION && !(a->op.flags & TRACE_IMPLIED) &&
               b->op.flags & TRACE_IMPLIED)
            more_b = next(b, times);
        assert_int_equal(more_a, more_b);
        if (more_a == 0)
            break;
        same_op(a, b, rank, number, exceptions);
    }
    trace_cursor_free(a->cursor);
    trace_cursor_free(b->cursor);
    a->holds = b->holds = false;
}

void same_programs(struct trace_program *a, struct trace_program *b, unsigned exceptions)
{
    struct side left = {.program = a}, right = {.program = b};

    assert_int_equal(trace_program_ranks(a), trace_program_ranks(b));
    for (uint32_t rank = 0; rank < trace_program_ranks(a); rank++)
        same_rank(&left, &right, rank, exceptions);
}
