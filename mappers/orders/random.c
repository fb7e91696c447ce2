/* A uniformly random placement: every way to put the ranks in distinct slots is equally likely. The first
 * steps of a Fisher-Yates shuffle of all slots, with the generator of base/random.h: one seed gives the
 * same placement everywhere. */
#include <stdlib.h>

#include "mappers/mapper.h"

#define STREAM UINT64_C(0x6d617070) /* "mapp": apart from the streams of the network with the same seed */

/* A uniformly random injective map: the first slots of a shuffled list. The seed is the only input. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    uint32_t slots = call->problem->slots;
    uint32_t *left = malloc(((size_t)slots + 1) * sizeof *left); /* [0 .. rank-1] are taken */
    struct base_random random;

    if (left == NULL)
        return base_error_memory(error, "a random placement");
    for (uint32_t i = 0; i < slots; i++)
        left[i] = i;
    base_random_seed(&random, call->effort.seed, STREAM);
    for (uint32_t rank = 0; rank < call->problem->ranks; rank++) {
        uint32_t drawn = rank + (uint32_t)base_random_below(&random, slots - rank);
        slot[rank] = left[drawn];
        left[drawn] = left[rank];
    }
    free(left);
    return 0;
}

const struct map_mapper map_mapper_random = {
    .name = "random",
    .chance = BASE_DRAWS,
    .summary = "ranks on distinct terminals drawn uniformly (--seed)",
    .map = map,
};
