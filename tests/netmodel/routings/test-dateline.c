/* The routing dateline (doc/flit-engine.md, rule 11): proved free of deadlock on rings of every length and
 * for every number of virtual channels, and wrong rules refuted by the same proof. */
#include "tests/suite.h"

#include <stdio.h>

#include "netmodel/routings/confinement.h"
#include "netmodel/deadlock/dependency.h"
#include "tests/brief.h"
#include "tests/netmodel/cases.h"

static void check(const struct net_routing *routing, enum net_deadlock_argument expected)
{
    struct net_deadlock_check found;
    struct base_error error = {0};

    if (net_deadlock_check(routing, &found, &error) != 0)
        fail_msg("%s: %s", routing->topology->text, error.text);
    assert_true(found.connected);
    if (found.cut_through.argument != expected || found.wormhole.argument != expected)
        fail_msg("%s, %u channels: %d under cut-through, %d under wormhole, not %d", routing->topology->text,
                 routing->virtual_channels, found.cut_through.argument, found.wormhole.argument, expected);
    net_deadlock_check_free(&found);
}

static void expect_free(const char *text, uint32_t channels)
{
    struct net_topology *topology = cases_topology(text);
    struct net_routing routing;
    struct base_error error = {0};

    if (net_routing_init(&routing, topology, "dateline", channels, &error) != 0)
        fail_msg("%s, %u channels: %s", text, channels, error.text);
    check(&routing, NET_ACYCLIC);
    net_routing_free(&routing);
    net_topology_free(topology);
}

static void rings_of_every_length_are_free(void **state)
{
    static const char *const kinds[] = {"torus", "diagonal-torus", "king-torus"};
    uint32_t longest = brief() ? 5 : 9;
    char text[64];

    (void)state;
    for (uint32_t channels = 2; channels <= 4; channels++) {
        for (uint32_t side = 1; side <= 17; side++) {
            snprintf(text, sizeof text, "torus:%u", side);
            expect_free(text, channels);
        }
        for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; kind++)
            for (uint32_t x = 2; x <= longest; x++)
                for (uint32_t y = 2; y <= longest; y++) {
                    snprintf(text, sizeof text, "%s:%ux%u", kinds[kind], x, y);
                    expect_free(text, channels);
                }
        for (uint32_t z = 2; z <= 4; z++)
            for (uint32_t y = 2; y <= 4; y++) {
                snprintf(text, sizeof text, "torus:5x%ux%u", y, z);
                expect_free(text, channels);
            }
    }
    expect_free("torus:8x8", 8);
    expect_free("torus:8x8", NET_VIRTUAL_CHANNELS_MAX);
    expect_free("torus:3x2x4x3", 2);
}

/* ---- partitions ---- */

/* The left half, the lower right quarter, and free routers above it. */
static void set_parts(const struct net_topology *topology, uint32_t *parts)
{
    for (uint32_t router = 0; router < topology->routers; router++) {
        uint32_t x = router % topology->grid->sides[0], y = router / topology->grid->sides[0];
        parts[router] = x < topology->grid->sides[0] / 2   ? 0
                        : y < topology->grid->sides[1] / 2 ? 1
                                                           : NET_FREE;
    }
}

