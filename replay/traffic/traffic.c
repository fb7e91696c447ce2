/* Points of synthetic traffic from runs: loads by seeds, on several threads if asked.
 *
 *      job j = (load j / seeds, seed j % seeds)    taken in order by whichever thread is free
 *      runs[j]                                     written by that thread alone
 *      points[load] ◄── runs of its seeds          when all are done, in order, by the caller's thread
 *
 * So the numbers are those of one thread, also their last digits. */
#include <config.h>

#include "replay/traffic/traffic.h"

#include <math.h>
#include <stdlib.h>

#include "base/statistics.h"
#include "base/team.h"

#define CONFIDENCE 0.95

struct jobs {
    const struct replay_traffic *traffic; /* borrowed */
    const uint64_t *loads;                /* in millionths */
    uint32_t count;                       /* of jobs: loads times seeds */
    struct replay_traffic_run *runs;      /* [job] */
    bool *finished;                       /* those that were stopped are not */
};

/* A thread's work; the caller's own thread tells how far all are. A run is touched by the one thread that
 * took it, until all have been joined: it needs no lock. One that was stopped in its middle has not
 * failed; it is missing. */
static void work(struct base_team *team, void *context, bool is_caller)
{
    struct jobs *jobs = context;
    const struct replay_traffic *traffic = jobs->traffic;
    struct base_error error = {0};
    uint32_t job;

    while (base_team_take(team, &job)) {
        int status = replay_traffic_simulate(traffic, jobs->loads[job / traffic->seeds],
                                             traffic->seed + job % traffic->seeds, &jobs->runs[job], &error);
        uint32_t done;
        jobs->finished[job] = status == 0;
        if (status != 0 && error.status == BASE_INTERRUPTED)
            status = 0;
        done = base_team_end(team, job, status, &error);
        if (is_caller && traffic->progress != NULL)
            traffic->progress(traffic->context, done, jobs->count);
    }
}

/* The same numbers for the latency with the queue at the source and without it. */
static void set_latencies(struct report_latencies *latencies, const struct replay_histogram *histogram)
{
    latencies->mean = replay_histogram_mean(histogram);
    latencies->deviation = replay_histogram_deviation(histogram);
    latencies->p50 = replay_histogram_percentile(histogram, 500);
    latencies->p90 = replay_histogram_percentile(histogram, 900);
    latencies->p99 = replay_histogram_percentile(histogram, 990);
    latencies->maximum = histogram->maximum;
}

/* The measured cycles of all seeds. */
static uint64_t cycles_of(const struct replay_traffic *traffic, const struct replay_traffic_run *runs)
{
    uint64_t cycles = 0;
    for (uint32_t i = 0; i < traffic->seeds; i++)
        cycles += runs[i].cycles;
    return cycles;
}

/* Several seeds are independent; the batches of a single run nearly are. Half the width of 95 % intervals by
 * Student's t (base/statistics.h). With several seeds the batches are not looked at: independent runs say more.
 * Cells are terminals times measured cycles, so flits per cell are flits a cycle and terminal. */
static void set_intervals(struct report_traffic_point *point, const struct replay_traffic *traffic,
                          const struct replay_traffic_run *runs, double *values)
{
    double terminals = traffic->topology->terminals;

    if (traffic->seeds == 1) {
        point->latency_interval = base_interval(runs->batch_latency, REPLAY_BATCHES, CONFIDENCE, NULL);
        point->accepted_interval = base_interval(runs->batch_load, REPLAY_BATCHES, CONFIDENCE, NULL);
        return;
    }
    for (uint32_t i = 0; i < traffic->seeds; i++)
        values[i] = replay_histogram_mean(&runs[i].latency);
    point->latency_interval = base_interval(values, traffic->seeds, CONFIDENCE, NULL);
    for (uint32_t i = 0; i < traffic->seeds; i++)
        values[i] = (double)runs[i].flits / ((double)runs[i].cycles * terminals);
    point->accepted_interval = base_interval(values, traffic->seeds, CONFIDENCE, NULL);
}

