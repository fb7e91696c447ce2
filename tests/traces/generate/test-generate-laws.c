/* Laws of generated programs, which need no recording:
 *
 *   - every kernel of classes S and W, on every legal number of ranks up to 64, and every pattern: the
 * program runs to its end though every send waits for its receive; channels are balanced, size by size;
 * requests are numbered from 0 and waited for exactly once; members of a communicator make the same
 * collectives, and what a rank sends to another in an all-to-all is what that receives; the summary is that
 * of the operations
 *   - larger classes: totals in closed form
 *   - what cannot be is refused; no failing allocation is hidden or leaks
 *   - IS: the expected numbers of keys are as near to the counted ones as the manual says */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "tests/brief.h"
#include "tests/fail-alloc.h"
#include "tests/suite.h"
#include "traces/generate/generate.h"
#include "base/grow.h"

#define RANKS_MAX 64
#define EVENTS_MAX 300000 /* larger programs are left to those on fewer ranks */

/* NULL with the error. */
static struct trace_program *try_generate(const char *name, const char *class, uint32_t ranks,
                                          const char *parameters, struct base_error *error)
{
    const struct trace_generator *generator = trace_generator_find(name, error);
    const struct trace_generator_options options = {.ranks = ranks,
                                                    .problem_class = class,
                                                    .parameters = parameters,
                                                    .flops_per_second = 1000000000,
                                                    .seed = 1};

    return generator == NULL ? NULL : generator->generate(&options, error);
}

/* Fails the test with the error. */
static struct trace_program *generate(const char *name, const char *class, uint32_t ranks,
                                      const char *parameters)
{
    struct base_error error = {0};
    struct trace_program *program = try_generate(name, class, ranks, parameters, &error);

    if (program == NULL)
        fail_msg("%s %s %u: %s", name, class == NULL ? "" : class, ranks, error.text);
    return program;
}

/* ---- a slow and obvious execution, in which every message is a rendezvous */

struct channel { /* one communicator, tag, source and target */
    uint64_t sends, receives;
    uint64_t order; /* a hash of sizes by position: sends added, receives taken away */
};

struct request {
    uint32_t channel;
    uint64_t position;
    bool is_send, waited;
};

struct rank {
    struct trace_cursor *cursor;
    struct trace_op op;
    bool busy, arrived, ended;
    struct request current; /* the blocking message in progress */
    struct request *requests;
    size_t request_count, request_capacity;
};

struct execution {
    struct trace_program *program;
    struct base_table index;
    struct channel *channels;
    size_t channel_count, channel_capacity;
    struct rank ranks[RANKS_MAX];
    uint64_t *arrivals;          /* [communicator] ranks that have called the collective in progress */
    struct trace_op *collective; /* [communicator] as the first of them called it */
    uint64_t *exchanged; /* [sender * ranks + receiver] of the vectors in progress, sent less received */
    uint64_t events, sends, receives, bytes_sent, bytes_received, compute_ns, waited, started;
    struct trace_collective_count collectives[TRACE_COLLECTIVES];
};

/* Found, or made: messages on one channel do not overtake each other. */
static uint32_t channel_of(struct execution *execution, uint32_t source, uint32_t target,
                           const struct trace_op *op)
{
    uint64_t a = (uint64_t)op->communicator << 32 | op->tag, b = (uint64_t)source << 32 | target;
    uint32_t found = base_table_get(&execution->index, a, b);

    if (found != BASE_TABLE_NONE)
        return found;
    assert_int_equal(base_grow(&execution->channels, &execution->channel_capacity,
                               execution->channel_count + 1, sizeof *execution->channels),
                     0);
    execution->channels[execution->channel_count] = (struct channel){0};
    assert_int_equal(base_table_put(&execution->index, a, b, (uint32_t)execution->channel_count), 0);
    return (uint32_t)execution->channel_count++;
}

