/* A finished session as plain data: copies, shares, percentiles.
 *
 * The report is filled section by section. Everything it points at is copied into its arena, since trace,
 * topology and network end before it. Loads divide by the simulated cycles, means by the delivered packets;
 * neither is ever divided by zero: a run without traffic or without time has loads and means of 0.
 *
 *      simulated_ns, messages …         struct replay_result of the topology
 *      ideal_ns, ideal_wait_ns          struct replay_result of the ideal network
 *      packets, flits, hops, digest     struct net_statistics
 *      percentiles                      the exact histogram of net_network_latencies, nearest rank
 *      loads, busiest                   flits of each link and terminal, by simulated cycles
 *      hop_bytes, dilation              struct map_cost
 *      coverage, repairs                struct trace_summary
 *      options                          struct replay_settings, computed defaults filled in
 *      host                             the stopwatch of the session: the only part that may differ */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/units.h"
#include "netmodel/faults/failing.h"
#include "netmodel/topologies/channels.h"
#include "netmodel/stages/multistage.h"
#include "reports/run/failing.h"
#include "replay/machines/physical.h"
#include "replay/session/costs.h"
#include "replay/session/inputs.h"
#include "replay/session/part.h"
#include "replay/session/partition.h"
#include "replay/session/record.h"
#include "replay/session/internal.h"
#include "traces/hash.h"

#define BUSIEST 8

/* What is being made, with the first failure remembered by `failed`: memory is the only one there is. */
struct maker {
    const struct session *session;
    const struct replay_setup *setup; /* the session's */
    struct report_run *run;
    bool failed;
};

/* Of the network as configured, behind the run's own replay. */
static const struct net_statistics *statistics_of(const struct maker *maker)
{
    return net_network_statistics(maker->session->results->real.network);
}

/* Everything goes to the run's arena, so that a failure on the way needs no undoing. */
static void *make_array(struct maker *maker, size_t count, size_t size)
{
    void *array = base_arena_array(&maker->run->arena, count, size);

    if (array == NULL)
        maker->failed = true;
    return array;
}

/* NULL stays NULL: no routing, for one. */
static const char *make_text(struct maker *maker, const char *text)
{
    char *copy = text == NULL ? NULL : base_arena_text(&maker->run->arena, text);

    if (text != NULL && copy == NULL)
        maker->failed = true;
    return copy;
}

static const uint32_t *make_numbers(struct maker *maker, const uint32_t *numbers, uint32_t count)
{
    uint32_t *copy = make_array(maker, count, sizeof *copy);

    if (copy != NULL && count > 0)
        memcpy(copy, numbers, count * sizeof *copy);
    return copy;
}

/* What was in force, and the files that were read. */
static void make_options(struct maker *maker)
{
    const struct session *session = maker->session;
    struct report_run *run = maker->run;
    struct replay_record record = replay_record_with(session->setup, session->results->real.network);

    struct report_option *options = NULL;
    if (replay_record_options(&record, replay_option_is_recorded, &run->arena, &options,
                              &run->option_count) != 0 ||
        replay_inputs_used(&run->inputs, &run->arena, session->setup->topology, session->setup->routing,
                           session->setup->partition, session->placement->map) != 0)
        maker->failed = true;
    run->options = options;
    run->link_use = replay_record_link_use(&record);
}

/* Texts are copied: the report outlives trace and topology. Names of kinds are constants. */
static void make_provenance(struct maker *maker)
{
    const struct session *session = maker->session;
    struct report_run *run = maker->run;

    run->trace = make_text(maker, trace_program_path(session->program));
    run->trace_format = make_text(maker, trace_program_format(session->program));
    run->trace_writer = make_text(maker, trace_program_writer(session->program));
    run->trace_fingerprint = make_text(maker, trace_program_hash(session->program, NULL));
    run->topology = make_text(maker, session->setup->topology->text);
    run->has_host = replay_settings_have_host(session->setup->settings);
    run->shares_channels = session->setup->topology->shared != NULL;
    run->routing = make_text(maker, session->setup->routing == NULL ? NULL : session->setup->routing->text);
    run->mapping = make_text(maker, session->placement->map->text);
    run->ranks = session->results->real.result.ranks;
    run->terminals = session->setup->topology->terminals;
    run->routers = session->setup->topology->routers;
    run->seed = session->setup->settings->number[REPLAY_SEED];
    run->clock_khz = session->setup->settings->number[REPLAY_CLOCK_GHZ];
    run->own_links = session->setup->topology->own_latencies || session->setup->topology->narrow_links;
    run->link_cycles = session->setup->settings->number[REPLAY_LINK_CYCLES];
    run->router_cycles = session->setup->settings->number[REPLAY_ROUTER_CYCLES];
    base_digest_text(&session->results->real.result.digest, run->digest);
    maker->failed |= replay_report_window(session->program, &run->arena, &run->window) != 0;
    make_options(maker);
}

