/* A team does every piece once, tells the lowest failure, and stops when it is told to: with any number of threads. */
#include "tests/suite.h"

#include <sched.h>
#include <string.h>

#include "base/team.h"

#define PIECES 500

/* What the threads leave behind. Each piece has a place of its own. */
struct record {
    uint32_t times[PIECES];
    uint32_t ended;      /* under the team's lock */
    uint32_t bad, worse; /* pieces that fail; PIECES: none */
    uint32_t last;       /* after this piece the team is stopped; PIECES: never */
    uint32_t callers;
    atomic_bool stop;
};

static void work(struct base_team *team, void *context, bool is_caller)
{
    struct record *record = context;
    struct base_error error = {0};
    uint32_t number;

    if (is_caller)
        record->callers++;
    while (base_team_take(team, &number)) {
        int status = 0;
        record->times[number]++;
        if (number == record->bad || number == record->worse)
            status = base_error_set(&error, BASE_INPUT, "piece %u", (unsigned)number);
        base_team_lock(team);
        record->ended++;
        base_team_unlock(team);
        if (number == record->last)
            atomic_store(&record->stop, true);
        assert_true(base_team_end(team, number, status, &error) <= team->count);
    }
}

static const uint32_t threads[] = {0, 1, 2, 7, 1000};

static void every_piece_is_done_once(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct record record = {.bad = PIECES, .worse = PIECES, .last = PIECES};
        struct base_team team = {.count = PIECES, .threads = threads[i]};
        struct base_error error = {0};
        assert_int_equal(base_team_run(&team, work, &record, &error), 0);
        assert_int_equal(record.ended, PIECES);
        assert_int_equal(record.callers, 1);
        for (uint32_t piece = 0; piece < PIECES; piece++)
            assert_int_equal(record.times[piece], 1);
    }
}

/* Helpers alone do the pieces; the caller sees when they have ended. */
static void listen_to_helpers(struct base_team *team, void *context, bool is_caller)
{
    struct record *record = context;

    if (!is_caller) {
        work(team, context, false);
        return;
    }
    while (base_team_working(team) > 0)
        sched_yield();
    record->callers = record->ended; /* all that there will be */
}

static void a_caller_that_listens_takes_no_piece(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct record record = {.bad = PIECES, .worse = PIECES, .last = PIECES};
        struct base_team team = {.count = PIECES, .threads = threads[i], .caller_listens = true};
        struct base_error error = {0};
        assert_int_equal(base_team_run(&team, listen_to_helpers, &record, &error), 0);
        assert_int_equal(record.ended, threads[i] > 0 ? PIECES : 0);
        assert_int_equal(record.callers, record.ended);
    }
}

/* The lower of two, whoever was first; and what stands before it has been done. */
static void the_lowest_failure_is_told(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct record record = {.bad = 40, .worse = 41, .last = PIECES};
        struct base_team team = {.count = PIECES, .threads = threads[i]};
        struct base_error error = {0};
        assert_int_equal(base_team_run(&team, work, &record, &error), -1);
        assert_int_equal(error.status, BASE_INPUT);
        assert_string_equal(error.text, "piece 40");
        for (uint32_t piece = 0; piece <= 40; piece++)
            assert_int_equal(record.times[piece], 1);
        if (threads[i] < 2)
            assert_int_equal(record.ended, 41);
    }
}

/* To be stopped is no failure. Whoever had begun a piece ends it. */
static void a_stopped_team_begins_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof threads / sizeof *threads; i++) {
        struct record record = {.bad = PIECES, .worse = PIECES, .last = 9};
        struct base_team team = {.count = PIECES, .threads = threads[i], .stop = &record.stop};
        struct base_error error = {0};

        assert_int_equal(base_team_run(&team, work, &record, &error), 0);
        assert_in_range(record.ended, 10, PIECES);
        if (threads[i] < 2)
            assert_int_equal(record.ended, 10);
        for (uint32_t piece = 0; piece < PIECES; piece++)
            assert_int_equal(record.times[piece], piece < record.ended);
    }
}

static void no_piece_is_no_work(void **state)
{
    struct record record = {.bad = PIECES, .worse = PIECES, .last = PIECES};
    struct base_team team = {.count = 0, .threads = 4};
    struct base_error error = {0};
    (void)state;

    assert_int_equal(base_team_run(&team, work, &record, &error), 0);
    assert_int_equal(record.ended, 0);
    assert_int_equal(record.callers, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_is_done_once),   cmocka_unit_test(a_caller_that_listens_takes_no_piece),
        cmocka_unit_test(the_lowest_failure_is_told), cmocka_unit_test(a_stopped_team_begins_nothing),
        cmocka_unit_test(no_piece_is_no_work),
    };
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
