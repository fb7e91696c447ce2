/* Confinement to parts: what is proved holds when every choice is walked, and when a network runs; what
 * cannot be proved is refused with the pair. */
#include "tests/suite.h"

#include <string.h>

#include "base/random.h"
#include "netmodel/routings/confinement.h"
#include "netmodel/network.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

#define ROUTERS_MAX 150

static void prepare(struct net_routing *routing, const struct net_topology *topology, const char *name)
{
    struct base_error error = {0};
    if (net_routing_init(routing, topology, name, 0, &error) != 0)
        fail_msg("%s on %s: %s", name, topology->text, error.text);
}

/* Rectangles of 4x3 routers. */
static void cut_into_rectangles(const struct net_topology *topology, uint32_t parts[ROUTERS_MAX])
{
    for (uint32_t r = 0; r < topology->routers; r++)
        parts[r] = r % topology->grid->sides[0] / 4 + 2 * (r / topology->grid->sides[0] / 3);
}

/* Random packets inside the parts, and between free routers; all arrive. Where nobody is free no link between parts
 * carries a flit; else packets of no part are outside of it, by the network's own count. */
static void run_inside(const struct net_routing *routing, const uint32_t *parts)
{
    const struct net_topology *topology = routing->topology;
    struct base_error error = {0};
    uint32_t owner[ROUTERS_MAX];
    for (uint32_t r = 0; r < topology->routers; r++)
        owner[r] = parts[r] == NET_FREE ? 5 : parts[r];
    struct net_options options = {.packet_flits = 4, .seed = 3, .owner = owner, .owners = 6};
    struct net_network *network = net_network_new(topology, routing, &options, &error);
    struct base_random random;
    uint32_t sent = 0;
    assert_non_null(network);
    base_random_seed(&random, 5, 0);
    while (sent < 3000) {
        struct net_message message = {.source = (uint32_t)base_random_below(&random, topology->terminals),
                                      .target = (uint32_t)base_random_below(&random, topology->terminals),
                                      .flits = 4};
        uint32_t part = parts[message.source];
        bool joined = part == parts[message.target] && part != NET_NONE;
        assert_int_equal(net_network_inject(network, 0, &message, &error), joined ? 0 : -1);
        if (!joined)
            assert_non_null(strstr(error.text, "in different partitions"));
        sent += joined;
    }
    while (net_network_pending(network) > 0)
        if (net_network_advance(network, UINT64_MAX, &error) < 0)
            fail_msg("%s", error.text);
    const struct net_statistics *statistics = net_network_statistics(network);
    for (uint32_t l = 0; l < topology->link_count; l++)
        if (!net_routing_is_crossed(routing) &&
            parts[topology->links[l].source] != parts[topology->links[l].target])
            assert_int_equal(statistics->link_flits[l], 0);
    for (uint32_t part = 0; part < 5; part++)
        assert_int_equal(statistics->outside_flit_hops[part], 0);
    assert_int_equal(statistics->outside_flit_hops[5] > 0, net_routing_is_crossed(routing));
    assert_int_equal(statistics->messages, 3000);
    net_network_free(network);
}

static void rectangles_confine_minimal_routings(void **state)
{
    static const char *const topologies[] = {"mesh:8x6", "king-mesh:8x6", "diagonal-mesh:8x6", "torus:8x6",
                                             "king-torus:8x6"};
    unsigned confined = 0, left = 0;
    (void)state;
    for (size_t t = 0; t < 5; t++) {
        struct net_topology *topology = cases_topology(topologies[t]);
        uint32_t parts[ROUTERS_MAX];
        size_t count;
        const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
        cut_into_rectangles(topology, parts);
        for (size_t i = 0; i < count; i++) {
            struct net_routing routing;
            struct base_error error = {0};
            if (net_routing_init(&routing, topology, kinds[i]->name, 0, &error) != 0)
                continue;
            if (net_routing_confine(&routing, parts, &error) == 0) {
                run_inside(&routing, parts);
                confined++;
            } else {
                /* Half-way round a ring of 6 both ways are short, and one of them leaves the part. */
                assert_non_null(strstr(error.text, "cannot be confined to part "));
                assert_non_null(strstr(error.text, " leaves the part at router "));
                assert_true(!kinds[i]->minimal || topology->grid->wraps);
                assert_true(routing.inner == NULL && !net_routing_is_confined(&routing) &&
                            routing.kind == kinds[i]);
                left++;
            }
            net_routing_free(&routing);
        }
        net_topology_free(topology);
    }
    assert_true(confined >= 12 && left >= 3);
}

