/* Trees count ranks from the root; what they return are ranks of the communicator. A tree is worked out by each
 * rank for its own place alone, in O(log P) steps, without the tree of all: parent and children follow from the
 * digits of the number counted from the root.
 *
 *      k-nomial     parent: the lowest digit that is not 0 becomes 0       depth at most ceil(log_k P)
 *      binary       levels of 2^k numbers                                  depth at most log2 P
 *      doubling     parent: the highest bit becomes 0                      depth at most ceil(log2 P)
 *      chain        parent: the number before                              depth P - 1 */
#include "traces/collectives/trees.h"

#include <assert.h>

/* The rank with that number when the root counts as 0. */
static uint32_t rank_of(const struct trace_collective_call *call, uint64_t relative)
{
    return trace_rank_after(call, call->root, (uint32_t)relative);
}

/* Children that do not exist are left out. */
static void add_child(const struct trace_collective_call *call, struct trace_tree *tree, uint64_t relative)
{
    assert(tree->child_count < TRACE_TREE_CHILDREN);
    if (relative < call->ranks)
        tree->children[tree->child_count++] = rank_of(call, relative);
}

/* In base 4, 0 has the children 100, 200, 300, 10, 20, 30, 1, 2, 3 (as far as there are such ranks), and 20
 * has 21, 22, 23. */
struct trace_tree trace_tree_k_nomial(const struct trace_collective_call *call, uint32_t radix)
{
    struct trace_tree tree = {.parent = TRACE_NO_RANK};
    uint32_t relative = trace_rank_relative(call);
    uint64_t place = 1;

    while (place < call->ranks && relative / place % radix == 0)
        place *= radix;
    if (place < call->ranks)
        tree.parent = rank_of(call, relative - relative / place % radix * place);
    for (place /= radix; place > 0; place /= radix)
        for (uint32_t digit = 1; digit < radix; digit++)
            add_child(call, &tree, relative + digit * place);
    return tree;
}

/* A level of 2^k ranks begins with number 2^k - 1; a rank there has children 2^k and 2^(k + 1) further on:
 *
 *      0 > 1 2     1 > 3 5     2 > 4 6     3 > 7 11    4 > 8 12    5 > 9 13    6 > 10 14 */
struct trace_tree trace_tree_binary_at(const struct trace_collective_call *call, uint32_t relative)
{
    struct trace_tree tree = {.parent = TRACE_NO_RANK};
    uint64_t width = 1;

    while (relative >= 2 * width - 1)
        width *= 2;
    if (relative > 0)
        tree.parent =
            rank_of(call, relative >= width - 1 + width / 2 ? relative - width : relative - width / 2);
    add_child(call, &tree, relative + width);
    add_child(call, &tree, relative + 2 * width);
    return tree;
}

/* For the rank that asks; trace_tree_binary_at is for any number. */
struct trace_tree trace_tree_binary(const struct trace_collective_call *call)
{
    return trace_tree_binary_at(call, trace_rank_relative(call));
}

/* Whoever has the vector sends it on over doubled distances, from the first power of two above its number. */
struct trace_tree trace_tree_doubling(const struct trace_collective_call *call)
{
    struct trace_tree tree = {.parent = TRACE_NO_RANK};
    uint64_t relative = trace_rank_relative(call), distance = 1;

    while (distance <= relative)
        distance *= 2;
    if (relative > 0)
        tree.parent = rank_of(call, relative - distance / 2);
    for (; relative + distance < call->ranks; distance *= 2)
        add_child(call, &tree, relative + distance);
    return tree;
}

/* Each rank has the next one as its only child. */
struct trace_tree trace_tree_chain(const struct trace_collective_call *call)
{
    struct trace_tree tree = {.parent = TRACE_NO_RANK};
    uint64_t relative = trace_rank_relative(call);

    if (relative > 0)
        tree.parent = rank_of(call, relative - 1);
    add_child(call, &tree, relative + 1);
    return tree;
}

/* The only tree that does not count from the root. */
struct trace_tree trace_tree_chain_swapped(const struct trace_collective_call *call)
{
    struct trace_tree tree = {.parent = TRACE_NO_RANK};
    uint32_t own = trace_rank_swapped(call, call->rank);

