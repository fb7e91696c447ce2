/* The mapper `portfolio`: all that is known, and then searches that compete.
 *
 * First every cheap mapper makes its map: never worse than the best of them is a promise. When one of them
 * has all neighbours a link apart, nothing can be better, and the search is over. Else rounds follow, each twice as long as
 * the one before: annealing from scratch, annealing on the smooth metric, annealing from low temperature and tabu search,
 * both from the best map so far. Whoever fails to find the best gets half of its share in the next round, whoever
 * improves on it a full share again. The tasks of a round are independent, and their shares are evaluations: threads
 * change the time, never the result.
 *
 * Where most talk to most and slots are more than tabu search masters alone, most of what comes after the first round is a slow
 * annealing, over the few octaves of temperature in which such maps freeze, and tabu search from where it ends. That is worth
 * what its last temperatures are: so there is one such round, as long as all evaluations that are left.
 *
 * Of maps of equal cost the one with the less busy channels under the real routing wins. With the channels' load
 * as the objective, the cheapest maps are where its own search begins. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/channel-load.h"
#include "mappers/search.h"
#include "mappers/tasks.h"

#define STREAM UINT64_C(0x706f7274) /* "port" */
#define EVALUATIONS UINT64_C(150000000)
#define FIRST_ROUND UINT64_C(4000000)
#define SLOW_STREAM UINT64_C(0x736c6f77) /* "slow" */
#define TABU_SLOTS 256 /* beyond, an iteration of tabu search takes too long */
#define SMALL_SLOTS 64 /* up to here tabu search seldom needs help: the others begin with a small share */
#define LOAD_EVALUATIONS UINT64_C(20000)
#define SHARE_LEAST 16 /* of a strategy that fails: 1/16 */
#define SLOW_PERCENT 12 /* the first temperature of a slow annealing, of the mean growth */

enum strategy { ANNEAL, ANNEAL_SMOOTHLY, ANNEAL_COOL, TABU, ANNEAL_SLOWLY, STRATEGIES };
#define STREAMS 4 /* of random numbers in a round, but for the slow annealing, which came later */

#define MAP_MAPPER(symbol) extern const struct map_mapper map_mapper_##symbol;
#include "mappers/kinds.def"
#undef MAP_MAPPER

/* What a portfolio begins with. */
static const struct map_mapper *const seeds[] = {
    &map_mapper_identity,  &map_mapper_row,    &map_mapper_snake,     &map_mapper_hilbert,
    &map_mapper_transpose, &map_mapper_cyclic, &map_mapper_bisection, &map_mapper_cartesian,
    &map_mapper_greedy,
    &map_mapper_scotch,
};
#define SEEDS (sizeof seeds / sizeof *seeds)

struct portfolio {
    const struct map_call *call;
    const struct map_problem *problem;
    uint32_t *best; /* [rank] */
    int64_t best_cost;
    double best_load;          /* of its busiest channel; negative: not looked at yet */
    uint64_t round, evaluations; /* of this round, and its length in swaps of tabu search */
    uint32_t divisor[STRATEGIES];
    uint32_t *slot[STRATEGIES];
    struct map_budget budget[STRATEGIES];
};

/* The channels' load first when that is the objective, else the cost; the other breaks ties. */
static int consider(struct portfolio *portfolio, const uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = portfolio->problem;
    bool by_load = problem->objective == MAP_CHANNEL_LOAD;
    int64_t cost = map_problem_cost(problem, slot);
    double load;

    if (!by_load && cost > portfolio->best_cost)
        return 0;
    if (map_channel_load(problem, slot, &load, error) != 0)
        return -1;
    if (by_load ? load > portfolio->best_load || (load == portfolio->best_load && cost >= portfolio->best_cost)
                : cost == portfolio->best_cost && load >= portfolio->best_load)
        return 0;
    memcpy(portfolio->best, slot, problem->ranks * sizeof *slot);
    portfolio->best_cost = cost;
    portfolio->best_load = load;
    return 0;
}

/* Nothing costs less than all neighbours one link apart (or none, where a router has several slots). */
static bool is_optimal(const struct portfolio *portfolio)
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

