#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/table.h"
#include "tests/replay/support.h"

/* ---- programs */

void add_op(struct trace_memory *memory, uint32_t rank, struct trace_op op)
{
    ASSERT_OK(trace_memory_add(memory, rank, &op));
}

void add_compute(struct trace_memory *memory, uint32_t rank, uint64_t ns)
{
    add_op(memory, rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = ns});
}

static uint64_t message(struct trace_memory *memory, uint32_t rank, struct trace_op op)
{
    uint64_t request = trace_memory_next_request(memory, rank);
    add_op(memory, rank, op);
    return request;
}

void add_send(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    message(memory, rank, (struct trace_op){.kind = TRACE_SEND, .peer = peer, .tag = tag, .bytes = bytes});
}

void add_ssend(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    message(memory, rank,
            (struct trace_op){
                .kind = TRACE_SEND, .flags = TRACE_SYNCHRONOUS, .peer = peer, .tag = tag, .bytes = bytes});
}

void add_receive(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    message(memory, rank, (struct trace_op){.kind = TRACE_RECEIVE, .peer = peer, .tag = tag, .bytes = bytes});
}

uint64_t add_isend(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    return message(
        memory, rank,
        (struct trace_op){
            .kind = TRACE_SEND, .flags = TRACE_NONBLOCKING, .peer = peer, .tag = tag, .bytes = bytes});
}

uint64_t add_ireceive(struct trace_memory *memory, uint32_t rank, uint32_t peer, uint32_t tag, uint64_t bytes)
{
    return message(
        memory, rank,
        (struct trace_op){
            .kind = TRACE_RECEIVE, .flags = TRACE_NONBLOCKING, .peer = peer, .tag = tag, .bytes = bytes});
}

void add_wait_all(struct trace_memory *memory, uint32_t rank, const uint64_t *requests, size_t count)
{
    add_op(memory, rank, (struct trace_op){.kind = TRACE_WAIT, .requests = requests, .request_count = count});
}

void add_wait(struct trace_memory *memory, uint32_t rank, uint64_t request)
{
    add_wait_all(memory, rank, &request, 1);
}

void add_collective(struct trace_memory *memory, uint32_t rank, enum trace_collective kind,
                    uint32_t communicator, uint32_t root, uint64_t bytes)
{
    add_op(memory, rank,
           (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                             .collective = kind,
                             .communicator = communicator,
                             .root = root,
                             .bytes = bytes});
}

/* ---- collectives */

static int step(struct trace_schedule *schedule, enum trace_step_kind kind, uint32_t peer, uint32_t phase,
                uint64_t bytes)
{
    if (schedule->count == schedule->capacity) {
        size_t capacity = schedule->capacity != 0 ? 2 * schedule->capacity : 16;
        void *grown = realloc(schedule->steps, capacity * sizeof *schedule->steps);
        if (grown == NULL)
            return -1;
        schedule->steps = grown;
        schedule->capacity = capacity;
    }
    schedule->steps[schedule->count++] = (struct trace_step){kind, peer, phase, bytes};
    return 0;
}

/* One message between the centre and each other rank, then a wait. */
static int half_star(const struct trace_collective_call *call, struct trace_schedule *schedule,
                     uint32_t centre, bool inwards, uint32_t phase)
{
    enum trace_step_kind kind = inwards == (call->rank == centre) ? TRACE_STEP_RECEIVE : TRACE_STEP_SEND;
    if (call->rank != centre && step(schedule, kind, centre, phase, call->bytes) < 0)
        return -1;
    for (uint32_t peer = 0; call->rank == centre && peer < call->ranks; peer++)
        if (peer != centre && step(schedule, kind, peer, phase, call->bytes) < 0)
            return -1;
    return step(schedule, TRACE_STEP_WAIT, 0, 0, 0);
}

static int schedule_star(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return half_star(call, schedule, 0, true, 0) < 0 ? -1 : half_star(call, schedule, 0, false, 1);
}

static int schedule_out(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return half_star(call, schedule, call->root, false, 0);
}

static int schedule_in(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return half_star(call, schedule, call->root, true, 0);
}

static int schedule_nothing(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    (void)call, (void)schedule;
    return 0;
}

