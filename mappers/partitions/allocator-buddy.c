/* Two-dimensional buddy system (Li and Cheng 1991): a square of side 2^k at a multiple of its side. Cheap to
 * keep in order, and up to three quarters of a block stay idle. */
#include "mappers/partitions/blocks.h"

/* The least order whose square of 4^order cells holds the job; what it has beyond `wanted` stays idle. For
 * a large job the order may be more than the machine has, so it is compared before anything is looked for.
 * The power is taken in 64 bits, since 4^16 is more than 32 hold. */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    struct map_plane grid;
    struct map_window window;
    unsigned order = 0;
    bool found;

    if (map_plane_init(&grid, cells, error) != 0)
        return MAP_REFUSED;
    while (UINT64_C(1) << (2 * order) < cells->wanted)
        order++;
    found = order <= map_block_order_max(&grid) && map_block_find(&grid, order, &window);
    if (found)
        map_plane_take(cells, &window);
    map_plane_free(&grid);
    return found ? MAP_FOUND : MAP_NO_ROOM;
}

const struct map_allocator map_allocator_buddy = {
    .name = "buddy",
    .chance = BASE_EXACT,
    .summary = "a square of side 2^k at a multiple of its side (Li and Cheng 1991)",
    .needs_rectangle = true,
    .contiguous = true,
    .allocate = allocate,
};
