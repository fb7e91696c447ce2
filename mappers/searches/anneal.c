/* The mapper `anneal`: simulated annealing from the identity, on a smooth metric first where the true one is
 * flat.
 *
 * On king networks a folded grid costs no more locally than an open one: the distance is the larger of two
 * displacements, and the smaller is free. Annealing nine tenths of the budget on straight-line distances,
 * which see both, and the rest on the true ones recovers grids that the true metric alone leaves folded. */
#include <config.h>

#include "mappers/searches/search.h"

#define STREAM UINT64_C(0x616e6e65) /* "anne" */
#define EVALUATIONS_PER_RANK UINT64_C(40000)
#define EVALUATIONS_MOST UINT64_C(40000000)

/* A search must have an end even when nobody gave one: it grows with the ranks up to a bound. Numbers that
 * were asked for are not bounded. The identity is the map that it begins with, so that the result is no
 * worse. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    uint64_t evaluations = call->effort.evaluations;
    struct base_random random;

    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    if (evaluations == 0)
        evaluations = call->problem->ranks * EVALUATIONS_PER_RANK;
    if (call->effort.evaluations == 0 && evaluations > EVALUATIONS_MOST)
        evaluations = EVALUATIONS_MOST;
    call->budget->limit = evaluations;
    base_random_seed(&random, call->effort.seed, STREAM);
    return map_anneal_smoothly(call->problem, evaluations, call->budget, &random, slot, error);
}

const struct map_mapper map_mapper_anneal = {
    .name = "anneal",
    .chance = BASE_DRAWS,
    .summary = "simulated annealing by swaps, on a smooth metric first",
    .searches = true,
    .map = map,
};
