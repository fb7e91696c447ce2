/* Annealing on straight-line distances first, then on the true ones. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/searches/search.h"

#define SCALE 16 /* of the smooth distances: they are rounded */

/* The shorter way between two coordinates. */
static uint32_t along(const struct map_problem *problem, uint32_t d, uint32_t a, uint32_t b)
{
    uint32_t apart = a > b ? a - b : b - a, side = problem->sides[d];

    return problem->wraps && side - apart < apart ? side - apart : apart;
}

/* The integer square root, by bisection. */
static uint32_t root_of(uint64_t square)
{
    uint64_t low = 0, high = UINT32_MAX;

    while (low < high) {
        uint64_t middle = (low + high + 1) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle - 1;
    }
    return (uint32_t)low;
}

/* In SCALE-ths of a link and in 16 bits, as the table of the true distances is: so the same search runs on
 * either. On an enormous machine the longest are cut, which only flattens what is far away already. */
static uint16_t straight(const struct map_problem *problem, uint32_t a, uint32_t b)
{
    uint64_t square = 0;
    uint32_t root;

    for (uint32_t d = 0; d < problem->dimensions; d++) {
        uint64_t apart = along(problem, d, problem->coordinate[(size_t)a * problem->dimensions + d],
                               problem->coordinate[(size_t)b * problem->dimensions + d]);
        square += apart * apart;
    }
    root = root_of(square * SCALE * SCALE);
    return root > UINT16_MAX ? UINT16_MAX : (uint16_t)root;
}

/* A shallow copy with another table; NULL: memory. The caller frees the table alone. */
static uint16_t *smoothen(const struct map_problem *problem, struct map_problem *smooth)
{
    uint16_t *table = malloc(((size_t)problem->slots * problem->slots + 1) * sizeof *table);

    for (uint32_t a = 0; table != NULL && a < problem->slots; a++)
        for (uint32_t b = 0; b < problem->slots; b++)
            table[(size_t)a * problem->slots + b] = straight(problem, a, b);
    *smooth = *problem;
    smooth->table = smooth->reverse = table;
    smooth->out = NULL;
    return table;
}

/* Diagonals make the smaller displacement free, and wraps let a grid lie folded: there local steps see no slope. */
static bool is_flat(const struct map_problem *problem)
{
    return problem->table != NULL && problem->dimensions >= 2 &&
           (problem->topology->grid->diagonals != 0 || problem->wraps);
}

/* The second stage begins cool, so that shapes that the smooth metric has found survive it. */
static int in_two_stages(const struct map_problem *problem, uint64_t evaluations, struct map_budget *budget,
                         struct base_random *random, uint32_t *slot, struct base_error *error)
{
    struct map_problem smooth;
    uint64_t first = evaluations / 10 * 9;
    uint16_t *table = smoothen(problem, &smooth);
    int status;

    if (table == NULL)
        return base_error_memory(error, "smooth distances");
    status = map_anneal_search(&smooth, 100, first, budget, random, slot, error);
    if (status == 0)
        status = map_anneal_search(problem, 5, evaluations - first, budget, random, slot, error);
    free(table);
    return status;
}

/* What is short in a straight line may be long in links: the given map is kept when it was the better one. */
int map_anneal_smoothly(const struct map_problem *problem, uint64_t evaluations, struct map_budget *budget,
                        struct base_random *random, uint32_t *slot, struct base_error *error)
{
    uint32_t *given;
    int status;

    if (!is_flat(problem))
        return map_anneal_search(problem, 100, evaluations, budget, random, slot, error);
    given = malloc(((size_t)problem->ranks + 1) * sizeof *given);
    if (given == NULL)
        return base_error_memory(error, "annealing");
    memcpy(given, slot, problem->ranks * sizeof *given);
    status = in_two_stages(problem, evaluations, budget, random, slot, error);
    if (map_problem_cost(problem, given) < map_problem_cost(problem, slot))
        memcpy(slot, given, problem->ranks * sizeof *given);
    free(given);
    return status;
}