/* A message takes the next position of its channel; its size enters the hash with that position. */
static void post(struct execution *execution, uint32_t number)
{
    struct rank *rank = &execution->ranks[number];
    const struct trace_op *op = &rank->op;
    bool is_send = op->kind == TRACE_SEND;
    uint32_t place =
        is_send ? channel_of(execution, number, op->peer, op) : channel_of(execution, op->peer, number, op);
    struct channel *channel = &execution->channels[place];

    assert_true(op->peer < trace_program_ranks(execution->program));
    rank->current = (struct request){place, is_send ? channel->sends++ : channel->receives++, is_send, false};
    channel->order +=
        (is_send ? 1 : UINT64_MAX) * (op->bytes + 1) * (rank->current.position * 2654435761u + 1);
    *(is_send ? &execution->sends : &execution->receives) += 1;
    *(is_send ? &execution->bytes_sent : &execution->bytes_received) += op->bytes;
    if (!(op->flags & TRACE_NONBLOCKING))
        return;
    assert_int_equal(op->request, rank->request_count);
    assert_int_equal(
        base_grow(&rank->requests, &rank->request_capacity, rank->request_count + 1, sizeof *rank->requests),
        0);
    rank->requests[rank->request_count++] = rank->current;
    execution->started++;
    rank->busy = false;
}

/* A send is over when the receive of its position is posted, and the other way round. */
static bool is_matched(const struct execution *execution, const struct request *request)
{
    const struct channel *channel = &execution->channels[request->channel];
    return request->is_send ? channel->receives > request->position : channel->sends > request->position;
}

/* Each request of the set is one that was started and not yet waited for. */
static void begin_wait(struct execution *execution, struct rank *rank)
{
    assert_true(rank->op.request_count > 0);
    for (size_t i = 0; i < rank->op.request_count; i++) {
        assert_true(rank->op.requests[i] < rank->request_count);
        assert_false(rank->requests[rank->op.requests[i]].waited);
        rank->requests[rank->op.requests[i]].waited = true;
        execution->waited++;
    }
}

/* The parts of a vector that go to each and come from each, until both sides have told theirs. */
static void add_vector(struct execution *execution, uint32_t number, const struct trace_vector *vector)
{
    size_t ranks = trace_program_ranks(execution->program);

    assert_int_equal(vector->size, ranks);
    assert_true(vector->pairwise);
    for (uint32_t i = 0; i < vector->size; i++) {
        execution->exchanged[number * ranks + i] += vector->sent[i];
        execution->exchanged[i * ranks + number] -= vector->received[i];
    }
}

/* All members must say the same as the first that came. */
static void begin_collective(struct execution *execution, uint32_t number)
{
    const struct trace_op *op = &execution->ranks[number].op;
    struct trace_op *first = &execution->collective[op->communicator];

    if (execution->arrivals[op->communicator]++ == 0)
        *first = *op;
    assert_int_equal(op->collective, first->collective);
    assert_int_equal(op->instance, first->instance);
    assert_int_equal(op->root, first->root);
    assert_int_equal(op->bytes, first->bytes);
    assert_int_equal(op->flags, first->flags);
    assert_int_equal(op->vector != NULL, op->collective == TRACE_ALLTOALLV);
    if (op->vector != NULL)
        add_vector(execution, number, op->vector);
    if (!(op->flags & TRACE_IMPLIED)) {
        execution->collectives[op->collective].calls++;
        execution->collectives[op->collective].bytes += op->vector != NULL ? op->bytes_sent : op->bytes;
    }
}

/* Takes the rank's next operation. Work takes no time here. */
static void begin(struct execution *execution, uint32_t number)
{
    struct rank *rank = &execution->ranks[number];
    struct base_error error = {0};

    assert_int_equal(trace_cursor_next(rank->cursor, &rank->op, &error), 1);
    execution->events++;
    rank->busy = true;
    if (rank->op.kind == TRACE_SEND || rank->op.kind == TRACE_RECEIVE) {
        post(execution, number);
    } else if (rank->op.kind == TRACE_WAIT) {
        begin_wait(execution, rank);
    } else if (rank->op.kind == TRACE_COLLECTIVE_CALL) {
        begin_collective(execution, number);
    } else if (rank->op.kind == TRACE_COMPUTE) {
        assert_true(rank->op.duration_ns > 0);
        execution->compute_ns += rank->op.duration_ns;
        rank->busy = false;
    } else {
        assert_int_equal(rank->op.kind, TRACE_END);
        assert_int_equal(trace_cursor_next(rank->cursor, &rank->op, &error), 0);
        rank->ended = true;
    }
}

