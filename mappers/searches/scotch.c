/* The mapper `scotch`: dual recursive bipartitioning by the SCOTCH library (F. Pellegrini, Scalable
 * High-Performance Computing Conference 1994), where it was built in.
 *
 * Meshes, tori and fat trees are architectures of SCOTCH's own; of any other topology the graph of routers is
 * decomposed ("deco 0", all distances exact). A partition is cut out of it (SCOTCH_archSub). SCOTCH balances loads,
 * but it promises no bijection: ranks for which a router has no slot left go to the nearest free one.
 *
 * SCOTCH keeps its random numbers, options and threads in contexts, and a graph is worked on in that which it
 * is bound to: here both of ranks and of routers, in one of the call's own with one thread. An unbound graph
 * is decomposed by as many threads as there are processors, from random numbers of the whole process, and
 * then not always alike.
 *
 * Where memory is out, SCOTCH 7.0.3 goes on with a worse map, crashes, or ends the process by exit(2), depending on
 * which allocation failed; and the gain tables have a variable of the whole process, so that two threads must not map
 * at a time. So it works in a process of its own (isolated.h). */
#include <config.h>

#include "mappers/mapper.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef HAVE_SCOTCH

#include <scotch.h>

#include "mappers/searches/isolated.h"
#include "netmodel/machines/fat-tree.h"

#define LOAD_BITS 29 /* of all edges together: SCOTCH may count in 32 bits */

/* What SCOTCH is given; it keeps pointers to the arrays. */
struct map_scotch {
    const struct map_call *call;          /* for its seed */
    const struct map_problem *problem;    /* whose graphs these are */
    struct base_arena arena;              /* of all arrays below but part */
    SCOTCH_Context context;               /* one thread, and random numbers from the call's seed */
    SCOTCH_Num *first, *neighbour, *load; /* of the ranks */
    SCOTCH_Num *link_first, *link_target; /* of the routers */
    SCOTCH_Num *router;                   /* [router of the partition] */
    SCOTCH_Num *part;                     /* [rank]: an index into them; in memory that processes share */
    SCOTCH_Num router_count;
    uint32_t *slot_of_router; /* [router of the partition]: its first slot; one more at the end */
};

/* SCOTCH says that something failed, never what: the step is all there is to tell. */
static int refuse(struct base_error *error, const char *what)
{
    return base_error_set(error, BASE_SYSTEM, "SCOTCH cannot %s", what);
}

/* ---- The ranks ---- */

/* SCOTCH wants positive loads, and their sum within its own integers: all are shifted by the same number
 * of bits, and the one that is added keeps the lightest edges in the graph. */
static int lay_graph(struct map_scotch *scotch, struct base_error *error)
{
    const struct map_problem *problem = scotch->problem;
    uint32_t edges = problem->first[problem->ranks], shift = 0;
    int64_t total = 0;

    scotch->first = base_arena_array(&scotch->arena, (size_t)problem->ranks + 1, sizeof *scotch->first);
    scotch->neighbour = base_arena_array(&scotch->arena, edges, sizeof *scotch->neighbour);
    scotch->load = base_arena_array(&scotch->arena, edges, sizeof *scotch->load);
    if (scotch->first == NULL || scotch->neighbour == NULL || scotch->load == NULL)
        return base_error_memory(error, "the graph for SCOTCH");
    for (uint32_t edge = 0; edge < edges; edge++)
        total += problem->weight[edge];
    while (total >> shift >> LOAD_BITS != 0)
        shift++;
    for (uint32_t rank = 0; rank <= problem->ranks; rank++)
        scotch->first[rank] = (SCOTCH_Num)problem->first[rank];
    for (uint32_t edge = 0; edge < edges; edge++) {
        scotch->neighbour[edge] = (SCOTCH_Num)problem->neighbour[edge];
        scotch->load[edge] = (SCOTCH_Num)(problem->weight[edge] >> shift) + 1;
    }
    return 0;
}

/* ---- The routers ---- */

