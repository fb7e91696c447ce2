/* Ways through an intermediate router: UGAL's choice is what its comparison says of queues that are made up here, with
 * lengths and first links found by walking; and every intermediate router is drawn once. */
#include <inttypes.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/routing.h"

/* Flits on some channels of the link by a port: few numbers, so that products tie; links are empty, or fuller by up to
 * three times. */
static uint32_t made_up(const struct net_occupancy *occupancy, uint32_t port, uint32_t channels)
{
    uint64_t key = (uintptr_t)occupancy->context + occupancy->router;
    uint32_t flits = 0;
    for (; channels != 0; channels &= channels - 1)
        flits += (uint32_t)(base_hash(key, 100 + port * 16 + (uint32_t)__builtin_ctz(channels)) % 3);
    return flits * (uint32_t)(base_hash(key, port) % 4);
}

struct first {
    uint32_t port, channels; /* a mask */
};

/* Packets that wait: of three injectors the middle one has none, the others go to routers of which each has its turn,
 * the last one by a detour if it has one. */
static const struct net_routing *waiting_for;

static uint32_t made_up_waiting(const struct net_occupancy *occupancy, uint32_t injector, uint64_t *header)
{
    uint64_t key = (uintptr_t)occupancy->context;
    uint32_t target = (uint32_t)(base_hash(key, injector) % waiting_for->topology->routers);
    if (injector == 1)
        return 0;
    *header = waiting_for->kind->start(waiting_for, occupancy->router, target, 0);
    if (injector == 2)
        *header = waiting_for->kind->detour(waiting_for, *header);
    return 1 + 4 * injector;
}

/* Links of the header's way and what it begins with; the routers on it go into path, which has room for 8. */
static uint32_t walk(const struct net_routing *routing, uint32_t router, uint64_t header, struct first *first,
                     uint32_t path[8])
{
    const struct net_topology *topology = routing->topology;
    struct net_route route = {.ports = {0}};
    uint32_t hops = 0;
    for (; routing->kind->route(routing, router, header, &route) != 0; hops++) {
        uint32_t port = net_route_next(topology, &route, 0, 0);
        assert_true(hops < 8);
        *first = hops == 0 ? (struct first){port, route.virtual_channels[0]} : *first;
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
        path[hops] = router;
    }
    return hops;
}

/* Of the packets that wait, flits of those that begin by the port on some of the channels. */
static uint32_t waiting_on(const struct net_occupancy *occupancy, uint32_t port, uint32_t channels)
{
    uint32_t flits = 0;
    uint32_t path[8];
    for (uint32_t i = 0; i < occupancy->injectors; i++) {
        uint64_t header = 0;
        uint32_t length = occupancy->waiting(occupancy, i, &header);
        struct first first = {UINT32_MAX, 0};
        if (length != 0)
            walk(waiting_for, occupancy->router, header, &first, path);
        flits += first.port == port && (first.channels & channels) != 0 ? length : 0;
    }
    return flits;
}

/* 8 virtual channels, so that classes have several. */
static void init(struct net_routing *routing, const struct net_topology *topology, const char *name)
{
    struct base_error error = {0};
    if (net_routing_init(routing, topology, name, 8, &error) != 0)
        fail_msg("%s", error.text);
}

/* Rule 14 says of queues: by channel where the first links are the same, or always, or never. */
static bool tells_channels_apart(const char *name, const struct first first[2])
{
    if (strstr(name, "queue=link") != NULL)
        return false;
    return strstr(name, "queue=channel") != NULL || first[0].port == first[1].port;
}

