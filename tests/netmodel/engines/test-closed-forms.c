/* Times that can be computed by hand from doc/flit-engine.md, asked of the reference and of net_network
 * alike. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/suite.h"

#include "tests/netmodel/engines/outcome.h"

struct bench {
    struct net_topology *topology;
    struct net_routing routing;
    struct reference_setup setup;
};

static const struct net_options defaults;

static void bench_open(struct bench *bench, const char *text, struct net_options options)
{
    struct base_error error = {0};
    bench->topology = net_topology_new(text, &error);
    if (!bench->topology ||
        net_routing_init(&bench->routing, bench->topology, NULL, options.virtual_channels, &error))
        fail_msg("%s: %s", text, error.text);
    bench->setup =
        (struct reference_setup){.topology = bench->topology, .routing = &bench->routing, .options = options};
}

static void bench_close(struct bench *bench)
{
    net_topology_free(bench->topology);
}

/* Runs messages on one of the two to the end; nothing may have gone wrong. The caller frees the outcome. */
static void play(const struct bench *bench, enum outcome_engine engine,
                 const struct reference_message *messages, size_t count, struct outcome *outcome)
{
    outcome_run(engine, OUTCOME_FEED_EXACT, &bench->setup, messages, count, outcome);
    if (outcome->fault[0])
        fail_msg("%s, %s: %s", bench->topology->text, outcome_engine_name(engine), outcome->fault);
    assert_false(outcome->deadlock);
    assert_int_equal(outcome->messages, count);
}

/* Both engines must deliver message m in the cycle delivered[m] and, where sent is given, send it in sent[m].
 */
static void expect(const char *topology, struct net_options options, const struct reference_message *messages,
                   size_t count, const uint64_t *delivered, const uint64_t *sent)
{
    struct bench bench;
    bench_open(&bench, topology, options);
    for (int engine = 0; engine < OUTCOME_ENGINES; engine++) {
        struct outcome outcome;
        play(&bench, (enum outcome_engine)engine, messages, count, &outcome);
        for (size_t m = 0; m < count; m++) {
            if (outcome.delivered[m] != delivered[m])
                fail_msg("%s, %s: message %zu delivered in %" PRIu64 ", not %" PRIu64, topology,
                         outcome_engine_name((enum outcome_engine)engine), m, outcome.delivered[m],
                         delivered[m]);
            if (sent && outcome.sent[m] != sent[m])
                fail_msg("%s, %s: message %zu sent in %" PRIu64 ", not %" PRIu64, topology,
                         outcome_engine_name((enum outcome_engine)engine), m, outcome.sent[m], sent[m]);
        }
        outcome_free(&outcome);
    }
    bench_close(&bench);
}

/* ---- one packet ---- */

static const char *const small_topologies[] = {
    "mesh:5",
    "mesh:4x3",
    "mesh:3x2x3",
    "mesh:3x3,concentration=2",
    "torus:6",
    "torus:5x4",
    "torus:3x4x2",
    "torus:3x3,concentration=3",
    "king-mesh:5x3",
    "king-mesh:3x3,concentration=2",
    "king-torus:4x4",
    "king-torus:5x3",
    "king-torus:3x4,concentration=2",
};

/* d + flits - 1 cycles over d links; the last flit has left the injector flits - 1 cycles after the first.
 * One pair after the other, far enough apart to be alone, in one network. */
static void expect_all_pairs(const char *topology, struct net_options options, uint64_t flits)
{
    struct bench bench;
    bench_open(&bench, topology, options);
    uint32_t terminals = bench.topology->terminals, concentration = bench.topology->concentration;
    size_t count = (size_t)terminals * terminals;
    struct reference_message *messages = calloc(count, sizeof *messages);
    uint64_t *delivered = calloc(count, sizeof *delivered), *sent = calloc(count, sizeof *sent);
    assert_true(messages && delivered && sent);
    for (uint32_t m = 0; m < count; m++) {
        uint32_t source = m / terminals, target = m % terminals;
        uint32_t links =
            net_topology_distance(bench.topology, source / concentration, target / concentration);
        messages[m] = (struct reference_message){UINT64_C(100) * m, source, target, flits};
        delivered[m] = messages[m].cycle + links + flits - 1;
        sent[m] = messages[m].cycle + flits - 1;
    }
    bench_close(&bench);
    expect(topology, options, messages, count, delivered, sent);
    free(messages);
    free(delivered);
    free(sent);
}

