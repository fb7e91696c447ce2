/* The arithmetic of comparisons: means, paired ratios, ranks, effects of factors.
 *
 *      time of A, trace t, seed s ─┐
 *                                  ├─ log(B / A) ── mean over traces ──► one number a seed ── Student's t ──► exp
 *      time of B, trace t, seed s ─┘
 *
 * Ratios are averaged as logarithms, so that "A is 2 times faster" and "B takes 2 times as long" are one
 * statement. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reports/comparison/internal.h"

/* A report has what no comparison keeps: ranks, channels, histograms. A run that was interrupted has the numbers of
 * the part that was replayed, and its state says so. */
void report_outcome_of(const struct report_run *run, struct report_outcome *outcome)
{
    *outcome = (struct report_outcome){
        .state = run->interrupted == NULL ? REPORT_DONE : REPORT_PARTIAL,
        .replayed_thousandths = run->interrupted == NULL ? 0 : run->replayed_thousandths,
    };
    report_run_numbers(run, &outcome->numbers);
    memcpy(outcome->digest, run->digest, sizeof outcome->digest);
}

/* The first seed of a trace and a configuration; seeds lie side by side, so that a cell is a slice of the
 * array and its number is the number of its first run. */
static size_t cell(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration)
{
    return ((size_t)trace * comparison->configuration_count + configuration) * comparison->seeds;
}

/* An exact configuration has one, whatever was asked for. */
uint32_t report_comparison_seeds(const struct report_comparison *comparison, uint32_t configuration)
{
    return comparison->configurations[configuration].exact ? 1 : comparison->seeds;
}

/* seed is counted from 0 here, whatever the first seed is called. */
const struct report_outcome *report_comparison_outcome(const struct report_comparison *comparison,
                                                       uint32_t trace, uint32_t configuration, uint32_t seed)
{
    bool exact = comparison->configurations[configuration].exact;
    return &comparison->outcomes[cell(comparison, trace, configuration) + (exact ? 0 : seed)];
}

/* 32 bits suffice, since plans of more than ten million runs are refused. */
uint32_t report_comparison_places(const struct report_comparison *comparison)
{
    return comparison->trace_count * comparison->configuration_count * comparison->seeds;
}

uint32_t report_comparison_runs(const struct report_comparison *comparison)
{
    return report_comparison_places(comparison) - report_comparison_count(comparison, REPORT_LEFT_OUT) -
           report_comparison_count(comparison, REPORT_REPEATED);
}

/* Counted anew each time: it is asked a few times for an answer, and a count that is kept could be wrong. */
uint32_t report_comparison_count(const struct report_comparison *comparison, enum report_state state)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < report_comparison_places(comparison); i++)
        count += comparison->outcomes[i].state == state;
    return count;
}

/* All or nothing: a mean over some of the seeds would be another estimate than that of its neighbours, and
 * could not be paired with them. */
bool report_cell_is_done(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration)
{
    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        if (report_comparison_outcome(comparison, trace, configuration, seed)->state != REPORT_DONE)
            return false;
    return true;
}

/* Without chance there is no spread, and no other value that it might have been. */
static struct report_estimate exactly(double value)
{
    return (struct report_estimate){value, value, value, isfinite(value)};
}

/* Of slowdowns, not of logarithms: this one is shown beside the slowdown of a single run, and is to be its
 * mean. */
struct report_estimate report_cell_slowdown(const struct report_comparison *comparison, uint32_t trace,
                                            uint32_t configuration)
{
    double values[REPORT_SEEDS_MAX];
    double mean, half;

    if (!report_cell_is_done(comparison, trace, configuration))
        return (struct report_estimate){NAN, NAN, NAN, false};
    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        values[seed] = report_comparison_outcome(comparison, trace, configuration, seed)->numbers.slowdown;
    if (comparison->configurations[configuration].exact)
        return exactly(values[0]);
    half = base_interval(values, comparison->seeds, REPORT_CONFIDENCE, &mean);
    return (struct report_estimate){mean, mean - half, mean + half, false};
}

/* A program that does nothing takes no time; a nanosecond then keeps its logarithm finite, and equal ones
 * equal. */
static double log_time(const struct report_outcome *outcome)
{
    return log(outcome->numbers.simulated_ns > 0 ? (double)outcome->numbers.simulated_ns : 1);
}

/* The estimate of a ratio from its logarithms, one a seed. Each of several intervals that are to hold
 * together is as much surer as there are many of them. */
static struct report_estimate ratio_of(const double *logarithms, uint32_t seeds, uint32_t simultaneous,
                                       bool exact)
{
    double confidence = 1 - (1 - REPORT_CONFIDENCE) / (simultaneous > 0 ? simultaneous : 1);
    double mean, half;

    if (exact)
        return exactly(exp(logarithms[0]));
    half = base_interval(logarithms, seeds, confidence, &mean);
    return (struct report_estimate){exp(mean), exp(mean - half), exp(mean + half), false};
}

