/* Networks with some of the effects of a real one: times computed by hand from the definitions in
 * netmodel/simple-engines/effects.c, and what must hold for any traffic. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/network.h"

#define MESSAGES_MAX 400
#define LEVELS 4 /* NET_DISTANCE .. NET_CHANNELS; the engine itself comes behind them */

struct traffic {
    uint64_t cycle;
    struct net_message message;
};

struct times {
    uint64_t sent[MESSAGES_MAX], usable[MESSAGES_MAX];
    struct net_statistics statistics;
};

static enum net_effects effects_of(unsigned level)
{
    static const enum net_effects effects[] = {NET_DISTANCE, NET_SERIALISATION, NET_TERMINALS, NET_CHANNELS,
                                               NET_ALL_EFFECTS};
    return effects[level];
}

/* Takes what is due; a message must not be told of twice. */
static void take_notices(struct net_network *network, struct times *times)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(network, &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t *times_of = notices[i].kind == NET_SENT ? times->sent : times->usable;
        assert_int_equal(times_of[notices[i].tag], UINT64_MAX);
        times_of[notices[i].tag] = net_network_now(network);
    }
}

static void run_once(const char *topology_text, struct net_options options, const struct traffic *traffic,
                     size_t count, struct times *times)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(topology_text, &error);
    struct net_routing routing;
    assert_non_null(topology);
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    struct net_network *network = net_network_new(topology, &routing, &options, &error);
    if (network == NULL)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < count; i++)
        times->sent[i] = times->usable[i] = UINT64_MAX;
    for (size_t i = 0; i < count; i++) {
        while (net_network_now(network) < traffic[i].cycle) {
            assert_true(net_network_advance(network, traffic[i].cycle, &error) >= 0);
            take_notices(network, times);
        }
        struct net_message message = traffic[i].message;
        message.tag = i;
        message.notice_sent = true;
        assert_int_equal(net_network_inject(network, traffic[i].cycle, &message, &error), 0);
    }
    while (net_network_advance(network, UINT64_MAX, &error) > 0)
        take_notices(network, times);
    assert_int_equal(net_network_pending(network), 0);
    assert_int_equal(net_network_check(network, &error), 0);
    times->statistics = *net_network_statistics(network);
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* Who asks for times only is told the same ones. */
static void run(const char *topology_text, struct net_options options, const struct traffic *traffic,
                size_t count, struct times *times)
{
    struct times alone;
    run_once(topology_text, options, traffic, count, times);
    options.times_only = true;
    run_once(topology_text, options, traffic, count, &alone);
    assert_memory_equal(alone.sent, times->sent, count * sizeof *alone.sent);
    assert_memory_equal(alone.usable, times->usable, count * sizeof *alone.usable);
}

/* usable[level * count + message]: of the four levels, then of the engine. */
static void expect(const char *topology, const struct traffic *traffic, size_t count, const uint64_t *usable)
{
    for (unsigned level = 0; level <= LEVELS; level++) {
        struct times times;
        run(topology, (struct net_options){.effects = effects_of(level)}, traffic, count, &times);
        for (size_t m = 0; m < count; m++)
            if (times.usable[m] != usable[level * count + m])
                fail_msg("%s, level %u, message %zu: usable at %" PRIu64 ", not %" PRIu64, topology, level, m,
                         times.usable[m], usable[level * count + m]);
    }
}

/* 40 flits over 3 links from cycle 10: the header takes 3, the flits 40. */
static void one_message(void **state)
{
    const struct traffic traffic[] = {{10, {0, 3, 40, 0, false}}};
    const uint64_t usable[] = {13, 53, 53, 53, 53};
    (void)state;
    expect("mesh:4x1", traffic, 1, usable);
    struct times times;
    run("mesh:4x1", (struct net_options){.effects = NET_DISTANCE}, traffic, 1, &times);
    assert_int_equal(times.sent[0], 10);
    run("mesh:4x1", (struct net_options){.effects = NET_SERIALISATION}, traffic, 1, &times);
    assert_int_equal(times.sent[0], 50);
}

/* 0 to 2 and 1 to 3 share the link from 1 to 2, which the near one has first: 1 + 15 cycles of waiting. */
static void two_messages_on_one_channel(void **state)
{
    const struct traffic traffic[] = {{0, {0, 2, 16, 0, false}}, {0, {1, 3, 16, 0, false}}};
    const uint64_t usable[] = {2, 2, 18, 18, 18, 18, 33, 18, 33, 18};
    (void)state;
    expect("mesh:4x1", traffic, 2, usable);
}

/* Both end at terminal 0: the far one waits for the ejection channel until 17, or for the link as long. */
static void an_incast(void **state)
{
    const struct traffic traffic[] = {{0, {1, 0, 16, 0, false}}, {0, {2, 0, 16, 0, false}}};
    const uint64_t usable[] = {1, 2, 17, 18, 17, 33, 17, 33, 17, 33};
    (void)state;
    expect("mesh:4x1", traffic, 2, usable);
}

