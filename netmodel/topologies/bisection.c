/* Undirected links are counted and doubled at the end: links of the grid family come in pairs. Each kind's cut is
 * proved, or compared with all cuts of small networks in the tests; `exact` says which kind of number a caller
 * gets:
 *
 *     array, ring          closed form                                               exact
 *     king torus           straight cut, and a bound by congestion that mostly meets it
 *     king mesh            dynamic programming over the border of the halves         exact while affordable
 *     anything small       all cuts, by a Gray code                                  exact
 *     anything else        the halves by number, or exchanges of pairs               a bound from above */
#include "netmodel/topologies/bisection.h"

#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/grid.h"

/* All cuts of a network up to this size are tried: 2^19 of them, one flip each. */
#define ROUTERS_TO_ENUMERATE 25
/* State changes that the king mesh's dynamic programme may cost: a fraction of a second. */
#define CHANGES_TO_AFFORD (UINT64_C(1) << 26)
/* A pass of exchanges compares routers^3 / 12 pairs: a tenth of a second for the largest. */
#define ROUTERS_TO_EXCHANGE 512

/* Of two, as C has none. */
static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Likewise. */
static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* For qsort: the longest side first. */
static int compare_falling(const void *a, const void *b)
{
    uint32_t left = *(const uint32_t *)a, right = *(const uint32_t *)b;
    return (left < right) - (left > right);
}

/* Undirected links of the best cut of an array. With the sides in falling order k1 >= k2 >= … and C_i the
 * product of the sides after i, it is C_1 + … + C_e for the first even k_e (all of them if none is even): cut
 * the longest side in the middle, its middle layer in turn in the middle of the next side, and so on until a
 * middle is no layer. */
uint64_t net_bisection_array(const uint32_t *given, uint32_t dimensions)
{
    uint32_t sides[NET_DIMENSIONS_MAX] = {0};
    uint64_t rest = 1, cut = 0;
    for (uint32_t i = 0; i < dimensions; i++)
        rest *= sides[i] = given[i];
    qsort(sides, dimensions, sizeof *sides, compare_falling);
    for (uint32_t i = 0; i < dimensions; i++) {
        rest /= sides[i];
        cut += rest;
        if (sides[i] % 2 == 0)
            break;
    }
    return cut;
}

/* Of a grid's sides as they are; the order in which they were given does not matter. */
static uint64_t array_cut(const struct net_topology *topology)
{
    return net_bisection_array(topology->grid->sides, topology->grid->dimensions);
}

/* Channels are directed links: an undirected one counts twice. */
int net_bisection_mesh(const struct net_topology *topology, uint64_t *channels, bool *exact,
                       struct base_error *error)
{
    (void)error;
    *channels = 2 * array_cut(topology);
    *exact = true;
    return 0;
}

/* Every cut of a line is two cuts of a ring; a ring of two routers is two parallel links, so the same holds.
 */
int net_bisection_torus(const struct net_topology *topology, uint64_t *channels, bool *exact,
                        struct base_error *error)
{
    (void)error;
    *channels = 4 * array_cut(topology);
    *exact = true;
    return 0;
}

/* The straight cut across dimension d of a king network, both ways: `row` links for each router along the
 * cut. An odd side's middle line is shared between the halves, which costs `kink` more wherever the border
 * turns. */
static uint64_t straight_cut(const struct net_topology *topology, uint32_t d, bool wraps)
{
    uint64_t across = topology->grid->sides[d], along = topology->grid->sides[1 - d];
    uint64_t undirected = wraps ? 6 * along : 3 * along - 2, kink = wraps ? 2 : 1;
    return 2 * (undirected + (across % 2 ? kink : 0));
}

/* Which side to cut across depends on both: 5x4 is cut through its odd side, since that cut is shorter in
 * spite of its kink. */
static uint64_t best_straight_cut(const struct net_topology *topology, bool wraps)
{
    return least(straight_cut(topology, 0, wraps), straight_cut(topology, 1, wraps));
}

/* Hops of Knaive records from one router to all: along X, along Y, diagonal; and how many of the straight
 * ones could be swapped for diagonal ones (two X+ for one Z+ and one T+) without making a way longer. */
