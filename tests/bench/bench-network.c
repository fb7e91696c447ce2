/* Measures the packet-grant engine: CPU time per flit-hop, packet-hop and node-cycle under uniform Bernoulli
 * traffic that is generated before the clock starts and injected as a replay would. One line a call;
 * tests/bench/run makes the table.
 *
 *     bench-network TOPOLOGY ROUTING PACKET_FLITS LOAD CYCLES [REPEATS [THREADS [INJECTORS [FLOW VCS BUFFER_FLITS
 *         [COUNT]]]]]
 *
 * FLOW is packet (the default), flit (cut-through on multiplexed links) or wormhole. ROUTING may be "-":
 * the topology's own; or a fault routing and faults, as "kft/8,seed=1", round adaptive-bubble. LOAD is
 * offered flits per cycle and terminal. With several threads the time is that on the wall. INJECTORS stands
 * for as many consumers, too. Hops are router-to-router links; ejection work is in the time only. Over shared
 * channels a hop is a transfer over one, the last one to the terminal included. COUNT is none (the default),
 * owners, where routers are two owners' alternately, as of two jobs, or events, where what each owner's
 * messages do is counted as well, as for the energy of jobs. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "netmodel/faults/failing.h"
#include "netmodel/network.h"

struct arrival {
    uint64_t cycle;
    uint32_t source, target;
};

struct measurement {
    uint64_t nanoseconds, wall_ns, flit_hops, packet_hops, executed_cycles, delivered_flits, resident_bytes;
    double loop_ns; /* what the processor took then for a round of arithmetic */
};

struct setting {
    const char *topology, *routing;
    uint32_t packet_flits, threads, injectors, channels, buffer_flits;
    const char *flow, *count;
    double load;
    uint64_t cycles;
};

/* Pages of this process in memory that are no file's: how much of the program is there depends on who has
 * read it before. */
static uint64_t resident_bytes(void)
{
    unsigned long long size = 0, resident = 0, files = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return 0;
    if (fscanf(file, "%llu %llu %llu", &size, &resident, &files) != 3)
        resident = files = 0;
    fclose(file);
    return (resident - files) * (uint64_t)sysconf(_SC_PAGESIZE);
}

static uint64_t clock_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

/* Of the process, or with several threads on the wall. */
static clockid_t clock_for(uint32_t threads)
{
    return threads > 1 ? CLOCK_MONOTONIC : CLOCK_PROCESS_CPUTIME_ID;
}

/* Nanoseconds for a round of a loop of independent arithmetic, without memory. Where others use the
 * processor's core it varies by two, and everything else with it: a time says little without that of its
 * minute. */
