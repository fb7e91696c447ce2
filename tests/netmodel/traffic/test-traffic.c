/* Times and lengths of synthetic traffic, against exact distributions.
 *
 * Every count is held against its binomial expectation with a chance of failure below 10^-9; draws are
 * functions of fixed keys, so that a test that passes once passes always. */
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/traffic/traffic.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

static void assert_binomial(uint64_t count, uint64_t draws, double p)
{
    double mean = (double)draws * p, deviation = sqrt(mean * (1 - p));

    if (fabs((double)count - mean) > 6.5 * deviation + 1)
        fail_msg("%.0f of %.0f draws, expected %.1f +- %.1f", (double)count, (double)draws, mean, deviation);
}

#define DRAWS 300000

/* P(G = n) and P(G >= n) for several n. */
static void check_geometric(const struct net_geometric *geometric, double q)
{
    static const uint64_t at[] = {0, 1, 2, 3, 7, 20, 100, 1000};
    uint64_t equal[8] = {0}, least[8] = {0};

    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t number = net_geometric_draw(geometric, base_hash(11, i));
        for (size_t k = 0; k < 8; k++) {
            equal[k] += number == at[k];
            least[k] += number >= at[k];
        }
    }
    for (size_t k = 0; k < 8; k++) {
        assert_binomial(equal[k], DRAWS, pow(q, (double)at[k]) * (1 - q));
        assert_binomial(least[k], DRAWS, pow(q, (double)at[k]));
    }
}

static void test_geometric(void **state)
{
    static const double p[] = {1, 0.9, 0.5, 0.1, 0.01, 0.0007};
    struct net_geometric geometric;

    (void)state;
    for (size_t i = 0; i < sizeof p / sizeof p[0]; i++) {
        net_geometric_init(&geometric, p[i]);
        check_geometric(&geometric, 1 - p[i]);
        if (p[i] < 1) {
            net_geometric_init_rate(&geometric, -log(1 - p[i]));
            check_geometric(&geometric, 1 - p[i]);
        }
    }
}

/* The bits of a very small rate are right too: the mean of 1/r, and the share above it of 1/e. */
static void test_small_rate(void **state)
{
    struct net_geometric geometric;
    double sum = 0;
    uint64_t above = 0;

    (void)state;
    net_geometric_init_rate(&geometric, 1e-12);
    for (uint64_t i = 0; i < DRAWS; i++) {
        uint64_t number = net_geometric_draw(&geometric, base_hash(12, i));
        sum += (double)number;
        above += (double)number >= 1e12;
    }
    assert_binomial(above, DRAWS, exp(-1));
    assert_true(fabs(sum / DRAWS / 1e12 - 1) < 6.5 / sqrt(DRAWS));
}

struct fixture {
    struct net_topology *topology;
    struct net_pattern pattern;
    struct net_traffic traffic;
};

static void make(struct fixture *fixture, const char *topology, const char *pattern,
                 enum net_arrivals arrivals, const char *lengths, uint64_t load)
{
    struct net_lengths parsed;
    struct base_error error;

    fixture->topology = cases_topology(topology);
    assert_int_equal(net_pattern_init(&fixture->pattern, fixture->topology, pattern, 1, &error), 0);
    assert_int_equal(net_lengths_parse(&parsed, lengths, 16, &error), 0);
    assert_int_equal(
        net_traffic_init(&fixture->traffic, &fixture->pattern, arrivals, &parsed, load, 1, &error), 0);
}

static void drop(struct fixture *fixture)
{
    net_traffic_free(&fixture->traffic);
    net_pattern_free(&fixture->pattern);
    net_topology_free(fixture->topology);
}

#define CYCLES 200000

