/* All ranks of a collective together: totals are those of the schedules, and steps those of the definition,
 * which is worked out here by repeating it until nothing changes. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "traces/collectives/rounds.h"

#define RANKS_MAX 13

/* The schedules of all ranks, and what is known of the steps of their sends. */
struct reference {
    struct trace_schedule schedules[RANKS_MAX];
    uint32_t *steps[RANKS_MAX]; /* [place in the schedule] */
    uint32_t ranks;
};

/* The step of the message that a receive gets: of the sends with its peer and phase the one as far down the
 * list. */
static uint32_t step_received(const struct reference *reference, uint32_t rank, size_t place)
{
    const struct trace_step *own = reference->schedules[rank].steps;
    const struct trace_step *theirs;
    uint32_t peer = own[place].peer, phase = own[place].phase, before = 0;
    size_t i = 0;

    for (size_t k = 0; k < place; k++)
        before += own[k].kind == TRACE_STEP_RECEIVE && own[k].peer == peer && own[k].phase == phase;
    for (theirs = reference->schedules[peer].steps; i < reference->schedules[peer].count; i++)
        if (theirs[i].kind == TRACE_STEP_SEND && theirs[i].peer == rank && theirs[i].phase == phase &&
            before-- == 0)
            return reference->steps[peer][i];
    fail_msg("a receive without its message");
    return 0;
}

/* Once through a rank's schedule. True: a step has changed. */
static bool work_out(struct reference *reference, uint32_t rank)
{
    const struct trace_schedule *schedule = &reference->schedules[rank];
    uint32_t waited = 0, posted = 0;
    bool changed = false;

    for (size_t i = 0; i < schedule->count; i++) {
        uint32_t step = waited + 1;
        if (schedule->steps[i].kind == TRACE_STEP_WAIT) {
            waited = posted > waited ? posted : waited;
            continue;
        }
        if (schedule->steps[i].kind == TRACE_STEP_RECEIVE)
            step = step_received(reference, rank, i);
        changed |= reference->steps[rank][i] != step;
        reference->steps[rank][i] = step;
        posted = step > posted ? step : posted;
    }
    return changed;
}

/* Where a message is in the list of all. */
struct position {
    const struct reference *reference;
    uint32_t rank;
    size_t place;
};

static int compare_message(void *context, const struct trace_round_message *message)
{
    struct position *at = context;
    const struct trace_schedule *schedule = &at->reference->schedules[at->rank];

    while (at->place >= schedule->count || schedule->steps[at->place].kind != TRACE_STEP_SEND) {
        at->place++;
        if (at->place >= schedule->count) {
            at->place = 0;
            schedule = &at->reference->schedules[++at->rank];
            assert_true(at->rank < at->reference->ranks);
        }
    }
    assert_int_equal(message->rank, at->rank);
    assert_int_equal(message->destination, schedule->steps[at->place].peer);
    assert_int_equal(message->bytes, schedule->steps[at->place].bytes);
    assert_int_equal(message->step, at->reference->steps[at->rank][at->place]);
    at->place++;
    return 0;
}

static void compare_totals(const struct reference *reference, const struct trace_rounds *rounds)
{
    uint64_t messages = 0, bytes = 0, messages_max = 0, bytes_max = 0;
    uint32_t steps_max = 0;

    for (uint32_t rank = 0; rank < reference->ranks; rank++) {
        uint64_t own_messages = 0, own_bytes = 0;
        for (size_t i = 0; i < reference->schedules[rank].count; i++)
            if (reference->schedules[rank].steps[i].kind == TRACE_STEP_SEND) {
                own_messages++;
                own_bytes += reference->schedules[rank].steps[i].bytes;
                if (reference->steps[rank][i] > steps_max)
                    steps_max = reference->steps[rank][i];
            }
        messages += own_messages, bytes += own_bytes;
        messages_max = own_messages > messages_max ? own_messages : messages_max;
        bytes_max = own_bytes > bytes_max ? own_bytes : bytes_max;
    }
    assert_int_equal(rounds->messages, messages);
    assert_int_equal(rounds->bytes, bytes);
    assert_int_equal(rounds->rank_messages_max, messages_max);
    assert_int_equal(rounds->rank_bytes_max, bytes_max);
    assert_int_equal(rounds->steps_max, steps_max);
}

