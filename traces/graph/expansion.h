/* What a program's collectives become: which algorithm a tuning chooses for the collectives of each call,
 * and how many messages that makes. Part of the coverage, which says of every record how it is replayed. */
#ifndef TRACE_EXPANSION_H
#define TRACE_EXPANSION_H

#include "traces/collectives/collective.h"

struct trace_expansion {
    const char *record;    /* the call: "MPI_Allreduce", "MPI_Comm_split"; borrowed from the program */
    const char *algorithm; /* "allreduce-recursive-doubling"; a constant */
    uint64_t calls;        /* one per calling rank */
    uint64_t messages, bytes;
};

struct trace_expansion_list {
    struct trace_expansion *rows; /* by record, then by algorithm */
    size_t count, capacity;
};

/* Reads every rank's stream once. The caller frees the list, which is empty before. -1: a collective that is
 * impossible or a trace that cannot be read (BASE_INPUT, with its position), memory (BASE_SYSTEM). */
int trace_expand(struct trace_program *program, const struct trace_tuning *tuning,
                 struct trace_expansion_list *list, struct base_error *error);
void trace_expansion_list_free(struct trace_expansion_list *list); /* leaves an empty one */

#endif