/* Messages of each of four terminals before CYCLES, and how many cycles had 0, 1, 2 of them. */
static void check_arrivals(enum net_arrivals arrivals, uint64_t load, uint32_t flits)
{
    struct fixture fixture;
    double rate = (double)load / 1e6 / flits;
    char lengths[40];

    snprintf(lengths, sizeof lengths, "fixed,flits=%u", flits);
    make(&fixture, "mesh:2x2", "uniform", arrivals, lengths, load);
    for (uint32_t terminal = 0; terminal < 4; terminal++) {
        struct net_traffic_message message;
        uint64_t cycles[3] = {CYCLES, 0, 0};
        uint64_t last = UINT64_MAX, in_last = 0;
        for (net_traffic_next(&fixture.traffic, terminal, &message); message.cycle < CYCLES;
             net_traffic_next(&fixture.traffic, terminal, &message)) {
            assert_int_equal(message.flits, flits);
            assert_true(last == UINT64_MAX || message.cycle >= last);
            in_last = message.cycle == last ? in_last + 1 : 1;
            assert_true(in_last == 1 || arrivals == NET_POISSON);
            last = message.cycle;
            if (in_last <= 2) { /* the cycle moves from one class to the next */
                cycles[in_last - 1]--;
                cycles[in_last]++;
            }
        }
        if (arrivals == NET_BERNOULLI) {
            assert_binomial(cycles[1], CYCLES, rate);
        } else {
            assert_binomial(cycles[0], CYCLES, exp(-rate));
            assert_binomial(cycles[1], CYCLES, rate * exp(-rate));
            assert_binomial(cycles[2], CYCLES, 1 - exp(-rate) * (1 + rate));
        }
    }
    drop(&fixture);
}

static void test_arrivals(void **state)
{
    (void)state;
    check_arrivals(NET_BERNOULLI, 300000, 16);
    check_arrivals(NET_BERNOULLI, 1000, 1);
    check_arrivals(NET_BERNOULLI, 1000000, 1);
    check_arrivals(NET_POISSON, 300000, 16);
    check_arrivals(NET_POISSON, 2500000, 1);
    check_arrivals(NET_POISSON, 20, 1);
}

/* Shares of lengths, and their mean. */
static void check_lengths(const char *text, uint64_t flits, double share, double mean)
{
    struct fixture fixture;
    struct net_traffic_message message;
    uint64_t count = 0;

    make(&fixture, "mesh:2x2", "uniform", NET_POISSON, text, 500000);
    assert_true(fabs(net_lengths_mean(&fixture.traffic.lengths) - mean) < 1e-9);
    for (uint64_t i = 0; i < DRAWS; i++) {
        net_traffic_next(&fixture.traffic, 1, &message);
        assert_true(message.flits >= 1);
        count += message.flits >= flits;
    }
    assert_binomial(count, DRAWS, share);
    drop(&fixture);
}

static void test_lengths(void **state)
{
    (void)state;
    check_lengths("fixed", 16, 1, 16);
    check_lengths("fixed,flits=3", 4, 0, 3);
    check_lengths("geometric", 17, pow(15.0 / 16, 16), 16);
    check_lengths("geometric,mean=205", 600, pow(204.0 / 205, 599), 205);
    check_lengths("geometric,mean=1", 2, 0, 1);
    check_lengths("bimodal", 16, 0.1, 0.9 + 1.6);
    check_lengths("bimodal,short=2,long=9,share=0.75", 9, 0.75, 0.5 + 6.75);
    check_lengths("bimodal,share=1", 16, 1, 16);
    check_lengths("bimodal,share=0", 2, 0, 1);
}

