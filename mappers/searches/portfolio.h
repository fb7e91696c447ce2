/* What the two files of `portfolio` share: portfolio.c begins and ends it, portfolio-rounds.c has the
 * searches that compete. */
#ifndef MAP_PORTFOLIO_H
#define MAP_PORTFOLIO_H

#include "mappers/mapper.h"

#define MAP_PORTFOLIO_STREAM UINT64_C(0x706f7274) /* "port" */

enum map_strategy { ANNEAL, ANNEAL_SMOOTHLY, ANNEAL_COOL, TABU, ANNEAL_SLOWLY, MAP_STRATEGIES };

struct map_portfolio {
    const struct map_call *call; /* seed, effort, whole budget */
    const struct map_problem *problem;
    uint32_t *best; /* [rank] */
    int64_t best_cost;
    double best_load;            /* of its busiest channel; negative: not looked at yet */
    uint64_t round, evaluations; /* of this round, and its length in swaps of tabu search */
    bool is_cut;                 /* this round is shorter than its turn would be, for want of evaluations */
    double pace;                 /* nanoseconds that the round before took, for each of its length */
    uint32_t divisor[MAP_STRATEGIES];
    uint32_t *slot[MAP_STRATEGIES];           /* the map that each strategy works on */
    struct map_budget budget[MAP_STRATEGIES]; /* of the round, one each */
};

/* Makes the map the best one if it is. -1: memory. */
int map_portfolio_consider(struct map_portfolio *portfolio, const uint32_t *slot, struct base_error *error);
/* Rounds, until the budget of the call ends or nothing can be better. -1: memory. */
int map_portfolio_compete(struct map_portfolio *portfolio, struct base_error *error);

#endif
