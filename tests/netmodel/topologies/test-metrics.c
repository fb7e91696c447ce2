/* Exact properties: the closed forms of doc/networks.md, every row of the shared golden table for our
 * families, and bisections against all cuts of small networks and a search for better cuts of larger ones. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/one-way.h"
#include "tests/brief.h"
#include "netmodel/topologies/mway.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

static struct net_metrics metrics_of(const struct net_topology *topology)
{
    struct net_metrics metrics;
    struct base_error error = {0};
    if (net_topology_metrics(topology, &metrics, &error) != 0)
        fail_msg("%s", error.text);
    return metrics;
}

static struct net_metrics metrics_of_text(const char *family, uint32_t sx, uint32_t sy)
{
    char text[64];
    struct net_topology *topology;
    struct net_metrics metrics;
    snprintf(text, sizeof text, "%s:%ux%u", family, sx, sy);
    topology = cases_topology(text);
    metrics = metrics_of(topology);
    net_topology_free(topology);
    return metrics;
}

static void expect(const char *family, uint32_t s, uint64_t links, uint32_t diameter, uint64_t distance_sum,
                   uint64_t bisection)
{
    struct net_metrics metrics = metrics_of_text(family, s, s);
    double routers = (double)s * s;
    assert_int_equal(metrics.links, links);
    assert_int_equal(metrics.diameter, diameter);
    assert_int_equal(metrics.distance_sum, distance_sum);
    assert_int_equal(metrics.bisection_channels, bisection);
    assert_true(fabs(metrics.mean_distance - (double)distance_sum / (routers * (routers - 1))) < 1e-12);
    assert_true(fabs(metrics.mean_distance_with_self - (double)distance_sum / (routers * routers)) < 1e-12);
    net_metrics_free(&metrics);
}

/* The formulas of the table, times s^4 so that they are whole numbers. */
static void closed_forms_of_squares(void **state)
{
    (void)state;
    for (uint32_t s = 2; s <= 40; s++) {
        uint64_t n = s, square = n * n, cube = square * n, odd = n % 2;
        expect("mesh", s, 4 * n * (n - 1), 2 * (s - 1), 2 * cube * (square - 1) / 3, 2 * n + 2 * odd);
        expect("torus", s, 4 * square, s / 2 * 2, cube * (square - odd) / 2, 4 * n + 4 * odd);
        expect("king-mesh", s, 4 * (n - 1) * (2 * n - 1), s - 1, n * (square - 1) * (7 * square + 2) / 15,
               6 * n - (odd ? 2 : 4));
        expect("king-torus", s, 8 * square, s / 2,
               odd ? cube * (square - 1) / 3 : cube * (2 * square + 1) / 6, s == 2 ? 16 : 12 * n + 4 * odd);
    }
}

static void closed_forms_of_rectangles(void **state)
{
    (void)state;
    for (uint32_t sx = 2; sx <= 9; sx++)
        for (uint32_t sy = 2; sy <= 9; sy++) {
            static const char *const families[] = {"mesh", "torus", "king-mesh", "king-torus"};
            uint32_t larger = sx > sy ? sx : sy, inner = 4 * (sx - 1) * (sy - 1), routers = sx * sy;
            uint32_t mesh_links = 2 * ((sx - 1) * sy + sx * (sy - 1));
            const uint32_t links[] = {mesh_links, 4 * routers, mesh_links + inner, 8 * routers};
            const uint32_t diameters[] = {sx + sy - 2, sx / 2 + sy / 2, larger - 1, larger / 2};
            for (size_t i = 0; i < 4; i++) {
                struct net_metrics metrics = metrics_of_text(families[i], sx, sy);
                assert_int_equal(metrics.links, links[i]);
                assert_int_equal(metrics.diameter, diameters[i]);
                net_metrics_free(&metrics);
            }
        }
}

