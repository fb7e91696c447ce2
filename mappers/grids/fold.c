/* Folding a grid of ranks onto a box of slots.
 *
 * Each side of the grid is written in digits, and each digit goes to one side of the box: an 8 x 2 grid on a 4 x 4 box
 * may take the long side's low digit (0 .. 3) along X, its high digit (0 .. 1) and the short side along Y. A digit runs
 * back and forth as the ones above it change (a reflected code), so that ranks that are neighbours along a side differ
 * in one digit, by one. A periodic side may first be folded like a closed zip, 0 7 1 6 2 5 …, which brings its
 * ends together where the box does not wrap.
 *
 * All ways to deal the digits are tried, large digits first, until the budget for them ends or nothing is further
 * than one link. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/grids/grid.h"
#include "mappers/orders/order.h"

#define BOX_MAX (NET_DIMENSIONS_MAX + 1)
#define DIGITS_MAX 40
#define WAYS_MAX 3000 /* deals that are weighed for one grid */

struct digit {
    uint32_t guest, host; /* side of the grid, side of the box */
    uint32_t radix;
    uint32_t host_step; /* what one step of it is worth along the host's side */
};

struct fold {
    const struct map_problem *problem; /* whose slots are folded onto */
    const struct map_grid *grid;       /* that is folded */
    struct map_budget *budget;         /* of edges that are looked at */
    uint32_t box_dimensions;           /* sides in use, places of a router included */
    uint32_t box[BOX_MAX];             /* the sides of all of the slots, places of a router first */
    uint32_t part[BOX_MAX];            /* the box in use, of as many places as ranks */
    uint32_t *slot_at;                 /* [place in the box, first side fastest] */
    uint32_t digit_count, ways;        /* digits dealt so far, deals weighed */
    struct digit digits[DIGITS_MAX];   /* in the order of their guests' low to high */
    uint32_t *trial;                   /* [rank] */
    uint32_t *slot;                    /* [rank]: the best so far; the caller's */
    int64_t best, floor;               /* costs: of slot, and what no map can beat */
};

/* ---- One fold ---- */

/* 0 7 1 6 2 5 3 4: where the i-th of a ring comes when its two halves lie side by side. */
static uint32_t zip(uint32_t at, uint32_t side)
{
    return 2 * at < side ? 2 * at : 2 * (side - 1 - at) + 1;
}

/* The box place of a rank. A digit is reversed while the number above it is odd. */
static uint32_t place_of(const struct fold *fold, uint32_t rank, uint32_t zipped)
{
    const uint32_t *at = fold->grid->coordinate + (size_t)rank * MAP_GRID_DIMENSIONS_MAX;
    uint32_t rest[MAP_GRID_DIMENSIONS_MAX];
    uint32_t host[BOX_MAX] = {0};
    uint32_t place = 0;

    for (uint32_t d = 0; d < fold->grid->dimensions; d++)
        rest[d] = (zipped >> d & 1) != 0 ? zip(at[d], fold->grid->sides[d]) : at[d];
    for (uint32_t i = 0; i < fold->digit_count; i++) {
        const struct digit *digit = &fold->digits[i];
        uint32_t value = rest[digit->guest] % digit->radix;
        rest[digit->guest] /= digit->radix;
        if (rest[digit->guest] % 2 == 1)
            value = digit->radix - 1 - value;
        host[digit->host] += value * digit->host_step;
    }
    for (uint32_t d = fold->box_dimensions; d-- > 0;)
        place = place * fold->box[d] + host[d];
    return place;
}

/* Folds are tried in an array of their own, so that slot holds a whole map at any time. Of equally cheap
 * folds the first one found stays. Weighing one looks at every edge, which is what the budget counts. */
static void weigh(struct fold *fold, uint32_t zipped)
{
    const struct map_problem *problem = fold->problem;
    int64_t cost;

    if (map_budget_room(fold->budget) < problem->first[problem->ranks])
        return;
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        fold->trial[rank] = fold->slot_at[place_of(fold, rank, zipped)];
    cost = map_problem_cost(problem, fold->trial);
    map_budget_spend(fold->budget, problem->first[problem->ranks]);
    if (cost >= fold->best)
        return;
    fold->best = cost;
    memcpy(fold->slot, fold->trial, problem->ranks * sizeof *fold->trial);
}

/* With every choice of periodic sides zipped. */
static void weigh_all(struct fold *fold)
{
    uint32_t periodic = 0, zipped = 0;

    for (uint32_t d = 0; d < fold->grid->dimensions; d++)
        if (fold->grid->periodic[d] && fold->grid->sides[d] > 2)
            periodic |= UINT32_C(1) << d;
    fold->ways++;
    do { /* the subsets of `periodic`, the empty one first */
        weigh(fold, zipped);
        zipped = (zipped - periodic) & periodic;
    } while (zipped != 0);
}

/* ---- All deals ---- */

/* A deal that the budget cannot weigh any more is not begun: weighing looks at every edge. */
static bool is_over(const struct fold *fold)
{
    return fold->ways >= WAYS_MAX || fold->best <= fold->floor || !map_budget_left(fold->budget) ||
           map_budget_room(fold->budget) < fold->problem->first[fold->problem->ranks];
}

/* Fills side `host` of the box further: `room` is what it still lacks, `step` what a digit is worth there.
 * rest[guest]: what is left of each side of the grid. Recursion by digits: DIGITS_MAX deep at most. A digit
 * divides both what the host's side lacks and what the guest's side has left, the largest first. rest[] and the
 * digits are put back on the way out, so that one array of each serves the whole recursion. */
