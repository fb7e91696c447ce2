/* What messages cost beside the network (doc/hosts.md): each rule by times worked out by hand, then laws on random
 * programs. The ideal network adds nothing, so that times there are the host's alone; ns and cycles are one at 1 GHz.
 * Costs are in picoseconds. */
#include "tests/suite.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/brief.h"
#include "tests/replay/engine/random-program.h"
#include "tests/replay/support.h"
#include "traces/edge.h"

#define NS UINT64_C(1000) /* picoseconds */
#define EAGER 64
#define LONG 2048 /* bytes, above the eager limit of test_options */
#define RANKS_MOST 16

/* The finish of each rank, and what the network has carried. */
struct times {
    uint64_t finish[RANKS_MOST], host[RANKS_MOST];
    uint64_t messages;
};

static struct net_network *network_on(const char *text, struct net_topology **topology,
                                      struct net_routing *routing)
{
    const struct net_options options = {.seed = 1};
    struct base_error error = {0};
    *topology = net_topology_new(text, &error);
    assert_non_null(*topology);
    bool ideal = net_topology_is_ideal(*topology);
    if (!ideal)
        ASSERT_OK(net_routing_init(routing, *topology, NULL, 0, &error));
    struct net_network *network = net_network_new(*topology, ideal ? NULL : routing, &options, &error);
    assert_non_null(network);
    return network;
}

/* What holds in every run: compute and wait are the finish, the host's is no more than the wait, and calls and sizes
 * tell of the same waits. */
static void check_sums(const struct replay_result *result)
{
    uint64_t ranks = 0, regions = 0, sizes = 0;
    for (uint32_t i = 0; i < result->ranks; i++) {
        assert_int_equal(result->rank[i].compute_ns + result->rank[i].wait_ns, result->rank[i].finish_ns);
        assert_true(result->rank[i].host_ns <= result->rank[i].wait_ns);
        ranks += result->rank[i].wait_ns;
    }
    for (uint32_t i = 0; i < result->wait_count; i++)
        regions += result->waits[i].wait_ns;
    for (uint32_t i = 0; i < REPLAY_SIZE_CLASSES; i++)
        sizes += result->size_wait_ns[i];
    assert_int_equal(ranks, regions);
    assert_int_equal(ranks, sizes);
}

/* The critical path covers the run without a gap. */
static void check_path(const struct replay_result *result)
{
    uint64_t end_ns = 0;
    for (uint32_t i = 0; i < result->path_count; i++) {
        assert_int_equal(result->path[i].begin_ns, end_ns);
        assert_true(result->path[i].end_ns > end_ns);
        end_ns = result->path[i].end_ns;
    }
    assert_int_equal(end_ns, result->simulated_ns);
}

static struct replay_result replay_at(const char *text, struct trace_program *program,
                                      const uint32_t *terminal, const struct replay_semantics *options,
                                      uint64_t *messages)
{
    struct net_topology *topology;
    struct net_routing routing = {0};
    struct net_network *network = network_on(text, &topology, &routing);
    struct replay_result result = {0};
    struct base_error error = {0};
    if (replay_run(program, terminal, network, options, &result, &error) < 0)
        fail_msg("%s", error.text);
    *messages = net_network_statistics(network)->messages;
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    check_sums(&result);
    check_path(&result);
    return result;
}

/* Replays a program and closes it. */
static struct times times_at(const char *text, struct trace_memory *memory, const uint32_t *terminal,
                             struct replay_host host)
{
    struct trace_program *program = trace_memory_program(memory);
    struct replay_semantics options = test_options();
    struct times times = {{0}, {0}, 0};
    options.ranks_per_terminal = RANKS_MOST;
    options.host = host;
    options.path = true;
    struct replay_result result = replay_at(text, program, terminal, &options, &times.messages);
    for (uint32_t i = 0; i < result.ranks; i++) {
        times.finish[i] = result.rank[i].finish_ns;
        times.host[i] = result.rank[i].host_ns;
    }
    replay_result_free(&result);
    trace_close(program);
    return times;
}

static const uint32_t apart[RANKS_MOST] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
static const uint32_t together[RANKS_MOST] = {0};

/* ---- overheads */

