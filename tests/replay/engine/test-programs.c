/* Random legal programs with everything in them, under random networks: every match is that of an independent
 * reference, nothing hangs, and a program whose wildcards are replaced by what they got takes the same time
 * to the nanosecond. FLITREPLAY_RANDOM_PROGRAMS says how many programs (1000). */
#include "tests/suite.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/error.h"
#include "tests/replay/engine/random-network.h"
#include "tests/replay/engine/random-program.h"
#include "tests/replay/engine/reference-matcher.h"
#include "tests/replay/support.h"
#include "tests/replay/engine/watch.h"

/* Nothing but collectives and work. */
static void keep_collectives(struct trace_memory *memory, uint32_t rank, struct trace_op op,
                             const struct watch *watch)
{
    (void)watch;
    if (op.kind == TRACE_COLLECTIVE_CALL || op.kind == TRACE_COMPUTE)
        add_op(memory, rank, op);
}

/* The same, but no collective blocks: each is waited for at once. */
static void keep_and_unblock(struct trace_memory *memory, uint32_t rank, struct trace_op op,
                             const struct watch *watch)
{
    uint64_t request = trace_memory_next_request(memory, rank);
    if (op.kind == TRACE_COLLECTIVE_CALL)
        op.flags |= TRACE_NONBLOCKING;
    keep_collectives(memory, rank, op, watch);
    if (op.kind == TRACE_COLLECTIVE_CALL)
        add_wait(memory, rank, request);
}

/* ---- the laws */

/* Only its number of terminals is asked for: the network on it is the test's. */
static struct net_topology *nine_terminals(void)
{
    struct base_error error = {0};
    struct net_topology *topology = net_topology_new("ideal:9", &error);
    assert_non_null(topology);
    return topology;
}

/* How many receives got another message in the second replay. */
static uint64_t differences(const struct watch *one, const struct watch *other)
{
    uint64_t count = 0;
    for (size_t i = 0; i < one->matcher.receive_count; i++) {
        const struct reference_side *receive = &one->matcher.receives[i];
        const struct reference_side *send = &one->matcher.sends[receive->mate];
        const struct reference_side *there = watch_partner(other, receive->rank, receive->event);
        count += there->rank != send->rank || there->event != send->event;
    }
    return count;
}

/* Each program twice: where messages overtake each other, and where they do not. */
static void random_programs_match_as_the_reference(void **state)
{
    struct net_topology *topology = nine_terminals();
    uint64_t different = 0;
    (void)state;
    for (uint64_t seed = 0; seed < random_programs(); seed++) {
        struct trace_program *program =
            trace_memory_program(random_program(seed, 20 + (uint32_t)(seed % 40), RANDOM_ALL));
        struct watch watches[2] = {0};
        for (uint64_t i = 0; i < 2; i++) {
            struct net_network *network = random_network_new(topology, 2 * seed + i, i == 0);
            struct replay_result result = watch_replay(program, network, &watches[i], seed);
            replay_result_free(&result);
        }
        different += differences(&watches[0], &watches[1]);
        watch_free(&watches[0]);
        watch_free(&watches[1]);
        trace_close(program);
    }
    assert_true(different > random_programs()); /* the networks do decide who gets what */
    net_topology_free(topology);
}

/* The strongest check of the engine's two ways to match: by envelope and by arrival give the same times. */
static void resolved_programs_take_the_same_time(void **state)
{
    struct net_topology *topology = nine_terminals();
    char digests[2][BASE_DIGEST_TEXT];
    (void)state;
    for (uint64_t seed = 0; seed < random_programs() / 2; seed++) {
        struct trace_program *program =
            trace_memory_program(random_program(seed, 20 + (uint32_t)(seed % 40), RANDOM_ALL));
        struct watch watch = {0}, again = {0};
        struct replay_result result =
            watch_replay(program, random_network_new(topology, seed, true), &watch, seed);
        struct trace_program *resolved = watch_translate(program, watch_resolve, &watch);
        struct replay_result same =
            watch_replay(resolved, random_network_new(topology, seed, true), &again, seed);
        assert_int_equal(differences(&watch, &again), 0);
        for (uint32_t rank = 0; rank < result.ranks; rank++)
            assert_int_equal(result.rank[rank].finish_ns, same.rank[rank].finish_ns);
        base_digest_text(&result.digest, digests[0]);
        base_digest_text(&same.digest, digests[1]);
        assert_string_equal(digests[0], digests[1]);
        replay_result_free(&result);
        replay_result_free(&same);
        watch_free(&watch);
        watch_free(&again);
        trace_close(resolved);
        trace_close(program);
    }
    net_topology_free(topology);
}

/* MPICH's limits for calls that do not block are others than for those that do. */
static const struct trace_algorithm *as_if_blocking(const struct trace_collective_call *call)
{
    struct trace_collective_call blocking = *call;

    blocking.nonblocking = false;
    return trace_tuning_find("mpich", NULL)->choose(&blocking);
}

