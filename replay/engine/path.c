/* What made each rank go on when it did: the critical path, as chains of causes.
 *
 *      rank ──────► cause: a message that ended its last wait
 *      request ───► cause: what its sender had last waited for when it sent
 *      cause ─────► parent: the same, for what the cause itself is
 *
 * Between the end of a cause and the next thing that its rank starts, the rank has only computed: every wait
 * ends with a cause. So the chain behind the last finish, with the computations between, covers the simulated
 * time without a gap. A cause that nothing can lead back to any more is given back at once: memory holds the
 * chains of what ranks and messages in flight depend on, which soon have most of their past in common. */
#include <stdlib.h>

#include "base/grow.h"
#include "replay/engine/internal.h"

/* One more reference. */
static uint32_t keep(struct replay_engine *engine, uint32_t cause)
{
    if (cause != REPLAY_NONE)
        engine->causes[cause].references++;
    return cause;
}

/* One less; the last takes the chain behind it along, as far as nobody else needs it. */
static void drop(struct replay_engine *engine, uint32_t cause)
{
    while (cause != REPLAY_NONE && --engine->causes[cause].references == 0) {
        uint32_t parent = engine->causes[cause].parent;
        engine->causes[cause].parent = engine->cause_free;
        engine->cause_free = cause;
        cause = parent;
    }
}

/* A cause with one reference: the caller's. REPLAY_NONE: no memory. */
static uint32_t take(struct replay_engine *engine)
{
    uint32_t index = engine->cause_free;
    if (index != REPLAY_NONE) {
        engine->cause_free = engine->causes[index].parent;
        return index;
    }
    if (base_grow_32(&engine->causes, &engine->cause_capacity, (size_t)engine->cause_count + 1,
                     sizeof *engine->causes) != 0)
        return REPLAY_NONE;
    return engine->cause_count++;
}

void replay_path_sent_on(struct replay_engine *engine, struct replay_request *request)
{
    uint32_t before = request->cause;
    request->cause = keep(engine, engine->cause);
    request->sent_ns = engine->now_ns;
    drop(engine, before);
}

void replay_path_forget_on(struct replay_engine *engine, struct replay_request *request)
{
    drop(engine, request->cause);
    request->cause = REPLAY_NONE;
}

void replay_path_woken_on(struct replay_engine *engine, struct replay_rank *rank)
{
    uint32_t before = rank->cause;
    rank->cause = keep(engine, engine->cause);
    drop(engine, before);
}

void replay_path_begin_busy(struct replay_engine *engine, struct replay_rank *rank)
{
    if (!engine->semantics->path)
        return;
    uint32_t before = rank->busy_cause;
    rank->busy_cause = keep(engine, engine->cause);
    rank->busy_ns = engine->now_ns;
    drop(engine, before);
}

/* A cause of host work, behind another one. REPLAY_NONE: memory. */
static uint32_t take_busy(struct replay_engine *engine, const struct replay_step *step, uint32_t parent)
{
    uint32_t index = take(engine);
    if (index != REPLAY_NONE)
        engine->causes[index] =
            (struct replay_cause){.step = *step, .parent = keep(engine, parent), .references = 1};
    return index;
}

/* What began it is what it depends on, not what came last: that was in time. */
int replay_path_end_busy(struct replay_engine *engine, struct replay_rank *rank, struct base_error *error)
{
    if (!engine->semantics->path)
        return 0;
    const struct replay_step step = {.kind = REPLAY_STEP_HOST,
                                     .rank = (uint32_t)(rank - engine->rank),
                                     .region = rank->op.region,
                                     .begin_ns = rank->busy_ns,
                                     .end_ns = rank->free_ns,
                                     .bytes = rank->awaited_bytes,
                                     .journey = {.worst_link = NET_NONE}};
    uint32_t index = take_busy(engine, &step, rank->busy_cause), before = rank->cause;
    if (index == REPLAY_NONE)
        return base_error_memory(error, "the critical path");
    rank->cause = index;
    drop(engine, before);
    return 0;
}

/* From now on, as far as what its processor did is told of. */
int replay_path_stands(struct replay_engine *engine, struct replay_rank *rank, uint64_t end_ns,
                       struct base_error *error)
{
    if (!engine->semantics->path)
        return 0;
    const struct replay_step step = {.kind = REPLAY_STEP_HOST,
                                     .rank = (uint32_t)(rank - engine->rank),
                                     .region = rank->op.region,
                                     .begin_ns = engine->now_ns,
                                     .end_ns = end_ns,
                                     .bytes = rank->awaited_bytes,
                                     .journey = {.worst_link = NET_NONE}};
    uint32_t index = take_busy(engine, &step, rank->cause), before = rank->cause;
    if (index == REPLAY_NONE)
        return base_error_memory(error, "the critical path");
    rank->cause = index;
    drop(engine, before);
    return 0;
}

int replay_path_sent_later(struct replay_engine *engine, struct replay_request *request, uint32_t rank,
                           uint64_t begin_ns, struct base_error *error)
{
    replay_path_sent(engine, request);
    if (!engine->semantics->path || begin_ns == engine->now_ns)
        return 0;
    const struct replay_step step = {.kind = REPLAY_STEP_HOST,
                                     .rank = rank,
                                     .region = request->region,
                                     .begin_ns = engine->now_ns,
                                     .end_ns = begin_ns,
                                     .bytes = request->bytes,
                                     .journey = {.worst_link = NET_NONE}};
    uint32_t index = take_busy(engine, &step, request->cause);
    if (index == REPLAY_NONE)
        return base_error_memory(error, "the critical path");
    drop(engine, request->cause);
    request->cause = index;
    request->sent_ns = begin_ns;
    return 0;
}

