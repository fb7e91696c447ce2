/* What of each wait is for others and what for messages on their way: by hand, and as laws over random programs. */
#include "tests/suite.h"

#include <stdlib.h>

#include "replay/engine/recorder.h"
#include "tests/replay/engine/random-program.h"
#include "tests/replay/support.h"

#define RANKS_MOST 64

/* Of each rank: what it waited in all, and of that for messages on their way; and when it ended. */
struct waits {
    uint32_t ranks;
    uint64_t wait_ns[RANKS_MOST], network_ns[RANKS_MOST], finish_ns[RANKS_MOST];
};

/* The operations of a rank from the recorder, computations included. */
static struct replay_spell spell_of(struct replay_recorder *recorder, uint32_t rank)
{
    struct base_error error = {0};
    struct replay_recorder_reader *reader = replay_recorder_read(recorder, rank, &error);
    struct replay_spell sum = {0};

    assert_non_null(reader);
    for (uint64_t operation = 1; operation < 10000; operation++) {
        struct replay_spell spell;
        ASSERT_OK(replay_recorder_next(reader, operation, &spell, &error));
        assert_true(spell.network_ns <= spell.ns);
        sum.ns += spell.ns;
        sum.network_ns += spell.network_ns;
    }
    replay_recorder_reader_free(reader);
    return sum;
}

/* Replays the program and closes it. */
static struct waits waits_on(const char *topology, struct trace_memory *memory,
                             const struct replay_semantics *semantics)
{
    struct trace_program *program = trace_memory_program(memory);
    struct replay_semantics options = *semantics;
    struct waits waits = {.ranks = trace_program_ranks(program)};
    struct replay_result result = {0};
    struct base_error error = {0};

    assert_true(waits.ranks <= RANKS_MOST);
    options.recorder = replay_recorder_new(waits.ranks, 0, &error);
    assert_non_null(options.recorder);
    if (replay_on(topology, program, &options, &result, &error) < 0)
        fail_msg("%s: %s", topology, error.text);
    for (uint32_t rank = 0; rank < waits.ranks; rank++) {
        struct replay_spell spell = spell_of(options.recorder, rank);
        waits.wait_ns[rank] = result.rank[rank].wait_ns;
        waits.finish_ns[rank] = result.rank[rank].finish_ns;
        waits.network_ns[rank] = spell.network_ns;
        assert_int_equal(spell.ns, result.rank[rank].finish_ns);
        assert_true(spell.network_ns <= result.rank[rank].wait_ns);
    }
    replay_recorder_free(options.recorder);
    replay_result_free(&result);
    trace_close(program);
    return waits;
}

static struct waits waits_of(struct trace_memory *memory)
{
    const struct replay_semantics options = test_options();
    return waits_on("mesh:4", memory, &options);
}

/* Until the sender sends, the receiver waits for it. */
static void late_sender(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);

    (void)state;
    add_compute(memory, 0, 100);
    add_send(memory, 0, 1, 0, 64);
    add_receive(memory, 1, 0, 0, 64);
    struct waits waits = waits_of(memory);
    assert_true(waits.finish_ns[1] > 100);
    assert_int_equal(waits.network_ns[1], waits.finish_ns[1] - 100);
    assert_int_equal(waits.network_ns[0], 0);
}

/* A rendezvous waits for the receiver, then for all that goes to and fro; the receiver for that alone. */
static void late_receiver(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);

    (void)state;
    add_send(memory, 0, 1, 0, 4096);
    add_compute(memory, 1, 500);
    add_receive(memory, 1, 0, 0, 4096);
    struct waits waits = waits_of(memory);
    assert_int_equal(waits.network_ns[0], waits.finish_ns[0] - 500);
    assert_int_equal(waits.network_ns[1], waits.finish_ns[1] - 500);
    assert_true(waits.network_ns[0] > 512);
}

