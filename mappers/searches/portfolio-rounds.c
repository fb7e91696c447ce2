/* The rounds of `portfolio`: what each search may use, and who was worth it. The file beside it tells the whole. */
#include <config.h>

#include <string.h>

#include "mappers/searches/portfolio.h"
#include "mappers/searches/search.h"
#include "mappers/tasks.h"

#define FIRST_ROUND UINT64_C(4000000)
#define SLOW_STREAM UINT64_C(0x736c6f77) /* "slow" */
#define TABU_SLOTS 256                   /* beyond, an iteration of tabu search takes too long */
#define SMALL_SLOTS 64 /* up to here tabu search seldom needs help: the others begin with a small share */
#define DESCENTS 8     /* passes over all swaps that an annealing may end with */
#define REST_PART 16   /* less than a sixteenth of the budget is worth no other round */
#define TIME_PART 0.9  /* of the time left that a round is made for: it may take longer than the one before */
#define LENGTH_MOST (UINT64_C(1) << 52) /* of a round: its wishes can be added up */
#define SHARE_LEAST 16                  /* of a strategy that fails: 1/16 */
#define SLOW_PERCENT 12                 /* the first temperature of a slow annealing, of the mean growth */
#define STREAMS 4 /* of random numbers in a round, but for the slow annealing, which came later */

/* Nothing costs less than all neighbours one link apart (or none, where a router has several slots). */
static bool is_optimal(const struct map_portfolio *portfolio)
{
    const struct map_problem *problem = portfolio->problem;
    int64_t sum = 0;
    uint32_t least = UINT32_MAX;

    if (problem->table == NULL || problem->objective == MAP_CHANNEL_LOAD)
        return false;
    for (size_t a = 0; a < problem->slots && least > 0; a++)
        for (size_t b = 0; b < problem->slots && least > 0; b++)
            if (a != b && problem->table[a * problem->slots + b] < least)
                least = problem->table[a * problem->slots + b];
    for (uint32_t edge = 0; edge < problem->first[problem->ranks]; edge++)
        sum += problem->weight[edge];
    return sum == 0 || portfolio->best_cost <= sum / 2 * least;
}

/* ---- Lengths ---- */

/* What a swap takes in annealing, in swaps of tabu search: two rows of neighbours in scattered memory. The
 * slow one has them in the cache, being long. */
static uint64_t swap_price(const struct map_problem *problem, uint32_t strategy)
{
    uint64_t rows = 2 * (uint64_t)problem->first[problem->ranks] / (problem->ranks + UINT64_C(1));

    return 8 + (strategy == ANNEAL_SLOWLY ? rows / 4 : rows);
}

/* Whether this round has a slow annealing. */
static bool is_slow(const struct map_portfolio *portfolio)
{
    const struct map_problem *problem = portfolio->problem;

    return portfolio->round > 0 && problem->slots > SMALL_SLOTS && problem->slots <= TABU_SLOTS &&
           problem->first[problem->ranks] >= (uint64_t)problem->ranks * (problem->ranks - 1) / 2;
}

/* How many swaps a strategy looks at in a round of this length, but for the tabu search behind a slow
 * annealing. 0: it has nothing to do. */
static uint64_t share(const struct map_portfolio *portfolio, uint32_t strategy, uint64_t length)
{
    uint64_t own =
        length / portfolio->divisor[strategy] / (is_slow(portfolio) && strategy != ANNEAL_SLOWLY ? 8 : 1);

    switch (strategy) {
    case TABU:
        return portfolio->problem->slots > TABU_SLOTS ? 0 : own;
    case ANNEAL_SLOWLY:
        return is_slow(portfolio) ? own / swap_price(portfolio->problem, strategy) + 1 : 0;
    default:
        return own / swap_price(portfolio->problem, strategy) + 1;
    }
}

/* What the descent behind an annealing may use of as many swaps: it looks at all of them in turn until none helps. */
static uint64_t descent(const struct map_problem *problem, uint64_t swaps)
{
    uint64_t passes = (uint64_t)DESCENTS * problem->ranks * problem->slots;

    return swaps < passes ? swaps : passes;
}

