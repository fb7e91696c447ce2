/* Flow control by numbers that can be said without any simulation: latencies of empty networks, shares of a link,
 * places in a buffer, wormhole on rings with and without datelines, and what a deadlock's report names. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "tests/netmodel/engines/adaptive-routings.h"
#include "tests/netmodel/engines/outcome.h"

/* A network and its topology, made from texts. */
struct bench {
    struct net_topology *topology;
    struct net_routing routing;
    struct net_network *network;
};

static void bench_open(struct bench *bench, const char *topology, const char *routing,
                       const struct net_options *options, struct base_error *error)
{
    bench->topology = net_topology_new(topology, error);
    if (!bench->topology ||
        net_routing_init(&bench->routing, bench->topology, routing, options->virtual_channels, error))
        fail_msg("%s", error->text);
    bench->network = net_network_new(bench->topology, &bench->routing, options, error);
}

static void bench_close(struct bench *bench)
{
    net_network_free(bench->network);
    net_routing_free(&bench->routing);
    net_topology_free(bench->topology);
}

static void inject(struct bench *bench, uint64_t cycle, uint32_t source, uint32_t target, uint64_t flits)
{
    struct base_error error = {0};
    struct net_message message = {source, target, flits, cycle, false};
    assert_int_equal(net_network_inject(bench->network, cycle, &message, &error), 0);
}

/* Runs to the end. Returns the status of the last advance. */
static int drain(struct bench *bench, struct base_error *error)
{
    int status;
    do
        status = net_network_advance(bench->network, UINT64_MAX, error);
    while (status == 1);
    if (net_network_check(bench->network, &(struct base_error){0}) != 0)
        fail_msg("the conservation laws do not hold");
    return status;
}

/* The cycle in which a lone packet from terminal 0 is delivered. */
static uint64_t lone_latency(const char *topology, const char *routing, const struct net_options *options,
                             uint32_t target, uint64_t flits)
{
    struct bench bench;
    struct base_error error = {0};
    bench_open(&bench, topology, routing, options, &error);
    if (!bench.network)
        fail_msg("%s", error.text);
    inject(&bench, 0, 0, target, flits);
    assert_int_equal(drain(&bench, &error), 0);
    uint64_t latency = net_network_statistics(bench.network)->latency_max_cycles;
    bench_close(&bench);
    return latency;
}

/* ---- latencies ---- */

/* Rule 2: d links, d + 1 routers, P flits behind each other. The same for every flow control, when a buffer
 * takes a packet; credits are not waited for. */
static void test_base_latency(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < 240; i++) {
        uint32_t link = 1 + i % 5, router = 1 + i / 5 % 4, credit = 1 + i / 20 % 3, hops = i % 8;
        struct net_options options = {.packet_flits = 16,
                                      .virtual_channels = 1 + i % 2,
                                      .flow_control = i & 1 ? NET_WORMHOLE : NET_CUT_THROUGH,
                                      .multiplexed = i % 3 == 0,
                                      .arbiter = (enum net_arbiter)(i % 4),
                                      .link_cycles = link,
                                      .router_cycles = router,
                                      .credit_cycles = credit};
        uint64_t expected = (uint64_t)hops * link + ((uint64_t)hops + 1) * (router - 1) + 16 - 1;
        assert_int_equal(lone_latency("mesh:8", NULL, &options, hops, 16), expected);
    }
}

/* A place is used once in a round: a flit over the link, through the pipeline if it is a header, and the credit
 * back. With B places and a round of L + C cycles, B flits cross in each round. */
static void test_rounds_of_credits(void **state)
{
    (void)state;
    for (uint32_t link = 1; link <= 4; link++)
        for (uint32_t credit = 1; credit <= 4; credit++)
            for (uint32_t places = 1; places <= link + credit; places++) {
                struct net_options options = {.packet_flits = 64,
                                              .buffer_flits = places,
                                              .flow_control = NET_WORMHOLE,
                                              .link_cycles = link,
                                              .credit_cycles = credit};
                uint64_t rounds = 63 / places, rest = 63 % places;
                uint64_t tail_sent = rounds * (link + credit) + rest;
                assert_int_equal(lone_latency("mesh:2", NULL, &options, 1, 64), tail_sent + link);
            }
}

/* ---- sharing a link ---- */

/* Two packets of 16 flits meet on a link of two virtual channels: held, one after the other; multiplexed, by
 * turns, so that both are done at the end. */
