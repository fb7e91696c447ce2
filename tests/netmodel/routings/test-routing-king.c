/* The king networks' own routings against what the thesis and enumeration say: EKnaive's records,
 * hop-by-hop's and its two stages' hops, and the table of King(epsilon, delta) with its exact counts. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/routings/king-table.h"
#include "netmodel/routing.h"
#include "tests/netmodel/cases.h"

static struct net_routing prepared(const struct net_topology *topology, const char *text)
{
    struct net_routing routing;
    struct base_error error = {0};
    if (net_routing_init(&routing, topology, text, 0, &error) != 0)
        fail_msg("%s on %s: %s", text, topology->text, error.text);
    return routing;
}

/* ---- King(epsilon, delta) ---- */

struct counted {
    double ratio; /* mean over displacements of mean record length, by the mean distance */
    uint32_t records, fewest, most, bytes, substitutes;
};

static struct counted count(uint32_t side, struct net_king_parameters parameters)
{
    struct counted counted = {.fewest = UINT32_MAX};
    struct base_arena arena = {0};
    struct net_king_table table;
    char text[64];
    double lengths = 0, distances = 0;
    snprintf(text, sizeof text, "king-torus:%ux%u", side, side);
    struct net_topology *topology = cases_topology(text);
    assert_int_equal(net_king_table_build(&table, topology, &parameters, &arena, NULL), 0);
    for (uint32_t d = 1; d < topology->routers; d++) {
        uint32_t records = table.first[d + 1] - table.first[d];
        double hops = 0;
        for (uint32_t i = table.first[d]; i < table.first[d + 1]; i++) {
            int32_t record[4];
            net_king_table_record(&table, i, record);
            for (uint32_t part = 0; part < 4; part++)
                hops += abs(record[part]);
        }
        assert_true(records > 0);
        counted.fewest = records < counted.fewest ? records : counted.fewest;
        counted.most = records > counted.most ? records : counted.most;
        lengths += hops / records;
        distances += net_topology_distance(topology, 0, d);
    }
    counted.ratio = lengths / distances;
    counted.records = table.record_count;
    counted.bytes = table.record_count * table.record_bytes;
    counted.substitutes = table.substitutes;
    base_arena_free(&arena);
    net_topology_free(topology);
    return counted;
}

/* ../shared/golden, 001-3.2-len: to the four digits that are given there. */
static void full_tables_lengthen_by_the_known_ratio(void **state)
{
    static const struct {
        uint32_t side, bound;
        double ratio;
    } cases[] = {{8, 2, 1.4442},  {16, 4, 1.4749}, {17, 4, 1.4577},
                 {32, 8, 1.4656}, {8, 4, 2.0016},  {16, 8, 1.9882}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct counted counted =
            count(cases[i].side, (struct net_king_parameters){cases[i].bound, cases[i].bound, 0, 0});
        if (fabs(counted.ratio - cases[i].ratio) > 0.00005)
            fail_msg("side %u: %f, not %f", cases[i].side, counted.ratio, cases[i].ratio);
    }
}

static void full_tables_have_the_known_records(void **state)
{
    struct counted of_16 = count(16, (struct net_king_parameters){4, 4, 0, 0});
    struct counted of_32 = count(32, (struct net_king_parameters){8, 8, 0, 0});
    (void)state;
    assert_int_equal(of_16.records, 4900);
    assert_int_equal(of_16.fewest, 6);
    assert_int_equal(of_16.most, 46);
    assert_int_equal(of_16.substitutes, 0);
    assert_int_equal(of_32.records, 67632);
    assert_int_equal(of_32.fewest, 12);
    assert_int_equal(of_32.most, 150);
    assert_int_equal(count(16, (struct net_king_parameters){3, 0, 0, 0}).substitutes, 97);
}

/* 255 destinations x 8 records x 2 bytes. Each destination keeps one; another seed keeps others. */
static void multiplicity_thins_the_table(void **state)
{
    struct counted thinned = count(16, (struct net_king_parameters){4, 4, 8, 1});
    struct counted again = count(16, (struct net_king_parameters){4, 4, 8, 1});
    struct counted other = count(16, (struct net_king_parameters){4, 4, 8, 2});
    (void)state;
    assert_int_equal(thinned.records, 255 * 8);
    assert_int_equal(thinned.bytes, 4080);
    assert_true(thinned.ratio == again.ratio);
    assert_true(thinned.ratio != other.ratio);
    assert_int_equal(other.bytes, 4080);
    assert_int_equal(count(16, (struct net_king_parameters){4, 4, 1, 1}).most, 1);
    assert_int_equal(count(16, (struct net_king_parameters){4, 4, 100, 1}).records, 4900);
}