/* Wrong: the first rank sends what nobody receives. */
static int schedule_stray(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    return call->rank == 0 ? step(schedule, TRACE_STEP_SEND, 1, 0, call->bytes) : 0;
}

static const struct trace_algorithm star = {.name = "star", .summary = "", .schedule = schedule_star};
static const struct trace_algorithm out = {.name = "out", .summary = "", .schedule = schedule_out};
static const struct trace_algorithm in = {.name = "in", .summary = "", .schedule = schedule_in};
static const struct trace_algorithm nothing = {
    .name = "nothing", .summary = "", .schedule = schedule_nothing};
static const struct trace_algorithm stray = {.name = "stray", .summary = "", .schedule = schedule_stray};

static const struct trace_algorithm *choose(const struct trace_collective_call *call)
{
    switch (call->collective) {
    case TRACE_EXSCAN:
        return &nothing;
    case TRACE_SCAN:
        return &stray;
    case TRACE_BCAST:
    case TRACE_SCATTER:
        return &out;
    case TRACE_REDUCE:
    case TRACE_GATHER:
        return &in;
    default:
        return &star;
    }
}

const struct trace_tuning test_collectives = {.name = "test", .summary = "stars", .choose = choose};

/* ---- replays */

struct replay_semantics test_options(void)
{
    return (struct replay_semantics){.clock_khz = 1000000,
                                     .flit_bytes = 8,
                                     .eager_limit_bytes = 1024,
                                     .compute_scale_ppm = 1000000,
                                     .collectives = &test_collectives};
}

static int replay_on_topology(const struct net_topology *topology, struct trace_program *program,
                              const struct replay_semantics *options, struct replay_result *result,
                              struct net_statistics *statistics, struct base_error *error)
{
    struct net_routing routing;
    const struct net_options net_options = {.seed = 1};
    uint32_t ranks = trace_program_ranks(program);
    bool ideal = net_topology_is_ideal(topology);
    if (!ideal && net_routing_init(&routing, topology, NULL, 0, error) < 0)
        return -1;
    struct net_network *network = net_network_new(topology, ideal ? NULL : &routing, &net_options, error);
    uint32_t *terminal = calloc(ranks, sizeof *terminal);
    int status = network == NULL ? -1 : terminal == NULL ? base_error_memory(error, "a placement") : 0;
    if (status == 0) {
        for (uint32_t rank = 0; rank < ranks; rank++)
            terminal[rank] = rank;
        status = replay_run(program, terminal, network, options, result, error);
    }
    if (status == 0) {
        *statistics = *net_network_statistics(network);
        statistics->link_flits = statistics->ejected_flits = statistics->injected_flits = NULL;
    }
    free(terminal);
    net_network_free(network);
    return status;
}

int replay_measured(const char *topology, struct trace_program *program,
                    const struct replay_semantics *options, struct replay_result *result,
                    struct net_statistics *statistics, struct base_error *error)
{
    struct net_topology *built = net_topology_new(topology, error);
    if (built == NULL)
        return -1;
    int status = replay_on_topology(built, program, options, result, statistics, error);
    net_topology_free(built);
    return status;
}

int replay_on(const char *topology, struct trace_program *program, const struct replay_semantics *options,
              struct replay_result *result, struct base_error *error)
{
    struct net_statistics ignored;
    return replay_measured(topology, program, options, result, &ignored, error);
}

uint64_t finish_with(const char *topology, struct trace_memory *memory,
                     const struct replay_semantics *options, uint32_t rank)
{
    struct trace_program *program = trace_memory_program(memory);
    struct replay_result result = {0};
    struct base_error error = {0};
    if (replay_on(topology, program, options, &result, &error) < 0)
        fail_msg("%s", error.text);
    uint64_t finish = result.rank[rank].finish_ns;
    for (uint32_t i = 0; i < result.ranks; i++)
        assert_int_equal(result.rank[i].compute_ns + result.rank[i].wait_ns, result.rank[i].finish_ns);
    replay_result_free(&result);
    trace_close(program);
    return finish;
}

uint64_t finish_on(const char *topology, struct trace_memory *memory, uint32_t rank)
{
    struct replay_semantics options = test_options();
    return finish_with(topology, memory, &options, rank);
}

/* ---- the longest chain */

#define UNKNOWN UINT64_MAX

