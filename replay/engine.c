/* The co-simulation of ranks and network. Ranks live in integer nanoseconds, the network in cycles; both
 * conversions round up, so that no effect comes before its cause (at 1 GHz they are exact).
 *
 * One loop advances both in time: the network runs up to the cycle of the next rank event, but stops at each
 * notice; the notices of a cycle are handled in the network's order (rising message number, sent before
 * delivered), then the rank events of that time in the order in which they were scheduled. Stretches in which
 * the network is idle cost nothing. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "replay/engine-internal.h"

/* ---- what all files use */

/* The usual clock of 1 GHz needs no 128-bit division. Rounded up: a message is never in the network before
 * its rank has sent it. */
uint64_t replay_cycles(const struct replay_engine *engine, uint64_t ns)
{
    uint64_t khz = engine->options->clock_khz;
    return khz == 1000000 ? ns : base_cycles_from_ns(ns, khz);
}

/* Pushing does not fail after the start: the heap has had room for every rank then, and a rank has one event
 * at most. */
int replay_wake(struct replay_engine *engine, uint32_t rank, struct base_error *error)
{
    engine->rank[rank].state = REPLAY_READY;
    replay_path_woken(engine, &engine->rank[rank]);
    if (base_heap_push(&engine->wakeups, engine->now_ns, rank) < 0)
        return base_error_memory(error, "the ranks' events");
    return 0;
}

int replay_error_at(const struct replay_engine *engine, uint32_t rank, uint64_t event,
                    struct base_error *error, const char *format, ...)
{
    struct base_position position = base_position_of(trace_program_path(engine->program));
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    position.rank = rank;
    position.event = event == 0 ? -1 : (int64_t)event;
    return base_error_at(error, BASE_INPUT, &position, "%s", text);
}

/* Doubles. Indices have 32 bits and one value is taken, which bounds the pools at four thousand million
 * entries. */
void *replay_grow(void *array, uint32_t *capacity, uint32_t needed, size_t size)
{
    uint64_t larger = *capacity != 0 ? *capacity : 64;
    while (larger < needed)
        larger *= 2;
    if (larger > REPLAY_NONE || larger > SIZE_MAX / size)
        return NULL;
    void *grown = realloc(array, (size_t)larger * size);
    if (grown != NULL)
        *capacity = (uint32_t)larger;
    return grown;
}

/* ---- set-up and its end */

/* Only what would divide by zero or crash: whether an option makes sense is for the command line to judge. */
static int check_options(const struct replay_options *options, struct base_error *error)
{
    if (options->clock_khz == 0)
        return base_error_set(error, BASE_USAGE, "the network's clock must run: clock_khz is 0");
    if (options->flit_bytes == 0)
        return base_error_set(error, BASE_USAGE, "a flit needs at least one byte");
    if (options->collectives == NULL)
        return base_error_set(error, BASE_USAGE, "no selection of collective algorithms was given");
    return 0;
}

/* Whoever chose the placement, it is checked here: no terminal has more ranks than it may have. A table of
 * counts, since terminals may be many more than ranks. */
static int check_terminals(const struct replay_engine *engine, struct base_error *error)
{
    uint32_t most = engine->options->ranks_per_terminal > 1 ? engine->options->ranks_per_terminal : 1;
    struct base_table ranks_at = {0};
    int result = 0;
    for (uint32_t rank = 0; rank < engine->ranks && result == 0; rank++) {
        uint32_t count = base_table_get(&ranks_at, engine->terminal[rank], 0);
        count = count == BASE_TABLE_NONE ? 1 : count + 1;
        if (count > most)
            result = base_error_set(error, BASE_USAGE,
                                    "rank %" PRIu32 " is placed on terminal %" PRIu32
                                    ", which has %" PRIu32 " rank%s already, and may have no more",
                                    rank, engine->terminal[rank], most, most == 1 ? "" : "s");
        else if (base_table_put(&ranks_at, engine->terminal[rank], 0, count) < 0)
            result = base_error_memory(error, "the placement");
    }
    base_table_free(&ranks_at);
    return result;
}

