/* The mapper `portfolio`: all that is known, and then searches that compete.
 *
 * First every cheap mapper makes its map: never worse than the best of them is a promise. When one of them
 * has all neighbours a link apart, nothing can be better, and the search is over. Else rounds follow, each
 * twice as long as the one before: annealing from scratch, annealing on the smooth metric, annealing from low
 * temperature and tabu search, both from the best map so far. Whoever fails to find the best gets half of its
 * share in the next round, whoever improves on it a full share again. The tasks of a round are independent,
 * and their shares are evaluations: threads change the time, never the result. A round that may need more
 * than what is left of the budget is made shorter before it begins, annealings with it (one that is cut off
 * while it is hot is worth nothing), and what is left is dealt out: never is more used than was asked for.
 *
 * Where most talk to most and slots are more than tabu search masters alone, most of what comes after the
 * first round is a slow annealing, over the few octaves of temperature in which such maps freeze, and tabu
 * search from where it ends. That is worth what its last temperatures are: so there is one such round, as
 * long as all evaluations that are left.
 *
 * Of maps of equal cost the one with the less busy channels under the real routing wins, and at the end a
 * part of the budget goes into swaps that make the busiest one less busy and cost nothing. With the channels'
 * load as the objective they may cost. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/channel-load.h"
#include "mappers/searches/portfolio.h"

#define EVALUATIONS UINT64_C(150000000)
#define LOAD_EVALUATIONS UINT64_C(20000)

#define MAP_MAPPER(symbol) extern const struct map_mapper map_mapper_##symbol;
#include "mappers/kinds.def"
#undef MAP_MAPPER

/* What a portfolio begins with. */
static const struct map_mapper *const seeds[] = {
    &map_mapper_identity,  &map_mapper_row,    &map_mapper_snake,     &map_mapper_hilbert,
    &map_mapper_transpose, &map_mapper_cyclic, &map_mapper_bisection, &map_mapper_cartesian,
    &map_mapper_greedy,    &map_mapper_scotch,
};
#define SEEDS (sizeof seeds / sizeof *seeds)

/* The channels' load first when that is the objective, else the cost; the other breaks ties. */
int map_portfolio_consider(struct map_portfolio *portfolio, const uint32_t *slot, struct base_error *error)
{
    const struct map_problem *problem = portfolio->problem;
    bool by_load = problem->objective == MAP_CHANNEL_LOAD;
    int64_t cost = map_problem_cost(problem, slot);
    double load;

    if (!by_load && cost > portfolio->best_cost)
        return 0;
    if (map_channel_load(problem, slot, &load, error) != 0)
        return -1;
    if (by_load
            ? load > portfolio->best_load || (load == portfolio->best_load && cost >= portfolio->best_cost)
            : cost == portfolio->best_cost && load >= portfolio->best_load)
        return 0;
    memcpy(portfolio->best, slot, problem->ranks * sizeof *slot);
    portfolio->best_cost = cost;
    portfolio->best_load = load;
    return 0;
}

/* Those that fail for want of memory fail all; one that refuses a problem does not count. */
static int plant(struct map_portfolio *portfolio, struct base_error *error)
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
            if (map_portfolio_consider(portfolio, portfolio->slot[0], error) != 0)
                return -1;
        } else if (own.status == BASE_SYSTEM) {
            return base_error_set(error, own.status, "%s", own.text);
        }
        map_budget_spend(call->budget, budget.used);
    }
    return 0;
}

/* ---- The search ---- */

/* Keeps back a part of the budget for the search for loads, each of whose swaps walks the routes of two
 * ranks: half where loads are the objective, little where they break ties, and never more than
 * LOAD_EVALUATIONS. Of the time as large a part. */
static struct map_budget keep_back(const struct map_portfolio *portfolio)
{
    struct map_budget *budget = portfolio->call->budget;
    struct map_budget whole = *budget;
    uint64_t part = portfolio->problem->objective == MAP_CHANNEL_LOAD ? 2 : 16;
    uint64_t kept = budget->limit / part < LOAD_EVALUATIONS ? budget->limit / part : LOAD_EVALUATIONS;

    budget->limit -= kept;
    budget->most -= budget->most == UINT64_MAX ? 0 : kept;
    if (budget->deadline_ns != 0)
        budget->deadline_ns -= map_budget_time_left(budget) / part;
    return whole;
}

/* Makes the busiest channel of the best map less busy, as the objective or among maps of the same cost. As
 * the objective it has all of its part where only a time was asked for. What the searches used has been counted in
 * the call's budget; it is charged to the whole one here, so that what is left of that is what was kept back, and
 * more where they ended early. */
static int lighten(struct map_portfolio *portfolio, const struct map_budget *whole, struct base_error *error)
{
    const struct map_call *call = portfolio->call;
    bool by_load = portfolio->problem->objective == MAP_CHANNEL_LOAD;
    bool by_time = by_load && call->effort.evaluations == 0 && call->effort.time_ms != 0;
    struct map_budget *budget = call->budget;
    struct map_budget part;
    uint64_t used = budget->used;
    struct base_random random;

    *budget = *whole;
    map_budget_spend(budget, used - whole->used);
    part = map_budget_part(budget, by_time ? UINT64_MAX : LOAD_EVALUATIONS);
    part.look_every = 1;
    if (!map_budget_left(&part))
        return 0;
    base_random_seed(&random, call->effort.seed, MAP_PORTFOLIO_STREAM);
    memcpy(portfolio->slot[0], portfolio->best, portfolio->problem->ranks * sizeof *portfolio->best);
    if (map_channel_load_search(portfolio->problem, by_load, &part, &random, portfolio->slot[0], error) != 0)
        return -1;
    map_budget_spend(budget, part.used);
    return map_portfolio_consider(portfolio, portfolio->slot[0], error);
}

/* In this order: maps that cost next to nothing, rounds of searches for the cost, and swaps for the busiest
 * channel. */
static int search(struct map_portfolio *portfolio, struct base_error *error)
{
    struct map_budget whole = keep_back(portfolio);

    return plant(portfolio, error) != 0 || map_portfolio_compete(portfolio, error) != 0
               ? -1
               : lighten(portfolio, &whole, error);
}

/* Time is nothing that distances can be searched for: that is the work of `replay`, which asks the
 * simulator. The default of evaluations holds only where neither they nor a time were asked for: a time
 * budget alone is not to be cut short by it. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct map_portfolio portfolio = {.call = call, .problem = call->problem, .best = slot, .best_load = -1};
    struct base_arena arena = {0};
    size_t ranks = (size_t)call->problem->ranks + 1;
    int status;

    if (call->problem->objective == MAP_TIME && call->judge == NULL)
        return base_error_set(error, BASE_USAGE, "the objective time needs a trace that can be replayed");
    if (call->problem->objective == MAP_TIME)
        return map_mapper_replay.map(call, slot, error);
    if (call->effort.evaluations == 0 && call->effort.time_ms == 0)
        call->budget->limit = call->budget->most = EVALUATIONS;
    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    portfolio.best_cost = map_problem_cost(call->problem, slot);
    status = map_channel_load(call->problem, slot, &portfolio.best_load, error);
    for (uint32_t i = 0; i < MAP_STRATEGIES && status == 0; i++) {
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
    .chance = BASE_DRAWS,
    .summary = "all of the above, improved by annealing and tabu search: the optimiser to use",
    .searches = true,
    .judges_time = true,
    .map = map,
};
