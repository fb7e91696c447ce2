/* Simulated annealing over swaps (Kirkpatrick 1983; for maps Bollinger and Midkiff 1988), in integers.
 *
 * Communication graphs are sparse, so a swap is weighed in the time of two rows of neighbours, whatever the size
 * of the machine. Half of the proposals are uniform; the other half send a rank close to one of its neighbours,
 * which is where good places are when the map is nearly right and uniform proposals nearly always fail.
 *
 * A growth is accepted when it is below temperature x E, with E exponentially distributed: the Metropolis rule
 * turned round. E is drawn from a table of logarithms made by squaring integers, so that no result depends on
 * a machine's mathematical library. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "mappers/searches/search.h"

#define LOOK_EVERY 65536 /* moves between two looks at the budget */
#define STRATA_BITS 12   /* of the mantissa, in the table of logarithms */
#define FRACTION_BITS 16
#define OCTAVES 10 /* from the first to the last */
#define FREEZING 4 /* octaves in which a map of many alike loads does */
#define NEAR 12    /* slots kept around each */
#define FIRST_MOVES                                                                                          \
    4096 /* at the first temperature, where time is short: they take a fraction of a millisecond */
#define TIME_PART 0.9 /* of the time that is for cooling: the rest is for the descent */
#define SAMPLES 512   /* random swaps that say what is hot */

struct anneal {
    const struct map_problem *problem; /* never changed */
    struct map_budget *budget;         /* of swaps that are weighed */
    struct base_random *random;        /* the only source of chance */
    uint32_t *slot, *best, *occupant;  /* occupant[slot]: a rank, or problem->ranks */
    uint32_t *near;                    /* [slot * NEAR], closest first; NULL: no table of distances */
    uint32_t near_count;
    uint32_t *logarithm; /* [stratum]: -log2 of a mantissa in [1, 2), minus 1, in FRACTION_BITS */
    int64_t cost, best_cost;
    uint32_t octaves; /* from the first temperature to the last */
};

/* ---- Exponential numbers ---- */

/* log2 of 1 + (stratum + 1/2) / strata in FRACTION_BITS: squaring doubles a logarithm, bit by bit. */
static uint32_t log2_of(uint32_t stratum)
{
    uint64_t value = (UINT64_C(2) << STRATA_BITS) + 2 * (uint64_t)stratum + 1;
    uint64_t one = UINT64_C(2) << STRATA_BITS;
    uint32_t bits = 0;

    value <<= 31 - (STRATA_BITS + 1);
    one <<= 31 - (STRATA_BITS + 1);
    for (int i = 0; i < FRACTION_BITS; i++) {
        value = (value * value) >> 31;
        bits <<= 1;
        if (value >= 2 * one) {
            value >>= 1;
            bits |= 1;
        }
    }
    return bits;
}

/* -ln of a uniform number in (0, 1], in FRACTION_BITS: leading zeros are octaves, the next bits a stratum. */
static uint64_t exponential(const struct anneal *anneal)
{
    uint64_t bits = base_random_next(anneal->random) | 1;
    uint32_t zeros = (uint32_t)__builtin_clzll(bits);
    uint32_t stratum = (uint32_t)(bits << zeros >> (63 - STRATA_BITS)) & ((1u << STRATA_BITS) - 1);
    uint64_t log2 = ((uint64_t)(zeros + 1) << FRACTION_BITS) - anneal->logarithm[stratum];

    return log2 * 45426 >> 16; /* ln 2 in 16 bits */
}

/* ---- Swaps ---- */

/* Keeps both directions of the map: a swap is four stores.
 * When the slot was free, `other` is the number that stands for nobody, and from becomes free in the same
 * way. */
static void put(struct anneal *anneal, uint32_t rank, uint32_t to)
{
    uint32_t from = anneal->slot[rank], other = anneal->occupant[to];

    anneal->slot[rank] = to;
    anneal->occupant[to] = rank;
    anneal->occupant[from] = other;
    if (other < anneal->problem->ranks)
        anneal->slot[other] = from;
}