/* One terminal sends two: the second follows the first out of the injector. */
static void two_messages_of_one_terminal(void **state)
{
    const struct traffic traffic[] = {{0, {0, 1, 16, 0, false}}, {0, {0, 2, 16, 0, false}}};
    const uint64_t usable[] = {1, 2, 17, 18, 17, 34, 17, 34, 17, 34};
    struct times times;
    (void)state;
    expect("mesh:4x1", traffic, 2, usable);
    run("mesh:4x1", (struct net_options){.effects = NET_TERMINALS, .injectors = 2}, traffic, 2, &times);
    assert_int_equal(times.usable[1], 18);
}

/* Every terminal of a ring sends to the next: nothing is shared. */
static void a_ring(void **state)
{
    struct traffic traffic[5];
    uint64_t usable[5 * (LEVELS + 1)];
    (void)state;
    for (uint32_t i = 0; i < 5; i++)
        traffic[i] = (struct traffic){0, {i, (i + 1) % 5, 16, 0, false}};
    for (size_t i = 0; i < 5 * (LEVELS + 1); i++)
        usable[i] = i < 5 ? 1 : 17;
    expect("torus:5x1", traffic, 5, usable);
}

/* Link, router and credit cycles lengthen the header's way as doc/flit-engine.md, rule 2, says. */
static void latencies_of_links_and_routers(void **state)
{
    const struct traffic traffic[] = {{10, {0, 3, 40, 0, false}}};
    struct times times;
    (void)state;
    run("mesh:4x1", (struct net_options){.effects = NET_DISTANCE, .link_cycles = 5, .router_cycles = 3},
        traffic, 1, &times);
    assert_int_equal(times.usable[0], 10 + 3 * 5 + 4 * 2);
    run("mesh:4x1", (struct net_options){.effects = NET_CHANNELS, .link_cycles = 5, .router_cycles = 3},
        traffic, 1, &times);
    assert_int_equal(times.usable[0], 10 + 3 * 5 + 4 * 2 + 40);
}

/* Over shared channels the header takes a transfer more, each of R cycles. */
static void a_message_over_shared_channels(void **state)
{
    const struct traffic traffic[] = {{10, {0, 3, 40, 0, false}}};
    const uint64_t usable[] = {14, 54, 54, 54, 54};
    struct times times;
    (void)state;
    expect("mway-mesh:4", traffic, 1, usable);
    for (unsigned level = 0; level <= LEVELS; level++) {
        run("mway-mesh:4", (struct net_options){.effects = effects_of(level), .router_cycles = 3}, traffic, 1,
            &times);
        assert_int_equal(times.usable[0], 10 + 4 * 3 + (level == 0 ? 0 : 40));
    }
}

/* 0 to 2 and 1 to 2 meet on channel 1, which carries the near one first; it reaches channel 2 at 2, and the
 * far one, on channel 1 from 17 on, at 18, when that has just been left. The engine serves the two flit by
 * flit. */
static void two_messages_on_one_shared_channel(void **state)
{
    const struct traffic traffic[] = {{0, {0, 2, 16, 0, false}}, {0, {1, 2, 16, 0, false}}};
    const uint64_t usable[] = {3, 2, 19, 18, 34, 18, 34, 18};
    struct times times;
    (void)state;
    for (unsigned level = 0; level < LEVELS; level++) {
        run("mway-mesh:3", (struct net_options){.effects = effects_of(level)}, traffic, 2, &times);
        for (size_t m = 0; m < 2; m++)
            assert_int_equal(times.usable[m], usable[2 * level + m]);
    }
}

/* A channel's two processors send one each: it carries one after the other, and the second leaves its
 * injector when it does. */
static void a_shared_channel_of_two_processors(void **state)
{
    const struct traffic traffic[] = {{0, {0, 1, 16, 0, false}}, {0, {1, 0, 16, 0, false}}};
    struct times times;
    (void)state;
    run("mway-mesh:2,processors=2", (struct net_options){.effects = NET_TERMINALS}, traffic, 2, &times);
    assert_true(times.usable[0] == 17 && times.usable[1] == 17);
    run("mway-mesh:2,processors=2", (struct net_options){.effects = NET_CHANNELS}, traffic, 2, &times);
    assert_true(times.usable[0] == 17 && times.usable[1] == 33 && times.sent[1] == 33);
}

/* With less modelled a broadcast over shared channels is at each member when a message would be, on every
 * rung, and takes N - 1 links; how the engine spreads its copies changes none of this. */
