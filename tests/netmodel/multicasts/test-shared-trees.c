/* Planned trees over shared channels (rule 10 of doc/shared-channels.md): they come to each channel once, and
 * what their copies hold and wait for closes no circle.
 *
 * The static check. A resource is the buffers of one class of a way: (channel, port, low or high). On rings a
 * copy relies on low buffers where it is narrow, elsewhere on high ones, though it may hold low ones there as
 * well.
 *
 *      held by the header where it is          ─► every way that the tree takes from there
 *      reserved for a way of the header        ─► every later way (MST-safe's order)
 *
 * The edges of all trees are put together, so that any number of multicasts of any roots is covered. */
#include <stdlib.h>
#include <string.h>

#include "tests/suite.h"

#include "base/random.h"
#include "netmodel/shared-engine/internal.h"
#include "netmodel/multicasts/mway-tree.h"

#define LISTS 300 /* random ones for each root */

struct check {
    struct net_topology *topology;
    struct net_routing routing;
    uint32_t count; /* resources */
    uint8_t *edges; /* [from * count + to] */
    bool ignore_halves;
};

static uint32_t resource(const struct check *check, uint32_t channel, uint32_t port, bool high)
{
    return (channel * check->topology->ports + port) * 2 + high;
}

/* What a copy on that way waits for, at the worst. */
static uint32_t relied(const struct check *check, const uint32_t *narrow, uint32_t channel, uint32_t port)
{
    bool high = check->topology->grid->wraps && !check->ignore_halves && (narrow[channel] >> port & 1) == 0;
    return resource(check, channel, port, high);
}

/* Whatever class a copy may hold on a way waits for what is relied on at another. */
static void add_edges(struct check *check, const uint32_t *narrow, uint32_t channel, uint32_t port,
                      uint32_t to)
{
    bool high = check->topology->grid->wraps && (narrow[channel] >> port & 1) == 0;
    check->edges[(size_t)resource(check, channel, port, false) * check->count + to] = 1;
    if (high && !check->ignore_halves)
        check->edges[(size_t)resource(check, channel, port, true) * check->count + to] = 1;
}

static void add_tree(struct check *check, const uint32_t *ports, const uint32_t *narrow)
{
    const struct net_topology *topology = check->topology;
    for (uint32_t channel = 0; channel < topology->routers; channel++)
        for (uint32_t left = ports[channel]; left != 0; left &= left - 1) {
            uint32_t port = (uint32_t)__builtin_ctz(left);
            uint32_t next = topology->links[topology->link_at[channel * topology->ports + port]].target;
            for (uint32_t onward = ports[next]; onward != 0; onward &= onward - 1)
                add_edges(check, narrow, channel, port,
                          relied(check, narrow, next, (uint32_t)__builtin_ctz(onward)));
            for (uint32_t later = left & (left - 1); later != 0; later &= later - 1)
                add_edges(check, narrow, channel, port,
                          relied(check, narrow, channel, (uint32_t)__builtin_ctz(later)));
        }
}

/* Each channel of the tree has one way that leads to it, the root none, and every member is one of them. */
static void expect_once(const struct check *check, uint32_t root, const bool *members, const uint32_t *ports)
{
    const struct net_topology *topology = check->topology;
    uint32_t *ways = calloc(topology->routers, sizeof *ways);
    assert_non_null(ways);
    for (uint32_t channel = 0; channel < topology->routers; channel++)
        for (uint32_t left = ports[channel]; left != 0; left &= left - 1)
            ways[topology->links[topology->link_at[channel * topology->ports + (uint32_t)__builtin_ctz(left)]]
                     .target]++;
    for (uint32_t channel = 0; channel < topology->routers; channel++) {
        bool wanted = members[channel] && channel != root;
        if (ways[channel] > 1 || (channel == root && ways[channel] != 0) || (wanted && ways[channel] != 1) ||
            (ports[channel] != 0 && channel != root && ways[channel] != 1))
            fail_msg("%s: from %u, %u ways to channel %u", topology->text, root, ways[channel], channel);
    }
    free(ways);
}