/* Follows a header to its end, asking both routings at every router. */
static void walk_both(const struct net_routing *confined, const struct net_routing *whole, uint32_t router,
                      uint64_t header)
{
    const struct net_topology *topology = whole->topology;
    struct net_route one = {.ports = {0}}, other = {.ports = {0}};
    uint32_t tiers;

    while ((tiers = whole->kind->route(whole, router, header, &one)) != 0) {
        assert_int_equal(confined->kind->route(confined, router, header, &other), tiers);
        for (uint32_t tier = 0; tier < tiers; tier++) {
            assert_int_equal(one.ports[tier], other.ports[tier]);
            assert_int_equal(one.virtual_channels[tier], other.virtual_channels[tier]);
        }
        uint32_t port = (uint32_t)__builtin_ctzll(one.ports[0]);
        header = whole->kind->step(whole, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
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
        assert_int_equal(net_routing_init(&confined, topology, "dateline", 3, &error), 0);
        assert_int_equal(net_routing_init(&whole, topology, "dateline", 3, &error), 0);
        if (net_routing_confine(&confined, parts, &error) != 0)
            fail_msg("%s", error.text);
        for (uint32_t a = 0; a < topology->routers; a++)
            for (uint32_t b = 0; b < topology->routers; b++) {
                uint32_t count = net_routing_joins(&confined, a, b) ? whole.kind->variants(&whole, a, b) : 0;
                for (uint32_t v = 0; v < count; v++)
                    walk_both(&confined, &whole, a, whole.kind->start(&whole, a, b, v));
            }
        net_routing_free(&confined);
        net_routing_free(&whole);
        net_topology_free(topology);
    }
}

/* ---- wrong rules ---- */

extern const struct net_routing_kind net_routing_dateline;

static uint32_t right_route(const struct net_routing *routing, uint32_t router, uint64_t header,
                            struct net_route *route)
{
    return net_routing_dateline.route(routing, router, header, route);
}

/* Whoever never comes to the dateline relies on both classes. */
static uint32_t rely_on_both(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    uint32_t tiers = right_route(routing, router, header, route);
    return tiers > 1 ? 1 : tiers;
}

/* Upper channels already before the dateline. */
static uint32_t upper_before(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    uint32_t tiers = right_route(routing, router, header, route);
    for (uint32_t tier = 0; tier < tiers; tier++)
        route->virtual_channels[tier] = (1u << routing->virtual_channels) - 1;
    return tiers;
}

/* Whoever never comes to the dateline relies on the lower class. */
static uint32_t rely_on_lower(const struct net_routing *routing, uint32_t router, uint64_t header,
                              struct net_route *route)
{
    uint32_t tiers = right_route(routing, router, header, route);
    if (tiers > 1)
        route->virtual_channels[1] = route->virtual_channels[0] & ~route->virtual_channels[1];
    return tiers;
}

/* Upper channels before the dateline beside the lower ones, which a packet relies on there. */
static uint32_t upper_beside(const struct net_routing *routing, uint32_t router, uint64_t header,
                             struct net_route *route)
{
    uint32_t tiers = right_route(routing, router, header, route), all = (1u << routing->virtual_channels) - 1;
    if (tiers != 1 || route->virtual_channels[0] == all)
        return tiers;
    route->ports[1] = route->ports[0];
    route->virtual_channels[1] = route->virtual_channels[0];
    route->virtual_channels[0] = all;
    return 2;
}

static void wrong_rules_are_refuted(void **state)
{
    static uint32_t (*const wrong[])(const struct net_routing *, uint32_t, uint64_t, struct net_route *) = {
        rely_on_both, upper_before, rely_on_lower, upper_beside};
    static const char *const texts[] = {"torus:5", "torus:4x4", "torus:8x8", "king-torus:5x5"};

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t rule = 0; rule < sizeof wrong / sizeof *wrong; rule++) {
            struct net_topology *topology = cases_topology(texts[i]);
            struct net_routing routing;
            struct base_error error = {0};
            assert_int_equal(net_routing_init(&routing, topology, "dateline", 2, &error), 0);
            struct net_routing_kind kind = *routing.kind;
            kind.route = wrong[rule];
            routing.kind = &kind;
            check(&routing, NET_CYCLIC);
            net_routing_free(&routing);
            net_topology_free(topology);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rings_of_every_length_are_free),
        cmocka_unit_test(partitions_keep_the_rule),
        cmocka_unit_test(wrong_rules_are_refuted),
    };
    return cmocka_run_group_tests_name("dateline", tests, NULL, NULL);
}