/* Those of the partition, ascending; slots of one router are consecutive. */
static int lay_routers(struct map_scotch *scotch, struct base_error *error)
{
    const struct map_problem *problem = scotch->problem;
    uint32_t before = NET_NONE;

    scotch->router = base_arena_array(&scotch->arena, problem->slots, sizeof *scotch->router);
    scotch->slot_of_router =
        base_arena_array(&scotch->arena, (size_t)problem->slots + 1, sizeof *scotch->slot_of_router);
    if (scotch->router == NULL || scotch->slot_of_router == NULL)
        return base_error_memory(error, "the routers for SCOTCH");
    for (uint32_t slot = 0; slot < problem->slots; slot++) {
        uint32_t router = net_topology_router_of(problem->topology, problem->terminal[slot]);
        if (router == before)
            continue;
        scotch->slot_of_router[scotch->router_count] = slot;
        scotch->router[scotch->router_count++] = (SCOTCH_Num)router;
        before = router;
    }
    scotch->slot_of_router[scotch->router_count] = problem->slots;
    return 0;
}

/* Ports of a router are few, so that they are searched one by one: no table of pairs of routers is made
 * for this. */
static bool has_link(const struct net_topology *topology, uint32_t from, uint32_t to)
{
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t link = topology->link_at[(size_t)from * topology->ports + port];
        if (link != NET_NONE && topology->links[link].target == to)
            return true;
    }
    return false;
}

/* The links as an undirected graph without parallel edges. False: some link has no way back. */
static bool lay_links(struct map_scotch *scotch)
{
    const struct net_topology *topology = scotch->problem->topology;
    SCOTCH_Num count = 0;
    uint32_t link = 0;

    for (uint32_t router = 0; router < topology->routers; router++) {
        SCOTCH_Num begin = count;
        scotch->link_first[router] = count;
        for (; link < topology->link_count && topology->links[link].source == router; link++) {
            uint32_t target = topology->links[link].target;
            bool known = target == router;
            for (SCOTCH_Num i = begin; i < count; i++)
                known = known || scotch->link_target[i] == (SCOTCH_Num)target;
            if (!known)
                scotch->link_target[count++] = (SCOTCH_Num)target;
            if (!has_link(topology, target, router))
                return false;
        }
    }
    scotch->link_first[topology->routers] = count;
    return true;
}

/* Any topology, by the graph of its routers. Time and memory go with the square of the routers, hence the bound. */
static int decompose(struct map_scotch *scotch, SCOTCH_Arch *architecture, struct base_error *error)
{
    const struct net_topology *topology = scotch->problem->topology;
    SCOTCH_Graph links, bound;
    SCOTCH_Strat strategy;
    int status;

    scotch->link_first =
        base_arena_array(&scotch->arena, (size_t)topology->routers + 1, sizeof *scotch->link_first);
    scotch->link_target =
        base_arena_array(&scotch->arena, (size_t)topology->link_count + 1, sizeof *scotch->link_target);
    if (scotch->link_first == NULL || scotch->link_target == NULL)
        return base_error_memory(error, "the routers for SCOTCH");
    if (topology->routers > MAP_TABLE_SLOTS_MAX || !lay_links(scotch))
        return base_error_set(
            error, BASE_USAGE,
            "SCOTCH is for two-way networks of at most %d routers, or meshes and tori, not %s",
            MAP_TABLE_SLOTS_MAX, topology->text);
    SCOTCH_graphInit(&links);
    SCOTCH_graphInit(&bound);
    SCOTCH_stratInit(&strategy);
    status = SCOTCH_graphBuild(&links, 0, (SCOTCH_Num)topology->routers, scotch->link_first, NULL, NULL, NULL,
                               scotch->link_first[topology->routers], scotch->link_target, NULL);
    if (status == 0)
        status = SCOTCH_contextBindGraph(&scotch->context, &links, &bound);
    if (status == 0)
        status = SCOTCH_archBuild0(architecture, &bound, 0, NULL, &strategy);
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&links);
    return status == 0 ? 0 : refuse(error, "decompose this topology");
}

/* A tree of SCOTCH's own, whose leaves are those of the fat tree. How far two leaves are apart follows from the level
 * on which they meet; levels of one child each have none. */
static int build_tree(const struct net_fat_tree *tree, SCOTCH_Arch *architecture, struct base_error *error)
{
    SCOTCH_Num sizes[NET_FAT_TREE_LEVELS_MAX], links[NET_FAT_TREE_LEVELS_MAX], levels = 0;

    for (uint32_t l = tree->levels; l > 1; l--) {
        if (tree->children[l] == 1)
            continue;
        sizes[levels] = (SCOTCH_Num)tree->children[l];
        links[levels++] = (SCOTCH_Num)(2 * (l - 1));
    }
    return SCOTCH_archTleaf(architecture, levels, sizes, links) == 0 ? 0 : refuse(error, "build this tree");
}