/* Counted on paper: links out of a router, and different neighbours. */
static void degrees_and_neighbours(void **state)
{
    static const struct {
        const char *text;
        uint32_t degree_min, degree_max, neighbours_min, neighbours_max;
    } cases[] = {
        {"mesh:2x2", 2, 2, 2, 2},       {"mesh:3x3", 2, 4, 2, 4},       {"mesh:8", 1, 2, 1, 2},
        {"mesh:3x3x3", 3, 6, 3, 6},     {"torus:2", 2, 2, 1, 1},        {"torus:2x2", 4, 4, 2, 2},
        {"torus:4x2", 4, 4, 3, 3},      {"torus:5x5", 4, 4, 4, 4},      {"king-mesh:2x2", 3, 3, 3, 3},
        {"king-mesh:8x2", 3, 5, 3, 5},  {"king-mesh:3x3", 3, 8, 3, 8},  {"king-torus:2x2", 8, 8, 3, 3},
        {"king-torus:8x2", 8, 8, 5, 5}, {"king-torus:3x3", 8, 8, 8, 8}, {"king-torus:1x2", 2, 2, 1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        struct net_metrics metrics = metrics_of(topology);
        assert_int_equal(metrics.degree_min, cases[i].degree_min);
        assert_int_equal(metrics.degree_max, cases[i].degree_max);
        assert_int_equal(metrics.in_degree_min, cases[i].degree_min);
        assert_int_equal(metrics.in_degree_max, cases[i].degree_max);
        assert_int_equal(metrics.neighbours_min, cases[i].neighbours_min);
        assert_int_equal(metrics.neighbours_max, cases[i].neighbours_max);
        net_metrics_free(&metrics);
        net_topology_free(topology);
    }
}

/* The fields of the golden table, by column. */
enum {
    FAMILY,
    PARAMETERS,
    VERTICES,
    LINKS = 4,
    OUT_MIN = 6,
    OUT_MAX,
    IN_MIN,
    IN_MAX,
    NEIGHBOURS_MIN,
    NEIGHBOURS_MAX,
    DIAMETER,
    DISTANCE_SUM,
    MEAN_WITH_SELF,
    MEAN,
    HISTOGRAM,
    STRAIGHT_CUT = 18,
    BISECTION = 25,
    BISECTION_KIND
};

static void check_histogram(const struct net_metrics *metrics, const char *text)
{
    uint32_t distance = 0;
    for (; *text != '\0'; distance++) {
        char expected[64];
        int length = snprintf(expected, sizeof expected, "%u:%llu", distance,
                              (unsigned long long)metrics->histogram[distance]);
        assert_int_equal(strncmp(text, expected, (size_t)length), 0);
        text += length;
        text += *text == ' ';
    }
    assert_int_equal(distance, metrics->diameter + 1);
}

/* Links between low and high coordinates of the dimension that the table cuts: y of squares, x of rectangles.
 */
static uint64_t straight_cut(const struct net_topology *topology, uint32_t d)
{
    uint64_t cut = 0;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        uint32_t from[2], to[2];
        uint32_t half = topology->grid->sides[d] / 2;
        net_topology_coordinates(topology, topology->links[l].source, from);
        net_topology_coordinates(topology, topology->links[l].target, to);
        cut += (from[d] < half) != (to[d] < half);
    }
    return cut;
}

static void check_numbers(const struct net_topology *topology, const struct net_metrics *metrics,
                          char *const *field)
{
    assert_int_equal(topology->routers, atoi(field[VERTICES]));
    assert_int_equal(metrics->links, atoi(field[LINKS]));
    assert_int_equal(metrics->degree_min, atoi(field[OUT_MIN]));
    assert_int_equal(metrics->degree_max, atoi(field[OUT_MAX]));
    assert_int_equal(metrics->in_degree_min, atoi(field[IN_MIN]));
    assert_int_equal(metrics->in_degree_max, atoi(field[IN_MAX]));
    assert_int_equal(metrics->neighbours_min, atoi(field[NEIGHBOURS_MIN]));
    assert_int_equal(metrics->neighbours_max, atoi(field[NEIGHBOURS_MAX]));
    assert_int_equal(metrics->diameter, atoi(field[DIAMETER]));
    assert_int_equal(metrics->distance_sum, atoll(field[DISTANCE_SUM]));
    assert_true(fabs(metrics->mean_distance_with_self - atof(field[MEAN_WITH_SELF])) < 0.51e-6);
    assert_true(fabs(metrics->mean_distance - atof(field[MEAN])) < 0.51e-6);
}

