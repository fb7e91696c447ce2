/* Every rule of doc/replay.md by times worked out by hand. Flits have 8 bytes, the clock 1 GHz, and a message
 * of n flits that crosses d links of an empty mesh is there d + n cycles after it was sent
 * (netmodel/network.h). The eager limit is 1024 bytes = 128 flits. */
#include "tests/suite.h"

#include <string.h>

#include "base/error.h"
#include "tests/replay/support.h"

#define EAGER 64  /* bytes: 8 flits */
#define LONG 2048 /* bytes: 256 flits, rendezvous */
#define LONG_FLITS 256
#define MESH "mesh:4x4" /* ranks 0 and 1 are neighbours, 0 and 3 three links apart */

/* ---- eager */

static void eager_send_returns_at_once(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_compute(m, 0, 100);
    add_send(m, 0, 1, 5, EAGER);
    add_receive(m, 1, 0, 5, EAGER);
    assert_int_equal(finish_on(MESH, m, 0), 100);
}

static void eager_receive_completes_when_the_message_is_there(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    add_compute(m, 0, 100);
    add_send(m, 0, 3, 5, EAGER);
    add_receive(m, 3, 0, 5, EAGER);
    add_compute(m, 3, 7);
    assert_int_equal(finish_on(MESH, m, 3), 100 + 3 + 8 + 7);
}

static void eager_receive_completes_when_it_is_posted(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 5, EAGER);
    add_compute(m, 1, 1000);
    add_receive(m, 1, 0, 5, EAGER);
    assert_int_equal(finish_on(MESH, m, 1), 1000);
}

static void sizes_become_flits_rounded_up(void **state)
{
    const uint64_t bytes[] = {0, 1, 8, 9, 16, 17, 1023, 1024}, flits[] = {1, 1, 1, 2, 2, 3, 128, 128};
    (void)state;
    for (size_t i = 0; i < sizeof bytes / sizeof *bytes; i++) {
        struct trace_memory *m = trace_memory_new(2);
        add_send(m, 0, 1, 5, bytes[i]);
        add_receive(m, 1, 0, 5, bytes[i]);
        assert_int_equal(finish_on(MESH, m, 1), 1 + flits[i]);
    }
}

static void ping_pong_takes_its_closed_form(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    for (int round = 0; round < 100; round++) {
        add_send(m, 0, 3, 1, EAGER);
        add_receive(m, 3, 0, 1, EAGER);
        add_send(m, 3, 0, 2, EAGER);
        add_receive(m, 0, 3, 2, EAGER);
    }
    assert_int_equal(finish_on(MESH, m, 0), 100 * 2 * (3 + 8));
}

/* Ranks 0 and 1 run on one terminal, rank 2 on its neighbour. What they say to each other crosses no link, and
 * what both send goes through the one injector. */
static void ranks_share_a_terminal(void **state)
{
    const uint32_t terminal[] = {0, 0, 1};
    struct replay_semantics options = test_options();
    struct net_topology *topology = net_topology_new(MESH, NULL);
    struct net_routing routing = {0};
    struct net_options net_options = {0};
    struct net_network *network;
    struct replay_result result;
    struct base_error error;
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    options.ranks_per_terminal = 2;
    add_send(m, 0, 1, 5, EAGER);
    add_receive(m, 1, 0, 5, EAGER);
    add_send(m, 1, 2, 6, EAGER);
    add_send(m, 0, 2, 7, EAGER);
    add_receive(m, 2, 1, 6, EAGER);
    add_receive(m, 2, 0, 7, EAGER);
    ASSERT_OK(net_routing_init(&routing, topology, NULL, 0, &error));
    network = net_network_new(topology, &routing, &net_options, &error);
    ASSERT_OK(replay_run(trace_memory_program(m), terminal, network, &options, &result, &error));
    assert_int_equal(result.rank[1].finish_ns, 8);
    /* Rank 0's second message follows its first through the injector, rank 1's follows that. */
    assert_int_equal(result.rank[2].finish_ns, 8 + 8 + 8 + 1);
    replay_result_free(&result);
    net_network_free(network);
    options.ranks_per_terminal = 1;
    network = net_network_new(topology, &routing, &net_options, &error);
    assert_int_equal(replay_run(trace_memory_program(m), terminal, network, &options, &result, &error), -1);
    assert_int_equal(error.status, BASE_USAGE);
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    trace_close(trace_memory_program(m));
}

