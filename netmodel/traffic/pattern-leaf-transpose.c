/* Leaf-transpose, an adversary of certain ways in fat trees: below each router of level 2, terminals are a
 * matrix of M2 leaves times M1 terminals of each, and the matrix is transposed: terminal y of leaf x sends to
 * terminal number y M2 + x there. Where W2 divides M2, all targets of a leaf have the same number modulo W2,
 * so that d-mod-k sends them all by one port up; with M1 = M2, s-mod-k brings all of a leaf's packets down by
 * one port. On
 * fat-tree:K,N K - 1 terminals of a leaf so share one link, and one sends to itself. */
#include "netmodel/machines/fat-tree.h"
#include "netmodel/traffic/pattern.h"

/* The lowest two levels are transposed as a matrix, which moves nothing where one of its sides is 1. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    const struct net_fat_tree *tree = net_fat_tree_of(pattern->topology);
    (void)specification;
    if (tree == NULL || tree->levels < 2)
        return base_error_set(error, BASE_USAGE,
                              "pattern '%s' needs a fat tree of at least two levels, which '%s' is not",
                              pattern->kind->name, pattern->topology->text);
    if (tree->children[1] > 1 && tree->children[2] > 1)
        return 0;
    return base_error_set(error, BASE_USAGE,
                          "pattern '%s' moves nothing on '%s': it needs leaves of several terminals, and "
                          "several of them below a router",
                          pattern->kind->name, pattern->topology->text);
}

/* By the names above, `at` is x M1 + y: terminal y of leaf x in its block, that is below its router of level 2. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    const struct net_fat_tree *tree = pattern->topology->shape;
    uint32_t terminals = tree->children[1], leaves = tree->children[2], block = terminals * leaves;
    uint32_t at = source % block;
    (void)key, (void)state;
    return source - at + at % terminals * leaves + at / terminals;
}

const struct net_pattern_kind net_pattern_leaf_transpose = {
    .name = "leaf-transpose",
    .chance = BASE_EXACT,
    .summary = "fat trees: leaves and terminals transposed below each router of level 2",
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
