/* Laws of every program that the reader makes, whatever it had to repair:
 *
 *   - requests are numbered from 0 without gaps, and each is waited for exactly once
 *   - time and events do not go backward; the end comes once, and last
 *   - sends and receives are balanced on every (communicator, source, target, tag)
 *   - members of a communicator make the same collective calls with the same sizes
 *   - the program runs to its end, both when sends leave at once and when each waits for its receive */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "tests/suite.h"
#include "tests/traces/recorded.h"

struct channel {
    uint64_t sends, receives;
    uint64_t order; /* a hash of the sizes, sends less receives by position */
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
    uint32_t channel; /* of the blocking message in progress */
    uint64_t position, time_ns;
    struct request *requests;
    size_t request_count, request_capacity;
    uint64_t *instances; /* [communicator] */
};

struct run {
    struct trace_program *program;
    bool rendezvous;
    struct base_table index;
    struct channel *channels;
    size_t channel_count, channel_capacity;
    struct rank *ranks;
    uint64_t *arrivals;          /* [communicator] */
    struct trace_op *collective; /* [communicator] the call in progress */
};

static void *more_room(void *array, size_t *capacity, size_t count, size_t size)
{
    if (count < *capacity)
        return array;
    *capacity = *capacity == 0 ? 64 : *capacity * 2;
    array = realloc(array, *capacity * size);
    assert_non_null(array);
    return array;
}

static uint32_t find_channel(struct run *run, uint32_t rank, const struct trace_op *op)
{
    uint32_t source = op->kind == TRACE_SEND ? rank : op->peer;
    uint32_t target = op->kind == TRACE_SEND ? op->peer : rank;
    uint64_t a = (uint64_t)op->communicator << 32 | op->tag, b = (uint64_t)source << 32 | target;
    uint32_t found = base_table_get(&run->index, a, b);

    if (found != BASE_TABLE_NONE)
        return found;
    run->channels =
        more_room(run->channels, &run->channel_capacity, run->channel_count, sizeof *run->channels);
    run->channels[run->channel_count] = (struct channel){0};
    assert_int_equal(base_table_put(&run->index, a, b, (uint32_t)run->channel_count), 0);
    return (uint32_t)run->channel_count++;
}

static void post_message(struct run *run, uint32_t number)
{
    struct rank *rank = &run->ranks[number];
    const struct trace_op *op = &rank->op;
    struct channel *channel;
    bool is_send = op->kind == TRACE_SEND;

    assert_true(op->peer < trace_program_ranks(run->program));
    rank->channel = find_channel(run, number, op);
    channel = &run->channels[rank->channel];
    rank->position = is_send ? channel->sends++ : channel->receives++;
    channel->order += (is_send ? 1 : UINT64_MAX) * (op->bytes + 1) * (rank->position * 2654435761u + 1);
    if (!(op->flags & TRACE_NONBLOCKING))
        return;
    assert_int_equal(op->request, rank->request_count);
    rank->requests =
        more_room(rank->requests, &rank->request_capacity, rank->request_count, sizeof *rank->requests);
    rank->requests[rank->request_count++] = (struct request){rank->channel, rank->position, is_send, false};
    rank->busy = false;
}

static bool is_complete(const struct run *run, bool is_send, uint32_t channel, uint64_t position)
{
    const struct channel *found = &run->channels[channel];
    if (is_send)
        return !run->rendezvous || found->receives > position;
    return found->sends > position;
}

/* Marks the requests of a wait, so that none is waited for twice. */
static void begin_wait(struct rank *rank)
{
    assert_true(rank->op.request_count > 0);
    for (size_t i = 0; i < rank->op.request_count; i++) {
        uint64_t number = rank->op.requests[i];
        assert_true(number < rank->request_count);
        assert_false(rank->requests[number].waited);
        rank->requests[number].waited = true;
    }
}

static void begin_collective(struct run *run, struct rank *rank)
{
    const struct trace_op *op = &rank->op;
    struct trace_op *first = &run->collective[op->communicator];
    const struct trace_communicator *group = trace_program_communicator(run->program, op->communicator);

    assert_int_equal(op->instance, rank->instances[op->communicator]++);
    if (run->arrivals[op->communicator]++ % group->size == 0)
        *first = *op;
    assert_int_equal(op->instance, first->instance);
    assert_int_equal(op->collective, first->collective);
    assert_int_equal(op->root, first->root);
    assert_int_equal(op->bytes, first->bytes);
}

