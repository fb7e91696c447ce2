/* One rank's block of a GOAL schedule: parsed into a graph, and brought into an order that a rank can go
 * through one by one.
 *
 *      rank 0 {
 *          a: recv 8b from 1 tag 3
 *          b: calc 100 cpu 0
 *          c: send 8b to 1 tag 4 cpu 0 nic 0
 *          c requires a
 *          c irequires b
 *      }
 *
 * A block may say what an operation requires long after it, so a block is in memory as a whole: some 50 bytes
 * an operation, which is about what it takes in the file. */
#ifndef TRACE_GOAL_BLOCK_H
#define TRACE_GOAL_BLOCK_H

#include <stdio.h>

#include "base/table.h"
#include "traces/program.h"

enum trace_goal_kind { TRACE_GOAL_CALC, TRACE_GOAL_SEND, TRACE_GOAL_RECV };

struct trace_goal_op {
    uint64_t value; /* nanoseconds or bytes */
    uint32_t peer, tag, cpu;
    uint32_t first_edge; /* into edges */
    enum trace_goal_kind kind;
};

struct trace_goal_edge {
    uint32_t from, to;
    bool started_only; /* irequires: it is enough that `to` has started */
};

struct trace_goal_block {
    struct trace_goal_op *ops;
    struct trace_goal_edge *edges; /* by `from`, after trace_goal_block_read */
    uint32_t *order;               /* [count]: operations, each after all that it needs */
    size_t count, capacity, edge_count, edge_capacity;
    uint64_t approximated; /* operations that the order holds up for others that they do not depend on */
    uint64_t other_cpus;   /* operations on other CPUs than the rank's first */
};

/* Text and where in it one is. */
struct trace_goal_text {
    FILE *stream;
    const char *path;
    int64_t line, column; /* of the token */
    int64_t next_line, next_column;
    char token[256]; /* "" at the end */
    int64_t ahead;   /* a character that was read too far, or -1 */
};

/* Reads the next token: a word, a number with its unit, or one of { } :. -1: a word that is too long. */
int trace_goal_next(struct trace_goal_text *text, struct base_error *error);
/* An error at the present token; returns -1. */
int trace_goal_error(const struct trace_goal_text *text, struct base_error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The token as a number, with `unit` behind it if that is not NULL. */
int trace_goal_number(const struct trace_goal_text *text, const char *unit, uint64_t most, uint64_t *number,
                      struct base_error *error);

/* Reads a block from behind its "{" to behind its "}", and orders it. -1: a sentence with line and column. */
int trace_goal_block_read(struct trace_goal_block *block, struct trace_goal_text *text, uint32_t ranks,
                          uint64_t message_limit_bytes, struct base_error *error);
void trace_goal_block_free(struct trace_goal_block *block);

/* Brings the operations into order. 0; -1: memory; 1: they wait for each other in a circle, and *knot is one
 * of them. */
int trace_goal_block_sort(struct trace_goal_block *block, uint32_t *knot);

/* Which requests an operation has to wait for before it starts; done[i] says that i was waited for. Writes
 * their numbers to list (room for as many as there are edges) and marks them as done. */
size_t trace_goal_block_waits(const struct trace_goal_block *block, uint32_t op, bool *done, uint32_t *list);

#endif
