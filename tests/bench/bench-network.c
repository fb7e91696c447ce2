/* Measures the engines: CPU time per flit-hop, packet-hop and node-cycle under uniform Bernoulli traffic that
 * is generated before the clock starts and injected as a replay would. One line a call; tests/bench/run makes the table.
 *
 *     bench-network TOPOLOGY PACKET_FLITS LOAD CYCLES [REPEATS [FLOW ROUTING VCS BUFFER_FLITS]]
 *
 * FLOW is packet (the default), flit (cut-through on multiplexed links) or wormhole; ROUTING "-" is the topology's own.
 * LOAD is offered flits per cycle and terminal. Hops are router-to-router links; ejection work is in the time only. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/random.h"
#include "netmodel/network.h"

struct arrival {
    uint64_t cycle;
    uint32_t source, target;
};

struct measurement {
    uint64_t nanoseconds, flit_hops, packet_hops, executed_cycles, delivered_flits;
};

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static void fail(const struct base_error *error)
{
    fprintf(stderr, "bench-network: %s\n", error->text);
    exit(1);
}

static struct arrival *generate(uint32_t terminals, double probability, uint64_t cycles, size_t *count)
{
    struct base_random random;
    base_random_seed(&random, 1, 0);
    size_t capacity = 1024;
    struct arrival *arrivals = malloc(capacity * sizeof *arrivals);
    *count = 0;
    for (uint64_t cycle = 0; cycle < cycles; cycle++)
        for (uint32_t source = 0; source < terminals; source++) {
            if (base_random_unit(&random) >= probability)
                continue;
            if (*count == capacity) {
                capacity *= 2;
                arrivals = realloc(arrivals, capacity * sizeof *arrivals);
            }
            uint32_t target = (uint32_t)base_random_below(&random, terminals - 1);
            arrivals[(*count)++] = (struct arrival){cycle, source, target + (target >= source)};
        }
    return arrivals;
}

/* Kept apart from main so that callgrind can collect in here only. */
__attribute__((noinline)) void bench_run(struct net_network *network, const struct arrival *arrivals, size_t count,
                                         uint32_t packet_flits, uint64_t cycles)
{
    struct base_error error;
    for (size_t i = 0; i <= count; i++) {
        uint64_t limit = i < count ? arrivals[i].cycle : cycles;
        int result = 1;
        while (result == 1 && net_network_now(network) < limit)
            result = net_network_advance(network, limit, &error);
        if (result < 0)
            fail(&error);
        if (i == count)
            return;
        struct net_message message = {arrivals[i].source, arrivals[i].target, packet_flits, i, false};
        if (net_network_inject(network, limit, &message, &error) < 0)
            fail(&error);
    }
}

/* What is measured: flow control and sizes from the command line. */
static struct net_options read_options(int argc, char **argv, const char **routing)
{
    struct net_options options = {.packet_flits = (uint32_t)strtoul(argv[2], NULL, 10), .seed = 1};
    options.buffer_flits = 4 * options.packet_flits;
    *routing = NULL;
    if (argc < 10)
        return options;
    options.flow_control = strcmp(argv[6], "wormhole") == 0 ? NET_WORMHOLE : NET_CUT_THROUGH;
    options.multiplexed = strcmp(argv[6], "flit") == 0;
    *routing = strcmp(argv[7], "-") != 0 ? argv[7] : NULL;
    options.virtual_channels = (uint32_t)strtoul(argv[8], NULL, 10);
    options.buffer_flits = (uint32_t)strtoul(argv[9], NULL, 10);
    return options;
}

static struct measurement measure(const char *text, const char *routing_name, const struct net_options *options,
                                  double load, uint64_t cycles)
{
    struct base_error error;
    struct net_routing routing;
    uint32_t packet_flits = options->packet_flits;
    struct net_topology *topology = net_topology_new(text, &error);
    if (topology == NULL ||
        net_routing_init(&routing, topology, routing_name, options->virtual_channels, &error) < 0)
        fail(&error);
    struct net_network *network = net_network_new(topology, &routing, options, &error);
    if (network == NULL)
        fail(&error);
    size_t count;
    struct arrival *arrivals = generate(topology->terminals, load / packet_flits, cycles, &count);
    uint64_t begin = cpu_ns();
    bench_run(network, arrivals, count, packet_flits, cycles);
    struct measurement result = {.nanoseconds = cpu_ns() - begin};
    const struct net_statistics *statistics = net_network_statistics(network);
    for (uint32_t i = 0; i < topology->link_count; i++)
        result.flit_hops += statistics->link_flits[i];
    result.packet_hops = result.flit_hops / packet_flits;
    result.executed_cycles = statistics->executed_cycles;
    result.delivered_flits = statistics->flits;
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    free(arrivals);
    return result;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: bench-network TOPOLOGY PACKET_FLITS LOAD CYCLES "
                        "[REPEATS [FLOW ROUTING VCS BUFFER_FLITS]]\n");
        return 2;
    }
    const char *routing;
    struct net_options options = read_options(argc, argv, &routing);
    uint32_t packet_flits = options.packet_flits;
    double load = strtod(argv[3], NULL);
    uint64_t cycles = strtoull(argv[4], NULL, 10);
    long repeats = argc > 5 ? strtol(argv[5], NULL, 10) : 3;
    struct measurement best = {.nanoseconds = UINT64_MAX};
    for (long i = 0; i < repeats; i++) {
        struct measurement now = measure(argv[1], routing, &options, load, cycles);
        if (now.nanoseconds < best.nanoseconds)
            best = now;
    }
    struct base_error error;
    struct net_topology *topology = net_topology_new(argv[1], &error);
    if (topology == NULL)
        fail(&error);
    double ns = (double)best.nanoseconds, nodes = topology->terminals, time = (double)cycles;
    printf("%s %" PRIu32 " %g %.4f %.2f %.1f %.3f %.1f %.1f %" PRIu64 "\n", argv[1], packet_flits, load,
           (double)best.delivered_flits / nodes / time, ns / (double)best.flit_hops, ns / (double)best.packet_hops,
           ns / nodes / time, ns / time, 100.0 * (double)best.executed_cycles / time, best.flit_hops);
    net_topology_free(topology);
    return 0;
}