/* A collective is over for everybody when the last has called it. */
static bool collective_is_over(struct execution *execution, const struct rank *rank)
{
    uint32_t communicator = rank->op.communicator;
    uint32_t size = trace_program_communicator(execution->program, communicator)->size;

    if (execution->arrivals[communicator] < size)
        return false;
    for (uint32_t i = 0; i < trace_program_ranks(execution->program); i++)
        if (execution->ranks[i].busy && execution->ranks[i].op.kind == TRACE_COLLECTIVE_CALL &&
            execution->ranks[i].op.communicator == communicator)
            execution->ranks[i].busy = false;
    execution->arrivals[communicator] = 0;
    return true;
}

/* Whether what the rank is doing may end. */
static bool is_over(struct execution *execution, const struct rank *rank)
{
    if (rank->op.kind == TRACE_COLLECTIVE_CALL)
        return collective_is_over(execution, rank);
    if (rank->op.kind != TRACE_WAIT)
        return is_matched(execution, &rank->current);
    for (size_t i = 0; i < rank->op.request_count; i++)
        if (!is_matched(execution, &rank->requests[rank->op.requests[i]]))
            return false;
    return true;
}

/* Every rank goes as far as it can, until none can. */
static void execute(struct execution *execution)
{
    uint32_t ranks = trace_program_ranks(execution->program), ended = 0;
    bool moved = true;

    while (moved) {
        moved = false;
        for (uint32_t i = 0; i < ranks; i++) {
            struct rank *rank = &execution->ranks[i];
            while (!rank->ended && (!rank->busy || is_over(execution, rank))) {
                rank->busy = false;
                begin(execution, i);
                ended += rank->ended;
                moved = true;
            }
        }
    }
    if (ended != ranks)
        fail_msg("%s stops: %u of %u ranks come to their end", trace_program_path(execution->program), ended,
                 ranks);
}

/* What the constructor counted is what the cursors delivered. */
static void check_summary(const struct execution *execution)
{
    const struct trace_summary *summary = trace_program_summary(execution->program);
    uint64_t messages = 0, bytes = 0;

    assert_int_equal(summary->events, execution->events);
    assert_int_equal(summary->sends, execution->sends);
    assert_int_equal(summary->receives, execution->receives);
    assert_int_equal(summary->bytes_sent, execution->bytes_sent);
    assert_int_equal(summary->bytes_received, execution->bytes_received);
    assert_int_equal(summary->compute_ns, execution->compute_ns);
    assert_memory_equal(summary->collectives, execution->collectives, sizeof execution->collectives);
    for (size_t i = 0; i < summary->pair_count; i++) {
        messages += summary->pairs[i].messages;
        bytes += summary->pairs[i].bytes;
    }
    assert_int_equal(messages, execution->sends);
    assert_int_equal(bytes, execution->bytes_sent);
    assert_int_equal(execution->started, execution->waited);
}

/* Nothing is left over: no message without its other side, no byte of a vector. */
static void check_balance(const struct execution *execution)
{
    size_t ranks = trace_program_ranks(execution->program);

    for (size_t i = 0; i < execution->channel_count; i++) {
        assert_int_equal(execution->channels[i].sends, execution->channels[i].receives);
        assert_int_equal(execution->channels[i].order, 0);
    }
    for (size_t i = 0; i < ranks * ranks; i++)
        assert_int_equal(execution->exchanged[i], 0);
}

/* Executes it, and compares. */
static void check_program(struct trace_program *program)
{
    static struct execution execution;
    struct base_error error = {0};
    uint32_t ranks = trace_program_ranks(program), communicators = trace_program_communicators(program);

    assert_true(ranks <= RANKS_MAX);
    execution = (struct execution){.program = program};
    execution.arrivals = calloc(communicators, sizeof *execution.arrivals);
    execution.collective = calloc(communicators, sizeof *execution.collective);
    execution.exchanged = calloc((size_t)ranks * ranks, sizeof *execution.exchanged);
    assert_true(execution.arrivals != NULL && execution.collective != NULL && execution.exchanged != NULL);
    for (uint32_t i = 0; i < ranks; i++)
        assert_non_null(execution.ranks[i].cursor = trace_cursor_new(program, i, &error));
    execute(&execution);
    check_summary(&execution);
    check_balance(&execution);
    for (uint32_t i = 0; i < ranks; i++) {
        trace_cursor_free(execution.ranks[i].cursor);
        free(execution.ranks[i].requests);
    }
    base_table_free(&execution.index);
    free(execution.channels);
    free(execution.arrivals);
    free(execution.collective);
    free(execution.exchanged);
}

