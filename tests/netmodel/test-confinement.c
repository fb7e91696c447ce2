/* Confinement to parts: what is proved holds when every choice is walked, and when a network runs; what
 * cannot be proved is refused with the pair. */
#include "tests/suite.h"

#include <string.h>

#include "base/random.h"
#include "netmodel/confinement.h"
#include "netmodel/network.h"
#include "tests/fail-alloc.h"
#include "tests/netmodel/cases.h"

#define ROUTERS_MAX 64

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
        parts[r] = r % topology->sides[0] / 4 + 2 * (r / topology->sides[0] / 3);
}

/* Random packets inside the parts; no link between parts carries a flit, and all arrive. */
static void run_inside(const struct net_routing *routing, const uint32_t *parts)
{
    const struct net_topology *topology = routing->topology;
    struct base_error error = {0};
    struct net_options options = {.packet_flits = 4, .seed = 3};
    struct net_network *network = net_network_new(topology, routing, &options, &error);
    struct base_random random;
    uint32_t sent = 0;
    assert_non_null(network);
    base_random_seed(&random, 5, 0);
    while (sent < 3000) {
        struct net_message message = {.source = (uint32_t)base_random_below(&random, topology->terminals),
                                      .target = (uint32_t)base_random_below(&random, topology->terminals),
                                      .flits = 4};
        bool joined = parts[message.source] == parts[message.target];
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
        if (parts[topology->links[l].source] != parts[topology->links[l].target])
            assert_int_equal(statistics->link_flits[l], 0);
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
                assert_true(!kinds[i]->minimal || topology->wraps);
                assert_true(routing.parts == NULL && routing.kind == kinds[i]);
                left++;
            }
            net_routing_free(&routing);
        }
        net_topology_free(topology);
    }
    assert_true(confined >= 12 && left >= 3);
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
    assert_null(routing.parts);
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
        cmocka_unit_test(adaptive_choices_are_filtered),
        cmocka_unit_test(other_shapes_are_refused_with_the_pair),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests_name("confinement", tests, NULL, NULL);
}
