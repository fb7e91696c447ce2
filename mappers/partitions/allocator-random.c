/* Free nodes drawn uniformly: what a batch system does that does not look, and what the others are measured
 * against. */
#include "mappers/partitions/partition.h"

#include "base/random.h"

#define STREAM UINT64_C(0x70617274) /* "part": apart from other streams of the same seed */

/* The first steps of a shuffle of the free cells. */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    struct base_random random;
    uint32_t free_count = 0;

    (void)error;
    for (uint32_t cell = 0; cell < cells->count; cell++)
        if (!cells->busy[cell])
            cells->cell[free_count++] = cell;
    base_random_seed(&random, cells->seed, STREAM);
    for (uint32_t i = 0; i < cells->wanted; i++) {
        uint32_t drawn = i + (uint32_t)base_random_below(&random, free_count - i), held = cells->cell[i];
        cells->cell[i] = cells->cell[drawn];
        cells->cell[drawn] = held;
    }
    cells->cell_count = cells->wanted;
    return MAP_FOUND;
}

const struct map_allocator map_allocator_random = {
    .name = "random",
    .chance = BASE_DRAWS,
    .summary = "free nodes drawn uniformly (--seed), on any network",
    .exact = true,
    .allocate = allocate,
};