/* A send takes 1.5 ns and 0.1 ns a byte: 7.9 ns of 64, rounded up once. */
static void overheads_are_rounded_up_once(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 5, EAGER);
    add_receive(m, 1, 0, 5, EAGER);
    struct times times =
        times_at("ideal:2", m, apart,
                 (struct replay_host){
                     .send_ps = 1500, .send_byte_ps = 100, .receive_ps = 2300, .receive_byte_ps = 10});
    assert_int_equal(times.finish[0], 8);
    assert_int_equal(times.finish[1], 8 + 3); /* 2.3 and 0.64 ns */
    assert_int_equal(times.host[0], 8);
    assert_int_equal(times.host[1], 3);
}

static void ping_pong_takes_its_closed_form(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    for (int round = 0; round < 50; round++) {
        add_send(m, 0, 3, 1, EAGER);
        add_receive(m, 3, 0, 1, EAGER);
        add_send(m, 3, 0, 2, EAGER);
        add_receive(m, 0, 3, 2, EAGER);
    }
    struct times times =
        times_at("mesh:4x4", m, apart, (struct replay_host){.send_ps = 20 * NS, .receive_ps = 30 * NS});
    assert_int_equal(times.finish[0], 50 * 2 * (20 + 3 + 8 + 30)); /* three links, eight flits */
    assert_int_equal(times.host[0], 50 * (20 + 30));
}

/* The receive of what came long ago takes its overhead where it is asked for: not while its rank computes. */
static void completion_is_charged_where_it_is_asked_for(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 5, EAGER);
    uint64_t request = add_ireceive(m, 1, 0, 5, EAGER);
    add_compute(m, 1, 100);
    add_ireceive(m, 1, 0, 6, EAGER); /* never waited for, and never paid */
    add_send(m, 0, 1, 6, EAGER);
    add_wait(m, 1, request);
    add_compute(m, 1, 100);
    struct times times = times_at("ideal:2", m, apart, (struct replay_host){.receive_ps = 7 * NS});
    assert_int_equal(times.finish[1], 100 + 7 + 100);
    assert_int_equal(times.host[1], 7);
}

/* Messages that come while a rank waits for others are taken as they come: what is there at 0 is through before the
 * other one comes at 100; two that come together are taken one after the other. */
static void waits_take_messages_as_they_come(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    uint64_t requests[3];
    (void)state;
    for (uint32_t i = 1; i < 4; i++) {
        add_compute(m, i, i == 1 ? 0 : 100);
        add_send(m, i, 0, 5, EAGER);
        requests[i - 1] = add_ireceive(m, 0, i, 5, EAGER);
    }
    add_wait_all(m, 0, requests, 3);
    struct times times = times_at("ideal:4", m, apart, (struct replay_host){.receive_ps = 10 * NS});
    assert_int_equal(times.finish[0], 100 + 2 * 10);
    assert_int_equal(times.host[0], 3 * 10);
}

/* The sender is through with its overhead before the RTS leaves; the handshake takes no rank's time. */
static void rendezvous_costs_both_sides_once(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 5, LONG);
    add_compute(m, 1, 100);
    add_receive(m, 1, 0, 5, LONG);
    struct times times =
        times_at("ideal:2", m, apart, (struct replay_host){.send_ps = 20 * NS, .receive_ps = 30 * NS});
    assert_int_equal(times.finish[0], 100);
    assert_int_equal(times.finish[1], 130);
    assert_int_equal(times.host[0], 20);
}

/* The star of test_collectives: all send to the first, which answers all. Three receives, then three sends; the last
 * member's answer comes behind them. */
static void collectives_cost_what_their_messages_do(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        add_collective(m, i, TRACE_ALLREDUCE, 0, UINT32_MAX, EAGER);
    struct times times =
        times_at("ideal:4", m, apart, (struct replay_host){.send_ps = 20 * NS, .receive_ps = 30 * NS});
    assert_int_equal(times.finish[0], 20 + 3 * 30 + 3 * 20);
    assert_int_equal(times.finish[3], 20 + 3 * 30 + 3 * 20 + 30);
    assert_int_equal(times.host[0], 3 * 30 + 3 * 20);
    assert_int_equal(times.host[1], 20 + 30);
}

