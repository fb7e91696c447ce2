/* Runs of synthetic traffic against queueing theory, closed forms and a driver without bounds; steady state,
 * confidence and histograms against series that can be checked by hand.
 *
 * The workhorse is `neighbour` on a torus: each terminal has its link and its target to itself, so that the
 * only queue is the one at the source. With Bernoulli arrivals that is the discrete Geo/D/1 queue, with
 * Poisson arrivals M/D/1, whose mean waits are known. Buffers hold four packets, so that the bubble rule
 * never makes a packet wait for the one before it. */
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#include "replay/traffic/steady.h"
#include "replay/traffic/traffic.h"
#include "tests/fail-alloc.h"

struct fixture {
    struct net_topology *topology;
    struct net_routing routing;
    struct replay_traffic traffic;
};

static void make(struct fixture *fixture, const char *topology, const char *pattern, uint64_t cycles)
{
    struct base_error error;

    *fixture = (struct fixture){.topology = net_topology_new(topology, &error)};
    assert_non_null(fixture->topology);
    fixture->traffic =
        (struct replay_traffic){.topology = fixture->topology,
                                .network = {.packet_flits = 16, .buffer_flits = 64, .injectors = 1},
                                .pattern = pattern,
                                .lengths = {NET_LENGTH_FIXED, 16, 0, 0},
                                .seed = 1,
                                .seeds = 1,
                                .cycles = cycles,
                                .detect = true,
                                .threads = 1};
    if (net_topology_is_ideal(fixture->topology))
        return;
    assert_int_equal(net_routing_init(&fixture->routing, fixture->topology, NULL, 0, &error), 0);
    fixture->traffic.routing = &fixture->routing;
}

static void drop(struct fixture *fixture)
{
    net_routing_free(&fixture->routing);
    net_topology_free(fixture->topology);
}

static struct report_traffic_point point_of(const struct fixture *fixture, uint64_t load)
{
    struct report_traffic_point point;
    struct base_error error;

    if (replay_traffic_points(&fixture->traffic, &load, 1, &point, &error) != 0)
        fail_msg("%s", error.text);
    return point;
}

/* Four times the half width of the 95 % interval is eight standard errors. */
static void assert_mean(double value, double expected, double interval)
{
    if (!(fabs(value - expected) <= 4 * interval))
        fail_msg("%.4f, expected %.4f +- %.4f", value, expected, interval);
}

static void check_queue(const char *topology, enum net_arrivals arrivals, uint64_t load)
{
    struct fixture fixture;
    struct report_traffic_point point;
    double d = 16;
    double rho = (double)load / 1e6;
    double wait = (arrivals == NET_BERNOULLI ? d - 1 : d) * rho / (2 * (1 - rho));

    make(&fixture, topology, "neighbour", 40000);
    fixture.traffic.arrivals = arrivals;
    point = point_of(&fixture, load);
    assert_mean(point.latency.mean, d + wait, point.latency_interval);
    assert_mean(point.accepted_load, rho, point.accepted_interval);
    /* The network itself adds nothing: one link, then the target. */
    assert_true(point.network.mean == d && point.network.deviation == 0 && point.network.maximum == 16);
    assert_true(point.mean_hops == 1);
    assert_true(point.steady && !point.saturated);
    assert_true(fabs(point.port_load[0] - point.accepted_load) < 0.001);
    assert_true(point.port_load[1] == 0 && point.port_load[2] == 0 && point.port_load[3] == 0);
    assert_true(fabs(point.mean_channel_load - point.accepted_load / 4) < 0.001);
    drop(&fixture);
}

static void test_queues(void **state)
{
    (void)state;
    check_queue("torus:8x8", NET_BERNOULLI, 100000);
    check_queue("torus:8x8", NET_BERNOULLI, 500000);
    check_queue("torus:8x8", NET_BERNOULLI, 800000);
    check_queue("torus:8x8", NET_POISSON, 500000);
}

/* A message of one flit that meets nobody takes as many cycles as links: the latency is the mean distance. */
static void check_zero_load(const char *text)
{
    struct fixture fixture;
    struct report_traffic_point point;
    struct net_metrics metrics;
    struct base_error error;

    make(&fixture, text, "uniform", 100000);
    fixture.traffic.lengths.flits = 1;
    point = point_of(&fixture, 1000);
    assert_int_equal(net_topology_metrics(fixture.topology, &metrics, &error), 0);
    /* Almost nobody is met, and each meeting costs a cycle or two. */
    assert_true(fabs(point.latency.mean - point.mean_hops) < 0.01 * point.mean_hops);
    assert_true(point.latency.mean >= point.mean_hops - 0.01);
    assert_mean(point.latency.mean, metrics.mean_distance, point.latency_interval + 0.005);
    assert_int_equal(point.latency.p50 > 0 && point.latency.p50 <= metrics.diameter, 1);
    net_metrics_free(&metrics);
    drop(&fixture);
}