/* ---- rendezvous: the RTS and the CTS are messages of one flit */

static uint64_t rendezvous_finish(uint64_t send_after, uint64_t receive_after, uint32_t rank)
{
    struct trace_memory *m = trace_memory_new(2);
    add_compute(m, 0, send_after);
    add_send(m, 0, 1, 5, LONG);
    add_compute(m, 1, receive_after);
    add_receive(m, 1, 0, 5, LONG);
    return finish_on(MESH, m, rank);
}

static void rendezvous_takes_three_crossings(void **state)
{
    (void)state;
    /* RTS there at 2, CTS back at 4; the last flit leaves the queue in cycle 4 + 255, and is there one link
     * later */
    assert_int_equal(rendezvous_finish(0, 0, 1), 2 + 2 + 1 + LONG_FLITS);
    assert_int_equal(rendezvous_finish(0, 0, 0), 2 + 2 + LONG_FLITS);
    assert_int_equal(rendezvous_finish(50, 0, 1), 50 + 2 + 2 + 1 + LONG_FLITS);
}

static void rendezvous_waits_for_the_receive(void **state)
{
    (void)state;
    assert_int_equal(rendezvous_finish(0, 500, 1), 500 + 2 + 1 + LONG_FLITS);
    assert_int_equal(rendezvous_finish(0, 500, 0), 500 + 2 + LONG_FLITS);
    assert_int_equal(rendezvous_finish(0, 2, 0), 2 + 2 + LONG_FLITS); /* posted in the RTS's own cycle */
    assert_int_equal(rendezvous_finish(0, 1, 0), 2 + 2 + LONG_FLITS);
    assert_int_equal(rendezvous_finish(0, 3, 0), 3 + 2 + LONG_FLITS);
}

static void the_eager_limit_is_the_longest_eager_message(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 5, 1024);
    add_compute(m, 1, 1000);
    add_receive(m, 1, 0, 5, 1024);
    assert_int_equal(finish_on(MESH, m, 0), 0);
    m = trace_memory_new(2);
    add_send(m, 0, 1, 5, 1025);
    add_compute(m, 1, 1000);
    add_receive(m, 1, 0, 5, 1025);
    assert_int_equal(finish_on(MESH, m, 0), 1000 + 2 + 129);
}

static void a_short_synchronous_send_waits_for_its_match(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_ssend(m, 0, 1, 5, 0);
    add_compute(m, 1, 1000);
    add_receive(m, 1, 0, 5, 0);
    assert_int_equal(finish_on(MESH, m, 0), 1000 + 2 + 1);
}

static void rendezvous_progresses_while_the_receiver_computes(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t request;
    (void)state;
    add_send(m, 0, 1, 5, LONG);
    request = add_ireceive(m, 1, 0, 5, LONG);
    add_compute(m, 1, 10000);
    add_wait(m, 1, request);
    assert_int_equal(finish_on(MESH, m, 0), 4 + LONG_FLITS);
}

/* The CTS comes from the receiver: a long message of the sender's does not stand in its way, only in that of
 * the data, which follow it without a gap. */
static void the_clear_to_send_does_not_queue_at_the_sender(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t request = add_isend(m, 0, 1, 5, LONG);
    (void)state;
    add_compute(m, 0, 1);
    add_send(m, 0, 1, 6, 1024);
    add_wait(m, 0, request);
    add_receive(m, 1, 0, 5, LONG);
    add_receive(m, 1, 0, 6, 1024);
    assert_int_equal(finish_on(MESH, m, 0), 1 + 128 + LONG_FLITS);
}

