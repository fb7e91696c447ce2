/* Comparisons of a few runs, whose ratios, intervals and sentences are computed by hand.
 *
 * Student's t is taken from its tables: 12.7062 and 4.30265 for 95 % with one and two degrees of
 * freedom, 6.20535 for 97.5 % with two. The ideal time of every run is 100 ns, so that a slowdown is a
 * hundredth of a time. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/comparison/comparison.h"
#include "reports/comparison/internal.h"
#include "tests/fail-alloc.h"
#include "tests/reports/sample.h"

#define TRACES 2
#define CONFIGURATIONS 4
#define SEEDS 3

/* Two networks with two mappings each, in this order: mesh and identity, mesh and random, king and identity,
 * king and random. */
static const char *const networks[] = {"mesh:4x4", "king-mesh:4x4"};
static const char *const mappings[] = {"identity", "random"};
static const char *const traces[] = {"cg.otf2", "ft.otf2"};
static const struct report_factor factors[] = {{"topology", networks, 2}, {"mapping", mappings, 2}};
static const uint32_t levels[CONFIGURATIONS][2] = {{0, 0}, {0, 1}, {1, 0}, {1, 1}};
static const struct report_configuration configurations[] = {{.topology = "mesh:4x4",
                                                              .routing = "knaive",
                                                              .mapping = "identity",
                                                              .name = "mesh:4x4, identity",
                                                              .level = levels[0]},
                                                             {.topology = "mesh:4x4",
                                                              .routing = "knaive",
                                                              .mapping = "random",
                                                              .name = "mesh:4x4, random",
                                                              .level = levels[1]},
                                                             {.topology = "king-mesh:4x4",
                                                              .routing = "knaive",
                                                              .mapping = "identity",
                                                              .name = "king-mesh:4x4, identity",
                                                              .level = levels[2]},
                                                             {.topology = "king-mesh:4x4",
                                                              .routing = "knaive",
                                                              .mapping = "random",
                                                              .name = "king-mesh:4x4, random",
                                                              .level = levels[3]}};

/* Its outcomes are `outcomes`, all missing; it is as large as the test says. */
static struct report_comparison begin(struct report_outcome *outcomes, uint32_t trace_count,
                                      uint32_t configuration_count, uint32_t seeds)
{
    memset(outcomes, 0, sizeof *outcomes * TRACES * CONFIGURATIONS * SEEDS);
    return (struct report_comparison){.traces = traces,
                                      .trace_count = trace_count,
                                      .first_seed = 1,
                                      .seeds = seeds,
                                      .factors = factors,
                                      .factor_count = 2,
                                      .configurations = configurations,
                                      .configuration_count = configuration_count,
                                      .outcomes = outcomes,
                                      .shard = 1,
                                      .shards = 1};
}

/* The runs of a cell, one time a seed, in ns. */
static void run(struct report_comparison *comparison, uint32_t trace, uint32_t configuration,
                const uint64_t *times)
{
    size_t cell = (size_t)(trace * comparison->configuration_count + configuration) * comparison->seeds;

    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        comparison->outcomes[cell + seed] =
            (struct report_outcome){.state = REPORT_DONE,
                                    .numbers.simulated_ns = times[seed],
                                    .numbers.ideal_ns = 100,
                                    .numbers.slowdown = (double)times[seed] / 100,
                                    .numbers.share_distance = NAN,
                                    .numbers.share_serialisation = NAN,
                                    .numbers.share_terminals = NAN,
                                    .numbers.share_channels = NAN,
                                    .numbers.share_flow_control = NAN,
                                    .digest = "00"};
}

#define RUN(comparison, trace, configuration, ...)                                                           \
    run(comparison, trace, configuration, (const uint64_t[]){__VA_ARGS__})

static void assert_estimate(struct report_estimate estimate, double value, double low, double high)
{
    if (!(fabs(estimate.value / value - 1) < 1e-6) || !(fabs(estimate.low / low - 1) < 1e-6) ||
        !(fabs(estimate.high / high - 1) < 1e-6))
        fail_msg("%.9g (%.9g to %.9g), and not %.9g (%.9g to %.9g)", estimate.value, estimate.low,
                 estimate.high, value, low, high);
}

