/* What a map costs, and what a swap changes: the innermost loops of every search. */
#include <config.h>

#include "mappers/problem.h"

/* The cost of one edge of a rank in slot `from`, its neighbour in slot `to`, without a table. */
static int64_t far_edge(const struct map_problem *problem, uint32_t edge, uint32_t from, uint32_t to)
{
    int64_t out = problem->out[edge], in = problem->weight[edge] - out;

    return out * map_problem_distance(problem, from, to) + in * map_problem_distance(problem, to, from);
}

/* One look-up where distances are symmetric, two where they are not. */
static int64_t edge_cost(const struct map_problem *problem, uint32_t edge, uint32_t from, uint32_t to)
{
    size_t at = (size_t)from * problem->slots + to;

    if (problem->table == NULL)
        return far_edge(problem, edge, from, to);
    if (problem->out == NULL)
        return problem->weight[edge] * problem->table[at];
    return problem->out[edge] * problem->table[at] +
           (problem->weight[edge] - problem->out[edge]) * problem->reverse[at];
}

/* Every pair from the side of its lower rank. */
int64_t map_problem_cost(const struct map_problem *problem, const uint32_t *slot)
{
    int64_t cost = 0;

    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++)
            if (problem->neighbour[edge] > rank)
                cost += edge_cost(problem, edge, slot[rank], slot[problem->neighbour[edge]]);
    return cost;
}

/* Symmetric distances in a table: two rows of it, and the pair itself does not change. */
static int64_t near_move(const struct map_problem *problem, const uint32_t *slot, uint32_t rank,
                         uint32_t other, uint32_t to)
{
    const uint16_t *old = problem->table + (size_t)slot[rank] * problem->slots;
    const uint16_t *new = problem->table + (size_t)to * problem->slots;
    int64_t growth = 0;

    for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++) {
        uint32_t neighbour = problem->neighbour[edge];
        if (neighbour != other)
            growth += problem->weight[edge] * (new[slot[neighbour]] - old[slot[neighbour]]);
    }
    return growth;
}

/* `swaps`: the neighbour `other` comes to where rank was. */
static int64_t move(const struct map_problem *problem, const uint32_t *slot, uint32_t rank, uint32_t other,
                    uint32_t to, bool swaps)
{
    int64_t growth = 0;

    for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++) {
        uint32_t neighbour = problem->neighbour[edge], there = slot[neighbour];
        if (neighbour == other) {
            if (swaps)
                growth += edge_cost(problem, edge, to, slot[rank]) - edge_cost(problem, edge, slot[rank], to);
        } else {
            growth += edge_cost(problem, edge, to, there) - edge_cost(problem, edge, slot[rank], there);
        }
    }
    return growth;
}

/* Asymmetric: the edge between the two is counted with the first of them. */
int64_t map_problem_swap(const struct map_problem *problem, const uint32_t *slot, uint32_t rank,
                         uint32_t other, uint32_t to)
{
    bool alone = other >= problem->ranks;
    int64_t growth;

    if (problem->table != NULL && problem->out == NULL) {
        growth = near_move(problem, slot, rank, other, to);
        return alone ? growth : growth + near_move(problem, slot, other, rank, slot[rank]);
    }
    growth = move(problem, slot, rank, other, to, true);
    return alone ? growth : growth + move(problem, slot, other, rank, slot[rank], false);
}
