/* A store of results whose memory runs out, everywhere once: ours, and that which SQLite asks for. What was
 * on disk stays readable, and nothing is left behind in memory. */
#include <config.h>

#include "tests/suite.h"

#include <malloc.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/build.h"
#include "replay/compare/store.h"
#include "reports/comparison/results.h"
#include "tests/brief.h"
#include "tests/fail-alloc.h"

static char directory[4096], first[4200], second[4200];

/* ---- SQLite's memory from the wrapped functions ---- */

static void *take(int size)
{
    return malloc((size_t)size);
}

static void *resize(void *piece, int size)
{
    return realloc(piece, (size_t)size);
}

static int size_of(void *piece)
{
    return piece == NULL ? 0 : (int)malloc_usable_size(piece);
}

static int round_up(int size)
{
    return (size + 7) & ~7;
}

static int begin(void *context)
{
    (void)context;
    return SQLITE_OK;
}

static void end(void *context)
{
    (void)context;
}

/* ---- the plan: two networks, two mappings, two seeds ---- */

static struct replay_plan *make_plan(struct replay_values *values, struct replay_settings *settings,
                                     struct base_error *error)
{
    if (replay_settings_init(settings, error) != 0 ||
        replay_settings_set(settings, REPLAY_SEEDS, "2", error) != 0 ||
        replay_values_add_trace(values, "generate:ring,ranks=4", error) != 0 ||
        replay_values_add(values, REPLAY_TOPOLOGY, "torus:2x4", error) != 0 ||
        replay_values_add(values, REPLAY_TOPOLOGY, "torus:2x2", error) != 0 ||
        replay_values_add(values, REPLAY_MAPPING, "identity", error) != 0 ||
        replay_values_add(values, REPLAY_MAPPING, "random", error) != 0)
        return NULL;
    return replay_plan_new(values, settings, error);
}

static int plan_and_forget(void *state)
{
    struct replay_values values = {0};
    struct replay_settings settings = {0};
    struct base_error error = {0};
    struct replay_plan *plan = make_plan(&values, &settings, &error);
    int status = plan == NULL ? -1 : 0;

    (void)state;
    if (plan == NULL)
        assert_int_equal(error.status, BASE_SYSTEM);
    else
        assert_int_equal(report_comparison_runs(&plan->comparison), 8);
    replay_plan_free(plan);
    replay_values_free(&values);
    replay_settings_free(&settings);
    return status;
}

/* What is decoded while a trace is read can be done without: it is decoded once more. Nothing else can. */
static void a_plan_runs_out_of_memory(void **state)
{
    enum { DRAFT = 1 }; /* an allocation: what is decoded is short */
    unsigned long allocation = 0, survived = 0;
    bool has_failed;
    (void)state;

    do {
        size_t before = fail_alloc_outstanding();
        fail_alloc_arm(++allocation);
        int status = plan_and_forget(NULL);
        has_failed = fail_alloc_disarm();
        assert_int_equal(fail_alloc_outstanding(), before);
        survived += has_failed && status == 0;
        assert_true(has_failed || status == 0);
    } while (has_failed);
    print_message("%lu allocations of a plan, of which %lu could be done without\n", allocation - 1,
                  survived);
    assert_true(allocation > 100 && survived <= DRAFT);
}

/* ---- the store ---- */

/* Each run has a result of its own; the last one has failed. */
static struct report_outcome outcome_of(uint32_t number, uint32_t runs)
{
    struct report_outcome outcome = {.state = number + 1 == runs ? REPORT_FAILED : REPORT_DONE,
                                     .numbers.simulated_ns = 1000 + number,
                                     .digest = "0123456789abcdef0123456789abcdef"};

    if (outcome.state == REPORT_FAILED)
        snprintf(outcome.failure, sizeof outcome.failure, "stands still");
    return outcome;
}

static int put_all(struct replay_store *store, const struct replay_plan *plan, uint32_t from,
                   struct base_error *error)
{
    uint32_t runs = report_comparison_runs(&plan->comparison);

    for (uint32_t number = from; number < runs; number++) {
        struct report_outcome outcome = outcome_of(number, runs);
        if (replay_store_put(store, plan, number, &outcome, error) != 0)
            return -1;
    }
    return 0;
}

static void forget(struct replay_plan *plan)
{
    uint32_t runs = report_comparison_runs(&plan->comparison);
    memset(plan->comparison.outcomes, 0, runs * sizeof *plan->comparison.outcomes);
}

/* A store with the runs from that number on. */
static int fill(const char *path, struct replay_plan *plan, uint32_t from, struct base_error *error)
{
    struct replay_store *store = replay_store_open(path, error);
    int status =
        store != NULL && replay_store_load(store, plan, error) == 0 ? put_all(store, plan, from, error) : -1;

    replay_store_close(store);
    return status;
}

/* Adds the second store to the first. */
static int merge(struct base_error *error)
{
    struct replay_store *store = replay_store_open(first, error);
    int status = store == NULL ? -1 : replay_store_merge(store, second, error);

    replay_store_close(store);
    return status;
}

static void remove_store(const char *path)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char name[4300];

    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(name, sizeof name, "%s%s", path, endings[i]);
        unlink(name);
    }
}