/* The sentences, each on a line of its own; for the caller to free. */
static char *verdict_of(const struct report_comparison *comparison)
{
    struct base_arena arena = {0};
    struct base_error error = {0};
    uint32_t count = 0;
    const char **sentences = report_comparison_verdict(&arena, comparison, &count, &error);
    char *text = calloc(1, 4096);

    assert_non_null(text);
    assert_non_null(sentences);
    for (uint32_t i = 0; i < count; i++) {
        strncat(text, sentences[i], 4095 - strlen(text));
        strncat(text, "\n", 4095 - strlen(text));
    }
    base_arena_free(&arena);
    return text;
}

static void assert_verdict(const struct report_comparison *comparison, const char *wanted)
{
    char *text = verdict_of(comparison);

    assert_string_equal(text, wanted);
    free(text);
}

/* Times of 100 and 1000 ns against 200 and 2000: by pairs the ratio is 2 and nothing else, though the slower
 * configuration has a run that is faster than one of the faster configuration's. */
static void differences_are_paired(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 2, 2);
    struct report_estimate cell;

    (void)state;
    RUN(&comparison, 0, 0, 100, 1000);
    RUN(&comparison, 0, 1, 200, 2000);
    assert_estimate(report_comparison_ratio(&comparison, 0, 1, 1), 2, 2, 2);
    assert_estimate(report_comparison_ratio(&comparison, 1, 0, 1), 0.5, 0.5, 0.5);
    /* The cell has the mean of the slowdowns 1 and 10, +- 12.7062 * 4.5. */
    cell = report_cell_slowdown(&comparison, 0, 0);
    assert_estimate(cell, 5.5, 5.5 - 57.177921, 5.5 + 57.177921);
    assert_verdict(&comparison, "mesh:4x4, identity is 2.00 ± 0 times faster than mesh:4x4, random.\n");
}

/* Ratios of 2 and 4: logarithms 1 and 2 times ln 2, mean 1.5, standard error 0.5; so 2^(1.5 +- 6.3531). */
static void two_seeds_have_one_degree_of_freedom(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 2, 2);

    (void)state;
    RUN(&comparison, 0, 0, 100, 100);
    RUN(&comparison, 0, 1, 200, 400);
    assert_estimate(report_comparison_ratio(&comparison, 0, 1, 1), 2.828427125, 0.03459956313, 231.2167923);
    assert_verdict(
        &comparison,
        "mesh:4x4, identity is fastest on average, but 2 seeds do not distinguish it from mesh:4x4, "
        "random (2.83 (0.03 to 231.22)).\n");
}

/* ln 1.40, ln 1.42 and ln 1.44 have the mean 0.350590741 and the standard error 0.008132294: the factor of
 * its t is 4.30265 for one interval, 6.20535 for each of two that are to hold together. */
static void intervals_of_several_hold_together(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 3, 3);

    (void)state;
    RUN(&comparison, 0, 0, 1400, 1420, 1440);
    RUN(&comparison, 0, 1, 1000, 1000, 1000);
    RUN(&comparison, 0, 2, 3000, 3000, 3000);
    assert_estimate(report_comparison_ratio(&comparison, 1, 0, 1), 1.419906097, 1.371082101, 1.470468708);
    assert_estimate(report_comparison_ratio(&comparison, 1, 0, 2), 1.419906097, 1.350030258, 1.493398620);
    /* (1.4934 - 1.3500) / 2 = 0.07. The first named is the next one, and not told twice. The networks differ
     * by 3000 / 1419.9 = 2.11, with the error of 1.42; of the difference of both the error is twice as large,
     * 0.07, where its logarithm is 0.397. */
    assert_verdict(&comparison,
                   "mesh:4x4, random is fastest: 1.42 ± 0.07 times faster than mesh:4x4, identity, the "
                   "next, and 3.00 ± 0 times faster than king-mesh:4x4, identity, the slowest.\n"
                   "Topology matters more than mapping: between best and worst lies a factor of 2.11 ± "
                   "0.07, for mapping 1.42 ± 0.05.\n");
}

