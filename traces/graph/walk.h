/* Going through all operations of a program, one rank after another, for whoever only counts: the communication
 * graph, the list of algorithms. */
#ifndef TRACE_WALK_H
#define TRACE_WALK_H

#include "traces/collectives/collective.h"

struct trace_walk {
    struct trace_program *program; /* borrowed */
    uint32_t rank;                 /* whose operations come now */
    /* [communicator]: that rank's number there, UINT32_MAX until looked up; the walk's own */
    uint32_t *own_rank;
};

/* Calls visit for each operation of each rank, in order, and stops when it returns -1: then an error that is
 * BASE_INPUT gets the position of the operation. 0, or -1 with an error. */
int trace_walk(struct trace_program *program,
               int (*visit)(void *user, struct trace_walk *walk, const struct trace_op *op,
                            struct base_error *error),
               void *user, struct base_error *error);

/* The collective that the rank calls, as a schedule wants it; its rank is UINT32_MAX for one that is no member. */
struct trace_collective_call trace_walk_collective(struct trace_walk *walk, const struct trace_op *op);

#endif
