/* Collectives as point-to-point messages: what one rank of a communicator sends and receives, in which order,
 * and where it waits. Pure functions of (operation, sizes, ranks, root), so the communication graph and the
 * replay expand a collective the same way. The selection tables and algorithms are those of
 * replay-semantics.md §6; each algorithm is one file and one line in collective-kinds.def. */
#ifndef TRACE_COLLECTIVE_H
#define TRACE_COLLECTIVE_H

#include "traces/program.h"

/* One collective as one member sees it. */
struct trace_collective_call {
    enum trace_collective collective;
    uint32_t ranks, rank, root; /* size of the communicator, own rank in it, root in it (or UINT32_MAX) */
    uint64_t bytes;             /* as op.bytes in program.h */
    const struct trace_vector *vector; /* v- and w-variants, else NULL */
};

enum trace_step_kind {
    TRACE_STEP_SEND,    /* start a send (non-blocking) */
    TRACE_STEP_RECEIVE, /* post a receive (non-blocking) */
    TRACE_STEP_WAIT     /* all sends and receives started so far are complete */
};

/* Messages of one pair with one phase match in order. Every schedule ends in a TRACE_STEP_WAIT unless it is
 * empty. */
struct trace_step {
    enum trace_step_kind kind;
    uint32_t peer;  /* rank in the communicator */
    uint32_t phase; /* part of the matching key, so that steps of one collective cannot be confused */
    uint64_t bytes;
};

struct trace_schedule { /* reusable buffer; zeroed is empty */
    struct trace_step *steps;
    size_t count, capacity;
    const char *algorithm; /* the name of the algorithm chosen */
};

/* One algorithm. Appends the member's steps; -1 when memory is out. */
struct trace_algorithm {
    const char *name;    /* "recursive-doubling" */
    const char *summary; /* a line of help with the source */
    int (*schedule)(const struct trace_collective_call *call, struct trace_schedule *schedule);
};

/* One selection table: "mpich". choose gives the algorithm for a call; never NULL for a collective it lists.
 */
struct trace_selection {
    const char *name, *summary;
    const struct trace_algorithm *(*choose)(const struct trace_collective_call *call);
};

const struct trace_selection *const *trace_selections(size_t *count);
const struct trace_algorithm *const *trace_algorithms(size_t *count);

/* Fills schedule (emptied first) for one call. -1 with an error when memory is out or the call is impossible.
 */
int trace_collective_schedule(const struct trace_selection *selection,
                              const struct trace_collective_call *call, struct trace_schedule *schedule,
                              struct base_error *error);
void trace_schedule_free(struct trace_schedule *schedule);

/* The bytes that communicator rank `from` sends to rank `to` in a v-collective of which only the totals are
 * recorded: sent[from] split in proportion to received[], rounded by largest remainder (ties to the lower
 * rank), so that a row adds up exactly. */
uint64_t trace_vector_share(const struct trace_vector *vector, uint32_t from, uint32_t to);

#endif