/* Without chance one run says all: of any number of seeds, as of one. */
static void what_is_exact_needs_no_interval(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_configuration exact[CONFIGURATIONS];

    (void)state;
    memcpy(exact, configurations, sizeof exact);
    for (size_t i = 0; i < CONFIGURATIONS; i++)
        exact[i].exact = true;
    for (uint32_t seeds = 1; seeds <= SEEDS; seeds++) {
        struct report_comparison comparison = begin(outcomes, 1, 3, seeds);
        comparison.configurations = exact;
        for (uint32_t i = 0; i < 3; i++)
            for (uint32_t seed = 1; seed < seeds; seed++)
                outcomes[i * seeds + seed].state = REPORT_REPEATED;
        for (uint32_t i = 0; i < 3; i++)
            outcomes[i * seeds] =
                (struct report_outcome){.state = REPORT_DONE,
                                        .numbers.simulated_ns = (const uint64_t[]){142, 100, 300}[i],
                                        .numbers.slowdown = (double)i};
        assert_int_equal(report_comparison_runs(&comparison), 3);
        assert_estimate(report_comparison_ratio(&comparison, 1, 0, 2), 1.42, 1.42, 1.42);
        assert_true(report_comparison_ratio(&comparison, 1, 0, 2).exact);
        assert_estimate(report_cell_slowdown(&comparison, 0, 2), 2, 2, 2);
        assert_verdict(
            &comparison,
            "Exact, because nothing is random: mesh:4x4, random is fastest: 1.42 times faster than "
            "mesh:4x4, "
            "identity, the next, and 3.00 times faster than king-mesh:4x4, identity, the slowest.\n"
            "Topology matters more than mapping: between best and worst lies a factor of 2.11, for mapping "
            "1.42.\n");
        outcomes[0].numbers.simulated_ns = 100;
        assert_verdict(&comparison, "Exact, because nothing is random: mesh:4x4, identity and "
                                    "mesh:4x4, random take the same time, the "
                                    "shortest: 3.00 times faster than king-mesh:4x4, identity, the slowest.\n"
                                    "Topology matters more than mapping: between best and worst lies a "
                                    "factor of 3.00, for mapping 1.0000.\n");
    }
}

/* Chance in one of three: that one needs seeds, and the others are told as certain. */
static void only_chance_needs_seeds(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_configuration mixed[CONFIGURATIONS];
    struct report_comparison comparison = begin(outcomes, 1, 3, 1);

    (void)state;
    memcpy(mixed, configurations, sizeof mixed);
    mixed[0].exact = mixed[2].exact = true;
    comparison.configurations = mixed;
    RUN(&comparison, 0, 0, 100);
    RUN(&comparison, 0, 1, 150);
    RUN(&comparison, 0, 2, 200);
    assert_verdict(&comparison, "With one seed there are no intervals, and so no verdict: in these single "
                                "runs mesh:4x4, identity is fastest, "
                                "2.00 times faster than king-mesh:4x4, identity (exact). --seeds 5 shows how "
                                "much of that is chance.\n"
                                "Where nothing is random, the single run is exact: mesh:4x4, "
                                "identity is 2.00 times faster than "
                                "king-mesh:4x4, identity.\n");
    RUN(&comparison, 0, 2, 100);
    assert_verdict(&comparison, "With one seed there are no intervals, and so no verdict: in these single "
                                "runs mesh:4x4, identity is fastest, "
                                "1.50 times faster than mesh:4x4, random. --seeds 5 shows how "
                                "much of that is chance.\n"
                                "Where nothing is random, the single run is exact: mesh:4x4, "
                                "identity and king-mesh:4x4, identity take the same time.\n");
}

/* An interval that keeps clear of 1 is shown clear of it; one that holds 1 gets no more digits than it is worth. */
static void a_lead_is_shown_as_one(void **state)
{
    char text[REPORT_ESTIMATE_TEXT];

    (void)state;
    assert_string_equal(
        report_estimate_text((struct report_estimate){.value = 1.00093, .low = 1.00004, .high = 1.00182},
                             text),
        "1.00093 ± 0.00089");
    assert_string_equal(
        report_estimate_text((struct report_estimate){.value = 1.0009, .low = 0.9999, .high = 1.0019}, text),
        "1.001 ± 0.001");
    assert_string_equal(
        report_estimate_text((struct report_estimate){.value = 1.42, .low = 1.41, .high = 1.43}, text),
        "1.42 ± 0.01");
}

