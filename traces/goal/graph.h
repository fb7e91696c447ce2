/* The operations of one rank of a GOAL schedule: a graph that is taken in at one end while it is given out in
 * an order at the other, of which only a window is in memory.
 *
 *        in order, waited for              in the window                               not read yet
 *      ─────────────────────────┬───────────────────────────────┬──────────────┬──────────────────────►
 *        forgotten;             first                 settled:  │ may still be │ count     the file
 *        open messages: pending not in order yet   requirements │ told what    │
 *                               ("low")            are complete │ they require │
 *                                                  ├─ settle ──►│
 *                               ├────────────── ahead ─────────────────────────┤
 *
 * The order (order.c) is that of a graph which is known as a whole: of the operations that can go on
 * without waiting the first in the file, and where there is none the first that can go on after a wait. A
 * window gives the same order when
 *
 *   - what an operation requires is said before `settle` more operations have followed it. Later ones could
 *     make an operation wait that was given out;
 *   - no operation that can go on without waiting stands further on than the window, while a wait is put in
 *     front of one within. So waits are put off until the window has `ahead` operations or the block ends.
 *
 * Opening a schedule (`checks`) reads with a wide window and finds out whether both hold: of each operation
 * it knows since which wait it could have gone on, which must not be before the last one when it is settled;
 * and a requirement of a settled operation is seen at once. Where they do not hold the answer is
 * TRACE_GOAL_FAR, and the block is read again with a wider window, in the end with one that has all of it.
 * With the order it finds the least `settle`, `ahead` and `remember` that give it (struct trace_goal_reach);
 * those are what a cursor reads with. No cursor is later with an operation than the opening was at the same
 * place of the file: what the opening had forgotten there the cursor does not need to know either.
 *
 * Forgotten is what is in order and complete, since whoever requires it later has what it wants. A message
 * that is not waited for yet stays, with its label, as long as the opening has seen anyone ask for it
 * (`remember`), then its request alone, for the wait at the end. */
#ifndef TRACE_GOAL_GRAPH_H
#define TRACE_GOAL_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/heap.h"
#include "traces/goal/labels.h"

#define TRACE_GOAL_NONE UINT32_MAX /* no operation, no edge */
#define TRACE_GOAL_ANY UINT32_MAX  /* TRACE_ANY_SOURCE, TRACE_ANY_TAG */

enum trace_goal_kind { TRACE_GOAL_CALC, TRACE_GOAL_SEND, TRACE_GOAL_RECV };

struct trace_goal_op {
    uint64_t value; /* nanoseconds or bytes */
    uint32_t peer, tag;
    enum trace_goal_kind kind; /* calc, send or recv */
    bool is_other_cpu;         /* not the rank's first */
};

/* How far apart in a block things are that belong together; each is a number of operations. */
struct trace_goal_reach {
    uint64_t ahead; /* the window: operations from the first that is not in order to the last that was read */
    uint64_t settle;   /* behind an operation until nothing is said of what it requires */
    uint64_t remember; /* behind a message until nobody asks for it */
};

struct trace_goal_node {
    struct trace_goal_op op;     /* as the file has it */
    uint64_t index;              /* in the file, from 0; UINT64_MAX: the node is free */
    uint64_t label_a, label_key; /* when it has a label, as in names.c */
    uint64_t request;            /* of a message that is in order */
    uint32_t needs;              /* edges to what is not in order */
    uint32_t waits;              /* edges to messages that were not waited for */
    uint32_t edges, last_edge;   /* what it requires, in the order of the file */
    uint32_t users;              /* edges of those that it holds up */
    uint32_t next, previous;     /* in the window or among the pending */
    uint32_t same_bucket;
    bool is_labelled, is_settled, is_ordered, is_done, is_pending; /* done: waited for */
};

/* An edge from an operation to one that it requires, until it goes on. */
struct trace_goal_edge {
    uint32_t from, to;    /* nodes */
    uint32_t next;        /* of `from` */
    uint32_t next_user;   /* of `to` */
    bool is_started_only; /* irequires: it is enough that `to` has started */
    bool is_satisfied;    /* `to` may be forgotten */
};

/* Beside a node when the graph is checked. Times are counted in waits and calcs ("blocks"), and in waits that
 * were put off until the window was full ("turns"). */
struct trace_goal_check {
    uint64_t begun, completed; /* blocks */
    uint64_t level;            /* the last block that what it requires is behind */
    uint64_t doubt;            /* what it requires and was forgotten: not later than this block */
    uint64_t ordered, done;    /* turns */
    uint64_t since;            /* the turn since which nothing holds it up */
};

struct trace_goal_list {
    uint32_t first, last; /* nodes, linked by next and previous */
};