/* ---- matching */

static void crossed_tags_match_by_tag(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 1, EAGER);
    add_compute(m, 0, 100);
    add_send(m, 0, 1, 2, EAGER);
    add_receive(m, 1, 0, 2, EAGER);
    add_compute(m, 1, 10);
    add_receive(m, 1, 0, 1, EAGER);
    assert_int_equal(finish_on(MESH, m, 1), 100 + 9 + 10);
}

static void one_envelope_matches_in_order(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t first, second;
    (void)state;
    /* The first receive gets the first message although the second is waited for first, and sizes tell them
     * apart. */
    add_send(m, 0, 1, 1, 8);
    add_compute(m, 0, 100);
    add_send(m, 0, 1, 1, 64);
    first = add_ireceive(m, 1, 0, 1, 8);
    second = add_ireceive(m, 1, 0, 1, 64);
    add_wait(m, 1, second);
    add_compute(m, 1, 1);
    add_wait(m, 1, first);
    assert_int_equal(finish_on(MESH, m, 1), 100 + 9 + 1);
}

static void three_of_one_envelope_queue_on_either_side(void **state)
{
    const uint64_t bytes[3] = {8, 16, 24};
    (void)state;
    for (int late = 0; late < 2; late++) { /* receives first, then sends first */
        struct trace_memory *m = trace_memory_new(2);
        uint64_t set[3];
        add_compute(m, late ? 1 : 0, 500);
        for (int i = 0; i < 3; i++) {
            add_send(m, 0, 1, 1, bytes[i]);
            set[i] = add_ireceive(m, 1, 0, 1, bytes[i]);
        }
        add_wait_all(m, 1, set, 3);
        /* 1 + 2 + 3 flits leave the one injector back to back */
        assert_int_equal(finish_on(MESH, m, 1), late ? 500 : 500 + 1 + 6);
    }
}

static void communicators_do_not_mix(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint32_t other = trace_memory_communicator(m, "other", (const uint32_t[]){1, 0}, 2);
    (void)state;
    add_op(m, 0, (struct trace_op){.kind = TRACE_SEND, .peer = 1, .communicator = other, .bytes = EAGER});
    add_compute(m, 0, 100);
    add_op(m, 0, (struct trace_op){.kind = TRACE_SEND, .peer = 1, .communicator = 0, .bytes = EAGER});
    add_op(m, 1, (struct trace_op){.kind = TRACE_RECEIVE, .peer = 0, .communicator = 0, .bytes = EAGER});
    add_compute(m, 1, 10);
    add_op(m, 1, (struct trace_op){.kind = TRACE_RECEIVE, .peer = 0, .communicator = other, .bytes = EAGER});
    assert_int_equal(finish_on(MESH, m, 1), 100 + 9 + 10);
}

static void a_receive_may_have_room_to_spare(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 1, 8);
    add_receive(m, 1, 0, 1, 18496);
    assert_int_equal(finish_on(MESH, m, 1), 2);
}

/* ---- messages to self */

static void a_message_to_self_takes_no_time(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    struct replay_semantics options = test_options();
    struct trace_program *program = trace_memory_program(m);
    struct replay_result result;
    struct base_error error;
    (void)state;
    add_send(m, 0, 0, 1, EAGER); /* eager: may come before its receive */
    add_compute(m, 0, 10);
    add_receive(m, 0, 0, 1, EAGER);
    ASSERT_OK(replay_on(MESH, program, &options, &result, &error));
    assert_int_equal(result.rank[0].finish_ns, 10);
    assert_int_equal(result.messages, 1);
    assert_int_equal(result.self_messages, 1);
    assert_int_equal(result.message_bytes, EAGER);
    assert_int_equal(result.control_messages, 0);
    replay_result_free(&result);
    trace_close(program);
}

