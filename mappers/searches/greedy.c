/* Greedy growth (as LibTopoMap's greedy, and Charm++'s TopoCentLB): the rank that says most to those placed
 * already goes to the free slot where that costs least. The first is the busiest rank, in the most central
 * slot. */
#include <config.h>

#include <stdlib.h>

#include "mappers/mapper.h"

struct greedy {
    const struct map_problem *problem; /* with its graph */
    uint32_t *slot;                    /* [rank]: the map; the caller's */
    bool *placed, *taken;              /* [rank], [slot] */
    int64_t *pull;                     /* [rank]: weight to those placed */
    int64_t *total;                    /* [rank]: weight to all, for ties and new components */
};

/* The strongest pull; then the busiest; then the lowest number. */
static uint32_t next_rank(const struct greedy *greedy)
{
    uint32_t best = UINT32_MAX;

    for (uint32_t rank = 0; rank < greedy->problem->ranks; rank++) {
        if (greedy->placed[rank])
            continue;
        if (best == UINT32_MAX || greedy->pull[rank] > greedy->pull[best] ||
            (greedy->pull[rank] == greedy->pull[best] && greedy->total[rank] > greedy->total[best]))
            best = rank;
    }
    return best;
}

/* What the rank would pay in a slot, of what it says to those placed. */
static int64_t price(const struct greedy *greedy, uint32_t rank, uint32_t at)
{
    const struct map_problem *problem = greedy->problem;
    int64_t sum = 0;

    for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++)
        if (greedy->placed[problem->neighbour[edge]])
            sum += problem->weight[edge] *
                   (int64_t)map_problem_distance(problem, at, greedy->slot[problem->neighbour[edge]]);
    return sum;
}

/* The lowest number of equally cheap ones. */
static uint32_t cheapest_slot(const struct greedy *greedy, uint32_t rank)
{
    uint32_t best = UINT32_MAX;
    int64_t best_price = INT64_MAX;

    for (uint32_t at = 0; at < greedy->problem->slots; at++) {
        int64_t here = greedy->taken[at] ? INT64_MAX : price(greedy, rank, at);
        if (here < best_price) {
            best = at;
            best_price = here;
        }
    }
    return best;
}

/* The slot with the least sum of distances to the others; the first of a large machine, where that takes
 * long. */
static uint32_t centre(const struct map_problem *problem)
{
    uint32_t best = 0;
    uint64_t best_sum = UINT64_MAX;

    if (problem->table == NULL)
        return problem->slots / 2;
    for (uint32_t at = 0; at < problem->slots; at++) {
        uint64_t sum = 0;
        for (uint32_t other = 0; other < problem->slots; other++)
            sum += map_problem_distance(problem, at, other);
        if (sum < best_sum) {
            best = at;
            best_sum = sum;
        }
    }
    return best;
}

/* Placed for good: greedy growth never looks back. */
static void put(struct greedy *greedy, uint32_t rank, uint32_t at)
{
    const struct map_problem *problem = greedy->problem;

    greedy->slot[rank] = at;
    greedy->placed[rank] = true;
    greedy->taken[at] = true;
    for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++)
        greedy->pull[problem->neighbour[edge]] += problem->weight[edge];
}

/* A rank that talks to nobody has no price anywhere, and takes the first free slot. */
static void grow(struct greedy *greedy)
{
    const struct map_problem *problem = greedy->problem;

    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++)
            greedy->total[rank] += problem->weight[edge];
    for (uint32_t i = 0; i < problem->ranks; i++) {
        uint32_t rank = next_rank(greedy);
        put(greedy, rank, i == 0 ? centre(problem) : cheapest_slot(greedy, rank));
    }
}

/* Each step looks through all ranks for the next one and through all free slots for the cheapest: ranks x slots x
 * neighbours in all. Nothing is drawn, so that a problem has one map. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct base_arena arena = {0};
    size_t ranks = call->problem->ranks;
    struct greedy greedy = {.problem = call->problem, .slot = slot};
    int status = -1;

    greedy.placed = base_arena_array(&arena, ranks, sizeof *greedy.placed);
    greedy.taken = base_arena_array(&arena, call->problem->slots, sizeof *greedy.taken);
    greedy.pull = base_arena_array(&arena, ranks, sizeof *greedy.pull);
    greedy.total = base_arena_array(&arena, ranks, sizeof *greedy.total);
    if (greedy.placed == NULL || greedy.taken == NULL || greedy.pull == NULL || greedy.total == NULL) {
        base_error_memory(error, "greedy growth");
    } else {
        grow(&greedy);
        status = 0;
    }
    base_arena_free(&arena);
    return status;
}

const struct map_mapper map_mapper_greedy = {
    .name = "greedy",
    .chance = BASE_EXACT,
    .summary = "the rank most pulled by those placed goes where that costs least",
    .searches = true,
    .map = map,
};