/* ---- every legal number of ranks */

/* How many numbers of ranks were legal; every refusal is one of usage, with a sentence. */
static unsigned check_all_ranks(const char *name, const char *class, const char *parameters)
{
    unsigned legal = 0, part = brief_step("legal numbers of ranks", 4);

    for (uint32_t ranks = 1; ranks <= RANKS_MAX; ranks++) {
        struct base_error error = {0};
        struct trace_program *program = try_generate(name, class, ranks, parameters, &error);
        if (program == NULL) {
            assert_int_equal(error.status, BASE_USAGE);
            assert_non_null(strstr(error.text, "cannot run on"));
            continue;
        }
        legal++;
        if (trace_program_summary(program)->events <= EVENTS_MAX && (legal - 1) % part == 0)
            check_program(program);
        trace_close(program);
    }
    return legal;
}

/* The numbers are how many of 1 … 64 are legal. */
static void test_benchmarks(void **state)
{
    (void)state;
    assert_int_equal(check_all_ranks("is", "S", NULL), 7);
    assert_int_equal(check_all_ranks("is", "W", "keys=expected"), 7);
    assert_int_equal(check_all_ranks("is", "F", NULL), 7);
    assert_int_equal(check_all_ranks("ep", "S", NULL), 64);
    assert_int_equal(check_all_ranks("cg", "S", NULL), 7);
    assert_int_equal(check_all_ranks("cg", "W", NULL), 7);
    assert_int_equal(check_all_ranks("mg", "S", NULL), 64);
    assert_int_equal(check_all_ranks("mg", "W", NULL), 64);
    assert_int_equal(check_all_ranks("ft", "S", NULL), 7);
    assert_int_equal(check_all_ranks("ft", "W", NULL), 7);
    assert_int_equal(check_all_ranks("ft", "W", "layout=1d"), 6); /* up to its 32 planes */
    assert_int_equal(check_all_ranks("ft", "S", "layout=2d"), 6); /* from 2 on */
    assert_int_equal(check_all_ranks("ft", "S", "layout=4x8"), 1);
    assert_int_equal(check_all_ranks("ft", "S", "layout=8x1"), 1);
    /* 1, 2, 4, 6, 8, 9, 12, 16: at least 3 of 12 points a side */
    assert_int_equal(check_all_ranks("lu", "S", NULL), 8);
    assert_true(check_all_ranks("lu", "W", NULL) > 15);
    assert_int_equal(check_all_ranks("bt", "S", NULL), 24); /* below 5 × 5 */
    assert_int_equal(check_all_ranks("bt", "W", NULL), 64);
    assert_int_equal(check_all_ranks("sp", "S", NULL), 24);
    assert_int_equal(check_all_ranks("sp", "W", NULL), 64);
    assert_int_equal(check_all_ranks("dt", "S", "graph=BH"), 60);
    assert_int_equal(check_all_ranks("dt", "W", "graph=WH"), 54);
    assert_int_equal(check_all_ranks("dt", "W", "graph=SH"), 33);
}

