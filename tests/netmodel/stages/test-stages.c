/* Omega and GLO networks as graphs: what the paper counts (the shared golden table), and its structure
 * against an enumeration that knows the shuffle of the paper's Definition 1 and no other number: paths,
 * names of links, conflicts of shifts, and the buses between two stages. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "netmodel/routing.h"
#include "netmodel/stages/multistage.h"
#include "tests/netmodel/cases.h"

static uint32_t power(uint32_t base, uint32_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* sigma(x) = (x m + floor(x / k)) mod (m k), of the m k links between two stages of k cells. */
static uint32_t shuffle(uint32_t x, uint32_t m, uint32_t k)
{
    return (x * m + x / k) % (m * k);
}

/* The links that a message crosses, as (level, p): found by looking at every digit, not by the target's. */
static bool seek(const struct net_multistage *multistage, uint32_t level, uint32_t cell, uint32_t target,
                 uint32_t *path, unsigned *found)
{
    uint32_t m = multistage->radix, k = multistage->cells;
    for (uint32_t digit = 0; digit < m; digit++) {
        uint32_t p = cell * m + digit;
        path[level] = p;
        if (level < multistage->stages)
            seek(multistage, level + 1, shuffle(p, m, k) / m, target, path, found);
        else if (p == target && ++*found == 1)
            memcpy(path + multistage->stages + 1, path, (multistage->stages + 1) * sizeof *path);
    }
    return *found > 0;
}

/* The one path of every pair, by the routing: over the links that the enumeration finds. Meets twice where
 * the names of links (i mod m^(S-k), floor(j / m^(S-k))) do not. */
static void check_path(const struct net_routing *routing, uint32_t i, uint32_t j)
{
    const struct net_topology *topology = routing->topology;
    const struct net_multistage *multistage = topology->multistage;
    uint32_t m = multistage->radix, stages = multistage->stages;
    uint32_t path[64] = {0};
    uint32_t router = i;
    unsigned found = 0;
    uint64_t header = routing->kind->start(routing, i, j, 0);
    struct net_route route;
    path[0] = i;
    assert_true(seek(multistage, 1, i % multistage->cells, j, path, &found));
    assert_int_equal(found, 1);
    for (uint32_t level = 0; level <= stages && i != j; level++) {
        assert_int_equal(routing->kind->route(routing, router, header, &route), 1);
        uint32_t port = (uint32_t)__builtin_ctzll(route.ports[0]);
        uint32_t link = topology->link_at[router * topology->ports + port];
        uint32_t p = level == 0 ? i : path[stages + 1 + level];
        assert_int_equal(link, net_multistage_link(multistage, level, p));
        assert_int_equal(net_multistage_level(multistage, link), level);
        assert_int_equal(net_multistage_p(multistage, link), p);
        if (level > 0) /* link (i m^level + floor(j / m^(S - level))) mod N */
            assert_int_equal(p, ((uint64_t)i * power(m, level) + j / power(m, stages - level)) %
                                    multistage->processors);
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[link].target;
    }
    assert_int_equal(router, j);
    assert_int_equal(routing->kind->route(routing, router, header, &route), 0);
}

static void paths_are_those_of_the_shuffle(void **state)
{
    static const char *const texts[] = {"omega:1,4", "omega:2,2", "omega:3,2",  "omega:4,2",
                                        "omega:3,3", "omega:2,4", "glo:3,2,2,2"};
    (void)state;
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct net_topology *topology = cases_topology(texts[t]);
        struct net_routing routing;
        assert_int_equal(net_routing_init(&routing, topology, NULL, 0, NULL), 0);
        for (uint32_t i = 0; i < topology->terminals; i++)
            for (uint32_t j = 0; j < topology->terminals; j++)
                check_path(&routing, i, j);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

/* Every link serves as many of the pairs as there are processors, and a shift puts no two messages on one. */
static void links_are_shared_evenly(void **state)
{
    static const uint32_t sizes[][2] = {{2, 2}, {3, 2}, {4, 2}, {3, 3}, {2, 4}};
    (void)state;
    for (size_t t = 0; t < sizeof sizes / sizeof *sizes; t++) {
        uint32_t stages = sizes[t][0], m = sizes[t][1], n = power(m, stages);
        uint32_t *pairs = calloc((size_t)n * (stages + 1), sizeof *pairs);
        uint32_t *shifts = calloc((size_t)n * (stages + 1) * n, sizeof *shifts);
        assert_non_null(pairs);
        assert_non_null(shifts);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                for (uint32_t level = 0; level <= stages; level++) {
                    uint32_t p =
                        (uint32_t)(((uint64_t)i * power(m, level) + j / power(m, stages - level)) % n);
                    pairs[level * n + p]++;
                    assert_int_equal(++shifts[((size_t)level * n + p) * n + (j + n - i) % n], 1);
                }
        for (uint32_t l = 0; l < n * (stages + 1); l++)
            assert_int_equal(pairs[l], n);
        free(pairs);
        free(shifts);
    }
}

/* Between two stages every pair of cells that a link joins is joined by one bus, which has A drivers and B
 * receivers. */
static void check_buses(const struct net_topology *topology, void *context)
{
    const struct net_multistage *multistage = topology->multistage;
    if (multistage == NULL || multistage->bus_count == 0)
        return;
    uint32_t m = multistage->radix;
    uint8_t *drives = calloc((size_t)multistage->bus_count * multistage->cells, 1);
    uint8_t *takes = calloc((size_t)multistage->bus_count * multistage->cells, 1);
    assert_true(drives != NULL && takes != NULL);
    for (uint32_t level = 1; level < multistage->stages; level++)
        for (uint32_t p = 0; p < multistage->processors; p++) {
            uint32_t bus = net_multistage_bus(multistage, level, p);
            assert_true(bus >= (level - 1) * multistage->buses_per_gap &&
                        bus < level * multistage->buses_per_gap);
            drives[bus * multistage->cells + p / m] = 1;
            takes[bus * multistage->cells + shuffle(p, m, multistage->cells) / m] = 1;
        }
    for (uint32_t bus = 0; bus < multistage->bus_count; bus++) {
        uint32_t drivers = 0, receivers = 0;
        for (uint32_t c = 0; c < multistage->cells; c++) {
            drivers += drives[bus * multistage->cells + c];
            receivers += takes[bus * multistage->cells + c];
        }
        assert_int_equal(drivers, multistage->drivers);
        assert_int_equal(receivers, multistage->receivers);
    }
    free(drives);
    free(takes);
    ++*(unsigned *)context;
}

/* With B = m: the links of a cell go to m cells, and all of them are on its one bus, or on m / A of them. */
static void buses_join_cells(void **state)
{
    static const char *const texts[] = {"glo:3,4,2,2", "glo:2,6,2,3", "glo:2,6,3,2",
                                        "glo:4,4,4,4", "glo:5,2,2,2", "glo:3,3,1,1"};
    unsigned checked = 0;
    (void)state;
    cases_each_topology(check_buses, &checked);
    for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
        struct net_topology *topology = cases_topology(texts[t]);
        check_buses(topology, &checked);
        net_topology_free(topology);
    }
    assert_true(checked >= 10);
}

