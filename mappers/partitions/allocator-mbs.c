/* Multiple buddy strategy (Lo, Windisch, Liu and Nitzberg 1997): the number of nodes in base 4 says how many
 * blocks of side 2^k are wanted; where there is no block of that size, four of the next smaller one. So
 * nothing stays idle, and a job always fits when enough nodes are free.
 *
 *      23 = 1 x 16 + 1 x 4 + 3 x 1 */
#include "mappers/partitions/blocks.h"

#include <stdlib.h>
#include <string.h>

/* Takes a block and marks it busy; the sums are made anew, as there are few blocks. -1: memory. */
static int take(struct map_cells *cells, bool *busy, struct map_plane *grid, const struct map_window *window,
                struct base_error *error)
{
    uint32_t before = cells->cell_count;

    map_plane_take(cells, window);
    for (uint32_t i = before; i < cells->cell_count; i++)
        busy[cells->cell[i]] = true;
    map_plane_free(grid);
    return map_plane_init(grid, cells, error);
}

/* Order by order, from the highest: what one order lacks is four times as much of the next. */
static int take_blocks(struct map_cells *cells, bool *busy, struct map_plane *grid, struct base_error *error)
{
    uint64_t wanted = cells->wanted >> (2 * map_block_order_max(grid));

    for (unsigned order = map_block_order_max(grid) + 1; order-- > 0;) {
        struct map_window window;

        while (wanted > 0 && map_block_find(grid, order, &window)) {
            if (take(cells, busy, grid, &window, error) != 0)
                return -1;
            wanted--;
        }
        if (order > 0)
            wanted = 4 * wanted + (cells->wanted >> (2 * (order - 1)) & 3);
    }
    return 0;
}

/* Blocks that are taken must count as busy when the next one is looked for, but the machine's own map is
 * not ours to change: hence a copy. The answer's array is shared with the copy of the cells, so that only
 * the count has to be carried back. */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    bool *busy = malloc(cells->count * sizeof *busy);
    struct map_cells own = *cells;
    struct map_plane grid = {0};
    int status = -1;

    if (busy == NULL) {
        base_error_memory(error, "the map of a machine");
        return MAP_REFUSED;
    }
    memcpy(busy, cells->busy, cells->count * sizeof *busy);
    own.busy = busy;
    if (map_plane_init(&grid, &own, error) == 0)
        status = take_blocks(&own, busy, &grid, error);
    cells->cell_count = own.cell_count;
    map_plane_free(&grid);
    free(busy);
    return status == 0 ? MAP_FOUND : MAP_REFUSED;
}

const struct map_allocator map_allocator_mbs = {
    .name = "mbs",
    .chance = BASE_EXACT,
    .summary = "square blocks of sides 2^k, by the digits of the size in base 4 (Lo and others 1997)",
    .needs_rectangle = true,
    .exact = true,
    .allocate = allocate,
};
