/* What fat trees share (fat-tree.h), and the k-ary n-tree. */
#include "netmodel/machines/fat-tree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "netmodel/routing.h"
#include "netmodel/specification.h"
#include "netmodel/topologies/wires.h"

static const char *const classes[] = {"up", "down"};

/* Both kinds have their shape in the same place. */
const struct net_fat_tree *net_fat_tree_of(const struct net_topology *topology)
{
    extern const struct net_topology_kind net_topology_fat_tree, net_topology_xgft;
    bool is = topology->kind == &net_topology_fat_tree || topology->kind == &net_topology_xgft;
    return is ? topology->shape : NULL;
}

/* Routers are numbered level by level; there are too few levels for anything but a search from below. */
uint32_t net_fat_tree_level(const struct net_fat_tree *tree, uint32_t router)
{
    uint32_t level = 1;
    while (router >= tree->first[level + 1])
        level++;
    return level;
}

/* The leaves below a router of level l are leaves[l] in a row, so that the level where two ways meet is the first
 * on which both are in the same row. */
uint32_t net_fat_tree_meet(const struct net_fat_tree *tree, uint32_t a, uint32_t b)
{
    uint32_t level = 1;
    while (a / tree->leaves[level] != b / tree->leaves[level])
        level++;
    return level;
}

/* Going up replaces digit l + 1, one of M values, by one of W; the lower digits and the higher ones stay. */
static uint32_t parent(const struct net_fat_tree *tree, uint32_t level, uint32_t index, uint32_t digit)
{
    uint32_t low = index % tree->roots[level], high = index / tree->roots[level] / tree->children[level + 1];
    return tree->first[level + 1] + low + tree->roots[level] * digit + tree->roots[level + 1] * high;
}

/* The way back: the digit of W falls away, and one of M takes its place. */
static uint32_t child(const struct net_fat_tree *tree, uint32_t level, uint32_t index, uint32_t digit)
{
    uint32_t low = index % tree->roots[level - 1], high = index / tree->roots[level];
    return tree->first[level - 1] + low + tree->roots[level - 1] * (digit + tree->children[level] * high);
}

/* Names of ports are those of the widest level: what a router of a narrower one lacks leads nowhere, as does what
 * would go down from leaves or up from roots. */
static uint32_t target(const struct net_topology *topology, uint32_t router, uint32_t name)
{
    const struct net_fat_tree *tree = topology->shape;
    uint32_t level = net_fat_tree_level(tree, router), index = router - tree->first[level];
    if (name < tree->down_names)
        return level > 1 && name < tree->children[level] ? child(tree, level, index, name) : NET_NONE;
    name -= tree->down_names;
    return level < tree->levels && name < tree->parents[level + 1] ? parent(tree, level, index, name)
                                                                   : NET_NONE;
}

/* By direction, since ways up may be chosen and ways down may not: 0 is up. */
static uint32_t class_of(const struct net_topology *topology, uint32_t name)
{
    const struct net_fat_tree *tree = topology->shape;
    return name < tree->down_names;
}

/* Products are compared with their limit before the next factor: of 24 bits each, they cannot overflow. */
static int fill(struct net_fat_tree *tree, const struct net_specification *specification,
                struct base_error *error)
{
    uint64_t roots = 1, leaves = 1, above = 1, routers = 0;
    for (uint32_t l = 2; l <= tree->levels && above <= NET_TERMINALS_MAX; l++)
        above *= tree->children[l];
    for (uint32_t l = 1; l <= tree->levels && above <= NET_TERMINALS_MAX; l++) {
        roots *= tree->parents[l];
        leaves *= l > 1 ? tree->children[l] : 1;
        tree->first[l] = (uint32_t)routers;
        routers += l == 1 ? above : roots * (above / leaves);
        if (roots > NET_TERMINALS_MAX || routers > NET_TERMINALS_MAX)
            above = UINT64_MAX;
        tree->roots[l] = (uint32_t)roots;
        tree->leaves[l] = (uint32_t)leaves;
        tree->first[l + 1] = (uint32_t)routers;
    }
    if (above <= NET_TERMINALS_MAX)
        return 0;
    return base_error_set(error, BASE_USAGE, "topology '%.80s': more than %u routers", specification->text,
                          NET_TERMINALS_MAX);
}