/* Those that fail for want of memory fail all; one that refuses a problem does not count. */
static int plant(struct portfolio *portfolio, struct base_error *error)
{
    const struct map_call *call = portfolio->call;
    struct map_call part = *call;
    struct map_budget budget;

    part.argument = NULL;
    for (size_t i = 0; i < SEEDS; i++) {
        struct base_error own = {0};
        if (seeds[i] == &map_mapper_greedy && portfolio->problem->table == NULL)
            continue;
        budget = map_budget_part(call->budget, UINT64_MAX);
        part.budget = &budget;
        if (seeds[i]->map(&part, portfolio->slot[0], &own) == 0) {
            if (consider(portfolio, portfolio->slot[0], error) != 0)
                return -1;
        } else if (own.status == BASE_SYSTEM) {
            return base_error_set(error, own.status, "%s", own.text);
        }
        map_budget_spend(call->budget, budget.used);
    }
    return 0;
}

/* ---- Rounds ---- */

/* What a swap takes in annealing, in swaps of tabu search: two rows of neighbours in scattered memory. The slow one has them in
 * the cache, being long. */
static uint64_t swap_price(const struct map_problem *problem, uint32_t strategy)
{
    uint64_t rows = 2 * (uint64_t)problem->first[problem->ranks] / (problem->ranks + UINT64_C(1));

    return 8 + (strategy == ANNEAL_SLOWLY ? rows / 4 : rows);
}

/* Whether this round has a slow annealing. */
static bool is_slow(const struct portfolio *portfolio)
{
    const struct map_problem *problem = portfolio->problem;

    return portfolio->round > 0 && problem->slots > SMALL_SLOTS && problem->slots <= TABU_SLOTS &&
           problem->first[problem->ranks] >= (uint64_t)problem->ranks * (problem->ranks - 1) / 2;
}

/* How many swaps a strategy looks at in a round of this length, but for the tabu search behind a slow annealing. 0: it has
 * nothing to do. */
static uint64_t share(const struct portfolio *portfolio, uint32_t strategy, uint64_t length)
{
    uint64_t own = length / portfolio->divisor[strategy] / (is_slow(portfolio) && strategy != ANNEAL_SLOWLY ? 8 : 1);

    switch (strategy) {
    case TABU:
        return portfolio->problem->slots > TABU_SLOTS ? 0 : own;
    case ANNEAL_SLOWLY:
        return is_slow(portfolio) ? own / swap_price(portfolio->problem, strategy) + 1 : 0;
    default:
        return own / swap_price(portfolio->problem, strategy) + 1;
    }
}

/* Tabu search takes the rest of the part of the budget. */
static int anneal_slowly(const struct map_problem *problem, uint64_t swaps, struct map_budget *budget,
                         struct base_random *random, uint32_t *slot, struct base_error *error)
{
    if (map_anneal_slowly(problem, SLOW_PERCENT, swaps, budget, random, slot, error) != 0)
        return -1;
    return map_budget_left(budget) ? map_tabu_search(problem, budget, random, slot, error) : 0;
}