/* As NPB CG's diagonal ranks do, with a size above the eager limit. */
static void a_long_message_to_self_needs_its_receive_first(void **state)
{
    struct trace_memory *m = trace_memory_new(1);
    uint64_t request = add_ireceive(m, 0, 0, 1, LONG);
    (void)state;
    add_compute(m, 0, 10);
    add_send(m, 0, 0, 1, LONG);
    add_wait(m, 0, request);
    assert_int_equal(finish_on(MESH, m, 0), 10);
    m = trace_memory_new(1);
    request = add_isend(m, 0, 0, 1, LONG); /* completes when the receive comes */
    add_compute(m, 0, 10);
    add_receive(m, 0, 0, 1, LONG);
    add_wait(m, 0, request);
    assert_int_equal(finish_on(MESH, m, 0), 10);
}

/* ---- completion */

static void nonblocking_operations_return_at_once(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_isend(m, 0, 1, 5, LONG);
    add_compute(m, 0, 3);
    add_ireceive(m, 1, 0, 5, LONG);
    assert_int_equal(finish_on(MESH, m, 0), 3); /* never waited for: simply completes */
}

static void a_wait_returns_with_the_last_of_its_set(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    uint64_t set[3];
    uint64_t unrelated;
    (void)state;
    add_compute(m, 1, 300);
    add_send(m, 1, 0, 5, EAGER);
    add_compute(m, 2, 200);
    add_send(m, 2, 0, 5, EAGER);
    add_compute(m, 3, 1000);
    add_send(m, 3, 0, 5, EAGER);
    set[0] = add_ireceive(m, 0, 1, 5, EAGER);
    set[1] = add_ireceive(m, 0, 2, 5, EAGER);
    unrelated = add_ireceive(m, 0, 3, 5, EAGER);
    set[2] = set[0]; /* named twice: counted once */
    add_wait_all(m, 0, set, 3);
    add_compute(m, 0, 1);
    (void)unrelated;
    assert_int_equal(finish_on(MESH, m, 0), 300 + 1 + 8 + 1);
}

static void waiting_again_or_for_nothing_returns_at_once(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t request = add_isend(m, 0, 1, 5, EAGER);
    (void)state;
    add_wait(m, 0, request);
    add_wait(m, 0, request);
    add_wait_all(m, 0, NULL, 0);
    add_receive(m, 1, 0, 5, EAGER);
    assert_int_equal(finish_on(MESH, m, 0), 0);
}

static void requests_may_complete_in_any_order(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    uint64_t late, early;
    (void)state;
    late = add_ireceive(m, 0, 1, 5, EAGER);
    early = add_ireceive(m, 0, 2, 5, EAGER);
    add_compute(m, 1, 500);
    add_send(m, 1, 0, 5, EAGER);
    add_send(m, 2, 0, 5, EAGER);
    add_wait(m, 0, early);
    add_compute(m, 0, 20);
    add_wait(m, 0, late);
    assert_int_equal(finish_on(MESH, m, 0), 500 + 9);
}

/* ---- collectives, by the test's own algorithms */

static void a_star_barrier_takes_two_crossings(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_compute(m, 0, 10);
    add_compute(m, 1, 70);
    for (uint32_t rank = 0; rank < 2; rank++)
        add_collective(m, rank, TRACE_BARRIER, 0, UINT32_MAX, 0);
    assert_int_equal(finish_on(MESH, m, 0), 70 + 2);
    m = trace_memory_new(2);
    add_compute(m, 0, 10);
    add_compute(m, 1, 70);
    for (uint32_t rank = 0; rank < 2; rank++)
        add_collective(m, rank, TRACE_BARRIER, 0, UINT32_MAX, 0);
    assert_int_equal(finish_on(MESH, m, 1), 70 + 2 + 2);
}

