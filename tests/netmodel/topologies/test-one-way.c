/* Networks of one-way links: what symmetry says of distances and ports against searches from every router,
 * the closed forms of the ShuffleNet, and what a bad hop costs. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "netmodel/topologies/bisection.h"
#include "netmodel/topologies/one-way.h"
#include "tests/netmodel/cases.h"

static const char *const texts[] = {"darm:2x2",       "darm:4x6",       "darm:6x4",         "darm:8x10",
                                    "darm:3x3",       "darm:4x5",       "darm:4x4x4",       "darm:2x6x4",
                                    "darm:3x4x5",     "darm:4x4x8",     "darm:2x2x2x2",     "darm:4x2x4x2",
                                    "darm:3x2x3x2",   "darm:4x2x2x2x2", "darm:2x2x4x2x2x2", "manhattan:8x8",
                                    "manhattan:7x9",  "shufflenet:2,1", "shufflenet:2,2",   "shufflenet:2,4",
                                    "shufflenet:2,5", "shufflenet:3,2", "shufflenet:3,3",   "shufflenet:4,2",
                                    "shufflenet:5,2", "shufflenet:8,1"};

#define TEXTS (sizeof texts / sizeof *texts)

/* The state at every router, the ports of shortest paths, and the state behind every port, by searches. */
static void check_router(const struct net_topology *topology, uint32_t from, const uint32_t *all)
{
    const struct net_one_way *one_way = topology->one_way;
    uint32_t routers = topology->routers;
    for (uint32_t to = 0; to < routers; to++) {
        uint32_t state = net_one_way_state(one_way, from, to), good = 0;
        assert_true(state < one_way->states);
        assert_int_equal(one_way->distance[state], all[from * routers + to]);
        for (uint32_t port = 0; port < topology->ports; port++) {
            uint32_t next = topology->links[from * topology->ports + port].target;
            bool nearer = all[next * routers + to] + 1 == all[from * routers + to];
            good |= (uint32_t)nearer << port;
            assert_int_equal(net_one_way_step(one_way, state, port, from, next),
                             net_one_way_state(one_way, next, to));
        }
        assert_int_equal(one_way->good[state], good);
    }
}

static void tables_are_those_of_searches(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        uint32_t routers = topology->routers;
        uint32_t *all = calloc((size_t)routers * routers, sizeof *all);
        uint32_t *queue = calloc(routers, sizeof *queue);
        assert_non_null(all);
        assert_non_null(queue);
        for (uint32_t from = 0; from < routers; from++)
            net_topology_search(topology, from, all + (size_t)from * routers, queue);
        for (uint32_t from = 0; from < routers; from++)
            check_router(topology, from, all);
        free(all);
        free(queue);
        net_topology_free(topology);
    }
}

/* Only networks with an odd side have tables of pairs. */
static void even_networks_look_alike_from_everywhere(void **state)
{
    (void)state;
    for (size_t i = 0; i < TEXTS; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        const struct net_one_way *one_way = topology->one_way;
        bool odd = false;
        for (uint32_t d = 0; d < one_way->dimensions; d++)
            odd = odd || one_way->sides[d] % 2 != 0;
        assert_int_equal(one_way->next == NULL, odd);
        net_topology_free(topology);
    }
}

static uint32_t power(uint32_t base, uint32_t exponent)
{
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* With X columns between them, 0 counting as K: X if the digits that the way does not bring in agree, else
 * X + K. */
static uint32_t shufflenet_distance(uint32_t radix, uint32_t columns, uint32_t a, uint32_t b)
{
    uint32_t rows = power(radix, columns), apart = (b / rows + columns - a / rows) % columns;
    apart = apart == 0 ? columns : apart;
    bool agree = b % rows / power(radix, apart) == a % rows % power(radix, columns - apart);
    return a == b ? 0 : agree ? apart : apart + columns;
}

static void shufflenets_have_closed_forms(void **state)
{
    static const uint32_t sizes[][2] = {{2, 1}, {2, 2}, {2, 3}, {2, 5}, {3, 2}, {3, 3}, {4, 2}};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        uint32_t radix = sizes[i][0], columns = sizes[i][1];
        char text[32];
        snprintf(text, sizeof text, "shufflenet:%u,%u", radix, columns);
        struct net_topology *topology = cases_topology(text);
        for (uint32_t a = 0; a < topology->routers; a++)
            for (uint32_t b = 0; b < topology->routers; b++)
                assert_int_equal(net_topology_distance(topology, a, b),
                                 shufflenet_distance(radix, columns, a, b));
        assert_int_equal(net_one_way_diameter(topology), 2 * columns - 1);
        net_topology_free(topology);
    }
}

