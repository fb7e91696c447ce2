/* Ranks are dealt to the routers in turn, one each, until all slots are full: Slurm's cyclic distribution,
 * Cray's round-robin order. Where a router has a single slot it is the identity. */
#include <config.h>

#include <stdlib.h>

#include "mappers/orders/order.h"

/* The key of a slot: how many slots of its router come before it. Slots of a router are consecutive. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = call->problem;
    uint64_t *key = calloc((size_t)problem->slots + 1, sizeof *key);
    int status;

    if (key == NULL)
        return base_error_memory(error, "a cyclic order");
    for (uint32_t i = 1; i < problem->slots && problem->topology != NULL; i++)
        if (net_topology_router_of(problem->topology, problem->terminal[i]) != NET_NONE &&
            net_topology_router_of(problem->topology, problem->terminal[i]) ==
                net_topology_router_of(problem->topology, problem->terminal[i - 1]))
            key[i] = key[i - 1] + 1;
    status = map_order_by(problem, key, slot, error);
    free(key);
    return status;
}

const struct map_mapper map_mapper_cyclic = {
    .name = "cyclic",
    .chance = BASE_EXACT,
    .summary = "ranks dealt to the routers in turn",
    .map = map,
};
