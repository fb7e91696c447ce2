/* The communication graph of a program: messages and bytes from rank to rank, collectives expanded. Sparse.
 */
#ifndef TRACE_GRAPH_H
#define TRACE_GRAPH_H

#include "traces/collectives/collective.h"
#include "traces/program.h"

/* What a replay has in memory at a time, of all ranks, counted as if each stood where it has most. */
struct trace_demand {
    uint64_t requests; /* started and not waited for, those of collectives included */
    uint64_t steps;    /* of the longest collective of each */
};

struct trace_comm_graph {
    uint32_t ranks;                 /* of the world */
    size_t count;                   /* of pairs */
    const struct trace_pair *pairs; /* sorted by source, then target; messages to self included */
    struct trace_demand demand;     /* of the program; zeros of a graph from pairs */
};

/* Reads the whole program once. The caller frees the graph. */
struct trace_comm_graph *trace_comm_graph_new(struct trace_program *program,
                                              const struct trace_tuning *tuning, struct base_error *error);
/* A graph from given pairs (any order, repeated pairs are added up). */
struct trace_comm_graph *trace_comm_graph_from(uint32_t ranks, const struct trace_pair *pairs, size_t count,
                                               struct base_error *error);
void trace_comm_graph_free(struct trace_comm_graph *graph);

#endif
