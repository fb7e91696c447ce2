/* net_network as its callers see it: when it stops, what it refuses, and what it does without memory. The
 * times themselves are the business of test-closed-forms and test-equivalence. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/engines/engine.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/engines/adaptive-routings.h"

struct bench {
    struct net_topology *topology;
    struct net_routing routing;
    struct net_network *network;
};

/* routing NULL: the topology's own. The network stays NULL if the options are refused. */
static void bench_open(struct bench *bench, const char *text, const struct net_routing_kind *routing,
                       struct net_options options, struct base_error *error)
{
    bench->topology = net_topology_new(text, error);
    assert_non_null(bench->topology);
    uint32_t virtual_channels =
        options.virtual_channels <= NET_VIRTUAL_CHANNELS_MAX ? options.virtual_channels : 1;
    if (net_topology_is_ideal(bench->topology)) {
        bench->network = net_network_new(bench->topology, NULL, &options, error);
        return;
    }
    if (routing)
        test_routing_init(&bench->routing, routing, bench->topology, virtual_channels ? virtual_channels : 1);
    else
        assert_int_equal(net_routing_init(&bench->routing, bench->topology, NULL, virtual_channels, error),
                         0);
    bench->network = net_network_new(bench->topology, &bench->routing, &options, error);
}

static void bench_start(struct bench *bench, const char *text)
{
    struct base_error error = {0};
    bench_open(bench, text, NULL, (struct net_options){.seed = 1}, &error);
    if (!bench->network)
        fail_msg("%s: %s", text, error.text);
}

static void bench_close(struct bench *bench)
{
    net_network_free(bench->network);
    net_topology_free(bench->topology);
}

static void inject(struct bench *bench, uint64_t cycle, uint32_t source, uint32_t target, uint64_t flits,
                   uint64_t tag, bool notice_sent)
{
    struct base_error error = {0};
    struct net_message message = {source, target, flits, tag, notice_sent};
    assert_int_equal(net_network_inject(bench->network, cycle, &message, &error), 0);
}

static int advance(struct bench *bench, uint64_t limit)
{
    struct base_error error = {0};
    int status = net_network_advance(bench->network, limit, &error);
    if (status < 0)
        fail_msg("%s", error.text);
    return status;
}

/* Advances to the next notice, which must be this one alone, in this cycle. */
static void expect_notice(struct bench *bench, uint64_t cycle, enum net_notice_kind kind, uint64_t tag)
{
    size_t count;
    assert_int_equal(advance(bench, UINT64_MAX), 1);
    assert_int_equal(net_network_now(bench->network), cycle);
    const struct net_notice *notices = net_network_notices(bench->network, &count);
    assert_int_equal(count, 1);
    assert_int_equal(notices[0].kind, kind);
    assert_int_equal(notices[0].tag, tag);
}

static void expect_quiet(struct bench *bench)
{
    size_t count;
    struct base_error error = {0};
    assert_int_equal(advance(bench, UINT64_MAX), 0);
    net_network_notices(bench->network, &count);
    assert_int_equal(count, 0);
    assert_int_equal(net_network_pending(bench->network), 0);
    assert_int_equal(net_network_check(bench->network, &error), 0);
}

/* ---- notices and limits ---- */

/* Sent in 5 + 39, noticed in 45; delivered in 5 + 3 + 39, noticed in 48. */
static void test_notices(void **state)
{
    struct bench bench;
    (void)state;
    bench_start(&bench, "mesh:4");
    inject(&bench, 5, 0, 3, 40, 77, true);
    inject(&bench, 500, 3, 0, 40, 78, false);
    assert_int_equal(net_network_pending(bench.network), 2);
    expect_notice(&bench, 45, NET_SENT, 77);
    expect_notice(&bench, 48, NET_DELIVERED, 77);
    assert_int_equal(net_network_pending(bench.network), 1);
    expect_notice(&bench, 543, NET_DELIVERED, 78);
    expect_quiet(&bench);
    bench_close(&bench);
}

