/* Datelines: the rule is proved for every size of ring up to nine, for two to five virtual channels; rules
 * that are nearly it are refuted; and it leaves few channels idle. */
#include "tests/suite.h"

#include <string.h>

#include "netmodel/confinement.h"
#include "netmodel/dependency.h"
#include "tests/netmodel/cases.h"

enum { CHANNELS_LEAST = 2, CHANNELS_MOST = 5 };

static void init(struct net_routing *routing, const struct net_topology *topology, uint32_t virtual_channels)
{
    struct base_error error = {0};
    if (net_routing_init(routing, topology, "dateline", virtual_channels, &error) != 0)
        fail_msg("%s", error.text);
}

/* ---- proofs ---- */

static void prove(const char *text, uint32_t virtual_channels)
{
    struct net_topology *topology = cases_topology(text);
    struct net_routing routing;
    struct net_deadlock_check check;
    struct base_error error = {0};
    init(&routing, topology, virtual_channels);
    if (net_deadlock_check(&routing, &check, &error) != 0)
        fail_msg("%s", error.text);
    assert_true(check.connected);
    if (check.cut_through.argument != NET_ACYCLIC || check.wormhole.argument != NET_ACYCLIC)
        fail_msg("%s, %u virtual channels: can deadlock", text, virtual_channels);
    net_deadlock_check_free(&check);
    net_routing_free(&routing);
    net_topology_free(topology);
}

static void prove_all_channels(const char *text)
{
    for (uint32_t v = CHANNELS_LEAST; v <= CHANNELS_MOST; v++)
        prove(text, v);
}

/* Sides up to nine: shorter and longer than the other, even and odd, 1 (a dimension less) and 2 (two links
 * each way). */
static void planes_are_free_of_deadlock(void **state)
{
    static const char *const formats[] = {"torus:%ux%u", "king-torus:%ux%u", "diagonal-torus:%ux%u",
                                          "diagonal-torus:%ux%u,diagonal=nw"};
    char text[64];
    (void)state;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        for (unsigned x = i == 0 ? 1 : 2; x <= 9; x++)
            for (unsigned y = i == 0 ? x : 2; y <= 9; y++) {
                snprintf(text, sizeof text, formats[i], x, y);
                prove_all_channels(text);
            }
}

