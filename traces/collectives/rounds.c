/* Steps of messages, from the schedules of all ranks. First every receive is matched with its send; then the
 * ranks go through their steps, each as far as the messages that it waits for are sent.
 *
 *      schedules ─► list_actions ─► match ─► run ─► the step of every message
 *
 * Messages are numbered by their sender, and in the order sent. An action is four bytes: the number of the
 * message that is sent or received, or a wait.
 *
 * Costs: O(messages) memory, 4 bytes an action and 16 a send or receive, and a sort of the messages; the walk
 * itself touches every action once. */
#include "traces/collectives/rounds.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/grow.h"

/* What an action is, in its upper bits. */
#define SEND UINT32_C(0)
#define RECEIVE (UINT32_C(1) << 30)
#define WAIT (UINT32_C(2) << 30)
#define KIND_MASK (UINT32_C(3) << 30)

#define NOBODY UINT32_MAX

/* A send or a receive, until they are matched. */
struct half {
    uint32_t destination, source, phase; /* the key that both halves of a message have in common */
    uint32_t place;                      /* the number of the message; of a receive the place of its action */
};

struct halves {
    struct half *items;     /* sorted by key before they are matched */
    size_t count, capacity; /* of items */
};

/* Where a rank is. */
struct walker {
    uint32_t action;     /* the next one */
    uint32_t looked;     /* the first action whose message no wait has looked at */
    uint32_t level;      /* the largest step of the messages waited for */
    uint32_t pending;    /* the same, with those posted since the last wait */
    uint32_t blocked_on; /* a message that is not sent yet, or NOBODY */
};

struct work {
    const struct trace_rounds *rounds;
    uint32_t ranks; /* of the communicator */
    uint32_t *actions;
    size_t action_count, action_capacity; /* over all ranks */
    size_t *first_action;                 /* [rank], one more at the end */
    struct halves sends, receives;
    uint32_t *destinations; /* of the messages */
    struct walker *walkers;
    uint32_t *ready; /* a stack of ranks that can go on */
    uint32_t ready_count;
    uint32_t *steps;
};

/* The same call as another rank sees it. */
static struct trace_collective_call call_of(const struct trace_rounds *rounds, uint32_t rank)
{
    struct trace_collective_call call = rounds->call;
    call.rank = rank;
    return call;
}

/* ---- All that is sent ---- */

/* One rank's part of the totals. */
static int add_rank(struct trace_rounds *rounds, const struct trace_schedule *schedule,
                    struct base_error *error)
{
    uint64_t messages = 0, bytes = 0;
    bool overflow = false;

    for (size_t i = 0; i < schedule->count; i++)
        if (schedule->steps[i].kind == TRACE_STEP_SEND) {
            messages++;
            overflow |= __builtin_add_overflow(bytes, schedule->steps[i].bytes, &bytes);
        }
    if (overflow || __builtin_add_overflow(rounds->bytes, bytes, &rounds->bytes))
        return base_error_set(
            error, BASE_INPUT,
            "%s of %" PRIu64 " bytes on %" PRIu32 " ranks sends more bytes than 64 bits can count",
            trace_collective_name(rounds->call.collective), rounds->call.bytes, rounds->call.ranks);
    rounds->messages += messages;
    if (messages > rounds->rank_messages_max)
        rounds->rank_messages_max = messages;
    if (bytes > rounds->rank_bytes_max)
        rounds->rank_bytes_max = bytes;
    return 0;
}

/* Messages and bytes of all ranks, a schedule at a time: memory does not grow with the number of messages. All
 * ranks have the same algorithm and segments. */
static int add_up(struct trace_rounds *rounds, struct base_error *error)
{
    struct trace_schedule schedule = {0};
    int status = 0;

    for (uint32_t rank = 0; rank < rounds->call.ranks && status == 0; rank++) {
        struct trace_collective_call call = call_of(rounds, rank);
        status = trace_collective_schedule(rounds->tuning, &call, &schedule, error);
        if (status == 0)
            status = add_rank(rounds, &schedule, error);
        rounds->algorithm = schedule.algorithm;
        rounds->segment_bytes = schedule.segment_bytes;
    }
    trace_schedule_free(&schedule);
    return status;
}

/* ---- Matching ---- */

/* -1: memory. */
static int append_half(struct halves *halves, struct half half)
{
    if (base_grow(&halves->items, &halves->capacity, halves->count + 1, sizeof *halves->items) != 0)
        return -1;
    halves->items[halves->count++] = half;
    return 0;
}

