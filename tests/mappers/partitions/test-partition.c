/* Allocators: laws that hold for all of them, what each promises against a search that tries everything, the
 * measures of a partition by hand, and files that are refused. */
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/random.h"
#include "mappers/partitions/partition.h"
#include "tests/fail-alloc.h"

#define CELLS_MAX 256

static struct net_topology *network(const char *text)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);

    if (topology == NULL)
        fail_msg("%s", error.text);
    return topology;
}

/* Written apart from the metrics: pieces by joining neighbours until nothing changes. */
static uint32_t pieces(const struct map_partition *partition, const struct net_topology *topology)
{
    uint32_t label[CELLS_MAX];
    uint32_t count = 0;
    bool changed = true;

    for (uint32_t i = 0; i < partition->count; i++)
        label[i] = i;
    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < partition->count; i++)
            for (uint32_t k = 0; k < partition->count; k++)
                if (label[k] < label[i] &&
                    net_topology_distance(topology, net_topology_router_of(topology, partition->terminal[i]),
                                          net_topology_router_of(topology, partition->terminal[k])) <= 1) {
                    label[i] = label[k];
                    changed = true;
                }
    }
    for (uint32_t i = 0; i < partition->count; i++)
        count += label[i] == i;
    return count;
}

static void obeys_the_laws(const struct map_allocator *allocator, const struct map_demand *demand,
                           const struct map_partition *partition)
{
    struct map_partition *again = map_partition_new(allocator->name, demand, NULL, NULL);
    struct map_partition_metrics metrics;

    assert_string_equal(partition->allocator, allocator->name);
    assert_int_equal(partition->asked, demand->ranks);
    assert_true(partition->count >= demand->ranks);
    assert_true(!allocator->exact || partition->count == demand->ranks);
    for (uint32_t i = 0; i < partition->count; i++) {
        assert_true(partition->terminal[i] < demand->topology->terminals);
        assert_true(i == 0 || partition->terminal[i - 1] < partition->terminal[i]);
        assert_false(demand->busy[partition->terminal[i]]);
    }
    assert_non_null(again);
    assert_int_equal(again->count, partition->count);
    assert_memory_equal(again->terminal, partition->terminal, partition->count * sizeof(uint32_t));
    map_partition_free(again);
    assert_int_equal(map_partition_measure(partition, demand->topology, demand->busy, &metrics, NULL), 0);
    assert_int_equal(metrics.idle, partition->count - demand->ranks);
    if (demand->topology->routers != 0)
        assert_int_equal(metrics.components, pieces(partition, demand->topology));
    assert_true(!allocator->contiguous || metrics.components == 1);
    assert_true(metrics.fragmentation >= 0 && metrics.fragmentation < 1);
}

/* Jobs come and go at random; each is an allocation to be checked. Exact allocators on cells of one terminal
 * always find room while enough is free. */
static void jobs_come_and_go(const struct map_allocator *allocator, const char *text)
{
    struct net_topology *topology = network(text);
    struct map_partition *running[6] = {NULL};
    bool busy[CELLS_MAX] = {false};
    struct base_random random;
    uint32_t taken = 0, found = 0;

    base_random_seed(&random, 7, topology->terminals);
    for (uint32_t step = 0; step < 60; step++) {
        struct map_partition **job = &running[base_random_below(&random, 6)];
        struct map_demand demand = {topology, busy,
                                    1 + (uint32_t)base_random_below(&random, topology->terminals / 3), step};
        struct base_error error = {0};
        bool no_room;

        if (*job != NULL) {
            for (uint32_t i = 0; i < (*job)->count; i++)
                busy[(*job)->terminal[i]] = false;
            taken -= (*job)->count;
            map_partition_free(*job);
        }
        *job = map_partition_new(allocator->name, &demand, &no_room, &error);
        assert_int_equal(no_room, *job == NULL);
        assert_true(*job == NULL || (found++, true));
        if (*job == NULL) {
            assert_int_equal(error.status, BASE_USAGE);
            assert_true(!allocator->exact || topology->concentration > 1 ||
                        taken + demand.ranks > topology->terminals);
            continue;
        }
        obeys_the_laws(allocator, &demand, *job);
        for (uint32_t i = 0; i < (*job)->count; i++)
            busy[(*job)->terminal[i]] = true;
        taken += (*job)->count;
    }
    assert_true(found > 10);
    for (size_t i = 0; i < 6; i++)
        map_partition_free(running[i]);
    net_topology_free(topology);
}