struct hops {
    uint64_t x, y, diagonal, x_swappable, y_swappable; /* sums over all routers */
};

/* From one router only, as all look alike; the counts of pairs give how many routers are that far in each
 * dimension. */
static struct hops count_hops(const struct net_topology *topology)
{
    struct hops hops = {0};
    for (uint32_t i = 0; i <= net_grid_reach(topology, 0); i++)
        for (uint32_t j = 0; j <= net_grid_reach(topology, 1); j++) {
            uint64_t routers = net_grid_pairs_apart(topology, 0, i) / topology->grid->sides[0] *
                               (net_grid_pairs_apart(topology, 1, j) / topology->grid->sides[1]);
            uint32_t x = i > j ? i - j : 0, y = j > i ? j - i : 0;
            hops.x += routers * x;
            hops.y += routers * y;
            hops.diagonal += routers * least(i, j);
            hops.x_swappable += routers * (x - x % 2);
            hops.y_swappable += routers * (y - y % 2);
        }
    return hops;
}

/* No cut of a king torus into halves has fewer directed links than this.
 *
 * Let every router send one unit to every other, by shortest paths of which some have straight pairs swapped
 * for diagonal ones. By symmetry each link of X, Y and the diagonals carries x/2, y/2 and diagonal/4 of the
 * hops above, and swapping chooses x, y within their ranges at a constant sum. The least possible busiest
 * link M is then the largest of six lower bounds (each pair of links either limited by M or by its range).
 * All units between the halves cross the cut, so it has at least units / M links. Every router has eight
 * links, so a cut has an even number of undirected ones: the bound is rounded up to a multiple of 4. All in
 * integers, M times 24. */
static uint64_t congestion_bound(const struct net_topology *topology)
{
    struct hops hops = count_hops(topology);
    uint64_t all = hops.x + hops.y + hops.diagonal, half = topology->routers / 2;
    uint64_t units = 2 * half * (topology->routers - half), busiest = 3 * all;
    busiest = most(busiest, 12 * (hops.x - hops.x_swappable));
    busiest = most(busiest, 12 * (hops.y - hops.y_swappable));
    busiest = most(busiest, 4 * (all - hops.x));
    busiest = most(busiest, 4 * (all - hops.y));
    busiest = most(busiest, 6 * hops.diagonal);
    return ((24 * units + busiest - 1) / busiest + 3) / 4 * 4;
}

/* Half the links of a king network's cut are straight in a diagonal one; an odd torus has the same kink, and
 * an odd mesh none, since its border can turn along the diagonal. Compared with enumeration in the tests. The
 * closed forms were found by looking at all cuts of small networks, so that beyond those they are not called
 * exact. */
int net_bisection_diagonal(const struct net_topology *topology, uint64_t *channels, bool *exact,
                           struct base_error *error)
{
    uint64_t best = UINT64_MAX;
    if (topology->grid->dimensions < 2)
        return topology->grid->wraps ? net_bisection_torus(topology, channels, exact, error)
                                     : net_bisection_mesh(topology, channels, exact, error);
    *exact = topology->routers <= ROUTERS_TO_ENUMERATE;
    if (*exact)
        return net_bisection_search(topology, channels, exact, error);
    for (uint32_t d = 0; d < 2; d++) {
        uint64_t across = topology->grid->sides[d], along = topology->grid->sides[1 - d];
        uint64_t cut = topology->grid->wraps ? 8 * along + (across % 2 ? 4 : 0) : 4 * along - 2;
        best = least(best, cut);
    }
    *channels = best;
    return 0;
}

/* Exact where the straight cut meets the bound; else all cuts are tried if they are few. */
int net_bisection_king_torus(const struct net_topology *topology, uint64_t *channels, bool *exact,
                             struct base_error *error)
{
    if (topology->grid->dimensions < 2)
        return net_bisection_torus(topology, channels, exact, error);
    *channels = best_straight_cut(topology, true);
    *exact = congestion_bound(topology) == *channels;
    if (!*exact && topology->routers <= ROUTERS_TO_ENUMERATE)
        return net_bisection_search(topology, channels, exact, error);
    return 0;
}

