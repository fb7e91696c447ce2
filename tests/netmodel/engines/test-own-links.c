/* Links with latencies and widths of their own (rule 12 of doc/flit-engine.md), from graph files: times that the page's
 * formula says, asked of the reference, of the engines and of the simplified networks alike. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/suite.h"

#include "base/random.h"
#include "tests/netmodel/engines/outcome.h"

#define GRAPH "test-own-links.graph"
#define ROUTERS 5

/* A line of routers; link i leads from router i to the next, and back. */
struct line {
    uint32_t latency[ROUTERS - 1], width[ROUTERS - 1];
    struct net_topology *topology;
    struct net_routing routing;
};

static void line_open(struct line *line)
{
    struct base_error error = {0};
    FILE *stream = fopen(GRAPH, "w");
    assert_non_null(stream);
    fprintf(stream, "flitreplay-graph 1\n");
    for (uint32_t i = 0; i < ROUTERS; i++)
        fprintf(stream, "router r%" PRIu32 " terminals=1\n", i);
    for (uint32_t i = 0; i + 1 < ROUTERS; i++)
        fprintf(stream, "link r%" PRIu32 " r%" PRIu32 " latency=%" PRIu32 " width=1/%" PRIu32 "\n", i, i + 1,
                line->latency[i], line->width[i]);
    assert_int_equal(fclose(stream), 0);
    line->topology = net_topology_new("graph:" GRAPH, &error);
    if (line->topology == NULL || net_routing_init(&line->routing, line->topology, NULL, 1, &error) != 0)
        fail_msg("%s", error.text);
}

static void line_close(struct line *line)
{
    net_routing_free(&line->routing);
    net_topology_free(line->topology);
    remove(GRAPH);
}

/* Cycles from the generation of a packet at router 0 until its tail crosses the ejection channel of the last one, with
 * nobody else there. */
static uint64_t unloaded(const struct line *line, uint32_t router_cycles, uint64_t flits)
{
    uint64_t header = router_cycles - 1, tail = 0;
    for (uint32_t i = 0; i + 1 < ROUTERS; i++) {
        uint64_t behind = header + (flits - 1) * line->width[i];
        for (uint32_t k = i; k + 1 < ROUTERS; k++)
            behind += line->latency[k] + line->width[k] - 1;
        tail = behind > tail ? behind : tail;
        header += line->latency[i] + line->width[i] - 1 + router_cycles - 1;
    }
    return tail > header + flits - 1 ? tail : header + flits - 1;
}

static void expect_cycle(const struct line *line, struct net_options options, enum outcome_engine engine,
                         uint64_t flits, uint64_t cycle)
{
    struct reference_setup setup = {
        .topology = line->topology, .routing = &line->routing, .options = options};
    struct reference_message message = {10, 0, ROUTERS - 1, flits};
    struct outcome outcome;
    outcome_run(engine, OUTCOME_FEED_EXACT, &setup, &message, 1, &outcome);
    if (outcome.fault[0] || outcome.delivered[0] != 10 + cycle)
        fail_msg("%s: delivered in %" PRIu64 ", not %" PRIu64 ": %s", outcome_engine_name(engine),
                 outcome.delivered[0], 10 + cycle, outcome.fault);
    outcome_free(&outcome);
}

/* The cycle in which the message has come, on a network with some effects only. */
static uint64_t usable_on(const struct line *line, struct net_options options, enum net_effects effects,
                          uint64_t flits)
{
    struct base_error error = {0};
    struct net_message message = {.source = 0, .target = ROUTERS - 1, .flits = flits};
    options.effects = effects;
    struct net_network *network = net_network_new(line->topology, &line->routing, &options, &error);
    if (network == NULL || net_network_inject(network, 10, &message, &error) != 0 ||
        net_network_advance(network, UINT64_MAX, &error) != 1)
        fail_msg("%s", error.text);
    uint64_t now = net_network_now(network);
    net_network_free(network);
    return now;
}

/* Every engine, under every flow control, and every simplified network that has serialisation, agree with the formula;
 * the one that has distance alone with its part for headers. */