/* Whoever is in the way changes places with the rank. */
static int64_t growth(const struct anneal *anneal, uint32_t rank, uint32_t to)
{
    return map_problem_swap(anneal->problem, anneal->slot, rank, anneal->occupant[to], to);
}

/* A slot for the rank: anywhere, or beside a neighbour.
 * The lowest bit decides and base_scale() uses the upper 32, so that one draw serves for both. */
static uint32_t propose(const struct anneal *anneal, uint32_t rank)
{
    const struct map_problem *problem = anneal->problem;
    uint32_t degree = problem->first[rank + 1] - problem->first[rank];
    uint64_t bits = base_random_next(anneal->random);
    uint32_t neighbour;

    if ((bits & 1) == 0 || degree == 0 || anneal->near == NULL)
        return base_scale(bits, problem->slots);
    neighbour = problem->neighbour[problem->first[rank] + base_scale(bits, degree)];
    return anneal->near[(size_t)anneal->slot[neighbour] * NEAR +
                        base_scale(base_random_next(anneal->random), anneal->near_count)];
}

/* The slots closest to one, itself among them, the lower number first: an insertion into a short list. */
static void fill_near(const struct map_problem *problem, uint32_t slot, uint32_t *near, uint32_t count)
{
    const uint16_t *row = problem->table + (size_t)slot * problem->slots;
    uint32_t kept = 0;

    for (uint32_t other = 0; other < problem->slots; other++) {
        uint32_t i = kept;
        if (kept == count && row[other] >= row[near[kept - 1]])
            continue;
        if (kept < count)
            kept++;
        else
            i--;
        for (; i > 0 && row[near[i - 1]] > row[other]; i--)
            near[i] = near[i - 1];
        near[i] = other;
    }
}

/* ---- Temperatures ---- */

/* The mean growth of swaps that make a map worse: what is hot.
 * A growth may be near 62 bits, so that each is divided before it is added. The count begins at 1, lest a
 * map that no swap makes worse divides by 0. */
static int64_t mean_growth(const struct anneal *anneal)
{
    int64_t sum = 0, count = 1;

    for (int i = 0; i < SAMPLES; i++) {
        uint32_t rank = (uint32_t)base_random_below(anneal->random, anneal->problem->ranks);
        uint32_t to = (uint32_t)base_random_below(anneal->random, anneal->problem->slots);
        int64_t more = to == anneal->slot[rank] ? 0 : growth(anneal, rank, to);
        if (more > 0) {
            sum += more / SAMPLES + 1;
            count++;
        }
    }
    return sum / count * SAMPLES + 1;
}

/* Falls by half within an octave, linearly: near enough to geometric.
 * Parts are of 256 to an octave, in integers like everything that a result depends on. */
static uint64_t temperature(uint64_t hottest, uint32_t level, uint32_t octaves)
{
    uint32_t part = level * octaves * 256 / MAP_ANNEAL_LEVELS, octave = part / 256;

    return (hottest >> octave) - (hottest >> octave) * (part % 256) / 512;
}

/* The comparison needs 128 bits, as growths may have 62 and FRACTION_BITS come on top. */
static bool is_refused(struct anneal *anneal, uint64_t more, uint64_t heat)
{
    return base_wide_less(base_wide_product(heat, exponential(anneal)),
                          base_wide_shift_left(base_wide_of(more), FRACTION_BITS));
}

/* So many moves at one heat: a rank to another slot, whose rank takes its place. What does not cost more is always
 * taken, what does by lot. */
static void make_moves(struct anneal *anneal, uint64_t heat, uint64_t moves)
{
    for (uint64_t i = 0; i < moves; i++) {
        uint32_t rank = base_scale(base_random_next(anneal->random), anneal->problem->ranks);
        uint32_t to = propose(anneal, rank);
        int64_t more;
        if (to == anneal->slot[rank])
            continue;
        more = growth(anneal, rank, to);
        if (more > 0 && is_refused(anneal, (uint64_t)more, heat))
            continue;
        put(anneal, rank, to);
        anneal->cost += more;
    }
}