static void check_row(char *const *field)
{
    uint32_t sx, sy;
    char text[64];
    bool square = sscanf(field[PARAMETERS], "s=%u", &sx) == 1;
    if (square)
        sy = sx;
    else
        assert_int_equal(sscanf(field[PARAMETERS], "sx=%u sy=%u", &sx, &sy), 2);
    cases_golden_text(text, sizeof text, field[FAMILY], sx, sy);
    struct net_topology *topology = cases_topology(text);
    struct net_metrics metrics = metrics_of(topology);
    check_numbers(topology, &metrics, field);
    check_histogram(&metrics, field[HISTOGRAM]);
    assert_int_equal(straight_cut(topology, square), atoi(field[STRAIGHT_CUT]));
    if (*field[BISECTION] != '\0') {
        assert_int_equal(metrics.bisection_channels, atoi(field[BISECTION]));
        assert_true(metrics.bisection_exact || strcmp(field[BISECTION_KIND], "exact") != 0);
    }
    net_metrics_free(&metrics);
    net_topology_free(topology);
}

static bool is_ours(const char *family)
{
    return strcmp(family, "mesh") == 0 || strcmp(family, "torus") == 0 || strcmp(family, "king-mesh") == 0 ||
           strcmp(family, "king-torus") == 0 || strncmp(family, "diagonal-", 9) == 0;
}

/* "p=2 k=4", "W=4", "D=3 W=4": the networks of one-way links. */
static bool one_way_text(char text[64], char *const *field)
{
    uint32_t first = 2;
    uint32_t second;
    if (strcmp(field[FAMILY], "shufflenet") == 0 &&
        sscanf(field[PARAMETERS], "p=%u k=%u", &first, &second) == 2)
        snprintf(text, 64, "shufflenet:%u,%u", first, second);
    else if (strncmp(field[FAMILY], "MSN", 3) == 0 && sscanf(field[PARAMETERS], "W=%u", &second) == 1)
        snprintf(text, 64, "manhattan:%ux%u", second, second);
    else if (strcmp(field[FAMILY], "D-ARM") == 0 &&
             sscanf(field[PARAMETERS], "D=%u W=%u", &first, &second) == 2)
        for (uint32_t d = 0, length = (uint32_t)snprintf(text, 64, "darm"); d < first; d++)
            length += (uint32_t)snprintf(text + length, 64 - length, "%c%u", d == 0 ? ':' : 'x', second);
    else
        return false;
    return true;
}

/* Cuts of a D-ARM are exact here where the table has the best that a search found; those of larger ShuffleNets are the
 * best known on either side. */
static void check_one_way(const char *text, char *const *field)
{
    struct net_topology *topology = cases_topology(text);
    struct net_metrics metrics = metrics_of(topology);
    check_numbers(topology, &metrics, field);
    check_histogram(&metrics, field[HISTOGRAM]);
    if (*field[HISTOGRAM + 1] != '\0')
        assert_int_equal(topology->one_way->cost_max, atoi(field[HISTOGRAM + 1]));
    if (*field[BISECTION] != '\0')
        assert_int_equal(metrics.bisection_channels, atoi(field[BISECTION]));
    net_metrics_free(&metrics);
    net_topology_free(topology);
}

static void golden_rows(void **state)
{
    FILE *golden = cases_open_golden("exact-metrics.csv");
    char line[8192], text[64];
    char *field[CASES_FIELDS];
    unsigned rows = 0, one_way = 0;
    (void)state;
    if (golden == NULL) {
        print_message("skipped: no shared folder with golden/exact-metrics.csv\n");
        skip();
    }
    uint32_t part = brief_step("rows", 4);
    while (fgets(line, sizeof line, golden) != NULL) {
        if (cases_split(line, field) <= BISECTION_KIND)
            continue;
        if (one_way_text(text, field) && one_way++ % part == 0)
            check_one_way(text, field);
        if (!is_ours(field[FAMILY]))
            continue;
        if (rows++ % part == 0)
            check_row(field);
    }
    fclose(golden);
    assert_int_equal(rows, 164);
    assert_int_equal(one_way, 44);
}

