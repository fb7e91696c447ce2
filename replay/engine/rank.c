/* One rank: its operations in program order. An operation that must wait leaves the rank BLOCKED with
 * `awaited` > 0; the last completion wakes it, and it goes on behind that operation. */
#include <inttypes.h>

#include "base/wide.h"
#include "replay/engine/internal.h"
#include "traces/edge.h"

/* Each operation is scaled on its own, rounded down, in 128 bits: no floating point, no overflow, no drift
 * between runs. A product beyond the end of time is cut to it, which compute refuses with the event's place.
 */
static uint64_t compute_of(const struct replay_engine *engine, uint64_t duration_ns)
{
    uint64_t ppm = engine->semantics->compute_scale_ppm;
    if (engine->semantics->compute_zero)
        return 0;
    if (ppm == 1000000)
        return duration_ns;
    return base_wide_cut(base_wide_scaled(duration_ns, ppm, 1000000), REPLAY_TIME_LIMIT);
}

/* Lets a rank compute: it goes on when its time comes. Returns 1 when that is now. */
static int compute(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    uint64_t duration_ns = compute_of(engine, rank->op.duration_ns);
    if (duration_ns == 0)
        return 1;
    if (duration_ns >= REPLAY_TIME_LIMIT - rank->time_ns ||
        replay_cycles(engine, rank->time_ns + duration_ns) >= REPLAY_TIME_LIMIT)
        return replay_error_at(engine, index, rank->op.event, error,
                               "computing for %" PRIu64 " ns exceeds the range of simulated time",
                               duration_ns);
    rank->time_ns += duration_ns;
    rank->compute_ns += duration_ns;
    rank->computing = engine->semantics->host.in_calls;
    if (engine->semantics->recorder != NULL &&
        replay_recorder_add(engine->semantics->recorder, engine->first_recorded + index, rank->operation,
                            (struct replay_spell){.ns = duration_ns}, error) < 0)
        return -1;
    if (base_agenda_push_later(&engine->wakeups, rank->time_ns, index) < 0)
        return base_error_memory(error, "the ranks' events");
    return 0;
}

/* The other side and the communicator come from a file: a reader checks them, and so do we before using an
 * index. Only what takes a message may leave the other side open. */
static int check_message(const struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    const struct trace_op *op = &engine->rank[index].op;
    bool takes = op->kind == TRACE_RECEIVE || op->kind == TRACE_PROBE;
    if (op->peer >= engine->ranks && !(takes && op->peer == TRACE_ANY_SOURCE))
        return replay_error_at(engine, index, op->event, error,
                               "message to or from rank %" PRIu32 ", but the trace has %" PRIu32 " ranks",
                               op->peer, engine->ranks);
    if (op->communicator >= trace_program_communicators(engine->program))
        return replay_error_at(engine, index, op->event, error,
                               "message on an unknown communicator (%" PRIu32 ")", op->communicator);
    return 0;
}

/* What the operation in hand asks for. A blocking one is a request without a number: its rank awaits it at
 * once. Synchronous sends use rendezvous whatever their size (MPI's MPI_Ssend); buffered ones are detached
 * from their rank. The request is zeroed. */
static void fill_request(const struct replay_engine *engine, uint32_t index, enum replay_request_kind kind,
                         struct replay_request *request)
{
    const struct trace_op *op = &engine->rank[index].op;
    bool nonblocking = (op->flags & TRACE_NONBLOCKING) != 0 && kind != REPLAY_PROBE;
    request->bytes = op->bytes;
    request->event = op->event;
    request->number = nonblocking ? op->request : REPLAY_NO_NUMBER;
    request->rank = index;
    request->peer = op->peer;
    request->tag = op->tag;
    request->communicator = op->communicator;
    request->region = op->region;
    request->instance = REPLAY_NONE;
    request->call = REPLAY_NONE;
    request->kind = (uint8_t)kind;
    request->rendezvous = kind != REPLAY_RECEIVE && ((op->flags & TRACE_SYNCHRONOUS) != 0 ||
                                                     op->bytes > engine->semantics->eager_limit_bytes);
    request->detached = kind != REPLAY_RECEIVE && (op->flags & TRACE_BUFFERED) != 0;
}

/* What a message of the operation in hand takes its rank before it may start: a send or put for its bytes, a get for
 * its question. True: not yet, the rank comes here again. */
static bool is_delayed(struct replay_engine *engine, uint32_t index)
{
    struct replay_rank *rank = &engine->rank[index];
    bool gets = rank->op.kind == TRACE_GET;
    if (!gets && rank->op.kind != TRACE_SEND && rank->op.kind != TRACE_PUT)
        return false;
    rank->resumes = replay_host_delays_send(engine, index, gets ? 0 : rank->op.bytes);
    return rank->resumes;
}

