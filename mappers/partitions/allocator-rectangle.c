/* The near-square rectangle: as wide as the square root rounded up, and as high as is needed; also turned.
 * Best fit by contact, or first fit (Zhu 1992, on all bases; Ding and Bhuyan 1993 for turning). */
#include "mappers/partitions/grid.h"

/* The height is what the width needs, rounded up: fewer than `width` cells stay idle. Without room for the
 * rectangle, turned or not, the job waits. */
static enum map_verdict allocate_fit(struct map_cells *cells, bool best, struct base_error *error)
{
    struct map_plane grid;
    uint32_t width = 1;
    uint32_t shape[1][2];
    struct map_window window;
    bool found;

    if (map_plane_init(&grid, cells, error) != 0)
        return MAP_REFUSED;
    while ((uint64_t)width * width < cells->wanted)
        width++;
    shape[0][0] = width;
    shape[0][1] = (cells->wanted + width - 1) / width;
    found = map_plane_find_shape(&grid, best, (const uint32_t(*)[2])shape, 1, &window);
    if (found)
        map_plane_take(cells, &window);
    map_plane_free(&grid);
    return found ? MAP_FOUND : MAP_NO_ROOM;
}

/* Two allocators rather than a key, since the names are those of the literature. */
static enum map_verdict allocate_best(struct map_cells *cells, struct base_error *error)
{
    return allocate_fit(cells, true, error);
}

static enum map_verdict allocate_first(struct map_cells *cells, struct base_error *error)
{
    return allocate_fit(cells, false, error);
}

const struct map_allocator map_allocator_rectangle = {
    .name = "rectangle",
    .chance = BASE_EXACT,
    .summary = "the near-square rectangle, either way round, where it has most contact",
    .needs_rectangle = true,
    .contiguous = true,
    .allocate = allocate_best,
};

const struct map_allocator map_allocator_first_fit_rectangle = {
    .name = "first-fit-rectangle",
    .chance = BASE_EXACT,
    .summary = "the near-square rectangle where it first fits, row by row",
    .needs_rectangle = true,
    .contiguous = true,
    .allocate = allocate_first,
};
