/* The load of the busiest channel under the real routing: what breaks ties between maps of equal hop-bytes, and an
 * objective of its own. */
#ifndef MAP_CHANNEL_LOAD_H
#define MAP_CHANNEL_LOAD_H

#include "mappers/mapper.h"

/* Bytes over the busiest link, as map_placement_cost has them; 0 without a routing or a graph. *load < 0 never.
 * -1: memory. */
int map_channel_load(const struct map_problem *problem, const uint32_t *slot, double *load,
                     struct base_error *error);
/* Swaps that make the busiest link less busy, or leave it and cost no more, until the budget ends. Never
 * worse than the given map. may_cost: a swap that makes the busiest link less busy may cost more; else
 * none does, and the map stays as good as it was: a tie is broken. -1: memory. */
int map_channel_load_search(const struct map_problem *problem, bool may_cost, struct map_budget *budget,
                            struct base_random *random, uint32_t *slot, struct base_error *error);

#endif
