/* How well links can be used: the share that net_link_share_of derives equals what one stream of packets gets
 * on one link, and buffers by default suffice whatever the latencies are. */
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "netmodel/network.h"
#include "tests/brief.h"
#include "tests/netmodel/cases.h"

struct setup {
    struct net_topology *topology;
    struct net_routing routing;
    struct net_options options; /* in force */
    struct net_network *network;
    struct net_link_share share;
};

static void set_up(struct setup *setup, const char *text, const char *routing, struct net_options options)
{
    struct base_error error = {0};

    setup->topology = cases_topology(text);
    if (net_routing_init(&setup->routing, setup->topology, routing, options.virtual_channels, &error) != 0)
        fail_msg("%s: %s", text, error.text);
    setup->network = net_network_new(setup->topology, &setup->routing, &options, &error);
    if (setup->network == NULL)
        fail_msg("%s: %s", text, error.text);
    setup->options = *net_network_options(setup->network);
    setup->share = net_link_share_of(setup->network);
}

static void tear_down(struct setup *setup)
{
    net_network_free(setup->network);
    net_routing_free(&setup->routing);
    net_topology_free(setup->topology);
}

/* Flits per cycle that terminal 0 gets to its neighbour, terminal 1, from the delivery of one of the first
 * packets to that of the last. */
static double stream(struct setup *setup)
{
    /* Grants may come in bursts of as many packets as fit a buffer: a hundred of those. */
    const uint64_t burst = setup->options.buffer_flits / setup->options.packet_flits + 1;
    const uint64_t packets = 120 * burst, first = 20 * burst;
    uint64_t delivered = 0, begin = 0, end = 0;
    struct base_error error = {0};
    struct net_message message = {.source = 0, .target = 1, .flits = setup->options.packet_flits};

    for (uint64_t packet = 0; packet < packets; packet++)
        assert_int_equal(net_network_inject(setup->network, 0, &message, &error), 0);
    while (delivered < packets) {
        size_t count;
        if (net_network_advance(setup->network, UINT64_MAX, &error) != 1)
            fail_msg("%s: %s", setup->topology->text, error.text);
        const struct net_notice *notices = net_network_notices(setup->network, &count);
        for (size_t i = 0; i < count; i++)
            if (notices[i].kind == NET_DELIVERED && (++delivered == first || delivered == packets))
                *(delivered == packets ? &end : &begin) = net_network_now(setup->network);
    }
    return (double)((packets - first) * setup->options.packet_flits) / (double)(end - begin);
}

/* What is said is what one channel's stream gets. Several wait for each other's flits: in the worst case a
 * packet for one of each other channel, which takes that much longer than by itself. */
static void compare(const char *text, const char *routing, struct net_options options)
{
    struct setup setup;
    double said, least, measured;

    options.injectors = options.consumers = 4; /* neither may be what limits the stream */
    set_up(&setup, text, routing, options);
    said = (double)setup.share.entering.flits / (double)setup.share.entering.cycles;
    least = said / (1 + (setup.options.virtual_channels - 1) * said);
    measured = stream(&setup) * net_link_width(&setup.topology->links[0]);
    if (measured < least * 0.985 || measured > said * 1.015)
        fail_msg(
            "%s, %u channels, packets of %u, buffers of %u, cycles %u %u %u, flow control %d: %.4f, not %.4f",
            text, setup.options.virtual_channels, setup.options.packet_flits, setup.options.buffer_flits,
            setup.options.link_cycles, setup.options.router_cycles, setup.options.credit_cycles,
            (int)setup.options.flow_control, measured, said);
    tear_down(&setup);
}

static uint32_t draw(uint64_t seed, uint64_t what, uint32_t least, uint32_t most)
{
    return least + (uint32_t)base_scale(base_hash(seed, what), most - least + 1);
}

static void one_stream_gets_the_share(void **state)
{
    static const uint32_t latencies[] = {1, 1, 2, 3, 10, 50, 100};
    uint64_t cases = brief_count("cases", 400, 60);

    (void)state;
    for (uint64_t seed = 0; seed < cases; seed++) {
        struct net_options options = {.packet_flits = draw(seed, 0, 1, 24),
                                      .virtual_channels = 1,
                                      .link_cycles = latencies[draw(seed, 1, 0, 6)],
                                      .router_cycles = draw(seed, 2, 1, 4),
                                      .credit_cycles = latencies[draw(seed, 3, 0, 6)],
                                      .multiplexed = draw(seed, 4, 0, 1) != 0};
        options.buffer_flits = draw(seed, 5, 2 * options.packet_flits, 8 * options.packet_flits + 40);
        compare("mesh:2", NULL, options);
        compare("torus:5", NULL, options);
        options.flow_control = NET_WORMHOLE;
        options.buffer_flits = draw(seed, 6, 1, 2 * options.packet_flits);
        compare("mesh:2", NULL, options);
    }
}

/* Two routers and links of their own between them, as a file. */
static void write_pair(uint32_t latency, uint32_t width)
{
    FILE *stream = fopen("test-link-share.graph", "w");

    assert_non_null(stream);
    fprintf(
        stream,
        "flitreplay-graph 1\nrouter a terminals=1\nrouter b terminals=1\nlink a b latency=%u width=1/%u\n",
        latency, width);
    assert_int_equal(fclose(stream), 0);
}