static void deal(struct fold *fold, uint32_t host, uint32_t room, uint32_t step, uint32_t *rest)
{
    while (room == 1 && host + 1 < fold->box_dimensions) {
        host++;
        room = fold->part[host];
        step = 1;
    }
    if (room == 1) {
        weigh_all(fold);
        return;
    }
    for (uint32_t radix = room; radix > 1 && !is_over(fold); radix--) {
        if (room % radix != 0 || fold->digit_count == DIGITS_MAX)
            continue;
        for (uint32_t guest = 0; guest < fold->grid->dimensions && !is_over(fold); guest++) {
            if (rest[guest] % radix != 0)
                continue;
            fold->digits[fold->digit_count++] = (struct digit){guest, host, radix, step};
            rest[guest] /= radix;
            deal(fold, host, room / radix, step * radix, rest);
            rest[guest] *= radix;
            fold->digit_count--;
        }
    }
}

/* Every box of as many places as there are ranks, within the slots' box; the widest sides first. Boxes of fewer
 * places than ranks never come up, as the sides must multiply to their number exactly. */
static void choose_part(struct fold *fold, uint32_t d, uint32_t rest)
{
    if (d == fold->box_dimensions) {
        uint32_t sides[MAP_GRID_DIMENSIONS_MAX];
        memcpy(sides, fold->grid->sides, sizeof sides);
        if (rest == 1)
            deal(fold, 0, fold->part[0], 1, sides);
        return;
    }
    for (uint32_t side = fold->box[d]; side > 0 && !is_over(fold); side--) {
        if (rest % side != 0)
            continue;
        fold->part[d] = side;
        choose_part(fold, d + 1, rest / side);
    }
}

/* ---- The box ---- */

/* The extent of the slots in each dimension; false when they do not fill it, all routers alike. */
static bool find_box(struct fold *fold)
{
    const struct map_problem *problem = fold->problem;
    uint64_t volume = 1;

    fold->box_dimensions = 1;
    for (uint32_t d = 0; d < problem->dimensions; d++) {
        uint32_t least = UINT32_MAX, most = 0;
        for (uint32_t slot = 0; slot < problem->slots; slot++) {
            uint32_t at = problem->coordinate[(size_t)slot * problem->dimensions + d];
            least = at < least ? at : least;
            most = at > most ? at : most;
        }
        fold->box[fold->box_dimensions++] = most - least + 1;
        volume *= most - least + 1;
    }
    if (volume > problem->slots || problem->slots % volume != 0)
        return false;
    fold->box[0] = (uint32_t)(problem->slots / volume);
    return true;
}

/* Slots of a full box in rows come router by router; a missing router shows as one with too few slots. */
static bool is_full(const struct fold *fold)
{
    const struct map_problem *problem = fold->problem;
    uint32_t share = fold->box[0];

    for (uint32_t i = 0; i < problem->slots; i++) {
        uint32_t first = i / share * share;
        bool same = memcmp(problem->coordinate + (size_t)fold->slot_at[i] * problem->dimensions,
                           problem->coordinate + (size_t)fold->slot_at[first] * problem->dimensions,
                           problem->dimensions * sizeof *problem->coordinate) == 0;
        if (!same)
            return false;
        if (i == first && i > 0 &&
            memcmp(problem->coordinate + (size_t)fold->slot_at[i] * problem->dimensions,
                   problem->coordinate + (size_t)fold->slot_at[i - 1] * problem->dimensions,
                   problem->dimensions * sizeof *problem->coordinate) == 0)
            return false;
    }
    return true;
}

/* All slots, as if there were as many ranks. */
static int order_slots(struct fold *fold, struct base_error *error)
{
    struct map_problem all = *fold->problem;
    struct map_walk rows = map_walk_of_rows(&all);

    all.ranks = all.slots;
    return map_order_along(&all, &rows, fold->slot_at, error);
}

/* No map is cheaper than one in which all neighbours are a link apart (or, in one router, none). */
static int64_t floor_of(const struct fold *fold)
{
    int64_t sum = 0;

    for (uint32_t edge = 0; edge < fold->problem->first[fold->problem->ranks]; edge++)
        sum += fold->problem->weight[edge];
    return fold->box[0] > 1 ? 0 : sum / 2;
}

/* Slots that fill no box are no error: slot and cost stay what they were, and something else must make the
 * map. The caller's cost is where the best begins, so that folds of several grids compete. */
int map_grid_fold(const struct map_problem *problem, const struct map_grid *grid, struct map_budget *budget,
                  uint32_t *slot, int64_t *cost, struct base_error *error)
{
    struct fold fold = {.problem = problem, .grid = grid, .budget = budget, .slot = slot, .best = *cost};
    int status = 0;

    if (problem->coordinate == NULL || !find_box(&fold))
        return 0;
    fold.slot_at = malloc(((size_t)problem->slots + 1) * sizeof *fold.slot_at);
    fold.trial = malloc(((size_t)problem->ranks + 1) * sizeof *fold.trial);
    if (fold.slot_at == NULL || fold.trial == NULL)
        status = base_error_memory(error, "folding a grid");
    else
        status = order_slots(&fold, error);
    if (status == 0 && is_full(&fold)) {
        fold.floor = floor_of(&fold);
        choose_part(&fold, 0, problem->ranks);
        *cost = fold.best;
    }
    free(fold.slot_at);
    free(fold.trial);
    return status;
}
