/* Blocks of buddy systems (Li and Cheng 1991). Nothing is kept between allocations: which blocks are free
 * follows from which cells are, so that freed buddies are one block again without further ado. */
#include "mappers/partitions/blocks.h"

/* Aligned blocks never reach over an edge, also where the network wraps. */
static bool is_free(const struct map_plane *grid, uint32_t x, uint32_t y, unsigned order)
{
    uint32_t side = UINT32_C(1) << order;
    const struct map_window window = {x, y, side, side};

    return x + side <= grid->width && y + side <= grid->height && map_plane_busy(grid, &window) == 0;
}

/* The highest power of two within the shorter side. Beyond it no square fits, on a torus neither: blocks
 * stand at multiples of their side and do not wrap. */
unsigned map_block_order_max(const struct map_plane *grid)
{
    uint32_t side = grid->width < grid->height ? grid->width : grid->height;
    unsigned order = 0;

    while (UINT32_C(2) << order <= side)
        order++;
    return order;
}

/* Out of the smallest free block around it, as a buddy system splits the smallest that will do: large
 * blocks stay whole for large jobs. Equals are decided row by row. What a side that is no power of two
 * leaves at the rim is part of smaller blocks only. */
bool map_block_find(const struct map_plane *grid, unsigned order, struct map_window *window)
{
    uint32_t side = UINT32_C(1) << order;
    unsigned lowest = UINT32_MAX, top = map_block_order_max(grid);

    for (uint32_t y = 0; y + side <= grid->height; y += side)
        for (uint32_t x = 0; x + side <= grid->width; x += side) {
            unsigned around = order;
            if (!is_free(grid, x, y, order))
                continue;
            /* The largest free block that it is a part of. */
            while (around < top && is_free(grid, x >> (around + 1) << (around + 1),
                                           y >> (around + 1) << (around + 1), around + 1))
                around++;
            if (around < lowest) {
                lowest = around;
                *window = (struct map_window){x, y, side, side};
            }
        }
    return lowest != UINT32_MAX;
}