/* By the kind's name, as SCOTCH's own architectures know nothing of ours. */
static bool is_kind(const struct net_topology *topology, const char *name)
{
    return strcmp(topology->kind->name, name) == 0;
}

/* Of SCOTCH's own where it has one. Sides of 1 have no dimension. */
static int build_architecture(struct map_scotch *scotch, SCOTCH_Arch *architecture, struct base_error *error)
{
    const struct net_topology *topology = scotch->problem->topology;
    SCOTCH_Num sides[NET_DIMENSIONS_MAX];
    bool mesh = is_kind(topology, "mesh"), torus = is_kind(topology, "torus");
    const struct net_fat_tree *tree = net_fat_tree_of(topology);

    if (tree != NULL)
        return build_tree(tree, architecture, error);
    if ((!mesh && !torus) || topology->grid->dimensions == 0 || topology->grid->dimensions > 5)
        return decompose(scotch, architecture, error);
    for (uint32_t d = 0; d < topology->grid->dimensions; d++)
        sides[d] = (SCOTCH_Num)topology->grid->sides[d];
    if ((mesh ? SCOTCH_archMeshX : SCOTCH_archTorusX)(architecture, (SCOTCH_Num)topology->grid->dimensions,
                                                      sides) != 0)
        return refuse(error, "build this topology");
    return 0;
}

/* ---- Mapping ---- */

/* What has been initialised is always closed, in the reverse order and whichever step failed: SCOTCH keeps
 * memory of its own that no arena gives back. */
static int map_onto(struct map_scotch *scotch, SCOTCH_Arch *architecture, struct base_error *error)
{
    const struct map_problem *problem = scotch->problem;
    SCOTCH_Graph ranks, bound;
    SCOTCH_Strat strategy;
    int status;

    SCOTCH_graphInit(&ranks);
    SCOTCH_graphInit(&bound);
    SCOTCH_stratInit(&strategy);
    status = SCOTCH_graphBuild(&ranks, 0, (SCOTCH_Num)problem->ranks, scotch->first, NULL, NULL, NULL,
                               scotch->first[problem->ranks], scotch->neighbour, scotch->load) != 0 ||
             SCOTCH_contextBindGraph(&scotch->context, &ranks, &bound) != 0 ||
             SCOTCH_stratGraphMapBuild(&strategy, SCOTCH_STRATQUALITY, scotch->router_count, 0.0) != 0 ||
             SCOTCH_graphMap(&bound, architecture, &strategy, scotch->part) != 0;
    SCOTCH_stratExit(&strategy);
    SCOTCH_graphExit(&bound);
    SCOTCH_graphExit(&ranks);
    return status == 0 ? 0 : refuse(error, "map this graph");
}

/* The partition cut out of the machine, unless it is all of it. Nothing is cut out where the partition is the
 * whole machine. A decomposed graph cannot be cut. */
static int map_within(struct map_scotch *scotch, struct base_error *error)
{
    SCOTCH_Arch machine, partition;
    const struct net_topology *topology = scotch->problem->topology;
    const struct net_fat_tree *tree = net_fat_tree_of(topology);
    bool whole =
        (uint32_t)scotch->router_count == (tree != NULL ? tree->leaves[tree->levels] : topology->routers);
    int status;

    if (scotch->router_count == 1) { /* SCOTCH writes outside its memory when it is to cut out one router */
        memset(scotch->part, 0, scotch->problem->ranks * sizeof *scotch->part);
        return 0;
    }
    if (!whole && tree == NULL && !is_kind(topology, "mesh") && !is_kind(topology, "torus"))
        return base_error_set(error, BASE_USAGE,
                              "SCOTCH cuts partitions out of meshes, tori and fat trees only, not of %s",
                              topology->text);
    SCOTCH_archInit(&machine);
    SCOTCH_archInit(&partition);
    status = build_architecture(scotch, &machine, error);
    if (status == 0 && !whole &&
        SCOTCH_archSub(&partition, &machine, scotch->router_count, scotch->router) != 0)
        status = refuse(error, "cut out this partition");
    if (status == 0)
        status = map_onto(scotch, whole ? &machine : &partition, error);
    SCOTCH_archExit(&partition);
    SCOTCH_archExit(&machine);
    return status;
}