/* Three columns: a free one, a confined one of two parts, and a free one with two routers of nobody in it. Whoever
 * goes from one free column to the other crosses. One part is a row, which king hops would leave for a diagonal. */
static void cut_into_columns(const struct net_topology *topology, uint32_t parts[ROUTERS_MAX])
{
    for (uint32_t r = 0; r < topology->routers; r++) {
        uint32_t x = r % topology->grid->sides[0], y = r / topology->grid->sides[0];
        parts[r] = x < 2 || x > topology->grid->sides[0] - 3 || y < 2 ? NET_FREE : y == 2 ? 4 : 0;
        if (x == 6 && y < 2)
            parts[r] = NET_NONE;
    }
}

/* What a route has to be, by the definition and with the destination at hand: that of the unconfined routing for a
 * free packet, and for one of a part what of it stays there. */
static void is_as_defined(const struct net_routing *routing, const uint32_t *parts, uint32_t router,
                          uint64_t header, uint32_t target)
{
    const struct net_topology *topology = routing->topology;
    struct net_route wanted;
    struct net_route got = {.ports = {0}};
    uint32_t tiers = routing->inner->kind->route(routing->inner, router, header, &wanted), kept = 0;
    for (uint32_t tier = 0; tier < tiers; tier++) {
        uint64_t ports = wanted.ports[tier];
        for (uint32_t port = 0; port < topology->ports && parts[target] < NET_FREE; port++) {
            uint32_t link = topology->link_at[(size_t)router * topology->ports + port];
            if (link != NET_NONE && parts[topology->links[link].target] != parts[target])
                ports &= ~(UINT64_C(1) << port);
        }
        wanted.ports[kept] = ports;
        wanted.virtual_channels[kept] = wanted.virtual_channels[tier];
        kept += ports != 0;
    }
    assert_int_equal(routing->kind->route(routing, router, header, &got), kept);
    for (uint32_t tier = 0; tier < kept; tier++) {
        assert_int_equal(got.ports[tier], wanted.ports[tier]);
        assert_int_equal(got.virtual_channels[tier], wanted.virtual_channels[tier]);
    }
}

/* A packet's way by choices at random; returns how many of its routers were in parts of others. A free packet has the
 * header that it would have if nothing were confined, which `plain` is not. */
static unsigned walk(const struct net_routing *routing, const struct net_routing *plain,
                     const uint32_t *parts, struct base_random *random, uint32_t source, uint32_t target)
{
    const struct net_topology *topology = routing->topology;
    uint32_t variants = routing->kind->variants(routing, source, target), router = source;
    uint32_t variant = (uint32_t)base_random_below(random, variants);
    uint64_t header = routing->kind->start(routing, source, target, variant);
    struct net_route route;
    unsigned crossed = 0;
    if (parts[source] == NET_FREE)
        assert_int_equal(header, plain->kind->start(plain, source, target, variant));
    for (uint32_t tiers; (tiers = routing->kind->route(routing, router, header, &route)) > 0;) {
        is_as_defined(routing, parts, router, header, target);
        crossed += parts[router] != parts[source];
        uint64_t ports = route.ports[base_random_below(random, tiers)];
        for (uint64_t skip = base_random_below(random, (uint64_t)__builtin_popcountll(ports)); skip > 0;
             skip--)
            ports &= ports - 1;
        uint32_t port = (uint32_t)__builtin_ctzll(ports);
        header = routing->kind->step(routing, router, header, port);
        router = topology->links[topology->link_at[(size_t)router * topology->ports + port]].target;
    }
    assert_int_equal(router, target);
    return crossed;
}

/* Packets that join nobody's part meet those of the parts: every route of both is as defined, in every routing, and
 * in a network that runs the links of a part carry what is its own and what crosses, while nothing of it is
 * outside. */
