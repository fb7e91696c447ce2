/* What stands on rings around dead links: "Overload" of doc/faults.md, and why two faults may cost several times what
 * others do ("What a failed cable costs a program"). doc/reproduce/faults-on-rings runs it.
 *
 *     bench-rings overload TOPOLOGY KIND FAULTS CHANNELS LOAD INJECTORS STRETCH STRETCHES
 *     bench-rings alone TOPOLOGY KIND FAULTS CHANNELS
 *
 * overload: uniform traffic as `flitreplay traffic` makes it with seed 1, packets of 16 flits, buffers of four. A line
 * for each stretch of cycles: accepted, what entered rings and how far it went, and at its end a line for each ring.
 * alone: between all pairs of terminals a packet that has the network for itself: how many of them go over ring links,
 * how many, and which one over most.
 *
 * FAULTS as --faults takes it, all from cycle 0 on; the network is one of the packet-grant engine. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "netmodel/faults/failing.h"
#include "netmodel/packet-engine/faults.h"
#include "netmodel/traffic/traffic.h"

#define PACKET 16

static void fail(const struct base_error *error)
{
    fprintf(stderr, "bench-rings: %s\n", error->text);
    exit(1);
}

struct bench {
    struct net_topology *topology;
    struct net_routing routing;
    struct net_network *network;
};

static void make(struct bench *bench, char **argv, uint32_t injectors)
{
    struct net_options options = {.packet_flits = PACKET,
                                  .buffer_flits = 4 * PACKET,
                                  .virtual_channels = (uint32_t)strtoul(argv[3], NULL, 10),
                                  .injectors = injectors,
                                  .consumers = injectors,
                                  .seed = 1};
    struct base_error error;
    struct net_faults faults;
    bench->topology = net_topology_new(argv[0], &error);
    if (bench->topology == NULL)
        fail(&error);
    const struct net_fault_routing *kind = net_fault_routing_find(bench->topology, argv[1], &error);
    if (kind == NULL || net_faults_init(&faults, bench->topology, argv[2], 1000000, &error) != 0 ||
        net_routing_init_failing(&bench->routing, bench->topology, NULL, options.virtual_channels, &faults,
                                 kind, &error) != 0)
        fail(&error);
    net_faults_free(&faults);
    bench->network = net_network_new(bench->topology, &bench->routing, &options, &error);
    if (bench->network == NULL)
        fail(&error);
}

static void release(struct bench *bench)
{
    net_network_free(bench->network);
    net_routing_free(&bench->routing);
    net_topology_free(bench->topology);
}

/* ---- rings at overload ---- */

struct ring {
    uint32_t routers, queues, full;
    uint64_t places, taken;
};

/* Room of the buffer behind an output, in flits. */
static int32_t room_of(const struct net_packet_engine *engine, uint32_t router, uint32_t output)
{
    return net_packet_output_at(net_packet_router_at(engine->state, router, engine->shape), output)->spare +
           net_packet_plenty(engine->parts[0].constants, output);
}

/* The ring queues of a router's ring, if it has one, each behind a ring output; of other queues how many are
 * full. */
static void look_at(const struct net_packet_engine *engine, uint32_t router, struct ring *rings,
                    uint32_t *others, uint32_t *full)
{
    const struct net_packet_fault_router *faults = &engine->faults->router[router];
    const struct net_topology *topology = engine->network.topology;
    uint32_t origin = net_fault_data_origin(&engine->faults->data, router);
    if (faults->ring != 0)
        rings[origin].routers++;
    for (uint32_t output = 0; output < engine->first_ejection; output++) {
        if (topology->link_at[router * topology->ports + output / engine->shape.channels] == NET_NONE)
            continue;
        int32_t room = room_of(engine, router, output), largest = (int32_t)engine->largest;
        if ((faults->ring >> output & 1) == 0) {
            ++*others;
            *full += room < largest;
            continue;
        }
        rings[origin].queues++;
        rings[origin].full += room < largest;
        rings[origin].places += engine->network.options.buffer_flits / engine->largest;
        rings[origin].taken += (engine->network.options.buffer_flits - (uint32_t)room) / engine->largest;
    }
}

static void print_rings(const struct bench *bench)
{
    const struct net_packet_engine *engine = (const struct net_packet_engine *)bench->network;
    if (engine->faults == NULL)
        return;
    struct ring *rings = calloc(engine->routers, sizeof *rings);
    uint32_t others = 0, full = 0;
    if (rings == NULL)
        exit(1);
    for (uint32_t router = 0; router < engine->routers; router++)
        look_at(engine, router, rings, &others, &full);
    for (uint32_t i = 0; i < engine->routers; i++)
        if (rings[i].routers > 0)
            printf("    ring of %" PRIu32 " routers, %" PRIu32 " links: %" PRIu64 " of %" PRIu64
                   " places taken, %" PRIu32 " queues full\n",
                   rings[i].routers, rings[i].queues, rings[i].taken, rings[i].places, rings[i].full);
    printf("    other queues: %" PRIu32 " of %" PRIu32 " full\n", full, others);
    free(rings);
}