/* Equal times: neither is claimed to be faster. */
static void a_tie_is_no_lead(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 2, 3);
    uint32_t order[2];

    (void)state;
    RUN(&comparison, 0, 0, 300, 400, 500);
    RUN(&comparison, 0, 1, 300, 400, 500);
    assert_int_equal(report_comparison_rank(&comparison, order), 2);
    assert_int_equal(order[0], 0); /* the first given stays first */
    assert_verdict(
        &comparison,
        "mesh:4x4, identity is fastest on average, but 3 seeds do not distinguish it from mesh:4x4, "
        "random (1.0000 ± 0).\n");
}

/* What is not told apart is one clause, what is slower for sure another. */
static void a_tie_of_two_leaves_the_third(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 3, 3);

    (void)state;
    RUN(&comparison, 0, 0, 300, 400, 500);
    RUN(&comparison, 0, 1, 300, 400, 500);
    RUN(&comparison, 0, 2, 900, 1200, 1500);
    assert_verdict(
        &comparison,
        "mesh:4x4, identity is fastest on average, but 3 seeds do not distinguish it from mesh:4x4, "
        "random (1.0000 ± 0); it is 3.00 ± 0 times faster than king-mesh:4x4, identity, the "
        "slowest.\n"
        "Topology matters more than mapping: between best and worst lies a factor of 3.00 ± 0, "
        "for mapping 1.0000 ± 0.\n");
}

/* One seed: what was seen, and no interval anywhere. */
static void one_seed_proves_nothing(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 2, 1);
    struct report_estimate ratio;

    (void)state;
    RUN(&comparison, 0, 0, 250);
    RUN(&comparison, 0, 1, 100);
    ratio = report_comparison_ratio(&comparison, 1, 0, 1);
    assert_true(fabs(ratio.value - 2.5) < 1e-12 && isnan(ratio.low) && isnan(ratio.high));
    assert_verdict(&comparison,
                   "With one seed there are no intervals, and so no verdict: in these single runs "
                   "mesh:4x4, random is fastest, 2.50 times faster than mesh:4x4, identity. --seeds 5 "
                   "shows how much of that is chance.\n");
    RUN(&comparison, 0, 1, 250);
    assert_verdict(&comparison,
                   "With one seed there are no intervals, and so no verdict: in these single runs "
                   "all take the same time. --seeds 5 shows how much of that is chance.\n");
}

/* 4 and 1 times on two traces are 2 times over both; the trace that would choose otherwise is told of. */
static void traces_count_alike(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 2, 2, 2);

    (void)state;
    RUN(&comparison, 0, 0, 100, 200);
    RUN(&comparison, 0, 1, 800, 1600);
    RUN(&comparison, 1, 0, 4000, 6000);
    RUN(&comparison, 1, 1, 2000, 3000);
    assert_estimate(report_comparison_ratio(&comparison, 0, 1, 1), 2, 2, 2);
    assert_estimate(report_trace_ratio(&comparison, 0, 0, 1, 1), 8, 8, 8);
    assert_estimate(report_trace_ratio(&comparison, 1, 0, 1, 1), 0.5, 0.5, 0.5);
    assert_verdict(&comparison,
                   "mesh:4x4, identity is 2.00 ± 0 times faster than mesh:4x4, random.\n"
                   "Apart from ft.otf2, mesh:4x4, random is 2.00 ± 0 times faster than mesh:4x4, "
                   "identity.\n");
}

/* ---- what matters more ---- */

/* The time of a run is 1000 times what its network and its mapping cost it with that seed. */
static void run_product(struct report_comparison *comparison, const double *network, const double *mapping)
{
    for (uint32_t configuration = 0; configuration < CONFIGURATIONS; configuration++) {
        uint64_t times[SEEDS];
        for (uint32_t seed = 0; seed < comparison->seeds; seed++)
            times[seed] = (uint64_t)lround(1000 * (configuration < 2 ? network[seed] : 1) *
                                           (configuration % 2 == 1 ? mapping[seed] : 1));
        run(comparison, 0, configuration, times);
    }
}

/* Both effects from netmodel/simple-engines/effects.c of a comparison, by name. */
static struct report_effect effect_of(const struct report_comparison *comparison, const char *name)
{
    struct base_arena arena = {0};
    struct base_error error = {0};
    struct report_effect effects[3];
    struct report_effect found = {0};
    int count = report_comparison_effects(&arena, comparison, effects, &error);

