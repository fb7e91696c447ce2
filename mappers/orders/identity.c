/* Rank i in slot i: what a machine without a mapper does, and the smallest example of a mapper. Programs
 * that number their ranks along a grid are often served well by it, so a mapper should never do worse. */
#include "mappers/mapper.h"

/* Rank i runs in slot i, whatever it communicates: the map that batch systems give by default, and so the
 * one that every other is measured against. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    (void)error;
    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    return 0;
}

const struct map_mapper map_mapper_identity = {
    .name = "identity",
    .chance = BASE_EXACT,
    .summary = "rank i on terminal i",
    .map = map,
};
