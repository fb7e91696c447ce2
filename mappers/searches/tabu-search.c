/* Robust tabu search (Taillard 1991) over all swaps, iterated.
 *
 * place_cost[u][l] is what rank u would pay in slot l, all others staying: a swap of r and s changes it by a
 * product of two vectors, in the rows of ranks that talk to r or s. From it the growth of any swap comes in
 * constant time; for symmetric distances the table of growths is itself updated by a product of differences,
 *
 *      growth[u][v] -= (g[u] - g[v]) (h[u] - h[v]),   g[u] = w(u,r) - w(u,s),  h[u] = d(u,s) - d(u,r)
 *
 * so that an iteration costs about a multiplication per pair. Empty slots hold ranks that talk to nobody.
 *
 * A rank must not go back to a slot that it left less than a random number of iterations ago, unless that gives a
 * new best map. Taillard's other rule, to make at once what has not been made for very long, is left out: the
 * kicks between stretches lead elsewhere sooner. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "mappers/searches/search.h"

#define NO_PAIR UINT32_MAX

struct tabu {
    const struct map_problem *problem; /* with its table of distances */
    struct base_random *random;        /* tenures and kicks are drawn from it */
    size_t size;                       /* slots, and ranks with the idle ones */
    int64_t *weight;                   /* [u * size + v], both directions */
    int64_t *place_cost;               /* [u * size + slot] */
    int64_t *growth;                   /* [u * size + v], u < v */
    uint64_t *until;                   /* [u * size + slot]: the iteration from which u may go there */
    int64_t *g, *h;                    /* [u] */
    uint32_t *slot, *best_slot;
    int64_t cost, best_cost, known_cost; /* now, of best_slot, of this stretch */
    uint64_t iteration;
};

/* The best swap of an iteration. */
struct choice {
    uint32_t r, s;  /* ranks; NO_PAIR: none found yet */
    int64_t growth; /* of the cost, if it is made */
};

/* ---- The matrices ---- */

/* A row of the table is as long as one of the matrices here: both have all slots. */
static int64_t distance(const struct tabu *tabu, const uint16_t *table, uint32_t from, uint32_t to)
{
    return table[(size_t)from * tabu->size + to];
}

/* Once a stretch, in the time of edges x slots: a row of distances from the neighbour's slot and one of
 * those to it, weighed by what goes either way. Where distances are symmetric the two rows are the same,
 * and how a weight is split does not matter. */
static void fill_place_cost(struct tabu *tabu)
{
    const struct map_problem *problem = tabu->problem;
    size_t size = tabu->size;

    memset(tabu->place_cost, 0, size * size * sizeof *tabu->place_cost);
    for (uint32_t u = 0; u < problem->ranks; u++)
        for (uint32_t edge = problem->first[u]; edge < problem->first[u + 1]; edge++) {
            const uint16_t *in = problem->table + tabu->slot[problem->neighbour[edge]] * size;
            const uint16_t *out = problem->reverse + tabu->slot[problem->neighbour[edge]] * size;
            int64_t away = problem->out == NULL ? 0 : problem->out[edge], back = problem->weight[edge] - away;
            for (size_t l = 0; l < size; l++)
                tabu->place_cost[u * size + l] += away * out[l] + back * in[l];
        }
}

/* The pair itself is in both of the costs that are taken away, and in none of those that are added. */
static int64_t pair_growth(const struct tabu *tabu, size_t u, size_t v)
{
    size_t size = tabu->size;
    const int64_t *of_u = tabu->place_cost + u * size, *of_v = tabu->place_cost + v * size;
    uint32_t at_u = tabu->slot[u], at_v = tabu->slot[v];

    return of_u[at_v] - of_u[at_u] + of_v[at_u] - of_v[at_v] +
           tabu->weight[u * size + v] * (distance(tabu, tabu->problem->table, at_u, at_v) +
                                         distance(tabu, tabu->problem->reverse, at_u, at_v));
}

/* Starts from tabu->slot. */
static void begin_stretch(struct tabu *tabu)
{
    fill_place_cost(tabu);
    for (size_t u = 0; u < tabu->problem->ranks; u++)
        for (size_t v = u + 1; v < tabu->size; v++)
            tabu->growth[u * tabu->size + v] = pair_growth(tabu, u, v);
    tabu->cost = map_problem_cost(tabu->problem, tabu->slot);
    tabu->known_cost = tabu->cost;
}

/* ---- One iteration ---- */

/* Whether a swap may be made: one of the two is free to go, or the map is the best of all. */
static bool admissible(const struct tabu *tabu, uint32_t u, uint32_t v, int64_t growth)
{
    return tabu->until[u * tabu->size + tabu->slot[v]] <= tabu->iteration ||
           tabu->until[v * tabu->size + tabu->slot[u]] <= tabu->iteration ||
           tabu->cost + growth < tabu->best_cost;
}

/* All swaps of rank u with a later one. Most are no better than the choice, whether admissible or not. */
static void scan_row(const struct tabu *tabu, uint32_t u, struct choice *choice)
{
    const int64_t *growth = tabu->growth + u * tabu->size;

    for (uint32_t v = u + 1; v < tabu->size; v++)
        if (growth[v] < choice->growth && admissible(tabu, u, v, growth[v]))
            *choice = (struct choice){u, v, growth[v]};
}