static void test_shares_of_a_link(void **state)
{
    (void)state;
    for (int multiplexed = 0; multiplexed <= 1; multiplexed++) {
        struct bench bench;
        struct base_error error = {0};
        struct net_options options = {
            .virtual_channels = 2, .injectors = 2, .consumers = 2, .multiplexed = multiplexed != 0};
        bench_open(&bench, "mesh:2", NULL, &options, &error);
        assert_non_null(bench.network);
        inject(&bench, 0, 0, 1, 16);
        inject(&bench, 0, 0, 1, 16);
        assert_int_equal(drain(&bench, &error), 0);
        const struct net_statistics *statistics = net_network_statistics(bench.network);
        assert_int_equal(statistics->latency_max_cycles, 32);
        assert_int_equal(statistics->latency_sum_cycles, 32 + (multiplexed ? 31 : 16));
        bench_close(&bench);
    }
}

/* All terminals send to one, by three inputs of its router, packets of many lengths. */
static uint64_t deliveries(enum net_arbiter arbiter)
{
    struct bench bench;
    struct base_error error = {0};
    struct net_options options = {.packet_flits = 8, .arbiter = arbiter, .seed = 5};
    bench_open(&bench, "mesh:3x3", NULL, &options, &error);
    assert_non_null(bench.network);
    for (uint32_t i = 0; i < 90; i++)
        inject(&bench, i / 3, i % 9, 5, 1 + i * i % 11);
    assert_int_equal(drain(&bench, &error), 0);
    uint64_t digest = net_network_statistics(bench.network)->digest.low;
    bench_close(&bench);
    return digest;
}

/* That each arbiter is another one. */
static void test_arbiters_differ(void **state)
{
    (void)state;
    for (int a = 0; a <= NET_LONGEST_QUEUE; a++)
        for (int b = 0; b < a; b++)
            assert_true(deliveries((enum net_arbiter)a) != deliveries((enum net_arbiter)b));
}

/* ---- wormhole on rings ---- */

static void pressure(struct bench *bench, uint32_t messages)
{
    uint32_t terminals = bench->topology->terminals;
    for (uint32_t i = 0; i < messages; i++)
        inject(bench, 0, i % terminals, (i + terminals / 2) % terminals, 1 + i % 16);
}

static void test_bubbles_are_refused(void **state)
{
    static const char *const rings[] = {"torus:4", "torus:3x5", "king-torus:4x4", "diagonal-torus:4x4"};
    (void)state;
    for (size_t i = 0; i < sizeof rings / sizeof *rings; i++) {
        struct bench bench;
        struct base_error error = {0};
        struct net_options options = {.flow_control = NET_WORMHOLE};
        bench_open(&bench, rings[i], NULL, &options, &error);
        assert_null(bench.network);
        assert_int_equal(error.status, BASE_USAGE);
        assert_non_null(strstr(error.text, "--routing dateline"));
        bench_close(&bench);
    }
}

/* Buffers of a flit or a few, filled by all terminals at once: with datelines all of it arrives. */
static void test_datelines_drain(void **state)
{
    static const char *const rings[] = {"torus:8",
                                        "torus:4x5",
                                        "torus:3x3x3",
                                        "king-torus:4x6",
                                        "king-torus:5x5",
                                        "diagonal-torus:4x6",
                                        "diagonal-torus:6x4,diagonal=nw",
                                        "torus:2x4"};
    (void)state;
    for (size_t i = 0; i < 3 * sizeof rings / sizeof *rings; i++) {
        struct bench bench;
        struct base_error error = {0};
        struct net_options options = {.flow_control = NET_WORMHOLE,
                                      .virtual_channels = 2 + (uint32_t)i % 3,
                                      .buffer_flits = 1 + (uint32_t)i % 4,
                                      .injectors = 2,
                                      .arbiter = (enum net_arbiter)(i % 4)};
        bench_open(&bench, rings[i / 3], "dateline", &options, &error);
        assert_non_null(bench.network);
        pressure(&bench, 2000);
        if (drain(&bench, &error) != 0)
            fail_msg("%s", error.text);
        bench_close(&bench);
    }
}

/* The same without datelines comes to a stand, at once seen, and the circle of packets is printed: every line
 * names a packet, its buffer and the channel it waits for. */
