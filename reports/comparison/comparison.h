/* Runs side by side: every configuration (topology, routing, mapping ...) with every trace and every seed,
 * and what may be concluded from them. Filled by replay/; plain data, owned by its arena.
 *
 *      outcomes[(trace * configurations + configuration) * seeds + seed]
 *
 * What is compared is simulated time. All differences are paired: two configurations are compared run by run,
 * with the same trace and the same seed. The logarithms of the ratios are averaged over the traces, which
 * makes one number a seed; the interval is that of their mean, by Student's t with one degree of freedom
 * fewer than seeds. So it tells what another choice of seeds would change, for these traces; it says nothing
 * of other traces. */
/* How a comparison is read:
 *
 *      slowdown           of a cell (trace and configuration): the mean over its seeds, with its interval
 *      time / fastest     of a configuration: its paired ratio to the fastest one, over all traces
 *      worst / best       of a factor: what lies between its worst and its best value, all else being equal
 *
 * A cell is whole or it is nothing: where one of its seeds is missing or failed, the cell, and the rank of
 * its configuration, are not known. So a comparison that was interrupted never shows a number that the whole
 * one would not show.
 *
 * What is exact: a configuration in which nothing is drawn by chance is run once, however many seeds there
 * are, and its run stands for all of them. Ratios of two such configurations need no interval.
 *
 * Why pairs: with random placements two runs of one configuration may differ by more than two configurations
 * do. The same seed gives both configurations the same draws wherever they draw at all, and what is left of
 * the difference is that of the configurations. Where they do not draw alike the pairing costs nothing but
 * half of the degrees of freedom.
 *
 * Why Bonferroni: the fastest of n configurations was chosen because it looked fast. Each of the n - 1
 * intervals against the others is made as sure as is needed for all of them to hold at once. */
#ifndef REPORT_COMPARISON_H
#define REPORT_COMPARISON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/error.h"
#include "reports/run/run.h"

#define REPORT_COMPARISON_SCHEMA "flitreplay-compare-1"
#define REPORT_CONFIDENCE 0.95
#define REPORT_FAILURE_TEXT 512

enum report_state {
    REPORT_MISSING, /* not run: interrupted, or another shard's */
    REPORT_DONE,
    REPORT_FAILED,   /* cannot be run; `failure` says why, the same in every attempt */
    REPORT_LEFT_OUT, /* the trace does not fit: known before */
    REPORT_REPEATED, /* of an exact configuration: the run of the first seed stands for it */
    REPORT_PARTIAL   /* cut short by SIGINT: what is known is of a part */
};

/* Of one run. No pointers: outcomes are sent between processes as they are. */
struct report_outcome {
    uint32_t state;                /* enum report_state */
    struct report_numbers numbers; /* of the run: those of report_compared_fields count */
    uint32_t replayed_thousandths; /* of the operations, of REPORT_PARTIAL */
    char digest[33];
    char failure[REPORT_FAILURE_TEXT]; /* the error's sentence, cut; empty unless REPORT_FAILED */
};

/* What a comparison keeps of a report: REPORT_DONE, or of one that was interrupted REPORT_PARTIAL. */
void report_outcome_of(const struct report_run *run, struct report_outcome *outcome);

/* An option that was given several values. */
struct report_factor {
    const char *name;          /* of the option */
    const char *const *levels; /* its values, in the order given */
    uint32_t level_count;      /* two at least */
};

struct report_cost_network; /* reports/cost/cost.h */

struct report_configuration {
    const char *topology, *routing, *mapping; /* routing: the one in force, "none" on an ideal network */
    const char *name;      /* "king-mesh:8x8 with knaive": the values in which configurations differ */
    const uint32_t *level; /* [factors] */
    const struct report_option *options; /* in force, but for those that are the same in all runs */
    uint32_t option_count;
    struct report_inputs inputs; /* files that its options name */
    /* NULL: neither a technology nor --equal asks for them, or an ideal network */
    const struct report_cost_network *costs;
    struct report_physical physical; /* rates and delays of its links */
    bool exact; /* nothing is drawn by chance: its runs of other seeds are REPORT_REPEATED */
};

struct report_left_out {
    const char *what, *why; /* the combination; a sentence */
    const char *reason;     /* the same of all combinations that are left out for it; NULL: why */
};

/* How far a trace can be relied on, whatever is compared with it. */
struct report_recording {
    struct report_clocks clocks;            /* whether its ranks had their processors */
    const struct report_coverage *coverage; /* what of it is replayed, and how */
    uint32_t coverage_count;                /* rows */
};