/* Notices of one cycle come together; they stay until the network moves. */
static void test_notices_together(void **state)
{
    struct bench bench;
    size_t count;
    (void)state;
    bench_start(&bench, "mesh:3x3");
    for (uint32_t i = 0; i < 3; i++)
        inject(&bench, 2, 3 * i, 3 * i + 1, 16, i, true);
    assert_int_equal(advance(&bench, UINT64_MAX), 1);
    assert_int_equal(net_network_now(bench.network), 18);
    net_network_notices(bench.network, &count);
    assert_int_equal(count, 3);
    net_network_notices(bench.network, &count);
    assert_int_equal(count, 3);
    assert_int_equal(advance(&bench, UINT64_MAX), 1);
    assert_int_equal(net_network_now(bench.network), 19);
    net_network_notices(bench.network, &count);
    assert_int_equal(count, 3);
    expect_quiet(&bench);
    bench_close(&bench);
}

/* A limit stops the clock before that cycle, however often it is asked, and costs no cycle. */
static void test_limits(void **state)
{
    struct bench bench;
    (void)state;
    bench_start(&bench, "mesh:4");
    assert_int_equal(advance(&bench, 10), 0);
    assert_int_equal(net_network_now(bench.network), 10);
    inject(&bench, 10, 0, 3, 16, 0, false); /* usable at 10 + 3 + 16 = 29 */
    for (uint64_t limit = 10; limit < 29; limit++) {
        assert_int_equal(advance(&bench, limit), 0);
        assert_int_equal(net_network_now(bench.network), limit);
    }
    assert_int_equal(advance(&bench, 29), 1);
    assert_int_equal(net_network_now(bench.network), 29);
    assert_int_equal(advance(&bench, 29), 0);
    assert_int_equal(advance(&bench, 1000000), 0);
    assert_int_equal(net_network_now(bench.network), 1000000);
    expect_quiet(&bench);
    bench_close(&bench);
}

/* Limits in the middle of everything change nothing: the digest of a run in steps is that of a run at once.
 */
static void drive(struct bench *bench, uint64_t step, struct base_digest *digest)
{
    bench_start(bench, "torus:4x4");
    for (uint32_t i = 0; i < 200; i++)
        inject(bench, i / 8, i * 7 % 16, i * 5 % 16, 1 + i % 40, i, true);
    for (uint64_t limit = step; step && net_network_pending(bench->network);)
        if (advance(bench, limit) == 0)
            limit += step;
    while (advance(bench, UINT64_MAX))
        ;
    *digest = net_network_statistics(bench->network)->digest;
    bench_close(bench);
}

static void test_steps_change_nothing(void **state)
{
    struct bench bench;
    struct base_digest at_once, in_steps;
    (void)state;
    drive(&bench, 0, &at_once);
    for (uint64_t step = 1; step < 50; step += 12) {
        drive(&bench, step, &in_steps);
        assert_memory_equal(&at_once, &in_steps, sizeof at_once);
    }
    assert_true(at_once.records > 200);
}

/* A message that is injected in the cycle of a notice takes part in that very cycle. */
static void test_answers_in_the_cycle_of_the_notice(void **state)
{
    struct bench bench;
    uint64_t cycle = 0;
    (void)state;
    bench_start(&bench, "king-torus:4x4");
    for (uint32_t leg = 0; leg < 10; leg++) {
        inject(&bench, cycle, leg % 2 ? 10 : 0, leg % 2 ? 0 : 10, 16, leg, false);
        cycle += 2 + 16; /* 10 is (2, 2): two diagonal links */
        expect_notice(&bench, cycle, NET_DELIVERED, leg);
    }
    expect_quiet(&bench);
    bench_close(&bench);
}

/* ---- statistics ---- */

