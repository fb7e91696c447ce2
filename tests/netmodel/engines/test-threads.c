/* Several threads inside one network: every delivery cycle, statistic and link count is that of one thread, and of a
 * part alone when a thread is not worth it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/packet-engine/internal.h"

struct answer {
    char digest[BASE_DIGEST_TEXT];
    uint64_t packets, flit_hops, executed_cycles, latency_sum, latency_max, link_sum, wait_sum, notices;
};

static void count_notices(struct net_network *network, struct answer *answer)
{
    size_t count;
    const struct net_notice *notices = net_network_notices(network, &count);
    for (size_t i = 0; i < count; i++)
        answer->notices =
            base_hash(answer->notices + (uint64_t)notices[i].kind,
                      notices[i].tag ^ (uint64_t)notices[i].journey.worst_cycles << 40 ^
                          (uint64_t)notices[i].journey.worst_link << 20 ^ notices[i].journey.links);
}

static void run_until(struct net_network *network, uint64_t cycle, struct answer *answer)
{
    struct base_error error;
    int result = 1;
    while (result == 1 && net_network_now(network) < cycle) {
        result = net_network_advance(network, cycle, &error);
        if (result < 0)
            fail_msg("%s", error.text);
        if (result == 1)
            count_notices(network, answer);
    }
}

/* The borders of the parts move, some routers or nearly all that one has, as they would if threads had to wait. */
static void move_borders(struct net_network *network, struct base_random *random)
{
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    for (uint32_t left = 0; engine->shape.plain && left + 1 < engine->part_count; left++) {
        uint32_t a = engine->parts[left].router_count, b = engine->parts[left + 1].router_count;
        uint32_t most = base_random_below(random, 4) == 0 ? UINT32_MAX : 5;
        int32_t give = (int32_t)base_random_below(random, most < a ? most : a);
        int32_t take = (int32_t)base_random_below(random, most < b ? most : b);
        net_packet_parts_settle(engine);
        assert_int_equal(
            net_packet_parts_move(engine, left, base_random_below(random, 2) == 0 ? -give : take), 0);
        assert_true(engine->parts[left].router_count + engine->parts[left + 1].router_count == a + b);
    }
}

/* One message in `gap` cycles and terminal, so that buffers fill. Until cycle `even` packets have one length, of
 * `flits`; from then on they are of messages of 1 to 40 flits. */
static void run_traffic(struct net_network *network, uint32_t terminals, uint32_t gap, uint32_t flits,
                        uint64_t even, bool moving, struct answer *answer)
{
    struct base_error error;
    struct base_random random, borders;
    base_random_seed(&random, 3, 0);
    base_random_seed(&borders, 4, 0);
    for (uint64_t cycle = 0; cycle < 150; cycle++) {
        run_until(network, cycle, answer);
        if (moving && base_random_below(&borders, 3) == 0)
            move_borders(network, &borders);
        for (uint32_t source = 0; source < terminals; source++) {
            if (base_random_below(&random, gap) != 0)
                continue;
            uint32_t target = (uint32_t)base_random_below(&random, terminals);
            uint64_t length = cycle < even ? flits * (1 + base_random_below(&random, 3))
                                           : 1 + base_random_below(&random, 40);
            struct net_message message = {source, target, length, cycle * terminals + source, true};
            assert_int_equal(net_network_inject(network, cycle, &message, &error), 0);
        }
        if (moving && base_random_below(&borders, 3) == 0) /* while messages are to join */
            move_borders(network, &borders);
    }
    run_until(network, UINT64_MAX, answer);
}

