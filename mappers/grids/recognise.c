/* Recognising a Cartesian product of paths and rings whose ranks have been relabelled.
 *
 * Two edges of a product belong to the same factor when they are opposite in a square, and when they meet in a vertex
 * without spanning a square there, or in a triangle (after J. Feigenbaum, J. Hershberger and A. Schaeffer,
 * Discrete Applied Mathematics 12, 1985; for products of paths and rings these local rules suffice). The classes so
 * joined are the dimensions: without the edges of one, the graph falls apart into the layers of that coordinate,
 * and the layers themselves must form a path or a ring. A ring of 4 is itself a product of two pairs, and is
 * found as that.
 *
 * Whatever is found is checked: every rank has a coordinate of its own, and the sides multiply to all of them. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/grids/grid.h"

#define DEGREE_MAX (2 * MAP_GRID_DIMENSIONS_MAX)

struct grid_edges {
    const struct map_problem *problem; /* whose rows are the edges */
    int64_t least_weight;              /* of an edge that counts */
    uint32_t *parent;                  /* [edge]: union-find; an edge and its reverse are joined first */
    uint32_t *reverse;                 /* [edge] */
    uint32_t *layer;                   /* [rank]: of the dimension at hand */
    uint32_t *queue;                   /* [rank] */
    uint32_t *next;                    /* [2 * layer]: the neighbouring layers */
    uint32_t *place;                   /* [layer]: along the path or ring */
    uint32_t *class_of;                /* [dimension]: the root edge */
};

/* Lighter edges do not belong to the grid that is looked for. */
static bool is_in(const struct grid_edges *edges, uint32_t edge)
{
    return edges->problem->weight[edge] >= edges->least_weight;
}

/* The edge between two ranks, or UINT32_MAX; rows are sorted. */
static uint32_t edge_between(const struct grid_edges *edges, uint32_t from, uint32_t to)
{
    const struct map_problem *problem = edges->problem;
    uint32_t low = problem->first[from], high = problem->first[from + 1];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (problem->neighbour[middle] < to)
            low = middle + 1;
        else
            high = middle;
    }
    return low < problem->first[from + 1] && problem->neighbour[low] == to && is_in(edges, low) ? low
                                                                                                : UINT32_MAX;
}

/* Paths are halved on the way. */
static uint32_t root(struct grid_edges *edges, uint32_t edge)
{
    while (edges->parent[edge] != edge) {
        edges->parent[edge] = edges->parent[edges->parent[edge]];
        edge = edges->parent[edge];
    }
    return edge;
}

/* The lower number stays the root. */
static void join(struct grid_edges *edges, uint32_t a, uint32_t b)
{
    uint32_t of_a = root(edges, a), of_b = root(edges, b);

    if (of_a < of_b)
        edges->parent[of_b] = of_a;
    else
        edges->parent[of_a] = of_b;
}

/* Ranks that both have as neighbours, other than `apart`: how many (2 means more than one), and the last. */
static uint32_t common(const struct grid_edges *edges, uint32_t a, uint32_t b, uint32_t apart,
                       uint32_t *found)
{
    const struct map_problem *problem = edges->problem;
    uint32_t count = 0;

    for (uint32_t edge = problem->first[a]; edge < problem->first[a + 1] && count < 2; edge++) {
        uint32_t other = problem->neighbour[edge];
        if (!is_in(edges, edge) || other == apart || edge_between(edges, b, other) == UINT32_MAX)
            continue;
        *found = other;
        count++;
    }
    return count;
}

/* Two edges that meet in a rank. Where they span exactly one square, each belongs with the edge opposite to it; in
 * all other cases, with each other. Opposite edges are named from the fourth corner. */
static void relate(struct grid_edges *edges, uint32_t rank, uint32_t one, uint32_t other)
{
    uint32_t a = edges->problem->neighbour[one], b = edges->problem->neighbour[other], across = 0;

    if (edge_between(edges, a, b) != UINT32_MAX || common(edges, a, b, rank, &across) != 1) {
        join(edges, one, other);
        return;
    }
    join(edges, one, edge_between(edges, b, across));
    join(edges, other, edge_between(edges, a, across));
}

