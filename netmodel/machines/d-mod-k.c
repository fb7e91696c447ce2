/* D-mod-k: the destination's number says which way up a fat tree a packet goes (E. Zahavi, D-Mod-K routing
 * providing non-blocking traffic for shift permutations on real life fat trees, 2010): so the terminals of
 * one leaf are reached through different roots, and all packets to one terminal come down one way. */
#include "netmodel/machines/tree-ways.h"

static uint32_t variant(const struct net_routing *routing, uint32_t source, uint32_t target)
{
    (void)source;
    return target % routing->topology->concentration;
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)a;
    return net_tree_header(b, b * routing->topology->concentration + variant);
}

const struct net_routing_kind net_routing_d_mod_k = {
    .name = "d-mod-k",
    .chooses = net_tree_chooses,
    .summary = "fat trees: up by the destination's number, then down",
    .reference =
        "E. Zahavi, D-Mod-K routing providing non-blocking traffic for shift permutations on real life "
        "fat trees, CCIT report 776, Technion, 2010; doc/networks.md, Routings",
    .deadlock_argument = "links up wait only for links up nearer to the top or for links down, and these "
                         "only for links down nearer to the leaves",
    .virtual_channels = 1,
    .minimal = true,
    .serves = &net_family_fat_tree,
    .prepare = net_plain_prepare,
    .variants = net_tree_variants_of_terminals,
    .variant = variant,
    .start = start,
    .route = net_tree_route,
    .step = net_tree_step,
};
