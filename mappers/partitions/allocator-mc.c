/* MC (Mache, Lo and Windisch 1997): shells around a near-square rectangle of the job's size, which is the job
 * itself where it is free; and MC1x1, shells around one node, which on a king network are its distances. */
#include "mappers/partitions/centre.h"

/* A side longer than the machine's is cut: then the other one must make up for it, as far as it can. */
static enum map_verdict allocate_mc(struct map_cells *cells, struct base_error *error)
{
    uint32_t width = 1;
    uint32_t height;

    while ((uint64_t)width * width < cells->wanted)
        width++;
    if (width > cells->width)
        width = cells->width;
    height = (cells->wanted + width - 1) / width;
    if (height > cells->height) {
        height = cells->height;
        width = (cells->wanted + height - 1) / height;
    }
    return map_shells_allocate(cells, width, height, error);
}

/* The core is one free cell. On a mesh its shells reach further at the corners than distances do. */
static enum map_verdict allocate_mc1x1(struct map_cells *cells, struct base_error *error)
{
    return map_shells_allocate(cells, 1, 1, error);
}

const struct map_allocator map_allocator_mc = {
    .name = "mc",
    .chance = BASE_EXACT,
    .summary = "the nearest free nodes in shells around a near-square rectangle (Mache and others 1997)",
    .needs_rectangle = true,
    .exact = true,
    .allocate = allocate_mc,
};

const struct map_allocator map_allocator_mc1x1 = {
    .name = "mc1x1",
    .chance = BASE_EXACT,
    .summary = "the nearest free nodes in square shells around one",
    .needs_rectangle = true,
    .exact = true,
    .allocate = allocate_mc1x1,
};