static void inject_until(struct bench *bench, struct net_traffic *traffic, struct net_traffic_message *next,
                         uint64_t limit)
{
    struct base_error error;
    for (uint64_t cycle = net_network_now(bench->network); cycle < limit; cycle++) {
        while (net_network_now(bench->network) < cycle)
            if (net_network_advance(bench->network, cycle, &error) < 0)
                fail(&error);
        for (uint32_t terminal = 0; terminal < bench->topology->terminals; terminal++)
            while (next[terminal].cycle == cycle) {
                const struct net_message message = {
                    .source = terminal, .target = next[terminal].target, .flits = next[terminal].flits};
                if (net_network_inject(bench->network, cycle, &message, &error) < 0)
                    fail(&error);
                net_traffic_next(traffic, terminal, &next[terminal]);
            }
    }
    while (net_network_now(bench->network) < limit)
        if (net_network_advance(bench->network, limit, &error) < 0)
            fail(&error);
}

static void overload(char **argv)
{
    const struct net_lengths lengths = {.kind = NET_LENGTH_FIXED, .flits = PACKET};
    uint64_t stretch = strtoull(argv[6], NULL, 10), stretches = strtoull(argv[7], NULL, 10);
    struct bench bench;
    struct base_error error;
    struct net_pattern pattern;
    struct net_traffic traffic;
    make(&bench, argv, (uint32_t)strtoul(argv[5], NULL, 10));
    if (net_pattern_init(&pattern, bench.topology, "uniform", 1, &error) != 0 ||
        net_traffic_init(&traffic, &pattern, NET_BERNOULLI, &lengths,
                         (uint64_t)(strtod(argv[4], NULL) * (double)NET_LOAD_ONE + 0.5), 1, &error) != 0)
        fail(&error);
    struct net_traffic_message *next = calloc(bench.topology->terminals, sizeof *next);
    for (uint32_t terminal = 0; next != NULL && terminal < bench.topology->terminals; terminal++)
        net_traffic_next(&traffic, terminal, &next[terminal]);
    struct net_fault_counts before = {0};
    uint64_t flits = 0;
    for (uint64_t i = 1; next != NULL && i <= stretches; i++) {
        inject_until(&bench, &traffic, next, i * stretch);
        const struct net_statistics *statistics = net_network_statistics(bench.network);
        uint64_t entries = statistics->faults->ring_entries - before.ring_entries;
        printf("cycles to %" PRIu64 ": accepted %.2f, %" PRIu64 " entered rings, %.1f ring links each\n",
               i * stretch, (double)(statistics->flits - flits) / (double)stretch / bench.topology->terminals,
               entries,
               entries > 0 ? (double)(statistics->faults->ring_links - before.ring_links) / (double)entries
                           : 0);
        print_rings(&bench);
        flits = statistics->flits;
        before = *statistics->faults;
    }
    free(next);
    net_traffic_free(&traffic);
    net_pattern_free(&pattern);
    release(&bench);
}

/* ---- packets alone ---- */

/* Ring links that a packet goes over which has the network for itself. */
static uint64_t send_alone(struct bench *bench, uint32_t source, uint32_t target)
{
    struct base_error error;
    const struct net_statistics *statistics = net_network_statistics(bench->network);
    uint64_t before = statistics->faults->ring_links;
    const struct net_message message = {.source = source, .target = target, .flits = PACKET};
    if (net_network_inject(bench->network, net_network_now(bench->network), &message, &error) < 0)
        fail(&error);
    while (net_network_pending(bench->network) > 0)
        if (net_network_advance(bench->network, UINT64_MAX, &error) < 0)
            fail(&error);
    return net_network_statistics(bench->network)->faults->ring_links - before;
}

static void alone(char **argv)
{
    struct bench bench;
    uint64_t sum = 0, rings = 0, most = 0, long_ways = 0;
    uint32_t from = 0, to = 0;
    make(&bench, argv, 1);
    for (uint32_t source = 0; source < bench.topology->terminals; source++)
        for (uint32_t target = 0; target < bench.topology->terminals; target++) {
            uint64_t links = source != target ? send_alone(&bench, source, target) : 0;
            sum += links;
            rings += links > 0;
            long_ways += links >= bench.topology->routers;
            if (links <= most)
                continue;
            most = links;
            from = source;
            to = target;
        }
    printf("%" PRIu64 " pairs over rings, %.1f ring links each, %" PRIu64
           " of them as many as there are routers or more; most %" PRIu64 ", from %" PRIu32 " to %" PRIu32
           "\n",
           rings, rings > 0 ? (double)sum / (double)rings : 0, long_ways, most, from, to);
    release(&bench);
}

int main(int argc, char **argv)
{
    if (argc == 10 && strcmp(argv[1], "overload") == 0)
        overload(argv + 2);
    else if (argc == 6 && strcmp(argv[1], "alone") == 0)
        alone(argv + 2);
    else
        fprintf(stderr,
                "usage: bench-rings overload TOPOLOGY KIND FAULTS CHANNELS LOAD INJECTORS STRETCH STRETCHES\n"
                "       bench-rings alone TOPOLOGY KIND FAULTS CHANNELS\n");
    return argc == 10 || argc == 6 ? 0 : 2;
}