/* The same numbers from the links alone: a kind without closed forms and symmetries. */
static void searches_agree(const struct net_topology *topology, void *context)
{
    const uint64_t *routers_max = context; /* of networks to look at; NULL: no limit */
    struct net_metrics closed = metrics_of(topology);
    struct net_metrics searched;
    struct net_topology_kind bare = *topology->kind;
    struct net_topology copy = *topology;
    /* Channels are the routers of a mesh or torus that has its turn, wherever their processors are, and trying
     * all cuts of those once is enough. */
    if ((topology->shared != NULL && (topology->terminals != topology->routers || topology->routers > 16)) ||
        (routers_max != NULL && topology->routers > *routers_max)) {
        net_metrics_free(&closed);
        return;
    }
    bare.diameter = NULL;
    bare.histogram = NULL;
    bare.alike = NULL;
    bare.distance = NULL;
    bare.bisection = NULL;
    copy.kind = &bare;
    searched = metrics_of(&copy);
    assert_int_equal(searched.diameter, closed.diameter);
    assert_int_equal(searched.distance_sum, closed.distance_sum);
    assert_memory_equal(searched.histogram, closed.histogram,
                        (closed.diameter + 1) * sizeof *closed.histogram);
    assert_int_equal(searched.terminal_diameter, closed.terminal_diameter);
    assert_true(searched.mean_terminal_distance == closed.mean_terminal_distance);
    if (topology->routers > 1)
        assert_int_equal(net_topology_distance(&copy, 0, topology->routers - 1),
                         net_topology_distance(topology, 0, topology->routers - 1));
    if (topology->multistage == NULL) { /* whose halves are of processors, the cells on either side */
        if (searched.bisection_exact && closed.bisection_exact)
            assert_int_equal(searched.bisection_channels, closed.bisection_channels);
        assert_true(searched.bisection_channels >= closed.bisection_channels);
    }
    net_metrics_free(&closed);
    net_metrics_free(&searched);
}

static void closed_forms_are_what_searches_find(void **state)
{
    (void)state;
    uint64_t routers_max = brief_count("routers of the largest network", 64, 3);
    cases_each_topology(searches_agree, &routers_max);
    cases_each_graph(searches_agree, &routers_max);
}

/* ---- networks of machines, by a table made by brute force ---- */

enum indirect_column {
    NAME,
    TERMINALS,
    ROUTERS,
    DIRECTED_LINKS,
    DEGREE_MIN,
    DEGREE_MAX,
    ROUTER_DIAMETER,
    ROUTER_MEAN,
    TERMINAL_DIAMETER,
    TERMINAL_MEAN
};

/* "4,4,8" as "4x4x8". */
static void write_list(char *text, size_t size, const char *list)
{
    size_t used = strlen(text);
    for (; *list != '\0' && used + 1 < size; list++)
        text[used++] = *list == ',' ? 'x' : *list;
    text[used] = '\0';
}

/* "xgft 2;8,4;1,2", "dragonfly:2,4,2 absolute", "hyperx:4x4 T=4 K=1", "slim-fly:3 (xi=2)" as we write them. */
static void indirect_text(char *text, size_t size, char *name)
{
    char *words[4] = {strtok(name, " "), strtok(NULL, " "), strtok(NULL, " "), strtok(NULL, " ")};
    snprintf(text, size, "%s", words[0]);
    if (strcmp(words[0], "xgft") == 0) {
        char *children = strchr(words[1], ';') + 1, *parents = strchr(children, ';');
        *parents++ = '\0';
        snprintf(text, size, "xgft:");
        write_list(text, size, children);
        strncat(text, "/", size - strlen(text) - 1);
        write_list(text, size, parents);
    } else if (words[2] != NULL) {
        snprintf(text, size, "%s,terminals=%s,width=%s", words[0], words[1] + 2, words[2] + 2);
    } else if (words[1] != NULL && strcmp(words[1], "absolute") == 0) {
        snprintf(text, size, "%s,arrangement=absolute", words[0]);
    }
}