/* All `down` ports of the widest level come before the `up` ones. */
static int name_ports(struct net_topology *topology, struct net_fat_tree *tree, struct net_wires *wires,
                      struct base_error *error)
{
    uint32_t ups = 0, next = 0;
    for (uint32_t l = 2; l <= tree->levels; l++) {
        tree->down_names = tree->children[l] > tree->down_names ? tree->children[l] : tree->down_names;
        ups = tree->parents[l] > ups ? tree->parents[l] : ups;
    }
    wires->names = tree->down_names + ups;
    const char **texts = base_arena_array(&topology->arena, wires->names, sizeof *texts);
    if (texts == NULL)
        return base_error_memory(error, "the names of ports");
    wires->texts = texts;
    if (net_wires_add_names(topology, texts, &next, "down ", tree->down_names, error) != 0)
        return -1;
    return net_wires_add_names(topology, texts, &next, "up ", ups, error);
}

/* Ports are looked at before anything is allocated for them. */
static int check(const struct net_fat_tree *tree, const struct net_specification *specification,
                 struct base_error *error)
{
    if (tree->parents[1] != 1)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a terminal has one router, so that W1 is 1 and not %u",
                              specification->text, tree->parents[1]);
    for (uint32_t l = 2; l <= tree->levels; l++) {
        uint64_t up = l < tree->levels ? tree->parents[l + 1] : 0;
        if (tree->children[l] + up > NET_PORTS_MAX || tree->parents[l] > NET_PORTS_MAX)
            return base_error_set(error, BASE_USAGE,
                                  "topology '%.80s': a router of level %u has %u links down and %llu up; "
                                  "a router has at most %d ports",
                                  specification->text, l, tree->children[l], (unsigned long long)up,
                                  NET_PORTS_MAX);
    }
    return 0;
}

/* Only leaves have terminals, children[1] each; they are the first routers, as net_wires_size_ends wants them. A
 * group is what hangs below one port of the roots. */
int net_fat_tree_build(struct net_topology *topology, const struct net_specification *specification,
                       const uint32_t *children, const uint32_t *parents, uint32_t levels,
                       struct base_error *error)
{
    struct net_wires wires = {.target = target, .class_of = class_of};
    struct net_fat_tree *tree = base_arena_alloc(&topology->arena, sizeof *tree);
    if (tree == NULL)
        return base_error_memory(error, "a fat tree");
    if (levels > NET_FAT_TREE_LEVELS_MAX)
        return base_error_set(error, BASE_USAGE, "topology '%.80s': more than %d levels", specification->text,
                              NET_FAT_TREE_LEVELS_MAX);
    tree->levels = levels;
    tree->roots[0] = tree->leaves[0] = 1;
    for (uint32_t l = 1; l <= levels; l++) {
        tree->children[l] = children[l - 1];
        tree->parents[l] = parents[l - 1];
    }
    topology->shape = tree;
    if (check(tree, specification, error) != 0 || fill(tree, specification, error) != 0 ||
        net_wires_size_ends(topology, specification, tree->first[levels + 1], tree->leaves[levels],
                            tree->children[1], error) != 0 ||
        name_ports(topology, tree, &wires, error) != 0)
        return -1;
    topology->link_classes = classes;
    topology->link_class_count = levels > 1 ? 2 : 0;
    topology->group_terminals = levels > 1 ? topology->terminals / tree->children[levels] : 0;
    return net_wires_build_named(topology, specification, &wires, error);
}

/* A level's routers are alike: links join routers that agree in all digits but one, where each value of the one is
 * joined with each of the other, so that the values of a digit may be exchanged on all levels at once, and exchanges of
 * all digits take any router to any other of its level. */