static void lines_and_boxes_are_free_of_deadlock(void **state)
{
    static const char *const texts[] = {"torus:2",       "torus:3",        "torus:16",    "torus:17",
                                        "torus:2x2x2",   "torus:3x2x4",    "torus:3x3x3", "torus:5x4x2",
                                        "torus:4x4x4",   "torus:2x6x3",    "torus:5x5x3", "torus:1x7x2",
                                        "torus:3x2x2x3", "torus:2x2x2x2x3"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        prove_all_channels(texts[i]);
}

/* The first columns, and the others that are even and odd: a row around the end, with free routers beside
 * them. */
static void set_parts(const struct net_topology *topology, uint32_t *parts)
{
    for (uint32_t router = 0; router < topology->routers; router++) {
        uint32_t x = router % topology->sides[0], y = router / topology->sides[0];
        parts[router] = x < topology->sides[0] / 2 ? 0 : y < topology->sides[1] / 2 ? 1 : NET_FREE;
    }
}

/* Follows a header to its end in the confined routing and in the other one. */
static void walk_both(const struct net_routing *confined, const struct net_routing *whole, uint32_t a,
                      uint64_t header)
{
    const struct net_topology *topology = whole->topology;
    struct net_route one = {{0}, {0}}, other = {{0}, {0}};
    uint32_t tiers;
    while ((tiers = whole->kind->route(whole, a, header, &one)) != 0) {
        assert_int_equal(confined->kind->route(confined, a, header, &other), tiers);
        for (uint32_t tier = 0; tier < tiers; tier++) {
            assert_int_equal(one.ports[tier], other.ports[tier]);
            assert_int_equal(one.virtual_channels[tier], other.virtual_channels[tier]);
        }
        uint32_t port = (uint32_t)__builtin_ctzll(one.ports[0]);
        header = whole->kind->step(whole, a, header, port);
        a = topology->links[topology->link_at[(size_t)a * topology->ports + port]].target;
    }
}

/* A partition takes pairs away and changes no way: its dependencies are among those of the whole network,
 * which are proved to close no circle. */
static void partitions_keep_the_rule(void **state)
{
    static const char *const texts[] = {"torus:8x6", "torus:5x7", "king-torus:8x8"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct net_topology *topology = cases_topology(texts[i]);
        struct net_routing confined, whole;
        struct base_error error = {0};
        uint32_t parts[64];
        set_parts(topology, parts);
        init(&confined, topology, 3);
        init(&whole, topology, 3);
        if (net_routing_confine(&confined, parts, &error) != 0)
            fail_msg("%s", error.text);
        for (uint32_t a = 0; a < topology->routers; a++)
            for (uint32_t b = 0; b < topology->routers; b++)
                for (uint32_t v = 0;
                     net_routing_joins(&confined, a, b) && v < whole.kind->variants(&whole, a, b); v++)
                    walk_both(&confined, &whole, a, whole.kind->start(&whole, a, b, v));
        net_routing_free(&confined);
        net_routing_free(&whole);
        net_topology_free(topology);
    }
}

/* ---- rules that are nearly it ---- */

static struct {
    const struct net_routing_kind *kind; /* the right one */
    uint32_t wrong;
} variant;

enum { RELIES_ON_LOWER_BEHIND, UPPER_BEFORE, UPPER_BEFORE_TOO, LOWER_IS_ALL, WRONG_RULES };

/* The rule with one of its parts gone. */
static uint32_t route_wrongly(const struct net_routing *routing, uint32_t router, uint64_t header,
                              struct net_route *route)
{
    uint32_t tiers = variant.kind->route(routing, router, header, route);
    uint32_t all = (1u << routing->virtual_channels) - 1,
             upper = all & ~(all >> routing->virtual_channels / 2);
    bool before = tiers == 1 && route->virtual_channels[0] != all;
    switch (variant.wrong) {
    case RELIES_ON_LOWER_BEHIND: /* packets that have crossed keep to the class that they came in */
        return tiers == 0 ? 0 : 1;
    case UPPER_BEFORE: /* no classes before the dateline */
        route->virtual_channels[0] = before ? all : route->virtual_channels[0];
        return tiers;
    case UPPER_BEFORE_TOO: /* lower ones are relied on there, but not the only ones */
        if (before) {
            route->ports[1] = route->ports[0];
            route->virtual_channels[1] = route->virtual_channels[0];
            route->virtual_channels[0] = all;
        }
        return before ? 2 : tiers;
    default: /* the classes exchanged behind the dateline */
        if (tiers == 2)
            route->virtual_channels[1] = all & ~upper;
        return tiers;
    }
}

/* Rings from four on: a way round a shorter one is a single link, and nobody waits along it. */
static void nearly_right_rules_are_refuted(void **state)
{
    static const char *const texts[] = {"torus:5",        "torus:8",           "torus:4x5",
                                        "torus:8x8",      "torus:4x2x3",       "king-torus:5x5",
                                        "king-torus:8x6", "diagonal-torus:6x5"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint32_t wrong = 0; wrong < WRONG_RULES; wrong++) {
            struct net_topology *topology = cases_topology(texts[i]);
            struct net_routing routing;
            struct net_deadlock_check check;
            struct base_error error = {0};
            init(&routing, topology, 2 + (uint32_t)i % 3);
            struct net_routing_kind kind = *routing.kind;
            variant.kind = routing.kind;
            variant.wrong = wrong;
            kind.route = route_wrongly;
            routing.kind = &kind;
            assert_int_equal(net_deadlock_check(&routing, &check, &error), 0);
            assert_true(check.connected);
            if (check.wormhole.argument != NET_CYCLIC)
                fail_msg("%s, wrong rule %u: not refuted", texts[i], wrong);
            /* Upper channels that nobody relies on before the dateline are harmless where a packet holds one.
             */
            if (wrong != UPPER_BEFORE_TOO)
                assert_int_equal(check.cut_through.argument, NET_CYCLIC);
            net_deadlock_check_free(&check);
            net_routing_free(&routing);
            net_topology_free(topology);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(planes_are_free_of_deadlock),
        cmocka_unit_test(lines_and_boxes_are_free_of_deadlock),
        cmocka_unit_test(partitions_keep_the_rule),
        cmocka_unit_test(nearly_right_rules_are_refuted),
    };
    return cmocka_run_group_tests_name("netmodel datelines", tests, NULL, NULL);
}