static void add_packets(void *context, uint64_t latency_cycles, uint64_t packets)
{
    uint64_t *sums = context;
    assert_true(sums[0] == 0 || latency_cycles > sums[2]);
    sums[0] += packets;
    sums[1] += packets * latency_cycles;
    sums[2] = latency_cycles;
}

static void test_statistics(void **state)
{
    struct bench bench;
    struct base_error error = {0};
    uint64_t sums[3] = {0};
    uint64_t carried = 0;
    (void)state;
    bench_start(&bench, "mesh:4x4");
    for (uint32_t i = 0; i < 100; i++)
        inject(&bench, i, i % 16, (i * 3 + 1) % 16, 20, i, false);
    while (advance(&bench, UINT64_MAX))
        assert_int_equal(net_network_check(bench.network, &error), 0);
    const struct net_statistics *statistics = net_network_statistics(bench.network);
    assert_int_equal(statistics->messages, 100);
    assert_int_equal(statistics->packets, 200);
    assert_int_equal(statistics->flits, 2000);
    for (uint32_t link = 0; link < bench.topology->link_count; link++)
        carried += statistics->link_flits[link];
    assert_int_equal(carried, statistics->flit_hops);
    assert_int_equal(net_network_latencies(bench.network, add_packets, sums, &error), 0);
    assert_int_equal(sums[0], 200);
    assert_int_equal(sums[1], statistics->latency_sum_cycles);
    assert_int_equal(sums[2], statistics->latency_max_cycles);
    bench_close(&bench);
}

/* Silence is free: a message in the far future costs no more cycles than one at once. */
static void test_idle_cycles_cost_nothing(void **state)
{
    struct bench bench;
    (void)state;
    bench_start(&bench, "mesh:4x4");
    inject(&bench, 0, 0, 15, 16, 0, false);
    inject(&bench, UINT64_C(1) << 50, 0, 15, 16, 1, false);
    expect_notice(&bench, 6 + 16, NET_DELIVERED, 0);
    expect_notice(&bench, (UINT64_C(1) << 50) + 6 + 16, NET_DELIVERED, 1);
    assert_true(net_network_statistics(bench.network)->executed_cycles <= 2 * (6 + 16 + 1));
    bench_close(&bench);
}

/* ---- the ideal network ---- */

static void test_ideal(void **state)
{
    struct bench bench;
    size_t count;
    (void)state;
    bench_start(&bench, "ideal:8");
    inject(&bench, 4, 0, 7, 1000000, 5, false);
    inject(&bench, 4, 1, 7, 1000000, 6, true);
    assert_int_equal(advance(&bench, UINT64_MAX), 1);
    assert_int_equal(net_network_now(bench.network), 4);
    net_network_notices(bench.network, &count);
    assert_int_equal(count, 3);
    inject(&bench, 4, 7, 0, 1, 7, false); /* an answer in the same cycle, in no time */
    expect_notice(&bench, 4, NET_DELIVERED, 7);
    expect_quiet(&bench);
    bench_close(&bench);
}

/* Seven cycles for every message, whatever else is on its way; it is sent at once. */
static void test_ideal_latency(void **state)
{
    struct bench bench;
    size_t count;
    (void)state;
    bench_start(&bench, "ideal:8,latency=7");
    inject(&bench, 2, 3, 7, 1, 4, false); /* nobody asks when it is sent: no notice before 9 */
    inject(&bench, 4, 0, 7, 1000000, 5, false);
    inject(&bench, 4, 1, 7, 1000000, 6, true);
    inject(&bench, 11, 7, 0, 1, 7, true);
    expect_notice(&bench, 4, NET_SENT, 6);
    expect_notice(&bench, 9, NET_DELIVERED, 4);
    assert_int_equal(advance(&bench, UINT64_MAX), 1);
    assert_int_equal(net_network_now(bench.network), 11);
    const struct net_notice *notices = net_network_notices(bench.network, &count);
    assert_int_equal(count, 3); /* by number: two are delivered, and the third is sent */
    assert_int_equal(notices[0].tag, 5);
    assert_int_equal(notices[2].kind, NET_SENT);
    expect_notice(&bench, 18, NET_DELIVERED, 7);
    expect_quiet(&bench);
    bench_close(&bench);
}

