/* Whole groups: of a dragonfly its groups, of a fat tree the subtrees below the top, of a HyperX its rows, of a Slim
 * Fly the sets of Q routers. Packets of a dragonfly's job share global links with other jobs all the same, where it
 * has several groups; those of a subtree share nothing. Where a network has no groups, each router is one. */
#include "mappers/partitions/partition.h"

/* Whether no cell of a group is busy. */
static bool is_free(const struct map_cells *cells, uint32_t group, uint32_t size)
{
    for (uint32_t cell = group * size; cell < (group + 1) * size; cell++)
        if (cells->busy[cell])
            return false;
    return true;
}

/* The run of free groups with the least left over, or the first ones that are free where there is no such run. */
static uint32_t best_run(const struct map_cells *cells, uint32_t groups, uint32_t size, uint32_t needed)
{
    uint32_t found = 0, shortest = UINT32_MAX;
    for (uint32_t begin = 0, end; begin < groups; begin = end + 1) {
        end = begin;
        while (end < groups && is_free(cells, end, size))
            end++;
        if (end - begin >= needed && end - begin < shortest) {
            found = begin;
            shortest = end - begin;
        }
    }
    return found;
}

/* Whole groups: what the job does not fill of its last one stays idle. From the best run on, or from the first
 * group on wherever one is free. */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    const struct net_topology *topology = cells->topology;
    (void)error;
    uint32_t size = topology->group_terminals > 0 ? topology->group_terminals / cells->concentration : 1;
    uint32_t groups = cells->count / size;
    uint32_t needed = (cells->wanted + size - 1) / size;
    for (uint32_t group = best_run(cells, groups, size, needed); group < groups && needed > 0; group++) {
        if (!is_free(cells, group, size))
            continue;
        for (uint32_t i = 0; i < size; i++)
            cells->cell[cells->cell_count++] = group * size + i;
        needed--;
    }
    return needed == 0 ? MAP_FOUND : MAP_NO_ROOM;
}

const struct map_allocator map_allocator_groups = {
    .name = "groups",
    .chance = BASE_EXACT,
    .summary = "whole groups of a dragonfly, subtrees of a fat tree, rows of a HyperX; else routers",
    .allocate = allocate,
};
