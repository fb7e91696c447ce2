/* Diagonal mesh and torus: a grid with links along one of its two diagonals (doc/networks.md; the king thesis,
 * section 2.1 and Algorithm 1). A step along the diagonal serves both dimensions where the displacements have
 * its signs, so the distance is the larger of them there, and their sum elsewhere.
 *
 * In a torus the ways round the two dimensions cannot be chosen apart: the nearer way along each may have the
 * wrong signs, and going the long way round one of them lets the diagonal help. All combinations are
 * compared; there are at most four, since a displacement of nothing is never worth a whole round. */
#include <string.h>

#include "netmodel/topologies/grid.h"
#include "netmodel/specification.h"

struct way {
    int32_t x, y;
    uint32_t length;
};

/* The parameter `diagonal`: north-east is Z, north-west (the same line as south-east) is T. The last one given
 * holds. */
static int read_diagonal(const struct net_specification *specification, uint32_t *diagonal,
                         struct base_error *error)
{
    *diagonal = NET_DIAGONAL_Z;
    for (uint32_t i = 0; i < specification->parameter_count; i++) {
        const char *value = specification->parameters[i].value;
        if (strcmp(specification->parameters[i].key, "diagonal") != 0)
            continue;
        if (strcmp(value, "nw") == 0)
            *diagonal = NET_DIAGONAL_T;
        else if (strcmp(value, "ne") != 0)
            return base_error_set(error, BASE_USAGE, "topology '%.80s': diagonal is ne or nw, not '%.80s'",
                                  specification->text, value);
    }
    return 0;
}

/* North-east needs no words. A line or a ring has the parameter of its kind, too, but nothing that would differ. */
const char *net_grid_write_diagonal(struct net_topology *topology, const char *text)
{
    if (topology->grid->diagonals == NET_DIAGONAL_T)
        text = base_arena_format(&topology->arena, "%s,diagonal=nw", text);
    return text == NULL ? NULL : net_grid_write(topology, text);
}

/* A side of 1 is dropped by the grid, and the diagonal with it. */
int net_grid_build_diagonal(struct net_topology *topology, const struct net_specification *specification,
                            bool wraps, struct base_error *error)
{
    uint32_t diagonal;
    if (specification->side_count != 2)
        return base_error_set(error, BASE_USAGE,
                              "topology '%.80s': a diagonal network takes two sizes, as in %s:8x8",
                              specification->text, specification->kind);
    if (read_diagonal(specification, &diagonal, error) != 0)
        return -1;
    return net_grid_build(topology, specification, wraps, diagonal, error);
}

/* Displacements are far from the end of their range. */
static uint32_t magnitude(int32_t value)
{
    return (uint32_t)(value < 0 ? -value : value);
}

/* Without a diagonal (a line or a ring) y is always 0, and both rules say the same. */
static uint32_t length_of(const struct net_topology *topology, int32_t x, int32_t y)
{
    bool helps = topology->grid->diagonals == NET_DIAGONAL_T ? (x < 0) != (y < 0) : (x < 0) == (y < 0);
    if (x == 0 || y == 0 || !helps)
        return magnitude(x) + magnitude(y);
    return magnitude(x) > magnitude(y) ? magnitude(x) : magnitude(y);
}

/* Ways to go along dimension d: one, or two round a torus; the positive one first. */
static uint32_t choices(const struct net_topology *topology, uint32_t d, uint32_t from, uint32_t to,
                        int32_t ways[2])
{
    int32_t side = (int32_t)topology->grid->sides[d], difference = (int32_t)to - (int32_t)from;
    ways[0] = topology->grid->wraps && difference < 0 ? difference + side : difference;
    ways[1] = ways[0] - side;
    return topology->grid->wraps && ways[0] != 0 ? 2 : 1;
}

/* The shortest paths, in the order of Algorithm 1's cases: both forward, both back, then one of each. Returns
 * their number. Ways of equal length all stay, so that variants are their number. */
static uint32_t shortest(const struct net_topology *topology, uint32_t a, uint32_t b, struct way best[4])
{
    static const uint32_t order[4][2] = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
    int32_t x[2];
    int32_t y[2] = {0, 0};
    uint32_t count = 0, side = topology->grid->dimensions > 0 ? topology->grid->sides[0] : 1, y_ways = 1;
    uint32_t x_ways = topology->grid->dimensions > 0 ? choices(topology, 0, a % side, b % side, x) : 1;
    if (topology->grid->dimensions == 0)
        x[0] = 0;
    if (topology->grid->dimensions > 1)
        y_ways = choices(topology, 1, a / side, b / side, y);
    for (uint32_t i = 0; i < 4; i++) {
        if (order[i][0] >= x_ways || order[i][1] >= y_ways)
            continue;
        struct way way = {x[order[i][0]], y[order[i][1]], 0};
        way.length = length_of(topology, way.x, way.y);
        if (count > 0 && way.length < best[0].length)
            count = 0;
        if (count == 0 || way.length == best[0].length)
            best[count++] = way;
    }
    return count;
}

/* No table and no search: at most four ways are weighed. */
uint32_t net_grid_diagonal_distance(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    struct way best[4];
    shortest(topology, a, b, best);
    return best[0].length;
}

/* In the order of the cases of Algorithm 1. */
uint32_t net_grid_diagonal_variants(const struct net_topology *topology, uint32_t a, uint32_t b)
{
    struct way best[4];
    return shortest(topology, a, b, best);
}

/* The variant must be below net_grid_diagonal_variants. */
void net_grid_diagonal_displacements(const struct net_topology *topology, uint32_t a, uint32_t b,
                                     uint32_t variant, int32_t displacements[2])
{
    struct way best[4];
    shortest(topology, a, b, best);
    displacements[0] = best[variant].x;
    displacements[1] = best[variant].y;
}