/* What brought it is kept where what it was sent by was. */
void replay_path_arrived(struct replay_engine *engine, struct replay_request *request)
{
    replay_path_sent(engine, request);
}

/* At once, because it is there; later, because its receiver was busy until now. A receiver that stands until later has
 * not been through with that. */
void replay_path_taken(struct replay_engine *engine, const struct replay_request *request,
                       const struct replay_rank *rank)
{
    uint32_t cause = request->sent_ns == engine->now_ns ? request->cause : rank->cause;
    if (!engine->semantics->path)
        return;
    while (cause != REPLAY_NONE && engine->causes[cause].step.end_ns > engine->now_ns)
        cause = engine->causes[cause].parent;
    engine->cause = keep(engine, cause);
}

void replay_path_run_on(struct replay_engine *engine, const struct replay_rank *rank)
{
    engine->cause = keep(engine, rank->cause);
}

void replay_path_pause_on(struct replay_engine *engine)
{
    drop(engine, engine->cause);
    engine->cause = REPLAY_NONE;
}

/* What kind of step it is that a notice ends. */
static enum replay_step_kind kind_of(const struct replay_engine *engine, const struct replay_request *request,
                                     const struct net_notice *notice)
{
    if (replay_host_is_copy(engine, request->rank, request->peer))
        return REPLAY_STEP_MEMORY;
    if (notice->kind == NET_SENT)
        return REPLAY_STEP_SENDING;
    switch ((enum replay_progress)request->progress) {
    case REPLAY_RTS:
    case REPLAY_CTS:
    case REPLAY_ASKED:
        return REPLAY_STEP_CONTROL;
    default:
        return REPLAY_STEP_MESSAGE;
    }
}

/* What ended is a message, or a control message of its rendezvous: then it went the other way, from the receiver. The
 * cause that it becomes is what the next call to end is waited for by. */
int replay_path_noticed_on(struct replay_engine *engine, const struct net_notice *notice,
                           struct base_error *error)
{
    /* Of a copy that serves several ranks, what the first of them receives stands for all. */
    uint32_t about =
        notice->terminal == NET_NONE ? (uint32_t)notice->tag : replay_multicast_send(engine, notice);
    if (about == REPLAY_NONE)
        return 0;
    uint32_t index = take(engine);
    if (index == REPLAY_NONE)
        return base_error_memory(error, "the critical path");
    const struct replay_request *request = &engine->requests[about];
    bool answers = request->progress == REPLAY_CTS || request->progress == REPLAY_ANSWERED;
    enum replay_step_kind kind = kind_of(engine, request, notice);
    engine->causes[index] = (struct replay_cause){
        .step = {.kind = kind,
                 .begin_ns = request->sent_ns,
                 .end_ns = engine->now_ns,
                 .bytes = request->bytes,
                 .flits = kind == REPLAY_STEP_CONTROL ? replay_control_flits(engine)
                                                      : replay_message_flits(engine, request->bytes),
                 .rank = answers ? request->peer : request->rank,
                 .peer = answers ? request->rank : request->peer,
                 .region = request->region,
                 .journey = notice->journey},
        .parent = keep(engine, request->cause),
        .references = 1};
    engine->cause = index;
    return 0;
}

/* The rank that finished last, the first of several; NULL: there is none. */
static const struct replay_rank *last_rank(const struct replay_engine *engine)
{
    const struct replay_rank *last = NULL;
    for (uint32_t i = 0; i < engine->ranks; i++)
        if (last == NULL || engine->rank[i].time_ns > last->time_ns)
            last = &engine->rank[i];
    return last;
}

/* Appends a step to a path that is written from its end. -1: memory. */
static int add_step(struct replay_result *result, uint32_t *capacity, const struct replay_step *step)
{
    if (step->begin_ns == step->end_ns)
        return 0;
    if (base_grow_32(&result->path, capacity, (size_t)result->path_count + 1, sizeof *step) != 0)
        return -1;
    result->path[result->path_count++] = *step;
    return 0;
}

/* Written backwards, then turned round. */
static void reverse(struct replay_step *path, uint32_t count)
{
    for (uint32_t i = 0; i < count / 2; i++) {
        struct replay_step step = path[i];
        path[i] = path[count - 1 - i];
        path[count - 1 - i] = step;
    }
}

/* From the last rank to end back to the beginning, over what each wait was ended by; between two causes the rank
 * computed. */
int replay_path_fill(const struct replay_engine *engine, struct replay_result *result,
                     struct base_error *error)
{
    const struct replay_rank *last = last_rank(engine);
    if (!engine->semantics->path || last == NULL)
        return 0;
    uint32_t rank = (uint32_t)(last - engine->rank), cause = last->cause, capacity = 0;
    uint64_t end_ns = last->time_ns;
    for (;;) {
        const struct replay_step *step = cause == REPLAY_NONE ? NULL : &engine->causes[cause].step;
        const struct replay_step compute = {.kind = REPLAY_STEP_COMPUTE,
                                            .begin_ns = step == NULL ? 0 : step->end_ns,
                                            .end_ns = end_ns,
                                            .rank = rank};
        if (add_step(result, &capacity, &compute) < 0 ||
            (step != NULL && add_step(result, &capacity, step) < 0))
            return base_error_memory(error, "the critical path");
        if (step == NULL)
            break;
        rank = step->rank;
        end_ns = step->begin_ns;
        cause = engine->causes[cause].parent;
    }
    reverse(result->path, result->path_count);
    result->path_memory_bytes = (uint64_t)engine->cause_capacity * sizeof *engine->causes;
    return 0;
}