/* What a strategy may use in a round of this length; and how far it may go beyond, to end the step that it
 * is in: an iteration of tabu search, or a temperature and a rank of each stage of annealing. */
static uint64_t wish(const struct map_portfolio *portfolio, uint32_t strategy, uint64_t length)
{
    uint64_t swaps = share(portfolio, strategy, length);

    if (strategy == TABU || swaps == 0)
        return swaps;
    return swaps + descent(portfolio->problem, swaps) + (strategy == ANNEAL_SLOWLY ? length / 4 : 0);
}

/* It is a bound from above, so that a round that was made to fit stays within what is left. */
static uint64_t step(const struct map_portfolio *portfolio, uint32_t strategy, uint64_t length)
{
    uint64_t slots = portfolio->problem->slots, swaps = share(portfolio, strategy, length);

    if (swaps == 0)
        return 0;
    return slots * (slots - 1) / 2 * (strategy == TABU || strategy == ANNEAL_SLOWLY) +
           (strategy == TABU ? 0 : 2 * (swaps / MAP_ANNEAL_LEVELS + MAP_ANNEAL_LEVELS + 1 + slots));
}

/* What all strategies together would use in a round of this length, with or without their last steps. */
static uint64_t all_wishes(const struct map_portfolio *portfolio, uint64_t length, bool with_steps)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < MAP_STRATEGIES; i++)
        sum += wish(portfolio, i, length) + (with_steps ? step(portfolio, i, length) : 0);
    return sum;
}

/* Tabu search takes the rest of the part of the budget. */
static int anneal_slowly(const struct map_problem *problem, uint64_t swaps, struct map_budget *budget,
                         struct base_random *random, uint32_t *slot, struct base_error *error)
{
    if (map_anneal_slowly(problem, SLOW_PERCENT, swaps, budget, random, slot, error) != 0)
        return -1;
    return map_budget_left(budget) ? map_tabu_search(problem, budget, random, slot, error) : 0;
}

/* A strategy's random numbers depend on the round and on its own number, so that tasks may run in any order. Every
 * one begins at the best map so far. It writes its own map only; compare() makes the best of them when all have
 * ended. */
static int run_strategy(void *context, uint32_t number, struct base_error *error)
{
    struct map_portfolio *portfolio = context;
    const struct map_problem *problem = portfolio->problem;
    struct map_budget *budget = &portfolio->budget[number];
    uint32_t *slot = portfolio->slot[number];
    uint64_t swaps = share(portfolio, number, portfolio->evaluations);
    uint64_t stream = number < STREAMS ? MAP_PORTFOLIO_STREAM + portfolio->round * STREAMS + number
                                       : SLOW_STREAM + portfolio->round;
    struct base_random random;

    base_random_seed(&random, portfolio->call->effort.seed, stream);
    memcpy(slot, portfolio->best, problem->ranks * sizeof *slot);
    if (swaps == 0 || budget->limit == 0)
        return 0;
    switch (number) {
    case ANNEAL:
        return map_anneal_search(problem, 100, swaps, budget, &random, slot, error);
    case ANNEAL_SMOOTHLY:
        return map_anneal_smoothly(problem, swaps, budget, &random, slot, error);
    case ANNEAL_COOL:
        return map_anneal_search(problem, 8, swaps, budget, &random, slot, error);
    case ANNEAL_SLOWLY:
        return anneal_slowly(problem, swaps, budget, &random, slot, error);
    default:
        return map_tabu_search(problem, budget, &random, slot, error);
    }
}

/* Shares of the next round. Tabu search begins at the best map, and so is never behind it; the slow
 * annealing needs its length. */
static int compare(struct map_portfolio *portfolio, struct base_error *error)
{
    int64_t before = portfolio->best_cost;

    for (uint32_t i = 0; i < MAP_STRATEGIES; i++) {
        int64_t cost = map_problem_cost(portfolio->problem, portfolio->slot[i]);
        if (cost < before)
            portfolio->divisor[i] = 1;
        else if (i < TABU && portfolio->divisor[i] < SHARE_LEAST)
            portfolio->divisor[i] *= 2;
        map_budget_spend(portfolio->call->budget, portfolio->budget[i].used);
        if (map_portfolio_consider(portfolio, portfolio->slot[i], error) != 0)
            return -1;
    }
    return 0;
}

