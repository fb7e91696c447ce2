/* Ways through an intermediate router: UGAL's choice is what its comparison says of queues that are made up here, with
 * lengths and first links found by walking; and every intermediate router is drawn once. */
#include <inttypes.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/routing.h"

/* Flits on the link by a port: few numbers, so that products tie. */
static uint32_t made_up(const struct net_occupancy *occupancy, uint32_t port)
{
    return (uint32_t)base_hash((uintptr_t)occupancy->context + occupancy->router, port) % 7;
}

/* Links of the header's way and its first port; the routers on it go into path, which has room for 8. */
static uint32_t walk(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t *first,
                     uint32_t path[8])
{
    const struct net_topology *topology = routing->topology;
    struct net_route route = {.ports = {0}};
    uint32_t hops = 0;
    for (; routing->kind->route(routing, router, header, &route) != 0; hops++) {
        uint32_t port = net_route_next(topology, &route, 0, 0);
        assert_true(hops < 8);
        *first = hops == 0 ? port : *first;
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
        path[hops] = router;
    }
    return hops;
}

static void init(struct net_routing *routing, const struct net_topology *topology, const char *name)
{
    struct base_error error = {0};
    if (net_routing_init(routing, topology, name, 0, &error) != 0)
        fail_msg("%s", error.text);
}

/* Both decisions must occur, or nothing was tested. */
static void choice_is_the_comparison(const char *network, const char *name, uint32_t threshold)
{
    struct net_topology *topology = net_topology_new(network, NULL);
    struct net_routing routing;
    uint32_t decisions[2] = {0, 0};
    uint32_t path[8];
    assert_non_null(topology);
    init(&routing, topology, name);
    for (uint32_t a = 0; a < topology->routers; a += 1 + topology->routers / 9)
        for (uint32_t b = 0; b < topology->routers; b++)
            for (uint32_t v = 0; v < routing.kind->variants(&routing, a, b); v++) {
                const struct net_occupancy occupancy = {(const void *)(uintptr_t)(1000 * (v + 1)), a,
                                                        made_up};
                uint64_t header = routing.kind->start(&routing, a, b, v);
                uint64_t other = routing.kind->detour(&routing, header);
                uint64_t chosen = routing.kind->choose(&routing, header, &occupancy);
                uint32_t first[2] = {0, 0};
                uint32_t direct = walk(&routing, a, header, &first[0], path);
                uint32_t around = walk(&routing, a, other, &first[1], path);
                bool minimal = other == header || made_up(&occupancy, first[0]) * direct <=
                                                      made_up(&occupancy, first[1]) * around + threshold;
                if (minimal != (chosen != other || other == header))
                    fail_msg("%s, %s: %" PRIu32 " to %" PRIu32 ", variant %" PRIu32, network, name, a, b, v);
                assert_int_equal(walk(&routing, a, chosen, &first[0], path), minimal ? direct : around);
                decisions[minimal] += other != header;
            }
    assert_true(decisions[0] > 50 && decisions[1] > 50);
    net_routing_free(&routing);
    net_topology_free(topology);
}

static void ugal_takes_the_cheaper_way(void **state)
{
    (void)state;
    choice_is_the_comparison("dragonfly:2,4,2", "ugal", 0);
    choice_is_the_comparison("dragonfly:2,4,2", "ugal,threshold=9", 9);
    choice_is_the_comparison("dragonfly:1,3,2,groups=4,arrangement=absolute", "ugal", 0);
    choice_is_the_comparison("hyperx:4x3x2", "ugal", 0);
    choice_is_the_comparison("slim-fly:5", "ugal,threshold=2", 2);
}

/* A way by each router: itself where it is an end, else the one router between two links of a full mesh. */
static void every_router_is_drawn_once(void **state)
{
    struct net_topology *topology = net_topology_new("full-mesh:7", NULL);
    struct net_routing routing;
    uint32_t path[8];
    uint32_t first = 0, a = 1, b = 4, seen = 0, direct = 0;
    (void)state;
    assert_non_null(topology);
    init(&routing, topology, "valiant");
    assert_int_equal(routing.kind->variants(&routing, a, b), 7);
    for (uint32_t v = 0; v < 7; v++) {
        uint32_t hops = walk(&routing, a, routing.kind->start(&routing, a, b, v), &first, path);
        assert_true(hops >= 1 && hops <= 2 && path[hops - 1] == b);
        direct += hops == 1;
        if (hops == 2)
            seen |= UINT32_C(1) << path[0];
    }
    assert_int_equal(direct, 2);
    assert_int_equal(seen, 0x7f & ~(1U << a) & ~(1U << b));
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* Two halves of three links at most, or by a group of two and three; the first link out of the group leads away from
 * it. */
static void detours_of_a_dragonfly_leave_the_group(void **state)
{
    static const char *const names[] = {"valiant", "valiant-group"};
    struct net_topology *topology = net_topology_new("dragonfly:2,4,2", NULL);
    (void)state;
    assert_non_null(topology);
    for (uint32_t i = 0; i < 2; i++) {
        struct net_routing routing;
        init(&routing, topology, names[i]);
        for (uint32_t b = 1; b < topology->routers; b++)
            for (uint32_t v = 0; v < routing.kind->variants(&routing, 0, b); v++) {
                uint32_t path[8];
                uint32_t first = 0, outside = 0;
                uint32_t hops = walk(&routing, 0, routing.kind->start(&routing, 0, b, v), &first, path);
                for (uint32_t hop = 0; hop < hops; hop++)
                    outside += path[hop] >= 4;
                assert_true(hops <= 6 - i && path[hops - 1] == b && outside > 0);
            }
        assert_int_equal(routing.kind->variants(&routing, 0, 1), i == 0 ? 32 : 8);
        net_routing_free(&routing);
    }
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(ugal_takes_the_cheaper_way),
                                       cmocka_unit_test(every_router_is_drawn_once),
                                       cmocka_unit_test(detours_of_a_dragonfly_leave_the_group)};
    return cmocka_run_group_tests_name("detours", tests, NULL, NULL);
}