/* False when the budget is at its end. That is looked at now and then on the way as well, since a search of
 * hours is long at each temperature, but only being late or having no room for another move ends it there.
 * The best map is looked for once a call and not after every swap: a copy takes as long as many swaps. */
static bool hold(struct anneal *anneal, uint64_t heat, uint64_t moves)
{
    uint64_t room = map_budget_room(anneal->budget);
    bool left = map_budget_left(anneal->budget);

    moves = moves < room ? moves : room;
    for (uint64_t done = 0, some; done < moves && !anneal->budget->late; done += some) {
        some = moves - done < LOOK_EVERY ? moves - done : LOOK_EVERY;
        make_moves(anneal, heat, some);
        left = map_budget_spend(anneal->budget, some);
    }
    if (anneal->cost < anneal->best_cost) {
        anneal->best_cost = anneal->cost;
        memcpy(anneal->best, anneal->slot, anneal->problem->ranks * sizeof *anneal->slot);
    }
    return left;
}

/* ---- Descent ---- */

/* True when some move of the rank helped; each is made as soon as it is found. */
static bool settle(struct anneal *anneal, uint32_t rank)
{
    bool helped = false;

    for (uint32_t to = 0; to < anneal->problem->slots; to++) {
        int64_t more = to == anneal->slot[rank] ? 0 : growth(anneal, rank, to);
        if (more >= 0)
            continue;
        put(anneal, rank, to);
        anneal->cost += more;
        helped = true;
    }
    return helped;
}

/* From the best map, not the last one, which a final unlucky step may have left worse. Who is where is not
 * kept with the best map, so that it is made again. It ends: costs are integers, and every move makes them
 * smaller. Each rank is charged for all slots that it looks at. */
static void descend(struct anneal *anneal)
{
    bool helped = true;

    memcpy(anneal->slot, anneal->best, anneal->problem->ranks * sizeof *anneal->slot);
    for (uint32_t slot = 0; slot < anneal->problem->slots; slot++)
        anneal->occupant[slot] = anneal->problem->ranks;
    for (uint32_t rank = 0; rank < anneal->problem->ranks; rank++)
        anneal->occupant[anneal->slot[rank]] = rank;
    anneal->cost = anneal->best_cost;
    while (helped) {
        helped = false;
        for (uint32_t rank = 0; rank < anneal->problem->ranks; rank++) {
            if (map_budget_room(anneal->budget) < anneal->problem->slots)
                return;
            helped = settle(anneal, rank) || helped;
            if (!map_budget_spend(anneal->budget, anneal->problem->slots))
                return;
        }
    }
}

/* ---- The search ---- */

/* A free slot is held by number `ranks`, which is nobody's: so a move to a free slot is a swap like any
 * other. Without a table of distances there are no lists of near slots, and all proposals are uniform. Memory: the
 * map twice, a rank for each slot, and NEAR neighbours a slot. Filling the latter reads the table of distances
 * once. */
static int prepare(struct anneal *anneal, struct base_arena *arena, const uint32_t *slot,
                   struct base_error *error)
{
    const struct map_problem *problem = anneal->problem;

    anneal->slot = base_arena_array(arena, problem->ranks, sizeof *anneal->slot);
    anneal->best = base_arena_array(arena, problem->ranks, sizeof *anneal->best);
    anneal->occupant = base_arena_array(arena, problem->slots, sizeof *anneal->occupant);
    anneal->logarithm = base_arena_array(arena, 1u << STRATA_BITS, sizeof *anneal->logarithm);
    if (problem->table != NULL)
        anneal->near = base_arena_array(arena, (size_t)problem->slots * NEAR, sizeof *anneal->near);
    if (anneal->slot == NULL || anneal->best == NULL || anneal->occupant == NULL ||
        anneal->logarithm == NULL || (problem->table != NULL && anneal->near == NULL))
        return base_error_memory(error, "annealing");
    for (uint32_t i = 0; i < 1u << STRATA_BITS; i++)
        anneal->logarithm[i] = log2_of(i);
    anneal->near_count = problem->slots < NEAR ? problem->slots : NEAR;
    for (uint32_t i = 0; anneal->near != NULL && i < problem->slots; i++)
        fill_near(problem, i, anneal->near + (size_t)i * NEAR, anneal->near_count);
    memcpy(anneal->best, slot, problem->ranks * sizeof *slot);
    memcpy(anneal->slot, slot, problem->ranks * sizeof *slot);
    for (uint32_t i = 0; i < problem->slots; i++)
        anneal->occupant[i] = problem->ranks;
    for (uint32_t rank = 0; rank < problem->ranks; rank++)
        anneal->occupant[slot[rank]] = rank;
    anneal->cost = anneal->best_cost = map_problem_cost(problem, slot);
    return 0;
}