/* Everything that is done with stores: made, filled, taken together, gone on with, queried. */
static int use_stores(void *state)
{
    struct replay_plan *plan = state;
    struct base_error error = {0};
    struct report_results *results = NULL;
    int status = -1;

    remove_store(first);
    remove_store(second);
    forget(plan);
    if (fill(first, plan, 4, &error) == 0 && fill(second, plan, 0, &error) == 0 && merge(&error) == 0) {
        forget(plan);
        status = fill(first, plan, UINT32_MAX, &error);
    }
    if (status == 0)
        results = replay_store_read(first, "state = 'done'", &error);
    if (results == NULL) {
        if (error.status != BASE_SYSTEM)
            fail_msg("status %d: %s", (int)error.status, error.text);
        return -1;
    }
    assert_int_equal(results->row_count, 7);
    assert_int_equal(plan->comparison.outcomes[3].numbers.simulated_ns, 1003);
    assert_int_equal(plan->comparison.outcomes[7].state, REPORT_FAILED);
    assert_string_equal(plan->comparison.outcomes[7].failure, "stands still");
    report_results_free(results);
    return 0;
}

static void a_store_runs_out_of_memory(void **state)
{
    struct replay_values values = {0};
    struct replay_settings settings = {0};
    struct base_error error = {0};
    struct replay_plan *plan = make_plan(&values, &settings, &error);
    unsigned long allocation = 0, attempts = 0, survived = 0;
    /* There are seventy thousand, most of them SQLite's: steps that are prime to the rounds of its statements. */
    const unsigned long step = brief() ? 97 : 23;
    bool has_failed;

    (void)state;
    assert_non_null(plan);
    /* SQLite can do without some of its memory: then all is right, which use_stores has looked at. */
    do {
        size_t before = fail_alloc_outstanding();
        int status;
        allocation += allocation < 100 ? 1 : step;
        attempts++;
        fail_alloc_arm(allocation);
        status = use_stores(plan);
        has_failed = fail_alloc_disarm();
        assert_int_equal(fail_alloc_outstanding(), before);
        survived += has_failed && status == 0;
        assert_true(has_failed || status == 0);
    } while (has_failed);
    print_message("%lu of %lu allocations, of which %lu could be done without\n", attempts - 1, allocation,
                  survived);
    assert_true(attempts - 1 > 2 * survived);
    replay_plan_free(plan);
    replay_values_free(&values);
    replay_settings_free(&settings);
}

/* ---- other builds ---- */

/* The program's own are not linked: these stand for them. */
static const char *build = "0.1.0+0123456789abcdef";

const char *base_build(void)
{
    return build;
}

const char *base_version(void)
{
    return "0.1.0";
}

/* How many runs of the plan the store has for this build; what it has not is done. */
static uint32_t found_of(struct replay_plan *plan, const char *of_build)
{
    struct base_error error = {0};
    struct replay_store *store;
    uint32_t missing;

    build = of_build;
    forget(plan);
    store = replay_store_open(first, &error);
    if (store == NULL || replay_store_load(store, plan, &error) != 0)
        fail_msg("%s", error.text);
    missing = report_comparison_count(&plan->comparison, REPORT_MISSING);
    assert_true(plan->comparison.stored_count > 0);
    if (put_all(store, plan, 0, &error) != 0)
        fail_msg("%s", error.text);
    replay_store_close(store);
    return report_comparison_runs(&plan->comparison) - missing;
}

static void a_run_is_known_by_its_build(void **state)
{
    struct replay_values values = {0};
    struct replay_settings settings = {0};
    struct base_error error = {0};
    struct replay_plan *plan = make_plan(&values, &settings, &error);
    struct report_results *results;

    (void)state;
    assert_non_null(plan);
    remove_store(first);
    assert_int_equal(found_of(plan, "0.1.0+0123456789abcdef"), 0);
    assert_int_equal(found_of(plan, "0.1.0+0123456789abcdef"), 8);
    assert_int_equal(found_of(plan, "0.1.0+fedcba9876543210"), 0);
    assert_int_equal(found_of(plan, "0.1.0+fedcba9876543210"), 8);
    assert_int_equal(found_of(plan, "0.1.0+0123456789abcdef"), 8);
    results = replay_store_read(first, "build = '0.1.0+fedcba9876543210' AND state <> 'missing'", &error);
    assert_non_null(results);
    assert_int_equal(results->row_count, 8);
    report_results_free(results);
    replay_plan_free(plan);
    replay_values_free(&values);
    replay_settings_free(&settings);
}

/* ---- */

static int set_up(void **state)
{
    static const sqlite3_mem_methods methods = {take, free, resize, size_of, round_up, begin, end, NULL};

    (void)state;
    /* In memory where that is possible: a disk is waited for in every commit. */
    snprintf(directory, sizeof directory, "%.4000s/flitreplay-store-XXXXXX",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    if (mkdtemp(directory) == NULL || sqlite3_config(SQLITE_CONFIG_MALLOC, &methods) != SQLITE_OK)
        return -1;
    snprintf(first, sizeof first, "%s/first.db", directory);
    snprintf(second, sizeof second, "%s/second.db", directory);
    return sqlite3_initialize() == SQLITE_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    remove_store(first);
    remove_store(second);
    return rmdir(directory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plan_runs_out_of_memory),
        cmocka_unit_test(a_store_runs_out_of_memory),
        cmocka_unit_test(a_run_is_known_by_its_build),
    };
    return cmocka_run_group_tests_name("store-memory", tests, set_up, tear_down);
}