/* Variants of each; a transpose needs a square, most need somebody else. */
static void test_patterns(void **state)
{
    (void)state;
    assert_int_equal(check_all_ranks("stencil-2d", NULL, "points=5"), 64);
    assert_int_equal(check_all_ranks("stencil-2d", NULL, "points=9,periodic=yes,iterations=3"), 64);
    assert_int_equal(check_all_ranks("stencil-3d", NULL, "points=7,periodic=yes"), 64);
    assert_int_equal(check_all_ranks("stencil-3d", NULL, "points=27,iterations=2"), 64);
    assert_int_equal(check_all_ranks("king", NULL, "bytes=1k"), 64);
    assert_int_equal(check_all_ranks("wavefront", NULL, "planes=5"), 64);
    assert_int_equal(check_all_ranks("sweep", NULL, "planes=3,iterations=2"), 64);
    assert_int_equal(check_all_ranks("ring", NULL, "distance=7"), 63);
    assert_int_equal(check_all_ranks("transpose", NULL, NULL), 8);
    assert_int_equal(check_all_ranks("all-to-all", NULL, NULL), 63);
    assert_int_equal(check_all_ranks("all-to-all", NULL, "method=messages,iterations=2"), 63);
    assert_int_equal(check_all_ranks("random-sparse", NULL, "degree=5,flops=0"), 63);
    assert_int_equal(check_all_ranks("king", NULL, "size=4x6"), 1);
}

/* Ranks beyond the planes of FT are on a grid, and MG's coarse levels have ranks asleep: too large for every
 * number. */
static void test_layouts(void **state)
{
    static const struct {
        const char *name, *class;
        uint32_t ranks;
    } cases[] = {{"ft", "W", 64}, {"mg", "S", 64}, {"cg", "W", 32}, {"lu", "W", 48}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct trace_program *program = generate(cases[i].name, cases[i].class, cases[i].ranks, NULL);
        check_program(program);
        trace_close(program);
    }
}

/* ---- fewer iterations */

static uint64_t count_events(const char *name, uint32_t ranks, unsigned iterations, const char *writer)
{
    char parameters[32];
    uint64_t events;

    snprintf(parameters, sizeof parameters, "iterations=%u", iterations);
    struct trace_program *program = generate(name, "S", ranks, iterations == 0 ? NULL : parameters);
    events = trace_program_summary(program)->events;
    assert_string_equal(trace_program_writer(program), writer);
    trace_close(program);
    return events;
}

/* Each iteration has as many operations as any other, all of them make the benchmark, and fewer are told. */
static void test_iterations(void **state)
{
    static const struct {
        const char *name;
        uint32_t ranks, all;
    } kernels[] = {{"cg", 8, 15}, {"mg", 8, 4},   {"ft", 8, 6}, {"lu", 4, 50},
                   {"bt", 4, 60}, {"sp", 9, 100}, {"is", 8, 10}};
    (void)state;

    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) {
        const char *name = kernels[i].name;
        uint32_t ranks = kernels[i].ranks, all = kernels[i].all;
        struct base_error error = {0};
        char writer[2][64], wrong[32];
        for (unsigned n = 1; n <= 2; n++)
            snprintf(writer[n - 1], sizeof writer[n - 1], "flitreplay, shortened to %u of its %u iterations",
                     n, all);
        uint64_t one = count_events(name, ranks, 1, writer[0]), two = count_events(name, ranks, 2, writer[1]);
        assert_true(two > one);
        assert_int_equal(count_events(name, ranks, all, "flitreplay"), one + (all - 1) * (two - one));
        assert_int_equal(count_events(name, ranks, 0, "flitreplay"), one + (all - 1) * (two - one));
        snprintf(wrong, sizeof wrong, "iterations=%u", all + 1);
        assert_null(try_generate(name, "S", ranks, wrong, &error));
        assert_null(try_generate(name, "S", ranks, "iterations=0", &error));
    }
    assert_int_equal(check_all_ranks("lu", "S", "iterations=2"), check_all_ranks("lu", "S", NULL));
}

/* ---- closed forms */

/* bytes 0: not compared. */
static void expect_messages(const char *name, const char *class, uint32_t ranks, uint64_t messages,
                            uint64_t bytes)
{
    struct trace_program *program = generate(name, class, ranks, NULL);
    const struct trace_summary *summary = trace_program_summary(program);

    assert_int_equal(summary->sends, messages);
    assert_int_equal(summary->receives, messages);
    if (bytes > 0)
        assert_int_equal(summary->bytes_sent, bytes);
    assert_int_equal(summary->bytes_received, summary->bytes_sent);
    trace_close(program);
}

/* In each of 76 iterations of CG: 52 sums of a number, 26 of a vector, 26 transposes and a sum of two
 * numbers. */