/* ---- deadlock ---- */

/* Fully adaptive on one virtual channel: the packets of a mesh wait for each other in a circle. */
static void test_deadlock_is_reported(void **state)
{
    struct bench bench;
    struct base_error error = {0};
    int status;
    (void)state;
    bench_open(&bench, "mesh:4x4", &test_routing_tiers, (struct net_options){.buffer_flits = 16}, &error);
    assert_non_null(bench.network);
    for (uint32_t i = 0; i < 2000; i++)
        inject(&bench, 0, i % 16, 15 - i % 16, 16, i, false);
    do
        status = net_network_advance(bench.network, UINT64_MAX, &error);
    while (status == 1);
    assert_int_equal(status, -1);
    assert_int_equal(error.status, BASE_DEADLOCK);
    assert_true(strlen(error.text) > 40);
    assert_true(net_network_pending(bench.network) > 0);
    assert_int_equal(net_network_check(bench.network, &error), 0);
    bench_close(&bench);
}

/* ---- what is refused ---- */

static const struct refusal {
    const char *topology;
    struct net_options options;
    const char *word; /* that the sentence contains */
} refusals[] = {
    {"mesh:4", {.packet_flits = 16, .buffer_flits = 15}, "16"},
    {"mesh:4", {.buffer_flits = 15}, "16"},
    {"torus:4", {.packet_flits = 16, .buffer_flits = 31}, "32"},
    {"king-torus:4x4", {.packet_flits = 5, .buffer_flits = 9}, "10"},
    {"mesh:4", {.injectors = 63}, "injector"},
    {"mesh:4", {.consumers = 63}, "consumer"},
    {"mesh:4", {.injectors = UINT32_MAX}, "injector"},
    {"mesh:4", {.consumers = UINT32_MAX}, "consumer"},
    {"mesh:4,concentration=64", {.injectors = 16}, "1024"},
    {"full-mesh:66", {.virtual_channels = 16}, "1024"},
    {"mesh:4", {.packet_flits = UINT32_MAX}, "packet"},
    {"torus:4", {.packet_flits = UINT32_MAX}, "packet"},
    {"torus:4", {.packet_flits = UINT32_C(1) << 31}, "packet"},
    {"mesh:4", {.buffer_flits = UINT32_MAX}, "buffer"},
};

static void test_refusals(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct bench bench;
        struct base_error error = {0};
        bench_open(&bench, refusals[i].topology, NULL, refusals[i].options, &error);
        if (bench.network)
            fail_msg("refusal %zu (%s, %s) is accepted", i, refusals[i].topology, refusals[i].word);
        if (error.status != BASE_USAGE || !strstr(error.text, refusals[i].word))
            fail_msg("refusal %zu (%s): status %d, %s", i, refusals[i].topology, (int)error.status,
                     error.text);
        bench_close(&bench);
    }
}

/* The least values that the sentences name do work. */
static void test_least_values(void **state)
{
    static const struct refusal works[] = {
        {"mesh:4", {.packet_flits = 16, .buffer_flits = 16}, ""},
        {"torus:4", {.packet_flits = 16, .buffer_flits = 32}, ""},
        {"mesh:4", {.injectors = 16}, ""},
        {"mesh:4", {.consumers = 16}, ""},
        {"mesh:4,concentration=62", {.injectors = 1}, ""},
        {"king-mesh:4x4", {.virtual_channels = 7}, ""},
        {"mesh:4", {.packet_flits = 1, .buffer_flits = 1}, ""},
    };
    (void)state;
    for (size_t i = 0; i < sizeof works / sizeof *works; i++) {
        struct bench bench;
        struct base_error error = {0};
        bench_open(&bench, works[i].topology, NULL, works[i].options, &error);
        if (!bench.network)
            fail_msg("%s: %s", works[i].topology, error.text);
        inject(&bench, 0, 0, bench.topology->terminals - 1, 100, 1, false);
        assert_int_equal(advance(&bench, UINT64_MAX), 1);
        expect_quiet(&bench);
        bench_close(&bench);
    }
}

