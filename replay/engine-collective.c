/* Collectives: the steps that trace_collective_schedule gives a member, executed one by one. Their messages
 * match on a shadow context, keyed by the instance (the n-th collective on its communicator) and the step's
 * phase, so that consecutive collectives never mix however far one member is ahead of another. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "replay/engine-internal.h"

/* Makes rank numbers in a communicator known, when it is first used. */
static int learn_members(struct replay_engine *engine, uint32_t communicator, struct base_error *error)
{
    const struct trace_communicator *members = trace_program_communicator(engine->program, communicator);
    for (uint32_t i = 0; i < members->size; i++) {
        if (members->members[i] >= engine->ranks)
            return base_error_set(
                error, BASE_INPUT, "%s: %s contains rank %" PRIu32 ", but the trace has %" PRIu32 " ranks",
                trace_program_path(engine->program), members->name, members->members[i], engine->ranks);
        if (base_table_put(&engine->member_of, communicator, members->members[i], i) < 0)
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
        void *grown = engine->instance_count > INT32_MAX
                          ? NULL
                          : replay_grow(engine->instances, &engine->instance_capacity,
                                        engine->instance_count + 1, sizeof *engine->instances);
        if (grown == NULL)
            return base_error_memory(error, "the collectives under way");
        engine->instances = grown;
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

/* The collective of the rank's op, which must be the same one for all its members. */
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

/* The row of a (collective, algorithm) pair. Rows are few: two or three for each collective that a program
 * uses. */
static int find_result(struct replay_engine *engine, enum trace_collective collective, const char *algorithm,
                       uint32_t *row, struct base_error *error)
{
    struct replay_collective_result *results = engine->collectives;
    for (size_t i = 0; i < engine->collective_count; i++)
        if (results[i].collective == collective &&
            (results[i].algorithm == algorithm || strcmp(results[i].algorithm, algorithm) == 0)) {
            *row = (uint32_t)i;
            return 0;
        }
    if (engine->collective_count == engine->collective_capacity) {
        size_t capacity = engine->collective_capacity != 0 ? 2 * engine->collective_capacity : 16;
        results = realloc(results, capacity * sizeof *results);
        if (results == NULL)
            return base_error_memory(error, "the counts of the collectives");
        engine->collectives = results;
        engine->collective_capacity = capacity;
    }
    *row = (uint32_t)engine->collective_count++;
    results[*row] = (struct replay_collective_result){.collective = collective, .algorithm = algorithm};
    return 0;
}

/* All members have returned and none of its messages is in a queue: the key may be used again. The second
 * condition only matters for a schedule that is wrong; its unmatched messages are then listed at the end and
 * match nothing else. */
static void release_if_over(struct replay_engine *engine, uint32_t index)
{
    struct replay_instance *instance = &engine->instances[index];
    if (instance->unmatched != 0 ||
        instance->left != trace_program_communicator(engine->program, instance->communicator)->size)
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

/* The schedule of a call. What is impossible about it is told without knowing where: the place is added here.
 */
static int expand(struct replay_engine *engine, uint32_t index, const struct trace_collective_call *call,
                  struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    struct base_error reason; /* filled on failure; too large to clear for every call */
    if (trace_collective_schedule(engine->options->collectives, call, &rank->schedule, &reason) == 0)
        return 0;
    if (reason.status == BASE_INPUT)
        return replay_error_at(engine, index, rank->op.event, error, "%s", reason.text);
    return base_error_set(error, reason.status, "%s", reason.text);
}

/* Members may enter and leave at different times, so nothing here waits for the others: only messages do. The
 * call is counted by the algorithm that this member's own record leads to. */
int replay_collective_enter(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    const struct trace_op *op = &rank->op;
    uint32_t member, instance;
    if (find_member(engine, index, &member, error) < 0 || find_instance(engine, index, &instance, error) < 0)
        return -1;
    struct trace_collective_call call = {
        .collective = op->collective,
        .ranks = trace_program_communicator(engine->program, op->communicator)->size,
        .rank = member,
        .root = op->root,
        .bytes = op->bytes,
        .vector = op->vector};
    if (expand(engine, index, &call, error) < 0)
        return -1;
    const char *algorithm = rank->schedule.algorithm != NULL ? rank->schedule.algorithm : "none";
    if (find_result(engine, op->collective, algorithm, &rank->result, error) < 0)
        return -1;
    engine->collectives[rank->result].calls++;
    rank->instance = instance;
    rank->step = 0;
    return 0;
}

/* A step is a message like any other, but on the shadow context and awaited by the collective as a whole. */
static int start_step(struct replay_engine *engine, uint32_t index, const struct trace_step *step,
                      struct base_error *error)
{
    const struct replay_rank *rank = &engine->rank[index];
    const struct trace_communicator *members =
        trace_program_communicator(engine->program, rank->op.communicator);
    bool sends = step->kind == TRACE_STEP_SEND;
    struct replay_request request = {.bytes = step->bytes,
                                     .event = rank->op.event,
                                     .number = REPLAY_NO_NUMBER,
                                     .rank = index,
                                     .peer = members->members[step->peer],
                                     .tag = step->phase,
                                     .communicator = rank->op.communicator,
                                     .region = rank->op.region,
                                     .instance = rank->instance,
                                     .kind = sends ? REPLAY_SEND : REPLAY_RECEIVE,
                                     .rendezvous = sends && step->bytes > engine->options->eager_limit_bytes};
    return replay_request_start(engine, &request, error);
}

/* Called when the rank enters, and again when it has been woken in a wait step: the step was consumed before,
 * so it goes on behind it. Requests that a schedule leaves open at its end are awaited by the caller. */
int replay_collective_continue(struct replay_engine *engine, uint32_t index, struct base_error *error)
{
    struct replay_rank *rank = &engine->rank[index];
    while (rank->step < rank->schedule.count) {
        const struct trace_step *step = &rank->schedule.steps[rank->step++];
        if (step->kind != TRACE_STEP_WAIT) {
            if (start_step(engine, index, step, error) < 0)
                return -1;
        } else if (rank->awaited != 0) {
            return 0;
        }
    }
    uint32_t instance = rank->instance;
    rank->instance = REPLAY_NONE;
    engine->instances[instance].left++;
    release_if_over(engine, instance);
    return 0;
}