/* The D-ARM paper, section 3: DW/2, and one more where 4 divides W. Odd sides, where its formula is wrong: what a
 * search finds (doc/networks.md, One-way networks). */
static void diameters_are_those_of_the_formula(void **state)
{
    static const struct {
        const char *text;
        uint32_t diameter;
    } cases[] = {{"darm:4x4", 5},        {"darm:6x6", 6},    {"darm:20x20", 21},  {"darm:4x4x4", 7},
                 {"darm:6x6x6", 9},      {"darm:8x8x8", 13}, {"darm:4x4x4x4", 9}, {"darm:6x6x6x6", 12},
                 {"darm:4x4x4x4x4", 11}, {"darm:3x3", 3},    {"darm:5x5", 6},     {"darm:7x7", 7},
                 {"darm:3x3x3", 5},      {"darm:5x5x5", 8},  {"darm:3x3x3x3", 6}, {"darm:3x3x3x3x3", 8}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        assert_int_equal(net_one_way_diameter(topology), cases[i].diameter);
        net_topology_free(topology);
    }
}

static void a_bad_hop_costs_so_much(void **state)
{
    static const struct {
        const char *text;
        uint32_t least, most;
    } cases[] = {{"darm:4x4", 4, 4},       {"darm:8x4x12", 4, 4},   {"manhattan:8x8", 4, 4},
                 {"darm:2x2", 2, 2},       {"darm:2x2x2", 2, 2},    {"darm:6x6", 2, 4},
                 {"darm:4x4x4x4", 4, 4},   {"darm:4x6", 2, 4},      {"shufflenet:2,4", 4, 4},
                 {"shufflenet:3,2", 2, 2}, {"shufflenet:2,1", 1, 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct net_topology *topology = cases_topology(cases[i].text);
        assert_int_equal(topology->one_way->cost_min, cases[i].least);
        assert_int_equal(topology->one_way->cost_max, cases[i].most);
        net_topology_free(topology);
    }
}

/* Exchanges keep the sizes of the halves, and end at a cut that is no larger; of 8 routers that are dealt in turn they
 * find the best one. */
static void exchanges_make_cuts_smaller(void **state)
{
    static const char *const networks[] = {"shufflenet:2,2", "shufflenet:3,2", "shufflenet:2,4", "darm:4x4x4",
                                           "ring:9"};
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++) {
        struct net_topology *topology = cases_topology(networks[i]);
        bool second[64];
        uint32_t members = 0;
        for (uint32_t router = 0; router < topology->routers; router++)
            second[router] = router % 2 == 1;
        uint64_t before = net_bisection_cut(topology, second);
        assert_int_equal(net_bisection_exchange(topology, second, NULL), 0);
        for (uint32_t router = 0; router < topology->routers; router++)
            members += second[router];
        assert_int_equal(members, topology->routers / 2);
        assert_in_range(net_bisection_cut(topology, second), 1, before);
        if (i == 0)
            assert_int_equal(net_bisection_cut(topology, second), 4);
        net_topology_free(topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_are_those_of_searches),
        cmocka_unit_test(even_networks_look_alike_from_everywhere),
        cmocka_unit_test(shufflenets_have_closed_forms),
        cmocka_unit_test(diameters_are_those_of_the_formula),
        cmocka_unit_test(a_bad_hop_costs_so_much),
        cmocka_unit_test(exchanges_make_cuts_smaller),
    };
    return cmocka_run_group_tests_name("one-way", tests, NULL, NULL);
}