static void all_obey_the_laws(void **state)
{
    static const char *const networks[] = {"mesh:8x8",
                                           "torus:9x7",
                                           "king-mesh:11x9",
                                           "king-torus:9x9",
                                           "mesh:13",
                                           "king-mesh:5x4,concentration=2",
                                           "mesh:4x3x5",
                                           "ideal:20",
                                           "dragonfly:2,4,2",
                                           "fat-tree:4,3",
                                           "hyperx:4x4,terminals=2"};
    size_t count;
    const struct map_allocator *const *all = map_allocators(&count);
    (void)state;

    assert_true(count >= 13);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < sizeof networks / sizeof *networks; k++)
            if (!all[i]->reads_file && (k < 6 || !all[i]->needs_rectangle))
                jobs_come_and_go(all[i], networks[k]);
}

/* As many groups as hold the job, side by side where that can be; a group with one busy terminal is none. */
static void groups_are_whole(void **state)
{
    struct net_topology *topology = network("dragonfly:2,4,2"); /* nine groups of eight */
    bool busy[72] = {[20] = true};
    struct map_demand demand = {topology, busy, 17, 1};
    struct map_partition *partition = map_partition_new("groups", &demand, NULL, NULL);
    (void)state;
    assert_non_null(partition);
    assert_int_equal(partition->count, 24);
    for (uint32_t i = 0; i < 24; i++)
        assert_int_equal(partition->terminal[i], 24 + i); /* behind the third group: there are six free */
    map_partition_free(partition);
    demand.ranks = 16;
    partition = map_partition_new("groups", &demand, NULL, NULL);
    assert_int_equal(partition->terminal[0], 0); /* the run of two fits best */
    assert_int_equal(partition->count, 16);
    map_partition_free(partition);
    demand.ranks = 65;
    bool no_room = false;
    assert_null(map_partition_new("groups", &demand, &no_room, NULL));
    assert_true(no_room);
    net_topology_free(topology);
}

/* All of the machine, for those that can; more than that is refused with a sentence. */
static void the_whole_machine(void **state)
{
    size_t count;
    const struct map_allocator *const *all = map_allocators(&count);
    struct net_topology *topology = network("king-mesh:9x9");
    struct base_error error;
    (void)state;

    for (size_t i = 0; i < count; i++) {
        struct map_demand demand = {topology, NULL, 81, 1};
        struct map_partition *partition = NULL;
        bool no_room;
        if (all[i]->reads_file)
            continue;
        if (strcmp(all[i]->name, "buddy") != 0) {
            partition = map_partition_new(all[i]->name, &demand, NULL, &error);
            assert_non_null(partition);
            assert_int_equal(partition->count, 81);
            map_partition_free(partition);
        }
        demand.ranks = 82;
        assert_null(map_partition_new(all[i]->name, &demand, &no_room, &error));
        assert_true(no_room);
        assert_string_equal(error.text,
                            "a job of 82 ranks does not fit on the 81 free terminals of king-mesh:9x9");
        demand.ranks = 0;
        assert_null(map_partition_new(all[i]->name, &demand, &no_room, &error));
        assert_false(no_room);
    }
    net_topology_free(topology);
}

static void refused(const char *text, const char *topology_text, const char *sentence)
{
    struct net_topology *topology = network(topology_text);
    struct map_demand demand = {topology, NULL, 40, 1};
    struct base_error error = {0};

    assert_null(map_partition_new(text, &demand, NULL, &error));
    assert_int_equal(error.status, BASE_USAGE);
    if (strstr(error.text, sentence) == NULL)
        fail_msg("%s: %s", text, error.text);
    net_topology_free(topology);
}