uint32_t net_fat_tree_alike(const struct net_topology *topology, uint32_t router)
{
    const struct net_fat_tree *tree = topology->shape;
    return tree->first[net_fat_tree_level(tree, router)];
}

/* Level 1 is that of the leaves; numbers begin anew on each level. */
void net_fat_tree_router_name(const struct net_topology *topology, uint32_t router, char *text)
{
    const struct net_fat_tree *tree = topology->shape;
    uint32_t level = net_fat_tree_level(tree, router);
    snprintf(text, NET_NAME_TEXT, "level %" PRIu32 " router %" PRIu32, level, router - tree->first[level]);
}

/* Level by level, each as wide as the widest; half as high as wide. */
bool net_fat_tree_place(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_fat_tree *tree = topology->shape;
    uint32_t level = net_fat_tree_level(tree, router), widest = 0;
    for (uint32_t l = 1; l <= tree->levels; l++) {
        uint32_t width = tree->first[l + 1] - tree->first[l];
        widest = width > widest ? width : widest;
    }
    double step = (double)widest / (tree->first[level + 1] - tree->first[level]);
    place[0] = (router - tree->first[level] + 0.5) * step;
    place[1] = tree->levels > 1 ? (level - 1) * (double)widest / (2 * (tree->levels - 1)) : 0;
    return true;
}

/* The sums of the columns and of the rows of the first `count` leaves in rows of `width`. */
static void sum_places(uint64_t width, uint64_t count, uint64_t sums[2])
{
    uint64_t rows = count / width, rest = count % width;
    sums[0] = rows * (width * (width - 1) / 2) + rest * (rest - 1) / 2;
    sums[1] = width * (rows * (rows - 1) / 2) + rows * rest;
}

/* Leaves in rows of a square, and the routers above the same leaves in the middle of these, as switches of
 * upper levels stand in a rack of their own. */
bool net_fat_tree_lay(const struct net_topology *topology, uint32_t router, double place[2])
{
    const struct net_fat_tree *tree = topology->shape;
    uint32_t level = net_fat_tree_level(tree, router), count = tree->leaves[level];
    uint32_t first = (router - tree->first[level]) / tree->roots[level] * count, width = 1;
    uint64_t before[2], sums[2];
    while ((uint64_t)width * width < tree->leaves[tree->levels])
        width++;
    sum_places(width, first, before);
    sum_places(width, first + count, sums);
    for (unsigned i = 0; i < 2; i++)
        place[i] = (double)(sums[i] - before[i]) / count;
    return true;
}

/* fat-tree:K,N is XGFT(N; K … K; 1, K … K). */
static int build(struct net_topology *topology, const struct net_specification *specification,
                 struct base_error *error)
{
    uint32_t children[NET_FAT_TREE_LEVELS_MAX], parents[NET_FAT_TREE_LEVELS_MAX];
    if (specification->side_count != 2)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a k-ary n-tree takes two sizes, the links of a router "
                              "down and the levels, as in fat-tree:4,3",
                              specification->text);
    uint32_t links = specification->sides[0], levels = specification->sides[1];
    for (uint32_t l = 0; l < levels && l < NET_FAT_TREE_LEVELS_MAX; l++) {
        children[l] = links;
        parents[l] = l == 0 ? 1 : links;
    }
    return net_fat_tree_build(topology, specification, children, parents, levels, error);
}

const struct net_topology_kind net_topology_fat_tree = {
    .name = "fat-tree",
    .chance = BASE_EXACT,
    .summary = "k-ary n-tree: a fat tree of N levels, K links down and K up",
    .parameters = "K,N",
    .routing = "d-mod-k",
    .tuple = true,
    .examples = "2,1 1,3 2,2 3,2 2,3 4,2",
    .build = build,
    .place = net_fat_tree_place,
    .lay = net_fat_tree_lay,
    .alike = net_fat_tree_alike,
    .router_name = net_fat_tree_router_name,
};
