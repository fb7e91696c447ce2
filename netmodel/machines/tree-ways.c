/* Ways up and down a fat tree (tree-ways.h). */
#include "netmodel/machines/tree-ways.h"

static bool is_fat_tree(const struct net_topology *topology)
{
    return net_fat_tree_of(topology) != NULL;
}

const struct net_family net_family_fat_tree = {"fat-tree, xgft", is_fat_tree};

/* Down where the leaf is below this router, else up to the parent that the number in the header names: its digits,
 * one for each level, are what the routings by d-mod-k, s-mod-k and chance differ in. Ways go up and then down, so
 * that channels need no order. */
uint32_t net_tree_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                        struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    const struct net_fat_tree *tree = topology->shape;
    uint32_t leaf = (uint32_t)header, number = (uint32_t)(header >> 32);
    uint32_t name;
    uint32_t level = net_fat_tree_level(tree, router);
    if (leaf == router)
        return 0;
    if (net_fat_tree_is_above(tree, level, router, leaf))
        name = net_fat_tree_down(tree, level, leaf);
    else
        name = tree->down_names + number / tree->roots[level] % tree->parents[level + 1];
    net_route_only(topology, route, 0, net_named_link(topology, router, name)->port);
    route->virtual_channels[0] = UINT32_MAX >> (32 - routing->virtual_channels);
    return 1;
}

uint64_t net_tree_step(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header;
}

/* Only leaves have terminals: from and to other routers there is no way. */
uint32_t net_tree_variants_of_terminals(const struct net_routing *routing, uint32_t a, uint32_t b)
{
    const struct net_topology *topology = routing->topology;
    const struct net_fat_tree *tree = topology->shape;
    uint32_t leaves = tree->leaves[tree->levels];
    return a < leaves && b < leaves ? topology->concentration : 0;
}

bool net_tree_chooses(const struct net_routing *routing)
{
    const struct net_fat_tree *tree = routing->topology->shape;
    return routing->virtual_channels > 1 && tree->leaves[tree->levels] > 1;
}
