/* The communication graph of a program: messages and bytes from rank to rank, collectives expanded. Sparse, and in
 * runs: where a rank sends alike to ranks one after another, as in an exchange of all with all, these are one entry.
 *
 *     struct trace_comm_place place = {0};
 *     while (trace_comm_graph_next(graph, &place, &pair))
 *         …                                                  every pair, by source, then target */
#ifndef TRACE_GRAPH_H
#define TRACE_GRAPH_H

#include "traces/collectives/collective.h"
#include "traces/program.h"

/* What a replay has in memory at a time, of all ranks, counted as if each stood where it has most. */
struct trace_demand {
    uint64_t requests; /* started and not waited for, those of collectives included */
    uint64_t steps;    /* of the longest collective of each */
};

struct trace_comm_run { /* of one source: as much to each of `count` targets from `first` on */
    uint32_t first, count;
    uint64_t messages, bytes; /* to each */
};

struct trace_comm_graph {
    uint32_t ranks;                    /* of the world */
    size_t count;                      /* of pairs; messages to self included */
    const struct trace_comm_run *runs; /* by source, then first target */
    const size_t *begin;               /* [ranks + 1]: the runs of rank r are begin[r] … begin[r + 1] - 1 */
    struct trace_demand demand;        /* of the program; zeros of a graph from pairs */
};

/* Reads the whole program once. The caller frees the graph. */
struct trace_comm_graph *trace_comm_graph_new(struct trace_program *program,
                                              const struct trace_tuning *tuning, struct base_error *error);
/* A graph from given pairs (any order, repeated pairs are added up). */
struct trace_comm_graph *trace_comm_graph_from(uint32_t ranks, const struct trace_pair *pairs, size_t count,
                                               struct base_error *error);
void trace_comm_graph_free(struct trace_comm_graph *graph);

/* Where a walk through the pairs stands; zeros: before the first. {.source = r, .run = graph->begin[r]}: before the
 * first of rank r, or of the next one that sends. */
struct trace_comm_place {
    size_t run;
    uint32_t source, behind; /* of the next pair; so many targets of its run come before it */
};

/* The next pair; false: there is none. */
bool trace_comm_graph_next(const struct trace_comm_graph *graph, struct trace_comm_place *place,
                           struct trace_pair *pair);
/* The pair of these ranks, by bisection; false: the one sends nothing to the other. */
bool trace_comm_graph_pair(const struct trace_comm_graph *graph, uint32_t source, uint32_t target,
                           struct trace_pair *pair);

#endif