    assert_int_equal(count, 2);
    assert_true(effects[0].spread.value >= effects[1].spread.value);
    for (int i = 0; i < count; i++)
        if (strcmp(effects[i].name, name) == 0)
            found = effects[i];
    assert_non_null(found.name);
    found.by_seed = NULL; /* the arena's */
    base_arena_free(&arena);
    return found;
}

/* The mapping costs 4, 8 and 2 times, the network 2, 4 and 1 times: each by itself might be nothing
 * (logarithms 2, 3, 1 and 1, 2, 0 times ln 2, +- 4.30265 / sqrt(3)); but of the pairs, each is 2 to 1. */
static void importance_is_paired(void **state)
{
    static const double network[] = {2, 4, 1}, mapping[] = {4, 8, 2};
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 4, 3);
    struct report_effect effect;
    char *text;

    (void)state;
    run_product(&comparison, network, mapping);
    effect = effect_of(&comparison, "mapping");
    assert_int_equal(effect.groups, 2);
    assert_estimate(effect.spread, 4, 0.7149242471, 22.3799935);
    effect = effect_of(&comparison, "topology");
    assert_int_equal(effect.groups, 2);
    assert_estimate(effect.spread, 2, 0.3574621236, 11.18999675);
    text = verdict_of(&comparison);
    assert_contains(
        text, "\nMapping matters more than topology: between best and worst lies a factor of 4.00 (0.71 to "
              "22.38), for topology 2.00 (0.36 to 11.19).\n");
    free(text);
}

/* 4 and 2.5 times against 2 and 2.4 times: sqrt(10) is more than sqrt(4.8), but one of two seeds hardly says
 * so. */
static void importance_may_be_unknown(void **state)
{
    static const double network[] = {2, 2.4}, mapping[] = {4, 2.5};
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 1, 4, 2);
    char *text;

    (void)state;
    run_product(&comparison, network, mapping);
    assert_estimate(effect_of(&comparison, "mapping").spread, 3.162277660, 0.1596632094, 62.63183633);
    assert_estimate(effect_of(&comparison, "topology").spread, 2.190890230, 0.6879772178, 6.976975219);
    text = verdict_of(&comparison);
    assert_contains(
        text,
        "\nWhether mapping or topology matters more cannot be decided: factors of 3.16 (0.16 to 62.63), "
        "and for topology 2.19 (0.69 to 6.98).\n");
    free(text);
}

/* ---- what is not there ---- */

static int write_text(const void *content, FILE *stream, struct base_error *error)
{
    return report_comparison_text(content, stream, 100, error);
}

static int write_html(const void *content, FILE *stream, struct base_error *error)
{
    return report_comparison_html(content, stream, error);
}

static int write_json(const void *content, FILE *stream, struct base_error *error)
{
    return report_comparison_json(content, stream, error);
}

static int write_csv(const void *content, FILE *stream, struct base_error *error)
{
    return report_comparison_csv(content, stream, error);
}

/* mesh and identity are whole; mesh and random lack a seed; king and identity have failed with the last seed;
 * king and random do not fit the trace. */
static struct report_comparison unfinished(struct report_outcome *outcomes)
{
    struct report_comparison comparison = begin(outcomes, 1, 4, 2);

    comparison.interrupted = true;
    for (uint32_t configuration = 0; configuration < 3; configuration++)
        RUN(&comparison, 0, configuration, 300, 300);
    outcomes[3].state = REPORT_MISSING;
    outcomes[5] = (struct report_outcome){.state = REPORT_FAILED, .failure = "stands still"};
    outcomes[6].state = outcomes[7].state = REPORT_LEFT_OUT;
    return comparison;
}

