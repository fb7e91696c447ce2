/* Deadlocks at run time: wrong routings do deadlock, in both engines; the circle that is told closes, each
 * packet waiting for the buffer in which the next one is; a corner that stands still is found while the rest
 * of the network goes on; and nobody is called stuck who is not. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/network.h"
#include "netmodel/engines/standstill.h"
#include "tests/netmodel/cases.h"
#include "tests/netmodel/routings/table-routing.h"

static void inject(struct net_network *network, uint64_t cycle, uint32_t source, uint32_t target,
                   uint64_t flits)
{
    struct base_error error = {0};
    struct net_message message = {.source = source, .target = target, .flits = flits};
    assert_int_equal(net_network_inject(network, cycle, &message, &error), 0);
}

/* Packets between all terminals at random, as fast as they go in. */
static void flood(struct net_network *network, uint32_t terminals, uint32_t messages, uint64_t seed)
{
    struct base_random random;
    base_random_seed(&random, seed, 0);
    for (uint32_t i = 0; i < messages; i++) {
        uint32_t source = (uint32_t)base_random_below(&random, terminals);
        uint32_t target = (uint32_t)base_random_below(&random, terminals);
        inject(network, 0, source, target, 1 + base_random_below(&random, 20));
    }
}

static int drain(struct net_network *network, struct base_error *error)
{
    int status;
    do
        status = net_network_advance(network, UINT64_MAX, error);
    while (status > 0);
    return status;
}

/* ---- the sentence ---- */

struct line {
    unsigned packet, source, target, flits, buffer_channel, wanted_channel;
    unsigned long long message;
    char buffer[16], wanted[16];
    uint32_t router;
    bool held, injector;
};

/* "X+ channel 1 of (3,2), waits for …" or "X+ of …". Returns what follows. */
static const char *read_channel(const char *text, char name[16], unsigned *channel)
{
    size_t length = strcspn(text, " :");
    assert_true(length > 0 && length < 16);
    memcpy(name, text, length);
    name[length] = '\0';
    *channel = 0;
    text += length;
    if (strncmp(text, " channel ", 9) == 0) {
        char *end;
        *channel = (unsigned)strtoul(text + 9, &end, 10);
        text = end;
    }
    return text;
}

static struct line read_line(const struct net_topology *topology, const char *text)
{
    struct line line = {0};
    unsigned x = 0, y = 0;
    int used = 0;
    assert_int_equal(sscanf(text, "  packet %u of message %llu (%u to %u, %u flits), buffer %n", &line.packet,
                            &line.message, &line.source, &line.target, &line.flits, &used),
                     5);
    text += used;
    line.injector = strncmp(text, "injector", 8) == 0;
    if (line.injector)
        text = strstr(text, " of ");
    else
        text = read_channel(text, line.buffer, &line.buffer_channel);
    assert_int_equal(sscanf(text, " of (%u,%u), waits for %n", &x, &y, &used), 2);
    line.router = x + y * topology->grid->sides[0];
    text = read_channel(text + used, line.wanted, &line.wanted_channel);
    line.held = strncmp(text, ": the next packet holds it", 26) == 0;
    assert_true(line.held || strncmp(text, ": room for ", 11) == 0);
    return line;
}

/* The router behind the named channel. */
static uint32_t behind(const struct net_topology *topology, uint32_t router, const char *name)
{
    for (uint32_t port = 0; port < topology->ports; port++) {
        uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
        if (link != NET_NONE && strcmp(net_port_name(topology, router, port), name) == 0)
            return topology->links[link].target;
    }
    fail();
    return 0;
}

/* As many lines as the sentence says; no packet twice. Where room is lacking, the next packet is at the head
 * of the buffer in question. */