/* A non-blocking one goes on by itself, and the wait for it takes what all of its steps cost. */
static void nonblocking_collectives_are_paid_in_their_wait(void **state)
{
    struct trace_memory *m = trace_memory_new(4);
    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        uint64_t request = trace_memory_next_request(m, i);
        add_op(m, i,
               (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                 .collective = TRACE_ALLREDUCE,
                                 .flags = TRACE_NONBLOCKING,
                                 .root = UINT32_MAX,
                                 .bytes = EAGER});
        add_compute(m, i, 1000);
        add_wait(m, i, request);
    }
    struct times times =
        times_at("ideal:4", m, apart, (struct replay_host){.send_ps = 20 * NS, .receive_ps = 30 * NS});
    assert_int_equal(times.finish[0], 1000 + 3 * 30 + 3 * 20);
    assert_int_equal(times.finish[1], 1000 + 20 + 30);
}

static void puts_and_gets_cost_their_origin(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    const uint64_t put = trace_memory_next_request(m, 0);
    (void)state;
    add_op(m, 0, (struct trace_op){.kind = TRACE_PUT, .flags = TRACE_NONBLOCKING, .peer = 1, .bytes = EAGER});
    const uint64_t get = trace_memory_next_request(m, 0);
    add_op(m, 0, (struct trace_op){.kind = TRACE_GET, .flags = TRACE_NONBLOCKING, .peer = 1, .bytes = EAGER});
    add_wait_all(m, 0, (const uint64_t[]){put, get}, 2);
    struct times times =
        times_at("ideal:2", m, apart,
                 (struct replay_host){.send_ps = 20 * NS, .send_byte_ps = NS, .receive_ps = 30 * NS});
    assert_int_equal(times.finish[0], 20 + EAGER + 20);
    assert_int_equal(times.finish[1], 0);
}

/* ---- interfaces */

#define WINDOW 8

/* A window of non-blocking sends from rank 0, or half of it from rank 1, to the last rank. */
static struct times window_of(uint32_t senders, const uint32_t *terminal, struct replay_host host)
{
    struct trace_memory *m = trace_memory_new(senders + 1);
    uint64_t requests[WINDOW];
    for (uint32_t i = 0; i < WINDOW; i++) {
        add_isend(m, i % senders, senders, i, EAGER);
        requests[i] = add_ireceive(m, senders, i % senders, i, EAGER);
    }
    add_wait_all(m, senders, requests, WINDOW);
    return times_at("ideal:4", m, terminal, host);
}

/* Ranks do not wait for the interface: they are through when their overheads are. */
static void windows_of_sends_go_at_the_gap(void **state)
{
    static const uint32_t terminal[] = {0, 1}, shared[] = {0, 0, 1};
    struct replay_host host = {.send_ps = 10 * NS, .gap_ps = 25 * NS};
    (void)state;
    struct times times = window_of(1, terminal, host);
    assert_int_equal(times.finish[0], WINDOW * 10);
    assert_int_equal(times.finish[1], 10 + (WINDOW - 1) * 25);
    /* Two ranks and one interface; each has its own overheads at the same time. */
    times = window_of(2, shared, host);
    assert_int_equal(times.finish[2], 10 + (WINDOW - 1) * 25);
    /* One each. */
    host.nics = 2;
    times = window_of(2, shared, host);
    assert_int_equal(times.finish[2], 10 + (WINDOW / 2 - 1) * 25);
    /* By rank, one rank has one; in turn it has both: the last message begins behind three others of its own. */
    times = window_of(1, terminal, host);
    assert_int_equal(times.finish[1], 10 + (WINDOW - 1) * 25);
    host.round_robin = true;
    times = window_of(1, terminal, host);
    assert_int_equal(times.finish[1], 20 + (WINDOW / 2 - 1) * 25);
}

/* RTS, CTS and data are messages of their interfaces: the data wait for the gap behind the RTS. */
static void handshakes_keep_the_gap(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 5, LONG);
    add_receive(m, 1, 0, 5, LONG);
    struct times times = times_at("ideal:2", m, apart, (struct replay_host){.gap_ps = 25 * NS});
    assert_int_equal(times.finish[1], 25);
}

/* ---- matching */

/* Three messages wait unexpected; the receives ask for the last of them first, which passes two. */
static void unexpected_messages_are_passed(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    for (uint32_t tag = 0; tag < 3; tag++)
        add_send(m, 0, 1, tag, EAGER);
    add_compute(m, 1, 100);
    add_receive(m, 1, 0, 2, EAGER);
    add_receive(m, 1, 0, 0, EAGER);
    add_receive(m, 1, 0, 1, EAGER);
    struct times times =
        times_at("ideal:2", m, apart, (struct replay_host){.match_ps = 5 * NS, .entry_ps = 100 * NS});
    assert_int_equal(times.finish[1], 100 + 3 * 5 + 2 * 100);
}