static void run(const struct net_topology *topology, const char *routing_name, struct net_options options,
                uint32_t gap, uint64_t even, bool moving, struct answer *answer)
{
    struct base_error error;
    struct net_routing routing;
    memset(answer, 0, sizeof *answer);
    assert_int_equal(net_routing_init(&routing, topology, routing_name, 0, &error), 0);
    struct net_network *network =
        net_network_new_on(&net_engine_packets, topology, &routing, &options, &error);
    assert_non_null(network);
    run_traffic(network, topology->terminals, gap, options.packet_flits, even, moving, answer);
    assert_int_equal(net_network_check(network, &error), 0);
    assert_int_equal(net_network_pending(network), 0);
    const struct net_statistics *statistics = net_network_statistics(network);
    base_digest_text(&statistics->digest, answer->digest);
    answer->packets = statistics->packets;
    answer->flit_hops = statistics->flit_hops;
    answer->executed_cycles = statistics->executed_cycles;
    answer->latency_sum = statistics->latency_sum_cycles;
    answer->latency_max = statistics->latency_max_cycles;
    for (uint32_t i = 0; i < topology->link_count; i++)
        answer->link_sum = base_hash(answer->link_sum, statistics->link_flits[i]);
    for (uint32_t i = 0; options.waits && i < topology->link_count; i++)
        answer->wait_sum = base_hash(answer->wait_sum, statistics->link_waits[i]);
    net_network_free(network);
    net_routing_free(&routing);
}

static void compare_lengths(const char *text, const char *routing, struct net_options options, uint32_t gap,
                            uint64_t even)
{
    struct base_error error;
    struct answer one, several;
    struct net_topology *topology = net_topology_new(text, &error);
    assert_non_null(topology);
    run(topology, routing, options, gap, even, false, &one);
    assert_true(one.packets > 200);
    for (options.threads = 2; options.threads <= 4; options.threads++)
        for (uint32_t moving = 0; moving < 2; moving++) {
            run(topology, routing, options, gap, even, moving != 0, &several);
            assert_memory_equal(&one, &several, sizeof one);
        }
    net_topology_free(topology);
}

static void compare(const char *text, const char *routing, struct net_options options, uint32_t gap)
{
    compare_lengths(text, routing, options, gap, 0);
}

static void test_same_answers(void **state)
{
    const struct net_options plain = {.seed = 1};
    const struct net_options slow = {.seed = 2, .link_cycles = 3, .router_cycles = 2, .credit_cycles = 2};
    const struct net_options waits = {.seed = 2, .waits = true, .consumers = 2};
    const struct net_options queues = {.seed = 3, .arbiter = NET_LONGEST_QUEUE};
    (void)state;
    compare("torus:16x16", "dimension-order", plain, 60);
    compare("torus:16x16", "adaptive-bubble", plain, 60);
    compare("torus:16x16", "adaptive-bubble", waits, 40);
    compare("mesh:12x12,concentration=2", "dimension-order", waits, 90);
    compare("mesh:20x10", "dimension-order", plain, 80);
    compare("king-torus:16x16", "hop-by-hop-2s", plain, 40);
    compare("king-mesh:10x10,concentration=2", "hop-by-hop-2s", plain, 60);
    compare("torus:16x8", "adaptive-bubble", slow, 60);
    compare("torus:16x8", "adaptive-bubble", queues, 60);
}

/* As long as all packets have one length each part counts places, and flits from the first shorter one on,
 * when packets are on their way out of buffers, also out of those at the border of a part. */
static void test_one_length(void **state)
{
    const uint32_t lengths[] = {1, 4, 16};
    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        const struct net_options plain = {
            .seed = 5, .packet_flits = lengths[i], .buffer_flits = 2 * lengths[i]};
        uint32_t gap = 4 + 2 * lengths[i];
        for (uint64_t even = 75; even <= 150; even += 75) {
            compare_lengths("torus:8x8", "dimension-order", plain, gap, even);
            compare_lengths("mesh:8x8", "dimension-order", plain, gap, even);
            compare_lengths("torus:8x8", "adaptive-bubble", plain, gap, even);
            compare_lengths("king-torus:8x8", "hop-by-hop-2s", plain, gap, even);
        }
    }
}

/* Fewer routers than threads could share, and hardly any traffic. */
static void test_little_to_share(void **state)
{
    const struct net_options plain = {.seed = 1, .packet_flits = 2};
    (void)state;
    compare("torus:4x4", "dimension-order", plain, 30);
    compare("mesh:17x1", "dimension-order", plain, 40);
}

