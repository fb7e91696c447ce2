/* Columns: the last dimension fastest. The transpose of the rows: what a program that numbers its grid the
 * other way round wants. */
#include <config.h>

#include "mappers/orders/order.h"

/* The last dimension runs fastest instead of the first: columns where the order of rows has rows. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = call->problem;
    struct map_walk walk = map_walk_of_rows(problem);

    for (uint32_t i = 0; i < problem->dimensions; i++)
        walk.fastest[i] = problem->dimensions - 1 - i;
    return map_order_along(problem, &walk, slot, error);
}

const struct map_mapper map_mapper_transpose = {
    .name = "transpose",
    .chance = BASE_EXACT,
    .summary = "column by column, the last dimension fastest",
    .map = map,
};
