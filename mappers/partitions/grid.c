/* Sums of busy cells. The summed rectangle has a frame of one cell around the network, or around two copies
 * of it each way where it wraps, so that windows over the edge and frames need no cases:
 *
 *      #########        mesh 7 x 2: the frame is busy
 *      #.......#
 *      #..aa...#        sum of a window = D - B - C + A of four corners
 *      #########
 */
#include "mappers/partitions/grid.h"

#include <stdlib.h>
#include <string.h>

/* Is the cell of the framed rectangle busy? The frame is one cell wide; with wrap-around it holds the other
 * side. */
static bool framed_busy(const struct map_cells *cells, uint32_t column, uint32_t row)
{
    if (cells->wraps)
        return cells->busy[(column + cells->width - 1) % cells->width +
                           (size_t)((row + cells->height - 1) % cells->height) * cells->width];
    if (column == 0 || row == 0 || column > cells->width || row > cells->height)
        return true;
    return cells->busy[column - 1 + (size_t)(row - 1) * cells->width];
}

/* A table of sums over all rectangles that begin in the corner: how many cells of any window are busy
 * takes four look-ups. Row and column 0 of the table stay 0, so that the corner needs no special case. A
 * torus is laid out twice each way, so that windows over its rim are windows like all others. */
int map_plane_init(struct map_plane *grid, const struct map_cells *cells, struct base_error *error)
{
    uint32_t copies = cells->wraps ? 2 : 1, rows = copies * cells->height + 2;

    *grid = (struct map_plane){.width = cells->width,
                               .height = cells->height,
                               .wraps = cells->wraps,
                               .columns = copies * cells->width + 3};
    grid->sum = calloc((size_t)grid->columns * (rows + 1), sizeof *grid->sum);
    if (grid->sum == NULL)
        return base_error_memory(error, "the map of a machine");
    for (uint32_t row = 0; row < rows; row++)
        for (uint32_t column = 0; column + 1 < grid->columns; column++) {
            uint32_t *here = &grid->sum[(size_t)(row + 1) * grid->columns + column + 1];
            *here = framed_busy(cells, column, row) + here[-1] + *(here - grid->columns) -
                    *(here - grid->columns - 1);
        }
    return 0;
}

void map_plane_free(struct map_plane *grid)
{
    free(grid->sum);
    grid->sum = NULL;
}

/* Of the framed rectangle: columns left .. left + width - 1. */
static uint32_t sum_of(const struct map_plane *grid, uint32_t left, uint32_t top, uint32_t width,
                       uint32_t height)
{
    const uint32_t *above = &grid->sum[(size_t)top * grid->columns];
    const uint32_t *below = above + (size_t)height * grid->columns;

    return below[left + width] - below[left] - above[left + width] + above[left];
}

/* A window may be as large as a wrapping network, but no larger. */
static bool fits(const struct map_plane *grid, const struct map_window *window)
{
    if (window->width > grid->width || window->height > grid->height)
        return false;
    return grid->wraps ||
           (window->x + window->width <= grid->width && window->y + window->height <= grid->height);
}

/* A window that does not fit is busier than any that does: whoever looks for a free one, or the least busy
 * one, needs no second test. The frame around the machine moves everything by one cell. */
uint32_t map_plane_busy(const struct map_plane *grid, const struct map_window *window)
{
    if (!fits(grid, window))
        return UINT32_MAX;
    return sum_of(grid, window->x + 1, window->y + 1, window->width, window->height);
}

/* Busy cells, or the edge of a mesh, along the border of the window: its frame less itself. The more there are,
 * the less room is cut up by putting the job there. */
static uint32_t contact_of(const struct map_plane *grid, const struct map_window *window)
{
    return sum_of(grid, window->x, window->y, window->width + 2, window->height + 2) -
           sum_of(grid, window->x + 1, window->y + 1, window->width, window->height);
}

/* The first free window of the size row by row, or of all the one with most contact, the first of those; false: there
 * is none. A window that spans the whole width looks the same from every column, and is taken from the first. */
static bool find_window(const struct map_plane *grid, bool best, struct map_window *window, uint32_t *contact)
{
    struct map_window tried = *window;
    bool found = false;

    for (tried.y = 0; tried.y < grid->height; tried.y++)
        for (tried.x = 0; tried.x < grid->width; tried.x++) {
            uint32_t touching;
            if (map_plane_busy(grid, &tried) != 0)
                continue;
            touching = contact_of(grid, &tried);
            if (found && touching <= *contact)
                continue;
            *window = tried;
            *contact = touching;
            found = true;
            if (!best)
                return true;
        }
    return found;
}

/* Contact decides between shapes only where they need not be tried in order. */
bool map_plane_find_shape(const struct map_plane *grid, bool best, const uint32_t (*shapes)[2],
                          uint32_t count, struct map_window *window)
{
    uint32_t most = 0;
    bool found = false;

    for (uint32_t i = 0; i < 2 * count && (best || !found); i++) {
        struct map_window tried = {0, 0, shapes[i / 2][i % 2], shapes[i / 2][1 - i % 2]};
        uint32_t contact = 0;

        if (i % 2 == 1 && tried.width == tried.height)
            continue;
        if (!find_window(grid, best, &tried, &contact) || (found && contact <= most))
            continue;
        *window = tried;
        most = contact;
        found = true;
    }
    return found;
}

/* The modulo only matters on a torus, where a window may reach over the rim; on a mesh one that fits stays
 * within. */
void map_plane_take(struct map_cells *cells, const struct map_window *window)
{
    for (uint32_t row = 0; row < window->height; row++)
        for (uint32_t column = 0; column < window->width; column++)
            cells->cell[cells->cell_count++] =
                (window->x + column) % cells->width + (window->y + row) % cells->height * cells->width;
}

/* Which keys there may be has been checked with the specification; this checks the value. Not every
 * allocator has a list to take from, so that the error names only what this one knows. */
int map_fit_of(const struct map_cells *cells, bool list_allowed, enum map_fit *fit, struct base_error *error)
{
    *fit = MAP_FIT_BEST;
    for (uint32_t i = 0; i < cells->parameters->parameter_count; i++) {
        const char *value = cells->parameters->parameters[i].value;

        if (strcmp(cells->parameters->parameters[i].key, "fit") != 0 || strcmp(value, "best") == 0)
            continue;
        if (strcmp(value, "first") == 0)
            *fit = MAP_FIT_FIRST;
        else if (list_allowed && strcmp(value, "list") == 0)
            *fit = MAP_FIT_LIST;
        else
            return base_error_set(error, BASE_USAGE, "partition '%s': fit is %s, not '%.40s'",
                                  cells->parameters->text,
                                  list_allowed ? "best, first or list" : "best or first", value);
    }
    return 0;
}
