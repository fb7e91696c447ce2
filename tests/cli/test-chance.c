/* Whether kinds draw by chance, as their lists say it and as runs show it: what is called exact gives one
 * digest, and one attribution, whatever the seed; what is said to draw gives several somewhere. */
#include "tests/brief.h"
#include "tests/suite.h"

#include <stdio.h>
#include <string.h>

#include "netmodel/traffic/pattern.h"
#include "netmodel/traffic/traffic.h"
#include "replay/session/kinds.h"
#include "replay/session/internal.h"
#include "traces/generate/generate.h"

#define SEEDS 4
#define PROGRAM "generate:random-sparse,ranks=6,degree=3,iterations=2,bytes=600"
#define LONGER "generate:random-sparse,ranks=16,degree=4,iterations=2,bytes=2000"

/* What runs with several seeds showed. */
struct seen {
    unsigned runs;
    bool exact;   /* claimed */
    bool differs; /* found */
};

static bool differ(const struct report_run *a, const struct report_run *b)
{
    return strcmp(a->digest, b->digest) != 0 ||
           (a->attribution != NULL && b->attribution != NULL &&
            memcmp(a->attribution->simulated_ns, b->attribution->simulated_ns,
                   sizeof a->attribution->simulated_ns) != 0);
}

static void set(struct replay_settings *settings, enum replay_option option, const char *value)
{
    struct base_error error = {0};

    if (replay_settings_set(settings, option, value, &error) != 0)
        fail_msg("%s", error.text);
}

/* Runs the program with each seed. Settings that are refused leave seen->runs 0. */
static void run_seeds(const char *topology_text, const char *trace, struct replay_settings *settings,
                      struct seen *seen)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(topology_text, &error);
    struct report_run *first = NULL;
    struct replay_setup setup;

    *seen = (struct seen){0};
    assert_non_null(topology);
    int status = replay_setup_init(&setup, REPLAY_TO_RUN, topology, settings, &error);
    seen->exact = setup.is_exact;
    replay_setup_free(&setup);
    if (status != 0) {
        assert_int_equal(error.status, BASE_USAGE);
        net_topology_free(topology);
        return;
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct trace_program *program = replay_session_open(trace, settings, NULL, &error);
        assert_non_null(program);
        settings->number[REPLAY_SEED] = seed;
        struct report_run *run = NULL;
        if (replay_setup_init(&setup, REPLAY_TO_REPEAT, topology, settings, &error) == 0)
            run = replay_session_run(program, &setup, NULL, &error);
        replay_setup_free(&setup);
        trace_close(program);
        if (run == NULL)
            break; /* it deadlocks, or this build lacks a library */
        seen->runs++;
        seen->differs |= first != NULL && differ(first, run);
        if (first == NULL)
            first = run;
        else
            report_run_free(run);
    }
    report_run_free(first);
    net_topology_free(topology);
    if (seen->exact && seen->differs)
        fail_msg("%s is called exact, but seeds differ", topology_text);
}

/* Settings of one option, NULL: none, with all of the ladder. */
static void run_with(const char *topology, const char *trace, enum replay_option option, const char *value,
                     struct seen *seen)
{
    struct replay_settings settings;
    struct base_error error = {0};

    assert_int_equal(replay_settings_init(&settings, &error), 0);
    set(&settings, REPLAY_EVALUATIONS,
        option == REPLAY_MAPPING && strcmp(value, "replay") == 0 ? "2" : "500");
    if (value != NULL)
        set(&settings, option, value);
    run_seeds(topology, trace, &settings, seen);
    replay_settings_free(&settings);
}

/* Odd rings have no ties, so that what differs is the kind's; shared channels have their own arbiters. */
static const char *const places[] = {"mesh:4x4",         "torus:5x5",
                                     "torus:4x4",        "diagonal-torus:4x4",
                                     "king-mesh:4x4",    "king-torus:5x5",
                                     "king-torus:4x4",   "mway-mesh:4x4",
                                     "mway-torus:4x4",   "mway-torus:3x3,attach=router",
                                     "mway-hypercube:4", "ideal:16"};
#define PLACES (sizeof places / sizeof *places)

/* Whatever a list says of a kind is what runs show, on every topology that takes it. A kind that is exact
 * must never be the reason of a claim of chance: somewhere the run with it is exact. */
