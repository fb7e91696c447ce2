/* What owners of routers are told: every event that a network counts is some owner's, whatever the engine, and what
 * leaves an owner's routers is known with and without events. Random traffic and multicasts between random owners. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "netmodel/costs/energy.h"
#include "netmodel/faults/failing.h"
#include "tests/brief.h"

#define OWNERS_MAX 5
#define MESSAGES 60

struct kind {
    const char *text;
    struct net_options options;
    uint32_t side; /* of a square on which there are multicasts; 0: there are none */
    const char *faults;
};

static const struct kind kinds[] = {
    {"torus:4x4", {.packet_flits = 5}, 0, NULL},
    {"mesh:4x4,concentration=2", {.packet_flits = 4, .link_cycles = 3}, 0, NULL},
    {"king-mesh:4x4", {.packet_flits = 3, .threads = 2}, 4, NULL},
    {"king-torus:5x5", {.packet_flits = 4, .waits = true}, 5, NULL},
    {"king-torus:6x6", {.packet_flits = 4}, 0, "4"},
    {"king-mesh:6x6", {.packet_flits = 4, .multiplexed = true}, 0, "3"},
    {"mesh:4x4", {.packet_flits = 6, .flow_control = NET_WORMHOLE}, 0, NULL},
    {"manhattan:4x4", {0}, 0, NULL},
    {"darm:3x3x3", {0}, 0, NULL},
    {"mway-mesh:4x4", {.packet_flits = 4}, 4, NULL},
    {"mway-torus:4x4", {.packet_flits = 4}, 4, NULL},
    {"mway-mesh:4x4", {.packet_flits = 4, .spreading = NET_MST_REPLICA}, 4, NULL},
    {"mway-mesh:4x4", {.packet_flits = 4, .spreading = NET_MST_UNICAST}, 4, NULL},
    {"mway-mesh:4x4", {.packet_flits = 4, .spreading = NET_RECURSIVE_DOUBLING}, 4, NULL},
    {"mway-mesh:4x4", {.packet_flits = 4, .flow_control = NET_WORMHOLE}, 0, NULL},
    {"omega:4,2", {.packet_flits = 100}, 0, NULL},
    {"glo:3,2,2,2,link=40,bus=40", {.packet_flits = 600}, 0, NULL},
    {"dragonfly:2,4,2", {.packet_flits = 3}, 0, NULL},
    {"full-mesh:67", {.packet_flits = 4}, 0, NULL},
    {"ring:6,concentration=65", {.packet_flits = 5, .link_cycles = 2}, 0, NULL},
    {"full-mesh:66", {.packet_flits = 3, .flow_control = NET_WORMHOLE}, 0, NULL},
};

struct test {
    const struct kind *kind;
    struct net_topology *topology;
    struct net_routing routing;
    uint32_t *owner; /* [router] */
    uint32_t owners;
    bool gaps; /* some routers are nobody's */
    uint64_t seed;
};

static void make(struct test *test, const struct kind *kind, uint64_t seed)
{
    struct base_error error = {0};
    struct base_random random;
    struct net_faults faults;
    char text[32];
    base_random_seed(&random, seed, 1);
    *test = (struct test){.kind = kind, .topology = net_topology_new(kind->text, &error), .seed = seed};
    if (test->topology == NULL)
        fail_msg("%s: %s", kind->text, error.text);
    if (kind->faults == NULL) {
        assert_int_equal(net_routing_init(&test->routing, test->topology, NULL, 0, &error), 0);
    } else {
        snprintf(text, sizeof text, "%s,seed=%u", kind->faults, (unsigned)(seed % 50));
        const struct net_fault_routing *around = net_fault_routing_find(test->topology, "kft", &error);
        assert_int_equal(net_faults_init(&faults, test->topology, text, 1000000, &error), 0);
        if (net_routing_init_failing(&test->routing, test->topology, NULL, 2, &faults, around, &error) != 0)
            fail_msg("%s: %s", kind->text, error.text);
        net_faults_free(&faults);
    }
    test->owners = 1 + (uint32_t)base_random_below(&random, OWNERS_MAX);
    test->owner = calloc(test->topology->routers, sizeof *test->owner);
    assert_non_null(test->owner);
    test->gaps = seed % 3 == 0;
    for (uint32_t router = 0; router < test->topology->routers; router++) {
        uint32_t whose = (uint32_t)base_random_below(&random, test->owners + test->gaps);
        test->owner[router] = whose < test->owners ? whose : NET_NONE;
    }
}

static void release(struct test *test)
{
    free(test->owner);
    net_routing_free(&test->routing);
    net_topology_free(test->topology);
}

static void multicast(const struct kind *kind, struct net_network *network, uint32_t source,
                      struct base_random *random)
{
    struct base_error error = {0};
    uint32_t low[2], high[2];
    for (int i = 0; i < 2; i++) {
        low[i] = (uint32_t)base_random_below(random, kind->side);
        high[i] = low[i] + (uint32_t)base_random_below(random, kind->side - low[i]);
    }
    const struct net_multicast all = {
        .source = source, .flits = 1 + base_random_below(random, 12), .low = low, .high = high};
    if (net_network_copies(network, &all) > 0 &&
        net_network_multicast(network, net_network_now(network), &all, &error) != 0)
        fail_msg("%s: %s", kind->text, error.text);
}

