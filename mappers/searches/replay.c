/* The mapper `replay`: local search in which the simulator itself judges.
 *
 * Hop-bytes and loads of channels say little about time: maps of nearly the same cost differ by tens of per
 * cent. So the best maps by cost are only candidates here: each is replayed, and from the fastest on, swaps
 * are tried and kept when the replay says that they shorten the run. An evaluation is a replay.
 *
 * Swaps are proposed where they are likely to matter: a random rank goes beside a rank that it talks to. One
 * in four is uniform. A swap that leaves the time as it is, is kept when the cost does not grow. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/mapper.h"
#include "mappers/placement.h"

#define STREAM UINT64_C(0x72657079)           /* "repy" */
#define SEARCH_EVALUATIONS UINT64_C(20000000) /* each, at most */
#define SEARCH_EACH UINT64_C(100000) /* for each rank and slot: beyond, a small problem holds nothing new */

#define TIME_PART 8 /* of the time left that the search for a candidate may take */

#define MAP_MAPPER(symbol) extern const struct map_mapper map_mapper_##symbol;
#include "mappers/kinds.def"
#undef MAP_MAPPER

/* The most promising first; among them those that a search is promised not to be slower than (identity,
 * the curves, SCOTCH): the promise holds from seven evaluations on. The repeated ones differ by their seeds.
 */
static const struct map_mapper *const candidates[] = {
    &map_mapper_identity,  &map_mapper_portfolio, &map_mapper_scotch,    &map_mapper_snake,
    &map_mapper_hilbert,   &map_mapper_transpose, &map_mapper_row, /* the last that is promised */
    &map_mapper_cartesian, &map_mapper_bisection, &map_mapper_portfolio, &map_mapper_greedy,
    &map_mapper_portfolio,
};
#define CANDIDATES (sizeof candidates / sizeof *candidates)

struct judgement {
    const struct map_call *call;       /* with the judge and the budget of replays */
    const struct map_problem *problem; /* with time as its objective */
    struct map_problem by_cost;        /* the same, for the mappers of the candidates */
    struct base_random random;
    uint32_t *best, *trial, *terminal, *occupant; /* [rank], [rank], [rank], [slot] */
    uint32_t *seen;                               /* [CANDIDATES][ranks]: the candidates that were replayed */
    uint32_t seen_count;
    uint64_t best_ns; /* the simulated time of best */
};

/* Replays `trial`, and keeps it when it is faster, or as fast and no dearer. -1: the replay failed. */
static int judge(struct judgement *judged, struct base_error *error)
{
    const struct map_problem *problem = judged->problem;
    uint64_t time_ns;

    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        judged->terminal[rank] = problem->terminal[judged->trial[rank]];
    if (judged->call->judge->judge(judged->call->judge->context, judged->terminal, &time_ns, error) != 0)
        return -1;
    map_budget_spend(judged->call->budget, 1);
    if (time_ns > judged->best_ns ||
        (time_ns == judged->best_ns &&
         map_problem_cost(problem, judged->trial) > map_problem_cost(problem, judged->best)))
        return 0;
    judged->best_ns = time_ns;
    memcpy(judged->best, judged->trial, problem->ranks * sizeof *judged->best);
    return 0;
}

/* Grows with the problem up to a bound: a candidate must not take longer than the replays that judge it. */
static uint64_t search_evaluations(const struct map_problem *problem)
{
    uint64_t pairs = (uint64_t)problem->ranks * problem->slots;

    return pairs < SEARCH_EVALUATIONS / SEARCH_EACH ? pairs * SEARCH_EACH : SEARCH_EVALUATIONS;
}

/* Whether `trial` is a candidate that was replayed before: it would take as long again. Else it is
 * remembered. */
static bool is_known(struct judgement *judged)
{
    size_t ranks = judged->problem->ranks;

    for (size_t i = 0; i < judged->seen_count; i++)
        if (memcmp(judged->seen + i * ranks, judged->trial, ranks * sizeof *judged->trial) == 0)
            return true;
    memcpy(judged->seen + judged->seen_count++ * ranks, judged->trial, ranks * sizeof *judged->trial);
    return false;
}

/* A candidate that refuses the problem is left out, and so is one whose map another has made: on a whole
 * square mesh rows are the identity. Neither takes an evaluation. A mapper has the call's own seed the first
 * time, so that it makes here what it makes when it is asked for by its name, and other seeds when it comes
 * again. A budget of time is for replays above all. */
