/* The local searches that mappers are put together from. Each improves slot[0 .. ranks-1] in place, within its
 * budget, and leaves the best map that it has seen: never a worse one than it was given. */
#ifndef MAP_SEARCH_H
#define MAP_SEARCH_H

#include "mappers/mapper.h"

#define MAP_ANNEAL_LEVELS 400   /* temperatures of an annealing, each of as many swaps */
#define MAP_TABU_SLOTS_MAX 1024 /* its four matrices have 8 bytes for each pair of slots */

/* Robust tabu search (E. Taillard, Parallel Computing 17, 1991), iterated: whenever a stretch of the search
 * has not improved, it goes on from the best map with some ranks moved at random, more of them each time.
 * An iteration looks at all swaps, each of which is an evaluation. -1: memory, or more slots than it can hold. */
int map_tabu_search(const struct map_problem *problem, struct map_budget *budget, struct base_random *random,
                    uint32_t *slot, struct base_error *error);

/* Simulated annealing by swaps, cooling over `evaluations` of the budget, then descent over all swaps. The first
 * temperature is hot_percent of the mean growth of the random swaps that make the given map worse: 100 forgets the
 * map, 5 keeps its shape. -1: memory. */
int map_anneal_search(const struct map_problem *problem, uint32_t hot_percent, uint64_t evaluations,
                      struct map_budget *budget, struct base_random *random, uint32_t *slot,
                      struct base_error *error);

/* The same, all of it over the few octaves of temperature in which maps of many alike loads freeze: better
 * than the other where it has millions of swaps and loads are, worse where it has few or loads are of many
 * sizes. -1: memory. */
int map_anneal_slowly(const struct map_problem *problem, uint32_t hot_percent, uint64_t evaluations,
                      struct map_budget *budget, struct base_random *random, uint32_t *slot,
                      struct base_error *error);

/* The same as the first, nine tenths of it on straight-line distances where the true ones are flat
 * (diagonals, wraps), the rest on the true ones from a low temperature. Elsewhere map_anneal_search. -1:
 * memory. */
int map_anneal_smoothly(const struct map_problem *problem, uint64_t evaluations, struct map_budget *budget,
                        struct base_random *random, uint32_t *slot, struct base_error *error);

#endif
