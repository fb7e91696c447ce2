/* The mapper `cartesian`: find the grid that the ranks form, and fold it onto the slots.
 *
 * Grids hidden in the graph are looked for among its heaviest edges, for every weight that occurs (or a
 * choice of them): light edges may be collectives or corners of a stencil. Besides, the likeliest sides in
 * rank order are tried. Where neither finds anything, ranks stay where they are. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/grids/grid.h"

#define WEIGHTS_MAX 16 /* thresholds that are tried */
#define GUESSES_MAX 6
#define SHARE_LEAST 50 /* thousandths of the weight that a guess must explain */

/* For qsort. Differences of 64-bit weights would overflow: hence two comparisons. */
static int falling(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one < other) - (one > other);
}

/* The distinct weights, heaviest first, in sorted; evenly thinned out when there are many. */
static size_t thresholds(const struct map_problem *problem, int64_t *sorted)
{
    size_t count = problem->first[problem->ranks], distinct = 0;
    size_t step;

    memcpy(sorted, problem->weight, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, falling);
    for (size_t i = 0; i < count; i++)
        if (distinct == 0 || sorted[distinct - 1] != sorted[i])
            sorted[distinct++] = sorted[i];
    if (distinct <= WEIGHTS_MAX)
        return distinct;
    step = distinct - 1;
    for (size_t i = 0; i < WEIGHTS_MAX; i++)
        sorted[i] = sorted[i * step / (WEIGHTS_MAX - 1)];
    return WEIGHTS_MAX;
}

/* Folds what was found, and once more with its sides of 2 taken as rings of 4. */
static int fold(const struct map_call *call, struct map_grid *grid, uint32_t *slot, int64_t *cost,
                struct base_error *error)
{
    if (map_grid_fold(call->problem, grid, call->budget, slot, cost, error) != 0)
        return -1;
    if (!map_grid_join_pairs(grid))
        return 0;
    return map_grid_fold(call->problem, grid, call->budget, slot, cost, error);
}

/* One array of coordinates serves for all thresholds: a fold is copied into slot only when it is cheaper,
 * so that slot and cost are always the best so far. That no grid is found at a threshold is no error, just
 * the next one's turn. */
static int try_hidden(const struct map_call *call, struct map_grid *grid, uint32_t *slot, int64_t *cost,
                      struct base_error *error)
{
    const struct map_problem *problem = call->problem;
    int64_t *sorted = malloc(((size_t)problem->first[problem->ranks] + 1) * sizeof *sorted);
    size_t count;
    int found = 0;

    if (sorted == NULL)
        return base_error_memory(error, "recognising a grid");
    count = thresholds(problem, sorted);
    for (size_t i = 0; i < count && found >= 0; i++) {
        found = map_grid_recognise(problem, sorted[i], grid, error);
        if (found > 0 && fold(call, grid, slot, cost, error) != 0)
            found = -1;
    }
    free(sorted);
    return found < 0 ? -1 : 0;
}

/* Guesses come in falling order of what they explain, so that the first one below the bar is the end of
 * them; 0, for no more guesses, is below it too. */
static int try_guesses(const struct map_call *call, struct map_grid *grid, uint32_t *slot, int64_t *cost,
                       struct base_error *error)
{
    for (uint32_t choice = 0; choice < GUESSES_MAX; choice++)
        if (map_grid_guess(call->problem, choice, grid) < SHARE_LEAST)
            return 0;
        else if (fold(call, grid, slot, cost, error) != 0)
            return -1;
    return 0;
}

/* The identity and its cost are what all folds have to beat: a job without any grid keeps its order, and
 * no result is worse than that. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = call->problem;
    struct map_grid grid = {.ranks = problem->ranks};
    int64_t cost;
    int status;

    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        slot[rank] = rank;
    cost = map_problem_cost(problem, slot);
    grid.coordinate = calloc((size_t)problem->ranks * MAP_GRID_DIMENSIONS_MAX + 1, sizeof *grid.coordinate);
    if (grid.coordinate == NULL)
        return base_error_memory(error, "a grid of ranks");
    status = try_hidden(call, &grid, slot, &cost, error);
    if (status == 0)
        status = try_guesses(call, &grid, slot, &cost, error);
    free(grid.coordinate);
    return status;
}

const struct map_mapper map_mapper_cartesian = {
    .name = "cartesian",
    .chance = BASE_EXACT,
    .summary = "find the grid that the ranks form, hidden or not, and fold it onto the slots",
    .searches = true,
    .map = map,
};