/* The king mesh's dynamic programme: routers join one half or the other in the order of their numbers along
 * the narrow side. What later routers touch is the profile: the halves of the last width + 1 routers, the
 * latest in bit 0. Per profile and size of the second half it keeps the fewest links cut so far. */
struct profiles {
    uint32_t width, length, bits, sizes;
    uint32_t *now, *next; /* [size << bits | profile] */
};

#define IMPOSSIBLE (UINT32_MAX / 2)

/* Links between a new router at the given column, in half `half`, and those before it that lie in the other
 * half. */
static uint32_t links_cut(const struct profiles *profiles, uint32_t column, uint32_t row, uint32_t profile,
                          uint32_t half)
{
    uint32_t width = profiles->width, other = half ? ~profile : profile, cut = 0;
    if (column > 0)
        cut += other & 1;
    if (row > 0) {
        cut += other >> (width - 1) & 1;
        if (column > 0)
            cut += other >> width & 1;
        if (column + 1 < width)
            cut += other >> (width - 2) & 1;
    }
    return cut;
}

/* Both layers are full: a router's two halves reach every profile, so the next layer starts as impossible. A
 * state's cost does not depend on how it was reached, so that only the best of each is kept. */
static void add_router(struct profiles *profiles, uint32_t column, uint32_t row)
{
    uint32_t count = UINT32_C(1) << profiles->bits;
    uint32_t *swap = profiles->now;
    for (size_t i = 0; i < (size_t)profiles->sizes << profiles->bits; i++)
        profiles->next[i] = IMPOSSIBLE;
    for (uint32_t profile = 0; profile < count; profile++)
        for (uint32_t half = 0; half < 2; half++) {
            uint32_t cut = links_cut(profiles, column, row, profile, half);
            uint32_t after = (profile << 1 | half) & (count - 1);
            for (uint32_t size = half; size < profiles->sizes; size++) {
                size_t from = (size_t)(size - half) << profiles->bits | profile;
                size_t to = (size_t)size << profiles->bits | after;
                if (profiles->now[from] + cut < profiles->next[to])
                    profiles->next[to] = profiles->now[from] + cut;
            }
        }
    profiles->now = profiles->next;
    profiles->next = swap;
}

/* Undirected links of the best cut; the second half has routers / 2. */
static uint32_t best_cut(struct profiles *profiles)
{
    size_t entries = (size_t)profiles->sizes << profiles->bits;
    uint32_t best = IMPOSSIBLE;
    for (size_t i = 0; i < entries; i++)
        profiles->now[i] = i == 0 ? 0 : IMPOSSIBLE;
    for (uint32_t row = 0; row < profiles->length; row++)
        for (uint32_t column = 0; column < profiles->width; column++)
            add_router(profiles, column, row);
    for (size_t i = entries - ((size_t)1 << profiles->bits); i < entries; i++)
        if (profiles->now[i] < best)
            best = profiles->now[i];
    return best;
}

/* Two layers of the table: a few MiB at the most within CHANGES_TO_AFFORD. */
static int search_profiles(struct profiles *profiles, uint64_t *channels, struct base_error *error)
{
    size_t entries = (size_t)profiles->sizes << profiles->bits;
    uint32_t *memory = calloc(entries, 2 * sizeof *memory);
    if (memory == NULL)
        return base_error_memory(error, "the search for a bisection");
    profiles->now = memory;
    profiles->next = memory + entries;
    *channels = 2 * (uint64_t)best_cut(profiles);
    free(memory);
    return 0;
}

/* Along the narrow side, since the table grows with two to its power. */
int net_bisection_king_mesh(const struct net_topology *topology, uint64_t *channels, bool *exact,
                            struct base_error *error)
{
    if (topology->grid->dimensions < 2)
        return net_bisection_mesh(topology, channels, exact, error);
    uint32_t width = (uint32_t)least(topology->grid->sides[0], topology->grid->sides[1]);
    struct profiles profiles = {.width = width,
                                .length = topology->routers / width,
                                .bits = width + 1,
                                .sizes = topology->routers / 2 + 1};
    *channels = best_straight_cut(topology, false);
    *exact = width < 16 && topology->routers <= (CHANGES_TO_AFFORD >> (width + 2)) / profiles.sizes;
    return *exact ? search_profiles(&profiles, channels, error) : 0;
}

