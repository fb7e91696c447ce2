/* The mapper `tabu`: iterated robust tabu search from the identity. The search is in tabu-search.c. */
#include <config.h>

#include "mappers/searches/search.h"

#define STREAM UINT64_C(0x74616275) /* "tabu" */
#define EVALUATIONS UINT64_C(60000000)

/* The search ends with its budget only, so that there must be one of evaluations or of time. Its random
 * numbers are a stream of their own: the same seed given to another mapper does not make the two alike. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct base_random random;

    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    if (call->effort.evaluations == 0 && call->effort.time_ms == 0)
        call->budget->limit = EVALUATIONS;
    base_random_seed(&random, call->effort.seed, STREAM);
    return map_tabu_search(call->problem, call->budget, &random, slot, error);
}

const struct map_mapper map_mapper_tabu = {
    .name = "tabu",
    .chance = BASE_DRAWS,
    .summary = "robust tabu search over all swaps, iterated (up to 1024 slots)",
    .searches = true,
    .map = map,
};