/* Zeroed, and then begun. */
struct trace_goal_graph {
    struct trace_goal_node *nodes;   /* a pool: an operation that nobody needs is free again */
    struct trace_goal_check *checks; /* [node], if is_checked */
    size_t node_count, node_capacity, check_capacity;
    struct trace_goal_edge *edges; /* a pool, as the nodes are */
    size_t edge_count, edge_capacity;
    uint32_t free_node, free_edge; /* the first of those not in use */
    uint32_t *buckets;             /* label -> node (names.c) */
    size_t bucket_count, name_count;
    struct base_heap ready, blocked;        /* nodes by their place in the file: can go on, have to wait */
    struct trace_goal_list window, pending; /* both in the order of the file */
    uint32_t low, unsettled;                /* the first of the window that is not in order, not settled */
    uint64_t count;                         /* operations read */
    struct trace_goal_reach reach;
    uint64_t keep, pending_most, pending_count; /* of operations that are in order; of open messages */
    bool keeps_rest; /* also when it is checked: trace_goal_graph_rest will be asked */
    bool is_checked, has_ended;
    uint64_t blocks, turns, next_request;
    uint64_t forgotten;    /* no block of what was forgotten is later than this */
    bool has_dropped;      /* open messages were forgotten */
    uint64_t approximated; /* operations that the order holds up for others that they do not depend on */
    struct trace_goal_reach found; /* by a check: the least that gives this order */
    uint64_t *waits, *rest; /* requests: of the last wait that was given, and of messages that were dropped */
    uint32_t *waited;       /* nodes of the wait */
    size_t waits_capacity, waited_capacity, rest_count, rest_capacity;
};

/* What the functions below answer, when not 0. */
#define TRACE_GOAL_MEMORY (-1)
#define TRACE_GOAL_FAR (-2)     /* the window is too narrow; only when the graph is checked */
#define TRACE_GOAL_CHANGED (-3) /* the file is not what it was when it was checked */

/* Empty, for a block from its beginning. A window of UINT64_MAX holds all. */
void trace_goal_graph_begin(struct trace_goal_graph *graph, const struct trace_goal_reach *reach,
                            bool checks);
void trace_goal_graph_free(struct trace_goal_graph *graph);

/* The next operation of the file; label NULL: it has none. */
int trace_goal_graph_add(struct trace_goal_graph *graph, const struct trace_goal_op *op,
                         const struct trace_goal_label *label);
/* The operation of a label, or NONE: it is forgotten, or there never was one. */
uint32_t trace_goal_graph_find(const struct trace_goal_graph *graph, const struct trace_goal_label *label);
/* `from` requires `to`, which is NONE when it has been forgotten. */
int trace_goal_graph_require(struct trace_goal_graph *graph, uint32_t from, uint32_t to,
                             bool is_started_only);
/* All has been read. */
int trace_goal_graph_end(struct trace_goal_graph *graph);

/* What a rank does next: it waits for `waits`, if there are any, and then starts `op`. */
struct trace_goal_step {
    struct trace_goal_op op; /* a copy: the node may be free by then */
    uint64_t request;        /* of a message */
    const uint64_t *waits;   /* requests, until the next call */
    size_t wait_count;
};

enum trace_goal_answer { TRACE_GOAL_OVER, TRACE_GOAL_STEP, TRACE_GOAL_MORE, TRACE_GOAL_CIRCLE };

/* OVER: all is in order; STEP: *step is next; MORE: nothing can be said before the next statement of the
 * file; CIRCLE: operations wait for each other, trace_goal_graph_knot is one of them; or one of the errors
 * above. */
int trace_goal_graph_next(struct trace_goal_graph *graph, struct trace_goal_step *step);
/* The first operation that is not in order. */
uint64_t trace_goal_graph_knot(const struct trace_goal_graph *graph);
/* After OVER: the requests that nobody waited for, in the order of the file; NULL: memory. */
const uint64_t *trace_goal_graph_rest(struct trace_goal_graph *graph, size_t *count);

/* ---- between graph.c, names.c and order.c */

/* Gives a node a label that no other has, and takes it away, if it has one. */
int trace_goal_graph_name(struct trace_goal_graph *graph, uint32_t node,
                          const struct trace_goal_label *label);
void trace_goal_graph_unname(struct trace_goal_graph *graph, uint32_t node);
void trace_goal_graph_clear_names(struct trace_goal_graph *graph);

/* Whoever is ordered, settled or done moves on: to the pending, or out of memory. */
int trace_goal_graph_pass(struct trace_goal_graph *graph);
void trace_goal_graph_complete(struct trace_goal_graph *graph, uint32_t node);
/* The edges of an operation that has gone on. */
void trace_goal_graph_free_edges(struct trace_goal_graph *graph, uint32_t node);
/* An operation that nothing holds up, or a wait alone, goes to the heap of those. */
int trace_goal_graph_make_ready(struct trace_goal_graph *graph, uint32_t node);
/* What `from` required of `to` has come about. */
void trace_goal_graph_satisfy(struct trace_goal_graph *graph, uint32_t from, uint32_t to,
                              bool is_started_only);

/* What goes on by itself once it has started, and can be waited for. */
static inline bool trace_goal_is_message(const struct trace_goal_node *node)
{
    return node->op.kind != TRACE_GOAL_CALC;
}

#endif