static void check_kind(const struct replay_kinds *list, enum replay_option option, struct replay_kind kind)
{
    bool differs = false, runs = false, exact = false;

    if (strcmp(kind.name, "file") == 0) /* needs one; it draws nothing */
        return;
    /* In brief the places that are enough to show what the list says. */
    for (size_t i = 0; i < PLACES && !(brief() && (kind.chance == BASE_DRAWS ? differs : exact)); i++) {
        struct seen seen;
        run_with(places[i], option == REPLAY_PARTITION ? PROGRAM : LONGER, option, kind.name, &seen);
        runs |= seen.runs > 0;
        differs |= seen.differs;
        exact |= seen.exact;
        if (kind.chance == BASE_DRAWS && option != REPLAY_ROUTING && seen.runs > 0 && seen.exact)
            fail_msg("%s '%s' draws, but %s is called exact", list->singular, kind.name, places[i]);
    }
    if (kind.chance == BASE_DRAWS && runs && !differs)
        fail_msg("%s '%s' is said to draw, but no seed changes anything", list->singular, kind.name);
    if (kind.chance == BASE_EXACT && runs && !exact)
        fail_msg("%s '%s' never draws, but no run with it is called exact", list->singular, kind.name);
}

static void kinds_of_runs_are_as_they_say(void **state)
{
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count = replay_kinds(lists);
    unsigned checked = 0;

    (void)state;
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++) {
        const char *name = session_list_of(option);
        for (size_t i = 0; name != NULL && option != REPLAY_TOPOLOGY && i < count; i++)
            for (size_t j = 0; strcmp(lists[i].name, name) == 0 && j < lists[i].count; j++, checked++)
                check_kind(&lists[i], option, lists[i].at(j));
    }
    assert_true(checked > 70);
}

/* A kind without a word is a mistake of whoever added it. */
static void every_kind_says_whether_it_draws(void **state)
{
    struct replay_kinds lists[REPLAY_KINDS_MAX];
    size_t count = replay_kinds(lists);

    (void)state;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < lists[i].count; j++)
            if (lists[i].at(j).chance == BASE_CHANCE_UNSAID)
                fail_msg("%s '%s' does not say whether it draws", lists[i].singular, lists[i].at(j).name);
}

/* Options whose text is of no kind that draws: attribution repeats what a run drew; faults have a case of their own
 * below; a technology weighs what has happened; racks are where routers stand; a machine is
 * options, each of which is looked at by itself; marks are places of a trace. */
static bool never_draws(enum replay_option option)
{
    return option == REPLAY_ATTRIBUTION || option == REPLAY_FAULTS || option == REPLAY_FAULT_ROUTING ||
           option == REPLAY_TECHNOLOGY || option == REPLAY_RACK || option == REPLAY_MACHINE ||
           option == REPLAY_FROM || option == REPLAY_TO || option == REPLAY_ITERATIONS;
}

/* Any other option of runs whose value is a name must be in the table of replay/session/chance.c, so that a new one
 * cannot be forgotten. */
static void every_option_with_names_is_looked_at(void **state)
{
    (void)state;
    for (enum replay_option option = 0; option < REPLAY_OPTIONS; option++)
        if (replay_option_is_recorded(option) && replay_option_row(option)->kind == REPLAY_KIND_TEXT &&
            !never_draws(option) && session_list_of(option) == NULL)
            fail_msg("--%s: is it of kinds that draw?", replay_option_row(option)->name);
}

/* Topologies draw by themselves only where a processor is in a router, between two channels. */
static void topologies_are_as_they_say(void **state)
{
    static const struct {
        const char *text;
        bool exact;
    } cases[] = {{"mesh:4x4", true},      {"torus:5x5", true},     {"torus:4x4", false},
                 {"king-mesh:4x4", true}, {"mway-mesh:4x4", true}, {"mway-torus:3x3,attach=router", false},
                 {"ideal:16", true}};
    struct seen seen;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        run_with(cases[i].text, LONGER, REPLAY_SEED, NULL, &seen);
        assert_int_equal(seen.runs, SEEDS);
        assert_int_equal(seen.exact, cases[i].exact);
    }
}

/* What is drawn besides kinds: among virtual channels and among ejection channels. A budget of time is the
 * machine's. */
