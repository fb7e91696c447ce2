/* Collectives: the steps that trace_collective_schedule gives a member, executed one by one. Their messages
 * match on a shadow context, keyed by the instance (the n-th collective on its communicator) and the step's
 * phase, so that consecutive collectives never mix however far one member is ahead of another.
 *
 * Of a blocking collective the rank itself waits for the steps, and goes on with the next ones when it is
 * woken. A non-blocking one goes on as soon as its outstanding steps are complete, whatever its rank does
 * (asynchronous progress, as with rendezvous); its rank waits for one request that stands for the whole. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "replay/engine/internal.h"

/* On an inter-communicator collectives number the ranks of both groups, the first one first. */
uint32_t replay_communicator_ranks(const struct trace_communicator *communicator)
{
    return communicator->size + communicator->remote_size;
}

/* The world's number of a member; index: 0 .. replay_communicator_ranks - 1, not checked again. */
uint32_t replay_communicator_rank(const struct trace_communicator *communicator, uint32_t index)
{
    return index < communicator->size ? communicator->members[index]
                                      : communicator->remote_members[index - communicator->size];
}

/* Makes rank numbers in a communicator known, when it is first used. The table turns a search among the
 * members into one look-up, for every call of every rank. Communicators that are never used for collectives
 * cost nothing. */
static int learn_members(struct replay_engine *engine, uint32_t communicator, struct base_error *error)
{
    const struct trace_communicator *members = trace_program_communicator(engine->program, communicator);
    for (uint32_t i = 0; i < replay_communicator_ranks(members); i++) {
        uint32_t rank = replay_communicator_rank(members, i);
        if (rank >= engine->ranks)
            return base_error_set(error, BASE_INPUT,
                                  "%s: %s contains rank %" PRIu32 ", but the trace has %" PRIu32 " ranks",
                                  trace_program_path(engine->program), members->name, rank, engine->ranks);
        if (base_table_put(&engine->member_of, communicator, rank, i) < 0)
            return base_error_memory(error, "the members of the communicators");
    }
    engine->members_known[communicator] = true;
    return 0;
}

/* The rank's own number in its op's communicator. */
static int find_member(struct replay_engine *engine, uint32_t index, uint32_t *member,
                       struct base_error *error)
{
    const struct trace_op *op = &engine->rank[index].op;
    if (op->communicator >= trace_program_communicators(engine->program))
        return replay_error_at(engine, index, op->event, error,
                               "collective on an unknown communicator (%" PRIu32 ")", op->communicator);
    if (!engine->members_known[op->communicator] && learn_members(engine, op->communicator, error) < 0)
        return -1;
    *member = base_table_get(&engine->member_of, op->communicator, index);
    if (*member != BASE_TABLE_NONE)
        return 0;
    return replay_error_at(engine, index, op->event, error, "%s on %s, which does not contain this rank",
                           trace_collective_name(op->collective),
                           trace_program_communicator(engine->program, op->communicator)->name);
}

/* The first member to come opens the instance: what it calls is what the others must call. Indices are
 * reused, since a long program has millions of instances, of which a few are under way at a time. */
static int add_instance(struct replay_engine *engine, uint32_t index, uint32_t *instance,
                        struct base_error *error)
{
    const struct trace_op *op = &engine->rank[index].op;
    uint32_t new = engine->instance_free;
    if (new != REPLAY_NONE) {
        engine->instance_free = engine->instances[new].next_free;
    } else {
        /* The matching key has 31 bits for it. */
        if (engine->instance_count > INT32_MAX ||
            base_grow_32(&engine->instances, &engine->instance_capacity, (size_t)engine->instance_count + 1,
                         sizeof *engine->instances) != 0)
            return base_error_memory(error, "the collectives under way");
        new = engine->instance_count++;
    }
    engine->instances[new] = (struct replay_instance){.number = op->instance,
                                                      .communicator = op->communicator,
                                                      .collective = op->collective,
                                                      .root = op->root,
                                                      .first_rank = index,
                                                      .first_event = op->event};
    *instance = new;
    if (base_table_put(&engine->instance_of, op->communicator, op->instance, new) < 0)
        return base_error_memory(error, "the collectives under way");
    return 0;
}