static void others_cross_as_if_nothing_were_confined(void **state)
{
    static const char *const topologies[] = {"mesh:7x6",  "king-mesh:10x6", "diagonal-mesh:8x6",
                                             "torus:7x6", "king-torus:7x6", "mway-mesh:7x6"};
    unsigned confined = 0, crossed = 0;
    (void)state;
    for (size_t t = 0; t < sizeof topologies / sizeof *topologies; t++) {
        struct net_topology *topology = cases_topology(topologies[t]);
        uint32_t parts[ROUTERS_MAX];
        size_t count;
        const struct net_routing_kind *const *kinds = net_routing_kinds(&count);
        cut_into_columns(topology, parts);
        for (size_t i = 0; i < count; i++) {
            struct net_routing routing, plain;
            struct base_random random;
            if (net_routing_init(&routing, topology, kinds[i]->name, 0, NULL) != 0)
                continue;
            prepare(&plain, topology, kinds[i]->name);
            base_random_seed(&random, 7, i);
            if (net_routing_confine(&routing, parts, NULL) == 0) {
                confined++;
                for (unsigned trial = 0; trial < 3000; trial++) {
                    uint32_t a = (uint32_t)base_random_below(&random, topology->routers);
                    uint32_t b = (uint32_t)base_random_below(&random, topology->routers);
                    if (net_routing_joins(&routing, a, b))
                        crossed += walk(&routing, &plain, parts, &random, a, b);
                }
                run_inside(&routing, parts);
            }
            net_routing_free(&plain);
            net_routing_free(&routing);
        }
        net_topology_free(topology);
    }
    /* All that serve a topology but Valiant and king misrouting; a wrong filter has some refused. */
    assert_int_equal(confined, 29);
    assert_true(crossed > 10000);
}