static void test_cg_closed_form(void **state)
{
    const uint64_t vector = 150000 / 8 * 8, stages = 3;

    (void)state;
    expect_messages("cg", "C", 64, UINT64_C(64) * 76 * (79 * stages + 26),
                    64 * 76 * (stages * (52 * 8 + 26 * vector + 16) + 26 * vector));
}

/* Two sweeps over 160 planes, 251 times, across 7 · 8 edges each way; four swaps; at the end one pass of all
 * ranks along both axes, and one of the outer columns and rows. Of class S the counts of the benchmark: of 2
 * ranks the one column has both faces of the box. */
static void test_lu_closed_form(void **state)
{
    const uint64_t edges = 2 * 7 * 8;

    (void)state;
    expect_messages("lu", "C", 64, edges * (251 * 2 * 160 + 2 * (251 + 3)) + edges + 4 * 7, 0);
    expect_messages("lu", "S", 9, 13556, 0);
    expect_messages("lu", "S", 6, 7909, 0);
    expect_messages("lu", "S", 2, 51 * 2 * 10 + 2 * 54 + 1 + 2, 0);
}

/* 202 exchanges of 6 faces and 201 iterations of 6 sweeps through 3 borders between cells, for 16 ranks. */
static void test_bt_closed_form(void **state)
{
    const uint64_t side = 64 / 4, border = side + 1;

    (void)state;
    expect_messages("bt", "A", 16, UINT64_C(16) * 6 * (202 + 201 * 3),
                    16 * 6 * (202 * 80 * 3 * side * side) +
                        UINT64_C(16) * 3 * 3 * 201 * (240 + 40) * border * border);
}

/* Calls and bytes as `info` counts them: per calling rank. */
static void expect_collective(const char *name, const char *class, uint32_t ranks,
                              enum trace_collective collective, uint64_t calls, uint64_t bytes)
{
    struct trace_program *program = generate(name, class, ranks, NULL);
    const struct trace_collective_count *count = &trace_program_summary(program)->collectives[collective];

    assert_int_equal(count->calls, calls);
    assert_int_equal(count->bytes, bytes);
    trace_close(program);
}

/* FT's field of 16 bytes a point is turned once for each transform (twice in pencils); all of IS's keys are
 * sent 11 times. */
static void test_collectives_closed_form(void **state)
{
    (void)state;
    expect_collective("ft", "C", 256, TRACE_ALLTOALL, 256 * 22, (UINT64_C(16) << 27) / 256 * 22);
    expect_collective("ft", "A", 256, TRACE_ALLTOALL, 256 * 16,
                      ((UINT64_C(16) << 23) / 128 + (UINT64_C(16) << 23) / 2) * 8);
    expect_collective("is", "B", 32, TRACE_ALLTOALLV, 32 * 11, (UINT64_C(4) << 25) * 11);
    expect_collective("is", "D", 1024, TRACE_ALLTOALLV, 1024 * 11, (UINT64_C(4) << 31) * 11);
    expect_collective("is", "F", 1024, TRACE_ALLTOALLV, 1024 * 11, (UINT64_C(8) << 39) * 11);
    expect_collective("is", "F", 1024, TRACE_ALLREDUCE, 1024 * 11, UINT64_C(1024) * 11 * 1029 * 8);
    expect_collective("mg", "D", 512, TRACE_ALLREDUCE, 512 * 88, 512 * (8 * 8 + 40 * 24));
}

/* Eight transforms of the field on 4 × 8 pencils: each is turned among the eight ranks of a row and the four
 * of a column, whose blocks are an eighth and a quarter of what a rank has. Slabs are turned once. */
