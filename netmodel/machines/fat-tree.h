/* Fat trees: extended generalised fat trees XGFT(h; M1 … Mh; W1 … Wh) (S. R. Öhring, M. Ibel, S. K. Das and
 * M. J. Kumar, On generalized fat trees, IPPS 1995), of which the k-ary n-tree (F. Petrini and M. Vanneschi,
 * k-ary n-trees: high performance networks for massively parallel architectures, IPPS 1997) has all M = K and
 * W = (1, K, …, K).
 *
 * Level 0 are the terminals, M1 x … x Mh of them. A router of level l from 1 to h has digits x1 … xh, xj < Wj
 * for j <= l and xj < Mj for j > l. It has Ml children, and below the top W(l+1) parents, which agree with it
 * in all digits but x(l+1). W1 is 1: a terminal has one router.
 *
 *      level 2        0 1     2 3         digits (0,x2): M = (2,2,2), W = (1,2,2) has as many routers on each level
 *                     |X|     |X|
 *      level 1        0 1     2 3         leaves; terminals 0 and 1 are at leaf 0
 *
 * Leaves come first, then level 2, and so on; within a level the number is the digits in mixed radix, x1
 * lowest. Ports are `down 0` … in the order of the child's digit, then `up 0` … in the order of the parent's
 * (netmodel/topology.h, net_named_ports: a link cannot have these as numbers at both of its ends). */
#ifndef NET_FAT_TREE_H
#define NET_FAT_TREE_H

#include "netmodel/topology.h"

#define NET_FAT_TREE_LEVELS_MAX (NET_DIMENSIONS_MAX / 2)

/* Arrays are by level, from 1 to `levels`; [0] is of the terminals. */
struct net_fat_tree {
    uint32_t levels;
    uint32_t children[NET_FAT_TREE_LEVELS_MAX + 1]; /* M */
    uint32_t parents[NET_FAT_TREE_LEVELS_MAX + 1];  /* W: of a router of the level below */
    uint32_t first[NET_FAT_TREE_LEVELS_MAX + 2];    /* the level's first router; one more behind the top */
    uint32_t roots[NET_FAT_TREE_LEVELS_MAX + 1];    /* W1 x … x Wl: routers above the same leaves */
    uint32_t leaves[NET_FAT_TREE_LEVELS_MAX + 1];   /* M2 x … x Ml: leaves below a router */
    uint32_t down_names;                            /* names of ports before `up 0` */
};

/* NULL: it is no fat tree. */
const struct net_fat_tree *net_fat_tree_of(const struct net_topology *topology);
/* Fills the topology from M and W, `levels` of each. -1: BASE_USAGE (W1 is not 1, too large), memory. */
int net_fat_tree_build(struct net_topology *topology, const struct net_specification *specification,
                       const uint32_t *children, const uint32_t *parents, uint32_t levels,
                       struct base_error *error);

/* From 1, of leaves, to `levels`. */
uint32_t net_fat_tree_level(const struct net_fat_tree *tree, uint32_t router);
/* Whether the leaf is below a router of this level, or is it. */
static inline bool net_fat_tree_is_above(const struct net_fat_tree *tree, uint32_t level, uint32_t router,
                                         uint32_t leaf)
{
    return (router - tree->first[level]) / tree->roots[level] == leaf / tree->leaves[level];
}
/* The name of the port towards a leaf below, from level 2 on: the leaf's digit. */
static inline uint32_t net_fat_tree_down(const struct net_fat_tree *tree, uint32_t level, uint32_t leaf)
{
    return leaf / tree->leaves[level - 1] % tree->children[level];
}
/* The lowest level with a router above both leaves: 1 where they are the same. */
uint32_t net_fat_tree_meet(const struct net_fat_tree *tree, uint32_t a, uint32_t b);

/* For descriptors of fat trees. */
uint32_t net_fat_tree_alike(const struct net_topology *topology, uint32_t router);
void net_fat_tree_router_name(const struct net_topology *topology, uint32_t router, char *text);
bool net_fat_tree_place(const struct net_topology *topology, uint32_t router, double place[2]);
bool net_fat_tree_lay(const struct net_topology *topology, uint32_t router, double place[2]);

#endif