/* Every rank has its first event at time 0, in rank order. All cursors are open for the whole replay. The
 * heap is filled here to its largest size, a rank at a time, and never grows again. */
static int start_ranks(struct replay_engine *engine, struct base_error *error)
{
    for (uint32_t rank = 0; rank < engine->ranks; rank++) {
        engine->rank[rank].cause = REPLAY_NONE;
        engine->rank[rank].call = (struct replay_call){.instance = REPLAY_NONE, .self = REPLAY_NONE};
        engine->rank[rank].cursor = trace_cursor_new(engine->program, rank, error);
        if (engine->rank[rank].cursor == NULL || replay_wake(engine, rank, error) < 0)
            return -1;
    }
    return 0;
}

/* What it leaves behind on failure is for dispose. */
static int prepare(struct replay_engine *engine, struct base_error *error)
{
    if (check_options(engine->options, error) < 0 || check_terminals(engine, error) < 0)
        return -1;
    engine->rank = calloc((size_t)engine->ranks + 1, sizeof *engine->rank);
    engine->members_known =
        calloc((size_t)trace_program_communicators(engine->program) + 1, sizeof *engine->members_known);
    engine->has_place = calloc((size_t)engine->ranks + 1, sizeof *engine->has_place);
    if (engine->rank == NULL || engine->members_known == NULL || engine->has_place == NULL)
        return base_error_memory(error, "the ranks of the replay");
    engine->events_total = trace_program_summary(engine->program)->events;
    engine->progress_due = engine->events_total != 0 ? 0 : UINT64_MAX;
    return start_ranks(engine, error);
}

/* Right for an engine in any state, also one that was prepared in part. */
static void dispose(struct replay_engine *engine)
{
    for (uint32_t rank = 0; engine->rank != NULL && rank < engine->ranks; rank++) {
        trace_cursor_free(engine->rank[rank].cursor);
        trace_schedule_free(&engine->rank[rank].call.schedule);
    }
    for (uint32_t call = 0; call < engine->call_count; call++)
        trace_schedule_free(&engine->calls[call].schedule);
    free(engine->calls);
    free(engine->rank);
    base_heap_free(&engine->wakeups);
    free(engine->notices);
    free(engine->requests);
    base_table_free(&engine->queues);
    base_table_free(&engine->open_requests);
    free(engine->has_place);
    free(engine->places);
    base_table_free(&engine->place_of);
    base_table_free(&engine->flights);
    free(engine->instances);
    base_table_free(&engine->instance_of);
    base_table_free(&engine->member_of);
    free(engine->members_known);
    free(engine->collectives);
    free(engine->causes);
    free(engine->waits);
    base_table_free(&engine->wait_of);
}

/* ---- the loop */

/* Handling a notice injects messages, after which the network's own array is gone: so they are copied. Twice
 * the count, so that a network which delivers more and more at a time is not asked for memory each time. */
static int take_notices(struct replay_engine *engine, struct base_error *error)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(engine->network, &count);
    if (count > engine->notice_capacity) {
        void *grown = realloc(engine->notices, 2 * count * sizeof *engine->notices);
        if (grown == NULL)
            return base_error_memory(error, "the network's notices");
        engine->notices = grown;
        engine->notice_capacity = 2 * count;
    }
    memcpy(engine->notices, notices, count * sizeof *notices);
    engine->notice_count = count;
    return 0;
}

/* The network has been brought to the event's cycle. */
static int run_next_rank(struct replay_engine *engine, struct base_error *error)
{
    struct base_event event;
    base_heap_pop(&engine->wakeups, &event);
    engine->now_ns = event.time;
    engine->now_cycles = replay_cycles(engine, event.time);
    replay_path_run(engine, &engine->rank[event.payload]);
    int status = replay_rank_run(engine, (uint32_t)event.payload, error);
    replay_path_pause(engine);
    return status;
}

/* Handles the notices of the network's cycle. With a clock below 1 GHz a rank event may lie before the end of
 * the nanosecond that the cycle is rounded up to: it comes first, in the same cycle. */