/* "bcast with root 3" */
static const char *describe(char *text, size_t size, enum trace_collective collective, uint32_t root)
{
    if (root == UINT32_MAX)
        snprintf(text, size, "%s", trace_collective_name(collective));
    else
        snprintf(text, size, "%s with root %" PRIu32, trace_collective_name(collective), root);
    return text;
}

/* The collective of the rank's op, which must be the same one for all its members. That members agree on
 * operation and root is checked against the first that came, whose place is told too: which of the two is
 * wrong only the user can know. */
static int find_instance(struct replay_engine *engine, uint32_t index, uint32_t *instance,
                         struct base_error *error)
{
    const struct trace_op *op = &engine->rank[index].op;
    char mine[64], theirs[64];
    *instance = base_table_get(&engine->instance_of, op->communicator, op->instance);
    if (*instance == BASE_TABLE_NONE)
        return add_instance(engine, index, instance, error);
    const struct replay_instance *known = &engine->instances[*instance];
    if (known->collective == op->collective && known->root == op->root)
        return 0;
    return replay_error_at(
        engine, index, op->event, error,
        "%s is collective %" PRIu64 " on %s, but rank %" PRIu32 " (event %" PRIu64 ") calls %s there",
        describe(mine, sizeof mine, op->collective, op->root), op->instance + 1,
        trace_program_communicator(engine->program, op->communicator)->name, known->first_rank,
        known->first_event, describe(theirs, sizeof theirs, known->collective, known->root));
}

/* The row of a collective and algorithm, those that other calls contain apart. Rows are few: two or three for
 * each collective that a program uses. */
static int find_result(struct replay_engine *engine, const struct trace_op *op, const char *algorithm,
                       uint32_t *row, struct base_error *error)
{
    struct replay_collective_result *results = engine->collectives;
    bool implied = (op->flags & TRACE_IMPLIED) != 0;
    for (size_t i = 0; i < engine->collective_count; i++)
        if (results[i].collective == op->collective && results[i].implied == implied &&
            (results[i].algorithm == algorithm || strcmp(results[i].algorithm, algorithm) == 0)) {
            *row = (uint32_t)i;
            return 0;
        }
    if (base_grow(&engine->collectives, &engine->collective_capacity, engine->collective_count + 1,
                  sizeof *engine->collectives) != 0)
        return base_error_memory(error, "the counts of the collectives");
    *row = (uint32_t)engine->collective_count++;
    engine->collectives[*row] = (struct replay_collective_result){
        .collective = op->collective, .implied = implied, .algorithm = algorithm};
    return 0;
}

/* All members have returned and none of its messages is in a queue: the key may be used again. The second
 * condition only matters for a schedule that is wrong; its unmatched messages are then listed at the end and
 * match nothing else. */
static void release_if_over(struct replay_engine *engine, uint32_t index)
{
    struct replay_instance *instance = &engine->instances[index];
    const struct trace_communicator *members =
        trace_program_communicator(engine->program, instance->communicator);
    if (instance->unmatched != 0 || instance->left != replay_communicator_ranks(members))
        return;
    base_table_remove(&engine->instance_of, instance->communicator, instance->number);
    instance->next_free = engine->instance_free;
    engine->instance_free = index;
}

/* One message of the instance has met its other side; with the last, the instance may go. */
void replay_instance_matched(struct replay_engine *engine, uint32_t instance)
{
    engine->instances[instance].unmatched--;
    release_if_over(engine, instance);
}

/* ---- one member's call */

/* The table for software, with the user's rules before it. */
static const struct trace_tuning *software_table(struct replay_engine *engine)
{
    const struct trace_tuning *hardware = engine->semantics->collectives;
    if (engine->software.choose == NULL) {
        engine->software = *hardware->software;
        engine->software.rules = hardware->rules;
        engine->software.rule_count = hardware->rule_count;
    }
    return &engine->software;
}