static void impossible_demands_are_refused(void **state)
{
    (void)state;
    refused("buddi", "mesh:8x8", "did you mean 'buddy'?");
    refused("", "mesh:8x8", "unknown partition ''");
    refused("buddy", "mesh:7x7", "mesh:7x7 has no free partition of the kind 'buddy' for 40 ranks");
    refused("odd-square", "mesh:6x9", "no free partition of the kind 'odd-square'");
    refused("square", "mesh:4x4x4",
            "needs a network of two dimensions, and mesh:4x4x4 is not one; groups, row, gen-alg, random and "
            "file work on every network");
    refused("square", "ideal:64", "needs a network of two dimensions");
    refused("odd-square,fit=worst", "mesh:9x9", "fit is best or first, not 'worst'");
    refused("odd-square,fit=list", "mesh:9x9", "fit is best or first, not 'list'");
    refused("hilbert,fit=no", "mesh:9x9", "fit is best, first or list, not 'no'");
    refused("random,fit=best", "mesh:9x9", "random");
    refused("random:3", "mesh:9x9", "takes no argument, but '3' is given");
    refused("file", "mesh:9x9", "needs an argument: file:PATH");
    refused("file:", "mesh:9x9", "needs an argument: file:PATH");
}

/* ---- Against a search that tries everything ---- */

/* A machine half full, the same for one seed. */
static void occupy(bool *busy, uint32_t count, uint64_t seed)
{
    struct base_random random;

    base_random_seed(&random, seed, 1);
    for (uint32_t i = 0; i < count; i++)
        busy[i] = base_random_below(&random, 100) < seed % 60;
}

/* Busy cells of a window, or of the frame around it: outside of a mesh counts. */
static uint32_t count_busy(const struct net_topology *topology, const bool *busy, int64_t x, int64_t y,
                           int64_t width, int64_t height)
{
    int64_t columns = topology->grid->sides[0], rows = topology->grid->sides[1];
    uint32_t count = 0;

    for (int64_t row = y; row < y + height; row++)
        for (int64_t column = x; column < x + width; column++) {
            bool outside = column < 0 || row < 0 || column >= columns || row >= rows;
            if (topology->grid->wraps)
                count += busy[(column + columns) % columns + (row + rows) % rows * columns];
            else
                count += outside || busy[column + row * columns];
        }
    return count;
}

/* The most contact that a free window of that shape has anywhere; -1: there is none. */
static int64_t most_contact(const struct net_topology *topology, const bool *busy, uint32_t width,
                            uint32_t height)
{
    int64_t most = -1;

    if (width > topology->grid->sides[0] || height > topology->grid->sides[1])
        return -1;
    for (uint32_t y = 0; y < topology->grid->sides[1]; y++)
        for (uint32_t x = 0; x < topology->grid->sides[0]; x++) {
            int64_t contact;
            if (count_busy(topology, busy, x, y, width, height) != 0)
                continue;
            contact = count_busy(topology, busy, (int64_t)x - 1, (int64_t)y - 1, (int64_t)width + 2,
                                 (int64_t)height + 2);
            most = contact > most ? contact : most;
        }
    return most;
}

/* The contact of a partition that is a window: its frame is where cells next to it, corners too, are others.
 */
static int64_t contact_of(const struct map_partition *partition, const struct net_topology *topology,
                          const bool *busy, uint32_t width, uint32_t height)
{
    int64_t found = -1;

    for (uint32_t y = 0; y < topology->grid->sides[1]; y++)
        for (uint32_t x = 0; x < topology->grid->sides[0]; x++) {
            bool all = true;
            for (uint32_t i = 0; i < partition->count && all; i++) {
                uint32_t dx =
                    (partition->terminal[i] % topology->grid->sides[0] + topology->grid->sides[0] - x) %
                    topology->grid->sides[0];
                uint32_t dy =
                    (partition->terminal[i] / topology->grid->sides[0] + topology->grid->sides[1] - y) %
                    topology->grid->sides[1];
                all = dx < width && dy < height;
            }
            if (all && found < 0)
                found = count_busy(topology, busy, (int64_t)x - 1, (int64_t)y - 1, (int64_t)width + 2,
                                   (int64_t)height + 2);
        }
    return found;
}

