/* Path diversity against every row of the shared golden table, closed forms and an enumeration of all paths;
 * the squares of king networks. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

/* Shortest paths from one router to all; the caller frees the numbers. */
static double *paths_from(const struct net_topology *topology, uint32_t from, uint32_t *distances)
{
    uint32_t *queue = calloc(topology->routers, sizeof *queue);
    double *paths = calloc(topology->routers, sizeof *paths);
    assert_true(queue != NULL && paths != NULL);
    net_topology_paths(topology, from, distances, queue, paths);
    free(queue);
    return paths;
}

static struct net_metrics metrics_of(const struct net_topology *topology)
{
    struct net_metrics metrics;
    struct base_error error = {0};
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
    assert_int_equal(net_topology_path_diversity(topology, &metrics, &error), 0);
    return metrics;
}

/* ---- the golden table ---- */

/* Field 1 has "interior (33x33, centre source)" or "8x8 mesh from corner (0,0)", or a row is of "torus,s=8".
 */
struct row {
    char topology[64];
    uint32_t from, to, distance;
    double paths;
    bool average;
};

static void read_place(struct row *row, uint32_t side, uint32_t x, uint32_t y, int dx, int dy)
{
    int modulus = (int)side;
    row->from = y * side + x;
    row->to = (uint32_t)((((int)y + dy + modulus) % modulus) * modulus + ((int)x + dx + modulus) % modulus);
}

static bool read_row(char *line, struct row *row)
{
    static const char *const names[][2] = {
        {"dmesh_ne", "diagonal-mesh-NE"}, {"dmesh_se", "diagonal-mesh-SE"}, {"king", "king-mesh"}};
    char *field[CASES_FIELDS];
    uint32_t side = 0;
    if (cases_split(line, field) < 6 || strcmp(field[0], "topology") == 0)
        return false;
    const char *family = field[0];
    for (size_t i = 0; i < 3; i++)
        if (strcmp(family, names[i][0]) == 0)
            family = names[i][1];
    row->average = strstr(field[1], "AVERAGE") != NULL;
    row->distance = (uint32_t)atoi(field[4]);
    row->paths = atof(field[5]);
    if (sscanf(field[1], "interior (%ux", &side) == 1)
        read_place(row, side, side / 2, side / 2, atoi(field[2]), atoi(field[3]));
    else if (sscanf(field[1], "%ux", &side) == 1 || sscanf(field[1], "s=%u", &side) == 1)
        read_place(row, side, 0, 0, atoi(field[2]), atoi(field[3]));
    cases_golden_text(row->topology, sizeof row->topology, family, side, side);
    return true;
}

static void check_row(const struct row *row)
{
    struct net_topology *topology = cases_topology(row->topology);
    if (row->average) {
        struct net_metrics metrics = metrics_of(topology);
        assert_true(fabs(metrics.paths_mean - row->paths) < 0.51e-6);
        net_metrics_free(&metrics);
    } else {
        uint32_t *distances = calloc(topology->routers, sizeof *distances);
        assert_non_null(distances);
        double *paths = paths_from(topology, row->from, distances);
        assert_int_equal(distances[row->to], row->distance);
        assert_true(paths[row->to] == row->paths);
        free(paths);
        free(distances);
    }
    net_topology_free(topology);
}

static void golden_rows(void **state)
{
    FILE *golden = cases_open_golden("path-diversity.csv");
    char line[1024];
    unsigned rows = 0, averages = 0;
    struct row row;
    (void)state;
    if (golden == NULL) {
        print_message("skipped: no shared folder with golden/path-diversity.csv\n");
        skip();
    }
    while (fgets(line, sizeof line, golden) != NULL)
        if (read_row(line, &row)) {
            check_row(&row);
            rows++;
            averages += row.average;
        }
    fclose(golden);
    assert_int_equal(rows, 117);
    assert_int_equal(averages, 9);
}

/* ---- closed forms ---- */

/* [x^k] (1/x + 1 + x)^n, or without 1/x, the binomial: a row of coefficients, n times multiplied. */
static double coefficient(uint32_t n, uint32_t k, bool trinomial)
{
    double now[64] = {0}, next[64] = {0};
    now[32] = 1;
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t at = 1; at < 63; at++)
            next[at] = now[at - 1] + now[at] + (trinomial ? now[at + 1] : 0);
        memcpy(now, next, sizeof now);
    }
    return now[32 + k];
}

/* Far from borders: mesh C(|dx|+|dy|, |dx|); king T(max, min); diagonal C(max, |dx| - |dy|) where it helps.
 */
static void interior_numbers_are_the_closed_forms(void **state)
{
    static const char *const families[] = {"mesh", "king-mesh", "diagonal-mesh"};
    const int reach = 8, side = 33;
    (void)state;
    for (size_t f = 0; f < 3; f++) {
        char text[64];
        snprintf(text, sizeof text, "%s:%dx%d", families[f], side, side);
        struct net_topology *topology = cases_topology(text);
        uint32_t *distances = calloc(topology->routers, sizeof *distances);
        assert_non_null(distances);
        double *paths = paths_from(topology, (uint32_t)(16 * side + 16), distances);
        for (int dx = -reach; dx <= reach; dx++)
            for (int dy = -reach; dy <= reach; dy++) {
                uint32_t x = (uint32_t)abs(dx), y = (uint32_t)abs(dy);
                uint32_t large = x > y ? x : y, small = x > y ? y : x;
                double wanted = coefficient(x + y, x, false);
                if (f == 1)
                    wanted = coefficient(large, small, true);
                else if (f == 2 && dx * dy >= 0)
                    wanted = coefficient(large, large - small, false);
                assert_true(paths[(16 + dy) * side + 16 + dx] == wanted);
            }
        free(paths);
        free(distances);
        net_topology_free(topology);
    }
}