/* Which table the call's algorithm comes from: all members of a communicator ask with one answer. A call for
 * which both tables have the same algorithm is counted nowhere: it has nothing to multicast. */
static int choose_table(struct replay_engine *engine, const struct trace_collective_call *call,
                        uint32_t communicator, const struct trace_tuning **tuning, struct base_error *error)
{
    enum replay_obstacle obstacle;
    *tuning = engine->semantics->collectives;
    if ((*tuning)->software == NULL || call->ranks < 2)
        return 0;
    if (replay_reach(engine, communicator, &obstacle, error) < 0)
        return -1;
    if (obstacle == REPLAY_REACHED)
        return 0;
    if ((*tuning)->choose(call) != (*tuning)->software->choose(call))
        engine->software_calls[obstacle]++;
    *tuning = software_table(engine);
    return 0;
}

/* The rank's op as its communicator's member has it. On an inter-communicator the algorithm must know where the first
 * group ends; 0 says that there is one group only. */
static struct trace_collective_call call_of(const struct replay_engine *engine, uint32_t index,
                                            uint32_t member)
{
    const struct trace_op *op = &engine->rank[index].op;
    const struct trace_communicator *members = trace_program_communicator(engine->program, op->communicator);
    return (struct trace_collective_call){.collective = op->collective,
                                          .ranks = replay_communicator_ranks(members),
                                          .rank = member,
                                          .root = op->root,
                                          .bytes = op->bytes,
                                          .vector = op->vector,
                                          .nonblocking = (op->flags & TRACE_NONBLOCKING) != 0,
                                          .first_group = members->remote_size != 0 ? members->size : 0};
}

/* The schedule of a call. What is impossible about it is told without knowing where: the place is added here. */
static int expand(struct replay_engine *engine, uint32_t index, uint32_t member, struct replay_call *call,
                  struct base_error *error)
{
    const struct trace_op *op = &engine->rank[index].op;
    struct trace_collective_call asked = call_of(engine, index, member);
    struct base_error reason; /* filled on failure; too large to clear for every call */
    if (choose_table(engine, &asked, op->communicator, &call->tuning, error) < 0)
        return -1;
    if (trace_collective_schedule(call->tuning, &asked, &call->schedule, &reason) == 0)
        return 0;
    if (reason.status == BASE_INPUT)
        return replay_error_at(engine, index, op->event, error, "%s", reason.text);
    return base_error_set(error, reason.status, "%s", reason.text);
}

/* The part of engine->whole that comes next becomes the call's. */
static int take_part(struct replay_engine *engine, struct replay_call *call, struct base_error *error)
{
    const struct trace_schedule *whole = &engine->whole;
    size_t left = whole->count - call->step, count = trace_schedule_part(whole->count);
    if (count > left)
        count = left;
    if (count > call->schedule.capacity) {
        struct trace_step *larger = realloc(call->schedule.steps, count * sizeof *larger);
        if (larger == NULL)
            return base_error_memory(error, "the steps of a collective");
        call->schedule.steps = larger;
        call->schedule.capacity = count;
    }
    memcpy(call->schedule.steps, whole->steps + call->step, count * sizeof *whole->steps);
    call->schedule.count = count;
    call->first = call->step;
    call->ahead = left - count;
    return 0;
}

/* A long schedule is kept in parts, of which each is made anew when the one before is used up: of an exchange of all
 * with all ranks would else have as many steps as there are messages. The op of a blocking call is in hand until its
 * end. */
static int keep_part(struct replay_engine *engine, struct replay_call *call, struct base_error *error)
{
    struct trace_schedule whole = call->schedule;
    call->step = call->first = call->ahead = 0;
    if (call->self != REPLAY_NONE || whole.multicast_count != 0 ||
        trace_schedule_part(whole.count) == whole.count)
        return 0;
    trace_schedule_free(&engine->whole);
    engine->whole = whole;
    call->schedule.steps = NULL;
    call->schedule.capacity = 0;
    return take_part(engine, call, error);
}

