/* Routings that know ways around dead links: on every network of the registered kinds, with random dead links, every
 * packet arrives over live links, whatever it chooses, and packets cannot wait in a circle. */
#include "tests/suite.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/deadlock/dependency.h"
#include "netmodel/faults/faults.h"
#include "netmodel/network.h"
#include "tests/brief.h"
#include "tests/netmodel/cases.h"

#define ROUTERS_MAX 81
#define HOPS_MAX 512

/* One way from a to b, with every choice drawn. */
static void walk(const struct net_routing *routing, uint32_t a, uint32_t b, struct base_random *random)
{
    const struct net_topology *topology = routing->topology;
    uint32_t variants = routing->kind->variants(routing, a, b), router = a, hops = 0;
    uint64_t header =
        variants == 0 ? 0
                      : routing->kind->start(routing, a, b, (uint32_t)base_random_below(random, variants));
    struct net_route route;
    if (variants == 0)
        return;
    for (uint32_t tiers; (tiers = routing->kind->route(routing, router, header, &route)) > 0; hops++) {
        uint32_t count = 0, chosen = NET_NONE, tier = (uint32_t)base_random_below(random, tiers);
        assert_true(hops < HOPS_MAX);
        for (uint32_t port = net_route_next(topology, &route, tier, 0); port != NET_NONE;
             port = net_route_next(topology, &route, tier, port + 1)) {
            uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
            if (link == NET_NONE || routing->dead[link])
                fail_msg("%s: router %" PRIu32 " has no live link by port %" PRIu32, topology->text, router,
                         port);
            chosen = base_random_below(random, ++count) == 0 ? port : chosen;
        }
        assert_int_not_equal(chosen, NET_NONE);
        header = routing->kind->step(routing, router, header, chosen);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + chosen]].target;
    }
    assert_int_equal(router, b);
}

static void hold_laws(const struct net_routing *routing, struct base_random *random)
{
    struct net_deadlock_check check;
    struct base_error error = {0};
    for (uint32_t a = 0; a < routing->topology->routers; a++)
        for (uint32_t b = 0; b < routing->topology->routers; b++)
            walk(routing, a, b, random);
    assert_int_equal(net_deadlock_check(routing, &check, &error), 0);
    assert_true(check.connected && net_deadlock_free(&check, &check.wormhole) &&
                net_deadlock_free(&check, &check.cut_through));
    net_deadlock_check_free(&check);
}

struct context {
    struct base_random random;
    uint32_t held, refused;
};

/* Up to a quarter of all links, as long as the network holds together. */
static void go_around(const struct net_topology *topology, void *state)
{
    struct context *context = state;
    struct base_error error = {0};
    struct net_faults faults;
    struct net_cables cables;
    char text[64];
    bool has_cables = net_cables_init(&cables, topology, &error) == 0;
    uint32_t most = cables.count / 4;
    net_cables_free(&cables);
    if (!has_cables || most == 0 || topology->routers > ROUTERS_MAX)
        return;
    for (uint32_t i = 0; i < (brief() ? 1 : 4); i++) {
        size_t kinds;
        const struct net_routing_kind *const *kind = net_routing_kinds(&kinds);
        snprintf(text, sizeof text, "%" PRIu64 ",seed=%" PRIu64,
                 1 + base_random_below(&context->random, most), base_random_next(&context->random) >> 2);
        bool whole = net_faults_init(&faults, topology, text, 1000000, &error) == 0;
        for (size_t k = 0; k < kinds && whole; k++) {
            struct net_routing routing;
            struct base_arena arena = {0};
            if (!net_routing_serves(kind[k], topology))
                continue;
            bool *dead = net_faults_dead(&faults, &arena);
            if (net_routing_init_around(&routing, topology, kind[k]->name, 0, dead, &error) == 0) {
                assert_true(kind[k]->detours);
                hold_laws(&routing, &context->random);
                net_routing_free(&routing);
                context->held++;
            } else {
                assert_false(kind[k]->detours);
                assert_non_null(strstr(error.text, "knows no ways around dead links; these do: up-down"));
                context->refused++;
            }
            base_arena_free(&arena);
        }
        net_faults_free(&faults);
    }
}

static void packets_go_around(void **state)
{
    struct context context = {0};
    (void)state;
    base_random_seed(&context.random, 20, 1);
    cases_each_example(go_around, &context);
    cases_each_graph(go_around, &context);
    print_message("%" PRIu32 " networks with dead links, %" PRIu32 " refusals\n", context.held,
                  context.refused);
    assert_true(context.held > 20 && context.refused > 20);
}

/* With no link dead it is the same routing as ever. */
static void no_fault_changes_nothing(void **state)
{
    (void)state;
    struct net_topology *topology = cases_topology("king-mesh:5x4");
    struct base_error error = {0};
    struct net_routing around, plain;
    bool dead[256] = {false};
    assert_true(topology->link_count <= 256);
    assert_int_equal(net_routing_init_around(&around, topology, NULL, 0, dead, &error), 0);
    assert_int_equal(net_routing_init(&plain, topology, "up-down", 0, &error), 0);
    assert_string_equal(around.text, "up-down");
    for (uint32_t a = 0; a < topology->routers; a++)
        for (uint32_t b = 0; b < topology->routers; b++) {
            struct net_route one = {0}, other = {0};
            uint64_t header = plain.kind->start(&plain, a, b, 0);
            assert_int_equal(plain.kind->route(&plain, a, header, &one),
                             around.kind->route(&around, a, header, &other));
            assert_true(a == b || one.ports[0] == other.ports[0]);
        }
    net_routing_free(&around);
    net_routing_free(&plain);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(packets_go_around),
                                       cmocka_unit_test(no_fault_changes_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