/* Too many routers for ways to be remembered, and more state than a cache holds: then a router's first header is asked
 * for ahead of the visit. What is ahead of what differs with the number of parts; what comes of it must not. */
static void test_many_routers(void **state)
{
    const struct net_options plain = {.seed = 4};
    (void)state;
    compare("torus:130x127", "dimension-order", plain, 1500);
    compare("king-torus:130x127", "hop-by-hop-2s", plain, 1500);
}

/* The parts of a network that is made as callers make it, with as many threads as there are. */
static uint32_t parts_of(const char *text, uint32_t threads)
{
    const struct net_options options = {.seed = 1, .threads = threads};
    struct base_error error;
    struct net_routing routing;
    struct net_topology *topology = net_topology_new(text, &error);
    assert_non_null(topology);
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    struct net_network *network = net_network_new(topology, &routing, &options, &error);
    assert_non_null(network);
    assert_ptr_equal(((struct net_packet_engine *)network)->network.engine, &net_engine_packets);
    uint32_t parts = ((struct net_packet_engine *)network)->part_count;
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    return parts;
}

/* A cycle of a network of fewer than NET_THREADS_ROUTERS routers is over before another thread has heard of it: it is
 * one part, whatever is asked for, and costs what it costs with one thread. Larger ones have a part a thread. */
static void test_small_networks_have_one_part(void **state)
{
    (void)state;
    assert_int_equal(NET_THREADS_ROUTERS, 2048);
    assert_int_equal(parts_of("torus:8x8", 2), 1);
    assert_int_equal(parts_of("mesh:2047x1", 4), 1);
    assert_int_equal(parts_of("mesh:2048x1", 4), 4);
    assert_int_equal(parts_of("torus:64x32", 2), 2);
}

/* Borders move by half of what the times of the parts ask for, and not for a small difference; no part is left without
 * routers. */
static void test_balance(void **state)
{
    const struct {
        uint64_t ns[2];
        uint32_t before, after; /* routers of the first part, of 64 */
    } cases[] = {
        {{100, 100}, 32, 32}, {{102, 100}, 32, 32}, {{300, 100}, 32, 24},
        {{100, 300}, 24, 32}, {{100, 0}, 32, 16},   {{100, 0}, 16, 16},
        {{0, 100}, 16, 32},   {{0, 100}, 44, 48},   {{0, 0}, 48, 48},
    };
    const struct net_options options = {.seed = 1, .threads = 2};
    struct base_error error;
    struct net_routing routing;
    struct net_topology *topology = net_topology_new("torus:8x8", &error);
    (void)state;
    assert_int_equal(net_routing_init(&routing, topology, NULL, 0, &error), 0);
    struct net_network *network =
        net_network_new_on(&net_engine_packets, topology, &routing, &options, &error);
    struct net_packet_engine *engine = (struct net_packet_engine *)network;
    assert_int_equal(engine->part_count, 2);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t more = (int32_t)cases[i].before - (int32_t)engine->parts[0].router_count;
        net_packet_parts_settle(engine);
        assert_int_equal(net_packet_parts_move(engine, 0, more), 0);
        assert_int_equal(engine->parts[0].router_count, cases[i].before);
        engine->measured = 1000;
        engine->loads[0].sum = 1000 * cases[i].ns[0];
        engine->loads[1].sum = 1000 * cases[i].ns[1];
        assert_int_equal(net_packet_parts_balance(engine), 0);
        assert_int_equal(engine->parts[0].router_count, cases[i].after);
        assert_int_equal(engine->parts[1].router_count, 64 - cases[i].after);
    }
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same_answers),
                                       cmocka_unit_test(test_one_length),
                                       cmocka_unit_test(test_little_to_share),
                                       cmocka_unit_test(test_many_routers),
                                       cmocka_unit_test(test_small_networks_have_one_part),
                                       cmocka_unit_test(test_balance)};
    return cmocka_run_group_tests_name("netmodel threads", tests, NULL, NULL);
}