/* Every record of a table that is small enough, found by trying all. */
static void tables_are_complete(void **state)
{
    static const int side = 7, bound = 2, most = 9;
    unsigned found[49] = {0};
    struct net_topology *topology = cases_topology("king-torus:7x7");
    struct net_king_parameters parameters = {2, 2, 0, 0};
    struct base_arena arena = {0};
    struct net_king_table table;
    (void)state;
    for (int x = -most; x <= most; x++)
        for (int y = -most; y <= most; y++)
            for (int z = -most; z <= most; z++)
                for (int t = -most; t <= most; t++) {
                    int sizes[4] = {abs(x), abs(y), abs(z), abs(t)};
                    int low = most, high = 0, hops = 0;
                    int to_x = ((x + z + t) % side + side) % side, to_y = ((y + z - t) % side + side) % side;
                    uint32_t to = (uint32_t)(to_x + side * to_y);
                    for (int i = 0; i < 4; i++) {
                        low = sizes[i] < low ? sizes[i] : low;
                        high = sizes[i] > high ? sizes[i] : high;
                        hops += sizes[i];
                    }
                    found[to] += to != 0 && high - low <= bound &&
                                 hops <= (int)net_topology_distance(topology, 0, to) + bound;
                }
    assert_int_equal(net_king_table_build(&table, topology, &parameters, &arena, NULL), 0);
    for (uint32_t d = 1; d < 49; d++)
        assert_int_equal(table.first[d + 1] - table.first[d], found[d]);
    base_arena_free(&arena);
    net_topology_free(topology);
}

static void parameters_are_read(void **state)
{
    static const struct {
        const char *text, *answer;
    } cases[] = {
        {"king-misrouting,epsilon=x", "epsilon=x: not a whole number"},
        {"king-misrouting,gamma=1", "unknown routing parameter 'gamma'"},
        {"king-misrouting,delta=12000,epsilon=12000,multiplicity=1", "has more than 16777216 records"},
        {"knaive,epsilon=1", "it takes no parameters"}};
    struct net_topology *topology = cases_topology("king-torus:16x16");
    struct net_routing routing = prepared(topology, "king-misrouting,epsilon=4,delta=4,multiplicity=0");
    (void)state;
    assert_int_equal(routing.kind->variants(&routing, 0, 1), routing.kind->variants(&routing, 17, 18));
    net_routing_free(&routing);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, cases[i].text, 0, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        if (strstr(error.text, cases[i].answer) == NULL)
            fail_msg("%s: %s", cases[i].text, error.text);
    }
    net_topology_free(topology);
}

/* ---- EKnaive ---- */

/* Hops by each port on the escape's way, channel 0. */
static void count_hops(const struct net_routing *routing, uint32_t a, uint32_t b, int hops[8])
{
    const struct net_topology *topology = routing->topology;
    uint64_t header = routing->kind->start(routing, a, b, 0);
    struct net_route route;
    uint32_t tiers;
    memset(hops, 0, 8 * sizeof *hops);
    while ((tiers = routing->kind->route(routing, a, header, &route)) > 0) {
        uint32_t port = (uint32_t)__builtin_ctzll(route.ports[tiers - 1]);
        hops[port]++;
        header = routing->kind->step(routing, a, header, port);
        a = topology->links[topology->link_at[a * topology->ports + port]].target;
    }
    assert_int_equal(a, b);
}

/* doc/networks.md: from (15,15) of 31x31, where no border is near, and along borders. */
static void eknaive_turns_straight_hops_into_pairs(void **state)
{
    static const struct {
        int x, y, dx, dy;
        int hops[8];
    } cases[] = {
        {15, 15, 9, 0, {3, 0, 0, 0, 3, 0, 3, 0}}, {15, 15, -9, 2, {0, 3, 0, 0, 0, 2, 0, 4}},
        {15, 15, 0, 7, {0, 0, 3, 0, 2, 0, 0, 2}}, {15, 15, 2, -8, {0, 0, 0, 2, 0, 2, 4, 0}},
        {15, 15, 5, 5, {0, 0, 0, 0, 5, 0, 0, 0}}, {15, 15, 2, 0, {2, 0, 0, 0, 0, 0, 0, 0}},
        {4, 30, 9, 0, {9, 0, 0, 0, 0, 0, 0, 0}},  {4, 0, 9, 0, {3, 0, 0, 0, 3, 0, 3, 0}},
        {0, 20, 0, -6, {0, 0, 0, 6, 0, 0, 0, 0}}, {30, 20, 0, -6, {0, 0, 0, 2, 0, 2, 2, 0}},
    };
    struct net_topology *topology = cases_topology("king-mesh:31x31");
    struct net_routing routing = prepared(topology, "eknaive");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int from = cases[i].x + 31 * cases[i].y;
        int hops[8];
        count_hops(&routing, (uint32_t)from, (uint32_t)(from + cases[i].dx + 31 * cases[i].dy), hops);
        for (int port = 0; port < 8; port++)
            if (hops[port] != cases[i].hops[port])
                fail_msg("case %zu: %d hops by port %d", i, hops[port], port);
    }
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* ---- hop by hop ---- */