    if (own > 0)
        tree.parent = trace_rank_swapped(call, own - 1);
    if (own + 1 < call->ranks)
        tree.children[tree.child_count++] = trace_rank_swapped(call, own + 1);
    return tree;
}

/* How many segments; an empty vector is one empty segment, since its message is sent all the same. */
static uint64_t trace_segments(uint64_t bytes, uint64_t segment_bytes)
{
    uint64_t segments = segment_bytes == 0 ? 1 : bytes / segment_bytes + (bytes % segment_bytes != 0);

    if (segments > TRACE_SEGMENTS_MAX)
        return TRACE_SEGMENTS_MAX;
    return segments > 0 ? segments : 1;
}

/* One segment is the whole; too many are made longer, by a byte more than the quotient to be sure. */
struct trace_cut trace_cut_of(uint64_t bytes, uint64_t segment_bytes)
{
    struct trace_cut cut = {bytes, segment_bytes, trace_segments(bytes, segment_bytes)};

    if (cut.count == 1)
        cut.segment_bytes = bytes;
    else if (cut.segment_bytes < bytes / cut.count + 1 && cut.count == TRACE_SEGMENTS_MAX)
        cut.segment_bytes = bytes / cut.count + 1;
    return cut;
}

/* Starts are multiples of the length. */
uint64_t trace_cut_bytes(const struct trace_cut *cut, uint64_t number)
{
    uint64_t start = number * cut->segment_bytes;

    if (start >= cut->bytes)
        return 0;
    return cut->bytes - start < cut->segment_bytes ? cut->bytes - start : cut->segment_bytes;
}

/* Segment i goes on while segment i + 1 comes in. The receive of the next segment and the sends of this one are
 * one group with one wait (doc/collectives.md, Words). A leaf has no sends, and so only receives, one segment
 * after the other. */
void trace_steps_tree_down(struct trace_steps *steps, const struct trace_tree *tree, uint64_t bytes,
                           uint64_t segment_bytes, uint32_t phase)
{
    struct trace_cut cut = trace_cut_of(bytes, segment_bytes);

    if (tree->parent != TRACE_NO_RANK)
        trace_steps_receive(steps, tree->parent, phase, trace_cut_bytes(&cut, 0));
    for (uint64_t i = 0; i < cut.count && !steps->failed; i++) {
        if (tree->parent != TRACE_NO_RANK && i + 1 < cut.count)
            trace_steps_post_receive(steps, tree->parent, phase, trace_cut_bytes(&cut, i + 1));
        for (uint32_t child = 0; child < tree->child_count; child++)
            trace_steps_post_send(steps, tree->children[child], phase, trace_cut_bytes(&cut, i));
        trace_steps_wait(steps);
    }
}

/* One segment from each. */
static void receive_from_children(struct trace_steps *steps, const struct trace_tree *tree, uint64_t bytes,
                                  uint32_t phase)
{
    for (uint32_t child = 0; child < tree->child_count; child++)
        trace_steps_post_receive(steps, tree->children[child], phase, bytes);
}

/* The mirror: children are listed in the order in which they are served, and all of them are listened to at
 * once. A leaf waits for nothing before it sends; the root sends nothing. The last segment's sends end the
 * schedule. */
void trace_steps_tree_up(struct trace_steps *steps, const struct trace_tree *tree, uint64_t bytes,
                         uint64_t segment_bytes, uint32_t phase)
{
    struct trace_cut cut = trace_cut_of(bytes, segment_bytes);

    receive_from_children(steps, tree, trace_cut_bytes(&cut, 0), phase);
    trace_steps_wait(steps);
    for (uint64_t i = 0; i < cut.count && !steps->failed; i++) {
        if (i + 1 < cut.count)
            receive_from_children(steps, tree, trace_cut_bytes(&cut, i + 1), phase);
        if (tree->parent != TRACE_NO_RANK)
            trace_steps_post_send(steps, tree->parent, phase, trace_cut_bytes(&cut, i));
        trace_steps_wait(steps);
    }
}