static void check_indirect_row(char *const *field)
{
    char text[128];
    indirect_text(text, sizeof text, field[NAME]);
    struct net_topology *topology = cases_topology(text);
    struct net_metrics metrics = metrics_of(topology);
    assert_int_equal(topology->terminals, atoi(field[TERMINALS]));
    assert_int_equal(topology->routers, atoi(field[ROUTERS]));
    assert_int_equal(metrics.links, atoi(field[DIRECTED_LINKS]));
    assert_int_equal(metrics.degree_min, atoi(field[DEGREE_MIN]));
    assert_int_equal(metrics.degree_max, atoi(field[DEGREE_MAX]));
    assert_int_equal(metrics.in_degree_min, metrics.degree_min);
    assert_int_equal(metrics.in_degree_max, metrics.degree_max);
    assert_int_equal(metrics.diameter, atoi(field[ROUTER_DIAMETER]));
    assert_true(fabs(metrics.mean_distance - atof(field[ROUTER_MEAN])) < 0.51e-6);
    assert_int_equal(metrics.terminal_diameter, atoi(field[TERMINAL_DIAMETER]));
    assert_true(fabs(metrics.mean_terminal_distance - atof(field[TERMINAL_MEAN])) < 0.51e-6);
    net_metrics_free(&metrics);
    net_topology_free(topology);
}

static void golden_rows_of_indirect_networks(void **state)
{
    FILE *file = cases_open_golden("indirect-metrics.csv");
    char line[1024];
    char *field[CASES_FIELDS];
    unsigned rows = 0;
    (void)state;
    if (file == NULL)
        suite_skip("no shared folder with golden numbers");
    while (fgets(line, sizeof line, file) != NULL) {
        if (cases_split(line, field) < 11 || strcmp(field[NAME], "name") == 0)
            continue;
        check_indirect_row(field);
        rows++;
    }
    fclose(file);
    assert_int_equal(rows, 30);
}

/* By counting pairs of terminals one by one. */
static void terminals_agree(const struct net_topology *topology, void *context)
{
    uint64_t sum = 0;
    uint32_t largest = 0;
    (void)context;
    if (net_topology_is_ideal(topology) || topology->multistage != NULL ||
        net_shared_inside_routers(topology) || topology->terminals > 100)
        return;
    for (uint32_t a = 0; a < topology->terminals; a++)
        for (uint32_t b = 0; b < topology->terminals; b++) {
            uint32_t distance =
                net_topology_distance(topology, a / topology->concentration, b / topology->concentration);
            sum += distance;
            largest = distance > largest ? distance : largest;
        }
    struct net_metrics metrics = metrics_of(topology);
    double pairs = topology->terminals * (topology->terminals - 1.0);
    assert_true(fabs(metrics.mean_terminal_distance - (pairs > 0 ? (double)sum / pairs : 0)) < 1e-12);
    assert_int_equal(metrics.terminal_diameter, largest);
    net_metrics_free(&metrics);
}

static void terminals_are_as_far_as_their_routers(void **state)
{
    (void)state;
    cases_each_topology(terminals_agree, NULL);
    cases_each_graph(terminals_agree, NULL);
}

/* Every rectangle of at most 20 routers, and deeper arrays: the claimed minimum over all cuts. */
static void small_bisections_are_minimal(void **state)
{
    static const char *const deep[] = {"mesh:3x3x2",  "mesh:5x2x2",  "mesh:2x2x2x2", "mesh:2x2x3",
                                       "torus:3x3x2", "torus:5x2x2", "torus:2x2x3",  "torus:4x2x2",
                                       "mesh:20",     "torus:19"};
    static const char *const families[] = {"mesh", "torus", "king-mesh", "king-torus"};
    (void)state;
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        struct net_topology *topology = cases_topology(deep[i]);
        searches_agree(topology, NULL);
        net_topology_free(topology);
    }
    for (uint32_t sx = 2; sx <= 10; sx++)
        for (uint32_t sy = 2; sx * sy <= 20; sy++)
            for (size_t i = 0; i < 4; i++) {
                char text[64];
                snprintf(text, sizeof text, "%s:%ux%u", families[i], sx, sy);
                struct net_topology *topology = cases_topology(text);
                searches_agree(topology, NULL);
                net_topology_free(topology);
            }
}

/* The claimed number is not too small: with the longest side last, the first half of the routers against the
 * second is a cut that has it. */