static void numbers_make_chance(void **state)
{
    struct seen seen;

    (void)state;
    run_with("mesh:4x4", LONGER, REPLAY_VCS, "2", &seen);
    assert_true(seen.differs && !seen.exact);
    run_with("mesh:4x4", LONGER, REPLAY_CONSUMERS, "2", &seen);
    assert_false(seen.exact);
    run_with("mesh:4x4", LONGER, REPLAY_INJECTORS, "2", &seen);
    assert_true(seen.exact && seen.runs == SEEDS);
    run_with("mesh:4x4", LONGER, REPLAY_FLOW_CONTROL, "wormhole", &seen);
    assert_true(seen.exact && seen.runs == SEEDS);
    /* Which links fail, unless they are named; up-down itself draws nothing. */
    run_with("ring:16", LONGER, REPLAY_FAULTS, "1", &seen);
    assert_true(seen.differs && !seen.exact);
    run_with("ring:16", LONGER, REPLAY_FAULTS, "1,seed=1", &seen);
    assert_true(seen.exact && seen.runs == SEEDS);
    /* The ladder draws among ways where the selection does not. */
    run_with("mway-mesh:4x4", LONGER, REPLAY_ATTRIBUTION, "none", &seen);
    assert_true(seen.exact && seen.runs == SEEDS);
    run_with("mway-torus:4x4", LONGER, REPLAY_ATTRIBUTION, "none", &seen);
    assert_true(seen.exact && seen.runs == SEEDS);
}

/* ---- what traffic and generated programs draw ---- */

/* The first of some networks of 16 terminals and more that has what the pattern needs: a grid, or groups. */
static struct net_topology *topology_of(const struct net_pattern_kind *kind)
{
    static const char *const networks[] = {"mesh:4x4", "fat-tree:4,2", "dragonfly:2,4,2"};
    struct base_error error = {0};

    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct net_topology *topology = net_topology_new(networks[i], &error);
        struct net_pattern pattern;
        if (net_pattern_init(&pattern, topology, kind->name, 1, &error) == 0) {
            net_pattern_free(&pattern);
            return topology;
        }
        net_topology_free(topology);
    }
    fail_msg("no network here has what pattern '%s' needs: %s", kind->name, error.text);
    return NULL;
}

/* Whether targets depend on the key, or on the seed that the pattern is made with. */
static bool draws_targets(const struct net_pattern_kind *kind)
{
    struct base_error error = {0};
    struct net_topology *topology = topology_of(kind);
    uint32_t target[SEEDS][16];
    bool differs = false;

    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        struct net_pattern pattern;
        assert_int_equal(net_pattern_init(&pattern, topology, kind->name, seed, &error), 0);
        for (uint32_t source = 0; source < 16; source++) {
            uint32_t memory[64] = {0};
            if (kind->begin != NULL)
                kind->begin(&pattern, source, base_mix(seed), memory);
            target[seed][source] = kind->target(&pattern, source, base_mix(100 + seed), memory);
        }
        differs |= memcmp(target[0], target[seed], sizeof target[0]) != 0;
        net_pattern_free(&pattern);
    }
    net_topology_free(topology);
    return differs;
}

static void patterns_are_as_they_say(void **state)
{
    size_t count;
    const struct net_pattern_kind *const *kinds = net_pattern_kinds(&count);

    (void)state;
    for (size_t i = 0; i < count; i++)
        if (draws_targets(kinds[i]) != (kinds[i]->chance == BASE_DRAWS))
            fail_msg("pattern '%s' %s", kinds[i]->name,
                     kinds[i]->chance == BASE_DRAWS ? "draws nothing" : "draws");
}