/* ---- multicasts ---- */

/* Copies go to all terminals of the box but the source, or to all targets but the source. */
static void test_copies(void **state)
{
    static const uint32_t low[] = {1, 0}, high[] = {2, 1}, targets[] = {0, 5, 17};
    struct bench bench;
    (void)state;
    bench_start(&bench, "mesh:4x3,concentration=2");
    struct net_multicast multicast = {.source = 0, .flits = 1};
    assert_int_equal(net_network_copies(bench.network, &multicast), 23);
    multicast.low = low;
    multicast.high = high;
    assert_int_equal(net_network_copies(bench.network, &multicast), 8);
    multicast.source = 2;
    assert_int_equal(net_network_copies(bench.network, &multicast), 7);
    multicast.low = high;
    multicast.high = low;
    assert_int_equal(net_network_copies(bench.network, &multicast), 0);
    multicast = (struct net_multicast){.source = 5, .flits = 1, .targets = targets, .target_count = 3};
    assert_int_equal(net_network_copies(bench.network, &multicast), 2);
    bench_close(&bench);
}

/* A network that cannot multicast says so, and nothing has changed in it. */
static void test_no_multicast(void **state)
{
    struct bench bench;
    struct base_error error = {0};
    const struct net_multicast multicast = {.source = 0, .flits = 1};
    (void)state;
    bench_start(&bench, "ideal:4");
    assert_int_equal(net_network_multicast(bench.network, 0, &multicast, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "multicast"));
    assert_int_equal(net_network_pending(bench.network), 0);
    bench_close(&bench);
}

/* ---- without memory ---- */

struct attempt {
    struct net_topology *topology;
    struct net_routing *routing;
    struct net_options options;
};

static int inject_many(struct net_network *network, uint32_t terminals, struct base_error *error)
{
    for (uint32_t i = 0; i < 300; i++) {
        struct net_message message = {i * 7 % terminals, i * 5 % terminals, 1 + i % 40, i, true};
        if (net_network_inject(network, i / 16, &message, error))
            return -1;
    }
    return 0;
}

static int run_to_the_end(struct net_network *network, struct base_error *error)
{
    int status;
    uint64_t sums[3] = {0};
    do
        status = net_network_advance(network, UINT64_MAX, error);
    while (status == 1);
    return status ? status : net_network_latencies(network, add_packets, sums, error);
}

/* From new to free. What fails must say so, and as lack of memory. */
static int attempt_run(void *state)
{
    struct attempt *attempt = state;
    struct base_error error = {0};
    struct net_network *network =
        net_network_new(attempt->topology, attempt->routing, &attempt->options, &error);
    int status = network ? 0 : -1;
    if (!status)
        status = inject_many(network, attempt->topology->terminals, &error);
    if (!status)
        status = run_to_the_end(network, &error);
    net_network_free(network);
    if (status)
        assert_int_equal(error.status, BASE_SYSTEM);
    return status;
}

/* routing NULL: the topology's own. */
static void expect_survival(const char *text, const char *routing_name, struct net_options options)
{
    struct base_error error = {0};
    struct net_routing routing;
    struct attempt attempt = {net_topology_new(text, &error), &routing, options};
    assert_non_null(attempt.topology);
    attempt.options.injectors = 2;
    if (net_topology_is_ideal(attempt.topology))
        attempt.routing = NULL;
    else
        assert_int_equal(net_routing_init(&routing, attempt.topology, routing_name, 0, &error), 0);
    assert_true(fail_alloc_each(attempt_run, &attempt) > 0);
    if (attempt.routing != NULL)
        net_routing_free(&routing);
    net_topology_free(attempt.topology);
}