static void plant(struct check *check, uint32_t root, const bool *members, uint32_t *ports)
{
    net_shared_plant(check->topology, root, members, ports);
    net_shared_narrow(&check->routing, ports, ports + check->topology->routers);
    expect_once(check, root, members, ports);
    add_tree(check, ports, ports + check->topology->routers);
}

/* To all, to each alone, and to random lists. */
static void plant_all(struct check *check)
{
    uint32_t channels = check->topology->routers;
    uint32_t *ports = calloc(2 * (size_t)channels, sizeof *ports);
    bool *members = calloc(channels, sizeof *members);
    struct base_random random;
    assert_true(ports != NULL && members != NULL);
    base_random_seed(&random, channels, 11);
    for (uint32_t root = 0; root < channels; root++) {
        memset(members, true, channels);
        plant(check, root, members, ports);
        for (uint32_t one = 0; one < channels; one++) {
            memset(members, false, channels);
            members[one] = true;
            plant(check, root, members, ports);
        }
        for (uint32_t list = 0; list < LISTS / channels + 3; list++) {
            uint64_t one_in = 1 + base_random_below(&random, 6);
            for (uint32_t c = 0; c < channels; c++)
                members[c] = base_random_below(&random, one_in) == 0;
            plant(check, root, members, ports);
        }
    }
    free(ports);
    free(members);
}

/* Takes away who waits for nobody that is left. Returns whether a circle remains. */
static bool has_circle(const struct check *check)
{
    bool *gone = calloc(check->count, sizeof *gone);
    bool changed = true, left = false;
    assert_non_null(gone);
    while (changed) {
        changed = left = false;
        for (uint32_t a = 0; a < check->count; a++) {
            bool waits = false;
            for (uint32_t b = 0; b < check->count && !gone[a] && !waits; b++)
                waits = check->edges[(size_t)a * check->count + b] != 0 && !gone[b];
            changed = changed || (!gone[a] && !waits);
            gone[a] = gone[a] || !waits;
            left = left || !gone[a];
        }
    }
    free(gone);
    return left;
}

static bool circle_of(const char *topology, bool ignore_halves)
{
    struct base_error error = {0};
    struct check check = {.topology = net_topology_new(topology, &error), .ignore_halves = ignore_halves};
    assert_non_null(check.topology);
    assert_int_equal(net_routing_init(&check.routing, check.topology, NULL, 4, &error), 0);
    check.count = check.topology->routers * check.topology->ports * 2;
    check.edges = calloc((size_t)check.count * check.count, 1);
    assert_non_null(check.edges);
    plant_all(&check);
    bool circle = has_circle(&check);
    free(check.edges);
    net_routing_free(&check.routing);
    net_topology_free(check.topology);
    return circle;
}

static void trees_close_no_circle(void **state)
{
    static const char *const topologies[] = {
        "mway-torus:3",     "mway-torus:4",   "mway-torus:5",     "mway-torus:6",   "mway-torus:7",
        "mway-torus:8",     "mway-torus:3x3", "mway-torus:4x4",   "mway-torus:5x4", "mway-torus:8x3",
        "mway-torus:3x3x3", "mway-mesh:4x4",  "mway-hypercube:4", "mway-mesh:3x3x3"};
    (void)state;
    for (size_t i = 0; i < sizeof topologies / sizeof topologies[0]; i++)
        if (circle_of(topologies[i], false))
            fail_msg("%s: a circle", topologies[i]);
}

/* One class of buffers would close every ring of four and more. */
static void halves_are_needed(void **state)
{
    (void)state;
    assert_true(circle_of("mway-torus:8", true));
    assert_true(circle_of("mway-torus:5x4", true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(trees_close_no_circle),
                                       cmocka_unit_test(halves_are_needed)};
    return cmocka_run_group_tests_name("trees over shared channels", tests, NULL, NULL);
}