/* The root runs ahead through five broadcasts; the other meets them one by one. Were instances mixed, sizes
 * would tell. */
static void consecutive_collectives_do_not_mix(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (int i = 0; i < 5; i++)
        add_collective(m, 0, TRACE_BCAST, 0, 0, EAGER);
    add_compute(m, 1, 1000);
    for (int i = 0; i < 5; i++)
        add_collective(m, 1, TRACE_BCAST, 0, 0, EAGER);
    add_send(m, 0, 1, 0, EAGER); /* and the tag 0 of the program is not phase 0 of a collective */
    add_compute(m, 1, 1);
    add_receive(m, 1, 0, 0, EAGER);
    assert_int_equal(finish_on(MESH, m, 1), 1001);
}

/* A receive of the program with a tag that equals the phase does not catch the message of a collective. */
static void collectives_and_program_do_not_mix(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t request = add_ireceive(m, 1, 0, 0, EAGER);
    (void)state;
    add_collective(m, 0, TRACE_BCAST, 0, 0, EAGER);
    add_compute(m, 0, 100);
    add_send(m, 0, 1, 0, EAGER);
    add_collective(m, 1, TRACE_BCAST, 0, 0, EAGER);
    add_compute(m, 1, 200);
    add_wait(m, 1, request);
    assert_int_equal(finish_on(MESH, m, 1), 9 + 200);
}

/* Two communicators of the same ranks, used in another order by the receiver. */
static void collectives_of_two_communicators_do_not_mix(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint32_t twin = trace_memory_communicator(m, "twin", (const uint32_t[]){0, 1}, 2);
    (void)state;
    add_collective(m, 0, TRACE_BCAST, 0, 0, EAGER);
    add_compute(m, 0, 100);
    add_collective(m, 0, TRACE_BCAST, twin, 0, EAGER);
    add_collective(m, 1, TRACE_BCAST, twin, 0, EAGER);
    add_compute(m, 1, 10);
    add_collective(m, 1, TRACE_BCAST, 0, 0, EAGER);
    assert_int_equal(finish_on(MESH, m, 1), 100 + 9 + 10);
}

static void a_long_collective_uses_rendezvous(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_collective(m, 0, TRACE_BCAST, 0, 0, LONG);
    add_compute(m, 1, 1000);
    add_collective(m, 1, TRACE_BCAST, 0, 0, LONG);
    assert_int_equal(finish_on(MESH, m, 0), 1000 + 2 + LONG_FLITS);
}

static void roots_and_members_are_ranks_of_the_communicator(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    uint32_t turned = trace_memory_communicator(m, "turned", (const uint32_t[]){3, 0}, 2);
    (void)state;
    add_compute(m, 3, 50);
    add_collective(m, 3, TRACE_BCAST, turned, 0, EAGER); /* root 0 is world rank 3 */
    add_collective(m, 0, TRACE_BCAST, turned, 0, EAGER);
    assert_int_equal(finish_on(MESH, m, 0), 50 + 3 + 8);
}

static void lonely_and_empty_collectives_cost_nothing(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint32_t alone = trace_memory_communicator(m, "alone", (const uint32_t[]){1}, 1);
    (void)state;
    add_compute(m, 1, 5);
    add_collective(m, 1, TRACE_ALLREDUCE, alone, UINT32_MAX, LONG);
    add_collective(m, 1, TRACE_EXSCAN, 0, UINT32_MAX, LONG);
    add_compute(m, 0, 900);
    add_collective(m, 0, TRACE_EXSCAN, 0, UINT32_MAX, LONG);
    assert_int_equal(finish_on(MESH, m, 1), 5);
}

