/* Routers of more ports than a word has bits: engine and dense reference do the same on full meshes, and between two
 * routers with a hundred links, of which minimal and up-down routing may take any. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/suite.h"

#include "base/random.h"
#include "tests/brief.h"
#include "tests/netmodel/engines/outcome.h"

#define MESSAGES 250
#define GRAPH "test-wide.graph"
#define PARALLEL 100

/* Two routers of four terminals each, and many links between them. */
static void write_graph(void)
{
    FILE *stream = fopen(GRAPH, "w");
    assert_non_null(stream);
    fprintf(stream, "flitreplay-graph 1\nrouter a terminals=4\nrouter b terminals=4\n");
    for (int i = 0; i < PARALLEL; i++)
        fprintf(stream, "link a b\n");
    assert_int_equal(fclose(stream), 0);
}

static void draw_messages(const struct net_topology *topology, uint64_t number,
                          struct reference_message messages[MESSAGES])
{
    struct base_random random;
    uint64_t cycle = 0;
    base_random_seed(&random, number, UINT64_C(0x77696465));
    for (uint32_t i = 0; i < MESSAGES; i++) {
        cycle += base_random_below(&random, 3) == 0;
        messages[i] = (struct reference_message){
            .cycle = cycle,
            .source = (uint32_t)base_random_below(&random, topology->terminals),
            .target = (uint32_t)base_random_below(&random, topology->terminals),
            .flits = 1 + base_random_below(&random, 20),
        };
    }
}

static void same(const char *name, const char *routing_name, uint32_t virtual_channels,
                 const struct net_options *options, uint64_t number)
{
    struct base_error error = {0};
    struct reference_message messages[MESSAGES];
    struct net_routing routing;
    struct outcome reference, network;
    char difference[512];
    struct net_topology *topology = net_topology_new(name, &error);
    assert_non_null(topology);
    assert_true(topology->ports > 64);
    assert_int_equal(net_routing_init(&routing, topology, routing_name, virtual_channels, &error), 0);
    struct reference_setup setup = {.topology = topology, .routing = &routing, .options = *options};
    setup.options.virtual_channels = virtual_channels;
    draw_messages(topology, number, messages);
    outcome_run(OUTCOME_REFERENCE, OUTCOME_FEED_EXACT, &setup, messages, MESSAGES, &reference);
    outcome_run(OUTCOME_NETWORK, OUTCOME_FEED_EXACT, &setup, messages, MESSAGES, &network);
    if (!outcome_same(&setup, messages, &reference, &network, difference, sizeof difference))
        fail_msg("%s, %s, %" PRIu64 ": %s", name, routing_name, number, difference);
    assert_true(reference.messages == MESSAGES);
    outcome_free(&reference);
    outcome_free(&network);
    net_routing_free(&routing);
    net_topology_free(topology);
}

static void routers_with_many_ports_equal_the_reference(void **state)
{
    static const char *const networks[] = {"graph:" GRAPH, "full-mesh:66"};
    static const char *const routings[] = {"minimal", "up-down"};
    uint64_t number = 0, cases = brief_count("cases", 12, 4);
    (void)state;
    write_graph();
    for (; number < cases; number++) {
        const struct net_options options = {
            .packet_flits = 8,
            .buffer_flits = 16,
            .injectors = 1,
            .consumers = 1,
            .flow_control = number % 2 == 0 ? NET_CUT_THROUGH : NET_WORMHOLE,
            .arbiter = (enum net_arbiter)(number % 4),
            .multiplexed = number % 3 == 0,
            .seed = number,
        };
        for (size_t i = 0; i < 4; i++)
            same(networks[i / 2], routings[i % 2], i / 2 == 0 ? 1 + number % 2 : 1 + number % 4, &options,
                 number);
    }
    remove(GRAPH);
}

/* Every port of a wide router is named, and a routing's ports can be asked for one after the other. */
static void every_link_is_taken(void **state)
{
    struct base_error error = {0};
    struct net_routing routing;
    struct net_route route;
    uint32_t ports = 0;
    (void)state;
    write_graph();
    struct net_topology *topology = net_topology_new("graph:" GRAPH, &error);
    assert_non_null(topology);
    assert_int_equal(net_routing_init(&routing, topology, "minimal", 1, &error), 0);
    assert_int_equal(routing.kind->route(&routing, 0, 1, &route), 1);
    for (uint32_t port = net_route_next(topology, &route, 0, 0); port != NET_NONE;
         port = net_route_next(topology, &route, 0, port + 1))
        assert_true(topology->link_at[port] != NET_NONE && ports++ == port);
    assert_int_equal(ports, PARALLEL);
    net_routing_free(&routing);
    net_topology_free(topology);
    remove(GRAPH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(routers_with_many_ports_equal_the_reference),
                                       cmocka_unit_test(every_link_is_taken)};
    return cmocka_run_group_tests_name("routers of more than 64 ports", tests, NULL, NULL);
}