struct report_comparison {
    struct base_arena arena; /* of all that is not said to be borrowed */
    const char *command;     /* that gives the same answer, for the document; NULL: not known */
    const char *const *traces;
    const char *const *fingerprints;           /* [trace] hashes over what was in them; NULL: not known */
    const struct report_recording *recordings; /* [trace]; NULL: not known */
    uint32_t trace_count;
    uint64_t first_seed;                 /* the others follow it */
    uint32_t seeds;                      /* of each trace and configuration */
    const struct report_option *options; /* in force: those that are the same in all runs */
    uint32_t option_count;
    struct report_inputs inputs;     /* of all configurations */
    struct report_inputs experiment; /* where options came from, for the document: it bears on nothing else */
    const char *const
        *stored; /* sentences about the store of results, for the text; borrowed from it. NULL: none */
    uint32_t stored_count;
    const struct report_factor *factors; /* without the traces, which are no choice of the user's */
    uint32_t factor_count;
    const struct report_configuration *configurations; /* those that go together */
    uint32_t configuration_count;                      /* without those left out */
    struct report_outcome *outcomes;                   /* as drawn above */
    const struct report_left_out *left_out; /* pairs that do not go together, and traces that do not fit */
    uint32_t left_out_count;
    bool interrupted;       /* by SIGINT: some are REPORT_MISSING or REPORT_PARTIAL */
    uint32_t shard, shards; /* 1 of 1: all */
};

/* seed counts from 0. Of an exact configuration that of its only run, whatever the seed. */
const struct report_outcome *report_comparison_outcome(const struct report_comparison *comparison,
                                                       uint32_t trace, uint32_t configuration, uint32_t seed);
/* How many seeds a configuration is run with: one, where it is exact. */
uint32_t report_comparison_seeds(const struct report_comparison *comparison, uint32_t configuration);
/* How many places there are for outcomes; how many of them are runs to do, which leaves out those that do not
 * fit and those that the first seed's run stands for; and how many are in a state. */
uint32_t report_comparison_places(const struct report_comparison *comparison);
uint32_t report_comparison_runs(const struct report_comparison *comparison);
uint32_t report_comparison_count(const struct report_comparison *comparison, enum report_state state);

/* A ratio or a mean with its interval, or without: low and high are NAN where there is a single seed. Where
 * nothing was drawn by chance it is exact, and low and high are the value. */
struct report_estimate {
    double value, low, high; /* the interval's ends */
    bool exact;              /* no chance in it, so no interval is needed */
};

/* Whether every seed's run is there. */
bool report_cell_is_done(const struct report_comparison *comparison, uint32_t trace, uint32_t configuration);
/* The mean slowdown over the seeds. NAN unless all are there. */
struct report_estimate report_cell_slowdown(const struct report_comparison *comparison, uint32_t trace,
                                            uint32_t configuration);
/* How many times faster `fast` is than `slow`: the geometric mean over the traces that both have, paired. All
 * NAN when they have none in common. simultaneous: how many such intervals are to hold together (Bonferroni).
 */
struct report_estimate report_comparison_ratio(const struct report_comparison *comparison, uint32_t fast,
                                               uint32_t slow, uint32_t simultaneous);
/* Of a trace alone. */
struct report_estimate report_trace_ratio(const struct report_comparison *comparison, uint32_t trace,
                                          uint32_t fast, uint32_t slow, uint32_t simultaneous);

/* The configurations that have every trace, fastest first, in order[configuration_count]. Returns their
 * number. */
uint32_t report_comparison_rank(const struct report_comparison *comparison, uint32_t *order);

/* How much a factor matters: among configurations that differ in it alone, how many times longer the slowest
 * choice takes than the fastest; the geometric mean over all such groups. */
struct report_effect {
    /* the factor; "network" is topology and routing, where one of them cannot be changed alone */
    const char *name;
    uint32_t groups; /* 0: no two configurations differ in it alone, and nothing is known */
    struct report_estimate spread;
    double *by_seed; /* [seeds] logarithms */
};
/* Into effects[factor_count + 1], largest first, of whole groups of finished runs; owned by the arena.
 * Returns their number, or -1: memory. */
int report_comparison_effects(struct base_arena *arena, const struct report_comparison *comparison,
                              struct report_effect *effects, struct base_error *error);

/* The conclusions as sentences, only those that the intervals support; owned by the arena. NULL: memory.
 * *count is their number. */
const char **report_comparison_verdict(struct base_arena *arena, const struct report_comparison *comparison,
                                       uint32_t *count, struct base_error *error);

/* width: columns to use (reports/pages/page.h). -1: the stream failed, or memory. */
int report_comparison_text(const struct report_comparison *comparison, FILE *stream, unsigned width,
                           struct base_error *error);
/* The same as an HTML document, with the slowdowns as dots. */
int report_comparison_html(const struct report_comparison *comparison, FILE *stream,
                           struct base_error *error);
/* One object. The same runs give the same bytes, however many threads or processes ran them: nothing of the
 * host is in it. */
int report_comparison_json(const struct report_comparison *comparison, FILE *stream,
                           struct base_error *error);
/* A line a run: trace, configuration, its options, seed, state, the columns of reports/run/fields.def, digest, failure.
 */
int report_comparison_csv(const struct report_comparison *comparison, FILE *stream, struct base_error *error);

#endif