/* Receives wait posted; messages come for the last of them first, which passes all the others. */
static void posted_receives_are_passed(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    uint64_t requests[4];
    (void)state;
    for (uint32_t tag = 0; tag < 4; tag++)
        requests[tag] = add_ireceive(m, 1, 0, tag, EAGER);
    add_compute(m, 0, 100);
    for (uint32_t tag = 4; tag-- > 0;)
        add_send(m, 0, 1, tag, EAGER);
    add_wait_all(m, 1, requests, 4);
    struct times times =
        times_at("ideal:2", m, apart, (struct replay_host){.match_ps = 5 * NS, .entry_ps = 100 * NS});
    assert_int_equal(times.finish[1], 100 + 4 * 5 + (3 + 2 + 1) * 100);
}

/* ---- memory */

/* Four ranks of one terminal, each sends to the next: nothing enters the network. A copy takes 64 ns, its latency
 * 50. */
static void rings_inside_a_node_go_through_memory(void **state)
{
    const uint32_t at_a_time[] = {0, 1, 2, 3, 4}, rounds[] = {1, 4, 2, 2, 1};
    (void)state;
    for (size_t i = 0; i < sizeof at_a_time / sizeof *at_a_time; i++) {
        struct trace_memory *m = trace_memory_new(4);
        uint64_t last = 0;
        for (uint32_t rank = 0; rank < 4; rank++) {
            add_send(m, rank, (rank + 1) % 4, 5, EAGER);
            add_receive(m, rank, (rank + 3) % 4, 5, EAGER);
        }
        struct times times =
            times_at("mesh:2x2", m, together,
                     (struct replay_host){
                         .memory_ps = 50 * NS, .memory_bytes_per_s = 1000000000, .copies = at_a_time[i]});
        for (uint32_t rank = 0; rank < 4; rank++)
            last = times.finish[rank] > last ? times.finish[rank] : last;
        assert_int_equal(last, rounds[i] * 64 + 50);
        assert_int_equal(times.messages, 0);
    }
}

/* RTS and CTS are no copies and take the latency; the sender is through when the copy is made. */
static void rendezvous_through_memory_takes_three_latencies(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 5, LONG);
    add_receive(m, 1, 0, 5, LONG);
    struct times times =
        times_at("mesh:2x2", m, together,
                 (struct replay_host){.memory_ps = 50 * NS, .memory_bytes_per_s = 1000000000, .copies = 1});
    assert_int_equal(times.finish[0], 2 * 50 + LONG);
    assert_int_equal(times.finish[1], 3 * 50 + LONG);
}

/* Without memory they take the router, and with it others still take the network. */
static void memory_is_for_ranks_of_one_terminal(void **state)
{
    static const uint32_t terminal[] = {0, 0, 1};
    (void)state;
    for (int has = 0; has < 2; has++) {
        struct trace_memory *m = trace_memory_new(3);
        add_send(m, 0, 1, 5, EAGER);
        add_send(m, 0, 2, 5, EAGER);
        add_receive(m, 1, 0, 5, EAGER);
        add_receive(m, 2, 0, 5, EAGER);
        struct times times =
            times_at("mesh:2x2", m, terminal, (struct replay_host){.memory_ps = has ? 50 * NS : 0});
        assert_int_equal(times.finish[1], has ? 50 : 8);
        assert_int_equal(times.finish[2], has ? 9 : 8 + 9); /* behind the first, through the injector */
    }
}

/* ---- progress in calls */

/* The receiver has posted, and computes: it answers the RTS at once, or when it waits. */
static void receivers_answer_inside_calls(void **state)
{
    (void)state;
    for (int in_calls = 0; in_calls < 2; in_calls++) {
        struct trace_memory *m = trace_memory_new(2);
        uint64_t request = add_ireceive(m, 1, 0, 5, LONG);
        add_compute(m, 0, 10);
        add_send(m, 0, 1, 5, LONG);
        add_compute(m, 1, 1000);
        add_wait(m, 1, request);
        struct times times =
            times_at("ideal:2", m, apart, (struct replay_host){.send_ps = 1, .in_calls = in_calls != 0});
        assert_int_equal(times.finish[0], in_calls ? 1000 : 11);
        assert_int_equal(times.finish[1], 1000);
    }
}