static void claimed_cuts_exist(void **state)
{
    static const char *const texts[] = {
        "mesh:5x7",       "mesh:6x7",       "mesh:7x8",       "mesh:3x5x7",      "mesh:4x5x5",
        "mesh:2x3x4x5",   "torus:5x7",      "torus:6x7",      "torus:3x5x7",     "torus:4x5x5",
        "torus:2x3x4x5",  "king-mesh:5x7",  "king-mesh:6x7",  "king-mesh:7x8",   "king-mesh:30x31",
        "king-torus:5x7", "king-torus:6x7", "king-torus:7x8", "king-torus:30x31"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct net_metrics metrics = metrics_of(topology);
        uint64_t cut;
        bool exact;
        assert_int_equal(net_bisection_search(topology, &cut, &exact, NULL), 0);
        assert_int_equal(cut, metrics.bisection_channels);
        net_metrics_free(&metrics);
        net_topology_free(topology);
    }
}

/* Directed links that router r gains in the cut when it changes sides. */
static int32_t gain_of_moving(const struct net_topology *topology, const bool *second, uint32_t r)
{
    int32_t sum = 0;
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t l = topology->link_at[(size_t)r * topology->ports + port];
        if (l != NET_NONE)
            sum += second[topology->links[l].target] == second[r] ? 2 : -2;
    }
    return sum;
}

/* Swaps pairs across the cut as long as that makes it smaller; returns the cut that is left. */
static uint64_t descend(const struct net_topology *topology, bool *second)
{
    uint64_t cut = 0;
    bool better = true;
    for (uint32_t l = 0; l < topology->link_count; l++)
        cut += second[topology->links[l].source] != second[topology->links[l].target];
    while (better) {
        better = false;
        for (uint32_t a = 0; a < topology->routers; a++)
            for (uint32_t b = a + 1; b < topology->routers; b++) {
                if (second[a] == second[b])
                    continue;
                int32_t change = gain_of_moving(topology, second, a);
                second[a] = !second[a];
                change += gain_of_moving(topology, second, b);
                second[b] = !second[b];
                better = better || change < 0;
                cut = (uint64_t)((int64_t)cut + (change < 0 ? change : 0));
                if (change >= 0) {
                    second[a] = !second[a];
                    second[b] = !second[b];
                }
            }
    }
    return cut;
}

/* From twenty random halvings each. No proof, but a claim that is too large would soon be beaten. */
static void no_better_cut_is_found(void **state)
{
    static const char *const texts[] = {
        "mesh:6x6",       "mesh:7x7",       "torus:6x6",      "torus:7x7",     "mesh:3x4x5",
        "torus:4x4x4",    "king-mesh:6x6",  "king-mesh:7x7",  "king-mesh:5x8", "king-torus:6x6",
        "king-torus:7x7", "king-torus:8x5", "king-torus:12x2"};
    struct base_random random;
    (void)state;
    base_random_seed(&random, 1, 0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct net_metrics metrics = metrics_of(topology);
        uint32_t order[128];
        bool second[128];
        for (uint32_t start = 0; start < 20; start++) {
            for (uint32_t r = 0; r < topology->routers; r++)
                order[r] = r;
            base_random_shuffle(&random, order, topology->routers);
            for (uint32_t r = 0; r < topology->routers; r++)
                second[order[r]] = r < topology->routers / 2;
            assert_true(descend(topology, second) >= metrics.bisection_channels);
        }
        net_metrics_free(&metrics);
        net_topology_free(topology);
    }
}

/* Which bisections are proved, by kind and size. */
static void exactness_is_said(void **state)
{
    static const struct {
        const char *text;
        bool exact;
    } cases[] = {{"mesh:256x256", true},     {"torus:31x17x9", true},  {"king-torus:64x64", true},
                 {"king-torus:33x20", true}, {"king-torus:3x2", true}, {"king-mesh:11x11", true},
                 {"king-mesh:12x12", false}, {"king-mesh:1x99", true}, {"king-mesh:4x300", true},
                 {"king-mesh:64x64", false}, {"ideal:9", true},        {"mesh:1", true}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        struct net_metrics metrics = metrics_of(topology);
        assert_int_equal(metrics.bisection_exact, cases[i].exact);
        net_metrics_free(&metrics);
        net_topology_free(topology);
    }
}