/* The one that was sent last decides, whichever arrives last: the long one, sent first, is there after 128 ns. */
static void several_at_a_time(void **state)
{
    struct trace_memory *memory = trace_memory_new(3);
    uint64_t requests[2];

    (void)state;
    add_send(memory, 0, 1, 0, 1024);
    add_compute(memory, 2, 100);
    add_send(memory, 2, 1, 0, 8);
    requests[0] = add_ireceive(memory, 1, 0, 0, 1024);
    requests[1] = add_ireceive(memory, 1, 2, 0, 8);
    add_wait_all(memory, 1, requests, 2);
    struct waits waits = waits_of(memory);
    assert_true(waits.finish_ns[1] > 128);
    assert_int_equal(waits.network_ns[1], waits.finish_ns[1] - 100);
}

/* A message that was under way before its receiver came is waited for by nobody but the network. */
static void early_sender(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);

    (void)state;
    add_send(memory, 0, 1, 0, 1024);
    add_compute(memory, 1, 100);
    add_receive(memory, 1, 0, 0, 1024);
    struct waits waits = waits_of(memory);
    assert_true(waits.wait_ns[1] > 20);
    assert_int_equal(waits.network_ns[1], waits.wait_ns[1]);
}

/* A probe waits for the sender, too; what it has seen is there. */
static void probes(void **state)
{
    struct trace_memory *memory = trace_memory_new(2);

    (void)state;
    add_compute(memory, 0, 100);
    add_send(memory, 0, 1, 0, 64);
    add_op(memory, 1, (struct trace_op){.kind = TRACE_PROBE, .peer = TRACE_ANY_SOURCE, .tag = TRACE_ANY_TAG});
    add_receive(memory, 1, 0, 0, 64);
    struct waits waits = waits_of(memory);
    assert_int_equal(waits.network_ns[1], waits.finish_ns[1] - 100);
}

/* Four ranks that come at different times, blocking or waited for where it is called. */
static struct waits allreduce(bool blocking)
{
    struct trace_memory *memory = trace_memory_new(4);
    const struct replay_semantics options = test_options();

    for (uint32_t rank = 0; rank < 4; rank++) {
        const uint64_t request = trace_memory_next_request(memory, rank);
        const struct trace_op op = {.kind = TRACE_COLLECTIVE_CALL,
                                    .collective = TRACE_ALLREDUCE,
                                    .root = UINT32_MAX,
                                    .bytes = 256,
                                    .flags = blocking ? 0 : TRACE_NONBLOCKING};
        add_compute(memory, rank, 100 * rank);
        add_op(memory, rank, op);
        if (!blocking)
            add_wait(memory, rank, request);
    }
    return waits_on("mesh:4", memory, &options);
}

static void non_blocking_collectives_divide_alike(void **state)
{
    struct waits blocking = allreduce(true), waited = allreduce(false);

    (void)state;
    for (uint32_t rank = 0; rank < 4; rank++) {
        assert_int_equal(waited.wait_ns[rank], blocking.wait_ns[rank]);
        assert_int_equal(waited.network_ns[rank], blocking.network_ns[rank]);
        assert_true(blocking.network_ns[rank] > 0);
    }
    assert_true(blocking.network_ns[0] <= blocking.wait_ns[0] - 300);
}

/* Where messages take no time nobody waits for them, whatever there is; elsewhere somebody does. */
static void random_programs(void **state)
{
    struct replay_semantics options = test_options();
    uint64_t network = 0;

    (void)state;
    options.collectives = trace_tuning_find("mpich-4", NULL);
    for (uint64_t seed = 0; seed < 60; seed++) {
        struct waits ideal = waits_on("ideal:9", random_program(seed, 40, RANDOM_ALL), &options);
        struct waits real = waits_on("torus:3x3", random_program(seed, 40, RANDOM_ALL), &options);
        for (uint32_t rank = 0; rank < ideal.ranks; rank++) {
            assert_int_equal(ideal.network_ns[rank], 0);
            network += real.network_ns[rank];
        }
    }
    assert_true(network > 10000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(late_sender),
        cmocka_unit_test(late_receiver),
        cmocka_unit_test(several_at_a_time),
        cmocka_unit_test(early_sender),
        cmocka_unit_test(probes),
        cmocka_unit_test(non_blocking_collectives_divide_alike),
        cmocka_unit_test(random_programs),
    };

    return cmocka_run_group_tests_name("waiting", tests, NULL, NULL);
}