/* A network that carried nothing has means of 0, not of 0/0. */
static void make_totals(struct maker *maker)
{
    const struct replay_result *real = &maker->session->results->real.result;
    const struct net_statistics *network = statistics_of(maker);
    struct report_run *run = maker->run;
    double packets = network->packets > 0 ? (double)network->packets : 1;

    run->simulated_ns = real->simulated_ns;
    /* Of the clock asked for, which an ideal network does not tick with. */
    run->simulated_cycles = base_cycles_from_ns(real->simulated_ns, run->clock_khz);
    run->ideal_ns = maker->session->results->ideal.result.simulated_ns;
    run->replayed_thousandths = real->thousandths;
    run->is_partial = real->interrupted;
    if (real->interrupted)
        run->interrupted = run->topology;
    else if (maker->session->results->is_stopped && !maker->session->results->has_rungs &&
             (session_attributes(maker->setup) || maker->setup->is_asked))
        run->interrupted = "attribution";
    run->messages = real->messages;
    run->message_bytes = real->message_bytes;
    run->self_messages = real->self_messages;
    run->control_messages = real->control_messages;
    run->packets = network->packets;
    run->flits = network->flits;
    run->in_bits = maker->setup->topology->multistage != NULL;
    run->packet_hops = network->packet_hops;
    run->flit_hops = network->flit_hops;
    run->mean_hops = (double)network->packet_hops / packets;
    run->mean_latency_cycles = (double)network->latency_sum_cycles / packets;
    run->max_latency_cycles = network->latency_max_cycles;
    run->hop_bytes = maker->session->placement->cost.hop_bytes;
    run->mean_dilation = maker->session->placement->cost.mean_dilation;
    run->max_dilation = maker->session->placement->cost.max_dilation;
    run->max_channel_load_bytes = maker->session->placement->cost.max_channel_load_bytes;
}

/* Where packets are deflected. The network is gone before the report. */
static void make_deflections(struct maker *maker)
{
    const struct net_statistics *network = statistics_of(maker);
    uint32_t routers = maker->setup->topology->routers;
    uint64_t *copy = network->deflected_flits == NULL ? NULL : make_array(maker, routers, sizeof *copy);

    for (uint32_t router = 0; copy != NULL && router < routers; router++) {
        copy[router] = network->deflected_flits[router];
        maker->run->deflections += copy[router];
    }
    maker->run->deflected_flits = copy;
    maker->run->reassembly_packets_max = network->reassembly_packets_max;
}

/* A growing copy of the histogram. */
struct histogram {
    struct report_latency *entries;
    uint32_t count, capacity;
    bool failed;
};

/* Called once for each latency that occurred, in rising order. Doubling keeps the copying linear. */
static void visit_latency(void *context, uint64_t latency_cycles, uint64_t packets)
{
    struct histogram *histogram = context;

    if (!histogram->failed)
        histogram->failed = base_grow_32(&histogram->entries, &histogram->capacity,
                                         (size_t)histogram->count + 1, sizeof *histogram->entries) != 0;
    if (!histogram->failed)
        histogram->entries[histogram->count++] = (struct report_latency){latency_cycles, packets};
}

/* The histogram is collected in a growing array first, since its length is only known at the end. */
static int make_latencies(struct maker *maker, struct base_error *error)
{
    struct histogram histogram = {0};
    struct report_run *run = maker->run;
    struct report_latency *entries = NULL;
    int status =
        net_network_latencies(maker->session->results->real.network, visit_latency, &histogram, error);

    if (status == 0)
        entries = make_array(maker, histogram.count, sizeof *entries);
    if (entries != NULL && !histogram.failed) {
        if (histogram.count > 0)
            memcpy(entries, histogram.entries, histogram.count * sizeof *entries);
        run->latencies = entries;
        run->latency_count = histogram.count;
        run->p50_latency_cycles = report_latency_percentile(entries, histogram.count, 50);
        run->p99_latency_cycles = report_latency_percentile(entries, histogram.count, 99);
    }
    maker->failed |= histogram.failed;
    free(histogram.entries);
    return status;
}