/* The load of links is the mean over the seeds, link by link; then the mean and the most of them. A link
 * carries at most a flit a cycle, so flits per measured cycle are the share of cycles it is busy. A port that
 * no router has a link at is 0 / 0, NAN, and null in the answer. Ports beyond REPORT_PORTS_MAX count in the
 * totals alone. */
static void set_channels(struct report_traffic_point *point, const struct replay_traffic *traffic,
                         const struct replay_traffic_run *runs)
{
    const struct net_topology *topology = traffic->topology;
    double cells = (double)cycles_of(traffic, runs), sum = 0;
    double port_sum[REPORT_PORTS_MAX] = {0}, port_links[REPORT_PORTS_MAX] = {0};

    for (uint32_t link = 0; link < topology->link_count; link++) {
        const struct net_link *at = &topology->links[link];
        uint32_t port = replay_traffic_by_class(topology) ? at->class_number : at->port;
        double load = 0;
        for (uint32_t i = 0; i < traffic->seeds; i++)
            load += (double)runs[i].link_flits[link] / cells;
        sum += load;
        point->max_channel_load = load > point->max_channel_load ? load : point->max_channel_load;
        if (port < REPORT_PORTS_MAX) {
            port_sum[port] += load;
            port_links[port]++;
        }
    }
    point->mean_channel_load = topology->link_count > 0 ? sum / topology->link_count : 0;
    for (uint32_t port = 0; port < REPORT_PORTS_MAX; port++)
        point->port_load[port] = port_sum[port] / port_links[port];
}

/* Of links that packets cross, those that brought them no nearer; and what lossy sources lost. */
static void set_deflections(struct report_traffic_point *point, const struct replay_traffic *traffic,
                            const struct replay_traffic_run *runs)
{
    double cells = (double)cycles_of(traffic, runs) * traffic->topology->terminals;
    double deflected = 0, carried = 0, lost = 0;

    for (uint32_t i = 0; i < traffic->seeds; i++) {
        lost += (double)runs[i].lost_messages;
        deflected += (double)runs[i].deflected_flits;
        for (uint32_t link = 0; runs[i].deflects && link < traffic->topology->link_count; link++)
            carried += (double)runs[i].link_flits[link];
    }
    point->lost_load = traffic->network.lossy ? lost / cells : NAN;
    point->deflected_share = deflected / carried;
}

/* The papers' own measures (the m-way and the broadcast paper): traffic is the share of a channel's cycles in
 * which it carries a flit, in the mean over channels; injection and ejection rates are flits a cycle and
 * terminal. */
static void set_traffic(struct report_traffic_point *point, const struct replay_traffic *traffic,
                        const struct replay_traffic_run *runs)
{
    const struct net_topology *topology = traffic->topology;
    double cycles = (double)cycles_of(traffic, runs), sum = 0, injected = 0, ejected = 0;

    for (uint32_t i = 0; i < traffic->seeds; i++) {
        injected += (double)runs[i].injected_flits;
        ejected += (double)runs[i].ejected_flits;
    }
    point->injection_rate = injected / cycles / topology->terminals;
    point->ejection_rate = ejected / cycles / topology->terminals;
    set_deflections(point, traffic, runs);
    point->traffic = point->min_traffic = point->max_traffic = NAN;
    for (uint32_t channel = 0; topology->shared != NULL && channel < topology->routers; channel++) {
        double load = 0;
        for (uint32_t i = 0; i < traffic->seeds; i++)
            load += (double)runs[i].channel_flits[channel] / cycles;
        sum += load;
        point->traffic = sum / topology->routers;
        point->min_traffic = load < point->min_traffic || channel == 0 ? load : point->min_traffic;
        point->max_traffic = load > point->max_traffic || channel == 0 ? load : point->max_traffic;
    }
}

