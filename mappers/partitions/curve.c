/* One-dimensional allocation: the machine is a line, and a job takes a run of it.
 *
 *      curve     ....xx......x..xxxx...        6 cells wanted: the run of 6
 *                      ......                  8 wanted: no run; the least span is the one over x
 */
#include "mappers/partitions/curve.h"

#include <stdlib.h>

struct place {
    uint64_t at;   /* on the curve */
    uint32_t cell; /* that is there */
};

/* Two cells never have the same place. */
static int compare(const void *left, const void *right)
{
    const struct place *a = left, *b = right;
    return a->at < b->at ? -1 : a->at > b->at;
}

/* The cells in their order, for the caller to free. NULL: memory. */
static struct place *along(const struct map_cells *cells, map_curve *curve)
{
    struct place *places = malloc(((size_t)cells->count + 1) * sizeof *places);

    if (places == NULL)
        return NULL;
    for (uint32_t cell = 0; cell < cells->count; cell++)
        places[cell] = (struct place){curve(cells, cell), cell};
    qsort(places, cells->count, sizeof *places, compare);
    return places;
}

/* Where a run of free cells begins that is long enough, the shortest or the first; cells->count: there is
 * none. */
static uint32_t find_run(const struct map_cells *cells, const struct place *places, bool best)
{
    uint32_t found = cells->count, shortest = UINT32_MAX;

    for (uint32_t begin = 0, end; begin < cells->count; begin = end + 1) {
        end = begin;
        while (end < cells->count && !cells->busy[places[end].cell])
            end++;
        if (end - begin < cells->wanted || end - begin >= shortest)
            continue;
        found = begin;
        shortest = end - begin;
        if (!best)
            break;
    }
    return found;
}

/* Where the free cells begin that span the least of the line: a window over the list of free ones. */
static uint32_t find_span(const struct map_cells *cells, const struct place *places, uint32_t *free_places)
{
    uint32_t count = 0, least = UINT32_MAX, found = 0;

    for (uint32_t i = 0; i < cells->count; i++)
        if (!cells->busy[places[i].cell])
            free_places[count++] = i;
    for (uint32_t i = 0; i + cells->wanted <= count; i++) {
        uint32_t span = free_places[i + cells->wanted - 1] - free_places[i];
        if (span < least) {
            least = span;
            found = free_places[i];
        }
    }
    return found;
}

/* From there on, whatever is free. */
static void take_from(struct map_cells *cells, const struct place *places, uint32_t begin)
{
    for (uint32_t i = begin; cells->cell_count < cells->wanted; i++)
        if (!cells->busy[places[i].cell])
            cells->cell[cells->cell_count++] = places[i].cell;
}

/* fit=list takes what is free from the curve's beginning on; the others want a run of free cells, and
 * without one the free cells that span the least of the curve. So it never ends without room either. */
enum map_verdict map_curve_allocate(struct map_cells *cells, map_curve *curve, struct base_error *error)
{
    struct place *places;
    enum map_fit fit;
    uint32_t begin = 0;

    if (map_fit_of(cells, true, &fit, error) != 0)
        return MAP_REFUSED;
    places = along(cells, curve);
    if (places == NULL) {
        base_error_memory(error, "a curve through a machine");
        return MAP_REFUSED;
    }
    if (fit != MAP_FIT_LIST) {
        begin = find_run(cells, places, fit == MAP_FIT_BEST);
        /* The answer's array has room for the list of free places, and is not in use yet. */
        if (begin == cells->count)
            begin = find_span(cells, places, cells->cell);
    }
    take_from(cells, places, begin);
    free(places);
    return MAP_FOUND;
}