static void collectives_are_counted_by_algorithm(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    struct replay_semantics options = test_options();
    struct trace_program *program = trace_memory_program(m);
    struct replay_result result;
    struct base_error error;
    (void)state;
    for (uint32_t rank = 0; rank < 4; rank++) {
        add_collective(m, rank, TRACE_REDUCE, 0, 2, 100);
        add_collective(m, rank, TRACE_BARRIER, 0, UINT32_MAX, 0);
        add_collective(m, rank, TRACE_REDUCE, 0, 1, 2000);
    }
    ASSERT_OK(replay_on(MESH, program, &options, &result, &error));
    assert_int_equal(result.collective_count, 2);
    assert_int_equal(result.collectives[0].collective, TRACE_BARRIER);
    assert_string_equal(result.collectives[0].algorithm, "star");
    assert_int_equal(result.collectives[0].calls, 4);
    assert_int_equal(result.collectives[0].messages, 6);
    assert_int_equal(result.collectives[0].bytes, 0);
    assert_int_equal(result.collectives[1].collective, TRACE_REDUCE);
    assert_string_equal(result.collectives[1].algorithm, "in");
    assert_int_equal(result.collectives[1].calls, 8);
    assert_int_equal(result.collectives[1].messages, 6);
    assert_int_equal(result.collectives[1].bytes, 3 * 2100);
    assert_int_equal(result.messages, 12);
    assert_int_equal(result.control_messages, 6); /* three long messages */
    replay_result_free(&result);
    trace_close(program);
}

/* ---- time */

static struct trace_memory *hundred_and_message(void)
{
    struct trace_memory *m = trace_memory_new(2);
    add_compute(m, 0, 101);
    add_send(m, 0, 1, 5, EAGER);
    add_receive(m, 1, 0, 5, EAGER);
    return m;
}

static void compute_time_is_dropped_or_scaled(void **state)
{
    struct replay_semantics options = test_options();
    (void)state;
    options.compute_scale_ppm = 500000; /* 50.5, rounded down */
    assert_int_equal(finish_with(MESH, hundred_and_message(), &options, 1), 50 + 9);
    options.compute_scale_ppm = 3000000;
    assert_int_equal(finish_with(MESH, hundred_and_message(), &options, 1), 303 + 9);
    options.compute_scale_ppm = 0;
    assert_int_equal(finish_with(MESH, hundred_and_message(), &options, 1), 9);
    options.compute_scale_ppm = 1000000;
    options.compute_zero = true;
    assert_int_equal(finish_with(MESH, hundred_and_message(), &options, 1), 9);
}

static void scaling_is_exact_for_long_times(void **state)
{
    struct replay_semantics options = test_options();
    struct trace_memory *m = trace_memory_new(1);
    (void)state;
    options.compute_scale_ppm = 333333;
    add_compute(m, 0, UINT64_C(4000000000000000001));
    assert_int_equal(finish_with("ideal:1", m, &options, 0), UINT64_C(1333332000000000000));
}

static void clocks_convert_rounding_up(void **state)
{
    struct replay_semantics options = test_options();
    (void)state;
    options.clock_khz = 2000000; /* 101 ns = 202 cycles; 211 cycles = 105.5 ns */
    assert_int_equal(finish_with(MESH, hundred_and_message(), &options, 1), 106);
    options.clock_khz = 300000; /* 101 ns = 30.3 -> 31 cycles; 40 cycles = 133.3 ns */
    assert_int_equal(finish_with(MESH, hundred_and_message(), &options, 1), 134);
    assert_int_equal(finish_with("ideal:2", hundred_and_message(), &options, 1),
                     104); /* 31 cycles = 103.3 ns */
}

/* Below 1 GHz a receive may be posted between the cycle of an arrival and the nanosecond it is rounded up to.
 */
static void nothing_arrives_before_its_nanosecond(void **state)
{
    struct replay_semantics options = test_options();
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    options.clock_khz = 300000;
    add_compute(m, 0, 1);
    add_send(m, 0, 1, 5, EAGER); /* in cycle 1, there at once, which is 3.3 ns */
    add_compute(m, 1, 2);
    add_receive(m, 1, 0, 5, EAGER);
    assert_int_equal(finish_with("ideal:2", m, &options, 1), 4);
}

