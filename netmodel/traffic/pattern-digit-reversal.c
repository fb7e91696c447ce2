/* Digit-reversal, the bit-reversal of fat trees (F. Petrini and M. Vanneschi, k-ary n-trees, IPPS 1997, use
 * it at powers of two): a terminal whose number has the digits x1 … xh, x1 lowest and xl below Ml, sends to
 * that with the digits xh … x1 in mixed radix. So terminals that differ in x1 alone send to different
 * subtrees below the top, all in the same place there, and d-mod-k lets them meet. */
#include "netmodel/machines/fat-tree.h"
#include "netmodel/traffic/pattern.h"

/* The digits of a terminal are its place below a router of each level, the lowest first; read in the other order
 * they name the target. With different radixes the digits keep their own, so that this is a permutation still. */
static uint32_t target(const struct net_pattern *pattern, uint32_t source, uint64_t key, uint32_t *state)
{
    const struct net_fat_tree *tree = pattern->topology->shape;
    uint32_t reversed = 0;
    (void)key, (void)state;
    for (uint32_t l = 1; l <= tree->levels; l++) {
        reversed = reversed * tree->children[l] + source % tree->children[l];
        source /= tree->children[l];
    }
    return reversed;
}

/* Refused where every terminal would send to itself, such as on a tree of one level. */
static int prepare(struct net_pattern *pattern, const struct net_specification *specification,
                   struct base_error *error)
{
    (void)specification;
    if (net_fat_tree_of(pattern->topology) == NULL)
        return base_error_set(error, BASE_USAGE, "pattern '%s' needs a fat tree, which '%s' is not",
                              pattern->kind->name, pattern->topology->text);
    for (uint32_t t = 0; t < pattern->terminals; t++)
        if (target(pattern, t, 0, NULL) != t)
            return 0;
    return base_error_set(error, BASE_USAGE, "pattern '%s' moves nothing on '%s'", pattern->kind->name,
                          pattern->topology->text);
}

const struct net_pattern_kind net_pattern_digit_reversal = {
    .name = "digit-reversal",
    .chance = BASE_EXACT,
    .summary = "fat trees: the digits of a terminal's number in the opposite order",
    .permutation = true,
    .prepare = prepare,
    .target = target,
};