/* Whether two seeds give programs that send other messages. */
static bool draws_messages(const struct trace_generator *generator)
{
    struct base_error error = {0};
    struct trace_tuning *tuning = trace_tuning_new("mpich", NULL, &error);
    bool differs = false;
    struct trace_comm_graph *graphs[2];
    struct trace_comm_place walks[2] = {0};
    struct trace_pair pairs[2];

    for (unsigned seed = 0; seed < 2; seed++) {
        char name[128];
        snprintf(name, sizeof name, "generate:%s%s,ranks=%d,seed=%u", generator->name,
                 *generator->classes == '\0' ? "" : ",class=S", strcmp(generator->name, "dt") == 0 ? 5 : 16,
                 seed);
        struct trace_program *program = trace_generate_open(name, &error);
        if (program == NULL)
            fail_msg("%s: %s", name, error.text);
        graphs[seed] = trace_comm_graph_new(program, tuning, &error);
        assert_non_null(graphs[seed]);
        trace_close(program);
    }
    differs = graphs[0]->count != graphs[1]->count;
    while (!differs && trace_comm_graph_next(graphs[0], &walks[0], &pairs[0]) &&
           trace_comm_graph_next(graphs[1], &walks[1], &pairs[1]))
        differs = pairs[0].source != pairs[1].source || pairs[0].target != pairs[1].target ||
                  pairs[0].bytes != pairs[1].bytes;
    trace_comm_graph_free(graphs[0]);
    trace_comm_graph_free(graphs[1]);
    trace_tuning_free(tuning);
    return differs;
}

static void generators_are_as_they_say(void **state)
{
    size_t count;
    const struct trace_generator *const *generators = trace_generators(&count);

    (void)state;
    for (size_t i = 0; i < count; i++)
        if (draws_messages(generators[i]) != (generators[i]->chance == BASE_DRAWS))
            fail_msg("generator '%s' %s", generators[i]->name,
                     generators[i]->chance == BASE_DRAWS ? "draws nothing" : "draws");
}

#define MESSAGES 20

/* The cycles and the flits of a terminal's first messages. */
static void first_messages(const char *arrivals_text, const char *lengths_text, uint64_t seed,
                           uint64_t cycles[MESSAGES], uint64_t flits[MESSAGES])
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new("mesh:4x4", &error);
    struct net_pattern pattern;
    struct net_traffic traffic;
    struct net_lengths lengths;
    enum net_arrivals arrivals;

    assert_int_equal(net_arrivals_parse(&arrivals, arrivals_text, &error), 0);
    assert_int_equal(net_lengths_parse(&lengths, lengths_text, 16, &error), 0);
    assert_int_equal(net_pattern_init(&pattern, topology, "uniform", seed, &error), 0);
    assert_int_equal(net_traffic_init(&traffic, &pattern, arrivals, &lengths, 200000, seed, &error), 0);
    for (unsigned i = 0; i < MESSAGES; i++) {
        struct net_traffic_message message;
        net_traffic_next(&traffic, 3, &message);
        cycles[i] = message.cycle;
        flits[i] = message.flits;
    }
    net_traffic_free(&traffic);
    net_pattern_free(&pattern);
    net_topology_free(topology);
}

static void lengths_and_arrivals_are_as_they_say(void **state)
{
    size_t lengths, arrivals;
    const struct net_traffic_kind *length = net_lengths_kinds(&lengths);
    const struct net_traffic_kind *arrival = net_arrivals_kinds(&arrivals);
    uint64_t cycles[2][MESSAGES], flits[2][MESSAGES];

    (void)state;
    for (size_t i = 0; i < arrivals; i++) {
        for (unsigned seed = 0; seed < 2; seed++)
            first_messages(arrival[i].name, "fixed", seed, cycles[seed], flits[seed]);
        assert_int_equal(memcmp(cycles[0], cycles[1], sizeof cycles[0]) != 0,
                         arrival[i].chance == BASE_DRAWS);
    }
    for (size_t i = 0; i < lengths; i++) {
        for (unsigned seed = 0; seed < 2; seed++)
            first_messages("bernoulli", length[i].name, seed, cycles[seed], flits[seed]);
        assert_int_equal(memcmp(flits[0], flits[1], sizeof flits[0]) != 0, length[i].chance == BASE_DRAWS);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_kind_says_whether_it_draws),
        cmocka_unit_test(every_option_with_names_is_looked_at),
        cmocka_unit_test(kinds_of_runs_are_as_they_say),
        cmocka_unit_test(topologies_are_as_they_say),
        cmocka_unit_test(numbers_make_chance),
        cmocka_unit_test(patterns_are_as_they_say),
        cmocka_unit_test(generators_are_as_they_say),
        cmocka_unit_test(lengths_and_arrivals_are_as_they_say),
    };
    return cmocka_run_group_tests_name("chance", tests, NULL, NULL);
}