static int next_part(struct replay_engine *engine, struct replay_call *call, struct base_error *error)
{
    uint32_t member;
    if (find_member(engine, call->rank, &member, error) < 0)
        return -1;
    struct trace_collective_call asked = call_of(engine, call->rank, member);
    if (trace_collective_schedule(call->tuning, &asked, &engine->whole, error) != 0)
        return -1;
    return take_part(engine, call, error);
}

/* A marked row goes as a multicast where its communicator is reached, whichever table or rule chose it. */
static int find_multicast(struct replay_engine *engine, uint32_t communicator, struct replay_call *call,
                          struct base_error *error)
{
    enum replay_obstacle obstacle = REPLAY_NO_MULTICASTS;
    if (call->schedule.multicast_count != 0 && replay_reach(engine, communicator, &obstacle, error) < 0)
        return -1;
    call->multicasts = obstacle == REPLAY_REACHED;
    return 0;
}

/* Prepares a call for its first step. Its place in memory says what it is; the array of steps is used again.
 * It is counted by the algorithm that this member's own record leads to. */
static int prepare(struct replay_engine *engine, uint32_t index, struct replay_call *call,
                   struct base_error *error)
{
    const struct trace_op *op = &engine->rank[index].op;
    uint32_t member, instance;
    if (find_member(engine, index, &member, error) < 0 ||
        find_instance(engine, index, &instance, error) < 0 || expand(engine, index, member, call, error) < 0)
        return -1;
    const char *algorithm = call->schedule.algorithm != NULL ? call->schedule.algorithm : "none";
    if (find_result(engine, op, algorithm, &call->result, error) < 0)
        return -1;
    engine->collectives[call->result].calls++;
    if (find_multicast(engine, op->communicator, call, error) < 0)
        return -1;
    if (keep_part(engine, call, error) < 0)
        return -1;
    call->debt_ns = 0;
    call->event = op->event;
    call->rank = index;
    call->communicator = op->communicator;
    call->region = op->region;
    call->instance = instance;
    return 0;
}

/* A step is a message like any other, but on the shadow context and awaited by the collective as a whole. The
 * request is zeroed. */
static inline void fill_request(const struct replay_engine *engine, const struct replay_call *call,
                                const struct trace_step *step, struct replay_request *request)
{
    const struct trace_communicator *members =
        trace_program_communicator(engine->program, call->communicator);
    bool sends = step->kind == TRACE_STEP_SEND;
    request->bytes = step->bytes;
    request->event = call->event;
    request->number = REPLAY_NO_NUMBER;
    request->rank = call->rank;
    request->peer = replay_communicator_rank(members, step->peer);
    request->tag = step->phase;
    request->communicator = call->communicator;
    request->region = call->region;
    request->instance = call->instance;
    request->call = call->self;
    request->kind = sends ? REPLAY_SEND : REPLAY_RECEIVE;
    request->rendezvous = sends && step->bytes > engine->semantics->eager_limit_bytes;
}

int replay_collective_copy(struct replay_engine *engine, const struct replay_call *call,
                           const struct trace_step *step, uint32_t *request, struct base_error *error)
{
    struct replay_request copy = {0};
    fill_request(engine, call, step, &copy);
    copy.rendezvous = false;
    return replay_copy_start(engine, &copy, request, error);
}

int replay_collective_step(struct replay_engine *engine, const struct replay_call *call,
                           const struct trace_step *step, struct base_error *error)
{
    uint32_t index;
    struct replay_request *request = replay_request_new(engine, &index);
    if (request == NULL)
        return base_error_memory(error, "the requests");
    fill_request(engine, call, step, request);
    if (step->kind == TRACE_STEP_SEND) {
        engine->collectives[call->result].messages++;
        engine->collectives[call->result].bytes += step->bytes;
    }
    return replay_request_start(engine, index, error);
}

