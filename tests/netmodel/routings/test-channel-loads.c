/* Expected channel loads of traffic patterns: closed forms, and every row of the shared golden table for the
 * routings that we have. Patterns are those of the king thesis; each router offers one unit, what it sends
 * itself crosses no link and counts as zero hops. */
#include "tests/suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/routing.h"
#include "tests/netmodel/cases.h"

struct loads {
    double mean_hops, largest, mean;
};

static uint32_t address_bits(uint32_t routers)
{
    uint32_t bits = 0;
    while (1u << bits < routers)
        bits++;
    return bits;
}

static uint32_t reversed(uint32_t value, uint32_t bits)
{
    uint32_t result = 0;
    for (uint32_t i = 0; i < bits; i++)
        result |= (value >> i & 1) << (bits - 1 - i);
    return result;
}

/* The one target of router u under a permutation pattern; NET_NONE: there is no such pattern. */
static uint32_t target_of(const char *pattern, uint32_t side, uint32_t u)
{
    uint32_t x = u % side, y = u / side, routers = side * side, bits = address_bits(routers);
    uint32_t jump = (side + 1) / 2 - 1;
    if (strcmp(pattern, "transpose") == 0)
        return x * side + y;
    if (strcmp(pattern, "tornado_x") == 0)
        return y * side + (x + jump) % side;
    if (strcmp(pattern, "tornado_xy") == 0)
        return (y + jump) % side * side + (x + jump) % side;
    if (strcmp(pattern, "complement") == 0)
        return routers - 1 - u;
    if (strcmp(pattern, "bit_reversal") == 0)
        return reversed(u, bits);
    if (strcmp(pattern, "shuffle") == 0)
        return (u << 1 | u >> (bits - 1)) & (routers - 1);
    return NET_NONE;
}

static void add_loads(const struct net_routing *routing, const char *pattern, uint32_t side, double *load)
{
    uint32_t routers = side * side;
    double weight = 1.0 / (strcmp(pattern, "uniform_excl") == 0 ? routers - 1 : routers);
    for (uint32_t a = 0; a < routers; a++) {
        if (strncmp(pattern, "uniform", 7) != 0) {
            assert_int_not_equal(target_of(pattern, side, a), NET_NONE);
            net_routing_load(routing, a, target_of(pattern, side, a), 1.0, load);
            continue;
        }
        for (uint32_t b = 0; b < routers; b++)
            if (a != b)
                net_routing_load(routing, a, b, weight, load);
    }
}

static struct loads loads_of(const char *family, uint32_t side, const char *pattern)
{
    char text[64];
    struct net_routing routing;
    struct net_topology *topology;
    struct loads loads = {0};
    double *load;
    cases_golden_text(text, sizeof text, family, side, side);
    topology = cases_topology(text);
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, NULL), 0);
    load = calloc(topology->link_count, sizeof *load);
    assert_non_null(load);
    add_loads(&routing, pattern, side, load);
    for (uint32_t l = 0; l < topology->link_count; l++) {
        loads.mean += load[l];
        loads.largest = fmax(loads.largest, load[l]);
    }
    loads.mean_hops = loads.mean / topology->routers;
    loads.mean /= topology->link_count;
    free(load);
    net_topology_free(topology);
    return loads;
}

static void assert_near(double a, double b, double tolerance)
{
    if (fabs(a - b) > tolerance)
        fail_msg("%.9f is not %.9f", a, b);
}

/* Uniform traffic without self: the middle channels of a mesh carry s/2 columns each way, s^3 / (4 (s^2 -
 * 1)); all channels of an even torus s^3 / (8 (s^2 - 1)). A transpose crowds all s - 1 routers of a row into
 * the corner channel. */
static void closed_forms(void **state)
{
    (void)state;
    for (uint32_t s = 2; s <= 10; s += 2) {
        double cube = (double)s * s * s, others = (double)s * s - 1;
        assert_near(loads_of("mesh", s, "uniform_excl").largest, cube / (4 * others), 1e-12);
        assert_near(loads_of("torus", s, "uniform_excl").largest, cube / (8 * others), 1e-12);
        assert_near(loads_of("torus", s, "uniform_excl").mean, cube / (8 * others), 1e-12);
        assert_near(loads_of("mesh", s, "transpose").largest, s - 1, 1e-12);
        assert_near(loads_of("mesh", s, "complement").mean_hops, s, 1e-12);
    }
}

/* The routing column in the words of the table. */
static bool is_ours(const char *family, const char *routing)
{
    if (strcmp(family, "mesh") == 0 || strcmp(family, "torus") == 0)
        return strcmp(routing, "DOR X,Y") == 0;
    if (strncmp(family, "diagonal-", 9) == 0)
        return true;
    return strncmp(family, "king-", 5) == 0 && strncmp(routing, "Knaive", 6) == 0;
}

/* Printed with six digits. */
static void check_row(char *const *field)
{
    struct loads loads = loads_of(field[0], (uint32_t)atoi(field[1]), field[3]);
    assert_near(loads.mean_hops, atof(field[4]), 0.51e-6);
    assert_near(loads.largest, atof(field[5]), 0.51e-6);
    assert_near(1 / loads.largest, atof(field[6]), 0.51e-6);
    assert_near(loads.mean, atof(field[7]), 0.51e-6);
}

static void golden_rows(void **state)
{
    FILE *golden = cases_open_golden("channel-loads.csv");
    char line[4096];
    char *field[CASES_FIELDS];
    unsigned rows = 0;
    (void)state;
    if (golden == NULL) {
        print_message("skipped: no shared folder with golden/channel-loads.csv\n");
        skip();
    }
    while (fgets(line, sizeof line, golden) != NULL) {
        if (cases_split(line, field) < 8 || !is_ours(field[0], field[2]))
            continue;
        check_row(field);
        rows++;
    }
    fclose(golden);
    assert_int_equal(rows, 192);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_forms),
        cmocka_unit_test(golden_rows),
    };
    return cmocka_run_group_tests_name("channel loads", tests, NULL, NULL);
}