/* The inner loop of the search, without branches so that it can run on vectors. The pairs that contain one
 * of the two swapped ranks come out wrong here, and are renewed afterwards. */
static void update_row(struct tabu *tabu, size_t u)
{
    int64_t *growth = tabu->growth + u * tabu->size;
    const int64_t *g = tabu->g, *h = tabu->h;
    int64_t g_of_u = g[u], h_of_u = h[u];

    for (size_t v = u + 1; v < tabu->size; v++)
        growth[v] -= (g_of_u - g[v]) * (h_of_u - h[v]);
}

/* After r and s have changed places: the rows of those that talk to one more than to the other. */
static void update_place_cost(struct tabu *tabu, uint32_t r, uint32_t s)
{
    size_t size = tabu->size;
    const uint16_t *now_r = tabu->problem->table + tabu->slot[r] * size;
    const uint16_t *now_s = tabu->problem->table + tabu->slot[s] * size;

    for (size_t u = 0; u < tabu->problem->ranks; u++) {
        int64_t *cost = tabu->place_cost + u * size;
        int64_t g = tabu->g[u];
        if (g == 0)
            continue;
        for (size_t l = 0; l < size; l++)
            cost[l] += g * (now_r[l] - now_s[l]);
    }
}

/* Before the swap. */
static void set_vectors(struct tabu *tabu, uint32_t r, uint32_t s)
{
    const int64_t *of_r = tabu->weight + r * tabu->size, *of_s = tabu->weight + s * tabu->size;
    const uint16_t *from_r = tabu->problem->table + tabu->slot[r] * tabu->size;
    const uint16_t *from_s = tabu->problem->table + tabu->slot[s] * tabu->size;

    for (size_t u = 0; u < tabu->size; u++) {
        tabu->g[u] = of_r[u] - of_s[u];
        tabu->h[u] = (int64_t)from_s[tabu->slot[u]] - from_r[tabu->slot[u]];
    }
}

/* The growths of swaps with r or s, from their places' costs. */
static void renew_pairs(struct tabu *tabu, uint32_t rank)
{
    for (uint32_t v = 0; v < tabu->size; v++) {
        uint32_t low = rank < v ? rank : v, high = rank < v ? v : rank;
        if (low != high && low < tabu->problem->ranks)
            tabu->growth[low * tabu->size + high] = pair_growth(tabu, low, high);
    }
}

/* The vectors are taken before the ranks move, everything else after. The formula for growths needs
 * symmetric distances; without them a new start of the stretch is right, though slow, and must not forget
 * how good this one has been. */
static void swap(struct tabu *tabu, const struct choice *choice)
{
    uint32_t r = choice->r, s = choice->s, at_r = tabu->slot[r];

    set_vectors(tabu, r, s);
    tabu->slot[r] = tabu->slot[s];
    tabu->slot[s] = at_r;
    tabu->cost += choice->growth;
    if (tabu->problem->out != NULL) { /* rare: all anew */
        int64_t known = tabu->known_cost;
        begin_stretch(tabu);
        tabu->known_cost = known;
        return;
    }
    update_place_cost(tabu, r, s);
    for (size_t u = 0; u < tabu->problem->ranks; u++)
        update_row(tabu, u);
    renew_pairs(tabu, r);
    renew_pairs(tabu, s);
}

/* Taillard's later tenure: mostly short, sometimes long, 8 n at most (the cube of a uniform number). */
static uint64_t tenure(struct tabu *tabu)
{
    double unit = base_random_unit(tabu->random);
    return 2 + (uint64_t)(unit * unit * unit * 8.0 * (double)tabu->size);
}

/* Called before the swap: it is the slot that the rank is about to leave. */
static void forbid(struct tabu *tabu, uint32_t rank)
{
    tabu->until[rank * tabu->size + tabu->slot[rank]] = tabu->iteration + tenure(tabu);
}

/* True when the stretch has a new best map. */
static bool iterate(struct tabu *tabu)
{
    struct choice choice = {.r = NO_PAIR, .growth = INT64_MAX};

    tabu->iteration++;
    for (uint32_t u = 0; u < tabu->problem->ranks; u++)
        scan_row(tabu, u, &choice);
    if (choice.r == NO_PAIR)
        return false;
    forbid(tabu, choice.r);
    forbid(tabu, choice.s);
    swap(tabu, &choice);
    if (tabu->cost < tabu->best_cost) {
        tabu->best_cost = tabu->cost;
        memcpy(tabu->best_slot, tabu->slot, tabu->size * sizeof *tabu->slot);
    }
    if (tabu->cost >= tabu->known_cost)
        return false;
    tabu->known_cost = tabu->cost;
    return true;
}

/* ---- Stretches ---- */