/* Steps not complete. A blocking call has no place in the pool (`self`): its rank counts for it. */
static uint64_t outstanding(const struct replay_engine *engine, const struct replay_call *call)
{
    return call->self == REPLAY_NONE ? engine->rank[call->rank].awaited : call->outstanding;
}

/* Whether the call's rank must first take the overhead of what the next step sends; that of a non-blocking one is
 * noted, to be taken by the wait for it. */
static bool is_delayed(struct replay_engine *engine, struct replay_call *call)
{
    const struct trace_step *step = &call->schedule.steps[call->step - call->first];
    if (step->kind != TRACE_STEP_SEND)
        return false;
    if (call->self == REPLAY_NONE)
        return replay_host_delays_send(engine, call->rank, step->bytes);
    replay_host_owes_send(engine, call, step->bytes);
    return false;
}

/* Whether a wait is one: for steps, or, of a blocking call, for its rank's processor. */
static bool must_wait(const struct replay_engine *engine, const struct replay_call *call)
{
    return outstanding(engine, call) != 0 ||
           (call->self == REPLAY_NONE && engine->rank[call->rank].free_ns > engine->now_ns);
}

/* Starts steps up to the next wait that is one. It was consumed before the call went to sleep in it, so that
 * it goes on behind it. Returns 1 when the collective is over, 0 when it must wait. */
static int run_steps(struct replay_engine *engine, struct replay_call *call, struct base_error *error)
{
    for (;;) {
        if (call->step == call->first + call->schedule.count) {
            if (call->ahead == 0)
                return 1;
            if (next_part(engine, call, error) < 0)
                return -1;
        }
        if (engine->hosts.on && is_delayed(engine, call))
            return 0;
        if (call->multicasts && call->step == call->schedule.multicast_first) {
            call->step += call->schedule.multicast_count;
            if (replay_multicast_start(engine, call, error) < 0)
                return -1;
            continue;
        }
        const struct trace_step *step = &call->schedule.steps[call->step++ - call->first];
        if (step->kind != TRACE_STEP_WAIT) {
            if (replay_collective_step(engine, call, step, error) < 0)
                return -1;
        } else if (must_wait(engine, call)) {
            return 0;
        }
    }
}

/* Members may enter and leave at different times, so nothing here waits for the others: only messages do. A
 * call without an instance is one that is not under way, which is what the rank's loop looks at. */
static void leave(struct replay_engine *engine, struct replay_call *call)
{
    uint32_t instance = call->instance;
    call->instance = REPLAY_NONE;
    engine->instances[instance].left++;
    release_if_over(engine, instance);
}

/* ---- blocking: called when the rank enters, and again when it has been woken in a wait step. Requests that
 * a schedule leaves open at its end are awaited by the caller. */

int replay_collective_continue(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_call *call = &engine->rank[index].call;
    int over = run_steps(engine, call, error);
    if (over > 0)
        leave(engine, call);
    return over < 0 ? -1 : 0;
}

/* ---- non-blocking */

/* A call from the pool, which keeps the arrays of steps: as many as have been under way at a time. Growing
 * moves all calls, so that no pointer to one is kept across this. */
static uint32_t take_call(struct replay_engine *engine)
{
    uint32_t index = engine->call_free;
    if (index != REPLAY_NONE) {
        engine->call_free = engine->calls[index].next;
        return index;
    }
    if (base_grow_32(&engine->calls, &engine->call_capacity, (size_t)engine->call_count + 1,
                     sizeof *engine->calls) != 0)
        return REPLAY_NONE;
    index = engine->call_count++;
    engine->calls[index] = (struct replay_call){.self = index, .instance = REPLAY_NONE};
    return index;
}

/* Goes on with a call until it must wait. When it is over its request is complete, and the call free. */
static int continue_call(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_call *call = &engine->calls[index];
    call->running = true;
    int over = run_steps(engine, call, error);
    call->running = false;
    if (over <= 0 || call->outstanding != 0)
        return over < 0 ? -1 : 0;
    leave(engine, call);
    if (engine->semantics->recorder != NULL)
        engine->requests[call->request].begun_ns = replay_wait_collected(engine, call);
    call->next = engine->call_free;
    engine->call_free = index;
    if (engine->hosts.on && replay_host_collected(engine, call->request, call->debt_ns, error) < 0)
        return -1;
    return replay_request_complete(engine, call->request, error);
}