/* Links between every two routers of a tiny network, both ways. */
static void count_links(const struct net_topology *topology,
                        uint32_t between[ROUTERS_TO_ENUMERATE][ROUTERS_TO_ENUMERATE])
{
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        between[link->source][link->target]++;
        between[link->target][link->source]++;
    }
}

/* How the cut changes when router `moved` changes to the other half (bits of `members`). */
static int32_t change(uint32_t routers, uint32_t between[ROUTERS_TO_ENUMERATE][ROUTERS_TO_ENUMERATE],
                      uint32_t members, uint32_t moved)
{
    int32_t sum = 0;
    for (uint32_t r = 0; r < routers; r++)
        if (r != moved)
            sum += (members >> r & 1) == (members >> moved & 1) ? (int32_t)between[moved][r]
                                                                : -(int32_t)between[moved][r];
    return sum;
}

/* All halves that leave the last router out, in the order of a Gray code: one router moves at a time. Half of all
 * subsets, as a set and its complement are the same cut. */
static uint64_t enumerate(const struct net_topology *topology)
{
    uint32_t between[ROUTERS_TO_ENUMERATE][ROUTERS_TO_ENUMERATE] = {{0}};
    uint32_t routers = topology->routers, members = 0;
    int64_t cut = 0, best = INT64_MAX;
    count_links(topology, between);
    for (uint32_t i = 1; i < UINT32_C(1) << (routers - 1); i++) {
        uint32_t moved = (uint32_t)__builtin_ctz(i);
        uint32_t size;
        cut += change(routers, between, members, moved);
        members ^= UINT32_C(1) << moved;
        size = (uint32_t)__builtin_popcount(members);
        if ((size == routers / 2 || size == routers - routers / 2) && cut < best)
            best = cut;
    }
    return (uint64_t)best;
}

/* No more than an upper bound, but for grids whose longest side comes last it is the best cut. */
static uint64_t cut_by_number(const struct net_topology *topology)
{
    uint32_t half = topology->routers / 2;
    uint64_t cut = 0;
    for (uint32_t l = 0; l < topology->link_count; l++)
        cut += (topology->links[l].source < half) != (topology->links[l].target < half);
    return cut;
}

/* Nothing is allocated, so that it cannot fail. */
int net_bisection_search(const struct net_topology *topology, uint64_t *channels, bool *exact,
                         struct base_error *error)
{
    (void)error;
    *exact = topology->routers <= ROUTERS_TO_ENUMERATE;
    if (topology->routers < 2)
        *channels = 0;
    else
        *channels = *exact ? enumerate(topology) : cut_by_number(topology);
    return 0;
}

/* ---- better cuts by exchanging pairs of routers ----
 *
 * After B. W. Kernighan and S. Lin, "An efficient heuristic procedure for partitioning graphs", Bell System
 * Technical Journal 49(2), 1970. A pass exchanges, again and again, the two routers of different halves whose
 * exchange helps most, or hurts least, and moves neither again; then it goes back to where the cut was smallest.
 * Passes follow each other until one finds nothing. Nothing is drawn: equal gains go to the lowest numbers, so
 * that a cut is the same everywhere. */

struct exchange {
    uint32_t routers;  /* of the network, which are split into halves */
    uint16_t *between; /* [a * routers + b]: links, both ways */
    int32_t *gain;     /* [router]: by how much the cut shrinks when it alone changes halves */
    bool *second;      /* [router]: its half */
    bool *moved;       /* [router]: in this pass */
    uint32_t *pairs;   /* those exchanged, in order, two numbers each */
};

/* Both ways together. */
static int32_t between(const struct exchange *exchange, uint32_t a, uint32_t b)
{
    return exchange->between[(size_t)a * exchange->routers + b];
}

/* O(routers^2), once a pass; moves keep it up to date. */
static void set_gains(struct exchange *exchange)
{
    for (uint32_t a = 0; a < exchange->routers; a++) {
        exchange->gain[a] = 0;
        exchange->moved[a] = false;
        for (uint32_t b = 0; b < exchange->routers; b++)
            exchange->gain[a] += exchange->second[a] != exchange->second[b] ? between(exchange, a, b)
                                                                            : -between(exchange, a, b);
    }
}

