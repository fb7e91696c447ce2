/* Guessing the sides of a grid from the order of ranks: for every way to write the number of ranks as a
 * product of up to four sides, which share of what is said goes between neighbours of the row-major grid?
 * Wraps count as neighbours, and say whether a side is periodic. */
#include <config.h>

#include <string.h>

#include "mappers/grids/grid.h"

#define SIDES_MAX 4
#define CHOICES_MAX 64

struct guess {
    uint32_t dimensions, share; /* thousandths */
    uint32_t sides[SIDES_MAX];
    bool periodic[SIDES_MAX]; /* wraps of the side say something */
};

struct guesses {
    const struct map_problem *problem; /* with its graph in rows */
    int64_t total;                     /* weight of all edges, of which shares are */
    uint32_t count;                    /* of best */
    struct guess best[CHOICES_MAX];    /* falling share; equal ones in the order found */
};

/* The side along which two ranks are neighbours, or the number of sides; whether by the wrap. */
static uint32_t neighbours_along(const struct guess *guess, uint32_t a, uint32_t b, bool *wrap)
{
    uint32_t along = guess->dimensions;

    for (uint32_t d = 0; d < guess->dimensions; d++) {
        uint32_t side = guess->sides[d], at_a = a % side, at_b = b % side;
        uint32_t apart = at_a > at_b ? at_a - at_b : at_b - at_a;
        a /= side;
        b /= side;
        if (apart == 0)
            continue;
        if (along != guess->dimensions || (apart != 1 && apart != side - 1))
            return guess->dimensions;
        along = d;
        *wrap = apart != 1;
    }
    return along;
}

/* Its share of the weight, and the periodic sides: those whose wraps say something. */
static void weigh(const struct guesses *guesses, struct guess *guess)
{
    const struct map_problem *problem = guesses->problem;
    int64_t sum = 0;

    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        for (uint32_t edge = problem->first[rank]; edge < problem->first[rank + 1]; edge++) {
            bool wrap = false;
            uint32_t along = neighbours_along(guess, rank, problem->neighbour[edge], &wrap);
            if (along == guess->dimensions)
                continue;
            sum += problem->weight[edge];
            guess->periodic[along] = guess->periodic[along] || wrap;
        }
    guess->share = guesses->total == 0 ? 0 : (uint32_t)(sum / (guesses->total / 1000 + 1));
}

/* Insertion into a short sorted list. Of equal shares the one found first stays in front: the order does
 * not depend on a sort of the C library. */
static void insert(struct guesses *guesses, const struct guess *guess)
{
    uint32_t at = guesses->count < CHOICES_MAX ? guesses->count++ : CHOICES_MAX;

    if (at == CHOICES_MAX) {
        if (guesses->best[CHOICES_MAX - 1].share >= guess->share)
            return;
        at--;
    }
    for (; at > 0 && guesses->best[at - 1].share < guess->share; at--)
        guesses->best[at] = guesses->best[at - 1];
    guesses->best[at] = *guess;
}

/* Every ordered product of sides from 2 up. The depth is bounded by SIDES_MAX. */
static void factorise(struct guesses *guesses, struct guess *guess, uint32_t rest)
{
    if (guess->dimensions == SIDES_MAX)
        return;
    for (uint32_t side = 2; side <= rest; side++) {
        struct guess next = *guess;
        if (rest % side != 0)
            continue;
        next.sides[next.dimensions++] = side;
        if (side == rest) {
            weigh(guesses, &next);
            insert(guesses, &next);
        } else {
            factorise(guesses, &next, rest / side);
        }
    }
}

/* All guesses are made again for each choice: they are few, and so nothing has to be kept between the
 * calls. Ranks are numbered with the first side running fastest. */
uint32_t map_grid_guess(const struct map_problem *problem, uint32_t choice, struct map_grid *grid)
{
    struct guesses guesses = {.problem = problem};
    struct guess none = {0};

    for (uint32_t edge = 0; edge < problem->first[problem->ranks]; edge++)
        guesses.total += problem->weight[edge];
    factorise(&guesses, &none, problem->ranks);
    if (choice >= guesses.count)
        return 0;
    grid->ranks = problem->ranks;
    grid->dimensions = guesses.best[choice].dimensions;
    for (uint32_t d = 0; d < grid->dimensions; d++) {
        grid->sides[d] = guesses.best[choice].sides[d];
        grid->periodic[d] = guesses.best[choice].periodic[d];
    }
    for (uint32_t rank = 0; rank < problem->ranks; rank++) {
        uint32_t rest = rank;
        for (uint32_t d = 0; d < grid->dimensions; d++) {
            grid->coordinate[(size_t)rank * MAP_GRID_DIMENSIONS_MAX + d] = rest % grid->sides[d];
            rest /= grid->sides[d];
        }
    }
    return guesses.best[choice].share;
}
