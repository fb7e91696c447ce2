/* Along the rows, every second one backwards, as Cplant's allocator went through its machine (Leung and
 * others 2002). */
#include "mappers/partitions/curve.h"

/* Odd rows run back, so that the end of a row and the beginning of the next are one link apart: every run
 * along the curve is connected. */
static uint64_t place(const struct map_cells *cells, uint32_t cell)
{
    uint32_t x = cell % cells->width, y = cell / cells->width;

    return (uint64_t)y * cells->width + (y % 2 == 0 ? x : cells->width - 1 - x);
}

static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    return map_curve_allocate(cells, place, error);
}

static const char *const keys[] = {"fit", NULL};

const struct map_allocator map_allocator_snake = {
    .name = "snake",
    .chance = BASE_EXACT,
    .summary = "a run along the rows, every second one backwards: fit=best, fit=first or fit=list",
    .keys = keys,
    .needs_rectangle = true,
    .exact = true,
    .allocate = allocate,
};