/* The length of a round that uses so many evaluations, near enough: wishes grow with the length, but not evenly. */
static uint64_t length_for(const struct map_portfolio *portfolio, uint64_t length, uint64_t evaluations)
{
    for (int i = 0; i < 2; i++)
        length = (uint64_t)((double)length * (double)evaluations /
                            (double)(all_wishes(portfolio, length, false) + 1)) +
                 1;
    return length;
}

/* A slow annealing that is cut off by the budget is worth nothing, and one that is twice as long worth
 * more than two: such a round has all that is left. So has any that would be too long. Evaluations are
 * foreseen exactly; time from the round before (the first of a kind is of its usual length). */
static void fit(struct map_portfolio *portfolio)
{
    const struct map_budget *budget = portfolio->call->budget;
    uint64_t left = budget->limit > budget->used ? budget->limit - budget->used : 0;
    uint64_t time = map_budget_time_left(budget), turn = portfolio->evaluations;
    bool is_timed = time < UINT64_MAX;

    if (is_timed && portfolio->round > 1) {
        double length = (double)time * TIME_PART / portfolio->pace;
        if (is_slow(portfolio) || length < (double)turn)
            portfolio->evaluations = length < (double)LENGTH_MOST ? (uint64_t)length + 1 : LENGTH_MOST;
    }
    if ((is_slow(portfolio) && !is_timed) || all_wishes(portfolio, portfolio->evaluations, true) > left)
        portfolio->evaluations = length_for(portfolio, portfolio->evaluations, left);
    portfolio->is_cut = all_wishes(portfolio, portfolio->evaluations, true) > left;
}

/* What each may use, its last step included. In a round that was made to fit they get what they wish, in
 * turn, while there is any. */
static void deal(struct map_portfolio *portfolio)
{
    struct map_budget *budget = portfolio->call->budget;
    uint64_t room = map_budget_room(budget);

    for (uint32_t i = 0; i < MAP_STRATEGIES; i++) {
        struct map_budget *part = &portfolio->budget[i];
        uint64_t wished = wish(portfolio, i, portfolio->evaluations);
        uint64_t most = wished + (portfolio->is_cut ? 0 : step(portfolio, i, portfolio->evaluations));
        *part = map_budget_part(budget, wished);
        part->most = most < room ? most : room;
        part->limit = part->limit < part->most ? part->limit : part->most;
        room -= part->most;
    }
}

/* A round, and how long each swap of its length took. */
static int compete_once(struct map_portfolio *portfolio, struct base_error *error)
{
    uint64_t before = map_budget_time_left(portfolio->call->budget);

    fit(portfolio);
    deal(portfolio);
    if (map_tasks_run(run_strategy, portfolio, MAP_STRATEGIES, portfolio->call->effort.threads, error) != 0 ||
        compare(portfolio, error) != 0)
        return -1;
    portfolio->pace =
        (double)(before - map_budget_time_left(portfolio->call->budget) + 1) / (double)portfolio->evaluations;
    return 0;
}

/* Of what a round that was cut has not used, others are made, while it is worth the while. */
int map_portfolio_compete(struct map_portfolio *portfolio, struct base_error *error)
{
    struct map_budget *budget = portfolio->call->budget;

    for (uint32_t i = 0; i < MAP_STRATEGIES; i++)
        portfolio->divisor[i] = i < TABU && portfolio->problem->slots <= SMALL_SLOTS ? SHARE_LEAST / 2 : 1;
    portfolio->evaluations = FIRST_ROUND;
    while (map_budget_left(budget) && !is_optimal(portfolio)) {
        uint64_t before = budget->used;
        if (compete_once(portfolio, error) != 0)
            return -1;
        if (budget->used == before)
            break; /* a single slot: nobody has anywhere to go, and no budget would ever end */
        if (portfolio->is_cut && map_budget_room(budget) < budget->limit / REST_PART)
            break;
        portfolio->round++;
        portfolio->evaluations *= 2;
    }
    return 0;
}