static uint32_t root_above(uint32_t ranks)
{
    uint32_t side = 1;
    while (side * side < ranks)
        side++;
    return side;
}

/* A window is found exactly when there is one, and the best has the most contact that any has. */
static void windows_are_the_best(void **state)
{
    static const char *const networks[] = {"mesh:8x7", "king-torus:9x7"};
    static const char *const kinds[] = {"square", "odd-square", "rectangle", "first-fit-rectangle"};
    (void)state;

    for (uint64_t seed = 1; seed < 300; seed++) {
        struct net_topology *topology = network(networks[seed % 2]);
        const char *kind = kinds[seed / 2 % 4];
        bool busy[CELLS_MAX] = {false};
        struct map_demand demand = {topology, busy, 1 + (uint32_t)(seed % 20), 1};
        uint32_t width = root_above(demand.ranks), height = width;
        int64_t upright, turned, most;
        struct map_partition *partition;

        occupy(busy, topology->terminals, seed);
        if (strcmp(kind, "odd-square") == 0)
            width = height = width + (width % 2 == 0);
        else if (strstr(kind, "rectangle") != NULL)
            height = (demand.ranks + width - 1) / width;
        upright = most_contact(topology, busy, width, height);
        turned = most_contact(topology, busy, height, width);
        most = upright > turned ? upright : turned;
        partition = map_partition_new(kind, &demand, NULL, NULL);
        assert_int_equal(partition != NULL, most >= 0);
        if (partition != NULL) {
            int64_t first = contact_of(partition, topology, busy, width, height);
            int64_t second = contact_of(partition, topology, busy, height, width);
            int64_t own = first > second ? first : second;
            assert_int_equal(partition->count, width * height);
            assert_true(strncmp(kind, "first", 5) == 0 ? own <= most : own == most);
        }
        map_partition_free(partition);
        net_topology_free(topology);
    }
}

/* A buddy is an aligned free square; there is room exactly when there is such a square. */
static void buddies_are_aligned(void **state)
{
    struct net_topology *topology = network("mesh:16x12");
    (void)state;

    for (uint64_t seed = 1; seed < 120; seed++) {
        bool busy[CELLS_MAX] = {false};
        bool there = false;
        struct map_demand demand = {topology, busy, 1 + (uint32_t)(seed % 17), 1};
        uint32_t side = 1;
        struct map_partition *partition;

        occupy(busy, topology->terminals, seed % 25);
        while (side * side < demand.ranks)
            side *= 2;
        for (uint32_t y = 0; y + side <= 12; y += side)
            for (uint32_t x = 0; x + side <= 16; x += side)
                there |= count_busy(topology, busy, x, y, side, side) == 0;
        partition = map_partition_new("buddy", &demand, NULL, NULL);
        assert_int_equal(partition != NULL, there);
        if (partition != NULL) {
            assert_int_equal(partition->count, side * side);
            assert_int_equal(partition->terminal[0] % 16 % side, 0);
            assert_int_equal(partition->terminal[0] / 16 % side, 0);
            assert_int_equal(partition->terminal[partition->count - 1],
                             partition->terminal[0] + (side - 1) * 17);
        }
        map_partition_free(partition);
    }
    net_topology_free(topology);
}

/* The sum of the wanted smallest distances from one centre (Chebyshev, as shells are square). */
static uint64_t shell_sum(const struct net_topology *topology, const bool *busy, uint32_t centre,
                          uint32_t wanted)
{
    uint32_t histogram[CELLS_MAX] = {0};
    uint32_t left = wanted;
    uint64_t sum = 0;

    for (uint32_t i = 0; i < topology->terminals; i++)
        if (!busy[i])
            histogram[net_topology_distance(topology, centre, i)]++;
    for (uint32_t distance = 0; left > 0; distance++) {
        uint32_t used = histogram[distance] < left ? histogram[distance] : left;
        sum += (uint64_t)used * distance;
        left -= used;
    }
    return sum;
}

