/* Along Hilbert's curve, that of the smallest square of side 2^k around the machine: cells outside are left
 * out, so that the curve has jumps where the machine is no such square. Neighbours on the curve are
 * neighbours in the plane, and a run of it has no long side. */
#include "mappers/partitions/curve.h"

/* The classic descent: a quadrant per level, turned so that the curve goes on where it left. */
static uint64_t place(const struct map_cells *cells, uint32_t cell)
{
    uint32_t x = cell % cells->width, y = cell / cells->width, side = 1;
    uint64_t at = 0;

    while (side < cells->width || side < cells->height)
        side *= 2;
    for (uint32_t half = side / 2; half > 0; half /= 2) {
        uint32_t right = (x & half) != 0, up = (y & half) != 0;
        uint32_t turned;

        at += (uint64_t)half * half * ((3 * right) ^ up);
        x &= half - 1;
        y &= half - 1;
        if (up != 0)
            continue;
        turned = right != 0 ? half - 1 - x : x;
        x = right != 0 ? half - 1 - y : y;
        y = turned;
    }
    return at;
}

/* What is free on the curve, how a run is chosen and what happens without one is the same for all curves
 * (curve.c). */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    return map_curve_allocate(cells, place, error);
}

static const char *const keys[] = {"fit", NULL};

const struct map_allocator map_allocator_hilbert = {
    .name = "hilbert",
    .chance = BASE_EXACT,
    .summary = "a run along Hilbert's curve: fit=best, fit=first, or the first free nodes, fit=list",
    .keys = keys,
    .needs_rectangle = true,
    .exact = true,
    .allocate = allocate,
};