static void test_ft_layouts(void **state)
{
    const uint64_t field = UINT64_C(16) << 18, mine = field / 32;
    struct trace_program *program = generate("ft", "S", 32, "layout=4x8");
    const struct trace_collective_count *count = &trace_program_summary(program)->collectives[TRACE_ALLTOALL];

    (void)state;
    assert_int_equal(count->calls, 32 * 2 * 8);
    assert_int_equal(count->bytes, 32 * 8 * (mine / 8 + mine / 4));
    trace_close(program);
    program = generate("ft", "S", 32, "layout=1x32");
    count = &trace_program_summary(program)->collectives[TRACE_ALLTOALL];
    assert_int_equal(count->calls, 32 * 8);
    assert_int_equal(count->bytes, 32 * 8 * (mine / 32));
    trace_close(program);
    program = generate("ft", "S", 32, "layout=2d"); /* 8 × 4 */
    assert_int_equal(trace_program_communicator(program, 1)->size, 4);
    trace_close(program);
}

/* The work is the benchmark's own count, for the iterations that are made: rounding takes less than 1 %. */
static void expect_flops(const char *name, const char *class, uint32_t ranks, double flops)
{
    struct trace_program *program = generate(name, class, ranks, NULL);
    double made = (double)trace_program_summary(program)->compute_ns;

    if (made < flops * 0.99 || made > flops * 1.01)
        fail_msg("%s %s on %u ranks: %g operations, not %g", name, class, ranks, made, flops);
    trace_close(program);
}

/* Warm-up iterations are work too: 16 of 15, 5.53 of 4 with the residuals between them, and so on. */
static void test_work(void **state)
{
    (void)state;
    expect_flops("cg", "A", 16, 1.496e9 * 16 / 15);
    expect_flops("mg", "A", 8, 58 * 16777216.0 * 5.53);
    expect_flops("ft", "A", 16, 8388608 * (8 * 114.963 + 6 * 5.235));
    expect_flops("lu", "A", 16, 1.193e11 * 251 / 250 + 1.4e8 * 2);
    expect_flops("bt", "A", 16, 841.4e6 * 201.2);
    expect_flops("sp", "A", 16, 212.5e6 * 401.3);
    expect_flops("ep", "A", 8, 26.68e9);
}

/* ---- refusals and failures */

/* No program, status of usage, and the words. */
static void expect_refusal(const char *name, const char *class, uint32_t ranks, const char *parameters,
                           const char *words)
{
    struct base_error error = {0};

    assert_null(try_generate(name, class, ranks, parameters, &error));
    assert_int_equal(error.status, BASE_USAGE);
    if (strstr(error.text, words) == NULL)
        fail_msg("'%s' does not say '%s'", error.text, words);
}

/* Ranks, classes and parameters, one mistake each. */
static void test_refusals(void **state)
{
    (void)state;
    expect_refusal("cg", "S", 48, NULL, "the nearest: 32 and 64");
    expect_refusal("lu", "C", 7, NULL, "the nearest: 6 and 8");
    expect_refusal("transpose", NULL, 17, NULL, "the nearest: 16 and 25");
    expect_refusal("is", "S", 513, NULL, "the nearest: 512");
    expect_refusal("is", "A", 12, NULL,
                   "a power of two, and no more ranks than buckets; the nearest: 8 and 16");
    expect_refusal("ft", "W", 64, "layout=1d", "at most nz (layout=1d); the nearest: 32");
    expect_refusal("ft", "S", 1, "layout=2d", "the nearest: 2");
    expect_refusal("ft", "S", 16, "layout=4x8",
                   "the layout's rows, at most ny, and columns, at most nz; the nearest: 32");
    expect_refusal("ft", "S", 12, "layout=3x4",
                   "layout=3x4: needs 1d, 2d, or rows and columns in powers of two");
    expect_refusal("ft", "S", 8, "layout=3d", "layout=3d: needs");
    expect_refusal("lu", "S", 20, NULL, "3 points a side for each rank; the nearest: 16");
    expect_refusal("dt", "S", 4, NULL, "the nearest: 5");
    expect_refusal("ft", "S", 8192, NULL, "the nearest: 4096");
    expect_refusal("bt", "S", 25, NULL, "the nearest: 24");
    expect_refusal("cg", "S", 0, NULL, "the nearest: 1");
    expect_refusal("cg", "S", 4000000000u, NULL, "cannot run on 4000000000 ranks");
    expect_refusal("dt", "F", 4, NULL, "has no class 'F'");
    expect_refusal("cg", "", 4, NULL, "has no class");
    expect_refusal("cg", NULL, 4, NULL, "needs a class");
    expect_refusal("king", "S", 4, NULL, "has no classes");
    expect_refusal("king", NULL, 4, "bytes", "needs a value");
    expect_refusal("king", NULL, 4, "bytes=", "needs a value");
    expect_refusal("king", NULL, 4, "bytes=-1", "needs a number");
    expect_refusal("king", NULL, 4, "=3", "unknown parameter");
    expect_refusal("king", NULL, 4, "size=2x", "needs 2 sides");
    expect_refusal("king", NULL, 4, "size=2x2x1", "needs 2 sides");
    expect_refusal("king", NULL, 4, "size=0x4", "needs 2 sides");
    expect_refusal("king", NULL, 4, "periodic=maybe", "unknown periodic");
    expect_refusal("ep", "S", 4, "size=2", "has no parameters");
    expect_refusal("kong", NULL, 4, NULL, "did you mean 'king'");
}