static uint64_t pair_sum(const struct map_partition *partition, const struct net_topology *topology)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < partition->count; i++)
        for (uint32_t k = 0; k < i; k++)
            sum += net_topology_distance(topology, partition->terminal[i], partition->terminal[k]);
    return sum;
}

/* On a king network shells are distances: from some free centre the partition has the least sum that any
 * centre gives. Gen-Alg is no worse than the nearest nodes around any centre, by all pairs. */
static void centres_are_the_best(void **state)
{
    static const char *const networks[] = {"king-mesh:9x8", "king-torus:9x7"};
    (void)state;

    for (uint64_t seed = 1; seed < 80; seed++) {
        struct net_topology *topology = network(networks[seed % 2]);
        bool busy[CELLS_MAX] = {false};
        struct map_demand demand = {topology, busy, 1 + (uint32_t)(seed % 23), 1};
        uint64_t least = UINT64_MAX, own = UINT64_MAX;
        struct map_partition *shells, *pairs;

        occupy(busy, topology->terminals, seed);
        shells = map_partition_new("mc1x1", &demand, NULL, NULL);
        pairs = map_partition_new("gen-alg", &demand, NULL, NULL);
        assert_int_equal(shells == NULL, pairs == NULL);
        for (uint32_t centre = 0; shells != NULL && centre < topology->terminals; centre++) {
            uint64_t sum = 0, best = shell_sum(topology, busy, centre, demand.ranks);
            for (uint32_t i = 0; i < shells->count; i++)
                sum += net_topology_distance(topology, centre, shells->terminal[i]);
            if (!busy[centre] && best < least)
                least = best;
            if (!busy[centre] && sum < own)
                own = sum;
        }
        if (shells != NULL) {
            assert_int_equal(own, least);
            assert_true(pair_sum(pairs, topology) <= pair_sum(shells, topology) * 21 / 20);
        }
        map_partition_free(shells);
        map_partition_free(pairs);
        net_topology_free(topology);
    }
}

/* On an empty machine whose sides are powers of two, every run of a curve is in one piece; MC is its
 * rectangle; and the best a network has to give for some sizes is known. */
static void empty_machines_give_the_obvious(void **state)
{
    struct net_topology *topology = network("mesh:16x16"), *king = network("king-mesh:9x9");
    (void)state;

    for (uint32_t ranks = 1; ranks <= 256; ranks += 3) {
        struct map_demand demand = {topology, NULL, ranks, 1};
        struct map_partition *hilbert = map_partition_new("hilbert", &demand, NULL, NULL);
        struct map_partition *snake = map_partition_new("snake", &demand, NULL, NULL);
        struct map_partition *mbs = map_partition_new("mbs", &demand, NULL, NULL);

        assert_int_equal(pieces(hilbert, topology), 1);
        assert_int_equal(pieces(snake, topology), 1);
        assert_int_equal(mbs->count, ranks);
        map_partition_free(hilbert);
        map_partition_free(snake);
        map_partition_free(mbs);
    }
    for (uint32_t side = 1; side <= 9; side += 2) {
        struct map_demand demand = {king, NULL, side * side, 1};
        struct map_partition *square = map_partition_new("odd-square", &demand, NULL, NULL);
        struct map_partition *shells = map_partition_new("mc1x1", &demand, NULL, NULL);
        struct map_partition *mc = map_partition_new("mc", &demand, NULL, NULL);

        assert_int_equal(square->count, side * side);
        assert_int_equal(pair_sum(shells, king), pair_sum(square, king)); /* shells are the odd squares */
        assert_int_equal(pair_sum(mc, king), pair_sum(square, king));
        map_partition_free(square);
        map_partition_free(shells);
        map_partition_free(mc);
    }
    net_topology_free(topology);
    net_topology_free(king);
}

/* A curve with holes: best takes the shortest run that is long enough, first the first, list whatever comes.
 */