static void begin(struct run *run, uint32_t number)
{
    struct rank *rank = &run->ranks[number];
    struct base_error error = {0};

    if (trace_cursor_next(rank->cursor, &rank->op, &error) != 1)
        fail_msg("rank %u: %s", number, error.text);
    assert_true(rank->op.time_ns >= rank->time_ns);
    rank->time_ns = rank->op.time_ns;
    rank->busy = rank->op.kind != TRACE_COMPUTE && rank->op.kind != TRACE_END;
    if (rank->op.kind == TRACE_SEND || rank->op.kind == TRACE_RECEIVE)
        post_message(run, number);
    else if (rank->op.kind == TRACE_WAIT)
        begin_wait(rank);
    else if (rank->op.kind == TRACE_COLLECTIVE_CALL)
        begin_collective(run, rank);
    if (rank->op.kind == TRACE_END) {
        rank->ended = true;
        assert_int_equal(trace_cursor_next(rank->cursor, &rank->op, &error), 0);
        assert_int_equal(trace_cursor_next(rank->cursor, &rank->op, &error), 0);
    }
}

static bool can_go_on(const struct run *run, const struct rank *rank)
{
    const struct trace_op *op = &rank->op;

    if (op->kind == TRACE_COLLECTIVE_CALL)
        return run->arrivals[op->communicator] >=
               (op->instance + 1) * trace_program_communicator(run->program, op->communicator)->size;
    if (op->kind != TRACE_WAIT)
        return is_complete(run, op->kind == TRACE_SEND, rank->channel, rank->position);
    for (size_t i = 0; i < op->request_count; i++) {
        const struct request *request = &rank->requests[op->requests[i]];
        if (!is_complete(run, request->is_send, request->channel, request->position))
            return false;
    }
    return true;
}

static bool run_rank(struct run *run, uint32_t number)
{
    struct rank *rank = &run->ranks[number];
    bool progress = false;

    while (!rank->ended) {
        if (rank->busy && !can_go_on(run, rank))
            return progress;
        rank->busy = false;
        progress = true;
        begin(run, number);
    }
    return progress;
}

static void check_end(const struct run *run)
{
    for (uint32_t i = 0; i < trace_program_ranks(run->program); i++) {
        if (!run->ranks[i].ended)
            fail_msg("rank %u waits at event %llu", i, (unsigned long long)run->ranks[i].op.event);
        for (size_t k = 0; k < run->ranks[i].request_count; k++)
            assert_true(run->ranks[i].requests[k].waited);
    }
    for (size_t i = 0; i < run->channel_count; i++) {
        assert_int_equal(run->channels[i].sends, run->channels[i].receives);
        assert_int_equal(run->channels[i].order, 0);
    }
}

static void free_run(struct run *run)
{
    for (uint32_t i = 0; i < trace_program_ranks(run->program); i++) {
        trace_cursor_free(run->ranks[i].cursor);
        free(run->ranks[i].requests);
        free(run->ranks[i].instances);
    }
    free(run->ranks);
    free(run->channels);
    free(run->arrivals);
    free(run->collective);
    base_table_free(&run->index);
}

static void run_program(struct trace_program *program, bool rendezvous)
{
    struct run run = {.program = program, .rendezvous = rendezvous};
    uint32_t ranks = trace_program_ranks(program), communicators = trace_program_communicators(program);
    bool progress = true;

    run.ranks = calloc(ranks, sizeof *run.ranks);
    run.arrivals = calloc(communicators + 1, sizeof *run.arrivals);
    run.collective = calloc(communicators + 1, sizeof *run.collective);
    assert_true(run.ranks != NULL && run.arrivals != NULL && run.collective != NULL);
    for (uint32_t i = 0; i < ranks; i++) {
        run.ranks[i].cursor = trace_cursor_new(program, i, NULL);
        run.ranks[i].instances = calloc(communicators + 1, sizeof *run.ranks[i].instances);
        assert_true(run.ranks[i].cursor != NULL && run.ranks[i].instances != NULL);
    }
    while (progress) {
        progress = false;
        for (uint32_t i = 0; i < ranks; i++)
            progress |= run_rank(&run, i);
    }
    check_end(&run);
    free_run(&run);
}

static void test_program(void **state)
{
    struct trace_program *program = recorded_open(*state);

    run_program(program, false);
    run_program(program, true);
    trace_close(program);
}

int main(void)
{
    static struct recorded_list list;
    static struct CMUnitTest tests[RECORDED_LIMIT];

    list = *recorded_traces();
    for (size_t i = 0; i < list.count; i++)
        tests[i] = (struct CMUnitTest){
            .name = list.paths[i], .test_func = test_program, .initial_state = list.paths[i]};
    return _cmocka_run_group_tests("laws of programs", tests, list.count, NULL, NULL);
}