static int try_candidate(struct judgement *judged, size_t which, struct base_error *error)
{
    const struct map_mapper *mapper = candidates[which];
    struct map_call part = *judged->call;
    struct base_error own = {0};
    struct map_budget budget;
    uint64_t time = map_budget_time_left(judged->call->budget);

    part.argument = NULL;
    part.problem = &judged->by_cost;
    part.effort.time_ms = time == UINT64_MAX ? 0 : time / 1000000 / TIME_PART + 1;
    for (size_t i = 0; i < which; i++)
        part.effort.seed += candidates[i] == mapper;
    part.effort.evaluations = search_evaluations(judged->problem);
    part.budget = &budget;
    map_budget_start(&budget, part.effort.evaluations, part.effort.time_ms);
    budget.stop = judged->call->effort.stop;
    if (mapper->map(&part, judged->trial, &own) != 0)
        return own.status == BASE_SYSTEM ? base_error_set(error, own.status, "%s", own.text) : 0;
    return is_known(judged) ? 0 : judge(judged, error);
}

/* Somewhere beside a rank that it talks to: where that one's neighbour is. The partner is drawn from the rank's
 * row of the graph, each alike, whatever its weight; of nine random slots the one closest to it is proposed.
 * Looking through all of them would take longer and always propose the same one. */
static uint32_t propose(struct judgement *judged, uint32_t rank)
{
    const struct map_problem *problem = judged->problem;
    uint32_t degree = problem->first[rank + 1] - problem->first[rank];
    uint32_t to;
    uint32_t partner, best;
    uint32_t tries = 8;

    best = to = (uint32_t)base_random_below(&judged->random, problem->slots);
    if (degree == 0 || base_random_below(&judged->random, 4) == 0)
        return to;
    partner = problem->neighbour[problem->first[rank] + base_random_below(&judged->random, degree)];
    while (tries-- > 0) {
        to = (uint32_t)base_random_below(&judged->random, problem->slots);
        if (to != judged->best[rank] && map_problem_distance(problem, to, judged->best[partner]) <
                                            map_problem_distance(problem, best, judged->best[partner]))
            best = to;
    }
    return best;
}

/* `trial` becomes the best map with one swap. */
static void swap_one(struct judgement *judged)
{
    const struct map_problem *problem = judged->problem;
    uint32_t rank = (uint32_t)base_random_below(&judged->random, problem->ranks), to = propose(judged, rank);

    memcpy(judged->trial, judged->best, problem->ranks * sizeof *judged->trial);
    for (uint32_t slot = 0; slot < problem->slots; slot++)
        judged->occupant[slot] = problem->ranks;
    for (uint32_t i = 0; i < problem->ranks; i++)
        judged->occupant[judged->best[i]] = i;
    if (judged->occupant[to] < problem->ranks)
        judged->trial[judged->occupant[to]] = judged->best[rank];
    judged->trial[rank] = to;
}

/* The first candidate is judged even when the budget is empty, since a search without any replay would
 * have nothing to say. A single slot has no neighbours to go to: looking on would spend the budget on the
 * same map. */
static int search(struct judgement *judged, struct base_error *error)
{
    struct map_budget *budget = judged->call->budget;

    for (size_t i = 0; i < CANDIDATES && (i == 0 || map_budget_left(budget)); i++)
        if (try_candidate(judged, i, error) != 0)
            return -1;
    if (judged->problem->slots < 2)
        return 0;
    while (map_budget_left(budget)) {
        swap_one(judged);
        if (judge(judged, error) != 0)
            return -1;
    }
    return 0;
}

/* The mappers that make candidates could not search for time themselves (they would come back here): they
 * see a copy of the problem with a static objective. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct judgement judged = {.call = call, .problem = call->problem, .best = slot, .best_ns = UINT64_MAX};
    struct base_arena arena = {0};
    int status;

    if (call->effort.evaluations == 0 && call->effort.time_ms == 0)
        call->budget->limit = MAP_REPLAY_EVALUATIONS;
    call->budget->look_every = 1;
    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    judged.by_cost = *call->problem;
    judged.by_cost.objective = MAP_HOP_BYTES;
    base_random_seed(&judged.random, call->effort.seed, STREAM);
    judged.trial = base_arena_array(&arena, call->problem->ranks, sizeof *judged.trial);
    judged.terminal = base_arena_array(&arena, call->problem->ranks, sizeof *judged.terminal);
    judged.occupant = base_arena_array(&arena, call->problem->slots, sizeof *judged.occupant);
    judged.seen = base_arena_array(&arena, (size_t)call->problem->ranks * CANDIDATES, sizeof *judged.seen);
    status = judged.trial == NULL || judged.terminal == NULL || judged.occupant == NULL || judged.seen == NULL
                 ? base_error_memory(error, "a search by replay")
                 : search(&judged, error);
    base_arena_free(&arena);
    return status;
}

const struct map_mapper map_mapper_replay = {
    .name = "replay",
    .chance = BASE_DRAWS,
    .summary = "the best maps and their neighbours, judged by replaying the trace on each",
    .searches = true,
    .needs_judge = true,
    .map = map,
};
