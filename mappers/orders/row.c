/* Rows: X fastest, then Y, then the others, whatever numbers the terminals have. On a grid whose terminals are
 * numbered that way it is the identity; it differs where a partition lists its slots in another order, or a router
 * has several. */
#include <config.h>

#include "mappers/orders/order.h"

static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct map_walk walk = map_walk_of_rows(call->problem);
    return map_order_along(call->problem, &walk, slot, error);
}

const struct map_mapper map_mapper_row = {
    .name = "row",
    .chance = BASE_EXACT,
    .summary = "row by row, X fastest",
    .map = map,
};
