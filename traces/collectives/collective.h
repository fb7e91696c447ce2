/* Collectives as point-to-point messages: what one rank of a communicator sends and receives, in which order,
 * and where it waits. Pure functions of (operation, sizes, ranks, root), so the communication graph and the
 * replay expand a collective the same way. Each algorithm is one file and one line in kinds.def;
 * the tables that choose between them, those of MPI libraries and the user's own, are tuning-*.c
 * (doc/collectives.md). */
#ifndef TRACE_COLLECTIVE_H
#define TRACE_COLLECTIVE_H

#include "traces/program.h"

/* One collective as one member sees it. With a vector the block of communicator rank i is
 *   sent[i]      for gatherv and allgatherv (what rank i contributes, counted once),
 *   received[i]  for scatterv and reduce_scatter (what rank i is left with),
 * and rank i's block for rank j in alltoallv and alltoallw is trace_vector_share(vector, i, j), unless the
 * vector is pairwise. Without a vector every block of a v- or w-variant has `bytes`; of gatherv and scatterv
 * a member other than the root may give its own block in `bytes` even if the root has a vector.
 *
 * On an inter-communicator ranks are numbered first group, then second; so is the root. Data go from one
 * group to the other: blocks and vectors are of all ranks of both, `bytes` is taken for the same in both. */
struct trace_collective_call {
    enum trace_collective collective;
    uint32_t ranks, rank, root; /* size of the communicator, own rank in it, root in it (or UINT32_MAX) */
    uint64_t bytes;             /* as op.bytes in program.h */
    const struct trace_vector *vector; /* v- and w-variants, reduce_scatter; else NULL */
    uint32_t first_group;   /* ranks in the first group of an inter-communicator; 0: an intra-communicator */
    uint64_t segment_bytes; /* length of the segments of pipelined algorithms, 0: whole messages. Filled in by
                               trace_collective_schedule as the table says */
    bool nonblocking;       /* the call returns before it is done: some libraries have other rules then */
};

enum trace_step_kind {
    TRACE_STEP_SEND,    /* start a send (non-blocking) */
    TRACE_STEP_RECEIVE, /* post a receive (non-blocking) */
    TRACE_STEP_WAIT     /* all sends and receives started so far are complete */
};

/* Messages of one pair with one phase match in order. Every schedule ends in a TRACE_STEP_WAIT unless it is
 * empty. */
struct trace_step {
    enum trace_step_kind kind; /* a wait has none of what follows */
    uint32_t peer;             /* rank in the communicator */
    uint32_t phase; /* part of the matching key, so that steps of one collective cannot be confused */
    uint64_t bytes;
};

struct trace_schedule { /* reusable buffer; zeroed is empty */
    struct trace_step *steps;
    size_t count, capacity; /* of steps; the room is kept from call to call */
    /* So many steps from this one on are sends of the same data to all other ranks, one each in the order of
     * the ranks: a network may carry them as one multicast. No more than one such row a schedule; 0: none. */
    size_t multicast_first, multicast_count;
    const char *algorithm;  /* the name of the algorithm chosen */
    uint64_t segment_bytes; /* the length of the segments chosen for it; 0: none */
};

/* One algorithm. The schedule function appends the member's steps, trusting the call
 * (trace_collective_schedule checks it); -1 when memory is out. Blocks for the member itself are copied
 * locally and have no steps. */
struct trace_algorithm {
    const char *name;       /* unique: "allreduce-recursive-doubling" */
    const char *summary;    /* a line of help with the source */
    uint32_t collectives;   /* the operations it can do: a mask of 1 << TRACE_… */
    bool power_of_two;      /* only for communicators of 2^k ranks */
    uint64_t segment_bytes; /* what the user's own table takes for segments; 0: the algorithm has none */
    bool inter;             /* for inter-communicators, and only for them */
    int (*schedule)(const struct trace_collective_call *call, struct trace_schedule *schedule);
};

struct trace_rule; /* traces/collectives/tuning-rules.h */

/* One tuning table: "mpich-4". The newest one of a library is also found by the library's name, "mpich"
 * (newest; NULL: it has none); checked says how it compares with what the
 * library sends (a line of help; NULL: it is of no library). choose
 * gives the algorithm for a call within one group, never NULL; segment_bytes what is to be the call's
 * segment_bytes (NULL: always 0). The rules of a user go before. */
struct trace_tuning {
    const char *name, *newest, *summary, *checked; /* constants */
    const struct trace_algorithm *(*choose)(const struct trace_collective_call *call);
    uint64_t (*segment_bytes)(const struct trace_collective_call *call);
    const struct trace_tuning *nonblocking; /* the table for calls that do not block; NULL: the same */
    const struct trace_tuning *software;    /* the table for communicators that the network cannot multicast
                                               to; NULL: the same */
    const struct trace_rule *rules;
    size_t rule_count; /* of a user's rules; 0: none */
};

const struct trace_tuning *const *trace_tunings(size_t *count);
const struct trace_algorithm *const *trace_algorithms(size_t *count);
/* Every name of a table, in the order of the help: NULL when index is beyond the last, else the table, and
 * *name is its own name or that by which it is the newest. */
const struct trace_tuning *trace_tuning_named(size_t index, const char **name);
/* The table of that name, own or newest. NULL: unknown, with the nearest match and the list
 * (BASE_USAGE). */
const struct trace_tuning *trace_tuning_find(const char *name, struct base_error *error);

/* Fills schedule (emptied first) for one call: the algorithm's name, and no steps for one rank or for a
 * collective that moves no data (other than a barrier), as MPICH returns early then. -1 with an error when
 * memory is out (BASE_SYSTEM) or the call is impossible (BASE_INPUT): no such rank or root, a vector of
 * another size, sizes beyond 64 bits. */
int trace_collective_schedule(const struct trace_tuning *tuning, const struct trace_collective_call *call,
                              struct trace_schedule *schedule, struct base_error *error);
/* How many steps of a blocking call's schedule of `count` a replay keeps at a time: an eighth of a long one, so that
 * it is made eight times. */
size_t trace_schedule_part(size_t count);
void trace_schedule_free(struct trace_schedule *schedule); /* NULL is legal; leaves an empty one */

/* The bytes that communicator rank `from` sends to rank `to` in a v-collective of which only the totals are
 * recorded: sent[from] is laid out over the ranks in proportion to received[] (evenly when all of it is
 * zero), the borders between them rounded down, so that a row adds up exactly and each share is less than one
 * byte off. Takes time in proportion to the vector's size. */
uint64_t trace_vector_share(const struct trace_vector *vector, uint32_t from, uint32_t to);

#endif