static void compare_call(const struct trace_tuning *tuning, const struct trace_collective_call *call)
{
    struct reference reference = {.ranks = call->ranks};
    struct trace_rounds rounds;
    struct position position = {&reference, 0, 0};
    bool changed = true;

    for (uint32_t rank = 0; rank < call->ranks; rank++) {
        struct trace_collective_call own = *call;
        own.rank = rank;
        assert_int_equal(trace_collective_schedule(tuning, &own, &reference.schedules[rank], NULL), 0);
        reference.steps[rank] = calloc(reference.schedules[rank].count + 1, sizeof **reference.steps);
        assert_non_null(reference.steps[rank]);
    }
    while (changed) {
        changed = false;
        for (uint32_t rank = 0; rank < call->ranks; rank++)
            changed |= work_out(&reference, rank);
    }
    assert_int_equal(trace_rounds_init(&rounds, tuning, call, NULL), 0);
    assert_string_equal(rounds.algorithm, reference.schedules[0].algorithm);
    compare_totals(&reference, &rounds);
    assert_int_equal(trace_rounds_each(&rounds, compare_message, &position, NULL), 0);
    trace_rounds_free(&rounds);
    for (uint32_t rank = 0; rank < call->ranks; rank++) {
        trace_schedule_free(&reference.schedules[rank]);
        free(reference.steps[rank]);
    }
}

/* Every operation by every table. */
static void steps_are_those_of_the_definition(void **state)
{
    static const uint64_t sizes[] = {8, 4096, 100000, 1048576};
    static const uint32_t ranks[] = {1, 2, 5, 8, RANKS_MAX};
    size_t count;
    const struct trace_tuning *const *all = trace_tunings(&count);
    (void)state;

    for (size_t i = 0; i < count; i++)
        for (uint32_t collective = 0; collective < TRACE_COLLECTIVES; collective++)
            for (size_t k = 0; k < sizeof sizes / sizeof *sizes * (sizeof ranks / sizeof *ranks); k++) {
                struct trace_collective_call call = {.collective = (enum trace_collective)collective,
                                                     .ranks = ranks[k / 4],
                                                     .root = ranks[k / 4] / 3,
                                                     .bytes = sizes[k % 4]};
                compare_call(all[i], &call);
            }
}

static int stop(void *context, const struct trace_round_message *message)
{
    (void)message;
    return ++*(uint32_t *)context == 3 ? 7 : 0;
}

static void whoever_writes_may_stop(void **state)
{
    struct trace_collective_call call = {.collective = TRACE_BCAST, .ranks = 9, .bytes = 8};
    struct trace_rounds rounds;
    uint32_t calls = 0;
    (void)state;

    assert_int_equal(trace_rounds_init(&rounds, trace_tuning_find("mpich", NULL), &call, NULL), 0);
    assert_int_equal(trace_rounds_each(&rounds, stop, &calls, NULL), 7);
    assert_int_equal(calls, 3);
    trace_rounds_free(&rounds);
}

static void sums_beyond_64_bits_are_refused(void **state)
{
    struct trace_collective_call call = {
        .collective = TRACE_ALLTOALL, .ranks = 4096, .bytes = UINT64_C(1) << 50};
    struct base_error error = {0};
    struct trace_rounds rounds;
    (void)state;

    assert_int_equal(trace_rounds_init(&rounds, trace_tuning_find("mpich", NULL), &call, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_non_null(strstr(error.text, "more bytes than 64 bits can count"));
    trace_rounds_free(&rounds);
}

/* Fails for memory and nothing else. */
static int count_rounds(void *context)
{
    struct trace_collective_call call = {.collective = TRACE_ALLGATHER, .ranks = 6, .bytes = 64};
    struct base_error error = {0};
    struct trace_rounds rounds;
    int status = trace_rounds_init(&rounds, context, &call, &error);

    if (status != 0)
        assert_int_equal(error.status, BASE_SYSTEM);
    trace_rounds_free(&rounds);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(fail_alloc_each(count_rounds, (void *)(uintptr_t)trace_tuning_find("mpich", NULL)) >= 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_those_of_the_definition),
        cmocka_unit_test(whoever_writes_may_stop),
        cmocka_unit_test(sums_beyond_64_bits_are_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
