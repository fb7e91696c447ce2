/* The boustrophedon: rows walked to and fro, so that consecutive ranks are neighbours in a full box. */
#include <config.h>

#include "mappers/orders/order.h"

/* Rows that run forth and back: ranks that follow each other are neighbours on the machine, too. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct map_walk walk = map_walk_of_rows(call->problem);
    walk.snakes = true;
    return map_order_along(call->problem, &walk, slot, error);
}

const struct map_mapper map_mapper_snake = {
    .name = "snake",
    .chance = BASE_EXACT,
    .summary = "rows to and fro, so that consecutive ranks are neighbours",
    .map = map,
};