/* What must not leak or hide a failure: opening, and reading the last rank. */
static int generate_and_read(void *state)
{
    struct base_error error = {0};
    struct trace_program *program = trace_generate_open(state, &error);
    struct trace_cursor *cursor;
    struct trace_op op;
    int more = -1;

    if (program == NULL)
        return -1;
    cursor = trace_cursor_new(program, trace_program_ranks(program) - 1, &error);
    while (cursor != NULL && (more = trace_cursor_next(cursor, &op, &error)) > 0)
        ;
    trace_cursor_free(cursor);
    trace_close(program);
    return more;
}

/* Kernels with arrays and communicators of their own. */
static void test_failing_allocations(void **state)
{
    char names[][64] = {"generate:is,class=S,ranks=4", "generate:ft,class=S,ranks=8",
                        "generate:bt,class=S,ranks=4", "generate:dt,class=S,ranks=5",
                        "generate:mg,class=S,ranks=6", "generate:random-sparse,ranks=6",
                        "generate:king,ranks=9"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(fail_alloc_each(generate_and_read, names[i]) >= 5);
}

/* ---- the expected keys */

/* Of each bucket a rank has keys within six standard deviations; as a border between two ranks may move by
 * one bucket, a pair may differ by the two that are at its ends. */
static void test_expected_keys(void **state)
{
    struct trace_program *programs[] = {generate("is", "A", 16, "keys=exact"),
                                        generate("is", "A", 16, "keys=expected")};
    const uint64_t *sent[2];
    struct trace_op op[2];
    struct base_error error = {0};

    (void)state;
    for (uint32_t rank = 0; rank < 16; rank++) {
        struct trace_cursor *cursors[2];
        for (int i = 0; i < 2; i++) {
            assert_non_null(cursors[i] = trace_cursor_new(programs[i], rank, &error));
            do
                assert_int_equal(trace_cursor_next(cursors[i], &op[i], &error), 1);
            while (op[i].kind != TRACE_COLLECTIVE_CALL || op[i].vector == NULL);
            sent[i] = op[i].vector->sent;
        }
        for (uint32_t to = 0; to < 16; to++) {
            double keys = (double)sent[1][to] / 4, difference = (double)sent[0][to] / 4 - keys;
            double bucket = 1.34 * 524288 / 1024 * 2; /* the fullest, twice: a rank has 2^19 keys */
            assert_true(difference * difference <= (36 * keys) + 2 * 6 * bucket * 724 + bucket * bucket);
        }
        trace_cursor_free(cursors[0]);
        trace_cursor_free(cursors[1]);
    }
    trace_close(programs[0]);
    trace_close(programs[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_benchmarks),
        cmocka_unit_test(test_patterns),
        cmocka_unit_test(test_layouts),
        cmocka_unit_test(test_iterations),
        cmocka_unit_test(test_cg_closed_form),
        cmocka_unit_test(test_lu_closed_form),
        cmocka_unit_test(test_ft_layouts),
        cmocka_unit_test(test_bt_closed_form),
        cmocka_unit_test(test_collectives_closed_form),
        cmocka_unit_test(test_work),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_failing_allocations),
        cmocka_unit_test(test_expected_keys),
    };

    cmocka_set_test_filter(getenv("ONLY")); /* a pattern, or all */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