/* A strategy's random numbers depend on the round and on its own number, so that tasks may run in any order. */
static int run_strategy(void *context, uint32_t number, struct base_error *error)
{
    struct portfolio *portfolio = context;
    const struct map_problem *problem = portfolio->problem;
    struct map_budget *budget = &portfolio->budget[number];
    uint32_t *slot = portfolio->slot[number];
    uint64_t swaps = share(portfolio, number, portfolio->evaluations);
    uint64_t stream = number < STREAMS ? STREAM + portfolio->round * STREAMS + number : SLOW_STREAM + portfolio->round;
    struct base_random random;

    base_random_seed(&random, portfolio->call->effort.seed, stream);
    memcpy(slot, portfolio->best, problem->ranks * sizeof *slot);
    *budget = map_budget_part(portfolio->call->budget, number == TABU            ? swaps
                                                       : number == ANNEAL_SLOWLY ? 2 * swaps + portfolio->evaluations / 4
                                                                                 : 2 * swaps);
    if (swaps == 0)
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

/* Shares of the next round. Tabu search begins at the best map, and so is never behind it; the slow annealing needs its length. */
static int compare(struct portfolio *portfolio, struct base_error *error)
{
    int64_t before = portfolio->best_cost;

    for (uint32_t i = 0; i < STRATEGIES; i++) {
        int64_t cost = map_problem_cost(portfolio->problem, portfolio->slot[i]);
        if (cost < before)
            portfolio->divisor[i] = 1;
        else if (i < TABU && portfolio->divisor[i] < SHARE_LEAST)
            portfolio->divisor[i] *= 2;
        map_budget_spend(portfolio->call->budget, portfolio->budget[i].used);
        if (consider(portfolio, portfolio->slot[i], error) != 0)
            return -1;
    }
    return 0;
}

/* A slow annealing that is cut off by the budget is worth nothing, and one that is twice as long worth more than two. Only
 * evaluations can be foreseen, not time: a budget of time has rounds of double length. */
static void stretch(struct portfolio *portfolio)
{
    const struct map_budget *budget = portfolio->call->budget;
    uint64_t left = budget->limit > budget->used ? budget->limit - budget->used : 0;
    uint64_t sum = portfolio->evaluations / 4; /* of the tabu search behind the annealing */

    if (!is_slow(portfolio) || portfolio->call->effort.time_ms != 0)
        return;
    for (uint32_t i = 0; i < STRATEGIES; i++)
        sum += share(portfolio, i, portfolio->evaluations);
    portfolio->evaluations = (uint64_t)((double)portfolio->evaluations * (double)left / (double)sum) + 1;
}

/* The last round has what is left. */
static int compete(struct portfolio *portfolio, struct base_error *error)
{
    struct map_budget *budget = portfolio->call->budget;

    for (uint32_t i = 0; i < STRATEGIES; i++)
        portfolio->divisor[i] = i < TABU && portfolio->problem->slots <= SMALL_SLOTS ? SHARE_LEAST / 2 : 1;
    portfolio->evaluations = FIRST_ROUND;
    while (map_budget_left(budget) && !is_optimal(portfolio)) {
        uint64_t before = budget->used;
        stretch(portfolio);
        if (map_tasks_run(run_strategy, portfolio, STRATEGIES, portfolio->call->effort.threads, error) != 0 ||
            compare(portfolio, error) != 0)
            return -1;
        if (budget->used == before)
            break; /* a single slot: nobody has anywhere to go, and no budget would ever end */
        portfolio->round++;
        portfolio->evaluations *= 2;
    }
    return 0;
}

/* The search for loads comes last, and has evaluations of its own: each walks the routes of two ranks. */
static int search(struct portfolio *portfolio, struct base_error *error)
{
    const struct map_problem *problem = portfolio->problem;
    struct base_random random;
    struct map_budget budget;
    int status;

    if (plant(portfolio, error) != 0 || compete(portfolio, error) != 0)
        return -1;
    if (problem->objective != MAP_CHANNEL_LOAD)
        return 0;
    base_random_seed(&random, portfolio->call->effort.seed, STREAM);
    map_budget_start(&budget, LOAD_EVALUATIONS, 0);
    budget.stop = portfolio->call->effort.stop;
    memcpy(portfolio->slot[0], portfolio->best, problem->ranks * sizeof *portfolio->best);
    status = map_channel_load_search(problem, &budget, &random, portfolio->slot[0], error);
    return status == 0 ? consider(portfolio, portfolio->slot[0], error) : -1;
}

/* Time is nothing that distances can be searched for: that is the work of `replay`, which asks the
 * simulator. The default of evaluations holds only where neither they nor a time were asked for: a time
 * budget alone is not to be cut short by it. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct portfolio portfolio = {.call = call, .problem = call->problem, .best = slot, .best_load = -1};
    struct base_arena arena = {0};
    size_t ranks = (size_t)call->problem->ranks + 1;
    int status;

    if (call->problem->objective == MAP_TIME && call->judge == NULL)
        return base_error_set(error, BASE_USAGE, "the objective time needs a trace that can be replayed");
    if (call->problem->objective == MAP_TIME)
        return map_mapper_replay.map(call, slot, error);
    if (call->effort.evaluations == 0 && call->effort.time_ms == 0)
        call->budget->limit = EVALUATIONS;
    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    portfolio.best_cost = map_problem_cost(call->problem, slot);
    status = map_channel_load(call->problem, slot, &portfolio.best_load, error);
    for (uint32_t i = 0; i < STRATEGIES && status == 0; i++) {
        portfolio.slot[i] = base_arena_array(&arena, ranks, sizeof *portfolio.slot[i]);
        if (portfolio.slot[i] == NULL)
            status = base_error_memory(error, "a portfolio of maps");
    }
    if (status == 0)
        status = search(&portfolio, error);
    base_arena_free(&arena);
    return status;
}

const struct map_mapper map_mapper_portfolio = {
    .name = "portfolio",
    .summary = "all of the above, improved by annealing and tabu search: the optimiser to use",
    .searches = true,
    .map = map,
};