static int handle_notices(struct replay_engine *engine, struct base_error *error)
{
    uint64_t cycle = net_network_now(engine->network);
    uint64_t khz = engine->options->clock_khz, ns = khz == 1000000 ? cycle : base_ns_from_cycles(cycle, khz);
    const struct base_event *first;
    if (ns >= REPLAY_TIME_LIMIT)
        return base_error_set(error, BASE_INPUT, "%s: the simulated time goes beyond the end of time",
                              trace_program_path(engine->program));
    if (take_notices(engine, error) < 0)
        return -1;
    while ((first = base_heap_first(&engine->wakeups)) != NULL && first->time < ns)
        if (run_next_rank(engine, error) < 0)
            return -1;
    engine->now_ns = ns;
    engine->now_cycles = cycle;
    for (size_t i = 0; i < engine->notice_count; i++) {
        if (replay_path_noticed(engine, &engine->notices[i], error) < 0 ||
            replay_notice(engine, &engine->notices[i], error) < 0)
            return -1;
        replay_path_pause(engine);
    }
    return 0;
}

/* Runs until nothing is left to happen: no rank has an event and nothing is in the network. Whether that is
 * the end or a deadlock is seen afterwards. The network may be ahead of nobody: it never passes the next rank
 * event, so every injection is in its present or future. */
static int run(struct replay_engine *engine, struct base_error *error)
{
    const atomic_bool *stop = engine->options->stop;
    for (;;) {
        const struct base_event *first = base_heap_first(&engine->wakeups);
        if (stop != NULL && atomic_load_explicit(stop, memory_order_relaxed)) {
            engine->interrupted = first != NULL || net_network_pending(engine->network) != 0;
            return 0;
        }
        uint64_t limit = first != NULL ? replay_cycles(engine, first->time) : UINT64_MAX;
        int noticed = net_network_advance(engine->network, limit, error);
        if (noticed < 0)
            return -1;
        if (noticed == 0 && first == NULL)
            return 0;
        if ((noticed != 0 ? handle_notices(engine, error) : run_next_rank(engine, error)) < 0)
            return -1;
    }
}

/* The laws that hold at the end of every replay. The order matters: blocked ranks explain unmatched messages,
 * and unmatched messages explain nothing about the network. */
static int check_end(const struct replay_engine *engine, struct base_error *error)
{
    const struct net_statistics *statistics = net_network_statistics(engine->network);
    uint64_t sent = engine->messages - engine->self_messages + engine->control_messages;
    if (engine->ended != engine->ranks)
        return replay_deadlock(engine, error);
    if (replay_check_matched(engine, error) < 0)
        return -1;
    if (net_network_pending(engine->network) != 0 || statistics->messages != sent)
        return base_error_set(error, BASE_SYSTEM,
                              "%" PRIu64 " messages were sent, but %" PRIu64
                              " delivered: this is a defect of flitreplay",
                              sent, statistics->messages);
    return net_network_check(engine->network, error);
}

/* ---- the result */

/* Collectives in the order of the enumeration, implied ones behind the program's own. */
static bool is_behind(const struct replay_collective_result *one,
                      const struct replay_collective_result *other)
{
    return one->collective != other->collective ? one->collective > other->collective
                                                : one->implied && !other->implied;
}

/* Rows found in order of first use; stable, since rows are few. */
static void sort_collectives(struct replay_collective_result *rows, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct replay_collective_result row = rows[i];
        size_t hole = i;
        for (; hole > 0 && is_behind(&rows[hole - 1], &row); hole--)
            rows[hole] = rows[hole - 1];
        rows[hole] = row;
    }
}

/* A rank ends at its own time; whatever it has under way goes on without it. Number, computation and finish
 * of every rank go into the digest, so that two runs with one digest agree on the times of all ranks and not
 * of the slowest alone. */
