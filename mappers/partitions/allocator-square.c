/* The smallest square that holds the job, where its border touches most: the reference of compactness, since
 * no shape of as many nodes has a mean distance that is shorter by more than 1.5 % on a king network. */
#include "mappers/partitions/grid.h"

/* The side below does not hold the job, so that at most 2 x side - 2 cells stay idle. Without room for the
 * square there is no smaller shape to fall back to: the job waits. */
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
        side++;
    shape[0][0] = shape[0][1] = side;
    found = map_plane_find_shape(&grid, fit == MAP_FIT_BEST, (const uint32_t(*)[2])shape, 1, &window);
    if (found)
        map_plane_take(cells, &window);
    map_plane_free(&grid);
    return found ? MAP_FOUND : MAP_NO_ROOM;
}

static const char *const keys[] = {"fit", NULL};

const struct map_allocator map_allocator_square = {
    .name = "square",
    .chance = BASE_EXACT,
    .summary =
        "the smallest square that holds the job, by contact (fit=best) or where it first fits (fit=first)",
    .keys = keys,
    .needs_rectangle = true,
    .contiguous = true,
    .allocate = allocate,
};