/* The measured cycles of all seeds together. -1: memory. */
static int set_energy(struct report_traffic_point *point, const struct replay_traffic *traffic,
                      const struct replay_traffic_run *runs)
{
    struct net_energy_span span;
    /* Power that needs no data is of each seed's cycles in turn. */
    uint64_t cycles = cycles_of(traffic, runs);
    struct base_error error;
    int status = net_energy_span_init(&span, traffic->topology);

    for (uint32_t i = 0; i < traffic->seeds && status == 0; i++)
        net_energy_span_add(&span, &runs[i].energy);
    /* Of broadcasts a flit counts once, as in the load. */
    span.events.flits = (double)point->flits;
    if (status == 0)
        status = net_energy_of(traffic->request, traffic->costs, &span.events, cycles,
                               (double)cycles / (1e3 * (double)traffic->request->clock_khz), 0,
                               &point->energy, &error);
    net_energy_span_free(&span);
    return status;
}

/* What adds up over seeds. The machine's part does too, but for memory. The peak of memory is the whole
 * process's, whichever run reads it, so the largest is taken. */
static void add_run(struct report_traffic_point *point, const struct replay_traffic_run *run,
                    uint64_t *total_flit_hops, unsigned *saturated)
{
    point->has_faults |= run->has_faults;
    point->packets += run->packets;
#define REPORT_FAULT_COUNT(key, field, span, ...) point->faults.field += run->faults.field;
#include "reports/run/failing.def"
#undef REPORT_FAULT_COUNT
    point->messages += run->messages;
    point->flits += run->flits;
    point->flit_hops += run->flit_hops;
    if (run->cycles > point->cycles)
        point->cycles = run->cycles;
    if (run->warmup_cycles > point->warmup_cycles)
        point->warmup_cycles = run->warmup_cycles;
    point->steady = point->steady && run->steady;
    *saturated += run->saturated;
    *total_flit_hops += run->total_flit_hops;
    point->host.wall_seconds += run->host.wall_seconds;
    point->host.cpu_seconds += run->host.cpu_seconds;
    if (run->host.peak_memory_bytes > point->host.peak_memory_bytes)
        point->host.peak_memory_bytes = run->host.peak_memory_bytes;
}

/* Loads are per terminal of all, senders or not: what a network accepts is then comparable between patterns.
 * A run without a packet has no hops: NAN says so. One seed that was not steady makes the point not steady,
 * while the majority decides on saturation: close to it one seed may tip over and another not. A warm-up that
 * was given was not examined, and counts as steady. */
static void sum_up(struct report_traffic_point *point, const struct replay_traffic *traffic,
                   const struct replay_traffic_run *runs)
{
    double cells = (double)cycles_of(traffic, runs) * traffic->topology->terminals;
    uint64_t generated = 0, packet_hops = 0, packets = 0, total_flit_hops = 0;
    struct base_digest digest = {0};
    unsigned saturated = 0;

    point->steady = true;
    for (uint32_t i = 0; i < traffic->seeds; i++) {
        add_run(point, &runs[i], &total_flit_hops, &saturated);
        generated += runs[i].generated_flits;
        packet_hops += runs[i].packet_hops;
        packets += runs[i].packets;
        base_digest_merge(&digest, &runs[i].digest);
    }
    base_digest_text(&digest, point->digest);
    point->steady = point->steady || (!traffic->detect && !traffic->settle);
    point->saturated = 2 * saturated > traffic->seeds;
    point->generated_load = (double)generated / cells;
    point->accepted_load = (double)point->flits / cells;
    point->mean_hops = (double)packet_hops / (double)packets;
    point->host.flit_hops_per_second = (double)total_flit_hops / point->host.cpu_seconds;
}

/* -1: memory for the joint histograms, or for the values of the seeds. Percentiles are those of all messages
 * together: a mean of the seeds' percentiles would be the percentile of nothing. Joining overwrites the first
 * seed's histogram, so the intervals, which need each seed's own mean, are made before. */
static int make_point(struct report_traffic_point *point, const struct replay_traffic *traffic, uint64_t load,
                      struct replay_traffic_run *runs)
{
    double *values = calloc(traffic->seeds, sizeof *values);
    int status = values != NULL ? 0 : -1;