static void test_one_packet(void **state)
{
    static const uint64_t lengths[] = {1, 5, 16};
    (void)state;
    for (size_t i = 0; i < sizeof small_topologies / sizeof *small_topologies; i++)
        for (size_t j = 0; j < sizeof lengths / sizeof *lengths; j++)
            expect_all_pairs(small_topologies[i], defaults, lengths[j]);
}

/* Virtual channels, injectors and consumers that nobody contends for change nothing. */
static void test_one_packet_of_many_channels(void **state)
{
    struct net_options options = {.virtual_channels = 3, .injectors = 2, .consumers = 2, .packet_flits = 7};
    (void)state;
    expect_all_pairs("mesh:4x3", options, 7);
    expect_all_pairs("torus:5x4", options, 3);
    expect_all_pairs("king-torus:4x4", options, 6);
}

/* ---- sharing ---- */

/* Terminals 0 and 1 at one router, 2 and 3 at the other: the second waits for as long as the first is. */
static void test_two_packets_share_a_channel(void **state)
{
    static const uint64_t lengths[] = {1, 2, 9, 16};
    (void)state;
    for (size_t i = 0; i < 4; i++)
        for (size_t j = 0; j < 4; j++) {
            uint64_t first = lengths[i], second = lengths[j];
            struct reference_message messages[] = {{10, 0, 2, first}, {10, 1, 3, second}};
            uint64_t delivered[] = {10 + 1 + first - 1, 10 + first + 1 + second - 1};
            uint64_t sent[] = {10 + first - 1, 10 + first + second - 1};
            expect("mesh:2,concentration=2", defaults, messages, 2, delivered, sent);
        }
}

/* The packet that passes by and the one that is injected there want the same link in cycle 1; the input
 * buffer has the lower driver number. */
static void test_round_robin_starts_at_zero(void **state)
{
    struct reference_message messages[] = {{0, 0, 3, 8}, {1, 1, 3, 5}};
    uint64_t delivered[] = {3 + 8 - 1, 1 + 8 + 2 + 5 - 1};
    (void)state;
    expect("mesh:4", defaults, messages, 2, delivered, NULL);
}

/* Two virtual channels share the link in turns of whole packets: with one buffer's worth of room each, and
 * the ejection channel free. */
static void test_virtual_channels_take_turns(void **state)
{
    struct net_options options = {.virtual_channels = 2, .packet_flits = 4, .injectors = 2, .consumers = 2};
    struct reference_message messages[] = {{0, 0, 1, 4}, {0, 0, 1, 4}};
    struct bench bench;
    (void)state;
    bench_open(&bench, "mesh:2", options);
    for (int engine = 0; engine < OUTCOME_ENGINES; engine++) {
        struct outcome outcome;
        play(&bench, (enum outcome_engine)engine, messages, 2, &outcome);
        /* Which goes first is a matter of the hash; the second follows without a gap if both were granted, or
         * if both asked for the same virtual channel, as its loser asks again in the next cycle. */
        uint64_t sum = outcome.delivered[0] + outcome.delivered[1];
        assert_int_equal(sum, 4 + 8);
        outcome_free(&outcome);
    }
    bench_close(&bench);
}

/* ---- messages of several packets ---- */

