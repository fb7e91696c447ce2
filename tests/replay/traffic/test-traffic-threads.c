/* Runs of synthetic traffic on several threads: the same points as on one, and the same error.
 *
 * A program of its own, since the allocator of tests/fail-alloc.h is not for threads. */
#include "tests/suite.h"

#include <math.h>
#include <string.h>

#include "replay/traffic/traffic.h"

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

/* Threads share the work and change nothing; other seeds do. */
static void test_threads_and_seeds(void **state)
{
    static const uint64_t loads[] = {100000, 200000, 600000};
    struct fixture fixture;
    struct report_traffic_point one[3], many[3];
    struct base_error error;
    struct replay_traffic_run run;
    double mean = 0;

    (void)state;
    make(&fixture, "torus:4x4", "permutation", 3000);
    fixture.traffic.seeds = 3;
    assert_int_equal(replay_traffic_points(&fixture.traffic, loads, 3, one, &error), 0);
    fixture.traffic.threads = 3;
    assert_int_equal(replay_traffic_points(&fixture.traffic, loads, 3, many, &error), 0);
    for (unsigned i = 0; i < 3; i++) {
        memset(&one[i].host, 0, sizeof one[i].host);
        memset(&many[i].host, 0, sizeof many[i].host);
        assert_string_equal(one[i].digest, many[i].digest);
        assert_true(one[i].latency.mean == many[i].latency.mean);
        assert_true(one[i].latency_interval == many[i].latency_interval && one[i].latency_interval > 0);
        assert_true(one[i].accepted_load == many[i].accepted_load);
    }
    assert_string_not_equal(one[0].digest, one[1].digest);
    /* The point is its three runs together. */
    for (uint64_t seed = 1; seed <= 3; seed++) {
        assert_int_equal(replay_traffic_simulate(&fixture.traffic, loads[0], seed, &run, &error), 0);
        mean += (double)run.flits / 3000 / 16 / 3;
        one[0].messages -= run.messages;
        replay_traffic_run_free(&run);
    }
    assert_int_equal(one[0].messages, 0);
    assert_true(fabs(mean - one[0].accepted_load) < 1e-12);
    drop(&fixture);
}

/* The least load at which a job fails is the one that is told, whichever thread was first. */
static void test_failures(void **state)
{
    static const uint64_t loads[] = {100000, 2000000, 3000000};
    struct fixture fixture;
    struct report_traffic_point points[3];
    struct base_error error;

    (void)state;
    make(&fixture, "torus:4x4", "uniform", 500);
    fixture.traffic.lengths.flits = 1;
    for (uint32_t threads = 1; threads <= 3; threads += 2) {
        fixture.traffic.threads = threads;
        assert_int_equal(replay_traffic_points(&fixture.traffic, loads, 3, points, &error), -1);
        assert_int_equal(error.status, BASE_USAGE);
        assert_non_null(strstr(error.text, "a load of 2 flits a cycle"));
    }
    drop(&fixture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_threads_and_seeds),
        cmocka_unit_test(test_failures),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