/* A schedule as actions. A receive does not know its message yet. */
static int list_rank(struct work *work, uint32_t rank, const struct trace_schedule *schedule)
{
    int status = base_grow(&work->actions, &work->action_capacity, work->action_count + schedule->count,
                           sizeof *work->actions);

    for (size_t i = 0; i < schedule->count && status == 0; i++) {
        const struct trace_step *step = &schedule->steps[i];
        size_t at = work->action_count++;
        uint32_t number = (uint32_t)work->sends.count;
        if (step->kind == TRACE_STEP_WAIT) {
            work->actions[at] = WAIT;
        } else if (step->kind == TRACE_STEP_SEND) {
            work->actions[at] = SEND | number;
            work->destinations[number] = step->peer;
            status = append_half(&work->sends, (struct half){step->peer, rank, step->phase, number});
        } else {
            status = append_half(&work->receives, (struct half){rank, step->peer, step->phase, (uint32_t)at});
        }
    }
    return status;
}

/* Once more all schedules, now kept as actions; first_action[rank] is where a rank's begin. */
static int list_actions(struct work *work, struct base_error *error)
{
    struct trace_schedule schedule = {0};
    int status = 0;

    for (uint32_t rank = 0; rank < work->ranks && status == 0; rank++) {
        struct trace_collective_call call = call_of(work->rounds, rank);
        work->first_action[rank] = work->action_count;
        status = trace_collective_schedule(work->rounds->tuning, &call, &schedule, error);
        if (status == 0 && list_rank(work, rank, &schedule) != 0)
            status = base_error_memory(error, "the messages of a collective");
    }
    work->first_action[work->ranks] = work->action_count;
    trace_schedule_free(&schedule);
    return status;
}

