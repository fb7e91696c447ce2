/* Recursive coordinate bisection (Berger and Bokhari 1987), of the slots: the longest side of what is left is
 * cut in two, and so is the list of ranks. Where ranks talk mostly to those of near numbers, halves talk
 * little. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/mapper.h"

struct bisection_entry {
    uint32_t coordinate, slot; /* in the dimension that is being cut */
};

/* Within a plane, in the order of slots. */
static int by_coordinate(const void *a, const void *b)
{
    const struct bisection_entry *one = a, *other = b;

    if (one->coordinate != other->coordinate)
        return one->coordinate < other->coordinate ? -1 : 1;
    return (one->slot > other->slot) - (one->slot < other->slot);
}

/* The dimension in which these slots spread furthest; the first of equal ones. */
static uint32_t longest(const struct map_problem *problem, const struct bisection_entry *entries,
                        uint32_t count)
{
    uint32_t best = 0, best_spread = 0;

    for (uint32_t d = 0; d < problem->dimensions; d++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t i = 0; i < count; i++) {
            uint32_t at = problem->coordinate[(size_t)entries[i].slot * problem->dimensions + d];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        if (most - least > best_spread) {
            best = d;
            best_spread = most - least;
        }
    }
    return best;
}

/* Puts `ranks` consecutive ranks into the slots of the entries. Depth: the logarithm of the slots. The cut gives
 * each half ranks in proportion to its slots, so that free slots are spread over the machine instead of being left
 * at its end; rounding must not give the second half more ranks than slots. */
static void bisect(const struct map_problem *problem, struct bisection_entry *entries, uint32_t count,
                   uint32_t *slot, uint32_t ranks)
{
    uint32_t dimension;
    uint32_t half = count / 2;
    uint32_t first;

    if (count == 1 || ranks == 0) {
        if (ranks == 1)
            slot[0] = entries[0].slot;
        return;
    }
    dimension = longest(problem, entries, count);
    for (uint32_t i = 0; i < count; i++)
        entries[i].coordinate =
            problem->dimensions == 0
                ? 0
                : problem->coordinate[(size_t)entries[i].slot * problem->dimensions + dimension];
    qsort(entries, count, sizeof *entries, by_coordinate);
    first = (uint32_t)((uint64_t)ranks * half / count);
    if (ranks - first > count - half)
        first = ranks - (count - half);
    bisect(problem, entries, half, slot, first);
    bisect(problem, entries + half, count - half, slot + first, ranks - first);
}

/* Depth is logarithmic, and the list is sorted in place: memory is in proportion to the slots. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = call->problem;
    struct bisection_entry *entries = malloc(((size_t)problem->slots + 1) * sizeof *entries);

    if (entries == NULL)
        return base_error_memory(error, "a recursive bisection");
    for (uint32_t i = 0; i < problem->slots; i++)
        entries[i] = (struct bisection_entry){0, i};
    bisect(problem, entries, problem->slots, slot, problem->ranks);
    free(entries);
    return 0;
}

const struct map_mapper map_mapper_bisection = {
    .name = "bisection",
    .chance = BASE_EXACT,
    .summary = "recursive coordinate bisection of the slots, ranks halved with them",
    .map = map,
};
