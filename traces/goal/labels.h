/* Which labels a rank's block of a GOAL schedule has used so far, in memory that does not grow with them.
 *
 * Writers number their operations, so a label is a prefix and a number, and those of a rank make up a few
 * runs:
 *
 *      l1 l2 l3 l5 l6 r_1 r_2      (l, 1..3) (l, 5..6) (r_, 1..2)
 *
 * A number has no leading zero (l007 is 7 behind "l00"), so that a label has one prefix and number. Labels
 * that make no runs, of which there are then more than RUNS in labels.c, go into a table instead, which
 * takes 36 to 72 bytes for each. A prefix is known by two hashes of 64 bits with different starts. */
#ifndef TRACE_GOAL_LABELS_H
#define TRACE_GOAL_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/table.h"

struct trace_goal_label {
    uint64_t a, b;   /* hashes of the prefix */
    uint64_t number; /* UINT64_MAX: none, the prefix is all */
};

struct trace_goal_run {
    struct trace_goal_label first; /* prefix and number */
    uint64_t last;                 /* number: all between have been used, too */
};

/* Zeroed: no label has been used. */
struct trace_goal_labels {
    struct trace_goal_run *runs; /* in the order of their prefix and number */
    size_t count, capacity;
    size_t recent; /* the run that was added to last */
    struct base_table others;
};

/* A prefix that is likely to come again, with its hashes. Zeroed: there is none. */
struct trace_goal_prefix {
    char text[24];
    size_t length;
    uint64_t a, b;
};

/* The label of a word. */
struct trace_goal_label trace_goal_label_of(const char *word, size_t length);
/* The same: sooner if its prefix is that of the last call for which this was possible. */
struct trace_goal_label trace_goal_label_as(struct trace_goal_prefix *last, const char *word, size_t length);
/* One of the two keys of a label in a table; the other is its a. */
uint64_t trace_goal_label_key(const struct trace_goal_label *label);

/* Whether it has been used. */
bool trace_goal_labels_have(const struct trace_goal_labels *labels, const struct trace_goal_label *label);
/* 1: it is used now, 0: it was before, -1: memory. */
int trace_goal_labels_add(struct trace_goal_labels *labels, const struct trace_goal_label *label);
/* Forgets all, for the next rank, and keeps the room. */
void trace_goal_labels_clear(struct trace_goal_labels *labels);
void trace_goal_labels_free(struct trace_goal_labels *labels);

#endif