/* By pair and phase, and within these in the order of posting: numbers rise in that order on both sides. */
static int compare_halves(const void *left, const void *right)
{
    const struct half *a = left, *b = right;

    if (a->destination != b->destination)
        return a->destination < b->destination ? -1 : 1;
    if (a->source != b->source)
        return a->source < b->source ? -1 : 1;
    if (a->phase != b->phase)
        return a->phase < b->phase ? -1 : 1;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* What two halves must share to be one message. */
static bool same_channel(const struct half *a, const struct half *b)
{
    return a->destination == b->destination && a->source == b->source && a->phase == b->phase;
}

/* Messages of one pair with one phase match in order, so that sorting is matching. */
static int match(struct work *work, struct base_error *error)
{
    const struct half *sends = work->sends.items, *receives = work->receives.items;
    bool fit = work->sends.count == work->receives.count;

    qsort(work->sends.items, work->sends.count, sizeof *sends, compare_halves);
    qsort(work->receives.items, work->receives.count, sizeof *receives, compare_halves);
    for (size_t i = 0; i < work->sends.count && fit; i++) {
        fit = same_channel(&sends[i], &receives[i]);
        work->actions[receives[i].place] = RECEIVE | sends[i].place;
    }
    return fit ? 0
               : base_error_set(error, BASE_INPUT, "%s: a message without its receive",
                                work->rounds->algorithm);
}

/* ---- Steps ---- */

/* The receiver may wait for this very message. A message's step is one more than what its sender had waited for by
 * then; it counts for the sender itself from its next wait on. */
static void send(struct work *work, struct walker *walker, uint32_t number)
{
    struct walker *receiver = &work->walkers[work->destinations[number]];
    uint32_t step = walker->level + 1;

    work->steps[number] = step;
    if (step > walker->pending)
        walker->pending = step;
    if (receiver->blocked_on == number) {
        receiver->blocked_on = NOBODY;
        work->ready[work->ready_count++] = work->destinations[number];
    }
}

/* At a wait: the messages of the receives since the one before, from the place `looked` on. False: one of
 * them is not sent yet. */
static bool receive_all(struct work *work, struct walker *walker)
{
    for (; walker->looked < walker->action; walker->looked++) {
        uint32_t action = work->actions[walker->looked], number = action & ~KIND_MASK;
        if ((action & KIND_MASK) != RECEIVE)
            continue;
        if (work->steps[number] == 0) {
            walker->blocked_on = number;
            return false;
        }
        if (work->steps[number] > walker->pending)
            walker->pending = work->steps[number];
    }
    return true;
}

/* One rank, as far as it gets. */
static void go_on(struct work *work, uint32_t rank)
{
    struct walker *walker = &work->walkers[rank];

    for (; walker->action < work->first_action[rank + 1]; walker->action++) {
        uint32_t action = work->actions[walker->action];
        if ((action & KIND_MASK) == SEND)
            send(work, walker, action & ~KIND_MASK);
        if ((action & KIND_MASK) != WAIT)
            continue;
        if (!receive_all(work, walker))
            return;
        walker->level = walker->pending;
    }
}

/* Everybody once, and then whoever was waited for. A rank is on the stack no more than once: it is put there
 * when it begins, and when what it is blocked on is sent. */
static void run(struct work *work)
{
    for (uint32_t rank = work->ranks; rank-- > 0;) {
        work->walkers[rank].action = work->walkers[rank].looked = (uint32_t)work->first_action[rank];
        work->walkers[rank].blocked_on = NOBODY;
        work->ready[work->ready_count++] = rank;
    }
    while (work->ready_count > 0)
        go_on(work, work->ready[--work->ready_count]);
}

/* The largest; every message has one. */
static int check_steps(struct trace_rounds *rounds, struct base_error *error)
{
    for (uint64_t i = 0; i < rounds->messages; i++) {
        if (rounds->steps[i] == 0)
            return base_error_set(error, BASE_INPUT, "%s: ranks wait for each other", rounds->algorithm);
        if (rounds->steps[i] > rounds->steps_max)
            rounds->steps_max = rounds->steps[i];
    }
    return 0;
}

/* A message is a step behind the last one that its sender had to wait for: walkers follow every rank's actions as
 * far as what they wait for has been sent. An algorithm that waits in a circle is found by what is left. */
static int count_steps(struct trace_rounds *rounds, struct base_error *error)
{
    struct work work = {.rounds = rounds, .ranks = rounds->call.ranks};
    size_t ranks = work.ranks;
    int status = -1;

    work.first_action = calloc(ranks + 1, sizeof *work.first_action);
    work.walkers = calloc(ranks, sizeof *work.walkers);
    work.ready = calloc(ranks, sizeof *work.ready);
    work.destinations = calloc((size_t)rounds->messages, sizeof *work.destinations);
    work.steps = rounds->steps = calloc((size_t)rounds->messages, sizeof *work.steps);
    if (work.first_action == NULL || work.walkers == NULL || work.ready == NULL ||
        work.destinations == NULL || work.steps == NULL) {
        base_error_memory(error, "the steps of a collective");
    } else if (list_actions(&work, error) == 0 && match(&work, error) == 0) {
        run(&work);
        status = check_steps(rounds, error);
    }
    free(work.first_action);
    free(work.walkers);
    free(work.ready);
    free(work.destinations);
    free(work.actions);
    free(work.sends.items);
    free(work.receives.items);
    return status;
}

/* ---- The whole ---- */

/* Totals always; steps only of collectives with few enough messages to keep them all. */
int trace_rounds_init(struct trace_rounds *rounds, const struct trace_tuning *tuning,
                      const struct trace_collective_call *call, struct base_error *error)
{
    *rounds = (struct trace_rounds){.tuning = tuning, .call = *call};
    if (add_up(rounds, error) != 0)
        return -1;
    if (rounds->messages == 0 || rounds->messages > TRACE_ROUNDS_MESSAGES_MAX)
        return 0;
    return count_steps(rounds, error);
}

void trace_rounds_free(struct trace_rounds *rounds)
{
    free(rounds->steps);
    *rounds = (struct trace_rounds){0};
}

/* Numbers are counted as when the steps were. */
int trace_rounds_each(const struct trace_rounds *rounds, trace_round_put *put, void *context,
                      struct base_error *error)
{
    struct trace_schedule schedule = {0};
    uint64_t number = 0;
    int status = 0;

    for (uint32_t rank = 0; rank < rounds->call.ranks && status == 0; rank++) {
        struct trace_collective_call call = call_of(rounds, rank);
        status = trace_collective_schedule(rounds->tuning, &call, &schedule, error);
        for (size_t i = 0; i < schedule.count && status == 0; i++) {
            const struct trace_step *step = &schedule.steps[i];
            struct trace_round_message message = {rank, 0, step->peer, step->bytes};
            if (step->kind != TRACE_STEP_SEND)
                continue;
            message.step = rounds->steps != NULL ? rounds->steps[number] : 0;
            number++;
            status = put(context, &message);
        }
    }
    trace_schedule_free(&schedule);
    return status;
}
