/* What channels carry in intervals of a run: by numbers worked out by hand, and as a law over networks of every engine:
 * the network's own counts come back, and the replay does not notice. */
#include "tests/suite.h"

#include <stdlib.h>

#include "netmodel/stages/multistage.h"
#include "replay/engine/intervals.h"
#include "tests/replay/engine/random-program.h"
#include "tests/replay/support.h"

static struct replay_intervals *intervals_on(const struct net_topology *topology)
{
    const struct net_multistage *stages = topology->multistage;
    const struct replay_interval_sizes sizes = {.links = topology->link_count,
                                                .buses = stages == NULL ? 0 : stages->bus_count,
                                                .channels = topology->shared != NULL ? topology->routers
                                                            : stages != NULL         ? topology->link_count
                                                                                     : 0,
                                                .in_bits = stages != NULL};
    struct base_error error = {0};
    struct replay_intervals *intervals = replay_intervals_new(&sizes, &error);

    if (intervals == NULL)
        fail_msg("%s", error.text);
    return intervals;
}

static struct net_topology *topology_of(const char *text)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new(text, &error);

    if (topology == NULL)
        fail_msg("%s", error.text);
    return topology;
}

/* Two links. The second interval is given 80 cycles of the first link, of which 16 belong to the third; the last one is
 * cut short. */
static void shares_by_hand(void **state)
{
    struct net_topology *topology = topology_of("mesh:2");
    struct replay_intervals *intervals = intervals_on(topology);
    struct replay_busiest_interval busiest;
    uint64_t flits[2] = {0, 0};
    const struct net_statistics statistics = {.link_flits = flits};
    static const uint64_t sums[] = {10, 90, 90}, shares[] = {10, 64, 16, 5};

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(replay_intervals_due(intervals), 64 * (i + 1));
        flits[0] = sums[i];
        replay_intervals_take(intervals, 64 * (i + 1), &statistics);
    }
    flits[0] = 95;
    flits[1] = 63;
    replay_intervals_end(intervals, 200, &statistics);
    for (uint32_t i = 0; i < 4; i++)
        assert_int_equal(replay_intervals_carried(intervals, i, 0), shares[i]);
    assert_true(replay_intervals_busiest(intervals, &busiest));
    assert_int_equal(busiest.number, 1);
    assert_int_equal(busiest.intervals, 4);
    assert_int_equal(busiest.begin_cycle, 64);
    assert_int_equal(busiest.cycles, 64);
    assert_int_equal(busiest.links[0], 64);
    assert_int_equal(busiest.channels[1], 0);
    replay_intervals_free(intervals);
    net_topology_free(topology);
}

/* Of equal ones the sum decides, then the first; a run of one interval has no busiest, nor has an idle one. */
static void choice(void **state)
{
    struct net_topology *topology = topology_of("mesh:2");
    struct replay_intervals *intervals = intervals_on(topology);
    struct replay_busiest_interval busiest;
    uint64_t flits[2] = {8, 0};
    const struct net_statistics statistics = {.link_flits = flits};

    (void)state;
    replay_intervals_take(intervals, 64, &statistics);
    flits[0] = 16;
    flits[1] = 1;
    replay_intervals_take(intervals, 128, &statistics);
    flits[0] = 24;
    flits[1] = 2;
    replay_intervals_end(intervals, 192, &statistics);
    assert_true(replay_intervals_busiest(intervals, &busiest));
    assert_int_equal(busiest.number, 1);
    replay_intervals_free(intervals);
    intervals = intervals_on(topology);
    replay_intervals_end(intervals, 60, &statistics);
    assert_false(replay_intervals_busiest(intervals, &busiest));
    replay_intervals_free(intervals);
    intervals = intervals_on(topology);
    flits[0] = flits[1] = 0;
    replay_intervals_end(intervals, 640, &statistics);
    assert_false(replay_intervals_busiest(intervals, &busiest));
    replay_intervals_free(intervals);
    net_topology_free(topology);
}

/* With the 33rd interval all are twice as long; each has what its two had. */
static void intervals_grow(void **state)
{
    struct net_topology *topology = topology_of("mesh:2");
    struct replay_intervals *intervals = intervals_on(topology);
    struct replay_busiest_interval busiest;
    uint64_t flits[2] = {0, 0};
    const struct net_statistics statistics = {.link_flits = flits};

    (void)state;
    for (uint64_t i = 1; i <= 33; i++) {
        flits[0] += i;
        replay_intervals_take(intervals, 64 * i, &statistics);
    }
    replay_intervals_end(intervals, 64 * 33, &statistics);
    assert_true(replay_intervals_busiest(intervals, &busiest));
    assert_int_equal(busiest.cycles, 128);
    assert_int_equal(busiest.intervals, 17);
    for (uint32_t i = 0; i < 16; i++)
        assert_int_equal(replay_intervals_carried(intervals, i, 0), 4 * i + 3);
    assert_int_equal(replay_intervals_carried(intervals, 16, 0), 33);
    assert_int_equal(busiest.number, 15);
    replay_intervals_free(intervals);
    net_topology_free(topology);
}