static void test_zero_load(void **state)
{
    (void)state;
    check_zero_load("torus:8x8");
    check_zero_load("mesh:6x5");
    check_zero_load("king-torus:8x8");
    check_zero_load("diagonal-torus:8x8");
}

static void test_ideal(void **state)
{
    struct fixture fixture;
    struct report_traffic_point point;

    (void)state;
    make(&fixture, "ideal:9", "uniform", 10000);
    point = point_of(&fixture, 500000);
    assert_true(point.latency.mean == 0 && point.latency.maximum == 0 && point.network.mean == 0);
    assert_mean(point.accepted_load, 0.5, point.accepted_interval);
    assert_false(point.saturated);
    drop(&fixture);
}

/* All messages injected at their cycles, whatever waits: what a run without bounds delivers before `end`. */
static void run_unbounded(const struct fixture *fixture, uint64_t load, uint64_t end,
                          struct replay_histogram *latency)
{
    const struct replay_traffic *traffic = &fixture->traffic;
    struct net_pattern pattern;
    struct net_traffic generator;
    struct base_error error;
    struct net_options options = traffic->network;
    struct net_network *network = net_network_new(traffic->topology, traffic->routing, &options, &error);

    assert_int_equal(net_pattern_init(&pattern, traffic->topology, traffic->pattern, 1, &error), 0);
    assert_int_equal(
        net_traffic_init(&generator, &pattern, traffic->arrivals, &traffic->lengths, load, 1, &error), 0);
    for (uint32_t terminal = 0; terminal < traffic->topology->terminals; terminal++) {
        struct net_traffic_message next;
        for (net_traffic_next(&generator, terminal, &next); next.cycle < end;
             net_traffic_next(&generator, terminal, &next)) {
            struct net_message message = {terminal, next.target, next.flits, next.cycle, false};
            assert_int_equal(net_network_inject(network, next.cycle, &message, &error), 0);
        }
    }
    while (net_network_now(network) < end)
        if (net_network_advance(network, end, &error) == 1) {
            size_t count;
            const struct net_notice *notices = net_network_notices(network, &count);
            for (size_t i = 0; i < count; i++)
                replay_histogram_add(latency, net_network_now(network) - 1 - notices[i].tag);
        }
    net_network_free(network);
    net_traffic_free(&generator);
    net_pattern_free(&pattern);
}

/* With sides of odd length and one virtual channel nothing is drawn in the network, so that the numbers of
 * messages do not matter. */
static void check_bounded(const char *lengths, uint64_t load)
{
    struct fixture fixture;
    struct replay_traffic_run run;
    struct replay_histogram latency = {0};
    struct base_error error;

    make(&fixture, "torus:5x5", "uniform", 5000);
    fixture.traffic.detect = false;
    assert_int_equal(net_lengths_parse(&fixture.traffic.lengths, lengths, 16, &error), 0);
    assert_int_equal(replay_traffic_simulate(&fixture.traffic, load, 1, &run, &error), 0);
    run_unbounded(&fixture, load, 5000, &latency);
    assert_int_equal(run.latency.total, latency.total);
    assert_int_equal(run.latency.sum, latency.sum);
    assert_int_equal(run.latency.maximum, latency.maximum);
    for (unsigned thousandths = 0; thousandths <= 1000; thousandths += 10)
        assert_int_equal(replay_histogram_percentile(&run.latency, thousandths),
                         replay_histogram_percentile(&latency, thousandths));
    replay_histogram_free(&latency);
    replay_traffic_run_free(&run);
    drop(&fixture);
}

static void test_bounded_queues(void **state)
{
    (void)state;
    check_bounded("fixed", 300000);
    check_bounded("fixed", 990000); /* overload: most messages wait at their sources */
    check_bounded("geometric,mean=40", 900000);
    check_bounded("bimodal,short=1,long=50", 900000);
}

/* A link carries a flit a cycle, and no more. What is not delivered piles up, but not in memory. */
static void test_overload(void **state)
{
    struct fixture fixture;
    struct report_traffic_point point;
    struct replay_traffic_run run;
    struct base_error error;
    double expected;

    (void)state;
    make(&fixture, "torus:4x4", "neighbour", 20000);
    fixture.traffic.arrivals = NET_POISSON;
    point = point_of(&fixture, 2000000);
    assert_true(point.saturated);
    assert_true(fabs(point.accepted_load - 1) < 0.002);
    assert_true(fabs(point.generated_load - 2) < 0.1);
    assert_true(point.network.maximum == 16);
    assert_int_equal(replay_traffic_simulate(&fixture.traffic, 2000000, 1, &run, &error), 0);
    /* The wait grows by a cycle in two: half of the time since the beginning, on the average over the window.
     */
    expected = ((double)run.warmup_cycles + 10000) / 2;
    assert_true(fabs(replay_histogram_mean(&run.latency) / expected - 1) < 0.05);
    replay_traffic_run_free(&run);
    drop(&fixture);
}

