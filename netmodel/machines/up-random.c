/* Up-random: each packet goes up a fat tree by ports that are drawn from its key, all equally likely, then
 * down. */
#include "netmodel/machines/tree-ways.h"

/* A way up to each of the routers that are above both leaves and no higher than they must be. */
static uint32_t variants(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_fat_tree *tree = routing->topology->shape;
    uint32_t leaves = tree->leaves[tree->levels];
    return a < leaves && b < leaves ? tree->roots[net_fat_tree_meet(tree, a, b)] : 0;
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)a;
    return net_tree_header(b, variant);
}

/* Where two leaves have several routers above both. */
static bool chooses(const struct net_routing *routing)
{
    const struct net_fat_tree *tree = routing->topology->shape;
    bool roots = tree->roots[tree->levels] > 1 && tree->leaves[tree->levels] > 1;
    return roots || net_tree_chooses(routing);
}

const struct net_routing_kind net_routing_up_random = {
    .name = "up-random",
    .chooses = chooses,
    .summary = "fat trees: up by ports drawn for each packet, then down",
    .reference = "L. G. Valiant, A scheme for fast parallel communication, SIAM J. Comput. 11(2), 1982; "
                 "doc/networks.md, Routings",
    .deadlock_argument = "links up wait only for links up nearer to the top or for links down, and these "
                         "only for links down nearer to the leaves",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_fat_tree,
    .prepare = net_plain_prepare,
    .variants = variants,
    .start = start,
    .route = net_tree_route,
    .step = net_tree_step,
};
