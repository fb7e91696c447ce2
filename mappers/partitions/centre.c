/* Shells. How many free cells a shell has is a difference of two window sums; so a candidate's score takes a
 * few steps for each shell, and only the winner's cells are listed.
 *
 *      2 2 2 2 2 2
 *      2 1 1 1 1 2        around a rectangle of 2 x 1
 *      2 1 0 0 1 2
 *      2 1 1 1 1 2
 *      2 2 2 2 2 2 */
#include "mappers/partitions/centre.h"

#include <stdlib.h>

/* A rectangle and its first shells: cut at the edges of a mesh, and at the whole width and height of a torus.
 */
static struct map_window around(const struct map_plane *grid, const struct map_window *core, uint32_t shells)
{
    int64_t left = (int64_t)core->x - shells, right = (int64_t)core->x + core->width + shells;
    int64_t top = (int64_t)core->y - shells, bottom = (int64_t)core->y + core->height + shells;

    if (!grid->wraps) {
        left = left < 0 ? 0 : left;
        top = top < 0 ? 0 : top;
        right = right > grid->width ? grid->width : right;
        bottom = bottom > grid->height ? grid->height : bottom;
    }
    if (right - left >= grid->width)
        left = 0, right = grid->width;
    if (bottom - top >= grid->height)
        top = 0, bottom = grid->height;
    return (struct map_window){(uint32_t)((left + grid->width) % grid->width),
                               (uint32_t)((top + grid->height) % grid->height), (uint32_t)(right - left),
                               (uint32_t)(bottom - top)};
}

/* The window must fit the plane, as around() makes it. */
static uint32_t free_in(const struct map_plane *grid, const struct map_window *window)
{
    return window->width * window->height - map_plane_busy(grid, window);
}

/* The sum of shells of the nearest free cells; there are enough in the machine. */
static uint64_t score(const struct map_plane *grid, const struct map_window *core, uint32_t wanted)
{
    uint32_t before = 0;
    uint64_t sum = 0;

    for (uint32_t shell = 0; before < wanted; shell++) {
        struct map_window window = around(grid, core, shell);
        uint32_t within = free_in(grid, &window);

        if (within > wanted)
            within = wanted;
        sum += (uint64_t)(within - before) * shell;
        before = within;
    }
    return sum;
}

/* Shell by shell, row by row within one. `taken` marks what inner shells had. */
static void collect(struct map_cells *cells, const struct map_plane *grid, const struct map_window *core,
                    bool *taken)
{
    for (uint32_t shell = 0; cells->cell_count < cells->wanted; shell++) {
        struct map_window window = around(grid, core, shell);

        for (uint32_t i = 0; i < window.width * window.height && cells->cell_count < cells->wanted; i++) {
            uint32_t cell = (window.x + i % window.width) % grid->width +
                            (window.y + i / window.width) % grid->height * grid->width;
            if (cells->busy[cell] || taken[cell])
                continue;
            taken[cell] = true;
            cells->cell[cells->cell_count++] = cell;
        }
    }
}

/* A single cell must be free to be a centre; a larger rectangle may have busy ones. Every place of the rectangle
 * is tried, row by row; the least score wins, the first one of equals. */
static struct map_window best_core(const struct map_cells *cells, const struct map_plane *grid,
                                   uint32_t width, uint32_t height)
{
    struct map_window core = {0, 0, width, height}, best = core;
    uint64_t least = UINT64_MAX;

    for (core.y = 0; core.y < grid->height; core.y++)
        for (core.x = 0; core.x < grid->width; core.x++) {
            uint64_t sum;
            if (map_plane_busy(grid, &core) == UINT32_MAX ||
                (width * height == 1 && cells->busy[core.y * grid->width + core.x]))
                continue;
            sum = score(grid, &core, cells->wanted);
            if (sum < least) {
                least = sum;
                best = core;
            }
        }
    return best;
}

/* Never MAP_NO_ROOM: free cells may lie in any shell, so that a job of enough free cells is always met, if
 * need be in scattered pieces. */
enum map_verdict map_shells_allocate(struct map_cells *cells, uint32_t width, uint32_t height,
                                     struct base_error *error)
{
    bool *taken = calloc(cells->count, sizeof *taken);
    struct map_plane grid = {0};
    struct map_window core;

    if (taken == NULL) {
        base_error_memory(error, "the map of a machine");
        return MAP_REFUSED;
    }
    if (map_plane_init(&grid, cells, error) != 0) {
        free(taken);
        return MAP_REFUSED;
    }
    core = best_core(cells, &grid, width, height);
    collect(cells, &grid, &core, taken);
    map_plane_free(&grid);
    free(taken);
    return MAP_FOUND;
}