static const struct trace_tuning alike = {.name = "alike", .choose = as_if_blocking};

/* A collective that is waited for where it starts takes the time of the blocking one, step by step, if both
 * are done by the same algorithm. */
static void collectives_take_the_same_time_either_way(void **state)
{
    const unsigned features = RANDOM_VECTORS | RANDOM_COMMUNICATORS;
    struct net_topology *topology = nine_terminals();
    (void)state;
    for (uint64_t seed = 0; seed < random_programs() / 4; seed++) {
        struct trace_program *program = trace_memory_program(random_program(seed, 100, features));
        struct trace_program *ways[2] = {watch_translate(program, keep_collectives, NULL),
                                         watch_translate(program, keep_and_unblock, NULL)};
        struct replay_result results[2];
        for (int i = 0; i < 2; i++) {
            struct watch watch = {.collectives = &alike};
            results[i] =
                watch_replay(ways[i], random_network_new(topology, seed, seed % 2 == 0), &watch, seed);
            watch_free(&watch);
            trace_close(ways[i]);
        }
        for (uint32_t rank = 0; rank < results[0].ranks; rank++)
            assert_int_equal(results[0].rank[rank].finish_ns, results[1].rank[rank].finish_ns);
        replay_result_free(&results[0]);
        replay_result_free(&results[1]);
        trace_close(program);
    }
    net_topology_free(topology);
}

/* Two exchanges of all with all, of so many steps that a call that blocks keeps a part of them; one that does not keeps
 * them all. */
static struct replay_result exchange(bool blocks, uint64_t bytes)
{
    enum { RANKS = 700 };
    struct trace_memory *memory = trace_memory_new(RANKS);
    struct replay_semantics semantics = test_options();
    struct replay_result result;
    struct base_error error = {0};
    for (uint32_t rank = 0; rank < RANKS; rank++)
        for (unsigned i = 0; i < 2; i++) {
            uint64_t request = trace_memory_next_request(memory, rank);
            add_compute(memory, rank, 7 * rank % 90);
            add_op(memory, rank,
                   (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                     .collective = TRACE_ALLTOALL,
                                     .root = UINT32_MAX,
                                     .flags = blocks ? 0 : TRACE_NONBLOCKING,
                                     .bytes = bytes});
            if (!blocks)
                add_wait(memory, rank, request);
        }
    struct trace_program *program = trace_memory_program(memory);
    semantics.collectives = &alike;
    semantics.eager_limit_bytes = UINT64_MAX;
    ASSERT_OK(replay_on("ideal:700,latency=20", program, &semantics, &result, &error));
    assert_int_equal(result.messages, UINT64_C(2) * RANKS * (RANKS - 1));
    trace_close(program);
    return result;
}

static void long_collectives_take_the_same_time_in_parts(void **state)
{
    (void)state;
    assert_int_equal(trace_schedule_part(1024), 1024);
    assert_int_equal(trace_schedule_part(3 * 699), 1024);
    assert_int_equal(trace_schedule_part(80000), 10001);
    for (unsigned i = 0; i < 2; i++) { /* one after the other, and in groups */
        struct replay_result results[2] = {exchange(true, i == 0 ? 65536 : 8192),
                                           exchange(false, i == 0 ? 65536 : 8192)};
        for (uint32_t rank = 0; rank < results[0].ranks; rank++)
            assert_int_equal(results[0].rank[rank].finish_ns, results[1].rank[rank].finish_ns);
        replay_result_free(&results[0]);
        replay_result_free(&results[1]);
    }
}

/* Notices fall together here: the order of those of one cycle decides who is first. */
static void real_networks_match_as_the_reference_too(void **state)
{
    static const char *const networks[] = {"ideal:9", "mesh:3x3", "torus:3x3", "king-mesh:3x3"};
    (void)state;
    for (uint64_t seed = 0; seed < random_programs() / 10; seed++) {
        struct trace_program *program = trace_memory_program(random_program(seed, 50, RANDOM_ALL));
        struct base_error error = {0};
        struct net_topology *topology = net_topology_new(networks[seed % 4], &error);
        const struct net_options options = {.seed = seed};
        struct net_routing routing;
        struct watch watch = {0};
        bool ideal = net_topology_is_ideal(topology);
        if (!ideal)
            ASSERT_OK(net_routing_init(&routing, topology, NULL, 0, &error));
        struct net_network *network = net_network_new(topology, ideal ? NULL : &routing, &options, &error);
        struct replay_result result = watch_replay(program, network, &watch, seed);
        replay_result_free(&result);
        watch_free(&watch);
        net_topology_free(topology);
        trace_close(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_programs_match_as_the_reference),
        cmocka_unit_test(resolved_programs_take_the_same_time),
        cmocka_unit_test(collectives_take_the_same_time_either_way),
        cmocka_unit_test(long_collectives_take_the_same_time_in_parts),
        cmocka_unit_test(real_networks_match_as_the_reference_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
