/* The rows of a grid turned in the plane of X and Y by 90, 180 or 270 degrees against the clock, north up.
 *
 *      rows        rotation:90     rotation:180    rotation:270
 *      6 7 8       8 5 2           2 1 0           0 3 6
 *      3 4 5       7 4 1           5 4 3           1 4 7
 *      0 1 2       6 3 0           8 7 6           2 5 8
 *
 * The cost of a rotation is that of the rows on a square without preferred directions; diagonal networks and
 * dimension-order routing have them. */
#include <config.h>

#include <string.h>

#include "mappers/orders/order.h"

/* A quarter turn makes Y the fastest dimension; which ways are walked backwards follows from the picture. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = call->problem;
    struct map_walk walk = map_walk_of_rows(problem);
    bool quarter = strcmp(call->argument, "90") == 0, three = strcmp(call->argument, "270") == 0;
    bool half = strcmp(call->argument, "180") == 0;

    if (!quarter && !half && !three)
        return base_error_set(error, BASE_USAGE, "a rotation is by 90, 180 or 270 degrees, not '%.40s'",
                              call->argument);
    if ((quarter || three) && problem->dimensions >= 2) {
        walk.fastest[0] = 1;
        walk.fastest[1] = 0;
    }
    walk.backwards = half ? 3 : quarter ? 1 : 2;
    return map_order_along(problem, &walk, slot, error);
}

const struct map_mapper map_mapper_rotation = {
    .name = "rotation",
    .chance = BASE_EXACT,
    .summary = "rows turned in the plane of X and Y: rotation:90, :180, :270",
    .argument = "DEGREES",
    .map = map,
};