static void computing_adds_up_and_ends_the_run(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    struct replay_semantics options = test_options();
    struct trace_program *program = trace_memory_program(m);
    struct replay_result result;
    struct base_error error;
    (void)state;
    add_compute(m, 0, 3);
    add_compute(m, 0, 4);
    add_compute(m, 2, 6);
    ASSERT_OK(replay_on("ideal:3", program, &options, &result, &error));
    assert_int_equal(result.simulated_ns, 7);
    assert_int_equal(result.simulated_cycles, 7);
    assert_int_equal(result.ranks, 3);
    assert_int_equal(result.rank[0].compute_ns, 7);
    assert_int_equal(result.rank[1].finish_ns, 0);
    assert_int_equal(result.rank[2].wait_ns, 0);
    replay_result_free(&result);
    trace_close(program);
}

static void ranks_count_what_they_send(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    struct replay_semantics options = test_options();
    struct trace_program *program = trace_memory_program(m);
    struct replay_result result;
    struct base_error error;
    (void)state;
    add_send(m, 0, 1, 1, 10);
    add_send(m, 0, 1, 1, LONG);
    add_collective(m, 0, TRACE_BCAST, 0, 0, 30);
    add_collective(m, 1, TRACE_BCAST, 0, 0, 30);
    add_receive(m, 1, 0, 1, LONG);
    add_receive(m, 1, 0, 1, LONG);
    assert_int_equal(replay_on(MESH, program, &options, &result, &error),
                     -1); /* the bcast is behind the rendezvous */
    assert_int_equal(error.status, BASE_DEADLOCK);
    trace_close(program);

    m = trace_memory_new(2);
    program = trace_memory_program(m);
    add_send(m, 0, 1, 1, 10);
    add_send(m, 0, 1, 1, LONG);
    add_collective(m, 0, TRACE_BCAST, 0, 0, 30);
    add_receive(m, 1, 0, 1, LONG);
    add_receive(m, 1, 0, 1, LONG);
    add_collective(m, 1, TRACE_BCAST, 0, 0, 30);
    ASSERT_OK(replay_on(MESH, program, &options, &result, &error));
    assert_int_equal(result.rank[0].messages_sent, 3);
    assert_int_equal(result.rank[0].bytes_sent, 10 + LONG + 30);
    assert_int_equal(result.rank[1].messages_sent, 0);
    assert_int_equal(result.messages, 3);
    assert_int_equal(result.message_bytes, 10 + LONG + 30);
    assert_int_equal(result.control_messages, 2);
    replay_result_free(&result);
    trace_close(program);
}

static void digest_after(uint64_t first_ns, uint64_t second_ns, char digest[BASE_DIGEST_TEXT])
{
    struct trace_memory *m = trace_memory_new(2);
    struct replay_semantics options = test_options();
    struct replay_result result;
    struct base_error error;
    add_compute(m, 0, 1000);
    add_compute(m, 1, first_ns);
    add_ssend(m, 1, 0, 1, 8);
    add_compute(m, 1, second_ns);
    add_receive(m, 0, 1, 1, 8);
    ASSERT_OK(replay_on(MESH, trace_memory_program(m), &options, &result, &error));
    base_digest_text(&result.digest, digest);
    replay_result_free(&result);
    trace_close(trace_memory_program(m));
}

/* The end of a rank that no message follows is in the digest, and so are a rank's shares of computing and
 * waiting. */
static void the_digest_holds_times_of_ranks(void **state)
{
    char one[BASE_DIGEST_TEXT], same[BASE_DIGEST_TEXT], other[BASE_DIGEST_TEXT];
    (void)state;
    digest_after(10, 20, one);
    digest_after(10, 20, same);
    digest_after(10, 21, other);
    assert_string_equal(one, same);
    assert_string_not_equal(one, other);
}

/* ---- progress */