/* Not gone on with on the spot: requests may be in the middle of their own completion. While its steps are
 * being started the call sees for itself. */
void replay_collective_step_done(struct replay_engine *engine, uint32_t index)
{
    struct replay_call *call = &engine->calls[index];
    if (--call->outstanding != 0 || call->running)
        return;
    if (engine->semantics->recorder != NULL)
        replay_wait_stepped(engine, call);
    call->next = REPLAY_NONE;
    if (engine->ready == REPLAY_NONE)
        engine->ready = index;
    else
        engine->calls[engine->ready_last].next = index;
    engine->ready_last = index;
}

/* Put aside until its rank enters a call: appended to the rank's own list. */
static void put_aside(struct replay_engine *engine, uint32_t index)
{
    struct replay_rank *rank = &engine->rank[engine->calls[index].rank];
    engine->calls[index].next = REPLAY_NONE;
    if (rank->ready == REPLAY_NONE)
        rank->ready = index;
    else
        engine->calls[rank->ready_last].next = index;
    rank->ready_last = index;
}

/* Behind those that are ready already; then all go on. */
int replay_collective_resume(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    if (rank->ready == REPLAY_NONE)
        return 0;
    if (engine->ready == REPLAY_NONE)
        engine->ready = rank->ready;
    else
        engine->calls[engine->ready_last].next = rank->ready;
    engine->ready_last = rank->ready_last;
    rank->ready = REPLAY_NONE;
    return replay_collective_ready(engine, error);
}

/* First ready, first continued. A call that goes on may make others ready: those follow. */
int replay_collective_ready(struct replay_engine *engine, struct base_error *error)
{
    while (engine->ready != REPLAY_NONE) {
        uint32_t index = engine->ready, request = engine->calls[index].request;
        engine->ready = engine->calls[index].next;
        if (replay_host_is_away(engine, engine->calls[index].rank)) {
            put_aside(engine, index);
            continue;
        }
        if (continue_call(engine, index, error) < 0)
            return -1;
        if (engine->requests[request].complete)
            replay_request_release(engine, request);
    }
    return 0;
}

/* The request is there before the first step, and attended to after it: a collective without steps is
 * complete by then. Ready calls are continued at the end, as this one's first steps may have completed
 * others. */
static int enter_nonblocking(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    struct replay_request request = {.event = rank->op.event,
                                     .number = rank->op.request,
                                     .rank = index,
                                     .peer = index,
                                     .communicator = rank->op.communicator,
                                     .region = rank->op.region,
                                     .instance = REPLAY_NONE,
                                     .call = REPLAY_NONE,
                                     .kind = REPLAY_COLLECTIVE};
    uint32_t call = take_call(engine);
    uint32_t handle;
    if (call == REPLAY_NONE)
        return base_error_memory(error, "the collectives under way");
    if (prepare(engine, index, &engine->calls[call], error) < 0)
        return -1;
    handle = replay_request_take(engine, &request);
    if (handle == REPLAY_NONE)
        return base_error_memory(error, "the requests");
    engine->calls[call].request = handle;
    engine->calls[call].blocked_ns = UINT64_MAX;
    rank->next_request = rank->op.request + 1;
    if (continue_call(engine, call, error) < 0 || replay_request_attend(engine, handle, error) < 0)
        return -1;
    if (engine->requests[handle].complete)
        replay_request_release(engine, handle);
    return replay_collective_ready(engine, error);
}

/* What the flag says decides who waits for the steps. */
int replay_collective_enter(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    if ((rank->op.flags & TRACE_NONBLOCKING) != 0)
        return enter_nonblocking(engine, index, error);
    return prepare(engine, index, &rank->call, error);
}