/* The swaps of the next temperature: as planned, or as many as leave time for the others at the pace so
 * far, which the first shows. What is cut off while it is hot is worth nothing. left: of the time at the
 * beginning; used: evaluations then. Without a deadline no clock is looked at. */
static uint64_t paced(const struct anneal *anneal, uint32_t level, uint64_t planned, uint64_t left,
                      uint64_t used)
{
    double done = (double)(anneal->budget->used - used), possible = FIRST_MOVES;
    uint64_t now;

    if (anneal->budget->deadline_ns == 0)
        return planned;
    now = map_budget_time_left(anneal->budget);
    if (done > 0 && now < left)
        possible = done / (double)(left - now) * (double)now / (MAP_ANNEAL_LEVELS - level) * TIME_PART;
    return possible < (double)planned ? (uint64_t)possible + 1 : planned;
}

/* The division comes first, since the mean may be near 62 bits; what is added keeps the first temperature
 * above 0 where growths are tiny. A budget that ends early skips the rest of the cooling, but never leaves
 * a worse map than the one given: the best one seen goes back. All temperatures have the same number of swaps,
 * unless time is short. */
static int cool(struct anneal *anneal, uint32_t hot_percent, uint64_t evaluations, uint32_t *slot,
                struct base_error *error)
{
    const struct map_problem *problem = anneal->problem;
    struct base_arena arena = {0};
    int status = -1;
    uint64_t hottest;
    uint64_t left = map_budget_time_left(anneal->budget), used = anneal->budget->used;
    uint64_t moves = evaluations / MAP_ANNEAL_LEVELS + 1;

    if (problem->ranks == 0 || problem->slots < 2)
        return 0;
    if (prepare(anneal, &arena, slot, error) == 0) {
        hottest = (uint64_t)mean_growth(anneal) / 100 * hot_percent + hot_percent;
        for (uint32_t level = 0; level < MAP_ANNEAL_LEVELS; level++)
            if (!hold(anneal, temperature(hottest, level, anneal->octaves),
                      paced(anneal, level, moves, left, used)))
                break;
        descend(anneal);
        memcpy(slot, anneal->best_cost <= anneal->cost ? anneal->best : anneal->slot,
               problem->ranks * sizeof *slot);
        status = 0;
    }
    base_arena_free(&arena);
    return status;
}

/* Over all OCTAVES, so that at the last temperature hardly a swap passes that makes the map worse. */
int map_anneal_search(const struct map_problem *problem, uint32_t hot_percent, uint64_t evaluations,
                      struct map_budget *budget, struct base_random *random, uint32_t *slot,
                      struct base_error *error)
{
    struct anneal anneal = {.problem = problem, .budget = budget, .random = random, .octaves = OCTAVES};

    return cool(&anneal, hot_percent, evaluations, slot, error);
}

/* Over the few octaves in which maps of many alike loads freeze, so that each temperature has more of the swaps. */
int map_anneal_slowly(const struct map_problem *problem, uint32_t hot_percent, uint64_t evaluations,
                      struct map_budget *budget, struct base_random *random, uint32_t *slot,
                      struct base_error *error)
{
    struct anneal anneal = {.problem = problem, .budget = budget, .random = random, .octaves = FREEZING};

    return cool(&anneal, hot_percent, evaluations, slot, error);
}