static void a_packet_alone(void **state)
{
    struct base_random random;
    (void)state;
    base_random_seed(&random, 1, UINT64_C(0x6f776e));
    for (uint32_t i = 0; i < 60; i++) {
        struct line line;
        struct net_options options = {.packet_flits = 24, .buffer_flits = 200, .seed = 1};
        uint64_t flits = 1 + base_random_below(&random, 24);
        uint64_t header;
        for (uint32_t l = 0; l + 1 < ROUTERS; l++) {
            line.latency[l] = 1 + (uint32_t)base_random_below(&random, 9);
            line.width[l] = i % 3 == 0 ? 1 : 1 + (uint32_t)base_random_below(&random, 4);
        }
        options.router_cycles = 1 + i % 4;
        options.flow_control = i % 2 ? NET_WORMHOLE : NET_CUT_THROUGH;
        options.multiplexed = i % 5 == 0;
        line_open(&line);
        uint64_t cycle = unloaded(&line, options.router_cycles, flits);
        header = unloaded(&line, options.router_cycles, 1);
        expect_cycle(&line, options, OUTCOME_REFERENCE, flits, cycle);
        expect_cycle(&line, options, OUTCOME_NETWORK, flits, cycle);
        expect_cycle(&line, options, OUTCOME_FLITS, flits, cycle);
        assert_int_equal(usable_on(&line, options, NET_DISTANCE, flits), 10 + header);
        assert_int_equal(usable_on(&line, options, NET_SERIALISATION, flits), 10 + cycle + 1);
        assert_int_equal(usable_on(&line, options, NET_TERMINALS, flits), 10 + cycle + 1);
        assert_int_equal(usable_on(&line, options, NET_CHANNELS, flits), 10 + cycle + 1);
        line_close(&line);
    }
}

/* Ten packets of 8 flits over a link that takes one in 3 cycles, between links that take one a cycle: after the
 * header's way the narrow link is never idle. The last cycle of the simplified network with shared links is the
 * same. */
static void a_message_over_a_narrow_link(void **state)
{
    struct line line = {{1, 1, 1, 1}, {1, 1, 3, 1}, NULL, {0}};
    const struct net_options options = {.packet_flits = 8, .seed = 1};
    const uint64_t flits = 80, cycle = 2 + (flits - 1) * 3 + 3 + 1;
    (void)state;
    line_open(&line);
    expect_cycle(&line, options, OUTCOME_REFERENCE, flits, cycle);
    expect_cycle(&line, options, OUTCOME_NETWORK, flits, cycle);
    assert_int_equal(usable_on(&line, options, NET_CHANNELS, flits), 10 + cycle + 1);
    line_close(&line);
}

static uint32_t buffers_of(const struct line *line, struct net_options options)
{
    struct base_error error = {0};
    struct net_network *network = net_network_new(line->topology, &line->routing, &options, &error);
    if (network == NULL)
        fail_msg("%s", error.text);
    uint32_t flits = net_network_options(network)->buffer_flits;
    net_network_free(network);
    return flits;
}

/* The default for all buffers is what the link with most flits on their way asks for. */
static void default_buffers(void **state)
{
    struct line line = {{1, 40, 100, 7}, {1, 1, 8, 2}, NULL, {0}};
    const struct net_options options = {.packet_flits = 16, .router_cycles = 2, .credit_cycles = 5};
    (void)state;
    line_open(&line);
    assert_int_equal(buffers_of(&line, options), 2 * 16 + 40 + 2 + 5 - 3);
    line_close(&line);
    line.latency[1] = 1;
    line_open(&line);
    assert_int_equal(buffers_of(&line, options), 2 * 16 + (100 + 8 - 1 + 2 + 5 - 3) / 8);
    line_close(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_alone),
        cmocka_unit_test(a_message_over_a_narrow_link),
        cmocka_unit_test(default_buffers),
    };
    return cmocka_run_group_tests_name("links of their own", tests, NULL, NULL);
}