static void a_link_of_its_own_gets_its_share(void **state)
{
    uint64_t cases = brief_count("cases", 200, 40);

    (void)state;
    for (uint64_t seed = 0; seed < cases; seed++) {
        struct net_options options = {.packet_flits = draw(seed, 20, 1, 24),
                                      .virtual_channels = 1,
                                      .router_cycles = draw(seed, 21, 1, 12),
                                      .credit_cycles = draw(seed, 22, 1, 30),
                                      .multiplexed = draw(seed, 23, 0, 1) != 0};
        write_pair(draw(seed, 24, 1, 60), draw(seed, 25, 1, 6));
        options.buffer_flits = draw(seed, 26, options.packet_flits, 6 * options.packet_flits + 20);
        compare("graph:test-link-share.graph", NULL, options);
        options.buffer_flits = 0;
        compare("graph:test-link-share.graph", NULL, options);
        options.flow_control = NET_WORMHOLE;
        options.buffer_flits = draw(seed, 27, 1, 2 * options.packet_flits);
        compare("graph:test-link-share.graph", NULL, options);
    }
    remove("test-link-share.graph");
}

/* Several virtual channels share a link: as many streams as there are channels get the sum of their shares,
 * or all of it. */
static void several_channels_add_up(void **state)
{
    uint64_t cases = brief_count("cases", 120, 30);

    (void)state;
    for (uint64_t seed = 0; seed < cases; seed++) {
        struct net_options options = {.packet_flits = draw(seed, 10, 1, 16),
                                      .virtual_channels = draw(seed, 11, 2, 4),
                                      .link_cycles = draw(seed, 12, 1, 40),
                                      .router_cycles = draw(seed, 13, 1, 3),
                                      .credit_cycles = draw(seed, 14, 1, 40),
                                      .flow_control = NET_WORMHOLE};
        options.buffer_flits = draw(seed, 15, options.packet_flits, 4 * options.packet_flits);
        compare("mesh:2", NULL, options);
        options.flow_control = NET_CUT_THROUGH;
        compare("mesh:2", NULL, options);
    }
}

/* All go four links along a ring of nine, so that most packets on a link go on along it: of its cycles they
 * fill more than packets that enter there could, and never more than is said. */
static double load_of_ring(struct setup *setup)
{
    const uint64_t packets = 200;
    struct base_error error = {0};
    uint64_t left = 9 * packets, half = 0;

    for (uint64_t packet = 0; packet < packets; packet++)
        for (uint32_t source = 0; source < 9; source++) {
            struct net_message message = {
                .source = source, .target = (source + 4) % 9, .flits = setup->options.packet_flits};
            assert_int_equal(net_network_inject(setup->network, 0, &message, &error), 0);
        }
    while (left > 9 * packets / 4) {
        size_t count;
        if (net_network_advance(setup->network, UINT64_MAX, &error) != 1)
            fail_msg("%s", error.text);
        const struct net_notice *notices = net_network_notices(setup->network, &count);
        for (size_t i = 0; i < count; i++)
            if (notices[i].kind == NET_DELIVERED && --left == 9 * packets * 3 / 4)
                half = net_network_now(setup->network);
    }
    return (double)(4 * packets / 2 * setup->options.packet_flits) /
           (double)(net_network_now(setup->network) - half);
}

static void a_ring_carries_at_most_the_share(void **state)
{
    unsigned above = 0;

    (void)state;
    for (uint32_t cycles = 20; cycles <= 100; cycles += 20) {
        struct net_options options = {.link_cycles = cycles,
                                      .credit_cycles = cycles,
                                      .buffer_flits = 32,
                                      .virtual_channels = 1,
                                      .injectors = 4};
        struct setup setup;
        set_up(&setup, "torus:9", NULL, options);
        double load = load_of_ring(&setup);
        double most = (double)setup.share.most.flits / (double)setup.share.most.cycles;
        assert_true(load <= most * 1.015);
        above += load * (double)setup.share.entering.cycles > 1.015 * (double)setup.share.entering.flits;
        tear_down(&setup);
    }
    assert_true(above > 0);
}

/* Packets that enter a ring at each hop are what bubbles cost most: they get nine tenths of each link
 * whatever the latencies are, where buffers of two packets fell to a tenth. */
static void default_buffers_suffice(void **state)
{
    static const uint32_t cycles[] = {1, 10, 50, 100, 1000};

    (void)state;
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++)
        for (uint32_t router = 1; router <= 5; router += 4) {
            struct net_options options = {
                .link_cycles = cycles[i], .credit_cycles = cycles[i], .router_cycles = router};
            struct setup setup;
            set_up(&setup, "torus:5", NULL, options);
            assert_int_equal(setup.options.buffer_flits, 2 * 16 + 2 * cycles[i] + router - 3);
            assert_int_equal(setup.share.buffer_flits, setup.options.buffer_flits);
            assert_false(setup.share.limited);
            assert_true(stream(&setup) >= 0.9);
            tear_down(&setup);
            options.buffer_flits = 32;
            set_up(&setup, "torus:5", NULL, options);
            assert_int_equal(setup.share.limited, cycles[i] > 1 || router > 1);
            tear_down(&setup);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_stream_gets_the_share), cmocka_unit_test(a_link_of_its_own_gets_its_share),
        cmocka_unit_test(several_channels_add_up),   cmocka_unit_test(a_ring_carries_at_most_the_share),
        cmocka_unit_test(default_buffers_suffice),
    };
    return cmocka_run_group_tests_name("link-share", tests, NULL, NULL);
}
