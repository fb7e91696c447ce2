/* Square blocks of side 2^k at multiples of their side, as buddy systems cut a rectangle. Inside mappers/. */
#ifndef MAP_PARTITION_BLOCKS_H
#define MAP_PARTITION_BLOCKS_H

#include "mappers/partitions/grid.h"

/* Looks for the free block of side 2^order that belongs to the smallest free block of a higher order, the
 * first of those: what is cut is what is already small. false: there is none. */
bool map_block_find(const struct map_plane *grid, unsigned order, struct map_window *window);
/* The highest order of a block that the rectangle has room for. */
unsigned map_block_order_max(const struct map_plane *grid);

#endif
