/* After warm-up the flit loop allocates nothing: the second half of a long run is made with an allocator
 * that would fail. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "base/random.h"
#include "netmodel/network.h"
#include "tests/fail-alloc.h"

static void run_until(struct net_network *network, uint64_t cycle, struct base_error *error)
{
    while (net_network_now(network) < cycle)
        if (net_network_advance(network, cycle, error) < 0)
            fail_msg("%s", error->text);
}

/* Bernoulli arrivals of one 16-flit message in 64 cycles and terminal: load 0.25. */
static void run_traffic(struct net_network *network, uint32_t terminals, uint64_t cycles,
                        struct base_random *random)
{
    struct base_error error;
    uint64_t end = net_network_now(network) + cycles;
    for (uint64_t cycle = net_network_now(network); cycle < end; cycle++) {
        run_until(network, cycle, &error);
        for (uint32_t source = 0; source < terminals; source++) {
            if (base_random_below(random, 64) != 0)
                continue;
            struct net_message message = {source, (uint32_t)base_random_below(random, terminals), 16, cycle,
                                          true};
            assert_int_equal(net_network_inject(network, cycle, &message, &error), 0);
        }
    }
}

static void check_steady(const char *text, const char *routing_name, struct net_options options)
{
    struct base_error error;
    struct net_routing routing;
    struct base_random random;
    struct net_topology *topology = net_topology_new(text, &error);
    assert_non_null(topology);
    assert_int_equal(net_routing_init(&routing, topology, routing_name, options.virtual_channels, &error), 0);
    struct net_network *network = net_network_new(topology, &routing, &options, &error);
    assert_non_null(network);
    base_random_seed(&random, 7, 0);
    run_traffic(network, topology->terminals, 20000, &random);
    uint64_t before = net_network_statistics(network)->packets;
    fail_alloc_arm(1);
    run_traffic(network, topology->terminals, 10000, &random);
    assert_false(fail_alloc_disarm());
    assert_true(net_network_statistics(network)->packets > before + 1000);
    assert_int_equal(net_network_check(network, &error), 0);
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    assert_int_equal(fail_alloc_outstanding(), 0);
}

static void test_steady_state(void **state)
{
    (void)state;
    check_steady("mesh:8x8", NULL, (struct net_options){0});
    check_steady("torus:8x8", NULL, (struct net_options){0});
    check_steady("king-torus:8x8", NULL, (struct net_options){0});
    /* The flit-grant engine. */
    check_steady("mesh:8x8", NULL, (struct net_options){.flow_control = NET_WORMHOLE, .virtual_channels = 3});
    check_steady("king-torus:8x8", "dateline", (struct net_options){.flow_control = NET_WORMHOLE});
    check_steady("torus:8x8", NULL,
                 (struct net_options){.multiplexed = true, .link_cycles = 4, .credit_cycles = 3});
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steady_state)};
    return cmocka_run_group_tests_name("netmodel steady state", tests, NULL, NULL);
}