/* Both decisions must occur, or nothing was tested. */
static void choice_is_the_comparison(const char *network, const char *name, uint32_t threshold)
{
    struct net_topology *topology = net_topology_new(network, NULL);
    struct net_routing routing;
    uint32_t decisions[2] = {0, 0}, alike[2] = {0, 0};
    uint32_t path[8];
    assert_non_null(topology);
    init(&routing, topology, name);
    bool counts = strstr(name, "sequential") != NULL;
    waiting_for = &routing;
    for (uint32_t a = 0; a < topology->routers; a += 1 + topology->routers / 9)
        for (uint32_t b = 0; b < topology->routers; b++)
            for (uint32_t v = 0; v < routing.kind->variants(&routing, a, b); v++) {
                const struct net_occupancy occupancy = {(const void *)(uintptr_t)(1000 * (v + 1)), a, 3,
                                                        made_up, made_up_waiting};
                uint64_t header = routing.kind->start(&routing, a, b, v);
                uint64_t other = routing.kind->detour(&routing, header);
                uint64_t chosen = routing.kind->choose(&routing, header, &occupancy);
                struct first first[2] = {{0, 0}, {0, 0}};
                uint32_t direct = walk(&routing, a, header, &first[0], path);
                uint32_t around = walk(&routing, a, other, &first[1], path);
                bool apart = tells_channels_apart(name, first);
                uint32_t seen[2] = {apart ? first[0].channels : 0xff, apart ? first[1].channels : 0xff};
                uint32_t q_direct = made_up(&occupancy, first[0].port, seen[0]) +
                                    counts * waiting_on(&occupancy, first[0].port, seen[0]);
                uint32_t q_around = made_up(&occupancy, first[1].port, seen[1]) +
                                    counts * waiting_on(&occupancy, first[1].port, seen[1]);
                bool minimal = other == header || q_direct * direct <= q_around * around + threshold;
                if (minimal != (chosen != other || other == header))
                    fail_msg("%s, %s: %" PRIu32 " to %" PRIu32 ", variant %" PRIu32, network, name, a, b, v);
                alike[minimal] += other != header && first[0].port == first[1].port && direct <= around;
                assert_int_equal(walk(&routing, a, chosen, &first[0], path), minimal ? direct : around);
                decisions[minimal] += other != header;
            }
    assert_true(decisions[0] > 50 && decisions[1] > 50);
    /* Where only whole links are seen, ways that begin alike are minimal. */
    if (alike[1] == 0 || (alike[0] == 0) != (strstr(name, "queue=link") != NULL))
        fail_msg("%s, %s: of ways that begin alike %" PRIu32 " minimal, %" PRIu32 " not", network, name,
                 alike[1], alike[0]);
    net_routing_free(&routing);
    net_topology_free(topology);
}

static void ugal_takes_the_cheaper_way(void **state)
{
    static const char *const networks[] = {"dragonfly:2,4,2", "dragonfly:1,3,2,groups=4,arrangement=absolute",
                                           "hyperx:4x3x2", "slim-fly:5"};
    (void)state;
    for (size_t i = 0; i < sizeof networks / sizeof networks[0]; i++) {
        choice_is_the_comparison(networks[i], "ugal", 0);
        choice_is_the_comparison(networks[i], "ugal,queue=link,threshold=9", 9);
        choice_is_the_comparison(networks[i], "ugal,queue=channel", 0);
        choice_is_the_comparison(networks[i], "ugal,queue=hybrid,threshold=2", 2);
        choice_is_the_comparison(networks[i], "ugal,allocator=sequential", 0);
        choice_is_the_comparison(networks[i], "ugal,queue=link,allocator=sequential,threshold=5", 5);
    }
}

/* Unknown names are refused with those that there are. */
static void unknown_queues_are_refused(void **state)
{
    struct net_topology *topology = net_topology_new("dragonfly:1,2,1", NULL);
    struct net_routing routing;
    struct base_error error = {0};
    (void)state;
    assert_non_null(topology);
    assert_int_equal(net_routing_init(&routing, topology, "ugal,queue=both", 0, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    assert_non_null(strstr(error.text, "queue=both is none of link, channel, hybrid"));
    assert_int_equal(net_routing_init(&routing, topology, "ugal,allocator=fair", 0, &error), -1);
    assert_non_null(strstr(error.text, "allocator=fair is none of greedy, sequential"));
    net_topology_free(topology);
}

/* A way by each router: itself where it is an end, else the one router between two links of a full mesh. */
static void every_router_is_drawn_once(void **state)
{
    struct net_topology *topology = net_topology_new("full-mesh:7", NULL);
    struct net_routing routing;
    uint32_t path[8];
    struct first first;
    uint32_t a = 1, b = 4, seen = 0, direct = 0;
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
                struct first first;
                uint32_t outside = 0;
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
                                       cmocka_unit_test(unknown_queues_are_refused),
                                       cmocka_unit_test(every_router_is_drawn_once),
                                       cmocka_unit_test(detours_of_a_dragonfly_leave_the_group)};
    return cmocka_run_group_tests_name("detours", tests, NULL, NULL);
}