/* An injector and a link of a mesh are kept busy: d + all flits - 1. */
static void test_long_message(void **state)
{
    static const uint64_t lengths[] = {17, 32, 33, 160, 1000};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct reference_message message = {3, 0, 19, lengths[i]};
        uint64_t mesh = 3 + 7 + lengths[i] - 1, king = 3 + 4 + lengths[i] - 1, sent = 3 + lengths[i] - 1;
        expect("mesh:5x4", defaults, &message, 1, &mesh, &sent);
        expect("king-mesh:5x4", defaults, &message, 1, &king, &sent);
    }
}

/* To enter a ring takes room for two packets: with buffers of two, the next packet enters one cycle after the
 * tail of the one before has left the first buffer of the ring; with buffers of three there is no such cycle.
 */
static void test_long_message_on_a_ring(void **state)
{
    struct reference_message message = {0, 0, 4, 80}; /* 5 packets over 4 links of 10 */
    struct net_options wide = {.buffer_flits = 48};
    uint64_t narrow_delivered = 4 + 80 - 1 + 4, wide_delivered = 4 + 80 - 1;
    (void)state;
    expect("torus:10", defaults, &message, 1, &narrow_delivered, NULL);
    expect("torus:10", wide, &message, 1, &wide_delivered, NULL);
}

/* Messages take injectors in turn: two of them leave in parallel by different links, the third follows the
 * first. */
static void test_injectors(void **state)
{
    struct reference_message messages[] = {{0, 1, 0, 40}, {0, 1, 2, 40}, {0, 1, 0, 8}};
    struct net_options two = {.injectors = 2};
    uint64_t with_one[] = {40, 80, 88}, sent_by_one[] = {39, 79, 87};
    uint64_t with_two[] = {40, 40, 48}, sent_by_two[] = {39, 39, 47};
    (void)state;
    expect("mesh:3", defaults, messages, 3, with_one, sent_by_one);
    expect("mesh:3", two, messages, 3, with_two, sent_by_two);
}

/* NET_SENT is about the source alone: a message that waits in the network's first buffer has been sent. */
static void test_sent_before_delivered(void **state)
{
    /* The ejection channel of terminal 1 is taken by its own message to itself from cycle 0 to 63. */
    struct reference_message messages[] = {{0, 1, 1, 64}, {0, 0, 1, 16}, {0, 0, 1, 16}, {0, 0, 1, 16}};
    /* Round robin: after the self message's first packet comes the buffer's, and so on in turns. */
    uint64_t sent[] = {111, 15, 31, 47}, delivered[] = {111, 31, 63, 95};
    (void)state;
    expect("mesh:2", defaults, messages, 4, delivered, sent);
}

/* ---- ejection ---- */

/* Four neighbours send rounds of full packets to the centre: its ejection channel is never idle from cycle 1
 * on and serves the inputs in turn, in the order of the ports: X+ (from the west), X-, Y+ (from the south),
 * Y-. */
static void test_incast(void **state)
{
    enum { ROUNDS = 6, FLITS = 16 };
    static const uint32_t sources[] = {3, 5, 1, 7};
    struct reference_message messages[4 * ROUNDS];
    uint64_t delivered[4 * ROUNDS];
    (void)state;
    for (uint32_t i = 0; i < 4 * ROUNDS; i++) {
        messages[i] = (struct reference_message){0, sources[i % 4], 4, FLITS};
        delivered[i] = 1 + (i + 1) * FLITS - 1;
    }
    expect("mesh:3x3", defaults, messages, 4 * ROUNDS, delivered, NULL);
    expect("torus:3x3", defaults, messages, 4 * ROUNDS, delivered, NULL);
}

/* Two senders, two ejection channels: no faster than two flits a cycle, and as fast as one each when they
 * start apart. */
static void test_two_consumers(void **state)
{
    struct net_options options = {.consumers = 2};
    struct reference_message messages[] = {{0, 0, 1, 16}, {1, 2, 1, 16}};
    uint64_t two[] = {16, 17}, one[] = {16, 32};
    (void)state;
    expect("mesh:3", options, messages, 2, two, NULL);
    expect("mesh:3", defaults, messages, 2, one, NULL);
}