/* So do senders: the data leave at once, or when their rank is in a call again, be it the end. */
static void senders_go_on_inside_calls(void **state)
{
    (void)state;
    for (int in_calls = 0; in_calls < 2; in_calls++) {
        struct trace_memory *m = trace_memory_new(2);
        add_isend(m, 0, 1, 5, LONG);
        add_compute(m, 0, 200);
        add_compute(m, 0, 300); /* no call between */
        add_compute(m, 1, 50);
        add_receive(m, 1, 0, 5, LONG);
        struct times times = times_at("ideal:2", m, apart, (struct replay_host){.in_calls = in_calls != 0});
        assert_int_equal(times.finish[1], in_calls ? 500 : 50);
    }
}

/* A non-blocking collective goes on behind its root's computation: the others have their answer then. */
static void collectives_go_on_inside_calls(void **state)
{
    (void)state;
    for (int in_calls = 0; in_calls < 2; in_calls++) {
        struct trace_memory *m = trace_memory_new(2);
        for (uint32_t i = 0; i < 2; i++) {
            uint64_t request = trace_memory_next_request(m, i);
            add_compute(m, i, i == 1 ? 10 : 1);
            add_op(m, i,
                   (struct trace_op){.kind = TRACE_COLLECTIVE_CALL,
                                     .collective = TRACE_ALLREDUCE,
                                     .flags = TRACE_NONBLOCKING,
                                     .root = UINT32_MAX,
                                     .bytes = EAGER});
            add_compute(m, i, i == 0 ? 1000 : 0);
            add_wait(m, i, request);
        }
        struct times times = times_at("ideal:2", m, apart, (struct replay_host){.in_calls = in_calls != 0});
        assert_int_equal(times.finish[1], in_calls ? 1001 : 10);
    }
}

/* ---- refusals */

static void costs_beyond_time_are_refused(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    struct replay_semantics options = test_options();
    struct replay_result result = {0};
    struct base_error error = {0};
    (void)state;
    options.host.send_byte_ps = UINT64_C(1000000000000);
    options.eager_limit_bytes = UINT64_MAX;
    add_send(m, 0, 1, 5, UINT64_C(1) << 60);
    add_receive(m, 1, 0, 5, UINT64_C(1) << 60);
    assert_int_equal(replay_on("ideal:2", trace_memory_program(m), &options, &result, &error), -1);
    assert_int_equal(error.status, BASE_INPUT);
    assert_non_null(strstr(error.text, "the costs of the host exceed the range of simulated time"));
    replay_result_free(&result);
    trace_close(trace_memory_program(m));
}

/* ---- rules=loggops: each time is what LogGOPSim 76451de gives, a byte added to each message ---- */

static const struct replay_host loggops = {.send_ps = 500 * NS, .receive_ps = 500 * NS, .loggops = true};

/* Both have posted their receive. Behind a rank that is late the message goes first that was sent before: three
 * overheads, where those of calls make two. */
static void who_is_late_takes_in_first(void **state)
{
    (void)state;
    for (uint64_t early = 0; early < 2; early++) {
        struct trace_memory *m = trace_memory_new(2);
        if (early == 0)
            add_compute(m, 0, 100); /* the other has begun to compute before */
        uint64_t first = add_ireceive(m, 0, 1, 1, EAGER);
        add_send(m, 0, 1, 1, EAGER);
        add_wait(m, 0, first);
        uint64_t second = add_ireceive(m, 1, 0, 1, EAGER);
        add_compute(m, 1, 2000);
        add_send(m, 1, 0, 1, EAGER);
        add_wait(m, 1, second);
        struct times times = times_at("ideal:2,latency=1000", m, apart, loggops);
        assert_int_equal(times.finish[0], early == 0 ? 4000 : 4500);
        assert_int_equal(times.finish[1], 3000);
    }
}