/* What a rank does, collectives expanded. */
struct act {
    enum { WORK, START, AWAIT } kind;
    bool sends;
    uint64_t ns;   /* WORK */
    uint32_t slot; /* START and AWAIT: the message */
};

/* The k-th message of its envelope. */
struct slot {
    uint64_t sent, posted; /* UNKNOWN until they have been started */
    bool rendezvous;
};

struct line {
    struct act *acts;
    size_t count, capacity, next;
    uint64_t time;
};

struct chain {
    struct trace_program *program;
    const struct replay_semantics *options;
    struct base_table envelopes, counts, slot_of, request_slots, contexts;
    struct slot *slots;
    size_t slot_count, slot_capacity;
    uint32_t envelope_count, context_count;
    uint32_t open[64 * 64]; /* steps of the collective in hand: slot, and the side in the lowest bit */
    size_t open_count;
};

static void push_act(struct line *line, struct act act)
{
    if (line->count == line->capacity) {
        line->capacity = line->capacity != 0 ? 2 * line->capacity : 256;
        line->acts = realloc(line->acts, line->capacity * sizeof act);
        assert_non_null(line->acts);
    }
    line->acts[line->count++] = act;
}

static uint32_t intern(struct base_table *table, uint64_t a, uint64_t b, uint32_t fresh)
{
    uint32_t value = base_table_get(table, a, b);
    if (value != BASE_TABLE_NONE)
        return value;
    ASSERT_OK(base_table_put(table, a, b, fresh));
    return fresh;
}

/* Starts one side of a message: the k-th send and the k-th receive of an envelope share a slot. */
static uint32_t start(struct chain *chain, struct line *line, bool sends, uint32_t source, uint32_t target,
                      uint32_t context, uint32_t tag, bool rendezvous)
{
    uint32_t envelope = intern(&chain->envelopes, (uint64_t)source << 32 | target,
                               (uint64_t)context << 32 | tag, chain->envelope_count);
    chain->envelope_count += envelope == chain->envelope_count;
    uint32_t k = intern(&chain->counts, envelope, sends, 0);
    ASSERT_OK(base_table_put(&chain->counts, envelope, sends, k + 1));
    uint32_t slot = intern(&chain->slot_of, envelope, k, (uint32_t)chain->slot_count);
    if (slot == chain->slot_count) {
        if (chain->slot_count == chain->slot_capacity) {
            chain->slot_capacity = chain->slot_capacity != 0 ? 2 * chain->slot_capacity : 1024;
            chain->slots = realloc(chain->slots, chain->slot_capacity * sizeof *chain->slots);
            assert_non_null(chain->slots);
        }
        chain->slots[chain->slot_count++] = (struct slot){UNKNOWN, UNKNOWN, false};
    }
    chain->slots[slot].rendezvous |= rendezvous;
    push_act(line, (struct act){.kind = START, .sends = sends, .slot = slot});
    return slot;
}

static void expand(struct chain *chain, struct line *line, uint32_t rank, const struct trace_op *op)
{
    const struct trace_communicator *members = trace_program_communicator(chain->program, op->communicator);
    struct trace_collective_call call = {
        op->collective, members->size, 0, op->root, op->bytes, op->vector, 0, 0, false};
    struct trace_schedule schedule = {0};
    struct base_error error = {0};
    uint32_t context =
        0x80000000 | intern(&chain->contexts, op->communicator, op->instance, chain->context_count);
    chain->context_count += context == (0x80000000 | chain->context_count);
    while (members->members[call.rank] != rank)
        call.rank++;
    if (trace_collective_schedule(chain->options->collectives, &call, &schedule, &error) < 0)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < schedule.count; i++) {
        const struct trace_step *now = &schedule.steps[i];
        uint32_t peer = members->members[now->peer];
        bool sends = now->kind == TRACE_STEP_SEND;
        if (now->kind == TRACE_STEP_WAIT) {
            while (chain->open_count > 0) {
                uint32_t side = chain->open[--chain->open_count];
                push_act(line, (struct act){.kind = AWAIT, .sends = side & 1, .slot = side >> 1});
            }
        } else {
            assert_true(chain->open_count < sizeof chain->open / sizeof *chain->open);
            chain->open[chain->open_count++] =
                start(chain, line, sends, sends ? rank : peer, sends ? peer : rank, context, now->phase,
                      sends && now->bytes > chain->options->eager_limit_bytes)
                    << 1 |
                sends;
        }
    }
    trace_schedule_free(&schedule);
}