/* ---- ping-pong ---- */

/* Each leg is usable d + flits cycles after it was injected: the answer goes out in that cycle. */
static void test_ping_pong(void **state)
{
    enum { ROUNDS = 20, FLITS = 12, LINKS = 5 };
    struct reference_message legs[2 * ROUNDS];
    uint64_t delivered[2 * ROUNDS];
    (void)state;
    for (uint32_t i = 0; i < 2 * ROUNDS; i++) {
        legs[i] = (struct reference_message){i * (LINKS + FLITS), i % 2 ? 11 : 0, i % 2 ? 0 : 11, FLITS};
        delivered[i] = legs[i].cycle + LINKS + FLITS - 1;
    }
    expect("mesh:4x3", defaults, legs, 2 * ROUNDS, delivered, NULL);
}

/* ---- all to all ---- */

/* Half the terminals send to the other half and back; every channel between the halves carries a flit a
 * cycle. */
static uint64_t bisection_bound(const struct net_topology *topology, uint64_t flits)
{
    struct base_error error = {0};
    struct net_metrics metrics;
    uint64_t half = topology->terminals / 2;
    assert_int_equal(net_topology_metrics(topology, &metrics, &error), 0);
    uint64_t channels = metrics.bisection_channels;
    net_metrics_free(&metrics);
    assert_true(channels > 0);
    return (2 * half * half * flits + channels - 1) / channels;
}

static void expect_all_to_all(const char *text, struct net_options options, uint64_t flits)
{
    struct reference_message messages[64 * 63];
    struct bench bench;
    size_t count = 0;
    bench_open(&bench, text, options);
    for (uint32_t offset = 1; offset < 64; offset++)
        for (uint32_t source = 0; source < 64; source++)
            messages[count++] = (struct reference_message){0, source, (source + offset) % 64, flits};
    uint64_t bound = bisection_bound(bench.topology, flits);
    for (int engine = 0; engine < OUTCOME_ENGINES; engine++) {
        struct outcome outcome;
        uint64_t last = 0;
        play(&bench, (enum outcome_engine)engine, messages, count, &outcome);
        for (size_t m = 0; m < count; m++)
            last = outcome.delivered[m] > last ? outcome.delivered[m] : last;
        print_message("%s, %s: %" PRIu64 " cycles, bound %" PRIu64 "\n", text,
                      outcome_engine_name((enum outcome_engine)engine), last + 1, bound);
        assert_true(last + 1 >= bound);
        assert_true(last + 1 >= 63 * flits);
        assert_true(last + 1 <= 4 * bound + 63 * flits); /* nor lost in waiting */
        outcome_free(&outcome);
    }
    bench_close(&bench);
}

static void test_all_to_all(void **state)
{
    struct net_options wide = {.injectors = 2, .consumers = 2};
    (void)state;
    expect_all_to_all("mesh:8x8", defaults, 16);
    expect_all_to_all("torus:8x8", wide, 16);
    expect_all_to_all("king-mesh:8x8", defaults, 8);
    expect_all_to_all("king-torus:8x8", wide, 8);
    expect_all_to_all("mesh:4x4,concentration=4", defaults, 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_packet),
        cmocka_unit_test(test_one_packet_of_many_channels),
        cmocka_unit_test(test_two_packets_share_a_channel),
        cmocka_unit_test(test_round_robin_starts_at_zero),
        cmocka_unit_test(test_virtual_channels_take_turns),
        cmocka_unit_test(test_long_message),
        cmocka_unit_test(test_long_message_on_a_ring),
        cmocka_unit_test(test_injectors),
        cmocka_unit_test(test_sent_before_delivered),
        cmocka_unit_test(test_incast),
        cmocka_unit_test(test_two_consumers),
        cmocka_unit_test(test_ping_pong),
        cmocka_unit_test(test_all_to_all),
    };
    return cmocka_run_group_tests_name("closed forms", tests, NULL, NULL);
}