static void broadcasts_over_shared_channels(void **state)
{
    static const char *const topologies[] = {"mway-mesh:4x3", "mway-torus:5x4", "mway-hypercube:4"};
    struct base_error error = {0};
    (void)state;
    for (unsigned i = 0; i < 3 * LEVELS; i++) {
        struct net_options options = {.effects = effects_of(i % LEVELS), .spreading = NET_RECURSIVE_DOUBLING};
        const struct net_multicast multicast = {.source = 2, .flits = 30};
        struct net_topology *topology = net_topology_new(topologies[i / LEVELS], &error);
        struct net_routing routing;
        uint32_t told = 0;
        uint64_t crossed = 0;
        assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
        struct net_network *network = net_network_new(topology, &routing, &options, &error);
        assert_non_null(network);
        assert_int_equal(net_network_multicast(network, 7, &multicast, &error), 0);
        while (net_network_advance(network, UINT64_MAX, &error) == 1) {
            size_t count;
            const struct net_notice *notices = net_network_notices(network, &count);
            for (size_t n = 0; n < count; n++, told++)
                assert_int_equal(net_network_now(network),
                                 7 + net_topology_distance(topology, 2, notices[n].terminal) + 1 +
                                     (i % LEVELS == 0 ? 0 : 30));
        }
        for (uint32_t link = 0; link < topology->link_count; link++)
            crossed += net_network_statistics(network)->link_flits[link];
        assert_int_equal(told, topology->terminals - 1);
        assert_int_equal(crossed, i % LEVELS == LEVELS - 1 ? 30 * (topology->terminals - 1) : 0);
        assert_int_equal(net_network_check(network, &error), 0);
        net_network_free(network);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

static void make_traffic(struct base_random *random, uint32_t terminals, struct traffic *traffic,
                         size_t count)
{
    uint64_t cycle = 0;
    for (size_t i = 0; i < count; i++) {
        cycle += base_random_below(random, 6);
        traffic[i].cycle = cycle;
        traffic[i].message = (struct net_message){(uint32_t)base_random_below(random, terminals),
                                                  (uint32_t)base_random_below(random, terminals),
                                                  1 + base_random_below(random, 60), 0, false};
    }
}

/* For any traffic: every message arrives on every level, after it was sent; what crosses links, and how far,
 * is the same as in the engine; without sharing, each effect can only cost. */
static void any_traffic(void **state)
{
    static const char *const topologies[] = {"mesh:5x3",
                                             "torus:4x4",
                                             "king-mesh:4x4",
                                             "king-torus:5x5",
                                             "mway-mesh:4x4",
                                             "mway-torus:4x4",
                                             "mway-hypercube:4",
                                             "mway-torus:3x3,attach=router",
                                             "mway-torus:3x3",
                                             "diagonal-torus:4x4",
                                             "mway-mesh:3x2,processors=3"};
    const unsigned count = sizeof topologies / sizeof topologies[0];
    (void)state;
    for (uint64_t seed = 0; seed < 33; seed++) {
        struct traffic traffic[MESSAGES_MAX];
        struct times times[LEVELS + 1];
        struct base_random random;
        base_random_seed(&random, seed, 0);
        make_traffic(&random, seed % count == 8 ? 9 : 15, traffic, MESSAGES_MAX);
        for (unsigned level = 0; level <= LEVELS; level++)
            run(topologies[seed % count],
                (struct net_options){.effects = effects_of(level), .buffer_flits = 64, .seed = seed}, traffic,
                MESSAGES_MAX, &times[level]);
        for (unsigned level = 0; level < LEVELS; level++) {
            assert_int_equal(times[level].statistics.flits, times[LEVELS].statistics.flits);
            assert_int_equal(times[level].statistics.packets, times[LEVELS].statistics.packets);
            assert_int_equal(times[level].statistics.flit_hops, times[LEVELS].statistics.flit_hops);
        }
        for (size_t m = 0; m < MESSAGES_MAX; m++) {
            for (unsigned level = 0; level <= LEVELS; level++)
                assert_true(times[level].sent[m] != UINT64_MAX &&
                            times[level].usable[m] >= times[level].sent[m]);
            assert_true(times[0].usable[m] + traffic[m].message.flits == times[1].usable[m]);
            assert_true(times[1].usable[m] <= times[2].usable[m]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_message),
        cmocka_unit_test(two_messages_on_one_channel),
        cmocka_unit_test(an_incast),
        cmocka_unit_test(two_messages_of_one_terminal),
        cmocka_unit_test(a_ring),
        cmocka_unit_test(latencies_of_links_and_routers),
        cmocka_unit_test(a_message_over_shared_channels),
        cmocka_unit_test(two_messages_on_one_shared_channel),
        cmocka_unit_test(a_shared_channel_of_two_processors),
        cmocka_unit_test(broadcasts_over_shared_channels),
        cmocka_unit_test(any_traffic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
