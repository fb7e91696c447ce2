/* Consecutive ranks fill one router after another: Slurm's block distribution, Cray's SMP order. */
#include <config.h>

#include "mappers/orders/order.h"

/* Terminals are numbered router by router, and slots terminal by terminal: blocks are the order of slots, but
 * for the routers themselves, which are walked in rows whatever the partition's list. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct map_walk rows = map_walk_of_rows(call->problem);
    return map_order_along(call->problem, &rows, slot, error);
}

const struct map_mapper map_mapper_block = {
    .name = "block",
    .chance = BASE_EXACT,
    .summary = "consecutive ranks fill one router after another",
    .map = map,
};