/* What the program waits for comes behind what it does not ask for. */
static void messages_are_taken_in_unasked(void **state)
{
    struct trace_memory *m = trace_memory_new(3);
    (void)state;
    add_send(m, 0, 2, 1, EAGER);
    add_compute(m, 1, 10);
    add_send(m, 1, 2, 1, EAGER);
    add_receive(m, 2, 1, 1, EAGER);
    add_receive(m, 2, 0, 1, EAGER);
    struct times times = times_at("ideal:3", m, apart, loggops);
    assert_int_equal(times.finish[2], 500 + 500 + 500); /* the second receive finds its message there */
    assert_int_equal(times.host[2], 1000);
}

/* Interfaces hold up both sides: g = 100, G = 2. The bytes take the receiver's processor. */
static void interfaces_hold_up_their_ranks(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    const struct replay_host host = {.send_ps = 10 * NS,
                                     .receive_ps = 10 * NS,
                                     .gap_ps = 100 * NS,
                                     .gap_byte_ps = 2 * NS,
                                     .loggops = true};
    (void)state;
    add_send(m, 0, 1, 1, EAGER);
    add_send(m, 0, 1, 1, EAGER);
    add_receive(m, 1, 0, 1, EAGER);
    add_receive(m, 1, 0, 1, EAGER);
    struct times times = times_at("ideal:2", m, apart, host);
    assert_int_equal(times.finish[0], 228 + 10);
    assert_int_equal(times.finish[1], 238 + 10 + 128);
}

/* O = 3: of the sender it takes time behind the message's start; of the receiver the larger of O and G. */
static void bytes_do_not_hold_up_their_message(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    const struct replay_host host = {.send_ps = 10 * NS,
                                     .send_byte_ps = 3 * NS,
                                     .receive_ps = 10 * NS,
                                     .receive_byte_ps = 3 * NS,
                                     .gap_byte_ps = 2 * NS,
                                     .loggops = true};
    (void)state;
    add_send(m, 0, 1, 1, EAGER);
    add_receive(m, 1, 0, 1, EAGER);
    struct times times = times_at("ideal:2", m, apart, host);
    assert_int_equal(times.finish[0], 10 + 192);
    assert_int_equal(times.finish[1], 10 + 10 + 192);
}

/* No handshake: the data go at once, and the sender is free when they are taken in for a receive. */
static void long_messages_free_their_sender_when_received(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 1, LONG);
    add_compute(m, 1, 5000);
    add_receive(m, 1, 0, 1, LONG);
    struct times times = times_at("ideal:2,latency=1000", m, apart, loggops);
    assert_int_equal(times.finish[0], 5000);
    assert_int_equal(times.finish[1], 5500);
    assert_int_equal(times.messages, 1);
}

/* Rank 0 sends, and computes behind that for 1000 ns; a message stands in line since then. What only requires the send
 * stands since the send began, and goes first. A wait that is an operation begins when the send is over, and
 * lets the message in before what is behind it. */
static void what_requires_a_send_stands_since_it_began(void **state)
{
    (void)state;
    for (unsigned edge = 0; edge < 2; edge++) {
        struct trace_memory *m = trace_memory_new(2);
        uint64_t long_one = add_ireceive(m, 0, 1, 1, LONG);
        uint64_t sent = trace_memory_next_request(m, 0);
        add_op(m, 0,
               (struct trace_op){
                   .kind = TRACE_SEND, .flags = TRACE_NONBLOCKING, .peer = 1, .tag = 1, .bytes = EAGER});
        add_op(m, 0,
               (struct trace_op){.kind = TRACE_WAIT,
                                 .flags = edge == 0 ? 0 : TRACE_EDGE,
                                 .requests = &sent,
                                 .request_count = 1});
        add_compute(m, 0, 1000);
        add_wait(m, 0, long_one);
        uint64_t request = add_ireceive(m, 1, 0, 1, EAGER);
        add_send(m, 1, 0, 1, LONG);
        add_wait(m, 1, request);
        struct times times = times_at("ideal:2", m, apart, loggops);
        assert_int_equal(times.finish[1], edge == 0 ? 1000 : 1500);
    }
}

/* As to any other rank, over memory in place of the network. */
static void messages_to_self_take_the_latency_of_memory(void **state)
{
    struct trace_memory *m = trace_memory_new(1);
    struct replay_host host = loggops;
    (void)state;
    host.memory_ps = 1000 * NS;
    uint64_t request = add_ireceive(m, 0, 0, 1, EAGER);
    add_send(m, 0, 0, 1, EAGER);
    add_wait(m, 0, request);
    struct times times = times_at("ideal:1", m, apart, host);
    assert_int_equal(times.finish[0], 500 + 1000 + 500);
    assert_int_equal(times.messages, 0);
}