static void fill_rank(struct replay_result *result, uint32_t index, const struct replay_rank *rank)
{
    struct replay_rank_result *row = &result->rank[index];
    const uint64_t record[3] = {index, rank->compute_ns, rank->time_ns};
    *row = (struct replay_rank_result){.compute_ns = rank->compute_ns,
                                       .wait_ns = rank->wait_ns,
                                       .finish_ns = rank->time_ns,
                                       .messages_sent = rank->messages_sent,
                                       .bytes_sent = rank->bytes_sent};
    if (result->simulated_ns < row->finish_ns)
        result->simulated_ns = row->finish_ns;
    base_digest_add(&result->digest, record, 3);
}

/* Each region has one row. So the order is total, and does not depend on which rank waited first. */
static int compare_waits(const void *left, const void *right)
{
    const struct replay_wait *a = left, *b = right;
    return a->region < b->region ? -1 : a->region > b->region;
}

/* In thousandths, as replay_options.progress is told. */
static uint32_t share_done(const struct replay_engine *engine)
{
    uint64_t step = engine->events_total / 1000 + 1;
    return (uint32_t)(engine->events_done / step);
}

/* The rows of the collectives move to the result. Ranks add one record each to the network's digest. */
static int fill_result(struct replay_engine *engine, struct replay_result *result, struct base_error *error)
{
    *result = (struct replay_result){.messages = engine->messages,
                                     .message_bytes = engine->message_bytes,
                                     .self_messages = engine->self_messages,
                                     .control_messages = engine->control_messages,
                                     .ranks = engine->ranks,
                                     .interrupted = engine->interrupted,
                                     .thousandths = 1000};
    result->rank = calloc((size_t)engine->ranks + 1, sizeof *result->rank);
    if (result->rank == NULL)
        return base_error_memory(error, "the result of the replay");
    if (engine->interrupted) {
        result->thousandths = share_done(engine);
        result->simulated_ns = engine->now_ns;
    }
    result->digest = net_network_statistics(engine->network)->digest;
    for (uint32_t rank = 0; rank < engine->ranks; rank++)
        fill_rank(result, rank, &engine->rank[rank]);
    result->simulated_cycles = replay_cycles(engine, result->simulated_ns);
    sort_collectives(engine->collectives, engine->collective_count);
    result->collectives = engine->collectives;
    result->collective_count = engine->collective_count;
    engine->collectives = NULL;
    result->waits = engine->waits;
    result->wait_count = engine->wait_count;
    engine->waits = NULL;
    if (result->wait_count > 1)
        qsort(result->waits, result->wait_count, sizeof *result->waits, compare_waits);
    memcpy(result->size_wait_ns, engine->size_wait_ns, sizeof result->size_wait_ns);
    return 0;
}

int replay_run(struct trace_program *program, const uint32_t *terminal, struct net_network *network,
               const struct replay_options *options, struct replay_result *result, struct base_error *error)
{
    struct replay_engine engine = {.program = program,
                                   .terminal = terminal,
                                   .network = network,
                                   .options = options,
                                   .ranks = trace_program_ranks(program),
                                   .request_free = REPLAY_NONE,
                                   .cause_free = REPLAY_NONE,
                                   .cause = REPLAY_NONE,
                                   .instance_free = REPLAY_NONE,
                                   .call_free = REPLAY_NONE,
                                   .ready = REPLAY_NONE};
    *result = (struct replay_result){0};
    int status = prepare(&engine, error);
    if (status == 0)
        status = run(&engine, error);
    if (status == 0 && !engine.interrupted)
        status = check_end(&engine, error);
    if (status == 0)
        status = fill_result(&engine, result, error);
    if (status == 0 && !engine.interrupted)
        status = replay_path_fill(&engine, result, error);
    if (status == 0 && options->progress != NULL && !engine.interrupted)
        options->progress(options->progress_context, 1000, result->simulated_ns);
    dispose(&engine);
    return status;
}

void replay_result_free(struct replay_result *result)
{
    if (result == NULL)
        return;
    free(result->rank);
    free(result->collectives);
    free(result->waits);
    free(result->path);
    *result = (struct replay_result){0};
}
