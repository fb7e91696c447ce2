/* Collectives in hardware: times by hand, and random programs, which must come to the same end as with sends. */
#include "tests/suite.h"

#include <string.h>

#include "tests/replay/engine/random-program.h"
#include "tests/replay/support.h"

#define BYTES 64 /* 8 flits */

static struct replay_semantics hardware_options(const struct net_topology *topology,
                                                enum net_multicasts multicasts)
{
    struct replay_semantics options = test_options();
    options.collectives = trace_tuning_find("hardware", NULL);
    options.topology = topology;
    options.multicasts = multicasts;
    return options;
}

/* All ranks of a communicator call it, rank 0 after 100 ns. */
static struct trace_memory *one_call(uint32_t ranks, enum trace_collective collective, uint64_t bytes)
{
    struct trace_memory *memory = trace_memory_new(ranks);
    add_compute(memory, 0, 100);
    for (uint32_t rank = 0; rank < ranks; rank++)
        add_collective(memory, rank, collective, 0, collective == TRACE_BCAST ? 0 : UINT32_MAX, bytes);
    return memory;
}

/* Replays it and closes it. */
static void replay(const char *topology, struct trace_memory *memory, const struct replay_semantics *options,
                   struct replay_result *result)
{
    struct base_error error = {0};
    if (replay_on(topology, trace_memory_program(memory), options, result, &error) < 0)
        fail_msg("%s: %s", topology, error.text);
    trace_close(trace_memory_program(memory));
}

/* A broadcast is one message that is as fast as the message to each rank alone. */
static void bcast_takes_its_distance(void **state)
{
    struct replay_semantics options = hardware_options(NULL, NET_LIST_MULTICASTS);
    struct replay_result result;
    (void)state;
    replay("king-mesh:4x4", one_call(16, TRACE_BCAST, BYTES), &options, &result);
    for (uint32_t rank = 1; rank < 16; rank++) {
        uint32_t x = rank % 4, y = rank / 4;
        assert_int_equal(result.rank[rank].finish_ns, 100 + (x > y ? x : y) + 8);
    }
    assert_int_equal(result.rank[0].finish_ns, 100);
    assert_int_equal(result.messages, 1);
    assert_int_equal(result.message_bytes, BYTES);
    assert_int_equal(result.collectives[0].multicasts, 1);
    assert_int_equal(result.collectives[0].copies, 15);
    replay_result_free(&result);
    /* Beyond the eager limit, too: a copy asks nobody. */
    replay("king-mesh:4x4", one_call(16, TRACE_BCAST, 2048), &options, &result);
    assert_int_equal(result.rank[15].finish_ns, 100 + 3 + 256);
    assert_int_equal(result.control_messages, 0);
    replay_result_free(&result);
}

/* Nobody leaves a barrier before the last one came; one rank, and a broadcast of nothing, send nothing. */
static void corners(void **state)
{
    struct replay_semantics options = hardware_options(NULL, NET_LIST_MULTICASTS);
    struct replay_result result;
    (void)state;
    replay("king-torus:3x3", one_call(9, TRACE_BARRIER, 0), &options, &result);
    for (uint32_t rank = 0; rank < 9; rank++)
        assert_true(result.rank[rank].finish_ns >= 100);
    assert_int_equal(result.messages, 8 + 1);
    replay_result_free(&result);
    replay("king-torus:3x3", one_call(9, TRACE_BCAST, 0), &options, &result);
    assert_int_equal(result.messages, 0);
    replay_result_free(&result);
    replay("king-torus:3x3", one_call(1, TRACE_ALLREDUCE, BYTES), &options, &result);
    assert_int_equal(result.messages, 0);
    replay_result_free(&result);
}