static void runs_along_a_line(void **state)
{
    struct net_topology *topology = network("mesh:20");
    static const char taken[] = "....xx..x...x....x.x";
    static const struct {
        const char *text;
        uint32_t ranks, first, last;
    } cases[] = {{"row", 3, 9, 11},          {"row,fit=first", 3, 0, 2},
                 {"row", 4, 0, 3},           {"row,fit=list", 5, 0, 6},
                 {"row", 2, 6, 7},           {"row", 5, 6, 11},
                 {"row,fit=first", 1, 0, 0}, {"row,fit=best", 1, 18, 18},
                 {"snake", 3, 9, 11}};
    bool busy[20];
    (void)state;

    for (size_t i = 0; i < 20; i++)
        busy[i] = taken[i] == 'x';
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct map_demand demand = {topology, busy, cases[i].ranks, 1};
        struct map_partition *partition = map_partition_new(cases[i].text, &demand, NULL, NULL);

        assert_non_null(partition);
        assert_int_equal(partition->terminal[0], cases[i].first);
        assert_int_equal(partition->terminal[partition->count - 1], cases[i].last);
        map_partition_free(partition);
    }
    net_topology_free(topology);
}

/* ---- Measures and files ---- */

static char scratch[4096];

static struct map_partition *from_file(const char *text, struct net_topology *topology, const bool *busy,
                                       uint32_t ranks, struct base_error *error)
{
    struct map_demand demand = {topology, busy, ranks, 1};
    char name[sizeof scratch + 8];
    FILE *file = fopen(scratch, "w");

    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    snprintf(name, sizeof name, "file:%s", scratch);
    return map_partition_new(name, &demand, NULL, error);
}

/* 3x3 of a king mesh: 20 pairs at distance 1, 16 at 2. In a corner of 9x9 it leaves 72, of which 9x6 in one
 * rectangle. Four corners are four pieces, 8 apart each, and the rectangle around them is the machine. */
static void measures_by_hand(void **state)
{
    struct net_topology *topology = network("king-mesh:9x9"), *torus = network("king-torus:9x9");
    struct map_demand demand = {topology, NULL, 8, 1};
    struct map_partition *partition = map_partition_new("odd-square", &demand, NULL, NULL);
    struct map_partition_metrics metrics;
    (void)state;

    assert_int_equal(map_partition_measure(partition, topology, NULL, &metrics, NULL), 0);
    assert_int_equal(metrics.components, 1);
    assert_int_equal(metrics.idle, 1);
    assert_int_equal(metrics.foreign, 0);
    assert_true(metrics.mean_distance > 52.0 / 36 - 1e-9 && metrics.mean_distance < 52.0 / 36 + 1e-9);
    assert_true(metrics.fragmentation > 0.25 - 1e-9 && metrics.fragmentation < 0.25 + 1e-9);
    map_partition_free(partition);

    partition = from_file("# the corners\n0, 8\n72 80", topology, NULL, 4, NULL);
    assert_non_null(partition);
    assert_int_equal(map_partition_measure(partition, topology, NULL, &metrics, NULL), 0);
    assert_int_equal(metrics.components, 4);
    assert_int_equal(metrics.idle, 0);
    assert_int_equal(metrics.foreign, 77);
    assert_true(metrics.mean_distance == 8);
    assert_true(metrics.fragmentation > 1 - 63.0 / 77 - 1e-9 && metrics.fragmentation < 1 - 63.0 / 77 + 1e-9);
    map_partition_free(partition);

    /* Around the edges of a torus they are one square of 2x2, and one piece. */
    partition = from_file("0 8 72 80", torus, NULL, 4, NULL);
    assert_int_equal(map_partition_measure(partition, torus, NULL, &metrics, NULL), 0);
    assert_int_equal(metrics.components, 1);
    assert_int_equal(metrics.foreign, 0);
    assert_true(metrics.mean_distance == 1);
    map_partition_free(partition);
    partition = from_file("0 3 36", torus, NULL, 3, NULL);
    assert_int_equal(map_partition_measure(partition, torus, NULL, &metrics, NULL), 0);
    assert_int_equal(metrics.foreign, 4 * 5 - 3);
    map_partition_free(partition);
    net_topology_free(topology);
    net_topology_free(torus);
}