/* Those whose messages are matched. */
static int start_matched(struct replay_engine *engine, uint32_t index, enum replay_request_kind kind,
                         struct base_error *error)
{
    uint32_t number;
    struct replay_request *request = replay_request_new(engine, &number);
    if (request == NULL)
        return base_error_memory(error, "the requests");
    fill_request(engine, index, kind, request);
    return replay_request_start(engine, number, error);
}

/* Probes, which are always blocking, puts and gets. */
static int start_unmatched(struct replay_engine *engine, uint32_t index, enum replay_request_kind kind,
                           struct base_error *error)
{
    struct replay_request request = {0};
    fill_request(engine, index, kind, &request);
    return kind == REPLAY_PROBE ? replay_probe_start(engine, &request, error)
                                : replay_one_sided_start(engine, &request, error);
}

static int start_message(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    if (check_message(engine, index, error) < 0)
        return -1;
    if (engine->hosts.on && is_delayed(engine, index))
        return 0;
    /* Numbers rise, so one number says which have been started. */
    if ((rank->op.flags & TRACE_NONBLOCKING) != 0)
        rank->next_request = rank->op.request + 1;
    switch (rank->op.kind) {
    case TRACE_SEND:
        return start_matched(engine, index, REPLAY_SEND, error);
    case TRACE_RECEIVE:
        return start_matched(engine, index, REPLAY_RECEIVE, error);
    case TRACE_PROBE:
        return start_unmatched(engine, index, REPLAY_PROBE, error);
    default:
        return start_unmatched(engine, index, rank->op.kind == TRACE_PUT ? REPLAY_PUT : REPLAY_GET, error);
    }
}

/* Awaits those of the set that are incomplete. A complete request is forgotten, so what is not in the table
 * has either completed or never been started. That a number was never started shows by its being beyond the
 * last one that was. */
static int wait(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    const struct trace_op *op = &rank->op;
    for (size_t i = 0; i < op->request_count; i++) {
        uint64_t number = op->requests[i];
        uint32_t open = base_table_get(&engine->open_requests, index, number);
        if (open == BASE_TABLE_NONE) {
            if (number >= rank->next_request)
                return replay_error_at(engine, index, op->event, error,
                                       "wait for request %" PRIu64 ", which has not been started", number);
            if (engine->hosts.on)
                replay_host_settle(engine, index, number);
        } else if (!engine->requests[open].awaited) { /* a set may name a request twice */
            engine->requests[open].awaited = true;
            rank->awaited++;
        }
    }
    return 0;
}

/* The cursor and the schedule are not needed any more; with thousands of ranks that end at different times it
 * counts. */
static void end(struct replay_engine *engine, struct replay_rank *rank)
{
    trace_cursor_free(rank->cursor);
    rank->cursor = NULL;
    trace_schedule_free(&rank->call.schedule);
    rank->state = REPLAY_ENDED;
    engine->ended++;
}

/* Starts the operation in hand. Returns 1 when the rank can go on with the next one, as far as time is
 * concerned. A blocking operation returns 1 as well: whether the rank goes on is decided by `awaited`, which
 * the operation has raised. */
static int start(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    switch (rank->op.kind) {
    case TRACE_COMPUTE:
        rank->resumes = engine->hosts.loggops && replay_loggops_holds(engine, index);
        return rank->resumes ? 1 : compute(engine, index, error);
    case TRACE_SEND:
    case TRACE_RECEIVE:
    case TRACE_PROBE:
    case TRACE_PUT:
    case TRACE_GET:
        return start_message(engine, index, error) < 0 ? -1 : 1;
    case TRACE_WAIT:
        if (engine->hosts.loggops && (rank->op.flags & TRACE_EDGE) == 0)
            replay_loggops_begin(engine, rank);
        return wait(engine, index, error) < 0 ? -1 : 1;
    case TRACE_COLLECTIVE_CALL:
        return replay_collective_enter(engine, index, error) < 0 ? -1 : 1;
    case TRACE_END:
        end(engine, rank);
        return 0;
    }
    return replay_error_at(engine, index, rank->op.event, error, "operation of an unknown kind");
}

/* For a timeline: what the links have carried so far, and what that took. */
static void sample_load(const struct replay_engine *engine)
{
    struct replay_recorder *recorder = engine->semantics->recorder;

    if (!replay_recorder_is_due(recorder, engine->now_ns))
        return;
    const struct net_statistics *statistics = net_network_statistics(engine->network);
    const struct replay_recorder_sample sample = {
        engine->now_ns, net_network_now(engine->network), replay_channel_flits(statistics),
        replay_recorder_joules(recorder, statistics, engine->now_ns), statistics->faults};
    replay_recorder_sample(recorder, &sample);
}