/* Where the network cannot, the table for software, with the reason counted for every call. */
static void software_is_counted(void **state)
{
    struct replay_semantics options = hardware_options(NULL, NET_NO_MULTICASTS);
    struct replay_result result;
    (void)state;
    replay("mesh:3x3", one_call(9, TRACE_ALLREDUCE, BYTES), &options, &result);
    assert_int_equal(result.software_calls[REPLAY_NO_MULTICASTS], 9);
    assert_string_equal(result.collectives[0].algorithm, "allreduce-rabenseifner");
    replay_result_free(&result);
    replay("mesh:3x3", one_call(9, TRACE_ALLTOALL, BYTES), &options, &result);
    assert_int_equal(result.software_calls[REPLAY_NO_MULTICASTS], 0);
    replay_result_free(&result);
}

/* The same algorithm, its rows as sends: on a network where messages take no time, no rank may see a difference,
 * whatever communicators, non-blocking collectives and messages there are. On others every copy must come. */
static void random_programs_end_alike(void **state)
{
    uint64_t multicasts = 0;
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct replay_semantics options = hardware_options(NULL, NET_LIST_MULTICASTS);
        struct replay_semantics sends;
        struct trace_tuning as_sends = *options.collectives;
        struct replay_result hardware, software;
        unsigned features =
            RANDOM_COMMUNICATORS | RANDOM_NONBLOCKING_COLLECTIVES | RANDOM_VECTORS | RANDOM_SYNCHRONOUS;
        options.eager_limit_bytes = UINT64_MAX;
        as_sends.software = NULL;
        sends = options;
        sends.collectives = &as_sends;
        sends.multicasts = NET_NO_MULTICASTS;
        replay("ideal:9", random_program(seed, 60, features), &options, &hardware);
        replay("ideal:9", random_program(seed, 60, features), &sends, &software);
        assert_int_equal(hardware.ranks, software.ranks);
        for (uint32_t rank = 0; rank < hardware.ranks; rank++)
            assert_int_equal(hardware.rank[rank].finish_ns, software.rank[rank].finish_ns);
        replay_result_free(&hardware);
        replay_result_free(&software);
        options.eager_limit_bytes = 1024;
        replay(seed % 2 == 0 ? "king-torus:3x3" : "king-mesh:5x2", random_program(seed, 60, features),
               &options, &hardware);
        for (size_t i = 0; i < hardware.collective_count; i++)
            multicasts += hardware.collectives[i].multicasts;
        replay_result_free(&hardware);
    }
    assert_true(multicasts > 100);
}

/* Boxes of shared channels: the whole network is one; a communicator of every second rank is too many. */
static void boxes(void **state)
{
    static const uint32_t scattered[] = {0, 2, 5, 7, 8, 10, 13, 15};
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new("mway-mesh:4x4", &error);
    struct replay_semantics options = hardware_options(topology, NET_BOX_MULTICASTS);
    struct replay_result result;
    (void)state;
    assert_non_null(topology);
    replay("mway-mesh:4x4", one_call(16, TRACE_BCAST, BYTES), &options, &result);
    assert_int_equal(result.collectives[0].copies, 15);
    replay_result_free(&result);
    struct trace_memory *memory = trace_memory_new(16);
    uint32_t communicator = trace_memory_communicator(memory, "scattered", scattered, 8);
    for (uint32_t i = 0; i < 8; i++)
        add_collective(memory, scattered[i], TRACE_BCAST, communicator, 0, BYTES);
    replay("mway-mesh:4x4", memory, &options, &result);
    assert_int_equal(result.software_calls[REPLAY_NO_BOXES], 8);
    assert_string_equal(result.collectives[0].algorithm, "bcast-binomial");
    replay_result_free(&result);
    net_topology_free(topology);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bcast_takes_its_distance),
        cmocka_unit_test(corners),
        cmocka_unit_test(software_is_counted),
        cmocka_unit_test(random_programs_end_alike),
        cmocka_unit_test(boxes),
    };
    return cmocka_run_group_tests_name("collectives in hardware", tests, NULL, NULL);
}