/* The free slot nearest to a router of the partition. */
static uint32_t nearest(const struct map_scotch *scotch, const bool *taken, SCOTCH_Num router)
{
    uint32_t best = UINT32_MAX, best_distance = UINT32_MAX;

    for (uint32_t slot = 0; slot < scotch->problem->slots; slot++) {
        uint32_t distance;
        if (taken[slot])
            continue;
        distance = map_problem_distance(scotch->problem, scotch->slot_of_router[router], slot);
        if (distance < best_distance) {
            best = slot;
            best_distance = distance;
        }
    }
    return best;
}

/* First everybody who fits where SCOTCH says, then the others. The second pass looks for the nearest free slot
 * rank by rank: who comes first has the choice, and the order is that of ranks, so that the answer is always the
 * same. */
static int settle(struct map_scotch *scotch, uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = scotch->problem;
    bool *taken = calloc((size_t)problem->slots + 1, sizeof *taken);

    if (taken == NULL)
        return base_error_memory(error, "the map from SCOTCH");
    for (uint32_t rank = 0; rank < problem->ranks; rank++) {
        uint32_t at = scotch->slot_of_router[scotch->part[rank]];
        uint32_t end = scotch->slot_of_router[scotch->part[rank] + 1];
        while (at < end && taken[at])
            at++;
        slot[rank] = at < end ? at : UINT32_MAX;
        if (at < end)
            taken[at] = true;
    }
    for (uint32_t rank = 0; rank < problem->ranks; rank++) {
        if (slot[rank] != UINT32_MAX)
            continue;
        slot[rank] = nearest(scotch, taken, scotch->part[rank]);
        taken[slot[rank]] = true;
    }
    free(taken);
    return 0;
}

/* One thread: what SCOTCH answers must not depend on how many there are. */
static int start_context(struct map_scotch *scotch, struct base_error *error)
{
    if (SCOTCH_contextThreadSpawn(&scotch->context, 1, NULL) != 0 ||
        SCOTCH_contextOptionSetNum(&scotch->context, SCOTCH_OPTIONNUMDETERMINISTIC, 1) != 0 ||
        SCOTCH_contextRandomClone(&scotch->context) != 0)
        return refuse(error, "start");
    SCOTCH_contextRandomSeed(&scotch->context, (SCOTCH_Num)(scotch->call->effort.seed & 0x7fffffff));
    SCOTCH_contextRandomReset(&scotch->context);
    return 0;
}

/* What SCOTCH does, in a process of its own: `part` is filled in. */
static int work(void *context, struct base_error *error)
{
    struct map_scotch *scotch = context;
    int status;

    SCOTCH_contextInit(&scotch->context);
    status = start_context(scotch, error) == 0 ? map_within(scotch, error) : -1;
    SCOTCH_contextExit(&scotch->context);
    return status;
}

/* The identity is the answer where SCOTCH has nothing to decide: no distances, one slot, or nobody who
 * communicates. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct map_scotch scotch = {.call = call, .problem = call->problem};
    size_t part_bytes = call->problem->ranks * sizeof *scotch.part;
    int status = -1;

    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    if (call->problem->topology == NULL || net_topology_is_ideal(call->problem->topology) ||
        call->problem->slots < 2 || call->problem->first[call->problem->ranks] == 0)
        return 0;
    scotch.part = map_shared_new(part_bytes);
    if (scotch.part == NULL)
        return base_error_memory(error, "the map from SCOTCH");
    if (lay_graph(&scotch, error) == 0 && lay_routers(&scotch, error) == 0 &&
        map_isolate("SCOTCH", work, &scotch, error) == 0)
        status = settle(&scotch, slot, error);
    map_shared_free(scotch.part, part_bytes);
    base_arena_free(&scotch.arena);
    return status;
}

#else

static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    (void)call;
    (void)slot;
    return base_error_set(error, BASE_USAGE,
                          "this flitreplay was built without SCOTCH (configure --with-scotch)");
}

#endif

const struct map_mapper map_mapper_scotch = {
    .name = "scotch",
    .chance = BASE_DRAWS,
    .summary = "dual recursive bipartitioning by the SCOTCH library, where it was built in",
    .searches = true,
    .map = map,
};