static void one_router_and_none(void **state)
{
    static const char *const texts[] = {"mesh:1", "torus:1x1", "king-mesh:1x1", "ideal:7"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct net_metrics metrics = metrics_of(topology);
        assert_int_equal(metrics.links + metrics.diameter + metrics.distance_sum + metrics.bisection_channels,
                         0);
        assert_int_equal(metrics.degree_max, 0);
        assert_true(metrics.mean_distance == 0 && metrics.mean_distance_with_self == 0);
        assert_int_equal(metrics.histogram[0], topology->routers);
        net_metrics_free(&metrics);
        net_topology_free(topology);
    }
    net_metrics_free(NULL);
}

static uint32_t diameter_of_three(const struct net_topology *topology)
{
    (void)topology;
    return 3;
}

static void too_many_pairs(const struct net_topology *topology, uint64_t *pairs)
{
    (void)topology;
    pairs[3] = UINT64_MAX / 2;
}

/* What the links of the narrowest of all cuts carry: a bit of `members` a router, the last one's is 0. */
static uint64_t narrowest_cut(const struct net_topology *topology, uint64_t whole)
{
    uint32_t n = topology->routers;
    uint64_t least = UINT64_MAX;
    for (uint32_t members = 0; members < UINT32_C(1) << (n - 1); members++) {
        uint32_t size = (uint32_t)__builtin_popcount(members);
        uint64_t sum = 0;
        if (size != n / 2 && size != n - n / 2)
            continue;
        for (uint32_t l = 0; l < topology->link_count; l++) {
            const struct net_link *link = &topology->links[l];
            if ((members >> link->source & 1) != (members >> link->target & 1))
                sum += whole / (link->flit_cycles > 1 ? link->flit_cycles : 1);
        }
        least = sum < least ? sum : least;
    }
    return least;
}

/* Of links of one width it is their number; of several the best cut known, which for these is the narrowest. */
static void capacities_of_cuts(void **state)
{
    static const char *const texts[] = {"mesh:4x4,widths=1x1/2",        "mesh:4x4,widths=1/2x1",
                                        "torus:4x3,widths=1/4x1",       "torus:2x2x4,widths=1x1/2x1",
                                        "king-mesh:4x4,widths=1x1/3x1", "torus:4x4,widths=1/3x1/3",
                                        "mesh:6x2,widths=1x1/8"};
    struct base_error error;
    struct net_topology *plain = cases_topology("torus:4x4");
    uint64_t capacity;
    bool exact;
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        assert_int_equal(net_topology_bisection_capacity(topology, 240, &capacity, &exact, &error), 0);
        assert_int_equal(capacity, narrowest_cut(topology, 240));
        assert_false(exact);
        net_topology_free(topology);
    }
    assert_int_equal(net_topology_bisection_capacity(plain, 240, &capacity, &exact, &error), 0);
    assert_int_equal(capacity, 16 * 240);
    assert_true(exact);
    net_topology_free(plain);
}

/* Random latencies and widths on the links of a network, and the quickest paths by Floyd and Warshall. */
static void draw_links(struct net_topology *topology, uint64_t seed)
{
    struct base_random random;
    struct net_link *links = (struct net_link *)topology->links; /* the topology is not shared */
    base_random_seed(&random, 5, seed);
    for (uint32_t l = 0; l < topology->link_count; l++) {
        links[l].latency = (uint16_t)base_random_below(&random, 9);
        links[l].flit_cycles = (uint16_t)base_random_below(&random, 4);
    }
    topology->own_latencies = topology->narrow_links = true;
}

static uint64_t slow_latencies(const struct net_topology *topology, uint32_t link_cycles, uint64_t *most)
{
    uint32_t n = topology->routers;
    uint64_t *cycles = malloc((size_t)n * n * sizeof *cycles);
    uint64_t sum = 0;
    assert_non_null(cycles);
    for (uint32_t i = 0; i < n * n; i++)
        cycles[i] = i % (n + 1) == 0 ? 0 : UINT32_MAX;
    for (uint32_t l = 0; l < topology->link_count; l++) {
        const struct net_link *link = &topology->links[l];
        uint64_t *way = &cycles[link->source * n + link->target];
        uint32_t width = link->flit_cycles > 1 ? link->flit_cycles : 1;
        uint64_t crossing = (link->latency > 0 ? link->latency : link_cycles) + width - 1;
        *way = crossing < *way ? crossing : *way;
    }
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n * n; i++) {
            uint64_t by = cycles[i / n * n + k] + cycles[k * n + i % n];
            cycles[i] = by < cycles[i] ? by : cycles[i];
        }
    *most = 0;
    for (uint32_t i = 0; i < n * n; i++) {
        sum += cycles[i];
        *most = cycles[i] > *most ? cycles[i] : *most;
    }
    free(cycles);
    return sum;
}

