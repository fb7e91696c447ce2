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
#include "mappers/searches/trials.h"

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

struct search {
    const struct map_call *call;       /* with the judge and the budget of replays */
    const struct map_problem *problem; /* with time as its objective */
    struct map_problem by_cost;        /* the same, for the mappers of the candidates */
    size_t candidate;                  /* the next; CANDIDATES: swaps follow */
    uint32_t *occupant;                /* [slot] */
    uint32_t *seen;                    /* [CANDIDATES][ranks]: the candidates that were proposed */
    uint32_t seen_count;
};

/* Grows with the problem up to a bound: a candidate must not take longer than the replays that judge it. */
static uint64_t search_evaluations(const struct map_problem *problem)
{
    uint64_t pairs = (uint64_t)problem->ranks * problem->slots;

    return pairs < SEARCH_EVALUATIONS / SEARCH_EACH ? pairs * SEARCH_EACH : SEARCH_EVALUATIONS;
}

/* Whether the map is a candidate that was proposed before: it would take as long again. Else it is remembered. */
static bool is_known(struct search *search, const uint32_t *slot)
{
    size_t ranks = search->problem->ranks;

    for (size_t i = 0; i < search->seen_count; i++)
        if (memcmp(search->seen + i * ranks, slot, ranks * sizeof *slot) == 0)
            return true;
    memcpy(search->seen + search->seen_count++ * ranks, slot, ranks * sizeof *slot);
    return false;
}

/* A candidate that refuses the problem is left out, and so is one whose map another has made: on a whole
 * square mesh rows are the identity. Neither takes an evaluation. A mapper has the call's own seed the first
 * time, so that it makes here what it makes when it is asked for by its name, and other seeds when it comes
 * again. A budget of time is for replays above all. 1; 0: left out; -1: memory. */
static int make_candidate(struct search *search, size_t which, uint32_t *slot, struct base_error *error)
{
    const struct map_mapper *mapper = candidates[which];
    struct map_call part = *search->call;
    struct base_error own = {0};
    struct map_budget budget;
    uint64_t time = map_budget_time_left(search->call->budget);

    part.argument = NULL;
    part.problem = &search->by_cost;
    part.times = NULL;
    part.effort.time_ms = time == UINT64_MAX ? 0 : time / 1000000 / TIME_PART + 1;
    for (size_t i = 0; i < which; i++)
        part.effort.seed += candidates[i] == mapper;
    part.effort.evaluations = search_evaluations(search->problem);
    part.budget = &budget;
    map_budget_start(&budget, part.effort.evaluations, part.effort.time_ms);
    budget.stop = search->call->effort.stop;
    if (mapper->map(&part, slot, &own) != 0)
        return own.status == BASE_SYSTEM ? base_error_set(error, own.status, "%s", own.text) : 0;
    return is_known(search, slot) ? 0 : 1;
}

/* Somewhere beside a rank that it talks to: where that one's neighbour is. The partner is drawn from the rank's
 * row of the graph, each alike, whatever its weight; of nine random slots the one closest to it is proposed.
 * Looking through all of them would take longer and always propose the same one. */
static uint32_t choose_slot(const struct search *search, struct base_random *random, const uint32_t *map,
                            uint32_t rank)
{
    const struct map_problem *problem = search->problem;
    uint32_t degree = problem->first[rank + 1] - problem->first[rank];
    uint32_t to;
    uint32_t partner, best;
    uint32_t tries = 8;

    best = to = (uint32_t)base_random_below(random, problem->slots);
    if (degree == 0 || base_random_below(random, 4) == 0)
        return to;
    partner = problem->neighbour[problem->first[rank] + base_random_below(random, degree)];
    while (tries-- > 0) {
        to = (uint32_t)base_random_below(random, problem->slots);
        if (to != map[rank] && map_problem_distance(problem, to, map[partner]) <
                                   map_problem_distance(problem, best, map[partner]))
            best = to;
    }
    return best;
}

/* `slot` becomes the map with one swap. */
static void swap_one(const struct search *search, struct base_random *random, const uint32_t *map,
                     uint32_t *slot)
{
    const struct map_problem *problem = search->problem;
    uint32_t rank = (uint32_t)base_random_below(random, problem->ranks);
    uint32_t to = choose_slot(search, random, map, rank);

    memcpy(slot, map, problem->ranks * sizeof *slot);
    for (uint32_t i = 0; i < problem->slots; i++)
        search->occupant[i] = problem->ranks;
    for (uint32_t i = 0; i < problem->ranks; i++)
        search->occupant[map[i]] = i;
    if (search->occupant[to] < problem->ranks)
        slot[search->occupant[to]] = map[rank];
    slot[rank] = to;
}

/* First the candidates, then swaps in the best map so far. A single slot has no neighbours to go to: looking on would
 * spend the budget on the same map. */
static int propose(void *context, struct base_random *random, const uint32_t *best, uint32_t *slot,
                   bool *depends, struct base_error *error)
{
    struct search *search = context;
    int made = 0;

    *depends = false;
    while (made == 0 && search->candidate < CANDIDATES)
        made = make_candidate(search, search->candidate++, slot, error);
    if (made != 0 || search->problem->slots < 2)
        return made;
    *depends = true;
    swap_one(search, random, best, slot);
    return 1;
}

/* The mappers that make candidates could not search for time themselves (they would come back here): they
 * see a copy of the problem with a static objective. The first candidate is judged even when the budget is empty,
 * since a search without any replay would have nothing to say, unless the search is stopped meanwhile. */
static int map(const struct map_call *call, uint32_t *slot, struct base_error *error)
{
    struct search search = {.call = call, .problem = call->problem};
    const struct map_proposer proposer = {propose, &search};
    struct map_times times;
    struct base_random random;
    struct base_arena arena = {0};
    int status;

    if (call->effort.evaluations == 0 && call->effort.time_ms == 0)
        call->budget->limit = MAP_REPLAY_EVALUATIONS;
    call->budget->look_every = 1;
    for (uint32_t rank = 0; rank < call->problem->ranks; rank++)
        slot[rank] = rank;
    search.by_cost = *call->problem;
    search.by_cost.objective = MAP_HOP_BYTES;
    base_random_seed(&random, call->effort.seed, STREAM);
    search.occupant = base_arena_array(&arena, call->problem->slots, sizeof *search.occupant);
    search.seen = base_arena_array(&arena, (size_t)call->problem->ranks * CANDIDATES, sizeof *search.seen);
    status = search.occupant == NULL || search.seen == NULL
                 ? base_error_memory(error, "a search by replay")
                 : map_trials_run(call, &proposer, &random, slot, call->times == NULL ? &times : call->times,
                                  error);
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
