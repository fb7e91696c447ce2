/* Measures the replay's main path: CPU time per operation of a program made in memory, in which 64 ranks
 * compute, exchange with both neighbours on a ring without blocking, and then pass a blocking message in
 * pairs.
 *
 *     bench-replay TOPOLOGY ROUNDS          9 operations a rank and round
 *
 * On the ideal network this is the replay itself; on another one the network's time comes on top. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "replay/engine/replay.h"
#include "tests/traces/memory.h"

#define RANKS 64
#define OPERATIONS 9

static struct trace_memory *memory;

static void add(uint32_t rank, struct trace_op op)
{
    if (trace_memory_add(memory, rank, &op) < 0)
        exit(5);
}

static void add_exchange(uint32_t rank)
{
    uint32_t left = (rank + RANKS - 1) % RANKS, right = (rank + 1) % RANKS;
    uint64_t first = trace_memory_next_request(memory, rank);
    const uint64_t set[4] = {first, first + 1, first + 2, first + 3};
    struct trace_op op = {.flags = TRACE_NONBLOCKING, .bytes = 64};
    for (uint32_t i = 0; i < 4; i++) {
        op.kind = i < 2 ? TRACE_RECEIVE : TRACE_SEND;
        op.peer = i % 2 == 0 ? left : right;
        op.tag = i == 0 || i == 3; /* to the right: 1 */
        add(rank, op);
    }
    add(rank, (struct trace_op){.kind = TRACE_WAIT, .requests = set, .request_count = 4});
}

static void add_round(uint32_t rank, uint32_t round)
{
    struct trace_op one = {.kind = TRACE_SEND, .peer = rank ^ 1, .tag = 3, .bytes = 8}, other = one;
    other.kind = TRACE_RECEIVE;
    add(rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 1000 + (rank * 37 + round * 11) % 100});
    add_exchange(rank);
    add(rank, (struct trace_op){.kind = TRACE_COMPUTE, .duration_ns = 10});
    add(rank, rank % 2 == 0 ? other : one);
    add(rank, rank % 2 == 0 ? one : other);
}

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static int measure(const struct net_topology *topology, uint64_t operations, struct base_error *error)
{
    size_t count;
    struct replay_semantics options = {.clock_khz = 1000000,
                                       .flit_bytes = 8,
                                       .eager_limit_bytes = 65536,
                                       .compute_scale_ppm = 1000000,
                                       .collectives = trace_tunings(&count)[0]};
    struct net_options net_options = {0};
    struct net_routing routing;
    struct replay_result result;
    uint32_t terminal[RANKS];
    bool ideal = net_topology_is_ideal(topology);
    for (uint32_t rank = 0; rank < RANKS; rank++)
        terminal[rank] = rank;
    if (!ideal && net_routing_init(&routing, topology, NULL, 0, error) < 0)
        return -1;
    struct net_network *network = net_network_new(topology, ideal ? NULL : &routing, &net_options, error);
    uint64_t before = cpu_ns();
    if (network == NULL ||
        replay_run(trace_memory_program(memory), terminal, network, &options, &result, error) < 0)
        return -1;
    double ns = (double)(cpu_ns() - before);
    printf("replay %-10s %8" PRIu64 " operations, %5.0f ns each, %5.2f million a second\n", topology->text,
           operations, ns / (double)operations, 1e3 * (double)operations / ns);
    replay_result_free(&result);
    net_network_free(network);
    return 0;
}

int main(int count, char **arguments)
{
    struct base_error error = {0};
    struct net_topology *topology = count == 3 ? net_topology_new(arguments[1], &error) : NULL;
    uint32_t rounds = count == 3 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 0;
    memory = trace_memory_new(RANKS);
    if (topology == NULL || memory == NULL) {
        fprintf(stderr, "usage: bench-replay TOPOLOGY ROUNDS\n%s\n", error.text);
        return 2;
    }
    for (uint32_t round = 0; round < rounds; round++)
        for (uint32_t rank = 0; rank < RANKS; rank++)
            add_round(rank, round);
    int status = measure(topology, (uint64_t)rounds * RANKS * OPERATIONS, &error);
    if (status < 0)
        fprintf(stderr, "bench-replay: %s\n", error.text);
    trace_close(trace_memory_program(memory));
    net_topology_free(topology);
    return status < 0 ? 1 : 0;
}
