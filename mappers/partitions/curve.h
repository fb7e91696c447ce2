/* Cells in the order of a curve, and allocation along it. Inside mappers/. */
#ifndef MAP_PARTITION_CURVE_H
#define MAP_PARTITION_CURVE_H

#include "mappers/partitions/grid.h"

/* A place on the curve for each cell: cells are sorted by it. Places need not be consecutive. */
typedef uint64_t map_curve(const struct map_cells *cells, uint32_t cell);

/* Takes `wanted` free cells along the curve (Leung and others 2002). fit=first and fit=best: the first, or
 * the shortest, run of free cells that holds them, and the cells at its beginning; without such a run, the
 * cells that span the least of the curve. fit=list: the first free ones. */
enum map_verdict map_curve_allocate(struct map_cells *cells, map_curve *curve, struct base_error *error);

#endif