static void wrong(const char *text, struct net_topology *topology, const bool *busy, const char *sentence)
{
    struct base_error error = {0};

    assert_null(from_file(text, topology, busy, 3, &error));
    assert_int_equal(error.status, BASE_INPUT);
    if (strstr(error.text, sentence) == NULL)
        fail_msg("'%s': %s", text, error.text);
}

static void files_are_checked(void **state)
{
    struct net_topology *topology = network("mesh:4x4"), *wide = network("mesh:2x2,concentration=4");
    bool busy[16] = {[5] = true};
    struct map_partition *partition = from_file("3-1", topology, NULL, 1, NULL);
    (void)state;

    assert_null(partition);
    wrong("1 2\n3 x", topology, NULL, "line 2, column 3: neither a terminal nor a range of them");
    wrong("1 2 16", topology, NULL, "line 1, column 5: there is no such terminal");
    wrong("1 2 1", topology, NULL, "line 1, column 5: the terminal is listed already");
    wrong("1 2\n 9-7", topology, NULL, "line 2, column 2: the range ends before it begins");
    wrong("1 2 3a", topology, NULL, "neither a terminal");
    wrong("1,4-6", topology, busy, "line 1, column 3: the terminal is another job's");
    wrong("1 2", topology, NULL, "lists 2 terminals, but the job needs 3");
    wrong("", topology, NULL, "lists 0 terminals");
    wrong("99999999999999999999999", topology, NULL, "there is no such terminal");
    partition = from_file("\t15,0-2 # and so on 3\n", topology, NULL, 3, NULL);
    assert_non_null(partition);
    assert_int_equal(partition->count, 4);
    assert_int_equal(partition->terminal[3], 15);
    map_partition_free(partition);
    partition = from_file("0-3 4 5 6 7", wide, NULL, 3, NULL);
    assert_non_null(partition);
    assert_int_equal(partition->count, 8);
    map_partition_free(partition);
    net_topology_free(topology);
    net_topology_free(wide);
}

/* One after the other, and the measuring. */
static int attempt(void *state)
{
    const char *text = state;
    static struct net_topology *topology;
    bool busy[81] = {[3] = true, [8] = true};
    struct map_partition_metrics metrics;
    struct map_demand demand;
    struct map_partition *partition;
    struct base_error error;
    int status;

    if (topology == NULL)
        topology = network("king-mesh:9x9");
    demand = (struct map_demand){topology, busy, 11, 1};
    partition = map_partition_new(text, &demand, NULL, &error);
    if (partition == NULL)
        return -1;
    status = map_partition_measure(partition, topology, busy, &metrics, &error);
    map_partition_free(partition);
    return status;
}

static void memory_may_run_out(void **state)
{
    size_t count;
    const struct map_allocator *const *all = map_allocators(&count);
    struct net_topology *topology = network("king-mesh:9x9");
    char name[sizeof scratch + 8];
    (void)state;

    (void)attempt((void *)(uintptr_t) "random"); /* makes the network */
    for (size_t i = 0; i < count; i++)
        if (!all[i]->reads_file)
            assert_true(fail_alloc_each(attempt, (void *)(uintptr_t)all[i]->name) > 4);
    map_partition_free(from_file("10-20", topology, NULL, 11, NULL));
    snprintf(name, sizeof name, "file:%s", scratch);
    assert_true(fail_alloc_each(attempt, name) > 4);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_obey_the_laws),    cmocka_unit_test(groups_are_whole),
        cmocka_unit_test(the_whole_machine),    cmocka_unit_test(impossible_demands_are_refused),
        cmocka_unit_test(windows_are_the_best), cmocka_unit_test(buddies_are_aligned),
        cmocka_unit_test(centres_are_the_best), cmocka_unit_test(empty_machines_give_the_obvious),
        cmocka_unit_test(runs_along_a_line),    cmocka_unit_test(measures_by_hand),
        cmocka_unit_test(files_are_checked),    cmocka_unit_test(memory_may_run_out),
    };
    const char *directory = getenv("TMPDIR");
    int failed;

    snprintf(scratch, sizeof scratch, "%.4000s/partition-%ld", directory != NULL ? directory : "/tmp",
             (long)getpid());
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(scratch);
    return failed;
}
