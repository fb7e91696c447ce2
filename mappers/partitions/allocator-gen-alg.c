/* Gen-Alg (Krumke and others 1997): for each free node, it and those nearest to it by the network's distance;
 * of these candidates the one with the least sum of distances between all pairs, which is at most twice the
 * best possible. On any network. Takes time in proportion to the free nodes times the square of the job. */
#include "mappers/partitions/partition.h"

#include <stdlib.h>
#include <string.h>

struct candidate {
    uint32_t distance, cell; /* links from the centre; a free cell */
};

/* By distance, then by number, so that one centre always has the same neighbours. */
static int compare(const void *left, const void *right)
{
    const struct candidate *a = left, *b = right;
    if (a->distance != b->distance)
        return a->distance < b->distance ? -1 : 1;
    return a->cell < b->cell ? -1 : a->cell > b->cell;
}

/* Between the first terminals of the cells; on an ideal network nothing is far, and the lowest numbers win. */
static uint32_t distance(const struct map_cells *cells, uint32_t a, uint32_t b)
{
    uint32_t ends[2];
    if (cells->topology->routers == 0)
        return 0;
    net_topology_ends(cells->topology, a * cells->concentration, b * cells->concentration, ends);
    return net_topology_distance(cells->topology, ends[0], ends[1]);
}

/* The free cells nearest to a centre first. */
static void rank_cells(const struct map_cells *cells, uint32_t centre, struct candidate *list)
{
    uint32_t count = 0;

    for (uint32_t cell = 0; cell < cells->count; cell++)
        if (!cells->busy[cell])
            list[count++] = (struct candidate){distance(cells, centre, cell), cell};
    qsort(list, count, sizeof *list, compare);
}

/* Of the first `wanted`; given up once it is no better than what there is. */
static uint64_t sum_of_pairs(const struct map_cells *cells, const struct candidate *list, uint64_t enough)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < cells->wanted && sum < enough; i++)
        for (uint32_t k = 0; k < i; k++)
            sum += distance(cells, list[i].cell, list[k].cell);
    return sum;
}

/* Centres come in ascending order and only a smaller sum replaces what there is, so that of equally good
 * centres the lowest number wins. There is always an answer: an allocator is not asked when fewer cells
 * are free than wanted (partition.h), and this one takes any of them. */
static enum map_verdict allocate(struct map_cells *cells, struct base_error *error)
{
    struct candidate *list = malloc(cells->free_count * sizeof *list);
    uint64_t least = UINT64_MAX;

    if (list == NULL) {
        base_error_memory(error, "the map of a machine");
        return MAP_REFUSED;
    }
    for (uint32_t centre = 0; centre < cells->count; centre++) {
        uint64_t sum;
        if (cells->busy[centre])
            continue;
        rank_cells(cells, centre, list);
        sum = sum_of_pairs(cells, list, least);
        if (sum >= least)
            continue;
        least = sum;
        for (uint32_t i = 0; i < cells->wanted; i++)
            cells->cell[i] = list[i].cell;
    }
    cells->cell_count = cells->wanted;
    free(list);
    return MAP_FOUND;
}

const struct map_allocator map_allocator_gen_alg = {
    .name = "gen-alg",
    .chance = BASE_EXACT,
    .summary = "around the best centre the nearest free nodes, by all pairs' distances, on any network "
               "(Krumke 1997)",
    .exact = true,
    .allocate = allocate,
};
