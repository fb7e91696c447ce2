/* Non-contiguous allocation around a centre (the decomposition of Krumke and others 1997, and of Mache, Lo
 * and Windisch 1997): every free cell is tried as the centre, the nearest free ones are collected, and the
 * candidate with the best score wins. Inside mappers/. */
#ifndef MAP_PARTITION_CENTRE_H
#define MAP_PARTITION_CENTRE_H

#include "mappers/partitions/grid.h"

/* Shells around a rectangle of width x height, counted from 0, the rectangle itself; one place of it in the
 * middle for each free cell, or each place of the rectangle that is in the machine. The candidate with the
 * least sum of its cells' shells is taken, the first of those. */
enum map_verdict map_shells_allocate(struct map_cells *cells, uint32_t width, uint32_t height,
                                     struct base_error *error);

#endif
