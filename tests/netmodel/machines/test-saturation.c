/* Uniform traffic on the networks of machines: what is accepted beyond saturation comes within 3 % of the exact
 * limit, the inverse of the expected load of the busiest channel, where injectors and virtual channels are many
 * enough that heads of queues hold nobody up. And adversaries of deterministic ways in fat trees are limited to what
 * their busiest link lets through. */
#include "tests/suite.h"

#include <stdlib.h>

#include "base/random.h"
#include "netmodel/network.h"
#include "netmodel/traffic/pattern.h"
#include "tests/netmodel/cases.h"

#define WARM_UP 1500
#define CYCLES 4000

/* Flits per cycle and terminal at which the busiest link is full, when `share(source, target)` of what a terminal sends
 * goes to each target; 1 where a terminal's own channels are the limit. */
static double limit_of(const struct net_routing *routing, const struct net_pattern *pattern)
{
    const struct net_topology *topology = routing->topology;
    double *load = calloc((size_t)topology->link_count + 1, sizeof *load);
    double most = 1;
    uint32_t terminals = topology->terminals;
    assert_non_null(load);
    for (uint32_t source = 0; source < terminals; source++)
        for (uint32_t target = 0; target < terminals; target++) {
            double share = pattern->kind->permutation
                               ? target == pattern->kind->target(pattern, source, 0, NULL)
                           : source != target ? 1.0 / (terminals - 1)
                                              : 0;
            if (share > 0)
                assert_int_equal(net_routing_load_between(routing, source, target, share, load), 0);
        }
    for (uint32_t link = 0; link < topology->link_count; link++)
        most = load[link] > most ? load[link] : most;
    free(load);
    return 1 / most;
}

/* Every terminal offers a flit in every cycle; what arrives in the later ones, per cycle and sender. */
static double accepted_by(const struct net_topology *topology, const struct net_routing *routing,
                          const struct net_pattern *pattern, uint32_t injectors)
{
    struct base_error error = {0};
    struct net_options options = {.seed = 1,
                                  .packet_flits = 1,
                                  .buffer_flits = 32,
                                  .virtual_channels = routing->virtual_channels,
                                  .injectors = injectors};
    struct net_network *network = net_network_new(topology, routing, &options, &error);
    uint64_t before = 0;
    if (network == NULL)
        fail_msg("%s: %s", topology->text, error.text);
    for (uint64_t cycle = 0; cycle < WARM_UP + CYCLES; cycle++) {
        if (cycle == WARM_UP)
            before = net_network_statistics(network)->flits;
        for (uint32_t source = 0; source < topology->terminals; source++) {
            uint64_t key = base_hash(cycle, source);
            uint32_t target = pattern->kind->target(pattern, source, key, NULL);
            struct net_message message = {.source = source, .target = target, .flits = 1};
            if (source == target) /* a permutation's fixed point sends nothing */
                continue;
            assert_true(net_network_inject(network, cycle, &message, &error) >= 0);
        }
        while (net_network_now(network) < cycle + 1)
            if (net_network_advance(network, cycle + 1, &error) < 0)
                fail_msg("%s", error.text);
    }
    uint64_t flits = net_network_statistics(network)->flits - before, senders = 0;
    for (uint32_t source = 0; source < topology->terminals; source++)
        senders += net_pattern_sends(pattern, source);
    net_network_free(network);
    return (double)flits / CYCLES / (double)senders;
}

struct measured {
    double limit, accepted;
};

static struct measured measure(const char *text, const char *name, const char *traffic, uint32_t channels,
                               uint32_t injectors)
{
    struct net_topology *topology = cases_topology(text);
    struct net_routing routing;
    struct net_pattern pattern;
    struct base_error error = {0};
    if (net_routing_init(&routing, topology, name, channels, &error) != 0 ||
        net_pattern_init(&pattern, topology, traffic, 1, &error) != 0)
        fail_msg("%s", error.text);
    struct measured measured = {limit_of(&routing, &pattern),
                                accepted_by(topology, &routing, &pattern, injectors)};
    net_pattern_free(&pattern);
    net_routing_free(&routing);
    net_topology_free(topology);
    return measured;
}

static void uniform_traffic_comes_near_the_limit(void **state)
{
    static const struct {
        const char *topology, *routing;
        double limit;
    } cases[] = {{"fat-tree:4,3", "d-mod-k", 1},
                 {"fat-tree:4,3", "up-random", 1},
                 {"hyperx:4x4,terminals=4", "minimal", 63 / 64.0},
                 {"dragonfly:2,4,2", "minimal", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measured found = measure(cases[i].topology, cases[i].routing, "uniform", 16, 16);
        print_message("%s, %s: limit %.4f, accepted %.4f\n", cases[i].topology, cases[i].routing, found.limit,
                      found.accepted);
        assert_true(found.limit > cases[i].limit - 1e-9 && found.limit < cases[i].limit + 1e-9);
        assert_true(found.accepted > 0.97 * found.limit && found.accepted < 1.005 * found.limit);
    }
}

/* Three of the four terminals of a leaf share one link, and the fourth sends to itself; shifts of groups never meet. */
static void adversaries_find_the_busiest_link(void **state)
{
    static const struct {
        const char *routing, *pattern;
        double limit;
    } cases[] = {{"d-mod-k", "leaf-transpose", 1 / 3.0},
                 {"s-mod-k", "leaf-transpose", 1 / 3.0},
                 {"d-mod-k", "group-shift", 1},
                 {"s-mod-k", "group-shift", 1},
                 {"d-mod-k", "group-shift,terminals=23", 1}, /* no whole leaves */
                 {"s-mod-k", "group-shift,terminals=23", 1}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct measured found = measure("fat-tree:4,3", cases[i].routing, cases[i].pattern, 1, 1);
        print_message("%s, %s: limit %.4f, accepted %.4f\n", cases[i].routing, cases[i].pattern, found.limit,
                      found.accepted);
        assert_true(found.limit > cases[i].limit - 1e-9 && found.limit < cases[i].limit + 1e-9);
        assert_true(found.accepted > 0.99 * found.limit && found.accepted < 1.005 * found.limit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(uniform_traffic_comes_near_the_limit),
                                       cmocka_unit_test(adversaries_find_the_busiest_link)};
    return cmocka_run_group_tests_name("saturation", tests, NULL, NULL);
}