/* Event numbers say how far a rank is; calls back at most a thousand times. */
static void report_progress(struct replay_engine *engine, struct replay_rank *rank)
{
    if (rank->op.event <= rank->event) /* an operation that was derived from the same record */
        return;
    engine->events_done += rank->op.event - rank->event;
    rank->event = rank->op.event;
    if (engine->events_done < engine->progress_due)
        return;
    /* A step that is rounded up keeps the division out of the usual path and the calls at a thousand. */
    uint64_t step = engine->events_total / 1000 + 1, thousandths = engine->events_done / step;
    engine->progress_due = (thousandths + 1) * step;
    engine->semantics->progress(engine->semantics->progress_context,
                                (uint32_t)(thousandths < 999 ? thousandths : 999), engine->now_ns);
}

/* A stream without an end is as if it had one. */
static int next_operation(struct replay_engine *engine, struct replay_rank *rank, struct base_error *error)
{
    int next = trace_cursor_next(rank->cursor, &rank->op, error);
    if (next < 0)
        return -1;
    rank->operation++;
    if (next == 0)
        rank->op.kind = TRACE_END;
    else if ((rank->op.flags & TRACE_ITERATES) != 0 && engine->semantics->iterate != NULL)
        engine->semantics->iterate(engine->semantics->iterate_context, (uint32_t)(rank - engine->rank),
                                   rank->time_ns - engine->start_ns);
    if (engine->semantics->progress != NULL)
        report_progress(engine, rank);
    return 0;
}

/* Where messages cost their hosts an operation may be in hand, which has been charged and is started now. */
static bool is_in_hand(struct replay_engine *engine, struct replay_rank *rank)
{
    bool resumes = rank->resumes || rank->looked;
    if (rank->looked) {
        rank->op = engine->hosts.next[rank - engine->rank];
        rank->operation++;
    }
    rank->resumes = rank->looked = false;
    return resumes;
}

/* Takes the next operation off the stream; what the rank waits is still booked under the one before. */
static int look(struct replay_engine *engine, struct replay_rank *rank, struct base_error *error)
{
    struct trace_op present = rank->op;
    if (next_operation(engine, rank, error) < 0)
        return -1;
    engine->hosts.next[rank - engine->rank] = rank->op;
    rank->op = present;
    rank->operation--;
    rank->looked = true;
    return 0;
}

/* Whether the next operation needs no processor (loggops.c), so that it starts now, whoever has the processor. 0: it
 * needs one, and stays in hand: it has its turn among the messages that come. -1: what the cursor says. */
static int needs_none(struct replay_engine *engine, struct replay_rank *rank, struct base_error *error)
{
    const struct trace_op *next;
    if (!engine->hosts.loggops || rank->held || rank->resumes || rank->paid ||
        rank->call.instance != REPLAY_NONE)
        return 0;
    if (!rank->looked && look(engine, rank, error) < 0)
        return -1;
    next = &engine->hosts.next[rank - engine->rank];
    return next->kind == TRACE_RECEIVE || (next->kind == TRACE_WAIT && (next->flags & TRACE_EDGE) != 0);
}

/* Everything that takes no time happens in one go. The rank comes here again by an event on the agenda: after
 * computing, when its processor is through with messages, or when the last awaited request has completed; its time
 * jumps to now, and what it did not compute it waited. */
int replay_rank_run(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    const bool has_host = engine->hosts.on;
    if (engine->semantics->recorder != NULL)
        sample_load(engine);
    if (engine->now_ns != rank->time_ns &&
        replay_account_wait(engine, index, engine->now_ns - rank->time_ns, error) < 0)
        return -1;
    rank->time_ns = engine->now_ns;
    rank->state = REPLAY_READY;
    rank->held = false;
    if (rank->joins)
        replay_loggops_begin(engine, rank);
    rank->joins = false;
    for (;;) {
        if (rank->call.instance != REPLAY_NONE && replay_collective_continue(engine, index, error) < 0)
            return -1;
        if (rank->awaited != 0 && !rank->paid && !rank->held) {
            rank->state = REPLAY_BLOCKED;
            return 0;
        }
        if (has_host && (rank->free_ns > rank->time_ns || rank->held)) {
            int none = needs_none(engine, rank, error);
            if (none <= 0)
                return none < 0 ? -1 : replay_host_pause(engine, index, error);
        }
        if (!(has_host && is_in_hand(engine, rank)) && next_operation(engine, rank, error) < 0)
            return -1;
        if (has_host && rank->computing && rank->op.kind != TRACE_COMPUTE &&
            replay_host_enter(engine, index, error) < 0)
            return -1;
        int result = start(engine, index, error);
        if (result <= 0)
            return result;
        /* By turns with what others do in the same nanosecond. */
        rank->held = engine->hosts.loggops && rank->awaited == 0 &&
                     !(rank->op.kind == TRACE_WAIT && (rank->op.flags & TRACE_EDGE) != 0);
    }
}
