/* Extended generalised fat trees, with the links of every level down and up (fat-tree.h). */
#include "netmodel/specification.h"
#include "netmodel/machines/fat-tree.h"

/* Children of each level, and behind the stroke parents of each. */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    uint32_t levels = specification->first_count;
    return net_fat_tree_build(topology, specification, specification->sides, specification->sides + levels,
                              levels, error);
}

const struct net_topology_kind net_topology_xgft = {
    .name = "xgft",
    .chance = BASE_EXACT,
    .summary = "fat tree: Ml children of a router of level l, Wl parents of one of level l - 1",
    .parameters = "M1[xM2...]/W1[xW2...]",
    .routing = "d-mod-k",
    .lists = true,
    .examples = "4/1 2x2/1x1 4x2/1x3 1x3/1x2 2x3x2/1x2x1 3x2x2/1x2x2 2x4/1x2 2x2x2/1x1x3",
    .build = build,
    .place = net_fat_tree_place,
    .lay = net_fat_tree_lay,
    .alike = net_fat_tree_alike,
    .router_name = net_fat_tree_router_name,
};
