#include "replay/traffic/outlook.h"

#include <math.h>

#include "replay/traffic/steady.h"

/* More than runs take on a slow machine: of a message, of a packet over a link, and of a flit where links are granted
 * flit by flit. */
#define MESSAGE_SECONDS 2e-6
#define HOP_SECONDS 0.3e-6
#define FLIT_SECONDS 0.1e-6

#define PAIRS 64   /* of terminals that stand for all */
#define NOISE 0.02 /* what less is accepted than offered by chance */

/* Of a message in front of an injector, and of the run: its record, and what the network knows of it. */
#define QUEUED_BYTES 160
#define QUEUED 16
#define RUN_BYTES 100000 /* of a run's histograms, which are kept until all runs are done */
/* Where the network is overloaded latencies grow, and with them the exact part of the histogram (histogram.h), which
 * has room for twice as many at most. */
#define LATENCY_BYTES 12
#define LATENCIES_MOST 1048576

/* ---- counting ---- */

/* Links of a way between two terminals, in the mean over some pairs; 0 where there are none. */
static double mean_hops(const struct replay_traffic *traffic)
{
    const struct net_topology *topology = traffic->topology;
    uint64_t hops = 0, terminals = topology->terminals;

    for (uint64_t i = 0; traffic->routing != NULL && i < PAIRS; i++) {
        uint32_t source = (uint32_t)(i * 7919 % terminals);
        uint32_t target = (uint32_t)((i * 104729 + terminals / 2) % terminals);
        hops += net_routing_hops(traffic->routing, net_topology_router_of(topology, source),
                                 net_topology_router_of(topology, target));
    }
    return (double)hops / PAIRS;
}

/* Bits of a packet are not granted one by one. */
static bool goes_by_flit(const struct replay_traffic *traffic)
{
    return traffic->network.flow_control == NET_WORMHOLE || traffic->network.multiplexed ||
           traffic->topology->shared != NULL;
}

/* The cycles of a run, at most where it ends by itself. */
static uint64_t cycles_of(const struct replay_traffic *traffic)
{
    return traffic->cycles + (traffic->detect ? REPLAY_WARMUP_LEAST : traffic->warmup_cycles);
}

/* A run of a load; more than its injectors carry no terminal sends. */
static double slow_run(const struct replay_traffic_outlook *outlook, double hops, uint64_t load)
{
    const struct replay_traffic *traffic = outlook->traffic;
    double most = outlook->most > 0 ? (double)outlook->most : HUGE_VAL;
    double flits = fmin((double)load, most) / (double)NET_LOAD_ONE * traffic->topology->terminals;
    double length = net_lengths_mean(&traffic->lengths);
    double packet = fmin(length, outlook->packet_flits);
    double hop_seconds = goes_by_flit(traffic) ? packet * FLIT_SECONDS : HOP_SECONDS;

    return (double)cycles_of(traffic) * flits * (MESSAGE_SECONDS / length + hops * hop_seconds / packet);
}

/* A search comes by its end more often than by anything else. */
#define SEARCH_LIKELY 9

double replay_traffic_slow(const struct replay_traffic_outlook *outlook)
{
    double hops = mean_hops(outlook->traffic), seconds = 0;

    for (size_t i = 0; i < outlook->count; i++)
        seconds += slow_run(outlook, hops, outlook->loads[i]);
    if (outlook->most > 0)
        seconds += SEARCH_LIKELY * slow_run(outlook, hops, outlook->most);
    return seconds * outlook->traffic->seeds;
}

/* How many runs are simulated and kept at a time: those of all loads, or of one of the search. */
static uint64_t runs_of(const struct replay_traffic_outlook *outlook)
{
    return (outlook->count > 0 ? outlook->count : 1) * outlook->traffic->seeds;
}

/* Of results that are kept. */
static uint64_t kept_bytes(const struct replay_traffic_outlook *outlook)
{
    const struct net_topology *topology = outlook->traffic->topology;

    return runs_of(outlook) *
           (RUN_BYTES + ((uint64_t)topology->link_count + topology->routers) * sizeof(uint64_t));
}

static uint64_t at_a_time(const struct replay_traffic_outlook *outlook)
{
    uint64_t runs = runs_of(outlook), threads = outlook->traffic->threads;

    return threads < 2 ? 1 : threads < runs ? threads : runs;
}

uint64_t replay_traffic_bytes(const struct replay_traffic_outlook *outlook)
{
    const struct replay_traffic *traffic = outlook->traffic;
    uint64_t injectors = traffic->network.injectors > 0 ? traffic->network.injectors : 1;
    uint64_t queued = (uint64_t)traffic->topology->terminals * injectors * QUEUED * QUEUED_BYTES;

    return at_a_time(outlook) * (outlook->network_bytes + queued) + kept_bytes(outlook);
}

/* ---- beginning ---- */

/* What a run takes at a load. */
struct sample {
    uint64_t load;
    double seconds, accepted; /* accepted: flits per cycle and terminal */
    double latency_bytes;     /* of its histogram */
};

struct samples {
    struct sample at[REPLAY_TRAFFIC_BEGINNINGS]; /* by load, rising */
    uint32_t count;
    uint64_t bytes; /* of a network, the most of them */
};

/* A run that ends by its averages has enough messages by then, and a thousand times as many cycles as flits are inside
 * (steady.h). */