static unsigned expect_circle(const struct net_topology *topology, const char *text)
{
    struct line lines[32];
    unsigned count = 0, said = 0;
    const char *these = strstr(text, "; these ");
    assert_non_null(these);
    assert_int_equal(sscanf(these, "; these %u wait for each other:", &said), 1);
    for (const char *next = strchr(text, '\n'); next != NULL; next = strchr(next + 1, '\n')) {
        assert_true(count < 32);
        lines[count++] = read_line(topology, next + 1);
    }
    assert_int_equal(count, said);
    for (unsigned i = 0; i < count; i++) {
        const struct line *at = &lines[i], *next = &lines[(i + 1) % count];
        assert_false(at->injector);
        for (unsigned j = 0; j < i; j++)
            assert_true(lines[j].message != at->message || lines[j].packet != at->packet);
        if (at->held)
            continue;
        assert_int_equal(next->router, behind(topology, at->router, at->wanted));
        assert_string_equal(next->buffer, at->wanted);
        assert_int_equal(next->buffer_channel, at->wanted_channel);
    }
    return count;
}

/* ---- wrong routings ---- */

static const struct {
    const char *topology;
    uint32_t virtual_channels;
    bool escape, bubble;
    uint64_t (*first)(const struct net_topology *, uint32_t, uint32_t, uint64_t);
    uint64_t (*last)(const struct net_topology *, uint32_t, uint32_t, uint64_t);
    struct net_options options;
} wrong[] = {
    {"mesh:4x4", 1, false, true, table_all, NULL, {.buffer_flits = 16}},
    {"mesh:4x4", 2, false, true, table_all, NULL, {.buffer_flits = 20, .injectors = 3}},
    {"torus:5x5", 1, false, false, table_first, NULL, {.buffer_flits = 16}},
    {"king-mesh:4x4", 1, false, true, table_all, NULL, {.buffer_flits = 16, .injectors = 2}},
    {"diagonal-mesh:4x4", 1, false, true, table_all, NULL, {.buffer_flits = 16, .injectors = 2}},
    {"mesh:4x4", 1, false, true, table_all, NULL, {.multiplexed = true, .link_cycles = 3}},
    {"mesh:4x4", 2, false, true, table_all, NULL, {.multiplexed = true, .buffer_flits = 16, .injectors = 3}},
    {"mesh:4x4", 1, false, true, table_all, NULL, {.flow_control = NET_WORMHOLE, .buffer_flits = 4}},
    {"torus:5x5", 1, false, false, table_first, NULL, {.flow_control = NET_WORMHOLE, .buffer_flits = 3}},
    {"mesh:6x6",
     2,
     false,
     true,
     table_all,
     NULL,
     {.flow_control = NET_WORMHOLE, .buffer_flits = 2, .link_cycles = 2, .credit_cycles = 3, .injectors = 4}},
    {"king-mesh:5x5", 1, false, true, table_all, NULL, {.flow_control = NET_WORMHOLE, .injectors = 4}},
};

#define WRONG (sizeof wrong / sizeof *wrong)

static void make_wrong(struct table_routing *table, const struct net_topology *topology, size_t i)
{
    uint32_t all = (1u << wrong[i].virtual_channels) - 1;
    table_routing_init(table, topology, wrong[i].escape, wrong[i].virtual_channels);
    table->routing.bubble_channels = wrong[i].bubble ? UINT32_MAX : 0;
    table_fill(table, 0, wrong[i].escape ? all & ~1u : all, wrong[i].first, 0);
    if (wrong[i].last != NULL)
        table_fill(table, 1, 1, wrong[i].last, 0);
}

static void deadlocks_are_told_with_their_circle(void **state)
{
    (void)state;
    for (size_t i = 0; i < WRONG; i++) {
        struct net_topology *topology = cases_topology(wrong[i].topology);
        struct table_routing table;
        struct base_error error = {0};
        make_wrong(&table, topology, i);
        struct net_network *network = net_network_new(topology, &table.routing, &wrong[i].options, &error);
        if (network == NULL)
            fail_msg("%s", error.text);
        flood(network, topology->terminals, 4000, i + 1);
        assert_int_equal(drain(network, &error), -1);
        assert_int_equal(error.status, BASE_DEADLOCK);
        assert_true(expect_circle(topology, error.text) >= 2);
        assert_int_equal(net_network_check(network, &error), 0);
        net_network_free(network);
        table_routing_free(&table);
        net_topology_free(topology);
    }
}