static const char *channel_name(struct maker *maker, uint32_t link)
{
    const struct session *session = maker->session;
    const char *name = net_channel_name(session->setup->topology, &maker->run->arena, link);

    maker->failed |= name == NULL;
    return name;
}

/* Inserts link i among the busiest so far; of equal ones the first stays first. Moving at most eight numbers
 * a link is cheaper than sorting all links for eight rows, and stable by itself. */
static void rank_link(const uint64_t *flits, uint32_t i, uint32_t busiest[BUSIEST], uint32_t *count)
{
    uint32_t place = *count;

    while (place > 0 && flits[busiest[place - 1]] < flits[i])
        place--;
    if (place == BUSIEST)
        return;
    if (*count < BUSIEST)
        (*count)++;
    memmove(busiest + place + 1, busiest + place, (*count - 1 - place) * sizeof *busiest);
    busiest[place] = i;
}

/* Links that carried nothing are not among the busiest, however few there are. */
static void make_busiest(struct maker *maker, const uint64_t *flits, double cycles)
{
    uint32_t channels = net_channel_count(maker->setup->topology);
    struct report_channel *rows = make_array(maker, BUSIEST, sizeof *rows);
    const struct net_statistics *network = statistics_of(maker);
    const uint64_t *carried = network->channel_flits != NULL ? network->channel_flits : network->link_flits;
    uint32_t busiest[BUSIEST];
    uint32_t count = 0;

    for (uint32_t i = 0; i < channels; i++)
        if (flits[i] > 0)
            rank_link(flits, i, busiest, &count);
    for (uint32_t i = 0; rows != NULL && i < count; i++) {
        rows[i].name = channel_name(maker, busiest[i]);
        rows[i].flits = carried[busiest[i]];
        rows[i].busy_cycles = flits[busiest[i]];
        rows[i].load = (double)flits[busiest[i]] / cycles;
    }
    maker->run->busiest = rows;
    maker->run->busiest_count = count;
    maker->run->max_channel_load = count > 0 ? (double)flits[busiest[0]] / cycles : 0;
}

/* Links that a class has in common are as busy as the class on average only if traffic is spread evenly. Shared
 * channels are not links, and have no classes. */
