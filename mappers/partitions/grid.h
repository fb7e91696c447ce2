/* A rectangle of cells with sums, so that any window of it is looked at in constant time. Inside mappers/.
 *
 * The frame of a window is the cells around it, corners too: what is busy there, or outside of a network
 * without wrap-around, is contact. Best fit is the window with most contact: it leaves the least jagged rest
 * (Zhu 1992, and Bhattacharya and Tsai 1994 for counting the border). */
#ifndef MAP_PARTITION_GRID_H
#define MAP_PARTITION_GRID_H

#include "mappers/partitions/partition.h"

struct map_plane {
    uint32_t width, height; /* in cells */
    bool wraps;             /* rectangles may go across the borders, as on a torus */
    uint32_t columns;       /* of the sums */
    uint32_t *sum;          /* busy cells above and to the left, of a larger rectangle with a frame */
};

/* Windows begin at 0 <= x < width, 0 <= y < height, and reach over the edge only where the network wraps. */
struct map_window {
    uint32_t x, y, width, height; /* upper left cell, and cells each way */
};

/* Frees with map_plane_free. -1: memory. */
int map_plane_init(struct map_plane *grid, const struct map_cells *cells, struct base_error *error);
void map_plane_free(struct map_plane *grid);
/* Busy cells in a window. One that does not fit at all counts as busy. */
uint32_t map_plane_busy(const struct map_plane *grid, const struct map_window *window);

/* Looks for a free window in *window of one of the shapes, each also turned by a quarter: the first one row by row,
 * or the one with most contact, of equal ones the first shape's. false: there is none. */
bool map_plane_find_shape(const struct map_plane *grid, bool best, const uint32_t (*shapes)[2],
                          uint32_t count, struct map_window *window);
/* The window's cells become the answer. */
void map_plane_take(struct map_cells *cells, const struct map_window *window);

/* The parameter "fit": best (what it says when absent), first, or list where allowed. -1: BASE_USAGE. */
enum map_fit { MAP_FIT_BEST, MAP_FIT_FIRST, MAP_FIT_LIST };
int map_fit_of(const struct map_cells *cells, bool list_allowed, enum map_fit *fit, struct base_error *error);

#endif