/* What the network carried on each channel, in all; NULL: nobody asks. */
static struct base_digest replay(const struct net_topology *topology, uint64_t seed, bool wormhole,
                                 struct replay_intervals *intervals, uint64_t *carried)
{
    struct trace_program *program = trace_memory_program(random_program(seed, 40, RANDOM_SYNCHRONOUS));
    struct replay_semantics options = test_options();
    const struct net_options net_options = {.seed = 1,
                                            .flow_control = wormhole ? NET_WORMHOLE : NET_CUT_THROUGH};
    uint32_t ranks = trace_program_ranks(program);
    uint32_t *terminal = calloc(ranks, sizeof *terminal);
    struct replay_result result = {0};
    struct base_error error = {0};
    struct net_routing routing;

    assert_non_null(terminal);
    for (uint32_t rank = 0; rank < ranks; rank++)
        terminal[rank] = rank;
    options.intervals = intervals;
    options.collectives = trace_tuning_find("mpich-4", NULL);
    options.control_bits = topology->multistage != NULL ? 16 : 0;
    ASSERT_OK(net_routing_init(&routing, topology, NULL, 0, &error));
    struct net_network *network = net_network_new(topology, &routing, &net_options, &error);
    if (network == NULL || replay_run(program, terminal, network, &options, &result, &error) != 0)
        fail_msg("%s: %s", topology->text, error.text);
    const struct net_statistics *statistics = net_network_statistics(network);
    const uint32_t channels = topology->shared != NULL ? topology->routers : topology->link_count;
    for (uint32_t i = 0; i < channels; i++)
        carried[i] = replay_channel_flits(statistics)[i];
    if (intervals != NULL)
        replay_intervals_end(intervals, net_network_now(network), statistics);
    const struct base_digest digest = result.digest;
    replay_result_free(&result);
    net_network_free(network);
    net_routing_free(&routing);
    trace_close(program);
    free(terminal);
    return digest;
}

/* One network with every engine: packets, wide routers, flits, deflection, shared channels, stages. */
static void networks_keep_their_counts(void **state)
{
    static const char *const texts[] = {"mesh:3x3",    "king-torus:3x3", "ring:9",         "hyperx:3x3",
                                        "darm:4x4",    "manhattan:4x4",  "shufflenet:2,3", "omega:2,4",
                                        "glo:2,4,1,1", "mway-mesh:3x3",  "mesh:3x3",       "fat-tree:3,2"};

    uint32_t busy = 0;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (uint64_t seed = 0; seed < 4; seed++) {
            struct net_topology *topology = topology_of(texts[i]);
            struct replay_intervals *intervals = intervals_on(topology);
            struct replay_busiest_interval busiest = {0};
            uint32_t channels = topology->shared != NULL ? topology->routers : topology->link_count;
            uint64_t *carried = calloc((size_t)2 * channels + 1, sizeof *carried);
            bool wormhole = i == 10;
            assert_non_null(carried);
            struct base_digest alone = replay(topology, seed, wormhole, NULL, carried);
            struct base_digest cut = replay(topology, seed, wormhole, intervals, carried + channels);
            assert_memory_equal(&alone, &cut, sizeof alone);
            busy += replay_intervals_busiest(intervals, &busiest);
            for (uint32_t channel = 0; channel < channels; channel++) {
                uint64_t sum = 0, most = 0;
                for (uint32_t k = 0; k < busiest.intervals; k++) {
                    uint64_t share = replay_intervals_carried(intervals, k, channel);
                    sum += share;
                    most = k + 1 < busiest.intervals && share > most ? share : most;
                }
                assert_int_equal(carried[channel], carried[channels + channel]);
                assert_int_equal(sum, carried[channel]);
                assert_true(most <= busiest.cycles);
            }
            free(carried);
            replay_intervals_free(intervals);
            net_topology_free(topology);
        }
    assert_true(busy > 36); /* of 48 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shares_by_hand),
        cmocka_unit_test(choice),
        cmocka_unit_test(intervals_grow),
        cmocka_unit_test(networks_keep_their_counts),
    };

    return cmocka_run_group_tests_name("channels in intervals", tests, NULL, NULL);
}