static void make_classes(struct maker *maker, double cycles)
{
    const struct net_topology *topology = maker->setup->topology;
    const struct net_statistics *network = statistics_of(maker);
    uint32_t count = topology->shared != NULL ? 0 : topology->link_class_count;
    struct report_class_use *classes = make_array(maker, count, sizeof *classes);

    if (classes == NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        classes[i].name = make_text(maker, topology->link_classes[i]);
    for (uint32_t i = 0; i < topology->link_count && count > 0; i++) {
        struct report_class_use *class = &classes[topology->links[i].class_number];
        double load = (double)net_link_use(network)[i] / cycles;
        class->links++;
        class->flits += network->link_flits[i];
        class->mean_load += load;
        class->max_load = load > class->max_load ? load : class->max_load;
    }
    for (uint32_t i = 0; i < count; i++)
        classes[i].mean_load /= classes[i].links > 0 ? (double)classes[i].links : 1;
    maker->run->classes = classes;
    maker->run->class_count = count;
}

/* Longest first; of equal ones the first channel. */
struct waited_channel {
    uint64_t cycles;
    uint32_t channel;
};

static int compare_waited(const void *left, const void *right)
{
    const struct waited_channel *a = left, *b = right;

    if (a->cycles != b->cycles)
        return a->cycles > b->cycles ? -1 : 1;
    return a->channel < b->channel ? -1 : a->channel > b->channel;
}

/* Every channel that any header waited for; where the engine does not count that, no array. */
static void make_waits(struct maker *maker)
{
    const struct net_statistics *network = statistics_of(maker);
    const uint64_t *waits = network->channel_waits != NULL ? network->channel_waits : network->link_waits;
    uint32_t channels = net_channel_count(maker->setup->topology), count = 0;
    struct waited_channel *order = waits == NULL ? NULL : calloc((size_t)channels + 1, sizeof *order);
    struct report_wait *rows = NULL;

    if (waits == NULL)
        return;
    for (uint32_t i = 0; order != NULL && i < channels; i++)
        if (waits[i] > 0)
            order[count++] = (struct waited_channel){waits[i], i};
    if (count > 1)
        qsort(order, count, sizeof *order, compare_waited);
    if (order != NULL)
        rows = make_array(maker, (size_t)count + 1, sizeof *rows);
    maker->failed |= order == NULL;
    for (uint32_t i = 0; rows != NULL && i < count; i++)
        rows[i] = (struct report_wait){channel_name(maker, order[i].channel), order[i].cycles,
                                       replay_channel_flits(network)[order[i].channel]};
    free(order);
    maker->run->waits = rows;
    maker->run->wait_count = rows == NULL ? 0 : count;
}

/* All channels in order, where tables have the busiest and the most waited for. */
static void make_channels(struct maker *maker)
{
    const struct net_statistics *network = statistics_of(maker);
    const uint64_t *waits = network->channel_waits != NULL ? network->channel_waits : network->link_waits;
    const uint64_t *carried = network->channel_flits != NULL ? network->channel_flits : network->link_flits;
    uint32_t count = net_channel_count(maker->setup->topology);
    struct report_channel_count *rows = make_array(maker, count, sizeof *rows);

    if (rows == NULL)
        return;
    for (uint32_t i = 0; i < count; i++)
        rows[i] = (struct report_channel_count){carried[i], replay_channel_flits(network)[i],
                                                waits != NULL ? waits[i] : 0};
    maker->run->channels = rows;
    maker->run->channel_count = count;
}

/* Engines without routers count no flits at terminals: their arrays are NULL. */
static uint64_t largest_of(const uint64_t *values, uint32_t count)
{
    uint64_t largest = 0;

    for (uint32_t i = 0; values != NULL && i < count; i++)
        if (values[i] > largest)
            largest = values[i];
    return largest;
}

/* Shares of the simulated cycles; a terminal's of what its injectors or consumers could have moved together.
 * A load of 1 is a channel that carries a flit in every cycle of the run, those in which ranks compute
 * included. */
static void make_loads(struct maker *maker)
{
    const struct net_statistics *network = statistics_of(maker);
    const struct replay_settings *settings = maker->setup->settings;
    const struct net_topology *topology = maker->setup->topology;
    struct report_run *run = maker->run;
    double cycles = run->simulated_cycles > 0 ? (double)run->simulated_cycles : 1;
    uint32_t channels = net_channel_count(topology);
    uint64_t carried = 0;

    for (uint32_t i = 0; i < channels; i++)
        carried += replay_channel_flits(network)[i];
    if (channels > 0)
        run->mean_channel_load = (double)carried / channels / cycles;
    run->max_injection_load = (double)largest_of(network->injected_cycles != NULL ? network->injected_cycles
                                                                                  : network->injected_flits,
                                                 topology->terminals) /
                              cycles / (double)settings->number[REPLAY_INJECTORS];
    run->max_ejection_load =
        (double)largest_of(network->ejected_cycles != NULL ? network->ejected_cycles : network->ejected_flits,
                           topology->terminals) /
        cycles / (double)net_network_options(maker->session->results->real.network)->consumers;
    make_busiest(maker, replay_channel_flits(network), cycles);
    make_classes(maker, cycles);
    make_channels(maker);
}

static void copy_buses(struct maker *maker)
{
    const uint64_t *bits = statistics_of(maker)->bus_flits;
    uint32_t count = bits != NULL ? maker->setup->topology->multistage->bus_count : 0;
    uint64_t *copy = make_array(maker, count, sizeof *copy);

    if (copy == NULL || count == 0)
        return;
    memcpy(copy, bits, count * sizeof *copy);
    maker->run->bus_bits = copy;
    maker->run->bus_count = count;
}

/* Shared channels beside the ways between them. */
static void copy_channels(struct maker *maker)
{
    uint32_t count = net_channel_count(maker->setup->topology);
    uint64_t *copy = maker->setup->topology->shared != NULL ? make_array(maker, count, sizeof *copy) : NULL;

    if (copy != NULL && count > 0)
        memcpy(copy, replay_channel_flits(statistics_of(maker)), count * sizeof *copy);
    maker->run->channel_carried = copy;
}

/* For pictures: every link and every pair, where the text has the busiest and sums. Links of stages by their bits,
 * beside those of buses; others by how long they are in use. */
static void make_flows(struct maker *maker)
{
    const struct net_statistics *network = statistics_of(maker);
    const uint64_t *use =
        maker->setup->topology->multistage != NULL ? network->link_flits : net_link_use(network);
    const struct trace_comm_graph *graph = maker->session->placement->graph;
    uint32_t links = maker->setup->topology->link_count;
    uint64_t *copy = make_array(maker, links, sizeof *copy);
    size_t runs = graph->begin[graph->ranks];
    struct report_run_pairs *pairs = make_array(maker, runs, sizeof *pairs);

    if (copy != NULL && links > 0)
        memcpy(copy, use, links * sizeof *copy);
    for (uint32_t rank = 0; pairs != NULL && rank < graph->ranks; rank++)
        for (size_t i = graph->begin[rank]; i < graph->begin[rank + 1]; i++)
            pairs[i] = (struct report_run_pairs){rank, graph->runs[i].first, graph->runs[i].count,
                                                 graph->runs[i].bytes};
    maker->run->link_carried = copy;
    copy_buses(maker);
    copy_channels(maker);
    maker->run->pairs = pairs;
    maker->run->pair_count = runs;
}

/* The ideal replay's waiting stands beside the real one: their difference is the network's doing. Both
 * replays have the same computation and the same messages for a rank, so nothing but waiting and the finish
 * can differ. */
static void make_ranks(struct maker *maker)
{
    const struct session *session = maker->session;
    struct report_rank *rows = make_array(maker, session->results->real.result.ranks, sizeof *rows);

    for (uint32_t i = 0; rows != NULL && i < session->results->real.result.ranks; i++) {
        const struct replay_rank_result *rank = &session->results->real.result.rank[i];
        rows[i] = (struct report_rank){
            .compute_ns = rank->compute_ns,
            .wait_ns = rank->wait_ns,
            .finish_ns = rank->finish_ns,
            .ideal_wait_ns = session->results->ideal.result.rank[i].wait_ns,
            .messages_sent = rank->messages_sent,
            .bytes_sent = rank->bytes_sent,
            .terminal = session->placement->map->terminal[i],
        };
    }
    maker->run->rank = rows;
}

/* In the order of the replay: by operation, then by first use. */
static void make_collectives(struct maker *maker)
{
    const struct replay_result *real = &maker->session->results->real.result;
    struct report_collective *rows = make_array(maker, real->collective_count, sizeof *rows);

    for (size_t i = 0; rows != NULL && i < real->collective_count; i++) {
        const struct replay_collective_result *row = &real->collectives[i];
        rows[i] = (struct report_collective){trace_collective_name(row->collective),
                                             row->algorithm,
                                             row->calls,
                                             row->messages,
                                             row->bytes,
                                             row->implied,
                                             row->multicasts,
                                             row->copies};
    }
    maker->run->collectives = rows;
    maker->run->collective_count = (uint32_t)real->collective_count;
}

/* Why the network of the run has no multicasts is its own matter, which it can say. */
static const char *reason_of(const struct session *session, enum replay_obstacle obstacle)
{
    const char *none = NULL;
    switch (obstacle) {
    case REPLAY_NO_MULTICASTS:
        net_multicasts_of(session->setup->topology, session->setup->routing, &session->setup->options, &none);
        return none;
    case REPLAY_TWO_GROUPS:
        return "their communicator has two groups";
    case REPLAY_ONE_TERMINAL:
        return "all ranks of their communicator are at one terminal";
    default:
        return "no box of routers, and no few boxes, have just the ranks of their communicator";
    }
}

static void make_software(struct maker *maker)
{
    struct report_software *rows = make_array(maker, REPLAY_OBSTACLES, sizeof *rows);
    uint32_t count = 0;

    for (int i = 0; rows != NULL && i < REPLAY_OBSTACLES; i++)
        if (maker->session->results->real.result.software_calls[i] != 0)
            rows[count++] = (struct report_software){reason_of(maker->session, (enum replay_obstacle)i),
                                                     maker->session->results->real.result.software_calls[i]};
    maker->run->software = rows;
    maker->run->software_count = count;
}

/* What --strict and the library ask: was everything replayed as it was recorded? A call that was taken apart
 * by a named algorithm is replayed as was asked for, and is not approximated; kinds of which there is no
 * record say nothing. */
static void make_coverage(struct maker *maker)
{
    const struct trace_summary *summary = trace_program_summary(maker->session->program);
    struct report_run *run = maker->run;

    run->coverage = replay_coverage(&run->arena, summary);
    run->repairs = session_repairs(&run->arena, summary);
    maker->failed |= run->coverage == NULL || run->repairs == NULL;
    run->coverage_count = (uint32_t)summary->coverage_count;
    run->repair_count = (uint32_t)summary->repair_count;
    for (size_t i = 0; i < summary->coverage_count; i++)
        run->approximated |=
            summary->coverage[i].records > 0 && (summary->coverage[i].treatment == TRACE_APPROXIMATE ||
                                                 summary->coverage[i].treatment == TRACE_IGNORED);
}

/* The copy of its text is the report's. Flits are those of the configured network's replay, not of a rung.
 * Memory is all that can fail there, which `failed` tells for every section, so that the error's own words
 * are not needed. */
static void make_partition(struct maker *maker)
{
    const struct session *session = maker->session;
    struct report_partition *partition = &maker->run->partition;
    struct base_error ignored;

    if (session->setup->partition == NULL)
        return;
    *partition = replay_partition_report(session->setup->settings, session->setup->partition,
                                         &session->setup->partition_metrics);
    partition->text = make_text(maker, session->setup->partition->text);
    partition->terminal = make_numbers(maker, session->setup->partition->terminal, partition->terminals);
    partition->in_bits = maker->run->in_bits;
    partition->replayed = true;
    if (replay_partition_leaked(session->setup->partition, session->setup->topology,
                                net_network_statistics(session->results->real.network)->link_flits,
                                &partition->leaked_flit_hops, &ignored) != 0)
        maker->failed = true;
    for (uint32_t bus = 0; bus < maker->run->bus_count; bus++) /* between cells, which are nobody's */
        partition->leaked_flit_hops += maker->run->bus_bits[bus];
}

/* What the faults took, of the whole network. */
static void make_faults(struct maker *maker)
{
    const struct session *session = maker->session;
    const struct net_failing *plan = net_routing_failing(session->setup->routing);
    const struct net_fault_counts *counts = net_network_statistics(session->results->real.network)->faults;
    struct report_failing *failing;

    if (plan == NULL || counts == NULL)
        return;
    failing = base_arena_alloc(&maker->run->arena, sizeof *failing);
    maker->failed |= failing == NULL;
    if (failing != NULL)
        *failing = (struct report_failing){plan->kind->name, plan->faults.count, *counts};
    maker->run->failing = failing;
}

/* Loads need the totals; the rest is independent of each other. The stopwatch is read last, so that host
 * times include the making of the report but not its writing. */
struct report_run *replay_report(struct trace_program *program, const struct replay_placement *placement,
                                 const struct replay_results *results,
                                 const struct replay_stopwatch *stopwatch, struct base_error *error)
{
    const struct session view = {program, &placement->setup, placement, results, NULL};
    const struct session *session = &view;
    struct report_run *run = calloc(1, sizeof *run);
    struct maker maker = {session, session->setup, run, false};

    if (run == NULL) {
        base_error_memory(error, "the report");
        return NULL;
    }
    make_provenance(&maker);
    if (replay_physical_of(session->setup->topology, session->setup->settings, &run->arena, &run->physical,
                           error) != 0)
        maker.failed = true;
    make_totals(&maker);
    maker.failed |= session_report_iterations(session->program, &session->results->real.laps,
                                              &session->results->ideal.laps, run) != 0;
    make_deflections(&maker);
    make_loads(&maker);
    make_flows(&maker);
    make_waits(&maker);
    make_partition(&maker);
    maker.failed |= session_report_what_if(session, run) != 0;
    make_ranks(&maker);
    make_collectives(&maker);
    make_software(&maker);
    make_faults(&maker);
    make_coverage(&maker);
    if (make_latencies(&maker, error) == 0 && !maker.failed &&
        session_report_attribution(session, run, error) == 0 &&
        session_report_path(session, run, error) == 0 &&
        replay_run_energy(session->setup->routing, session->setup->settings, session->results->real.network,
                          run, error) == 0) {
        run->host = replay_stopwatch_read(stopwatch, run->flit_hops);
        return run;
    }
    if (maker.failed)
        base_error_memory(error, "the report");
    report_run_free(run);
    return NULL;
}