static double loop_ns(void)
{
    const uint32_t rounds = 1000000;
    volatile uint64_t keep;
    uint64_t a = 1, b = 2, c = 3, d = 4, begin = clock_of(CLOCK_THREAD_CPUTIME_ID);
    for (uint32_t i = 0; i < rounds; i++) {
        a = a * 5 + i;
        b = (b ^ i) + (b << 1);
        c = (c + i) ^ (c >> 3);
        d += d << 3 ^ i;
    }
    keep = a + b + c + d;
    (void)keep;
    return (double)(clock_of(CLOCK_THREAD_CPUTIME_ID) - begin) / rounds;
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
__attribute__((noinline)) void bench_run(struct net_network *network, const struct arrival *arrivals,
                                         size_t count, uint32_t packet_flits, uint64_t cycles)
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

/* "KIND/FAULTS": links fail under adaptive-bubble. Without a slash: the routing of that name. */
static void make_routing(struct net_routing *routing, const struct net_topology *topology,
                         const struct setting *setting)
{
    const char *slash = setting->routing != NULL ? strchr(setting->routing, '/') : NULL;
    struct base_error error;
    if (slash == NULL) {
        if (net_routing_init(routing, topology, setting->routing, setting->channels, &error) < 0)
            fail(&error);
        return;
    }
    char name[32];
    struct net_faults faults;
    snprintf(name, sizeof name, "%.*s", (int)(slash - setting->routing), setting->routing);
    const struct net_fault_routing *kind = net_fault_routing_find(topology, name, &error);
    if (kind == NULL || net_faults_init(&faults, topology, slash + 1, 1000000, &error) != 0 ||
        net_routing_init_failing(routing, topology, NULL, setting->channels, &faults, kind, &error) != 0)
        fail(&error);
    net_faults_free(&faults);
}

static struct measurement measure(const struct setting *setting)
{
    struct base_error error;
    struct net_routing routing;
    struct net_options options = {.packet_flits = setting->packet_flits,
                                  .buffer_flits = setting->buffer_flits,
                                  .virtual_channels = setting->channels,
                                  .flow_control =
                                      strcmp(setting->flow, "wormhole") == 0 ? NET_WORMHOLE : NET_CUT_THROUGH,
                                  .multiplexed = strcmp(setting->flow, "flit") == 0,
                                  .injectors = setting->injectors,
                                  .consumers = setting->injectors > 1 ? setting->injectors : 0,
                                  .threads = setting->threads,
                                  .seed = 1};
    struct net_topology *topology = net_topology_new(setting->topology, &error);
    if (topology == NULL)
        fail(&error);
    make_routing(&routing, topology, setting);
    size_t count;
    struct arrival *arrivals =
        generate(topology->terminals, setting->load / setting->packet_flits, setting->cycles, &count);
    uint64_t resident = resident_bytes();
    uint32_t *owner = malloc((size_t)topology->routers * sizeof *owner);
    for (uint32_t i = 0; owner != NULL && i < topology->routers; i++)
        owner[i] = i % 2;
    if (strcmp(setting->count, "none") != 0) {
        options.owner = owner;
        options.owners = 2;
        options.owner_events = strcmp(setting->count, "events") == 0;
    }
    struct net_network *network = net_network_new(topology, &routing, &options, &error);
    if (network == NULL)
        fail(&error);
    double before = loop_ns();
    uint64_t wall = clock_of(CLOCK_MONOTONIC), begin = clock_of(clock_for(setting->threads));
    bench_run(network, arrivals, count, setting->packet_flits, setting->cycles);
    struct measurement result = {.nanoseconds = clock_of(clock_for(setting->threads)) - begin};
    result.wall_ns = clock_of(CLOCK_MONOTONIC) - wall;
    double after = loop_ns();
    result.loop_ns = before > after ? before : after;
    result.resident_bytes = resident_bytes() - resident;
    const struct net_statistics *statistics = net_network_statistics(network);
    for (uint32_t i = 0; statistics->channel_flits == NULL && i < topology->link_count; i++)
        result.flit_hops += statistics->link_flits[i];
    for (uint32_t i = 0; statistics->channel_flits != NULL && i < topology->routers; i++)
        result.flit_hops += statistics->channel_flits[i];
    result.packet_hops = result.flit_hops / setting->packet_flits;
    result.executed_cycles = statistics->executed_cycles;
    result.delivered_flits = statistics->flits;
    net_network_free(network);
    net_routing_free(&routing);
    net_topology_free(topology);
    free(owner);
    free(arrivals);
    return result;
}

/* One line: what was asked for, then accepted load, ns per flit-hop, per packet-hop, per node-cycle and
 * per cycle, share of executed cycles, flit-hops, KiB per router of the network and all packets in it, MiB
 * of the process at most, ns of the loop before or behind it, whichever took longer, and ns per flit-hop
 * on the wall. */
static void print(const struct setting *setting, const struct measurement *best)
{
    struct base_error error;
    struct rusage usage;
    struct net_topology *topology = net_topology_new(setting->topology, &error);
    if (topology == NULL)
        fail(&error);
    getrusage(RUSAGE_SELF, &usage);
    double ns = (double)best->nanoseconds, nodes = topology->terminals, time = (double)setting->cycles;
    printf("%s %s %" PRIu32 " %g %" PRIu32 " %.4f %.2f %.1f %.3f %.1f %.1f %" PRIu64 " %.3f %.0f %.2f %.2f\n",
           setting->topology, setting->routing != NULL ? setting->routing : "-", setting->packet_flits,
           setting->load, setting->threads, (double)best->delivered_flits / nodes / time,
           ns / (double)best->flit_hops, ns / (double)best->packet_hops, ns / nodes / time, ns / time,
           100.0 * (double)best->executed_cycles / time, best->flit_hops,
           (double)best->resident_bytes / topology->routers / 1024, (double)usage.ru_maxrss / 1024,
           best->loop_ns, (double)best->wall_ns / (double)best->flit_hops);
    net_topology_free(topology);
}

static uint32_t number(int argc, char **argv, int index, uint32_t other)
{
    return index < argc ? (uint32_t)strtoul(argv[index], NULL, 10) : other;
}

int main(int argc, char **argv)
{
    if (argc < 6) {
        fprintf(stderr,
                "usage: bench-network TOPOLOGY ROUTING PACKET_FLITS LOAD CYCLES [REPEATS [THREADS [INJECTORS "
                "[FLOW VCS BUFFER_FLITS [COUNT]]]]]\n");
        return 2;
    }
    const struct setting setting = {.topology = argv[1],
                                    .routing = strcmp(argv[2], "-") == 0 ? NULL : argv[2],
                                    .packet_flits = number(argc, argv, 3, 16),
                                    .load = strtod(argv[4], NULL),
                                    .cycles = strtoull(argv[5], NULL, 10),
                                    .threads = number(argc, argv, 7, 1),
                                    .injectors = number(argc, argv, 8, 1),
                                    .flow = argc > 9 ? argv[9] : "packet",
                                    .channels = number(argc, argv, 10, 0),
                                    .buffer_flits = number(argc, argv, 11, 4 * number(argc, argv, 3, 16)),
                                    .count = argc > 12 ? argv[12] : "none"};
    struct measurement best = {.nanoseconds = UINT64_MAX, .wall_ns = UINT64_MAX};
    for (uint32_t i = 0; i < number(argc, argv, 6, 3); i++) {
        struct measurement now = measure(&setting);
        if (i > 0) /* the first has the pages that later ones take over */
            now.resident_bytes = best.resident_bytes;
        uint64_t wall = now.wall_ns < best.wall_ns ? now.wall_ns : best.wall_ns;
        if (now.nanoseconds < best.nanoseconds)
            best = now;
        best.wall_ns = wall;
    }
    print(&setting, &best);
    return 0;
}