/* False when some rank has more neighbours than a grid allows. */
static bool relate_all(struct grid_edges *edges)
{
    const struct map_problem *problem = edges->problem;

    for (uint32_t rank = 0; rank < problem->ranks; rank++) {
        uint32_t degree = 0;
        for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++) {
            edges->reverse[edge] = edge_between(edges, problem->neighbour[edge], rank);
            degree += is_in(edges, edge);
        }
        if (degree == 0 || degree > DEGREE_MAX)
            return false;
    }
    for (uint32_t edge = 0; edge < problem->first[problem->ranks]; edge++)
        if (is_in(edges, edge))
            join(edges, edge, edges->reverse[edge]);
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        for (uint32_t one = problem->first[rank]; one < problem->first[rank + 1]; one++)
            for (uint32_t other = one + 1; is_in(edges, one) && other < problem->first[rank + 1]; other++)
                if (is_in(edges, other))
                    relate(edges, rank, one, other);
    return true;
}

/* ---- One dimension ---- */

/* Numbers the parts that are left without the edges of a class. A flood from each rank that has no layer yet:
 * linear in the edges, once a dimension. */
static uint32_t find_layers(struct grid_edges *edges, uint32_t class)
{
    const struct map_problem *problem = edges->problem;
    uint32_t layers = 0;

    memset(edges->layer, 0xff, problem->ranks * sizeof *edges->layer);
    for (uint32_t start = 0; start < problem->ranks; start++) {
        uint32_t head = 0, tail = 0;
        if (edges->layer[start] != UINT32_MAX)
            continue;
        edges->layer[start] = layers;
        edges->queue[tail++] = start;
        while (head < tail) {
            uint32_t rank = edges->queue[head++];
            for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++) {
                uint32_t other = problem->neighbour[edge];
                if (!is_in(edges, edge) || edges->layer[other] != UINT32_MAX || root(edges, edge) == class)
                    continue;
                edges->layer[other] = layers;
                edges->queue[tail++] = other;
            }
        }
        layers++;
    }
    return layers;
}

/* Notes that two layers touch. False: one of them touches a third, or itself. Each edge comes from both of its
 * ends, so that next[] becomes symmetric by itself. */
static bool touch(struct grid_edges *edges, uint32_t a, uint32_t b)
{
    uint32_t *next = edges->next + 2 * (size_t)a;

    if (a == b)
        return false;
    if (next[0] == b || next[1] == b)
        return true;
    if (next[0] == UINT32_MAX)
        next[0] = b;
    else if (next[1] == UINT32_MAX)
        next[1] = b;
    else
        return false;
    return true;
}

/* Walks the layers from an end, or round from the first. False: they are neither a path nor a ring. */
static bool walk_layers(struct grid_edges *edges, uint32_t layers, bool *periodic)
{
    uint32_t at = 0, before = UINT32_MAX, count = 0;

    *periodic = true;
    for (uint32_t layer = layers; layer-- > 0;)
        if (edges->next[2 * (size_t)layer + 1] == UINT32_MAX) {
            at = layer;
            *periodic = false;
        }
    while (count < layers) {
        const uint32_t *next = edges->next + 2 * (size_t)at;
        uint32_t to = next[0] != before ? next[0] : next[1];
        edges->place[at] = count++;
        before = at;
        if (to == UINT32_MAX || count == layers)
            break;
        at = to;
    }
    return count == layers;
}

/* In a product of paths and rings, taking away one dimension's edges leaves its layers, and those edges
 * join each layer with at most two others. A class that leaves everything connected is no dimension. One
 * that fails, fails the grid: the classes share their edges out completely. */
static bool add_dimension(struct grid_edges *edges, uint32_t class, struct map_grid *grid)
{
    const struct map_problem *problem = edges->problem;
    uint32_t layers = find_layers(edges, class), d = grid->dimensions;

    if (layers < 2)
        return false;
    memset(edges->next, 0xff, 2 * (size_t)layers * sizeof *edges->next);
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++)
            if (is_in(edges, edge) && root(edges, edge) == class &&
                !touch(edges, edges->layer[rank], edges->layer[problem->neighbour[edge]]))
                return false;
    if (!walk_layers(edges, layers, &grid->periodic[d]))
        return false;
    grid->sides[d] = layers;
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        grid->coordinate[(size_t)rank * MAP_GRID_DIMENSIONS_MAX + d] = edges->place[edges->layer[rank]];
    grid->dimensions++;
    return true;
}