/* A number is shown of whole cells only; the others say what they lack, in the table and in the picture. */
static void what_is_missing_is_named(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = unfinished(outcomes);
    char *text = sample_text(write_text, &comparison, NULL);
    char *page = sample_text(write_html, &comparison, NULL);

    (void)state;
    assert_true(isnan(report_cell_slowdown(&comparison, 0, 1).value));
    assert_true(isnan(report_comparison_ratio(&comparison, 0, 1, 1).value));
    assert_contains(text, "4 configurations, 1 trace, 2 seeds: 4 of 6 runs finished\n");
    assert_contains(text, "Partial: 1 of 6 runs are missing (interrupted); what follows is of the others.\n");
    assert_contains(text,
                    "Fewer than two configurations have finished every trace: no conclusion is possible.\n");
    assert_contains(text, "mesh:4x4, identity       3.00 ± 0      1.0000 ± 0\n");
    assert_contains(text, "mesh:4x4, random          missing               -\n");
    assert_contains(text, "king-mesh:4x4, identity    failed               -\n");
    assert_contains(text, "king-mesh:4x4, random    left out               -\n");
    assert_contains(text, "cg.otf2, king-mesh:4x4, identity, seed 2: stands still\n");
    assert_contains(page, "Partial: 1 of 6 runs are missing (interrupted)");
    for (size_t i = 0; i < 3; i++) {
        static const char *const words[] = {"missing", "failed", "left out"};
        char cell[64];
        snprintf(cell, sizeof cell, "<bdi>%s</bdi></td>", words[i]); /* in the table */
        assert_contains(page, cell);
        snprintf(cell, sizeof cell, ">%s</text>", words[i]); /* behind the bar that is not there */
        assert_contains(page, cell);
    }
    free(text);
    free(page);
}

/* For programs: null and empty fields, and never a number of a part. */
static void what_is_missing_is_null(void **state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = unfinished(outcomes);
    char *json = sample_text(write_json, &comparison, NULL), *csv = sample_text(write_csv, &comparison, NULL);

    (void)state;
    assert_contains(json, "\"complete\": false");
    assert_contains(json, "\"interrupted\": true");
    assert_contains(json, "\"rank\": null,\n      \"time_to_fastest\": null");
    assert_contains(json, "\"slowdown\": null");
    assert_contains(csv, "cg.otf2,\"mesh:4x4, random\",mesh:4x4,knaive,random,\"\",2,missing,,,,");
    assert_contains(csv, ",2,failed,,,,");
    assert_contains(csv, ",stands still,,");
    free(json);
    free(csv);
}

/* ---- memory ---- */

/* Runs one writer; the stream is no part of the test. */
static int attempt(void *state)
{
    struct report_outcome outcomes[TRACES * CONFIGURATIONS * SEEDS];
    struct report_comparison comparison = begin(outcomes, 2, 4, 2);
    sample_writer *const *writer = state;
    struct base_error error = {0};
    FILE *stream = fopen("/dev/null", "w");
    int status;

    if (stream == NULL)
        return -1;
    for (uint32_t trace = 0; trace < 2; trace++)
        for (uint32_t configuration = 0; configuration < 4; configuration++)
            RUN(&comparison, trace, configuration, 300 + configuration, 400 + 100 * configuration);
    status = (*writer)(&comparison, stream, &error);
    if (status != 0)
        assert_int_equal(error.status, BASE_SYSTEM);
    fclose(stream);
    return status;
}

static void out_of_memory_is_told(void **state)
{
    static sample_writer *const writers[] = {write_text, write_html, write_json, write_csv};

    (void)state;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        assert_true(fail_alloc_each(attempt, (void *)&writers[i]) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(differences_are_paired),
        cmocka_unit_test(two_seeds_have_one_degree_of_freedom),
        cmocka_unit_test(intervals_of_several_hold_together),
        cmocka_unit_test(what_is_exact_needs_no_interval),
        cmocka_unit_test(only_chance_needs_seeds),
        cmocka_unit_test(a_lead_is_shown_as_one),
        cmocka_unit_test(a_tie_is_no_lead),
        cmocka_unit_test(a_tie_of_two_leaves_the_third),
        cmocka_unit_test(one_seed_proves_nothing),
        cmocka_unit_test(traces_count_alike),
        cmocka_unit_test(importance_is_paired),
        cmocka_unit_test(importance_may_be_unknown),
        cmocka_unit_test(what_is_missing_is_named),
        cmocka_unit_test(what_is_missing_is_null),
        cmocka_unit_test(out_of_memory_is_told),
    };
    return cmocka_run_group_tests_name("comparison", tests, NULL, NULL);
}