/* Runs the case's traffic until all is delivered. */
static struct net_network *run(const struct test *test, bool events)
{
    struct net_options options = test->kind->options;
    struct base_error error = {0};
    struct base_random random;
    options.owner = test->owner;
    options.owners = test->owners;
    options.owner_events = events;
    base_random_seed(&random, test->seed, 2);
    struct net_network *network = net_network_new(test->topology, &test->routing, &options, &error);
    if (network == NULL)
        fail_msg("%s: %s", test->kind->text, error.text);
    uint32_t terminals = test->topology->terminals;
    for (uint64_t i = 0; i < MESSAGES; i++) {
        const struct net_message message = {.source = (uint32_t)base_random_below(&random, terminals),
                                            .target = (uint32_t)base_random_below(&random, terminals),
                                            .flits = 1 + base_random_below(&random, 13)};
        while (net_network_now(network) < 3 * i)
            assert_true(net_network_advance(network, 3 * i, &error) >= 0);
        if (test->kind->side > 0 && i % 4 == 0)
            multicast(test->kind, network, message.source, &random);
        if (net_network_inject(network, 3 * i, &message, &error) != 0)
            fail_msg("%s: %s", test->kind->text, error.text);
    }
    while (net_network_pending(network) > 0)
        if (net_network_advance(network, UINT64_MAX, &error) < 0)
            fail_msg("%s, seed %u: %s", test->kind->text, (unsigned)test->seed, error.text);
    assert_int_equal(net_network_check(network, &error), 0);
    return network;
}

/* Of all owners together, as of the network. */
static void check_sums(const struct test *test, const struct net_statistics *statistics)
{
    const struct net_topology *topology = test->topology;
    const struct net_energy_events all = net_energy_events_of(topology, statistics);
    uint32_t places = topology->shared != NULL ? topology->routers : topology->link_count;
    uint64_t *carried = calloc(places + 1, sizeof *carried);
    uint64_t hops = 0, packets = 0;
    struct net_energy_events sum = {0};
    assert_non_null(carried);
    for (uint32_t whose = 0; whose < test->owners; whose++) {
        const struct net_energy_events own =
            net_energy_events_of_owner(topology, statistics, test->owner, whose);
        sum.entered += own.entered;
        sum.packets += own.packets;
        sum.injected += own.injected;
        sum.ejected += own.ejected;
        sum.flits += own.flits;
        hops += statistics->owner_events[whose].packet_hops;
        packets += statistics->owner_events[whose].packets;
        for (uint32_t place = 0; place < places; place++)
            carried[place] += own.carried[place];
    }
    if (sum.entered != all.entered || sum.packets != all.packets || sum.injected != all.injected ||
        sum.ejected != all.ejected || sum.flits != all.flits || hops != statistics->packet_hops ||
        packets != statistics->packets)
        fail_msg("%s, seed %u: owners have %g flits into routers, not %g, and %g packets, not %g",
                 test->kind->text, (unsigned)test->seed, sum.entered, all.entered, sum.packets, all.packets);
    for (uint32_t place = 0; all.buses == NULL && place < places; place++)
        if (carried[place] != all.carried[place])
            fail_msg("%s, seed %u: %u carries %u of owners, not %u", test->kind->text, (unsigned)test->seed,
                     (unsigned)place, (unsigned)carried[place], (unsigned)all.carried[place]);
    free(carried);
}

/* With events a network knows on which links an owner's flits were; without, whether outside: both say the same. */
static void check_outside(const struct test *test, const struct net_statistics *with,
                          const struct net_statistics *without)
{
    const struct net_topology *topology = test->topology;
    assert_null(without->owner_events);
    assert_memory_equal(with->outside_flit_hops, without->outside_flit_hops,
                        test->owners * sizeof *with->outside_flit_hops);
    for (uint32_t whose = 0; topology->shared == NULL && whose < test->owners; whose++) {
        uint64_t outside = 0;
        for (uint32_t i = 0; i < topology->link_count; i++)
            if (test->owner[topology->links[i].source] != whose ||
                test->owner[topology->links[i].target] != whose)
                outside += with->owner_events[whose].flits[i];
        assert_int_equal(with->outside_flit_hops[whose], outside);
    }
}

static void owners_add_up_at_random(void **state)
{
    uint64_t count = brief_count("random cases of owners", 200, 20);
    (void)state;
    for (uint64_t seed = 0; seed < count; seed++)
        for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
            struct test test;
            make(&test, &kinds[i], 100 * seed + i);
            struct net_network *with = run(&test, true), *without = run(&test, false);
            if (!test.gaps)
                check_sums(&test, net_network_statistics(with));
            check_outside(&test, net_network_statistics(with), net_network_statistics(without));
            net_network_free(with);
            net_network_free(without);
            release(&test);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(owners_add_up_at_random),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