/* Hop-by-hop would leave a strip of one row along a diagonal; confined it does not, though it may. */
static void adaptive_choices_are_filtered(void **state)
{
    struct net_topology *topology = cases_topology("king-mesh:8x8");
    struct net_routing routing;
    struct net_route route;
    uint32_t parts[ROUTERS_MAX];
    (void)state;
    for (uint32_t r = 0; r < 64; r++)
        parts[r] = r / 8;
    prepare(&routing, topology, "hop-by-hop");
    uint64_t header = routing.kind->start(&routing, 16, 21, 0);
    assert_int_equal(routing.kind->route(&routing, 16, header, &route), 2);
    assert_int_equal(route.ports[0], 1 | 1 << 4 | 1 << 6);
    assert_int_equal(net_routing_confine(&routing, parts, NULL), 0);
    assert_int_equal(routing.kind->route(&routing, 16, header, &route), 2);
    assert_int_equal(route.ports[0], 1);
    assert_int_equal(route.ports[1], 1);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* ---- wide routers ---- */

/* In a full mesh by any other router, or at once, which is the escape. Header: target + 1, and a bit before the first
 * hop. */
#define WIDE_FIRST (UINT64_C(1) << 32)

static uint64_t start_wide(const struct net_routing *routing, uint32_t a, uint32_t b, uint32_t variant)
{
    (void)routing, (void)variant;
    return a == b ? 0 : WIDE_FIRST | (b + 1);
}

static uint32_t route_wide(const struct net_routing *routing, uint32_t router, uint64_t header,
                           struct net_route *route)
{
    const struct net_topology *topology = routing->topology;
    uint32_t target = (uint32_t)header - 1;
    uint32_t direct;
    uint32_t first = (header & WIDE_FIRST) != 0;
    if (header == 0 || target == router)
        return 0;
    direct = (target + topology->routers - router - 1) % topology->routers;
    for (uint32_t port = 0; port < 64 * NET_PORT_WORDS && first; port += 64) {
        uint64_t ports = port >= topology->ports        ? 0
                         : topology->ports - port >= 64 ? UINT64_MAX
                                                        : (UINT64_C(1) << (topology->ports - port)) - 1;
        if (port == 0)
            route->ports[0] = ports;
        else
            route->more[0][port / 64 - 1] = ports;
    }
    route->virtual_channels[0] = 2;
    net_route_only(topology, route, first, direct);
    route->virtual_channels[first] = 1;
    return first + 1;
}

static uint64_t step_wide(const struct net_routing *routing, uint32_t router, uint64_t header, uint32_t port)
{
    (void)routing, (void)router, (void)port;
    return header & ~WIDE_FIRST;
}

/* Every port of more than two words is filtered as the definition says, and packets stay inside on the way. */
static void wide_routers_are_filtered(void **state)
{
    struct net_topology *topology = cases_topology("full-mesh:150");
    struct net_routing routing;
    struct base_error error = {0};
    uint32_t parts[150];
    (void)state;
    for (uint32_t r = 0; r < 150; r++)
        parts[r] = r % 3;
    assert_int_equal(net_routing_init(&routing, topology, "minimal", 2, &error), 0);
    struct net_routing_kind kind = *routing.kind;
    kind.start = start_wide;
    kind.route = route_wide;
    kind.step = step_wide;
    kind.escape = true;
    routing.kind = &kind;
    routing.uniform = false;
    assert_int_equal(net_routing_confine(&routing, parts, &error), 0);
    for (uint32_t a = 0; a < 150; a++) {
        struct net_route route = {.ports = {0}};
        uint32_t b = (a + 30) % 150, found = 0;
        assert_int_equal(routing.kind->route(&routing, a, start_wide(&routing, a, b, 0), &route), 2);
        for (uint32_t p = net_route_next(topology, &route, 0, 0); p != NET_NONE;
             p = net_route_next(topology, &route, 0, p + 1)) {
            assert_int_equal(parts[topology->links[topology->link_at[a * topology->ports + p]].target],
                             a % 3);
            assert_true(net_routing_stays(&routing, a, p));
            found++;
        }
        assert_int_equal(found, 49);
        assert_int_equal(net_route_next(topology, &route, 1, 0), 29);
        for (uint32_t p = 0; p < topology->ports; p++)
            assert_int_equal(net_routing_stays(&routing, a, p), (p + 1) % 3 == 0);
    }
    net_routing_free(&routing);
    /* Minimal ways are single links, and stay inside whatever the parts. */
    assert_int_equal(net_routing_init(&routing, topology, "minimal", 0, &error), 0);
    assert_int_equal(net_routing_confine(&routing, parts, &error), 0);
    run_inside(&routing, parts);
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* An L of a mesh: X before Y leaves it from its foot's tip to its top, and only there. */
static void other_shapes_are_refused_with_the_pair(void **state)
{
    struct net_topology *topology = cases_topology("mesh:3x3");
    struct net_routing routing;
    struct base_error error = {0};
    uint32_t parts[9] = {7, 7, 7, 7, NET_NONE, NET_NONE, 7, NET_NONE, NET_NONE};
    (void)state;
    prepare(&routing, topology, "dimension-order");
    assert_int_equal(net_routing_confine(&routing, parts, &error), -1);
    assert_string_equal(error.text,
                        "routing 'dimension-order' cannot be confined to part 7 of 'mesh:3x3': its "
                        "way from router 3 to router 1 leaves the part at router 3 by X+");
    assert_null(routing.inner);
    parts[1] = parts[2] = NET_NONE;
    assert_int_equal(net_routing_confine(&routing, parts, &error), 0);
    assert_true(net_routing_joins(&routing, 0, 6) && !net_routing_joins(&routing, 0, 1));
    assert_false(net_routing_joins(&routing, 4, 4));
    net_routing_free(&routing);
    net_topology_free(topology);
}

/* Every routing with tables of its own, prepared and confined. */
static int attempt(void *state)
{
    struct base_error error = {0};
    struct net_routing routing;
    uint32_t parts[ROUTERS_MAX] = {0};
    struct net_topology *topology = net_topology_new("king-torus:4x4", &error);
    if (topology == NULL)
        return -1;
    int status = net_routing_init(&routing, topology, state, 0, &error);
    if (status == 0) {
        status = net_routing_confine(&routing, parts, &error);
        net_routing_free(&routing);
    }
    net_topology_free(topology);
    return status;
}

static void memory_runs_out(void **state)
{
    static char names[][40] = {"king-misrouting,multiplicity=2",
                               "hop-by-hop-2s",
                               "eknaive",
                               "valiant",
                               "up-down,root=3",
                               "adaptive-bubble"};
    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        assert_true(fail_alloc_each(attempt, names[i]) >= 6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rectangles_confine_minimal_routings),
        cmocka_unit_test(others_cross_as_if_nothing_were_confined),
        cmocka_unit_test(adaptive_choices_are_filtered),
        cmocka_unit_test(wide_routers_are_filtered),
        cmocka_unit_test(other_shapes_are_refused_with_the_pair),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("confinement", tests, NULL, NULL);
}
