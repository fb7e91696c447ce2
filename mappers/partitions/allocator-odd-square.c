/* Dense squares of an odd side, which have a router in their centre: on a king network the shell at distance
 * d around it is the border of the square of side 2d + 1, so every such square is a ball. The smallest that
 * holds the job; what it has too much stays idle. Minimal routes within a square of a king torus do not leave
 * it while its side is at most half the ring's, rounded up. */
#include "mappers/partitions/grid.h"

/* Sides grow by two from 1, which keeps them odd. C does not turn a pointer to an array into one to a
 * const array by itself, hence the cast of the only shape. */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    struct map_plane grid;
    uint32_t side = 1;
    uint32_t shape[1][2];
    struct map_window window;
    enum map_fit fit;
    bool found;

    if (map_fit_of(cells, false, &fit, error) != 0 || map_plane_init(&grid, cells, error) != 0)
        return MAP_REFUSED;
    while ((uint64_t)side * side < cells->wanted)
        side += 2;
    shape[0][0] = shape[0][1] = side;
    found = map_plane_find_shape(&grid, fit == MAP_FIT_BEST, (const uint32_t(*)[2])shape, 1, &window);
    if (found)
        map_plane_take(cells, &window);
    map_plane_free(&grid);
    return found ? MAP_FOUND : MAP_NO_ROOM;
}

static const char *const keys[] = {"fit", NULL};

const struct map_allocator map_allocator_odd_square = {
    .name = "odd-square",
    .chance = BASE_EXACT,
    .summary =
        "the smallest square of an odd side, where it has most contact (fit=best) or first fits (fit=first)",
    .keys = keys,
    .needs_rectangle = true,
    .contiguous = true,
    .allocate = allocate,
};