static void test_saturation(void **state)
{
    struct fixture fixture;
    struct report_traffic_point points[REPLAY_SEARCH_MAX];
    struct base_error error;
    uint32_t count;
    double stable = 0, saturated = 9;

    (void)state;
    make(&fixture, "torus:4x4", "neighbour", 20000);
    fixture.traffic.arrivals = NET_POISSON;
    assert_int_equal(replay_traffic_search(&fixture.traffic, 2000000, points, &count, &error), 0);
    assert_true(count > 4 && count < REPLAY_SEARCH_MAX);
    for (uint32_t i = 0; i < count; i++)
        if (points[i].saturated)
            saturated = fmin(saturated, points[i].offered_load);
        else
            stable = fmax(stable, points[i].offered_load);
    assert_true(stable < saturated && saturated - stable <= 0.011 * saturated);
    assert_true(saturated > 0.97 && saturated < 1.03);
    /* What never saturates ends the search at once. */
    assert_int_equal(replay_traffic_search(&fixture.traffic, 300000, points, &count, &error), 0);
    assert_int_equal(count, 1);
    assert_false(points[0].saturated);
    drop(&fixture);
}

/* The rule as the paper has it, from sums over the whole series: averages are compared as fractions. */
static bool settles_at(const uint64_t *entered, const uint64_t *delivered, uint64_t cycles)
{
    const uint64_t *series[2] = {entered, delivered};
    int64_t sum[2] = {0, 0}, before[2] = {0, 0};
    int64_t t = (int64_t)cycles;
    for (uint64_t i = 0; i < cycles; i++)
        for (int j = 0; j < 2; j++) {
            before[j] = sum[j];
            sum[j] += (int64_t)series[j][i];
        }
    for (int j = 0; j < 2; j++) {
        int64_t change = sum[j] * (t - 1) - before[j] * t;
        if (t == 1 || 1000 * (change < 0 ? -change : change) >= t * (t - 1))
            return false;
    }
    int64_t inside = sum[0] - sum[1];
    return 1000 * (inside < 0 ? -inside : inside) < t && sum[1] >= REPLAY_SETTLING_MESSAGES;
}

/* Series of which some settle, some late, some never, and of which a message is a flit. */
static void averages_settle_as_the_paper_says(void **state)
{
    enum { CYCLES = 3000 };
    uint64_t entered[CYCLES], delivered[CYCLES];
    unsigned ends = 0;

    (void)state;
    for (uint32_t round = 0; round < 24; round++) {
        struct base_random random;
        struct replay_settling settling = {0};
        uint64_t inside = 0, most = round % 6 * 2;
        base_random_seed(&random, round, 0);
        for (uint64_t t = 0; t < CYCLES; t++) {
            entered[t] = 30 + base_random_below(&random, 1 + round % 4);
            inside += entered[t];
            delivered[t] = inside > most ? inside - most : 0;
            inside -= delivered[t];
            bool settles = replay_settles(&settling, entered[t], delivered[t], delivered[t]);
            assert_int_equal(settles, settles_at(entered, delivered, t + 1));
            ends += settles;
        }
    }
    assert_in_range(ends, 100, 24 * CYCLES / 2); /* both answers were asked for */
}

static bool settles_behind(uint64_t cycles, uint64_t entered, uint64_t delivered, uint64_t now)
{
    struct replay_settling settling = {cycles, entered, delivered, REPLAY_SETTLING_MESSAGES};
    return replay_settles(&settling, now, now, 0);
}

/* The bounds themselves: a change of 999 / (999 * 1000), or a flit of difference behind 1000 cycles, is 0.001. */
static void a_thousandth_is_too_much(void **state)
{
    (void)state;
    assert_false(settles_behind(999, 999 * 30, 999 * 30, 31));
    assert_true(settles_behind(999, 999 * 30 + 1, 999 * 30 + 1, 31));
    assert_false(settles_behind(999, 999 * 31, 999 * 31, 30));
    assert_true(settles_behind(999, 999 * 31 - 1, 999 * 31 - 1, 30));
    assert_false(settles_behind(999, 999 * 30 + 1, 999 * 30, 30));
    assert_true(settles_behind(1000, 1000 * 30 + 1, 1000 * 30, 30));
    assert_false(settles_behind(0, 0, 0, 0)); /* there was no average before */
}

