/* Reduction up a binary tree in which each subtree is a range of ranks, so that operands meet in the order of
 * the ranks and the operation need not commute. The last rank of a range is its root; of the others, the
 * lower part is its left subtree, the upper one the right. The last rank of all then hands the result to the
 * root.
 *
 *                  9
 *          3               8           ranks 0 - 9: left 0 - 3, right 4 - 8, root 9
 *       0     2        5       7
 *           1        4       6
 *
 * Open MPI uses it for operations that are not commutative. */
#include "traces/collectives/trees.h"

/* The place of the rank in the tree over all ranks: down from the last one. O(log P): each turn of the loop goes
 * down by one level, until the range's last rank is the one looked for. */
static struct trace_tree place(const struct trace_collective_call *call)
{
    struct trace_tree tree = {.parent = TRACE_NO_RANK};
    uint32_t low = 0, top = call->ranks - 1; /* the range is low .. top */

    for (;;) {
        uint32_t right = (top - low + 1) / 2;
        uint32_t left_end = top - right; /* the left subtree is low .. left_end - 1 */
        if (call->rank == top) {
            if (left_end > low)
                tree.children[tree.child_count++] = left_end - 1;
            if (right > 0 && top > low)
                tree.children[tree.child_count++] = top - 1;
            return tree;
        }
        tree.parent = top;
        if (call->rank < left_end) {
            top = left_end - 1;
        } else {
            low = left_end;
            top = top - 1;
        }
    }
}

/* Phase 0 is the tree, phase 1 the hand-over from the last rank to the root, if these are two. */
static int schedule_steps(const struct trace_collective_call *call, struct trace_schedule *schedule)
{
    struct trace_steps steps = {schedule, false};
    struct trace_tree tree = place(call);
    uint32_t last = call->ranks - 1;

    trace_steps_tree_up(&steps, &tree, call->bytes, call->segment_bytes, 0);
    if (call->root != last && call->rank == last)
        trace_steps_send(&steps, call->root, 1, call->bytes);
    if (call->root != last && call->rank == call->root)
        trace_steps_receive(&steps, last, 1, call->bytes);
    return trace_steps_end(&steps);
}

const struct trace_algorithm trace_algorithm_reduce_in_order_binary = {
    .name = "reduce-in-order-binary",
    .summary = "binary tree over ranges of ranks, then from the last rank to the root (Open MPI)",
    .collectives = TRACE_BIT(REDUCE),
    .segment_bytes = 32768,
    .schedule = schedule_steps,
};