static void test_without_memory(void **state)
{
    (void)state;
    expect_survival("torus:4x4", NULL, (struct net_options){0});
    expect_survival("king-mesh:3x3", NULL, (struct net_options){0});
    expect_survival("ideal:16", NULL, (struct net_options){0});
    expect_survival("torus:4x4", "dateline",
                    (struct net_options){.flow_control = NET_WORMHOLE, .buffer_flits = 4, .link_cycles = 3});
    expect_survival("mway-mesh:3x3", NULL, (struct net_options){0});
    expect_survival("king-mesh:3x3", NULL, (struct net_options){.multiplexed = true, .credit_cycles = 2});
}

/* Notes `count` notices whose numbers lie within a range, in no order: of some messages both that they were sent and
 * that they were delivered, and of every third copies, if there are any. Tags say which. */
static void note_some(struct net_network *network, struct base_random *random, uint32_t count, uint64_t range,
                      bool copies)
{
    uint64_t first = base_random_next(random) >> 8, step = range / count;
    for (uint32_t i = 0; i < count; i++) {
        uint64_t which = (i * UINT64_C(7919) + 5) % count, number = first + which / 2 * step;
        struct net_journey journey = {(uint32_t)which, NET_NONE, 0};
        if (which % 2 == 0)
            assert_int_equal(net_network_notice(network, number, NET_SENT, 4 * which), 0);
        else if (copies && which % 3 == 0)
            for (uint32_t terminal = 2; terminal-- > 0;)
                assert_int_equal(net_network_notice_copy(network, number, terminal, 4 * which + terminal), 0);
        else
            assert_int_equal(net_network_notice_journey(network, number, 4 * which, &journey), 0);
    }
}

/* However many there are, and however far apart their numbers: each once, in the order of the tags. */
static void test_order_of_notices(void **state)
{
    static const uint32_t counts[] = {1, 2, 3, 7, 15, 16, 17, 18, 64, 77, 300, 5000};
    static const uint64_t ranges[] = {1u << 13, UINT64_C(1) << 22, UINT64_C(1) << 31, UINT64_C(1) << 40};
    struct base_random random;
    (void)state;
    base_random_seed(&random, 3, 0);
    for (size_t i = 0; i < sizeof counts / sizeof *counts * 8; i++) {
        struct net_network network = {0};
        uint32_t wanted = counts[i / 8];
        size_t count;
        note_some(&network, &random, wanted, ranges[i / 2 % 4], i % 2 != 0);
        net_network_sort_notices(&network);
        const struct net_notice *notices = net_network_notices(&network, &count);
        assert_true(count == wanted + (i % 2 != 0 ? (wanted + 2) / 6 : 0));
        for (size_t j = 1; j < count; j++)
            assert_true(notices[j - 1].tag < notices[j].tag);
        for (size_t j = 0; j < count; j++)
            assert_int_equal(notices[j].kind, notices[j].tag / 4 % 2 == 0 ? NET_SENT : NET_DELIVERED);
        free(network.noticed);
        free(network.notices);
        free(network.notice_order);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_notices),
        cmocka_unit_test(test_notices_together),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_steps_change_nothing),
        cmocka_unit_test(test_answers_in_the_cycle_of_the_notice),
        cmocka_unit_test(test_statistics),
        cmocka_unit_test(test_idle_cycles_cost_nothing),
        cmocka_unit_test(test_ideal),
        cmocka_unit_test(test_ideal_latency),
        cmocka_unit_test(test_deadlock_is_reported),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_least_values),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_order_of_notices),
        cmocka_unit_test(test_no_multicast),
        cmocka_unit_test(test_without_memory),
    };
    return cmocka_run_group_tests_name("the network's interface", tests, NULL, NULL);
}