/* The shared golden table: counts of the paper's Definition 2. */
static void counts_are_those_of_the_paper(void **state)
{
    FILE *golden = cases_open_golden("glo-metrics.csv");
    char line[512];
    char *field[CASES_FIELDS];
    char text[96];
    unsigned rows = 0;
    (void)state;
    if (golden == NULL)
        suite_skip("no shared folder with golden numbers");
    assert_non_null(fgets(line, sizeof line, golden));
    while (fgets(line, sizeof line, golden) != NULL && cases_split(line, field) >= 16) {
        snprintf(text, sizeof text, "glo:%s,%s,%s,%s", field[0], field[1], field[2], field[3]);
        struct net_topology *topology = cases_topology(text);
        const struct net_multistage *multistage = topology->multistage;
        const uint64_t found[] = {multistage->processors,
                                  (uint64_t)multistage->cells * multistage->stages,
                                  multistage->cells,
                                  multistage->groups,
                                  topology->link_count,
                                  multistage->buses_per_gap,
                                  multistage->bus_count,
                                  multistage->radix / multistage->receivers,
                                  multistage->radix / multistage->drivers,
                                  1,
                                  net_multistage_ways(multistage)};
        for (size_t i = 0; i < sizeof found / sizeof *found; i++)
            assert_int_equal(found[i], atoll(field[4 + i]));
        net_topology_free(topology);
        rows++;
    }
    fclose(golden);
    assert_true(rows >= 20);
}

/* Golden entries 004-pins and 004-xpoints. */
static void cells_cost_what_the_paper_says(void **state)
{
    static const struct {
        const char *text;
        uint64_t pins, crosspoints, crosspoints_b;
    } cases[] = {{"omega:8,2", 168, 164, 164}, {"glo:8,2,2,2", 166, 234, 156}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        const struct net_multistage_cost cost = net_multistage_cost(topology->multistage);
        assert_int_equal(cost.pins, cases[i].pins);
        assert_int_equal(cost.crosspoints, cases[i].crosspoints);
        assert_int_equal(cost.crosspoints_b, cases[i].crosspoints_b);
        net_topology_free(topology);
    }
}

/* No other routing serves them, and theirs no other network. */
static void only_their_routing_serves(void **state)
{
    struct net_topology *omega = cases_topology("omega:3,2"), *mesh = cases_topology("mesh:4x4");
    size_t count;
    const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
    (void)state;
    for (size_t i = 0; i < count; i++) {
        bool is = strcmp(kinds[i]->name, "destination-tag") == 0;
        assert_int_equal(net_routing_serves(kinds[i], omega), is);
        assert_true(!is || !net_routing_serves(kinds[i], mesh));
    }
    net_topology_free(omega);
    net_topology_free(mesh);
}

static void routers_have_names(void **state)
{
    struct net_topology *omega = cases_topology("omega:3,2");
    char text[NET_NAME_TEXT];
    (void)state;
    assert_string_equal(net_router_name(omega, 5, text), "processor 5");
    assert_string_equal(net_router_name(omega, 8 + 4 + 3, text), "cell 3 of stage 1");
    net_topology_free(omega);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(paths_are_those_of_the_shuffle),
        cmocka_unit_test(links_are_shared_evenly),
        cmocka_unit_test(buses_join_cells),
        cmocka_unit_test(counts_are_those_of_the_paper),
        cmocka_unit_test(cells_cost_what_the_paper_says),
        cmocka_unit_test(only_their_routing_serves),
        cmocka_unit_test(routers_have_names),
    };
    return cmocka_run_group_tests_name("multistage topologies", tests, NULL, NULL);
}