static void load_op(struct chain *chain, struct line *line, uint32_t rank, const struct trace_op *op)
{
    bool sends = op->kind == TRACE_SEND;
    if (op->kind == TRACE_COMPUTE) {
        push_act(line, (struct act){.kind = WORK, .ns = op->duration_ns});
    } else if (op->kind == TRACE_SEND || op->kind == TRACE_RECEIVE) {
        bool rendezvous =
            sends && ((op->flags & TRACE_SYNCHRONOUS) != 0 || op->bytes > chain->options->eager_limit_bytes);
        uint32_t slot = start(chain, line, sends, sends ? rank : op->peer, sends ? op->peer : rank,
                              op->communicator, op->tag, rendezvous);
        if ((op->flags & TRACE_NONBLOCKING) == 0)
            push_act(line, (struct act){.kind = AWAIT, .sends = sends, .slot = slot});
        else
            ASSERT_OK(base_table_put(&chain->request_slots, rank, op->request, slot << 1 | sends));
    } else if (op->kind == TRACE_COLLECTIVE_CALL) {
        expand(chain, line, rank, op);
    }
    for (size_t i = 0; op->kind == TRACE_WAIT && i < op->request_count; i++) {
        uint32_t side = base_table_get(&chain->request_slots, rank, op->requests[i]);
        assert_int_not_equal(side, BASE_TABLE_NONE);
        push_act(line, (struct act){.kind = AWAIT, .sends = side & 1, .slot = side >> 1});
    }
}

static void load(struct chain *chain, struct line *line, uint32_t rank)
{
    struct base_error error = {0};
    struct trace_op op;
    int next;
    struct trace_cursor *cursor = trace_cursor_new(chain->program, rank, &error);
    assert_non_null(cursor);
    while ((next = trace_cursor_next(cursor, &op, &error)) > 0)
        load_op(chain, line, rank, &op);
    if (next < 0)
        fail_msg("%s", error.text);
    trace_cursor_free(cursor);
}

static uint64_t latest(uint64_t a, uint64_t b)
{
    return a > b ? a : b; /* UNKNOWN is the latest */
}

/* A rank as far as it can be evaluated. Returns whether it got anywhere. */
static bool evaluate(struct line *line, struct slot *slots)
{
    size_t before = line->next;
    for (; line->next < line->count; line->next++) {
        const struct act *act = &line->acts[line->next];
        struct slot *slot = &slots[act->slot];
        if (act->kind == WORK) {
            line->time += act->ns;
        } else if (act->kind == START) {
            *(act->sends ? &slot->sent : &slot->posted) = line->time;
        } else {
            bool both = !act->sends || slot->rendezvous;
            uint64_t complete = both ? latest(slot->sent, slot->posted) : slot->sent;
            if (complete == UNKNOWN)
                break;
            line->time = latest(line->time, complete);
        }
    }
    return line->next != before;
}

uint64_t longest_chain(struct trace_program *program, const struct replay_semantics *options)
{
    uint32_t ranks = trace_program_ranks(program);
    struct chain *chain = calloc(1, sizeof *chain);
    struct line *lines = calloc(ranks, sizeof *lines);
    uint64_t time = 0;
    bool moved = true;
    assert_non_null(chain);
    assert_non_null(lines);
    chain->program = program;
    chain->options = options;
    for (uint32_t rank = 0; rank < ranks; rank++)
        load(chain, &lines[rank], rank);
    while (moved) {
        moved = false;
        for (uint32_t rank = 0; rank < ranks; rank++)
            moved |= evaluate(&lines[rank], chain->slots);
    }
    for (uint32_t rank = 0; rank < ranks; rank++) {
        assert_int_equal(lines[rank].next, lines[rank].count);
        time = latest(time, lines[rank].time);
        free(lines[rank].acts);
    }
    free(lines);
    base_table_free(&chain->envelopes);
    base_table_free(&chain->counts);
    base_table_free(&chain->slot_of);
    base_table_free(&chain->request_slots);
    base_table_free(&chain->contexts);
    free(chain->slots);
    free(chain);
    return time;
}