/* Adds a trace's logarithms to those of each seed. */
static void add_trace(const struct report_comparison *comparison, uint32_t trace, uint32_t fast,
                      uint32_t slow, double *sums)
{
    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        sums[seed] += log_time(report_comparison_outcome(comparison, trace, slow, seed)) -
                      log_time(report_comparison_outcome(comparison, trace, fast, seed));
}

/* The paired logarithms by seed, averaged over the traces that both have. Returns how many those are. */
static uint32_t pair(const struct report_comparison *comparison, uint32_t fast, uint32_t slow,
                     double *by_seed)
{
    uint32_t traces = 0;

    memset(by_seed, 0, comparison->seeds * sizeof *by_seed);
    for (uint32_t trace = 0; trace < comparison->trace_count; trace++) {
        if (!report_cell_is_done(comparison, trace, fast) || !report_cell_is_done(comparison, trace, slow))
            continue;
        add_trace(comparison, trace, fast, slow, by_seed);
        traces++;
    }
    for (uint32_t seed = 0; traces > 0 && seed < comparison->seeds; seed++)
        by_seed[seed] /= traces;
    return traces;
}

/* Whether a ratio of the two has no chance in it. */
static bool are_exact(const struct report_comparison *comparison, uint32_t a, uint32_t b)
{
    return comparison->configurations[a].exact && comparison->configurations[b].exact;
}

/* Without a common trace there is nothing to compare, and NAN passes through everything that follows. */
struct report_estimate report_comparison_ratio(const struct report_comparison *comparison, uint32_t fast,
                                               uint32_t slow, uint32_t simultaneous)
{
    double by_seed[REPORT_SEEDS_MAX];

    if (pair(comparison, fast, slow, by_seed) == 0)
        return (struct report_estimate){NAN, NAN, NAN, false};
    return ratio_of(by_seed, comparison->seeds, simultaneous, are_exact(comparison, fast, slow));
}

/* As above, with one trace: the sum over one is the mean. */
struct report_estimate report_trace_ratio(const struct report_comparison *comparison, uint32_t trace,
                                          uint32_t fast, uint32_t slow, uint32_t simultaneous)
{
    double by_seed[REPORT_SEEDS_MAX] = {0};

    if (!report_cell_is_done(comparison, trace, fast) || !report_cell_is_done(comparison, trace, slow))
        return (struct report_estimate){NAN, NAN, NAN, false};
    add_trace(comparison, trace, fast, slow, by_seed);
    return ratio_of(by_seed, comparison->seeds, simultaneous, are_exact(comparison, fast, slow));
}

/* The mean logarithm of a configuration's times; NAN when a trace is missing. */
static double mean_log(const struct report_comparison *comparison, uint32_t configuration)
{
    double sum = 0;

    for (uint32_t trace = 0; trace < comparison->trace_count; trace++) {
        if (!report_cell_is_done(comparison, trace, configuration))
            return NAN;
        for (uint32_t seed = 0; seed < comparison->seeds; seed++)
            sum += log_time(report_comparison_outcome(comparison, trace, configuration, seed));
    }
    return sum / comparison->trace_count / comparison->seeds;
}

/* Inserted one by one: of equal ones the first given stays first, and there are few. O(n^2) means, of which each
 * is a sum over traces and seeds: configurations are some hundreds at most. */
uint32_t report_comparison_rank(const struct report_comparison *comparison, uint32_t *order)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < comparison->configuration_count; i++) {
        double value = mean_log(comparison, i);
        uint32_t place = count;
        if (!isfinite(value))
            continue;
        while (place > 0 && mean_log(comparison, order[place - 1]) > value)
            place--;
        memmove(order + place + 1, order + place, (count - place) * sizeof *order);
        order[place] = i;
        count++;
    }
    return count;
}

/* ---- effects: configurations that are equal in all factors but those of a mask ---- */

/* For the factor mapping, of two mappings on three networks:
 *
 *      mesh, identity     torus, identity     king, identity
 *      mesh, random       torus, random       king, random          three groups of two
 *
 * In each the slower over the faster time; their geometric mean is the effect. Networks as such have two
 * groups of three. A group that has lost members (left out, failed, missing) goes on with the others; one of
 * a single member says nothing. */
struct grouping {
    const struct report_comparison *comparison; /* borrowed */
    uint64_t mask;                              /* factors that vary within a group */
    const double *log;                          /* [configuration]: mean_log, NAN where not complete */
    double *by_seed;                            /* sums over the groups */
    uint32_t groups;
    bool exact; /* so far: no group has chance in it */
};

/* Whether both belong to one group. */
static bool is_together(const struct grouping *grouping, uint32_t a, uint32_t b)
{
    const struct report_comparison *comparison = grouping->comparison;

    for (uint32_t factor = 0; factor < comparison->factor_count; factor++)
        if ((grouping->mask >> factor & 1) == 0 &&
            comparison->configurations[a].level[factor] != comparison->configurations[b].level[factor])
            return false;
    return true;
}