/* A cycle through random ranks: each goes to where the next one is. */
static void kick(struct tabu *tabu, uint32_t strength)
{
    for (uint32_t i = 0; i < strength; i++) {
        uint32_t u = (uint32_t)base_random_below(tabu->random, tabu->problem->ranks);
        uint32_t v = (uint32_t)base_random_below(tabu->random, tabu->size), at_u = tabu->slot[u];
        tabu->slot[u] = tabu->slot[v];
        tabu->slot[v] = at_u;
    }
}

/* Ends when it has not improved for so many iterations, or when the budget does or has no room for another
 * iteration. */
static bool stretch(struct tabu *tabu, uint64_t length, struct map_budget *budget)
{
    uint64_t pairs = (uint64_t)tabu->size * (tabu->size - 1) / 2;
    bool left = map_budget_left(budget) && map_budget_room(budget) >= pairs;

    begin_stretch(tabu);
    for (uint64_t idle = 0; left && idle < length; idle++) {
        if (iterate(tabu))
            idle = 0;
        left = map_budget_spend(budget, pairs) && map_budget_room(budget) >= pairs;
    }
    return left;
}

/* Stretches end after 50 iterations for each slot without success. A kick grows by one with every stretch
 * that did not help, up to about half of the slots, so that small changes are tried before large ones; the
 * best map is where every stretch begins. Only the budget ends it. */
static void search(struct tabu *tabu, struct map_budget *budget)
{
    uint64_t length = 50 * (uint64_t)tabu->size;
    uint32_t least = 3, strength = least, most = (uint32_t)(tabu->size / 2) + least;

    for (;;) {
        int64_t before = tabu->best_cost;
        if (!stretch(tabu, length, budget))
            return;
        strength = tabu->best_cost < before || strength >= most ? least : strength + 1;
        memcpy(tabu->slot, tabu->best_slot, tabu->size * sizeof *tabu->slot);
        kick(tabu, strength);
    }
}

/* The dense weights; the idle ranks take the slots that are left. Idle ranks have rows of zeros: a swap with one
 * of them is a move to a free slot. */
static void fill(struct tabu *tabu, const uint32_t *slot)
{
    const struct map_problem *problem = tabu->problem;
    size_t size = tabu->size, next = problem->ranks;
    bool *taken = (bool *)tabu->until; /* not in use yet, and zeroed */

    for (uint32_t u = 0; u < problem->ranks; u++) {
        tabu->slot[u] = slot[u];
        taken[slot[u]] = true;
        for (uint32_t edge = problem->first[u]; edge < problem->first[u + 1]; edge++)
            tabu->weight[u * size + problem->neighbour[edge]] = problem->weight[edge];
    }
    for (uint32_t l = 0; l < size; l++)
        if (!taken[l])
            tabu->slot[next++] = l;
    memset(tabu->until, 0, size * size * sizeof *tabu->until);
    memcpy(tabu->best_slot, tabu->slot, size * sizeof *tabu->slot);
    tabu->best_cost = map_problem_cost(problem, tabu->slot);
}

/* All of its memory at once. */
static int allocate(struct tabu *tabu, struct base_arena *arena, struct base_error *error)
{
    size_t squared = tabu->size * tabu->size;

    tabu->weight = base_arena_array(arena, squared, sizeof *tabu->weight);
    tabu->place_cost = base_arena_array(arena, squared, sizeof *tabu->place_cost);
    tabu->growth = base_arena_array(arena, squared, sizeof *tabu->growth);
    tabu->until = base_arena_array(arena, squared, sizeof *tabu->until);
    tabu->g = base_arena_array(arena, tabu->size, sizeof *tabu->g);
    tabu->h = base_arena_array(arena, tabu->size, sizeof *tabu->h);
    tabu->slot = base_arena_array(arena, tabu->size, sizeof *tabu->slot);
    tabu->best_slot = base_arena_array(arena, tabu->size, sizeof *tabu->best_slot);
    if (tabu->weight == NULL || tabu->place_cost == NULL || tabu->growth == NULL || tabu->until == NULL ||
        tabu->g == NULL || tabu->h == NULL || tabu->slot == NULL || tabu->best_slot == NULL)
        return base_error_memory(error, "a tabu search");
    return 0;
}

/* So few slots have a table of distances in any problem made for a search (MAP_TABLE_SLOTS_MAX is larger),
 * and the search reads it without asking. */
int map_tabu_search(const struct map_problem *problem, struct map_budget *budget, struct base_random *random,
                    uint32_t *slot, struct base_error *error)
{
    struct tabu tabu = {.problem = problem, .random = random, .size = problem->slots};
    struct base_arena arena = {0};
    int status = -1;

    if (problem->slots > MAP_TABU_SLOTS_MAX)
        return base_error_set(
            error, BASE_USAGE,
            "tabu search is for at most %d slots, not %u; anneal and portfolio take any number",
            MAP_TABU_SLOTS_MAX, problem->slots);
    if (problem->ranks == 0 || problem->slots < 2)
        return 0;
    if (allocate(&tabu, &arena, error) == 0) {
        fill(&tabu, slot);
        search(&tabu, budget);
        memcpy(slot, tabu.best_slot, problem->ranks * sizeof *slot);
        status = 0;
    }
    base_arena_free(&arena);
    return status;
}
