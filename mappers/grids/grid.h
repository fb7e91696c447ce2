/* The grid that ranks form: found in their communication, and folded onto the slots.
 *
 * A grid is sides and a coordinate of each rank in each. It is found in two ways: hidden in the graph, whatever
 * numbers the ranks have (map_grid_recognise), or in the order of the ranks, whatever else they say
 * (map_grid_guess). What is found is only an idea: the fold that costs least decides. */
#ifndef MAP_GRID_H
#define MAP_GRID_H

#include "mappers/mapper.h"

#define MAP_GRID_DIMENSIONS_MAX 10

struct map_grid {
    uint32_t ranks, dimensions;              /* sides multiply to the ranks */
    uint32_t sides[MAP_GRID_DIMENSIONS_MAX]; /* ranks along each dimension */
    bool periodic[MAP_GRID_DIMENSIONS_MAX];  /* the two ends of this side talk to each other */
    uint32_t *coordinate;                    /* [rank * MAP_GRID_DIMENSIONS_MAX + dimension], the caller's */
};

/* The Cartesian product that the edges of at least this weight form: a grid of paths and rings. 1: found; 0: they
 * form none; -1: memory. */
int map_grid_recognise(const struct map_problem *problem, int64_t least_weight, struct map_grid *grid,
                       struct base_error *error);
/* Sides whose row-major order explains most of what is said: the choice-th best (0, 1, …). Share of the weight between
 * grid neighbours, in thousandths, or 0 when there are no more. */
uint32_t map_grid_guess(const struct map_problem *problem, uint32_t choice, struct map_grid *grid);
/* Joins pairs of sides of 2 into rings of 4, which look the same: true when there was a pair. */
bool map_grid_join_pairs(struct map_grid *grid);

/* The cheapest fold of the grid onto a box of slots, for slot[0 .. ranks-1] and its cost: the better of them and
 * what is there already (*cost INT64_MAX: nothing). Spends the budget by one for each edge of a fold that it
 * weighs. -1: memory. */
int map_grid_fold(const struct map_problem *problem, const struct map_grid *grid, struct map_budget *budget,
                  uint32_t *slot, int64_t *cost, struct base_error *error);

#endif
