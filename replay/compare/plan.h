/* What a comparison will run: the cross product of what was given, without what does not go together.
 *
 *      values ──► configurations × traces × seeds ──► struct report_comparison, all of whose outcomes are missing
 *
 * A run has a number: that of its outcome. Everything about a run follows from its number and the plan, so
 * that any thread, process or machine with the same plan can do any run. */
/* Everything that may be refused is refused while the plan is made, as far as that needs no replay: unknown
 * names, impossible buffers, traces that are damaged or too large. What only a replay finds out (a deadlock,
 * a mapping that does not know such a graph) is the outcome of its run, and the others go on.
 *
 * Two processes that are given the same arguments make the same plan, with the same numbers: shards need to
 * agree on nothing else. */
#ifndef REPLAY_COMPARE_PLAN_H
#define REPLAY_COMPARE_PLAN_H

#include "base/digest.h"
#include "netmodel/network.h"
#include "netmodel/topology.h"
#include "replay/compare/kept.h"
#include "replay/values.h"
#include "reports/comparison/comparison.h"

/* Numbers, with 2 traces, 3 configurations and 2 seeds:
 *
 *      trace            0                 1
 *      configuration    0     1     2     0     1     2
 *      seed             1  2  1  2  1  2  1  2  1  2  1  2
 *      number           0  1  2  3  4  5  6  7  8  9 10 11
 *
 * Places of other seeds than the first of an exact configuration, in which nothing is drawn by chance, are no
 * runs. Shard I of N does those runs whose places among the runs leave I - 1 when they are divided by N: each
 * gets some of every trace, so that parts take about the same time where traces do not. */
struct replay_configuration {
    struct replay_settings settings;     /* of the first seed */
    const struct net_topology *topology; /* one of the plan's, or: */
    struct net_topology *own_topology;   /* with latencies of its links by --link-latency-per-m; NULL: none */
    const struct report_option *options; /* in force, of the first seed */
    uint32_t option_count;
    const struct report_cost_network *costs; /* as in report_configuration */
    struct report_inputs inputs; /* the files that its options name, as they were when the plan was made */
    uint64_t network_bytes;      /* of a network, as in a setup that has tried one, like: */
    struct net_options in_force; /* its options */
};

/* What a trace has to do at most: collectives count as if all ranks sent to all. */
struct replay_trace_size {
    uint64_t messages, bytes;
};

struct replay_plan {
    struct report_comparison comparison;         /* with a place for each outcome */
    struct replay_configuration *configurations; /* [configuration], as in the comparison */
    struct net_topology **topologies;            /* one for each value of --topology; owned */
    uint32_t topology_count, configuration_room;
    struct replay_trace_size *sizes; /* [trace] */
    struct replay_kept *kept;        /* traces that are open */
    const char **fingerprints; /* [trace] 32 hexadecimal digits: what the trace held when the plan was made */
};

/* Makes the plan. settings: the options that are given once, and --seed and --seeds. BASE_USAGE: a value that
 * no combination can use (the sentence is that of the first refusal), nothing to run; errors of reading the
 * traces. */
struct replay_plan *replay_plan_new(const struct replay_values *values,
                                    const struct replay_settings *settings, struct base_error *error);
void replay_plan_free(struct replay_plan *plan); /* NULL is legal */

/* What two processes need to agree on before one of them does the other's runs: the build, what the traces
 * and other files held, the values of all options in force, which runs there are, and how an outcome looks in
 * memory. */
void replay_plan_digest(const struct replay_plan *plan, char text[BASE_DIGEST_TEXT]);

struct replay_run {
    uint32_t trace, configuration; /* indices in the plan */
    uint64_t seed;                 /* itself, not its place among the seeds */
};
/* The option of that name, in force; NULL: it has no value. */
const char *replay_configuration_value(const struct replay_configuration *configuration,
                                       enum replay_option option);
struct replay_run replay_plan_run(const struct replay_plan *plan, uint32_t number);

#endif