/* ---- All dimensions ---- */

/* Every rank in a place of its own; edges->layer serves as the list of places. */
static bool is_product(struct grid_edges *edges, const struct map_grid *grid)
{
    uint64_t product = 1;

    for (uint32_t d = 0; d < grid->dimensions && product <= grid->ranks; d++)
        product *= grid->sides[d];
    if (product != grid->ranks)
        return false;
    memset(edges->layer, 0, grid->ranks * sizeof *edges->layer);
    for (uint32_t rank = 0; rank < grid->ranks; rank++) {
        uint64_t place = 0;
        for (uint32_t d = grid->dimensions; d-- > 0;)
            place = place * grid->sides[d] + grid->coordinate[(size_t)rank * MAP_GRID_DIMENSIONS_MAX + d];
        if (edges->layer[place]++ != 0)
            return false;
    }
    return true;
}

/* Joining keeps the lower number, so that each class is named by its lowest edge, and dimensions come in
 * that order: it depends on the graph alone. Sides and coordinates are only worth something when this is
 * true. */
static bool find_dimensions(struct grid_edges *edges, struct map_grid *grid)
{
    uint32_t classes = 0;

    for (uint32_t edge = 0; edge < edges->problem->first[edges->problem->ranks]; edge++) {
        if (!is_in(edges, edge) || root(edges, edge) != edge)
            continue;
        if (classes == MAP_GRID_DIMENSIONS_MAX)
            return false;
        edges->class_of[classes++] = edge;
    }
    grid->dimensions = 0;
    for (uint32_t i = 0; i < classes; i++)
        if (!add_dimension(edges, edges->class_of[i], grid))
            return false;
    return classes > 0 && is_product(edges, grid);
}

/* The grid is the caller's, and may be half filled when nothing was found. All that the search needs lives
 * in an arena, and is gone at every way out. */
int map_grid_recognise(const struct map_problem *problem, int64_t least_weight, struct map_grid *grid,
                       struct base_error *error)
{
    struct grid_edges edges = {.problem = problem, .least_weight = least_weight};
    struct base_arena arena = {0};
    size_t count = problem->first[problem->ranks], ranks = problem->ranks;
    int status = -1;

    edges.parent = base_arena_array(&arena, count, sizeof *edges.parent);
    edges.reverse = base_arena_array(&arena, count, sizeof *edges.reverse);
    edges.layer = base_arena_array(&arena, ranks, sizeof *edges.layer);
    edges.queue = base_arena_array(&arena, ranks, sizeof *edges.queue);
    edges.next = base_arena_array(&arena, 2 * ranks, sizeof *edges.next);
    edges.place = base_arena_array(&arena, ranks, sizeof *edges.place);
    edges.class_of = base_arena_array(&arena, MAP_GRID_DIMENSIONS_MAX, sizeof *edges.class_of);
    if (edges.parent == NULL || edges.reverse == NULL || edges.layer == NULL || edges.queue == NULL ||
        edges.next == NULL || edges.place == NULL || edges.class_of == NULL) {
        base_error_memory(error, "recognising a grid");
    } else {
        for (uint32_t edge = 0; edge < count; edge++)
            edges.parent[edge] = edge;
        status = relate_all(&edges) && find_dimensions(&edges, grid) ? 1 : 0;
    }
    base_arena_free(&arena);
    return status;
}

/* (0,0) (1,0) (1,1) (0,1): once round a square. */
bool map_grid_join_pairs(struct map_grid *grid)
{
    bool joined = false;

    for (uint32_t a = 0; a < grid->dimensions; a++) {
        uint32_t b = a + 1;
        uint32_t last;
        while (b < grid->dimensions && grid->sides[b] != 2)
            b++;
        if (grid->sides[a] != 2 || b >= grid->dimensions)
            continue;
        last = --grid->dimensions;
        grid->sides[a] = 4;
        grid->periodic[a] = true;
        for (uint32_t rank = 0; rank < grid->ranks; rank++) {
            uint32_t *at = grid->coordinate + (size_t)rank * MAP_GRID_DIMENSIONS_MAX;
            at[a] = at[b] == 0 ? at[a] : 3 - at[a];
            at[b] = at[last];
        }
        grid->sides[b] = grid->sides[last];
        grid->periodic[b] = grid->periodic[last];
        joined = true;
    }
    return joined;
}