/* The group of `first`, unless an earlier configuration is in it, which then has counted it. Extremes are
 * chosen by their means over all seeds, and are the same two for every seed: so the differences are paired.
 */
static void add_group(struct grouping *grouping, uint32_t first)
{
    const struct report_comparison *comparison = grouping->comparison;
    uint32_t fastest = first, slowest = first, members = 0;
    double by_seed[REPORT_SEEDS_MAX];

    for (uint32_t i = 0; i < comparison->configuration_count; i++) {
        if (!isfinite(grouping->log[i]) || !is_together(grouping, first, i))
            continue;
        if (i < first)
            return;
        members++;
        if (grouping->log[i] < grouping->log[fastest])
            fastest = i;
        if (grouping->log[i] > grouping->log[slowest])
            slowest = i;
    }
    if (members < 2 || pair(comparison, fastest, slowest, by_seed) == 0)
        return;
    for (uint32_t seed = 0; seed < comparison->seeds; seed++)
        grouping->by_seed[seed] += by_seed[seed];
    grouping->exact = grouping->exact && are_exact(comparison, fastest, slowest);
    grouping->groups++;
}

/* One factor's effect, or that of several together. 0, or -1: memory. A configuration is the first of its group or
 * in an earlier one's, so that each group is counted once. */
static int measure(struct base_arena *arena, const struct report_comparison *comparison, const char *name,
                   uint64_t mask, const double *log, struct report_effect *effect)
{
    struct grouping grouping = {.comparison = comparison, .mask = mask, .log = log, .exact = true};

    grouping.by_seed = base_arena_array(arena, comparison->seeds, sizeof *grouping.by_seed);
    if (grouping.by_seed == NULL)
        return -1;
    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        if (isfinite(log[i]))
            add_group(&grouping, i);
    for (uint32_t seed = 0; grouping.groups > 0 && seed < comparison->seeds; seed++)
        grouping.by_seed[seed] /= grouping.groups;
    *effect = (struct report_effect){name, grouping.groups, {NAN, NAN, NAN, false}, grouping.by_seed};
    if (grouping.groups > 0)
        effect->spread = ratio_of(grouping.by_seed, comparison->seeds, 1, grouping.exact);
    return 0;
}

/* Largest first; those of which nothing is known last. */
static int compare_effects(const void *left, const void *right)
{
    const struct report_effect *a = left, *b = right;
    double x = a->groups > 0 ? a->spread.value : 0, y = b->groups > 0 ? b->spread.value : 0;

    if (x > y || x < y)
        return x > y ? -1 : 1;
    return strcmp(a->name, b->name);
}

/* 0 for what is no factor, which is in no mask. */
static uint64_t mask_of(const struct report_comparison *comparison, const char *name)
{
    for (uint32_t factor = 0; factor < comparison->factor_count; factor++)
        if (strcmp(comparison->factors[factor].name, name) == 0)
            return UINT64_C(1) << factor;
    return 0;
}

/* Many routings serve one topology only: then neither can be changed alone, but both can together, and what
 * is known of the two is that. */
static int measure_network(struct base_arena *arena, const struct report_comparison *comparison,
                           const double *log, struct report_effect *effects, int count)
{
    uint64_t topology = mask_of(comparison, "topology"), routing = mask_of(comparison, "routing");
    bool is_known = true;

    if (topology == 0 || routing == 0)
        return count;
    for (int i = 0; i < count; i++)
        if (strcmp(effects[i].name, "topology") == 0 || strcmp(effects[i].name, "routing") == 0)
            is_known &= effects[i].groups > 0;
    if (is_known)
        return count;
    return measure(arena, comparison, REPORT_NETWORK_FACTOR, topology | routing, log, &effects[count]) == 0
               ? count + 1
               : -1;
}

/* Each configuration's mean is computed once for all factors. A factor that nothing can be said about is in
 * the list as well, without groups: the reader is to know that it was looked at. effects must have room for one
 * more than there are factors: topology and routing together. */
int report_comparison_effects(struct base_arena *arena, const struct report_comparison *comparison,
                              struct report_effect *effects, struct base_error *error)
{
    double *log = base_arena_array(arena, comparison->configuration_count + 1, sizeof *log);
    int count = 0;

    if (log == NULL)
        return base_error_memory(error, "the effects");
    for (uint32_t i = 0; i < comparison->configuration_count; i++)
        log[i] = mean_log(comparison, i);
    for (uint32_t factor = 0; factor < comparison->factor_count; factor++)
        if (measure(arena, comparison, comparison->factors[factor].name, UINT64_C(1) << factor, log,
                    &effects[count++]) != 0)
            return base_error_memory(error, "the effects");
    count = measure_network(arena, comparison, log, effects, count);
    if (count < 0)
        return base_error_memory(error, "the effects");
    qsort(effects, (size_t)count, sizeof *effects, compare_effects);
    return count;
}