static void latencies_are_those_of_the_quickest_paths(void **state)
{
    static const char *const texts[] = {"mesh:5x4", "king-torus:4x4", "ring:9", "manhattan:4x4",
                                        "full-mesh:7"};
    (void)state;
    for (uint32_t i = 0; i < 5 * sizeof texts / sizeof *texts; i++) {
        struct net_topology *topology = cases_topology(texts[i / 5]);
        struct net_metrics metrics = {0};
        struct base_error error = {0};
        uint64_t most;
        assert_int_equal(net_topology_latencies(topology, 1, &metrics, &error), 0);
        assert_true(isnan(metrics.mean_latency));
        draw_links(topology, i);
        uint64_t sum = slow_latencies(topology, 1 + i % 3, &most);
        assert_int_equal(net_topology_latencies(topology, 1 + i % 3, &metrics, &error), 0);
        assert_int_equal(metrics.max_latency, most);
        assert_true(metrics.mean_latency ==
                    (double)sum / ((double)topology->routers * (topology->routers - 1)));
        net_topology_free(topology);
    }
}

/* Sums that do not fit, and networks that do not hang together, are named. */
static void impossible_metrics(void **state)
{
    struct net_topology *topology = cases_topology("mesh:2x2");
    struct net_topology_kind kind = *topology->kind;
    struct net_metrics metrics;
    struct base_error error = {0};
    (void)state;
    topology->kind = &kind;
    kind.diameter = diameter_of_three;
    kind.histogram = too_many_pairs;
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), -1);
    assert_non_null(strstr(error.text, "exceeds 64 bits"));
    kind.histogram = NULL;
    ((uint32_t *)(uintptr_t)topology->link_at)[0] = NET_NONE;
    ((uint32_t *)(uintptr_t)topology->link_at)[2] = NET_NONE;
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), -1);
    assert_non_null(strstr(error.text, "router 0 does not reach every other"));
    net_topology_free(topology);
}

static int make_metrics(void *topology)
{
    struct net_metrics metrics;
    struct base_error error = {0};
    if (net_topology_metrics(topology, &metrics, &error) != 0) {
        assert_int_equal(error.status, BASE_SYSTEM);
        return -1;
    }
    net_metrics_free(&metrics);
    return 0;
}

static void memory_runs_out(void **state)
{
    static const char *const texts[] = {"mesh:4x4", "king-mesh:5x5", "king-torus:3x2", "ideal:3"};
    (void)state;
    for (size_t i = 0; i < 4; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct net_topology_kind bare = *topology->kind;
        assert_true(fail_alloc_each(make_metrics, topology) >= 1);
        bare.histogram = NULL;
        topology->kind = &bare;
        assert_true(fail_alloc_each(make_metrics, topology) >= 1);
        net_topology_free(topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms_of_squares),
        cmocka_unit_test(closed_forms_of_rectangles),
        cmocka_unit_test(degrees_and_neighbours),
        cmocka_unit_test(golden_rows),
        cmocka_unit_test(golden_rows_of_indirect_networks),
        cmocka_unit_test(terminals_are_as_far_as_their_routers),
        cmocka_unit_test(closed_forms_are_what_searches_find),
        cmocka_unit_test(small_bisections_are_minimal),
        cmocka_unit_test(claimed_cuts_exist),
        cmocka_unit_test(no_better_cut_is_found),
        cmocka_unit_test(exactness_is_said),
        cmocka_unit_test(one_router_and_none),
        cmocka_unit_test(capacities_of_cuts),
        cmocka_unit_test(latencies_are_those_of_the_quickest_paths),
        cmocka_unit_test(impossible_metrics),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("metrics", tests, NULL, NULL);
}