/* Four long messages round a square in a corner, while others go on for ever elsewhere. */
static void a_corner_is_found_while_the_rest_goes_on(void **state)
{
    static const struct net_options options[] = {{.buffer_flits = 16},
                                                 {.flow_control = NET_WORMHOLE, .buffer_flits = 2}};
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct net_topology *topology = cases_topology("mesh:6x6");
        struct table_routing table;
        struct base_error error = {0};
        int status;
        table_routing_init(&table, topology, false, 1);
        table_fill(&table, 0, 1, table_first, 0);
        /* Round the square (0,0) (1,0) (1,1) (0,1): each goes two hops, the first along this side. */
        const uint32_t corner[4] = {0, 1, 7, 6};
        const uint64_t along[4] = {1, 4, 2, 8};
        for (uint32_t k = 0; k < 4; k++)
            table.entries[(size_t)corner[k] * 36 + corner[(k + 2) % 4]].ports[0] = along[k];
        struct net_network *network = net_network_new(topology, &table.routing, &options[i], &error);
        assert_non_null(network);
        for (uint32_t k = 0; k < 4; k++)
            inject(network, 0, corner[k], corner[(k + 2) % 4], 160);
        for (uint64_t cycle = 0; cycle < 100000; cycle += 50)
            inject(network, cycle, 35, 33, 16);
        status = drain(network, &error);
        assert_int_equal(status, -1);
        assert_int_equal(error.status, BASE_DEADLOCK);
        assert_int_equal(expect_circle(topology, error.text), 4);
        assert_true(net_network_now(network) < UINT64_C(2) * NET_STANDSTILL_CYCLES);
        assert_true(net_network_statistics(network)->messages > 100); /* the others did go on */
        net_network_free(network);
        table_routing_free(&table);
        net_topology_free(topology);
    }
}

/* ---- right ones ---- */

/* Saturated for several searches, with latencies and little room. */
static void nobody_is_stuck_who_is_not(void **state)
{
    static const struct {
        const char *topology, *routing;
        struct net_options options;
    } right[] = {
        {"torus:4x4", "adaptive-bubble", {.injectors = 2}},
        {"king-torus:4x4", "hop-by-hop", {.injectors = 3, .buffer_flits = 40}},
        {"torus:5", "dimension-order", {.packet_flits = 3, .buffer_flits = 6}},
        {"mesh:4x4", "adaptive-bubble", {.multiplexed = true, .link_cycles = 4, .credit_cycles = 5}},
        {"torus:4x4", "dateline", {.flow_control = NET_WORMHOLE, .buffer_flits = 2, .credit_cycles = 4}},
        {"king-mesh:4x4", "adaptive-bubble", {.flow_control = NET_WORMHOLE, .buffer_flits = 20}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        struct net_topology *topology = cases_topology(right[i].topology);
        struct net_routing routing;
        struct base_error error = {0};
        assert_int_equal(net_routing_init(&routing, topology, right[i].routing, 0, &error), 0);
        struct net_network *network = net_network_new(topology, &routing, &right[i].options, &error);
        if (network == NULL)
            fail_msg("%s", error.text);
        flood(network, topology->terminals, 60000, i);
        if (drain(network, &error) != 0)
            fail_msg("%s on %s: %s", right[i].routing, right[i].topology, error.text);
        assert_true(net_network_now(network) > UINT64_C(2) * NET_STANDSTILL_CYCLES);
        assert_int_equal(net_network_check(network, &error), 0);
        net_network_free(network);
        net_routing_free(&routing);
        net_topology_free(topology);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlocks_are_told_with_their_circle),
        cmocka_unit_test(a_corner_is_found_while_the_rest_goes_on),
        cmocka_unit_test(nobody_is_stuck_who_is_not),
    };
    return cmocka_run_group_tests_name("standstill", tests, NULL, NULL);
}
