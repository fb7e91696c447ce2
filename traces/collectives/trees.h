/* Trees over the ranks of a communicator, and moving a vector along their edges in segments. For
 * this folder only.
 *
 *      struct trace_tree tree = trace_tree_binary(call);      children in the order in which they are served
 *      trace_steps_tree_down(&steps, &tree, bytes, call->segment_bytes, phase);
 *
 * A rank sees only its own place. While a segment goes on to the children the next one comes in, so that a
 * deep tree works on as many segments at once as it is deep. */
#ifndef TRACE_COLLECTIVE_TREES_H
#define TRACE_COLLECTIVE_TREES_H

#include "traces/collectives/steps.h"

#define TRACE_NO_RANK UINT32_MAX
#define TRACE_TREE_CHILDREN 64

struct trace_tree {
    uint32_t parent; /* TRACE_NO_RANK: the root */
    uint32_t child_count;
    uint32_t children[TRACE_TREE_CHILDREN]; /* the first child_count of them */
};

/* The trees below count from the root; the ranks in them are real ones. */

/* Lowest non-zero digit in base `radix` (2 .. 8) away: the parent. The children of the widest subtrees first.
 */
struct trace_tree trace_tree_k_nomial(const struct trace_collective_call *call, uint32_t radix);
/* Levels of 1, 2, 4 ... ranks; in a level of w the children of v are v + w and v + 2 w. And the place of any
 * rank, which counts from the root. */
struct trace_tree trace_tree_binary(const struct trace_collective_call *call);
struct trace_tree trace_tree_binary_at(const struct trace_collective_call *call, uint32_t relative);
/* Binomial: the children of v are v + d for the powers of two d above v, the nearest first. */
struct trace_tree trace_tree_doubling(const struct trace_collective_call *call);
/* One chain of all ranks in their order, from the root. */
struct trace_tree trace_tree_chain(const struct trace_collective_call *call);
/* The same, but that the root and rank 0 have changed places. */
struct trace_tree trace_tree_chain_swapped(const struct trace_collective_call *call);

/* A vector in segments of the length asked for, the last one what is left; one segment when that length is 0.
 * At most TRACE_SEGMENTS_MAX, if need be longer ones, so that a damaged size cannot fill the memory. */
#define TRACE_SEGMENTS_MAX 65536

struct trace_cut {
    uint64_t bytes, segment_bytes, count; /* of the whole; of each segment but the last; of segments */
};

struct trace_cut trace_cut_of(uint64_t bytes, uint64_t segment_bytes);
uint64_t trace_cut_bytes(const struct trace_cut *cut, uint64_t number); /* of a segment, 0 past the end */

/* From the root to all others, and from all others (reduced on the way) to the root. Segments of a pair match
 * in their order, in one phase. */
void trace_steps_tree_down(struct trace_steps *steps, const struct trace_tree *tree, uint64_t bytes,
                           uint64_t segment_bytes, uint32_t phase);
void trace_steps_tree_up(struct trace_steps *steps, const struct trace_tree *tree, uint64_t bytes,
                         uint64_t segment_bytes, uint32_t phase);

#endif