/* A gap for each byte of the message before, by the rules of calls: the rank does not wait. */
static void bytes_make_gaps_longer(void **state)
{
    struct trace_memory *m = trace_memory_new(2);
    (void)state;
    add_send(m, 0, 1, 1, EAGER);
    add_send(m, 0, 1, 1, EAGER);
    add_receive(m, 1, 0, 1, EAGER);
    add_receive(m, 1, 0, 1, EAGER);
    struct times times =
        times_at("ideal:2", m, apart, (struct replay_host){.gap_ps = 100 * NS, .gap_byte_ps = 2 * NS});
    assert_int_equal(times.finish[0], 0);
    assert_int_equal(times.finish[1], 228);
}

/* ---- random programs */

static bool digests_are_equal(const struct base_digest *a, const struct base_digest *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

/* Those of test_options, but collectives as a library has them. */
static struct replay_semantics random_options(void)
{
    struct replay_semantics options = test_options();
    options.collectives = trace_tuning_find("mpich", NULL);
    options.ranks_per_terminal = RANKS_MOST;
    options.path = true;
    return options;
}

/* Any costs, each there or not, on a scale of messages and computations of the programs. */
static struct replay_host random_host(struct base_random *random)
{
    uint64_t costs[8];
    for (size_t i = 0; i < 8; i++)
        costs[i] = base_random_below(random, 2) == 0 ? 0 : base_random_below(random, 100000);
    return (struct replay_host){.send_ps = costs[0],
                                .send_byte_ps = costs[1] / 64,
                                .receive_ps = costs[2],
                                .receive_byte_ps = costs[3] / 64,
                                .match_ps = costs[4],
                                .entry_ps = costs[5],
                                .gap_ps = costs[6],
                                .memory_ps = costs[7],
                                .memory_bytes_per_s = base_random_below(random, 2) * UINT64_C(3000000000),
                                .nics = (uint32_t)base_random_below(random, 4),
                                .copies = (uint32_t)base_random_below(random, 3),
                                .round_robin = base_random_below(random, 2) == 0,
                                .in_calls = base_random_below(random, 2) == 0};
}

static uint64_t cases(void)
{
    return brief_count("random programs with hosts", 400, 10);
}

/* Sums and paths are checked in each replay; here that it ends at all, and twice alike. Costs never change what is
 * matched where nothing is open. */
static void random_programs_keep_their_sums(void **state)
{
    static const char *const networks[] = {"ideal:9", "mesh:3x3", "torus:3x3", "king-mesh:3x3"};
    (void)state;
    for (uint64_t seed = 0; seed < cases(); seed++) {
        struct trace_program *program = trace_memory_program(random_program(seed, 40, RANDOM_ALL));
        struct base_random random;
        struct replay_semantics options = random_options();
        uint32_t terminal[RANKS_MOST];
        uint64_t messages[2];
        base_random_seed(&random, seed, 24);
        options.host = random_host(&random);
        options.host.gap_byte_ps = base_random_below(&random, 2) * 700;
        options.host.loggops = seed % 2 == 0;
        for (uint32_t i = 0; i < RANKS_MOST; i++)
            terminal[i] = i / (1 + (uint32_t)(seed % 3)) % 9;
        struct replay_result once = replay_at(networks[seed % 4], program, terminal, &options, &messages[0]);
        struct replay_result twice = replay_at(networks[seed % 4], program, terminal, &options, &messages[1]);
        assert_true(digests_are_equal(&once.digest, &twice.digest));
        assert_int_equal(messages[0], messages[1]);
        replay_result_free(&once);
        replay_result_free(&twice);
        trace_close(program);
    }
}

/* A host that has interfaces and memory but no costs is none: the same digest as without it. */
static void hosts_without_costs_are_none(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < cases() / 4; seed++) {
        struct trace_program *program = trace_memory_program(random_program(seed, 40, RANDOM_ALL));
        struct replay_semantics options = random_options();
        uint64_t messages;
        struct replay_result without = replay_at("mesh:4x4", program, apart, &options, &messages);
        options.host = (struct replay_host){.nics = 4, .round_robin = true, .copies = 2};
        struct replay_result with = replay_at("mesh:4x4", program, apart, &options, &messages);
        assert_true(digests_are_equal(&without.digest, &with.digest));
        replay_result_free(&without);
        replay_result_free(&with);
        trace_close(program);
    }
}