/* The case analysis of doc/networks.md, Routings: away from borders. */
static uint64_t nearer(int dx, int dy)
{
    int a = abs(dx), b = abs(dy), long_side = a > b ? a : b, short_side = a > b ? b : a;
    uint64_t ports = 0;
    if (a == b)
        return UINT64_C(1) << ((dx > 0) == (dy > 0) ? (dx > 0 ? 4 : 5) : (dx > 0 ? 6 : 7));
    ports |= a > b ? (dx > 0 ? 1 : 2) : (dy > 0 ? 4 : 8);
    for (int sign = -1; sign <= 1; sign += 2) {
        int toward = a > b ? dy : dx;
        bool good = toward * sign > 0 || long_side >= short_side + 2;
        int x = a > b ? (dx > 0 ? 1 : -1) : sign, y = a > b ? sign : (dy > 0 ? 1 : -1);
        if (good)
            ports |= UINT64_C(1) << (x == y ? (x > 0 ? 4 : 5) : (x > 0 ? 6 : 7));
    }
    return ports;
}

static uint64_t knaive(int dx, int dy)
{
    uint64_t ports = 0;
    if (abs(dx) > abs(dy))
        ports |= dx > 0 ? 1 : 2;
    if (abs(dy) > abs(dx))
        ports |= dy > 0 ? 4 : 8;
    if (dx != 0 && dy != 0)
        ports |= UINT64_C(1) << ((dx > 0) == (dy > 0) ? (dx > 0 ? 4 : 5) : (dx > 0 ? 6 : 7));
    return ports;
}

static void hops_are_those_of_the_thesis(void **state)
{
    static const char *const texts[] = {"king-mesh:25x25", "king-torus:25x25"};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct net_routing one = prepared(topology, "hop-by-hop"), two = prepared(topology, "hop-by-hop-2s");
        for (int dx = -8; dx <= 8; dx++)
            for (int dy = -8; dy <= 8; dy++) {
                uint32_t from = 12 * 26, to = (uint32_t)((int)from + dx + 25 * dy);
                struct net_route route;
                uint64_t near = nearer(dx, dy), first = knaive(dx, dy);
                if (dx == 0 && dy == 0)
                    continue;
                assert_int_equal(one.kind->route(&one, from, one.kind->start(&one, from, to, 0), &route), 2);
                assert_int_equal(route.ports[0], near);
                assert_int_equal(route.ports[1], near & -near);
                uint32_t tiers = two.kind->route(&two, from, two.kind->start(&two, from, to, 0), &route);
                assert_int_equal(tiers, near == first ? 2 : 3);
                assert_int_equal(route.ports[0], first);
                assert_int_equal(route.ports[tiers - 1], first & -first);
                if (tiers == 3)
                    assert_int_equal(route.ports[1], near & ~first);
            }
        net_routing_free(&one);
        net_routing_free(&two);
        net_topology_free(topology);
    }
}

/* In the corner of a mesh nothing leads outside; half-way round a ring both ways do. */
static void borders_and_ties_decide_what_is_offered(void **state)
{
    struct net_topology *mesh = cases_topology("king-mesh:9x9"), *torus = cases_topology("king-torus:8x8");
    struct net_routing in_mesh = prepared(mesh, "hop-by-hop"), in_torus = prepared(torus, "hop-by-hop");
    struct net_route route;
    (void)state;
    in_mesh.kind->route(&in_mesh, 0, in_mesh.kind->start(&in_mesh, 0, 5, 0), &route);
    assert_int_equal(route.ports[0], 1 | 1 << 4);
    in_torus.kind->route(&in_torus, 0, in_torus.kind->start(&in_torus, 0, 4, 0), &route);
    assert_int_equal(route.ports[0], 3 | 0xf << 4);
    assert_int_equal(route.ports[1], 1);
    net_routing_free(&in_mesh);
    net_routing_free(&in_torus);
    net_topology_free(mesh);
    net_topology_free(torus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(full_tables_lengthen_by_the_known_ratio),
        cmocka_unit_test(full_tables_have_the_known_records),
        cmocka_unit_test(multiplicity_thins_the_table),
        cmocka_unit_test(tables_are_complete),
        cmocka_unit_test(parameters_are_read),
        cmocka_unit_test(eknaive_turns_straight_hops_into_pairs),
        cmocka_unit_test(hops_are_those_of_the_thesis),
        cmocka_unit_test(borders_and_ties_decide_what_is_offered),
    };
    return cmocka_run_group_tests_name("routing-king", tests, NULL, NULL);
}