struct seen {
    uint32_t calls, last;
    uint64_t ns;
};

static void see(void *context, uint32_t thousandths, uint64_t simulated_ns)
{
    struct seen *seen = context;
    assert_true(thousandths >= seen->last && thousandths <= 1000);
    assert_true(simulated_ns >= seen->ns);
    *seen = (struct seen){seen->calls + 1, thousandths, simulated_ns};
}

static void progress_rises_to_the_end_and_is_rare(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    struct replay_semantics options = test_options();
    struct trace_program *program = trace_memory_program(m);
    struct replay_result result;
    struct base_error error;
    struct seen seen = {0};
    (void)state;
    options.progress = see;
    options.progress_context = &seen;
    for (int i = 0; i < 20000; i++) {
        add_send(m, 0, 1, 1, 8);
        add_receive(m, 1, 0, 1, 8);
    }
    ASSERT_OK(replay_on(MESH, program, &options, &result, &error));
    assert_int_equal(seen.last, 1000);
    assert_in_range(seen.calls, 100, 1002);
    replay_result_free(&result);
    trace_close(program);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(eager_send_returns_at_once),
        cmocka_unit_test(eager_receive_completes_when_the_message_is_there),
        cmocka_unit_test(eager_receive_completes_when_it_is_posted),
        cmocka_unit_test(sizes_become_flits_rounded_up),
        cmocka_unit_test(ping_pong_takes_its_closed_form),
        cmocka_unit_test(ranks_share_a_terminal),
        cmocka_unit_test(rendezvous_takes_three_crossings),
        cmocka_unit_test(rendezvous_waits_for_the_receive),
        cmocka_unit_test(the_eager_limit_is_the_longest_eager_message),
        cmocka_unit_test(a_short_synchronous_send_waits_for_its_match),
        cmocka_unit_test(rendezvous_progresses_while_the_receiver_computes),
        cmocka_unit_test(the_clear_to_send_does_not_queue_at_the_sender),
        cmocka_unit_test(crossed_tags_match_by_tag),
        cmocka_unit_test(one_envelope_matches_in_order),
        cmocka_unit_test(three_of_one_envelope_queue_on_either_side),
        cmocka_unit_test(communicators_do_not_mix),
        cmocka_unit_test(a_receive_may_have_room_to_spare),
        cmocka_unit_test(a_message_to_self_takes_no_time),
        cmocka_unit_test(a_long_message_to_self_needs_its_receive_first),
        cmocka_unit_test(nonblocking_operations_return_at_once),
        cmocka_unit_test(a_wait_returns_with_the_last_of_its_set),
        cmocka_unit_test(waiting_again_or_for_nothing_returns_at_once),
        cmocka_unit_test(requests_may_complete_in_any_order),
        cmocka_unit_test(a_star_barrier_takes_two_crossings),
        cmocka_unit_test(consecutive_collectives_do_not_mix),
        cmocka_unit_test(collectives_and_program_do_not_mix),
        cmocka_unit_test(collectives_of_two_communicators_do_not_mix),
        cmocka_unit_test(a_long_collective_uses_rendezvous),
        cmocka_unit_test(roots_and_members_are_ranks_of_the_communicator),
        cmocka_unit_test(lonely_and_empty_collectives_cost_nothing),
        cmocka_unit_test(collectives_are_counted_by_algorithm),
        cmocka_unit_test(compute_time_is_dropped_or_scaled),
        cmocka_unit_test(scaling_is_exact_for_long_times),
        cmocka_unit_test(clocks_convert_rounding_up),
        cmocka_unit_test(nothing_arrives_before_its_nanosecond),
        cmocka_unit_test(computing_adds_up_and_ends_the_run),
        cmocka_unit_test(ranks_count_what_they_send),
        cmocka_unit_test(the_digest_holds_times_of_ranks),
        cmocka_unit_test(progress_rises_to_the_end_and_is_rare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