static double run_cycles(const struct replay_traffic *traffic, const struct replay_traffic_pace *pace)
{
    double messages = pace->accepted * traffic->topology->terminals / net_lengths_mean(&traffic->lengths);
    double settled = fmax(REPLAY_SETTLING_MESSAGES / messages, 1000 * (double)pace->inside_flits);

    return traffic->settle ? fmin((double)traffic->warmup_cycles + settled, (double)cycles_of(traffic))
                           : (double)cycles_of(traffic);
}

/* The last messages are as late as the network is behind what is offered. */
static double latency_bytes(const struct replay_traffic *traffic, uint64_t load, double accepted)
{
    double behind = 1 - accepted * (double)NET_LOAD_ONE / (double)load;

    return LATENCY_BYTES * fmin(fmax(behind, 0) * (double)cycles_of(traffic), LATENCIES_MOST);
}

/* Puts a load where it belongs; one that is there is not begun again. */
static int begin(const struct replay_traffic_outlook *outlook, uint64_t load, double moment,
                 struct samples *samples, struct base_error *error)
{
    const struct replay_traffic *traffic = outlook->traffic;
    struct replay_traffic_pace pace;
    uint32_t place = 0;

    while (place < samples->count && samples->at[place].load < load)
        place++;
    if (place < samples->count && samples->at[place].load == load)
        return 0;
    if (replay_traffic_begin(traffic, load, moment, cycles_of(traffic), &pace, error) != 0)
        return -1;
    for (uint32_t i = samples->count++; i > place; i--)
        samples->at[i] = samples->at[i - 1];
    samples->at[place] = (struct sample){.load = load,
                                         .seconds = pace.cycle_seconds * run_cycles(traffic, &pace),
                                         .accepted = pace.accepted,
                                         .latency_bytes = latency_bytes(traffic, load, pace.accepted)};
    samples->bytes = pace.bytes > samples->bytes ? pace.bytes : samples->bytes;
    return 0;
}

/* On straight lines between the samples, and as the nearest outside. */
static struct sample sample_at(const struct samples *samples, uint64_t load)
{
    uint32_t above = 0;

    while (above < samples->count && samples->at[above].load < load)
        above++;
    if (above == samples->count || above == 0)
        return samples->at[above == 0 ? 0 : above - 1];
    const struct sample *low = &samples->at[above - 1], *high = &samples->at[above];
    double share = (double)(load - low->load) / (double)(high->load - low->load);
    return (struct sample){.load = load,
                           .seconds = low->seconds + share * (high->seconds - low->seconds),
                           .latency_bytes =
                               low->latency_bytes + share * (high->latency_bytes - low->latency_bytes)};
}

/* Runs that share threads take as long as the longest, or as all of them divided by the threads. */
static double shared_seconds(const struct replay_traffic *traffic, double sum, double longest)
{
    return traffic->threads < 2 ? sum : fmax(longest, sum / traffic->threads);
}

/* What all points take that are asked for; *bytes: of their histograms. */
static double points_seconds(const struct replay_traffic_outlook *outlook, const struct samples *samples,
                             double *bytes)
{
    double seeds = outlook->traffic->seeds, sum = 0, longest = 0;

    for (size_t i = 0; i < outlook->count; i++) {
        struct sample sample = sample_at(samples, outlook->loads[i]);
        sum += sample.seconds * seeds;
        longest = fmax(longest, sample.seconds);
        *bytes += sample.latency_bytes * seeds;
    }
    return shared_seconds(outlook->traffic, sum, longest);
}

/* The search as it goes where saturation is at what the network accepts of the most that is offered. */
static double search_seconds(const struct replay_traffic_outlook *outlook, const struct samples *samples,
                             double *bytes)
{
    struct replay_search search = {.load = outlook->most, .saturated = outlook->most};
    struct sample most = sample_at(samples, outlook->most);
    double accepted = most.accepted * (double)NET_LOAD_ONE, seeds = outlook->traffic->seeds, sum = 0;
    bool goes_on = true;

    *bytes = fmax(*bytes, most.latency_bytes * seeds);
    for (uint32_t i = 0; goes_on && i < REPLAY_SEARCH_MAX; i++) {
        double seconds = sample_at(samples, search.load).seconds;
        sum += shared_seconds(outlook->traffic, seconds * seeds, seconds);
        goes_on = replay_search_next(&search, (double)search.load > accepted * (1 + NOISE), outlook->most);
    }
    return sum;
}

int replay_traffic_foresee(const struct replay_traffic_outlook *outlook, double moment, double *seconds,
                           uint64_t *bytes, struct base_error *error)
{
    struct samples samples = {0};
    double latency_bytes = 0;

    *seconds = 0;
    if (outlook->most > 0 && begin(outlook, outlook->most, moment, &samples, error) != 0)
        return -1;
    for (size_t part = 0; outlook->count > 0 && part <= 2; part++)
        if (begin(outlook, outlook->loads[(outlook->count - 1) * part / 2], moment, &samples, error) != 0)
            return -1;
    if (outlook->count > 0)
        *seconds += points_seconds(outlook, &samples, &latency_bytes);
    if (outlook->most > 0)
        *seconds += search_seconds(outlook, &samples, &latency_bytes);
    *bytes = at_a_time(outlook) * samples.bytes + kept_bytes(outlook) + (uint64_t)latency_bytes;
    return 0;
}