/* A terminal's messages do not depend on what others were asked; running ahead takes nothing. */
static void test_streams(void **state)
{
    struct fixture together, alone;
    struct net_traffic_message left, right;
    uint64_t ahead;
    uint64_t sum = 0;

    (void)state;
    make(&together, "mesh:4x4", "lru-stack", NET_BERNOULLI, "geometric", 400000);
    make(&alone, "mesh:4x4", "lru-stack", NET_BERNOULLI, "geometric", 400000);
    ahead = net_traffic_ahead(&alone.traffic, 5, 5000);
    for (unsigned i = 0; i < 1000; i++) {
        net_traffic_next(&together.traffic, i % 16, &left);
        net_traffic_next(&together.traffic, 5, &left);
        if (i % 16 == 5)
            net_traffic_next(&alone.traffic, 5, &right);
        net_traffic_next(&alone.traffic, 5, &right);
        assert_int_equal(left.cycle, right.cycle);
        assert_int_equal(left.flits, right.flits);
        assert_int_equal(left.target, right.target);
    }
    drop(&alone);
    make(&alone, "mesh:4x4", "lru-stack", NET_BERNOULLI, "geometric", 400000);
    for (net_traffic_next(&alone.traffic, 5, &left); left.cycle < 5000;
         net_traffic_next(&alone.traffic, 5, &left))
        sum += left.flits;
    assert_true(sum > 0);
    assert_int_equal(sum, ahead);
    drop(&together);
    drop(&alone);
}

/* Golden: a change of these changes every result. */
static void test_golden(void **state)
{
    struct fixture fixture;
    struct net_traffic_message message;
    uint64_t hash = 0;

    (void)state;
    make(&fixture, "mesh:4x4", "uniform", NET_POISSON, "geometric", 400000);
    for (unsigned i = 0; i < 16000; i++) {
        net_traffic_next(&fixture.traffic, i % 16, &message);
        hash = base_hash(base_hash(base_hash(hash, message.cycle), message.flits), message.target);
    }
    drop(&fixture);
    assert_int_equal(hash, UINT64_C(0xbbc5f3366c9c7168));
}

static void test_refusals(void **state)
{
    static const char *const lengths[][2] = {
        {"fixd", "did you mean 'fixed'"},     {"fixed,mean=3", "unknown lengths parameter"},
        {"fixed,flits=0", "from 1"},          {"bimodal,share=1.1", "from 0 to 1"},
        {"geometric,mean=x", "whole number"}, {"bimodal,long=4,long=5", "given twice"},
    };
    struct net_lengths parsed;
    enum net_arrivals arrivals;
    struct base_error error;
    struct fixture fixture;
    struct net_traffic refused;

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        assert_int_equal(net_lengths_parse(&parsed, lengths[i][0], 16, &error), -1);
        if (error.status != BASE_USAGE || strstr(error.text, lengths[i][1]) == NULL)
            fail_msg("'%s' says '%s'", lengths[i][0], error.text);
    }
    assert_int_equal(net_arrivals_parse(&arrivals, "possion", &error), -1);
    assert_non_null(strstr(error.text, "did you mean 'poisson'"));
    make(&fixture, "mesh:2x2", "uniform", NET_BERNOULLI, "fixed,flits=1", 1000000);
    assert_int_equal(net_traffic_init(&refused, &fixture.pattern, NET_BERNOULLI, &fixture.traffic.lengths,
                                      1000001, 1, &error),
                     -1);
    assert_non_null(strstr(error.text, "more than one message a cycle"));
    drop(&fixture);
}

static int make_traffic(void *context)
{
    const struct fixture *fixture = context;
    struct net_traffic traffic;
    struct base_error error;

    if (net_traffic_init(&traffic, &fixture->pattern, NET_BERNOULLI, &fixture->traffic.lengths, 1000, 1,
                         &error) != 0)
        return -1;
    net_traffic_free(&traffic);
    return 0;
}

static void test_memory(void **state)
{
    struct fixture fixture;

    (void)state;
    make(&fixture, "mesh:4x4", "lru-stack", NET_BERNOULLI, "fixed", 1000);
    assert_int_equal(fail_alloc_each(make_traffic, &fixture), 2);
    drop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_geometric), cmocka_unit_test(test_small_rate), cmocka_unit_test(test_arrivals),
        cmocka_unit_test(test_lengths),   cmocka_unit_test(test_streams),    cmocka_unit_test(test_golden),
        cmocka_unit_test(test_refusals),  cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
