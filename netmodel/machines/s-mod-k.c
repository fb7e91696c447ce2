/* S-mod-k: as d-mod-k, by the source's number: all packets of one terminal go up one way. */
#include "netmodel/machines/tree-ways.h"

static uint32_t variant(const struct net_routing *routing, uint32_t source, uint32_t target)
{
    (void)target;
    return source % routing->topology->concentration;
}

static uint64_t start(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    return net_tree_header(b, a * routing->topology->concentration + variant);
}

const struct net_routing_kind net_routing_s_mod_k = {
    .name = "s-mod-k",
    .chooses = net_tree_chooses,
    .summary = "fat trees: up by the source's number, then down",
    .reference = "S. R. Öhring, M. Ibel, S. K. Das and M. J. Kumar, On generalized fat trees, IPPS 1995; "
                 "doc/networks.md, Routings",
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
