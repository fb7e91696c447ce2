/* Orders of slots: rank i goes to the i-th. What the curves and the rotations share. */
#ifndef MAP_ORDER_H
#define MAP_ORDER_H

#include "mappers/mapper.h"

/* slot[0 .. ranks-1] in ascending order of key[slot], equal keys in ascending order of slots. -1: memory. */
int map_order_by(const struct map_problem *problem, const uint64_t *key, uint32_t *slot,
                 struct base_error *error);

/* One way to walk a box: which dimension goes fastest, and which ways are walked from their end. */
struct map_walk {
    uint32_t fastest[NET_DIMENSIONS_MAX]; /* dimensions, fastest first */
    uint32_t backwards;                   /* mask of dimensions */
    bool snakes;                          /* every line is walked back from where the last one ended */
};

/* The walk of rows: X fastest, all forwards. */
struct map_walk map_walk_of_rows(const struct map_problem *problem);
/* Places the ranks along the walk. Without geometry: in the order of slots. -1: memory. */
int map_order_along(const struct map_problem *problem, const struct map_walk *walk, uint32_t *slot,
                    struct base_error *error);

#endif