    *point = (struct report_traffic_point){.offered_load = (double)load / (double)NET_LOAD_ONE,
                                           .seeds = traffic->seeds};
    if (status == 0) {
        set_intervals(point, traffic, runs, values);
        set_channels(point, traffic, runs);
        set_traffic(point, traffic, runs);
        sum_up(point, traffic, runs);
        point->has_energy = traffic->request != NULL;
        status = point->has_energy ? set_energy(point, traffic, runs) : 0;
    }
    for (uint32_t i = 1; i < traffic->seeds && status == 0; i++)
        if (replay_histogram_merge(&runs[0].latency, &runs[i].latency) != 0 ||
            replay_histogram_merge(&runs[0].network_latency, &runs[i].network_latency) != 0)
            status = -1;
    set_latencies(&point->latency, &runs[0].latency);
    set_latencies(&point->network, &runs[0].network_latency);
    free(values);
    return status;
}

/* With all its seeds: fewer would be another answer. */
static bool is_finished(const struct jobs *jobs, size_t load)
{
    for (size_t i = 0; i < jobs->traffic->seeds; i++)
        if (!jobs->finished[load * jobs->traffic->seeds + i])
            return false;
    return true;
}

/* Runs the jobs and makes the points of what they gave. */
static int run_jobs(struct jobs *jobs, struct report_traffic_point *points, struct base_error *error)
{
    const struct replay_traffic *traffic = jobs->traffic;
    struct base_team team = {.count = jobs->count, .threads = traffic->threads, .stop = traffic->stop};

    if (base_team_run(&team, work, jobs, error) != 0)
        return -1;
    for (size_t load = 0; load < jobs->count / traffic->seeds; load++)
        if (!is_finished(jobs, load))
            points[load] = (struct report_traffic_point){0};
        else if (make_point(&points[load], traffic, jobs->loads[load], jobs->runs + load * traffic->seeds) !=
                 0)
            return base_error_memory(error, "the points");
    return 0;
}

/* All runs are kept until the last is done: their histograms are what memory it takes, some 100 KB each. */
int replay_traffic_points(const struct replay_traffic *traffic, const uint64_t *loads, size_t count,
                          struct report_traffic_point *points, struct base_error *error)
{
    struct jobs jobs = {.traffic = traffic, .loads = loads, .count = (uint32_t)(count * traffic->seeds)};
    int status = -1;

    if (jobs.count == 0)
        return 0;
    jobs.runs = calloc(jobs.count, sizeof *jobs.runs);
    jobs.finished = calloc(jobs.count, sizeof *jobs.finished);
    if (jobs.runs == NULL || jobs.finished == NULL)
        base_error_memory(error, "the runs");
    else
        status = run_jobs(&jobs, points, error);
    for (uint32_t job = 0; jobs.runs != NULL && job < jobs.count; job++)
        replay_traffic_run_free(&jobs.runs[job]);
    free(jobs.runs);
    free(jobs.finished);
    return status;
}

/* Where the network is stable at `most`, that is the answer, and the search ends. `saturated` is `most` before that is
 * known: the first point measures it, and ends the search if it is wrong. Halving keeps `stable` below `saturated` from
 * then on. */
bool replay_search_next(struct replay_search *search, bool saturated, uint64_t most)
{
    uint64_t between;

    if (saturated)
        search->saturated = search->load;
    else
        search->stable = search->load;
    between = search->saturated - search->stable;
    search->load = search->stable + between / 2;
    return search->stable != most && between > search->saturated / 100 && between > NET_LOAD_ONE / 1000;
}

/* Each point depends on those before it, so threads share the seeds of one point only. */
int replay_traffic_search(const struct replay_traffic *traffic, uint64_t most,
                          struct report_traffic_point points[REPLAY_SEARCH_MAX], uint32_t *count,
                          struct base_error *error)
{
    struct replay_search search = {.load = most, .saturated = most};
    bool goes_on = true;

    for (*count = 0; goes_on && *count < REPLAY_SEARCH_MAX; ++*count) {
        if (replay_traffic_points(traffic, &search.load, 1, &points[*count], error) != 0)
            return -1;
        if (points[*count].seeds == 0)
            break;
        goes_on = replay_search_next(&search, points[*count].saturated, most);
    }
    return 0;
}