static void test_circle_is_printed(void **state)
{
    struct bench bench;
    struct base_error error = {0};
    struct net_options options = {.flow_control = NET_WORMHOLE, .buffer_flits = 2, .virtual_channels = 1};
    (void)state;
    bench.topology = net_topology_new("torus:6", &error);
    assert_non_null(bench.topology);
    assert_int_equal(net_routing_init(&bench.routing, bench.topology, NULL, 1, &error), 0);
    bench.routing.bubble_channels = 0;
    bench.network = net_network_new(bench.topology, &bench.routing, &options, &error);
    assert_non_null(bench.network);
    for (uint32_t i = 0; i < 6; i++)
        inject(&bench, 0, i, (i + 2) % 6, 16);
    assert_int_equal(drain(&bench, &error), -1);
    assert_int_equal(error.status, BASE_DEADLOCK);
    assert_true(net_network_now(bench.network) < 10);
    uint32_t lines = 0;
    for (const char *at = error.text; (at = strchr(at, '\n')) != NULL; at++, lines++) {
        assert_true(strncmp(at, "\n  packet 0 of message ", 23) == 0);
        assert_non_null(strstr(at, "waits for X+: the next packet holds it"));
    }
    assert_int_equal(lines, 6);
    bench_close(&bench);
}

/* Cut-through on multiplexed links comes to a stand in the same way, and says what room there is. */
static void test_multiplexed_circle_is_printed(void **state)
{
    struct bench bench;
    struct base_error error = {0};
    struct net_options options = {.multiplexed = true, .buffer_flits = 16};
    (void)state;
    bench.topology = net_topology_new("mesh:4x4", &error);
    assert_non_null(bench.topology);
    test_routing_init(&bench.routing, &test_routing_tiers, bench.topology, 1);
    bench.network = net_network_new(bench.topology, &bench.routing, &options, &error);
    assert_non_null(bench.network);
    for (uint32_t i = 0; i < 2000; i++)
        inject(&bench, 0, i % 16, 15 - i % 16, 16);
    assert_int_equal(drain(&bench, &error), -1);
    assert_int_equal(error.status, BASE_DEADLOCK);
    assert_non_null(strstr(error.text, ": room for 0 flits, of 16"));
    bench_close(&bench);
}

/* ---- limits ---- */

static void test_limits(void **state)
{
    static const struct {
        struct net_options options;
        const char *word;
    } refused[] = {
        {{.link_cycles = 1025}, "--link-cycles"},
        {{.router_cycles = UINT32_MAX}, "--router-cycles"},
        {{.credit_cycles = 2000}, "--credit-cycles"},
        {{.multiplexed = true, .buffer_flits = 15}, "16"},
        {{.flow_control = NET_WORMHOLE, .injectors = 63}, "injector"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct bench bench;
        struct base_error error = {0};
        bench_open(&bench, "mesh:4", NULL, &refused[i].options, &error);
        assert_null(bench.network);
        assert_int_equal(error.status, BASE_USAGE);
        assert_non_null(strstr(error.text, refused[i].word));
        bench_close(&bench);
    }
}

/* The longest latencies that are allowed, and cycles in which nothing happens cost nothing. */
static void test_longest_latencies(void **state)
{
    struct net_options options = {.flow_control = NET_WORMHOLE,
                                  .buffer_flits = 1,
                                  .packet_flits = 2,
                                  .link_cycles = 1024,
                                  .router_cycles = 1024,
                                  .credit_cycles = 1024};
    struct bench bench;
    struct base_error error = {0};
    (void)state;
    bench_open(&bench, "mesh:2", NULL, &options, &error);
    assert_non_null(bench.network);
    inject(&bench, 0, 0, 1, 2);
    inject(&bench, UINT64_C(1) << 40, 1, 0, 2);
    assert_int_equal(drain(&bench, &error), 0);
    const struct net_statistics *statistics = net_network_statistics(bench.network);
    /* The header waits for both pipelines; its place is seen to be free a credit later; then the tail. */
    assert_int_equal(statistics->latency_max_cycles, 1023 + 1024 + 1023 + 1024 + 1024);
    assert_int_equal(statistics->latency_sum_cycles, 2 * statistics->latency_max_cycles);
    assert_true(statistics->executed_cycles < 40);
    bench_close(&bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_base_latency),
        cmocka_unit_test(test_rounds_of_credits),
        cmocka_unit_test(test_shares_of_a_link),
        cmocka_unit_test(test_arbiters_differ),
        cmocka_unit_test(test_bubbles_are_refused),
        cmocka_unit_test(test_datelines_drain),
        cmocka_unit_test(test_circle_is_printed),
        cmocka_unit_test(test_multiplexed_circle_is_printed),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_longest_latencies),
    };
    return cmocka_run_group_tests_name("flow control", tests, NULL, NULL);
}