/* The exchange that helps most. false: a half has no router left that has not moved. Each pair is looked at from
 * its member in the second half. */
static bool find_best(const struct exchange *exchange, uint32_t pair[2], int32_t *best)
{
    *best = INT32_MIN;
    for (uint32_t a = 0; a < exchange->routers; a++)
        for (uint32_t b = 0; b < exchange->routers && exchange->second[a] && !exchange->moved[a]; b++) {
            if (exchange->second[b] || exchange->moved[b])
                continue;
            int32_t gain = exchange->gain[a] + exchange->gain[b] - 2 * between(exchange, a, b);
            if (gain <= *best)
                continue;
            *best = gain;
            pair[0] = a;
            pair[1] = b;
        }
    return *best != INT32_MIN;
}

/* The router changes halves: its links to the old half are cut now, those to the new one no more. */
static void move(struct exchange *exchange, uint32_t router)
{
    for (uint32_t other = 0; other < exchange->routers; other++)
        exchange->gain[other] +=
            2 * (exchange->second[other] == exchange->second[router] ? between(exchange, router, other)
                                                                     : -between(exchange, router, other));
    exchange->second[router] = !exchange->second[router];
    exchange->moved[router] = true;
}

/* Returns by how much the cut has shrunk. It may go through worse cuts before it finds a better one, which is what
 * gets it out of local minima. */
static int32_t pass(struct exchange *exchange)
{
    uint32_t count = 0, kept = 0;
    uint32_t pair[2] = {0};
    int32_t sum = 0, most = 0;
    int32_t gain;
    set_gains(exchange);
    for (; find_best(exchange, pair, &gain); count++) {
        for (uint32_t i = 0; i < 2; i++) {
            exchange->pairs[2 * count + i] = pair[i];
            move(exchange, pair[i]);
        }
        sum += gain;
        if (sum > most) {
            most = sum;
            kept = count + 1;
        }
    }
    for (uint32_t i = 2 * kept; i < 2 * count; i++)
        exchange->second[exchange->pairs[i]] = !exchange->second[exchange->pairs[i]];
    return most;
}

/* A link to the router itself is in no cut. */
static void count_exchange_links(const struct net_topology *topology, struct exchange *exchange)
{
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        if (link->source == link->target)
            continue;
        exchange->between[(size_t)link->source * exchange->routers + link->target]++;
        exchange->between[(size_t)link->target * exchange->routers + link->source]++;
    }
}

/* Too large a network keeps the halves that it was given. It ends: the cut shrinks with each pass that goes on. */
int net_bisection_exchange(const struct net_topology *topology, bool *second, struct base_error *error)
{
    uint32_t routers = topology->routers;
    struct exchange exchange = {.routers = routers, .second = second};
    if (routers < 2 || routers > ROUTERS_TO_EXCHANGE)
        return 0;
    exchange.between = calloc((size_t)routers * routers, sizeof *exchange.between);
    exchange.gain = calloc(routers, sizeof *exchange.gain);
    exchange.moved = calloc(routers, sizeof *exchange.moved);
    exchange.pairs = calloc((size_t)routers + 2, sizeof *exchange.pairs);
    bool failed =
        exchange.between == NULL || exchange.gain == NULL || exchange.moved == NULL || exchange.pairs == NULL;
    if (!failed) {
        count_exchange_links(topology, &exchange);
        while (pass(&exchange) > 0)
            continue;
    }
    free(exchange.between);
    free(exchange.gain);
    free(exchange.moved);
    free(exchange.pairs);
    return failed ? base_error_memory(error, "the search for a bisection") : 0;
}

/* Directed links; second[router] says in which half it is. */
uint64_t net_bisection_cut(const struct net_topology *topology, const bool *second)
{
    uint64_t cut = 0;
    for (uint32_t l = 0; l < topology->link_count; l++)
        cut += second[topology->links[l].source] != second[topology->links[l].target];
    return cut;
}