/* ---- enumeration ---- */

/* Walks of exactly `hops` links from a router to another, one after the other. */
static double count_walks(const struct net_topology *topology, uint32_t from, uint32_t to, uint32_t hops)
{
    double count = 0;
    if (hops == 0)
        return from == to;
    if (net_topology_distance(topology, from, to) > hops)
        return 0;
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t link = topology->link_at[(size_t)from * topology->ports + port];
        if (link != NET_NONE)
            count += count_walks(topology, topology->links[link].target, to, hops - 1);
    }
    return count;
}

/* On every kind; means and the most follow from the numbers of the pairs. */
static void compare(const struct net_topology *topology, void *context)
{
    if (topology->concentration > 1 || topology->routers > 24 || net_topology_is_ideal(topology))
        return;
    struct net_metrics metrics = metrics_of(topology);
    uint32_t *distances = calloc(topology->routers, sizeof *distances);
    double sum = 0, most = 0;
    assert_non_null(distances);
    uint32_t ends = net_topology_ends_of_paths(topology);
    for (uint32_t a = 0; a < ends; a++) {
        double *paths = paths_from(topology, a, distances);
        for (uint32_t b = 0; b < ends; b++) {
            assert_true(paths[b] == count_walks(topology, a, b, distances[b]));
            sum += a == b ? 0 : paths[b];
            most = a != b && paths[b] > most ? paths[b] : most;
        }
        free(paths);
    }
    double pairs = (double)ends * (ends - 1), weighted = 0;
    for (uint32_t k = 1; k <= metrics.diameter; k++)
        weighted += metrics.paths_at[k] * (double)metrics.histogram[k];
    assert_true(metrics.paths_max == most);
    assert_true(fabs(metrics.paths_mean - (pairs > 0 ? sum / pairs : 0)) < 1e-9);
    assert_true(fabs(weighted - sum) < 1e-6);
    assert_true(metrics.paths_at[0] == 1);
    free(distances);
    net_metrics_free(&metrics);
    ++*(unsigned *)context;
}

static void numbers_are_those_of_an_enumeration(void **state)
{
    unsigned compared = 0;
    (void)state;
    cases_each_topology(compare, &compared);
    assert_true(compared >= 100);
}

/* ---- squares ---- */

/* Every router is within the radius of exactly one centre. */
static void expect_tiling(const char *text, uint32_t radius, uint32_t squares)
{
    struct net_topology *topology = cases_topology(text);
    assert_int_equal(net_topology_squares(topology, radius), squares);
    for (uint32_t r = 0; r < topology->routers && squares > 0; r++) {
        unsigned near = 0;
        for (uint32_t i = 0; i < squares; i++)
            near +=
                net_topology_distance(topology, r, net_topology_square_centre(topology, radius, i)) <= radius;
        assert_int_equal(near, 1);
    }
    net_topology_free(topology);
}

static void squares_tile_king_networks(void **state)
{
    (void)state;
    expect_tiling("king-mesh:15x15", 1, 25);
    expect_tiling("king-mesh:15x15", 2, 9);
    expect_tiling("king-mesh:15x15", 3, 0);
    expect_tiling("king-mesh:15x15", 7, 1);
    expect_tiling("king-torus:15x15", 2, 9);
    expect_tiling("king-torus:9x15", 1, 15);
    expect_tiling("king-mesh:9x15", 2, 0);
    expect_tiling("king-mesh:8x8", 1, 0);
    expect_tiling("king-mesh:7x7", 0, 49);
    expect_tiling("mesh:15x15", 1, 0);
    expect_tiling("diagonal-mesh:15x15", 1, 0);
    expect_tiling("king-mesh:1x9", 1, 0);
    expect_tiling("ideal:9", 1, 0);
}

/* ---- limits ---- */

static void large_networks_are_not_counted(void **state)
{
    struct net_topology *topology = cases_topology("mesh:300x300");
    struct net_metrics metrics = metrics_of(topology);
    (void)state;
    assert_null(metrics.paths_at);
    net_metrics_free(&metrics);
    net_topology_free(topology);
}

static int count_paths(void *state)
{
    struct net_metrics metrics;
    struct base_error error = {0};
    int result = net_topology_metrics(state, &metrics, &error);
    if (result == 0)
        result = net_topology_path_diversity(state, &metrics, &error);
    net_metrics_free(&metrics);
    return result;
}

static void memory_runs_out(void **state)
{
    struct net_topology *topology = cases_topology("king-torus:5x5");
    (void)state;
    assert_true(fail_alloc_each(count_paths, topology) >= 4);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_rows),
        cmocka_unit_test(interior_numbers_are_the_closed_forms),
        cmocka_unit_test(numbers_are_those_of_an_enumeration),
        cmocka_unit_test(squares_tile_king_networks),
        cmocka_unit_test(large_networks_are_not_counted),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("paths", tests, NULL, NULL);
}
