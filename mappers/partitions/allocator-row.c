/* In the order of the routers' numbers, whatever the network: row by row on a rectangle (Paging(0) of Lo and
 * others 1997). */
#include "mappers/partitions/curve.h"

static uint64_t place(const struct map_cells *cells, uint32_t cell)
{
    (void)cells;
    return cell;
}

static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    return map_curve_allocate(cells, place, error);
}

static const char *const keys[] = {"fit", NULL};

const struct map_allocator map_allocator_row = {
    .name = "row",
    .chance = BASE_EXACT,
    .summary = "a run of routers by their numbers, on any network: fit=best, fit=first or fit=list",
    .keys = keys,
    .exact = true,
    .allocate = allocate,
};
