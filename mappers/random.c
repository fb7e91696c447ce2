/* A uniformly random placement: every way to put the ranks on distinct terminals is equally likely. The first
 * steps of a Fisher-Yates shuffle of all terminals, with the generator of base/random.h: one seed gives the
 * same placement everywhere. */
#include <stdlib.h>

#include "base/random.h"
#include "mappers/placement.h"

#define STREAM UINT64_C(0x6d617070) /* "mapp": apart from the streams of the network with the same seed */

/* A uniformly random injective map: the first terminals of a shuffled list. The seed is the only input. */
static int map(const struct map_mapper *mapper, const char *argument, const struct net_topology *topology,
               uint32_t ranks, const struct trace_comm_graph *graph, uint64_t seed, uint32_t *terminal,
               struct base_error *error)
{
    uint32_t *left = malloc((size_t)topology->terminals * sizeof *left); /* [0 .. rank-1] are taken */
    struct base_random random;

    (void)mapper;
    (void)argument;
    (void)graph;
    if (left == NULL)
        return base_error_memory(error, "a random placement");
    for (uint32_t i = 0; i < topology->terminals; i++)
        left[i] = i;
    base_random_seed(&random, seed, STREAM);
    for (uint32_t rank = 0; rank < ranks; rank++) {
        uint32_t drawn = rank + (uint32_t)base_random_below(&random, topology->terminals - rank);
        terminal[rank] = left[drawn];
        left[drawn] = left[rank];
    }
    free(left);
    return 0;
}

const struct map_mapper map_mapper_random = {
    .name = "random",
    .summary = "ranks on distinct terminals drawn uniformly (--seed)",
    .map = map,
};