/* A run that ends so is the run of as many cycles, and one that does not is marked. */
static void a_run_ends_when_its_averages_settle(void **state)
{
    struct fixture fixture;
    struct report_traffic_point settled, fixed;

    (void)state;
    make(&fixture, "darm:4x4x4", "uniform", 1000000);
    fixture.traffic.network = (struct net_options){.lossy = true};
    fixture.traffic.lengths.flits = 1;
    fixture.traffic.settle = true;
    fixture.traffic.detect = false;
    settled = point_of(&fixture, 200000);
    assert_true(settled.steady && settled.messages >= REPLAY_SETTLING_MESSAGES);
    assert_in_range(settled.cycles, 1000, 999999);
    fixture.traffic.settle = false;
    fixture.traffic.cycles = settled.cycles;
    fixed = point_of(&fixture, 200000);
    assert_string_equal(settled.digest, fixed.digest);
    assert_int_equal(settled.messages, fixed.messages);
    assert_true(settled.accepted_load == fixed.accepted_load && settled.mean_hops == fixed.mean_hops);
    fixture.traffic.settle = true;
    fixture.traffic.cycles = settled.cycles - 1;
    settled = point_of(&fixture, 200000);
    assert_false(settled.steady);
    assert_int_equal(settled.cycles, fixture.traffic.cycles);
    drop(&fixture);
}

static void test_steady(void **state)
{
    double series[400];

    (void)state;
    for (unsigned i = 0; i < 400; i++)
        series[i] = i % 7;
    assert_true(replay_steady(series, 400));
    assert_int_equal(replay_steady_truncation(series, 40), 40); /* too short to say */
    for (unsigned i = 0; i < 400; i++)
        series[i] = (i < 100 ? 40 - 0.4 * i : 0) + i % 5; /* the batches of five have no noise */
    assert_int_equal(replay_steady_truncation(series, 400), 100);
    assert_true(replay_steady(series, 400));
    assert_true(replay_steady(series, 200));
    assert_false(replay_steady(series, 150));
    for (unsigned i = 0; i < 400; i++)
        series[i] = i;
    assert_false(replay_steady(series, 400));
    for (unsigned i = 0; i < 400; i++)
        series[i] = 1e12; /* a constant, however large */
    assert_int_equal(replay_steady_truncation(series, 400), 0);
}

static void test_histogram(void **state)
{
    struct replay_histogram histogram = {0}, other = {0};

    (void)state;
    assert_true(isnan(replay_histogram_mean(&histogram)));
    assert_int_equal(replay_histogram_percentile(&histogram, 500), 0);
    for (uint64_t value = 1; value <= 10; value++)
        assert_int_equal(replay_histogram_add(value % 2 ? &histogram : &other, value), 0);
    assert_int_equal(replay_histogram_merge(&histogram, &other), 0);
    assert_int_equal(histogram.total, 10);
    assert_int_equal(replay_histogram_percentile(&histogram, 500), 5);
    assert_int_equal(replay_histogram_percentile(&histogram, 501), 6);
    assert_int_equal(replay_histogram_percentile(&histogram, 990), 10);
    assert_true(replay_histogram_mean(&histogram) == 5.5);
    assert_true(fabs(replay_histogram_deviation(&histogram) - sqrt(82.5 / 9)) < 1e-12);
    for (unsigned i = 0; i < 20; i++)
        assert_int_equal(replay_histogram_add(&histogram, UINT64_C(123456789012)), 0);
    assert_int_equal(histogram.maximum, UINT64_C(123456789012));
    assert_true(fabs((double)replay_histogram_percentile(&histogram, 900) / 123456789012.0 - 1) < 0.001);
    replay_histogram_free(&histogram);
    replay_histogram_free(&other);
}

static int simulate(void *context)
{
    const struct fixture *fixture = context;
    struct report_traffic_point point;
    struct base_error error;
    uint64_t load = 500000;
    int status = replay_traffic_points(&fixture->traffic, &load, 1, &point, &error);

    if (status != 0)
        assert_int_equal(error.status, BASE_SYSTEM);
    return status;
}

static void test_memory(void **state)
{
    struct fixture fixture;

    (void)state;
    make(&fixture, "torus:3x3", "lru-stack", 300);
    assert_true(fail_alloc_each(simulate, &fixture) > 20);
    fixture.traffic.seeds = 2;
    assert_true(fail_alloc_each(simulate, &fixture) > 40);
    drop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_queues),
        cmocka_unit_test(test_zero_load),
        cmocka_unit_test(test_ideal),
        cmocka_unit_test(test_bounded_queues),
        cmocka_unit_test(test_overload),
        cmocka_unit_test(test_saturation),
        cmocka_unit_test(test_steady),
        cmocka_unit_test(averages_settle_as_the_paper_says),
        cmocka_unit_test(a_thousandth_is_too_much),
        cmocka_unit_test(a_run_ends_when_its_averages_settle),
        cmocka_unit_test(test_histogram),
        cmocka_unit_test(test_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