/* Queues that are walked to be counted match what is matched by envelope, at the same times where messages of one
 * sender do not overtake: costs that round to the same charge give the same digest. */
static void counted_queues_match_as_envelopes_do(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < cases() / 4; seed++) {
        struct trace_program *program =
            trace_memory_program(random_program(seed, 40, RANDOM_ALL & ~(unsigned)RANDOM_WILDCARDS));
        struct replay_semantics options = random_options();
        uint64_t messages;
        options.host.match_ps = 1;
        struct replay_result by_envelope = replay_at("mesh:4x4", program, apart, &options, &messages);
        options.host.entry_ps = 1; /* fewer than a thousand entries are passed: a nanosecond either way */
        struct replay_result by_queue = replay_at("mesh:4x4", program, apart, &options, &messages);
        assert_true(digests_are_equal(&by_envelope.digest, &by_queue.digest));
        replay_result_free(&by_envelope);
        replay_result_free(&by_queue);
        trace_close(program);
    }
}

/* On the ideal network overheads cannot make anything earlier: all is a sum or a maximum of what it was. */
static void overheads_make_nothing_earlier(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < cases() / 4; seed++) {
        struct trace_program *program =
            trace_memory_program(random_program(seed, 40, RANDOM_ALL & ~(unsigned)RANDOM_WILDCARDS));
        struct replay_semantics options = random_options();
        uint64_t messages;
        struct replay_result last = {0};
        for (uint64_t step = 0; step < 4; step++) {
            options.host.send_ps = options.host.receive_ps = 5 * step * NS;
            struct replay_result result = replay_at("ideal:16", program, apart, &options, &messages);
            for (uint32_t i = 0; step > 0 && i < result.ranks; i++)
                assert_true(result.rank[i].finish_ns >= last.rank[i].finish_ns);
            replay_result_free(&last);
            last = result;
        }
        replay_result_free(&last);
        trace_close(program);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(overheads_are_rounded_up_once),
        cmocka_unit_test(ping_pong_takes_its_closed_form),
        cmocka_unit_test(completion_is_charged_where_it_is_asked_for),
        cmocka_unit_test(waits_take_messages_as_they_come),
        cmocka_unit_test(rendezvous_costs_both_sides_once),
        cmocka_unit_test(collectives_cost_what_their_messages_do),
        cmocka_unit_test(nonblocking_collectives_are_paid_in_their_wait),
        cmocka_unit_test(puts_and_gets_cost_their_origin),
        cmocka_unit_test(windows_of_sends_go_at_the_gap),
        cmocka_unit_test(handshakes_keep_the_gap),
        cmocka_unit_test(unexpected_messages_are_passed),
        cmocka_unit_test(posted_receives_are_passed),
        cmocka_unit_test(rings_inside_a_node_go_through_memory),
        cmocka_unit_test(rendezvous_through_memory_takes_three_latencies),
        cmocka_unit_test(memory_is_for_ranks_of_one_terminal),
        cmocka_unit_test(receivers_answer_inside_calls),
        cmocka_unit_test(senders_go_on_inside_calls),
        cmocka_unit_test(collectives_go_on_inside_calls),
        cmocka_unit_test(costs_beyond_time_are_refused),
        cmocka_unit_test(who_is_late_takes_in_first),
        cmocka_unit_test(messages_are_taken_in_unasked),
        cmocka_unit_test(interfaces_hold_up_their_ranks),
        cmocka_unit_test(bytes_do_not_hold_up_their_message),
        cmocka_unit_test(long_messages_free_their_sender_when_received),
        cmocka_unit_test(what_requires_a_send_stands_since_it_began),
        cmocka_unit_test(messages_to_self_take_the_latency_of_memory),
        cmocka_unit_test(bytes_make_gaps_longer),
        cmocka_unit_test(random_programs_keep_their_sums),
        cmocka_unit_test(hosts_without_costs_are_none),
        cmocka_unit_test(counted_queues_match_as_envelopes_do),
        cmocka_unit_test(overheads_make_nothing_earlier),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
